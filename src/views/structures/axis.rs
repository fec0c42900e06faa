//! Entities on an axis of virtual time: where each stands, until when it asks for service, and the line that decides
//! who may be picked. Left of the line service is owed.

use super::board::Board;
use super::motion::{Key, MOVE_MS};
use crate::paint::{Align, Fill, Font, Pen, Rect, number};
use crate::text::pictures as words;
use sim_core::engine::protocol::{EntityView, SpanView};

/// Height of a row, px.
const ROW: f64 = 24.0;
/// Height of the heads above the rows, px.
const HEAD: f64 = 40.0;
/// Rows drawn in the full view and in the run view.
const ROWS_MAX: [usize; 2] = [32, 8];
/// Width of names and lags, px.
const NAME: f64 = 110.0;
const LAG: f64 = 104.0;

/// The shape as a policy showed it.
pub struct Axis<'a> {
    /// Name of the line.
    pub line: &'a str,
    /// Where the line is.
    pub at: i64,
    /// Entities, earliest end first.
    pub spans: &'a [SpanView],
}

/// Virtual time on x, relative to the line: keys wrap in the kernel.
struct Scale {
    zero: i64,
    low: f64,
    high: f64,
    left: f64,
    right: f64,
}

impl Scale {
    fn new(axis: &Axis, shown: &[&SpanView], left: f64, right: f64) -> Scale {
        let (mut low, mut high) = (0.0_f64, 0.0_f64);
        for key in shown.iter().flat_map(|span| [span.at, span.until]) {
            let relative = key.wrapping_sub(axis.at) as f64;
            (low, high) = (low.min(relative), high.max(relative));
        }
        let pad = ((high - low) * 0.06).max(1000.0);
        Scale { zero: axis.at, low: low - pad, high: high + pad, left, right }
    }

    fn x(&self, key: i64) -> f64 {
        let relative = key.wrapping_sub(self.zero) as f64;
        self.left + (relative - self.low) / (self.high - self.low) * (self.right - self.left)
    }

    /// Distance of ticks, ns: 1, 2, 5 times a power of ten.
    fn step(&self) -> f64 {
        let least = (self.high - self.low) / ((self.right - self.left) / 74.0).max(1.0);
        let mut step = 1000.0;
        loop {
            for times in [1.0, 2.0, 5.0] {
                if step * times >= least {
                    return step * times;
                }
            }
            step *= 10.0;
        }
    }
}

/// The rows that are drawn: the pick and the runner are always among them.
fn shown<'a>(axis: &Axis<'a>, limit: usize) -> Vec<&'a SpanView> {
    let is_main = |span: &SpanView| span.picked || span.running;
    let mut others = limit.saturating_sub(axis.spans.iter().filter(|span| is_main(span)).count());
    let mut rows = Vec::new();
    for span in axis.spans {
        let fits = others > 0;
        if is_main(span) {
            rows.push(span);
        } else if fits {
            others -= 1;
            rows.push(span);
        }
    }
    rows
}

/// Draws the axis; returns the height.
#[inline(never)] // the page loads it later: xtask/src/parts.rs
pub fn draw(b: &mut Board, x: f64, y: f64, w: f64, axis: &Axis, full: bool) -> f64 {
    let rows = shown(axis, ROWS_MAX[usize::from(!full)]);
    let narrow = w < 560.0;
    let (name_w, lag_w) = if narrow { (78.0, 70.0) } else { (NAME, LAG) };
    let scale = Scale::new(axis, &rows, x + name_w, x + w - lag_w);
    let (top, bottom) = (y + HEAD, y + HEAD + rows.len() as f64 * ROW);
    draw_ground(b, &scale, top, bottom);
    draw_ticks(b, &scale, bottom);
    for (i, span) in rows.iter().enumerate() {
        let target = (x, top + i as f64 * ROW);
        let key = match span.entity {
            EntityView::Task(task) => Key::TaskSpan(task),
            EntityView::Group(group) => Key::GroupSpan(group),
        };
        let place = b.motion.place(key, target, MOVE_MS);
        draw_row(b, Rect::new(x, place.at.1, w, ROW), span, axis, &scale, name_w);
        if place.marked {
            b.p.stroke_rect(Rect::new(x, target.1, w, ROW).inset(1.0), Pen::solid(b.palette.accent, 2.0));
        }
    }
    draw_line(b, &scale, axis, y, bottom);
    b.p.text(x + w - 4.0, y + 34.0, &words::LAG, Font::Small, b.palette.text_3, Align::Right);
    let mut end = bottom + 22.0;
    if !narrow {
        b.p.text(x + name_w, end + 12.0, &words::AXIS_HELP, Font::Small, b.palette.text_3, Align::Left);
        end += 18.0;
    }
    if axis.spans.len() > rows.len() {
        let text = words::more(axis.spans.len() - rows.len());
        b.p.text(x, end + 12.0, &text, Font::Small, b.palette.text_2, Align::Left);
        end += 18.0;
    }
    end - y + 6.0
}

