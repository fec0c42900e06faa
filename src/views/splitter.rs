//! A bar between two panels: drag it or press the arrow keys; double-click puts it back.

use crate::page;
use crate::store::{Layout, LayoutAction, use_stage, use_store};
use crate::text::panel as words;
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::prelude::*;

/// Where the widths are remembered.
const KEPT: &str = "schedscope.panels";
/// Narrowest and widest side panel, px.
const RANGE: (u16, u16) = (200, 640);
/// An arrow key moves it by this, px.
const STEP: i32 = 16;

/// Which panel it belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The scenario.
    Left,
    /// The inspector.
    Right,
}

impl Side {
    /// Width as designed, px.
    fn designed(self) -> u16 {
        match self {
            Side::Left => 280,
            Side::Right => 320,
        }
    }

    fn pick(self, (left, right): (Option<u16>, Option<u16>)) -> Option<u16> {
        match self {
            Side::Left => left,
            Side::Right => right,
        }
    }

    fn put(self, (left, right): (Option<u16>, Option<u16>), width: Option<u16>) -> LayoutAction {
        match self {
            Side::Left => LayoutAction::Widths(width, right),
            Side::Right => LayoutAction::Widths(left, width),
        }
    }
}

/// Widths of an earlier visit: `280,320`, a dash where none was chosen.
pub fn kept() -> (Option<u16>, Option<u16>) {
    let text = page::recall(KEPT).unwrap_or_default();
    let width = |text: Option<&str>| Some(text?.parse::<u16>().ok()?.clamp(RANGE.0, RANGE.1));
    let mut parts = text.split(',');
    (width(parts.next()), width(parts.next()))
}

fn keep((left, right): (Option<u16>, Option<u16>)) {
    let text = |width: Option<u16>| width.map_or_else(|| "-".to_string(), |width| width.to_string());
    page::remember(KEPT, &format!("{},{}", text(left), text(right)));
}

/// Writes the widths where the style of the columns looks for them.
pub fn apply((left, right): (Option<u16>, Option<u16>)) {
    let root = page::document().and_then(|document| document.document_element());
    let Some(style) = root.and_then(|root| root.dyn_into::<web_sys::HtmlElement>().ok()).map(|root| root.style())
    else {
        return;
    };
    for (name, width) in [("--side-left", left), ("--side-right", right)] {
        // The root element takes any custom property.
        let _ = match width {
            Some(width) => style.set_property(name, &format!("{width}px")),
            None => style.remove_property(name).map(|_| ()),
        };
    }
}

/// Properties of [`Splitter`].
#[derive(Properties, PartialEq)]
pub struct SplitterProps {
    /// Whose width it changes.
    pub side: Side,
}

/// The bar.
#[component]
pub fn Splitter(props: &SplitterProps) -> Html {
    let stage = use_stage();
    let layout = use_store::<Layout>();
    let side = props.side;
    let widths = layout.widths;
    let width = side.pick(widths).unwrap_or(side.designed());
    // Where the pointer went down and how wide the panel was then.
    let drag = use_memo((), |()| Cell::new(None::<(i32, u16)>));
    let set = {
        let layout = stage.layout.clone();
        move |wanted: i32| {
            let wanted = wanted.clamp(i32::from(RANGE.0), i32::from(RANGE.1)) as u16;
            layout.dispatch(side.put(widths, Some(wanted)));
        }
    };
    let down = {
        let drag = Rc::clone(&drag);
        Callback::from(move |event: PointerEvent| {
            if let Some(element) = event.target_dyn_into::<Element>() {
                // Fails only for a pointer that is gone already.
                let _ = element.set_pointer_capture(event.pointer_id());
            }
            drag.set(Some((event.client_x(), width)));
        })
    };
    let moved = {
        let (drag, set) = (Rc::clone(&drag), set.clone());
        Callback::from(move |event: PointerEvent| {
            let Some((from, width)) = drag.get() else { return };
            let by = event.client_x() - from;
            set(i32::from(width) + if side == Side::Left { by } else { -by });
        })
    };
    let up = Callback::from(move |_: PointerEvent| {
        if drag.take().is_some() {
            keep(widths);
        }
    });
    let on_key = Callback::from(move |event: KeyboardEvent| {
        let wider = if side == Side::Left { STEP } else { -STEP };
        match event.key().as_str() {
            "ArrowRight" => set(i32::from(width) + wider),
            "ArrowLeft" => set(i32::from(width) - wider),
            "Home" => set(i32::from(RANGE.0)),
            "End" => set(i32::from(RANGE.1)),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    });
    use_effect_with(widths, |widths| keep(*widths));
    let reset = {
        let layout = stage.layout.clone();
        Callback::from(move |_: MouseEvent| layout.dispatch(side.put(widths, None)))
    };
    let (name, testid) = match side {
        Side::Left => (words::WIDTH_LEFT, "split-left"),
        Side::Right => (words::WIDTH_RIGHT, "split-right"),
    };
    html! {
        <section class="split" aria-label={name}>
        <div class="splitter" role="separator" tabindex="0" aria-orientation="vertical" aria-label={name} title={words::RESIZE}
            aria-valuenow={width.to_string()} aria-valuemin={RANGE.0.to_string()} aria-valuemax={RANGE.1.to_string()}
            onpointerdown={down} onpointermove={moved} onpointerup={up.clone()} onpointercancel={up} onkeydown={on_key} ondblclick={reset}
            data-testid={testid} />
        </section>
    }
}
