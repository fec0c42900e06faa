//! Numbers over time below the structures: a line per entity (a saw-tooth, a virtual time), or blocks of whoever ran at
//! the height of its number (a staircase). Time is the timeline's window.

use super::board::Board;
use crate::paint::{Align, Fill, Font, Pen, Rect, TimeScale, number};
use crate::text::pictures as words;
use sim_core::engine::protocol::{EntityView, NoteView, TrailLine, TrailView};

/// Height of the heading and of the ruler, px.
const HEAD: f64 = 22.0;
const RULER: f64 = 18.0;
/// Height of lines, least and largest height of blocks, px.
const LINES: f64 = 170.0;
const BLOCKS: (f64, f64) = (120.0, 340.0);
/// Width of the numbers at the left and of the names at the right, px.
const LEFT: f64 = 62.0;
const RIGHT: f64 = 92.0;
/// Lines with names at their ends.
const NAMED_MAX: usize = 11;
/// Marks of notes closer than this share one, px.
const NOTE_EVERY: f64 = 4.0;

/// What the picture shows besides its numbers.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    /// Visible window, ns.
    pub window: (u64, u64),
    /// Now, ns.
    pub now: u64,
    /// Moments that the policy noted.
    pub notes: &'a [NoteView],
    /// Names of notes.
    pub names: &'a [String],
    /// CPU whose notes are shown; `None` where the structures are shared by all.
    pub cpu: Option<u16>,
}

/// Draws one number over time; returns the height.
#[inline(never)] // the page loads it later: xtask/src/parts.rs
pub fn draw(b: &mut Board, x: f64, y: f64, w: f64, trail: &TrailView, around: Around) -> f64 {
    let range = Range::of(trail);
    b.heading_within(x, y, w, &words::over_time(&trail.label), &trail.help);
    let narrow = w < 560.0;
    let names = !narrow && !trail.blocks && distinct(&trail.lines).len() <= NAMED_MAX;
    let (left, right) = (x + LEFT, x + w - if names { RIGHT } else { 8.0 });
    let high = if trail.blocks { (range.steps() as f64 * 7.0).clamp(BLOCKS.0, BLOCKS.1) } else { LINES };
    let plot = Rect::new(left, y + HEAD + RULER, right - left, high);
    let scale = TimeScale::new(around.window.0, around.window.1, left, right);
    draw_ruler(b, &scale, plot, x);
    let rows = Rows { plot, range, blocks: trail.blocks };
    draw_grid(b, &rows, &trail.unit);
    b.p.clip(plot);
    if trail.blocks {
        draw_blocks(b, &scale, &rows, &trail.lines);
    } else {
        draw_lines(b, &scale, &rows, &trail.lines);
    }
    draw_notes(b, &scale, plot, around);
    draw_now(b, &scale, plot, around.now);
    b.p.unclip();
    if names {
        draw_names(b, &rows, &trail.lines, right + 8.0, around.now);
    }
    if trail.lines.is_empty() {
        b.p.text(plot.x + 8.0, plot.y + 20.0, &words::TRAIL_EMPTY, Font::Small, b.palette.text_3, Align::Left);
    }
    let mut bottom = plot.bottom() + 8.0;
    if trail.left_out > 0 {
        let text = words::more(trail.left_out as usize);
        b.p.text(x, bottom + 10.0, &text, Font::Small, b.palette.text_2, Align::Left);
        bottom += 16.0;
    }
    bottom - y + 6.0
}

/// Entities in order of first appearance.
pub fn distinct(lines: &[TrailLine]) -> Vec<EntityView> {
    let mut seen = Vec::new();
    for line in lines {
        if !seen.contains(&line.entity) {
            seen.push(line.entity);
        }
    }
    seen
}

/// Smallest and largest number. Virtual times wrap in the kernel; a window of them does not.
#[derive(Clone, Copy)]
struct Range {
    low: i64,
    high: i64,
}

impl Range {
    fn of(trail: &TrailView) -> Range {
        let values = || trail.lines.iter().flat_map(|line| line.value.iter().copied());
        let (low, high) = (values().min().unwrap_or(0), values().max().unwrap_or(0));
        match trail.unit.as_str() {
            // Ticks and times left are read against nothing left.
            "ticks" | "ns" => Range { low: low.min(0), high: high.max(low.saturating_add(1)) },
            _ => Range { low, high: high.max(low.saturating_add(1)) },
        }
    }

