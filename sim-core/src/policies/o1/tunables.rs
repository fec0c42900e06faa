//! Kernel constants as knobs, with the defaults that each release computed from HZ.

use super::cpurc::{APRIL_KNOBS, KNOBS, V0_3_KNOBS};
use crate::inspect::Unit;
use crate::policy::{Shape, TunableSpec};

/// ms in ticks, at least 1 (`max(ms * HZ / 1000, 1)`).
const fn ticks(shape: Shape, ms: i64) -> i64 {
    let ticks = ms * shape.hz as i64 / 1000;
    if ticks > 0 { ticks } else { 1 }
}

macro_rules! knob {
    ($key:expr, $help:expr, $unit:ident, $min:literal..=$max:literal, $golden:expr, $default:expr) => {
        TunableSpec {
            key: $key,
            help: $help,
            unit: Unit::$unit,
            min: $min,
            max: $max,
            default: $default,
            golden: Some($golden),
        }
    };
}

/// Constants of one sched-domain level. Numbers are those of `SD_SIBLING_INIT`, `SD_CPU_INIT`, `SD_NODE_INIT`.
macro_rules! domain_knobs {
    ($level:literal, $name:literal, [$min:expr, $max:expr, $busy:expr, $pct:expr, $tries:expr],
     [$busy_idx:expr, $idle_idx:expr, $newidle_idx:expr, $wake_idx:expr, $forkexec_idx:expr], $hot:expr) => {
        [
            knob!(
                concat!($level, "_min_interval_ms"),
                concat!($name, ": shortest balancing interval, ms"),
                Count,
                1..=1000,
                concat!("sched_domains.", $level, ".min_interval_ms"),
                |_| $min
            ),
            knob!(
                concat!($level, "_max_interval_ms"),
                concat!($name, ": longest balancing interval, ms"),
                Count,
                1..=1000,
                concat!("sched_domains.", $level, ".max_interval_ms"),
                |_| $max
            ),
            knob!(
                concat!($level, "_busy_factor"),
                concat!($name, ": a busy CPU balances so many times more rarely"),
                Count,
                1..=1000,
                concat!("sched_domains.", $level, ".busy_factor"),
                |_| $busy
            ),
            knob!(
                concat!($level, "_imbalance_pct"),
                concat!($name, ": smallest imbalance that counts"),
                Percent,
                100..=1000,
                concat!("sched_domains.", $level, ".imbalance_pct"),
                |_| $pct
            ),
            knob!(
                concat!($level, "_cache_nice_tries"),
                concat!($name, ": failures before cache-hot tasks are taken"),
                Count,
                0..=100,
                concat!("sched_domains.", $level, ".cache_nice_tries"),
                |_| $tries
            ),
            knob!(
                concat!($level, "_busy_idx"),
                concat!($name, ": load average of a busy CPU (0 = present load)"),
                Count,
                0..=3,
                concat!("sched_domains.", $level, ".busy_idx"),
                |_| $busy_idx
            ),
            knob!(
                concat!($level, "_idle_idx"),
                concat!($name, ": load average of an idle CPU"),
                Count,
                0..=3,
                concat!("sched_domains.", $level, ".idle_idx"),
                |_| $idle_idx
            ),
            knob!(
                concat!($level, "_newidle_idx"),
                concat!($name, ": load average of a CPU that runs empty"),
                Count,
                0..=3,
                concat!("sched_domains.", $level, ".newidle_idx"),
                |_| $newidle_idx
            ),
            knob!(
                concat!($level, "_wake_idx"),
                concat!($name, ": load average at wakeup"),
                Count,
                0..=3,
                concat!("sched_domains.", $level, ".wake_idx"),
                |_| $wake_idx
            ),
            knob!(
                concat!($level, "_forkexec_idx"),
                concat!($name, ": load average at fork and exec"),
                Count,
                0..=3,
                concat!("sched_domains.", $level, ".forkexec_idx"),
                |_| $forkexec_idx
            ),
            knob!(
                concat!($level, "_cache_hot_ns"),
                concat!($name, ": a task that ran so recently is cache hot"),
                Nanos,
                0..=1_000_000_000,
                concat!("sched_domains.", $level, ".cache_hot_time_ns"),
                |_| $hot
            ),
        ]
    };
}

