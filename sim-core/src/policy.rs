//! The contract between a scheduler and the machine.
//!
//! Hooks are called at the kernel's entry points and named as there. A hook does what that kernel function did to
//! the runqueues, in its order; the machine owns time, `curr`, `need_resched`, task states and programs, and performs
//! the context switch. The policy owns runqueues, per-task scheduling data (a `Vec` by [`TaskId`]) and balancing.
//!
//! Event order and who calls what: `kernel/instant.rs`. A policy never sees the trace, the metrics or the scenario.

use crate::inspect::{Candidate, Entity, StructureVisitor, Trail, Unit};
use crate::kernel::sim::DynSim;
use crate::kernel::{EventOrder, Kernel, SimConfig};
use crate::units::{CpuId, GroupId, Nanos, TaskId};

/// Why `prev` enters `schedule()` without being runnable any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Block {
    /// Sleeps for time or an event, `TASK_INTERRUPTIBLE`.
    Interruptible,
    /// Sleeps for a lock or I/O, `TASK_UNINTERRUPTIBLE`.
    Uninterruptible,
    /// Has exited.
    Dead,
}

/// Circumstances of a wakeup.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WakeFlags {
    /// CPU that executes the wakeup (`smp_processor_id()`).
    pub cpu: CpuId,
    /// The wakeup comes from an interrupt (timer), not from a task.
    pub in_interrupt: bool,
    /// The waker promises to sleep at once (`sync`).
    pub sync: bool,
    /// The task that calls, when not in an interrupt.
    pub waker: Option<TaskId>,
}

/// How a new task comes to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NewTask {
    /// CPU that executes the fork (for a start without a parent: the scenario's `cpu`, else the lowest allowed CPU).
    pub cpu: CpuId,
    /// The forking task; `None` when the scenario starts the task.
    pub parent: Option<TaskId>,
    /// The scenario named the CPU: no fork balancing.
    pub cpu_is_given: bool,
}

/// A change made from outside while the machine runs (a slider, `set_user_nice`, `sched_setscheduler`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttrChange {
    /// `set_user_nice`: the old nice level; the new one is in the task.
    Nice {
        /// Level before the change.
        old: i8,
    },
    /// `sched_setscheduler`: class or real-time priority changed.
    Class {
        /// Class before the change.
        old: SchedClass,
        /// Real-time priority before the change.
        old_rt_priority: u8,
    },
    /// The task's own slice request changed (EEVDF, `sched_setattr`).
    Slice {
        /// Request before the change, ns.
        old: Option<Nanos>,
    },
    /// `set_cpus_allowed`: the new mask is in the task.
    Affinity,
}

/// Scheduling class of a task (`policy` of `sched_setscheduler`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SchedClass {
    /// `SCHED_OTHER` / `SCHED_NORMAL`.
    #[default]
    Normal,
    /// `SCHED_BATCH`.
    Batch,
    /// `SCHED_IDLE` (CFS) or `SCHED_IDLEPRIO` (-ck).
    Idle,
    /// `SCHED_ISO` (-ck).
    Iso,
    /// `SCHED_FIFO`.
    Fifo,
    /// `SCHED_RR`.
    Rr,
}

impl SchedClass {
    /// FIFO or RR.
    #[inline]
    pub fn is_rt(self) -> bool {
        matches!(self, SchedClass::Fifo | SchedClass::Rr)
    }
}

/// What machine a default value may depend on.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Number of CPUs.
    pub cpus: u16,
    /// Ticks per second.
    pub hz: u32,
}

/// An integer knob. The page builds its panel from these; links carry them by key.
#[derive(Debug)]
pub struct TunableSpec {
    /// Stable key, goes into links: never rename.
    pub key: &'static str,
    /// One line for the panel.
    pub help: &'static str,
    /// How to print it.
    pub unit: Unit,
    /// Smallest allowed value.
    pub min: i64,
    /// Largest allowed value.
    pub max: i64,
    /// Default for a machine (constants of the kernel ignore the argument).
    pub default: fn(Shape) -> i64,
    /// Where a golden file's `tunables` hold it: a dotted path (`"sched_domain.busy_idx"`, `"sched_features.HRTICK"`,
    /// `"config.CONFIG_SCHED_HRTICK"` for an entry of `source.config`); booleans read as 0 and 1.
    pub golden: Option<&'static str>,
}

/// A rule that can decide, as data. `template` has `{0}`..`{2}` for the arguments.
#[derive(Debug)]
pub struct ReasonSpec {
    /// Stable name.
    pub key: &'static str,
    /// The sentence, without a full stop.
    pub template: &'static str,
    /// How to print each argument.
    pub args: &'static [Unit],
    /// Kernel function that the rule models.
    pub function: &'static str,
}

