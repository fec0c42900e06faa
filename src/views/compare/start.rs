//! Compare with one lane: the newest scheduler of each other family to put beside it, and the whole list.

use crate::store::layout::Overlay;
use crate::store::{Document, DocumentAction, LayoutAction, Shared, use_frames, use_stage, use_store};
use crate::text::compare as words;
use sim_core::engine::protocol::PolicyView;
use yew::prelude::*;

/// The choice.
#[component]
pub fn Start() -> Html {
    let stage = use_stage();
    let document = use_store::<Document>();
    let policies = use_frames(200, |context| Shared::some(&context.frames.policies));
    let policies = policies.0.unwrap_or_default();
    let runs = document.scenario.lanes.first().map(|lane| lane.policy.clone()).unwrap_or_default();
    let newest = newest_of_others(&policies, &runs);
    let buttons = newest.iter().map(|policy| {
        let (document, key) = (stage.document.clone(), policy.key.clone());
        let onclick = Callback::from(move |_: MouseEvent| {
            document.dispatch(DocumentAction::Policy { lane: 1, key: key.clone() });
        });
        html! {
            <button type="button" class="btn" {onclick} data-testid={format!("beside-{}", policy.key)}>
                <b>{ &policy.key }</b><span class="t3 small">{ &policy.kernel }</span></button>
        }
    });
    let whole = {
        let stage = stage.clone();
        Callback::from(move |_: MouseEvent| stage.layout.dispatch(LayoutAction::Toggle(Overlay::Policies(1))))
    };
    html! {
        <section class="panel empty compare-start" data-testid="compare">
            <p class="say">{ words::EMPTY }</p>
            <div class="beside" role="group" aria-label={words::BESIDE}>{ for buttons }</div>
            <button type="button" class="link" onclick={whole}>{ words::CHOOSE }</button>
        </section>
    }
}

/// The last of each family but that of `key`, in the order of the list.
fn newest_of_others<'a>(policies: &'a [PolicyView], key: &str) -> Vec<&'a PolicyView> {
    let own = policies.iter().find(|policy| policy.key == key).map(|policy| policy.family.as_str());
    let is_last =
        |(at, policy): &(usize, &PolicyView)| policies[at + 1..].iter().all(|later| later.family != policy.family);
    let last = policies.iter().enumerate().filter(is_last).map(|(_, policy)| policy);
    last.filter(|policy| Some(policy.family.as_str()) != own).collect()
}
