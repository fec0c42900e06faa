//! Where woken and new tasks go: `wake_affine` and `select_idle_sibling`, `find_idlest_cpu`.
//!
//! Left out: energy-aware placement, asymmetric capacities, clusters, and 5.15's limit of the scan by its measured cost
//! (the whole cache is scanned).

use super::balance::stats::{GroupStats, GroupType};
use super::{Fair, Generation};
use crate::kernel::Kernel;
use crate::machine::cost::Work;
use crate::machine::topology::{DomainLevel, SchedDomain};
use crate::policy::{NewTask, WakeFlags};
use crate::units::{CpuId, CpuMask, TaskId};

/// What a waker remembers of whom it wakes, and a task of where it ran.
#[derive(Clone, Copy, Debug, Default)]
pub struct WakeHistory {
    /// Changes of the wakee, decaying by half a second (`wakee_flips`).
    flips: u32,
    /// When it last decayed, jiffies.
    decayed_at: u64,
    last_wakee: Option<TaskId>,
    /// CPU before the last one (`recent_used_cpu`).
    recent: CpuId,
}

impl WakeHistory {
    /// Of a task that begins on `cpu`.
    pub fn new(cpu: CpuId) -> WakeHistory {
        WakeHistory { recent: cpu, ..WakeHistory::default() }
    }
}

impl Fair {
    /// Runnable tasks of a CPU, throttled ones left out.
    #[inline(always)]
    pub(super) fn nr_running(&self, cpu: CpuId) -> u32 {
        self.queues[self.root(cpu)].h_nr + self.rt[cpu.index()].runnable()
    }

    /// `available_idle_cpu`.
    #[inline(always)]
    pub(super) fn is_idle_cpu(&self, k: &Kernel, cpu: CpuId) -> bool {
        k.curr(cpu).is_none() && self.nr_running(cpu) == 0
    }

    /// A woken task gets it at once: it idles, or runs SCHED_IDLE tasks only.
    #[inline(always)]
    fn yields_at_once(&self, k: &Kernel, cpu: CpuId) -> bool {
        self.is_idle_cpu(k, cpu) || self.has_idle_policy_only(cpu)
    }

    /// `select_task_rq_fair` at wakeup.
    pub(super) fn select_task_rq(&mut self, k: &mut Kernel, task: TaskId, flags: WakeFlags) -> CpuId {
        let prev = k.task(task).cpu;
        if !self.smp {
            return prev;
        }
        let allowed = k.task(task).affinity;
        let prev = if allowed.contains(prev) { prev } else { allowed.next(0).unwrap_or(prev) };
        if k.task(task).class.is_rt() {
            return self.select_task_rq_rt(k, task, prev, flags.cpu);
        }
        let waker = if flags.in_interrupt { None } else { flags.waker };
        self.record_wakee(k, waker, task);
        let mut target = prev;
        if flags.cpu != prev && allowed.contains(flags.cpu) && !self.wake_wide(k, waker, task) {
            target = self.wake_affine(k, task, prev, flags);
        }
        self.select_idle_sibling(k, task, prev, target, flags.cpu)
    }

    /// `record_wakee`: who wakes many different tasks is known by it.
    fn record_wakee(&mut self, k: &Kernel, waker: Option<TaskId>, wakee: TaskId) {
        let Some(waker) = waker else { return };
        let history = &mut self.wakes[waker.index()];
        if k.jiffies() > history.decayed_at + u64::from(self.hz) {
            history.flips >>= 1;
            history.decayed_at = k.jiffies();
        }
        if history.last_wakee != Some(wakee) {
            history.last_wakee = Some(wakee);
            history.flips += 1;
        }
    }

    /// `wake_wide`: a waker with many wakees does not pull them all to itself.
    fn wake_wide(&self, k: &Kernel, waker: Option<TaskId>, wakee: TaskId) -> bool {
        let Some(waker) = waker else { return false };
        let (a, b) = (self.wakes[waker.index()].flips, self.wakes[wakee.index()].flips);
        let (master, slave) = (a.max(b), a.min(b));
        let factor = self.cache_span(k.task(waker).cpu).count().max(1);
        slave >= factor && master >= slave * factor
    }

