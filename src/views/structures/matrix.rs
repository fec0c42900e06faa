//! The staircase: a row per task, a column per slot.

use super::board::Board;
use crate::paint::{Align, Fill, Font, Pen, Rect};
use crate::text::pictures as words;
use sim_core::engine::protocol::{EntityView, GaugeView};

/// Height of a row, px.
pub const ROW: f64 = 30.0;
/// Height of the heads, px.
const HEAD: f64 = 22.0;
/// Height of a legend of one line, px.
const LEGEND: f64 = 28.0;
/// Width of names with nice levels, px.
const NAME: f64 = 132.0;
/// Width of what is left of the quota and of the whole tail, px.
const QUOTA: f64 = 104.0;
const TAIL: f64 = QUOTA + 64.0;
/// Height of a nice level's row, px.
const LEVEL: f64 = 12.0;
/// Rows drawn; the one that runs is always among them.
const ROWS_MAX: usize = 40;

/// A row.
pub struct Row<'a> {
    /// Whose.
    pub entity: EntityView,
    /// Nice level.
    pub nice: i8,
    /// Where it stands.
    pub place: &'a str,
    /// 0 = forbidden, 1 = allowed, 2 = used, 3 = current, 4 = entry after the swap.
    pub cells: &'a [u8],
    /// What is left of the quota: fills the current cell.
    pub quota: Option<&'a GaugeView>,
    /// Step that the task's level has reached.
    pub level: Option<i64>,
}

/// What a nice level is granted.
pub struct Level<'a> {
    /// Nice level.
    pub nice: i8,
    /// 0 = forbidden, 1 = allowed.
    pub cells: &'a [u8],
}

/// Draws the rows; returns the height.
#[inline(never)] // the page loads it later: xtask/src/parts.rs
pub fn draw(b: &mut Board, x: f64, y: f64, w: f64, rows: &[Row]) -> f64 {
    let slots = rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
    if slots == 0 {
        return 0.0;
    }
    let phone = w < 560.0;
    let (name, tail) = if phone { (74.0, 0.0) } else { (NAME, TAIL) };
    let cell = ((w - name - tail) / slots as f64).clamp(5.0, 22.0);
    let left = x + name;
    draw_heads(b, (x, y), left, cell, slots, tail);
    let runs = rows.iter().position(|row| row.entity == EntityView::Task(b.curr)).unwrap_or(0);
    let first = (runs + 1).saturating_sub(ROWS_MAX);
    let (all, rows) = (rows.len(), &rows[first..(first + ROWS_MAX).min(rows.len())]);
    for (i, row) in rows.iter().enumerate() {
        let at = Rect::new(x, y + HEAD + i as f64 * ROW, w, ROW);
        draw_row(b, at, row, left, cell, if tail > 0.0 { Some(left + cell * slots as f64 + 16.0) } else { None });
    }
    let mut bottom = y + HEAD + rows.len() as f64 * ROW;
    b.p.fill_rect(Rect::new(x, bottom, w, 1.0), Fill::Solid(b.palette.line));
    if all > rows.len() {
        let text = words::more(all - rows.len());
        b.p.text(x, bottom + 16.0, &text, Font::Small, b.palette.text_2, Align::Left);
        bottom += 22.0;
    }
    if phone {
        return bottom - y;
    }
    bottom + draw_legend(b, x, bottom + 18.0, w) - y
}

