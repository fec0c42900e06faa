//! A task as the machine knows it. Scheduling data (slice, vruntime ...) belongs to the policy.

use crate::machine::cost::TimeKind;
use crate::policy::SchedClass;
use crate::task::program::LOOP_DEPTH_MAX;
use crate::units::{CpuId, CpuMask, GroupId, Nanos, TaskId};

/// State in the kernel's words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TaskState {
    /// Not started yet, or a slot of a workload that its count slider leaves out.
    New,
    /// On a CPU.
    Running,
    /// Runnable, waiting for a CPU.
    Runnable,
    /// `TASK_INTERRUPTIBLE`.
    Sleeping,
    /// `TASK_UNINTERRUPTIBLE`.
    Uninterruptible,
    /// Exited.
    Dead,
}

/// What a blocked task waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaitsFor {
    /// Nothing: it is not blocked.
    Nothing,
    /// A time.
    Timer,
    /// A channel.
    Channel(u32),
    /// A mutex.
    Mutex(u32),
    /// A barrier.
    Barrier(u32),
    /// Work for a kernel thread.
    Kernel,
}

/// One task.
#[derive(Clone, Debug)]
pub struct Task {
    /// State.
    pub state: TaskState,
    /// Class.
    pub class: SchedClass,
    /// Nice level, -20..=19.
    pub nice: i8,
    /// Real-time priority 1..=99; 0 for other classes.
    pub rt_priority: u8,
    /// CPUs it may run on (restricted to the machine's).
    pub affinity: CpuMask,
    /// Group.
    pub group: GroupId,
    /// Address space: equal numbers share one.
    pub mm: u32,
    /// `task_cpu`: where it runs, is queued, or last was.
    pub cpu: CpuId,
    /// Who forked it; `None` when the scenario started it.
    pub parent: Option<TaskId>,
    /// Slice that it asked for, ns (EEVDF).
    pub slice_ns: Option<Nanos>,
    /// Policy-specific start value of a golden file (`init_sleep_avg_ns`, `init_counter` ...).
    pub init: Option<i64>,
    /// Migration thread of this CPU.
    pub migration_thread: Option<CpuId>,
    /// Workload that it belongs to.
    pub workload: u16,
    /// Working set, KiB (cache model).
    pub working_set_kib: u32,

    // The rest is the machine's.
    /// CPU whose caches hold its working set, if it has run in this life.
    pub(crate) warm_on: Option<CpuId>,
    /// Template with name and program.
    pub(crate) template: u32,
    /// CPU that the scenario names for the start.
    pub(crate) start_cpu: Option<CpuId>,
    /// First operation of its program in the machine's code.
    pub(crate) code: u32,
    /// Next operation, counted from there.
    pub(crate) pc: u32,
    /// Rounds left of each open loop.
    pub(crate) loops: [u64; LOOP_DEPTH_MAX],
    /// Its last operation was a `Run`: the next one comes before a pending reschedule. After a wakeup or another system
    /// call a pending reschedule comes first, as on the way back to user mode.
    pub(crate) op_first: bool,
    /// The present `Run` is a system call's work.
    pub(crate) in_kernel: bool,
    /// CPU time left of the present `Run`.
    pub(crate) remaining: Nanos,
    /// Names the task in random draws: its row for scenario tasks, mixed from the parent's for children.
    pub(crate) draw_key: u64,
    /// Children forked so far in this life: their draws are those of the same child under another policy.
    pub(crate) forks: u64,
    /// Lives of this table row.
    pub(crate) lives: u32,
    /// The last sleep was uninterruptible.
    pub woken_from_uninterruptible: bool,
    /// Random draws made.
    pub(crate) draws: u64,
    /// Must exit at the next chance (count slider).
    pub(crate) killed: bool,
    /// What it waits for.
    pub(crate) waits_for: WaitsFor,
    /// It waits for a job of a queue ([`crate::task::program::Op::TakeJob`]).
    pub(crate) takes_job: bool,
    /// Next waiter of the same queue.
    pub(crate) wait_next: Option<TaskId>,
    /// Invalidates older timers of the task.
    pub(crate) timer_generation: u32,
    /// Since when it is in its state.
    pub(crate) since: Nanos,
    /// Start (for periodic sleeps).
    pub(crate) started: Nanos,
    /// Zero-time operations performed at the present instant.
    pub(crate) spin: u32,
    /// The instant that `spin` counts.
    pub(crate) spin_at: Nanos,
    /// Periods taken so far.
    pub(crate) periods: u64,
    /// CPU time used.
    pub(crate) runtime: Nanos,
    /// The part of it that is system calls and the kernel's own work.
    pub(crate) system: Nanos,
    /// Time runnable but not running.
    pub(crate) wait: Nanos,
    /// Time asleep.
    pub(crate) slept: Nanos,
    /// Times that it changed its CPU.
    pub(crate) migrations: u64,
    /// Next dead child of the same template.
    pub(crate) next_free: Option<TaskId>,
}

impl Task {
    /// Runnable or running.
    #[inline]
    pub fn is_queued(&self) -> bool {
        matches!(self.state, TaskState::Running | TaskState::Runnable)
    }

    /// What its own CPU time counts as.
    pub(crate) fn mode(&self) -> TimeKind {
        if self.in_kernel { TimeKind::System } else { TimeKind::User }
    }

    /// Started and not dead.
    #[inline]
    pub fn is_alive(&self) -> bool {
        !matches!(self.state, TaskState::New | TaskState::Dead)
    }

    /// CPU time used up to the last switch or tick, ns.
    pub fn runtime_ns(&self) -> Nanos {
        self.runtime
    }

    /// The part of it that is system calls and the kernel's own work, ns. Refilling caches is not: the program waits
    /// for its lines in user mode.
    pub fn system_ns(&self) -> Nanos {
        self.system
    }

    /// Times that it changed its CPU.
    pub fn migrations(&self) -> u64 {
        self.migrations
    }

    /// What it is blocked on.
    pub fn waits_for(&self) -> WaitsFor {
        self.waits_for
    }
}
