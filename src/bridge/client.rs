//! What the page needs of an engine, wherever it runs.

use sim_core::engine::protocol::{Request, Response};
use std::rc::Rc;

/// News from the engine's side.
#[derive(Clone, PartialEq, Debug)]
pub enum FromEngine {
    /// An answer or progress.
    Answer(Response),
    /// The engine is gone (trap, out of memory, script not loaded). The text is for the card.
    Lost(String),
}

/// Where news go.
pub type Listener = Rc<dyn Fn(FromEngine)>;

/// An engine that answers through its [`Listener`], later or at once.
pub trait EngineClient {
    /// Asks. Never blocks; a question to a lost engine is dropped.
    fn send(&self, request: &Request);
}
