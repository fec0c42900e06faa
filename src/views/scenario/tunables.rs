//! Knobs of the scheduler, generated from its table.

use super::knob::KnobRow;
use crate::store::{Document, Selection, Shared, use_frames, use_store};
use crate::text::scenario as words;
use crate::views::compare::lanes::letter;
use sim_core::engine::protocol::{PolicyView, TunableView};
use sim_core::scenario::schema::Target;
use std::rc::Rc;
use yew::prelude::*;

/// Knobs shown at first, the most telling ones; changed ones are always shown.
const FIRST: usize = 6;
/// Ranges wider than this move logarithmically.
const LOG_RATIO: i64 = 1000;

/// The section.
#[hook]
pub fn use_tunables_section() -> Html {
    let policies = use_frames(200, |context| Shared::some(&context.frames.policies));
    let document = use_store::<Document>();
    let all = use_state_eq(|| false);
    let lane = usize::from(use_store::<Selection>().lane).min(document.scenario.lanes.len().saturating_sub(1));
    let key = document.scenario.lanes.get(lane).map(|lane| lane.policy.clone()).unwrap_or_default();
    let Some(policy) =
        policies.as_ref().and_then(|all: &Rc<Vec<PolicyView>>| all.iter().find(|p| p.key == key).cloned())
    else {
        return Html::default();
    };
    let set = |key: &String| document.scenario.lanes.get(lane).is_some_and(|lane| lane.tunables.contains_key(key));
    let shown =
        policy.tunables.iter().enumerate().filter(|(index, tunable)| *all || *index < FIRST || set(&tunable.key));
    let rows = shown.map(|(_, tunable)| tunable_row(&document, lane, tunable));
    let more = (policy.tunables.len() > FIRST).then(|| {
        let (toggle, count) = (all.clone(), policy.tunables.len());
        let onclick = Callback::from(move |_| toggle.set(!*toggle));
        html! {
            <button type="button" class="link small" aria-expanded={all.to_string()} data-testid="all-tunables" {onclick}>
                { if *all { words::FEWER.to_string() } else { words::all_tunables(count) } }</button>
        }
    });
    html! {
        <div class="psec" data-testid="tunables">
            <h3>{ words::TUNABLES }<span class="t3 normal">{ words::of_policy(&policy.key) }</span>
                if document.scenario.lanes.len() > 1 { <span class="grow" /><b class="t2" data-testid="tunables-lane">{ letter(lane) }</b> }</h3>
            if policy.tunables.is_empty() { <p class="small t3">{ words::NO_TUNABLES }</p> }
            { for rows }
            { more }
        </div>
    }
}

fn tunable_row(document: &Document, lane: usize, tunable: &TunableView) -> Html {
    let target = Target::Tunable(tunable.key.clone());
    let set = document.scenario.lanes.get(lane).and_then(|lane| lane.tunables.get(&tunable.key).copied());
    let log = tunable.min >= 0 && tunable.max / tunable.min.max(1) > LOG_RATIO;
    html! {
        <KnobRow key={tunable.key.clone()} {target} base={set.unwrap_or(tunable.default)} label={tunable.key.clone()}
            help={tunable.help.clone()} unit={tunable.unit.clone()} min={tunable.min} max={tunable.max} default={Some(tunable.default)}
            live={true} {log} wide_label={true} testid={format!("tunable-{}", tunable.key)} />
    }
}
