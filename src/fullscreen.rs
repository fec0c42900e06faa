//! The page over the whole screen, for a projector. Browsers may refuse it (a page in a frame, a phone): then the visitor
//! is told what else there is.

use crate::page;
use crate::store::notice::Notice;
use crate::store::{LayoutAction, Stage};
use crate::text::files as words;
use js_sys::{Function, Promise, Reflect};
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};

/// Enters or leaves it.
pub fn toggle(stage: &Stage) {
    let layout = stage.layout.clone();
    spawn_local(async move {
        if !switch().await {
            let notice = Notice {
                heading: words::NO_FULLSCREEN.to_string(),
                say: words::OTHER_FULLSCREEN.to_string(),
                ..Notice::default()
            };
            layout.dispatch(LayoutAction::Notice(Some(Rc::new(notice))));
        }
    });
}

/// Tells whether the browser did it.
async fn switch() -> bool {
    let Some(document) = page::document() else { return false };
    let is_full = Reflect::get(&document, &"fullscreenElement".into()).is_ok_and(|element| element.is_object());
    let done = if is_full {
        call(&document, "exitFullscreen")
    } else {
        document.document_element().and_then(|root| call(&root, "requestFullscreen"))
    };
    match done.map(JsCast::dyn_into::<Promise>) {
        Some(Ok(promise)) => JsFuture::from(promise).await.is_ok(),
        _ => false,
    }
}

/// Calls a method that not every browser has.
fn call(on: &JsValue, method: &str) -> Option<JsValue> {
    Reflect::get(on, &method.into()).ok()?.dyn_into::<Function>().ok()?.call0(on).ok()
}
