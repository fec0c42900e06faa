//! Tunables: sysctls and `sched_features` of each release, live while the machine runs.

use crate::inspect::Unit;
use crate::policy::{Shape, TunableSpec};

/// A tunable of some release.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Knob {
    Latency,
    MinGranularity,
    WakeupGranularity,
    ChildRunsFirst,
    MigrationCost,
    NrMigrate,
    SharesRatelimit,
    SharesThresh,
    RtPeriod,
    RtRuntime,
    FairSleepers,
    GentleSleepers,
    NormalizedSleeper,
    StartDebit,
    WakeupPreempt,
    AdaptiveGran,
    AsymGran,
    LastBuddy,
    NextBuddy,
    CacheHotBuddy,
    AffineWakeups,
    LbBias,
    LbWakeupUpdate,
    AsymEffLoad,
    SyncLess,
    Hrtick,
    CompatYield,
}

/// Values of the tunables. A knob that a release does not have keeps the value that means "as that release did".
#[derive(Clone, Copy, Debug)]
pub(super) struct Knobs {
    pub latency: u64,
    pub min_granularity: u64,
    pub wakeup_granularity: u64,
    /// Entities that share one latency: latency / min_granularity, rounded up.
    pub nr_latency: u64,
    pub child_runs_first: bool,
    pub migration_cost: i64,
    pub nr_migrate: u64,
    pub shares_ratelimit: u64,
    pub shares_thresh: u64,
    pub rt_period: u64,
    pub rt_runtime: u64,
    pub fair_sleepers: bool,
    pub gentle_sleepers: bool,
    pub normalized_sleeper: bool,
    pub start_debit: bool,
    pub wakeup_preempt: bool,
    pub adaptive_gran: bool,
    pub asym_gran: bool,
    pub last_buddy: bool,
    pub next_buddy: bool,
    pub cache_hot_buddy: bool,
    pub affine_wakeups: bool,
    pub lb_bias: bool,
    pub lb_wakeup_update: bool,
    pub asym_eff_load: bool,
    pub sync_less: bool,
    pub hrtick: bool,
    pub compat_yield: bool,
}

impl Default for Knobs {
    fn default() -> Self {
        Knobs {
            latency: 20_000_000,
            min_granularity: 4_000_000,
            wakeup_granularity: 10_000_000,
            nr_latency: 5,
            child_runs_first: true,
            migration_cost: 500_000,
            nr_migrate: 32,
            shares_ratelimit: 0,
            shares_thresh: 0,
            rt_period: 1_000_000_000,
            rt_runtime: 950_000_000,
            fair_sleepers: true,
            gentle_sleepers: false,
            normalized_sleeper: false,
            start_debit: true,
            wakeup_preempt: true,
            adaptive_gran: false,
            asym_gran: false,
            last_buddy: false,
            next_buddy: false,
            cache_hot_buddy: true,
            affine_wakeups: true,
            lb_bias: true,
            lb_wakeup_update: false,
            asym_eff_load: false,
            sync_less: false,
            hrtick: false,
            compat_yield: false,
        }
    }
}

impl Knobs {
    /// Takes a value over.
    pub(super) fn set(&mut self, knob: Knob, value: i64) {
        let on = value != 0;
        let amount = value.max(0) as u64;
        match knob {
            Knob::Latency => self.latency = amount,
            Knob::MinGranularity => self.min_granularity = amount,
            Knob::WakeupGranularity => self.wakeup_granularity = amount,
            Knob::ChildRunsFirst => self.child_runs_first = on,
            Knob::MigrationCost => self.migration_cost = value,
            Knob::NrMigrate => self.nr_migrate = amount,
            Knob::SharesRatelimit => self.shares_ratelimit = amount,
            Knob::SharesThresh => self.shares_thresh = amount,
            Knob::RtPeriod => self.rt_period = amount * 1000,
            Knob::RtRuntime => self.rt_runtime = amount * 1000,
            Knob::FairSleepers => self.fair_sleepers = on,
            Knob::GentleSleepers => self.gentle_sleepers = on,
            Knob::NormalizedSleeper => self.normalized_sleeper = on,
            Knob::StartDebit => self.start_debit = on,
            Knob::WakeupPreempt => self.wakeup_preempt = on,
            Knob::AdaptiveGran => self.adaptive_gran = on,
            Knob::AsymGran => self.asym_gran = on,
            Knob::LastBuddy => self.last_buddy = on,
            Knob::NextBuddy => self.next_buddy = on,
            Knob::CacheHotBuddy => self.cache_hot_buddy = on,
            Knob::AffineWakeups => self.affine_wakeups = on,
            Knob::LbBias => self.lb_bias = on,
            Knob::LbWakeupUpdate => self.lb_wakeup_update = on,
            Knob::AsymEffLoad => self.asym_eff_load = on,
            Knob::SyncLess => self.sync_less = on,
            Knob::Hrtick => self.hrtick = on,
            Knob::CompatYield => self.compat_yield = on,
        }
        self.nr_latency = self.latency.div_ceil(self.min_granularity.max(1));
    }
}

