//! A task over a stretch of time, and where lanes differ.

use serde::{Deserialize, Serialize};

/// Someone who ran while a task waited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Antagonist {
    /// Who.
    pub task: u32,
    /// How long, ns.
    pub ns: u64,
    /// In how many of the waits.
    pub waits: u32,
}

/// Answer to `Range`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct RangeView {
    /// Lane.
    pub lane: u8,
    /// Whom it is about.
    pub task: u32,
    /// From.
    pub from: u64,
    /// To (at most the simulated front).
    pub to: u64,
    /// On a CPU, ns.
    pub ran: u64,
    /// Runnable without a CPU, ns.
    pub waited: u64,
    /// Asleep or blocked, ns.
    pub slept: u64,
    /// Number of waits.
    pub waits: u32,
    /// The longest wait inside the range: from, to.
    pub longest: (u64, u64),
    /// Who ran meanwhile on its CPU, longest first.
    pub antagonists: Vec<Antagonist>,
    /// Waits too many to be looked into.
    pub left_out: u32,
}

/// Where two lanes differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DifferenceView {
    /// When.
    pub at: u64,
    /// On which CPU.
    pub cpu: u16,
    /// The lane that differs from lane 0.
    pub lane: u8,
    /// Who runs there in lane 0 from then on; [`super::IDLE`].
    pub first: u32,
    /// Who runs there in the other lane.
    pub second: u32,
}
