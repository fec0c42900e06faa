//! Beside the tables: the picture, the chosen row and its scenario, the post's orderings and shapes.

use super::picture;
use super::strip;
use super::{Chosen, figure};
use crate::store::use_stage;
use crate::store::work::{Figures, Strips};
use crate::text::history as words;
use crate::views::charts::canvas::ChartCanvas;
use crate::views::controls::{Icon, Segments, icon, segments};
use sim_core::engine::protocol::{JobAsk, Judgement, Place, PostTable, PostView};
use std::collections::BTreeMap;
use std::rc::Rc;
use yew::prelude::*;

/// Most kernels with a button of their own.
const BUTTONS_MAX: usize = 3;
/// Most kernels with their figures.
const FACTS_MAX: usize = 12;

/// Properties of [`Side`].
#[derive(Properties, PartialEq)]
pub struct SideProps {
    /// Post.
    pub post: Rc<PostView>,
    /// Ours.
    pub figures: Rc<Figures>,
    /// Strips of time from the runs.
    pub strips: Rc<Strips>,
    /// Compared.
    pub judged: Rc<Judgement>,
    /// Row that the visitor looks at.
    pub chosen: Chosen,
}

/// The panel.
#[component]
pub fn Side(props: &SideProps) -> Html {
    let relative = use_state(|| false);
    let (index, row) = props.chosen;
    let Some(table) = props.post.tables.get(usize::from(index)) else { return Html::default() };
    let can_curve = picture::can_curve(table);
    let as_ratios = *relative || !can_curve;
    let chart = if as_ratios {
        picture::ratios(table, index, &props.judged)
    } else {
        picture::curves(table, index, &props.figures)
    };
    let pick = {
        let relative = relative.setter();
        Callback::from(move |index: usize| relative.set(index == 1))
    };
    let choice = Segments {
        label: words::PICTURE,
        testid: "history-scale",
        options: vec![table.unit.clone().into(), words::RELATIVE.say().into()],
        chosen: Some(usize::from(as_ratios)),
    };
    let words_id = format!("figures-{}-{}", props.post.key, table.key);
    html! {
        <aside class="right scroll" aria-label={words::PICTURE}>
            <div class="phead"><h2>{ words::PICTURE }</h2><span class="t3 small">{ &table.title }</span><span class="grow" />
                if can_curve { { segments(&choice, &pick) } }</div>
            <ChartCanvas {chart} label={format!("{}: {}", words::PICTURE, table.title)} words={words_id} class={classes!("picture")} />
            { chosen_row(props, table, index, row) }
            { orderings(props) }
        </aside>
    }
}

/// The chosen row and the buttons that open it.
fn chosen_row(props: &SideProps, table: &PostTable, index: u8, row: u8) -> Html {
    let Some((label, _)) = table.rows.get(usize::from(row)) else { return Html::default() };
    let runs = &table.runs[usize::from(row)];
    let places: Vec<(Place, &str)> = (0_u8..)
        .zip(&table.columns)
        .filter(|(column, _)| !runs[usize::from(*column)].is_empty())
        .map(|(column, (kernel, _))| ((index, row, column), kernel.as_str()))
        .collect();
    let facts = places.iter().take(FACTS_MAX).map(|(place, kernel)| {
        let published = figure::mean(&runs[usize::from(place.2)]).map(figure::figure).unwrap_or_default();
        let ours = figure::mean(&figure::runs_of(&props.figures, *place)).map(figure::figure);
        html! { <><dt>{ *kernel }</dt><dd>{ published }{ " → " }<b>{ ours.unwrap_or_else(|| "…".into()) }</b>{ " " }{ &table.unit }</dd></> }
    });
    // A single kernel is what the first button opens.
    let one = (2..=BUTTONS_MAX).contains(&places.len()).then(|| {
        places.iter().map(|(place, kernel)| html! {
            <OpenButton post={props.post.key.clone()} places={vec![*place]} word={words::OPEN_KERNEL.fill(&[kernel])} look="btn" />
        }).collect::<Html>()
    });
    let all: Vec<Place> = places.iter().map(|(place, _)| *place).collect();
    let word = if all.len() > 1 { words::BOTH } else { words::OPEN };
    html! {
        <div class="psec" data-testid="chosen-row"><h3>{ words::CHOSEN.fill(&[&table.title, label]) }</h3>
            <dl class="kv">{ for facts }</dl>
            { strip::strips(&props.strips, &places) }
            <p class="small t3 opens">{ words::OPENS }</p>
            <div class="row wrap"><OpenButton post={props.post.key.clone()} places={all} word={word.say()} look="btn primary" />{ one }</div></div>
    }
}