    fn span(self) -> f64 {
        (self.high as f64 - self.low as f64).max(1.0)
    }

    /// Whole numbers in it.
    fn steps(self) -> u64 {
        self.high.abs_diff(self.low).saturating_add(1).min(200)
    }
}

struct Rows {
    plot: Rect,
    range: Range,
    blocks: bool,
}

impl Rows {
    /// Upper edge of a block, or height of a point of a line. Blocks go down as numbers rise.
    fn y(&self, value: i64) -> f64 {
        let part = (value as f64 - self.range.low as f64) / (self.range.span() + if self.blocks { 1.0 } else { 0.0 });
        if self.blocks {
            self.plot.y + part * self.plot.h
        } else {
            self.plot.bottom() - 3.0 - part * (self.plot.h - 8.0)
        }
    }

    fn block_height(&self) -> f64 {
        (self.plot.h / (self.range.span() + 1.0)).max(2.0)
    }
}

fn draw_ruler(b: &mut Board, scale: &TimeScale, plot: Rect, x: f64) {
    let palette = b.palette;
    let step = scale.step(74.0);
    for t in scale.ticks(step) {
        let at = scale.x_from_time(t);
        b.p.fill_rect(Rect::new(at - 0.5, plot.y - 5.0, 1.0, 5.0), Fill::Solid(palette.line_strong));
        let label = step.label(t);
        let half = b.p.text_width(&label, Font::Small) / 2.0;
        if at - half >= plot.x - 4.0 && at + half <= plot.right() + 4.0 {
            b.p.text(at, plot.y - 7.0, &label, Font::Small, palette.text_3, Align::Centre);
        }
    }
    b.p.text(x, plot.y - 7.0, step.unit_name, Font::Small, palette.text_3, Align::Left);
}

/// Horizontal lines at round numbers.
fn draw_grid(b: &mut Board, rows: &Rows, unit: &str) {
    let palette = b.palette;
    b.p.fill_rect(rows.plot, Fill::Solid(palette.sunken));
    let lines = if rows.blocks { 8.0 } else { 4.0 };
    let least = (rows.range.span() / lines).max(1.0);
    let mut step = 1_i64;
    'found: loop {
        for times in [1, 2, 5] {
            if step.saturating_mul(times) as f64 >= least {
                step = step.saturating_mul(times);
                break 'found;
            }
        }
        step = step.saturating_mul(10);
    }
    let first = rows.range.low.div_euclid(step).saturating_mul(step);
    let values = (0..24).map(|i| first.saturating_add(step.saturating_mul(i)));
    for value in values.filter(|value| (rows.range.low..=rows.range.high).contains(value)) {
        let y = rows.y(value) + if rows.blocks { rows.block_height() / 2.0 } else { 0.0 };
        let line = Rect::new(rows.plot.x, y.floor(), rows.plot.w, 1.0);
        b.p.fill_rect(line, Fill::Solid(palette.line));
        let text = number::value(value, unit);
        b.p.text(rows.plot.x - 6.0, y + 4.0, &text, Font::Small, palette.text_3, Align::Right);
    }
}

/// Dashed verticals where the policy noted something, with the name where there is room.
fn draw_notes(b: &mut Board, scale: &TimeScale, plot: Rect, around: Around) {
    let palette = b.palette;
    let mut last = f64::NEG_INFINITY;
    let mut named = f64::NEG_INFINITY;
    for note in around.notes.iter().filter(|note| around.cpu.is_none_or(|cpu| note.cpu == cpu || note.cpu == u16::MAX))
    {
        let x = scale.x_from_time(note.t);
        if x < plot.x || x > plot.right() || x < last + NOTE_EVERY {
            continue;
        }
        last = x;
        b.p.line(x, plot.y, x, plot.bottom(), Pen::dashed(palette.text_2, 1.0, 2, 2));
        let name = around.names.get(usize::from(note.note)).map_or("", String::as_str);
        let width = b.p.text_width(name, Font::Small);
        if x + 4.0 > named && x + 4.0 + width < plot.right() {
            // On a ground of its own: lines and blocks go below it.
            b.p.fill_rect(Rect::new(x + 2.0, plot.bottom() - 15.0, width + 4.0, 14.0), Fill::Solid(palette.panel));
            b.p.text(x + 4.0, plot.bottom() - 5.0, name, Font::Small, palette.text_3, Align::Left);
            named = x + width + 24.0;
        }
    }
}

