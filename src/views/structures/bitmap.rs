//! A bitmap as stored: words of 32 bits in groups of 8, each word with its hex value.

use super::board::Board;
use crate::paint::{Align, Fill, Font, Pen, Rect};
use crate::text::pictures as words;

/// Bits per drawn word.
const WORD: u32 = 32;

/// Sizes of cells.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cells {
    /// Width, px.
    pub w: f64,
    /// Height, px.
    pub h: f64,
    /// Distance of words, px.
    pub row: f64,
    /// Where cells begin: room for "word 3".
    pub left: f64,
}

impl Cells {
    /// In the run view.
    pub const SMALL: Cells = Cells { w: 7.0, h: 14.0, row: 25.0, left: 46.0 };
    /// In the full view.
    pub const LARGE: Cells = Cells { w: 9.0, h: 17.0, row: 26.0, left: 46.0 };
    /// On a phone.
    pub const PHONE: Cells = Cells { w: 7.0, h: 16.0, row: 27.0, left: 16.0 };

    fn x(&self, bit: u32) -> f64 {
        let in_word = f64::from(bit % WORD);
        self.left + in_word * (self.w + 1.0) + (in_word / 8.0).floor() * 3.0
    }

    /// Width of a word with its hex value.
    pub fn width(&self) -> f64 {
        self.hex_x() + 66.0
    }

    fn hex_x(&self) -> f64 {
        self.left + f64::from(WORD) * (self.w + 1.0) + 19.0
    }
}

/// A bitmap with what is known about its bits.
pub struct Bitmap<'a> {
    /// Panel and number of the bitmap in it: identity across frames.
    pub id: (u32, u32),
    /// 64-bit words, bit 0 first.
    pub words: &'a [u64],
    /// Bits in use.
    pub len: u32,
    /// The bit that decides.
    pub hit: Option<u32>,
    /// First bit of normal tasks; a thin line separates it from real time.
    pub first_normal: Option<u32>,
    /// A bit that is always set and stands for no list: the delimiter.
    pub delimiter: Option<u32>,
}

impl Bitmap<'_> {
    fn bit(&self, bit: u32) -> bool {
        test(self.words, bit)
    }

    /// A word of 32 bits.
    fn word(&self, index: u32) -> u32 {
        let word = self.words.get((index / 2) as usize).copied().unwrap_or(0);
        (word >> (32 * (index % 2))) as u32
    }

    /// Number of drawn words.
    pub fn rows(&self) -> u32 {
        self.len.div_ceil(WORD)
    }

    /// Height with cells of a size.
    pub fn height(&self, cells: Cells) -> f64 {
        f64::from(self.rows()) * cells.row
    }
}

fn test(words: &[u64], bit: u32) -> bool {
    words.get((bit / 64) as usize).is_some_and(|word| word >> (bit % 64) & 1 != 0)
}

/// Draws the words from (x, y) on.
pub fn draw(b: &mut Board, x: f64, y: f64, bitmap: &Bitmap, cells: Cells) {
    let (cleared, set, part) = b.motion.bits(bitmap.id, bitmap.words);
    for row in 0..bitmap.rows() {
        let top = y + f64::from(row) * cells.row;
        let base = top + cells.h / 2.0 + 4.0;
        let label = if cells.left < 40.0 { row.to_string() } else { words::word(row) };
        b.p.text(x, base, &label, Font::Small, b.palette.text_3, Align::Left);
        draw_hex(b, x + cells.hex_x(), base, bitmap, row);
    }
    draw_empty(b, x, y, bitmap, cells);
    for bit in 0..bitmap.len {
        let at = Rect::new(x + cells.x(bit), y + f64::from(bit / WORD) * cells.row, cells.w, cells.h);
        draw_bit(b, at, bitmap, bit, Change { cleared: test(&cleared, bit), set: test(&set, bit), part });
    }
    draw_border(b, x, y, bitmap, cells);
}

