//! What is simulated: the document that people write, share and open.
//!
//! [`parse`] reads text, [`compile::compile`] makes a machine of it, [`builtins`] come with the program. Reading a
//! scenario does not need the registry of policies, so the page can do it without carrying the schedulers.

mod builder;
pub mod builtins;
mod code;
pub mod compile;
pub mod golden;
mod kinds;
pub mod limits;
pub mod link;
mod percentages;
pub(crate) mod problems;
mod program;
pub(crate) mod read;
pub mod repair;
pub mod schema;
pub mod settings;
pub mod text;
mod upgrade;
mod validate;

pub use compile::{Compiled, compile, parse_for_run};
pub use validate::{check, check_lanes};

use crate::engine::protocol::{Catalogue, Problem};
use problems::{Problems, single};
use schema::Scenario;
use serde_json::Value;

/// Reads scenario JSON of this or an older version. Gives the scenario and warnings (unknown fields), or all faults at
/// once. Policies are not looked up: see [`check_lanes`].
pub fn parse(text: &str) -> Result<(Scenario, Vec<Problem>), Vec<Problem>> {
    parse_with(text, &|_, _| {})
}

/// [`parse`] with one more check of what was read.
fn parse_with(text: &str, check: &dyn Fn(&Scenario, &mut Problems)) -> Result<(Scenario, Vec<Problem>), Vec<Problem>> {
    let mut value = json(text)?;
    upgrade::to_current(&mut value)?;
    let mut problems = Problems::default();
    let scenario = read::scenario(&value, &mut problems);
    if let Some(scenario) = &scenario {
        validate::relations(scenario, &mut problems);
        check(scenario, &mut problems);
    }
    let warnings = problems.finish()?;
    match scenario {
        Some(scenario) => Ok((scenario, warnings)),
        None => Err(single("", "is not a scenario", "")),
    }
}

/// Text to JSON, bounded before the parser sees it.
pub(crate) fn json(text: &str) -> Result<Value, Vec<Problem>> {
    if text.len() > limits::TEXT_BYTES_MAX {
        let message = format!("{} bytes are more than {}", text.len(), limits::TEXT_BYTES_MAX);
        return Err(single("", message, "Use fewer workloads or changes"));
    }
    if nesting(text) > limits::NESTING_MAX {
        return Err(single("", format!("brackets are nested deeper than {}", limits::NESTING_MAX), ""));
    }
    serde_json::from_str(text).map_err(|error| {
        let hint = format!("Look at line {}, column {}", error.line(), error.column());
        single("", format!("is not JSON: {error}"), hint)
    })
}

/// Deepest nesting of brackets outside of strings.
fn nesting(text: &str) -> u32 {
    let (mut depth, mut deepest) = (0u32, 0u32);
    let (mut in_string, mut escaped) = (false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// The scenario as JSON text without the fields that have their default.
pub fn to_json(scenario: &Scenario) -> String {
    // A scenario holds only maps with text keys, so it can always be written.
    serde_json::to_string(scenario).unwrap_or_default()
}

/// What can be put into a scenario, for the controls.
pub fn catalogue() -> Catalogue {
    let profiles = crate::machine::profile::all().iter();
    let builtins = builtins::BUILTINS.iter();
    Catalogue {
        kinds: kinds::views(),
        profiles: profiles.map(|p| (p.key.into(), p.label.into(), p.help.into())).collect(),
        builtins: builtins.map(|b| (b.key.into(), b.title.into(), b.help.into())).collect(),
    }
}

#[cfg(test)]
mod tests;
