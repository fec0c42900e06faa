//! `cargo xtask new-policy NAME`: the folder of a new scheduler.

use crate::proc::Outcome;

/// Lays out the folder.
pub fn command(name: &str) -> Outcome<()> {
    Err(format!("new-policy {name}: not laid out yet"))
}
