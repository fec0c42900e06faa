//! What is said about the family outside its folder.

use super::{Cfs, Why, knobs};
use crate::kernel::sim;
use crate::policy::{Caps, PolicyEntry, PolicyInfo};

const NOTES: &[&str] = &["real-time throttled", "real-time unthrottled", "pulled tasks", "active balancing"];

const CAPS: Caps = Caps { batch: true, idle: true, groups: true, nested_groups: true, rt: true, ..Caps::NONE };

const INFO: PolicyInfo = PolicyInfo {
    key: "",
    title: "",
    family: "CFS",
    kernel: "",
    summary: "",
    tunables: &[],
    reasons: Why::TABLE,
    notes: NOTES,
    caps: CAPS,
    golden: &[],
    golden_matched: (0, 0),
};

/// The releases, in historical order.
pub const POLICIES: &[PolicyEntry] = &[
    PolicyEntry {
        info: PolicyInfo {
            key: "cfs-2.6.24",
            title: "CFS 2.6.24",
            kernel: "Linux 2.6.24, January 2008",
            summary: "First release with group scheduling: two levels, full latency at each. Picks the leftmost entity, \
                      no buddies, no fork balancing.",
            tunables: &knobs::V24_TUNABLES,
            caps: Caps { nested_groups: false, ..CAPS },
            golden: &["2.6.24"],
            golden_matched: (19, 19),
            ..INFO
        },
        build: sim::build::<Cfs>,
    },
    PolicyEntry {
        info: PolicyInfo {
            key: "cfs-2.6.25",
            title: "CFS 2.6.25",
            kernel: "Linux 2.6.25, April 2008",
            summary: "Wakeup buddies, slice timers, fork balancing, real-time throttling. The floor of virtual time \
                      only follows the tree.",
            tunables: &knobs::V25_TUNABLES,
            caps: Caps { nested_groups: false, ..CAPS },
            golden: &["2.6.25"],
            golden_matched: (23, 23),
            ..INFO
        },
        build: sim::build::<Cfs>,
    },
    PolicyEntry {
        info: PolicyInfo {
            key: "cfs-2.6.26-rc",
            title: "CFS 2.6.26-rc8",
            kernel: "Linux 2.6.26-rc8 with the scheduler tree of 27 June 2008",
            summary: "Nested groups, slices over the whole hierarchy; the balancer sees every task. The base of the \
                      SMP-group series.",
            tunables: &knobs::V26_TUNABLES,
            golden: &["2.6.26-rc8-base-smpgroup"],
            golden_matched: (19, 19),
            ..INFO
        },
        build: sim::build::<Cfs>,
    },
    PolicyEntry {
        info: PolicyInfo {
            key: "cfs-smp-group",
            title: "CFS with the SMP-group balancer, take 3",
            kernel: "Linux 2.6.26-rc8 plus 30 patches, June 2008",
            summary: "A group's shares are split over the CPUs where its tasks are, and tasks are balanced by what \
                      they weigh at the top.",
            tunables: &knobs::SMP_GROUP_TUNABLES,
            golden: &["2.6.26-rc8-smpgroup"],
            golden_matched: (21, 21),
            ..INFO
        },
        build: sim::build::<Cfs>,
    },
    PolicyEntry {
        info: PolicyInfo {
            key: "cfs-2.6.26",
            title: "CFS 2.6.26",
            kernel: "Linux 2.6.26, July 2008",
            summary: "As 2.6.26-rc8, but the balancer never reaches the oldest entry of a queue: a flaw that was kept, \
                      because removing it slowed a database down.",
            tunables: &knobs::V26_TUNABLES,
            golden: &["2.6.26"],
            golden_matched: (13, 13),
            ..INFO
        },
        build: sim::build::<Cfs>,
    },
    PolicyEntry {
        info: PolicyInfo {
            key: "cfs-2.6.27",
            title: "CFS 2.6.27",
            kernel: "Linux 2.6.27, October 2008",
            summary: "The SMP-group balancer as merged, with load averages against moving and the flaw of 2.6.26.",
            tunables: &knobs::V27_TUNABLES,
            golden: &["2.6.27"],
            golden_matched: (17, 17),
            ..INFO
        },
        build: sim::build::<Cfs>,
    },
    PolicyEntry {
        info: PolicyInfo {
            key: "cfs-2.6.32",
            title: "CFS 2.6.32",
            kernel: "Linux 2.6.32-rc3, October 2009",
            summary: "Latency of 5 ms, a floor that includes the running task, gentle sleepers, last buddy and \
                      adaptive wakeup granularity.",
            tunables: &knobs::V32_TUNABLES,
            golden: &["2.6.32-rc3"],
            golden_matched: (22, 22),
            ..INFO
        },
        build: sim::build::<Cfs>,
    },
];
