//! What differs between releases, and the registry rows.

use super::Fair;
use super::Why;
use crate::inspect::Unit;
use crate::kernel::sim;
use crate::policy::{Caps, PolicyEntry, PolicyInfo, Shape, TunableSpec};

/// Which fair class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Generation {
    /// CFS with buddies and gentle sleepers.
    Cfs515,
    /// First EEVDF.
    Eevdf66,
    /// EEVDF with delayed dequeue and relative deadlines.
    Eevdf612,
}

/// A release.
#[derive(Debug)]
pub struct Version {
    /// Policy key.
    pub key: &'static str,
    /// Fair class.
    pub generation: Generation,
    /// A new weight of a queued entity also moves its vruntime (6.6.57 and later).
    pub reweight_moves_v: bool,
    /// The idle test of a wakeup looks at the two tasks before the entities (6.6.0).
    pub idle_test_on_tasks: bool,
    /// Stable 6.12: buddy pick, yield by one whole deadline, a delayed group keeps its smallest slice.
    pub stable_612: bool,
    /// RT throttling (until 6.6) instead of the fair server.
    pub rt_throttling: bool,
    /// The first utilisation of a new task uses its scaled-down weight (6.10 and later).
    pub scaled_first_util: bool,
    /// A group hears of a CPU's load at most once per ms; any real-time task that waits and may move makes its CPU
    /// overloaded, not only one of two.
    pub since_6_7: bool,
    /// Idle spells shorter than the migration cost are not searched (before 6.0).
    pub newidle_by_migration_cost: bool,
}

/// Releases, oldest first.
pub static VERSIONS: [Version; 5] = [
    Version {
        key: "cfs-5.15",
        generation: Generation::Cfs515,
        reweight_moves_v: false,
        idle_test_on_tasks: true,
        stable_612: false,
        rt_throttling: true,
        scaled_first_util: false,
        since_6_7: false,
        newidle_by_migration_cost: true,
    },
    Version {
        key: "eevdf-6.6",
        generation: Generation::Eevdf66,
        reweight_moves_v: false,
        idle_test_on_tasks: true,
        stable_612: false,
        rt_throttling: true,
        scaled_first_util: false,
        since_6_7: false,
        newidle_by_migration_cost: false,
    },
    Version {
        key: "eevdf-6.6.57",
        generation: Generation::Eevdf66,
        reweight_moves_v: true,
        idle_test_on_tasks: false,
        stable_612: false,
        rt_throttling: true,
        scaled_first_util: false,
        since_6_7: false,
        newidle_by_migration_cost: false,
    },
    Version {
        key: "eevdf-6.12",
        generation: Generation::Eevdf612,
        reweight_moves_v: true,
        idle_test_on_tasks: false,
        stable_612: false,
        rt_throttling: false,
        scaled_first_util: true,
        since_6_7: true,
        newidle_by_migration_cost: false,
    },
    Version {
        key: "eevdf-6.12.94",
        generation: Generation::Eevdf612,
        reweight_moves_v: true,
        idle_test_on_tasks: false,
        stable_612: true,
        rt_throttling: false,
        scaled_first_util: true,
        since_6_7: true,
        newidle_by_migration_cost: false,
    },
];

/// Scale of the time tunables: 1 + log2 of the CPUs, at most 8 of them.
fn factor(shape: Shape) -> i64 {
    1 + i64::from(shape.cpus.min(8).ilog2())
}

const fn ns(
    key: &'static str,
    help: &'static str,
    default: fn(Shape) -> i64,
    golden: Option<&'static str>,
) -> TunableSpec {
    TunableSpec { key, help, unit: Unit::Nanos, min: 100_000, max: 1_000_000_000, default, golden }
}

const fn feature(
    key: &'static str,
    help: &'static str,
    default: fn(Shape) -> i64,
    golden: Option<&'static str>,
) -> TunableSpec {
    TunableSpec { key, help, unit: Unit::Count, min: 0, max: 1, default, golden }
}

