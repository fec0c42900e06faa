//! Load balancing over sched domains as Linux 2.6.15 to 2.6.22 did it: `cpu_load`, `find_busiest_group`,
//! `find_busiest_queue`, `load_balance`, `idle_balance`, active balancing, and the choice of a CPU at wakeup and fork.
//!
//! Not here: how tasks are queued and taken (the policy's [`RunQueues::move_tasks`]), power saving. Simplification: `sg_div_cpu_power` divides in 64 bits (2.6.22 multiplied by a 32-bit reciprocal).

mod attempt;
mod groups;
mod placement;

pub use attempt::{active_load_balance, idle_balance, rebalance_tick};
pub use placement::{Wakeup, exec_cpu, fork_cpu, wake_cpu};

use super::load_mover::{Moved, Pull};
use crate::kernel::Kernel;
use crate::machine::topology::{DomainLevel, SchedDomain, Topology};
use crate::units::{CpuId, CpuMask, Nanos, TaskId};
use std::sync::Arc;

/// `SCHED_LOAD_SCALE`: power of one CPU, and the weight per task of a CPU without tasks.
pub const LOAD_SCALE: u64 = 128;
/// `MAX_PINNED_INTERVAL`, ms.
const PINNED_INTERVAL_MAX_MS: u64 = 512;

/// Constants of a domain level (`SD_SIBLING_INIT`, `SD_CPU_INIT`, `SD_NODE_INIT`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DomainParams {
    /// Shortest interval between attempts, ms.
    pub min_interval_ms: u64,
    /// Longest, ms.
    pub max_interval_ms: u64,
    /// The interval of a busy CPU is so many times longer.
    pub busy_factor: u64,
    /// Smallest imbalance that counts, percent of the own load.
    pub imbalance_pct: u64,
    /// Failed attempts before cache-hot tasks are taken.
    pub cache_nice_tries: u32,
    /// Load index of a busy CPU.
    pub busy_idx: u8,
    /// Load index of an idle CPU.
    pub idle_idx: u8,
    /// Load index of a CPU that is about to idle.
    pub newidle_idx: u8,
    /// Load index at wakeup.
    pub wake_idx: u8,
    /// `SD_BALANCE_NEWIDLE`.
    pub newidle: bool,
    /// `SD_WAKE_AFFINE`.
    pub wake_affine: bool,
    /// `SD_WAKE_IDLE`.
    pub wake_idle: bool,
    /// `SD_WAKE_BALANCE`.
    pub wake_balance: bool,
    /// `SD_SHARE_CPUPOWER`.
    pub share_cpupower: bool,
    /// Load index at fork and exec.
    pub forkexec_idx: u8,
    /// `SD_BALANCE_FORK`.
    pub balance_fork: bool,
    /// `cache_hot_time` of this level, ns; `None` = [`BalanceVersion::cache_hot_ns`].
    pub cache_hot_ns: Option<Nanos>,
}

/// Threads of a core (2.6.21).
pub const SMT_PARAMS: DomainParams = DomainParams {
    min_interval_ms: 1,
    max_interval_ms: 2,
    busy_factor: 64,
    imbalance_pct: 110,
    cache_nice_tries: 0,
    busy_idx: 0,
    idle_idx: 0,
    newidle_idx: 1,
    wake_idx: 0,
    newidle: true,
    wake_affine: true,
    wake_idle: true,
    wake_balance: false,
    share_cpupower: true,
    forkexec_idx: 0,
    balance_fork: false,
    cache_hot_ns: None,
};

/// Packages, or all CPUs of a flat machine (2.6.21).
pub const PHYS_PARAMS: DomainParams = DomainParams {
    min_interval_ms: 1,
    max_interval_ms: 4,
    busy_factor: 64,
    imbalance_pct: 125,
    cache_nice_tries: 1,
    busy_idx: 2,
    idle_idx: 1,
    newidle_idx: 2,
    wake_idx: 1,
    newidle: true,
    wake_affine: true,
    wake_idle: false,
    wake_balance: false,
    share_cpupower: false,
    forkexec_idx: 1,
    balance_fork: false,
    cache_hot_ns: None,
};