/// All cells at once: most of them are empty.
fn draw_empty(b: &mut Board, x: f64, y: f64, bitmap: &Bitmap, cells: Cells) {
    let place = |bit: u32| {
        let top = y + f64::from(bit / WORD) * cells.row;
        Rect::new(x + cells.x(bit), top, cells.w, cells.h)
    };
    b.p.begin();
    for bit in bitmap.first_normal.unwrap_or(0)..bitmap.len {
        b.p.rect(place(bit));
    }
    b.p.fill(Fill::Solid(b.palette.sunken));
    b.p.begin();
    for bit in 0..bitmap.len {
        b.p.rect(place(bit).inset(0.5));
    }
    b.p.stroke(Pen::solid(b.palette.line, 1.0));
}

#[derive(Clone, Copy)]
struct Change {
    cleared: bool,
    set: bool,
    part: f64,
}

fn draw_bit(b: &mut Board, at: Rect, bitmap: &Bitmap, bit: u32, change: Change) {
    let palette = b.palette;
    if bitmap.delimiter == Some(bit) {
        b.p.stroke_rect(at.inset(0.5), Pen::solid(palette.text_3, 1.0));
        return b.p.line(at.x + 1.0, at.bottom() - 1.0, at.right() - 1.0, at.y + 1.0, Pen::solid(palette.text_3, 1.0));
    }
    if bitmap.bit(bit) {
        let colour = if bitmap.hit == Some(bit) { palette.accent } else { palette.text };
        let strength = if change.set { change.part } else { 1.0 };
        let shown = colour.over(palette.sunken, 0.2 + 0.8 * strength);
        return b.p.fill_rect(at, Fill::Solid(shown));
    }
    if change.cleared {
        let fill = palette.text.over(palette.accent_quiet, (1.0 - change.part).clamp(0.0, 1.0));
        b.p.fill_rect(at, Fill::Solid(fill));
        b.p.stroke_rect(at.inset(0.5), Pen::dashed(palette.accent, 1.0, 2, 2));
    }
}

fn draw_hex(b: &mut Board, x: f64, base: f64, bitmap: &Bitmap, row: u32) {
    let word = bitmap.word(row);
    let text = format!("{:04x} {:04x}", word >> 16, word & 0xffff);
    let decides = bitmap.hit.is_some_and(|hit| hit / WORD == row);
    let (font, colour) = match (decides, word) {
        (true, _) => (Font::MonoStrong, b.palette.accent),
        (false, 0) => (Font::Mono, b.palette.text_3),
        _ => (Font::MonoStrong, b.palette.text),
    };
    b.p.text(x, base, &text, font, colour, Align::Left);
}

/// The thin line between real time and normal.
fn draw_border(b: &mut Board, x: f64, y: f64, bitmap: &Bitmap, cells: Cells) {
    let Some(first) = bitmap.first_normal.filter(|&first| first > 0 && first < bitmap.len) else { return };
    let top = y + f64::from(first / WORD) * cells.row;
    let at = Rect::new(x + cells.x(first) - 1.0, top - 3.0, 1.0, cells.h + 6.0);
    b.p.fill_rect(at, Fill::Solid(b.palette.text_3));
}

/// Says which bit decides and how its number comes about, below the bit.
pub fn draw_hit(b: &mut Board, x: f64, y: f64, bitmap: &Bitmap, cells: Cells) {
    let Some(hit) = bitmap.hit else { return };
    let centre = x + cells.x(hit) + cells.w / 2.0;
    let below = y + f64::from(hit / WORD) * cells.row + cells.h + 1.0;
    let (palette, pen) = (b.palette, Pen::solid(b.palette.accent, 1.0));
    let text = words::first_set_bit(hit, WORD);
    let width = b.p.text_width(&text, Font::SmallStrong);
    // Where words are close, the text must not reach the hex value of the next one.
    let limit = if cells.left < 40.0 { cells.hex_x() } else { cells.width() };
    let to_right = centre + 8.0 + width < x + limit;
    let (end, text_x) = match (to_right, centre - 8.0 - width) {
        (true, _) => (centre + 5.0, centre + 8.0),
        // Neither side has the room: the text begins at the left edge, below the tick.
        (false, left) if left < x => (centre, x),
        (false, left) => (centre - 5.0, left),
    };
    b.p.begin();
    b.p.move_to(centre, below);
    b.p.line_to(centre, below + 5.0);
    b.p.line_to(end, below + 5.0);
    b.p.stroke(pen);
    b.p.text(text_x, below + 8.0, &text, Font::SmallStrong, palette.accent, Align::Left);
}
