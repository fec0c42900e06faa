//! The painter of the page: a 2d canvas. Remembers fill and font so that repeated settings cost nothing, and draws
//! patterns at the resolution of the screen.

use super::painter::{Align, Fill, Font, Painter, Pen, Rect, Strips};
use super::palette::{Palette, Rgba};
use super::record;
use super::svg::SvgPainter;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::rc::Rc;
use wasm_bindgen::{Clamped, JsCast, JsValue};
use web_sys::{CanvasPattern, CanvasRenderingContext2d, HtmlCanvasElement, ImageData};

/// Measured texts kept before the table is emptied.
const WIDTHS_MAX: usize = 4096;

/// What was last set; `None` = not known.
#[derive(Clone, Copy, Default)]
struct Settings {
    fill: Option<Fill>,
    font: Option<Font>,
    pen: Option<Pen>,
}

/// See the module.
pub struct CanvasPainter {
    context: CanvasRenderingContext2d,
    palette: Rc<Palette>,
    dpr: f64,
    set: Settings,
    /// Settings that the ends of clips bring back.
    saved: Vec<Settings>,
    patterns: HashMap<&'static str, CanvasPattern>,
    strip_canvas: Option<(HtmlCanvasElement, CanvasRenderingContext2d)>,
    widths: HashMap<(Font, u64), f64>,
    colour_text: String,
    /// Hears everything too, while a picture is wanted as a file.
    tee: Option<Rc<RefCell<SvgPainter>>>,
}

impl CanvasPainter {
    /// A painter on a canvas.
    pub fn new(canvas: &HtmlCanvasElement, palette: Rc<Palette>, dpr: f64) -> Option<CanvasPainter> {
        Some(CanvasPainter {
            context: opaque_context_of(canvas)?,
            palette,
            dpr,
            set: Settings::default(),
            saved: Vec::new(),
            patterns: HashMap::new(),
            strip_canvas: None,
            widths: HashMap::new(),
            colour_text: String::new(),
            tee: None,
        })
    }

    /// Starts a picture: another theme or resolution takes effect here, all settings are put back, the canvas is
    /// cleared with `ground`.
    pub fn start(&mut self, palette: &Rc<Palette>, dpr: f64, size: (f64, f64), ground: Rgba) {
        if !Rc::ptr_eq(palette, &self.palette) || dpr != self.dpr {
            self.patterns.clear();
            self.widths.clear();
            self.palette = Rc::clone(palette);
            self.dpr = dpr;
        }
        self.set = Settings::default();
        self.saved.clear();
        self.tee = None;
        // Fails only for numbers that are not finite, and these come from the browser.
        let _ = self.context.set_transform(dpr, 0.0, 0.0, dpr, 0.0, 0.0);
        self.context.set_global_alpha(1.0);
        self.fill_rect(Rect::new(0.0, 0.0, size.0, size.1), Fill::Solid(ground));
    }

    /// Also writes the picture that begins, if someone wants it as a file.
    pub fn record(&mut self, canvas: &HtmlCanvasElement, size: (f64, f64), ground: Rgba) {
        self.tee = record::wanted(canvas, || {
            let mut svg = SvgPainter::new(Rc::clone(&self.palette), size);
            svg.fill_rect(Rect::new(0.0, 0.0, size.0, size.1), Fill::Solid(ground));
            svg
        });
    }

    /// Whether the picture is also written: then everything must be drawn, nothing copied.
    pub fn is_recorded(&self) -> bool {
        self.tee.is_some()
    }

    /// Copies a box of a kept picture dot by dot to `to`, from `x` dots on.
    pub fn copy(&mut self, from: &HtmlCanvasElement, x: f64, to: Rect) {
        self.context.set_image_smoothing_enabled(false);
        let (w, h) = ((to.w * self.dpr).round(), (to.h * self.dpr).round());
        // Fails only if the source has no size.
        let _ = self.context.draw_image_with_html_canvas_element_and_sw_and_sh_and_dx_and_dy_and_dw_and_dh(
            from,
            x,
            0.0,
            w,
            h,
            to.x,
            to.y,
            w / self.dpr,
            h / self.dpr,
        );
    }

    /// Tells the picture that is written, if there is one.
    fn tell(&self, what: impl FnOnce(&mut SvgPainter)) {
        if let Some(svg) = &self.tee {
            what(&mut svg.borrow_mut());
        }
    }

