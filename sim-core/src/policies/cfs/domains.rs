//! Sched domains with their constants, and the loads that balancing compares.
//!
//! Levels, bottom up: SIBLING (threads of a core), MC (CPUs that share a last-level cache), CPU (package or machine),
//! NODE (packages that are NUMA nodes). A level that would have one group only is left out.

use super::Cfs;
use super::version::Version;
use crate::kernel::Kernel;
use crate::machine::topology::TopologySpec;
use crate::queues::nice::NICE_0_LOAD;
use crate::units::{CpuId, CpuMask, Nanos};

/// Constants of a level (`SD_*_INIT`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Params {
    pub min_interval_ms: u64,
    pub max_interval_ms: u64,
    pub busy_factor: u64,
    pub imbalance_pct: u64,
    pub cache_nice_tries: u32,
    pub busy_idx: usize,
    pub idle_idx: usize,
    pub newidle_idx: usize,
    pub wake_idx: usize,
    pub forkexec_idx: usize,
    pub balance_newidle: bool,
    pub balance_fork: bool,
    pub wake_affine: bool,
    pub wake_idle: bool,
    pub wake_balance: bool,
    pub share_cpupower: bool,
    pub prefer_local: bool,
    pub prefer_sibling: bool,
}

/// A domain as one CPU sees it, with its balancing state.
#[derive(Clone, Debug)]
pub(super) struct Domain {
    pub span: CpuMask,
    pub span_len: u64,
    /// The own group first, then in ring order.
    pub groups: Vec<CpuMask>,
    pub params: Params,
    /// Its child prefers that tasks go to siblings first (2.6.32).
    pub child_prefers_sibling: bool,
    /// Row of [`Cfs::powers`].
    pub level: usize,
    /// jiffies.
    pub last_balance: u64,
    pub balance_interval_ms: u64,
    pub nr_balance_failed: u32,
    /// When group shares were last computed over it, ns; `None` = never.
    pub shares_at: Option<Nanos>,
}

const SIBLING: Params = Params {
    min_interval_ms: 1,
    max_interval_ms: 2,
    busy_factor: 64,
    imbalance_pct: 110,
    cache_nice_tries: 0,
    busy_idx: 0,
    idle_idx: 0,
    newidle_idx: 0,
    wake_idx: 0,
    forkexec_idx: 0,
    balance_newidle: true,
    balance_fork: true,
    wake_affine: true,
    wake_idle: true,
    wake_balance: false,
    share_cpupower: true,
    prefer_local: false,
    prefer_sibling: false,
};

const MC: Params = Params {
    max_interval_ms: 4,
    imbalance_pct: 125,
    cache_nice_tries: 1,
    busy_idx: 2,
    wake_idx: 1,
    forkexec_idx: 1,
    wake_idle: false,
    share_cpupower: false,
    ..SIBLING
};

const CPU: Params = Params { idle_idx: 1, newidle_idx: 2, ..MC };

/// x86-64, as until 2.6.25; the kernel takes a global lock around it, which costs nothing here.
const NODE: Params = Params {
    min_interval_ms: 8,
    max_interval_ms: 32,
    busy_factor: 32,
    cache_nice_tries: 2,
    busy_idx: 3,
    idle_idx: 2,
    balance_newidle: false,
    wake_balance: true,
    wake_affine: false,
    ..CPU
};

/// `balance_interval` of a fresh domain, ms.
const FIRST_INTERVAL_MS: u64 = 1;

/// A level: constants, whether it shares power or cache, CPUs per domain, CPUs per group.
struct Level {
    params: Params,
    shares: bool,
    span: u16,
    group: u16,
}

fn levels(spec: &TopologySpec, version: &Version) -> Vec<Level> {
    let package = spec.cores * spec.threads;
    let machine = spec.packages * package;
    let cache = if spec.cache_cpus == 0 { package } else { spec.cache_cpus.max(spec.threads) };
    let cache = if package.is_multiple_of(cache) && cache % spec.threads == 0 { cache } else { spec.threads };
    let phys = if spec.numa { package } else { machine };
    let tune = |mut params: Params, multicore: bool| {
        params.balance_fork &= version.balance_fork;
        if version.select_by_domain {
            params.wake_idle = false;
            if multicore {
                params.wake_idx = 0;
                params.forkexec_idx = 0;
                params.newidle_idx = 0;
                params.prefer_local = true;
                params.prefer_sibling = true;
            }
        }
        params
    };
    let mut node = NODE;
    node.wake_affine = !version.two_levels;
    if version.select_by_domain {
        node =
            Params { newidle_idx: 0, wake_idx: 0, forkexec_idx: 0, balance_newidle: true, wake_balance: false, ..node };
    }
    let mc = if version.two_levels && version.rt_balanced { Params { wake_idle: true, ..MC } } else { MC };
    let mut levels = vec![
        Level { params: tune(SIBLING, false), shares: true, span: spec.threads, group: 1 },
        Level { params: tune(mc, true), shares: true, span: cache, group: spec.threads },
        Level { params: tune(CPU, true), shares: false, span: phys, group: cache },
        Level { params: node, shares: false, span: machine, group: phys },
    ];
    // A domain of one group balances nothing.
    levels.retain(|level| level.span > level.group);
    levels
}

fn range(first: u16, count: u16) -> CpuMask {
    let mut mask = CpuMask::EMPTY;
    for cpu in first..first + count {
        mask.insert(CpuId(cpu));
    }
    mask
}

