//! Time: what happens next.

pub mod min_tree;
pub mod timers;
