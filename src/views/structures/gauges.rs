//! Numbers: facts in a line, numbers of tasks in a table with bars, contended locks.

use super::board::{Board, gauge_text};
use crate::paint::{Align, Fill, Font, Pen, Rect};
use crate::text::pictures as words;
use sim_core::engine::protocol::{EntityView, GaugeView};

/// Height of a line of facts, px.
pub const LINE: f64 = 18.0;
/// Height of a row of the table, px.
pub const ROW: f64 = 24.0;
/// Rows of a table; more are counted.
const ROWS_MAX: usize = 120;
/// Bars with this many steps show them.
const STEPS_MAX: i64 = 40;

/// Facts one after the other; returns the height.
pub fn draw_facts(b: &mut Board, x: f64, y: f64, w: f64, gauges: &[(String, GaugeView)]) -> f64 {
    let (mut at, mut top) = (x, y);
    for (label, gauge) in gauges {
        let value = gauge_text(gauge);
        let label_w = b.p.text_width(label, Font::Small);
        let width = label_w + 5.0 + b.p.text_width(&value, Font::SmallStrong);
        if at > x && at + width > x + w {
            at = x;
            top += LINE;
        }
        b.p.text(at, top + 12.0, label, Font::Small, b.palette.text_2, Align::Left);
        b.p.text(at + label_w + 5.0, top + 12.0, &value, Font::SmallStrong, b.palette.text, Align::Left);
        at += width + 16.0;
    }
    if gauges.is_empty() { 0.0 } else { top - y + LINE }
}

/// What stands in a cell of a table.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Cell<'a> {
    /// A number, with a bar if it has a full scale.
    Number(&'a GaugeView),
    /// A number as a bar, and the value that it should have.
    Meter(&'a GaugeView, i64),
    /// A state that is on or off.
    Lamp(bool),
}

impl Cell<'_> {
    fn has_bar(&self) -> bool {
        match self {
            Cell::Number(gauge) | Cell::Meter(gauge, _) => gauge.full > 0,
            Cell::Lamp(_) => false,
        }
    }
}

/// A table: a row per entity, a column per number.
#[derive(Default)]
pub struct Table<'a> {
    /// Labels in order of first appearance.
    pub heads: Vec<&'a str>,
    /// Entities with their numbers, in order of first appearance.
    pub rows: Vec<(EntityView, Vec<Option<Cell<'a>>>)>,
}

impl<'a> Table<'a> {
    /// Adds a cell.
    pub fn put(&mut self, entity: EntityView, label: &'a str, cell: Cell<'a>) {
        let column = self.heads.iter().position(|head| *head == label).unwrap_or_else(|| {
            self.heads.push(label);
            self.heads.len() - 1
        });
        // Numbers of one entity come one after the other: the last row is the likely one.
        let row = self.rows.iter().rposition(|(who, _)| *who == entity).unwrap_or_else(|| {
            self.rows.push((entity, Vec::new()));
            self.rows.len() - 1
        });
        let cells = &mut self.rows[row].1;
        if cells.len() <= column {
            cells.resize(column + 1, None);
        }
        cells[column] = Some(cell);
    }

    /// Whether a column has bars.
    fn has_bar(&self, column: usize) -> bool {
        self.rows.iter().any(|(_, cells)| cells.get(column).copied().flatten().is_some_and(|cell| cell.has_bar()))
    }

    /// Whether a column holds lamps.
    fn has_lamps(&self, column: usize) -> bool {
        self.rows.iter().any(|(_, cells)| matches!(cells.get(column), Some(Some(Cell::Lamp(_)))))
    }
}

