//! Facts of the selected slice, wait or gap.

use crate::paint::number;
use crate::store::{SelectionAction, Stage};
use crate::text::{Word, inspector as words};
use crate::views::controls::{Names, task_name};
use sim_core::engine::protocol::{GaugeView, IDLE, LaneState, WhyView};
use yew::prelude::*;

/// Tasks named as those it waited behind.
const BEHIND: usize = 3;
/// Number of `SliceEnd` that means "still open".
const OPEN: u8 = 255;

/// The section.
pub fn section(stage: &Stage, names: &Names, why: &WhyView, chosen: bool) -> Html {
    let to_waker = why.woken.filter(|(_, waker)| *waker != IDLE).map(|(at, task)| {
        let selection = stage.selection.clone();
        let cpu = why.cpu;
        Callback::from(move |_: MouseEvent| selection.dispatch(SelectionAction::Task { task, slice: Some((cpu, at)) }))
    });
    html! {
        <div class="psec" data-testid="facts">
            <h3>{ if chosen { words::SELECTED } else { words::PRESENT } }<span class="grow" />
                <span class="t3 normal">{ format!("CPU {} · {}", why.cpu, number::moment(why.start)) }</span></h3>
            <dl class="kv" key={format!("{} {} {}", why.task, why.cpu, why.start)}>{ for rows(why, names, to_waker) }</dl>
        </div>
    }
}

fn row(name: impl Into<AttrValue>, value: Html) -> Html {
    let name = name.into();
    html! { <><dt>{ name }</dt><dd>{ value }</dd></> }
}

fn rows(why: &WhyView, names: &Names, to_waker: Option<Callback<MouseEvent>>) -> Vec<Html> {
    let mut rows = Vec::new();
    let running = why.state == LaneState::Running;
    if running && why.task != IDLE {
        rows.push(row(words::LEFT, html! { { words::ended(why.ended) } }));
    }
    let spent = why.end.saturating_sub(why.start);
    let length = html! { { number::moment(spent) } };
    rows.push(row(if running { words::RAN } else { state_word(why.state) }, length));
    if why.waited > 0 {
        rows.push(row(words::WAITED, html! { { number::duration(why.waited) } }));
    }
    if !why.behind.is_empty() {
        let more = why.behind.len().saturating_sub(BEHIND);
        let chain = why.behind.iter().take(BEHIND).map(|(task, ns)| {
            html! { <span class="link-of-chain">{ number::duration(*ns) }{ " " }{ words::BEHIND }{ " " }{ task_name(names, *task) }</span> }
        });
        let more = (more > 0).then(|| html! { <span class="t3">{ words::and_more(more) }</span> });
        rows.push(row("", html! { <span class="chain" data-testid="chain">{ for chain }{ more }</span> }));
    }
    if let Some((at, waker)) = why.woken {
        let who = if waker == IDLE {
            html! { { words::TIMER } }
        } else {
            task_name(names, waker)
        };
        let at = number::moment(at);
        rows.push(row(
            words::WOKEN,
            match to_waker {
                Some(onclick) => html! { <button type="button" class="link" title={at} {onclick}>{ who }</button> },
                None => html! { <span title={at}>{ who }</span> },
            },
        ));
    }
    if !why.wakes.is_empty() {
        let woken = why.wakes.iter().take(BEHIND).map(|(at, task)| {
            html! { <span class="link-of-chain" title={number::moment(*at)}>{ task_name(names, *task) }</span> }
        });
        rows.push(row(words::WAKES, html! { <span class="chain" data-testid="wakes">{ for woken }</span> }));
    }
    rows.extend(why.facts.iter().map(|fact| row(fact.label.clone(), html! { { gauge(fact) } })));
    if running && why.ended != OPEN {
        rows.push(row(words::AFTER, task_name(names, why.next)));
    }
    rows
}

fn state_word(state: LaneState) -> Word {
    match state {
        LaneState::Running => words::RAN,
        LaneState::Runnable => words::WAITED,
        LaneState::Sleeping => words::SLEPT,
        LaneState::Blocked => words::BLOCKED,
        LaneState::Gone => words::AWAY,
    }
}

/// `1 000 of 1 000 ms`.
fn gauge(fact: &GaugeView) -> String {
    let value = number::value(fact.value, &fact.unit);
    if fact.full > 0 { words::OF.fill(&[&value, &number::value(fact.full, &fact.unit)]) } else { value }
}
