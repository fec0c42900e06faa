//! What happened, event by event: what exporters read.

use super::TaskView;
use serde::{Deserialize, Serialize};

/// One thing that happened on a CPU. Tasks are ids; [`super::IDLE`] = nobody.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum LogWhat {
    /// Context switch.
    Switch {
        /// Why the task that ran left, [`crate::kernel::record::SliceEnd`] as a number.
        ended: u8,
        /// Who came.
        next: u32,
    },
    /// A sleeper was woken and queued here.
    Wake {
        /// Who.
        task: u32,
        /// By whom; nobody = a timer.
        waker: u32,
    },
    /// A task was started or forked and queued here.
    New {
        /// Who.
        task: u32,
        /// By whom.
        parent: u32,
    },
    /// A waiting task came here.
    Migrate {
        /// Who.
        task: u32,
        /// From which CPU.
        from: u16,
    },
}

/// [`LogWhat`] with its time and place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LogEntry {
    /// When.
    pub t: u64,
    /// Where.
    pub cpu: u16,
    /// What.
    pub what: LogWhat,
}

/// Answer to `Log`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct LogView {
    /// Lane.
    pub lane: u8,
    /// Everything that happened in `from..next`, in order; at one instant a waker's wakeup comes before its own switch.
    pub entries: Vec<LogEntry>,
    /// Asked start.
    pub from: u64,
    /// Ask on from here.
    pub next: u64,
    /// Simulated up to here.
    pub simulated: u64,
    /// Tasks that came into being after `Loaded`, up to now.
    pub new_tasks: Vec<TaskView>,
}
