//! Numbers as the page writes them: narrow no-break space in thousands, − instead of a hyphen, units on values.

use crate::text::POINT;
use std::fmt::Display;

/// Narrow no-break space.
pub const NB: char = '\u{202f}';

/// Nanoseconds per microsecond, millisecond, second.
pub const US: u64 = 1_000;
/// See [`US`].
pub const MS: u64 = 1_000_000;
/// See [`US`].
pub const S: u64 = 1_000_000_000;

/// `1234567` → `1 234 567`.
pub fn whole(value: i64) -> String {
    let digits = value.unsigned_abs().to_string();
    let mut out = String::with_capacity(digits.len() + 4);
    if value < 0 {
        out.push('−');
    }
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(NB);
        }
        out.push(c);
    }
    out
}

/// A number with digits behind the decimal mark of the spoken language.
pub fn decimal(whole: impl Display, digits: impl Display) -> String {
    format!("{whole}{POINT}{digits}")
}

/// A small number with `decimals` digits, rounded.
pub fn real(value: f64, decimals: usize) -> String {
    format!("{value:.decimals$}").replace('.', &POINT)
}

/// A time in units of `unit` ns with `decimals` digits behind the point, cut, never rounded up: a time that has not
/// come is not shown.
pub fn fixed(ns: u64, unit: u64, decimals: u32) -> String {
    let out = whole(i64::try_from(ns / unit).unwrap_or(i64::MAX));
    if decimals == 0 {
        return out;
    }
    let scale = 10_u64.pow(decimals);
    let part = u128::from(ns % unit) * u128::from(scale) / u128::from(unit);
    decimal(out, format_args!("{part:0width$}", width = decimals as usize))
}

/// A moment on the clock of the run: milliseconds with three decimals, `2 326.200 ms`.
pub fn moment(ns: u64) -> String {
    format!("{}{NB}ms", fixed(ns, MS, 3))
}

/// A duration: µs below 1 ms, one decimal below 10 ms, whole ms up to 10 s, then seconds.
pub fn duration(ns: u64) -> String {
    match ns {
        0..US => format!("{ns}{NB}ns"),
        US..MS => format!("{}{NB}µs", (ns + US / 2) / US),
        ns if ns < 10 * MS => {
            let tenths = (ns + MS / 20) / (MS / 10);
            decimal(tenths / 10, format_args!("{}{NB}ms", tenths % 10))
        }
        ns if ns < 10 * S => format!("{}{NB}ms", whole(((ns + MS / 2) / MS) as i64)),
        ns => {
            let tenths = (ns + S / 20) / (S / 10);
            decimal(whole((tenths / 10) as i64), format_args!("{}{NB}s", tenths % 10))
        }
    }
}

/// 1/1000 as percent with one decimal.
pub fn permille(value: u32) -> String {
    decimal(whole(i64::from(value / 10)), format_args!("{}{NB}%", value % 10))
}

/// Parts of a whole in 1/1000, rounded so that together they are 1000: the largest remainders are rounded up. All zero of
/// nothing.
pub fn parts(values: &[u64]) -> Vec<u32> {
    let sum: u128 = values.iter().map(|&value| u128::from(value)).sum();
    let exact = |value: u64| u128::from(value) * 1000;
    let mut parts: Vec<u32> = values.iter().map(|&value| exact(value).checked_div(sum).unwrap_or(0) as u32).collect();
    let mut rests: Vec<u128> = values.iter().map(|&value| exact(value).checked_rem(sum).unwrap_or(0)).collect();
    while sum > 0 && parts.iter().sum::<u32>() < 1000 {
        let largest = rests.iter().max().and_then(|most| rests.iter().position(|rest| rest == most)).unwrap_or(0);
        parts[largest] += 1;
        rests[largest] = 0;
    }
    parts
}

/// A value by the unit word of the protocol (`ns`, `ticks`, `percent`, `virtual`, ...).
pub fn value(value: i64, unit: &str) -> String {
    match unit {
        "ns" => signed(value, duration),
        "virtual" => signed(value, |v| format!("{}{NB}ms", fixed(v, MS, 1))),
        "percent" => format!("{}{NB}%", whole(value)),
        "kib" => format!("{}{NB}KiB", whole(value)),
        _ => whole(value),
    }
}

fn signed(value: i64, format: impl Fn(u64) -> String) -> String {
    let text = format(value.unsigned_abs());
    if value < 0 { format!("−{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_parted_by_a_narrow_space() {
        assert_eq!(whole(0), "0");
        assert_eq!(whole(-1234), "−1\u{202f}234");
        assert_eq!(whole(1_234_567), "1\u{202f}234\u{202f}567");
    }

    #[test]
    fn parts_add_up_to_the_whole() {
        assert_eq!(parts(&[1, 1, 1]), [334, 333, 333]);
        assert_eq!(parts(&[0, 7]), [0, 1000]);
        assert_eq!(parts(&[u64::MAX, u64::MAX, 1]), [500, 500, 0]);
        assert_eq!(parts(&[0, 0]), [0, 0]);
        assert!(parts(&[]).is_empty());
    }

    #[test]
    fn moments_show_three_decimals_and_never_round_up() {
        assert_eq!(moment(2_326_200_999), "2\u{202f}326.200\u{202f}ms");
        assert_eq!(fixed(1_999_999, MS, 1), "1.9");
    }

    #[test]
    fn durations_choose_their_unit() {
        assert_eq!(duration(999), "999\u{202f}ns");
        assert_eq!(duration(5_400), "5\u{202f}µs");
        assert_eq!(duration(2_140_000), "2.1\u{202f}ms");
        assert_eq!(duration(219_400_000), "219\u{202f}ms");
        assert_eq!(duration(12_340_000_000), "12.3\u{202f}s");
        assert_eq!(value(-5_400_000, "ns"), "−5.4\u{202f}ms");
        assert_eq!(permille(579), "57.9\u{202f}%");
    }
}
