//! What is said about each release outside this folder.

use super::O1;
use super::reasons::{MARKS, Why};
use super::tunables;
use crate::kernel::sim;
use crate::policy::{Caps, PolicyEntry, PolicyInfo, TunableSpec};

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
            family: "O(1)",
            kernel,
            summary,
            tunables,
            reasons: Why::TABLE,
            notes: MARKS,
            caps: CAPS,
            golden,
            golden_matched,
        },
        build: sim::build::<O1>,
    }
}

const fn with_classes(mut entry: PolicyEntry) -> PolicyEntry {
    entry.info.family = "CKRM";
    entry.info.caps.groups = true;
    entry.info.caps.nested_groups = true;
    entry.info.caps.percent_shares = true;
    entry
}

const fn with_batch(mut entry: PolicyEntry) -> PolicyEntry {
    entry.info.caps.batch = true;
    entry
}

/// The family, in historical order.
pub static POLICIES: &[PolicyEntry] = &[
    entry(
        "o1-2.5.2-b1",
        "O(1), B1 patch",
        "Linux 2.5.2-pre9 + sched-O1 B1, 5 January 2002",
        "The second day of the O(1) scheduler: 64 priorities, two arrays, and a sleep history of four seconds that only gives penalties. Reconstructed from published diffs.",
        &tunables::B1,
        &["2.5.2-pre9-O1-B1-reconstructed"],
        (4, 4),
    ),
    entry(
        "o1-2.5.2-c1",
        "O(1), C1 patch",
        "Linux 2.5.2-pre9 + sched-O1 C1, 6 January 2002",
        "The patch of the first post. C1 itself is lost; it lies between B1 and pre10, which agree in all rules that it shows, and has B1's 64 priorities.",
        &tunables::B1,
        &[],
        (0, 0),
    ),
    entry(
        "o1-2.5.2-pre10",
        "O(1), 2.5.2-pre10",
        "Linux 2.5.2-pre10, 7 January 2002",
        "O(1) as first merged: 168 priorities with real time in the same arrays, smaller penalties, and the best priorities stay active when their slice ends.",
        &tunables::PRE10,
        &["2.5.2-pre10-reconstructed"],
        (7, 7),
    ),
    entry(
        "o1-2.5.2",
        "O(1), 2.5.2",
        "Linux 2.5.2, 14 January 2002",
        "The estimator is gone: sleeping lowers the priority number, a used-up slice raises it. Nice levels hardly matter, and round-robin tasks expire by mistake.",
        &tunables::V2_5_2,
        &["2.5.2"],
        (4, 4),
    ),
    entry(
        "o1-2.4-ac",
        "O(1), 2.4 backport",
        "Linux 2.4 + sched-O1 K3, spring 2002 (-ac, -jam, rml)",
        "The backport that distributors shipped for 2.4: 140 priorities, sleep_avg in ticks with bonuses of plus or minus 5, interactive tasks stay active.",
        &tunables::K3,
        &["2.4.18-pre8-O1-K3"],
        (14, 14),
    ),
    entry(
        "o1-2.6.15",
        "O(1), 2.6.15",
        "Linux 2.6.15, January 2006",
        "sleep_avg in nanoseconds, one long sleep gives nearly the full bonus, sched domains balance queues weighed by priority.",
        &tunables::V2_6_15,
        &["2.6.15"],
        (16, 16),
    ),
    with_classes(entry(
        "cpurc-0.3",
        "CKRM classes, cpurc v0.3",
        "Linux 2.6.15 + cpurc v0.3, 9 February 2006",
        "O(1) with a tree of classes that are each promised a percentage: while one goes hungry, the slices of those above their promise shrink, and a starving class stays in the active array.",
        &tunables::CPURC_0_3,
        &[],
        (0, 0),
    )),
    with_classes(entry(
        "cpurc-apr",
        "CKRM classes, April 2006",
        "Linux 2.6.15 + the cpurc patches of April 2006",
        "The last posting of the controller: twice the memory, a margin of one percent, exits are counted, and starving classes are no longer kept active, so the load follows smoothly.",
        &tunables::CPURC_APRIL,
        &[],
        (0, 0),
    )),
    with_batch(entry(
        "o1-2.6.18",
        "O(1), 2.6.18",
        "Linux 2.6.18, September 2006",
        "Load weights instead of task counts in the balancer, SCHED_BATCH, and long sleeps lift only to the edge of interactivity.",
        &tunables::V2_6_18,
        &[],
        (0, 0),
    )),
    with_batch(entry(
        "o1-2.6.21",
        "O(1), 2.6.21",
        "Linux 2.6.21, April 2007",
        "The last release of the O(1) scheduler before CFS: two arrays per CPU, sleep averages, balancing in a softirq by one CPU per group.",
        &tunables::V2_6_21,
        &["2.6.21"],
        (39, 39),
    )),
];

/// Tunables of a release.
pub(super) fn specs(key: &str) -> &'static [TunableSpec] {
    let entry = POLICIES.iter().find(|entry| entry.info.key == key);
    entry.expect("the registry builds only releases of this table").info.tunables
}
