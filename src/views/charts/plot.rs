//! Helpers over plotters: sizes in screen dots, colours of the theme, texts with our fonts.

use crate::paint::{Palette, Rgba};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// What a chart can fail with: only what its surface fails with.
pub type Drawn<DB> = Result<(), DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>>;

/// A chart's surface with the look of the page.
pub struct Plot<'a, DB: DrawingBackend> {
    /// Whole area, screen dots.
    pub area: &'a DrawingArea<DB, Shift>,
    /// Theme.
    pub palette: &'a Palette,
    /// Screen dots per CSS pixel.
    pub dpr: f64,
}

/// Where a text lies against its x.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// Starts there.
    Left,
    /// Is centred there.
    Middle,
    /// Ends there.
    Right,
}

/// How a text looks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Look {
    /// Colour.
    pub colour: Rgba,
    /// Strong, 12 px instead of 11.
    pub strong: bool,
    /// Side.
    pub side: Side,
}

impl<DB: DrawingBackend> Plot<'_, DB> {
    /// Size, CSS pixels.
    pub fn size(&self) -> (f64, f64) {
        let (w, h) = self.area.dim_in_pixel();
        (f64::from(w) / self.dpr, f64::from(h) / self.dpr)
    }

    /// A CSS pixel in screen dots.
    pub fn dots(&self, px: f64) -> i32 {
        (px * self.dpr).round() as i32
    }

    fn at(&self, x: f64, y: f64) -> (i32, i32) {
        (self.dots(x), self.dots(y))
    }

    /// A filled box.
    pub fn rect(&self, x: f64, y: f64, w: f64, h: f64, colour: Rgba) -> Drawn<DB> {
        let (x0, y0) = self.at(x, y);
        // At least one dot: a small number must not look like none.
        let corner = ((x0 + 1).max(self.dots(x + w)), (y0 + 1).max(self.dots(y + h)));
        self.area.draw(&Rectangle::new([(x0, y0), corner], rgba(colour).filled()))
    }

    /// A line through points.
    pub fn path(&self, points: &[(f64, f64)], width: f64, colour: Rgba) -> Drawn<DB> {
        let points: Vec<(i32, i32)> = points.iter().map(|&(x, y)| self.at(x, y)).collect();
        let stroke = ((width * self.dpr).round() as u32).max(1);
        self.area.draw(&PathElement::new(points, rgba(colour).stroke_width(stroke)))
    }

    /// A dot.
    pub fn dot(&self, x: f64, y: f64, r: f64, colour: Rgba) -> Drawn<DB> {
        self.area.draw(&Circle::new(self.at(x, y), self.dots(r).max(1), rgba(colour).filled()))
    }

    /// A ring; what lies under it is covered.
    pub fn ring(&self, x: f64, y: f64, r: f64, colour: Rgba) -> Drawn<DB> {
        self.dot(x, y, r + 1.0, colour)?;
        self.dot(x, y, r - 1.0, self.palette.panel)
    }

    /// A text, vertically centred on y.
    pub fn text(&self, x: f64, y: f64, text: &str, look: Look) -> Drawn<DB> {
        let size = if look.strong { 12.0 } else { 11.0 } * self.dpr;
        let style = if look.strong { FontStyle::Bold } else { FontStyle::Normal };
        let side = match look.side {
            Side::Left => HPos::Left,
            Side::Middle => HPos::Center,
            Side::Right => HPos::Right,
        };
        let font = FontDesc::new(FontFamily::Name(&self.palette.font), size, style);
        let colour = rgba(look.colour);
        let style = TextStyle::from(font).color(&colour).pos(Pos::new(side, VPos::Center));
        self.area.draw(&Text::new(text.to_owned(), self.at(x, y), style))
    }

    /// Quiet text at the left.
    pub fn label(&self, x: f64, y: f64, text: &str) -> Drawn<DB> {
        self.text(x, y, text, Look { colour: self.palette.text_2, strong: false, side: Side::Left })
    }

    /// One sentence in the middle: there is nothing to draw yet.
    pub fn empty(&self, text: &str) -> Drawn<DB> {
        let (w, h) = self.size();
        self.text(w / 2.0, h / 2.0, text, Look { colour: self.palette.text_3, strong: false, side: Side::Middle })
    }
}

/// A colour for plotters.
pub fn rgba(colour: Rgba) -> RGBAColor {
    let [r, g, b, a] = colour.bytes();
    RGBAColor(r, g, b, f64::from(a) / 255.0)
}

/// Letters of a name that stands before its line or bar.
pub const NAME_LETTERS: usize = 14;

/// A name of at most so many letters. It is cut in its middle: names of one picture often begin alike.
pub fn shortened(name: &str, letters: usize) -> String {
    let length = name.chars().count();
    if length <= letters {
        return name.to_owned();
    }
    let tail = letters / 2;
    let head = name.chars().take(letters - tail - 1);
    head.chain(['…']).chain(name.chars().skip(length - tail)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_begin_alike_stay_apart_when_they_are_cut() {
        let kernels = [".26-rc cgroup:/foo", ".26-rc-smp-group cgroup:/", ".26-rc-smp-group cgroup:/foo"];
        let cut = kernels.map(|name| shortened(name, 20));
        assert_eq!(
            cut,
            [".26-rc cgroup:/foo", ".26-rc-sm…p cgroup:/", ".26-rc-sm…group:/foo"].map(|name| name.to_string())
        );
        assert!(cut.iter().all(|name| name.chars().count() <= 20), "{cut:?}");
    }
}
