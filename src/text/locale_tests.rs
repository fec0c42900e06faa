//! Catalogues say all that the page says, with the same holes, and nothing that nobody says any more.

use sim_core::engine::Engine;
use sim_core::engine::protocol::{Ask, Reply, Request};
use sim_core::policies;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Texts of `Word("…")` in `source`.
fn words(source: &str, found: &mut BTreeSet<String>) {
    for piece in source.split("Word(").skip(1) {
        let piece = piece.trim_start();
        let Some(literal) = piece.strip_prefix('"') else { continue };
        let mut text = String::new();
        let mut chars = literal.chars();
        loop {
            match chars.next().expect("a literal ends") {
                '"' => break,
                '\\' => match chars.next().expect("an escape has a letter") {
                    'u' => {
                        let code: String = chars.by_ref().skip(1).take_while(|c| *c != '}').collect();
                        text.push(u32::from_str_radix(&code, 16).ok().and_then(char::from_u32).expect("a character"));
                    }
                    // A line that goes on: the break and the indentation are not part of the text.
                    '\n' => {
                        let rest = chars.as_str().trim_start();
                        chars = rest.chars();
                    }
                    other => text.push(other),
                },
                plain => text.push(plain),
            }
        }
        found.insert(text);
    }
}

fn sources(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("src/ is there") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if !path.to_string_lossy().ends_with("tests.rs") {
            let source = fs::read_to_string(&path).expect("a text file");
            words(source.split("#[cfg(test)]").next().unwrap_or_default(), found);
        }
    }
}

/// What the engine says of itself: rules, schedulers, workloads, examples.
fn engine_texts(found: &mut BTreeSet<String>) {
    let mut engine = Engine::new();
    let mut replies = Vec::new();
    for (seq, ask) in [(1, Ask::Policies), (2, Ask::Catalogue)] {
        engine.ask(Request { seq, ask });
        engine.work(0, &mut replies);
    }
    for reply in replies.into_iter().map(|response| response.reply) {
        match reply {
            Reply::Policies(policies) => found.extend(policies.into_iter().map(|policy| policy.title)),
            Reply::Catalogue(catalogue) => {
                let kinds = catalogue.kinds.into_iter();
                found.extend(kinds.flat_map(|k| k.params.into_iter().map(|p| p.label).chain([k.label, k.help])));
                let named = catalogue.profiles.into_iter().chain(catalogue.builtins);
                found.extend(named.flat_map(|(_, label, help)| [label, help]));
            }
            _ => {}
        }
    }
    let reasons = policies::all().flat_map(|policy| policy.info.reasons);
    found.extend(reasons.map(|reason| reason.template.to_owned()));
}

/// Sentences that the engine puts together, and words that only some catalogue needs; they are not in the lists above.
fn is_sentence_of_the_engine(english: &str) -> bool {
    let sources = ["why.rs", "why_task.rs"].map(|file| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("sim-core/src/engine").join(file);
        fs::read_to_string(path).expect("a source file")
    });
    let said = |literal: &str| literal.len() > 5 && sources.iter().any(|source| source.contains(literal.trim()));
    english.split(['{', '}', ';']).any(said)
}

fn holes(text: &str) -> BTreeSet<&str> {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(hole, _)| hole).collect()
}

#[test]
fn german_says_all_that_english_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("locales/de.json")).expect("the catalogue");
    let german: BTreeMap<String, String> = serde_json::from_str(&text).expect("an object of texts");
    let mut said = BTreeSet::new();
    sources(&root.join("src"), &mut said);
    engine_texts(&mut said);
    let is_word = |text: &&String| text.chars().filter(|c| c.is_alphabetic()).count() > 1;
    let same = include_str!("../../locales/de.same.txt").lines().collect::<BTreeSet<_>>();
    let missing: Vec<_> =
        said.iter().filter(is_word).filter(|t| !german.contains_key(*t) && !same.contains(t.as_str())).collect();
    assert!(
        missing.is_empty(),
        "{} texts have no German; a text that stays as it is goes into de.same.txt:\n{missing:#?}",
        missing.len()
    );
    let stale: Vec<_> = german.keys().filter(|t| !said.contains(*t) && !is_sentence_of_the_engine(t)).collect();
    assert!(stale.is_empty(), "nobody says these any more: {stale:#?}");
    for (english, other) in &german {
        assert_eq!(holes(english), holes(other), "{english} | {other}");
    }
}
