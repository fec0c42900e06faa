//! Which CPU a woken or new task goes to.

use super::Cfs;
use super::domains::Domain;
use super::version::Shares;
use crate::kernel::Kernel;
use crate::machine::cost::Work;
use crate::policy::WakeFlags;
use crate::units::{CpuId, CpuMask, TaskId};

impl Cfs {
    /// CPU for a woken fair task.
    pub(super) fn select_task_rq_wake(&mut self, k: &mut Kernel, task: TaskId, flags: WakeFlags) -> CpuId {
        let affinity = k.task(task).affinity;
        let prev = k.task(task).cpu;
        let chosen = if self.domains[flags.cpu.index()].is_empty() {
            prev
        } else if self.version.select_by_domain {
            self.select_by_domain(k, task, flags)
        } else if self.version.rt_balanced {
            self.select_inline(k, task, flags)
        } else {
            self.select_passive(k, task, flags)
        };
        if affinity.contains(chosen) { chosen } else { affinity.next(0).unwrap_or(chosen) }
    }

    /// 2.6.25 to 2.6.27: affine wakeup, passive balancing, then an idle sibling.
    fn select_passive(&mut self, k: &mut Kernel, task: TaskId, flags: WakeFlags) -> CpuId {
        let (this, prev) = (flags.cpu, k.task(task).cpu);
        if k.task(task).affinity.contains(this)
            && let Some(level) = self.common_domain(this, prev)
        {
            let params = self.domains[this.index()][level].params;
            k.charge(this, Work::CpuProbed, u64::from(prev != this));
            let load = self.source_load(prev, params.wake_idx);
            let this_load = self.target_load(this, params.wake_idx);
            if self.wake_affine(k, level, task, flags, load, this_load) {
                return this;
            }
            let imbalance = 100 + (params.imbalance_pct - 100) / 2;
            if prev != this && params.wake_balance && imbalance * this_load <= 100 * load {
                return this;
            }
        }
        self.wake_idle(k, task, prev)
    }

    /// 2.6.24: the same decisions inside `try_to_wake_up`, only if the CPUs differ.
    fn select_inline(&mut self, k: &mut Kernel, task: TaskId, flags: WakeFlags) -> CpuId {
        let (this, prev) = (flags.cpu, k.task(task).cpu);
        if prev == this || !k.task(task).affinity.contains(this) {
            return self.wake_idle(k, task, prev);
        }
        let mut chosen = prev;
        if let Some(level) = self.common_domain(this, prev) {
            let params = self.domains[this.index()][level].params;
            let load = self.source_load(prev, params.wake_idx);
            let this_load = self.target_load(this, params.wake_idx);
            let imbalance = 100 + (params.imbalance_pct - 100) / 2;
            let draws =
                params.wake_affine && self.draws_24(k, task, flags, params.wake_idx, load, this_load, imbalance);
            if draws || params.wake_balance && imbalance * this_load <= 100 * load {
                chosen = this;
            }
        }
        self.wake_idle(k, task, chosen)
    }

    #[allow(clippy::too_many_arguments)]
    fn draws_24(
        &mut self,
        k: &Kernel,
        task: TaskId,
        flags: WakeFlags,
        index: usize,
        load: u64,
        this_load: u64,
        imbalance: u64,
    ) -> bool {
        let (this, prev) = (flags.cpu, k.task(task).cpu);
        let prev_clock = self.rq(prev).clock;
        if flags.sync && !self.task_hot(task, prev_clock) {
            return true;
        }
        let per_task = self.cpu_avg_load_per_task(this);
        let mut this_load = this_load;
        if flags.sync {
            this_load = this_load.wrapping_sub(self.waker_weight(k, this));
        }
        let weight = self.e(self.task_entity(task)).load.weight;
        this_load <= load && this_load.wrapping_add(self.target_load(prev, index)) <= per_task
            || this_load.wrapping_add(weight).wrapping_mul(100) <= imbalance * load
    }

    /// Weight of who runs on `cpu`, 0 when idle.
    fn waker_weight(&self, k: &Kernel, cpu: CpuId) -> u64 {
        k.curr(cpu).map_or(0, |curr| self.e(self.task_entity(curr)).load.weight)
    }

