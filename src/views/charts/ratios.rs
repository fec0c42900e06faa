//! Ours over published, figure by figure: a line per figure, the published one in the middle.

use super::plot::{Drawn, Look, Plot, Side, shortened};
use crate::paint::number;
use plotters::prelude::*;

/// Room of the names, px.
const LEFT: f64 = 150.0;
/// Room of the numbers, px.
const RIGHT: f64 = 64.0;
/// Longest name, letters.
const LABEL_LETTERS: usize = 24;
/// Height of a line, px: at most and so that its name can be read.
const ROW: f64 = 20.0;
const ROW_READ: f64 = 13.0;
/// Room below, px.
const BOTTOM: f64 = 24.0;
/// Errors beyond are drawn at the edge, 1/1000.
const EDGE: f64 = 300.0;

/// A figure.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// Name.
    pub label: String,
    /// Error of ours, 1/1000; `None` = not computed.
    pub error: Option<i64>,
    /// Smallest and largest published run against their mean, 1/1000.
    pub spread: (i64, i64),
}

/// Height that shows all lines, px.
pub fn height(lines: usize) -> f64 {
    lines as f64 * ROW + BOTTOM + 8.0
}

/// Draws the lines.
pub fn draw<DB: DrawingBackend>(plot: &Plot<DB>, lines: &[Line], empty: &str) -> Drawn<DB> {
    let (w, h) = plot.size();
    if lines.is_empty() {
        return plot.empty(empty);
    }
    let row = ((h - BOTTOM - 8.0) / lines.len() as f64).min(ROW);
    let (left, right, bottom) = (LEFT, w - RIGHT, 4.0 + row * lines.len() as f64);
    let x = |permille: f64| (left + right) / 2.0 + permille.clamp(-EDGE, EDGE) / EDGE * (right - left) / 2.0;
    plot.rect(x(-100.0), 4.0, x(100.0) - x(-100.0), bottom - 4.0, plot.palette.raised)?;
    plot.rect(x(0.0), 4.0, 1.0, bottom - 4.0, plot.palette.line_strong)?;
    let quiet = Look { colour: plot.palette.text_3, strong: false, side: Side::Middle };
    // The unit stands once: with it at every number there is no room for the middle.
    for (permille, text) in [(-EDGE, "−30"), (-100.0, "−10"), (0.0, "0"), (100.0, "+10"), (EDGE, "+30 %")] {
        plot.text(x(permille), bottom + 10.0, text, quiet)?;
    }
    for (index, line) in lines.iter().enumerate() {
        let y = 4.0 + (index as f64 + 0.5) * row;
        if row >= ROW_READ {
            plot.label(8.0, y, &shortened(&line.label, LABEL_LETTERS))?;
        }
        let (low, high) = (x(line.spread.0 as f64), x(line.spread.1 as f64));
        plot.rect(low, y - 0.5, high - low, 1.0, plot.palette.text_2)?;
        plot.ring(x(0.0), y, 3.0, plot.palette.text_2)?;
        let Some(error) = line.error else { continue };
        let is_far = error.abs() > 100;
        let colour = if is_far { plot.palette.warn } else { plot.palette.accent };
        plot.rect(x(error as f64) - 2.0, y - (row / 2.0 - 2.0).max(2.0), 4.0, (row - 4.0).max(4.0), colour)?;
        if row >= ROW_READ {
            let look = Look {
                colour: if is_far { plot.palette.warn } else { plot.palette.text },
                strong: is_far,
                side: Side::Right,
            };
            plot.text(w - 8.0, y, &error_text(error), look)?;
        }
    }
    Ok(())
}

/// `+3.3 %`.
pub fn error_text(permille: i64) -> String {
    let sign = match permille {
        0 => "",
        1.. => "+",
        _ => "−",
    };
    number::decimal(format_args!("{sign}{}", permille.abs() / 10), format_args!("{}\u{202f}%", permille.abs() % 10))
}