/// `sched_init_granularity`: 1 + floor(log2(cpus)), on SMP machines.
const fn factor(shape: Shape) -> i64 {
    1 + shape.cpus.ilog2() as i64
}

const fn scaled(ns: i64, shape: Shape) -> i64 {
    let value = ns * factor(shape);
    if value > 200_000_000 { 200_000_000 } else { value }
}

const fn time(
    key: &'static str,
    help: &'static str,
    max: i64,
    golden: &'static str,
    default: fn(Shape) -> i64,
) -> TunableSpec {
    TunableSpec { key, help, unit: Unit::Nanos, min: 0, max, default, golden: Some(golden) }
}

const fn switch(key: &'static str, help: &'static str, golden: &'static str, default: fn(Shape) -> i64) -> TunableSpec {
    TunableSpec { key, help, unit: Unit::Count, min: 0, max: 1, default, golden: Some(golden) }
}

const SECOND: i64 = 1_000_000_000;

/// Specification of a knob with its default.
const fn spec(knob: Knob, default: fn(Shape) -> i64) -> TunableSpec {
    match knob {
        Knob::Latency => TunableSpec {
            min: 100_000,
            ..time("latency", "Period in which every runnable entity runs once", SECOND, "sched_latency_ns", default)
        },
        Knob::MinGranularity => TunableSpec {
            min: 100_000,
            ..time(
                "min_granularity",
                "Share of the period that many entities get at least",
                SECOND,
                "min_granularity_ns",
                default,
            )
        },
        Knob::WakeupGranularity => time(
            "wakeup_granularity",
            "Lead that a woken task needs to preempt",
            SECOND,
            "wakeup_granularity_ns",
            default,
        ),
        Knob::ChildRunsFirst => {
            switch("child_runs_first", "A forked child goes before its parent", "child_runs_first", default)
        }
        Knob::MigrationCost => TunableSpec {
            min: -1,
            ..time("migration_cost", "A task that ran this recently is cache-hot", SECOND, "migration_cost_ns", default)
        },
        Knob::NrMigrate => TunableSpec {
            key: "nr_migrate",
            help: "Most tasks that one balancing attempt looks at",
            unit: Unit::Count,
            min: 0,
            max: 4096,
            default,
            golden: Some("sched_nr_migrate"),
        },
        Knob::SharesRatelimit => time(
            "shares_ratelimit",
            "Least time between two computations of group shares",
            SECOND,
            "shares_ratelimit_ns",
            default,
        ),
        Knob::SharesThresh => TunableSpec {
            key: "shares_thresh",
            help: "Change of a group's weight on a CPU that is worth storing",
            unit: Unit::Weight,
            min: 0,
            max: 1024,
            default,
            golden: Some("shares_thresh"),
        },
        Knob::RtPeriod => TunableSpec {
            key: "rt_period_us",
            help: "Period of real-time throttling, µs",
            unit: Unit::Count,
            min: 1000,
            max: 10_000_000,
            default,
            golden: Some("rt_period_us"),
        },
        Knob::RtRuntime => TunableSpec {
            key: "rt_runtime_us",
            help: "Time per period that real-time tasks may use, µs",
            unit: Unit::Count,
            min: 0,
            max: 10_000_000,
            default,
            golden: Some("rt_runtime_us"),
        },
        Knob::FairSleepers => switch(
            "fair_sleepers",
            "Sleepers are placed a little ahead when they wake",
            "sched_features.NEW_FAIR_SLEEPERS",
            default,
        ),
        Knob::GentleSleepers => switch(
            "gentle_fair_sleepers",
            "Sleepers get half the credit",
            "sched_features.GENTLE_FAIR_SLEEPERS",
            default,
        ),
        Knob::NormalizedSleeper => switch(
            "normalized_sleeper",
            "A sleeper's credit is scaled by its weight",
            "sched_features.NORMALIZED_SLEEPER",
            default,
        ),
        Knob::StartDebit => {
            switch("start_debit", "A new task waits for one slice", "sched_features.START_DEBIT", default)
        }
        Knob::WakeupPreempt => {
            switch("wakeup_preempt", "Woken tasks may preempt", "sched_features.WAKEUP_PREEMPT", default)
        }
        Knob::AdaptiveGran => switch(
            "adaptive_gran",
            "Wakeup granularity shrinks while a task runs on",
            "sched_features.ADAPTIVE_GRAN",
            default,
        ),
        Knob::AsymGran => {
            switch("asym_gran", "Wakeup granularity depends on weights", "sched_features.ASYM_GRAN", default)
        }
        Knob::LastBuddy => {
            switch("last_buddy", "A preempted task is preferred afterwards", "sched_features.LAST_BUDDY", default)
        }
        Knob::NextBuddy => switch("next_buddy", "A woken task is preferred", "sched_features.NEXT_BUDDY", default),
        Knob::CacheHotBuddy => {
            switch("cache_hot_buddy", "Buddies count as cache-hot", "sched_features.CACHE_HOT_BUDDY", default)
        }
        Knob::AffineWakeups => switch(
            "affine_wakeups",
            "A woken task may be drawn to its waker's CPU",
            "sched_features.AFFINE_WAKEUPS",
            default,
        ),
        Knob::LbBias => {
            switch("lb_bias", "Balancing compares load averages, against moving", "sched_features.LB_BIAS", default)
        }
        Knob::LbWakeupUpdate => switch(
            "lb_wakeup_update",
            "Group shares are computed at wakeups too",
            "sched_features.LB_WAKEUP_UPDATE",
            default,
        ),
        Knob::AsymEffLoad => switch(
            "asym_eff_load",
            "The load that a task leaves behind is not counted",
            "sched_features.ASYM_EFF_LOAD",
            default,
        ),
        Knob::SyncLess => switch(
            "sync_less",
            "Waker's hint is ignored if the two do not take turns",
            "sched_features.SYNC_LESS",
            default,
        ),
        Knob::Hrtick => {
            switch("hrtick", "Slices end by a timer instead of at a tick", "config.CONFIG_SCHED_HRTICK", default)
        }
        Knob::CompatYield => {
            TunableSpec { golden: None, ..switch("compat_yield", "sched_yield goes behind everybody", "", default) }
        }
    }
}

