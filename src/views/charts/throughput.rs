//! Throughput per second: a line per mark, its value now at the right.

use super::plot::{Drawn, Look, NAME_LETTERS, Plot, Side, shortened};
use crate::paint::number;
use crate::text::charts as words;
use plotters::prelude::*;
use sim_core::engine::protocol::GraphsView;

/// Rows at most.
const ROWS_MAX: usize = 5;
/// Width of labels and values, px.
const LABEL: f64 = 92.0;
const VALUE: f64 = 56.0;
/// The rate is a mean over this time, ns: single marks would draw spikes.
const MEAN_NS: u64 = 500_000_000;
/// The first marks of a run count as if this time had passed: a mark in the first microsecond is not a million a second.
const MEAN_MIN_NS: u64 = 100_000_000;

/// A line.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// Label.
    pub label: String,
    /// Rate per second at each bucket.
    pub rates: Vec<f64>,
}

/// Rates of all marks, and of context switches where there is room.
pub fn rows(graphs: &GraphsView, marks: &[String]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for (mark, counts) in graphs.throughput.iter().filter(|(_, counts)| counts.iter().any(|&c| c > 0)) {
        let label = marks.get(usize::from(*mark)).cloned().unwrap_or_default();
        rows.push(Row { label, rates: rates(graphs, counts) });
    }
    rows.truncate(ROWS_MAX - 1);
    if !graphs.switches.is_empty() {
        rows.push(Row { label: words::SWITCHES.into(), rates: rates(graphs, &graphs.switches) });
    }
    rows
}

/// Moving mean of counts, per second.
fn rates(graphs: &GraphsView, counts: &[u32]) -> Vec<f64> {
    let span = graphs.to.saturating_sub(graphs.from).max(1);
    let bucket_ns = (span / counts.len().max(1) as u64).max(1);
    let width = usize::try_from(MEAN_NS / bucket_ns).unwrap_or(1).clamp(1, counts.len().max(1));
    let mut sum = 0_u64;
    let mut out = Vec::with_capacity(counts.len());
    for (i, &count) in counts.iter().enumerate() {
        sum += u64::from(count);
        if i >= width {
            sum -= u64::from(counts[i - width]);
        }
        let covered = (bucket_ns * (i + 1).min(width) as u64).max(MEAN_MIN_NS);
        out.push(sum as f64 * number::S as f64 / covered as f64);
    }
    out
}

/// A rate as text: one decimal below 10.
pub fn rate_text(rate: f64) -> String {
    if rate < 10.0 && rate.fract() > 0.05 { number::real(rate, 1) } else { number::whole(rate.round() as i64) }
}

/// Draws the lines.
pub fn draw<DB: DrawingBackend>(plot: &Plot<DB>, rows: &[Row]) -> Drawn<DB> {
    let (w, h) = plot.size();
    if rows.is_empty() {
        return plot.empty(&words::NO_MARKS);
    }
    let row_h = (h - 8.0) / rows.len() as f64;
    for (i, row) in rows.iter().enumerate() {
        draw_row(plot, row, 2.0 + i as f64 * row_h, row_h.min(64.0), w)?;
    }
    Ok(())
}

fn draw_row<DB: DrawingBackend>(plot: &Plot<DB>, row: &Row, y: f64, row_h: f64, w: f64) -> Drawn<DB> {
    let middle = y + row_h / 2.0;
    plot.label(12.0, middle, &shortened(&row.label, NAME_LETTERS))?;
    let (left, right, base) = (LABEL, w - VALUE, y + row_h - 6.0);
    plot.rect(left, base, right - left + 2.0, 1.0, plot.palette.line)?;
    let most = row.rates.iter().copied().fold(0.0, f64::max) * 1.15;
    if most > 0.0 && right > left && row.rates.len() > 1 {
        let x = |j: usize| left + (right - left) * j as f64 / (row.rates.len() - 1) as f64;
        let y_of = |rate: f64| base - rate / most * (row_h - 10.0);
        let points: Vec<(f64, f64)> = row.rates.iter().enumerate().map(|(j, &rate)| (x(j), y_of(rate))).collect();
        plot.path(&points, 1.5, plot.palette.accent)?;
    }
    let now = row.rates.last().copied().unwrap_or(0.0);
    let look = Look { colour: plot.palette.text, strong: true, side: Side::Right };
    plot.text(w - 14.0, middle, &rate_text(now), look)
}