/// Makes an enum of reasons and its table from one list, so that they cannot drift apart.
#[macro_export]
macro_rules! reasons {
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $($variant:ident = $template:literal [$($unit:ident),*] in $function:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u16)]
        $vis enum $name { $(#[doc = $template] $variant,)* }
        impl $name {
            /// One row per variant, in order.
            pub const TABLE: &'static [$crate::policy::ReasonSpec] = &[$($crate::policy::ReasonSpec {
                key: stringify!($variant), template: $template, args: &[$($crate::inspect::Unit::$unit),*], function: $function,
            },)*];
        }
        impl From<$name> for u16 {
            fn from(reason: $name) -> u16 { reason as u16 }
        }
    };
}

/// What a policy can do, so that controls can say so without knowing why.
#[derive(Clone, Copy, Debug, Default)]
pub struct Caps {
    /// `SCHED_BATCH` exists.
    pub batch: bool,
    /// `SCHED_IDLE` / `IDLEPRIO` exists.
    pub idle: bool,
    /// `SCHED_ISO` exists.
    pub iso: bool,
    /// Task groups with shares.
    pub groups: bool,
    /// Groups may be nested.
    pub nested_groups: bool,
    /// Shares are percent of the parent, 0 to 100 and at most 100 among siblings (CKRM); else weights.
    pub percent_shares: bool,
    /// Each session of tasks is a group by itself (`sched_autogroup`).
    pub autogroup: bool,
    /// `cpu.max` bandwidth control of groups.
    pub bandwidth: bool,
    /// A task can ask for its own slice.
    pub slice_request: bool,
    /// FIFO and RR exist above it.
    pub rt: bool,
}

impl Caps {
    /// None of them, to name those that a policy has.
    pub const NONE: Caps = Caps {
        batch: false,
        idle: false,
        iso: false,
        groups: false,
        nested_groups: false,
        percent_shares: false,
        autogroup: false,
        bandwidth: false,
        slice_request: false,
        rt: false,
    };
}

/// Everything that is said about a policy outside its folder.
#[derive(Debug)]
pub struct PolicyInfo {
    /// Stable key, goes into links: never rename.
    pub key: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// Family word (groups policies in the menu).
    pub family: &'static str,
    /// Kernel version and year.
    pub kernel: &'static str,
    /// One or two sentences for the page.
    pub summary: &'static str,
    /// Knobs.
    pub tunables: &'static [TunableSpec],
    /// Rules that decide.
    pub reasons: &'static [ReasonSpec],
    /// Names of notes (array switch, rotation, new epoch) by code; shown as marks on the timeline. Two rows of which
    /// the second is the first with `un` before its last word ("throttled", "unthrottled") open and close a stretch of
    /// one CPU, which the timeline hatches. Where the policy has groups, the first argument of both is the group.
    pub notes: &'static [&'static str],
    /// Abilities.
    pub caps: Caps,
    /// Golden files that record it: values of `source.kernel`, or `kernel/variant`; empty when none exists.
    pub golden: &'static [&'static str],
    /// How many golden schedules match, of how many; (0, 0) when none was recorded.
    pub golden_matched: (u32, u32),
}

/// One row of the registry.
pub struct PolicyEntry {
    /// What it is.
    pub info: PolicyInfo,
    /// Makes a machine that runs it. `tunables` has one value per [`PolicyInfo::tunables`].
    pub build: fn(key: &'static str, config: SimConfig, tunables: &[i64]) -> Box<dyn DynSim>,
}

/// One scheduler: its queues, and every decision taken with them.
pub trait Policy: Clone + 'static {
    /// Order of work at one instant, where its model has another one than the machine's.
    const ORDER: Option<EventOrder> = None;

