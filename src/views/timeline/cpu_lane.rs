//! The lane of a CPU: run bar, queue, gutter.

use super::lanes::{Detail, Lane};
use super::scene::{Edge, OPEN, Scene, busy_percent, rows_shown, waiting_at};
use super::slices::{Batch, NAME_MIN, SHAPE_MIN, Shape};
use crate::paint::{Align, ColourBy, Fill, Font, Painter, Rect, Rgba, Strips};
use crate::text::timeline as words;
use sim_core::engine::protocol::{CpuLane, IDLE};

/// Distance of the dots under merged slices, px.
const DOT_EVERY: f64 = 16.0;
/// Height of the hatch of a stretch in which tasks are held back, px.
const HELD: f64 = 12.0;

/// Memory that lanes share from frame to frame.
#[derive(Default)]
pub struct Scratch {
    /// Slices wide enough for a shape.
    pub batch: Batch,
    /// Slices wide enough for a name.
    names: Batch,
    /// All others.
    pub strips: Strips,
    /// Places of dots: "more slices here than pixels".
    dots: Vec<(f64, f64)>,
    /// Boxes of a queue: x, right, height.
    skyline: Vec<(f64, f64, f64)>,
}

impl Scratch {
    /// Starts a picture.
    pub fn reset(&mut self, scene: &Scene) {
        self.batch.clear();
        self.dots.clear();
        self.strips.reset(scene.frame.left, scene.frame.right - scene.frame.left, scene.dpr);
    }

    /// Draws what all lanes have gathered.
    pub fn flush(&self, p: &mut dyn Painter, scene: &Scene) {
        p.strips(&self.strips);
        self.batch.draw(p, scene.palette);
        if !self.dots.is_empty() {
            p.begin();
            for &(x, y) in &self.dots {
                p.circle(x, y, 1.0);
            }
            p.fill(Fill::Solid(scene.palette.text_2));
        }
    }
}

/// Gathers the slices of a CPU and draws its queue.
pub fn draw(p: &mut dyn Painter, scene: &Scene, lane: &Lane, rows: &CpuLane, scratch: &mut Scratch) {
    let y = scene.y_of(lane.y);
    let (run_y, run_h) = lane.run(y);
    if lane.detail != Detail::Thin {
        let base = Rect::new(scene.frame.left, run_y + run_h, scene.frame.right - scene.frame.left, 1.0);
        p.fill_rect(base, Fill::Solid(scene.palette.line));
    }
    draw_queue(p, scene, lane, rows, scratch);
    draw_held(p, scene, lane, rows);
    let strip = scratch.strips.row(run_y, run_h);
    let mut dotted_to = f64::NEG_INFINITY;
    for row in rows_shown(&rows.start, &rows.end, scene.scale.from, scene.scale.to) {
        let (start, end) = (rows.start[row], rows.end[row]);
        let (x0, x1) = (scene.scale.x_within(start), scene.scale.x_within(end));
        let merged = rows.merged[row] > 1;
        if merged && x1 > dotted_to {
            dotted_to = mark_merged(&mut scratch.dots, x0.max(dotted_to), x1, run_y + run_h + 3.0, lane.detail);
        }
        let task = rows.task[row];
        if task == IDLE {
            continue;
        }
        let (colour, ink) = scene.colour(task);
        if merged || x1 - x0 < SHAPE_MIN || lane.detail == Detail::Thin {
            let part = if merged { f64::from(rows.busy[row]) / 255.0 } else { 1.0 };
            scratch.strips.cover(strip, x0, gap(x0, x1), colour.with_alpha((part * 255.0) as u8));
            continue;
        }
        scratch.batch.put(colour, shape_of(scene, rows, row, (x0, x1), (run_y, run_h), ink));
    }
}

/// The shape of a slice between two x.
fn shape_of(
    scene: &Scene,
    rows: &CpuLane,
    row: usize,
    (x0, x1): (f64, f64),
    (run_y, run_h): (f64, f64),
    ink: Rgba,
) -> Shape {
    let (task, cut) = (rows.task[row], rows.end[row] > scene.scale.to || rows.ended[row] == OPEN);
    Shape {
        at: Rect::new(x0 + 0.5, run_y, x1 - x0 - 1.0, run_h),
        edge: if cut { Edge::Plain } else { Edge::of(rows.ended[row]) },
        ink,
        task,
        repeated: scene.colour_by == ColourBy::Task && scene.ink.ink(task, ColourBy::Task).repeated,
    }
}