/// Tunables that every version has, at the same indices.
macro_rules! tunables {
    ($($more:expr),* $(,)?) => {
        &[
            TunableSpec {
                key: "rt_period_us",
                help: "Period of real-time throttling, µs (no effect from 6.12 on)",
                unit: Unit::Count,
                min: 1_000,
                max: 10_000_000,
                default: |_| 1_000_000,
                golden: Some("rt_period_us"),
            },
            TunableSpec {
                key: "rt_runtime_us",
                help: "Time that real-time tasks may use of a period, µs; −1 = no limit",
                unit: Unit::Count,
                min: -1,
                max: 10_000_000,
                default: |_| 950_000,
                golden: Some("rt_runtime_us"),
            },
            ns("rr_timeslice_ns", "Quantum of SCHED_RR", |_| 100_000_000, Some("rr_timeslice_ns")),
            TunableSpec {
                key: "cfs_bandwidth_slice_us",
                help: "Portion of a group's quota that a CPU takes at a time, µs",
                unit: Unit::Count,
                min: 1_000,
                max: 1_000_000,
                default: |_| 5_000,
                golden: Some("cfs_bandwidth_slice_us"),
            },
            feature("wakeup_preemption", "A wakeup may preempt", |_| 1, Some("sched_features.WAKEUP_PREEMPTION")),
            $($more,)*
            feature(
                "sched_autogroup_enabled",
                "Each session of tasks competes as one group, whatever their nice levels",
                |_| 1,
                None,
            ),
        ]
    };
}

/// Indices of the tunables.
pub mod tunable {
    /// RT throttling period.
    pub const RT_PERIOD_US: usize = 0;
    /// RT throttling budget.
    pub const RT_RUNTIME_US: usize = 1;
    /// RR quantum.
    pub const RR_TIMESLICE_NS: usize = 2;
    /// Bandwidth portion.
    pub const BANDWIDTH_SLICE_US: usize = 3;
    /// Wakeup preemption.
    pub const WAKEUP_PREEMPTION: usize = 4;
    /// EEVDF: base slice. 5.15: latency.
    pub const FIRST: usize = 5;
}

static CFS_515: &[TunableSpec] = tunables![
    ns(
        "sched_latency_ns",
        "Everyone runs once in this time, while there are few tasks",
        |shape| 6_000_000 * factor(shape),
        Some("sched_latency_ns"),
    ),
    ns("min_granularity_ns", "Shortest slice", |shape| 750_000 * factor(shape), Some("min_granularity_ns"),),
    ns(
        "wakeup_granularity_ns",
        "Lead in virtual time that a woken task needs to preempt",
        |shape| 1_000_000 * factor(shape),
        Some("wakeup_granularity_ns"),
    ),
    feature(
        "gentle_fair_sleepers",
        "Sleepers are credited half a latency instead of a whole one",
        |_| 1,
        Some("sched_features.GENTLE_FAIR_SLEEPERS"),
    ),
    feature("start_debit", "New tasks start a slice behind", |_| 1, Some("sched_features.START_DEBIT")),
    feature("last_buddy", "A preempted task is preferred afterwards", |_| 1, Some("sched_features.LAST_BUDDY")),
];

macro_rules! eevdf_tunables {
    ($base:expr, $modern:expr, $stable:expr) => {
        tunables![
            ns(
                "base_slice_ns",
                "Slice of a task that did not ask for one",
                |shape| $base * factor(shape),
                Some("base_slice_ns"),
            ),
            feature("place_lag", "A waking task keeps its lag", |_| 1, Some("sched_features.PLACE_LAG")),
            feature(
                "place_deadline_initial",
                "A new task starts with half a slice",
                |_| 1,
                Some("sched_features.PLACE_DEADLINE_INITIAL"),
            ),
            feature(
                "place_rel_deadline",
                "A task that moves keeps what is left to its deadline (6.12)",
                |_| $modern,
                Some("sched_features.PLACE_REL_DEADLINE"),
            ),
            feature(
                "run_to_parity",
                "A picked task runs to its deadline or until it is not eligible",
                |_| 1,
                Some("sched_features.RUN_TO_PARITY"),
            ),
            feature(
                "preempt_short",
                "A waking task with a shorter slice breaks that protection (6.12)",
                |_| $modern,
                Some("sched_features.PREEMPT_SHORT"),
            ),
            feature(
                "delay_dequeue",
                "A sleeper that had too much stays queued until it is even (6.12)",
                |_| $modern,
                Some("sched_features.DELAY_DEQUEUE"),
            ),
            feature("delay_zero", "... and gains nothing by it (6.12)", |_| $modern, Some("sched_features.DELAY_ZERO")),
            feature(
                "pick_buddy",
                "The group of a sleeping task is picked again, if eligible (late 6.12)",
                |_| $stable,
                Some("sched_features.PICK_BUDDY"),
            ),
        ]
    };
}

