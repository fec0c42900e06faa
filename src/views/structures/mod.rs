//! The scheduler's data structures at now, drawn from the closed vocabulary of `sim_core::inspect`. Knows shapes, never
//! a policy.
//!
//! `board` is what shapes draw on; `bitmap`, `slots`, `tree`, `matrix`, `scan`, `axis`, `shares`, `slice`, `gauges` draw one
//! shape each, `trails` numbers over time; `sheet` arranges them (`arrays` and `wide` its two kinds of panels); `motion`
//! lets things travel; `words` is the text equivalent; `view` keeps what lives between frames.

pub mod arrays;
pub mod axis;
pub mod bitmap;
pub mod board;
pub mod gauges;
pub mod key_axis;
pub mod matrix;
pub mod motion;
pub mod moves;
pub mod scan;
pub mod shares;
pub mod sheet;
pub mod slice;
pub mod slots;
pub mod trails;
pub mod tree;
mod view;
pub mod wide;
pub mod words;

#[cfg(test)]
mod shape_tests;
#[cfg(test)]
mod sheet_tests;

use crate::paint::number;
use crate::store::{
    Layout, LayoutAction, Playback, Selection, SelectionAction, Stage, use_frames, use_stage, use_store,
};
use crate::text::pictures as texts;
use crate::views::timeline::{CpuStrip, WordsTable};
use gloo_events::EventListener;
use sheet::Manner;
use std::cell::RefCell;
use std::rc::Rc;
use view::View;
use wasm_bindgen::JsCast;
use web_sys::{HtmlCanvasElement, PointerEvent};
use yew::prelude::*;

/// CPUs with buttons of their own; above, a menu.
const BUTTONS_MAX: u16 = 8;

/// Structures panel; in the view of key 2 large, with everything.
#[component]
pub fn StructuresPanel() -> Html {
    let stage = use_stage();
    let layout = use_store::<Layout>();
    let all_slots = use_state(|| false);
    let words = use_state(|| (AttrValue::from(texts::RUN_QUEUE), Rc::new(Vec::new())));
    let canvas_ref = use_node_ref();
    let view = {
        let (stage, words) = (stage.clone(), words.setter());
        use_memo((), move |()| {
            RefCell::new(View::new(stage, move |label, rows| words.set((AttrValue::from(label), Rc::new(rows)))))
        })
    };
    let full = layout.view == crate::store::layout::View::Structures;
    view.borrow_mut().set(Manner { full, all_slots: full && *all_slots, over_time: layout.shows_over_time() });
    let folded = layout.structures_folded && !full;
    {
        let (view, live, canvas_ref) = (Rc::clone(&view), stage.live.clone(), canvas_ref.clone());
        use_effect_with(folded, move |_| {
            let kept = canvas_ref.cast::<HtmlCanvasElement>().map(|canvas| {
                view.borrow_mut().attach(canvas.clone());
                let painter = Rc::clone(&view);
                (live.register_painter(move |context| painter.borrow_mut().paint(context)), listeners(&canvas, &view))
            });
            move || drop(kept)
        });
    }
    let (label, rows): (AttrValue, Rc<Vec<Vec<String>>>) = (*words).clone();
    let levels = |all: bool| {
        let all_slots = all_slots.clone();
        Callback::from(move |_: MouseEvent| all_slots.set(all))
    };
    html! {
        <section class={classes!("panel", "structures", full.then_some("full"), folded.then_some("folded"))}
            data-testid="structures">
            <div class="phead">
                if !full { <Fold folded={folded} /> }
                <h2>{ texts::RUN_QUEUE }</h2>
                <CpuPicker />
                if !folded { <Moment /> }
                <span class="grow" />
                if full {
                    <span class="seg" role="group" aria-label={texts::SLOTS_SHOWN}>
                        <button class={classes!((*all_slots).then_some("on"))} aria-pressed={(*all_slots).to_string()}
                            onclick={levels(true)}>{ texts::ALL_LEVELS }</button>
                        <button class={classes!((!*all_slots).then_some("on"))} aria-pressed={(!*all_slots).to_string()}
                            onclick={levels(false)}>{ texts::OCCUPIED }</button>
                    </span>
                } else {
                    <OpenFull />
                }
            </div>
            if full { <CpuStrip /> }
            if !folded {
                <div class="stage" tabindex="-1">
                    <canvas ref={canvas_ref} tabindex="0" role="img" aria-label={label}
                        aria-describedby="structures-words" />
                </div>
            }
            <WordsTable id="structures-words" caption={texts::CAPTION} rows={rows}
                heads={texts::HEADS.map(AttrValue::from).to_vec()} />
        </section>
    }
}

