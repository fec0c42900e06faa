//! What a view can say to a drawing surface. Coordinates are CSS pixels; a surface scales them to its own dots.

use super::palette::Rgba;

/// An axis-parallel box, CSS pixels.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Rect {
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Width.
    pub w: f64,
    /// Height.
    pub h: f64,
}

impl Rect {
    /// A box from its corner and size.
    pub const fn new(x: f64, y: f64, w: f64, h: f64) -> Rect {
        Rect { x, y, w, h }
    }

    /// Right edge.
    pub fn right(self) -> f64 {
        self.x + self.w
    }

    /// Lower edge.
    pub fn bottom(self) -> f64 {
        self.y + self.h
    }

    /// Centre.
    pub fn centre(self) -> (f64, f64) {
        (self.x + self.w / 2.0, self.y + self.h / 2.0)
    }

    /// Whether a point lies in it (left and top edge inclusive).
    pub fn contains(self, x: f64, y: f64) -> bool {
        x >= self.x && x < self.right() && y >= self.y && y < self.bottom()
    }

    /// Smaller on every side by `d` (larger if negative).
    pub fn inset(self, d: f64) -> Rect {
        Rect::new(self.x + d, self.y + d, self.w - 2.0 * d, self.h - 2.0 * d)
    }
}

/// What fills a shape. The patterns are part of the vocabulary of states: shape before colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fill {
    /// One colour.
    Solid(Rgba),
    /// Dense diagonal hatch: runnable, waits for a CPU.
    Waiting,
    /// Light diagonal hatch: the queue under a CPU's run bar.
    Queue,
    /// Dots: waits for I/O.
    Io,
    /// Dots: waits for a lock.
    Lock,
    /// Wide grey hatch: not known yet, or pretended.
    Unknown,
}

/// Type sizes of the tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Font {
    /// 11 px.
    Small,
    /// 11 px, strong.
    SmallStrong,
    /// 12 px.
    Body,
    /// 12 px, strong.
    BodyStrong,
    /// 11 px, fixed width.
    Mono,
    /// 11 px, fixed width, strong.
    MonoStrong,
}

/// Where a text lies against its x.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Align {
    /// Starts there.
    Left,
    /// Is centred there.
    Centre,
    /// Ends there.
    Right,
}

/// Dash pattern: drawn, left out, px. `Dash(0, 0)` is solid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dash(pub u8, pub u8);

/// A line.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pen {
    /// Colour.
    pub colour: Rgba,
    /// Width, px.
    pub width: f64,
    /// Dashes.
    pub dash: Dash,
}

impl Pen {
    /// A solid line.
    pub const fn solid(colour: Rgba, width: f64) -> Pen {
        Pen { colour, width, dash: Dash(0, 0) }
    }

    /// A dashed line.
    pub const fn dashed(colour: Rgba, width: f64, on: u8, off: u8) -> Pen {
        Pen { colour, width, dash: Dash(on, off) }
    }
}

/// Rows of single dots, each stretched to a lane's height: the way to draw more slices than there are pixels. The
/// cost depends on the number of dots, never on the number of slices.
#[derive(Default, Debug)]
pub struct Strips {
    /// Left edge of all rows, px.
    pub x: f64,
    /// Device dots per row.
    pub dots: usize,
    /// Device dots per CSS pixel.
    pub dpr: f64,
    /// Top and height of each row, px.
    pub rows: Vec<(f64, f64)>,
    /// `rows.len() * dots` dots, bytes red, green, blue, alpha.
    pub pixels: Vec<u8>,
}

impl Strips {
    /// Empties it for a new picture of `width` px from `x` on. Keeps its memory.
    pub fn reset(&mut self, x: f64, width: f64, dpr: f64) {
        self.x = x;
        self.dpr = dpr;
        self.dots = (width * dpr).ceil().max(0.0) as usize;
        self.rows.clear();
        self.pixels.clear();
    }

    /// Adds a clear row at `y`; returns its index.
    pub fn row(&mut self, y: f64, height: f64) -> usize {
        self.rows.push((y, height));
        self.pixels.resize(self.rows.len() * self.dots * 4, 0);
        self.rows.len() - 1
    }

    /// Lays `colour` over `x0..x1` (px) of a row; dots that are covered in part get their part.
    pub fn cover(&mut self, row: usize, x0: f64, x1: f64, colour: Rgba) {
        let limit = self.dots as f64;
        let a = ((x0 - self.x) * self.dpr).clamp(0.0, limit);
        let b = ((x1 - self.x) * self.dpr).clamp(0.0, limit);
        if b <= a {
            return;
        }
        let start = row * self.dots;
        let (first, last) = (a as usize, (b.ceil() as usize).min(self.dots));
        let (whole_from, whole_to) = (a.ceil() as usize, b as usize);
        if whole_from >= whole_to || colour.alpha() < 255 {
            for dot in first..last {
                self.blend(start + dot, colour, b.min((dot + 1) as f64) - a.max(dot as f64));
            }
            return;
        }
        if first < whole_from {
            self.blend(start + first, colour, whole_from as f64 - a);
        }
        // Whole dots need no arithmetic: most of a picture is this loop.
        let bytes = colour.bytes();
        for px in self.pixels[(start + whole_from) * 4..(start + whole_to) * 4].chunks_exact_mut(4) {
            px.copy_from_slice(&bytes);
        }
        if whole_to < last {
            self.blend(start + whole_to, colour, b - whole_to as f64);
        }
    }

