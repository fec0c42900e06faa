//! Browser events of the two canvases. They are attached by hand, because the wheel must be able to keep the page
//! from scrolling.

use super::gesture::{self, At, Wish};
use super::view::View;
use gloo_events::{EventListener, EventListenerOptions};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlCanvasElement, KeyboardEvent, PointerEvent, WheelEvent};

/// Keeps listeners alive.
pub type Listeners = Vec<EventListener>;

type Shared = Rc<RefCell<View>>;

/// Listeners of the lanes.
pub fn lanes(canvas: &HtmlCanvasElement, view: &Shared) -> Listeners {
    vec![
        on_pointer(canvas, view, "pointerdown", |view, canvas, event| {
            if event.button() != 0 {
                return;
            }
            // Capture fails only for a pointer that is gone already.
            let _ = canvas.set_pointer_capture(event.pointer_id());
            let wish = view.gesture.down(at(event));
            grant(view, wish);
        }),
        on_pointer(canvas, view, "pointermove", |view, canvas, event| {
            let wish = view.gesture.moved(at(event));
            grant(view, wish);
            show_cursor(view, canvas, event);
        }),
        on_pointer(canvas, view, "pointerup", |view, _, event| {
            let wish = view.gesture.up(at(event));
            grant(view, wish);
        }),
        on_pointer(canvas, view, "pointercancel", |view, _, event| view.gesture.cancel(event.pointer_id())),
        on_pointer(canvas, view, "pointerleave", |view, _, _| {
            if !view.gesture.is_busy() {
                view.grant(Wish::Leave);
            }
        }),
        on_wheel(canvas, view),
        on(canvas, "dblclick", view, |view, _, _| {
            if !view.show_range() {
                view.grant(Wish::Whole);
            }
        }),
        on(canvas, "keydown", view, |view, _, event| {
            if let Some(event) = event.dyn_ref::<KeyboardEvent>()
                && lanes_key(view, &event.code(), event.ctrl_key() || event.meta_key())
            {
                event.prevent_default();
                event.stop_propagation();
            }
        }),
    ]
}

/// Keys that only the lanes know; all others go to the page.
fn lanes_key(view: &mut View, code: &str, command: bool) -> bool {
    match code {
        _ if command => false,
        "ArrowUp" => {
            view.step_cpu(-1);
            true
        }
        "ArrowDown" => {
            view.step_cpu(1);
            true
        }
        "KeyP" => {
            view.toggle_pin();
            true
        }
        "Enter" => view.show_range(),
        "Escape" => view.clear_range(),
        _ => false,
    }
}

/// Listeners of the minimap: a drag on the frame moves it, a drag elsewhere chooses a window, a click centres.
pub fn map(canvas: &HtmlCanvasElement, view: &Shared) -> Listeners {
    #[derive(Clone, Copy)]
    enum Drag {
        Frame(f64),
        Range(f64),
    }
    let drag: Rc<Cell<Option<Drag>>> = Rc::default();
    let (start, go, end) = (Rc::clone(&drag), Rc::clone(&drag), drag);
    vec![
        on_pointer(canvas, view, "pointerdown", move |view, canvas, event| {
            let _ = canvas.set_pointer_capture(event.pointer_id());
            let (x, (a, b)) = (f64::from(event.offset_x()), view.map_frame());
            let on_frame = x >= a - 3.0 && x <= b + 3.0 && b - a < f64::from(canvas.client_width()) * 0.9;
            start.set(Some(if on_frame { Drag::Frame(x - (a + b) / 2.0) } else { Drag::Range(x) }));
        }),
        on_pointer(canvas, view, "pointermove", move |view, _, event| {
            let x = f64::from(event.offset_x());
            match go.get() {
                Some(Drag::Frame(grip)) => view.map_to(x - grip),
                Some(Drag::Range(from)) if (x - from).abs() > 3.0 => view.map_range(from, x),
                _ => {}
            }
        }),
        on_pointer(canvas, view, "pointerup", move |view, _, event| {
            if let Some(Drag::Range(from)) = end.take() {
                let x = f64::from(event.offset_x());
                if (x - from).abs() <= 3.0 {
                    view.map_to(x);
                }
            }
        }),
        on(canvas, "dblclick", view, |view, _, _| view.grant(Wish::Whole)),
        on(canvas, "keydown", view, |view, _, event| {
            let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
            let (a, b) = view.map_frame();
            let step = ((b - a) / 2.0).max(2.0);
            let centre = (a + b) / 2.0;
            match event.code().as_str() {
                "ArrowLeft" => view.map_to(centre - step),
                "ArrowRight" => view.map_to(centre + step),
                _ => return,
            }
            event.prevent_default();
            event.stop_propagation();
        }),
    ]
}

fn on(
    canvas: &HtmlCanvasElement,
    name: &'static str,
    view: &Shared,
    react: impl Fn(&mut View, &HtmlCanvasElement, &Event) + 'static,
) -> EventListener {
    let (view, target) = (Rc::clone(view), canvas.clone());
    let options = EventListenerOptions::enable_prevent_default();
    EventListener::new_with_options(canvas, name, options, move |event| {
        react(&mut view.borrow_mut(), &target, event);
    })
}

fn on_pointer(
    canvas: &HtmlCanvasElement,
    view: &Shared,
    name: &'static str,
    react: impl Fn(&mut View, &HtmlCanvasElement, &PointerEvent) + 'static,
) -> EventListener {
    on(canvas, name, view, move |view, canvas, event| {
        if let Some(event) = event.dyn_ref::<PointerEvent>() {
            react(view, canvas, event);
        }
    })
}

fn on_wheel(canvas: &HtmlCanvasElement, view: &Shared) -> EventListener {
    on(canvas, "wheel", view, |view, _, event| {
        let Some(event) = event.dyn_ref::<WheelEvent>() else { return };
        // Lines and pages become pixels.
        let unit = [1.0, 16.0, 400.0].get(event.delta_mode() as usize).copied().unwrap_or(1.0);
        let delta = (event.delta_x() * unit, event.delta_y() * unit);
        let ctrl = event.ctrl_key() || event.meta_key();
        match gesture::wheel(f64::from(event.offset_x()), delta, ctrl, event.shift_key()) {
            // Nothing to scroll here: the page may.
            Some(Wish::Scroll(_)) if !view.can_scroll() => {}
            Some(wish) => {
                event.prevent_default();
                view.grant(wish);
            }
            None => {}
        }
    })
}

fn grant(view: &mut View, wish: Option<Wish>) {
    if let Some(wish) = wish {
        view.grant(wish);
    }
}

fn at(event: &PointerEvent) -> At {
    let y = f64::from(event.offset_y());
    At {
        x: f64::from(event.offset_x()),
        y,
        id: event.pointer_id(),
        touch: event.pointer_type() == "touch",
        shift: event.shift_key(),
        ruler: View::is_ruler(y),
        ms: event.time_stamp(),
    }
}

fn show_cursor(view: &View, canvas: &HtmlCanvasElement, event: &PointerEvent) {
    if view.gesture.is_busy() || event.pointer_type() == "touch" {
        return;
    }
    let y = f64::from(event.offset_y());
    let over_task = !View::is_ruler(y) && view.hit(f64::from(event.offset_x()), y).is_some_and(|h| h.task.is_some());
    let cursor = if View::is_ruler(y) {
        "col-resize"
    } else if over_task {
        "pointer"
    } else {
        "default"
    };
    // A canvas refuses a style only when it is detached.
    let _ = canvas.style().set_property("cursor", cursor);
}
