//! Inspector: why, facts of the selection, whole run, how it compares with the real kernel.

mod decisions;
mod distance;
mod facts;
mod path;
mod range;
mod run;
mod turns;
mod what_if;
mod why;

pub use decisions::Decisions;

use crate::store::{Document, Layout, LayoutAction, Selection, Shared, Stage, use_frames, use_stage, use_store};
use crate::text::inspector as words;
use crate::views::controls::use_names;
use yew::prelude::*;

/// The reason is read by people: it changes at most this often while playing, ms.
const READ_MS: u32 = 240;

/// The panel around [`Inspector`], with its head.
pub fn inspector_panel(stage: &Stage) -> Html {
    let layout = stage.layout.clone();
    let fold = Callback::from(move |_| layout.dispatch(LayoutAction::ToggleInspector));
    html! {
        <aside class="right scroll" aria-label={words::HEADING} data-testid="inspector">
            <div class="phead"><h2>{ words::HEADING }</h2><span class="grow" />
                <button type="button" class="btn quiet tiny" onclick={fold}>{ words::FOLD }<kbd class="q">{ "Q" }</kbd></button></div>
            <Inspector />
        </aside>
    }
}

/// What the panel holds.
#[component]
pub fn Inspector() -> Html {
    let stage = use_stage();
    let names = use_names();
    let selection = use_store::<Selection>();
    let document = use_store::<Document>();
    let answers = use_frames(READ_MS, |context| {
        let lane = context.frames.lane(context.lane);
        let facts = (Shared::of(&lane.why), Shared::of(&lane.summary), Shared::of(&lane.range));
        (facts, (Shared::of(&lane.decisions), Shared::of(&lane.story)))
    });
    let golden = use_frames(READ_MS, |context| {
        context.frames.policy(context.lane).map(|policy| (policy.kernel.clone(), policy.golden))
    });
    let ((why, summary, range), (decisions, story)) = &answers;
    let layout = use_store::<Layout>();
    let decisions = decisions.as_deref().filter(|view| layout.shows_over_time() && view.cpu == selection.cpu);
    let chosen = selection.slice.is_some() || selection.task.is_some();
    // A story belongs to the reason that is shown, not to the one before.
    let told = why
        .as_deref()
        .zip(story.as_deref())
        .filter(|(why, story)| chosen && (why.task, why.cpu, why.start) == (story.task, story.cpu, story.start));
    html! {
        <>
            { decisions.map(|view| decisions::section(&stage, &names, view)) }
            { why::section(&stage, &names, why.as_deref()) }
            { told.map(|(why, story)| turns::section(&stage, &names, why, story)) }
            { told.and_then(|(_, story)| story.path.as_ref()).map(|path| path::section(&stage, &names, path)) }
            { range::section(&stage, &names, &selection, range.as_deref()) }
            <what_if::WhatIf names={names.clone()} why={why.clone()} />
            { why.as_deref().map(|why| facts::section(&stage, &names, why, chosen)) }
            { summary.as_deref().map(|summary| run::section(&names, &document.scenario, summary)) }
            { golden.map(|(kernel, matches)| run::golden(&kernel, matches)) }
        </>
    }
}
