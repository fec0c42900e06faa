//! Live graphs up to now: wake-up latency, throughput, CPU share. Drawn with plotters, directly labelled.

pub mod canvas;
pub mod curves;
pub mod latency;
pub mod plot;
pub mod ratios;
pub mod share;
pub mod throughput;
mod view;
pub mod words;

#[cfg(test)]
mod chart_tests;

use crate::store::{Layout, LayoutAction, use_stage, use_store};
use crate::text::charts as texts;
use crate::views::timeline::WordsTable;
use std::cell::RefCell;
use std::rc::Rc;
use view::View;
use web_sys::HtmlCanvasElement;
use yew::prelude::*;

/// Charts panel.
#[component]
pub fn ChartsPanel() -> Html {
    let stage = use_stage();
    let layout = use_store::<Layout>();
    let words = use_state(|| Rc::new(Vec::<Vec<String>>::new()));
    let refs = [use_node_ref(), use_node_ref(), use_node_ref()];
    let view = {
        let (stage, words) = (stage.clone(), words.setter());
        use_memo((), move |()| RefCell::new(View::new(stage, move |rows| words.set(Rc::new(rows)))))
    };
    let folded = layout.graphs_folded;
    {
        let (view, live, refs) = (Rc::clone(&view), stage.live.clone(), refs.clone());
        use_effect_with(folded, move |_| {
            let canvases: Vec<HtmlCanvasElement> = refs.iter().filter_map(|r| r.cast()).collect();
            view.borrow_mut().attach(canvases);
            let painter = Rc::clone(&view);
            let handle = live.register_painter(move |context| painter.borrow_mut().paint(context));
            move || drop(handle)
        });
    }
    let toggle = {
        let layout = stage.layout.clone();
        Callback::from(move |_: MouseEvent| layout.dispatch(LayoutAction::ToggleGraphs))
    };
    let chart = |index: usize| {
        let (title, addition) = (texts::TITLES[index], texts::ADDITIONS[index]);
        html! {
            <div class="chart">
                <div class="phead">
                    if index == 0 {
                        <button class="btn quiet icon low fold" onclick={toggle.clone()} aria-expanded="true"
                            aria-label={texts::FOLD}>{ "▾" }</button>
                    }
                    <h2>{ title }</h2><span class="t3 small">{ addition }</span>
                </div>
                <canvas ref={refs[index].clone()} tabindex="0" role="img" aria-label={title}
                    aria-describedby="charts-words" />
            </div>
        }
    };
    if folded {
        return html! {
            <section class="panel charts folded" data-testid="charts">
                <div class="phead">
                    <button class="btn quiet icon low fold" onclick={toggle} aria-expanded="false"
                        aria-label={texts::UNFOLD}>{ "▸" }</button>
                    <h2>{ texts::HEADING }</h2><span class="t3 small">{ folded_facts(&words) }</span>
                </div>
            </section>
        };
    }
    html! {
        <section class="panel charts" data-testid="charts">
            <div class="row-of-charts">
                { chart(0) }
                { chart(1) }
                { chart(2) }
            </div>
            <WordsTable id="charts-words" caption={texts::CAPTION} rows={(*words).clone()}
                heads={words::HEADS.map(AttrValue::from).to_vec()} />
        </section>
    }
}

/// A folded panel keeps its most useful numbers.
fn folded_facts(rows: &[Vec<String>]) -> String {
    let p99 = rows.iter().find(|row| row.get(1).is_some_and(|name| name == "p99"));
    let first = rows.iter().filter(|row| row.first().is_some_and(|chart| **chart == *texts::THROUGHPUT)).take(2);
    let text = |row: &Vec<String>| match row.as_slice() {
        [_, name, value] => format!("{name} {value}"),
        _ => String::new(),
    };
    p99.into_iter().chain(first).map(text).collect::<Vec<_>>().join(" · ")
}
