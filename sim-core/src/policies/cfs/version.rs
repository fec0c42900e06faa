//! What differs between releases, as data. Each rule is named for what it does; `docs/policies/cfs.md` has the sources.

use super::knobs::{self, Knob};
use super::weight::Inverse;

/// What moves a queue's `min_vruntime`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Floor {
    /// Every charge: the smaller of the running and the leftmost entity; a change of the tree alone does not (2.6.24).
    Charge,
    /// Only a change of the leftmost queued entity: it stands still while one entity runs alone, and can jump past it
    /// (2.6.25 to 2.6.27).
    Leftmost,
    /// Charges and dequeues, the running entity included (2.6.32).
    ChargeAndDequeue,
}

/// How fast virtual time passes for an entity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rate {
    /// 1024 / weight.
    Weight,
    /// Load of the queue / weight, at every level up to the root (2.6.27).
    QueueShare,
}

/// `sched_slice`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Slice {
    /// Exact division, own queue only.
    ExactFlat,
    /// Multiplied by a rounded inverse, own queue only.
    RoundedFlat,
    /// Exact division at every level.
    ExactTree,
    /// Rounded inverse at every level.
    RoundedTree,
    /// The same; an entity that is not queued counts itself.
    RoundedTreeWithSelf,
}

/// Virtual time that a new task is placed behind (`sched_vslice`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Debit {
    /// period x 1024 / (queue load + own weight), own queue.
    Flat,
    /// The same product at every level.
    Tree,
    /// A whole period.
    Period,
    /// Its own slice in virtual time.
    OwnSlice,
}

/// Credit of a sleeper that comes back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Credit {
    /// One latency, tasks only.
    Tasks,
    /// One latency, groups too.
    Everyone,
    /// One latency, in the queue's virtual time if NORMALIZED_SLEEPER.
    Normalized,
    /// The same, halved if GENTLE_FAIR_SLEEPERS.
    Gentle,
}

/// Wakeup preemption test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Preempt {
    /// Unsigned comparison; granularity scaled for every running weight but 1024 (2.6.24).
    Unsigned,
    /// Unsigned comparison; granularity scaled for running weights above 1024 only (2.6.25).
    UnsignedHeavy,
    /// Signed; scaled for running weights above 1024 only (2.6.26).
    Heavy,
    /// Signed; scaled by queue load / weight at every level (2.6.27).
    Asymmetric,
    /// Granularity shrinks as the running entity goes on; scaled by the woken weight (2.6.32).
    Adaptive,
}

/// Choice among queued entities.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pick {
    /// Leftmost (2.6.24).
    Leftmost,
    /// Last woken, within a window that shrinks with the queue's load (2.6.25).
    ShrinkingWindow,
    /// Last woken, within the wakeup granularity (2.6.26).
    Window,
    /// Last woken, until the pair has used up a slice (2.6.27).
    PairSlice,
    /// Last preempted, within the wakeup granularity (2.6.32).
    LastBuddy,
}

/// Slice timers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Hrtick {
    /// None.
    Absent,
    /// A request is noted and becomes a timer at the end of `schedule()` or on the way out of an interrupt.
    Deferred,
    /// Armed at once.
    Direct,
}

/// Order in which the balancer looks at the tasks of a queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Walk {
    /// Tree order; the running task is not in the tree.
    Tree,
    /// Newest first, but the oldest entry of the list is never reached (a flaw that was kept on purpose).
    AllButOldest,
    /// Newest first.
    All,
    /// Newest first, on a list of tasks without groups.
    Tasks,
}

/// What `rq.load` sums.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RqLoad {
    /// Weights of all runnable tasks.
    Tasks,
    /// Weights of the entities of the top queue, and of real-time tasks.
    TopEntities,
    /// Weights of the entities of the top queue.
    TopFair,
}

/// Weight of a group's entity on one CPU.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shares {
    /// All shares on every CPU.
    Full,
    /// Split by where the tasks are (2.6.27).
    Split,
    /// The same, with a threshold (2.6.32).
    SplitThresh,
}

