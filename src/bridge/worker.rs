//! The engine in its own worker.

use super::READY;
use super::client::{EngineClient, FromEngine, Listener};
use super::codec;
use crate::page;
use crate::text::errors as words;
use gloo_timers::callback::Timeout;
use js_sys::{Array, ArrayBuffer, Reflect};
use sim_core::engine::protocol::{Request, Response};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{ErrorEvent, Event, MessageEvent, Worker};

/// Loader that trunk writes beside the worker's module.
const LOADER: &str = "./worker_loader.js";

/// Where index.html keeps the worker that it starts.
const STARTED: &str = "startedEngine";

/// A worker that is not up after this is told as lost, ms. One that comes up later is welcome all the same.
const PATIENCE_MS: u32 = 12_000;

/// Questions that wait until the worker's module is compiled: before that it has no mailbox, and messages would be lost.
type Early = Rc<RefCell<Option<Vec<ArrayBuffer>>>>;

/// Owns the worker; dropping it ends the worker.
pub struct WorkerClient {
    worker: Worker,
    /// `None` once the worker is up.
    early: Early,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(Event)>,
    _patience: Timeout,
}

impl WorkerClient {
    /// Starts a worker. Questions sent before it is up wait here.
    pub fn start(listener: Listener) -> Result<Self, String> {
        let (worker, is_up) = match started_before() {
            Some(started) => started,
            None => (Worker::new(LOADER).map_err(|error| format!("{error:?}"))?, false),
        };
        let early: Early = Rc::new(RefCell::new((!is_up).then(Vec::new)));
        let on_message = {
            let (listener, early, worker) = (listener.clone(), early.clone(), worker.clone());
            Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
                let data = event.data();
                if data.as_string().as_deref() == Some(READY) {
                    let waiting = early.borrow_mut().take().unwrap_or_default();
                    waiting.iter().for_each(|buffer| post(&worker, buffer));
                    return;
                }
                match codec::decode::<Response>(&data) {
                    Some(response) => listener(FromEngine::Answer(response)),
                    None => listener(FromEngine::Lost(data.as_string().unwrap_or_default())),
                }
            })
        };
        let patience = {
            let (listener, early) = (listener.clone(), early.clone());
            Timeout::new(PATIENCE_MS, move || {
                if early.borrow().is_some() {
                    listener(FromEngine::Lost(words::NOT_LOADED.to_string()));
                }
            })
        };
        let on_error = Closure::<dyn FnMut(Event)>::new(move |event: Event| {
            let message = event.dyn_ref::<ErrorEvent>().map(ErrorEvent::message).unwrap_or_default();
            listener(FromEngine::Lost(message));
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        Ok(Self { worker, early, _on_message: on_message, _on_error: on_error, _patience: patience })
    }
}

/// The worker that index.html starts while this module is on its way, and whether it is up. Given once: it is dropped
/// with its client.
fn started_before() -> Option<(Worker, bool)> {
    let window = page::window()?;
    let name = JsValue::from_str(STARTED);
    let worker = Reflect::get(&window, &name).ok()?.dyn_into::<Worker>().ok()?;
    Reflect::delete_property(&window, &name).ok()?;
    let said = Reflect::get(&worker, &JsValue::from_str("said")).ok()?;
    Some((worker, said.as_string().as_deref() == Some(READY)))
}

fn post(worker: &Worker, buffer: &ArrayBuffer) {
    // A worker that cannot be posted to has reported its error already.
    let _ = worker.post_message_with_transfer(buffer, &Array::of1(buffer));
}

impl EngineClient for WorkerClient {
    fn send(&self, request: &Request) {
        let Some(buffer) = codec::encode(request) else { return };
        match self.early.borrow_mut().as_mut() {
            Some(waiting) => waiting.push(buffer),
            None => post(&self.worker, &buffer),
        }
    }
}

impl Drop for WorkerClient {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}
