//! Compare: the lanes of a scenario over each other. Where they part, why each side did what it did, a table of
//! differences with ratios, graphs overlaid.

pub mod lanes;
mod plots;
mod rows;
mod start;

use crate::page;
use crate::paint::number;
use crate::store::{Document, Selection, SelectionAction, Shared, Stage, use_frames, use_stage, use_store};
use crate::text::{Word, compare as words};
use crate::views::controls::{Icon, Names, icon, sentence, use_names};
use lanes::{apart, lane_head, letter};
use rows::{Row, Section};
use sim_core::engine::protocol::{IDLE, SummaryView, WhyView};
use sim_core::scenario::schema::{Lane, Scenario};
use std::rc::Rc;
use yew::prelude::*;

/// Sums move at most this often, ms.
const CALM_MS: u32 = 250;

/// The view.
#[component]
pub fn Compare() -> Html {
    let stage = use_stage();
    let document = use_store::<Document>();
    let selection = use_store::<Selection>();
    let names = use_names();
    let answers = use_frames(CALM_MS, |context| {
        let lanes = &context.frames.lanes;
        let summaries: Vec<Shared<SummaryView>> = lanes.iter().map(|lane| Shared::of(&lane.summary)).collect();
        let reasons: Vec<Shared<WhyView>> = lanes.iter().map(|lane| Shared::of(&lane.why)).collect();
        (summaries, reasons)
    });
    let loaded = use_frames(CALM_MS, |context| Shared::of(&context.frames.loaded));
    let now = use_frames(CALM_MS, |context| context.now);
    let (summaries, reasons) = answers;
    let lanes = &document.scenario.lanes;
    if lanes.len() < 2 {
        return html! { <start::Start /> };
    }
    let known: Vec<Option<&SummaryView>> =
        (0..lanes.len()).map(|lane| summaries.get(lane).and_then(|summary| summary.as_deref())).collect();
    let here = selection.slice.map_or((now, selection.cpu), |(cpu, t)| (t, selection.cpu_or_present(cpu)));
    let sections = Rc::new(rows::sections(&known, loaded.as_deref(), &document.scenario));
    let save = {
        let (sections, scenario) = (sections.clone(), document.scenario.clone());
        Callback::from(move |_: MouseEvent| save_table(&sections, &scenario))
    };
    html! {
        <section class="panel scroll compare-panel" data-testid="compare">
            { card(&stage, &names, lanes, &known, &reasons, here) }
            <div class="compare-body">
                <div>{ table(&stage, lanes, selection.lane, &sections) }
                    <div class="row"><button type="button" class="btn quiet low" onclick={save} data-testid="differences-csv">{ icon(Icon::Save) }{ words::CSV }</button></div></div>
                <div class="plots">{ plots::by_percentile(&known) }{ plots::by_task(&known, &names) }
                    <p class="t3 small">{ words::same_draws(document.scenario.seed) }</p></div>
            </div>
        </section>
    }
}

/// Where the lanes part, jumps, and one sentence per lane about the chosen moment.
fn card(
    stage: &Stage,
    names: &Names,
    lanes: &[Lane],
    known: &[Option<&SummaryView>],
    reasons: &[Shared<WhyView>],
    here: (u64, u16),
) -> Html {
    let first = known.iter().flatten().filter_map(|summary| summary.diverged).min();
    let jump = |name: Word, cap: &'static str, testid: &'static str, to_first: bool| {
        let live = stage.live.clone();
        let onclick = Callback::from(move |_: MouseEvent| live.to_difference(to_first));
        html! { <button type="button" class="btn low" {onclick} data-testid={testid} disabled={first.is_none()}>{ name }<kbd class="q">{ cap }</kbd></button> }
    };
    let alike = known.iter().flatten().find(|summary| summary.diverged == first).map_or(0, |summary| summary.alike);
    let where_ = match first {
        Some((at, cpu)) => words::at_on(&number::moment(at), cpu),
        None => words::EQUAL.to_string(),
    };
    let sides = lanes.iter().enumerate().map(|(index, lane)| {
        let why = reasons.get(index).and_then(|why| why.as_deref());
        html! { <p class="side">{ lane_head(index, lane) }<span class="say">{ why.map(|why| side(names, why)) }</span></p> }
    });
    html! {
        <div class={classes!("parting", first.is_some().then_some("part"))} data-testid="divergence">
            <div class="row"><b class="bad-text">{ words::DIVERGENCE }</b><b>{ where_ }</b>
                if alike > 0 { <span class="t3">{ words::alike(alike) }</span> }<span class="grow" />
                { jump(words::FIRST, "⇧N", "first-difference", true) }{ jump(words::NEXT, "N", "next-difference", false) }</div>
            // Before the jump the sentences are about another moment than the heading.
            if Some(here) != first { <p class="t3 small here">{ words::here(&number::moment(here.0), here.1) }</p> }
            <div class="sides" data-testid="sides">{ for sides }</div>
        </div>
    }
}

