//! Curves over a number, with published values as rings where there are any; directly labelled.

use super::plot::{Drawn, Look, Plot, Side, shortened};
use crate::paint::Rgba;
use plotters::prelude::*;

/// Left gutter, px.
const LEFT: f64 = 56.0;
/// Width of a letter of a label, px: on the safe side.
const LETTER: f64 = 7.4;
/// Longest unit on the axis, letters; a longer one stands in the heading.
const UNIT_LETTERS: usize = 4;
/// Longest label, letters.
const LABEL_LETTERS: usize = 20;
/// Room above and below, px.
const TOP: f64 = 14.0;
const BOTTOM: f64 = 38.0;
/// Least distance of two labels, px.
const LABEL_GAP: f64 = 14.0;

/// A published value.
#[derive(Clone, PartialEq, Debug)]
pub struct Ring {
    /// Where.
    pub x: f64,
    /// Mean.
    pub y: f64,
    /// Smallest and largest run.
    pub range: (f64, f64),
}

/// A curve.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Curve {
    /// Label at its end.
    pub label: String,
    /// Points in order of x.
    pub points: Vec<(f64, f64)>,
    /// Published values.
    pub rings: Vec<Ring>,
}

/// A chart of curves.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Chart {
    /// Curves; each has a colour, a dash and a marker of its own.
    pub curves: Vec<Curve>,
    /// Under the axis.
    pub x_label: String,
    /// Unit of y, after the topmost number.
    pub y_unit: String,
    /// Range of x; grows no further while points come in.
    pub x_range: (f64, f64),
    /// x grows by factors.
    pub x_log: bool,
    /// Words of the legend for rings and lines; empty: no legend.
    pub legend: Option<(String, String)>,
    /// While there is no point.
    pub empty: String,
}

impl Chart {
    fn ys(&self) -> impl Iterator<Item = f64> + '_ {
        let of = |curve: &Curve| {
            let rings = curve.rings.iter().map(|ring| ring.range.1.max(ring.y));
            curve.points.iter().map(|point| point.1).chain(rings).collect::<Vec<_>>()
        };
        self.curves.iter().flat_map(of)
    }
}

/// A step of 1, 2 or 5 times a power of ten, so that about `count` of them fill `span`.
fn nice_step(span: f64, count: f64) -> f64 {
    let raw = (span / count).max(f64::MIN_POSITIVE);
    let unit = 10_f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().find(|step| step * unit >= raw);
    step.unwrap_or(10.0) * unit
}

/// A number of an axis with steps of `step`.
pub fn axis_number(value: f64, step: f64) -> String {
    let decimals = if step >= 1.0 { 0 } else { (-step.log10()).ceil().clamp(0.0, 6.0) as usize };
    if decimals == 0 { crate::paint::number::whole(value.round() as i64) } else { format!("{value:.decimals$}") }
}

struct Frame<'a> {
    chart: &'a Chart,
    right: f64,
    bottom: f64,
    y_top: f64,
}

impl Frame<'_> {
    fn x(&self, value: f64) -> f64 {
        let (from, to) = self.chart.x_range;
        let at = |value: f64| if self.chart.x_log { value.max(1e-9).ln() } else { value };
        let span = at(to) - at(from);
        let share = if span > 0.0 { (at(value) - at(from)) / span } else { 0.5 };
        LEFT + share * (self.right - LEFT)
    }

    fn y(&self, value: f64) -> f64 {
        self.bottom - value / self.y_top * (self.bottom - TOP)
    }
}

/// Draws the chart.
pub fn draw<DB: DrawingBackend>(plot: &Plot<DB>, chart: &Chart) -> Drawn<DB> {
    let (w, h) = plot.size();
    let most = chart.ys().fold(0.0, f64::max);
    if w < 200.0 || h < 90.0 {
        return Ok(());
    }
    if chart.curves.iter().all(|curve| curve.points.is_empty() && curve.rings.is_empty()) {
        return plot.empty(&chart.empty);
    }
    let step = nice_step(if most > 0.0 { most } else { 1.0 }, ((h - TOP - BOTTOM) / 60.0).max(2.0));
    let y_top = (most / step).ceil().max(1.0) * step;
    let longest =
        chart.curves.iter().map(|curve| shortened(&curve.label, LABEL_LETTERS).chars().count()).max().unwrap_or(0);
    let right = w - 12.0 - LETTER * longest as f64;
    let frame = Frame { chart, right, bottom: h - BOTTOM, y_top };
    axes(plot, &frame, step, h)?;
    for (index, curve) in chart.curves.iter().enumerate() {
        one(plot, &frame, index, curve)?;
    }
    labels(plot, &frame)?;
    legend(plot, chart)
}

fn axes<DB: DrawingBackend>(plot: &Plot<DB>, frame: &Frame, step: f64, h: f64) -> Drawn<DB> {
    let quiet = Look { colour: plot.palette.text_3, strong: false, side: Side::Right };
    let lines = (frame.y_top / step).round() as u32;
    for line in 0..=lines {
        let value = f64::from(line) * step;
        let y = frame.y(value);
        plot.rect(LEFT, y, frame.right - LEFT, 1.0, plot.palette.line)?;
        let unit = &frame.chart.y_unit;
        let is_short = unit.chars().count() <= UNIT_LETTERS;
        let unit = if line == lines && is_short { format!(" {unit}") } else { String::new() };
        plot.text(LEFT - 6.0, y, &format!("{}{unit}", axis_number(value, step)), quiet)?;
    }
    let middle = Look { side: Side::Middle, ..quiet };
    for (x, text) in x_ticks(frame) {
        plot.text(x, frame.bottom + 12.0, &text, middle)?;
    }
    plot.text((LEFT + frame.right) / 2.0, h - 10.0, &frame.chart.x_label, middle)
}

