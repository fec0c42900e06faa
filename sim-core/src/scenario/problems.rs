//! Collects what is wrong with a document: everything at once, each with the path of its field.

use super::limits::PROBLEMS_MAX;
use crate::engine::protocol::Problem;

/// Errors, which stop a scenario, and warnings, which do not.
#[derive(Default)]
pub(crate) struct Problems {
    errors: Vec<Problem>,
    warnings: Vec<Problem>,
    left_out: usize,
}

impl Problems {
    /// An error without a clear way to mend it.
    pub fn error(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.error_with_hint(path, message, "");
    }

    /// An error and how to mend it.
    pub fn error_with_hint(&mut self, path: impl Into<String>, message: impl Into<String>, hint: impl Into<String>) {
        self.push(Problem { path: path.into(), message: message.into(), hint: hint.into(), ..Problem::default() });
    }

    /// An error that this value (JSON) in the field's place would mend.
    pub fn error_with_repair(&mut self, path: impl Into<String>, message: impl Into<String>, repair: String) {
        let (path, message) = (path.into(), message.into());
        self.push(Problem { path, message, hint: String::new(), repair: Some(repair) });
    }

    /// A number that is not within `low..=high`: the nearer end would do.
    pub fn outside<N: Copy + Ord + core::fmt::Display>(&mut self, path: impl Into<String>, value: N, low: N, high: N) {
        let nearest = value.clamp(low, high.max(low));
        self.error_with_repair(path, outside(value, low, high), nearest.to_string());
    }

    /// A word that is none of `known`: a similar one would do.
    pub fn unknown_word(&mut self, path: impl Into<String>, text: &str, message: impl Into<String>, known: &[&str]) {
        let repair = similar(text, known.iter().copied()).map(|meant| format!("\"{meant}\""));
        let (path, message) = (path.into(), message.into());
        self.push(Problem { path, message, hint: suggest(text, known), repair });
    }

    fn push(&mut self, problem: Problem) {
        if self.errors.len() < PROBLEMS_MAX {
            self.errors.push(problem);
        } else {
            self.left_out += 1;
        }
    }

    /// An error, unless one of this field is known: a missing name is not reported as an empty one too.
    pub fn error_once(&mut self, path: String, message: &str) {
        if !self.errors.iter().any(|error| error.path == path) {
            self.error(path, message);
        }
    }

    /// A warning.
    pub fn warn(&mut self, path: impl Into<String>, message: impl Into<String>, hint: impl Into<String>) {
        if self.warnings.len() < PROBLEMS_MAX {
            self.warnings.push(Problem {
                path: path.into(),
                message: message.into(),
                hint: hint.into(),
                ..Problem::default()
            });
        }
    }

    /// The warnings, or all errors.
    pub fn finish(mut self) -> Result<Vec<Problem>, Vec<Problem>> {
        if self.errors.is_empty() {
            return Ok(self.warnings);
        }
        if self.left_out > 0 {
            let message = format!("{} more problems are not listed", self.left_out);
            self.errors.push(Problem { path: String::new(), message, ..Problem::default() });
        }
        Err(self.errors)
    }
}

/// What is wrong with a number outside of its range.
pub(crate) fn outside(
    value: impl core::fmt::Display,
    low: impl core::fmt::Display,
    high: impl core::fmt::Display,
) -> String {
    format!("{value} is outside {low} to {high}")
}

/// One problem as a list.
pub(crate) fn single(path: &str, message: impl Into<String>, hint: impl Into<String>) -> Vec<Problem> {
    vec![Problem { path: path.into(), message: message.into(), hint: hint.into(), ..Problem::default() }]
}

/// Text of a stranger made fit for a message: shortened, control characters replaced.
pub(crate) fn quote(text: &str) -> String {
    let mut short: String = text.chars().take(40).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(40).is_some() {
        short.push('…');
    }
    format!("\"{short}\"")
}

/// The entry of `known` that `text` probably means: same without case and separators, or one edit
/// (a letter more, less, other, or two swapped) away.
pub(crate) fn similar<'k>(text: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let plain = |text: &str| -> Vec<char> {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).take(60).collect()
    };
    let wanted = plain(text);
    known.into_iter().find(|candidate| edits_at_most_one(&wanted, &plain(candidate)))
}

fn edits_at_most_one(a: &[char], b: &[char]) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if long.len() - short.len() > 1 {
        return false;
    }
    let same = short.iter().zip(long).take_while(|(x, y)| x == y).count();
    if short.len() == long.len() {
        let swapped = || {
            let rest = (&short[same..], &long[same..]);
            rest.0.len() > 1 && rest.0[0] == rest.1[1] && rest.0[1] == rest.1[0] && rest.0[2..] == rest.1[2..]
        };
        same == long.len() || short[same + 1..] == long[same + 1..] || swapped()
    } else {
        short[same..] == long[same + 1..]
    }
}

/// Hint that names the probable meaning, or lists what exists.
pub(crate) fn suggest(text: &str, known: &[&str]) -> String {
    match similar(text, known.iter().copied()) {
        Some(meant) => format!("Did you mean {meant}?"),
        None => format!("Known: {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_one_letter_is_recognised() {
        let known = ["hog", "lat-ctx", "sleeper"];
        assert_eq!(similar("lat_ctx", known), Some("lat-ctx"));
        assert_eq!(similar("sleepr", known), Some("sleeper"));
        assert_eq!(similar("hogs", known), Some("hog"));
        assert_eq!(similar("volano", known), None);
        assert_eq!(similar("", known), None);
    }
}
