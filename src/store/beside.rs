//! What stands beside a run: a lane in which one thing is different, and notes.

use sim_core::scenario::limits::{LANES_MAX, NOTES_MAX};
use sim_core::scenario::schema::{ChangeAt, Lane, NoteAt, Scenario};

/// A lane like lane `of` but for one thing; after it in the list.
pub(super) fn what_if(scenario: &mut Scenario, of: usize, policy: Option<String>, change: Option<ChangeAt>) {
    let Some(base) = scenario.lanes.get(of) else { return };
    let mut lane = match policy {
        Some(policy) => Lane { changes: base.changes.clone(), ..Lane::of(policy) },
        None => base.clone(),
    };
    if let Some(change) = change {
        let place = lane.changes.partition_point(|other| other.t <= change.t);
        lane.changes.insert(place, change);
    }
    let alike = |other: &Lane| (&other.policy, &other.tunables) == (&lane.policy, &lane.tunables);
    let earlier = scenario.lanes.iter().skip(1).position(|other| alike(other) && !other.changes.is_empty());
    match earlier.map(|index| index + 1).filter(|&index| index != of) {
        Some(index) => scenario.lanes[index] = lane,
        None if scenario.lanes.len() < LANES_MAX => scenario.lanes.push(lane),
        None => scenario.lanes[LANES_MAX - 1] = lane,
    }
}

/// Writes a note; an empty text takes the one of that moment away.
pub(super) fn write_note(scenario: &mut Scenario, note: NoteAt) {
    scenario.notes.retain(|other| other.t != note.t);
    if !note.text.is_empty() && scenario.notes.len() < NOTES_MAX {
        let place = scenario.notes.partition_point(|other| other.t < note.t);
        scenario.notes.insert(place, note);
    }
}
