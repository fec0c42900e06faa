//! The engine in the page's own thread: for tests, and where there are no workers.

use super::client::{EngineClient, FromEngine, Listener};
use super::mailbox::keep_newest_news;
use sim_core::engine::Engine;
use sim_core::engine::protocol::Request;
use std::cell::RefCell;

/// Events of one turn.
const EVENTS: u64 = 65_536;

/// An engine that works when it is told to.
pub struct InlineClient {
    engine: RefCell<Engine>,
    listener: Listener,
}

impl InlineClient {
    /// A new engine.
    pub fn start(listener: Listener) -> Self {
        Self { engine: RefCell::new(Engine::new()), listener }
    }

    /// Answers what waits and simulates one turn; whether there is more to simulate.
    pub fn turn(&self) -> bool {
        let mut out = Vec::new();
        let more = self.engine.borrow_mut().work(EVENTS, &mut out);
        keep_newest_news(&mut out);
        for response in out {
            (self.listener)(FromEngine::Answer(response));
        }
        more
    }
}

impl EngineClient for InlineClient {
    fn send(&self, request: &Request) {
        self.engine.borrow_mut().ask(request.clone());
    }
}
