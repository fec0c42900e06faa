//! Load balancing: when, between whom, and what happens in vain. The rules are those of 5.5 and later: groups of CPUs
//! have types, and tasks, utilisation or load move accordingly (`imbalance.rs`, `moves.rs`).
//!
//! Every CPU ticks, so idle ones balance at their own tick (no NOHZ balancer). Not modelled: misfit tasks, asymmetric
//! packing and CPUs of unequal capacity, NUMA placement by faults, and limits made of measured balancing costs.

mod imbalance;
mod moves;
pub mod stats;

use super::Fair;
use super::select::imbalance_percent;
use crate::kernel::Kernel;
use crate::machine::topology::DomainLevel;
use crate::queues::task_lists::{Links, TaskList};
use crate::units::{CpuId, CpuMask, Nanos, TaskId};

/// A busy CPU balances this many times more rarely (`busy_factor`).
const BUSY_FACTOR: u64 = 16;

/// Longest interval while all tasks of the busiest CPU are pinned, ms (`MAX_PINNED_INTERVAL`).
const PINNED_INTERVAL_MAX: u64 = 512;

/// A task that ran within this time is cache-hot, and shorter idle spells are not worth a search, ns
/// (`sysctl_sched_migration_cost`).
pub(super) const MIGRATION_COST: Nanos = 500_000;

/// Why a CPU balances (`cpu_idle_type`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Idle {
    /// It idles.
    Already,
    /// It runs something.
    Not,
    /// It is about to idle.
    Newly,
}

/// A sched domain as one CPU has it.
#[derive(Clone, Copy, Debug)]
struct Domain {
    /// Jiffies of the last attempt.
    last: u64,
    /// Milliseconds between attempts of an idle CPU.
    interval: u64,
    interval_min: u64,
    /// Attempts in vain (`nr_balance_failed`).
    failed: u32,
    /// From so many on even cache-hot tasks move (`cache_nice_tries`).
    cache_nice_tries: u32,
    percent: i64,
    /// CPUs in it.
    weight: u32,
    /// Its CPUs share a cache (`SD_SHARE_PKG_RESOURCES`).
    shares_cache: bool,
    /// The level below spreads tasks over its groups (`SD_PREFER_SIBLING`).
    prefer_sibling: bool,
    /// Pinned tasks kept a lower level from balancing here (`sgc->imbalance` of the own group).
    imbalanced: bool,
}

/// A CPU's part.
#[derive(Clone, Debug)]
pub struct CpuBalance {
    domains: Vec<Domain>,
    /// Jiffies of the next attempt at any level.
    next: u64,
    /// Fair tasks, the last queued or picked first (`cfs_tasks`).
    pub tasks: TaskList,
    /// When it became idle; 1 = before the start.
    pub idle_since: Nanos,
    idle: bool,
    /// Average length of its idle spells, ns.
    avg_idle: Nanos,
    /// Who asked for a running task of this CPU.
    push_to: Option<CpuId>,
}

/// A last-level cache.
#[derive(Clone, Copy, Debug)]
pub struct Cache {
    /// CPUs that share it.
    pub span: CpuMask,
    /// CPUs that a wakeup looks at in search of an idle one (`nr_idle_scan`, 6.0 and later).
    pub idle_scan: u32,
}

/// Balancing state.
#[derive(Clone, Debug)]
pub struct Balance {
    pub cpus: Vec<CpuBalance>,
    pub caches: Vec<Cache>,
    pub cache_of: Vec<usize>,
    /// Links of all `tasks` lists.
    pub links: Links,
    /// Some CPU may have more than one task (`rd->overload`).
    overload: bool,
    /// Tasks on their way; never more than `nr_migrate`.
    moving: Vec<TaskId>,
}

impl Balance {
    /// Fresh state.
    pub fn new(k: &Kernel) -> Balance {
        let topology = k.topology();
        let (mut caches, mut cache_of): (Vec<Cache>, Vec<usize>) = (Vec::new(), Vec::new());
        for cpu in topology.cpu_ids() {
            let known =
                caches.iter().position(|cache| cache.span.next(0).is_some_and(|a| topology.share_cache(a, cpu)));
            let index = known.unwrap_or_else(|| {
                caches.push(Cache { span: CpuMask::EMPTY, idle_scan: 0 });
                caches.len() - 1
            });
            caches[index].span.insert(cpu);
            caches[index].idle_scan += 1;
            cache_of.push(index);
        }
        let cpus = topology.cpu_ids().map(|cpu| {
            let mut domains = Vec::new();
            for (level, domain) in topology.domains(cpu).iter().enumerate() {
                let weight = domain.span.count();
                let shares_cache = domain.span.iter().all(|other| topology.share_cache(cpu, other));
                let numa = domain.level == DomainLevel::Numa;
                domains.push(Domain {
                    last: 0,
                    interval: u64::from(weight),
                    interval_min: u64::from(weight),
                    failed: 0,
                    cache_nice_tries: if numa {
                        2
                    } else {
                        u32::from(domain.level == DomainLevel::Phys && shares_cache)
                    },
                    percent: imbalance_percent(domain.level),
                    weight,
                    shares_cache,
                    prefer_sibling: level > 0,
                    imbalanced: false,
                });
            }
            CpuBalance {
                domains,
                next: 0,
                tasks: TaskList::EMPTY,
                idle_since: 1,
                idle: true,
                avg_idle: 2 * MIGRATION_COST,
                push_to: None,
            }
        });
        let cpus = cpus.collect();
        Balance {
            cpus,
            caches,
            cache_of,
            links: Links::default(),
            overload: false,
            moving: Vec::with_capacity(MOVES_MAX),
        }
    }
}

