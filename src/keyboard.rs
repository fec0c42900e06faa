//! Keys of the page, by their place on the keyboard. They rest while a field has the focus.

use crate::store::layout::{Overlay, Width};
use crate::store::selection::CPU_UNKNOWN;
use crate::store::{LayoutAction, PlaybackAction, SelectionAction, Stage, WindowAction};
use crate::views::transport::step;
use crate::{clipboard, fullscreen, page, views};
use gloo_events::{EventListener, EventListenerOptions};
use gloo_timers::callback::Timeout;
use sim_core::engine::protocol::{IDLE, StepUnit};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlInputElement, KeyboardEvent};

/// Keys that move while held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Held {
    /// W.
    Closer,
    /// S.
    Wider,
    /// A.
    Earlier,
    /// D.
    Later,
}

fn held(code: &str) -> Option<Held> {
    match code {
        "KeyW" => Some(Held::Closer),
        "KeyS" => Some(Held::Wider),
        "KeyA" => Some(Held::Earlier),
        "KeyD" => Some(Held::Later),
        _ => None,
    }
}

/// How much of the keyboard an element with the focus takes for itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Taken {
    /// Nothing.
    None,
    /// Space and Enter (buttons, links).
    Activation,
    /// Arrows and paging (sliders).
    Arrows,
    /// Everything (text fields, menus).
    All,
}

fn taken(event: &Event) -> Taken {
    let Some(element) = event.target().and_then(|target| target.dyn_into::<Element>().ok()) else { return Taken::None };
    if element.get_attribute("data-keys").as_deref() == Some("through") {
        return Taken::None;
    }
    match element.tag_name().as_str() {
        "INPUT" => {
            let kind = element.dyn_ref::<HtmlInputElement>().map(HtmlInputElement::type_).unwrap_or_default();
            match kind.as_str() {
                "range" => Taken::Arrows,
                "checkbox" => Taken::Activation,
                _ => Taken::All,
            }
        }
        "TEXTAREA" | "SELECT" => Taken::All,
        "BUTTON" | "A" => Taken::Activation,
        _ => Taken::None,
    }
}

fn rests(event: &KeyboardEvent) -> bool {
    let code = event.code();
    match taken(event) {
        Taken::None => false,
        Taken::All => code != "Escape",
        Taken::Activation => matches!(code.as_str(), "Space" | "Enter" | "NumpadEnter"),
        Taken::Arrows => code.starts_with("Arrow") || matches!(code.as_str(), "Home" | "End" | "PageUp" | "PageDown"),
    }
}

/// Listens as long as it lives.
pub struct Keyboard {
    _listeners: Vec<EventListener>,
}

/// Starts listening.
pub fn listen(stage: &Stage) -> Option<Keyboard> {
    let window = page::window()?;
    let trail: Rc<RefCell<Trail>> = Rc::default();
    let options = EventListenerOptions::enable_prevent_default();
    let down = {
        let stage = stage.clone();
        EventListener::new_with_options(&window, "keydown", options, move |event| {
            let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
            if event.default_prevented() || event.ctrl_key() || event.meta_key() || event.alt_key() || rests(event) {
                return;
            }
            if pressed(&stage, event, &trail) {
                event.prevent_default();
            }
        })
    };
    let up = {
        let stage = stage.clone();
        EventListener::new(&window, "keyup", move |event| {
            if let Some(key) = event.dyn_ref::<KeyboardEvent>().and_then(|event| held(&event.code())) {
                stage.live.release(Some(key));
            }
        })
    };
    let away = {
        let stage = stage.clone();
        EventListener::new(&window, "blur", move |_| stage.live.release(None))
    };
    Some(Keyboard { _listeners: vec![down, up, away] })
}

