//! Edits of the document.

use super::*;

fn with_hogs() -> Rc<Document> {
    let mut scenario = blank();
    let workload = serde_json::from_str(r#"{"name":"hogs","kind":"hog","count":3}"#).expect("a workload");
    scenario.workloads.push(workload);
    Rc::new(Document::default()).reduce(DocumentAction::Open { scenario: Box::new(scenario), push: true })
}

fn count(value: i64, at: u64, done: bool) -> DocumentAction {
    let target = Target::Workload("hogs".into(), "count".into());
    DocumentAction::Knob { lane: 0, target, value, default: 1, at, live: true, done }
}

#[test]
fn a_slider_at_the_start_edits_the_document() {
    let document = with_hogs().reduce(count(8, 0, true));
    assert_eq!(document.scenario.workloads[0].count, 8);
    assert!(document.scenario.changes.is_empty());
}

#[test]
fn a_slider_in_the_middle_adds_one_change_per_drag() {
    let document = with_hogs().reduce(count(4, 500, false)).reduce(count(5, 700, false)).reduce(count(6, 900, true));
    assert_eq!(document.scenario.workloads[0].count, 3);
    assert_eq!(document.scenario.changes.len(), 1);
    assert_eq!((document.scenario.changes[0].t, document.scenario.changes[0].value), (500, 6));
    let target = Target::Workload("hogs".into(), "count".into());
    assert_eq!((document.value_at(0, &target, 3, 499), document.value_at(0, &target, 3, 500)), (3, 6));
}

#[test]
fn a_change_that_changes_nothing_is_left_out() {
    let back = with_hogs().reduce(count(4, 500, false)).reduce(count(3, 500, true));
    assert!(back.scenario.changes.is_empty());
}

#[test]
fn dragging_commits_once() {
    let before = with_hogs();
    let after = before.clone().reduce(count(4, 500, false)).reduce(count(5, 500, false)).reduce(DocumentAction::Commit);
    assert_eq!(after.committed, before.committed + 1);
    assert_eq!(after.revision, before.revision + 2);
}

#[test]
fn a_removed_workload_takes_its_changes_along() {
    let document = with_hogs().reduce(count(4, 500, true)).reduce(DocumentAction::RemoveWorkload(0));
    assert!(document.scenario.changes.is_empty());
}

#[test]
fn what_if_puts_a_lane_beside_and_leaves_the_first_alone() {
    let renice = |value| DocumentAction::WhatIf {
        of: 0,
        policy: None,
        change: Some(ChangeAt { t: 500, target: Target::Task("hogs-1".into(), "nice".into()), value }),
    };
    let document = with_hogs().reduce(DocumentAction::Policy { lane: 0, key: "any".into() }).reduce(renice(5));
    let lanes = &document.scenario.lanes;
    assert_eq!((lanes.len(), lanes[0].changes.len(), lanes[1].changes.len()), (2, 0, 1));
    let again = document.reduce(renice(7));
    assert_eq!(again.scenario.lanes.len(), 2, "another what-if takes the place of the first");
    assert_eq!(again.scenario.lanes[1].changes[0].value, 7);
    let other = DocumentAction::WhatIf { of: 0, policy: Some("other".into()), change: None };
    assert_eq!(again.reduce(other).scenario.lanes[2], Lane::of("other"));
}

#[test]
fn a_note_is_written_replaced_and_taken_away() {
    let note = |t, text: &str| DocumentAction::Note(NoteAt { t, text: text.into() });
    let document = with_hogs().reduce(note(9, "later")).reduce(note(5, "a")).reduce(note(5, "b"));
    let texts: Vec<&str> = document.scenario.notes.iter().map(|note| note.text.as_str()).collect();
    assert_eq!(texts, ["b", "later"]);
    assert_eq!(document.reduce(note(5, "")).scenario.notes.len(), 1);
}

#[test]
fn a_tunable_at_its_default_leaves_the_document() {
    let knob = |value| DocumentAction::Knob {
        lane: 0,
        target: Target::Tunable("slice".into()),
        value,
        default: 100,
        at: 0,
        live: true,
        done: true,
    };
    let document = with_hogs().reduce(DocumentAction::Policy { lane: 0, key: "any".into() }).reduce(knob(50));
    assert_eq!(document.scenario.lanes[0].tunables.get("slice"), Some(&50));
    assert!(document.reduce(knob(100)).scenario.lanes[0].tunables.is_empty());
}

#[test]
fn a_tunable_of_one_of_two_lanes_is_its_own_affair() {
    let lane = |lane, key: &str| DocumentAction::Policy { lane, key: key.into() };
    let knob = |lane, at, value| DocumentAction::Knob {
        lane,
        target: Target::Tunable("slice".into()),
        value,
        default: 100,
        at,
        live: true,
        done: true,
    };
    let document =
        with_hogs().reduce(lane(0, "any")).reduce(lane(1, "any")).reduce(knob(1, 0, 50)).reduce(knob(1, 500, 70));
    let lanes = &document.scenario.lanes;
    assert!(lanes[0].tunables.is_empty() && lanes[0].changes.is_empty() && document.scenario.changes.is_empty());
    assert_eq!((lanes[1].tunables.get("slice"), lanes[1].changes.len()), (Some(&50), 1));
    let target = Target::Tunable("slice".into());
    assert_eq!((document.value_at(0, &target, 100, 600), document.value_at(1, &target, 50, 600)), (100, 70));
}
