//! A published table with ours beside it. Up to two kernels stand side by side; with more of them each figure has a line
//! of its own.

use super::Chosen;
use super::figure::{figure, mean, range, runs_of};
use super::side::OpenButton;
use crate::store::layout::Width;
use crate::store::work::{Figures, Present};
use crate::store::{Layout, use_store};
use crate::text::history as words;
use crate::views::charts::ratios::error_text;
use crate::views::controls::{Icon, icon};
use sim_core::engine::protocol::{Judgement, Place, PostTable, PostView};
use std::rc::Rc;
use yew::prelude::*;

/// Most kernels side by side.
const WIDE: usize = 2;
/// Error at the end of its bar, 1/1000.
const BAR_PERMILLE: i64 = 200;
/// Half of the bar's room, px.
const BAR_PX: i64 = 20;

/// Properties of [`FigureTable`].
#[derive(Properties, PartialEq)]
pub struct TableProps {
    /// Post.
    pub post: Rc<PostView>,
    /// Index of the table.
    pub table: u8,
    /// Ours.
    pub figures: Rc<Figures>,
    /// Their errors.
    pub judged: Rc<Judgement>,
    /// What is being computed.
    pub present: Option<(u32, Present)>,
    /// Row that the visitor looks at.
    pub chosen: Chosen,
    /// The visitor looks at another row.
    pub on_choose: Callback<Chosen>,
    /// Figures are to be computed anew.
    pub on_run: Callback<Vec<Place>>,
}

/// The table.
#[component]
pub fn FigureTable(props: &TableProps) -> Html {
    let Some(table) = props.post.tables.get(usize::from(props.table)) else { return Html::default() };
    let width = use_store::<Layout>().width;
    let wide = table.columns.len() <= WIDE && width > Width::Phone;
    let rows = (0_u8..).zip(&table.rows).filter(|(row, _)| !cells_of(table, *row).is_empty());
    let rows = rows.map(|(row, _)| if wide { wide_row(props, table, row) } else { long_row(props, table, row) });
    let id = format!("figures-{}-{}", props.post.key, table.key);
    html! {
        <section class="figures" data-testid={format!("table-{}", table.key)}>
            <h3 id={id.clone()}>{ &table.title }{ ", " }{ &table.unit }</h3>
            <div class="scroll-x" tabindex="0" role="region" aria-labelledby={id.clone()}><table class="hist" aria-labelledby={id}>
                { if wide { wide_head(props, table) } else { long_head(props, table) } }
                <tbody>{ for rows }</tbody></table></div>
            if !table.noise.is_empty() { <p class="small t3">{ words::NOISE.fill(&[&table.noise]) }</p> }
        </section>
    }
}

/// Published figures of a table, row by row.
pub fn places(post: &PostView, index: u8) -> Vec<Place> {
    let Some(table) = post.tables.get(usize::from(index)) else { return Vec::new() };
    let row = |row: u8| cells_of(table, row).into_iter().map(move |(column, _)| (index, row, column));
    (0..table.rows.len() as u8).flat_map(row).collect()
}

/// Published figures of a row: (column, runs).
fn cells_of(table: &PostTable, row: u8) -> Vec<(u8, &Vec<u64>)> {
    let row = table.runs.get(usize::from(row)).map_or(&[][..], Vec::as_slice);
    (0_u8..).zip(row).filter(|(_, runs)| !runs.is_empty()).collect()
}

/// Whether some figure was measured more than once.
fn has_runs(table: &PostTable) -> bool {
    table.runs.iter().flatten().any(|runs| runs.len() > 1)
}

/// Whether some figure of ours was run with more than one seed.
fn has_seeds(props: &TableProps) -> bool {
    let of_table = props.figures.iter().filter(|((table, ..), _)| *table == props.table);
    of_table.filter_map(|(_, runs)| runs.as_ref().ok()).any(|runs| runs.len() > 1)
}

/// Columns of a figure.
fn span(props: &TableProps, table: &PostTable) -> usize {
    3 + usize::from(has_runs(table)) + usize::from(has_seeds(props))
}

