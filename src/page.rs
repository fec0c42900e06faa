//! Small calls to the browser that several parts share. Each does nothing where the browser has not what it needs.

use crate::store::layout::Theme;
use gloo_timers::callback::Timeout;
use gloo_timers::future::TimeoutFuture;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, Document, Element, HtmlElement, MediaQueryList, Storage, Url, Window};

/// Time between two looks for a first painting, ms.
const PAINT_LOOK_MS: u32 = 10;

/// Looks for it: a browser that does not tell is not waited for long.
const PAINT_LOOKS_MAX: u32 = 25;

/// When the page is kept for offline use, ms after its start.
const OFFLINE_AFTER_MS: u32 = 3_000;

/// The window.
pub fn window() -> Option<Window> {
    web_sys::window()
}

/// The document.
pub fn document() -> Option<Document> {
    window().and_then(|window| window.document())
}

/// A media query.
pub fn media(query: &str) -> Option<MediaQueryList> {
    window().and_then(|window| window.match_media(query).ok().flatten())
}

/// The system prefers a light page.
pub fn prefers_light() -> bool {
    media("(prefers-color-scheme: light)").is_some_and(|query| query.matches())
}

/// The system asks for less motion.
pub fn prefers_calm() -> bool {
    media("(prefers-reduced-motion: reduce)").is_some_and(|query| query.matches())
}

/// Width of the page, CSS pixels.
pub fn width() -> f64 {
    window().and_then(|window| window.inner_width().ok()).and_then(|width| width.as_f64()).unwrap_or(1440.0)
}

/// Writes the theme where the style tokens look for it.
pub fn apply_theme(theme: Theme) {
    let Some(root) = document().and_then(|document| document.document_element()) else { return };
    // An attribute of the root element can always be set.
    let _ = match theme {
        Theme::System => root.remove_attribute("data-theme"),
        Theme::Dark => root.set_attribute("data-theme", "dark"),
        Theme::Light => root.set_attribute("data-theme", "light"),
    };
}

/// Which language the page speaks.
pub fn language() -> String {
    document().and_then(|document| document.document_element()?.get_attribute("lang")).unwrap_or_default()
}

/// Says to browsers and screen readers which language the page speaks.
pub fn set_language(language: &str) {
    if let Some(root) = document().and_then(|document| document.document_element()) {
        let _ = root.set_attribute("lang", language);
    }
}

/// Title of the browser's tab.
pub fn set_title(title: &str) {
    if let Some(document) = document() {
        let product = crate::text::PRODUCT;
        document.set_title(&if title.is_empty() { product.to_string() } else { format!("{title} · {product}") });
    }
}

/// Writes a text into an element that nothing else writes into.
pub fn set_text(id: &str, text: &str) {
    if let Some(element) = document().and_then(|document| document.get_element_by_id(id)) {
        element.set_text_content(Some(text));
    }
}

/// What the browser says of service workers; pages that did not come over a safe connection have none, whatever the
/// binding says.
fn service_workers() -> Option<JsValue> {
    let navigator = window()?.navigator();
    js_sys::Reflect::get(&navigator, &"serviceWorker".into()).ok().filter(JsValue::is_object)
}

/// Whether this page came from the service worker's cache: maybe without a network, maybe beside a newer version.
pub fn is_kept() -> bool {
    let controller = service_workers().and_then(|workers| js_sys::Reflect::get(&workers, &"controller".into()).ok());
    controller.is_some_and(|controller| controller.is_object())
}

/// After the first visit the page opens without a network. Registered late: the first picture comes first.
pub fn keep_for_offline() {
    Timeout::new(OFFLINE_AFTER_MS, || {
        let Some(window) = window() else { return };
        if service_workers().is_some() {
            let registering = window.navigator().service_worker().register("./sw.js");
            wasm_bindgen_futures::spawn_local(async move {
                // A browser that refuses (private windows, a setting) leaves the page as it was: online.
                let _ = wasm_bindgen_futures::JsFuture::from(registering).await;
            });
        }
    })
    .forget();
}

/// The element that has the focus; the body if none has.
pub fn focused() -> Option<Element> {
    document().and_then(|document| document.active_element())
}

