//! The page's side: starts the worker with the first question. Questions are answered in order.

use super::protocol::{ToolsAsk, ToolsReply};
use crate::bridge::{READY, codec};
use futures_channel::oneshot;
use js_sys::{Array, ArrayBuffer};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Event, MessageEvent, Worker};

/// Loader that trunk writes beside the worker's module.
const LOADER: &str = "./tools_loader.js";

thread_local! {
    static TOOLS: RefCell<Option<Rc<Client>>> = const { RefCell::new(None) };
}

struct Client {
    worker: Worker,
    state: Rc<RefCell<State>>,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(Event)>,
}

#[derive(Default)]
struct State {
    is_up: bool,
    /// Questions from before it was up.
    early: Vec<ArrayBuffer>,
    /// Who waits, in order of the questions.
    waiting: VecDeque<oneshot::Sender<ToolsReply>>,
}

/// Asks the tools. `None`: they could not be loaded, or broke; the next question starts them anew.
pub async fn ask(question: &ToolsAsk) -> Option<ToolsReply> {
    let (sender, receiver) = oneshot::channel();
    {
        let client = TOOLS.with(|tools| tools.borrow_mut().get_or_insert_with(|| Rc::new(Client::start())).clone());
        let buffer = codec::encode(question)?;
        let mut state = client.state.borrow_mut();
        state.waiting.push_back(sender);
        if state.is_up {
            post(&client.worker, &buffer);
        } else {
            state.early.push(buffer);
        }
    }
    receiver.await.ok()
}

fn post(worker: &Worker, buffer: &ArrayBuffer) {
    // A worker that cannot be posted to has reported its error already.
    let _ = worker.post_message_with_transfer(buffer, &Array::of1(buffer));
}

impl Client {
    fn start() -> Client {
        let state = Rc::new(RefCell::new(State::default()));
        // A loader that is missing is told by an error event, so this cannot fail for an address of our own.
        let worker = Worker::new(LOADER).expect("the address of the loader is well formed");
        let on_message = {
            let (state, worker) = (state.clone(), worker.clone());
            Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
                let data = event.data();
                let mut state = state.borrow_mut();
                if data.as_string().as_deref() == Some(READY) {
                    state.is_up = true;
                    std::mem::take(&mut state.early).iter().for_each(|buffer| post(&worker, buffer));
                } else if let (Some(reply), Some(sender)) =
                    (codec::decode::<ToolsReply>(&data), state.waiting.pop_front())
                {
                    // Whoever asked may have gone away.
                    let _ = sender.send(reply);
                }
            })
        };
        let on_error = {
            let state = state.clone();
            Closure::<dyn FnMut(Event)>::new(move |_| {
                // Dropping the senders tells all who wait; the next question starts another worker.
                state.borrow_mut().waiting.clear();
                let gone = TOOLS.with(|tools| tools.borrow_mut().take());
                // The client owns this very closure: it goes after this event.
                gloo_timers::callback::Timeout::new(0, move || drop(gone)).forget();
            })
        };
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        Client { worker, state, _on_message: on_message, _on_error: on_error }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}