    /// `wake_affine`: the waker's CPU or the previous one.
    fn wake_affine(&mut self, k: &Kernel, task: TaskId, prev: CpuId, flags: WakeFlags) -> CpuId {
        let here = flags.cpu;
        if self.is_idle_cpu(k, here) && self.shares_cache(here, prev) {
            return if self.is_idle_cpu(k, prev) { prev } else { here };
        }
        if flags.sync && self.nr_running(here) == 1 {
            return here;
        }
        if self.is_idle_cpu(k, prev) {
            return prev;
        }
        // `wake_affine_weight`
        let mut load_here = self.cpu_load(here);
        if flags.sync
            && let Some(curr) = k.curr(here).filter(|&curr| !k.task(curr).class.is_rt())
        {
            let own = self.task_load(k, curr);
            if own > load_here {
                return here;
            }
            load_here -= own;
        }
        let load = self.task_load(k, task);
        let bias = 100 + (self.imbalance_percent(k, here, prev) - 100) / 2;
        let there = (self.cpu_load(prev) - load).max(0) * bias * self.capacity_of(here) + i64::from(flags.sync);
        if (load_here + load) * 100 * self.capacity_of(prev) < there { here } else { prev }
    }

    fn imbalance_percent(&self, k: &Kernel, a: CpuId, b: CpuId) -> i64 {
        let domain = k.topology().domains(a).iter().find(|domain| domain.span.contains(b));
        domain.map_or(117, |domain| imbalance_percent(domain.level))
    }

    /// CPUs that share a last-level cache (`sd_llc`), `cpu` included.
    pub(super) fn cache_span(&self, cpu: CpuId) -> CpuMask {
        self.balance.caches[self.balance.cache_of[cpu.index()]].span
    }

    pub(super) fn shares_cache(&self, a: CpuId, b: CpuId) -> bool {
        self.balance.cache_of[a.index()] == self.balance.cache_of[b.index()]
    }

    /// `select_idle_sibling`: the target, the previous or a recently used CPU if idle, else a scan of the cache.
    fn select_idle_sibling(&mut self, k: &mut Kernel, task: TaskId, prev: CpuId, target: CpuId, by: CpuId) -> CpuId {
        let allowed = k.task(task).affinity;
        k.charge(by, Work::CpuProbed, 1);
        if self.yields_at_once(k, target) {
            return target;
        }
        if prev != target && self.shares_cache(prev, target) && self.yields_at_once(k, prev) {
            return prev;
        }
        let recent = std::mem::replace(&mut self.wakes[task.index()].recent, prev);
        if recent != prev
            && recent != target
            && self.shares_cache(recent, target)
            && allowed.contains(recent)
            && self.yields_at_once(k, recent)
        {
            return recent;
        }
        let span = self.cache_span(target);
        let threads = k.topology().spec().threads;
        let idle_core = threads > 1 && self.has_idle_core(k, &span);
        if threads > 1 && !idle_core && self.shares_cache(prev, target) {
            let sibling = k.topology().siblings(prev).iter();
            let idle =
                sibling.filter(|&cpu| cpu != prev && allowed.contains(cpu)).find(|&cpu| self.yields_at_once(k, cpu));
            if let Some(cpu) = idle {
                return cpu;
            }
        }
        self.select_idle_cpu(k, &span.and(&allowed), target, idle_core, by).unwrap_or(target)
    }

    fn has_idle_core(&self, k: &Kernel, span: &CpuMask) -> bool {
        let first_thread = |cpu: &CpuId| cpu.0.is_multiple_of(k.topology().spec().threads);
        span.iter().filter(first_thread).any(|cpu| self.is_idle_core(k, cpu))
    }

    fn is_idle_core(&self, k: &Kernel, cpu: CpuId) -> bool {
        k.topology().siblings(cpu).iter().all(|sibling| self.is_idle_cpu(k, sibling))
    }

    /// `select_idle_cpu`: from behind the target around the cache. With an idle core somewhere, that core; else the
    /// first idle CPU within the limit of the scan (6.6 and later: fewer probes the busier the cache).
    fn select_idle_cpu(&self, k: &mut Kernel, span: &CpuMask, target: CpuId, core: bool, by: CpuId) -> Option<CpuId> {
        let mut limit = u32::MAX;
        if self.version.generation != Generation::Cfs515 && !core {
            limit = self.balance.caches[self.balance.cache_of[target.index()]].idle_scan;
        }
        let (mut probed, mut found, mut any) = (0, None, None);
        if self.idle_tasks == 0 && span.and(k.idle_cpus()).is_empty() {
            // Nobody to find, as mostly on a busy machine.
            k.charge(by, Work::CpuProbed, u64::from(limit.min(span.count())));
            return None;
        }
        for cpu in span.iter().filter(|cpu| cpu.0 > target.0).chain(span.iter().filter(|cpu| cpu.0 <= target.0)) {
            if probed == limit {
                break;
            }
            probed += 1;
            if !self.yields_at_once(k, cpu) {
                continue;
            }
            any = any.or(Some(cpu));
            if !core || self.is_idle_core(k, cpu) {
                found = Some(cpu);
                break;
            }
        }
        k.charge(by, Work::CpuProbed, u64::from(probed));
        found.or(any)
    }

