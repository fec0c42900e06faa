//! Links: every published one still opens and shows the same, broken ones get their sentence, anything survives the
//! way through a link, and no text whatever makes the decoder or the parser panic.
//!
//! `tests/links/NAME.txt` holds a link, a line `---`, and what it must give. `UPDATE_GOLDEN=1` writes the second part;
//! for a published link a changed second part is a broken promise, not a new expectation.

use proptest::prelude::*;
use sim_core::engine::protocol::Problem;
use sim_core::policy::SchedClass;
use sim_core::scenario::link::{Link, View, decode, encode, encode_view};
use sim_core::scenario::schema::*;
use sim_core::scenario::{builtins, compile::compile_for, limits, parse, to_json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

fn corpus() -> Vec<(PathBuf, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/links");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    files.sort();
    files.into_iter().map(|path| (path.clone(), std::fs::read_to_string(path).unwrap())).collect()
}

fn link_of(file: &str) -> &str {
    file.split("\n---\n").next().unwrap_or_default().trim()
}

fn problems_text(problems: &[Problem], title: &str, text: &mut String) {
    for problem in problems {
        let Problem { path, message, hint, .. } = problem;
        writeln!(text, "{title} {path}: {message}{}", if hint.is_empty() { "".into() } else { format!(" ({hint})") })
            .unwrap();
    }
}

fn shown(result: &Result<Link, Vec<Problem>>) -> String {
    let mut text = String::new();
    match result {
        Err(problems) => problems_text(problems, "problem", &mut text),
        Ok(link) => {
            problems_text(&link.warnings, "warning", &mut text);
            writeln!(text, "example {:?}", link.example).unwrap();
            writeln!(text, "view {}", encode_view(None, &link.view)).unwrap();
            if let Some(scenario) = &link.scenario {
                writeln!(text, "{}", serde_json::to_string_pretty(scenario).unwrap()).unwrap();
            }
        }
    }
    text
}

#[test]
fn every_published_link_still_gives_what_it_gave() {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let corpus = corpus();
    assert!(corpus.len() >= 12, "{} links", corpus.len());
    for (path, file) in corpus {
        let link = link_of(&file);
        let wanted = format!("{link}\n---\n{}", shown(&decode(link)));
        if update && file != wanted {
            std::fs::write(&path, &wanted).unwrap();
        }
        assert!(update || file == wanted, "{} gives\n{wanted}", path.display());
    }
}

#[test]
fn a_link_written_again_means_the_same() {
    for (path, file) in corpus() {
        let Ok(first) = decode(link_of(&file)) else { continue };
        let again = match &first.scenario {
            Some(scenario) => encode(scenario, &first.view),
            None => encode_view(None, &first.view),
        };
        let second = decode(&again).unwrap();
        assert_eq!(second.scenario, first.scenario, "{}", path.display());
        assert_eq!(second.view, first.view, "{}", path.display());
    }
}

#[test]
fn built_ins_have_short_links_that_people_can_read() {
    for builtin in builtins::BUILTINS {
        let mut scenario = builtin.scenario();
        assert_eq!(encode(&scenario, &View::default()), format!("v=1&ex={}", builtin.key));
        scenario.workloads[0].count = 7;
        let lane = |policy: &str| Lane::of(policy);
        scenario.lanes = vec![lane("cfs-2.6.24"), lane("eevdf-6.6")];
        let link = encode(&scenario, &View { t: Some(5), ..View::default() });
        assert!(link.len() <= 120 && link.contains("p=cfs-2.6.24,eevdf-6.6&t=5"), "{link}");
        assert_eq!(decode(&link).unwrap().scenario, Some(scenario));
    }
    let link = decode("https://example.org/x/#ex=lat-ctx&hogs=50&p=o1-2.5.2").unwrap();
    let scenario = link.scenario.unwrap();
    assert_eq!(scenario.workloads[1].count, 50);
    assert_eq!(scenario.lanes[0].policy, "o1-2.5.2-c1");
    assert_eq!(link.example.as_deref(), Some("lat-ctx"));
}

/// What a visitor makes in an hour: ten workloads with sliders moved, groups, four policies with knobs, twenty changes.
#[test]
fn a_typical_link_stays_short() {
    let mut scenario = builtins::find("interactive").unwrap().scenario();
    for index in 0..6 {
        let mut workload = scenario.workloads[1].clone();
        workload.name = format!("clients of server {index}");
        workload.params.insert("burst".into(), 123_456 + 1_000 * index);
        workload.group = format!("group {}", index % 3);
        scenario.workloads.push(workload);
    }
    for index in 0..3 {
        scenario.groups.push(Group {
            name: format!("group {index}"),
            parent: String::new(),
            shares: 512 << index,
            quota_ns: 0,
            period_ns: 100_000_000,
            burst_ns: 0,
        });
    }
    for policy in ["cfs-2.6.24", "eevdf-6.6", "sd-0.48"] {
        let tunables = BTreeMap::from([("latency_ns".to_string(), 12_345_678)]);
        scenario.lanes.push(Lane { tunables, ..Lane::of(policy) });
    }
    for index in 0..20 {
        let target = Target::Workload("editor".into(), if index % 2 == 0 { "sleep".into() } else { "count".into() });
        scenario.changes.push(ChangeAt { t: 400_000_000 * index, target, value: 20_000 + 37 * index as i64 });
    }
    for change in &mut scenario.changes {
        if matches!(&change.target, Target::Workload(_, key) if key == "count") {
            change.value %= 9;
        }
    }
    let view = View { t: Some(1), from: Some(0), to: Some(9), selection: Some((3, 77)), ..View::default() };
    let link = encode(&scenario, &view);
    assert!(link.len() <= 1_500, "{} characters", link.len());
    let again = decode(&link).unwrap();
    assert_eq!((again.scenario, again.view), (Some(scenario), view));
}

// ---- properties ----------------------------------------------------------------------------------------------------

fn name() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9 _.<>&=%#+äß\"'-]{1,20}"
}