/// NUMA nodes (x86-64, 2.6.18).
pub const NUMA_PARAMS: DomainParams = DomainParams {
    min_interval_ms: 8,
    max_interval_ms: 32,
    busy_factor: 32,
    imbalance_pct: 125,
    cache_nice_tries: 2,
    busy_idx: 3,
    idle_idx: 2,
    newidle_idx: 0,
    wake_idx: 1,
    newidle: false,
    wake_affine: false,
    wake_idle: false,
    wake_balance: true,
    share_cpupower: false,
    forkexec_idx: 1,
    balance_fork: true,
    cache_hot_ns: None,
};

/// How the load of a queue is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoadUnit {
    /// Sum of load weights (since 2.6.18); imbalances are weights.
    Weight,
    /// 128 per task, times the mean priority bias of the queue (2.6.15, "smpnice"); imbalances are tasks, and come out
    /// too large, since the thresholds still compare with 128.
    Biased,
    /// 128 per task (before, and smpnice switched off); imbalances are tasks.
    Count,
}

/// How the balancer of an older kernel is driven.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Era {
    /// Every CPU balances in its tick, `NR_CPUS`-th parts of a second apart, `last_balance` grows by the interval; else
    /// in a softirq when `next_balance` has come (since 2.6.20).
    pub nr_cpus_in_tick: Option<u32>,
    /// Only one CPU of a group balances (since 2.6.20).
    pub one_per_group: bool,
    /// A queue whose tasks are all pinned is left out, and the search begins again (since 2.6.19).
    pub retries_pinned: bool,
    /// At wakeup a sibling is looked for only if the chosen CPU has one task (since 2.6.20).
    pub wake_idle_needs_one: bool,
    /// Power that each further thread adds to a core, percent.
    pub thread_power_pct: u64,
    /// Unit of load.
    pub load: LoadUnit,
}

impl Era {
    /// 2.6.20 to 2.6.22.
    pub const V2_6_21: Era = Era {
        nr_cpus_in_tick: None,
        one_per_group: true,
        retries_pinned: true,
        wake_idle_needs_one: true,
        thread_power_pct: 0,
        load: LoadUnit::Weight,
    };
}

/// What the versions do differently.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BalanceVersion {
    /// A CPU that ticks is idle if its idle task runs (2.6.22), else if nothing is runnable on it.
    pub idle_by_curr: bool,
    /// Going idle, `balance_interval` ms are taken as jiffies (before 2.6.22).
    pub newidle_ms_as_jiffies: bool,
    /// Weight that active balancing may move.
    pub push_load_max: u64,
    /// `cache_hot_time`, ns: measured at boot since 2.6.16; for levels without their own value.
    pub cache_hot_ns: Nanos,
}

/// How busy the CPU is that balances.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Idle,
    NotIdle,
    NewlyIdle,
}

#[derive(Clone, Debug)]
struct DomainState {
    params: DomainParams,
    last_balance: u64,
    interval_ms: u64,
    nr_failed: u32,
}

#[derive(Clone, Debug)]
struct CpuState {
    cpu_load: [u64; 3],
    next_balance: u64,
    /// `push_cpu` while `active_balance` is set.
    push_to: Option<CpuId>,
    domains: Vec<DomainState>,
}

/// State of balancing on all CPUs.
#[derive(Clone, Debug)]
pub struct Balancing {
    version: BalanceVersion,
    era: Era,
    topology: Arc<Topology>,
    hz: u64,
    cpus: Vec<CpuState>,
}

/// Run queues that can be balanced.
pub trait RunQueues {
    /// The state kept here.
    fn balancing(&self) -> &Balancing;
    /// The same, to change it.
    fn balancing_mut(&mut self) -> &mut Balancing;
    /// `raw_weighted_load`: sum of the weights of runnable tasks, the running one included.
    fn weighted_load(&self, cpu: CpuId) -> u64;
    /// Runnable tasks, the running one included.
    fn nr_running(&self, cpu: CpuId) -> u32;
    /// `prio_bias`: sum of 140 - static priority; only asked under [`LoadUnit::Biased`].
    fn prio_bias(&self, _cpu: CpuId) -> u64 {
        0
    }
    /// `move_tasks`; see [`super::load_mover::LoadMover`].
    fn move_tasks(&mut self, k: &mut Kernel, pull: Pull) -> Moved;
    /// `wake_up_process` of a migration thread that was asleep: queues it, tests preemption. `by` runs the wakeup.
    fn activate_migration_thread(&mut self, k: &mut Kernel, thread: TaskId, by: CpuId);
}

