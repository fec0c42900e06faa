//! How far a step goes: to the next decision, event, tick or slice.

use crate::store::{Layout, LayoutAction, Stage};
use crate::text::{Word, transport as words};
use sim_core::engine::protocol::StepUnit;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// Units in the order of the menu.
const UNITS: [(StepUnit, Word); 4] = [
    (StepUnit::Decision, words::DECISION),
    (StepUnit::Event, words::EVENT),
    (StepUnit::Tick, words::TICK),
    (StepUnit::Slice, words::SLICE),
];

/// The menu.
pub fn step_unit(stage: &Stage, layout: &Layout) -> Html {
    let dispatcher = stage.layout.clone();
    let onchange = Callback::from(move |event: Event| {
        let Some(select) = event.target_dyn_into::<HtmlSelectElement>() else { return };
        let chosen = usize::try_from(select.selected_index()).ok().and_then(|index| UNITS.get(index));
        if let Some((unit, _)) = chosen {
            dispatcher.dispatch(LayoutAction::StepBy(*unit));
        }
    });
    let options =
        UNITS.iter().map(|(unit, word)| html! { <option selected={*unit == layout.step_by}>{ *word }</option> });
    html! {
        <select class="pick small-pick step-by" aria-label={words::STEP_BY} title={words::STEP_BY} data-testid="step-by" {onchange}>{ for options }</select>
    }
}