/// `SD_LV_SIBLING` capacity of two threads together, of 1024 (2.6.32 `smt_gain`).
const SMT_GAIN: u64 = 1178;

impl Cfs {
    /// `build_sched_domains` and `init_sched_groups_power`.
    pub(super) fn build_domains(&mut self, kernel: &Kernel) {
        let spec = kernel.topology().spec().clone();
        let levels = levels(&spec, self.version);
        for cpu in 0..self.cpus as u16 {
            let mut domains = Vec::new();
            for (index, level) in levels.iter().enumerate() {
                let first = cpu / level.span * level.span;
                let own = (cpu - first) / level.group;
                let count = level.span / level.group;
                let groups = (0..count).map(|i| range(first + (own + i) % count * level.group, level.group)).collect();
                domains.push(Domain {
                    span: range(first, level.span),
                    span_len: u64::from(level.span),
                    groups,
                    params: level.params,
                    child_prefers_sibling: index > 0 && levels[index - 1].params.prefer_sibling,
                    level: index,
                    last_balance: 0,
                    balance_interval_ms: FIRST_INTERVAL_MS,
                    nr_balance_failed: 0,
                    shares_at: None,
                });
            }
            self.domains.push(domains);
        }
        self.powers = self.group_powers(&levels);
    }

    /// Power of each group by level and first CPU, 1024 = one CPU.
    fn group_powers(&self, levels: &[Level]) -> Vec<Vec<u64>> {
        let mut powers: Vec<Vec<u64>> = Vec::new();
        for (index, level) in levels.iter().enumerate() {
            let row = (0..self.cpus as u16).map(|first| {
                if index == 0 {
                    return match (self.version.dynamic_power, level.params.share_cpupower) {
                        (true, true) => SMT_GAIN / u64::from(level.span),
                        _ => NICE_0_LOAD,
                    };
                }
                let below = &levels[index - 1];
                if below.shares && !self.version.dynamic_power {
                    return NICE_0_LOAD;
                }
                (first..first + level.group)
                    .step_by(usize::from(below.group))
                    .filter_map(|cpu| powers[index - 1].get(usize::from(cpu)))
                    .sum()
            });
            powers.push(row.collect());
        }
        powers
    }

    /// Power of a group of `domain`.
    #[inline]
    pub(super) fn group_power(&self, level: usize, group: &CpuMask) -> u64 {
        group.next(0).map_or(NICE_0_LOAD, |first| self.powers[level][first.index()])
    }

    /// `power_of`: power of one CPU.
    #[inline]
    pub(super) fn power_of(&self, cpu: CpuId) -> u64 {
        self.powers.first().map_or(NICE_0_LOAD, |row| row[cpu.index()])
    }

    /// `update_group_power` (2.6.32): real-time load takes power away from CPUs, and from the groups above.
    pub(super) fn update_group_power(&mut self, cpu: CpuId, level: usize) {
        let params = self.domains[cpu.index()][level].params;
        let group = self.domains[cpu.index()][level].groups[0];
        let power = if level == 0 {
            let base =
                if params.share_cpupower { SMT_GAIN / self.domains[cpu.index()][level].span_len } else { NICE_0_LOAD };
            ((base * self.scale_rt_power(cpu)) >> 10).max(1)
        } else {
            let below = &self.domains[cpu.index()][level - 1];
            below.groups.iter().map(|group| self.group_power(level - 1, group)).sum()
        };
        if let Some(first) = group.next(0) {
            self.powers[level][first.index()] = power;
        }
    }

    // ---- loads -----------------------------------------------------------------------------------------------------

    /// `source_load`: a low guess of a CPU's load.
    #[inline]
    pub(super) fn source_load(&self, cpu: CpuId, index: usize) -> u64 {
        let rq = self.rq(cpu);
        if index == 0 || !self.knobs.lb_bias { rq.load } else { rq.cpu_load.average(index - 1).min(rq.load) }
    }

    /// `target_load`: a high guess.
    #[inline]
    pub(super) fn target_load(&self, cpu: CpuId, index: usize) -> u64 {
        let rq = self.rq(cpu);
        if index == 0 || !self.knobs.lb_bias { rq.load } else { rq.cpu_load.average(index - 1).max(rq.load) }
    }

    /// `cpu_avg_load_per_task`.
    pub(super) fn cpu_avg_load_per_task(&mut self, cpu: CpuId) -> u64 {
        let keeps_last = !self.version.prio_preference;
        let zero_when_idle = self.version.select_by_domain;
        let rq = self.rq_mut(cpu);
        if let Some(average) = rq.load.checked_div(rq.nr_running) {
            rq.avg_load_per_task = average;
            return average;
        }
        if !keeps_last {
            return NICE_0_LOAD;
        }
        if zero_when_idle {
            rq.avg_load_per_task = 0;
        }
        rq.avg_load_per_task
    }

    /// `sg_div_cpu_power`: by a 32-bit reciprocal until 2.6.27, so that large sums wrap.
    #[inline]
    pub(super) fn div_power(&self, value: u64, power: u64) -> u64 {
        if self.version.dynamic_power {
            return value / power.max(1);
        }
        let reciprocal = (1u64 << 32).div_ceil(power.max(1));
        (value & u64::from(u32::MAX)).wrapping_mul(reciprocal) >> 32
    }

    /// The lowest domain of `cpu` that holds `other`.
    pub(super) fn common_domain(&self, cpu: CpuId, other: CpuId) -> Option<usize> {
        self.domains[cpu.index()].iter().position(|domain| domain.span.contains(other))
    }
}
