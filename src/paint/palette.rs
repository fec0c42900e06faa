//! Colours: read from the CSS custom properties once per theme change, never written down a second time.

/// A colour, 0xRRGGBBAA.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Rgba(pub u32);

impl Rgba {
    /// Bytes red, green, blue, alpha.
    pub const fn bytes(self) -> [u8; 4] {
        self.0.to_be_bytes()
    }

    /// Opacity, 0..=255.
    pub const fn alpha(self) -> u8 {
        self.bytes()[3]
    }

    /// The same colour at an opacity of 0..=255.
    pub const fn with_alpha(self, alpha: u8) -> Rgba {
        Rgba(self.0 & 0xffff_ff00 | alpha as u32)
    }

    /// `strength` (0..=1) of this colour over `ground`, opaque: what a fade looks like without a second layer.
    pub fn over(self, ground: Rgba, strength: f64) -> Rgba {
        let mix = |a: u8, b: u8| (f64::from(a) * strength + f64::from(b) * (1.0 - strength)).round() as u8;
        let ([r, g, b, _], [gr, gg, gb, _]) = (self.bytes(), ground.bytes());
        Rgba(u32::from_be_bytes([mix(r, gr), mix(g, gg), mix(b, gb), 255]))
    }

    /// Reads `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`, `rgb(…)` and `rgba(…)`: the ways in which a browser reports a
    /// custom property.
    pub fn parse(text: &str) -> Option<Rgba> {
        let text = text.trim();
        if let Some(hex) = text.strip_prefix('#') {
            return Rgba::parse_hex(hex);
        }
        let inner = text.strip_prefix("rgba(").or_else(|| text.strip_prefix("rgb("))?.strip_suffix(')')?;
        let mut parts = inner.split([',', '/', ' ']).filter(|p| !p.is_empty());
        let mut channel = || decimal(parts.next()?).map(|v| v.round().clamp(0.0, 255.0) as u8);
        let (r, g, b) = (channel()?, channel()?, channel()?);
        let alpha = parts.next().and_then(decimal).unwrap_or(1.0);
        Some(Rgba(u32::from_be_bytes([r, g, b, (alpha.clamp(0.0, 1.0) * 255.0).round() as u8])))
    }

    fn parse_hex(hex: &str) -> Option<Rgba> {
        if !hex.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        let value = u32::from_str_radix(hex, 16).ok()?;
        let wide = |nibbles: u32| {
            let nibble = |shift: u32| ((nibbles >> shift) & 0xf) * 0x11;
            u32::from_be_bytes([nibble(12) as u8, nibble(8) as u8, nibble(4) as u8, nibble(0) as u8])
        };
        match hex.len() {
            3 => Some(Rgba(wide(value << 4 | 0xf))),
            4 => Some(Rgba(wide(value))),
            6 => Some(Rgba(value << 8 | 0xff)),
            8 => Some(Rgba(value)),
            _ => None,
        }
    }
}

/// Reads `123`, `.5` and `0.25`. The standard library's reader of any float brings a table of 10 KiB along.
fn decimal(text: &str) -> Option<f64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = |digits: &str| if digits.is_empty() { Some(0) } else { digits.parse::<u32>().ok() };
    let exponent = u32::try_from(part.len()).ok()?;
    if whole.is_empty() && part.is_empty() {
        return None;
    }
    Some(f64::from(digits(whole)?) + f64::from(digits(part)?) / f64::from(10_u32.checked_pow(exponent)?))
}

/// Number of task colours in the tokens.
pub const TASK_COLOURS: usize = 18;

