//! Tasks and the programs they run.

pub mod draw;
pub mod program;
#[allow(clippy::module_inception)]
pub mod task;
pub mod wait_queue;
