//! The question before the page asks another site for a file (`#src=`).

use super::dialog::Dialog;
use crate::lessons::Place;
use crate::store::{Layout, LayoutAction, use_stage, use_store};
use crate::text::files as words;
use crate::{address, files};
use yew::prelude::*;

/// The question.
#[component]
pub fn Source() -> Html {
    let stage = use_stage();
    let layout = use_store::<Layout>();
    let source = layout.link.source.clone();
    let place = Place::of(&layout.link);
    let decide = |agreed: bool| {
        let (stage, source) = (stage.clone(), source.clone());
        Callback::from(move |_: MouseEvent| {
            address::forget_source(&stage);
            stage.layout.dispatch(LayoutAction::CloseOverlay);
            if agreed {
                files::open_address(&stage, source.clone(), place);
            }
        })
    };
    html! {
        <Dialog heading={words::ASK} class="source" testid="source-dialog">
            <div class="sec"><p>{ words::ASK_SAY }</p><code class="wrap-text" data-testid="source">{ &source }</code></div>
            <div class="sec"><div class="row">
                <button type="button" class="btn primary" data-testid="agree" onclick={decide(true)}>{ words::AGREE }</button>
                <button type="button" class="btn" data-testid="decline" onclick={decide(false)}>{ words::DECLINE }</button>
            </div></div>
        </Dialog>
    }
}
