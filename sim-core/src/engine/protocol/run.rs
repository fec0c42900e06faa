//! A run that was accepted, and how far it is.

use super::Problem;
use crate::policy::SchedClass;
use serde::{Deserialize, Serialize};

/// How far a lane is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LaneProgress {
    /// Simulated up to here.
    pub simulated: u64,
    /// End of the run.
    pub duration: u64,
    /// Events so far.
    pub events: u64,
    /// Digest so far.
    pub digest: u64,
    /// Why it stopped early, as a sentence.
    pub fault: Option<String>,
}

/// A task for names and colours.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TaskView {
    /// Id (index in the task table).
    pub id: u32,
    /// Name.
    pub name: String,
    /// Index of its workload; `u16::MAX` for kernel threads.
    pub workload: u16,
    /// Nice level at the start.
    pub nice: i8,
    /// Class at the start.
    pub class: SchedClass,
    /// Group index.
    pub group: u16,
    /// It runs in this scenario. Others are kept ready for a slider, a later change or a fork.
    pub starts: bool,
}

/// A run that was accepted.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Loaded {
    /// The scenario as it runs (defaults filled in), as JSON.
    pub scenario: String,
    /// Warnings that do not stop it (unknown fields, things the policy cannot do).
    pub warnings: Vec<Problem>,
    /// Number of CPUs.
    pub cpus: u16,
    /// Tasks known at the start.
    pub tasks: Vec<TaskView>,
    /// Group names by index; 0 is the root.
    pub groups: Vec<String>,
    /// Names of marks.
    pub marks: Vec<String>,
    /// Policy key per lane.
    pub lanes: Vec<String>,
    /// Times that the first changed moment leaves untouched: everything before is as it was.
    pub kept_until: u64,
}
