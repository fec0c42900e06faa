//! What `--vary` and the link's `vary=` say: `hogs=0..50:10`, `procs=2..256:x2`, `ring.hop=1us..5us:1us`, `hogs=0,3,10`.

/// A setting and the values that it takes in turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Axis {
    /// Key of the setting.
    pub key: String,
    /// Values in the order of the text; at least one.
    pub values: Vec<i64>,
}

/// Most values of one axis.
pub const VALUES_MAX: usize = 1_000;

const FORM: &str = "write key=from..to:step, key=from..to:xFACTOR or key=a,b,c, as in hogs=0..50:10";

/// How one value follows the other.
#[derive(Clone, Copy)]
enum Step {
    Add(i64),
    Times(i64),
}

impl Axis {
    /// Reads the text; the error is a sentence.
    pub fn read(text: &str) -> Result<Self, String> {
        let shown: String = text.chars().take(60).filter(|c| !c.is_control()).collect();
        let (key, values) = text.split_once('=').ok_or_else(|| format!("\"{shown}\" names no values: {FORM}"))?;
        let (key, values) = (key.trim(), values.trim());
        if key.is_empty() {
            return Err(format!("\"{shown}\" names no key: {FORM}"));
        }
        let values = match values.split_once("..") {
            Some((from, rest)) => range(from, rest)?,
            None => values.split(',').map(number).collect::<Result<_, _>>()?,
        };
        if values.len() > VALUES_MAX {
            return Err(format!("{key} takes more than {VALUES_MAX} values; make the step larger"));
        }
        Ok(Axis { key: key.into(), values })
    }
}

/// `to:step` after `from..`; without a step it is 1.
fn range(from: &str, rest: &str) -> Result<Vec<i64>, String> {
    let (to, step) = rest.split_once(':').unwrap_or((rest, "1"));
    let (from, to) = (number(from)?, number(to)?);
    let step = match step.trim().strip_prefix(['x', '*']) {
        Some(factor) => Step::Times(number(factor)?),
        None => Step::Add(number(step)?),
    };
    match step {
        _ if from > to => Err(format!("{from}..{to} runs backwards; write the smaller value first")),
        Step::Add(step) if step < 1 => Err(format!("a step of {step} does not lead from {from} to {to}")),
        Step::Times(factor) if factor < 2 || from < 1 => {
            Err(format!("x{factor} does not lead from {from} to {to}; take a factor from 2 and begin at 1 or more"))
        }
        Step::Add(_) | Step::Times(_) => {
            let next = move |&value: &i64| {
                let next = match step {
                    Step::Add(step) => value.checked_add(step),
                    Step::Times(factor) => value.checked_mul(factor),
                };
                next.filter(|&next| next <= to)
            };
            Ok(std::iter::successors(Some(from), next).take(VALUES_MAX + 1).collect())
        }
    }
}

/// A whole number; times may have a unit.
fn number(text: &str) -> Result<i64, String> {
    let text = text.trim();
    let digits = text.trim_end_matches(|c: char| c.is_alphabetic());
    let scale = match &text[digits.len()..] {
        "" | "ns" => 1,
        "us" | "µs" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        _ => 0,
    };
    let value = digits.parse::<i64>().ok().filter(|_| scale > 0).and_then(|value| value.checked_mul(scale));
    value.ok_or_else(|| {
        let shown: String = text.chars().take(40).filter(|c| !c.is_control()).collect();
        format!("\"{shown}\" is not a whole number (times may end in ns, us, ms or s): {FORM}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<i64> {
        Axis::read(text).expect("it is an axis").values
    }

    #[test]
    fn ranges_lists_and_factors_are_read() {
        assert_eq!(values("hogs=0..50:10"), [0, 10, 20, 30, 40, 50]);
        assert_eq!(values("hogs=0..5:2"), [0, 2, 4], "the end is reached only if a step lands on it");
        assert_eq!(values("ring.procs = 2..256:x2"), [2, 4, 8, 16, 32, 64, 128, 256]);
        assert_eq!(values("hogs.nice=-2..2"), [-2, -1, 0, 1, 2]);
        assert_eq!(values("ring.hop=1us..3us:1us"), [1_000, 2_000, 3_000]);
        assert_eq!(values("hogs=3,1,10"), [3, 1, 10]);
        assert_eq!(values("hogs=7"), [7]);
        assert_eq!(values("x=9223372036854775806..9223372036854775807"), [i64::MAX - 1, i64::MAX]);
    }

    #[test]
    fn what_cannot_be_meant_is_said() {
        for (text, part) in [
            ("hogs", "names no values"),
            ("=1..2", "names no key"),
            ("hogs=5..1", "runs backwards"),
            ("hogs=0..9:0", "a step of 0"),
            ("hogs=0..9:x2", "begin at 1"),
            ("hogs=1..9:x1", "factor from 2"),
            ("hogs=1..many", "not a whole number"),
            ("hogs=1.5", "not a whole number"),
            ("hogs=0..9223372036854775807", "more than 1000"),
            ("hogs=9223372036854775807s", "not a whole number"),
            ("hogs=", "not a whole number"),
        ] {
            let error = Axis::read(text).expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
