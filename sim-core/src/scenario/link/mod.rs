//! Links: a whole scenario and what is looked at, in the part of an address after `#`, which never leaves the browser.
//! `docs/link-format.md` is the published description.
//!
//! Two forms: `v=1&s=PACKED&…` holds any scenario; `v=1&ex=lat-ctx&hogs=50&p=…` names a built-in and what differs from
//! it. Published links work for ever: a change of the format is a new version with an upgrader, never another meaning.

mod codec;
pub(super) mod short;
mod view;

pub use view::View;

use super::limits::{LINK_BYTES_MAX, LINK_PAIRS_MAX};
use super::problems::{Problems, quote, single, suggest};
use super::schema::{Scenario, VERSION};
use super::{builtins, parse, repair, to_json, validate};
use crate::engine::protocol::Problem;

/// What a link says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Link {
    /// The scenario; `None` if the link holds none (a lesson, a source to fetch, or nothing).
    pub scenario: Option<Scenario>,
    /// Key of the built-in that it names.
    pub example: Option<String>,
    /// What is looked at.
    pub view: View,
    /// What could not be read but does not stop the scenario.
    pub warnings: Vec<Problem>,
}

/// The link's text after `#`: the short form where it can say the scenario, else the packed one.
pub fn encode(scenario: &Scenario, view: &View) -> String {
    let mut link = format!("v={VERSION}");
    let mut pair = |key: &str, value: &str| {
        link.push('&');
        link.push_str(&codec::escaped(key));
        link.push('=');
        link.push_str(&codec::escaped(value));
    };
    let named = |builtin: &builtins::Builtin| Some((builtin.key, short::difference(&builtin.scenario(), scenario)?));
    match builtins::BUILTINS.iter().find_map(named) {
        Some((key, pairs)) => {
            pair("ex", key);
            pairs.iter().for_each(|(key, value)| pair(key, value));
        }
        None => {
            pair("s", &codec::pack(&to_json(scenario)));
            pair("p", &short::policies(scenario));
        }
    }
    view.write(&mut link);
    link
}

/// A link for a lesson, a source or a built-in without changes: the view alone, with `ex` if given.
pub fn encode_view(example: Option<&str>, view: &View) -> String {
    let mut link = format!("v={VERSION}");
    if let Some(example) = example {
        link.push_str("&ex=");
        link.push_str(&codec::escaped(example));
    }
    view.write(&mut link);
    link
}

/// Reads a link: a whole address, or the part after `#`. Faults of the scenario are reported all at once; faults of the
/// view are warnings.
pub fn decode(text: &str) -> Result<Link, Vec<Problem>> {
    let text = text.trim();
    if text.len() > LINK_BYTES_MAX {
        let message = format!("{} bytes are more than {LINK_BYTES_MAX}", text.len());
        return Err(single("", message, "Share the scenario as a file"));
    }
    let fragment = match text.split_once('#') {
        Some((_, fragment)) => fragment,
        None if is_address(text) => "",
        None => text,
    };
    let pairs: Vec<(String, String)> = fragment.split('&').filter(|pair| !pair.is_empty()).map(pair).collect();
    if pairs.len() > LINK_PAIRS_MAX {
        return Err(single("", format!("{} pairs are more than {LINK_PAIRS_MAX}", pairs.len()), ""));
    }
    version(&pairs)?;
    let mut link = Link::default();
    scenario_of(&pairs, &mut link)?;
    let mut problems = Problems::default();
    for (key, value) in &pairs {
        one_pair(key, value, &mut link, &mut problems);
    }
    link.view.settle(&mut link.warnings);
    let mut faults = problems.finish().err().unwrap_or_default();
    match link.scenario.as_ref().map_or(Ok(Vec::new()), validate::check) {
        Ok(warnings) => {
            let fresh: Vec<Problem> = warnings.into_iter().filter(|warning| !link.warnings.contains(warning)).collect();
            link.warnings.extend(fresh);
        }
        Err(more) => faults.extend(more),
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    Ok(link)
}

/// The scenario of a link (the part after `#`) as a document, however faulty, for people to mend: of a built-in that
/// cannot be changed as asked, the built-in. `None` where the link holds none or cannot be unpacked.
pub fn document(fragment: &str) -> Option<String> {
    if let Ok(link) = decode(fragment) {
        return link.scenario.as_ref().map(to_json);
    }
    let pairs: Vec<(String, String)> = fragment.split('&').map(pair).collect();
    match value_of(&pairs, "s") {
        Some(packed) => codec::unpack(packed).ok(),
        None => value_of(&pairs, "ex").and_then(builtins::find).map(|builtin| to_json(&builtin.scenario())),
    }
}

/// The link with this document in the place of its scenario. What is looked at stays; pairs that change the scenario
/// go, because the document says it all.
pub fn with_document(fragment: &str, document: &str) -> String {
    let is_view = |part: &&str| {
        let key = pair(part).0;
        view::KEYS.contains(&key.as_str()) && !matches!(key.as_str(), "v" | "s" | "p" | "ex")
    };
    let mut link = format!("v={VERSION}&s={}", codec::pack(document));
    for part in fragment.split('&').filter(is_view) {
        link.push('&');
        link.push_str(part);
    }
    link
}

/// The link (the part after `#`) with the repairs of `problems` in its scenario; `None` where it packs none or there is
/// nothing to put in.
pub fn repaired(fragment: &str, problems: &[Problem]) -> Option<String> {
    Some(with_document(fragment, &repair::repaired(&document(fragment)?, problems)?))
}

fn one_pair(key: &str, value: &str, link: &mut Link, problems: &mut Problems) {
    if matches!(key, "v" | "s" | "ex") || link.view.read(key, value, &mut link.warnings) {
        return;
    }
    if let Some(scenario) = &mut link.scenario {
        if key == "p" {
            return short::set_policies(scenario, value);
        }
        if short::set(scenario, key, value, problems).is_some() {
            return;
        }
    }
    if key != "p" {
        let path = key.chars().take(40).collect();
        link.warnings.push(Problem { path, message: "unknown key, kept".into(), ..Problem::default() });
    }
    link.view.unknown.push((key.into(), value.into()));
}

/// Whether a text without `#` is an address rather than pairs, whose values may hold addresses.
fn is_address(text: &str) -> bool {
    text.find("://").is_some_and(|at| at < text.find('=').unwrap_or(text.len()))
}

fn pair(text: &str) -> (String, String) {
    let (key, value) = text.split_once('=').unwrap_or((text, ""));
    (codec::unescaped(key), codec::unescaped(value))
}

/// The last value of a key, as in a form.
fn value_of<'p>(pairs: &'p [(String, String)], key: &str) -> Option<&'p str> {
    pairs.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
}