impl Balancing {
    /// Fresh state: nothing balanced yet, all loads 0.
    pub fn new(k: &Kernel, version: BalanceVersion) -> Balancing {
        Balancing::of_era(k, version, Era::V2_6_21, [SMT_PARAMS, PHYS_PARAMS, NUMA_PARAMS])
    }

    /// The same with the habits of an older kernel; `params` for SMT, Phys and NUMA domains.
    pub fn of_era(k: &Kernel, version: BalanceVersion, era: Era, params: [DomainParams; 3]) -> Balancing {
        let topology = k.topology_shared();
        let state = |cpu| CpuState {
            cpu_load: [0; 3],
            next_balance: 0,
            push_to: None,
            domains: topology.domains(cpu).iter().map(|domain| DomainState::new(domain, &params)).collect(),
        };
        let cpus = topology.cpu_ids().map(state).collect();
        Balancing { version, era, hz: u64::from(k.hz()), cpus, topology }
    }

    /// The version's numbers, to be changed at run time.
    pub fn version_mut(&mut self) -> &mut BalanceVersion {
        &mut self.version
    }

    /// How the balancer is driven, to be changed at run time.
    pub fn era_mut(&mut self) -> &mut Era {
        &mut self.era
    }

    /// Replaces the constants of all domains of a level.
    pub fn set_params(&mut self, level: DomainLevel, params: DomainParams) {
        for cpu in self.topology.cpu_ids() {
            for (number, domain) in self.topology.domains(cpu).iter().enumerate() {
                if domain.level == level {
                    self.cpus[cpu.index()].domains[number].params = params;
                }
            }
        }
    }

    /// `balance_interval` (ms) and `nr_balance_failed` of each domain of `cpu`, lowest first.
    pub fn attempts(&self, cpu: CpuId) -> impl Iterator<Item = (u64, u32)> + '_ {
        self.cpus[cpu.index()].domains.iter().map(|state| (state.interval_ms, state.nr_failed))
    }

    /// `cpu_load` of a CPU.
    pub fn cpu_load(&self, cpu: CpuId) -> [u64; 3] {
        self.cpus[cpu.index()].cpu_load
    }

    /// `update_load`, every tick: load averages over 1, 2 and 4 ticks, rounded up when they rise.
    pub fn update_cpu_load(&mut self, cpu: CpuId, load: u64) {
        for (i, old) in self.cpus[cpu.index()].cpu_load.iter_mut().enumerate() {
            *old = averaged(*old, load, i as u32);
        }
    }

    /// `msecs_to_jiffies`: rounded up.
    fn jiffies_from_ms(&self, ms: u64) -> u64 {
        (ms * self.hz).div_ceil(1000)
    }

    fn domain(&mut self, cpu: CpuId, level: usize) -> &mut DomainState {
        &mut self.cpus[cpu.index()].domains[level]
    }

    fn history(&self, cpu: CpuId, index: u8, now: u64) -> u64 {
        match index {
            0 => now,
            index => self.cpus[cpu.index()].cpu_load[usize::from(index) - 1],
        }
    }

    fn group_power(&self, level: DomainLevel, group: &CpuMask) -> u64 {
        match level {
            DomainLevel::Smt => LOAD_SCALE,
            DomainLevel::Phys | DomainLevel::Numa => {
                let threads = u64::from(self.topology.spec().threads);
                let core = LOAD_SCALE + LOAD_SCALE * (threads - 1) * self.era.thread_power_pct / 100;
                core * (u64::from(group.count()) / threads).max(1)
            }
        }
    }
}

impl DomainState {
    fn new(domain: &SchedDomain, params: &[DomainParams; 3]) -> DomainState {
        let params = match domain.level {
            DomainLevel::Smt => params[0],
            DomainLevel::Phys => params[1],
            DomainLevel::Numa => params[2],
        };
        DomainState { params, last_balance: 0, interval_ms: 1, nr_failed: 0 }
    }

    fn double_interval(&mut self, all_pinned: bool) {
        if (all_pinned && self.interval_ms < PINNED_INTERVAL_MAX_MS) || self.interval_ms < self.params.max_interval_ms {
            self.interval_ms *= 2;
        }
    }
}

