//! Numbers and sentences for people.

use crate::inspect::{Gauge, Unit};
use crate::policy::ReasonSpec;
use crate::units::Nanos;

/// A duration or time with the unit that suits it, at most three decimals: `850 ns`, `12.5 ms`, `3 s`.
pub fn time(ns: Nanos) -> String {
    let (unit, name) = match ns {
        0..1_000 => return format!("{ns} ns"),
        1_000..1_000_000 => (1_000, "µs"),
        1_000_000..1_000_000_000 => (1_000_000, "ms"),
        _ => (1_000_000_000, "s"),
    };
    let thousandths = u128::from(ns) * 1000 / unit;
    let (whole, rest) = (thousandths / 1000, thousandths % 1000);
    let decimals = format!("{rest:03}");
    let decimals = decimals.trim_end_matches('0');
    if decimals.is_empty() { format!("{whole} {name}") } else { format!("{whole}.{decimals} {name}") }
}

/// A number in its unit.
pub fn number(value: i64, unit: Unit) -> String {
    match unit {
        Unit::Nanos | Unit::Virtual => {
            let sign = if value < 0 { "-" } else { "" };
            format!("{sign}{}", time(value.unsigned_abs()))
        }
        Unit::Percent => format!("{value} %"),
        Unit::Count | Unit::Ticks | Unit::Prio | Unit::Weight => value.to_string(),
    }
}

/// Word for a unit in the protocol.
pub fn unit_word(unit: Unit) -> &'static str {
    match unit {
        Unit::Count => "count",
        Unit::Nanos => "ns",
        Unit::Ticks => "ticks",
        Unit::Prio => "prio",
        Unit::Weight => "weight",
        Unit::Percent => "percent",
        Unit::Virtual => "virtual",
    }
}

/// `label value`, as in `goodness 24`.
pub fn gauge(gauge: &Gauge) -> String {
    format!("{} {}", gauge.label, number(gauge.value, gauge.unit))
}

/// A reason's template with its arguments filled in.
pub fn fill(reason: &ReasonSpec, args: [i64; 3]) -> String {
    let mut text = String::with_capacity(reason.template.len() + 24);
    let mut rest = reason.template;
    while let Some(open) = rest.find('{') {
        text.push_str(&rest[..open]);
        let after = &rest[open + 1..];
        let hole = after.find('}').map(|close| (&after[..close], &after[close + 1..]));
        let Some((Ok(index), tail)) = hole.map(|(name, tail)| (name.parse::<usize>(), tail)) else {
            text.push('{');
            rest = after;
            continue;
        };
        let unit = reason.args.get(index).copied().unwrap_or(Unit::Count);
        text.push_str(&number(args.get(index).copied().unwrap_or(0), unit));
        rest = tail;
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_carry_the_unit_that_suits_them() {
        let shown: Vec<String> = [0, 999, 1_000, 12_500_000, 1_234_567, 3_000_000_000].map(time).to_vec();
        assert_eq!(shown, ["0 ns", "999 ns", "1 µs", "12.5 ms", "1.234 ms", "3 s"]);
    }

    #[test]
    fn templates_are_filled_by_position_and_unit() {
        let reason = ReasonSpec {
            key: "FirstSlot",
            template: "slot {0} of {2}; {1} left, {x} stays",
            args: &[Unit::Count, Unit::Nanos, Unit::Percent],
            function: "schedule",
        };
        assert_eq!(fill(&reason, [3, -6_000_000, 50]), "slot 3 of 50 %; -6 ms left, {x} stays");
    }
}