/// Constants of `kernel/sched.c` in 2.6.
const COMMON: [TunableSpec; 11] = [
    knob!("min_timeslice", "Shortest time slice (MIN_TIMESLICE)", Ticks, 1..=10_000, "MIN_TIMESLICE_ticks", |shape| {
        ticks(shape, 5)
    }),
    knob!("def_timeslice", "Time slice of nice 0 (DEF_TIMESLICE)", Ticks, 1..=10_000, "DEF_TIMESLICE_ticks", |shape| {
        ticks(shape, 100)
    }),
    knob!(
        "max_sleep_avg",
        "Sleep that gives the full bonus (MAX_SLEEP_AVG)",
        Ticks,
        1..=100_000,
        "MAX_SLEEP_AVG_ticks",
        |shape| ticks(shape, 100) * 10
    ),
    knob!(
        "starvation_limit",
        "Expired tasks wait at most this long per runnable task; 0 = for ever (STARVATION_LIMIT)",
        Ticks,
        0..=100_000,
        "STARVATION_LIMIT_ticks",
        |shape| ticks(shape, 100) * 10
    ),
    knob!(
        "granularity",
        "Smallest piece of an interactive task's slice (GRANULARITY)",
        Ticks,
        1..=10_000,
        "GRANULARITY_ticks",
        |shape| ticks(shape, 10)
    ),
    knob!(
        "prio_bonus_ratio",
        "Share of the nice range that bonuses span",
        Percent,
        5..=100,
        "PRIO_BONUS_RATIO",
        |_| 25
    ),
    knob!(
        "interactive_delta",
        "Bonus that makes a nice-0 task interactive",
        Count,
        -5..=10,
        "INTERACTIVE_DELTA",
        |_| 2
    ),
    knob!(
        "on_runqueue_weight",
        "Share of the queue wait that counts as sleep after a wakeup by a task",
        Percent,
        0..=100,
        "ON_RUNQUEUE_WEIGHT",
        |_| 30
    ),
    knob!("child_penalty", "Share of the bonus that a child inherits", Percent, 0..=100, "CHILD_PENALTY", |_| 95),
    knob!(
        "parent_penalty",
        "Share of the bonus that a parent keeps at fork",
        Percent,
        0..=100,
        "PARENT_PENALTY",
        |_| 100
    ),
    knob!(
        "exit_weight",
        "Weight of the parent when a child's sleep_avg is mixed in at exit",
        Count,
        0..=100,
        "EXIT_WEIGHT",
        |_| 3
    ),
];

const SMPNICE: TunableSpec = TunableSpec {
    key: "smpnice",
    help: "Weigh run queue loads by priority (1, as released) or count tasks (0)",
    unit: Unit::Count,
    min: 0,
    max: 1,
    default: |_| 1,
    golden: None,
};

const fn joined<const P: usize, const N: usize>(parts: [&[TunableSpec]; P]) -> [TunableSpec; N] {
    let mut all = [SMPNICE; N];
    let (mut at, mut part) = (0, 0);
    while part < parts.len() {
        let mut index = 0;
        while index < parts[part].len() {
            let spec = &parts[part][index];
            all[at] = TunableSpec {
                key: spec.key,
                help: spec.help,
                unit: spec.unit,
                min: spec.min,
                max: spec.max,
                default: spec.default,
                golden: spec.golden,
            };
            at += 1;
            index += 1;
        }
        part += 1;
    }
    assert!(at == N, "length of the joined table");
    all
}

/// 2.6.15.
pub(super) static V2_6_15: [TunableSpec; 45] = V2_6_15_SPECS;

const V2_6_15_SPECS: [TunableSpec; 45] = joined([
    &COMMON,
    &[SMPNICE],
    &domain_knobs!("smt", "SMT siblings", [1, 2, 8, 110, 0], [0, 0, 1, 0, 0], 0),
    &domain_knobs!("phys", "CPUs", [1, 4, 64, 125, 1], [2, 1, 2, 1, 1], 2_500_000),
    &domain_knobs!("numa", "NUMA nodes", [8, 32, 32, 125, 2], [3, 2, 0, 1, 1], 10_000_000),
]);

/// 2.6.15 with classes, v0.3.
pub(super) static CPURC_0_3: [TunableSpec; 45 + KNOBS] = joined([&V0_3_KNOBS, &V2_6_15_SPECS]);

/// 2.6.15 with classes as of April 2006.
pub(super) static CPURC_APRIL: [TunableSpec; 45 + KNOBS] = joined([&APRIL_KNOBS, &V2_6_15_SPECS]);

/// 2.6.18. Cache-hot times are measured at boot; 2 ms is what a 1 MiB cache gives.
pub(super) static V2_6_18: [TunableSpec; 44] = joined([
    &COMMON,
    &[],
    &domain_knobs!("smt", "SMT siblings", [1, 2, 8, 110, 0], [0, 0, 1, 0, 0], 0),
    &domain_knobs!("phys", "CPUs", [1, 4, 64, 125, 1], [2, 1, 2, 1, 1], 2_000_000),
    &domain_knobs!("numa", "NUMA nodes", [8, 32, 32, 125, 2], [3, 2, 0, 1, 1], 10_000_000),
]);

/// 2.6.21.
pub(super) static V2_6_21: [TunableSpec; 44] = joined([
    &COMMON,
    &[],
    &domain_knobs!("smt", "SMT siblings", [1, 2, 64, 110, 0], [0, 0, 1, 0, 0], 0),
    &domain_knobs!("phys", "CPUs", [1, 4, 64, 125, 1], [2, 1, 2, 1, 1], 2_000_000),
    &domain_knobs!("numa", "NUMA nodes", [8, 32, 32, 125, 2], [3, 2, 0, 1, 1], 10_000_000),
]);

