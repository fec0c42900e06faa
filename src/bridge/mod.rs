//! Between the page and the engine: questions out, answers in, never a policy's name.

pub mod client;
pub mod codec;
pub mod inline;
pub mod mailbox;
pub mod slots;
pub mod worker;

/// What the worker says once, when its mailbox is open.
pub const READY: &str = "ready";
