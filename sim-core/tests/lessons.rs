//! Every lesson of the page: it reads, every step runs, every question has exactly one right answer, in several
//! variants; links are short; list and schema are up to date. `UPDATE_GOLDEN=1` writes `lessons/index.json` and
//! `docs/lesson.schema.json`.

mod support;

use serde_json::{Value, json};
use sim_core::engine::protocol::Right;
use sim_core::lesson::check::check;
use sim_core::lesson::limits::*;
use sim_core::lesson::schema::{ASKS, Ask, EVENTS, PICTURES, UNITS, WANTS, WHATS};
use sim_core::scenario::limits::{CPUS_MAX, DURATION_NS_MAX, NAME_CHARS_MAX};
use sim_core::scenario::link::{View, decode, encode_view};
use std::path::PathBuf;
use support::{agrees, list, number, object, text};

/// Longest link of a lesson (the promise of the share popover).
const LINK_CHARS_MAX: usize = 500;
/// Variants that are tried beside a lesson's own.
const SEEDS: [u64; 4] = [2, 3, 5, 4_711];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../lessons")
}

fn lessons() -> Vec<(String, String)> {
    let files = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut lessons: Vec<(String, String)> = files
        .filter(|path| path.extension().is_some_and(|kind| kind == "json"))
        .map(|path| (path.file_stem().unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(&path).unwrap()))
        .filter(|(key, _)| key != "index")
        .collect();
    lessons.sort();
    lessons
}

#[test]
fn every_lesson_can_be_taken_in_every_variant() {
    let lessons = lessons();
    assert!(lessons.len() >= 15, "{}", lessons.len());
    for (key, text) in lessons {
        let (lesson, variants, warnings) =
            check(&text, &SEEDS).unwrap_or_else(|problems| panic!("{key}: {problems:#?}"));
        assert_eq!(warnings, [], "{key}");
        assert!((4..=7).contains(&lesson.steps.len()), "{key} has {} steps", lesson.steps.len());
        let asked: usize = lesson.steps.iter().map(|step| step.questions.len()).sum();
        assert!(asked >= 4, "{key} asks {asked} questions");
        let predicts =
            |ask: &Ask| matches!(ask, Ask::Next { .. } | Ask::Where { .. } | Ask::Number { .. } | Ask::Best { .. });
        let predicted = lesson.steps.iter().flat_map(|step| &step.questions).filter(|question| predicts(&question.ask));
        assert!(predicted.count() >= 2, "{key}");
        for variant in &variants {
            assert_eq!(variant.steps.len(), lesson.steps.len());
            for tried in &variant.steps {
                assert_eq!(tried.quiz.questions.len(), tried.step.questions.len(), "{key}: {}", tried.step.title);
                for view in &tried.quiz.questions {
                    match &view.right {
                        Right::Option(place) => {
                            assert!(usize::from(*place) < view.options.len() && view.options.len() > 1)
                        }
                        Right::Number { .. } => assert!(view.options.is_empty()),
                    }
                    let labels: Vec<&str> = view.options.iter().map(|option| option.label.as_str()).collect();
                    let distinct: std::collections::BTreeSet<&str> = labels.iter().copied().collect();
                    assert_eq!(distinct.len(), labels.len(), "{key}: {labels:?}");
                }
            }
        }
        for step in 1..=lesson.steps.len() as u32 {
            let view = View { lesson: key.clone(), step: Some(step), seed: Some(u64::MAX), ..View::default() };
            let link = encode_view(None, &view);
            assert!(link.chars().count() <= LINK_CHARS_MAX, "{link}");
            let read = decode(&link).unwrap();
            assert_eq!((read.view.lesson, read.view.step, read.view.seed), (key.clone(), Some(step), Some(u64::MAX)));
        }
    }
}

#[test]
fn the_list_of_lessons_is_up_to_date() {
    let file = folder().join("index.json");
    let old = std::fs::read_to_string(&file).unwrap_or_default();
    let listed: Vec<Value> = serde_json::from_str(&old).unwrap_or_default();
    let place = |key: &str| listed.iter().position(|row| row["key"] == key).unwrap_or(usize::MAX);
    // The order of the list is kept: it is the order of the menu. New lessons come last.
    let mut rows: Vec<(usize, Value)> = lessons()
        .into_iter()
        .map(|(key, text)| {
            let (lesson, _) = sim_core::lesson::parse(&text).unwrap_or_else(|problems| panic!("{key}: {problems:#?}"));
            let questions: usize = lesson.steps.iter().map(|step| step.questions.len()).sum();
            let row = json!({"key": key, "title": lesson.title, "summary": lesson.summary, "steps": lesson.steps.len(), "questions": questions});
            (place(&key), row)
        })
        .collect();
    rows.sort_by_key(|(place, _)| *place);
    let rows: Vec<Value> = rows.into_iter().map(|(_, row)| row).collect();
    let wanted = serde_json::to_string_pretty(&rows).unwrap() + "\n";
    if old != wanted {
        assert!(
            std::env::var_os("UPDATE_GOLDEN").is_some(),
            "lessons/index.json is out of date: run with UPDATE_GOLDEN=1"
        );
        std::fs::write(file, wanted).unwrap();
    }
}

fn words<T>(rows: &[(&str, T)]) -> Value {
    rows.iter().map(|(word, _)| *word).collect::<Vec<_>>().into()
}

