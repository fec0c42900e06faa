//! Times as people type them.

const US: f64 = 1_000.0;
const MS: f64 = 1_000_000.0;
const S: f64 = 1_000_000_000.0;

/// What the time box understood.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Typed {
    /// A moment, ns.
    Moment(u64),
    /// A range, ns.
    Range(u64, u64),
}

/// Reads `12.5ms`, `3 s`, `40us`, `2 326.2` (ms), or a range `12.5ms..40ms`; `None` if it is neither.
pub fn parse(text: &str) -> Option<Typed> {
    match text.split_once("..").or_else(|| text.split_once('…')) {
        None => moment(text).map(Typed::Moment),
        Some((from, to)) => {
            let to = moment(to.trim_start_matches('.'))?;
            let from = moment(from)?;
            (from < to).then_some(Typed::Range(from, to))
        }
    }
}

fn moment(text: &str) -> Option<u64> {
    let text: String = text.chars().filter(|c| !c.is_whitespace() && *c != '\u{202f}').collect();
    let text = text.replace(',', ".");
    let digits = text.trim_end_matches(|c: char| c.is_alphabetic() || c == 'µ');
    let scale = match text[digits.len()..].to_lowercase().as_str() {
        "ns" => 1.0,
        "us" | "µs" | "μs" => US,
        "" | "ms" => MS,
        "s" => S,
        _ => return None,
    };
    let value: f64 = digits.parse().ok()?;
    let ns = value * scale;
    (ns.is_finite() && (0.0..9e18).contains(&ns)).then_some(ns.round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_read_and_ms_is_meant_without_one() {
        assert_eq!(parse("12.5ms"), Some(Typed::Moment(12_500_000)));
        assert_eq!(parse(" 3 s "), Some(Typed::Moment(3_000_000_000)));
        assert_eq!(parse("40µs"), Some(Typed::Moment(40_000)));
        assert_eq!(parse("2\u{202f}326.200"), Some(Typed::Moment(2_326_200_000)));
        assert_eq!(parse("1,5"), Some(Typed::Moment(1_500_000)));
    }

    #[test]
    fn ranges_are_read() {
        assert_eq!(parse("12.5ms..40ms"), Some(Typed::Range(12_500_000, 40_000_000)));
        assert_eq!(parse("40ms..12ms"), None);
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "ms", "-1ms", "1e400s", "nan", "inf", "1 parsec", ".."] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