/// What may be added to the difference of two groups before the small-imbalance rule says no.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SmallFuzz {
    /// 1024.
    Scale,
    /// Twice the load per task.
    TwoTasks,
    /// The load per task.
    OneTask,
}

/// `SCHED_RT` throttling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Throttle {
    /// None.
    Absent,
    /// A period that each CPU looks at itself.
    PerCpu,
    /// A timer for all CPUs, with borrowing.
    Timer,
}

/// A release.
#[derive(Debug)]
pub(super) struct Version {
    /// Policy key.
    pub key: &'static str,
    /// Knobs in the order of the tunables.
    pub knobs: &'static [Knob],
    /// Groups are one level below a top queue, where the root group's tasks form a group like the others.
    pub two_levels: bool,
    /// Inverse weights.
    pub inverse: Inverse,
    /// `SCHED_IDLE` weight and inverse (a negative 32-bit constant widened to 64 bits until 2.6.27).
    pub idle_weight: (u64, u64),
    /// Period of more than `nr_latency` entities: latency x nr / nr_latency instead of min_granularity x nr.
    pub stretch_latency: bool,
    /// See the types.
    pub floor: Floor,
    pub rate: Rate,
    pub slice: Slice,
    pub debit: Debit,
    pub credit: Credit,
    /// Placement starts from the leftmost entity if that is behind `min_vruntime`.
    pub place_at_leftmost: bool,
    /// A new task is never placed before its inherited vruntime, and starts from the running entity's.
    pub fork_inherits: bool,
    /// The child-runs-first swap compares unsigned, and a fork always reschedules.
    pub fork_reschedules: bool,
    /// Load and count are updated before an entity is placed.
    pub account_first: bool,
    pub preempt: Preempt,
    pub pick: Pick,
    pub hrtick: Hrtick,
    /// Other CPUs' clocks can be refreshed.
    pub remote_clock: bool,
    /// The clock of a sleeper's CPU is refreshed before a CPU is chosen for it.
    pub clock_at_wakeup: bool,
    pub walk: Walk,
    pub rq_load: RqLoad,
    pub shares: Shares,
    pub small_fuzz: SmallFuzz,
    /// A task too heavy for the imbalance is moved if its priority beats those here; 1024 is added to the rest.
    pub prio_preference: bool,
    /// Without groups, loads inside groups are not computed at all and stay 0, so that the balancer takes every task
    /// that may move and counts none of them (2.6.32).
    pub blind_without_groups: bool,
    /// `SD_BALANCE_FORK` on all domains, not only between NUMA nodes.
    pub balance_fork: bool,
    /// A newly idle attempt ends the walk over domains even if it moved nothing.
    pub newidle_ends: bool,
    /// Domain constants and CPU choice of 2.6.32 (`select_task_rq`).
    pub select_by_domain: bool,
    /// Real-time tasks are balanced like others instead of pushed and pulled.
    pub rt_balanced: bool,
    pub throttle: Throttle,
    /// CPU power follows real-time load.
    pub dynamic_power: bool,
    /// Averages of how tasks run and wake others (`avg_wakeup`, `avg_running`).
    pub averages: bool,
    /// A wakeup is stamped in `try_to_wake_up`, also when it does not preempt.
    pub last_wakeup_at_wakeup: bool,
}

const IDLE_SIGN_EXTENDED: (u64, u64) = (2, 0xFFFF_FFFF_8000_0000);