/// Gives the focus to an element.
pub fn focus(id: &str) {
    let element = document().and_then(|document| document.get_element_by_id(id));
    if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        let _ = element.focus();
    }
}

/// Saves a text as a file.
pub fn save(name: &str, text: &str, mime: &str) {
    save_parts(name, &[text.as_bytes().to_vec()], mime);
}

/// Saves the parts of a file.
pub fn save_parts(name: &str, parts: &[Vec<u8>], mime: &str) {
    let parts: js_sys::Array = parts.iter().map(|part| js_sys::Uint8Array::from(part.as_slice())).collect();
    let kind = BlobPropertyBag::new();
    kind.set_type(mime);
    if let Ok(blob) = Blob::new_with_u8_array_sequence_and_options(&parts, &kind) {
        save_blob(name, &blob);
    }
}

/// Saves bytes of the browser as a file.
pub fn save_blob(name: &str, blob: &Blob) {
    let Ok(address) = Url::create_object_url_with_blob(blob) else { return };
    let link = document().and_then(|document| document.create_element("a").ok());
    if let Some(link) = link.and_then(|link| link.dyn_into::<HtmlElement>().ok()) {
        // Attributes of an element of our own can always be set.
        let _ = link.set_attribute("href", &address);
        let _ = link.set_attribute("download", name);
        link.click();
    }
    // The download has its own hold on the bytes once it has begun, which is not yet.
    Timeout::new(60_000, move || drop(Url::revoke_object_url(&address))).forget();
}

/// A file's name from a title: letters, digits and dashes, and an ending.
pub fn file_name(title: &str, ending: &str) -> String {
    let words: Vec<String> = title
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let stem: String = words.join("-").chars().take(60).collect();
    let stem = if stem.is_empty() { "schedscope".to_string() } else { stem };
    format!("{stem}.{ending}")
}

fn storage() -> Option<Storage> {
    window().and_then(|window| window.local_storage().ok().flatten())
}

/// The browser lets the page keep something.
pub fn has_storage() -> bool {
    storage().is_some()
}

/// Remembers a text for the next visit; false where storage is full or forbidden.
pub fn remember(key: &str, text: &str) -> bool {
    storage().is_some_and(|storage| storage.set_item(key, text).is_ok())
}

/// Forgets what was remembered.
pub fn forget(key: &str) {
    if let Some(storage) = storage() {
        // A forbidden storage has nothing to forget.
        let _ = storage.remove_item(key);
    }
}

/// What was remembered.
pub fn recall(key: &str) -> Option<String> {
    storage().and_then(|storage| storage.get_item(key).ok().flatten())
}

/// Remembers a text for as long as this tab is open, also over a reload.
pub fn remember_here(key: &str, text: &str) {
    if let Some(storage) = tab_storage() {
        // Full or forbidden: a reload loses the text, as without this.
        let _ = storage.set_item(key, text);
    }
}

/// Forgets what this tab remembered.
pub fn forget_here(key: &str) {
    if let Some(storage) = tab_storage() {
        let _ = storage.remove_item(key);
    }
}

/// What this tab remembered.
pub fn recall_here(key: &str) -> Option<String> {
    tab_storage().and_then(|storage| storage.get_item(key).ok().flatten())
}

fn tab_storage() -> Option<Storage> {
    window().and_then(|window| window.session_storage().ok().flatten())
}

/// Waits until what index.html says has been painted. A page in the background is not painted and does not wait.
pub async fn painted() {
    let has_painted = || {
        let hidden = document().is_none_or(|document| document.hidden());
        let clock = window().and_then(|window| window.performance());
        hidden || clock.is_none_or(|clock| clock.get_entries_by_name("first-contentful-paint").length() > 0)
    };
    for _ in 0..PAINT_LOOKS_MAX {
        if has_painted() {
            return;
        }
        TimeoutFuture::new(PAINT_LOOK_MS).await;
    }
}

/// Time since the page was opened, ms.
pub fn now_ms() -> f64 {
    window().and_then(|window| window.performance()).map_or(0.0, |clock| clock.now())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_after_the_title() {
        assert_eq!(file_name("Desktop under load", "json"), "desktop-under-load.json");
        assert_eq!(file_name("../../etc/<x>", "svg"), "etc-x.svg");
        assert_eq!(file_name("", "txt"), "schedscope.txt");
    }
}