/// Makes the list of a release: its knobs and their specifications, in one order.
macro_rules! release {
    ($knobs:ident, $tunables:ident, $count:literal, [$($knob:ident = $default:expr),* $(,)?]) => {
        pub(super) static $knobs: [Knob; $count] = [$(Knob::$knob),*];
        pub(super) static $tunables: [TunableSpec; $count] = [$(spec(Knob::$knob, $default)),*];
    };
}

release!(
    V24_KNOBS,
    V24_TUNABLES,
    10,
    [
        Latency = |s| scaled(20_000_000, s),
        MinGranularity = |s| scaled(4_000_000, s),
        WakeupGranularity = |s| 10_000_000 * factor(s),
        ChildRunsFirst = |_| 1,
        MigrationCost = |_| 500_000,
        NrMigrate = |_| 32,
        FairSleepers = |_| 1,
        StartDebit = |_| 1,
        WakeupPreempt = |_| 1,
        CompatYield = |_| 0,
    ]
);

release!(
    V25_KNOBS,
    V25_TUNABLES,
    13,
    [
        Latency = |s| scaled(20_000_000, s),
        MinGranularity = |s| scaled(4_000_000, s),
        WakeupGranularity = |s| 5_000_000 * factor(s),
        ChildRunsFirst = |_| 1,
        MigrationCost = |_| 500_000,
        NrMigrate = |_| 32,
        FairSleepers = |_| 1,
        StartDebit = |_| 1,
        WakeupPreempt = |_| 1,
        CompatYield = |_| 0,
        Hrtick = |_| 0,
        RtPeriod = |_| 1_000_000,
        RtRuntime = |_| 950_000,
    ]
);

release!(
    V26_KNOBS,
    V26_TUNABLES,
    15,
    [
        Latency = |s| scaled(20_000_000, s),
        MinGranularity = |s| scaled(4_000_000, s),
        WakeupGranularity = |s| 10_000_000 * factor(s),
        ChildRunsFirst = |_| 1,
        MigrationCost = |_| 500_000,
        NrMigrate = |_| 32,
        FairSleepers = |_| 1,
        StartDebit = |_| 1,
        WakeupPreempt = |_| 1,
        CompatYield = |_| 0,
        Hrtick = |_| 0,
        RtPeriod = |_| 1_000_000,
        RtRuntime = |_| 950_000,
        AffineWakeups = |_| 1,
        CacheHotBuddy = |_| 1,
    ]
);

