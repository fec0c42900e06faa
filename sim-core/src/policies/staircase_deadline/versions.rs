//! Versions of Staircase Deadline, as data.

use crate::inspect::Unit;
use crate::policy::{Shape, TunableSpec};

/// What a version has and lacks.
#[derive(Debug)]
pub(super) struct Version {
    pub(super) key: &'static str,
    /// SCHED_ISO and SCHED_IDLEPRIO exist.
    pub(super) iso_and_idleprio: bool,
    /// Balancer of 2.6.22 (else 2.6.21): see `queues/domain_balance.rs`.
    pub(super) balances_as_2_6_22: bool,
    pub(super) tunables: &'static [TunableSpec],
}

impl Version {
    /// Row of a tunable, if the version has it.
    pub(super) fn index_of(&self, key: &str) -> Option<usize> {
        self.tunables.iter().position(|spec| spec.key == key)
    }

    /// Value of a tunable, or `absent` where the version has no such knob.
    pub(super) fn value(&self, values: &[i64], key: &str, absent: i64) -> i64 {
        self.index_of(key).map_or(absent, |index| values[index])
    }
}

pub(super) static VERSIONS: [Version; 3] = [
    Version { key: "sd-0.42", iso_and_idleprio: false, balances_as_2_6_22: false, tunables: SD_042 },
    Version { key: "sd-0.48", iso_and_idleprio: false, balances_as_2_6_22: false, tunables: SD_048 },
    Version { key: "sd-ck", iso_and_idleprio: true, balances_as_2_6_22: true, tunables: SD_CK },
];

/// The version with this key; the newest for an unknown one.
pub(super) fn version(key: &str) -> &'static Version {
    VERSIONS.iter().find(|version| version.key == key).unwrap_or(&VERSIONS[2])
}

fn log2(cpus: u16) -> i64 {
    i64::from(cpus.max(1).ilog2())
}

/// Inferred from "15 ms on a 4-way machine" and "minimum of 8".
fn rr_042(shape: Shape) -> i64 {
    (5 * (1 + log2(shape.cpus))).max(8)
}

fn rr_048(shape: Shape) -> i64 {
    8 * (1 + log2(shape.cpus))
}

fn rr_ck(shape: Shape) -> i64 {
    6 * (1 + log2(shape.cpus))
}

const fn rr_interval(max: i64, default: fn(Shape) -> i64) -> TunableSpec {
    TunableSpec {
        key: "rr_interval",
        help: "Time in a slot, ms, of a task of nice 0; half of it for positive nice levels",
        unit: Unit::Count,
        min: 1,
        max,
        default,
        golden: Some("rr_interval_ms"),
    }
}

const CACHE_HOT: TunableSpec = TunableSpec {
    key: "cache_hot_time",
    help: "A task that ran within this time is not pulled to another CPU, unless pulling failed before",
    unit: Unit::Nanos,
    min: 0,
    max: 100_000_000,
    default: |_| 2_500_000,
    golden: Some("sched_domains.phys.cache_hot_time_ns"),
};

const DOUBLE_FIRST_SLOT: TunableSpec = TunableSpec {
    key: "double_first_slot",
    help: "As in the source: a task that expired is granted its first slot twice in the next rotation",
    unit: Unit::Count,
    min: 0,
    max: 1,
    default: |_| 1,
    golden: None,
};

const INTERACTIVE: TunableSpec = TunableSpec {
    key: "interactive",
    help: "A task may use slots that its nice level has already passed, so that sleepers come back in front",
    unit: Unit::Count,
    min: 0,
    max: 1,
    default: |_| 1,
    golden: Some("interactive"),
};

const ISO_CPU: TunableSpec = TunableSpec {
    key: "iso_cpu",
    help: "Share of a CPU that SCHED_ISO tasks may use ahead of normal ones",
    unit: Unit::Percent,
    min: 0,
    max: 100,
    default: |_| 80,
    golden: Some("iso_cpu"),
};

const ISO_PERIOD: TunableSpec = TunableSpec {
    key: "iso_period",
    help: "Seconds over which iso_cpu is averaged",
    unit: Unit::Count,
    min: 1,
    max: 100,
    default: |_| 5,
    golden: Some("iso_period_s"),
};

const SD_042: &[TunableSpec] = &[rr_interval(100, rr_042), CACHE_HOT, DOUBLE_FIRST_SLOT];
const SD_048: &[TunableSpec] = &[rr_interval(5000, rr_048), CACHE_HOT, DOUBLE_FIRST_SLOT];
const SD_CK: &[TunableSpec] =
    &[rr_interval(5000, rr_ck), INTERACTIVE, ISO_CPU, ISO_PERIOD, CACHE_HOT, DOUBLE_FIRST_SLOT];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_rr_interval_grows_with_the_number_of_cpus() {
        let defaults =
            |key: &str| [1, 2, 4, 8].map(|cpus| (version(key).tunables[0].default)(Shape { cpus, hz: 1000 }));
        assert_eq!(defaults("sd-0.42"), [8, 10, 15, 20]);
        assert_eq!(defaults("sd-0.48"), [8, 16, 24, 32]);
        assert_eq!(defaults("sd-ck"), [6, 12, 18, 24]);
    }
}
