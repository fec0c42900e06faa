//! Wake-up latency: a dot per wakeup over time on a log axis, and beside it the histogram on the same axis.

use super::plot::{Drawn, Look, Plot, Side, rgba};
use crate::paint::number;
use crate::paint::scale::Step;
use crate::text::charts as words;
use plotters::prelude::*;
use sim_core::engine::protocol::GraphsView;

/// Left gutter, px.
const LEFT: f64 = 46.0;
/// Width of the histogram, px.
const HISTOGRAM: f64 = 64.0;
/// Room above and below the plot, px.
const TOP: f64 = 8.0;
const BOTTOM: f64 = 20.0;

/// Draws the chart. `is_interactive` tells which tasks mostly sleep.
pub fn draw<DB: DrawingBackend>(
    plot: &Plot<DB>,
    graphs: &GraphsView,
    is_interactive: impl Fn(u32) -> bool,
) -> Drawn<DB> {
    let (w, h) = plot.size();
    let right = w - HISTOGRAM - 14.0;
    if right < LEFT + 40.0 || h < 60.0 {
        return Ok(());
    }
    if graphs.latency_points.is_empty() && graphs.latency.count == 0 {
        return plot.empty(&words::NO_WAKEUP);
    }
    let (low, high) = decades(graphs);
    let y_of = |ns: u64| {
        let exponent = (ns.max(1) as f64).log10().clamp(low, high);
        h - BOTTOM - (exponent - low) / (high - low) * (h - BOTTOM - TOP)
    };
    let quiet = Look { colour: plot.palette.text_3, strong: false, side: Side::Right };
    let mut decade = low as u32;
    while f64::from(decade) <= high {
        let (ns, y) = (10_u64.pow(decade), y_of(10_u64.pow(decade)));
        plot.rect(LEFT, y, right - LEFT, 1.0, plot.palette.line)?;
        plot.text(LEFT - 6.0, y.max(9.0), &whole_duration(ns), quiet)?;
        decade += 2;
    }
    draw_times(plot, graphs, (LEFT, right), h)?;
    draw_dots(plot, graphs, (low, high), right, is_interactive)?;
    draw_histogram(plot, graphs, w - HISTOGRAM - 6.0, y_of)?;
    let grey = Look { side: Side::Left, ..quiet };
    plot.text(w - HISTOGRAM - 4.0, h - 9.0, &words::COUNT, grey)?;
    draw_legend(plot)
}

/// Decades of the axis: 1 µs to 1 s, more where the data goes further. What is quicker lies on the bottom line.
fn decades(graphs: &GraphsView) -> (f64, f64) {
    let most = graphs.latency_points.iter().map(|p| p.1).max().unwrap_or(0).max(graphs.latency.max);
    (3.0, if most > number::S { 11.0 } else { 9.0 })
}

/// 1 000 000 → "1 ms": whole units, for decades.
fn whole_duration(ns: u64) -> String {
    let (unit, name) = match ns {
        0..1_000 => (1, "ns"),
        1_000..1_000_000 => (1_000, "µs"),
        1_000_000..1_000_000_000 => (1_000_000, "ms"),
        _ => (1_000_000_000, "s"),
    };
    format!("{}{}{name}", ns / unit, number::NB)
}

fn draw_times<DB: DrawingBackend>(plot: &Plot<DB>, graphs: &GraphsView, x: (f64, f64), h: f64) -> Drawn<DB> {
    let scale = crate::paint::TimeScale::new(graphs.from, graphs.to, x.0, x.1);
    let look = Look { colour: plot.palette.text_3, strong: false, side: Side::Middle };
    // Always milliseconds: the axis has no room for a unit.
    let step = scale.step(54.0);
    let step = if step.every >= number::S { Step { unit: number::MS, decimals: 0, ..step } } else { step };
    for t in scale.ticks(step) {
        let at = scale.x_from_time(t);
        if at > x.0 + 8.0 && at < x.1 - 4.0 {
            plot.text(at, h - 9.0, &step.label(t), look)?;
        }
    }
    Ok(())
}

fn draw_dots<DB: DrawingBackend>(
    plot: &Plot<DB>,
    graphs: &GraphsView,
    (low, high): (f64, f64),
    right: f64,
    is_interactive: impl Fn(u32) -> bool,
) -> Drawn<DB> {
    let margin = |px: f64| plot.dots(px);
    let mut chart = ChartBuilder::on(plot.area)
        .margin_left(margin(LEFT))
        .margin_right(margin(plot.size().0 - right))
        .margin_top(margin(TOP))
        .margin_bottom(margin(BOTTOM))
        .build_cartesian_2d(graphs.from as f64..graphs.to.max(graphs.from + 1) as f64, low..high)?;
    let r = (1.8 * plot.dpr).round().max(1.0) as i32;
    // Two passes: what the eye looks for lies on top.
    for wanted in [false, true] {
        let colour = if wanted { plot.palette.accent } else { plot.palette.text_3 }.with_alpha(230);
        let points = graphs.latency_points.iter().filter(|p| is_interactive(p.2) == wanted);
        let dots = points.map(|&(t, ns, _)| {
            let y = (ns.max(1) as f64).log10().clamp(low, high);
            Circle::new((t as f64, y), r, rgba(colour).filled())
        });
        chart.draw_series(dots)?;
    }
    Ok(())
}

fn draw_histogram<DB: DrawingBackend>(
    plot: &Plot<DB>,
    graphs: &GraphsView,
    x: f64,
    y_of: impl Fn(u64) -> f64,
) -> Drawn<DB> {
    let (_, h) = plot.size();
    plot.rect(x - 1.0, TOP, 1.0, h - BOTTOM - TOP, plot.palette.line_strong)?;
    let latency = &graphs.latency;
    let most = latency.counts.iter().copied().max().unwrap_or(0);
    if most == 0 {
        return Ok(());
    }
    for (i, &count) in latency.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let from = latency.bounds.get(i).copied().unwrap_or(0);
        let to = latency.bounds.get(i + 1).copied().unwrap_or(from.saturating_mul(2)).max(from + 1);
        let (top, bottom) = (y_of(to), y_of(from));
        let width = ((count as f64).sqrt() / (most as f64).sqrt() * HISTOGRAM).max(1.0);
        let height = (bottom - top - 0.4).max(2.0);
        plot.rect(x, bottom - height, width, height, plot.palette.text_3)?;
    }
    Ok(())
}

fn draw_legend<DB: DrawingBackend>(plot: &Plot<DB>) -> Drawn<DB> {
    let y = 15.0;
    plot.dot(LEFT + 8.0, y, 2.5, plot.palette.accent)?;
    plot.label(LEFT + 14.0, y, &words::INTERACTIVE)?;
    plot.dot(LEFT + 80.0, y, 2.5, plot.palette.text_3)?;
    plot.label(LEFT + 86.0, y, &words::OTHER)
}
