//! Catalogues say all that the page says, with the same holes, and nothing that nobody says any more.

use super::arrived::labels;
use crate::store::course::Listed;
use sim_core::engine::Engine;
use sim_core::engine::protocol::{Ask, Reply, Request};
use sim_core::lesson;
use sim_core::lesson::schema::Lesson;
use sim_core::lesson::words::{Piece, pieces};
use sim_core::policies;
use sim_core::posts::POSTS;
use sim_core::scenario::schema::Lane;
use sim_core::scenario::{self, builtins};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The text of a literal that begins behind its quote, and what follows it.
fn literal(source: &str) -> (String, &str) {
    let mut text = String::new();
    let mut chars = source.chars();
    loop {
        match chars.next().expect("a literal ends") {
            '"' => return (text, chars.as_str()),
            '\\' => match chars.next().expect("an escape has a letter") {
                'u' => {
                    let code: String = chars.by_ref().skip(1).take_while(|c| *c != '}').collect();
                    text.push(u32::from_str_radix(&code, 16).ok().and_then(char::from_u32).expect("a character"));
                }
                // A line that goes on: the break and the indentation are not part of the text.
                '\n' => chars = chars.as_str().trim_start().chars(),
                other => text.push(other),
            },
            plain => text.push(plain),
        }
    }
}

/// Texts of `Word("…")` in `source`.
fn words(source: &str, found: &mut BTreeSet<String>) {
    let pieces = source.split("Word(").skip(1).filter_map(|piece| piece.trim_start().strip_prefix('"'));
    found.extend(pieces.map(|piece| literal(piece).0));
}

/// Modules of the core that find fault with scenarios, links, lessons, sweeps, runs and files of other programs: their
/// literals are sentences.
const FAULT_FINDERS: [&str; 31] = [
    "engine/lane.rs",
    "engine/post_views.rs",
    "engine/quiz/measure.rs",
    "engine/quiz/mod.rs",
    "engine/quiz/moment.rs",
    "interchange/import/head.rs",
    "interchange/import/jobs.rs",
    "interchange/import/lenient.rs",
    "interchange/import/mod.rs",
    "interchange/import/payload.rs",
    "interchange/import/replay.rs",
    "interchange/import/rtapp.rs",
    "interchange/import/schedviz.rs",
    "interchange/import/table.rs",
    "lesson/mod.rs",
    "lesson/read.rs",
    "lesson/variant.rs",
    "scenario/code.rs",
    "scenario/link/codec.rs",
    "scenario/link/mod.rs",
    "scenario/link/short.rs",
    "scenario/link/view.rs",
    "scenario/mod.rs",
    "scenario/percentages.rs",
    "scenario/problems.rs",
    "scenario/program.rs",
    "scenario/read.rs",
    "scenario/settings.rs",
    "scenario/upgrade/mod.rs",
    "scenario/validate.rs",
    "sweep/axis.rs",
];

/// Sentences of the fault finders, `{name}` numbered as a catalogue has it.
fn faults(found: &mut BTreeSet<String>) {
    for file in FAULT_FINDERS {
        let source = fs::read_to_string(root().join("sim-core/src").join(file)).expect("a source file");
        let code = source.split("#[cfg(test)]").next().unwrap_or_default();
        // Neither comments nor what is written into a scenario is said to anybody.
        let is_said = |line: &&str| !line.trim().starts_with("//") && !line.contains("json!(");
        let code: String = code.lines().filter(is_said).flat_map(|l| [l, "\n"]).collect();
        let code = code.replace("'\"'", "");
        let mut rest = code.as_str();
        while let Some((before, after)) = rest.split_once('"') {
            let (text, tail) = literal(after);
            rest = tail;
            let is_for_programmers = ["expect(", "assert!("].iter().any(|call| before.trim_end().ends_with(call));
            let text = numbered(&text);
            let says = text.trim().contains(' ') && text.chars().filter(|c| c.is_alphabetic()).count() > 3;
            if says && !is_for_programmers {
                found.insert(text);
            }
        }
    }
}

