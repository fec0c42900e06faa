//! A painter that writes SVG. Texts stay texts, patterns are defined once, rows of dots become runs of boxes.

use super::painter::{Align, Fill, Font, Painter, Pen, Rect, Strips};
use super::palette::{Palette, Rgba};
use std::fmt::Write as _;
use std::rc::Rc;

/// See the module. Widths of texts are estimates: whoever needs them measures elsewhere.
pub struct SvgPainter {
    palette: Rc<Palette>,
    size: (f64, f64),
    body: String,
    path: String,
    alpha: f64,
    clips: usize,
    open: usize,
}

/// A text inside markup.
pub fn escaped(text: &str) -> String {
    let plain: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    plain.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A length with at most two decimals.
fn px(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

fn hex(colour: Rgba) -> String {
    format!("#{:06x}", colour.0 >> 8)
}

/// `name="#rrggbb"` and its opacity.
fn ink(name: &str, colour: Rgba) -> String {
    let opacity = match colour.alpha() {
        255 => String::new(),
        alpha => format!(" {name}-opacity=\"{}\"", px(f64::from(alpha) / 255.0)),
    };
    format!("{name}=\"{}\"{opacity}", hex(colour))
}

impl SvgPainter {
    /// An empty picture.
    pub fn new(palette: Rc<Palette>, size: (f64, f64)) -> SvgPainter {
        SvgPainter { palette, size, body: String::new(), path: String::new(), alpha: 1.0, clips: 0, open: 0 }
    }

    /// Size, px.
    pub fn size(&self) -> (f64, f64) {
        self.size
    }

    /// The marks as a group at a height, without a document around them. `prefix` keeps names of several pictures apart.
    pub fn group(&self, y: f64, prefix: &str) -> String {
        let body = self.body.replace("url(#", &format!("url(#{prefix}")).replace("id=\"", &format!("id=\"{prefix}"));
        let close = "</g>".repeat(self.open);
        format!("<g transform=\"translate(0 {})\">{}{body}{close}</g>", px(y), self.patterns(prefix))
    }

    fn patterns(&self, prefix: &str) -> String {
        let p = &self.palette;
        let stripes = |name: &str, size: u32, ground: Rgba, line: Rgba, width: f64| {
            format!(
                "<pattern id=\"{prefix}{name}\" width=\"{size}\" height=\"{size}\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><rect width=\"{size}\" height=\"{size}\" {}/><path d=\"M0 0V{size}\" {} stroke-width=\"{width}\"/></pattern>",
                ink("fill", ground),
                ink("stroke", line)
            )
        };
        let dots = |name: &str, colour: Rgba| {
            format!(
                "<pattern id=\"{prefix}{name}\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\"><rect width=\"5\" height=\"5\" {}/><circle cx=\"2.5\" cy=\"2.5\" r=\"1.2\" {}/></pattern>",
                ink("fill", colour.with_alpha(70)),
                ink("fill", colour)
            )
        };
        let clear = Rgba(0);
        [
            stripes("waiting", 5, p.st_waiting.with_alpha(70), p.st_waiting, 3.0),
            stripes("queue", 6, p.st_waiting.with_alpha(40), p.st_waiting, 2.0),
            dots("io", p.st_io),
            dots("lock", p.st_lock),
            stripes("unknown", 8, clear, p.line_strong, 1.4),
        ]
        .concat()
    }

    fn fill_of(fill: Fill) -> String {
        match fill {
            Fill::Solid(colour) => ink("fill", colour),
            Fill::Waiting => "fill=\"url(#waiting)\"".into(),
            Fill::Queue => "fill=\"url(#queue)\"".into(),
            Fill::Io => "fill=\"url(#io)\"".into(),
            Fill::Lock => "fill=\"url(#lock)\"".into(),
            Fill::Unknown => "fill=\"url(#unknown)\"".into(),
        }
    }

    fn pen_of(pen: Pen) -> String {
        let dash = match pen.dash.0 {
            0 => String::new(),
            on => format!(" stroke-dasharray=\"{on} {}\"", pen.dash.1),
        };
        format!("fill=\"none\" {} stroke-width=\"{}\"{dash}", ink("stroke", pen.colour), px(pen.width))
    }

    fn opacity(&self) -> String {
        if self.alpha >= 1.0 { String::new() } else { format!(" opacity=\"{}\"", px(self.alpha)) }
    }

    /// A rectangle with the attributes of its fill or its pen.
    fn rect(&mut self, r: Rect, paint: &str) {
        let opacity = self.opacity();
        // Writing to a String cannot fail, here and below.
        let _ = write!(
            self.body,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {paint}{opacity}/>",
            px(r.x),
            px(r.y),
            px(r.w.max(0.0)),
            px(r.h.max(0.0))
        );
    }
}

impl Painter for SvgPainter {
    fn fill_rect(&mut self, r: Rect, fill: Fill) {
        self.rect(r, &Self::fill_of(fill));
    }
    fn stroke_rect(&mut self, r: Rect, pen: Pen) {
        self.rect(r, &Self::pen_of(pen));
    }
    fn begin(&mut self) {
        self.path.clear();
    }
    fn move_to(&mut self, x: f64, y: f64) {
        let _ = write!(self.path, "M{} {}", px(x), px(y));
    }
    fn line_to(&mut self, x: f64, y: f64) {
        let _ = write!(self.path, "L{} {}", px(x), px(y));
    }
    fn curve_to(&mut self, c1: (f64, f64), c2: (f64, f64), to: (f64, f64)) {
        let [a, b, c, d, e, f] = [c1.0, c1.1, c2.0, c2.1, to.0, to.1].map(px);
        let _ = write!(self.path, "C{a} {b} {c} {d} {e} {f}");
    }
    fn circle(&mut self, x: f64, y: f64, r: f64) {
        let (r, d) = (px(r.max(0.0)), px(2.0 * r.max(0.0)));
        let _ = write!(self.path, "M{} {}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0Z", px(x - r), px(y));
    }
    fn rect(&mut self, r: Rect) {
        let _ = write!(self.path, "M{} {}h{}v{}h{}Z", px(r.x), px(r.y), px(r.w), px(r.h), px(-r.w));
    }
    fn round_rect(&mut self, b: Rect, r: f64) {
        let r = px(r.min(b.w / 2.0).min(b.h / 2.0).max(0.0));
        let (w, h) = (px(b.w - 2.0 * r), px(b.h - 2.0 * r));
        let _ = write!(
            self.path,
            "M{} {}h{w}a{r} {r} 0 0 1 {r} {r}v{h}a{r} {r} 0 0 1 -{r} {r}h-{w}a{r} {r} 0 0 1 -{r} -{r}v-{h}a{r} {r} 0 0 1 {r} -{r}Z",
            px(b.x + r),
            px(b.y)
        );
    }
    fn close(&mut self) {
        self.path.push('Z');
    }
    fn fill(&mut self, fill: Fill) {
        let (paint, opacity) = (Self::fill_of(fill), self.opacity());
        let _ = write!(self.body, "<path d=\"{}\" {paint}{opacity}/>", self.path);
    }
    fn stroke(&mut self, pen: Pen) {
        let (paint, opacity) = (Self::pen_of(pen), self.opacity());
        let _ = write!(self.body, "<path d=\"{}\" {paint}{opacity}/>", self.path);
    }
    fn text(&mut self, x: f64, y: f64, text: &str, font: Font, colour: Rgba, align: Align) {
        let (mono, strong, size) = match font {
            Font::Small => (false, false, 11),
            Font::SmallStrong => (false, true, 11),
            Font::Body => (false, false, 12),
            Font::BodyStrong => (false, true, 12),
            Font::Mono => (true, false, 11),
            Font::MonoStrong => (true, true, 11),
        };
        let family = if mono { "monospace" } else { "sans-serif" };
        let weight = if strong { " font-weight=\"600\"" } else { "" };
        let anchor = match align {
            Align::Left => "",
            Align::Centre => " text-anchor=\"middle\"",
            Align::Right => " text-anchor=\"end\"",
        };
        let (paint, opacity) = (ink("fill", colour), self.opacity());
        let _ = write!(
            self.body,
            "<text x=\"{}\" y=\"{}\" font-family=\"{family}\" font-size=\"{size}\"{weight}{anchor} {paint}{opacity} xml:space=\"preserve\">{}</text>",
            px(x),
            px(y),
            escaped(text)
        );
    }
    fn text_width(&mut self, text: &str, _font: Font) -> f64 {
        text.chars().count() as f64 * 6.5
    }
    fn clip(&mut self, r: Rect) {
        self.clips += 1;
        self.open += 1;
        let _ = write!(
            self.body,
            "<clipPath id=\"clip{0}\"><rect x=\"{1}\" y=\"{2}\" width=\"{3}\" height=\"{4}\"/></clipPath><g clip-path=\"url(#clip{0})\">",
            self.clips,
            px(r.x),
            px(r.y),
            px(r.w.max(0.0)),
            px(r.h.max(0.0))
        );
    }
    fn unclip(&mut self) {
        if self.open > 0 {
            self.open -= 1;
            self.body.push_str("</g>");
        }
    }
    fn alpha(&mut self, alpha: f64) {
        self.alpha = alpha.clamp(0.0, 1.0);
    }
    fn strips(&mut self, strips: &Strips) {
        let dot = |row: usize, x: usize| {
            let at = (row * strips.dots + x) * 4;
            strips.pixels.get(at..at + 4).map_or(0, |px| u32::from_be_bytes([px[0], px[1], px[2], px[3]]))
        };
        for (row, &(y, h)) in strips.rows.iter().enumerate() {
            let mut from = 0;
            while from < strips.dots {
                let colour = dot(row, from);
                let to = (from + 1..strips.dots).find(|&x| dot(row, x) != colour).unwrap_or(strips.dots);
                if colour & 0xff != 0 {
                    let x = strips.x + from as f64 / strips.dpr;
                    let w = (to - from) as f64 / strips.dpr;
                    self.fill_rect(Rect::new(x, y, w, h), Fill::Solid(Rgba(colour)));
                }
                from = to;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_well_formed_and_texts_are_escaped() {
        let palette = Rc::new(Palette::read(|_| String::new()));
        let mut svg = SvgPainter::new(palette, (100.0, 50.0));
        svg.clip(Rect::new(0.0, 0.0, 10.0, 10.0));
        svg.fill_rect(Rect::new(1.0, 2.0, 3.0, 4.0), Fill::Waiting);
        svg.begin();
        svg.circle(5.0, 5.0, 2.0);
        svg.fill(Fill::Solid(Rgba(0xff00_0080)));
        svg.text(1.0, 9.0, "<hog> & \"x\"", Font::Mono, Rgba(0x0000_00ff), Align::Right);
        let mut strips = Strips::default();
        strips.reset(0.0, 4.0, 1.0);
        let row = strips.row(20.0, 5.0);
        strips.cover(row, 1.0, 3.0, Rgba(0x00ff_00ff));
        svg.strips(&strips);
        let text = svg.group(7.5, "a-");
        assert!(text.contains("&lt;hog&gt; &amp; &quot;x&quot;") && text.contains("text-anchor=\"end\""));
        assert!(
            text.contains("url(#a-waiting)") && text.contains("id=\"a-waiting\"") && text.contains("id=\"a-clip1\"")
        );
        assert!(text.contains("<rect x=\"1\" y=\"20\" width=\"2\" height=\"5\" fill=\"#00ff00\"/>"));
        assert_eq!(text.matches("<g ").count(), text.matches("</g>").count(), "groups are closed: {text}");
    }
}