    /// `wake_affine` of 2.6.25 to 2.6.27: whether the task goes to its waker's CPU.
    fn wake_affine(
        &mut self,
        k: &Kernel,
        level: usize,
        task: TaskId,
        flags: WakeFlags,
        load: u64,
        this_load: u64,
    ) -> bool {
        let (this, prev) = (flags.cpu, k.task(task).cpu);
        let params = self.domains[this.index()][level].params;
        if !params.wake_affine || !self.knobs.affine_wakeups {
            return false;
        }
        let turns = |cfs: &Cfs| {
            flags.sync
                && k.curr(this).is_some_and(|curr| {
                    cfs.is_fair(curr)
                        && (cfs.t(curr).avg_overlap as i64) < cfs.knobs.migration_cost
                        && (cfs.t(task).avg_overlap as i64) < cfs.knobs.migration_cost
                })
        };
        let two_levels = self.version.two_levels;
        if two_levels && turns(self) {
            return true;
        }
        let (load, this_load) = self.without_waker(k, flags, prev, load, this_load);
        let balanced = self.is_balanced(k, task, this, prev, params.imbalance_pct, load, this_load);
        if !two_levels && balanced && turns(self) {
            return true;
        }
        let per_task = self.cpu_avg_load_per_task(this);
        balanced || this_load <= load && this_load.wrapping_add(self.target_load(prev, params.wake_idx)) <= per_task
    }

    /// Loads without the waker, if it is about to sleep.
    #[inline(always)]
    fn without_waker(&self, k: &Kernel, flags: WakeFlags, prev: CpuId, load: u64, this_load: u64) -> (u64, u64) {
        let Some(waker) = k.curr(flags.cpu).filter(|_| flags.sync) else { return (load, this_load) };
        let weight = self.e(self.task_entity(waker)).load.weight as i64;
        if self.version.shares == Shares::Full {
            return (load, this_load.wrapping_sub(weight as u64));
        }
        let group = k.task(waker).group;
        let here = self.effective_load(group, flags.cpu, -weight, -weight);
        let there = self.effective_load(group, prev, 0, -weight);
        (load.wrapping_add(there as u64), this_load.wrapping_add(here as u64))
    }

    /// Whether this CPU with the task is no more loaded than the other, by half the domain's tolerance.
    #[allow(clippy::too_many_arguments)]
    fn is_balanced(
        &self,
        k: &Kernel,
        task: TaskId,
        this: CpuId,
        prev: CpuId,
        imbalance_pct: u64,
        load: u64,
        this_load: u64,
    ) -> bool {
        let imbalance = 100 + (imbalance_pct - 100) / 2;
        let weight = self.e(self.task_entity(task)).load.weight as i64;
        let (here, there) = match self.version.shares {
            Shares::Full => (weight, 0),
            Shares::Split | Shares::SplitThresh => {
                let group = k.task(task).group;
                (self.effective_load(group, this, weight, weight), self.effective_load(group, prev, 0, weight))
            }
        };
        this_load.wrapping_add(here as u64).wrapping_mul(100) <= load.wrapping_add(there as u64).wrapping_mul(imbalance)
    }

    /// `wake_idle` (SMT machines): an idle sibling, if the chosen CPU is busy with one task.
    fn wake_idle(&self, k: &Kernel, task: TaskId, cpu: CpuId) -> CpuId {
        let busy =
            if self.version.two_levels { self.rq(cpu).nr_running } else { self.q(self.top_queue(cpu)).nr_running };
        if k.curr(cpu).is_none() || busy > 1 || k.topology().spec().threads < 2 {
            return cpu;
        }
        for domain in self.domains[cpu.index()].iter().take_while(|domain| domain.params.wake_idle) {
            let near = domain.span.and(&k.task(task).affinity);
            if let Some(idle) = near.iter().find(|&cpu| k.curr(cpu).is_none()) {
                return idle;
            }
        }
        cpu
    }

    /// 2.6.32 `select_task_rq_fair` for a wakeup.
    fn select_by_domain(&mut self, k: &mut Kernel, task: TaskId, flags: WakeFlags) -> CpuId {
        let (this, prev) = (flags.cpu, k.task(task).cpu);
        let wants_affine = self.knobs.affine_wakeups && k.task(task).affinity.contains(this);
        let affine = self
            .common_domain(this, prev)
            .filter(|&level| wants_affine && self.domains[this.index()][level].params.wake_affine);
        let Some(level) = affine else { return prev };
        if self.knobs.lb_wakeup_update {
            self.update_shares(k, this, level);
        }
        if self.wake_affine_32(k, level, task, flags) { this } else { prev }
    }

    /// `wake_affine` of 2.6.32.
    fn wake_affine_32(&mut self, k: &Kernel, level: usize, task: TaskId, flags: WakeFlags) -> bool {
        let (this, prev) = (flags.cpu, k.task(task).cpu);
        let params = self.domains[this.index()][level].params;
        let load = self.source_load(prev, params.wake_idx);
        let this_load = self.target_load(this, params.wake_idx);
        let mut flags = flags;
        if flags.sync && self.knobs.sync_less {
            let cost = self.knobs.migration_cost;
            let long = |cfs: &Cfs, task: TaskId| (cfs.t(task).avg_overlap as i64) > cost;
            if k.curr(this).is_some_and(|curr| long(self, curr)) || long(self, task) {
                flags.sync = false;
            }
        }
        let (load, this_load) = self.without_waker(k, flags, prev, load, this_load);
        let balanced = this_load == 0 || self.is_balanced(k, task, this, prev, params.imbalance_pct, load, this_load);
        if flags.sync && balanced {
            return true;
        }
        let per_task = self.cpu_avg_load_per_task(this);
        balanced || this_load <= load && this_load.wrapping_add(self.target_load(prev, params.wake_idx)) <= per_task
    }