/// The K series and the 2.4 backports.
pub(super) static K3: [TunableSpec; 12] = [
    knob!(
        "min_timeslice",
        "Time slice of nice 19 (MIN_TIMESLICE)",
        Ticks,
        1..=10_000,
        "MIN_TIMESLICE_ticks",
        |shape| { ticks(shape, 10) }
    ),
    knob!(
        "max_timeslice",
        "Time slice of nice -20 (MAX_TIMESLICE)",
        Ticks,
        1..=10_000,
        "MAX_TIMESLICE_ticks",
        |shape| { ticks(shape, 300) }
    ),
    knob!(
        "max_sleep_avg",
        "Sleep that gives the full bonus (MAX_SLEEP_AVG)",
        Ticks,
        1..=100_000,
        "MAX_SLEEP_AVG_ticks",
        |shape| 2 * i64::from(shape.hz)
    ),
    knob!(
        "starvation_limit",
        "Expired tasks wait at most this long per runnable task (STARVATION_LIMIT)",
        Ticks,
        0..=100_000,
        "STARVATION_LIMIT_ticks",
        |shape| 2 * i64::from(shape.hz)
    ),
    knob!(
        "prio_bonus_ratio",
        "Share of the nice range that bonuses span",
        Percent,
        5..=100,
        "PRIO_BONUS_RATIO",
        |_| 25
    ),
    knob!(
        "interactive_delta",
        "Bonus that makes a nice-0 task interactive",
        Count,
        -5..=10,
        "INTERACTIVE_DELTA",
        |_| 2
    ),
    knob!("child_penalty", "Share of sleep_avg that a child inherits", Percent, 0..=100, "CHILD_PENALTY", |_| 95),
    knob!(
        "parent_penalty",
        "Share of sleep_avg that a parent keeps at fork",
        Percent,
        0..=100,
        "PARENT_PENALTY",
        |_| 100
    ),
    knob!(
        "exit_weight",
        "Weight of the parent when a child's sleep_avg is mixed in at exit",
        Count,
        0..=100,
        "EXIT_WEIGHT",
        |_| 3
    ),
    knob!(
        "cache_decay_ticks",
        "A task that left the CPU no longer ago is cache hot",
        Ticks,
        0..=10_000,
        "cache_decay_ticks",
        |_| 1
    ),
    knob!(
        "busy_rebalance_tick",
        "A busy CPU balances every so many ticks (BUSY_REBALANCE_TICK)",
        Ticks,
        1..=10_000,
        "BUSY_REBALANCE_TICK",
        |shape| ticks(shape, 250)
    ),
    knob!(
        "idle_rebalance_tick",
        "An idle CPU balances every so many ticks (IDLE_REBALANCE_TICK)",
        Ticks,
        1..=10_000,
        "IDLE_REBALANCE_TICK",
        |shape| ticks(shape, 1)
    ),
];

macro_rules! january {
    ($penalty_golden:literal, $penalty:expr, $rebalance_ms:expr) => {
        [
            knob!(
                "min_timeslice",
                "Time slice of the worst priority (MIN_TIMESLICE)",
                Ticks,
                1..=10_000,
                "MIN_TIMESLICE_ticks",
                |shape| ticks(shape, 20)
            ),
            knob!(
                "max_timeslice",
                "Time slice of the best priority (MAX_TIMESLICE)",
                Ticks,
                1..=10_000,
                "MAX_TIMESLICE_ticks",
                |shape| ticks(shape, 150)
            ),
            knob!("max_penalty", "Priority steps that a pure hog loses", Count, 0..=40, $penalty_golden, |_| $penalty),
            knob!(
                "rebalance_tick",
                "An idle CPU balances every so many ticks (REBALANCE_TICK)",
                Ticks,
                1..=10_000,
                "REBALANCE_TICK",
                |shape| ticks(shape, $rebalance_ms)
            ),
        ]
    };
}

/// A0 to C1.
pub(super) static B1: [TunableSpec; 4] = january!("MAX_BOOST", 21, 10);

/// 2.5.2-pre10.
pub(super) static PRE10: [TunableSpec; 4] = january!("MAX_PENALTY", 13, 10);

/// 2.5.2.
pub(super) static V2_5_2: [TunableSpec; 4] = [
    knob!(
        "min_timeslice",
        "Time slice of the worst priority (MIN_TIMESLICE)",
        Ticks,
        1..=10_000,
        "MIN_TIMESLICE_ticks",
        |shape| ticks(shape, 20)
    ),
    knob!(
        "max_timeslice",
        "Time slice of the best priority (MAX_TIMESLICE)",
        Ticks,
        1..=10_000,
        "MAX_TIMESLICE_ticks",
        |shape| ticks(shape, 150)
    ),
    knob!(
        "prio_interactive",
        "Worst priority that stays in the active array when its slice ends (PRIO_INTERACTIVE)",
        Prio,
        127..=167,
        "PRIO_INTERACTIVE",
        |_| 138
    ),
    knob!(
        "rebalance_tick",
        "An idle CPU balances every so many ticks (REBALANCE_TICK)",
        Ticks,
        1..=10_000,
        "REBALANCE_TICK",
        |shape| ticks(shape, 250)
    ),
];
