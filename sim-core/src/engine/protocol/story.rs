//! What led to a slice or a wait, and what would have led elsewhere.

use super::LaneState;
use serde::{Deserialize, Serialize};

/// A stretch of a task's time in one state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Stretch {
    /// Start, ns.
    pub start: u64,
    /// End, ns.
    pub end: u64,
    /// State; of several that are too short to tell apart the most important.
    pub state: LaneState,
    /// CPU of it.
    pub cpu: u16,
}

/// A task on a request's path.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PathRow {
    /// Who.
    pub task: u32,
    /// Its states between the ends of the path, in order of time.
    pub stretches: Vec<Stretch>,
}

/// What a path begins with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum PathBegin {
    /// The task was started.
    Start,
    /// A timer woke the first task.
    Timer,
    /// The first task ran already.
    Run,
    /// The task itself came to wait, runnable as it was.
    Queued,
}

/// The way of a request: who woke whom, down to the slice or wait that is asked about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PathView {
    /// Start, ns.
    pub from: u64,
    /// End, ns: when the task had what it wanted (it slept), as far as that is not long after.
    pub to: u64,
    /// What it begins with.
    pub begins: PathBegin,
    /// Wakers in order of time, the task, then those it took the CPU from or waited behind.
    pub rows: Vec<PathRow>,
    /// Which row the task itself is.
    pub own: u8,
    /// Wakeups on the way: when, who ([`super::IDLE`]: a timer), whom.
    pub wakeups: Vec<(u64, u32, u32)>,
}

/// Another nice level of one task, and what it would have done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Turn {
    /// Whose level.
    pub task: u32,
    /// The level as it was.
    pub nice: i8,
    /// The nearest level found that changes the outcome (a slice: who has the CPU; a wait: that it ran earlier), one step
    /// before which it does not; `None`: none does, up to the end of the scale.
    pub level: Option<i8>,
    /// Who has the CPU then ([`super::IDLE`]: nobody).
    pub then: u32,
}

/// Answer to `Story`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StoryView {
    /// Lane.
    pub lane: u8,
    /// Whose slice or wait it is; [`super::IDLE`].
    pub task: u32,
    /// CPU.
    pub cpu: u16,
    /// Start of the slice or wait.
    pub start: u64,
    /// The way to it.
    pub path: Option<PathView>,
    /// From when on other nice levels were tried.
    pub since: u64,
    /// What they did.
    pub turns: Vec<Turn>,
}