/// Properties of [`OpenButton`].
#[derive(Properties, PartialEq)]
pub struct OpenProps {
    /// Post.
    pub post: AttrValue,
    /// Figures.
    pub places: Vec<Place>,
    /// On the button.
    pub word: AttrValue,
    /// Classes of the button.
    pub look: AttrValue,
}

/// Opens the scenario of figures in the simulator.
#[component]
pub fn OpenButton(props: &OpenProps) -> Html {
    let stage = use_stage();
    let (post, places) = (props.post.clone(), props.places.clone());
    let onclick = Callback::from(move |_| {
        stage.jobs.ask(&stage, JobAsk::Scenario { post: post.to_string(), places: places.clone() });
    });
    let (_, row, column) = props.places.first().copied().unwrap_or_default();
    let is_primary = props.look.contains("primary");
    let testid = if is_primary { "open-row".to_string() } else { format!("open-{row}-{column}") };
    html! {
        <button type="button" class={props.look.clone()} title={words::OPENS} {onclick} data-testid={testid}>
            if is_primary { { icon(Icon::Play) } }{ &props.word }</button>
    }
}

/// Orderings by pair of kernels, then shapes.
fn orderings(props: &SideProps) -> Html {
    let judged = &props.judged;
    if judged.orderings.is_empty() && judged.shapes.is_empty() {
        return html! { <div class="psec"><h3>{ words::ORDERINGS }</h3><p class="t3">{ words::NOT_YET }</p></div> };
    }
    let mut pairs: BTreeMap<(u8, u8, u8), (usize, usize)> = BTreeMap::new();
    for &(table, _, a, b, kept) in &judged.orderings {
        let pair = pairs.entry((table, a, b)).or_default();
        pair.0 += usize::from(kept);
        pair.1 += 1;
    }
    let pairs = pairs.into_iter().map(|((table, a, b), (kept, all))| {
        let table = &props.post.tables[usize::from(table)];
        let kernel = |column: u8| table.columns[usize::from(column)].0.as_str();
        let sentence = words::BELOW.fill(&[&table.title, &kernel(a), &kernel(b)]);
        line(sentence, kept == all, words::OF.fill(&[&kept, &all]))
    });
    let shapes = judged.shapes.iter().map(|(table, claim, holds)| {
        let word = if *holds { words::IS_KEPT } else { words::IS_BROKEN };
        // Tables of one post claim the same of different things.
        let sentence = match &props.post.tables[..] {
            [_] => claim.clone(),
            tables => words::CHOSEN.fill(&[&tables[usize::from(*table)].title, claim]),
        };
        line(sentence, *holds, word.say().into())
    });
    html! { <div class="psec" data-testid="orderings"><h3>{ words::ORDERINGS }</h3>{ for shapes }{ for pairs }</div> }
}

fn line(sentence: String, good: bool, result: String) -> Html {
    let (class, shape) = if good { ("good", Icon::Check) } else { ("warn", Icon::Cross) };
    html! { <div class="row ordering"><span {class}>{ icon(shape) }</span><span>{ sentence }</span><span class="grow" /><span class="t3">{ result }</span></div> }
}
