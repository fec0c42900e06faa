//! A complete machine with its programs: what a compiled scenario is.

use crate::machine::cost::CostTable;
use crate::machine::topology::TopologySpec;
use crate::policy::SchedClass;
use crate::task::program::Op;
use crate::units::{CpuId, CpuMask, GroupId, Nanos};
use std::sync::Arc;

/// Order of work at one instant. A golden file's machine says which; the product uses [`EventOrder::Interrupts`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventOrder {
    /// Ticks of all CPUs, then programs and reschedules until nothing happens, then timers one at a time, each followed
    /// by programs and reschedules (golden folders o1, o1-2.4, linux24, sd, staircase, bfs).
    TicksThenTimers,
    /// Burst ends first; then per CPU one interrupt with timers, sleep expiries, starts and the tick, followed by the
    /// reschedules that were asked for (golden folders cfs, eevdf).
    Interrupts,
    /// Ticks, the policy's timers, sleep expiries and starts, then burst ends and reschedules: whoever comes at an
    /// instant is there when something is decided in it. The machine of textbooks, which has no interrupts.
    ArrivalsFirst,
}

/// `cpu.max` of a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CpuMax {
    /// Quota per period, ns.
    pub quota_ns: Nanos,
    /// Period, ns.
    pub period_ns: Nanos,
    /// Burst, ns.
    pub burst_ns: Nanos,
}

/// A task group (cgroup, CKRM class).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// Name.
    pub name: Arc<str>,
    /// Parent; the root is its own parent.
    pub parent: GroupId,
    /// Shares (1024 = one nice-0 task; CKRM: percent guarantee).
    pub shares: u64,
    /// `cpu.idle`.
    pub idle: bool,
    /// Bandwidth limit.
    pub cpu_max: Option<CpuMax>,
    /// It stands for a session: a policy may place its tasks in the root instead ([`super::Kernel::set_task_group`]).
    pub autogroup: bool,
}

/// A task as the scenario describes it, and the template of forked children.
#[derive(Clone, Debug)]
pub struct TaskSpec {
    /// Name.
    pub name: Arc<str>,
    /// Class.
    pub class: SchedClass,
    /// Nice level.
    pub nice: i8,
    /// Real-time priority, 0 unless FIFO or RR.
    pub rt_priority: u8,
    /// Allowed CPUs.
    pub affinity: CpuMask,
    /// Group.
    pub group: GroupId,
    /// Address space.
    pub mm: u32,
    /// Program.
    pub program: Arc<[Op]>,
    /// Start time; `None` = exists only by fork.
    pub start: Option<Nanos>,
    /// CPU of the start, if the scenario names one.
    pub start_cpu: Option<CpuId>,
    /// Own slice request, ns.
    pub slice_ns: Option<Nanos>,
    /// Policy-specific start value of a golden file.
    pub init: Option<i64>,
    /// Workload it belongs to.
    pub workload: u16,
    /// Index within the workload, for the count slider; a task whose index is not below the count does not start.
    pub index: u32,
    /// Working set, KiB.
    pub working_set_kib: u32,
}

/// A complete machine with its programs. Cheap to clone: the large parts are shared.
#[derive(Clone, Debug)]
pub struct SimConfig {
    /// CPUs.
    pub topology: TopologySpec,
    /// Ticks per second, 100..=1000.
    pub hz: u32,
    /// CPU c ticks c/cpus of a period after CPU 0, as real machines do; off: all at the same instant.
    pub tick_skew: bool,
    /// Order at one instant.
    pub order: EventOrder,
    /// Seed of all random draws.
    pub seed: u64,
    /// Tasks and templates.
    pub tasks: Arc<[TaskSpec]>,
    /// Groups; index 0 is the root.
    pub groups: Vec<Group>,
    /// Initial values of workload parameters.
    pub params: Vec<u64>,
    /// Initial task count per workload.
    pub counts: Vec<u32>,
    /// Number of channels.
    pub channels: u32,
    /// Number of mutexes.
    pub mutexes: u32,
    /// Parties of each barrier.
    pub barriers: Vec<u32>,
    /// Prices.
    pub costs: CostTable,
}