/// Numbers under the axis: those of the curves as far as they fit, so that a point stands over its number.
fn x_ticks(frame: &Frame) -> Vec<(f64, String)> {
    let of = |curve: &Curve| {
        let rings = curve.rings.iter().map(|ring| ring.x);
        curve.points.iter().map(|point| point.0).chain(rings).collect::<Vec<_>>()
    };
    let mut values: Vec<f64> = frame.chart.curves.iter().flat_map(of).collect();
    values.extend([frame.chart.x_range.0, frame.chart.x_range.1]);
    values.sort_by(f64::total_cmp);
    values.dedup();
    let mut ticks: Vec<(f64, String)> = Vec::new();
    for value in values {
        let (x, text) = (frame.x(value), axis_number(value, if value.fract() == 0.0 { 1.0 } else { 0.1 }));
        let room = 8.0 + 6.5 * text.chars().count() as f64;
        if ticks.last().is_none_or(|(last, _)| x - last >= room) {
            ticks.push((x, text));
        }
    }
    ticks
}

/// Colour of curve number `index`.
pub fn colour(palette: &crate::paint::Palette, index: usize) -> Rgba {
    match palette.side.get(index) {
        Some(colour) => *colour,
        None => palette.task[index % palette.task.len()],
    }
}

fn one<DB: DrawingBackend>(plot: &Plot<DB>, frame: &Frame, index: usize, curve: &Curve) -> Drawn<DB> {
    let colour = colour(plot.palette, index);
    let points: Vec<(f64, f64)> = curve.points.iter().map(|&(x, y)| (frame.x(x), frame.y(y))).collect();
    if points.len() > 1 {
        if index.is_multiple_of(2) {
            plot.path(&points, 2.0, colour)?;
        } else {
            dashed(plot, &points, colour)?;
        }
    }
    for &(x, y) in &points {
        if index.is_multiple_of(2) {
            plot.dot(x, y, 2.5, colour)?;
        } else {
            plot.rect(x - 2.5, y - 2.5, 5.0, 5.0, colour)?;
        }
    }
    for ring in &curve.rings {
        let (x, low, high) = (frame.x(ring.x), frame.y(ring.range.0), frame.y(ring.range.1));
        if low - high > 1.0 {
            plot.path(&[(x, low), (x, high)], 1.5, colour)?;
            plot.path(&[(x - 4.0, low), (x + 4.0, low)], 1.5, colour)?;
            plot.path(&[(x - 4.0, high), (x + 4.0, high)], 1.5, colour)?;
        }
        plot.ring(x, frame.y(ring.y), 4.5, colour)?;
    }
    Ok(())
}

/// Odd curves are dashed: colour alone would not tell them apart.
fn dashed<DB: DrawingBackend>(plot: &Plot<DB>, points: &[(f64, f64)], colour: Rgba) -> Drawn<DB> {
    const ON: f64 = 7.0;
    const OFF: f64 = 4.0;
    for pair in points.windows(2) {
        let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
        let length = (x1 - x0).hypot(y1 - y0);
        let at = |d: f64| (x0 + (x1 - x0) * d / length, y0 + (y1 - y0) * d / length);
        let mut d = 0.0;
        while d < length {
            plot.path(&[at(d), at((d + ON).min(length))], 2.0, colour)?;
            d += ON + OFF;
        }
    }
    Ok(())
}

/// Names at the ends of the curves, moved apart where they would touch.
fn labels<DB: DrawingBackend>(plot: &Plot<DB>, frame: &Frame) -> Drawn<DB> {
    let end = |(index, curve): (usize, &Curve)| {
        // Published values are all there from the start: the name stays at their end while ours come in.
        let ring = curve.rings.last().map(|ring| (ring.x, ring.y));
        let (x, y) = ring.or(curve.points.last().copied())?;
        Some((frame.y(y), frame.x(x), index, curve.label.clone()))
    };
    let mut ends: Vec<_> = frame.chart.curves.iter().enumerate().filter_map(end).collect();
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut above = f64::NEG_INFINITY;
    for (y, x, index, label) in ends {
        let y = y.max(above + LABEL_GAP);
        above = y;
        let look = Look { colour: colour(plot.palette, index), strong: true, side: Side::Left };
        plot.text(x.min(frame.right) + 9.0, y, &shortened(&label, LABEL_LETTERS), look)?;
    }
    Ok(())
}

fn legend<DB: DrawingBackend>(plot: &Plot<DB>, chart: &Chart) -> Drawn<DB> {
    let Some((ring, line)) = &chart.legend else { return Ok(()) };
    plot.ring(LEFT + 14.0, TOP + 10.0, 4.5, plot.palette.text_2)?;
    plot.label(LEFT + 26.0, TOP + 10.0, ring)?;
    plot.path(&[(LEFT + 8.0, TOP + 28.0), (LEFT + 20.0, TOP + 28.0)], 2.0, plot.palette.text_2)?;
    plot.label(LEFT + 26.0, TOP + 28.0, line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_an_axis_read_well() {
        assert_eq!(nice_step(9.15, 5.0), 2.0);
        assert_eq!(nice_step(1.0, 5.0), 0.2);
        assert_eq!(nice_step(130_000.0, 5.0), 50_000.0);
        assert_eq!(axis_number(0.2, 0.2), "0.2");
        assert_eq!(axis_number(40_000.0, 10_000.0), "40\u{202f}000");
    }
}
