//! The rest of a module of the page: code that the first picture does not need. `cargo xtask build` splits it off
//! (`xtask/src/split/`; which parts: `xtask/src/parts.rs`) and exports its file's name. It is fetched once the first
//! picture stands; whoever calls into it before waits until it is there. A module that is not split has no rest.

use js_sys::{ArrayBuffer, Function, Object, Promise, Reflect, Uint8Array, WebAssembly};
use std::cell::Cell;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::XmlHttpRequest;

thread_local! {
    static IS_HERE: Cell<bool> = const { Cell::new(false) };
    static IS_ASKED: Cell<bool> = const { Cell::new(false) };
}

/// Fetches the rest beside whatever else goes on, in the page or in a worker. What fails is told when the rest is called.
pub fn fetch() {
    if !IS_ASKED.replace(true) {
        wasm_bindgen_futures::spawn_local(async {
            // See above.
            let _ = fetched().await;
        });
    }
}

/// The same, and waits for it.
pub async fn fetched() -> Result<(), JsValue> {
    IS_ASKED.set(true);
    let Some(file) = file().filter(|_| !IS_HERE.get()) else { return Ok(()) };
    // Pages and workers have the same function in different types.
    let fetch: Function = Reflect::get(&js_sys::global(), &"fetch".into())?.dyn_into()?;
    let answer: Promise = fetch.call1(&JsValue::UNDEFINED, &format!("./{file}").into())?.dyn_into()?;
    // Compiled in a thread of the browser's own.
    let module = JsFuture::from(WebAssembly::compile_streaming(&answer)).await?;
    if IS_HERE.get() { Ok(()) } else { instantiate(module.unchecked_ref()) }
}

/// Keeps [`load_later`] in the module, as a function of its own: the stand-ins find it by its name.
pub fn keep() {
    std::hint::black_box(load_later as fn());
}

/// Brings the rest now: called by the stand-ins of its functions.
#[inline(never)]
fn load_later() {
    if IS_HERE.get() {
        return;
    }
    let file = file().expect("only a module that was split has stand-ins");
    let bytes = read_now(&format!("./{file}"));
    let module = bytes.and_then(|bytes| WebAssembly::Module::new(&bytes));
    if let Err(error) = module.and_then(|module| instantiate(&module)) {
        // Said with what is surely here: what prints values for developers may be in the part that is missing.
        let error = Reflect::get(&error, &"message".into()).unwrap_or(error);
        panic!("a part of the page ({file}) could not be loaded: {}", error.as_string().unwrap_or_default());
    }
}

/// Name of the file with the rest.
fn file() -> Option<String> {
    let names = Object::keys(&exports().unchecked_into::<Object>());
    names.iter().filter_map(|name| name.as_string()).find(|name| name.ends_with(".wasm"))
}

fn exports() -> JsValue {
    wasm_bindgen::exports()
}

fn instantiate(module: &WebAssembly::Module) -> Result<(), JsValue> {
    let imports = Object::new();
    Reflect::set(&imports, &"first".into(), &exports())?;
    // It fills the table that it imports; nothing else of it is wanted.
    WebAssembly::Instance::new(module, &imports)?;
    IS_HERE.set(true);
    Ok(())
}

/// The bytes of a file, at once. A page's own thread may not ask for bytes in this way, but for text of which each
/// letter is one.
fn read_now(address: &str) -> Result<JsValue, JsValue> {
    let request = XmlHttpRequest::new()?;
    request.open_with_async("GET", address, false)?;
    request.override_mime_type("text/plain; charset=x-user-defined")?;
    request.send()?;
    if request.status()? != 200 {
        return Err(request.status_text()?.into());
    }
    let text = request.response_text()?.unwrap_or_default();
    // Such letters are U+F700 and the byte.
    let bytes: Vec<u8> = text.chars().map(|letter| letter as u32 as u8).collect();
    let buffer: ArrayBuffer = Uint8Array::from(bytes.as_slice()).buffer();
    Ok(buffer.into())
}
