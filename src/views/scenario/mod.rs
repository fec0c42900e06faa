//! Scenario panel: machine, workload, groups, tunables, changes.

mod add;
mod card;
mod changes;
mod field;
mod groups;
mod knob;
mod machine;
mod notes;
mod place;
mod tunables;

use crate::store::layout::Overlay;
use crate::store::{Document, LayoutAction, Shared, Stage, use_frames, use_stage, use_store};
use crate::text::sentence::translated;
use crate::text::{files, scenario as words};
use crate::views::controls::{Icon, icon, use_names};
use sim_core::scenario::builtins;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// Cards that begin open.
const OPEN_CARDS: usize = 2;

/// The panel.
#[component]
pub fn ScenarioPanel() -> Html {
    let stage = use_stage();
    let document = use_store::<Document>();
    let catalogue = use_frames(200, |context| context.frames.catalogue.as_ref().map(Shared::some).unwrap_or_default());
    let names = use_names();
    let machine = machine::use_machine_section(&catalogue);
    let add = add::use_add_workload(&catalogue);
    let groups = groups::use_groups_section();
    let tunables = tunables::use_tunables_section();
    let changes = changes::use_changes_section(&catalogue);
    let notes = notes::use_notes_section();
    let fold = {
        let layout = stage.layout.clone();
        Callback::from(move |_| layout.dispatch(LayoutAction::ToggleScenario))
    };
    let open = {
        let layout = stage.layout.clone();
        Callback::from(move |_| layout.dispatch(LayoutAction::Show(Overlay::Files)))
    };
    let cards = document.scenario.workloads.iter().enumerate().map(|(index, workload)| {
        html! {
            <card::WorkloadCard key={workload.name.clone()} {index} names={names.clone()}
                catalogue={catalogue.clone()} open_first={index < OPEN_CARDS} />
        }
    });
    html! {
        <aside class="left scroll" aria-label={words::HEADING} data-testid="scenario">
            <div class="phead">
                <h2>{ words::HEADING }</h2>
                { examples(&stage) }
                <button type="button" class="btn quiet icon small-btn" aria-label={files::OPEN} title={files::OPEN} data-testid="open-files"
                    aria-haspopup="dialog" onclick={open}>{ icon(Icon::Open) }</button>
                <span class="grow" />
                <button type="button" class="btn quiet icon small-btn" aria-label={words::FOLD} title={words::FOLD} onclick={fold}>
                    { icon(Icon::Left) }</button>
            </div>
            { machine }
            <div class="psec">
                <h3>{ words::WORKLOAD }<span class="grow" />{ add }</h3>
                if document.scenario.workloads.is_empty() {
                    <p class="t2">{ words::EMPTY }</p>
                }
                { for cards }
            </div>
            { groups }
            { tunables }
            { changes }
            { notes }
        </aside>
    }
}

/// Menu of the built-in scenarios.
fn examples(stage: &Stage) -> Html {
    let on_change = {
        let stage = stage.clone();
        Callback::from(move |event: Event| {
            let Some(select) = event.target_dyn_into::<HtmlSelectElement>() else { return };
            if let Some(builtin) = builtins::find(&select.value()) {
                crate::address::open_builtin(&stage, builtin);
            }
            // A menu, not a choice: it goes back to its name.
            select.set_value("");
        })
    };
    let options = builtins::BUILTINS.iter().map(|builtin| {
        html! { <option value={builtin.key} title={translated(builtin.help)}>{ translated(builtin.title) }</option> }
    });
    html! {
        <select class="pick quiet-pick" aria-label={words::BUILTINS} data-testid="examples" onchange={on_change}>
            <option value="" disabled={true} selected={true}>{ words::BUILTINS }</option>
            { for options }
        </select>
    }
}