/// `source_load`: a guess on the low side.
fn source_load<Q: RunQueues>(q: &Q, cpu: CpuId, index: u8, kind: Kind) -> u64 {
    let now = q.weighted_load(cpu);
    biased(q, cpu, q.balancing().history(cpu, index, now).min(now), kind)
}

/// `target_load`: a guess on the high side.
fn target_load<Q: RunQueues>(q: &Q, cpu: CpuId, index: u8, kind: Kind) -> u64 {
    let now = q.weighted_load(cpu);
    biased(q, cpu, q.balancing().history(cpu, index, now).max(now), kind)
}

/// 2.6.15 weighs a load by priorities unless the balancer is idle and there is but one task.
fn biased<Q: RunQueues>(q: &Q, cpu: CpuId, load: u64, kind: Kind) -> u64 {
    match q.balancing().era.load {
        LoadUnit::Weight | LoadUnit::Count => load,
        LoadUnit::Biased => match q.nr_running(cpu) {
            0 => load,
            1 if kind != Kind::NotIdle => load,
            n => load * q.prio_bias(cpu) / u64::from(n),
        },
    }
}

/// `cpu_avg_load_per_task`.
fn load_per_task<Q: RunQueues>(q: &Q, cpu: CpuId) -> u64 {
    match (q.balancing().era.load, u64::from(q.nr_running(cpu))) {
        (LoadUnit::Biased | LoadUnit::Count, _) | (LoadUnit::Weight, 0) => LOAD_SCALE,
        (LoadUnit::Weight, n) => q.weighted_load(cpu) / n,
    }
}

/// One step of a load average over 2^i ticks.
fn averaged(old: u64, load: u64, i: u32) -> u64 {
    let scale = 1u64 << i;
    let new = if load > old { load + scale - 1 } else { load };
    (old * (scale - 1) + new) >> i
}

#[cfg(test)]
mod tests {
    use super::groups::{GroupLoad, imbalance, imbalance_in_tasks};
    use super::*;

    fn group(nr_running: u64, weight: u64) -> GroupLoad {
        GroupLoad { index: 0, power: LOAD_SCALE, load: nr_running * weight, nr_running, weight: nr_running * weight }
    }

    fn weight_to_move(busiest: GroupLoad, own: GroupLoad) -> u64 {
        imbalance(&own, &busiest, (own.load + busiest.load) / 2, 125)
    }

    #[test]
    fn one_task_moves_from_three_to_one_but_none_from_two_to_one() {
        assert_eq!(weight_to_move(group(3, 128), group(1, 128)), 128);
        assert_eq!(weight_to_move(group(2, 128), group(1, 128)), 0);
        assert_eq!(weight_to_move(group(2, 128), GroupLoad { power: LOAD_SCALE, ..GroupLoad::default() }), 128);
    }

    #[test]
    fn a_nice_0_task_joins_a_nice_19_task() {
        assert_eq!(weight_to_move(group(2, 128), group(1, 6)), 128);
    }

    /// Spec o1-and-2.4, 5.12 example 11: 2.6.15 weighs a nice-0 task 20 times but compares with one.
    #[test]
    fn priority_bias_makes_2_6_15_pull_everything() {
        let (own, busiest) = (group(1, 20 * LOAD_SCALE), group(3, 20 * LOAD_SCALE));
        assert_eq!(imbalance_in_tasks(&own, &busiest, (own.load + busiest.load) / 2, 125), 20);
        let (own, busiest) = (group(1, LOAD_SCALE), group(3, LOAD_SCALE));
        assert_eq!(imbalance_in_tasks(&own, &busiest, (own.load + busiest.load) / 2, 125), 1);
    }

    #[test]
    fn cpu_load_follows_over_one_two_and_four_ticks_and_rounds_up() {
        let mut loads = [0u64; 3];
        let mut seen = Vec::new();
        for _ in 0..8 {
            for (i, old) in loads.iter_mut().enumerate() {
                *old = averaged(*old, 256, i as u32);
            }
            seen.push(loads);
        }
        assert_eq!(seen[0], [256, 128, 64]);
        assert_eq!(seen[1], [256, 192, 112]);
        assert_eq!(seen[2], [256, 224, 148]);
        assert_eq!(seen[7], [256, 255, 232]);
    }
}
