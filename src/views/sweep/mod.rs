//! Sweep: one setting of the scenario varied, a curve per scheduler, drawn while it is computed.

mod controls;
mod curve;
mod points;

use crate::address;
use crate::store::work::{SweepOf, SweepState};
use crate::store::{Document, Layout, LayoutAction, Stage, Work, use_stage, use_store};
use crate::text::sentence::translated;
use crate::text::sweep as words;
use crate::views::charts::canvas::ChartCanvas;
use crate::views::controls::{Icon, icon};
use controls::Controls;
use points::Points;
use sim_core::engine::protocol::Problem;
use sim_core::scenario;
use sim_core::scenario::link::{self, Link};
use sim_core::sweep::EXAMPLE_LINK;
use std::rc::Rc;
use yew::prelude::*;

/// The view.
#[component]
pub fn Sweep() -> Html {
    let stage = use_stage();
    let layout = use_store::<Layout>();
    let document = use_store::<Document>();
    let work = use_store::<Work>();
    let scenario: Rc<str> =
        (*use_memo(document.scenario.clone(), |scenario| Rc::<str>::from(scenario::to_json(scenario)))).clone();
    let has_document = !document.scenario.lanes.is_empty();
    let vary: Rc<str> = layout.link.vary.as_str().into();
    let of = SweepOf { scenario: scenario.clone(), vary: vary.clone() };
    {
        // A link that names a sweep shows it; an edited scenario waits for Run.
        let (stage, of, known) = (stage.clone(), of.clone(), work.sweep.of.clone());
        use_effect_with((vary.clone(), has_document), move |(vary, has_document)| {
            if *has_document && !vary.is_empty() && known.as_ref() != Some(&of) {
                stage.jobs.sweep(&stage, of);
            }
        });
    }
    let run = {
        let (stage, layout, scenario) = (stage.clone(), layout.clone(), scenario.clone());
        Callback::from(move |vary: String| {
            let of = SweepOf { scenario: scenario.clone(), vary: vary.as_str().into() };
            // Started here and not by the link alone: the same sweep may be wanted again.
            stage.jobs.sweep(&stage, of);
            name(&stage, &layout, |link| link.vary = vary);
        })
    };
    let stop = {
        let stage = stage.clone();
        Callback::from(move |()| stage.jobs.stop(&stage))
    };
    let on_metric = {
        let (stage, layout) = (stage.clone(), layout.clone());
        Callback::from(move |metric: String| name(&stage, &layout, |link| link.metric = metric))
    };
    let sweep = &work.sweep;
    let metric = curve::chosen(&sweep.plan, &layout.link.metric);
    let sweeping = work.is_sweeping();
    let body = if !sweep.problems.is_empty() {
        problems(&sweep.problems)
    } else if let Some(lost) = &work.lost {
        html! { <p class="warn psec" role="alert">{ crate::text::history::LOST.fill(&[lost]) }</p> }
    } else if sweep.of.is_none() {
        empty(&stage)
    } else {
        html! {
            <>
                <ChartCanvas chart={curve::chart(sweep, metric)} label={words::HEADING} words="sweep-points" class={classes!("picture", "wide")} />
                <Points sweep={sweep.clone()} {metric} document={document.scenario.clone()} />
            </>
        }
    };
    html! {
        <section class="panel sweep" data-testid="sweep">
            <div class="phead"><h2>{ words::HEADING }</h2><span class="t3 small" role="status" data-testid="sweep-progress">{ progress(sweep, sweeping) }</span></div>
            <Controls {scenario} {has_document} vary={layout.link.vary.clone()} plan={sweep.plan.clone()} {metric} {sweeping}
                on_run={run} on_stop={stop} {on_metric} />
            <div class="scroll sweep-body">{ body }
                if document.scenario.lanes.len() < 2 && sweep.of.is_some() { <p class="psec small t3">{ words::MORE }</p> }</div>
        </section>
    }
}

/// Changes what the address says of the sweep.
fn name(stage: &Stage, layout: &Layout, change: impl FnOnce(&mut link::View)) {
    let mut link = (*layout.link).clone();
    change(&mut link);
    stage.layout.dispatch(LayoutAction::Link(Rc::new(link)));
}

fn progress(sweep: &SweepState, sweeping: bool) -> String {
    let (done, all) = (sweep.rows.len(), sweep.plan.points.len());
    if all == 0 {
        return if sweeping { words::STARTS.say().into() } else { String::new() };
    }
    let counted = words::PROGRESS.fill(&[&done, &all]);
    let at = sweep.present.and_then(|(index, permille)| {
        let (values, policy) = sweep.plan.points.get(index as usize)?;
        let place =
            format!("{}, {}", curve::settings(&sweep.plan, values), sweep.plan.policies.get(usize::from(*policy))?);
        Some(words::AT.fill(&[&place, &(permille / 10)]))
    });
    at.map_or(counted.clone(), |at| format!("{counted}, {at}"))
}

fn problems(problems: &[Problem]) -> Html {
    let line = |problem: &Problem| {
        let place = if problem.path.is_empty() { String::new() } else { format!("{}: ", problem.path) };
        html! { <li><b>{ place }</b>{ translated(&problem.message) }{ " " }<span class="t3">{ translated(&problem.hint) }</span></li> }
    };
    html! { <div class="psec" role="alert" data-testid="sweep-problems"><h3>{ words::PROBLEMS }</h3><ul>{ for problems.iter().map(line) }</ul></div> }
}

/// Nothing has been swept: one sentence that teaches, and the example.
fn empty(stage: &Stage) -> Html {
    let stage = stage.clone();
    let onclick = Callback::from(move |_| {
        if let Ok(Link { scenario: Some(scenario), view, .. }) = link::decode(EXAMPLE_LINK) {
            address::open_scenario(&stage, scenario, &view, true);
        }
    });
    html! {
        <div class="empty"><p class="say">{ words::EMPTY }</p>
            <button type="button" class="btn primary" {onclick} data-testid="sweep-example">{ icon(Icon::Play) }{ words::EXAMPLE }</button></div>
    }
}