    fn set_fill(&mut self, fill: Fill) {
        if self.set.fill == Some(fill) {
            return;
        }
        self.set.fill = Some(fill);
        match self.pattern_of(fill) {
            Some(pattern) => self.context.set_fill_style_canvas_pattern(&pattern),
            None => {
                css_colour(&mut self.colour_text, solid_of(fill, &self.palette));
                self.context.set_fill_style_str(&self.colour_text);
            }
        }
    }

    fn set_pen(&mut self, pen: Pen) {
        if self.set.pen == Some(pen) {
            return;
        }
        self.set.pen = Some(pen);
        css_colour(&mut self.colour_text, pen.colour);
        self.context.set_stroke_style_str(&self.colour_text);
        self.context.set_line_width(pen.width);
        let dashes = js_sys::Array::new();
        if pen.dash.0 > 0 {
            dashes.push(&JsValue::from(pen.dash.0));
            dashes.push(&JsValue::from(pen.dash.1));
        }
        let _ = self.context.set_line_dash(&dashes);
    }

    fn set_font(&mut self, font: Font) {
        if self.set.font == Some(font) {
            return;
        }
        self.set.font = Some(font);
        let family = match font {
            Font::Mono | Font::MonoStrong => &self.palette.mono,
            _ => &self.palette.font,
        };
        let (weight, size) = match font {
            Font::Small | Font::Mono => (400, 11),
            Font::SmallStrong | Font::MonoStrong => (600, 11),
            Font::Body => (400, 12),
            Font::BodyStrong => (600, 12),
        };
        self.context.set_font(&format!("{weight} {size}px {family}"));
    }

    /// The pattern of a fill, made at the first use; `None` for a plain colour.
    fn pattern_of(&mut self, fill: Fill) -> Option<CanvasPattern> {
        let (name, tile) = match fill {
            Fill::Solid(_) => return None,
            Fill::Waiting => ("waiting", Tile::stripes(self.palette.st_waiting, 7.0, 2.8, 0.28, 1.0)),
            Fill::Queue => ("queue", Tile::stripes(self.palette.st_waiting, 7.0, 2.1, 0.10, 0.5)),
            Fill::Io => ("io", Tile::dots(self.palette.st_io)),
            Fill::Lock => ("lock", Tile::dots(self.palette.st_lock)),
            Fill::Unknown => ("unknown", Tile::stripes(self.palette.line_strong, 8.0, 1.4, 0.0, 0.5)),
        };
        if let Some(pattern) = self.patterns.get(name) {
            return Some(pattern.clone());
        }
        let pattern = tile.pattern(&self.context, self.dpr)?;
        self.patterns.insert(name, pattern.clone());
        Some(pattern)
    }

    /// An own canvas that holds the rows of dots.
    fn strip_target(&mut self, width: u32, height: u32) -> Option<(HtmlCanvasElement, CanvasRenderingContext2d)> {
        if self.strip_canvas.is_none() {
            let canvas = new_canvas(width, height)?;
            let context = context_of(&canvas)?;
            self.strip_canvas = Some((canvas, context));
        }
        let (canvas, context) = self.strip_canvas.clone()?;
        if canvas.width() < width {
            canvas.set_width(width);
        }
        if canvas.height() < height {
            canvas.set_height(height);
        }
        Some((canvas, context))
    }
}