/// Writes the names of slices where they fit whole.
pub fn draw_names(p: &mut dyn Painter, scene: &Scene, lane: &Lane, rows: &CpuLane, scratch: &mut Scratch) {
    let run = lane.run(scene.y_of(lane.y));
    scratch.names.clear();
    for row in rows_shown(&rows.start, &rows.end, scene.scale.from, scene.scale.to) {
        if rows.merged[row] > 1 || rows.task[row] == IDLE {
            continue;
        }
        let (x0, x1) = (scene.scale.x_within(rows.start[row]), scene.scale.x_within(rows.end[row]));
        if x1 - x0 >= NAME_MIN {
            let (_, ink) = scene.colour(rows.task[row]);
            scratch.names.put(ink, shape_of(scene, rows, row, (x0, x1), run, ink));
        }
    }
    scratch.names.draw_names(p, |task| scene.ink.name(task));
}

/// Slices that are wide enough leave a thin gap to their neighbour, even as dots.
fn gap(x0: f64, x1: f64) -> f64 {
    if x1 - x0 > 2.0 { x1 - 0.4 } else { x1 }
}

/// Puts dots on a fixed raster below `x0..x1`, returns where it stopped.
fn mark_merged(dots: &mut Vec<(f64, f64)>, x0: f64, x1: f64, y: f64, detail: Detail) -> f64 {
    if detail == Detail::Thin {
        return x1;
    }
    let mut x = (x0 / DOT_EVERY).ceil() * DOT_EVERY;
    while x < x1 {
        dots.push((x, y));
        x += DOT_EVERY;
    }
    x1
}

/// Queue thickness: 4 px per waiting task, hatched, with a clear lower line.
fn draw_queue(p: &mut dyn Painter, scene: &Scene, lane: &Lane, rows: &CpuLane, scratch: &mut Scratch) {
    let (y, h, unit) = lane.queue(scene.y_of(lane.y));
    if lane.detail == Detail::Thin {
        return thin_queue(scene, rows, scratch, y, h);
    }
    skyline(scene, rows, h, unit, &mut scratch.skyline);
    if scratch.skyline.is_empty() {
        return;
    }
    p.begin();
    for &(x0, x1, height) in &scratch.skyline {
        p.rect(Rect::new(x0, y, x1 - x0, height));
    }
    p.fill(Fill::Queue);
    p.begin();
    for &(x0, x1, height) in &scratch.skyline {
        p.rect(Rect::new(x0, y + height - 1.0, x1 - x0, 1.0));
    }
    p.fill(Fill::Solid(scene.palette.st_waiting));
}

/// Stretches in which tasks are held back (throttled): a wide hatch under the run bar with a clear line on both ends,
/// named where there is room.
fn draw_held(p: &mut dyn Painter, scene: &Scene, lane: &Lane, rows: &CpuLane) {
    let palette = scene.palette;
    let (y, h, _) = lane.queue(scene.y_of(lane.y));
    let is_thin = lane.detail == Detail::Thin;
    let (top, height) = if is_thin { (y, h) } else { (y + h - HELD.min(h), HELD.min(h)) };
    let mut named = f64::NEG_INFINITY;
    for &(from, to, note, group) in rows.held.iter().filter(|held| scene.scale.shows(held.0, held.1)) {
        let (x0, x1) = (scene.scale.x_within(from), scene.scale.x_within(to));
        let at = Rect::new(x0, top, (x1 - x0).max(1.0), height);
        p.fill_rect(at, Fill::Solid(palette.panel));
        p.fill_rect(at, Fill::Unknown);
        if is_thin {
            continue;
        }
        for x in [x0, x1 - 1.0] {
            p.fill_rect(Rect::new(x, top - 2.0, 1.0, height + 2.0), Fill::Solid(palette.warn));
        }
        p.fill_rect(Rect::new(at.x, top, at.w, 1.0), Fill::Solid(palette.warn));
        let text = held_words(scene, note, group);
        let width = p.text_width(&text, Font::Small) + 8.0;
        if at.w > width + 4.0 && x0 > named {
            p.fill_rect(Rect::new(x0 + 4.0, top + 1.0, width, height - 1.0), Fill::Solid(palette.panel));
            p.text(x0 + 8.0, top + height - 3.0, &text, Font::Small, palette.text_2, Align::Left);
            named = x0 + width;
        }
    }
}

