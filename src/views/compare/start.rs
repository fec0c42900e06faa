//! Compare with one lane: the schedulers that it is most often put beside, and the whole list.

use crate::store::layout::Overlay;
use crate::store::{Document, DocumentAction, LayoutAction, Shared, use_frames, use_stage, use_store};
use crate::text::compare as words;
use yew::prelude::*;

/// One scheduler of each age, oldest first: the steps between them are those that people ask about.
const LANDMARKS: [&str; 5] = ["linux-2.4", "o1-2.6.21", "sd-0.42", "cfs-2.6.32", "eevdf-6.12"];

/// The choice.
#[component]
pub fn Start() -> Html {
    let stage = use_stage();
    let document = use_store::<Document>();
    let policies = use_frames(200, |context| Shared::some(&context.frames.policies));
    let policies = policies.0.unwrap_or_default();
    let runs = document.scenario.lanes.first().map(|lane| lane.policy.clone()).unwrap_or_default();
    let others = LANDMARKS.iter().filter(|key| **key != runs);
    let buttons = others.filter_map(|key| policies.iter().find(|policy| policy.key == *key)).map(|policy| {
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

#[cfg(test)]
mod tests {
    #[test]
    fn every_landmark_is_a_scheduler() {
        assert!(super::LANDMARKS.iter().all(|key| sim_core::policies::find(key).is_some()));
    }
}
