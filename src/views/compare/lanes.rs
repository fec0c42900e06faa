//! Names of lanes: a letter, the scheduler, and what sets it apart from the first lane.

use crate::paint::number;
use crate::text::compare as words;
use sim_core::scenario::schema::{ChangeAt, Lane, Target};
use yew::prelude::*;

/// Things named as what sets a lane apart.
const TOLD: usize = 2;

/// `A` to `D`.
pub fn letter(lane: usize) -> char {
    char::from(b'A' + lane.min(3) as u8)
}

/// What this lane has and others need not have: knobs and changes of its own. Empty for a plain one.
pub fn apart(lane: &Lane) -> String {
    let knobs = lane.tunables.iter().map(|(key, value)| format!("{key} {}", number::whole(*value)));
    let changes = lane.changes.iter().map(own_change);
    let all: Vec<String> = changes.chain(knobs).collect();
    let more = all.len().saturating_sub(TOLD);
    let mut text = all.into_iter().take(TOLD).collect::<Vec<_>>().join(", ");
    if more > 0 {
        text.push_str(" …");
    }
    text
}

/// `editor nice 10 from 2 s`.
fn own_change(change: &ChangeAt) -> String {
    let (name, field) = match &change.target {
        Target::Workload(name, field) | Target::Task(name, field) => (name.as_str(), field.as_str()),
        Target::Group(name) => (name.as_str(), words::SHARES.say()),
        Target::Tunable(key) => (key.as_str(), ""),
    };
    let what = format!("{name} {field}");
    words::from_then(what.trim_end(), &number::whole(change.value), &number::moment(change.t))
}

/// Square, letter, scheduler, what sets it apart.
pub fn lane_head(index: usize, lane: &Lane) -> Html {
    let apart = apart(lane);
    html! {
        <><i class={classes!("mark", format!("side-{index}"))} /><b>{ letter(index) }</b><b class="pol">{ &lane.policy }</b>
            if !apart.is_empty() { <span class="t3 apart">{ apart }</span> }</>
    }
}