/// "/batch throttled".
pub fn held_words(scene: &Scene, note: u16, group: u16) -> String {
    let name = scene.notes.get(usize::from(note)).map_or("", String::as_str);
    let group_name = scene.ink.group_name(group).trim_start_matches('/');
    if group == 0 || group_name.is_empty() { name.to_owned() } else { format!("/{group_name} {name}") }
}

/// Boxes of the queue; steps within one pixel become the largest of them.
fn skyline(scene: &Scene, rows: &CpuLane, h: f64, unit: f64, out: &mut Vec<(f64, f64, f64)>) {
    out.clear();
    let scale = &scene.scale;
    let known = scene.simulated.min(scale.to);
    let first = rows.queue_t.partition_point(|&t| t <= scale.from).saturating_sub(1);
    let mut open: Option<(f64, u16)> = None;
    for (i, &t) in rows.queue_t.iter().enumerate().skip(first) {
        if t >= known {
            break;
        }
        let (x, n) = (scale.x_within(t), rows.queue_n[i]);
        match open {
            Some((x0, widest)) if x < x0 + 1.0 => open = Some((x0, widest.max(n))),
            Some((x0, before)) if before == n => open = Some((x0, n)),
            Some((x0, before)) => {
                push_box(out, x0, x, before, h, unit);
                open = Some((x, n));
            }
            None => open = Some((x, n)),
        }
    }
    if let Some((x0, n)) = open {
        push_box(out, x0, scale.x_within(known), n, h, unit);
    }
}

fn push_box(out: &mut Vec<(f64, f64, f64)>, x0: f64, x1: f64, n: u16, h: f64, unit: f64) {
    if n > 0 && x1 > x0 {
        out.push((x0, x1, (f64::from(n) * unit).min(h)));
    }
}

/// In a thin lane the strength of a line tells how many wait.
fn thin_queue(scene: &Scene, rows: &CpuLane, scratch: &mut Scratch, y: f64, h: f64) {
    let strip = scratch.strips.row(y, h);
    let scale = &scene.scale;
    let known = scene.simulated.min(scale.to);
    let first = rows.queue_t.partition_point(|&t| t <= scale.from).saturating_sub(1);
    for i in first..rows.queue_t.len() {
        let (t, n) = (rows.queue_t[i], rows.queue_n[i]);
        if t >= known {
            break;
        }
        let end = rows.queue_t.get(i + 1).copied().unwrap_or(known).min(known);
        if n > 0 {
            let strength = (0.18 + f64::from(n) * 0.11).min(1.0);
            let colour = scene.palette.st_waiting.with_alpha((strength * 255.0) as u8);
            scratch.strips.cover(strip, scale.x_within(t), scale.x_within(end), colour);
        }
    }
}

/// Name, busy share and number of waiting tasks.
pub fn draw_gutter(p: &mut dyn Painter, scene: &Scene, lane: &Lane, cpu: u16) {
    let (y, palette) = (scene.y_of(lane.y), scene.palette);
    if scene.chosen == cpu {
        let width = if lane.detail == Detail::Full && !scene.phone { scene.frame.left - 6.0 } else { 2.0 };
        p.fill_rect(Rect::new(0.0, y, width, lane.h), Fill::Solid(palette.accent_quiet));
        p.fill_rect(Rect::new(0.0, y, 2.0, lane.h), Fill::Solid(palette.accent));
    }
    if scene.phone {
        if lane.detail == Detail::Full {
            let centre = scene.frame.left / 2.0 - 1.0;
            p.text(centre, y + 18.0, &cpu.to_string(), Font::BodyStrong, palette.text, Align::Centre);
        }
        return;
    }
    match lane.detail {
        Detail::Full => {
            p.text(12.0, y + 18.0, &crate::text::pictures::cpu(cpu), Font::BodyStrong, palette.text, Align::Left);
            // With a wide font the number stands without its word, which the legend and the table have.
            let room = scene.frame.left - 16.0;
            let lines = second_lines(scene, cpu);
            let line = lines.iter().find(|line| p.text_width(line, Font::Small) <= room).unwrap_or(&lines[1]);
            p.text_within(12.0, y + 34.0, room, line, Font::Small, palette.text_3);
        }
        Detail::Medium => {
            let busy = scene.cpu(cpu).map_or(0, |rows| busy_percent(rows, scene.scale.from, end_known(scene)));
            let busy = format!("{busy} %");
            let room = scene.frame.left - 26.0 - p.text_width(&busy, Font::Small);
            let name = crate::text::pictures::cpu(cpu);
            // Name and share must not touch: with a wide font the number is name enough.
            let name = if p.text_width(&name, Font::BodyStrong) <= room { name } else { cpu.to_string() };
            p.text(12.0, y + 16.0, &name, Font::BodyStrong, palette.text, Align::Left);
            p.text(scene.frame.left - 8.0, y + 16.0, &busy, Font::Small, palette.text_3, Align::Right);
        }
        Detail::Thin if cpu.is_multiple_of(4) && lane.h >= 10.0 => {
            p.text(scene.frame.left - 10.0, y + 9.5, &cpu.to_string(), Font::Small, palette.text_3, Align::Right);
        }
        Detail::Thin if cpu.is_multiple_of(16) => {
            p.text(scene.frame.left - 10.0, y + 8.0, &cpu.to_string(), Font::Small, palette.text_3, Align::Right);
        }
        Detail::Thin => {}
    }
}

