//! What lies over the lanes: notes, veil over the future, the unknown, selection, waker arrow, chosen range.

use super::lanes::{Lane, RULER};
use super::scene::{Scene, row_at, slice_at};
use crate::paint::{Align, Fill, Font, Painter, Pen, Rect, number};
use crate::text::{lesson, timeline as words};
use sim_core::engine::protocol::{NoteView, WindowView};

/// Notes closer than this share one mark, px.
const NOTE_EVERY: f64 = 5.0;

/// Dashed verticals of notes; an exchange of pointers has its ⇄.
pub fn draw_notes(p: &mut dyn Painter, scene: &Scene, lane: &Lane, cpu: u16) {
    let y = scene.y_of(lane.y);
    let mut last = f64::NEG_INFINITY;
    for note in notes_of(scene.data, cpu) {
        let x = scene.scale.x_from_time(note.t);
        if x < scene.frame.left || x > scene.frame.right || x < last + NOTE_EVERY {
            continue;
        }
        last = x;
        let palette = scene.palette;
        if lane.h < 28.0 {
            p.fill_rect(Rect::new(x - 0.5, y, 1.0, lane.h), Fill::Solid(palette.text.with_alpha(140)));
            continue;
        }
        p.line(x, y + 1.0, x, y + lane.h - 3.0, Pen::dashed(palette.text, 1.0, 2, 2));
        let name = scene.notes.get(usize::from(note.note)).map_or("", String::as_str);
        let foot = y + lane.h - 5.0;
        if is_exchange(name) {
            draw_exchange(p, x, foot, Pen::solid(palette.text, 1.0));
        } else {
            p.begin();
            p.circle(x, foot, 2.0);
            p.fill(Fill::Solid(palette.text_2));
        }
    }
}

/// Notes of a CPU, those of all CPUs included.
pub fn notes_of(data: &WindowView, cpu: u16) -> impl Iterator<Item = &NoteView> {
    data.notes.iter().filter(move |note| note.cpu == cpu || note.cpu == u16::MAX)
}

/// The note says that two structures changed places.
fn is_exchange(name: &str) -> bool {
    name.contains("swap") || name.contains("switch")
}

/// ⇄, drawn so that no font has to have it.
fn draw_exchange(p: &mut dyn Painter, x: f64, y: f64, pen: Pen) {
    p.begin();
    p.move_to(x - 4.0, y - 1.5);
    p.line_to(x + 4.0, y - 1.5);
    p.move_to(x + 1.5, y - 4.0);
    p.line_to(x + 4.0, y - 1.5);
    p.move_to(x + 4.0, y + 1.5);
    p.line_to(x - 4.0, y + 1.5);
    p.move_to(x - 1.5, y + 4.0);
    p.line_to(x - 4.0, y + 1.5);
    p.stroke(pen);
}

/// The future at a third of its strength, and hatch where nothing is simulated yet.
pub fn draw_future(p: &mut dyn Painter, scene: &Scene, top: f64, bottom: f64) {
    // Bars of waiting tasks beside the lanes tell of now: no veil over them.
    let scale = &scene.scale;
    let right = if scene.frame.has_bars() { scene.frame.right } else { scene.frame.all.w };
    let known = scale.x_within(scene.simulated);
    let now = scale.x_within(scene.now);
    if scene.now < scale.to && now < right {
        p.fill_rect(Rect::new(now, top, right - now, bottom - top), Fill::Solid(scene.palette.veil));
    }
    if scene.simulated >= scale.to || scene.simulated >= scene.duration {
        return;
    }
    let end = scale.x_within(scene.duration.min(scale.to));
    if end <= known {
        return;
    }
    let unknown = Rect::new(known, top, end - known, bottom - top);
    p.fill_rect(unknown, Fill::Solid(scene.palette.raised));
    p.fill_rect(unknown, Fill::Unknown);
    if unknown.w > 100.0 {
        let (x, y) = unknown.centre();
        p.text(x, y + 4.0, &words::SIMULATED_NEXT, Font::Small, scene.palette.text_3, Align::Centre);
    }
}