/// The side on which service is owed is raised, the other one hatched.
fn draw_ground(b: &mut Board, scale: &Scale, top: f64, bottom: f64) {
    let (palette, line) = (b.palette, scale.x(scale.zero));
    let (owed, ahead) = (
        Rect::new(scale.left, top, line - scale.left, bottom - top),
        Rect::new(line, top, scale.right - line, bottom - top),
    );
    b.p.fill_rect(owed, Fill::Solid(palette.raised));
    b.p.fill_rect(ahead, Fill::Solid(palette.sunken));
    let room = |b: &mut Board, text: &str, of: Rect| b.p.text_width(text, Font::Small) + 12.0 <= of.w;
    if room(b, &words::ELIGIBLE, owed) {
        b.p.text(owed.right() - 6.0, top - 6.0, &words::ELIGIBLE, Font::Small, palette.text_2, Align::Right);
    }
    if room(b, &words::NOT_ELIGIBLE, ahead) {
        b.p.text(ahead.x + 6.0, top - 6.0, &words::NOT_ELIGIBLE, Font::Small, palette.text_3, Align::Left);
    }
}

fn draw_ticks(b: &mut Board, scale: &Scale, y: f64) {
    let palette = b.palette;
    b.p.fill_rect(Rect::new(scale.left, y, scale.right - scale.left, 1.0), Fill::Solid(palette.line_strong));
    let step = scale.step();
    let decimals = if step >= 1e6 {
        0
    } else if step >= 1e5 {
        1
    } else {
        2
    };
    let first = (scale.low / step).ceil() as i64;
    let last = (scale.high / step).floor() as i64;
    for i in first..=last.min(first + 64) {
        let key = (i as f64 * step) as i64;
        let x = scale.x(scale.zero.wrapping_add(key));
        b.p.fill_rect(Rect::new(x - 0.5, y, 1.0, 4.0), Fill::Solid(palette.line_strong));
        let sign = if key < 0 {
            "−"
        } else if key > 0 {
            "+"
        } else {
            ""
        };
        let label = match key {
            0 => "V".to_owned(),
            _ => format!("{sign}{}", number::fixed(key.unsigned_abs(), number::MS, decimals)),
        };
        b.p.text(x, y + 16.0, &label, Font::Small, palette.text_3, Align::Centre);
    }
    b.p.text(scale.right + 8.0, y + 16.0, "ms", Font::Small, palette.text_3, Align::Left);
}

fn draw_line(b: &mut Board, scale: &Scale, axis: &Axis, y: f64, bottom: f64) {
    let (x, palette) = (scale.x(axis.at), b.palette);
    b.p.fill_rect(Rect::new(x - 0.75, y + 18.0, 1.5, bottom - y - 14.0), Fill::Solid(palette.warn));
    let half = b.p.text_width(axis.line, Font::SmallStrong) / 2.0;
    let at = x.max(scale.left + half).min(scale.right - half);
    b.p.text(at, y + 13.0, axis.line, Font::SmallStrong, palette.warn, Align::Centre);
}

fn draw_row(b: &mut Board, at: Rect, span: &SpanView, axis: &Axis, scale: &Scale, name_w: f64) {
    let palette = b.palette;
    b.hits.push((at, span.entity));
    let (colour, text, base) = (b.colour(span.entity), b.text_colour(span.entity), at.y + 16.0);
    if span.picked {
        b.p.stroke_rect(at.inset(1.0), Pen::solid(palette.accent, 1.5));
    }
    b.p.fill_rect(Rect::new(at.x + 4.0, at.y + 8.0, 8.0, 8.0), Fill::Solid(colour));
    let name = if span.running { format!("▸ {}", b.name(span.entity)) } else { b.name(span.entity) };
    b.p.text_within(at.x + 16.0, base, name_w - 22.0, &name, Font::BodyStrong, text);
    let (from, to, middle) = (scale.x(span.at), scale.x(span.until), at.y + 12.0);
    let bar = Rect::new(from, middle - 4.0, (to - from).max(1.0), 8.0);
    if span.eligible {
        b.p.fill_rect(bar, Fill::Solid(colour.over(palette.panel, 0.5)));
        b.p.stroke_rect(bar, Pen::solid(colour, 1.0));
    } else {
        b.p.fill_rect(bar, Fill::Unknown);
        b.p.stroke_rect(bar, Pen::dashed(colour, 1.0, 3, 2));
    }
    b.p.begin();
    b.p.circle(from, middle, 4.5);
    b.p.fill(Fill::Solid(if span.eligible { colour } else { palette.panel }));
    b.p.stroke(Pen::solid(colour, 1.5));
    b.p.begin();
    b.p.move_to(to, middle + 7.0);
    b.p.line_to(to, middle - 8.0);
    b.p.line_to(to + 8.0, middle - 4.5);
    b.p.line_to(to, middle - 1.0);
    b.p.stroke(Pen::solid(colour, 1.5));
    let lag = number::value(axis.at.wrapping_sub(span.at), "virtual");
    let lag_x = at.right() - 10.0 - b.p.text_width(&lag, Font::Body);
    // Where the word has no room, the frame around the row says it.
    if span.picked && to + 13.0 + b.p.text_width(&words::PICK, Font::SmallStrong) <= lag_x {
        b.p.text(to + 13.0, base, &words::PICK, Font::SmallStrong, palette.accent, Align::Left);
    }
    b.p.text(at.right() - 4.0, base, &lag, Font::Body, if span.eligible { text } else { palette.text_3 }, Align::Right);
}