fn workload() -> impl Strategy<Value = Workload> {
    let kind = prop_oneof![
        Just(("hog", vec![])),
        Just(("sleeper", vec!["burst", "sleep"])),
        Just(("lat-ctx", vec!["hop"])),
        Just(("program", vec![])),
    ];
    let class = prop_oneof![Just(SchedClass::Normal), Just(SchedClass::Batch), Just(SchedClass::Rr)];
    (name(), kind, 0u32..100, -20i8..=19, class, proptest::collection::vec(0u16..4, 0..3), 100_000u64..1_000_000)
        .prop_map(|(name, (kind, params), count, nice, class, cpus, value)| Workload {
            name,
            kind: kind.into(),
            count,
            nice,
            class,
            rt_priority: if class.is_rt() { 7 } else { 0 },
            group: String::new(),
            session: String::new(),
            cpus,
            start_ns: value % 3 * 1_000,
            params: params.into_iter().map(|key| (key.to_string(), value)).collect(),
            program: if kind == "program" { vec![serde_json::json!(["run", value])] } else { Vec::new() },
        })
}

fn any_scenario() -> impl Strategy<Value = Scenario> {
    let workloads = proptest::collection::vec(workload(), 0..6);
    let policies = proptest::collection::vec("[a-z0-9.-]{1,12}", 1..4);
    let changes = proptest::collection::vec((0u64..9_999, 0i64..50), 0..5);
    (workloads, policies, changes, any::<u64>(), 1u64..=limits::DURATION_NS_MAX, "[ -~äü]{0,30}").prop_map(
        |(mut workloads, policies, changes, seed, duration_ns, title)| {
            for (index, workload) in workloads.iter_mut().enumerate() {
                workload.name.push_str(&index.to_string());
            }
            let target = |name: &str| Target::Workload(name.into(), "count".into());
            let changes = workloads.first().map_or(Vec::new(), |first| {
                changes.into_iter().map(|(t, value)| ChangeAt { t, target: target(&first.name), value }).collect()
            });
            // Each lane meets the last change as its own, and each change is noted.
            let of_lanes: Vec<ChangeAt> = changes.last().into_iter().cloned().collect();
            let notes = changes.iter().map(|change| NoteAt { t: change.t, text: title.clone() }).collect();
            Scenario {
                v: VERSION,
                title,
                seed,
                duration_ns,
                machine: Machine {
                    cores: 4,
                    packages: 2,
                    threads: 1,
                    numa: seed % 2 == 0,
                    hz: 250,
                    tick_skew: seed % 3 == 0,
                    profile: "ideal".into(),
                },
                lanes: policies
                    .into_iter()
                    .map(|policy| Lane { changes: of_lanes.clone(), ..Lane::of(policy) })
                    .collect(),
                groups: Vec::new(),
                workloads,
                changes,
                notes,
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_valid_survives_a_link(scenario in any_scenario(), t in proptest::option::of(0..limits::DURATION_NS_MAX),
                                         unknown in proptest::collection::vec(("x[a-z]{1,8}", name()), 0..3)) {
        let view = View { t, unknown, embed: t.is_some(), hide: vec!["a".into(), "b".into()], ..View::default() };
        let link = encode(&scenario, &view);
        prop_assert!(link.bytes().all(|byte| byte.is_ascii_graphic()));
        let again = decode(&link).map_err(|problems| TestCaseError::fail(format!("{problems:?}")))?;
        prop_assert_eq!(again.scenario, Some(scenario));
        prop_assert_eq!(again.view, view);
    }

    #[test]
    fn no_text_makes_the_decoder_panic(text in "\\PC{0,200}") {
        let _ = decode(&text);
        let _ = parse(&text);
    }
}

// ---- bounded fuzzing -----------------------------------------------------------------------------------------------

/// A small generator of its own: the same mutations everywhere, for ever.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides.max(1) as u64) as usize
    }

    /// Damages a text: cuts, doubles, swaps in bytes and tokens that have caused trouble elsewhere.
    fn damage(&mut self, text: &str) -> String {
        const TOKENS: [&str; 16] = [
            "-1",
            "18446744073709551615",
            "1e308",
            "[",
            "]",
            "{",
            "}",
            "null",
            "\"",
            "&",
            "=",
            "%",
            "\u{0}",
            "0",
            "[\"loop\",0,[",
            "4294967296",
        ];
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..=self.roll(4) {
            let at = self.roll(bytes.len());
            let end = (at + self.roll(12)).min(bytes.len());
            match self.roll(5) {
                0 => drop(bytes.drain(at..end)),
                1 => {
                    let copy = bytes[at..end].to_vec();
                    bytes.splice(at..at, copy);
                }
                2 => {
                    let token = TOKENS[self.roll(TOKENS.len())];
                    bytes.splice(at..end, token.bytes());
                }
                3 if at < bytes.len() => bytes[at] = self.roll(256) as u8,
                _ => bytes.truncate(end.max(1)),
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

#[test]
fn damaged_links_give_sentences_and_never_panic() {
    let links: Vec<String> = corpus().iter().map(|(_, file)| link_of(file).to_string()).collect();
    let mut dice = Dice(0x5eed);
    for round in 0..8_000 {
        let mut link = links[round % links.len()].clone();
        if link.len() > 4_000 {
            link.truncate(4_000);
        }
        let damaged = dice.damage(&link);
        if let Err(problems) = decode(&damaged) {
            assert!(!problems.is_empty() && problems.iter().all(|problem| !problem.message.is_empty()), "{damaged}");
        }
    }
}

#[test]
fn damaged_scenarios_give_sentences_and_what_parses_compiles() {
    let texts: Vec<String> = builtins::BUILTINS.iter().map(|builtin| to_json(&builtin.scenario())).collect();
    let entry = sim_core::policies::all().next();
    let mut dice = Dice(0xbad5eed);
    for round in 0..8_000 {
        let damaged = dice.damage(&texts[round % texts.len()]);
        match parse(&damaged) {
            Err(problems) => assert!(!problems.is_empty(), "{damaged}"),
            Ok((scenario, _)) => {
                if let Some(entry) = entry {
                    assert!(compile_for(&scenario, 0, entry).is_ok(), "{damaged}");
                }
            }
        }
    }
}
