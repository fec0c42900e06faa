//! Lessons: texts, pictures and questions as data, written by teachers and read from anywhere.
//!
//! [`parse`] reads a lesson and names everything that is wrong with it at once; [`variant`] makes the numbers of a seed;
//! `engine::quiz` answers the questions by simulation; [`grade`] judges an answer. Reading needs no policy, so the page can
//! do it. Texts are shown as text; [`words`] knows the few marks they may hold.

pub mod check;
pub mod limits;
pub mod number;
mod read;
pub mod schema;
pub mod variant;
pub mod words;

#[cfg(test)]
mod tests;

use crate::engine::protocol::{Problem, Right};
use crate::scenario::json;
use crate::scenario::problems::{Problems, quote, single};
use schema::{Lesson, VERSION};
use serde_json::Value;

/// Reads lesson JSON. Gives the lesson and warnings (unknown fields), or all faults at once. Policies are not looked up.
pub fn parse(text: &str) -> Result<(Lesson, Vec<Problem>), Vec<Problem>> {
    if text.len() > limits::TEXT_BYTES_MAX {
        let message = format!("{} bytes are more than {}", text.len(), limits::TEXT_BYTES_MAX);
        return Err(single("", message, "Use fewer steps"));
    }
    let value = json(text)?;
    version(&value)?;
    let mut problems = Problems::default();
    let lesson = read::lesson(&value, &mut problems);
    if let Some(lesson) = &lesson {
        read::relations(lesson, &mut problems);
    }
    let warnings = problems.finish()?;
    match lesson {
        Some(lesson) => Ok((lesson, warnings)),
        None => Err(single("", "is not a lesson", "")),
    }
}

/// Whether a text is meant as a lesson rather than a scenario: it has steps.
pub fn is_lesson(text: &str) -> bool {
    json(text).is_ok_and(|value| value.get("steps").is_some())
}

fn version(value: &Value) -> Result<(), Vec<Problem>> {
    match value.get("v") {
        Some(Value::Number(number)) if number.as_u64() == Some(u64::from(VERSION)) => Ok(()),
        Some(Value::Number(number)) if number.as_u64().is_some_and(|version| version > u64::from(VERSION)) => {
            let message = format!("made for a newer version ({number}; this one knows {VERSION})");
            Err(single("v", message, "Reload the page to get the newest version"))
        }
        Some(other) => {
            let text = other.to_string();
            Err(single("v", format!("{} is not a version", quote(&text)), format!("Write \"v\": {VERSION}")))
        }
        None if value.is_object() => {
            Err(single("v", "is missing: the version of the format", format!("Write \"v\": {VERSION}")))
        }
        None => Err(single("", "is not a lesson", "A lesson is an object {\"v\": 1, \"title\": …, \"steps\": […]}")),
    }
}

/// What a student answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Given {
    /// Index of an option.
    Option(u16),
    /// A number in the question's base unit; see [`number`].
    Number(i64),
}

/// Whether an answer is right.
pub fn grade(given: Given, right: &Right) -> bool {
    match (given, right) {
        (Given::Option(given), Right::Option(right)) => given == *right,
        (Given::Number(given), Right::Number { value, within, .. }) => number::is_within(given, *value, *within),
        (Given::Option(_), Right::Number { .. }) | (Given::Number(_), Right::Option(_)) => false,
    }
}
