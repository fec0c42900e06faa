//! Why a slice, a gap or a wait is what it is.

use super::{EntityView, GaugeView, LaneState};
use serde::{Deserialize, Serialize};

/// Someone who could have run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CandidateView {
    /// Who.
    pub entity: EntityView,
    /// Deciding number.
    pub key: GaugeView,
    /// Terms of it.
    pub terms: Vec<GaugeView>,
    /// Why it could not win.
    pub barred: Option<String>,
    /// It won.
    pub picked: bool,
    /// Run queue that it stands in: those of a group and of the top have different numbers. Only candidates of one queue
    /// are weighed against each other.
    pub queue: u16,
}

/// A decision of a CPU: who got it, and the rule with its numbers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DecisionView {
    /// When, ns.
    pub t: u64,
    /// Who; [`super::IDLE`] for nobody.
    pub task: u32,
    /// Why, as the sentence of [`WhyView`].
    pub sentence: String,
}

/// Answer to `Decisions`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DecisionsView {
    /// Lane.
    pub lane: u8,
    /// CPU.
    pub cpu: u16,
    /// In order of time; the last one holds at the moment that was asked about.
    pub rows: Vec<DecisionView>,
}

/// Answer to `Why` and `WhyTask`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WhyView {
    /// Lane.
    pub lane: u8,
    /// Task it is about; [`super::IDLE`].
    pub task: u32,
    /// CPU.
    pub cpu: u16,
    /// State there and then.
    pub state: LaneState,
    /// Start of the slice, wait or sleep.
    pub start: u64,
    /// Its end (the simulated front if open).
    pub end: u64,
    /// [`crate::kernel::record::SliceEnd`] as a number; 255 = open or not a slice.
    pub ended: u8,
    /// The rule as a sentence.
    pub sentence: String,
    /// What would have had to be different, as a sentence; may be empty.
    pub otherwise: String,
    /// Kernel function modelled.
    pub function: String,
    /// Candidates, best first: the foremost, and those that stand for the task.
    pub candidates: Vec<CandidateView>,
    /// Candidates that are not among them.
    pub candidates_more: u32,
    /// Facts of the task.
    pub facts: Vec<GaugeView>,
    /// When the task last became runnable before `start` and who woke it ([`super::IDLE`] = a timer).
    pub woken: Option<(u64, u32)>,
    /// Time it waited for a CPU before the slice, ns, and behind whom: (task, ns) largest first.
    pub waited: u64,
    /// See `waited`.
    pub behind: Vec<(u32, u64)>,
    /// Tasks that it woke or forked in this slice: (when, whom), in order of time.
    pub wakes: Vec<(u64, u32)>,
    /// Previous task of the CPU and why it left.
    pub prev: u32,
    /// See `prev`.
    pub prev_ended: u8,
    /// Next task of the CPU after this slice.
    pub next: u32,
}
