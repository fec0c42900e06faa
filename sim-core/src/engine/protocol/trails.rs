//! Numbers over time that the trace does not keep.

use super::EntityView;
use serde::{Deserialize, Serialize};

/// A stretch of one entity's number.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TrailLine {
    /// Who.
    pub entity: EntityView,
    /// Times at which the number is known, rising; between two of them it changes evenly.
    pub t: Vec<u64>,
    /// The number at each time.
    pub value: Vec<i64>,
}

/// One number over time; see [`crate::inspect::Trail`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TrailView {
    /// Label.
    pub label: String,
    /// How to read it.
    pub help: String,
    /// Unit word.
    pub unit: String,
    /// Each line is a block of whoever runs, at one height.
    pub blocks: bool,
    /// Lines; an entity that comes and goes has several.
    pub lines: Vec<TrailLine>,
    /// Entities that were left out.
    pub left_out: u32,
}

/// Answer to `Trails`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct TrailsView {
    /// Lane.
    pub lane: u8,
    /// From.
    pub from: u64,
    /// To.
    pub to: u64,
    /// Whose.
    pub cpu: u16,
    /// Numbers; empty if the policy has none.
    pub trails: Vec<TrailView>,
}
