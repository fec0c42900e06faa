//! The page on paper: light colours, and a caption that leads back.

use crate::page;
use crate::paint::number;
use crate::store::Stage;
use crate::store::layout::Theme;
use gloo_events::EventListener;
use wasm_bindgen::JsCast;
use web_sys::MediaQueryListEvent;

/// Follows the browser into a print and out of it.
pub fn listen(stage: &Stage) -> Vec<EventListener> {
    let mut listeners = Vec::new();
    if let Some(window) = page::window() {
        for (event, begins) in [("beforeprint", true), ("afterprint", false)] {
            let stage = stage.clone();
            listeners.push(EventListener::new(&window, event, move |_| turn(&stage, begins)));
        }
    }
    if let Some(query) = page::media("print") {
        let stage = stage.clone();
        listeners.push(EventListener::new(&query, "change", move |event| {
            if let Some(event) = event.dyn_ref::<MediaQueryListEvent>() {
                turn(&stage, event.matches());
            }
        }));
    }
    listeners
}

/// Paper is white: the canvases are painted anew before the browser takes them.
fn turn(stage: &Stage, begins: bool) {
    page::apply_theme(if begins { Theme::Light } else { stage.live.theme() });
    if begins {
        let (title, policy) = stage.live.title_and_policy();
        let moment = number::moment(stage.live.now());
        page::set_text("print-caption", &format!("{title} · {policy} · {moment}\n{}", stage.live.link()));
    }
    stage.live.repaint();
    stage.live.paint_now();
}
