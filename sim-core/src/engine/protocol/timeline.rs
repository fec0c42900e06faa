//! Rows of the timeline, in columns.

use super::TaskView;
use serde::{Deserialize, Serialize};

/// Rows of one CPU. Columns have one entry per row; rows are in time order and do not overlap.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct CpuLane {
    /// Which CPU.
    pub cpu: u16,
    /// Start of the row (not cut to the window).
    pub start: Vec<u64>,
    /// End.
    pub end: Vec<u64>,
    /// Task, or the dominant one of a merged row; [`super::IDLE`].
    pub task: Vec<u32>,
    /// [`crate::kernel::record::SliceEnd`] as a number: why the slice ended; 255 = still running at the front.
    pub ended: Vec<u8>,
    /// Number of slices merged into the row; 1 = a real slice.
    pub merged: Vec<u32>,
    /// Busy share of a merged row, 0..=255.
    pub busy: Vec<u8>,
    /// Queue length steps: time ...
    pub queue_t: Vec<u64>,
    /// ... and tasks waiting (not running) from then on; in a merged step the largest.
    pub queue_n: Vec<u16>,
    /// Share of the window in which it was busy, 1/1000.
    pub busy_permille: u16,
    /// Stretches in which the CPU held tasks back (throttled): (from, to, row of the policy's notes, group).
    pub held: Vec<(u64, u64, u16, u16)>,
}

/// State of a task in its own lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum LaneState {
    /// On a CPU.
    Running,
    /// Waits for a CPU.
    Runnable,
    /// Sleeps for time or an event.
    Sleeping,
    /// Waits for a lock or I/O.
    Blocked,
    /// Does not exist (not started, or exited).
    Gone,
}

/// Rows of one task.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct TaskLane {
    /// Which task.
    pub task: u32,
    /// Start of the row.
    pub start: Vec<u64>,
    /// End.
    pub end: Vec<u64>,
    /// [`LaneState`] as a number; in a merged row the most important one (the order of the enum).
    pub state: Vec<u8>,
    /// CPU.
    pub cpu: Vec<u16>,
    /// [`crate::kernel::record::SliceEnd`] of a running row as a number; 255 otherwise.
    pub ended: Vec<u8>,
    /// Number of states merged into the row.
    pub merged: Vec<u32>,
    /// Stretches in which it waits because its group is held back (throttled).
    pub held: Vec<(u64, u64)>,
}

/// A mark on the timeline.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NoteView {
    /// When.
    pub t: u64,
    /// CPU; `u16::MAX` = all.
    pub cpu: u16,
    /// Row of [`PolicyView::notes`].
    pub note: u16,
    /// Details.
    pub args: [i64; 2],
}

/// Answer to `Window`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct WindowView {
    /// Lane.
    pub lane: u8,
    /// Asked window.
    pub from: u64,
    /// Asked window.
    pub to: u64,
    /// Simulated up to here when it was answered; what lies behind is not known yet.
    pub simulated: u64,
    /// CPU rows.
    pub cpus: Vec<CpuLane>,
    /// Task rows.
    pub tasks: Vec<TaskLane>,
    /// Notes in the window, at most 2000, thinned evenly beyond.
    pub notes: Vec<NoteView>,
    /// Tasks that came into being after `Loaded`.
    pub new_tasks: Vec<TaskView>,
}