    /// A fresh scheduler for the machine in `kernel` (no task exists yet). `key` selects the version; versions are
    /// data inside the folder. `tunables` is in the order of [`PolicyInfo::tunables`].
    fn new(key: &'static str, kernel: &Kernel, tunables: &[i64]) -> Self;

    /// Room for `tasks` tasks: the only hook that may allocate. Called at build, when the task table grows, and after
    /// a restore. Must not change any decision.
    fn reserve(&mut self, tasks: usize);

    /// `sched_fork` and `wake_up_new_task`: makes the task's scheduling data, chooses its CPU (`k.set_task_cpu`), queues
    /// it and tests preemption. The task is already runnable in the machine's eyes.
    fn wake_up_new_task(&mut self, k: &mut Kernel, task: TaskId, new: NewTask);

    /// `try_to_wake_up` of a sleeping task: chooses its CPU (`k.set_task_cpu`), queues it, tests preemption
    /// (`k.resched_curr`). `k.task(task).cpu` is the CPU it last ran on.
    fn try_to_wake_up(&mut self, k: &mut Kernel, task: TaskId, flags: WakeFlags);

    /// `schedule()` on `cpu`: takes `prev` off its queue when it blocks, balances if about to idle, picks. `prev` is
    /// `None` for the idle task. Returns who runs next, `None` for idle; returning `prev` means no switch. The machine
    /// has already cleared `need_resched`. Call `k.explain` for the pick.
    fn schedule(&mut self, k: &mut Kernel, cpu: CpuId, prev: Option<TaskId>, block: Option<Block>) -> Option<TaskId>;

    /// After the switch is in place (`finish_task_switch`): `k.curr(cpu)` is `next`. Called for switches only, not for
    /// re-picks of the same task.
    fn finish_task_switch(&mut self, _k: &mut Kernel, _cpu: CpuId, _prev: Option<TaskId>, _next: Option<TaskId>) {}

    /// `scheduler_tick` on `cpu`, idle or not, then this CPU's balancing where that kernel did it from the tick or its
    /// softirq. `k.jiffies()` has already advanced.
    fn scheduler_tick(&mut self, k: &mut Kernel, cpu: CpuId);

    /// `sys_sched_yield` by `task`, which runs on `cpu`. The machine calls [`Policy::schedule`] right after it if the
    /// hook returns true, else only if `need_resched` is set.
    fn sched_yield(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) -> bool;

    /// `sched_exit` / `release_task`: `task` dies on `cpu` and is reaped at once by `parent` if that is alive. Called
    /// before `schedule(.., Some(Block::Dead))`.
    fn sched_exit(&mut self, _k: &mut Kernel, _cpu: CpuId, _task: TaskId, _parent: Option<TaskId>) {}

    /// Nice level, class, slice request or affinity of `task` was changed, by itself (`cpu` it runs on) or from outside.
    /// `queued`: runnable or running now. The policy requeues and tests preemption as its kernel did.
    fn task_changed(&mut self, k: &mut Kernel, task: TaskId, change: AttrChange, queued: bool);

    /// Shares (`cpu.weight`) of `group` changed; the old value is given, the new one is in `k.groups()`.
    fn group_changed(&mut self, _k: &mut Kernel, _group: GroupId, _old_shares: u64) {}

    /// A tunable was moved while the machine runs.
    fn set_tunable(&mut self, _k: &mut Kernel, _index: usize, _value: i64) {}

    /// Number of timers that the policy uses (hrtick per CPU, bandwidth periods ...); see [`Kernel::start_timer`].
    fn timers(&self) -> u32 {
        0
    }

    /// Timer `timer` expired; it runs in interrupt context on `cpu`.
    fn timer_expired(&mut self, _k: &mut Kernel, _timer: u32, _cpu: CpuId) {}

    /// Whether the policy has a migration thread per CPU (a FIFO 99 kernel thread that uses no time). They get task
    /// ids `0..cpus` and are woken with [`Kernel::wake_migration_thread`].
    fn has_migration_threads(&self) -> bool {
        false
    }

    /// The migration thread of `cpu` got the CPU: does its work now and blocks right after.
    fn migration_thread(&mut self, _k: &mut Kernel, _cpu: CpuId) {}

    /// Everyone who could be picked on `cpu`, best first, with the deciding numbers. Asked right before a pick. Cold.
    fn candidates(&self, k: &Kernel, cpu: CpuId, out: &mut dyn FnMut(Candidate));

    /// Names the shapes of the structures that concern `cpu` (its own, and the shared ones). Cold.
    fn visit_structures(&self, k: &Kernel, cpu: CpuId, v: &mut dyn StructureVisitor);

    /// Scheduling facts of one task for the inspector (bonus, vruntime, slice, array ...). Cold.
    fn task_gauges(&self, _k: &Kernel, _task: TaskId, _out: &mut dyn FnMut(crate::inspect::Gauge)) {}

    /// Numbers that are worth seeing over time, a few at most; [`Policy::trail`] gives them. Cold.
    fn trails(&self) -> &'static [Trail] {
        &[]
    }

    /// The present number of each entity that row `index` of [`Policy::trails`] shows on `cpu`; of whoever runs only,
    /// where the row is drawn as blocks. Cold.
    fn trail(&self, _k: &Kernel, _cpu: CpuId, _index: usize, _out: &mut dyn FnMut(Entity, i64)) {}

    /// Asserts what must always hold: bitmap = non-empty lists, every runnable task queued exactly once, weights sum.
    /// Called after each event in tests.
    fn check_invariants(&self, _k: &Kernel) {}
}
