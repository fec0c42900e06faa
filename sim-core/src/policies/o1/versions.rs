//! The releases as data: what each does differently. Rules live in the other files; nothing there knows a key.

use super::cpurc;
use crate::queues::domain_balance::{Era, LoadUnit};

/// How a scheduler of the family judges who sleeps and who computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Estimator {
    /// Four slots of one second tell how much a task slept; a penalty follows the load (January 2002, up to pre10).
    History,
    /// Sleeping lowers the priority number, a used-up slice raises it (2.5.2).
    Steps,
    /// `sleep_avg` in ticks (K series and the 2.4 backports).
    Ticks,
    /// `sleep_avg` in nanoseconds (2.6).
    Nanos,
}

/// Differences between the 2.6 releases.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Nanos {
    /// A long sleep is worth 900 ms at once, and every gain is multiplied by 10 - bonus; else a long sleep lifts to the
    /// interactivity ceiling and gains are as long as the sleep.
    pub multiplied_gain: bool,
    /// The picked task goes to the tail of its list even when its queue wait did not change its priority.
    pub requeues_unchanged: bool,
    /// `SCHED_BATCH` exists.
    pub batch: bool,
    /// `DELTA` of negative nice levels rounds down, else toward zero.
    pub delta_floor: bool,
    /// `most_recent_timestamp` (switches and ticks) is the queue's clock, else `timestamp_last_tick`.
    pub clock_at_switch: bool,
    /// RT tasks keep their time stamp at wakeup.
    pub rt_keeps_timestamp: bool,
    /// A parent left without a slice by fork goes through the whole tick, balancing included.
    pub fork_runs_whole_tick: bool,
    /// A changed nice level keeps the bonus.
    pub nice_keeps_bonus: bool,
    /// Balancer.
    pub era: Era,
}

/// One release.
#[derive(Debug)]
pub(super) struct Version {
    /// Stable key.
    pub key: &'static str,
    /// How interactivity is judged.
    pub estimator: Estimator,
    /// Number of priorities (`MAX_PRIO`).
    pub levels: u8,
    /// First priority that is not real time (`MAX_RT_PRIO`).
    pub first_normal: u8,
    /// Priority of nice -20.
    pub first_user: u8,
    /// Subtracted from a priority that is shown. A0..C1 had 64 priorities and a separate array for real time; here the
    /// latter are the first 100 of one array.
    pub shown_offset: u8,
    /// The balancer also runs at every busy tick (up to pre10).
    pub balances_every_tick: bool,
    /// A penalty of 0 leaves the old priority in place (A0..C1).
    pub keeps_prio_without_penalty: bool,
    /// Used-up slices of good priorities go back to the active array (since D1).
    pub reactivates: bool,
    /// Differences between the 2.6 releases; unused before.
    pub nanos: Nanos,
    /// Classes with guarantees (CKRM).
    pub classes: Option<&'static cpurc::Release>,
}

const NR_CPUS: u32 = 8;

const V2_6_15: Nanos = Nanos {
    multiplied_gain: true,
    requeues_unchanged: true,
    batch: false,
    delta_floor: false,
    clock_at_switch: false,
    rt_keeps_timestamp: false,
    fork_runs_whole_tick: true,
    nice_keeps_bonus: false,
    era: Era {
        nr_cpus_in_tick: Some(NR_CPUS),
        one_per_group: false,
        retries_pinned: false,
        wake_idle_needs_one: false,
        thread_power_pct: 10,
        load: LoadUnit::Biased,
    },
};

const V2_6_18: Nanos = Nanos {
    multiplied_gain: false,
    requeues_unchanged: false,
    batch: true,
    delta_floor: true,
    nice_keeps_bonus: true,
    era: Era { load: LoadUnit::Weight, ..V2_6_15.era },
    ..V2_6_15
};

const V2_6_21: Nanos = Nanos {
    clock_at_switch: true,
    rt_keeps_timestamp: true,
    fork_runs_whole_tick: false,
    era: Era::V2_6_21,
    ..V2_6_18
};

const HISTORY_64: Version = Version {
    key: "o1-2.5.2-b1",
    estimator: Estimator::History,
    levels: 164,
    first_normal: 100,
    first_user: 124,
    shown_offset: 100,
    balances_every_tick: true,
    keeps_prio_without_penalty: true,
    reactivates: false,
    nanos: V2_6_15,
    classes: None,
};

const PRE10: Version = Version {
    key: "o1-2.5.2-pre10",
    levels: 168,
    first_normal: 128,
    first_user: 128,
    shown_offset: 0,
    keeps_prio_without_penalty: false,
    reactivates: true,
    ..HISTORY_64
};

const K3: Version = Version {
    key: "o1-2.4-ac",
    estimator: Estimator::Ticks,
    levels: 140,
    first_normal: 100,
    first_user: 100,
    balances_every_tick: false,
    ..PRE10
};

/// All releases, in historical order.
pub(super) static VERSIONS: [Version; 10] = [
    HISTORY_64,
    Version { key: "o1-2.5.2-c1", ..HISTORY_64 },
    PRE10,
    Version { key: "o1-2.5.2", estimator: Estimator::Steps, balances_every_tick: false, ..PRE10 },
    K3,
    Version { key: "o1-2.6.15", estimator: Estimator::Nanos, nanos: V2_6_15, ..K3 },
    Version { key: "cpurc-0.3", estimator: Estimator::Nanos, classes: Some(&cpurc::V0_3), ..K3 },
    Version { key: "cpurc-apr", estimator: Estimator::Nanos, classes: Some(&cpurc::APRIL), ..K3 },
    Version { key: "o1-2.6.18", estimator: Estimator::Nanos, nanos: V2_6_18, ..K3 },
    Version { key: "o1-2.6.21", estimator: Estimator::Nanos, nanos: V2_6_21, ..K3 },
];

/// The release with this key.
pub(super) fn find(key: &str) -> &'static Version {
    VERSIONS.iter().find(|version| version.key == key).expect("the registry names only versions of this table")
}
