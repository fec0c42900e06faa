//! Seeded variants: the same lesson with other numbers, the same for everyone who has the same seed.

use super::schema::{Lesson, Source, Step};
use crate::engine::protocol::Problem;
use crate::scenario::problems::single;
use crate::scenario::schema::Scenario;
use crate::scenario::{self, link};
use crate::task::draw::draw;
use serde_json::Value;
use std::collections::BTreeMap;

/// The numbers of a variant, by name.
pub type Numbers = BTreeMap<String, u64>;

/// The numbers that `seed` draws.
pub fn numbers(lesson: &Lesson, seed: u64) -> Numbers {
    let drawn = |(index, (name, values)): (usize, (&String, &Vec<u64>))| {
        let place = draw(seed, index as u64, 0) % values.len().max(1) as u64;
        (name.clone(), values.get(place as usize).copied().unwrap_or(0))
    };
    lesson.vary.iter().enumerate().map(drawn).collect()
}

/// A text with `{name}` replaced by the variant's number. Other braces stay as they are.
pub fn fill(text: &str, numbers: &Numbers) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        filled.push_str(&rest[..open]);
        let after = &rest[open + 1..];
        match after.find('}').and_then(|close| Some((numbers.get(&after[..close])?, &after[close + 1..]))) {
            Some((number, tail)) => {
                filled.push_str(&number.to_string());
                rest = tail;
            }
            None => {
                filled.push('{');
                rest = after;
            }
        }
    }
    filled.push_str(rest);
    filled
}

/// A step as a variant has it.
pub fn step(lesson: &Lesson, index: usize, seed: u64) -> Option<Step> {
    let numbers = numbers(lesson, seed);
    let mut step = lesson.steps.get(index)?.clone();
    for text in step.texts_mut() {
        *text = fill(text, &numbers);
    }
    Some(step)
}

/// The scenario of a step in a variant, or what is wrong with it; paths begin at the lesson. The scenario's own seed is
/// that of the variant.
pub fn scenario_of(lesson: &Lesson, index: usize, seed: u64) -> Result<Scenario, Vec<Problem>> {
    let own = lesson
        .steps
        .iter()
        .take(index + 1)
        .enumerate()
        .rev()
        .find_map(|(at, step)| Some((at, step.scenario.as_ref()?)));
    let Some((at, source)) = own else {
        return Err(single(&format!("steps[{index}].scenario"), "is missing", "The first step must name what runs"));
    };
    let numbers = numbers(lesson, seed);
    let read = match source {
        Source::Link(text) => link::decode(&fill(text, &numbers)).and_then(|link| {
            let hint = "Copy a link from the page, or name a built-in: \"ex=lat-ctx&hogs=10\"";
            link.scenario.ok_or_else(|| single("", "is a link without a scenario", hint))
        }),
        Source::Inline(value) => scenario::parse(&filled(value, &numbers).to_string()).map(|(scenario, _)| scenario),
    };
    let title = |scenario: Scenario| {
        let title = if scenario.title.is_empty() { lesson.title.clone() } else { scenario.title };
        Scenario { seed, title, ..scenario }
    };
    read.map(title).map_err(|problems| {
        let below = format!("steps[{at}].scenario");
        let path = |path: &str| if path.is_empty() { below.clone() } else { format!("{below}.{path}") };
        problems.into_iter().map(|problem| Problem { path: path(&problem.path), ..problem }).collect()
    })
}

/// A document in which each text `"{name}"` has become the number.
fn filled(value: &Value, numbers: &Numbers) -> Value {
    match value {
        Value::String(text) => {
            let name = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
            match name.and_then(|name| numbers.get(name)) {
                Some(&number) => number.into(),
                None => fill(text, numbers).into(),
            }
        }
        Value::Array(items) => items.iter().map(|item| filled(item, numbers)).collect(),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(key, value)| (key.clone(), filled(value, numbers))).collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_names_in_braces_are_replaced() {
        let numbers = Numbers::from([("hogs".into(), 7)]);
        assert_eq!(fill("{hogs} hogs, {x}, {", &numbers), "7 hogs, {x}, {");
        assert_eq!(
            filled(&serde_json::json!({"count": "{hogs}", "name": "a{hogs}"}), &numbers),
            serde_json::json!({"count": 7, "name": "a7"})
        );
    }

    #[test]
    fn the_same_seed_gives_the_same_numbers_and_others_give_others() {
        let lesson = super::super::parse(
            r#"{"v":1,"title":"t","summary":"s","vary":{"a":[1,2,3,4,5,6,7],"b":[1,2,3,4,5,6,7]},
                "steps":[{"title":"t","text":["x"],"scenario":"ex=lat-ctx"}]}"#,
        );
        let (lesson, _) = lesson.unwrap();
        assert_eq!(numbers(&lesson, 5), numbers(&lesson, 5));
        let all: std::collections::BTreeSet<_> = (0..50).map(|seed| numbers(&lesson, seed)).collect();
        assert!(all.len() > 20, "{}", all.len());
    }
}