impl Painter for CanvasPainter {
    fn fill_rect(&mut self, r: Rect, fill: Fill) {
        self.tell(|svg| svg.fill_rect(r, fill));
        self.set_fill(fill);
        self.context.fill_rect(r.x, r.y, r.w, r.h);
    }
    fn stroke_rect(&mut self, r: Rect, pen: Pen) {
        self.tell(|svg| svg.stroke_rect(r, pen));
        self.set_pen(pen);
        self.context.stroke_rect(r.x, r.y, r.w, r.h);
    }
    fn begin(&mut self) {
        self.tell(|svg| svg.begin());
        self.context.begin_path();
    }
    fn move_to(&mut self, x: f64, y: f64) {
        self.tell(|svg| svg.move_to(x, y));
        self.context.move_to(x, y);
    }
    fn line_to(&mut self, x: f64, y: f64) {
        self.tell(|svg| svg.line_to(x, y));
        self.context.line_to(x, y);
    }
    fn curve_to(&mut self, c1: (f64, f64), c2: (f64, f64), to: (f64, f64)) {
        self.tell(|svg| svg.curve_to(c1, c2, to));
        self.context.bezier_curve_to(c1.0, c1.1, c2.0, c2.1, to.0, to.1);
    }
    fn circle(&mut self, x: f64, y: f64, r: f64) {
        self.tell(|svg| svg.circle(x, y, r));
        self.context.move_to(x + r, y);
        // Fails only for a negative radius.
        let _ = self.context.arc(x, y, r.max(0.0), 0.0, std::f64::consts::TAU);
    }
    fn rect(&mut self, r: Rect) {
        self.tell(|svg| svg.rect(r));
        self.context.rect(r.x, r.y, r.w, r.h);
    }
    fn round_rect(&mut self, b: Rect, r: f64) {
        self.tell(|svg| svg.round_rect(b, r));
        let r = r.min(b.w / 2.0).min(b.h / 2.0).max(0.0);
        let c = &self.context;
        c.move_to(b.x + r, b.y);
        // `arcTo` fails only for a negative radius.
        let _ = c.arc_to(b.right(), b.y, b.right(), b.bottom(), r);
        let _ = c.arc_to(b.right(), b.bottom(), b.x, b.bottom(), r);
        let _ = c.arc_to(b.x, b.bottom(), b.x, b.y, r);
        let _ = c.arc_to(b.x, b.y, b.right(), b.y, r);
        c.close_path();
    }
    fn close(&mut self) {
        self.tell(|svg| svg.close());
        self.context.close_path();
    }
    fn fill(&mut self, fill: Fill) {
        self.tell(|svg| svg.fill(fill));
        self.set_fill(fill);
        self.context.fill();
    }
    fn stroke(&mut self, pen: Pen) {
        self.tell(|svg| svg.stroke(pen));
        self.set_pen(pen);
        self.context.stroke();
    }
    fn text(&mut self, x: f64, y: f64, text: &str, font: Font, colour: Rgba, align: Align) {
        self.tell(|svg| svg.text(x, y, text, font, colour, align));
        self.set_font(font);
        self.set_fill(Fill::Solid(colour));
        let width = match align {
            Align::Left => 0.0,
            Align::Centre => self.text_width(text, font) / 2.0,
            Align::Right => self.text_width(text, font),
        };
        let _ = self.context.fill_text(text, x - width, y);
    }
    fn text_width(&mut self, text: &str, font: Font) -> f64 {
        let key = (font, text_key(text));
        if let Some(width) = self.widths.get(&key) {
            return *width;
        }
        self.set_font(font);
        let width = self.context.measure_text(text).map_or(0.0, |m| m.width());
        if self.widths.len() >= WIDTHS_MAX {
            self.widths.clear();
        }
        self.widths.insert(key, width);
        width
    }
    fn clip(&mut self, rect: Rect) {
        self.tell(|svg| svg.clip(rect));
        self.context.save();
        self.saved.push(self.set);
        self.context.begin_path();
        self.context.rect(rect.x, rect.y, rect.w, rect.h);
        self.context.clip();
    }
    fn unclip(&mut self) {
        self.tell(|svg| svg.unclip());
        self.context.restore();
        self.set = self.saved.pop().unwrap_or_default();
    }
    fn alpha(&mut self, alpha: f64) {
        self.tell(|svg| svg.alpha(alpha));
        self.context.set_global_alpha(alpha);
    }
    fn strips(&mut self, strips: &Strips) {
        self.tell(|svg| svg.strips(strips));
        let (width, height) = (strips.dots as u32, strips.rows.len() as u32);
        if width == 0 || height == 0 {
            return;
        }
        let Some((canvas, context)) = self.strip_target(width, height) else { return };
        let Ok(image) = ImageData::new_with_u8_clamped_array_and_sh(Clamped(&strips.pixels), width, height) else {
            return;
        };
        if context.put_image_data(&image, 0.0, 0.0).is_err() {
            return;
        }
        self.context.set_image_smoothing_enabled(false);
        for (row, &(y, h)) in strips.rows.iter().enumerate() {
            let w = f64::from(width);
            // Fails only if the source canvas has no size.
            let _ = self.context.draw_image_with_html_canvas_element_and_sw_and_sh_and_dx_and_dy_and_dw_and_dh(
                &canvas,
                0.0,
                row as f64,
                w,
                1.0,
                strips.x,
                y,
                w / strips.dpr,
                h,
            );
        }
    }
}

