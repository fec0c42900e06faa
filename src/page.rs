//! Small calls to the browser that several parts share. Each does nothing where the browser has not what it needs.

use crate::store::layout::Theme;
use wasm_bindgen::JsCast;
use web_sys::{Document, HtmlElement, MediaQueryList, Window};

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

/// Title of the browser's tab.
pub fn set_title(title: &str) {
    if let Some(document) = document() {
        let product = crate::text::PRODUCT;
        document.set_title(&if title.is_empty() { product.to_string() } else { format!("{title} · {product}") });
    }
}

/// Puts a text on the clipboard.
pub fn copy(text: &str) {
    if let Some(window) = window() {
        // The answer is a promise nobody waits for; a refusal leaves the text in its field for the visitor to copy.
        let _ = window.navigator().clipboard().write_text(text);
    }
}

/// Gives the focus to an element.
pub fn focus(id: &str) {
    let element = document().and_then(|document| document.get_element_by_id(id));
    if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        let _ = element.focus();
    }
}

/// Saves a text as a file.
pub fn save(name: &str, text: &str) {
    let Some(document) = document() else { return };
    let Ok(link) = document.create_element("a") else { return };
    let data: String = js_sys::encode_uri_component(text).into();
    let _ = link.set_attribute("href", &format!("data:application/json;charset=utf-8,{data}"));
    let _ = link.set_attribute("download", name);
    if let Ok(link) = link.dyn_into::<HtmlElement>() {
        link.click();
    }
}

/// Remembers a text for the next visit.
pub fn remember(key: &str, text: &str) {
    if let Some(storage) = window().and_then(|window| window.local_storage().ok().flatten()) {
        // A full or forbidden storage only costs the memory.
        let _ = storage.set_item(key, text);
    }
}

/// What was remembered.
pub fn recall(key: &str) -> Option<String> {
    window()
        .and_then(|window| window.local_storage().ok().flatten())
        .and_then(|storage| storage.get_item(key).ok().flatten())
}