/// Draws the steps that every nice level may use, those of levels with tasks in the tasks' colours; returns the height.
#[inline(never)] // the page loads it later: xtask/src/parts.rs
pub fn draw_levels(b: &mut Board, x: f64, y: f64, w: f64, levels: &[Level], rows: &[Row]) -> f64 {
    let Some(slots) = levels.first().map(|level| level.cells.len()) else { return 0.0 };
    b.heading_within(x, y, w, &words::LEVELS, &words::LEVELS_HELP);
    let (phone, top) = (w < 560.0, y + 26.0);
    let (name, tail) = if phone { (40.0, 0.0) } else { (NAME, TAIL) };
    let cell = ((w - name - tail) / slots.max(1) as f64).clamp(5.0, 22.0);
    let (left, palette) = (x + name, b.palette);
    for (i, level) in levels.iter().enumerate() {
        let at = top + i as f64 * LEVEL;
        let mut here = rows.iter().filter(|row| row.nice == level.nice);
        let first = here.next();
        let colour = first.map_or(palette.line_strong, |row| b.colour(row.entity));
        if level.nice % 5 == 0 || first.is_some() {
            let nice = crate::paint::number::whole(i64::from(level.nice));
            let ink = if first.is_some() { palette.text } else { palette.text_3 };
            b.p.text(left - 8.0, at + 10.0, &nice, Font::Small, ink, Align::Right);
        }
        b.p.begin();
        for slot in (0..slots).filter(|&slot| level.cells.get(slot) == Some(&1)) {
            b.p.rect(Rect::new(left + slot as f64 * cell + 1.0, at + 2.0, cell - 2.0, LEVEL - 3.0));
        }
        b.p.fill(Fill::Solid(colour));
        if let Some(row) = first.filter(|_| !phone) {
            let names = match here.count() {
                0 => b.name(row.entity),
                more => format!("{} +{more}", b.name(row.entity)),
            };
            let from = left + cell * slots as f64 + 16.0;
            b.p.text_within(from, at + 10.0, TAIL - 16.0, &names, Font::Small, palette.text_2);
        }
    }
    top + levels.len() as f64 * LEVEL - y
}

fn draw_heads(b: &mut Board, at: (f64, f64), left: f64, cell: f64, slots: usize, tail: f64) {
    let colour = b.palette.text_3;
    b.p.text(at.0, at.1 + 14.0, &words::STEP, Font::Small, colour, Align::Left);
    for slot in (0..slots).filter(|slot| slot % 5 == 0 || slot + 1 == slots) {
        let x = left + (slot as f64 + 0.5) * cell;
        b.p.text(x, at.1 + 14.0, &slot.to_string(), Font::Small, colour, Align::Centre);
    }
    if tail > 0.0 {
        let x = left + cell * slots as f64 + 16.0;
        b.p.text(x, at.1 + 14.0, &words::QUOTA_LEFT, Font::Small, colour, Align::Left);
        b.p.text(x + QUOTA, at.1 + 14.0, &words::ARRAY, Font::Small, colour, Align::Left);
    }
}

fn draw_row(b: &mut Board, at: Rect, row: &Row, left: f64, cell: f64, quota_x: Option<f64>) {
    let palette = b.palette;
    b.hits.push((at, row.entity));
    if row.entity == EntityView::Task(b.curr) {
        b.p.fill_rect(at, Fill::Solid(palette.accent_quiet));
        b.p.fill_rect(Rect::new(at.x - 12.0, at.y, 2.0, at.h), Fill::Solid(palette.accent));
    }
    b.p.fill_rect(Rect::new(at.x, at.y, at.w, 1.0), Fill::Solid(palette.line));
    let (colour, text, name) = (b.colour(row.entity), b.text_colour(row.entity), b.name(row.entity));
    b.p.fill_rect(Rect::new(at.x, at.y + 11.0, 9.0, 9.0), Fill::Solid(colour));
    let nice_w = if quota_x.is_some() { 28.0 } else { 0.0 };
    b.p.text_within(at.x + 14.0, at.y + 19.0, left - at.x - 20.0 - nice_w, &name, Font::BodyStrong, text);
    if quota_x.is_some() {
        let nice = crate::paint::number::whole(i64::from(row.nice));
        b.p.text(left - 8.0, at.y + 19.0, &nice, Font::Small, palette.text_3, Align::Right);
    }
    let place = |slot: usize| Rect::new(left + slot as f64 * cell + 1.0, at.y + 6.0, cell - 2.0, 18.0);
    let each = |kind: u8| row.cells.iter().enumerate().filter(move |(_, c)| **c == kind).map(|(slot, _)| place(slot));
    b.p.begin();
    each(0).for_each(|c| b.p.rect(Rect::new(c.x + c.w / 2.0 - 2.0, c.y + 8.5, 4.0, 1.0)));
    b.p.fill(Fill::Solid(palette.line_strong.with_alpha(178)));
    b.p.begin();
    each(1).for_each(|c| b.p.rect(c.inset(0.5)));
    b.p.fill(Fill::Solid(palette.sunken));
    b.p.stroke(Pen::solid(palette.line, 1.0));
    b.p.begin();
    each(2).for_each(|c| b.p.rect(c));
    b.p.fill(Fill::Solid(colour.over(palette.panel, 0.38)));
    b.p.begin();
    each(2).for_each(|c| b.p.circle(c.centre().0, c.centre().1, 2.0));
    b.p.fill(Fill::Solid(colour));
    let part = row.quota.filter(|q| q.full > 0).map_or(1.0, |q| (q.value as f64 / q.full as f64).clamp(0.08, 1.0));
    for c in each(3) {
        b.p.fill_rect(c, Fill::Solid(palette.sunken));
        b.p.fill_rect(Rect::new(c.x, c.y + c.h * (1.0 - part), c.w, c.h * part), Fill::Solid(colour));
        b.p.stroke_rect(c, Pen::solid(colour, 2.0));
    }
    b.p.begin();
    each(4).for_each(|c| b.p.rect(c.inset(1.0)));
    b.p.stroke(Pen::dashed(colour, 2.0, 3, 2));
    if let Some(level) = row.level.and_then(|level| usize::try_from(level).ok()).filter(|&l| l < row.cells.len()) {
        b.p.fill_rect(Rect::new(place(level).x - 2.0, at.y + 3.0, 2.0, 24.0), Fill::Solid(palette.warn));
    }
    let Some(x) = quota_x else { return };
    let place =
        if row.entity == EntityView::Task(b.curr) { (Font::BodyStrong, text) } else { (Font::Small, palette.text_3) };
    b.p.text(x + QUOTA, at.y + 19.0, row.place, place.0, place.1, Align::Left);
    // Only who holds a place has a quota that counts.
    if let Some(quota) = row.quota.filter(|_| row.cells.contains(&3)) {
        let left_of = super::board::gauge_text(quota);
        let full = crate::paint::number::value(quota.full, &quota.unit);
        b.p.text(x, at.y + 19.0, &left_of, Font::Small, text, Align::Left);
        let after = x + b.p.text_width(&left_of, Font::Small) + 4.0;
        b.p.text(after, at.y + 19.0, &format!("/ {full}"), Font::Small, palette.text_3, Align::Left);
    }
}

