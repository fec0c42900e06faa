//! What the machine tells the outside: a stream of records, drained after each slice of the run. The machine keeps no
//! history, so a checkpoint is as large as the present state and no larger.

use crate::units::{CpuId, Nanos, TaskId};

/// Why a task left the CPU.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum SliceEnd {
    /// Idle left (no task).
    Idle,
    /// Someone better came.
    Preempted,
    /// Its slice was used up.
    Expired,
    /// Slept or waits for an event.
    Slept,
    /// Waits for a lock or I/O.
    Blocked,
    /// Called `sched_yield`.
    Yielded,
    /// Exited.
    Exited,
}

/// The rule that decided: index into [`crate::policy::PolicyInfo::reasons`] and its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reason {
    /// Row of the table.
    pub code: u16,
    /// Arguments.
    pub args: [i64; 3],
}

/// One thing that happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// The scenario started a task; it is runnable on `cpu`.
    Start {
        /// Who.
        task: TaskId,
        /// Where.
        cpu: CpuId,
    },
    /// A fork; the child is runnable on `cpu`.
    Fork {
        /// Who forked.
        parent: TaskId,
        /// The new task.
        child: TaskId,
        /// Where the child is queued.
        cpu: CpuId,
    },
    /// A sleeper became runnable on `cpu`.
    Wakeup {
        /// Who.
        task: TaskId,
        /// Where it is queued.
        cpu: CpuId,
        /// The task that woke it; `None` for a timer.
        waker: Option<TaskId>,
    },
    /// A context switch. `prev_end` also says whether prev is still runnable.
    Switch {
        /// Where.
        cpu: CpuId,
        /// Who left (`None` = idle).
        prev: Option<TaskId>,
        /// Why.
        prev_end: SliceEnd,
        /// Who came (`None` = idle).
        next: Option<TaskId>,
        /// The rule.
        reason: Reason,
    },
    /// `schedule()` picked the running task again.
    Repick {
        /// Where.
        cpu: CpuId,
        /// Who goes on.
        task: TaskId,
        /// The rule.
        reason: Reason,
    },
    /// A task's CPU changed.
    Migrate {
        /// Who.
        task: TaskId,
        /// From.
        from: CpuId,
        /// To.
        to: CpuId,
    },
    /// A task has exited.
    Exit {
        /// Who.
        task: TaskId,
    },
    /// One unit of throughput; `response` = time since the request began, if one was open.
    Mark {
        /// Who.
        task: TaskId,
        /// Which mark.
        mark: u16,
        /// Response time.
        response: Option<Nanos>,
    },
    /// Something that the policy wants to be seen on the timeline (array switch, rotation, epoch); a row of
    /// [`crate::policy::PolicyInfo::notes`].
    Note {
        /// Where (`None` = everywhere).
        cpu: Option<CpuId>,
        /// Row of the table.
        note: u16,
        /// Details.
        args: [i64; 2],
    },
}

/// An event with its time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// When.
    pub at: Nanos,
    /// What.
    pub event: Event,
}
