//! A priority array: tasks in the slots of their priority, and plain lists.

use super::board::{Board, CHIP, GAP};
use crate::paint::{Align, Fill, Font, Rect};
use crate::text::pictures as words;
use sim_core::engine::protocol::ChipView;

/// Width of the slot's number, px.
const NUMBER: f64 = 34.0;
/// Chips drawn per array or list; more are counted.
const CHIPS_MAX: usize = 240;
/// Height of an empty slot where all are shown, px.
const EMPTY: f64 = 13.0;

/// A priority array.
pub struct Slots<'a> {
    /// Number of slots.
    pub len: u32,
    /// First slot of normal tasks.
    pub first_normal: u32,
    /// (slot, task) in order.
    pub at: &'a [(u32, ChipView)],
    /// The slot that decides.
    pub hit: Option<u32>,
    /// Show empty slots too.
    pub all: bool,
    /// Least height of a row, px.
    pub row: f64,
}

/// Draws the array; returns its height.
pub fn draw(b: &mut Board, x: f64, y: f64, w: f64, slots: &Slots) -> f64 {
    let mut top = y;
    let mut from = 0;
    let shown = slots.at.len().min(CHIPS_MAX);
    let mut next = 0_u32;
    while from < shown {
        let slot = slots.at[from].0;
        let end = from + slots.at[from..shown].iter().take_while(|(s, _)| *s == slot).count();
        if slots.all {
            top += empty(b, x, top, w, slots, next..slot);
        }
        next = slot + 1;
        // The slot is the deciding number: a second one on each chip would only be noise.
        let chips: Vec<ChipView> =
            slots.at[from..end].iter().map(|(_, chip)| ChipView { key: None, ..chip.clone() }).collect();
        let chips: Vec<&ChipView> = chips.iter().collect();
        top += row(b, x, top, w, slots, slot, &chips);
        from = end;
    }
    if slots.all {
        top += empty(b, x, top, w, slots, next..slots.len);
    }
    if slots.at.len() > shown {
        top += more(b, x, top, slots.at.len() - shown);
    }
    if slots.at.is_empty() && !slots.all {
        b.p.text(x, top + 18.0, &words::EMPTY, Font::Small, b.palette.text_3, Align::Left);
        top += 26.0;
    }
    top - y
}

fn row(b: &mut Board, x: f64, y: f64, w: f64, slots: &Slots, slot: u32, chips: &[&ChipView]) -> f64 {
    let palette = b.palette;
    b.p.fill_rect(Rect::new(x, y, w, 1.0), Fill::Solid(palette.line));
    let colour = if slots.hit == Some(slot) { palette.accent } else { palette.text_2 };
    b.p.text(x, y + slots.row / 2.0 + 4.0, &slot.to_string(), Font::MonoStrong, colour, Align::Left);
    let inner = flow(b, x + NUMBER, y + (slots.row - CHIP) / 2.0, w - NUMBER, chips);
    (inner + slots.row - CHIP).max(slots.row)
}

/// Least room of a chip, px.
const LEAST: f64 = 70.0;

/// Chips in lines; returns the height.
fn flow(b: &mut Board, x: f64, y: f64, w: f64, chips: &[&ChipView]) -> f64 {
    let (mut at_x, mut at_y) = (x, y);
    for chip in chips {
        // A name that is longer than the line is cut in it: it does not reach into the next array.
        let width = b.chip_width(chip).min(w.max(LEAST));
        if at_x > x && at_x + width > x + w {
            at_x = x;
            at_y += CHIP + GAP;
        }
        b.chip(Rect::new(at_x, at_y, width, CHIP), chip);
        at_x += width + GAP;
    }
    at_y - y + CHIP
}

/// Empty slots: a line each for normal ones, one line for a stretch of real-time ones.
fn empty(b: &mut Board, x: f64, y: f64, w: f64, slots: &Slots, range: core::ops::Range<u32>) -> f64 {
    let mut top = y;
    let rt = range.start..range.end.min(slots.first_normal);
    if rt.start < rt.end {
        let text = words::real_time_empty(rt.start, rt.end - 1);
        b.p.text(x, top + 11.0, &text, Font::Small, b.palette.text_3, Align::Left);
        top += EMPTY + 3.0;
    }
    for slot in range.start.max(slots.first_normal)..range.end {
        b.p.fill_rect(Rect::new(x + NUMBER, top + EMPTY / 2.0, w - NUMBER, 1.0), Fill::Solid(b.palette.line));
        b.p.text(x, top + 10.0, &slot.to_string(), Font::Mono, b.palette.text_3, Align::Left);
        top += EMPTY;
    }
    top - y
}

fn more(b: &mut Board, x: f64, y: f64, count: usize) -> f64 {
    b.p.text(x, y + 16.0, &words::more(count), Font::Small, b.palette.text_2, Align::Left);
    24.0
}

/// A list in queue order; returns its height.
pub fn draw_list(b: &mut Board, x: f64, y: f64, w: f64, chips: &[ChipView]) -> f64 {
    if chips.is_empty() {
        b.p.text(x, y + 14.0, &words::EMPTY, Font::Small, b.palette.text_3, Align::Left);
        return 24.0;
    }
    let shown: Vec<&ChipView> = chips.iter().take(CHIPS_MAX).collect();
    let mut height = flow(b, x, y, w, &shown);
    if chips.len() > shown.len() {
        height += more(b, x, y + height, chips.len() - shown.len());
    }
    height
}
