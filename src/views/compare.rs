//! Compare: the lanes of a scenario in one table, the better of each row marked.

use crate::paint::number;
use crate::store::layout::Overlay;
use crate::store::{
    Document, LayoutAction, PlaybackAction, Selection, SelectionAction, Shared, WindowAction, use_frames, use_stage,
    use_store,
};
use crate::text::{Word, compare as words};
use sim_core::engine::protocol::SummaryView;
use yew::prelude::*;

/// Sums move at most this often, ms.
const CALM_MS: u32 = 250;

/// Which value of a row is the better one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Better {
    Lower,
    Higher,
    Neither,
}

/// A row: name, value of a summary, how it is written, which is better.
type Row = (Word, fn(&SummaryView) -> u64, fn(u64) -> String, Better);

fn whole(value: u64) -> String {
    number::whole(i64::try_from(value).unwrap_or(i64::MAX))
}

fn permille(value: u64) -> String {
    format!("{}.{:03}", value / 1000, value % 1000)
}

const ROWS: [Row; 10] = [
    (words::WAKEUP_P50, |s| s.wakeup_latency.p50, number::duration, Better::Lower),
    (words::WAKEUP_P99, |s| s.wakeup_latency.p99, number::duration, Better::Lower),
    (words::WAKEUP_MAX, |s| s.wakeup_latency.max, number::duration, Better::Lower),
    (words::SCHED_P99, |s| s.scheduling_latency.p99, number::duration, Better::Lower),
    (words::SCHED_MAX, |s| s.scheduling_latency.max, number::duration, Better::Lower),
    (words::THROUGHPUT, |s| s.throughput_milli.iter().map(|(_, rate)| rate / 1000).sum(), whole, Better::Higher),
    (words::SWITCHES, |s| s.switches, whole, Better::Neither),
    (words::MIGRATIONS, |s| s.migrations, whole, Better::Neither),
    (words::SCHEDULER_TIME, |s| s.times[2] + s.times[3], number::duration, Better::Lower),
    (words::FAIRNESS, |s| u64::from(s.fairness_permille), permille, Better::Higher),
];

/// The view.
#[component]
pub fn Compare() -> Html {
    let stage = use_stage();
    let document = use_store::<Document>();
    let selection = use_store::<Selection>();
    let summaries = use_frames(CALM_MS, |context| {
        context.frames.lanes.iter().map(|lane| Shared::of(&lane.summary)).collect::<Vec<_>>()
    });
    let lanes = &document.scenario.lanes;
    if lanes.len() < 2 {
        let add = Callback::from(move |_| stage.layout.dispatch(LayoutAction::Toggle(Overlay::Policies)));
        return html! {
            <section class="panel empty" data-testid="compare"><p class="say">{ words::EMPTY }</p>
                <button type="button" class="btn primary" onclick={add}>{ words::CHOOSE }</button></section>
        };
    }
    let shown = selection.lane;
    let heads = lanes.iter().enumerate().map(|(index, lane)| {
        let selection = stage.selection.clone();
        let show = Callback::from(move |_| selection.dispatch(SelectionAction::Lane(index as u8)));
        let on = usize::from(shown) == index;
        html! {
            <th scope="col" class="num"><button type="button" class={classes!("btn", "tiny", on.then_some("on"))} aria-pressed={on.to_string()}
                title={words::SHOW} data-testid={format!("show-lane-{index}")} onclick={show}>
                <i class={classes!("sw", format!("side-{index}"))} />{ &lane.policy }</button></th>
        }
    });
    let parts = (0..lanes.len()).map(|lane| {
        let diverged = summaries.get(lane).and_then(|summary| summary.as_deref().and_then(|summary| summary.diverged));
        let playback = stage.playback.clone();
        let window = stage.window.clone();
        let go = |at: u64| {
            Callback::from(move |_| {
                playback.dispatch(PlaybackAction::Seek(at));
                window.dispatch(WindowAction::Centre(at));
            })
        };
        match diverged {
            Some((at, cpu)) => html! { <td class="num"><button type="button" class="link" onclick={go(at)}>
            { format!("{} on CPU {cpu}", number::moment(at)) }</button></td> },
            None => html! { <td class="num t3">{ "–" }</td> },
        }
    });
    let rows = ROWS.iter().map(|row| table_row(row, lanes.len(), &summaries));
    html! {
        <section class="panel scroll" data-testid="compare">
            <div class="phead"><h2>{ words::HEADING }</h2></div>
            <table class="diff"><thead><tr><th scope="col">{ words::WHAT }</th>{ for heads }</tr></thead><tbody>
                <tr><th scope="row">{ words::DIVERGENCE }</th>{ for parts }</tr>{ for rows }</tbody></table>
        </section>
    }
}

fn table_row((name, value, show, better): &Row, lanes: usize, summaries: &[Shared<SummaryView>]) -> Html {
    let values: Vec<Option<u64>> =
        (0..lanes).map(|lane| summaries.get(lane).and_then(|summary| summary.as_deref().map(value))).collect();
    let known = values.iter().flatten().copied();
    let best = match better {
        Better::Lower => known.min(),
        Better::Higher => known.max(),
        Better::Neither => None,
    };
    let all_equal = values.iter().all(|value| *value == values[0]);
    let cells = values.iter().map(|value| {
        let is_best = best.is_some() && *value == best && !all_equal;
        html! { <td class={classes!("num", is_best.then_some("best"))}>{ value.map_or_else(|| "…".into(), show) }</td> }
    });
    html! { <tr><th scope="row">{ *name }</th>{ for cells }</tr> }
}