/// Heads of the columns of a figure.
fn heads(props: &TableProps, table: &PostTable, first: bool) -> Html {
    html! {
        <>
            <th scope="col" class={classes!("num", "pub", first.then_some("first"))}>{ words::PUBLISHED }</th>
            if has_runs(table) { <th scope="col" class="num runs">{ words::RUNS }</th> }
            <th scope="col" class="num">{ words::OURS }</th>
            if has_seeds(props) { <th scope="col" class="num runs">{ words::OUR_RUNS }</th> }
            <th scope="col" class="num e">{ words::ERROR }</th>
        </>
    }
}

fn wide_head(props: &TableProps, table: &PostTable) -> Html {
    let span = span(props, table).to_string();
    let kernels = table.columns.iter().map(|(kernel, policy)| {
        html! { <th scope="colgroup" colspan={span.clone()} class="kernel">{ kernel }{ " " }<span class="t3">{ policy }</span></th> }
    });
    let heads = table.columns.iter().map(|_| heads(props, table, true));
    html! { <thead><tr><td></td>{ for kernels }<td></td></tr><tr><td class="t3 small">{ &table.row_unit }</td>{ for heads }<td></td></tr></thead> }
}

fn long_head(props: &TableProps, table: &PostTable) -> Html {
    html! { <thead><tr><td></td><th scope="col">{ words::KERNEL }</th>{ heads(props, table, false) }<td></td></tr></thead> }
}

/// One row, its kernels side by side.
fn wide_row(props: &TableProps, table: &PostTable, row: u8) -> Html {
    let label = &table.rows[usize::from(row)].0;
    let columns = (0_u8..).zip(&table.columns).map(|(column, _)| cells(props, table, (props.table, row, column), true));
    let places = cells_of(table, row).iter().map(|(column, _)| (props.table, row, *column)).collect();
    html! {
        <tr class={classes!(is_chosen(props, row).then_some("chosen"))}>
            <th scope="row">{ choose(props, row, label) }</th>{ for columns }
            <td class="num">{ run(props, row, label.clone(), places) }</td></tr>
    }
}

/// One line per figure of a row.
fn long_row(props: &TableProps, table: &PostTable, row: u8) -> Html {
    let label = &table.rows[usize::from(row)].0;
    let lines = cells_of(table, row).into_iter().enumerate().map(|(line, (column, _))| {
        let place = (props.table, row, column);
        let (kernel, policy) = &table.columns[usize::from(column)];
        html! {
            <tr class={classes!(is_chosen(props, row).then_some("chosen"), (line == 0).then_some("begins"))}>
                <th scope="row">if line == 0 { { choose(props, row, label) } } else { <span class="unseen">{ label }</span> }</th>
                <td title={policy.clone()}><OpenButton post={props.post.key.clone()} places={vec![place]} word={kernel.clone()} look="link" /></td>{ cells(props, table, place, false) }
                <td class="num">{ run(props, row, format!("{label}, {kernel}"), vec![place]) }</td></tr>
        }
    });
    html! { <>{ for lines }</> }
}

fn is_chosen(props: &TableProps, row: u8) -> bool {
    props.chosen == (props.table, row)
}

/// The label of a row: shows it at the side.
fn choose(props: &TableProps, row: u8, label: &str) -> Html {
    let (on_choose, at) = (props.on_choose.clone(), (props.table, row));
    let on = is_chosen(props, row);
    html! {
        <button type="button" class="link" aria-pressed={on.to_string()} data-testid={format!("row-{}-{row}", props.table)}
            onclick={move |_| on_choose.emit(at)}>{ label.to_owned() }</button>
    }
}

