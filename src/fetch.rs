//! One request to another place, after the visitor agreed to it: without cookies or referrer, never followed to a third
//! place, cut off above a size and a time.

use crate::page;
use crate::text::files as words;
use gloo_timers::callback::Timeout;
use js_sys::{Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    AbortController, ReadableStreamDefaultReader, ReferrerPolicy, RequestCredentials, RequestInit, RequestRedirect,
    Response,
};

/// Longest wait, ms.
const PATIENCE_MS: u32 = 20_000;

/// The text at an `https://` address, at most `bytes_max` long. Errors are sentences.
pub async fn text(source: &str, bytes_max: usize) -> Result<String, String> {
    if !source.starts_with("https://") {
        return Err(words::ONLY_HTTPS.to_string());
    }
    let window = page::window().ok_or_else(|| words::NO_ANSWER.to_string())?;
    let abort = AbortController::new().map_err(|_| words::NO_ANSWER.to_string())?;
    let init = RequestInit::new();
    init.set_credentials(RequestCredentials::Omit);
    init.set_redirect(RequestRedirect::Error);
    init.set_referrer_policy(ReferrerPolicy::NoReferrer);
    init.set_signal(Some(&abort.signal()));
    let patience = {
        let abort = abort.clone();
        Timeout::new(PATIENCE_MS, move || abort.abort())
    };
    let answer = JsFuture::from(window.fetch_with_str_and_init(source, &init)).await;
    let response: Response =
        answer.ok().and_then(|answer| answer.dyn_into().ok()).ok_or_else(|| words::NO_ANSWER.to_string())?;
    if !response.ok() {
        return Err(words::status(response.status()));
    }
    let bytes = body(&response, bytes_max).await;
    abort.abort();
    drop(patience);
    String::from_utf8(bytes?).map_err(|_| words::NOT_TEXT.to_string())
}

async fn body(response: &Response, bytes_max: usize) -> Result<Vec<u8>, String> {
    let cut = || words::CUT.to_string();
    let reader: ReadableStreamDefaultReader =
        response.body().and_then(|stream| stream.get_reader().dyn_into().ok()).ok_or_else(cut)?;
    let mut bytes = Vec::new();
    loop {
        let part = JsFuture::from(reader.read()).await.map_err(|_| cut())?;
        let field = |name: &str| Reflect::get(&part, &JsValue::from_str(name)).unwrap_or(JsValue::UNDEFINED);
        if field("done").is_truthy() {
            return Ok(bytes);
        }
        let part: Uint8Array = field("value").dyn_into().map_err(|_| cut())?;
        if bytes.len() + part.length() as usize > bytes_max {
            return Err(words::too_long_answer(bytes_max));
        }
        bytes.extend(part.to_vec());
    }
}