/// A closed hatch over everything from the horizon on: a lesson asks what lies there.
pub fn draw_hidden(p: &mut dyn Painter, scene: &Scene, bottom: f64) {
    let Some(horizon) = scene.horizon.filter(|&horizon| horizon < scene.scale.to) else { return };
    let x = scene.scale.x_within(horizon);
    let at = Rect::new(x, RULER, scene.frame.all.w - x, bottom - RULER);
    if at.w <= 0.0 {
        return;
    }
    p.fill_rect(at, Fill::Solid(scene.palette.panel));
    p.fill_rect(at, Fill::Unknown);
    let (w, h) = (152.0, 44.0);
    let (cx, cy) = at.centre();
    if at.w < w + 16.0 || at.h < h {
        return;
    }
    let label = Rect::new(cx - w / 2.0, cy - h / 2.0, w, h);
    p.begin();
    p.round_rect(label, 3.0);
    p.fill(Fill::Solid(scene.palette.raised));
    p.begin();
    p.round_rect(label, 3.0);
    p.stroke(Pen::solid(scene.palette.line_strong, 1.0));
    p.text(cx, cy - 3.0, &lesson::WHAT_NEXT, Font::BodyStrong, scene.palette.text, Align::Centre);
    p.text(cx, cy + 13.0, &lesson::ANSWER_BELOW, Font::Small, scene.palette.text_3, Align::Centre);
}

/// Box of the selected slice on the canvas.
pub fn selection_box(scene: &Scene) -> Option<Rect> {
    let (cpu, t) = scene.selected?;
    let lane = scene.lanes.of_cpu(cpu);
    let (start, end, lane) = match lane {
        Some(lane) => {
            let (_, start, end) = slice_at(scene.cpu(cpu)?, t)?;
            (start, end, lane)
        }
        None => {
            let task = scene.selected_task?;
            let rows = scene.task(task)?;
            let row = row_at(&rows.start, &rows.end, t)?;
            (rows.start[row], rows.end[row], scene.lanes.of_task(task)?)
        }
    };
    if !scene.scale.shows(start, end) {
        return None;
    }
    let (run_y, run_h) = lane.run(scene.y_of(lane.y));
    let (x0, x1) = (scene.scale.x_within(start), scene.scale.x_within(end));
    Some(Rect::new(x0 - 1.5, run_y - 1.5, x1 - x0 + 3.0, run_h + 3.0))
}

/// Outline of the selected slice.
pub fn draw_selection(p: &mut dyn Painter, scene: &Scene) {
    if let Some(at) = selection_box(scene) {
        p.stroke_rect(at, Pen::solid(scene.palette.text, 2.0));
    }
}

/// Arrow from the waker's end to the wakee's start.
pub fn draw_wake(p: &mut dyn Painter, scene: &Scene) {
    let Some(wake) = scene.wake else { return };
    let (from_x, to_x) = (scene.scale.x_from_time(wake.at), scene.scale.x_from_time(wake.start));
    let inside = |x: f64| x >= scene.frame.left && x <= scene.frame.right;
    let Some((from, to)) = wake_lanes(scene, wake.waker, wake.at, wake.task, wake.cpu) else { return };
    if from.y == to.y || !(inside(from_x) || inside(to_x)) {
        return;
    }
    let down = to.y > from.y;
    let edge = |lane: &Lane, lower: bool| {
        let (y, h) = lane.run(scene.y_of(lane.y));
        if lower { y + h } else { y }
    };
    let (y0, y1) = (edge(from, down), edge(to, !down) + if down { -1.0 } else { 1.0 });
    bow(p, scene, (from_x, y0), (to_x, y1));
}

fn wake_lanes<'a>(scene: &'a Scene, waker: u32, at: u64, task: u32, cpu: u16) -> Option<(&'a Lane, &'a Lane)> {
    if let (Some(from), Some(to)) = (scene.lanes.of_task(waker), scene.lanes.of_task(task)) {
        return Some((from, to));
    }
    // The waker may have left at the very moment of the wakeup: look a nanosecond back as well.
    let ran = |t: u64| {
        scene.data.cpus.iter().find(|lane| slice_at(lane, t).is_some_and(|(who, ..)| who == waker)).map(|l| l.cpu)
    };
    let from = ran(at).or_else(|| ran(at.saturating_sub(1)))?;
    Some((scene.lanes.of_cpu(from)?, scene.lanes.of_cpu(cpu)?))
}

