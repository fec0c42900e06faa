//! The last decisions of the chosen CPU, each with its rule and numbers; a click goes there.

use crate::paint::number;
use crate::store::{PlaybackAction, Selection, Shared, Stage, WindowAction, use_frames, use_stage, use_store};
use crate::text::inspector as words;
use crate::views::controls::{Names, sentence, task_name, use_names};
use sim_core::engine::protocol::{DecisionView, DecisionsView, IDLE};
use yew::prelude::*;

/// The section by itself, where the inspector is on another tab.
#[component]
pub fn Decisions() -> Html {
    let (stage, names, selection) = (use_stage(), use_names(), use_store::<Selection>());
    let answer = use_frames(super::READ_MS, |context| Shared::of(&context.frames.lane(context.lane).decisions));
    let shown = answer.as_deref().filter(|view| view.cpu == selection.cpu);
    shown.map(|view| section(&stage, &names, view)).unwrap_or_default()
}

/// The section.
pub fn section(stage: &Stage, names: &Names, decisions: &DecisionsView) -> Html {
    let last = decisions.rows.len().saturating_sub(1);
    let rows = decisions.rows.iter().enumerate().map(|(index, row)| decision(stage, names, row, index == last));
    html! {
        <div class="psec" data-testid="decisions">
            <h3>{ words::decisions_of(decisions.cpu) }<span class="grow" /><kbd class="q">{ "←" }</kbd><kbd class="q">{ "→" }</kbd></h3>
            <ol class="decisions">{ for rows }</ol>
        </div>
    }
}

fn decision(stage: &Stage, names: &Names, row: &DecisionView, is_last: bool) -> Html {
    let (t, stage) = (row.t, stage.clone());
    let go = Callback::from(move |_: MouseEvent| {
        stage.playback.dispatch(PlaybackAction::Seek(t));
        stage.window.dispatch(WindowAction::Centre(t));
    });
    let who = if row.task == IDLE {
        html! { <b>{ words::IDLE }</b> }
    } else {
        task_name(names, row.task)
    };
    html! {
        <li key={t.to_string()}><button type="button" class={classes!("decision", is_last.then_some("on"))} aria-current={is_last.then_some("true")} onclick={go}>
            <span class="t3 num">{ number::moment(t) }</span><span>{ who }{ ": " }{ sentence(names, &row.sentence) }</span></button></li>
    }
}