static EEVDF_66: &[TunableSpec] = eevdf_tunables!(750_000, 0, 0);
static EEVDF_612: &[TunableSpec] = eevdf_tunables!(750_000, 1, 0);
static EEVDF_612_STABLE: &[TunableSpec] = eevdf_tunables!(700_000, 1, 1);

/// Switches of a running scheduler.
#[derive(Clone, Copy, Debug, Default)]
pub struct Features {
    /// See the tunables of the same names.
    pub place_lag: bool,
    /// New tasks get half a slice.
    pub place_deadline_initial: bool,
    /// Relative deadlines survive moves.
    pub place_rel_deadline: bool,
    /// Protection of the running task.
    pub run_to_parity: bool,
    /// Short slices break it.
    pub preempt_short: bool,
    /// Delayed dequeue.
    pub delay_dequeue: bool,
    /// No credit for it.
    pub delay_zero: bool,
    /// Buddy pick.
    pub pick_buddy: bool,
}

impl Features {
    /// Reads the EEVDF switches.
    pub fn of(generation: Generation, values: &[i64]) -> Features {
        if generation == Generation::Cfs515 {
            return Features::default();
        }
        let on = |offset: usize| values[tunable::FIRST + offset] != 0;
        Features {
            place_lag: on(1),
            place_deadline_initial: on(2),
            place_rel_deadline: on(3),
            run_to_parity: on(4),
            preempt_short: on(5),
            delay_dequeue: on(6),
            delay_zero: on(7),
            pick_buddy: on(8),
        }
    }
}

const fn entry(
    key: &'static str,
    title: &'static str,
    kernel: &'static str,
    summary: &'static str,
    tunables: &'static [TunableSpec],
    golden: &'static [&'static str],
    golden_matched: (u32, u32),
) -> PolicyEntry {
    let slice_request = tunables.len() == EEVDF_LEN && !matches!(key.as_bytes(), b"eevdf-6.6" | b"eevdf-6.6.57");
    PolicyEntry {
        info: PolicyInfo {
            key,
            title,
            family: "modern fair",
            kernel,
            summary,
            tunables,
            reasons: Why::TABLE,
            notes: &["throttled", "unthrottled", "period", "rt throttled", "fair server"],
            caps: Caps {
                batch: true,
                idle: true,
                groups: true,
                nested_groups: true,
                autogroup: true,
                bandwidth: true,
                slice_request,
                rt: true,
                ..Caps::NONE
            },
            golden,
            golden_matched,
        },
        build: sim::build::<Fair>,
    }
}

const EEVDF_LEN: usize = 15;

/// The family, oldest first.
pub static POLICIES: &[PolicyEntry] = &[
    entry(
        "cfs-5.15",
        "CFS, late",
        "Linux 5.15, October 2021",
        "The last years of the completely fair scheduler: the task with the smallest vruntime runs, sleepers get half \
         a latency of credit, buddies soften it.",
        CFS_515,
        &["5.15.85"],
        (16, 16),
    ),
    entry(
        "eevdf-6.6",
        "EEVDF",
        "Linux 6.6, October 2023",
        "Earliest eligible virtual deadline first: among the tasks that are owed time, the one whose slice ends first. \
         Lag is kept over sleep.",
        EEVDF_66,
        &["6.6.0"],
        (28, 28),
    ),
    entry(
        "eevdf-6.6.57",
        "EEVDF, stable 6.6",
        "Linux 6.6.57, October 2024",
        "EEVDF of 6.6 with the corrected change of weights and the idle test on entities.",
        EEVDF_66,
        &["6.6.57"],
        (2, 2),
    ),
    entry(
        "eevdf-6.12",
        "EEVDF with delayed dequeue",
        "Linux 6.12, November 2024",
        "EEVDF that keeps a sleeper with too much service queued until it is even, lets short slices preempt, and lets \
         a task ask for its slice.",
        EEVDF_612,
        &["6.12.0"],
        (32, 32),
    ),
    entry(
        "eevdf-6.12.94",
        "EEVDF, stable 6.12",
        "Linux 6.12.94, 2026",
        "EEVDF of late 6.12: a shorter base slice, and the group of a task that goes to sleep is picked again.",
        EEVDF_612_STABLE,
        &["6.12.94"],
        (4, 4),
    ),
];
