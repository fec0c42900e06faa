//! Numbers that students type and questions ask for: whole numbers of a small base, so that no float decides what is
//! right. Times are ns; percents and plain numbers are thousandths.

use super::schema::Unit;

/// Most digits of a typed number.
const DIGITS_MAX: usize = 15;

/// Base units in one `unit`.
pub fn scale(unit: Unit) -> i64 {
    match unit {
        Unit::Ns => 1,
        Unit::Us | Unit::Count | Unit::Percent => 1_000,
        Unit::Ms => 1_000_000,
        Unit::S => 1_000_000_000,
    }
}

/// Sign of a unit after a number.
pub fn sign(unit: Unit) -> &'static str {
    match unit {
        Unit::Count => "",
        Unit::Percent => "%",
        Unit::Ns => "ns",
        Unit::Us => "µs",
        Unit::Ms => "ms",
        Unit::S => "s",
    }
}

/// Reads `2.4`, `2,4`, `1 000` or `-5` in a unit; decimals beyond the base are refused with everything else that is no
/// number.
pub fn parse(text: &str, unit: Unit) -> Option<i64> {
    let plain: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let (negative, digits) = match plain.strip_prefix(['-', '−']) {
        Some(rest) => (true, rest),
        None => (false, plain.as_str()),
    };
    let (whole, fraction) = digits.split_once(['.', ',']).unwrap_or((digits, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let fraction = fraction.trim_end_matches('0');
    if whole.is_empty() || whole.len() + fraction.len() > DIGITS_MAX || !are_digits(whole) || !are_digits(fraction) {
        return None;
    }
    let scale = i128::from(scale(unit));
    let part = if fraction.is_empty() { 0 } else { fraction.parse::<i128>().ok()? * scale };
    let ten = 10i128.pow(fraction.len() as u32);
    if part % ten != 0 {
        return None;
    }
    let value = whole.parse::<i128>().ok()? * scale + part / ten;
    i64::try_from(if negative { -value } else { value }).ok()
}

/// `2.4 ms`: at most three decimals.
pub fn write(value: i64, unit: Unit) -> String {
    let scale = scale(unit).unsigned_abs();
    let size = value.unsigned_abs();
    let whole = size / scale;
    let thousandths = u128::from(size % scale) * 1000 / u128::from(scale);
    let decimals = format!("{thousandths:03}");
    let decimals = decimals.trim_end_matches('0');
    let minus = if value < 0 { "−" } else { "" };
    let point = if decimals.is_empty() { "" } else { "." };
    let space = if sign(unit).is_empty() { "" } else { " " };
    format!("{minus}{whole}{point}{decimals}{space}{}", sign(unit))
}

/// Whether `given` is within `percent` of `right`.
pub fn is_within(given: i64, right: i64, percent: u64) -> bool {
    let distance = (i128::from(given) - i128::from(right)).unsigned_abs();
    distance * 100 <= u128::from(percent) * u128::from(right.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn typed_numbers_are_read_as_people_write_them() {
        for (text, unit, value) in [
            ("2.4", Unit::Ms, Some(2_400_000)),
            ("2,4", Unit::Ms, Some(2_400_000)),
            (" 1 000 ", Unit::Us, Some(1_000_000)),
            ("-5", Unit::Count, Some(-5_000)),
            ("12.5", Unit::Percent, Some(12_500)),
            ("0.100", Unit::Count, Some(100)),
            ("0.5", Unit::Ns, None),
            ("", Unit::Ms, None),
            ("1e9", Unit::Ms, None),
            ("999999999999999999999", Unit::S, None),
            ("1.2.3", Unit::Ms, None),
        ] {
            assert_eq!(parse(text, unit), value, "{text:?}");
        }
    }

    #[test]
    fn numbers_are_written_with_the_decimals_they_need() {
        assert_eq!(write(2_400_000, Unit::Ms), "2.4 ms");
        assert_eq!(write(-5_000, Unit::Count), "−5");
        assert_eq!(write(33_333, Unit::Percent), "33.333 %");
        assert_eq!(write(17, Unit::Ns), "17 ns");
    }

    #[test]
    fn the_tolerance_is_a_part_of_the_right_number() {
        assert!(is_within(110, 100, 10) && is_within(90, 100, 10) && !is_within(111, 100, 10));
        assert!(is_within(0, 0, 10) && !is_within(1, 0, 10));
        assert!(is_within(i64::MIN, i64::MIN, 0) && !is_within(i64::MAX, i64::MIN, 50));
    }

    proptest! {
        #[test]
        fn what_is_written_reads_as_itself(thousandths in -1_000_000_000i64..1_000_000_000) {
            for unit in [Unit::Count, Unit::Percent, Unit::Us] {
                let text = write(thousandths, unit).replace(sign(unit), "");
                prop_assert_eq!(parse(&text, unit), Some(thousandths));
            }
        }

        #[test]
        fn no_text_panics(text in "\\PC{0,40}") {
            let _ = parse(&text, Unit::S);
        }
    }
}
