//! Messages as bytes in an `ArrayBuffer` that is transferred, not copied.

use js_sys::{ArrayBuffer, Uint8Array};
use serde::{Serialize, de::DeserializeOwned};
use wasm_bindgen::{JsCast, JsValue};

/// Encodes into a buffer of its own, ready to be transferred.
pub fn encode<T: Serialize>(message: &T) -> Option<ArrayBuffer> {
    let bytes = postcard::to_allocvec(message).ok()?;
    Some(Uint8Array::from(bytes.as_slice()).buffer())
}

/// Decodes the data of a message event; `None` if it is not one of ours.
pub fn decode<T: DeserializeOwned>(data: &JsValue) -> Option<T> {
    let buffer = data.dyn_ref::<ArrayBuffer>()?;
    postcard::from_bytes(&Uint8Array::new(buffer).to_vec()).ok()
}
