//! Seek bar: filled to now, window frame, flags of changes, ticks of the chosen CPU's notes. A native slider lies over it,
//! so keys, screen readers and touch work as everywhere.

use crate::paint::number;
use crate::store::{Document, PainterHandle, Playback, PlaybackAction, Shared, use_frames, use_stage, use_store};
use crate::text::transport as words;
use std::cell::Cell;
use web_sys::{Element, HtmlInputElement};
use yew::prelude::*;

/// Ticks drawn at most.
const TICKS: usize = 120;

/// What the painter moves each frame.
#[derive(Clone, Default, PartialEq)]
struct Moving {
    fill: NodeRef,
    knob: NodeRef,
    frame: NodeRef,
    front: NodeRef,
    input: NodeRef,
}

/// While it plays the bar moves this often, ms: each move is work for the browser's layout, and a step is less than a dot.
const MOVES_MS: f64 = 100.0;

fn percent(at: u64, duration: u64) -> String {
    format!("{:.3}%", 100.0 * at as f64 / duration.max(1) as f64)
}

fn set(node: &NodeRef, name: &str, value: &str) {
    if let Some(element) = node.cast::<Element>() {
        // Only fails for names that are no attribute names.
        let _ = element.set_attribute(name, value);
    }
}

/// The bar.
#[component]
pub fn SeekBar() -> Html {
    let stage = use_stage();
    let document = use_store::<Document>();
    let duration = use_store::<Playback>().duration;
    let overview = use_frames(500, |context| Shared::of(&context.frames.lane(context.lane).overview));
    let cpu = use_store::<crate::store::Selection>().cpu;
    let moving = use_memo((), |()| Moving::default());
    let painter = use_mut_ref(|| None::<PainterHandle>);
    {
        let (moving, live) = (moving.clone(), stage.live.clone());
        use_effect_with((), move |()| {
            let moved_ms = Cell::new(f64::NEG_INFINITY);
            let registered = live.register_painter(move |context| {
                if context.playing && context.wall_ms - moved_ms.get() < MOVES_MS {
                    return;
                }
                moved_ms.set(context.wall_ms);
                let at = percent(context.now, context.duration);
                set(&moving.fill, "width", &at);
                set(&moving.knob, "cx", &at);
                let (from, to) = context.window;
                set(&moving.frame, "x", &percent(from, context.duration));
                set(&moving.frame, "width", &percent(to - from, context.duration));
                set(&moving.front, "width", &percent(context.frames.simulated(context.lane), context.duration));
                if let Some(input) = moving.input.cast::<HtmlInputElement>() {
                    input.set_value_as_number(context.now as f64);
                    set(&moving.input, "aria-valuetext", &number::moment(context.now));
                }
            });
            *painter.borrow_mut() = Some(registered);
            move || *painter.borrow_mut() = None
        });
    }
    let on_input = Callback::from(move |event: InputEvent| {
        if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
            stage.playback.dispatch(PlaybackAction::Seek(input.value_as_number().max(0.0) as u64));
        }
    });
    let ticks = overview.as_ref().map(|overview| {
        let notes: Vec<u64> =
            overview.notes.iter().filter(|note| note.cpu == cpu || note.cpu == u16::MAX).map(|note| note.t).collect();
        let every = notes.len().div_ceil(TICKS).max(1);
        notes.into_iter().step_by(every).collect::<Vec<u64>>()
    });
    let ticks = ticks.unwrap_or_default().into_iter().map(|t| {
        let x = percent(t, duration);
        html! { <line x1={x.clone()} x2={x} y1="23" y2="27" class="tick" /> }
    });
    let flags = document.scenario.changes.iter().map(|change| {
        html! { <svg x={percent(change.t, duration)} y="4" width="10" height="10" overflow="visible" class="flag">
        <path d="M0 0v9" /><path d="M0 0h8l-2.5 2.5L8 5H0z" /></svg> }
    });
    let rings = document.scenario.notes.iter().map(|note| {
        html! { <circle cx={percent(note.t, duration)} cy="8" r="4" class="ring"><title>{ &note.text }</title></circle> }
    });
    html! {
        <div class="seek">
            <svg aria-hidden="true">
                <rect x="0" y="16" width="100%" height="4" rx="2" class="track" />
                <rect x="0" y="16" height="4" rx="2" class="front" ref={moving.front.clone()} />
                <rect x="0" y="16" height="4" rx="2" class="fill" ref={moving.fill.clone()} />
                { for ticks }
                { for flags }
                { for rings }
                <rect y="12" height="12" rx="2" class="frame" ref={moving.frame.clone()} />
                <circle cy="18" r="6" class="knob" ref={moving.knob.clone()} />
            </svg>
            <input type="range" min="0" max={duration.to_string()} step="1000" aria-label={words::SEEK} data-testid="seek"
                data-keys="through" ref={moving.input.clone()} oninput={on_input} />
        </div>
    }
}