/// Most tasks that one attempt looks at (`sysctl_sched_nr_migrate`).
const MOVES_MAX: usize = 32;

impl Fair {
    /// `add_nr_running`: with two somewhere, searches make sense.
    #[inline]
    pub(super) fn note_overload(&mut self, cpu: CpuId) {
        if self.nr_running(cpu) > 1 {
            self.balance.overload = true;
        }
    }

    /// A queued fair task is the newest of its CPU's list.
    #[inline]
    pub(super) fn list_task(&mut self, cpu: CpuId, task: TaskId) {
        if self.smp {
            let Balance { cpus, links, .. } = &mut self.balance;
            links.push_front(&mut cpus[cpu.index()].tasks, task);
        }
    }

    /// It left.
    #[inline]
    pub(super) fn unlist_task(&mut self, cpu: CpuId, task: TaskId) {
        if self.smp {
            let Balance { cpus, links, .. } = &mut self.balance;
            links.remove(&mut cpus[cpu.index()].tasks, task);
        }
    }

    /// It was picked: the first again, so that balancing takes others.
    #[inline]
    pub(super) fn relist_task(&mut self, cpu: CpuId, task: TaskId) {
        if self.smp {
            let Balance { cpus, links, .. } = &mut self.balance;
            links.move_to_front(&mut cpus[cpu.index()].tasks, task);
        }
    }

    /// An idle CPU got a task: how long it idled (`update_avg`, limited to twice the cost of a migration).
    #[inline]
    pub(super) fn end_idle(&mut self, k: &Kernel, cpu: CpuId) {
        let state = &mut self.balance.cpus[cpu.index()];
        if std::mem::take(&mut state.idle) {
            let idled = k.now() - state.idle_since.min(k.now());
            let average = state.avg_idle as i64 + (idled as i64 - state.avg_idle as i64) / 8;
            state.avg_idle = (average.max(0) as u64).min(2 * MIGRATION_COST);
        }
    }

    /// `newidle_balance`: about to idle, looks for a task to pull, nearest domain first.
    pub(super) fn newidle_balance(&mut self, k: &mut Kernel, cpu: CpuId) {
        if !self.smp || self.nr_running(cpu) > 0 {
            return;
        }
        let state = &mut self.balance.cpus[cpu.index()];
        state.idle_since = k.now().max(1);
        state.idle = true;
        // 6.x compares with the measured cost of earlier searches, which take no time here.
        let short = state.avg_idle < MIGRATION_COST && self.version.newidle_by_migration_cost;
        if short || !self.balance.overload {
            return;
        }
        self.update_blocked_loads(k, cpu);
        for level in 0..self.balance.cpus[cpu.index()].domains.len() {
            let pulled = self.load_balance(k, cpu, level, Idle::Newly, &mut true);
            if pulled > 0 || self.nr_running(cpu) > 0 {
                self.balance.cpus[cpu.index()].idle = false;
                k.clear_need_resched(cpu);
                return;
            }
        }
    }

    /// `rebalance_domains` at the tick.
    pub(super) fn rebalance(&mut self, k: &mut Kernel, cpu: CpuId) {
        if !self.smp || k.jiffies() < self.balance.cpus[cpu.index()].next {
            return;
        }
        self.update_blocked_loads(k, cpu);
        let idle_type = |fair: &Fair, k: &Kernel| if fair.is_idle_cpu(k, cpu) { Idle::Already } else { Idle::Not };
        let is_busy = |fair: &Fair, idle| idle != Idle::Already && !fair.has_idle_policy_only(cpu);
        let mut idle = idle_type(self, k);
        let mut busy = is_busy(self, idle);
        let mut next = k.jiffies() + 60 * u64::from(self.hz);
        let mut go_on = true;
        for level in 0..self.balance.cpus[cpu.index()].domains.len() {
            if !go_on {
                break;
            }
            let due = self.balance.cpus[cpu.index()].domains[level].last + self.interval(cpu, level, busy);
            if k.jiffies() >= due {
                if self.load_balance(k, cpu, level, idle, &mut go_on) > 0 {
                    idle = idle_type(self, k);
                    busy = is_busy(self, idle);
                }
                self.balance.cpus[cpu.index()].domains[level].last = k.jiffies();
            }
            next = next.min(self.balance.cpus[cpu.index()].domains[level].last + self.interval(cpu, level, busy));
        }
        self.balance.cpus[cpu.index()].next = next;
    }

