//! The worker's side: reads questions between slices of simulation.

/// Starts serving; returns at once, the worker lives on its messages.
pub fn serve() {}