/// The future is veiled as on the timeline; now is a line.
fn draw_now(b: &mut Board, scale: &TimeScale, plot: Rect, now: u64) {
    let x = scale.x_within(now);
    if now < scale.to {
        b.p.fill_rect(Rect::new(x, plot.y, plot.right() - x, plot.h), Fill::Solid(b.palette.veil));
    }
    if now >= scale.from && now <= scale.to {
        b.p.line(x, plot.y, x, plot.bottom(), Pen::solid(b.palette.accent, 1.5));
    }
}

fn draw_blocks(b: &mut Board, scale: &TimeScale, rows: &Rows, lines: &[TrailLine]) {
    let height = rows.block_height();
    for line in lines {
        let (Some(&from), Some(&to), Some(&value)) = (line.t.first(), line.t.last(), line.value.first()) else {
            continue;
        };
        if !scale.shows(from, to.max(from + 1)) {
            continue;
        }
        let (x0, x1) = (scale.x_within(from), scale.x_within(to));
        let at = Rect::new(x0, rows.y(value), (x1 - x0 - 0.5).max(1.0), (height - 1.0).max(1.5));
        let colour = b.colour(line.entity);
        b.p.fill_rect(at, Fill::Solid(colour));
        if let EntityView::Task(task) = line.entity {
            if b.hover == Some(task) {
                b.p.fill_rect(Rect::new(at.x, at.y - 2.0, at.w, 2.0), Fill::Solid(b.palette.accent));
            }
            let name = b.ink.name(task);
            if height >= 13.0 && at.w > b.p.text_width(name, Font::Small) + 10.0 {
                let ink = b.ink_colour(line.entity);
                b.p.text(at.x + 5.0, at.y + height / 2.0 + 3.5, name, Font::Small, ink, Align::Left);
            }
        }
        b.hits.push((at, line.entity));
    }
}

/// Dashes of lines one after the other: shape before colour.
const DASHES: [(u8, u8); 4] = [(0, 0), (6, 3), (2, 2), (8, 2)];

fn draw_lines(b: &mut Board, scale: &TimeScale, rows: &Rows, lines: &[TrailLine]) {
    let order = distinct(lines);
    for line in lines.iter().filter(|line| line.t.len() > 1) {
        let place = order.iter().position(|entity| *entity == line.entity).unwrap_or(0);
        let (on, off) = DASHES[(place / 5) % DASHES.len()];
        let is_main = matches!(line.entity, EntityView::Task(t) if b.hover == Some(t) || b.selected == Some(t));
        let colour = b.colour(line.entity);
        b.p.begin();
        let point = |i: usize| (scale.x_from_time(line.t[i]), rows.y(line.value[i]));
        let (x, y) = point(0);
        b.p.move_to(x, y);
        for i in 1..line.t.len().min(line.value.len()) {
            let (x, y) = point(i);
            b.p.line_to(x, y);
        }
        b.p.stroke(Pen::dashed(colour, if is_main { 3.0 } else { 1.75 }, on, off));
    }
}

/// Names at the right edge at the height of the numbers of now, moved apart where they would overlap.
fn draw_names(b: &mut Board, rows: &Rows, lines: &[TrailLine], x: f64, now: u64) {
    let mut ends: Vec<(f64, EntityView)> = distinct(lines)
        .into_iter()
        .filter_map(|entity| Some((rows.y(value_at(lines, entity, now)?), entity)))
        .collect();
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut least = rows.plot.y + 6.0;
    for (y, entity) in ends {
        let at = y.max(least);
        least = at + 14.0;
        let (colour, text, name) = (b.colour(entity), b.text_colour(entity), b.name(entity));
        b.p.fill_rect(Rect::new(x, at - 4.0, 8.0, 8.0), Fill::Solid(colour));
        b.p.text_within(x + 12.0, at + 4.0, RIGHT - 24.0, &name, Font::Small, text);
        b.hits.push((Rect::new(x, at - 7.0, RIGHT - 10.0, 14.0), entity));
    }
}

/// The last known number at or before a time.
pub fn value_at(lines: &[TrailLine], entity: EntityView, t: u64) -> Option<i64> {
    let line = lines.iter().rfind(|line| line.entity == entity && line.t.first().is_some_and(|&from| from <= t));
    let line = line.or_else(|| lines.iter().find(|line| line.entity == entity))?;
    let index = line.t.partition_point(|&at| at <= t).saturating_sub(1);
    line.value.get(index).copied()
}