fn side(names: &Names, why: &WhyView) -> Html {
    let who = if why.task == IDLE { words::idle_on(why.cpu) } else { words::runs_on(names.task(why.task), why.cpu) };
    html! { <>{ sentence(names, &who) }{ sentence(names, &why.sentence) }</> }
}

fn table(stage: &Stage, lanes: &[Lane], shown: u8, sections: &[Section]) -> Html {
    let heads = lanes.iter().enumerate().map(|(index, lane)| {
        let selection = stage.selection.clone();
        let show = Callback::from(move |_| selection.dispatch(SelectionAction::Lane(index as u8)));
        let on = usize::from(shown) == index;
        let ratio = (index > 0).then(|| html! { <th scope="col" class="num">{ format!("{} / A", letter(index)) }</th> });
        html! {
            <><th scope="col" class="num"><button type="button" class={classes!("btn", "tiny", on.then_some("on"))} aria-pressed={on.to_string()}
                title={format!("{} {}", words::SHOW, apart(lane))} data-testid={format!("show-lane-{index}")} onclick={show}>
                <i class={classes!("sw", format!("side-{index}"))} />{ letter(index) }{ " " }{ &lane.policy }</button></th>{ ratio }</>
        }
    });
    let columns = (2 * lanes.len()).to_string();
    let sections = sections.iter().map(|section| {
        let rows = section.rows.iter().map(table_row);
        html! { <tbody><tr class="head"><th scope="rowgroup" colspan={columns.clone()}>{ &section.heading }</th></tr>{ for rows }</tbody> }
    });
    html! {
        <div class="diff-box scroll" tabindex="0" role="region" aria-label={words::HEADING}><table class="diff" data-testid="differences"><caption class="unseen">{ words::HEADING }</caption>
            <thead><tr><th scope="col">{ words::WHAT }</th>{ for heads }</tr></thead>{ for sections }</table></div>
    }
}

/// Saves the table for other programs.
fn save_table(sections: &[Section], scenario: &Scenario) {
    let head = |(index, lane): (usize, &Lane)| {
        let head = format!("{} {} {}", letter(index), lane.policy, apart(lane));
        head.trim_end().to_owned()
    };
    let heads: Vec<String> = scenario.lanes.iter().enumerate().map(head).collect();
    page::save(&page::file_name(&scenario.title, "differences.csv"), &rows::csv(sections, &heads), "text/csv");
}

fn table_row(row: &Row) -> Html {
    let best = row.best();
    let cells = row.values.iter().enumerate().map(|(lane, value)| {
        let is_best = best.is_some() && *value == best;
        let ratio = (lane > 0).then(|| html! { <td class="num t3">{ row.ratio(lane).unwrap_or_else(|| "–".into()) }</td> });
        html! { <><td class={classes!("num", is_best.then_some("best"))}>{ value.map_or_else(|| "…".into(), |value| row.show.text(value)) }</td>{ ratio }</> }
    });
    html! { <tr><th scope="row">{ &row.name }</th>{ for cells }</tr> }
}
