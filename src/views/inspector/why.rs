//! The reason: at most three sentences, then the candidates with the deciding column marked.

use super::WhyProps;
use crate::paint::number;
use crate::store::{SelectionAction, use_stage};
use crate::text::inspector as words;
use crate::views::controls::{Names, entity_name, sentence};
use sim_core::engine::protocol::{CandidateView, EntityView, IDLE, LaneState};
use yew::prelude::*;

/// Columns of terms.
const TERMS: usize = 2;
/// Rows of the table.
const ROWS: usize = 8;

/// The section.
#[component]
pub fn WhySection(props: &WhyProps) -> Html {
    let Some(why) = props.why.as_deref() else {
        return html! { <div class="psec"><p class="t2">{ words::NOTHING }</p></div> };
    };
    let idle = why.task == IDLE;
    html! {
        <div class="psec" data-testid="why">
            <h3>{ words::question(why.state, idle) }</h3>
            <p class="say" data-testid="why-sentence">{ sentence(&props.names, &why.sentence) }</p>
            if !why.candidates.is_empty() {
                <Candidates rows={why.candidates.clone()} names={props.names.clone()} picked_runs={why.state == LaneState::Running} />
            }
            if !why.otherwise.is_empty() { <p class="t2 otherwise">{ sentence(&props.names, &why.otherwise) }</p> }
            if !why.function.is_empty() {
                <div class="row"><span class="grow" /><code class="t3">{ &why.function }</code></div>
            }
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct CandidateProps {
    rows: Vec<CandidateView>,
    names: Names,
    picked_runs: bool,
}

#[component]
fn Candidates(props: &CandidateProps) -> Html {
    let stage = use_stage();
    let Some(first) = props.rows.first() else { return Html::default() };
    let terms: Vec<String> = first.terms.iter().take(TERMS).map(|term| term.label.clone()).collect();
    let head = terms.iter().map(|label| html! { <th class="num" scope="col">{ label }</th> });
    let rows = props.rows.iter().take(ROWS).map(|row| {
        let cells = terms.iter().map(|label| {
            let term = row.terms.iter().find(|term| term.label == *label);
            html! { <td class="num t2">{ term.map(|term| number::value(term.value, &term.unit)).unwrap_or_default() }</td> }
        });
        let status = match (&row.barred, row.picked) {
            (_, true) if props.picked_runs => words::RUNS.to_string(),
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
                <td class="first"><button type="button" class="link" onclick={select}>{ entity_name(&props.names, row.entity) }</button></td>
                <td class="num key"><b>{ number::value(row.key.value, &row.key.unit) }</b></td>
                { for cells }
                <td class="num t3 last">{ status }</td>
            </tr>
        }
    });
    html! {
        <table class="candidates" data-testid="candidates">
            <thead><tr><th scope="col">{ words::CANDIDATE }</th><th class="num" scope="col">{ &first.key.label }</th>
                { for head }<th /></tr></thead>
            <tbody>{ for rows }</tbody>
        </table>
    }
}
