use super::*;
use crate::engine::Engine;
use crate::engine::protocol::{Ask as Question2, Reply, Request};
use crate::lesson::{self, variant};

/// Answers of the only step of a lesson with this scenario, view and questions.
fn answers(scenario: &str, view: &str, questions: &str) -> QuizView {
    let text = format!(
        r#"{{"v":1,"title":"t","summary":"s","steps":[{{"title":"t","text":["x"],"scenario":{scenario},"view":{view},"questions":[{questions}]}}]}}"#
    );
    let (lesson, _) = lesson::parse(&text).unwrap_or_else(|problems| panic!("{problems:?}"));
    let scenario = variant::scenario_of(&lesson, 0, 1).unwrap();
    let mut engine = Engine::new();
    engine.ask(Request { seq: 1, ask: Question2::SetScenario(scenario::to_json(&scenario)) });
    let step = &lesson.steps[0];
    let spec = QuizSpec { id: 7, moment: step.view.moment.clone(), questions: step.questions.clone() };
    engine.ask(Request { seq: 2, ask: Question2::Quiz(Box::new(spec)) });
    let mut out = Vec::new();
    while engine.work(1 << 14, &mut out) {}
    let found = out.into_iter().find_map(|response| match (response.seq, response.reply) {
        (2, Reply::Quiz(view)) => Some(*view),
        _ => None,
    });
    found.expect("the quiz is answered when the run has ended")
}

/// Two hogs with slices of 100 ticks: the second runs from 100 to 200 ms.
const HOGS: &str = r#"{"v":1,"duration_ns":1000000000,"machine":{"cores":1},"lanes":[{"policy":"o1-2.6.21"},{"policy":"eevdf-6.12"}],
    "workloads":[{"name":"hog","kind":"hog","count":2},{"name":"ed","kind":"sleeper","params":{"burst":1000000,"sleep":80000000,"jitter":0}}]}"#;

fn problem(view: &QuizView) -> &str {
    view.problems.first().map_or("", |problem| problem.message.as_str())
}

#[test]
fn who_runs_next_is_read_off_the_run_and_explained() {
    let view = answers(
        HOGS,
        r#"{"t":500000000,"next":"wakeup","task":"ed"}"#,
        r#"{"ask":"next","text":"?"},{"ask":"number","text":"?","measure":"run","of":"ed"}"#,
    );
    assert_eq!(problem(&view), "");
    assert_eq!(view.id, 7);
    assert!(view.t >= 500_000_000);
    let next = &view.questions[0];
    assert_eq!(next.shown, "ed");
    let labels: Vec<&str> = next.options.iter().map(|option| option.label.as_str()).collect();
    assert_eq!(labels, ["hog-1", "hog-2", "ed"], "in the order of the task table");
    assert!(next.why.contains("priority 122, better than 125") && next.function == "try_to_wake_up", "{next:?}");
    assert_eq!(view.questions[1].right, Right::Number { value: 1_000_000, unit: Unit::Ms, within: 10 });
}

#[test]
fn numbers_come_from_the_queue_the_gauges_and_the_sums() {
    let view = answers(
        HOGS,
        r#"{"t":900000000}"#,
        r#"{"ask":"number","text":"?","measure":"waiting"},
           {"ask":"number","text":"?","measure":"bit"},
           {"ask":"number","text":"?","measure":"share","of":"hog"},
           {"ask":"number","text":"?","measure":"share","of":"ed","from":500000000,"to":900000000,"options":["1.25","10"],"within":20},
           {"ask":"best","text":"?","measure":"switches","want":"most"}"#,
    );
    assert_eq!(problem(&view), "");
    assert_eq!(view.questions[0].shown, "1");
    assert_eq!(view.questions[1].shown, "125");
    let Right::Number { value, .. } = view.questions[2].right else { panic!() };
    assert!((97_000..99_500).contains(&value), "{value}");
    assert_eq!(view.questions[3].right, Right::Option(0));
    assert_eq!(view.questions[4].options.len(), 2);
    let best = &view.questions[4];
    let Right::Option(place) = best.right else { panic!() };
    let first = format!("{} (", best.options[usize::from(place)].label);
    assert!(best.shown.starts_with(&first) && best.shown.contains("eevdf-6.12 "), "{}", best.shown);
}

#[test]
fn what_cannot_be_answered_is_said_by_name() {
    let ask = |question: &str| problem(&answers(HOGS, r#"{"t":900000000}"#, question)).to_string();
    assert!(ask(r#"{"ask":"next","text":"?","options":["ed","idle"]}"#).contains("is not among the options"));
    assert!(
        ask(r#"{"ask":"where","text":"?","task":"vim"}"#).contains("there is no task \"vim\"; known: hog-1, hog-2")
    );
    assert!(ask(r#"{"ask":"where","text":"?","task":"ed"}"#).contains("one CPU"));
    assert!(
        ask(r#"{"ask":"number","text":"?","measure":"gauge","of":"ed","label":"lag"}"#)
            .contains("no gauge \"lag\"; known:")
    );
    assert!(ask(r#"{"ask":"number","text":"?","measure":"throughput","of":"x"}"#).contains("no mark"));
    assert!(
        ask(r#"{"ask":"number","text":"?","measure":"waiting","options":["1","1.0"]}"#)
            .contains("2 of the options are right")
    );
    assert!(ask(r#"{"ask":"best","text":"?","measure":"share","want":"most","among":["ed","ed"]}"#).contains("equal"));
    let never = answers(HOGS, r#"{"t":999999999,"next":"wakeup","task":"ed"}"#, "");
    assert!(problem(&never).contains("ed is not woken after"), "{never:?}");
}

#[test]
fn a_moment_is_the_first_event_of_its_kind() {
    let at = |view: &str| answers(HOGS, view, "").t;
    let woken = at(r#"{"t":500000000,"next":"wakeup","task":"ed"}"#);
    assert_eq!(at(&format!(r#"{{"t":{woken},"next":"wakeup","task":"ed"}}"#)), woken);
    assert!(at(r#"{"t":500000000,"next":"switch"}"#) <= woken);
    assert!(at(r#"{"t":500000000,"next":"run","task":"ed"}"#) >= woken);
    assert_eq!(at(r#"{"t":123}"#), 123);
}