    /// Adds `part` (0..=1) of a colour to a dot. Parts of one dot add up, so that a dot shared by many slices shows
    /// their mixture.
    fn blend(&mut self, dot: usize, colour: Rgba, part: f64) {
        let Some(px) = self.pixels.get_mut(dot * 4..dot * 4 + 4) else { return };
        let alpha = (part * f64::from(colour.alpha())).round();
        if alpha >= 255.0 {
            px.copy_from_slice(&colour.bytes());
            return;
        }
        let before = f64::from(px[3]);
        let after = (before + alpha).min(255.0);
        if after <= 0.0 {
            return;
        }
        let added = after - before;
        for (have, new) in px.iter_mut().zip(colour.bytes()).take(3) {
            *have = ((f64::from(*have) * before + f64::from(new) * added) / after).round() as u8;
        }
        px[3] = after as u8;
    }
}

/// A drawing surface.
pub trait Painter {
    /// Fills a box.
    fn fill_rect(&mut self, rect: Rect, fill: Fill);
    /// Draws the outline of a box, centred on its edge.
    fn stroke_rect(&mut self, rect: Rect, pen: Pen);
    /// Starts a path; shapes added until it is filled or stroked are painted in one go.
    fn begin(&mut self);
    /// Starts a figure of the path.
    fn move_to(&mut self, x: f64, y: f64);
    /// Straight to a point.
    fn line_to(&mut self, x: f64, y: f64);
    /// Bézier curve by two control points.
    fn curve_to(&mut self, c1: (f64, f64), c2: (f64, f64), to: (f64, f64));
    /// A whole circle as a figure of its own.
    fn circle(&mut self, x: f64, y: f64, r: f64);
    /// A box as a figure of its own.
    fn rect(&mut self, rect: Rect);
    /// A box with round corners as a figure of its own.
    fn round_rect(&mut self, rect: Rect, r: f64);
    /// Closes the figure.
    fn close(&mut self);
    /// Fills the path.
    fn fill(&mut self, fill: Fill);
    /// Strokes the path.
    fn stroke(&mut self, pen: Pen);
    /// Writes a text with its base line at `y`.
    fn text(&mut self, x: f64, y: f64, text: &str, font: Font, colour: Rgba, align: Align);
    /// Width of a text, px.
    fn text_width(&mut self, text: &str, font: Font) -> f64;
    /// Limits all drawing to a box until the matching [`Painter::unclip`].
    fn clip(&mut self, rect: Rect);
    /// Ends the innermost limit.
    fn unclip(&mut self);
    /// Strength of what follows, 0..=1.
    fn alpha(&mut self, alpha: f64);
    /// Draws rows of dots.
    fn strips(&mut self, strips: &Strips);

    /// A straight line.
    fn line(&mut self, x0: f64, y0: f64, x1: f64, y1: f64, pen: Pen) {
        self.begin();
        self.move_to(x0, y0);
        self.line_to(x1, y1);
        self.stroke(pen);
    }

    /// A text that is cut with an ellipsis where it would be wider than `width`.
    fn text_within(&mut self, x: f64, y: f64, width: f64, text: &str, font: Font, colour: Rgba) {
        if self.text_width(text, font) <= width {
            return self.text(x, y, text, font, colour, Align::Left);
        }
        let ends: Vec<usize> = text.char_indices().map(|(i, _)| i).collect();
        for end in ends.into_iter().rev() {
            let cut = format!("{}…", &text[..end]);
            if self.text_width(&cut, font) <= width {
                return self.text(x, y, &cut, font, colour, Align::Left);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_that_share_a_dot_mix_by_their_part_of_it() {
        let mut s = Strips::default();
        s.reset(10.0, 4.0, 1.0);
        let row = s.row(0.0, 7.0);
        s.cover(row, 11.0, 11.5, Rgba(0xff00_00ff));
        s.cover(row, 11.5, 13.0, Rgba(0x0000_ffff));
        assert_eq!(&s.pixels[0..4], &[0, 0, 0, 0]);
        assert_eq!(s.pixels[7], 255);
        assert!((i32::from(s.pixels[4]) - 127).abs() <= 2 && (i32::from(s.pixels[6]) - 127).abs() <= 2);
        assert_eq!(&s.pixels[8..12], &[0, 0, 255, 255]);
    }

    #[test]
    fn a_row_outside_of_the_picture_is_left_out() {
        let mut s = Strips::default();
        s.reset(0.0, 2.0, 2.0);
        let row = s.row(0.0, 7.0);
        s.cover(row, -5.0, -1.0, Rgba(0xffff_ffff));
        s.cover(row, 3.0, 9.0, Rgba(0xffff_ffff));
        assert!(s.pixels.iter().all(|&b| b == 0));
    }
}
