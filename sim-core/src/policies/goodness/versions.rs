//! What differs between releases, and the registry rows.

use super::{Goodness, Why};
use crate::inspect::Unit;
use crate::kernel::sim;
use crate::policy::{Caps, PolicyEntry, PolicyInfo, TunableSpec};

/// How the tick and refill account a slice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Account {
    /// 2.4: `counter` counts in goodness; a refill halves what is left and reaches every task.
    Counter,
    /// Split: `time_slice` only says whether any is left, `dyn_prio` counts; a refill reaches runnable tasks only.
    Split {
        /// Yield throws the slice away and gives a point (mainline), or only moves the task (-aa).
        yield_drops_slice: bool,
    },
}

/// What a release does differently.
#[derive(Debug)]
pub(super) struct Version {
    pub key: &'static str,
    pub account: Account,
    /// A woken task goes to the head of the list (until 2.4.17), else to its tail (2.4.27).
    pub wake_at_head: bool,
    /// FIFO tasks with a used-up counter are rescheduled at every tick.
    pub tick_reschedules_fifo: bool,
    /// Parent gets a child's ticks back only if it died in the epoch of its birth.
    pub exit_needs_same_epoch: bool,
}

pub(super) static VERSIONS: [Version; 4] = [
    Version {
        key: "linux-2.4",
        account: Account::Counter,
        wake_at_head: true,
        tick_reschedules_fifo: true,
        exit_needs_same_epoch: false,
    },
    Version {
        key: "linux-2.4.27",
        account: Account::Counter,
        wake_at_head: false,
        tick_reschedules_fifo: false,
        exit_needs_same_epoch: false,
    },
    Version {
        key: "linux-2.5.2-pre9",
        account: Account::Split { yield_drops_slice: true },
        wake_at_head: true,
        tick_reschedules_fifo: true,
        exit_needs_same_epoch: false,
    },
    Version {
        key: "linux-2.4-aa",
        account: Account::Split { yield_drops_slice: false },
        wake_at_head: true,
        tick_reschedules_fifo: true,
        exit_needs_same_epoch: true,
    },
];

/// Indices into the tunables.
pub(super) mod tunable {
    pub const PROC_CHANGE_PENALTY: usize = 0;
    pub const SAME_MM_BONUS: usize = 1;
    pub const MAX_COUNTER: usize = 2;
    pub const QUANTUM_PERCENT: usize = 3;
    pub const MAX_DYNPRIO: usize = 4;
    pub const COUNT: usize = 5;
}

macro_rules! common_tunables {
    ($quantum_percent:expr, $max_dynprio:expr) => {
        &[
            TunableSpec {
                key: "proc_change_penalty",
                help: "Goodness for a task that last ran on this CPU (more than one CPU)",
                unit: Unit::Count,
                min: 0,
                max: 100,
                default: |_| 15,
                golden: Some("PROC_CHANGE_PENALTY"),
            },
            TunableSpec {
                key: "same_mm_bonus",
                help: "Goodness for a task that shares the address space of the one that leaves",
                unit: Unit::Count,
                min: 0,
                max: 20,
                default: |_| 1,
                golden: None,
            },
            TunableSpec {
                key: "max_counter",
                help: "Most ticks that a parent can hold after a child gave its own back",
                unit: Unit::Ticks,
                min: 1,
                max: 10_000,
                default: |shape| 20 * i64::from(shape.hz) / 100,
                golden: Some("MAX_COUNTER"),
            },
            TunableSpec {
                key: "quantum_percent",
                help: "Quantum of every nice level, in percent of the kernel's",
                unit: Unit::Percent,
                min: 10,
                max: 1000,
                default: |_| $quantum_percent,
                golden: None,
            },
            TunableSpec {
                key: "max_dynprio",
                help: "Most points that refills missed while asleep can give (time-slice split only; 0 = the quantum)",
                unit: Unit::Count,
                min: 0,
                max: 100,
                default: |_| $max_dynprio,
                golden: None,
            },
        ]
    };
}

const CAPS: Caps = Caps { rt: true, ..Caps::NONE };

const fn entry(
    key: &'static str,
    title: &'static str,
    kernel: &'static str,
    summary: &'static str,
    tunables: &'static [TunableSpec],
    golden: &'static [&'static str],
    golden_matched: (u32, u32),
) -> PolicyEntry {
    PolicyEntry {
        info: PolicyInfo {
            key,
            title,
            family: "goodness",
            kernel,
            summary,
            tunables,
            reasons: Why::TABLE,
            notes: &["recalculation"],
            caps: CAPS,
            golden,
            golden_matched,
        },
        build: sim::build::<Goodness>,
    }
}

/// The family, oldest first.
pub static POLICIES: &[PolicyEntry] = &[
    entry(
        "linux-2.4",
        "Linux 2.4 goodness",
        "Linux 2.4.17, December 2001",
        "One list for all CPUs. Every decision scores every runnable task; when all quanta are used up, the counters \
         of all tasks in the system are refilled. The cost of a decision grows with the number of runnable tasks.",
        common_tunables!(100, 0),
        &["2.4.17"],
        (13, 13),
    ),
    entry(
        "linux-2.4.27",
        "Linux 2.4 goodness, late",
        "Linux 2.4.27, August 2004",
        "The same scan; a woken task joins the end of the list, and FIFO tasks are left alone by the tick.",
        common_tunables!(100, 0),
        &["2.4.27"],
        (26, 26),
    ),
    entry(
        "linux-2.5.2-pre9",
        "Time-slice split",
        "Linux 2.5.2-pre9, January 2002",
        "The goodness scan with the counter split in two: a slice that is either left or not, and a priority that \
         grows with every refill slept through. Refills touch runnable tasks only. The baseline of the first O(1) post.",
        common_tunables!(67, 40),
        &[],
        (0, 0),
    ),
    entry(
        "linux-2.4-aa",
        "Time-slice split, -aa",
        "Linux 2.4.19-pre8aa, 2002 (dyn-sched)",
        "The time-slice split as repaired in the -aa tree: a yield keeps the slice, and sleep can at most double it.",
        common_tunables!(67, 0),
        &[],
        (0, 0),
    ),
];
