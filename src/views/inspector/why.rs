//! The reason: at most three sentences, then the candidates with the deciding column marked.

use crate::paint::number;
use crate::store::{SelectionAction, Stage};
use crate::text::inspector as words;
use crate::views::controls::{Names, entity_name, sentence, task_name};
use sim_core::engine::protocol::{EntityView, IDLE, LaneState, WhyView};
use yew::prelude::*;

/// Columns of terms.
const TERMS: usize = 2;
/// Rows of the table.
const ROWS: usize = 8;

/// The section.
pub fn section(stage: &Stage, names: &Names, why: Option<&WhyView>) -> Html {
    let Some(why) = why else {
        return html! { <div class="psec"><p class="t2">{ words::NOTHING }</p></div> };
    };
    let idle = why.task == IDLE;
    html! {
        <div class="psec" data-testid="why">
            // Another reason is another text, not the old one moved about: it is made anew.
            <div class="reason" key={format!("{} {} {}", why.task, why.cpu, why.start)}>
                <h3>{ words::question(why.state, idle) }</h3>
                <p class="say" data-testid="why-sentence">{ reason(names, why) }</p>
                if !why.candidates.is_empty() { { candidates(stage, names, why) } }
                if !why.otherwise.is_empty() { <p class="t2 otherwise">{ sentence(names, &why.otherwise) }{ "." }</p> }
                if !why.function.is_empty() {
                    <div class="row"><span class="grow" /><code class="t3">{ &why.function }</code></div>
                }
            </div>
        </div>
    }
}

/// Who, then the rule, then who woke it.
fn reason(names: &Names, why: &WhyView) -> Html {
    let rule = sentence(names, &why.sentence);
    let begin = match why.state {
        _ if why.task == IDLE => html! { { words::cpu_is_idle(why.cpu) } },
        LaneState::Running => html! { <>{ task_name(names, why.task) }{ words::runs_on(why.cpu) }</> },
        LaneState::Runnable | LaneState::Sleeping | LaneState::Blocked | LaneState::Gone => {
            html! { <>{ task_name(names, why.task) }{ " " }</> }
        }
    };
    let woken = why.woken.filter(|(_, waker)| *waker != IDLE && why.state == LaneState::Running);
    let woken = woken.map(|(_, waker)| html! { <>{ " " }{ task_name(names, waker) }{ words::WOKE_IT }</> });
    html! { <>{ begin }{ rule }{ "." }{ woken }</> }
}

fn candidates(stage: &Stage, names: &Names, why: &WhyView) -> Html {
    let Some(first) = why.candidates.first() else { return Html::default() };
    let runs = why.state == LaneState::Running;
    let terms: Vec<String> = first.terms.iter().take(TERMS).map(|term| term.label.clone()).collect();
    let head = terms.iter().map(|label| html! { <th class="num" scope="col">{ label }</th> });
    let rows = why.candidates.iter().take(ROWS).map(|row| {
        let cells = terms.iter().map(|label| {
            let term = row.terms.iter().find(|term| term.label == *label);
            html! { <td class="num t2">{ term.map(|term| number::value(term.value, &term.unit)).unwrap_or_default() }</td> }
        });
        let status = match (&row.barred, row.picked) {
            (_, true) if runs => words::RUNS.to_string(),
            (Some(barred), _) => barred.clone(),
            _ => words::WAITS.to_string(),
        };
        let select = match row.entity {
            EntityView::Task(task) => {
                let selection = stage.selection.clone();
                Some(Callback::from(move |_: MouseEvent| selection.dispatch(SelectionAction::Task { task, slice: None })))
            }
            EntityView::Group(_) => None,
        };
        html! {
            <tr class={classes!(row.picked.then_some("picked"))}>
                <td class="first"><button type="button" class="link" onclick={select}>{ entity_name(names, row.entity) }</button></td>
                <td class="num key"><b>{ number::value(row.key.value, &row.key.unit) }</b></td>
                { for cells }
                <td class="num t3 last">{ status }</td>
            </tr>
        }
    });
    html! {
        <table class="candidates" data-testid="candidates">
            <thead><tr><th scope="col">{ words::CANDIDATE }</th><th class="num" scope="col">{ &first.key.label }</th>
                { for head }<th scope="col"><span class="unseen">{ words::OUTCOME }</span></th></tr></thead>
            <tbody>{ for rows }</tbody>
        </table>
    }
}
