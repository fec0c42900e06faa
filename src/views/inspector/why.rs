//! The reason: at most three sentences, then the candidates with the deciding column marked.

use super::distance;
use crate::paint::number;
use crate::store::{SelectionAction, Stage};
use crate::text::inspector as words;
use crate::views::controls::{Names, entity_name, sentence, task_name};
use sim_core::engine::protocol::{CandidateView, EntityView, GaugeView, IDLE, LaneState, WhyView};
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
                { distance::drawing(names, why) }
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
    let is_own = |row: &CandidateView| row.picked || row.entity == EntityView::Task(why.task);
    let shown = why.candidates.iter().enumerate().filter(|(at, row)| *at < ROWS || is_own(row));
    let shown: Vec<&CandidateView> = shown.map(|(_, row)| row).collect();
    let more = why.candidates.len() - shown.len() + why.candidates_more as usize;
    let keys = Column::new(&first.key.label, shown.iter().map(|row| Some(&row.key)));
    let columns: Vec<Column> = terms
        .iter()
        .map(|label| Column::new(label, shown.iter().map(|row| row.terms.iter().find(|term| term.label == *label))))
        .collect();
    let head = columns.iter().map(|column| html! { <th class="num" scope="col">{ &column.head }</th> });
    let rows = shown.iter().enumerate().map(|(index, row)| {
        let cells = columns.iter().map(|column| html! { <td class="num t2">{ &column.cells[index] }</td> });
        // A line parts the run queues of groups: numbers count only among those of one.
        let begins_queue = index > 0 && shown[index - 1].queue != row.queue;
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
            <tr class={classes!(row.picked.then_some("picked"), begins_queue.then_some("queue"))}>
                <td class="first"><button type="button" class="link" onclick={select}>{ entity_name(names, row.entity) }</button></td>
                <td class="num key"><b>{ &keys.cells[index] }</b></td>
                { for cells }
                <td class="num t3 last">{ status }</td>
            </tr>
        }
    });
    html! {
        <table class="candidates" data-testid="candidates">
            <thead><tr><th scope="col">{ words::CANDIDATE }</th><th class="num" scope="col">{ &keys.head }</th>
                { for head }<th scope="col"><span class="unseen">{ words::OUTCOME }</span></th></tr></thead>
            <tbody>{ for rows }</tbody>
            if more > 0 { <tfoot><tr><td class="t3" colspan={(columns.len() + 3).to_string()}>{ words::and_more(more) }</td></tr></tfoot> }
        </table>
    }
}

/// A column of numbers. A unit that all of them share stands in the head: the rows stay narrow.
struct Column {
    head: String,
    cells: Vec<String>,
}

impl Column {
    fn new<'a>(label: &str, numbers: impl Iterator<Item = Option<&'a GaugeView>>) -> Self {
        let cells = numbers.map(|gauge| gauge.map(|gauge| number::value(gauge.value, &gauge.unit)).unwrap_or_default());
        let cells: Vec<String> = cells.collect();
        let unit = cells.iter().find_map(|cell| unit_of(cell));
        let shared = unit.filter(|unit| cells.iter().all(|cell| cell.is_empty() || unit_of(cell) == Some(*unit)));
        match shared {
            None => Self { head: label.to_owned(), cells },
            Some(unit) => {
                let head = format!("{label}, {unit}");
                let end = unit.len() + number::NB.len_utf8();
                let bare = |cell: &String| cell[..cell.len().saturating_sub(end)].to_owned();
                let bare = cells.iter().map(bare).collect();
                Self { head, cells: bare }
            }
        }
    }
}

/// The unit behind a number: what follows its last narrow space, unless that parts thousands.
fn unit_of(cell: &str) -> Option<&str> {
    let (_, unit) = cell.rsplit_once(number::NB)?;
    (!unit.starts_with(|c: char| c.is_ascii_digit())).then_some(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gauge(value: i64, unit: &str) -> GaugeView {
        GaugeView { label: "slice".into(), value, full: 0, unit: unit.into() }
    }

    #[test]
    fn a_unit_of_all_rows_moves_into_the_head() {
        let rows = [gauge(60_000_000, "ns"), gauge(31_000_000, "ns")];
        let column = Column::new("slice", rows.iter().map(Some).chain([None]));
        assert_eq!((column.head.as_str(), column.cells), ("slice, ms", vec!["60".into(), "31".into(), String::new()]));
    }

    #[test]
    fn rows_with_different_units_keep_them() {
        let rows = [gauge(58_000_000, "ns"), gauge(669_000, "ns")];
        let column = Column::new("slice", rows.iter().map(Some));
        assert_eq!((column.head.as_str(), column.cells[1].as_str()), ("slice", "669\u{202f}µs"));
        let weights = [gauge(88_761, "weight")];
        let column = Column::new("weight", weights.iter().map(Some));
        assert_eq!((column.head.as_str(), column.cells[0].as_str()), ("weight", "88\u{202f}761"));
    }
}