/// Fields of a measure.
fn measure() -> Value {
    json!({
        "measure": {"enum": WHATS.iter().map(|row| row.0).collect::<Vec<_>>(), "description": "the number"},
        "of": text(NAME_CHARS_MAX, "task or workload; a mark for throughput and response; empty: all"),
        "from": number(0, DURATION_NS_MAX, "start of the stretch, ns; 0 if left out"),
        "to": number(0, DURATION_NS_MAX, "end of the stretch, ns; the end of the run if left out"),
        "cpu": number(0, CPUS_MAX - 1, "CPU of a queue or bitmap"),
        "label": text(NAME_CHARS_MAX, "name of a gauge or bitmap as the picture writes it"),
        "lane": number(0, 3, "policy, from 0"),
    })
}

/// A kind of question: its fields beside `text` and `rule`.
fn question(kind: &str, required: &[&str], fields: Value) -> Value {
    let mut all = json!({
        "ask": {"const": kind},
        "text": text(QUESTION_CHARS_MAX, "the question"),
        "rule": text(PARAGRAPH_CHARS_MAX, "the rule behind it, shown with the verdict; {answer} is the right answer"),
    });
    for (key, value) in fields.as_object().into_iter().flatten() {
        all[key] = value.clone();
    }
    let required: Vec<&str> = ["ask", "text"].iter().chain(required).copied().collect();
    object(&required, all)
}

fn schema() -> Value {
    let time = |what: &str| number(0, DURATION_NS_MAX, what);
    let options = |what: &str| list(text(OPTION_CHARS_MAX, "option"), OPTIONS_MAX, what);
    let with = |extra: Value| {
        let mut fields = measure();
        for (key, value) in extra.as_object().into_iter().flatten() {
            fields[key] = value.clone();
        }
        fields
    };
    let cpu = || number(0, CPUS_MAX - 1, "CPU; 0 if left out");
    let questions = json!([
        question(
            ASKS[0],
            &[],
            json!({"cpu": cpu(), "options": options("tasks to choose from, or idle; left out: from the run queue")})
        ),
        question(ASKS[1], &["task"], json!({"task": text(NAME_CHARS_MAX, "who")})),
        question(
            ASKS[2],
            &["measure"],
            with(json!({
                "unit": {"enum": words(&UNITS), "description": "unit of the answer; times are asked in ms if left out"},
                "within": number(0, WITHIN_MAX, "tolerance in % of the right number; 10 if left out"),
                "options": options("numbers to choose from, as texts; left out: a number is typed"),
            }))
        ),
        question(
            ASKS[3],
            &["measure", "want"],
            with(json!({
                "want": {"enum": words(&WANTS)},
                "among": list(text(NAME_CHARS_MAX, "task or workload"), OPTIONS_MAX, "left out: the policies side by side"),
            }))
        ),
        question(
            ASKS[4],
            &["options", "right"],
            json!({
                "options": options("what there is to choose from"),
                "right": number(1, OPTIONS_MAX as u64, "number of the right option, from 1"),
            })
        ),
    ]);
    let view = object(
        &[],
        json!({
            "t": time("the moment, ns"),
            "next": {"enum": words(&EVENTS), "description": "the first such event from t on is the moment"},
            "task": text(NAME_CHARS_MAX, "task of the event"),
            "cpu": cpu(),
            "span": number(1_000, DURATION_NS_MAX, "length of the window, ns; 200 ms if left out"),
            "show": {"type": "array", "items": {"enum": words(&PICTURES)}, "maxItems": PICTURES.len()},
            "tasks": list(text(NAME_CHARS_MAX, "task"), TASKS_MAX, "tasks with lanes of their own"),
        }),
    );
    let paragraphs = |what: &str| list(text(PARAGRAPH_CHARS_MAX, "paragraph"), PARAGRAPHS_MAX, what);
    let step = object(
        &["title", "text"],
        json!({
            "title": text(TITLE_CHARS_MAX, "heading"),
            "text": paragraphs("paragraphs; **strong**, `code`, [task], {name}, {t}"),
            "note": text(PARAGRAPH_CHARS_MAX, "what to keep in mind"),
            "scenario": {"description": "a link of the page, or a scenario; left out: that of the step before",
                "anyOf": [text(sim_core::lesson::limits::LINK_CHARS_MAX, "ex=lat-ctx&hogs=10"), {"type": "object"}]},
            "view": view,
            "questions": {"type": "array", "maxItems": QUESTIONS_MAX, "items": {"oneOf": questions}},
            "after": paragraphs("shown once all is answered"),
        }),
    );
    let mut schema = object(
        &["v", "title", "summary", "steps"],
        json!({
            "v": {"const": 1, "description": "version of the format"},
            "title": text(TITLE_CHARS_MAX, "title"),
            "summary": text(PARAGRAPH_CHARS_MAX, "one or two sentences for the list"),
            "seed": number(0, u64::MAX, "variant that is shown when a link names none; 1 if left out"),
            "vary": {"type": "object", "maxProperties": VARIES_MAX, "description": "numbers that differ from variant to variant; {name} stands for them",
                "additionalProperties": list(number(0, u64::MAX, "value"), VALUES_MAX, "values to draw from")},
            "steps": list(step, STEPS_MAX, "steps, in order"),
        }),
    );
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!("Schedscope lesson, version 1");
    schema
}

#[test]
fn the_published_schema_is_up_to_date() {
    agrees("lesson.schema.json", &(serde_json::to_string_pretty(&schema()).unwrap() + "\n"));
}

#[test]
fn the_example_of_the_documentation_is_a_lesson_that_can_be_taken() {
    let page = std::fs::read_to_string(support::docs("lessons.md")).unwrap();
    let example = page.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).expect("it has an example");
    let (lesson, variants, warnings) = check(example, &SEEDS).unwrap_or_else(|problems| panic!("{problems:#?}"));
    assert_eq!((lesson.steps.len(), warnings), (2, Vec::new()));
    assert_eq!(variants[0].steps[0].quiz.questions.len(), 2);
}
