//! Scheduler menu: grouped by family, each with kernel, description and how it compares with recorded schedules. One
//! button per lane; the last adds a lane.

use crate::page;
use crate::store::layout::{Overlay, Width};
use crate::store::{Document, DocumentAction, Layout, LayoutAction, Shared, Stage, use_frames, use_stage, use_store};
use crate::text::{policies as words, top};
use crate::views::compare::lanes::letter;
use crate::views::controls::{Icon, icon};
use sim_core::engine::protocol::PolicyView;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::prelude::*;

/// Id of the scheduler that runs, in the menu.
const CHOSEN: &str = "policy-chosen";
/// Most lanes of a scenario.
const LANES_MAX: usize = 4;

/// Buttons and menu.
#[component]
pub fn PolicyMenu() -> Html {
    let stage = use_stage();
    let document = use_store::<Document>();
    let layout = use_store::<Layout>();
    let policies = use_frames(200, |context| Shared::some(&context.frames.policies));
    let policies = policies.0.unwrap_or_default();
    let open = match layout.overlay {
        Some(Overlay::Policies(lane)) => Some(lane),
        _ => None,
    };
    use_effect_with(open.is_some(), |&is_open| {
        let before = page::focused().filter(|_| is_open);
        if is_open {
            // The one that runs is in sight, and the keyboard is there.
            page::focus(CHOSEN);
        }
        move || {
            // The menu took the focus with it; what opened meanwhile keeps its own.
            if page::focused().is_none_or(|now| now.tag_name() == "BODY")
                && let Some(before) = before.and_then(|element| element.dyn_into::<HtmlElement>().ok())
            {
                let _ = before.focus();
            }
        }
    });
    let lanes = &document.scenario.lanes;
    let toggle = |index: usize| {
        let dispatcher = stage.layout.clone();
        Callback::from(move |_: MouseEvent| dispatcher.dispatch(LayoutAction::Toggle(Overlay::Policies(index))))
    };
    let buttons = lanes.iter().enumerate().map(|(index, chosen)| {
        let side = format!("side-{index}");
        let expanded = (open == Some(index)).to_string();
        html! {
            <button type="button" class="pick policy" aria-haspopup="dialog" aria-expanded={expanded} title={top::POLICY}
                data-testid={format!("policy-{index}")} onclick={toggle(index)}>
                <i class={classes!("sw", side)} />if lanes.len() > 1 { <span class="t3">{ letter(index) }</span> }<b>{ &chosen.policy }</b><span class="caret">{ "▾" }</span></button>
        }
    });
    let more = (lanes.len() < LANES_MAX && !lanes.is_empty() && layout.width == Width::Wide).then(|| {
        html! { <button type="button" class="btn quiet" data-testid="add-lane" onclick={toggle(lanes.len())}>
        { icon(Icon::Plus) }{ top::COMPARE }</button> }
    });
    html! {
        <span class="anchor policies">
            if layout.width > Width::Phone { <span class="sep" /> }
            { for buttons }{ more }
            if let Some(lane) = open { { menu(&stage, &document, &policies, lane) } }
        </span>
    }
}

fn menu(stage: &Stage, document: &Document, policies: &[PolicyView], lane: usize) -> Html {
    let mut families: Vec<String> = Vec::new();
    for policy in policies {
        if !families.contains(&policy.family) {
            families.push(policy.family.clone());
        }
    }
    let chosen = document.scenario.lanes.get(lane).map(|lane| lane.policy.clone());
    let close = {
        let layout = stage.layout.clone();
        Callback::from(move |_: MouseEvent| layout.dispatch(LayoutAction::CloseOverlay))
    };
    let on_key = {
        let layout = stage.layout.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" {
                event.stop_propagation();
                layout.dispatch(LayoutAction::CloseOverlay);
            }
        })
    };
    let remove = (lane > 0 && chosen.is_some()).then(|| {
        let stage = stage.clone();
        let onclick = Callback::from(move |_: MouseEvent| {
            stage.document.dispatch(DocumentAction::RemoveLane(lane));
            stage.layout.dispatch(LayoutAction::CloseOverlay);
        });
        html! { <button type="button" role="menuitem" class="link" {onclick}>{ top::REMOVE_LANE }</button> }
    });
    let groups = families.iter().map(|family| {
        let of_family = policies.iter().filter(|policy| policy.family == *family);
        let items = of_family.map(|policy| {
            let on = chosen.as_ref() == Some(&policy.key);
            let (stage, key, lane) = (stage.clone(), policy.key.clone(), lane);
            let onclick = Callback::from(move |_: MouseEvent| {
                stage.document.dispatch(DocumentAction::Policy { lane, key: key.clone() });
                stage.layout.dispatch(LayoutAction::CloseOverlay);
            });
            item(policy, on, onclick)
        });
        html! { <div class="family" role="group" aria-label={family.clone()}><h2>{ family }</h2>{ for items }</div> }
    });
    html! {
        <>
            <div class="scrim clear" onclick={close} />
            <div class="pop menu policies-menu" role="dialog" aria-label={top::POLICY} onkeydown={on_key} data-testid="policy-menu">
                { for groups }{ remove }
            </div>
        </>
    }
}

fn item(policy: &PolicyView, on: bool, onclick: Callback<MouseEvent>) -> Html {
    let (matched, recorded) = policy.golden;
    let proof = if recorded > 0 { words::matches(matched, recorded) } else { words::NONE.to_string() };
    html! {
        <button type="button" class={classes!("policy-item", on.then_some("on"))} aria-pressed={on.to_string()} id={on.then_some(CHOSEN)}
            data-testid={format!("choose-{}", policy.key)} {onclick}>
            <span class="line"><b>{ &policy.key }</b><span class="t2">{ &policy.title }</span><span class="grow" /><span class="t3 small">{ &policy.kernel }</span></span>
            <span class="t2 small">{ &policy.summary }</span>
            <span class="t3 small">{ proof }</span>
        </button>
    }
}