/// FNV-1a, 64 bits: a text's key in the table of widths. A collision would misplace one label by a few pixels.
fn text_key(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

/// Writes a colour in CSS into a reused text.
fn css_colour(text: &mut String, colour: Rgba) {
    text.clear();
    // Writing into a String does not fail.
    let _ = write!(text, "#{:08x}", colour.0);
}

/// What stands in for a pattern that cannot be made.
fn solid_of(fill: Fill, palette: &Palette) -> Rgba {
    match fill {
        Fill::Solid(colour) => colour,
        Fill::Waiting => palette.st_waiting,
        Fill::Queue => palette.st_waiting.with_alpha(64),
        Fill::Io => palette.st_io,
        Fill::Lock => palette.st_lock,
        Fill::Unknown => palette.line_strong.with_alpha(64),
    }
}

/// Context of a canvas whose every dot is painted: the browser then need not mix it with what lies behind.
fn opaque_context_of(canvas: &HtmlCanvasElement) -> Option<CanvasRenderingContext2d> {
    let options = js_sys::Object::new();
    js_sys::Reflect::set(&options, &"alpha".into(), &JsValue::FALSE).ok()?;
    canvas.get_context_with_context_options("2d", &options).ok()??.dyn_into().ok()
}

/// Context of a canvas.
pub fn context_of(canvas: &HtmlCanvasElement) -> Option<CanvasRenderingContext2d> {
    canvas.get_context("2d").ok()??.dyn_into().ok()
}

/// A canvas that is not on the page.
pub fn new_canvas(width: u32, height: u32) -> Option<HtmlCanvasElement> {
    let canvas: HtmlCanvasElement = web_sys::window()?.document()?.create_element("canvas").ok()?.dyn_into().ok()?;
    canvas.set_width(width);
    canvas.set_height(height);
    Some(canvas)
}

/// One period of a pattern.
struct Tile {
    size: f64,
    ground: Rgba,
    ink: Rgba,
    /// Width of the diagonal stripe; 0 = a dot.
    stripe: f64,
}

impl Tile {
    /// Stripes from lower left to upper right, `width` px across, on a faint ground.
    fn stripes(colour: Rgba, size: f64, width: f64, ground: f64, ink: f64) -> Tile {
        let at = |part: f64| colour.with_alpha((part * 255.0) as u8);
        Tile { size, ground: at(ground), ink: at(ink), stripe: width }
    }

    /// Dots on a faint ground.
    fn dots(colour: Rgba) -> Tile {
        Tile { size: 4.0, ground: colour.with_alpha(64), ink: colour, stripe: 0.0 }
    }

    fn pattern(&self, context: &CanvasRenderingContext2d, dpr: f64) -> Option<CanvasPattern> {
        // Whole dots per period, or the pattern would show seams.
        let dots = (self.size * dpr).round().max(2.0);
        let canvas = new_canvas(dots as u32, dots as u32)?;
        let tile = context_of(&canvas)?;
        let mut colour = String::new();
        css_colour(&mut colour, self.ground);
        tile.set_fill_style_str(&colour);
        tile.fill_rect(0.0, 0.0, dots, dots);
        css_colour(&mut colour, self.ink);
        if self.stripe > 0.0 {
            tile.set_stroke_style_str(&colour);
            tile.set_line_width(self.stripe * dpr / std::f64::consts::SQRT_2);
            tile.begin_path();
            for shift in [-1.0, 0.0, 1.0] {
                tile.move_to((shift - 0.5) * dots, 1.5 * dots);
                tile.line_to((shift + 1.5) * dots, -0.5 * dots);
            }
            tile.stroke();
        } else {
            tile.set_fill_style_str(&colour);
            tile.begin_path();
            let _ = tile.arc(1.5 * dpr, 1.5 * dpr, 1.1 * dpr, 0.0, std::f64::consts::TAU);
            tile.fill();
        }
        let pattern = context.create_pattern_with_html_canvas_element(&canvas, "repeat").ok()??;
        shrink(&pattern, 1.0 / dpr);
        Some(pattern)
    }
}

/// Patterns live in the scaled space of the canvas: one tile dot must again become one screen dot.
fn shrink(pattern: &CanvasPattern, scale: f64) {
    let matrix = js_sys::Object::new();
    for (name, value) in [("a", scale), ("b", 0.0), ("c", 0.0), ("d", scale), ("e", 0.0), ("f", 0.0)] {
        let _ = js_sys::Reflect::set(&matrix, &JsValue::from_str(name), &JsValue::from_f64(value));
    }
    // `setTransform` takes any object with the fields of a DOMMatrix; the binding asks for the older SVG type.
    pattern.set_transform(matrix.unchecked_ref());
}
