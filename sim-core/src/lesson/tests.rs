use super::schema::{Ask, Picture, Unit};
use super::*;
use proptest::prelude::*;

const GOOD: &str = r#"{
  "v": 1, "title": "A wake-up", "summary": "Who runs when a sleeper wakes", "vary": {"hogs": [2, 3]},
  "steps": [
    {"title": "Look", "text": ["{hogs} hogs and an <b>editor</b>."], "scenario": "ex=interactive&hogs={hogs}",
     "view": {"t": 500000000, "next": "wakeup", "task": "editor-1", "tasks": ["editor-1"], "show": ["timeline", "graphs"]},
     "questions": [
       {"ask": "next", "text": "Who runs next?", "rule": "The better priority."},
       {"ask": "number", "text": "How long?", "measure": "run", "of": "editor-1", "within": 5},
       {"ask": "choice", "text": "Is it O(1)?", "options": ["yes", "no"], "right": 1}]},
    {"title": "Go on", "text": ["The same machine."], "after": ["Done."]}
  ]
}"#;

fn problems(text: &str) -> String {
    match parse(text) {
        Ok(_) => "fine".into(),
        Err(problems) => {
            let line = |p: &Problem| {
                format!(
                    "{}: {}{}",
                    p.path,
                    p.message,
                    if p.hint.is_empty() { String::new() } else { format!(" ({})", p.hint) }
                )
            };
            problems.iter().map(line).collect::<Vec<_>>().join("\n")
        }
    }
}

#[test]
fn a_good_lesson_is_read_without_a_warning() {
    let (lesson, warnings) = parse(GOOD).unwrap();
    assert_eq!(warnings, []);
    assert_eq!(lesson.steps.len(), 2);
    let step = &lesson.steps[0];
    assert_eq!(step.view.show, [Picture::Timeline, Picture::Graphs]);
    assert!(matches!(&step.questions[1].ask, Ask::Number { unit: Unit::Ms, within: 5, .. }));
    assert!(matches!(&step.questions[2].ask, Ask::Choice { right: 0, .. }));
    let shown = variant::step(&lesson, 0, 9).unwrap();
    assert!(["2 hogs and an <b>editor</b>.", "3 hogs and an <b>editor</b>."].contains(&shown.text[0].as_str()));
    let scenario = variant::scenario_of(&lesson, 1, 9).unwrap();
    assert_eq!(scenario.seed, 9, "a step without a scenario keeps that of the step before");
}

#[test]
fn everything_that_is_wrong_is_named_at_once() {
    let bad = r#"{
      "v": 1, "title": 7, "sumary": "x", "vary": {"a b": [], "n": 3},
      "steps": [
        {"title": "One", "text": "no list", "scenario": "ex=lat-cxt",
         "view": {"t": -1, "next": "wakeup", "show": ["timelime"], "cpu": 999},
         "questions": [
           {"ask": "nxt", "text": "?"},
           {"ask": "choice", "text": "?", "options": ["only"], "right": 3},
           {"ask": "number", "text": "?", "measure": "share", "unit": "ms", "from": 5, "to": 5},
           {"ask": "number", "text": "?", "measure": "gauge", "options": ["ten", "2"]},
           {"ask": "best", "text": "?", "measure": "switches"}]}
      ]
    }"#;
    let told = problems(bad);
    for wanted in [
        "title: should be a text, not a number",
        "summary: is missing: a text",
        "vary.a b: a name is made of letters",
        "vary.n: should be a list of numbers",
        "steps[0].text: should be a list […], not a text",
        "steps[0].view.t: -1 is outside",
        "steps[0].view.task: is missing",
        "steps[0].view.show[0]: \"timelime\" is not known here (Did you mean timeline?)",
        "steps[0].view.cpu: 999 is outside",
        "steps[0].questions[0].ask: \"nxt\" is not known here (Did you mean next?)",
        "steps[0].questions[1].options: one option is no choice",
        "steps[0].questions[2].unit: does not fit the measure (Use %)",
        "steps[0].questions[2].to: 5 does not come after 5",
        "steps[0].questions[3].of: is missing",
        "steps[0].questions[3].options[0]: \"ten\" is not a number",
        "steps[0].questions[4].want: is missing (Known: least, most)",
        "steps[0].scenario.ex: \"lat-cxt\" is not a built-in scenario (Did you mean lat-ctx?)",
    ] {
        assert!(told.contains(wanted), "{wanted}\nis missing in\n{told}");
    }
}

#[test]
fn missing_steps_versions_and_types_have_their_sentence() {
    assert!(problems(r#"{"v": 1, "title": "t", "summary": "s"}"#).contains("steps: a lesson needs at least one step"));
    assert!(problems(r#"{"v": 2}"#).contains("v: made for a newer version"));
    assert!(problems(r#"{"title": "t"}"#).contains("v: is missing"));
    assert!(problems("[]").contains("is not a lesson"));
    assert!(problems("{").contains("is not JSON"));
    assert!(
        problems(r#"{"v": 1, "title": "t", "summary": "s", "steps": [{"title": "x", "text": ["y"]}]}"#)
            .contains("steps[0].scenario: is missing (The first step must name what runs)")
    );
    let beyond = GOOD.replace("500000000", "900000000000");
    assert!(
        problems(&beyond).contains("steps[0].view.t: 900000000000 lies beyond the end of the run"),
        "{}",
        problems(&beyond)
    );
    let inline = r#"{"v": 1, "title": "t", "summary": "s", "steps": [{"title": "x", "text": ["y"],
        "scenario": {"v": 1, "duration_ns": 0, "machine": {}, "lanes": []}}]}"#;
    assert!(problems(inline).contains("steps[0].scenario.machine.cores: is missing"), "{}", problems(inline));
}

#[test]
fn a_lesson_is_told_from_a_scenario_by_its_steps() {
    assert!(is_lesson(GOOD));
    assert!(!is_lesson(r#"{"v": 1, "lanes": []}"#) && !is_lesson("steps"));
}

#[test]
fn an_answer_is_graded_by_kind() {
    let right = Right::Number { value: 2_400_000, unit: Unit::Ms, within: 10 };
    assert!(grade(Given::Number(2_200_000), &right) && !grade(Given::Number(100_000_000), &right));
    assert!(!grade(Given::Option(0), &right) && grade(Given::Option(1), &Right::Option(1)));
}

/// JSON that resembles a lesson more or less.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        prop::sample::select(vec!["next", "run", "ex=lat-ctx", "{n}", "choice", "gauge", "timeline", "<script>", ""])
            .prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 64, 6, |inner| {
        let key = prop::sample::select(vec![
            "v",
            "title",
            "summary",
            "vary",
            "steps",
            "text",
            "scenario",
            "view",
            "questions",
            "ask",
            "options",
            "right",
            "measure",
            "of",
            "t",
            "next",
            "n",
        ]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map(key.prop_map(String::from), inner, 0..8)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn no_document_panics(mut document in value()) {
        if let Value::Object(fields) = &mut document {
            fields.insert("v".into(), 1.into());
        }
        let _ = parse(&document.to_string());
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,200}") {
        let _ = parse(&text);
    }
}