/// Draws a table, in two halves where there is room; returns the height.
pub fn draw_table(b: &mut Board, x: f64, y: f64, w: f64, table: &Table) -> f64 {
    if table.rows.is_empty() {
        return 0.0;
    }
    let halves = if w >= 820.0 && table.rows.len() > 3 { 2 } else { 1 };
    let shown = table.rows.len().min(ROWS_MAX);
    let per_half = shown.div_ceil(halves);
    let width = (w - 32.0 * (halves as f64 - 1.0)) / halves as f64;
    for half in 0..halves {
        let left = x + half as f64 * (width + 32.0);
        let rows = table.rows[..shown].iter().skip(half * per_half).take(per_half);
        draw_head(b, left, y, width, table);
        for (i, (entity, cells)) in rows.enumerate() {
            let top = y + 20.0 + i as f64 * ROW;
            draw_row(b, Rect::new(left, top, width, ROW), *entity, cells, table);
        }
    }
    let height = 20.0 + per_half as f64 * ROW;
    if table.rows.len() == shown {
        return height;
    }
    let more = words::more(table.rows.len() - shown);
    b.p.text(x, y + height + 14.0, &more, Font::Small, b.palette.text_2, Align::Left);
    height + 20.0
}

const NAME: f64 = 110.0;

fn column(table: &Table, width: f64, index: usize) -> (f64, f64) {
    let each = (width - NAME) / table.heads.len().max(1) as f64;
    (NAME + each * index as f64, each)
}

fn draw_head(b: &mut Board, x: f64, y: f64, w: f64, table: &Table) {
    let groups = table.rows.iter().all(|(who, _)| matches!(who, EntityView::Group(_)));
    let name = if groups { &words::GROUP } else { &words::TASK };
    b.p.text(x, y + 13.0, name, Font::Small, b.palette.text_3, Align::Left);
    for (i, head) in table.heads.iter().enumerate() {
        let (left, width) = column(table, w, i);
        let is_wide = b.p.text_width(head, Font::Small) > width - 8.0;
        if table.has_bar(i) || table.has_lamps(i) || is_wide {
            b.p.text_within(x + left, y + 13.0, width - 8.0, head, Font::Small, b.palette.text_3);
        } else {
            b.p.text(x + left + width - 8.0, y + 13.0, head, Font::Small, b.palette.text_3, Align::Right);
        }
    }
}

fn draw_row(b: &mut Board, at: Rect, entity: EntityView, cells: &[Option<Cell>], table: &Table) {
    let palette = b.palette;
    b.hits.push((at, entity));
    if entity == EntityView::Task(b.curr) {
        b.p.fill_rect(at, Fill::Solid(palette.accent_quiet));
    }
    b.p.fill_rect(Rect::new(at.x, at.y, at.w, 1.0), Fill::Solid(palette.line));
    let (base, colour) = (at.y + 16.0, b.colour(entity));
    b.p.fill_rect(Rect::new(at.x, at.y + 8.0, 8.0, 8.0), Fill::Solid(colour));
    let (name, text) = (b.name(entity), b.text_colour(entity));
    b.p.text_within(at.x + 13.0, base, NAME - 20.0, &name, Font::BodyStrong, text);
    for (i, cell) in cells.iter().enumerate() {
        let Some(cell) = cell else { continue };
        let (left, width) = column(table, at.w, i);
        let place = Rect::new(at.x + left, at.y, width - 8.0, at.h);
        let (gauge, target) = match cell {
            Cell::Lamp(lit) => {
                draw_lamp(b, place, *lit);
                continue;
            }
            Cell::Number(gauge) => (gauge, None),
            Cell::Meter(gauge, target) => (gauge, Some(*target)),
        };
        let value = gauge_text(gauge);
        b.p.text(place.right(), base, &value, Font::Body, text, Align::Right);
        if gauge.full > 0 && table.has_bar(i) {
            let room = b.p.text_width(&value, Font::Body).max(52.0) + 8.0;
            let bar = Rect::new(place.x, at.y + 7.0, (place.w - room).max(0.0), 10.0);
            draw_bar(b, bar, gauge, colour);
            draw_target(b, bar, gauge, target);
        }
    }
}

