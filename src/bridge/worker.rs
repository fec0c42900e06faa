//! The engine in its own worker.

use super::client::{EngineClient, FromEngine, Listener};
use super::codec;
use js_sys::Array;
use sim_core::engine::protocol::{Request, Response};
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{ErrorEvent, Event, MessageEvent, Worker};

/// Loader that trunk writes beside the worker's module.
const LOADER: &str = "./worker_loader.js";

/// Owns the worker; dropping it ends the worker.
pub struct WorkerClient {
    worker: Worker,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(Event)>,
}

impl WorkerClient {
    /// Starts a worker. Questions sent before it is up wait in its mailbox.
    pub fn start(listener: Listener) -> Result<Self, String> {
        let worker = Worker::new(LOADER).map_err(|error| format!("{error:?}"))?;
        let on_message = {
            let listener = listener.clone();
            Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
                let data = event.data();
                match codec::decode::<Response>(&data) {
                    Some(response) => listener(FromEngine::Answer(response)),
                    None => listener(FromEngine::Lost(data.as_string().unwrap_or_default())),
                }
            })
        };
        let on_error = Closure::<dyn FnMut(Event)>::new(move |event: Event| {
            let message = event.dyn_ref::<ErrorEvent>().map(ErrorEvent::message).unwrap_or_default();
            listener(FromEngine::Lost(message));
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        Ok(Self { worker, _on_message: on_message, _on_error: on_error })
    }
}

impl EngineClient for WorkerClient {
    fn send(&self, request: &Request) {
        if let Some(buffer) = codec::encode(request) {
            // A worker that cannot be posted to has reported its error already.
            let _ = self.worker.post_message_with_transfer(&buffer, &Array::of1(&buffer));
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