/// The list of the releases with the SMP group balancer; they differ in three defaults.
macro_rules! smp_group_release {
    ($knobs:ident, $tunables:ident, $ratelimit:expr, $lb_bias:literal) => {
        release!(
            $knobs,
            $tunables,
            21,
            [
                Latency = |s| scaled(20_000_000, s),
                MinGranularity = |s| scaled(4_000_000, s),
                WakeupGranularity = |s| 5_000_000 * factor(s),
                ChildRunsFirst = |_| 1,
                MigrationCost = |_| 500_000,
                NrMigrate = |_| 32,
                FairSleepers = |_| 1,
                StartDebit = |_| 1,
                WakeupPreempt = |_| 1,
                CompatYield = |_| 0,
                Hrtick = |_| 0,
                RtPeriod = |_| 1_000_000,
                RtRuntime = |_| 950_000,
                AffineWakeups = |_| 1,
                CacheHotBuddy = |_| 1,
                SharesRatelimit = $ratelimit,
                NormalizedSleeper = |_| 1,
                AsymGran = |_| 1,
                LbBias = |_| $lb_bias,
                LbWakeupUpdate = |_| 1,
                AsymEffLoad = |_| 1,
            ]
        );
    };
}

smp_group_release!(SMP_GROUP_KNOBS, SMP_GROUP_TUNABLES, |_| 500_000, 0);
smp_group_release!(V27_KNOBS, V27_TUNABLES, |s| 250_000 * factor(s), 1);

pub(super) static V32_KNOBS: [Knob; 27] = {
    use Knob::*;
    [
        Latency,
        MinGranularity,
        WakeupGranularity,
        ChildRunsFirst,
        MigrationCost,
        NrMigrate,
        FairSleepers,
        GentleSleepers,
        NormalizedSleeper,
        StartDebit,
        WakeupPreempt,
        CompatYield,
        Hrtick,
        RtPeriod,
        RtRuntime,
        AffineWakeups,
        CacheHotBuddy,
        SharesRatelimit,
        SharesThresh,
        AdaptiveGran,
        AsymGran,
        LastBuddy,
        NextBuddy,
        LbBias,
        LbWakeupUpdate,
        AsymEffLoad,
        SyncLess,
    ]
};
pub(super) static V32_TUNABLES: [TunableSpec; 27] = [
    spec(Knob::Latency, |s| scaled(5_000_000, s)),
    spec(Knob::MinGranularity, |s| scaled(1_000_000, s)),
    spec(Knob::WakeupGranularity, |s| 1_000_000 * factor(s)),
    spec(Knob::ChildRunsFirst, |_| 0),
    spec(Knob::MigrationCost, |_| 500_000),
    spec(Knob::NrMigrate, |_| 32),
    TunableSpec { golden: Some("sched_features.FAIR_SLEEPERS"), ..spec(Knob::FairSleepers, |_| 1) },
    spec(Knob::GentleSleepers, |_| 1),
    spec(Knob::NormalizedSleeper, |_| 0),
    spec(Knob::StartDebit, |_| 1),
    spec(Knob::WakeupPreempt, |_| 1),
    spec(Knob::CompatYield, |_| 0),
    spec(Knob::Hrtick, |_| 0),
    spec(Knob::RtPeriod, |_| 1_000_000),
    spec(Knob::RtRuntime, |_| 950_000),
    spec(Knob::AffineWakeups, |_| 1),
    spec(Knob::CacheHotBuddy, |_| 1),
    spec(Knob::SharesRatelimit, |s| 250_000 * factor(s)),
    spec(Knob::SharesThresh, |_| 4),
    spec(Knob::AdaptiveGran, |_| 1),
    spec(Knob::AsymGran, |_| 1),
    spec(Knob::LastBuddy, |_| 1),
    spec(Knob::NextBuddy, |_| 0),
    spec(Knob::LbBias, |_| 1),
    TunableSpec { golden: Some("sched_features.LB_SHARES_UPDATE"), ..spec(Knob::LbWakeupUpdate, |_| 1) },
    spec(Knob::AsymEffLoad, |_| 1),
    spec(Knob::SyncLess, |_| 1),
];