/// The value that a number should have: a line across its bar.
fn draw_target(b: &mut Board, bar: Rect, gauge: &GaugeView, target: Option<i64>) {
    let Some(target) = target.filter(|_| bar.w >= 8.0) else { return };
    let x = bar.x + bar.w * (target as f64 / gauge.full as f64).clamp(0.0, 1.0);
    b.p.fill_rect(Rect::new(x - 1.0, bar.y - 4.0, 2.0, bar.h + 8.0), Fill::Solid(b.palette.accent));
}

/// Lit: filled, with a word in strong text; dark: a ring.
fn draw_lamp(b: &mut Board, at: Rect, lit: bool) {
    let palette = b.palette;
    b.p.begin();
    b.p.circle(at.x + 6.0, at.y + 12.0, 5.0);
    if lit {
        b.p.fill(Fill::Solid(palette.warn));
    }
    b.p.stroke(Pen::solid(if lit { palette.warn } else { palette.line_strong }, 1.5));
    let (text, font, colour) = match lit {
        true => (&words::LAMP_ON, Font::SmallStrong, palette.text),
        false => (&words::LAMP_OFF, Font::Small, palette.text_3),
    };
    b.p.text(at.x + 17.0, at.y + 16.0, text, font, colour, Align::Left);
}

/// A bar with the steps of small whole scales.
fn draw_bar(b: &mut Board, at: Rect, gauge: &GaugeView, colour: crate::paint::Rgba) {
    if at.w < 8.0 {
        return;
    }
    let palette = b.palette;
    b.p.fill_rect(at, Fill::Solid(palette.sunken));
    let part = (gauge.value as f64 / gauge.full as f64).clamp(0.0, 1.0);
    b.p.fill_rect(Rect::new(at.x, at.y, at.w * part, at.h), Fill::Solid(colour));
    b.p.stroke_rect(at.inset(0.5), Pen::solid(palette.line, 1.0));
    if gauge.unit == "count" && gauge.full > 1 && gauge.full <= STEPS_MAX {
        b.p.begin();
        for step in 1..gauge.full {
            let x = at.x + at.w * step as f64 / gauge.full as f64;
            b.p.rect(Rect::new(x, at.y, 1.0, at.h));
        }
        b.p.fill(Fill::Solid(palette.line_strong.with_alpha(140)));
    }
}

/// A contended lock.
pub struct Lock<'a> {
    /// Which.
    pub label: &'a str,
    /// CPU that holds it.
    pub holder: Option<u16>,
    /// CPUs that spin.
    pub spinners: u32,
    /// Share of time held, 1/1000.
    pub permille: u32,
}

/// The lane of a lock: share of time held, holder, one mark per spinning CPU; returns the height.
pub fn draw_lock(b: &mut Board, x: f64, y: f64, w: f64, lock: &Lock) -> f64 {
    let palette = b.palette;
    b.p.text(x, y + 17.0, lock.label, Font::BodyStrong, palette.text, Align::Left);
    let left = x + b.p.text_width(lock.label, Font::BodyStrong).max(108.0) + 12.0;
    let bar = Rect::new(left, y + 7.0, (w - (left - x) - 260.0).clamp(60.0, 320.0), 12.0);
    b.p.fill_rect(bar, Fill::Solid(palette.sunken));
    let part = (f64::from(lock.permille) / 1000.0).min(1.0);
    b.p.fill_rect(Rect::new(bar.x, bar.y, bar.w * part, bar.h), Fill::Solid(palette.ov_sched));
    b.p.stroke_rect(bar.inset(0.5), Pen::solid(palette.line_strong, 1.0));
    let text = words::lock(lock.holder, lock.spinners, lock.permille);
    b.p.text(bar.right() + 10.0, y + 17.0, &text, Font::Small, palette.text_2, Align::Left);
    b.p.begin();
    for i in 0..lock.spinners.min(64) {
        b.p.rect(Rect::new(bar.x + f64::from(i) * 6.0, y + 22.0, 4.0, 4.0));
    }
    b.p.fill(Fill::Solid(palette.ov_spin));
    30.0
}
