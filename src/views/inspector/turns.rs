//! What would have had to be different: nice levels that were tried out, each a second lane away.

use crate::paint::number;
use crate::store::layout::View;
use crate::store::{DocumentAction, LayoutAction, Stage};
use crate::text::inspector as words;
use crate::views::controls::{Names, task_name};
use sim_core::engine::protocol::{IDLE, LaneState, StoryView, Turn, WhyView};
use sim_core::scenario::schema::{ChangeAt, Target};
use yew::prelude::*;

/// The section.
pub fn section(stage: &Stage, names: &Names, why: &WhyView, story: &StoryView) -> Html {
    if story.turns.is_empty() {
        return Html::default();
    }
    let waits = why.state == LaneState::Runnable;
    let has_lines = story.turns.iter().any(|turn| turn.level.is_some());
    let rows = story.turns.iter().map(|turn| row(stage, names, story, turn, waits));
    html! {
        <div class="psec" data-testid="turns">
            <h3>{ words::TURNS }</h3>
            <ul class="turns">{ for rows }</ul>
            <p class="t3 small">{ words::turns_help(&number::moment(story.since), has_lines) }</p>
        </div>
    }
}

fn row(stage: &Stage, names: &Names, story: &StoryView, turn: &Turn, waits: bool) -> Html {
    let who = task_name(names, turn.task);
    let Some(level) = turn.level else {
        return html! { <li>{ who }<span class="t2">{ words::NO_LEVEL }</span></li> };
    };
    let outcome = match turn.then {
        _ if waits => html! { { words::RUNS_EARLIER } },
        IDLE => html! { { words::LEAVES_IDLE } },
        then => html! { <>{ task_name(names, then) }{ " " }{ words::RUNS_THEN }</> },
    };
    let (lane, since, stage) = (usize::from(story.lane), story.since, stage.clone());
    let name = names.task(turn.task).to_owned();
    let show = Callback::from(move |_: MouseEvent| {
        let target = Target::Task(name.clone(), "nice".into());
        let change = Some(ChangeAt { t: since, target, value: level.into() });
        stage.document.dispatch(DocumentAction::WhatIf { of: lane, policy: None, change });
        stage.layout.dispatch(LayoutAction::View(View::Compare));
    });
    html! {
        <li><button type="button" class="turn" title={words::SHOW_TURN} onclick={show}>
            <span>{ who }{ " " }{ words::at_level(level, level > turn.nice) }</span><span class="t2">{ outcome }</span></button></li>
    }
}