fn end_known(scene: &Scene) -> u64 {
    scene.scale.to.min(scene.simulated).max(scene.scale.from + 1)
}

/// Busy share and waiting tasks, longest first.
fn second_lines(scene: &Scene, cpu: u16) -> [String; 2] {
    let Some(rows) = scene.cpu(cpu) else { return [String::new(), String::new()] };
    let (busy, waiting) = (busy_percent(rows, scene.scale.from, end_known(scene)), waiting_at(rows, scene.now));
    [words::busy_and_waiting(busy, waiting), format!("{busy} % · {waiting}")]
}

/// Small bars at the right edge of thin lanes: tasks waiting now.
pub fn draw_waiting_bars(p: &mut dyn Painter, scene: &Scene, lane: &Lane, rows: &CpuLane) {
    let y = scene.y_of(lane.y) + if lane.detail == Detail::Thin { 2.0 } else { 18.0 };
    let h = if lane.h < 8.0 { 2.0 } else { 5.0 };
    p.begin();
    for k in 0..waiting_at(rows, scene.now).min(9) {
        p.rect(Rect::new(scene.frame.right + 6.0 + f64::from(k) * 4.0, y, 3.0, h));
    }
    p.fill(Fill::Solid(scene.palette.st_waiting));
}

/// The accent line on top of all slices of the task under the mouse.
pub fn draw_hover(p: &mut dyn Painter, scene: &Scene, lane: &Lane, rows: &CpuLane, task: u32) {
    let (run_y, _) = lane.run(scene.y_of(lane.y));
    let thick = if lane.detail == Detail::Thin { 1.0 } else { 2.0 };
    p.begin();
    let mut any = false;
    for row in rows_shown(&rows.start, &rows.end, scene.scale.from, scene.scale.to) {
        if rows.task[row] != task {
            continue;
        }
        let (x0, x1) = (scene.scale.x_within(rows.start[row]), scene.scale.x_within(rows.end[row]));
        p.rect(Rect::new(x0, run_y - thick, (x1 - x0).max(1.0), thick));
        any = true;
    }
    if any {
        p.fill(Fill::Solid(scene.palette.accent));
    }
}

/// Heading of a node's CPUs.
pub fn draw_node(p: &mut dyn Painter, scene: &Scene, lane: &Lane, node: u16, cpus: (u16, u16)) {
    let (y, palette) = (scene.y_of(lane.y), scene.palette);
    p.fill_rect(Rect::new(0.0, y, scene.frame.all.w, lane.h), Fill::Solid(palette.raised));
    p.text(12.0, y + 13.0, &words::node(node), Font::BodyStrong, palette.text, Align::Left);
    let text = words::cpus(cpus.0, cpus.1);
    p.text(scene.frame.left, y + 13.0, &text, Font::Small, palette.text_3, Align::Left);
    if scene.frame.has_bars() {
        p.text(scene.frame.all.w - 8.0, y + 13.0, &words::WAIT, Font::Small, palette.text_3, Align::Right);
    }
}

/// Hair line below a lane, from x to x.
pub fn draw_rule(p: &mut dyn Painter, scene: &Scene, lane: &Lane, from: f64, to: f64) {
    let y = scene.y_of(lane.y) + lane.h - 1.0;
    let colour: Rgba = if lane.group_end { scene.palette.line_strong.with_alpha(153) } else { scene.palette.line };
    p.fill_rect(Rect::new(from, y, to - from, 1.0), Fill::Solid(colour));
}