/// Folds the panel to its head.
#[derive(Properties, PartialEq)]
struct FoldProps {
    folded: bool,
}

#[component]
fn Fold(props: &FoldProps) -> Html {
    let stage = use_stage();
    let toggle = Callback::from(move |_: MouseEvent| stage.layout.dispatch(LayoutAction::ToggleStructures));
    html! {
        <button class="btn quiet icon low fold" onclick={toggle} aria-expanded={(!props.folded).to_string()}
            aria-label={ if props.folded { texts::UNFOLD } else { texts::FOLD } }>
            { if props.folded { "▸" } else { "▾" } }
        </button>
    }
}

/// "at 2 326.2 ms", a few times per second.
#[component]
fn Moment() -> Html {
    let playback = use_store::<Playback>();
    let at = number::fixed(playback.at, number::MS, 1);
    html! { <span class="t3 small moment">{ texts::at(&format!("{at}{}ms", number::NB)) }</span> }
}

#[component]
fn OpenFull() -> Html {
    let stage = use_stage();
    let open = Callback::from(move |_: MouseEvent| {
        stage.layout.dispatch(LayoutAction::View(crate::store::layout::View::Structures));
    });
    html! { <button class="btn quiet low small open-full" onclick={open}>{ texts::OPEN_FULL }<kbd class="q">{ "2" }</kbd></button> }
}

/// The CPU whose structures are shown.
#[component]
fn CpuPicker() -> Html {
    let stage = use_stage();
    let selection = use_store::<Selection>();
    let cpus = use_frames(250, |context| context.frames.loaded.as_ref().map_or(0, |loaded| loaded.cpus));
    if cpus > BUTTONS_MAX {
        return menu(&stage, selection.cpu, cpus);
    }
    html! {
        <span class="seg" role="group" aria-label={texts::CPU}>
            { for (0..cpus).map(|cpu| {
                let (on, selection) = (selection.cpu == cpu, stage.selection.clone());
                let choose = Callback::from(move |_: MouseEvent| selection.dispatch(SelectionAction::Cpu(cpu)));
                html! {
                    <button class={classes!(on.then_some("on"))} aria-pressed={on.to_string()} onclick={choose}>
                        { texts::cpu(cpu) }
                    </button>
                }
            }) }
        </span>
    }
}

fn menu(stage: &Stage, chosen: u16, cpus: u16) -> Html {
    let selection = stage.selection.clone();
    let choose = Callback::from(move |event: Event| {
        let value = event.target_unchecked_into::<web_sys::HtmlSelectElement>().value();
        if let Ok(cpu) = value.parse() {
            selection.dispatch(SelectionAction::Cpu(cpu));
        }
    });
    html! {
        <select class="pick small-pick" aria-label={texts::CPU} onchange={choose}>
            { for (0..cpus).map(|cpu| html! {
                <option value={cpu.to_string()} selected={cpu == chosen}>{ texts::cpu(cpu) }</option>
            }) }
        </select>
    }
}

fn listeners(canvas: &HtmlCanvasElement, view: &Rc<RefCell<View>>) -> Vec<EventListener> {
    let on = |name: &'static str, react: fn(&View, f64, f64)| {
        let view = Rc::clone(view);
        EventListener::new(canvas, name, move |event| {
            if let Some(event) = event.dyn_ref::<PointerEvent>() {
                react(&view.borrow(), f64::from(event.offset_x()), f64::from(event.offset_y()));
            }
        })
    };
    vec![on("pointermove", View::point_at), on("pointerleave", |view, _, _| view.leave()), on("click", View::select)]
}