const V24: Version = Version {
    key: "cfs-2.6.24",
    knobs: &knobs::V24_KNOBS,
    two_levels: true,
    inverse: Inverse::Plain,
    idle_weight: IDLE_SIGN_EXTENDED,
    stretch_latency: true,
    floor: Floor::Charge,
    rate: Rate::Weight,
    slice: Slice::ExactFlat,
    debit: Debit::Flat,
    credit: Credit::Tasks,
    place_at_leftmost: false,
    fork_inherits: false,
    fork_reschedules: true,
    account_first: false,
    preempt: Preempt::Unsigned,
    pick: Pick::Leftmost,
    hrtick: Hrtick::Absent,
    remote_clock: false,
    clock_at_wakeup: false,
    walk: Walk::Tree,
    rq_load: RqLoad::Tasks,
    shares: Shares::Full,
    small_fuzz: SmallFuzz::Scale,
    prio_preference: true,
    blind_without_groups: false,
    balance_fork: false,
    newidle_ends: false,
    select_by_domain: false,
    rt_balanced: true,
    throttle: Throttle::Absent,
    dynamic_power: false,
    averages: false,
    last_wakeup_at_wakeup: false,
};

const V25: Version = Version {
    key: "cfs-2.6.25",
    knobs: &knobs::V25_KNOBS,
    inverse: Inverse::Rounded,
    stretch_latency: false,
    floor: Floor::Leftmost,
    slice: Slice::RoundedFlat,
    credit: Credit::Everyone,
    place_at_leftmost: true,
    preempt: Preempt::UnsignedHeavy,
    pick: Pick::ShrinkingWindow,
    hrtick: Hrtick::Deferred,
    balance_fork: true,
    rt_balanced: false,
    throttle: Throttle::PerCpu,
    ..V24
};

const V26_BASE: Version = Version {
    key: "cfs-2.6.26-rc",
    knobs: &knobs::V26_KNOBS,
    two_levels: false,
    inverse: Inverse::RoundedUp,
    slice: Slice::ExactTree,
    debit: Debit::Tree,
    account_first: true,
    preempt: Preempt::Heavy,
    pick: Pick::Window,
    remote_clock: true,
    walk: Walk::All,
    throttle: Throttle::Timer,
    ..V25
};

const V26: Version = Version { key: "cfs-2.6.26", walk: Walk::AllButOldest, ..V26_BASE };

const SMP_GROUP: Version = Version {
    key: "cfs-smp-group",
    knobs: &knobs::SMP_GROUP_KNOBS,
    rate: Rate::QueueShare,
    slice: Slice::RoundedTree,
    debit: Debit::Period,
    credit: Credit::Normalized,
    preempt: Preempt::Asymmetric,
    pick: Pick::PairSlice,
    rq_load: RqLoad::TopEntities,
    shares: Shares::Split,
    small_fuzz: SmallFuzz::TwoTasks,
    prio_preference: false,
    ..V26_BASE
};

const V27: Version = Version {
    key: "cfs-2.6.27",
    knobs: &knobs::V27_KNOBS,
    hrtick: Hrtick::Direct,
    walk: Walk::AllButOldest,
    last_wakeup_at_wakeup: true,
    ..SMP_GROUP
};

const V32: Version = Version {
    key: "cfs-2.6.32",
    knobs: &knobs::V32_KNOBS,
    idle_weight: (3, 1_431_655_765),
    floor: Floor::ChargeAndDequeue,
    rate: Rate::Weight,
    slice: Slice::RoundedTreeWithSelf,
    debit: Debit::OwnSlice,
    credit: Credit::Gentle,
    place_at_leftmost: false,
    fork_inherits: true,
    fork_reschedules: false,
    preempt: Preempt::Adaptive,
    pick: Pick::LastBuddy,
    clock_at_wakeup: true,
    walk: Walk::Tasks,
    rq_load: RqLoad::TopFair,
    shares: Shares::SplitThresh,
    small_fuzz: SmallFuzz::OneTask,
    blind_without_groups: true,
    newidle_ends: true,
    select_by_domain: true,
    dynamic_power: true,
    averages: true,
    ..V27
};

/// All releases, in historical order (the series "SMP-group balancer take 3" left 2.6.26-rc8 before 2.6.26 was out).
pub(super) static VERSIONS: [Version; 7] = [V24, V25, V26_BASE, SMP_GROUP, V26, V27, V32];

/// The release with this policy key.
pub(super) fn version(key: &str) -> &'static Version {
    VERSIONS.iter().find(|version| version.key == key).expect("the registry only names keys of VERSIONS")
}
