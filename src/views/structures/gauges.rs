//! Numbers: facts in a line, numbers of tasks in a table with bars, contended locks.

use super::board::{Board, gauge_text};
use crate::paint::{Align, Fill, Font, Pen, Rect, number};
use sim_core::engine::protocol::{EntityView, GaugeView};

/// Height of a line of facts, px.
pub const LINE: f64 = 18.0;
/// Height of a row of the table, px.
pub const ROW: f64 = 24.0;
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

/// A table: a row per entity, a column per number.
#[derive(Default)]
pub struct Table<'a> {
    /// Labels in order of first appearance.
    pub heads: Vec<&'a str>,
    /// Entities with their numbers, in order of first appearance.
    pub rows: Vec<(EntityView, Vec<Option<&'a GaugeView>>)>,
}

impl<'a> Table<'a> {
    /// Adds a number.
    pub fn put(&mut self, entity: EntityView, gauge: &'a GaugeView) {
        let column = self.heads.iter().position(|head| *head == gauge.label).unwrap_or_else(|| {
            self.heads.push(&gauge.label);
            self.heads.len() - 1
        });
        let row = self.rows.iter().position(|(who, _)| *who == entity).unwrap_or_else(|| {
            self.rows.push((entity, Vec::new()));
            self.rows.len() - 1
        });
        let cells = &mut self.rows[row].1;
        if cells.len() <= column {
            cells.resize(column + 1, None);
        }
        cells[column] = Some(gauge);
    }

    /// Whether a column has bars.
    fn has_bar(&self, column: usize) -> bool {
        self.rows.iter().any(|(_, cells)| cells.get(column).copied().flatten().is_some_and(|g| g.full > 0))
    }
}

/// Draws a table, in two halves where there is room; returns the height.
pub fn draw_table(b: &mut Board, x: f64, y: f64, w: f64, table: &Table) -> f64 {
    if table.rows.is_empty() {
        return 0.0;
    }
    let halves = if w >= 820.0 && table.rows.len() > 3 { 2 } else { 1 };
    let per_half = table.rows.len().div_ceil(halves);
    let width = (w - 32.0 * (halves as f64 - 1.0)) / halves as f64;
    for half in 0..halves {
        let left = x + half as f64 * (width + 32.0);
        let rows = table.rows.iter().skip(half * per_half).take(per_half);
        draw_head(b, left, y, width, table);
        for (i, (entity, cells)) in rows.enumerate() {
            let top = y + 20.0 + i as f64 * ROW;
            draw_row(b, Rect::new(left, top, width, ROW), *entity, cells, table);
        }
    }
    20.0 + per_half as f64 * ROW
}

const NAME: f64 = 110.0;

fn column(table: &Table, width: f64, index: usize) -> (f64, f64) {
    let each = (width - NAME) / table.heads.len().max(1) as f64;
    (NAME + each * index as f64, each)
}

fn draw_head(b: &mut Board, x: f64, y: f64, w: f64, table: &Table) {
    b.p.text(x, y + 13.0, "task", Font::Small, b.palette.text_3, Align::Left);
    for (i, head) in table.heads.iter().enumerate() {
        let (left, width) = column(table, w, i);
        if table.has_bar(i) {
            b.p.text_within(x + left, y + 13.0, width - 8.0, head, Font::Small, b.palette.text_3);
        } else {
            b.p.text(x + left + width - 8.0, y + 13.0, head, Font::Small, b.palette.text_3, Align::Right);
        }
    }
}

fn draw_row(b: &mut Board, at: Rect, entity: EntityView, cells: &[Option<&GaugeView>], table: &Table) {
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
    for (i, gauge) in cells.iter().enumerate() {
        let Some(gauge) = gauge else { continue };
        let (left, width) = column(table, at.w, i);
        let right = at.x + left + width - 8.0;
        let value = gauge_text(gauge);
        b.p.text(right, base, &value, Font::Body, text, Align::Right);
        if gauge.full > 0 && table.has_bar(i) {
            let room = b.p.text_width(&value, Font::Body).max(52.0) + 8.0;
            let bar = Rect::new(at.x + left, at.y + 7.0, (width - room - 8.0).max(0.0), 10.0);
            draw_bar(b, bar, gauge, colour);
        }
    }
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
    let left = x + b.p.text_width(lock.label, Font::BodyStrong).max(80.0) + 12.0;
    let bar = Rect::new(left, y + 7.0, (w - (left - x) - 260.0).clamp(60.0, 320.0), 12.0);
    b.p.fill_rect(bar, Fill::Solid(palette.sunken));
    let part = (f64::from(lock.permille) / 1000.0).min(1.0);
    b.p.fill_rect(Rect::new(bar.x, bar.y, bar.w * part, bar.h), Fill::Solid(palette.ov_sched));
    b.p.stroke_rect(bar.inset(0.5), Pen::solid(palette.line_strong, 1.0));
    let holder = lock.holder.map_or_else(|| "free".to_owned(), |cpu| format!("held by CPU {cpu}"));
    let text = format!("{} · {holder} · {} spin", number::permille(lock.permille), lock.spinners);
    b.p.text(bar.right() + 10.0, y + 17.0, &text, Font::Small, palette.text_2, Align::Left);
    b.p.begin();
    for i in 0..lock.spinners.min(64) {
        b.p.rect(Rect::new(bar.x + f64::from(i) * 6.0, y + 22.0, 4.0, 4.0));
    }
    b.p.fill(Fill::Solid(palette.ov_spin));
    30.0
}