/// A format string with its holes numbered: `{} of {most:?}` becomes `{0} of {1}`.
fn numbered(format: &str) -> String {
    let (mut text, mut holes) = (String::new(), 0);
    let mut rest = format;
    while let Some(open) = rest.find(['{', '}']) {
        text.push_str(&rest[..open]);
        let after = &rest[open + 1..];
        let hole = after.split_once('}').filter(|(name, _)| {
            name.chars().all(|c| c.is_ascii_alphanumeric() || "_:?".contains(c)) && !rest[open..].starts_with('}')
        });
        if let Some((_, tail)) = hole {
            text.push_str(&format!("{{{holes}}}"));
            holes += 1;
            rest = tail;
        } else {
            let brace = &rest[open..=open];
            text.push_str(brace);
            rest = after.strip_prefix(brace).unwrap_or(after);
        }
    }
    text + rest
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
            Reply::Policies(policies) => {
                for policy in policies {
                    found.extend([policy.title, policy.family, policy.summary]);
                    found.extend(policy.notes);
                    policy.tunables.iter().for_each(|tunable| knob(&tunable.help, found));
                }
            }
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

/// Labels of the pictures of all schedulers. Those of one word are the kernel's own.
fn picture_texts(found: &mut BTreeSet<String>) {
    let (mut engine, mut replies, mut seq) = (Engine::new(), Vec::new(), 0);
    for policy in policies::all() {
        for example in ["groups", "classes", "throttled", "rt-and-pinned", "lat-ctx"] {
            let mut scenario = builtins::find(example).expect("an example").scenario();
            scenario.lanes = vec![Lane::of(policy.info.key)];
            scenario.duration_ns = 40_000_000;
            let t = scenario.duration_ns;
            let asks = [
                Ask::SetScenario(scenario::to_json(&scenario)),
                Ask::Structures { lane: 0, t, cpu: 0 },
                Ask::Trails { lane: 0, from: 0, to: t, cpu: 0, samples: 4 },
            ];
            for ask in asks {
                seq += 1;
                engine.ask(Request { seq, ask });
                while engine.work(10_000, &mut replies) {}
            }
        }
    }
    let mut put = |label: &mut String| {
        if label.contains(' ') {
            found.insert(label.clone());
        }
    };
    for reply in replies.into_iter().map(|response| response.reply) {
        match reply {
            Reply::Structures(view) => {
                for mut panel in view.panels {
                    put(&mut panel.label);
                    panel.shapes.iter_mut().for_each(|shape| labels(shape, &mut put));
                }
            }
            Reply::Trails(view) => view.trails.into_iter().for_each(|mut trail| {
                put(&mut trail.label);
                put(&mut trail.help);
            }),
            _ => {}
        }
    }
}

/// A knob that stands once per level of the machine (`CPUs: smallest imbalance that counts`) is translated in two parts.
fn knob(help: &str, found: &mut BTreeSet<String>) {
    let level =
        ["SMT siblings", "CPUs", "NUMA nodes"].into_iter().find(|level| help.starts_with(&format!("{level}: ")));
    match level {
        Some(level) => found.extend([format!("{level}: {{0}}"), help[level.len() + 2..].to_owned()]),
        None => _ = found.insert(help.to_owned()),
    }
}

/// What the page says of the posts. A row's label is a number and a word: the word is translated once for all rows.
fn post_texts(found: &mut BTreeSet<String>) {
    let count = |label: &str| match label.split_once(' ') {
        Some((number, word)) if number != "1" && number.parse::<u64>().is_ok() => format!("{{0}} {word}"),
        _ => label.to_owned(),
    };
    for post in POSTS {
        found.extend([post.title, post.when, post.claim, post.not_reproduced].map(str::to_owned));
        found.extend(post.explains.map(str::to_owned));
        found.extend(post.sources.iter().map(|&sentence| sentence.to_owned()));
        found.extend(post.calibrated.iter().flat_map(|one| [one.what, one.to]).map(str::to_owned));
        for table in post.tables {
            found.extend([table.title, table.unit, table.row_unit, table.noise_source].map(str::to_owned));
            found.extend(table.shapes.iter().map(|shape| shape.claim.to_owned()));
            found.extend(table.rows.iter().map(|row| count(row.label)));
        }
        // Names stay, unless words stand beside them.
        found.extend(Some(post.who.to_owned()).filter(|who| who.contains(',')));
    }
}

/// Templates of titles that the engine gives to scenarios.
const TITLES: [&str; 2] = ["Post {0}, {1}: {2}, {3}", "Post {0}, {1}: {2}"];

/// A lesson of the page.
fn lesson(key: &str) -> Lesson {
    let path = root().join("lessons").join(format!("{key}.json"));
    let text = fs::read_to_string(path).expect("a lesson");
    lesson::parse(&text).expect("a lesson that reads").0
}

/// Keys of the lessons of the page.
fn lessons() -> Vec<String> {
    let list = fs::read_to_string(root().join("lessons/index.json")).expect("the list of lessons");
    let list: Vec<Listed> = serde_json::from_str(&list).expect("a list of lessons");
    list.into_iter().map(|listed| listed.key).collect()
}

/// Title and summary stand in the list too, so they belong to the catalogue of the page.
fn cards(found: &mut BTreeSet<String>) {
    found.extend(lessons().iter().map(|key| lesson(key)).flat_map(|lesson| [lesson.title, lesson.summary]));
}

/// Sentences that the engine puts together, and words that only some catalogue needs; they are not in the lists above.
fn is_sentence_of_the_engine(english: &str) -> bool {
    let sources = ["why.rs", "why_task.rs"].map(|file| {
        let path = root().join("sim-core/src/engine").join(file);
        fs::read_to_string(path).expect("a source file")
    });
    if policies_say(&root().join("sim-core/src/policies"), &format!("\"{english}\"")) {
        return true;
    }
    let said = |literal: &str| literal.len() > 5 && sources.iter().any(|source| source.contains(literal.trim()));
    english.split(['{', '}', ';']).any(said)
}

/// A label that a picture shows only at times.
fn policies_say(folder: &Path, literal: &str) -> bool {
    fs::read_dir(folder).expect("a folder").any(|entry| {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => policies_say(&path, literal),
            false => fs::read_to_string(&path).expect("a text file").contains(literal),
        }
    })
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn catalogue(name: &str) -> BTreeMap<String, String> {
    let path = root().join("locales").join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Fails for a text that has no German and for German that nobody says any more.
fn is_complete(file: &str, said: &BTreeSet<String>, german: &BTreeMap<String, String>, also: impl Fn(&str) -> bool) {
    let is_word = |text: &&String| text.chars().filter(|c| c.is_alphabetic()).count() > 1;
    let same = fs::read_to_string(root().join("locales/de.same.txt")).expect("the list of texts that stay");
    let same = same.lines().collect::<BTreeSet<_>>();
    let missing: Vec<_> =
        said.iter().filter(is_word).filter(|t| !german.contains_key(*t) && !same.contains(t.as_str())).collect();
    let count = missing.len();
    assert!(
        missing.is_empty(),
        "{count} texts have no German in locales/{file}; a text that stays as it is goes into de.same.txt:\n{missing:#?}"
    );
    let stale: Vec<_> = german.keys().filter(|text| !said.contains(*text) && !also(text)).collect();
    assert!(stale.is_empty(), "nobody says these of locales/{file} any more: {stale:#?}");
}

/// What a translation has to keep: its holes.
fn holes(text: &str) -> BTreeSet<String> {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(hole, _)| format!("{{{hole}}}")).collect()
}

/// What the translation of a lesson has to keep: holes, names of tasks, code, and whether something is strong.
fn marks(text: &str) -> BTreeSet<String> {
    let named = pieces(text).into_iter().filter_map(|piece| match piece {
        Piece::Task(name) => Some(format!("[{name}]")),
        Piece::Code(code) => Some(format!("`{code}`")),
        Piece::Strong(_) => Some("**".into()),
        Piece::Plain(_) => None,
    });
    holes(text).into_iter().chain(named).collect()
}

#[test]
fn german_says_all_that_english_says() {
    let mut said = BTreeSet::new();
    sources(&root().join("src"), &mut said);
    engine_texts(&mut said);
    picture_texts(&mut said);
    post_texts(&mut said);
    cards(&mut said);
    faults(&mut said);
    said.extend(TITLES.map(str::to_owned));
    let german = catalogue("de.json");
    is_complete("de.json", &said, &german, is_sentence_of_the_engine);
    for (english, other) in &german {
        let is_json = english.starts_with("Write ");
        assert!(is_json || holes(english) == holes(other), "locales/de.json: {english} | {other}");
    }
}

#[test]
fn german_lessons_say_all_that_the_lessons_say() {
    let keys = lessons();
    for key in &keys {
        let mut lesson = lesson(key);
        let (title, summary) = (lesson.title.clone(), lesson.summary.clone());
        let texts = lesson.texts_mut().into_iter().map(|text| text.clone());
        let said: BTreeSet<String> = texts.filter(|text| *text != title && *text != summary).collect();
        let file = format!("de/lessons/{key}.json");
        let german = catalogue(&file);
        is_complete(&file, &said, &german, |_| false);
        for (english, other) in &german {
            assert_eq!(marks(english), marks(other), "locales/{file}: {english} | {other}");
        }
    }
    let files = fs::read_dir(root().join("locales/de/lessons")).expect("the folder of German lessons");
    assert_eq!(files.count(), keys.len(), "a file per lesson");
}
