//! Tunables in the form that decisions use: numbers, and tables by nice level.

use super::reciprocal::Reciprocal;
use super::versions::{Estimator, Version};
use crate::policy::TunableSpec;
use crate::queues::domain_balance::{DomainParams, LOAD_SCALE, NUMA_PARAMS, PHYS_PARAMS, SMT_PARAMS};

/// Nice levels.
pub(super) const USER_PRIOS: usize = 40;

/// What depends on the nice level.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NiceRow {
    /// `task_timeslice`, ticks.
    pub slice: u32,
    /// `load_weight`.
    pub weight: u32,
    /// `DELTA`.
    pub delta: i32,
    /// `INTERACTIVE_SLEEP`, ns.
    pub ceiling_ns: u64,
}

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct Params {
    /// Length of a tick, ns.
    pub jiffy_ns: u64,
    /// Ticks per second.
    pub hz: u64,
    pub min_slice: u32,
    /// `DEF_TIMESLICE` (2.6) or `MAX_TIMESLICE`, ticks.
    pub max_slice: u32,
    pub max_sleep_avg: u64,
    pub starvation_limit: u64,
    pub granularity: u64,
    pub bonus_ratio: u64,
    /// `MAX_BONUS`.
    pub bonus_max: u64,
    pub on_runqueue_weight: u64,
    pub child_penalty: u64,
    pub parent_penalty: u64,
    pub exit_weight: u64,
    pub cache_decay: u64,
    pub busy_rebalance: u64,
    /// `IDLE_REBALANCE_TICK`, before it `REBALANCE_TICK`.
    pub idle_rebalance: u64,
    pub max_penalty: i64,
    pub prio_interactive: u8,
    pub smpnice: bool,
    /// Division by `jiffy_ns` and by `max_sleep_avg`.
    by_jiffy: Reciprocal,
    by_max_sleep_avg: Reciprocal,
    /// Rows for nice -20 to 19.
    pub by_nice: [NiceRow; USER_PRIOS],
}

impl Params {
    pub fn new(version: &Version, specs: &[TunableSpec], values: &[i64], hz: u32) -> Params {
        let get = |key: &str| specs.iter().position(|spec| spec.key == key).map_or(0, |index| values[index]);
        let unsigned = |key: &str| get(key).max(0) as u64;
        let ratio = unsigned("prio_bonus_ratio");
        let jiffy_ns = 1_000_000_000 / u64::from(hz);
        let max_sleep_avg = unsigned("max_sleep_avg").max(1);
        let mut params = Params {
            jiffy_ns,
            hz: u64::from(hz),
            min_slice: unsigned("min_timeslice").max(1) as u32,
            max_slice: (unsigned("def_timeslice") + unsigned("max_timeslice")).max(1) as u32,
            max_sleep_avg,
            starvation_limit: unsigned("starvation_limit"),
            granularity: unsigned("granularity").max(1),
            bonus_ratio: ratio,
            bonus_max: (40 * ratio / 100).max(1),
            on_runqueue_weight: unsigned("on_runqueue_weight"),
            child_penalty: unsigned("child_penalty"),
            parent_penalty: unsigned("parent_penalty"),
            exit_weight: unsigned("exit_weight"),
            cache_decay: unsigned("cache_decay_ticks"),
            busy_rebalance: unsigned("busy_rebalance_tick").max(1),
            idle_rebalance: (unsigned("idle_rebalance_tick") + unsigned("rebalance_tick")).max(1),
            max_penalty: get("max_penalty"),
            prio_interactive: unsigned("prio_interactive") as u8,
            smpnice: unsigned("smpnice") != 0,
            by_jiffy: Reciprocal::of(jiffy_ns),
            by_max_sleep_avg: Reciprocal::of(max_sleep_avg),
            by_nice: [NiceRow::default(); USER_PRIOS],
        };
        let delta = get("interactive_delta") as i32;
        for index in 0..USER_PRIOS {
            params.by_nice[index] = params.row(version, index as u32, delta);
        }
        params
    }

    /// Row of nice level `index - 20`.
    fn row(&self, version: &Version, index: u32, interactive_delta: i32) -> NiceRow {
        let nice = index as i32 - 20;
        let bonus_max = self.bonus_max as i32;
        let delta = match version.nanos.delta_floor {
            true => (nice + 20) * bonus_max / 40 - 20 * bonus_max / 40 + interactive_delta,
            false => nice * bonus_max / 40 + interactive_delta,
        };
        let slice = match version.estimator {
            Estimator::Nanos => {
                let base = if nice < 0 { 4 * self.max_slice } else { self.max_slice };
                (base * (40 - index) / 20).max(self.min_slice)
            }
            Estimator::Ticks | Estimator::History | Estimator::Steps => {
                let range = self.max_slice.saturating_sub(self.min_slice);
                self.min_slice + range * (39 - index) / 39
            }
        };
        let steps = (bonus_max / 2 + delta + 1).max(0) as u64;
        let ceiling_ticks = (self.max_sleep_avg * steps / self.bonus_max).saturating_sub(1);
        NiceRow {
            slice,
            weight: (u64::from(slice) * LOAD_SCALE / u64::from(self.max_slice)) as u32,
            delta,
            ceiling_ns: ceiling_ticks * self.jiffy_ns,
        }
    }

    /// `CURRENT_BONUS` (2.6): `sleep_avg / jiffy * MAX_BONUS / MAX_SLEEP_AVG`, asked at every wakeup and tick.
    #[inline]
    pub fn bonus(&self, sleep_avg: u64) -> u64 {
        self.by_max_sleep_avg.divide(self.by_jiffy.divide(sleep_avg) * self.bonus_max)
    }

    /// `NS_MAX_SLEEP_AVG`.
    pub fn sleep_avg_ns_max(&self) -> u64 {
        self.max_sleep_avg * self.jiffy_ns
    }

    /// `RTPRIO_TO_LOAD_WEIGHT`.
    pub fn rt_weight(&self, rt_priority: u64) -> u64 {
        u64::from(self.by_nice[0].weight) + rt_priority * LOAD_SCALE / u64::from(self.max_slice)
    }
}

/// Sched-domain constants, for SMT, Phys and NUMA.
pub(super) fn domain_params(specs: &[TunableSpec], values: &[i64]) -> [DomainParams; 3] {
    let with = |level: &str, base: DomainParams| {
        let get = |field: &str| {
            let is = |spec: &TunableSpec| spec.key.strip_prefix(level).is_some_and(|rest| rest == field);
            specs.iter().position(is).map_or(0, |index| values[index].max(0) as u64)
        };
        DomainParams {
            min_interval_ms: get("_min_interval_ms"),
            max_interval_ms: get("_max_interval_ms"),
            busy_factor: get("_busy_factor"),
            imbalance_pct: get("_imbalance_pct").max(100),
            cache_nice_tries: get("_cache_nice_tries") as u32,
            busy_idx: get("_busy_idx") as u8,
            idle_idx: get("_idle_idx") as u8,
            newidle_idx: get("_newidle_idx") as u8,
            wake_idx: get("_wake_idx") as u8,
            forkexec_idx: get("_forkexec_idx") as u8,
            cache_hot_ns: Some(get("_cache_hot_ns")),
            ..base
        }
    };
    [with("smt", SMT_PARAMS), with("phys", PHYS_PARAMS), with("numa", NUMA_PARAMS)]
}
