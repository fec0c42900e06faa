//! Slices as shapes, gathered by colour so that each colour is filled once.

use super::scene::Edge;
use crate::paint::{Align, Fill, Font, Painter, Palette, Pen, Rect, Rgba};

/// Narrower slices have no edge, px.
pub const EDGE_MIN: f64 = 7.0;
/// Narrower slices have no name, px.
pub const NAME_MIN: f64 = 19.0;
/// Narrower slices are drawn as dots of a strip, px.
pub const SHAPE_MIN: f64 = 3.0;

/// A slice in its place.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Shape {
    /// Box.
    pub at: Rect,
    /// Right edge.
    pub edge: Edge,
    /// Colour of the text on it.
    pub ink: Rgba,
    /// Whom it shows.
    pub task: u32,
    /// Another task has the same colour: striped top edge.
    pub repeated: bool,
}

/// Shapes by colour. Keeps its memory from frame to frame.
#[derive(Default, Debug)]
pub struct Batch {
    buckets: Vec<(Rgba, Vec<Shape>)>,
    used: usize,
}

impl Batch {
    /// Empties it.
    pub fn clear(&mut self) {
        for (_, shapes) in self.buckets.iter_mut().take(self.used) {
            shapes.clear();
        }
        self.used = 0;
    }

    /// Adds a shape.
    pub fn put(&mut self, colour: Rgba, shape: Shape) {
        let known = self.buckets.iter().take(self.used).position(|(c, _)| *c == colour);
        let index = known.unwrap_or_else(|| {
            if self.buckets.len() == self.used {
                self.buckets.push((colour, Vec::new()));
            }
            self.buckets[self.used].0 = colour;
            self.used += 1;
            self.used - 1
        });
        self.buckets[index].1.push(shape);
    }

    /// All shapes with their colours.
    fn buckets(&self) -> impl Iterator<Item = (Rgba, &[Shape])> {
        self.buckets.iter().take(self.used).map(|(c, s)| (*c, s.as_slice()))
    }

    /// All shapes.
    pub fn shapes(&self) -> impl Iterator<Item = &Shape> {
        self.buckets().flat_map(|(_, shapes)| shapes)
    }

    /// Fills the bodies, then the marks that belong to the edges.
    pub fn draw(&self, p: &mut dyn Painter, palette: &Palette) {
        for (colour, shapes) in self.buckets() {
            p.begin();
            for shape in shapes {
                body(p, shape);
            }
            p.fill(Fill::Solid(colour));
        }
        self.draw_bars(p);
        self.draw_feet(p, palette);
        self.draw_crosses(p);
        self.draw_stripes(p, palette);
    }

    fn wide(&self, edge: Edge, least: f64) -> impl Iterator<Item = &Shape> {
        self.shapes().filter(move |s| s.edge == edge && s.at.w >= least)
    }

    fn draw_bars(&self, p: &mut dyn Painter) {
        for shape in self.wide(Edge::Bar, EDGE_MIN) {
            let at = Rect::new(shape.at.right() - 4.0, shape.at.y, 2.0, shape.at.h);
            p.fill_rect(at, Fill::Solid(shape.ink.with_alpha(204)));
        }
    }

    fn draw_feet(&self, p: &mut dyn Painter, palette: &Palette) {
        for shape in self.wide(Edge::Foot, EDGE_MIN) {
            let h = (shape.at.h * 0.39).min(8.5);
            let foot = Rect::new(shape.at.right() - 5.5, shape.at.bottom() - h, 5.0, h);
            p.fill_rect(foot, Fill::Solid(palette.st_io));
            p.stroke_rect(foot, Pen::solid(palette.panel, 1.0));
        }
    }

    fn draw_crosses(&self, p: &mut dyn Painter) {
        for shape in self.wide(Edge::Cross, 20.0) {
            let (x, y) = (shape.at.right() - 19.0, shape.at.y + shape.at.h / 2.0 - 4.0);
            p.begin();
            p.move_to(x, y);
            p.line_to(x + 8.0, y + 8.0);
            p.move_to(x + 8.0, y);
            p.line_to(x, y + 8.0);
            p.stroke(Pen::solid(shape.ink, 1.75));
        }
    }