macro_rules! palette {
    ($($(#[$meta:meta])* $field:ident = $property:literal,)*) => {
        /// All colours and font families of a theme.
        #[derive(Clone, PartialEq, Debug)]
        pub struct Palette {
            $($(#[$meta])* pub $field: Rgba,)*
            /// Lanes of a comparison, A to D.
            pub side: [Rgba; 4],
            /// Colours of tasks.
            pub task: [Rgba; TASK_COLOURS],
            /// Text on them.
            pub ink: [Rgba; TASK_COLOURS],
            /// Font family of texts.
            pub font: String,
            /// Font family of hex words and kernel names.
            pub mono: String,
        }

        impl Palette {
            /// Reads a theme; `property` gives the value of a custom property (`--panel`), empty if it has none.
            pub fn read(mut property: impl FnMut(&str) -> String) -> Palette {
                let mut colour = |name: &str| Rgba::parse(&property(name)).unwrap_or(MISSING);
                Palette {
                    $($field: colour($property),)*
                    side: ["--side-a", "--side-b", "--side-c", "--side-d"].map(&mut colour),
                    task: core::array::from_fn(|i| colour(&format!("--task-{i}"))),
                    ink: core::array::from_fn(|i| colour(&format!("--ink-{i}"))),
                    font: family(property("--font"), "sans-serif"),
                    mono: family(property("--mono"), "monospace"),
                }
            }
        }
    };
}

/// A token that the style sheet does not define shows as mid grey, never as nothing.
const MISSING: Rgba = Rgba(0x8080_80ff);

palette! {
    /// Page ground.
    bg = "--bg",
    /// Panel ground.
    panel = "--panel",
    /// Raised ground: chips, pinned lanes.
    raised = "--raised",
    /// Sunken ground: empty cells, gauges.
    sunken = "--sunken",
    /// Ground under the mouse.
    hover = "--hover",
    /// Hair lines.
    line = "--line",
    /// Lines that must be seen, 3 : 1.
    line_strong = "--line-strong",
    /// Text.
    text = "--text",
    /// Second text.
    text_2 = "--text-2",
    /// Third text.
    text_3 = "--text-3",
    /// Now, chosen, acts.
    accent = "--accent",
    /// Text on the accent.
    accent_ink = "--accent-ink",
    /// Ground of what is chosen.
    accent_quiet = "--accent-quiet",
    /// Border of what is chosen.
    accent_line = "--accent-line",
    /// Wrong; red node.
    bad = "--bad",
    /// Attention; floor of a queue.
    warn = "--warn",
    /// Right.
    good = "--good",
    /// Lies over the future.
    veil = "--veil",
    /// State: running.
    st_running = "--st-running",
    /// State: waits for a CPU.
    st_waiting = "--st-waiting",
    /// State: waits for I/O.
    st_io = "--st-io",
    /// State: waits for a lock.
    st_lock = "--st-lock",
    /// State: does not exist any more.
    st_dead = "--st-dead",
    /// State: sleeps.
    st_sleep = "--st-sleep",
    /// Overhead: scheduler.
    ov_sched = "--ov-sched",
    /// Overhead: spins on a lock.
    ov_spin = "--ov-spin",
    /// Overhead: cache refill.
    ov_cache = "--ov-cache",
}

fn family(value: String, fallback: &str) -> String {
    let trimmed = value.trim();
    if trimmed.is_empty() { fallback.to_owned() } else { trimmed.to_owned() }
}

impl Palette {
    /// Colours of the document's present theme.
    pub fn from_document() -> Option<Palette> {
        let window = web_sys::window()?;
        let root = window.document()?.document_element()?;
        let style = window.get_computed_style(&root).ok()??;
        Some(Palette::read(|name| style.get_property_value(name).unwrap_or_default()))
    }

    /// Reads a theme from the text of a style sheet: the first definition of each property counts, and
    /// the dark theme comes first in our tokens.
    pub fn from_css(css: &str) -> Palette {
        Palette::read(|name| {
            let start = css.match_indices(name).find(|(at, _)| css[at + name.len()..].starts_with(':'));
            let Some((at, _)) = start else { return String::new() };
            let value = &css[at + name.len() + 1..];
            value[..value.find(';').unwrap_or(value.len())].trim().to_owned()
        })
    }
}

#[cfg(test)]
pub(crate) fn dark() -> Palette {
    Palette::from_css(include_str!("../../styles/tokens.css"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_as_browsers_write_them() {
        assert_eq!(Rgba::parse(" #5aa9ff"), Some(Rgba(0x5aa9_ffff)));
        assert_eq!(Rgba::parse("#14171bad"), Some(Rgba(0x1417_1bad)));
        assert_eq!(Rgba::parse("#fff"), Some(Rgba(0xffff_ffff)));
        assert_eq!(Rgba::parse("#0006"), Some(Rgba(0x0000_0066)));
        assert_eq!(Rgba::parse("rgb(90, 169, 255)"), Some(Rgba(0x5aa9_ffff)));
        assert_eq!(Rgba::parse("rgba(0, 0, 0, 0.5)"), Some(Rgba(0x0000_0080)));
        assert_eq!(Rgba::parse("rgba(90.4, 169, 255, .25)"), Some(Rgba(0x5aa9_ff40)));
        for bad in ["", "red", "#12", "#ggg", "rgb(1,2)", "rgb(1,.,3)", "rgb(1,x,3)"] {
            assert_eq!(Rgba::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn every_token_of_the_palette_is_defined() {
        let p = dark();
        assert_eq!(p.panel, Rgba(0x1417_1bff));
        assert_eq!(p.task[17], Rgba(0xf7af_bbff));
        assert_eq!(p.ink[1], Rgba(0xffff_ffff));
        assert_eq!(p.veil, Rgba(0x1417_1bad));
        assert!(p.mono.starts_with("ui-monospace"));
        let mut missing = Vec::new();
        let css = include_str!("../../styles/tokens.css");
        Palette::read(|name| {
            if !css.contains(&format!("{name}:")) {
                missing.push(name.to_owned());
            }
            String::new()
        });
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn a_fade_keeps_its_part_of_the_colour() {
        assert_eq!(Rgba(0xffff_ffff).over(Rgba(0x0000_00ff), 0.38), Rgba(0x6161_61ff));
    }
}