/// Does what the key says; false if it says nothing.
#[inline(never)] // the page loads it later: xtask/src/parts.rs
fn pressed(stage: &Stage, event: &KeyboardEvent, trail: &Rc<RefCell<Trail>>) -> bool {
    if views::lesson::keys::pressed(stage, event) || by_character(stage, event) {
        return true;
    }
    let code = event.code();
    if let Some(key) = held(&code) {
        stage.live.hold(key);
        return true;
    }
    match code.as_str() {
        "Space" => stage.playback.dispatch(PlaybackAction::Toggle),
        "ArrowRight" => step(stage, true, unit(event)),
        "ArrowLeft" => step(stage, false, unit(event)),
        "ArrowUp" => stage.live.other_cpu(-1),
        "ArrowDown" => stage.live.other_cpu(1),
        "Home" => stage.playback.dispatch(PlaybackAction::Seek(0)),
        "End" => stage.playback.dispatch(PlaybackAction::Seek(u64::MAX)),
        "KeyQ" => stage.layout.dispatch(LayoutAction::ToggleInspector),
        "KeyF" if event.shift_key() => fullscreen::toggle(stage),
        "KeyF" => centre(stage),
        "KeyE" => stage.layout.dispatch(LayoutAction::Toggle(Overlay::Export)),
        "KeyO" => stage.layout.dispatch(LayoutAction::Toggle(Overlay::Files)),
        "KeyT" => page::focus("time-box"),
        "KeyY" => clipboard::copy(stage, stage.live.link(), || {}),
        "Comma" => stage.live.step_slice(false),
        "Period" => stage.live.step_slice(true),
        "BracketLeft" => to_waker(stage, &mut trail.borrow_mut()),
        "BracketRight" => to_wakee(stage, &mut trail.borrow_mut()),
        "KeyN" => stage.live.to_difference(event.shift_key()),
        "KeyM" => stage.layout.dispatch(LayoutAction::Show(Overlay::Note)),
        "KeyI" => {
            stage.layout.dispatch(LayoutAction::ShowInspector);
            // The panel may have to unfold first.
            Timeout::new(60, || page::focus("what-if")).forget();
        }
        "Enter" => stage.layout.dispatch(LayoutAction::ShowInspector),
        "Escape" => {
            stage.layout.dispatch(LayoutAction::CloseOverlay);
            stage.selection.dispatch(SelectionAction::Clear);
        }
        _ => return false,
    }
    true
}

/// Keys that mean their character, wherever it is on the keyboard.
fn by_character(stage: &Stage, event: &KeyboardEvent) -> bool {
    match event.key().as_str() {
        "?" => stage.layout.dispatch(LayoutAction::Toggle(Overlay::Keys)),
        "/" => stage.layout.dispatch(LayoutAction::Toggle(Overlay::Search)),
        "<" => stage.playback.dispatch(PlaybackAction::SpeedStep(-1)),
        ">" => stage.playback.dispatch(PlaybackAction::SpeedStep(1)),
        "\\" => stage.layout.dispatch(LayoutAction::ToggleScenario),
        "0" => stage.window.dispatch(WindowAction::Whole),
        digit => {
            let index = digit.parse::<usize>().ok().and_then(|digit| digit.checked_sub(1));
            let Some(view) = index.and_then(|index| views::topbar::VIEWS.get(index)) else { return false };
            stage.layout.dispatch(LayoutAction::View(*view));
        }
    }
    true
}

fn unit(event: &KeyboardEvent) -> StepUnit {
    if event.shift_key() { StepUnit::Event } else { StepUnit::Decision }
}

/// Centres the selection; pressed again, fits it.
fn centre(stage: &Stage) {
    let Some((start, end)) = stage.live.selected_span() else {
        stage.window.dispatch(WindowAction::Centre(stage.live.now()));
        return;
    };
    let (from, to) = stage.live.window();
    let middle = start + (end - start) / 2;
    let span = to - from;
    // Near the start of the run the window cannot go further: that counts as centred too.
    let is_centred = from.abs_diff(middle.saturating_sub(span / 2)) <= span / 50;
    if is_centred && end > start {
        let edge = ((end - start) / 10).max(1);
        stage.window.dispatch(WindowAction::Show(start.saturating_sub(edge), end + edge));
    } else {
        stage.window.dispatch(WindowAction::Centre(middle));
    }
}

/// How we came to a waker: the task reached, and the selection before.
type Trail = Vec<(u32, SelectionAction)>;

/// Selects who woke the selected task; the way back is kept.
fn to_waker(stage: &Stage, trail: &mut Trail) {
    let Some(why) = stage.live.chosen_why() else { return };
    let Some((at, waker)) = why.woken.filter(|(_, waker)| *waker != IDLE) else { return };
    trail.push((waker, SelectionAction::Slice { cpu: why.cpu, t: why.start, task: Some(why.task) }));
    let slice = Some((CPU_UNKNOWN, at.saturating_sub(1)));
    stage.selection.dispatch(SelectionAction::Task { task: waker, slice });
    bring(stage, at);
}

/// Back to the wakee that we came from, or on to the first task that the selected slice woke.
fn to_wakee(stage: &Stage, trail: &mut Trail) {
    let here = stage.live.chosen_task();
    match trail.pop() {
        Some((reached, back)) if here == Some(reached) => return stage.selection.dispatch(back),
        _ => trail.clear(),
    }
    let Some(why) = stage.live.chosen_why() else { return };
    let Some(&(at, wakee)) = why.wakes.first() else { return };
    stage.selection.dispatch(SelectionAction::Task { task: wakee, slice: Some((CPU_UNKNOWN, at)) });
    bring(stage, at);
}

fn bring(stage: &Stage, at: u64) {
    let (from, to) = stage.live.window();
    if at < from || at > to {
        stage.window.dispatch(WindowAction::Centre(at));
    }
}

/// Width class of the page now.
pub fn width_class() -> Width {
    Width::of(page::width())
}