    /// Tasks 19 and later share colours: their slices have a striped top edge.
    fn draw_stripes(&self, p: &mut dyn Painter, palette: &Palette) {
        let wide = self.shapes().filter(|s| s.repeated && s.at.w >= EDGE_MIN && s.at.h >= 12.0);
        let pen = Pen::dashed(palette.panel, 2.0, 3, 3);
        let mut any = false;
        p.begin();
        for shape in wide {
            any = true;
            p.move_to(shape.at.x, shape.at.y + 1.0);
            p.line_to(shape.at.right() - 2.0, shape.at.y + 1.0);
        }
        if any {
            p.stroke(pen);
        }
    }

    /// Writes the names that fit whole.
    pub fn draw_names<'a>(&self, p: &mut dyn Painter, name: impl Fn(u32) -> &'a str) {
        for shape in self.shapes().filter(|s| s.at.h >= 14.0 && s.at.w >= NAME_MIN - 1.0) {
            let text = name(shape.task);
            let room = shape.at.w - if shape.edge == Edge::Cross { 26.0 } else { 9.0 };
            if !text.is_empty() && p.text_width(text, Font::Small) <= room {
                let base = shape.at.y + shape.at.h / 2.0 + 4.0;
                p.text(shape.at.x + 6.0, base, text, Font::Small, shape.ink, Align::Left);
            }
        }
    }
}

/// Adds the outline of a slice to the path.
fn body(p: &mut dyn Painter, shape: &Shape) {
    let Rect { x, y, w, h } = shape.at;
    let (right, bottom) = (x + w, y + h);
    let e = (w * 0.4).min(5.0);
    if w < EDGE_MIN {
        return p.rect(shape.at);
    }
    match shape.edge {
        Edge::Plain | Edge::Bar => p.rect(shape.at),
        Edge::Bitten => figure(p, &[(x, y), (right, y), (right - e, y + h / 2.0), (right, bottom), (x, bottom)]),
        Edge::Cut | Edge::Foot | Edge::Cross => {
            let down = (e * 1.9).min(h * 0.45);
            figure(p, &[(x, y), (right - e * 1.6, y), (right, y + down), (right, bottom), (x, bottom)]);
        }
        Edge::Under => {
            let up = (e * 1.9).min(h * 0.45);
            figure(p, &[(x, y), (right, y), (right, bottom - up), (right - e * 1.6, bottom), (x, bottom)]);
        }
    }
}

fn figure(p: &mut dyn Painter, points: &[(f64, f64)]) {
    for (i, &(x, y)) in points.iter().enumerate() {
        if i == 0 { p.move_to(x, y) } else { p.line_to(x, y) }
    }
    p.close();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::palette::dark;
    use crate::paint::recording::RecordingPainter;

    fn shape(x: f64, w: f64, edge: Edge, task: u32) -> Shape {
        Shape { at: Rect::new(x, 0.0, w, 22.0), edge, ink: Rgba(0xffff_ffff), task, repeated: false }
    }

    #[test]
    fn a_colour_is_filled_once_however_many_slices_it_has() {
        let (mut batch, mut p) = (Batch::default(), RecordingPainter::default());
        for i in 0..50 {
            batch.put(Rgba(1 + i % 2), shape(f64::from(i) * 10.0, 9.0, Edge::Bitten, i));
        }
        batch.draw(&mut p, &dark());
        let count = |c| p.paths(Fill::Solid(Rgba(c))).len();
        assert_eq!((count(1), count(2)), (1, 1));
        assert_eq!(p.paths(Fill::Solid(Rgba(1)))[0].len(), 25 * 5);
        batch.clear();
        assert_eq!(batch.shapes().count(), 0);
    }

    #[test]
    fn names_are_written_only_where_they_fit_whole() {
        let (mut batch, mut p) = (Batch::default(), RecordingPainter::default());
        batch.put(Rgba(1), shape(0.0, 60.0, Edge::Plain, 0));
        batch.put(Rgba(1), shape(70.0, 30.0, Edge::Plain, 0));
        batch.put(Rgba(1), shape(110.0, 45.0, Edge::Cross, 0));
        batch.draw_names(&mut p, |_| "hog/2");
        assert_eq!(p.texts(), ["hog/2"]);
    }

    #[test]
    fn an_io_slice_stands_on_an_orange_foot() {
        let (mut batch, mut p) = (Batch::default(), RecordingPainter::default());
        batch.put(Rgba(1), shape(0.0, 60.0, Edge::Foot, 0));
        batch.put(Rgba(1), shape(70.0, 5.0, Edge::Foot, 0));
        let palette = dark();
        batch.draw(&mut p, &palette);
        assert_eq!(p.rects(Fill::Solid(palette.st_io)).len(), 1);
    }
}