/// Returns the height, with what lies above and below.
fn draw_legend(b: &mut Board, x: f64, base: f64, w: f64) -> f64 {
    let palette = b.palette;
    let (mut at, mut line) = (x, base);
    let mut say = |b: &mut Board, text: &str, picture: &dyn Fn(&mut Board, Rect)| {
        let width = 20.0 + b.p.text_width(text, Font::Small) + 20.0;
        if at > x && at + width - 20.0 > x + w {
            (at, line) = (x, line + 18.0);
        }
        picture(b, Rect::new(at, line - 9.0, 14.0, 10.0));
        b.p.text(at + 20.0, line, text, Font::Small, palette.text_3, Align::Left);
        at += width;
    };
    say(b, &words::MATRIX_LEGEND[0], &|b, r| {
        b.p.fill_rect(r, Fill::Solid(palette.text_3.over(palette.panel, 0.38)));
        b.p.begin();
        b.p.circle(r.centre().0, r.centre().1, 2.0);
        b.p.fill(Fill::Solid(palette.text_2));
    });
    say(b, &words::MATRIX_LEGEND[1], &|b, r| b.p.fill_rect(r, Fill::Solid(palette.text_3)));
    say(b, &words::MATRIX_LEGEND[2], &|b, r| {
        b.p.fill_rect(r, Fill::Solid(palette.sunken));
        b.p.stroke_rect(r.inset(0.5), Pen::solid(palette.line_strong, 1.0));
    });
    say(b, &words::MATRIX_LEGEND[4], &|b, r| {
        b.p.fill_rect(Rect::new(r.x + 6.0, r.y - 2.0, 2.0, r.h + 4.0), Fill::Solid(palette.warn));
    });
    say(b, &words::MATRIX_LEGEND[5], &|b, r| {
        b.p.begin();
        b.p.rect(r.inset(1.0));
        b.p.stroke(Pen::dashed(palette.text_3, 2.0, 3, 2));
    });
    say(b, &words::MATRIX_LEGEND[3], &|b, r| {
        b.p.fill_rect(Rect::new(r.x + 5.0, r.y + 4.5, 4.0, 1.0), Fill::Solid(palette.line_strong));
    });
    line - base + LEGEND
}
