//! Inspector: why, facts of the selection, whole run, how it compares with the real kernel.

mod facts;
mod run;
mod why;

use crate::store::{LayoutAction, Shared, use_frames, use_stage};
use crate::text::inspector as words;
use crate::views::controls::{Names, use_names};
use yew::prelude::*;

pub use why::WhySection;

/// The reason is read by people: it changes at most this often while playing, ms.
const READ_MS: u32 = 240;

/// The panel.
#[component]
pub fn Inspector() -> Html {
    let stage = use_stage();
    let fold = Callback::from(move |_| stage.layout.dispatch(LayoutAction::ToggleInspector));
    html! {
        <aside class="right scroll" aria-label={words::HEADING} data-testid="inspector">
            <div class="phead"><h2>{ words::HEADING }</h2><span class="grow" />
                <button type="button" class="btn quiet tiny" onclick={fold}>{ words::FOLD }<kbd class="q">{ "Q" }</kbd></button></div>
            <InspectorBody />
        </aside>
    }
}

/// What the panel holds, without its head.
#[component]
pub fn InspectorBody() -> Html {
    let why = use_frames(READ_MS, |context| Shared::of(&context.frames.lane(context.lane).why));
    let names = use_names();
    html! {
        <>
            <why::WhySection why={why.clone()} names={names.clone()} />
            <facts::FactsSection {why} names={names.clone()} />
            <run::RunSection {names} />
            <run::GoldenSection />
        </>
    }
}

/// Properties of sections about a reason.
#[derive(Properties, PartialEq)]
pub struct WhyProps {
    /// The reason.
    pub why: Shared<sim_core::engine::protocol::WhyView>,
    /// Names and colours.
    pub names: Names,
}