    // ---- fork balancing --------------------------------------------------------------------------------------------

    /// `sched_balance_self(cpu, SD_BALANCE_FORK)`: the idlest CPU of the idlest group, from the widest domain down.
    pub(super) fn balance_fork(&mut self, k: &mut Kernel, task: TaskId, start: CpuId) -> CpuId {
        let affinity = k.task(task).affinity;
        let mut cpu = start;
        let mut level = self.widest_fork_domain(cpu, u64::MAX);
        if self.version.select_by_domain {
            // Domains from the first one that has room on are left out.
            let local = self.domains[cpu.index()].iter().position(|domain| self.has_room(domain));
            level = match local {
                Some(local) => self.domains[cpu.index()][..local].iter().rposition(|domain| domain.params.balance_fork),
                None => level,
            };
        }
        if let Some(level) = level {
            let update = !self.version.select_by_domain || self.knobs.lb_wakeup_update;
            if update {
                self.update_shares(k, cpu, level);
            }
        }
        while let Some(at) = level {
            let domain = &self.domains[cpu.index()][at];
            let found = if domain.params.balance_fork {
                self.find_idlest_group(&affinity, cpu, at)
                    .and_then(|group| self.find_idlest_cpu(&affinity, &group, cpu))
                    .filter(|&found| found != cpu)
            } else {
                None
            };
            match found {
                None => level = at.checked_sub(1),
                Some(found) => {
                    let width = self.domains[cpu.index()][at].span_len;
                    cpu = found;
                    level = self.widest_fork_domain(cpu, width);
                }
            }
        }
        if affinity.contains(cpu) { cpu } else { affinity.next(0).unwrap_or(cpu) }
    }

    /// The widest domain of `cpu` with the fork flag that is narrower than `width` CPUs.
    fn widest_fork_domain(&self, cpu: CpuId, width: u64) -> Option<usize> {
        let domains = &self.domains[cpu.index()];
        let narrower = domains.iter().take_while(|domain| domain.span_len < width).count();
        domains[..narrower].iter().rposition(|domain| domain.params.balance_fork)
    }

    /// 2.6.32 PREFER_LOCAL: fewer entities are queued in the domain than it has capacity for, so no need to spread.
    fn has_room(&self, domain: &Domain) -> bool {
        let power: u64 = domain.span.iter().map(|cpu| self.power_of(cpu)).sum();
        let queued: u64 = domain.span.iter().map(|cpu| self.q(self.top_queue(cpu)).nr_running).sum();
        domain.params.prefer_local && queued < (power + 512) / 1024
    }

    /// `find_idlest_group`: `None` if the own group is idle enough.
    fn find_idlest_group(&self, affinity: &CpuMask, cpu: CpuId, level: usize) -> Option<CpuMask> {
        let domain = &self.domains[cpu.index()][level];
        let index = domain.params.forkexec_idx;
        let mut this_load = 0;
        let mut idlest: Option<(u64, CpuMask)> = None;
        for (nr, group) in domain.groups.iter().enumerate() {
            if group.and(affinity).is_empty() {
                continue;
            }
            let load = |cpu| if nr == 0 { self.source_load(cpu, index) } else { self.target_load(cpu, index) };
            let sum: u64 = group.iter().map(load).sum();
            let average = self.div_power(sum * 1024, self.group_power(domain.level, group));
            if nr == 0 {
                this_load = average;
            } else if idlest.is_none_or(|(least, _)| average < least) {
                idlest = Some((average, *group));
            }
        }
        let imbalance = 100 + (domain.params.imbalance_pct - 100) / 2;
        idlest.filter(|&(least, _)| 100 * this_load >= imbalance * least).map(|(_, group)| group)
    }

    /// `find_idlest_cpu`.
    fn find_idlest_cpu(&self, affinity: &CpuMask, group: &CpuMask, this: CpuId) -> Option<CpuId> {
        let mut idlest: Option<(u64, CpuId)> = None;
        for cpu in group.and(affinity).iter() {
            let load = self.rq(cpu).load;
            if idlest.is_none_or(|(least, _)| load < least || load == least && cpu == this) {
                idlest = Some((load, cpu));
            }
        }
        idlest.map(|(_, cpu)| cpu)
    }
}