/// Links without `v` are of version 1: people write short ones by hand.
fn version(pairs: &[(String, String)]) -> Result<(), Vec<Problem>> {
    let Some(text) = value_of(pairs, "v") else { return Ok(()) };
    match text.parse::<u32>() {
        Ok(version) if (1..=VERSION).contains(&version) => Ok(()),
        Ok(version) if version > VERSION => {
            let message = format!("made by a newer version ({version}; this one knows {VERSION})");
            Err(single("v", message, "Reload the page to get the newest version"))
        }
        Ok(_) | Err(_) => Err(single("v", format!("{} is not a version", quote(text)), "")),
    }
}

/// The scenario that the link holds or names, before the pairs that change it.
fn scenario_of(pairs: &[(String, String)], link: &mut Link) -> Result<(), Vec<Problem>> {
    if let Some(packed) = value_of(pairs, "s") {
        let text = codec::unpack(packed).map_err(|message| {
            single("s", message, "Copy the whole link again: mail and chat programs cut or change long ones")
        })?;
        let (scenario, warnings) = parse(&text)?;
        link.scenario = Some(scenario);
        link.warnings = warnings;
        return Ok(());
    }
    let Some(key) = value_of(pairs, "ex") else { return Ok(()) };
    let Some(builtin) = builtins::find(key) else {
        let keys: Vec<&str> = builtins::BUILTINS.iter().map(|builtin| builtin.key).collect();
        return Err(single("ex", format!("{} is not a built-in scenario", quote(key)), suggest(key, &keys)));
    };
    link.scenario = Some(builtin.scenario());
    link.example = Some(key.into());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAULTY: &str = r#"{"v":1,"title":"t","duration_ns":1000,"machine":{"cores":2,"hz":120},
        "lanes":[{"policy":"o1-2.6.21"}],"workloads":[{"name":"a","kind":"hog","nice":40}]}"#;

    #[test]
    fn the_document_of_a_faulty_link_can_be_mended_and_opened() {
        let fragment = format!("s={}&t=5&p=o1-2.6.21&a=3", codec::pack(FAULTY));
        let problems = decode(&fragment).expect_err("two fields are wrong");
        assert_eq!(document(&fragment).as_deref(), Some(FAULTY));
        let mended = decode(&repaired(&fragment, &problems).expect("both have a repair")).expect("it opens");
        let scenario = mended.scenario.expect("a scenario");
        assert_eq!((scenario.machine.hz, scenario.workloads[0].nice, mended.view.t), (100, 19, Some(5)));
        assert_eq!(scenario.workloads[0].count, 1, "the document says it all");
    }

    #[test]
    fn a_link_with_bad_changes_of_a_builtin_gives_the_builtin() {
        let key = builtins::BUILTINS[0].key;
        let fragment = format!("ex={key}&{}=x", builtins::BUILTINS[0].scenario().workloads[0].name);
        assert!(decode(&fragment).is_err());
        let document = document(&fragment).expect("the built-in");
        let opened = decode(&with_document(&fragment, &document)).expect("it opens");
        assert_eq!(opened.scenario, Some(builtins::BUILTINS[0].scenario()));
        assert_eq!((super::document("v=1"), super::document("s=%%"), super::document("ex=none")), (None, None, None));
    }

    #[test]
    fn policies_of_the_address_are_in_the_document() {
        let key = builtins::BUILTINS[0].key;
        let document = document(&format!("ex={key}&p=windows-xp")).expect("a scenario");
        assert_eq!(
            &document[super::super::text::place(&document, "lanes[0].policy").expect("a lane")],
            "\"windows-xp\""
        );
    }
}
