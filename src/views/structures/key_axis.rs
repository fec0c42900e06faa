//! The axis of a tree's keys: a scale for keys that wrap, ticks, and the lines and bands of the rules that go with it.

use super::board::Board;
use crate::paint::{Align, Fill, Font, Pen, Rect, number};
use crate::text::pictures as words;

/// A line or a band on the axis.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mark<'a> {
    /// What it is.
    pub label: &'a str,
    /// A stretch, not a line.
    pub is_band: bool,
    /// Left end.
    pub from: i64,
    /// Right end.
    pub to: i64,
}

/// Keys on x. Keys wrap in the kernel, so everything is relative to the floor.
#[derive(Clone, Copy)]
pub struct KeyScale {
    floor: i64,
    low: f64,
    high: f64,
    left: f64,
    /// Right end, px.
    pub right: f64,
}

impl KeyScale {
    /// A scale from `left` to `right` px for all of `keys` and the floor.
    pub fn new(keys: impl Iterator<Item = i64>, floor: i64, left: f64, right: f64) -> KeyScale {
        let relative = |key: i64| key.wrapping_sub(floor) as f64;
        let (mut low, mut high) = (0.0_f64, 0.0_f64);
        for key in keys {
            low = low.min(relative(key));
            high = high.max(relative(key));
        }
        let pad = ((high - low) * 0.05).max(1000.0);
        KeyScale { floor, low: low - pad, high: high + pad, left, right }
    }

    /// x of a key, px.
    pub fn x(&self, key: i64) -> f64 {
        let relative = key.wrapping_sub(self.floor) as f64;
        self.left + (relative - self.low) / (self.high - self.low) * (self.right - self.left)
    }

    /// Ticks at 1, 2, 5 times a power of ten, as absolute keys.
    fn ticks(&self) -> (i64, Vec<i64>) {
        let least = (self.high - self.low) / ((self.right - self.left) / 90.0).max(1.0);
        let mut step = 1000_i64;
        'found: loop {
            for times in [1, 2, 5] {
                if (step * times) as f64 >= least {
                    step *= times;
                    break 'found;
                }
            }
            step *= 10;
        }
        let from = self.floor.saturating_add(self.low as i64);
        let to = self.floor.saturating_add(self.high as i64);
        let first = from.div_euclid(step).saturating_add(1).saturating_mul(step);
        let count = usize::try_from(to.saturating_sub(first).div_euclid(step)).map_or(0, |n| n + 1);
        (step, (0..count.min(64)).map(|i| first + step * i as i64).collect())
    }
}

/// The axis with its ticks; the unit stands at `x`.
#[inline(never)] // the page loads it later: xtask/src/parts.rs
pub fn draw(b: &mut Board, scale: &KeyScale, y: f64, x: f64) {
    let palette = b.palette;
    b.p.fill_rect(Rect::new(scale.left, y, scale.right - scale.left, 1.0), Fill::Solid(palette.line_strong));
    let (step, ticks) = scale.ticks();
    let unit_end = x + b.p.text_width("ms", Font::Small) + 6.0;
    let decimals = match step {
        s if s >= 1_000_000 => 0,
        s if s >= 100_000 => 1,
        s if s >= 10_000 => 2,
        _ => 3,
    };
    for key in ticks {
        let at = scale.x(key);
        b.p.fill_rect(Rect::new(at - 0.5, y, 1.0, 4.0), Fill::Solid(palette.line_strong));
        let sign = if key < 0 { "−" } else { "" };
        let label = format!("{sign}{}", number::fixed(key.unsigned_abs(), number::MS, decimals));
        // The unit stands at the left end: a number that would touch it gives way.
        if at - b.p.text_width(&label, Font::Small) / 2.0 > unit_end {
            b.p.text(at, y + 16.0, &label, Font::Small, palette.text_3, Align::Centre);
        }
    }
    b.p.text(x, y + 16.0, "ms", Font::Small, palette.text_3, Align::Left);
}

/// Bands and lines of the rules that go with the order. What lies far left is named at the edge.
pub fn draw_marks(b: &mut Board, marks: &[Mark], scale: &KeyScale, axis_y: f64) {
    let palette = b.palette;
    let mut label_y = axis_y - 10.0;
    for mark in marks {
        let (x0, x1) = (scale.x(mark.from).max(scale.left), scale.x(mark.to).min(scale.right));
        if x1 <= scale.left {
            let distance = number::value(scale.floor.wrapping_sub(mark.to), "virtual");
            let text = words::far_left(mark.label, &distance);
            b.p.text(scale.left, label_y, &text, Font::Small, palette.text_3, Align::Left);
            label_y -= 14.0;
            continue;
        }
        if mark.is_band {
            let band = Rect::new(x0, axis_y - 5.0, (x1 - x0).max(1.0), 5.0);
            b.p.fill_rect(band, Fill::Solid(palette.accent.with_alpha(110)));
            b.p.fill_rect(Rect::new(x0, axis_y - 9.0, 1.0, 9.0), Fill::Solid(palette.accent));
        } else {
            b.p.line(x0, axis_y - 16.0, x0, axis_y + 6.0, Pen::dashed(palette.text_2, 1.0, 2, 2));
        }
        let width = number::value(mark.to.wrapping_sub(mark.from), "virtual");
        let text = if mark.is_band { format!("{} {width}", mark.label) } else { mark.label.to_owned() };
        let at = x0.min(scale.right - b.p.text_width(&text, Font::Small) - 6.0).max(scale.left) + 5.0;
        let ground = Rect::new(at - 2.0, label_y - 10.0, b.p.text_width(&text, Font::Small) + 4.0, 13.0);
        b.p.fill_rect(ground, Fill::Solid(palette.panel.with_alpha(217)));
        let colour = if mark.is_band { palette.accent } else { palette.text_2 };
        b.p.text(at, label_y, &text, Font::Small, colour, Align::Left);
        label_y -= 14.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_wrap_stay_beside_the_floor() {
        let (key, floor) = (i64::MIN + 5_000_000, i64::MAX - 1_000_000);
        let scale = KeyScale::new([key].into_iter(), floor, 0.0, 1000.0);
        assert!(scale.x(key) > scale.x(floor) && scale.x(key) <= 1000.0);
        assert!(scale.ticks().1.len() < 64);
    }
}