    /// Only SCHED_IDLE tasks are left: others are looked for at the next tick (end of `dequeue_task_fair`).
    pub(super) fn balance_early(&mut self, k: &Kernel, cpu: CpuId) {
        self.balance.cpus[cpu.index()].next = k.jiffies();
    }

    /// `get_sd_balance_interval`, jiffies.
    fn interval(&self, cpu: CpuId, level: usize, busy: bool) -> u64 {
        let ms = self.balance.cpus[cpu.index()].domains[level].interval * if busy { BUSY_FACTOR } else { 1 };
        let jiffies = (ms * u64::from(self.hz)).div_ceil(1000) - u64::from(busy);
        jiffies.clamp(1, (u64::from(self.hz) * self.cpus as u64 / 10).max(1))
    }

    /// `load_balance`: evens one domain out by pulling to `cpu`. Returns how many tasks came.
    fn load_balance(&mut self, k: &mut Kernel, cpu: CpuId, level: usize, idle: Idle, go_on: &mut bool) -> usize {
        let topology = k.topology_shared();
        let domain = &topology.domains(cpu)[level];
        if !self.should_balance(k, cpu, &domain.groups[0], idle) {
            *go_on = false;
            self.balanced(cpu, level, idle, false);
            return 0;
        }
        let percent = self.balance.cpus[cpu.index()].domains[level].percent;
        // CPUs whose tasks are all pinned elsewhere are taken out, and the search begins anew.
        let mut cpus = domain.span;
        loop {
            let Some(mut imbalance) = self.find_busiest_group(k, cpu, level, domain, &cpus, idle) else {
                self.balanced(cpu, level, idle, false);
                return 0;
            };
            let Some(from) = self.find_busiest_queue(&imbalance, &cpus, percent) else {
                self.balanced(cpu, level, idle, false);
                return 0;
            };
            let mut pulled = Pulled { all_pinned: true, ..Pulled::default() };
            if self.nr_running(from) > 1 {
                pulled = self.pull(k, from, cpu, level, idle, &mut imbalance);
                if pulled.some_pinned && imbalance.amount > 0 {
                    self.note_imbalance(cpu, level, true);
                }
                if pulled.all_pinned && pulled.tasks == 0 {
                    cpus.remove(from);
                    if cpus.iter().any(|other| !domain.groups[0].contains(other)) {
                        continue;
                    }
                    self.balanced(cpu, level, idle, true);
                    return 0;
                }
            }
            let state = &mut self.balance.cpus[cpu.index()].domains[level];
            let mut pushed = false;
            if pulled.tasks > 0 {
                state.failed = 0;
            } else {
                state.failed += u32::from(idle != Idle::Newly);
                let long_failed = state.failed > state.cache_nice_tries + 2;
                if imbalance.counts_tasks() && long_failed || self.is_better_off(cpu, from, percent, idle) {
                    pushed = self.ask_for_running(k, from, cpu);
                }
            }
            let state = &mut self.balance.cpus[cpu.index()].domains[level];
            if !pushed {
                state.interval = state.interval_min;
            }
            return pulled.tasks;
        }
    }

    /// Part of `need_active_balance`: the only fair task of `from` has less of that CPU, for its real-time tasks, than it
    /// would have here.
    fn is_better_off(&self, here: CpuId, from: CpuId, percent: i64, idle: Idle) -> bool {
        idle != Idle::Not
            && self.queues[self.root(from)].h_nr == 1
            && self.is_reduced(from, percent)
            && self.capacity_of(from) * percent < self.capacity_of(here) * 100
    }

    /// `should_we_balance`: about to idle, always; else the group's first idle CPU, or its first.
    fn should_balance(&self, k: &Kernel, cpu: CpuId, group: &CpuMask, idle: Idle) -> bool {
        if idle == Idle::Newly {
            return true;
        }
        let first_idle = group.iter().find(|&other| self.is_idle_cpu(k, other));
        first_idle.or(group.next(0)) == Some(cpu)
    }

    /// Nothing to do: the interval doubles (`out_balanced`, `out_all_pinned`).
    fn balanced(&mut self, cpu: CpuId, level: usize, idle: Idle, pinned: bool) {
        if !pinned {
            self.note_imbalance(cpu, level, false);
        }
        let state = &mut self.balance.cpus[cpu.index()].domains[level];
        state.failed = 0;
        let limit = if pinned { PINNED_INTERVAL_MAX } else { 2 * state.interval_min };
        if idle != Idle::Newly && state.interval < limit {
            state.interval *= 2;
        }
    }

    /// The level above hears that this one could not balance for pinned tasks, or could.
    fn note_imbalance(&mut self, cpu: CpuId, level: usize, imbalanced: bool) {
        if let Some(above) = self.balance.cpus[cpu.index()].domains.get_mut(level + 1) {
            above.imbalanced = imbalanced;
        }
    }
}

/// What an attempt brought.
#[derive(Clone, Copy, Debug, Default)]
struct Pulled {
    tasks: usize,
    all_pinned: bool,
    some_pinned: bool,
}
