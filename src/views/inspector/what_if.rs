//! What if: one thing different from a moment on, as a lane of its own.

use crate::paint::number;
use crate::store::layout::View;
use crate::store::{Document, DocumentAction, LayoutAction, Selection, Shared, use_frames, use_stage, use_store};
use crate::text::what_if as words;
use crate::views::controls::Names;
use sim_core::engine::protocol::{IDLE, PolicyView, WhyView};
use sim_core::scenario::schema::{ChangeAt, Scenario, Target};
use std::rc::Rc;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// Properties of [`WhatIf`].
#[derive(Properties, PartialEq)]
pub struct WhatIfProps {
    /// Names of the run.
    pub names: Names,
    /// What the inspector shows.
    pub why: Shared<WhyView>,
}

/// One thing that can be different.
struct Choice {
    label: String,
    /// `None`: the scheduler.
    target: Option<Target>,
    /// Value as it is in the lane, and what may be set.
    value: i64,
    range: (i64, i64),
}

/// The section.
#[component]
pub fn WhatIf(props: &WhatIfProps) -> Html {
    let stage = use_stage();
    let document = use_store::<Document>();
    let selection = use_store::<Selection>();
    let policies = use_frames(200, |context| Shared::some(&context.frames.policies));
    let policies: Rc<Vec<PolicyView>> = policies.0.unwrap_or_default();
    let chosen = use_state_eq(|| 0_usize);
    let policy_ref = use_node_ref();
    // What is typed, and for which choice: it stays when answers come in between.
    let typed = use_state_eq(|| (String::new(), String::new()));
    let lane = usize::from(selection.lane);
    let why = props.why.as_deref();
    // The decision that is asked about must meet the change: a change comes before everything at its moment.
    let at = match why.filter(|_| selection.slice.is_some()) {
        Some(why) => why.start,
        None => stage.live.now(),
    };
    let choices = choices(&document, lane, at, why, props, &policies);
    let choice = &choices[(*chosen).min(choices.len() - 1)];
    let on_choose = {
        let chosen = chosen.clone();
        Callback::from(move |event: Event| {
            if let Some(select) = event.target_dyn_into::<HtmlSelectElement>() {
                chosen.set(usize::try_from(select.selected_index()).unwrap_or(0));
            }
        })
    };
    let value = if typed.0 == choice.label { typed.1.clone() } else { choice.value.to_string() };
    let on_value = {
        let (typed, label) = (typed.clone(), choice.label.clone());
        Callback::from(move |event: InputEvent| {
            if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
                typed.set((label.clone(), input.value()));
            }
        })
    };
    let show = {
        let (target, range, value, policy_ref) =
            (choice.target.clone(), choice.range, value.clone(), policy_ref.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            let change = target.clone().map(|target| {
                let value = value.trim().parse().unwrap_or(range.0);
                ChangeAt { t: at, target, value: value.clamp(range.0, range.1) }
            });
            let policy = policy_ref.cast::<HtmlSelectElement>().map(|select| select.value());
            stage.document.dispatch(DocumentAction::WhatIf { of: lane, policy, change });
            stage.layout.dispatch(LayoutAction::View(View::Compare));
        })
    };
    let options = choices.iter().enumerate().map(|(index, choice)| {
        html! { <option selected={index == *chosen}>{ &choice.label }</option> }
    });
    let own = document.scenario.lanes.get(lane).map_or("", |lane| lane.policy.as_str());
    let others = policies.iter().filter(|policy| policy.key != own);
    let others = others.map(|policy| html! { <option value={policy.key.clone()}>{ &policy.key }</option> });
    html! {
        <form class="psec" data-testid="what-if-section" onsubmit={show}>
            <h3>{ words::HEADING }<kbd class="q">{ "I" }</kbd><span class="grow" /><span class="t3 normal">
                { if choice.target.is_some() { words::from(&number::moment(at)) } else { String::new() } }</span></h3>
            <div class="row wrap what-if">
                <select id="what-if" class="pick" aria-label={words::WHAT} onchange={on_choose} data-testid="what-if-what">{ for options }</select>
                if choice.target.is_some() {
                    <input key={choice.label.clone()} class="pick num" type="number" min={choice.range.0.to_string()} max={choice.range.1.to_string()}
                        step="1" {value} oninput={on_value} aria-label={words::VALUE} data-testid="what-if-value" />
                } else {
                    <select key="policy" class="pick" aria-label={words::SCHEDULER} ref={policy_ref} data-testid="what-if-policy">{ for others }</select>
                }
                <button type="submit" class="btn" data-testid="what-if">{ words::SHOW }</button>
            </div>
            <p class="t3 small">{ if choice.target.is_some() { words::HELP } else { words::WHOLE } }</p>
        </form>
    }
}

fn choices(
    document: &Document,
    lane: usize,
    at: u64,
    why: Option<&WhyView>,
    props: &WhatIfProps,
    policies: &[PolicyView],
) -> Vec<Choice> {
    let scenario: &Scenario = &document.scenario;
    let mut choices = Vec::new();
    let task = why.filter(|why| why.task != IDLE).and_then(|why| props.names.tasks().get(why.task as usize));
    if let Some(task) = task
        && let Some(workload) = scenario.workloads.get(usize::from(task.workload))
    {
        let of_all = Target::Workload(workload.name.clone(), "nice".into());
        let all = document.value_at(lane, &of_all, i64::from(workload.nice), at);
        let of_one = Target::Task(task.name.clone(), "nice".into());
        let one = document.value_at(lane, &of_one, all, at);
        let nice = |label, target, value: i64| Choice {
            label,
            target: Some(target),
            value: if value > 9 { value - 10 } else { value + 10 },
            range: (-20, 19),
        };
        choices.push(nice(words::nice_of(&task.name), of_one, one));
        if workload.count > 1 {
            choices.push(nice(words::nice_of_all(&workload.name), of_all, all));
        }
    }
    let key = scenario.lanes.get(lane).map_or("", |lane| lane.policy.as_str());
    let policy = policies.iter().find(|policy| policy.key == key);
    for group in scenario.groups.iter().filter(|_| policy.is_some_and(|policy| policy.can("groups"))) {
        let target = Target::Group(group.name.clone());
        let value = document.value_at(lane, &target, i64::try_from(group.shares).unwrap_or(i64::MAX), at);
        choices.push(Choice { label: words::shares_of(&group.name), target: Some(target), value, range: (0, 1 << 18) });
    }
    for tunable in policy.map_or(&[][..], |policy| &policy.tunables) {
        let target = Target::Tunable(tunable.key.clone());
        let set = scenario.lanes.get(lane).and_then(|lane| lane.tunables.get(&tunable.key).copied());
        let value = document.value_at(lane, &target, set.unwrap_or(tunable.default), at);
        let range = (tunable.min, tunable.max);
        choices.push(Choice { label: words::tunable(&tunable.key), target: Some(target), value, range });
    }
    choices.push(Choice { label: words::SCHEDULER.to_string(), target: None, value: 0, range: (0, 0) });
    choices
}
