//! The lane of a task: its state by height and pattern.

use super::lanes::{Lane, PIN};
use super::scene::{FADE, Scene, rows_shown};
use crate::paint::{Align, ColourBy, Fill, Font, Painter, Rect, Rgba};
use sim_core::engine::protocol::{LaneState, TaskLane};

const RUNNING: u8 = LaneState::Running as u8;
const RUNNABLE: u8 = LaneState::Runnable as u8;
const SLEEPING: u8 = LaneState::Sleeping as u8;
const BLOCKED: u8 = LaneState::Blocked as u8;
const GONE: u8 = LaneState::Gone as u8;

/// Runs shorter than this have no CPU number, px.
const LABEL_MIN: f64 = 46.0;

/// Draws the states of a task into a bar at `y` of height `h`.
pub fn draw_states(p: &mut dyn Painter, scene: &Scene, rows: &TaskLane, y: f64, h: f64, labels: bool) {
    let faded = scene.hover.is_some_and(|hover| hover != rows.task);
    if faded {
        p.alpha(FADE);
    }
    let shown = rows_shown(&rows.start, &rows.end, scene.scale.from, scene.scale.to);
    let half = (h / 2.0).floor();
    let place = |row: usize| {
        let (x0, x1) = (scene.scale.x_within(rows.start[row]), scene.scale.x_within(rows.end[row]));
        (x0, (x1 - x0).max(0.8))
    };
    let mut pass = |state: u8, top: f64, height: f64, fill: Fill| {
        let mut any = false;
        for row in shown.clone().filter(|&row| rows.state[row] == state) {
            if !any {
                p.begin();
                any = true;
            }
            let (x, w) = place(row);
            p.rect(Rect::new(x, top, w, height));
        }
        if any {
            p.fill(fill);
        }
    };
    pass(SLEEPING, y + h - 1.0, 1.0, Fill::Solid(scene.palette.st_sleep));
    pass(RUNNABLE, y + half, h - half, Fill::Waiting);
    pass(BLOCKED, y + half, h - half, Fill::Io);
    pass(RUNNING, y, h, Fill::Solid(scene.palette.st_running));
    draw_held(p, scene, rows, y + half, h - half);
    draw_crosses(p, scene, rows, shown.clone(), y, h);
    if labels {
        for row in shown.filter(|&row| rows.state[row] == RUNNING && rows.merged[row] <= 1) {
            let (x, w) = place(row);
            if w > LABEL_MIN {
                let text = crate::text::pictures::cpu(rows.cpu[row]);
                p.text(x + 5.0, y + h / 2.0 + 4.0, &text, Font::Small, Rgba(0xffff_ffff), Align::Left);
            }
        }
    }
    if faded {
        p.alpha(1.0);
    }
}

/// Waits in which the task's group is held back (throttled): a wide hatch with a line above instead of the narrow one.
fn draw_held(p: &mut dyn Painter, scene: &Scene, rows: &TaskLane, y: f64, h: f64) {
    for &(from, to) in rows.held.iter().filter(|held| scene.scale.shows(held.0, held.1)) {
        let (x0, x1) = (scene.scale.x_within(from), scene.scale.x_within(to));
        let at = Rect::new(x0, y, (x1 - x0).max(1.0), h);
        p.fill_rect(at, Fill::Solid(scene.palette.panel));
        p.fill_rect(at, Fill::Unknown);
        p.fill_rect(Rect::new(at.x, y, at.w, 1.0), Fill::Solid(scene.palette.warn));
    }
}

/// A cross where the task exited.
fn draw_crosses(p: &mut dyn Painter, scene: &Scene, rows: &TaskLane, shown: core::ops::Range<usize>, y: f64, h: f64) {
    for row in shown.filter(|&row| row > 0 && rows.state[row] == GONE && rows.state[row - 1] != GONE) {
        let (x, y) = (scene.scale.x_from_time(rows.start[row]) + 4.0, y + h / 2.0);
        if x < scene.frame.left + 4.0 {
            continue;
        }
        p.begin();
        p.move_to(x - 3.0, y - 3.0);
        p.line_to(x + 3.0, y + 3.0);
        p.move_to(x + 3.0, y - 3.0);
        p.line_to(x - 3.0, y + 3.0);
        p.stroke(crate::paint::Pen::solid(scene.palette.st_dead, 1.5));
    }
}

