//! The clipboard. Browsers may refuse it (a page in a frame, a setting): then the text is shown to be copied by hand.

use crate::page;
use crate::store::notice::Notice;
use crate::store::{LayoutAction, Stage};
use crate::text::files as words;
use std::rc::Rc;
use wasm_bindgen_futures::{JsFuture, spawn_local};

/// Puts a text on the clipboard; `done` is called when it is there.
pub fn copy(stage: &Stage, text: String, done: impl FnOnce() + 'static) {
    let layout = stage.layout.clone();
    spawn_local(async move {
        if put(&text).await {
            done();
            return;
        }
        let notice = Notice {
            heading: words::NO_CLIPBOARD.to_string(),
            say: words::BY_HAND.to_string(),
            text: Some(text),
            ..Notice::default()
        };
        layout.dispatch(LayoutAction::Notice(Some(Rc::new(notice))));
    });
}

async fn put(text: &str) -> bool {
    let Some(window) = page::window() else { return false };
    let navigator = window.navigator();
    // Pages that did not come over a safe connection have no clipboard at all.
    let has = js_sys::Reflect::get(&navigator, &"clipboard".into()).is_ok_and(|clipboard| clipboard.is_object());
    has && JsFuture::from(navigator.clipboard().write_text(text)).await.is_ok()
}
