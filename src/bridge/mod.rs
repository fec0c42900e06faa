//! Between the page and the engine: questions out, answers in, never a policy's name.

pub mod client;
pub mod codec;
pub mod mailbox;
pub mod slots;
pub mod worker;