/// Name of a task with its colour; `selected` lies on quiet accent.
pub fn draw_gutter(p: &mut dyn Painter, scene: &Scene, task: u32, at: Rect, ground: Option<Rgba>) {
    let palette = scene.palette;
    let selected = scene.selected_task == Some(task);
    if let Some(ground) = if selected { Some(palette.accent_quiet) } else { ground } {
        p.fill_rect(at, Fill::Solid(ground));
    }
    if selected {
        p.fill_rect(Rect::new(0.0, at.y, 2.0, at.h), Fill::Solid(palette.accent));
    }
    let slot = usize::from(scene.ink.ink(task, task_colours(scene)).slot) % palette.task.len();
    let middle = at.y + at.h / 2.0;
    let x = if is_narrow(scene, at) { 8.0 } else { 10.0 };
    p.fill_rect(Rect::new(x, (middle - 4.0).floor(), 8.0, 8.0), Fill::Solid(palette.task[slot]));
    if !is_narrow(scene, at) {
        p.text_within(24.0, middle + 4.0, 66.0, scene.ink.name(task), name_font(scene, task), palette.text);
    }
}

/// The gutter of a phone has no room for a name.
fn is_narrow(scene: &Scene, gutter: Rect) -> bool {
    scene.phone && gutter.w < 60.0
}

fn name_font(scene: &Scene, task: u32) -> Font {
    if scene.selected_task == Some(task) { Font::SmallStrong } else { Font::Small }
}

/// The name of a task on a plate over the begin of its lane, where the gutter is too narrow for it.
fn draw_name_plate(p: &mut dyn Painter, scene: &Scene, task: u32, gutter: Rect) {
    let (name, font) = (scene.ink.name(task), name_font(scene, task));
    let width = p.text_width(name, font) + 8.0;
    let plate = Rect::new(gutter.right(), gutter.y + 2.0, width, gutter.h - 4.0);
    p.fill_rect(plate, Fill::Solid(scene.palette.panel.with_alpha(230)));
    p.text(plate.x + 4.0, gutter.y + gutter.h / 2.0 + 4.0, name, font, scene.palette.text, Align::Left);
}

/// The swatch shows a task's own colour also where slices show states.
fn task_colours(scene: &Scene) -> ColourBy {
    if scene.colour_by == ColourBy::State { scene.ink.colour_by_default() } else { scene.colour_by }
}

/// A lane of tasks mode.
pub fn draw(p: &mut dyn Painter, scene: &Scene, lane: &Lane, task: u32) {
    let (y, h) = lane.run(scene.y_of(lane.y));
    if let Some(rows) = scene.task(task) {
        draw_states(p, scene, rows, y, h, true);
    }
    if scene.hover == Some(task) {
        hover_line(p, scene, y, task);
    }
}

/// Pinned lanes below the CPUs.
pub fn draw_pins(p: &mut dyn Painter, scene: &Scene) {
    for (i, &task) in scene.pins.iter().enumerate() {
        let y = scene.frame.pins.y + i as f64 * PIN;
        let gutter = Rect::new(0.0, y, scene.frame.left, PIN);
        draw_gutter(p, scene, task, gutter, Some(scene.palette.raised));
        if let Some(rows) = scene.task(task) {
            draw_states(p, scene, rows, y + 4.0, 12.0, false);
        }
        if scene.hover == Some(task) {
            hover_line(p, scene, y + 4.0, task);
        }
        if is_narrow(scene, gutter) {
            draw_name_plate(p, scene, task, gutter);
        }
        p.fill_rect(Rect::new(0.0, y + PIN - 1.0, scene.frame.all.w, 1.0), Fill::Solid(scene.palette.line));
    }
}

fn hover_line(p: &mut dyn Painter, scene: &Scene, y: f64, task: u32) {
    let Some(rows) = scene.task(task) else { return };
    p.begin();
    for row in rows_shown(&rows.start, &rows.end, scene.scale.from, scene.scale.to) {
        if rows.state[row] == RUNNING {
            let (x0, x1) = (scene.scale.x_within(rows.start[row]), scene.scale.x_within(rows.end[row]));
            p.rect(Rect::new(x0, y - 2.0, (x1 - x0).max(1.0), 2.0));
        }
    }
    p.fill(Fill::Solid(scene.palette.accent));
}