fn bow(p: &mut dyn Painter, scene: &Scene, from: (f64, f64), to: (f64, f64)) {
    let (palette, bend) = (scene.palette, 18.0);
    let dy = to.1 - from.1;
    let c1 = (from.0 - bend, from.1 + dy * 0.35);
    let c2 = (to.0 - bend, to.1 - dy * 0.35);
    for pen in [Pen::solid(palette.panel, 5.0), Pen::solid(palette.accent, 2.0)] {
        p.begin();
        p.move_to(from.0, from.1);
        p.curve_to(c1, c2, to);
        p.stroke(pen);
    }
    let (ux, uy) = unit(to.0 - c2.0, to.1 - c2.1);
    p.begin();
    p.move_to(to.0 + ux, to.1 + uy);
    p.line_to(to.0 - ux * 9.0 - uy * 5.0, to.1 - uy * 9.0 + ux * 5.0);
    p.line_to(to.0 - ux * 9.0 + uy * 5.0, to.1 - uy * 9.0 - ux * 5.0);
    p.close();
    p.fill(Fill::Solid(palette.accent));
    p.begin();
    p.circle(from.0, from.1, 3.0);
    p.fill(Fill::Solid(palette.accent));
    p.begin();
    p.circle(from.0, from.1, 3.0);
    p.stroke(Pen::solid(palette.panel, 1.0));
}

fn unit(dx: f64, dy: f64) -> (f64, f64) {
    let length = dx.hypot(dy).max(1e-6);
    (dx / length, dy / length)
}

/// Where this policy first decided otherwise than the first one: a dashed line through all lanes, a frame where it was.
pub fn draw_divergence(p: &mut dyn Painter, scene: &Scene, bottom: f64) {
    let Some((t, cpu)) = scene.divergence else { return };
    let (x, bad) = (scene.scale.x_from_time(t), scene.palette.bad);
    if x < scene.frame.left || x > scene.frame.right {
        return;
    }
    p.line(x, RULER - 6.0, x, bottom, Pen::dashed(bad, 1.5, 4, 3));
    p.begin();
    p.move_to(x, RULER - 3.0);
    p.line_to(x - 4.5, RULER - 10.0);
    p.line_to(x + 4.5, RULER - 10.0);
    p.close();
    p.fill(Fill::Solid(bad));
    if let Some(lane) = scene.lanes.of_cpu(cpu) {
        let (y, h) = lane.run(scene.y_of(lane.y));
        p.begin();
        p.round_rect(Rect::new(x - 2.0, y - 2.0, 30.0, h + 4.0), 2.0);
        p.stroke(Pen::solid(bad, 1.5));
    }
}

/// Ground of the time in which two policies agree.
pub fn draw_agreement(p: &mut dyn Painter, scene: &Scene) {
    let Some((t, _)) = scene.divergence else { return };
    let x = scene.scale.x_within(t);
    let at = Rect::new(scene.frame.left, scene.frame.lanes.y, x - scene.frame.left, scene.frame.lanes.h);
    p.fill_rect(at, Fill::Solid(scene.palette.raised));
}

/// The range chosen by dragging, with its length.
pub fn draw_range(p: &mut dyn Painter, scene: &Scene, bottom: f64) {
    let Some((from, to)) = scene.range else { return };
    if !scene.scale.shows(from, to) {
        return;
    }
    let palette = scene.palette;
    let (x0, x1) = (scene.scale.x_within(from), scene.scale.x_within(to));
    p.fill_rect(Rect::new(x0, RULER, x1 - x0, bottom - RULER), Fill::Solid(palette.accent.with_alpha(36)));
    for x in [x0, x1] {
        p.fill_rect(Rect::new(x - 0.5, RULER - 4.0, 1.0, bottom - RULER + 4.0), Fill::Solid(palette.accent));
    }
    let text = number::duration(to - from);
    let width = p.text_width(&text, Font::SmallStrong) + 12.0;
    let x = ((x0 + x1) / 2.0 - width / 2.0).min(scene.frame.all.w - width).max(scene.frame.left);
    let label = Rect::new(x, RULER + 4.0, width, 17.0);
    p.begin();
    p.round_rect(label, 2.0);
    p.fill(Fill::Solid(palette.accent_quiet));
    p.stroke_rect(label, Pen::solid(palette.accent_line, 1.0));
    p.text(label.centre().0, label.y + 12.5, &text, Font::SmallStrong, palette.text, Align::Centre);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_exchanges_get_the_double_arrow() {
        assert!(is_exchange("array_switch") && is_exchange("swap"));
        assert!(!is_exchange("epoch"));
    }
}