/// Runs, published, ours, error.
fn cells(props: &TableProps, table: &PostTable, place: Place, first: bool) -> Html {
    let (_, row, column) = place;
    let runs = &table.runs[usize::from(row)][usize::from(column)];
    let Some(published) = mean(runs) else {
        let span = (span(props, table) - 1).to_string();
        return html! { <><td class={classes!("num", "pub", first.then_some("first"))}>{ "–" }</td><td colspan={span}></td></> };
    };
    let calibrated = table.calibrated[usize::from(row)][usize::from(column)];
    let ours = props.figures.get(&place);
    let our_runs = runs_of(&props.figures, place);
    let shown = match ours {
        Some(Ok(_)) => html! { <b>{ mean(&our_runs).map(figure) }</b> },
        Some(Err(sentence)) => html! { <span class="bad-text" title={sentence.to_string()}>{ words::FAILED }</span> },
        None => html! { <span class="t3">{ "…" }</span> },
    };
    let mark = calibrated.then(|| html! { <sup class="t3" title={words::CALIBRATED}>{ "c" }<span class="unseen">{ words::CALIBRATED }</span></sup> });
    // A single published run says nothing that its mean does not.
    let all = runs.iter().map(|&run| figure(run)).collect::<Vec<_>>().join(", ");
    // Smallest and largest run beside each other where ours are shown, too; else half of what lies between them. The runs
    // themselves are in the tooltip.
    let published_range = match (runs.iter().min(), runs.iter().max()) {
        _ if has_seeds(props) => range(runs).unwrap_or_default(),
        (Some(min), Some(max)) if runs.len() > 1 => format!("±{}", figure((max - min).div_ceil(2))),
        _ => String::new(),
    };
    html! {
        <>
            <td class={classes!("num", "pub", first.then_some("first"))}>{ figure(published) }{ below(range(runs).filter(|_| has_seeds(props))) }</td>
            if has_runs(table) { <td class={classes!("num", "runs", "t3")} title={all}>{ published_range }</td> }
            <td class="num ours">{ shown }{ mark }{ below(range(&our_runs)) }</td>
            if has_seeds(props) { <td class="num runs t3">{ range(&our_runs) }</td> }
            <td class="num e" data-testid={format!("error-{}-{row}-{column}", table.key)}>{ error(props, place, ours.is_some()) }</td>
        </>
    }
}

/// Smallest and largest run below a figure: seen on a phone, which has no column for them.
fn below(range: Option<String>) -> Html {
    html! { if let Some(range) = range { <span class="below small t3" aria-hidden="true">{ range }</span> } }
}

/// The error, or how far the run is.
fn error(props: &TableProps, place: Place, is_known: bool) -> Html {
    if let Some((_, Present::Figures { post, places, permille, seeds })) = &props.present
        && **post == *props.post.key
        && (!is_known || seeds.0 > 1 && places.contains(&place))
    {
        return if places.contains(&place) {
            let percent = permille / 10;
            html! { <span class="running"><progress max="100" value={percent.to_string()} aria-label={words::PROGRESS.fill(&[&percent])} /></span> }
        } else {
            html! { <span class="t3 small">{ words::WAITS }</span> }
        };
    }
    let found = props.judged.errors.iter().find(|(at, _)| *at == place).filter(|_| is_known);
    let Some(&(_, permille)) = found else { return Html::default() };
    let is_far = permille.abs() > 100;
    html! { <span class={classes!("err", is_far.then_some("far"))}>{ bar(permille) }<span>{ error_text(permille) }</span></span> }
}

/// The error as a bar from its middle.
fn bar(permille: i64) -> Html {
    let width = permille.abs().min(BAR_PERMILLE) * BAR_PX / BAR_PERMILLE;
    let x = if permille < 0 { BAR_PX - width } else { BAR_PX };
    html! {
        <svg width="40" height="12" viewBox="0 0 40 12" aria-hidden="true"><path d="M20 0V12" />
            <rect x={x.to_string()} y="3" width={width.max(1).to_string()} height="6" /></svg>
    }
}

/// The button that computes figures.
#[derive(Properties, PartialEq)]
struct RunProps {
    places: Vec<Place>,
    label: AttrValue,
    at: Chosen,
    on_choose: Callback<Chosen>,
    on_run: Callback<Vec<Place>>,
}

fn run(props: &TableProps, row: u8, label: String, places: Vec<Place>) -> Html {
    html! { <RunButton {places} {label} at={(props.table, row)} on_choose={props.on_choose.clone()} on_run={props.on_run.clone()} /> }
}

#[component]
fn RunButton(props: &RunProps) -> Html {
    let (places, at, on_choose, on_run) =
        (props.places.clone(), props.at, props.on_choose.clone(), props.on_run.clone());
    let onclick = Callback::from(move |_| {
        on_choose.emit(at);
        on_run.emit(places.clone());
    });
    let (table, row) = props.at;
    let column = props.places.first().map_or(0, |place| place.2);
    html! {
        <button type="button" class="btn low" aria-label={words::RUN_ROW.fill(&[&props.label])} {onclick}
            data-testid={format!("run-{table}-{row}-{column}")}>{ icon(Icon::Play) }<span class="word">{ words::RUN }</span></button>
    }
}
