//! The worker's side: reads questions between slices of simulation, so that no question waits longer than a slice.

use super::{READY, codec};
use crate::later;
use js_sys::Array;
use sim_core::engine::Engine;
use sim_core::engine::protocol::{Reply, Request, Response};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DedicatedWorkerGlobalScope, MessageChannel, MessageEvent, MessagePort, Performance};

/// Longest slice of simulation before the mailbox is read, ms.
const SLICE_MS: f64 = 8.0;
/// Events between two looks at the clock.
const EVENTS: u64 = 4096;

struct Server {
    engine: RefCell<Engine>,
    scope: DedicatedWorkerGlobalScope,
    clock: Option<Performance>,
    /// A message to ourselves comes after those that wait in the mailbox; timers would be clamped to 4 ms.
    to_self: MessagePort,
    scheduled: Cell<bool>,
}

/// Starts serving; returns at once, the worker lives on its messages.
pub fn serve() {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    tell_panics(scope.clone());
    let Ok(channel) = MessageChannel::new() else { return };
    let server = Rc::new(Server {
        engine: RefCell::new(Engine::new()),
        clock: scope.performance(),
        scope: scope.clone(),
        to_self: channel.port2(),
        scheduled: Cell::new(false),
    });
    let on_turn = {
        let server = server.clone();
        Closure::<dyn FnMut(MessageEvent)>::new(move |_| server.turn())
    };
    channel.port1().set_onmessage(Some(on_turn.as_ref().unchecked_ref()));
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        if let Some(request) = codec::decode::<Request>(&event.data()) {
            server.engine.borrow_mut().ask(request);
            server.schedule();
        }
    });
    scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    let _ = scope.post_message(&JsValue::from_str(READY));
    // The worker lives as long as these two.
    on_turn.forget();
    on_message.forget();
}

/// The page shows what broke; the trap that follows ends the worker.
fn tell_panics(scope: DedicatedWorkerGlobalScope) {
    std::panic::set_hook(Box::new(move |panic| {
        let _ = scope.post_message(&JsValue::from_str(&panic.to_string()));
    }));
}

impl Server {
    fn schedule(&self) {
        if !self.scheduled.replace(true) {
            let _ = self.to_self.post_message(&JsValue::NULL);
        }
    }

    fn now_ms(&self) -> f64 {
        self.clock.as_ref().map_or(0.0, Performance::now)
    }

    fn turn(&self) {
        self.scheduled.set(false);
        let began = self.now_ms();
        let mut out = Vec::new();
        let more = loop {
            let more = self.engine.borrow_mut().work(EVENTS, &mut out);
            if !more || self.now_ms() - began >= SLICE_MS {
                break more;
            }
        };
        keep_newest_news(&mut out);
        for response in &out {
            self.post(response);
        }
        if more {
            self.schedule();
        } else {
            // The first run is through: now there is time for the code of the other schedulers.
            later::fetch();
        }
    }

    fn post(&self, response: &Response) {
        if let Some(buffer) = codec::encode(response) {
            // Fails only for buffers that are in use elsewhere; this one is new.
            let _ = self.scope.post_message_with_transfer(&buffer, &Array::of1(&buffer));
        }
    }
}

/// Of several progress reports of one slice only the last is news.
pub(super) fn keep_newest_news(out: &mut Vec<Response>) {
    let is_progress = |response: &Response| matches!(response.reply, Reply::Progress(_));
    let last = out.iter().rposition(is_progress);
    let mut index = 0;
    out.retain(|response| {
        let keep = !is_progress(response) || Some(index) == last;
        index += 1;
        keep
    });
}
