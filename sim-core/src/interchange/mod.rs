//! Other programs' files: [`export`] writes a run for them, [`import`] reads their traces and workloads as scenarios.
//!
//! Text in, text out; nothing here is needed to simulate, so the page loads it only when it is asked for.

pub mod export;
pub mod import;
