//! One workload: swatches, name, its most telling number; open, its sliders.

use super::knob::{Knob, knob_row, turn};
use crate::paint::number;
use crate::store::{Document, DocumentAction, Playback, Shared, use_frames, use_stage, use_store};
use crate::text::scenario as words;
use crate::views::controls::{Icon, Names, icon};
use sim_core::engine::protocol::Catalogue;
use sim_core::scenario::schema::{Target, Workload};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// Swatches of a card.
const SWATCHES: usize = 8;

/// Properties of [`WorkloadCard`].
#[derive(Properties, PartialEq)]
pub struct CardProps {
    /// Position in the document.
    pub index: usize,
    /// Names and colours.
    pub names: Names,
    /// Kinds.
    pub catalogue: Shared<Catalogue>,
    /// Begins open.
    pub open_first: bool,
}

/// The card.
#[component]
pub fn WorkloadCard(props: &CardProps) -> Html {
    let document = use_store::<Document>();
    let stage = use_stage();
    let open = use_state_eq(|| props.open_first);
    let Some(workload) = document.scenario.workloads.get(props.index) else { return Html::default() };
    let kind = props.catalogue.as_ref().and_then(|c| c.kinds.iter().find(|kind| kind.key == workload.kind).cloned());
    let toggle = {
        let open = open.clone();
        Callback::from(move |_| open.set(!*open))
    };
    let tasks: Vec<u32> = props.names.of_workload(props.index).map(|task| task.id).take(SWATCHES).collect();
    let swatches = tasks.iter().map(|task| html! { <i class={props.names.swatch(*task)} /> });
    let label = kind.as_ref().map_or(workload.kind.clone(), |kind| kind.label.clone());
    let remove = {
        let (dispatcher, index) = (stage.document.clone(), props.index);
        Callback::from(move |_| dispatcher.dispatch(DocumentAction::RemoveWorkload(index)))
    };
    let mut knobs: Vec<Knob> = kind.as_ref().map(|kind| vec![Knob::count(kind)]).unwrap_or_default();
    knobs.extend(kind.iter().flat_map(|kind| kind.params.iter().map(Knob::parameter)));
    if !workload.class.is_rt() {
        knobs.push(Knob::nice());
    }
    let sliders = knobs.into_iter().map(|knob| knob_row(workload, knob));
    html! {
        <div class={classes!("card", open.then_some("open"))} data-testid={format!("workload-{}", workload.name)}>
            <button type="button" class="head" aria-expanded={open.to_string()} onclick={toggle} title={label.clone()}>
                { for swatches }<span class="name">{ &workload.name }</span>
                <span class="sum">{ summary(workload, &label) }</span>
            </button>
            if *open {
                <div class="body">
                    { for sliders }
                    <ClassRow index={props.index} />
                    <super::place::Place index={props.index} />
                    <div class="row end"><button type="button" class="btn quiet tiny" onclick={remove}
                        aria-label={format!("{} {}", words::REMOVE, workload.name)}>{ icon(Icon::Cross) }{ words::REMOVE }</button></div>
                </div>
            }
        </div>
    }
}

/// The most telling number of a workload.
fn summary(workload: &Workload, kind: &str) -> String {
    let mut parts = Vec::new();
    if workload.name != kind {
        parts.push(kind.to_string());
    }
    if workload.class.is_rt() {
        let class = words::CLASSES[crate::store::scenario::class_number(workload.class) as usize];
        parts.push(format!("{class} {}", workload.rt_priority));
    } else {
        parts.push(format!("nice {}", number::whole(i64::from(workload.nice))));
    }
    parts.join(" · ")
}

#[derive(Properties, PartialEq)]
struct ClassProps {
    index: usize,
}

/// Scheduling class of the card. Classes the scheduler lacks are greyed out.
#[component]
fn ClassRow(props: &ClassProps) -> Html {
    let stage = use_stage();
    let document = use_store::<Document>();
    let now = use_store::<Playback>().at;
    let lacks = use_frames(200, |context| {
        let caps = context.frames.policy(0).map(|policy| policy.caps.clone()).unwrap_or_default();
        caps.into_iter().filter(|(_, has)| !has).map(|(name, _)| name).collect::<Vec<String>>()
    });
    let Some(workload) = document.scenario.workloads.get(props.index) else { return Html::default() };
    let target = Target::Workload(workload.name.clone(), "class".into());
    let class = document.value_at(0, &target, Document::workload_base(workload, "class", 0), now);
    let on_change = Callback::from(move |event: Event| {
        let Some(select) = event.target_dyn_into::<HtmlSelectElement>() else { return };
        turn(&stage, target.clone(), i64::from(select.selected_index()), 0, true, true);
    });
    let ability = ["", "batch", "idle", "iso", "rt", "rt"];
    let options = words::CLASSES.iter().zip(ability).enumerate().map(|(number, (name, ability))| {
        let disabled = lacks.iter().any(|lack| lack == ability);
        html! { <option selected={class == number as i64} {disabled}>{ *name }</option> }
    });
    html! {
        <label class="row"><span class="lab">{ words::CLASS }</span>
            <select class="pick wide-pick" data-testid={format!("class-{}", workload.name)} onchange={on_change}>{ for options }</select>
        </label>
    }
}