    /// `select_task_rq_fair` at fork, `find_idlest_cpu`: down the domains, each time the idlest group and in it the
    /// idlest CPU.
    pub(super) fn select_fork_cpu(&mut self, k: &mut Kernel, task: TaskId, new: NewTask) -> CpuId {
        if new.cpu_is_given || !self.smp {
            return new.cpu;
        }
        if k.task(task).class.is_rt() {
            return self.select_task_rq_rt(k, task, new.cpu, new.cpu);
        }
        let allowed = k.task(task).affinity;
        let topology = k.topology_shared();
        let mut cpu = new.cpu;
        let mut above = topology.domains(cpu).len();
        while above > 0 {
            let domain = &topology.domains(cpu)[above - 1];
            above -= 1;
            let Some(group) = self.find_idlest_group(k, domain, &allowed, cpu) else { continue };
            let Some(idlest) = self.find_idlest_group_cpu(k, &group.and(&allowed)) else { continue };
            if idlest != cpu {
                // Its own domains below this one.
                let weight = domain.span.count();
                cpu = idlest;
                above = topology.domains(cpu).iter().take_while(|lower| lower.span.count() < weight).count();
            }
        }
        if allowed.contains(cpu) { cpu } else { allowed.next(0).unwrap_or(cpu) }
    }

    /// `find_idlest_group`; `None`: the own group is good enough.
    fn find_idlest_group(
        &self,
        k: &mut Kernel,
        domain: &SchedDomain,
        allowed: &CpuMask,
        this: CpuId,
    ) -> Option<CpuMask> {
        let percent = imbalance_percent(domain.level);
        let mut local: Option<GroupStats> = None;
        let mut idlest: Option<(GroupStats, CpuMask)> = None;
        for group in &domain.groups {
            if group.and(allowed).is_empty() {
                continue;
            }
            let stats = self.group_stats(k, group, percent, this);
            if group.contains(this) {
                local = Some(stats);
                continue;
            }
            let better = idlest.as_ref().is_none_or(|(best, _)| match stats.kind.cmp(&best.kind) {
                std::cmp::Ordering::Less => true,
                std::cmp::Ordering::Greater => false,
                std::cmp::Ordering::Equal if stats.kind == GroupType::HasSpare => {
                    (stats.idle_cpus, std::cmp::Reverse(stats.util)) > (best.idle_cpus, std::cmp::Reverse(best.util))
                }
                std::cmp::Ordering::Equal => stats.average() < best.average(),
            });
            if better {
                idlest = Some((stats, *group));
            }
        }
        let (idlest, group) = idlest?;
        let Some(local) = local else { return Some(group) };
        if local.kind != idlest.kind {
            return (local.kind > idlest.kind).then_some(group);
        }
        let stay = match local.kind {
            GroupType::HasSpare => local.idle_cpus >= idlest.idle_cpus,
            _ => {
                let imbalance = 1024 * (percent - 100) / 100;
                idlest.average() >= local.average() + imbalance || 100 * local.average() <= percent * idlest.average()
            }
        };
        (!stay).then_some(group)
    }

    /// `find_idlest_group_cpu`: the first that runs SCHED_IDLE tasks only, else the idle CPU that became idle last, else
    /// the least loaded.
    fn find_idlest_group_cpu(&self, k: &Kernel, group: &CpuMask) -> Option<CpuId> {
        let idle_only = group.iter().find(|&cpu| self.has_idle_policy_only(cpu));
        let idle = group.iter().filter(|&cpu| self.is_idle_cpu(k, cpu));
        // The first of equals, so the last in reverse order of numbers.
        let newest = idle.max_by_key(|&cpu| (self.balance.cpus[cpu.index()].idle_since, std::cmp::Reverse(cpu)));
        idle_only.or(newest).or_else(|| group.iter().min_by_key(|&cpu| (self.cpu_load(cpu), cpu)))
    }
}

/// `imbalance_pct` of a domain.
pub(super) fn imbalance_percent(level: DomainLevel) -> i64 {
    if level == DomainLevel::Smt { 110 } else { 117 }
}
