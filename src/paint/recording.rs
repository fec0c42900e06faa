//! A painter that writes down what it is told, for tests.

use super::painter::{Align, Fill, Font, Painter, Pen, Rect, Strips};
use super::palette::Rgba;

/// One thing that was painted.
#[derive(Clone, PartialEq, Debug)]
pub enum Mark {
    /// A filled box.
    Rect(Rect, Fill),
    /// An outlined box.
    Outline(Rect, Pen),
    /// A filled path: its points.
    Path(Vec<(f64, f64)>, Fill),
    /// A stroked path.
    Stroke(Vec<(f64, f64)>, Pen),
    /// A text with the x of its left end.
    Text(f64, f64, String, Font, Rgba),
    /// Rows of dots: number of rows.
    Strips(usize),
}

/// See the module.
#[derive(Default)]
pub struct RecordingPainter {
    /// All marks in order.
    pub marks: Vec<Mark>,
    path: Vec<(f64, f64)>,
    clips: usize,
}

impl RecordingPainter {
    /// The texts in order.
    pub fn texts(&self) -> Vec<&str> {
        self.marks
            .iter()
            .filter_map(|m| if let Mark::Text(_, _, t, ..) = m { Some(t.as_str()) } else { None })
            .collect()
    }

    /// Boxes with a fill.
    pub fn rects(&self, fill: Fill) -> Vec<Rect> {
        self.marks
            .iter()
            .filter_map(|m| match m {
                Mark::Rect(r, f) if *f == fill => Some(*r),
                _ => None,
            })
            .collect()
    }

    /// Filled paths with a fill, all their points in one list.
    pub fn paths(&self, fill: Fill) -> Vec<&[(f64, f64)]> {
        self.marks
            .iter()
            .filter_map(|m| match m {
                Mark::Path(p, f) if *f == fill => Some(p.as_slice()),
                _ => None,
            })
            .collect()
    }

    /// Asserts that every clip was ended.
    pub fn assert_balanced(&self) {
        assert_eq!(self.clips, 0, "a clip was left open");
    }
}

impl Painter for RecordingPainter {
    fn fill_rect(&mut self, rect: Rect, fill: Fill) {
        assert!(rect.w.is_finite() && rect.h.is_finite() && rect.x.is_finite() && rect.y.is_finite(), "{rect:?}");
        self.marks.push(Mark::Rect(rect, fill));
    }
    fn stroke_rect(&mut self, rect: Rect, pen: Pen) {
        self.marks.push(Mark::Outline(rect, pen));
    }
    fn begin(&mut self) {
        self.path.clear();
    }
    fn move_to(&mut self, x: f64, y: f64) {
        self.path.push((x, y));
    }
    fn line_to(&mut self, x: f64, y: f64) {
        assert!(x.is_finite() && y.is_finite());
        self.path.push((x, y));
    }
    fn curve_to(&mut self, c1: (f64, f64), c2: (f64, f64), to: (f64, f64)) {
        self.path.extend([c1, c2, to]);
    }
    fn circle(&mut self, x: f64, y: f64, r: f64) {
        self.path.extend([(x - r, y), (x + r, y)]);
    }
    fn rect(&mut self, r: Rect) {
        self.path.extend([(r.x, r.y), (r.right(), r.bottom())]);
    }
    fn round_rect(&mut self, rect: Rect, _r: f64) {
        self.rect(rect);
    }
    fn close(&mut self) {}
    fn fill(&mut self, fill: Fill) {
        self.marks.push(Mark::Path(self.path.clone(), fill));
    }
    fn stroke(&mut self, pen: Pen) {
        self.marks.push(Mark::Stroke(self.path.clone(), pen));
    }
    fn text(&mut self, x: f64, y: f64, text: &str, font: Font, colour: Rgba, align: Align) {
        let width = self.text_width(text, font);
        let left = match align {
            Align::Left => x,
            Align::Centre => x - width / 2.0,
            Align::Right => x - width,
        };
        self.marks.push(Mark::Text(left, y, text.to_owned(), font, colour));
    }
    fn text_width(&mut self, text: &str, font: Font) -> f64 {
        let per_char = match font {
            Font::Small => 5.5,
            Font::SmallStrong => 5.9,
            Font::Body => 6.0,
            Font::BodyStrong => 6.4,
            Font::Mono | Font::MonoStrong => 6.6,
        };
        text.chars().count() as f64 * per_char
    }
    fn clip(&mut self, _rect: Rect) {
        self.clips += 1;
    }
    fn unclip(&mut self) {
        self.clips = self.clips.checked_sub(1).expect("every unclip has its clip");
    }
    fn alpha(&mut self, alpha: f64) {
        assert!((0.0..=1.0).contains(&alpha));
    }
    fn strips(&mut self, strips: &Strips) {
        assert_eq!(strips.pixels.len(), strips.rows.len() * strips.dots * 4);
        self.marks.push(Mark::Strips(strips.rows.len()));
    }
}
