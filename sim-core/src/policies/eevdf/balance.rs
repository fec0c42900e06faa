//! Several CPUs: placement and balancing.
//!
//! A reduction of the kernels' code, not a copy of its order: idle CPUs that share a cache are found by number from the
//! target (the kernel limits and rotates the scan); a queue's load is its weight now (the kernel decays it, PELT); group
//! types are reduced to "has spare capacity" (even out the number of tasks) and "overloaded" (even out weight). No
//! recorded schedule covers it.

use super::entity::Ent;
use super::queue::{DequeueFlags, EnqueueFlags};
use super::{Fair, Generation};
use crate::kernel::Kernel;
use crate::machine::cost::Work;
use crate::policy::{NewTask, WakeFlags};
use crate::task::task::TaskState;
use crate::units::{CpuId, GroupId, TaskId};

/// Balancing interval of a busy CPU, ms per CPU of the domain (`balance_interval` = weight, x busy_factor 16).
const BUSY_FACTOR: u64 = 16;
/// Imbalance that is tolerated, percent.
const IMBALANCE_PERCENT: i64 = 117;
/// Failed attempts after which a running task is pushed.
const FAILED_MAX: u32 = 3;

/// Balancing state.
#[derive(Clone, Debug)]
pub struct Balance {
    /// Next balancing of each CPU, jiffies.
    next: Vec<u64>,
    /// Attempts in vain.
    failed: Vec<u32>,
    /// Who asked for a running task of this CPU.
    push_to: Vec<Option<CpuId>>,
}

impl Balance {
    /// Fresh state.
    pub fn new(k: &Kernel) -> Balance {
        let cpus = usize::from(k.cpus());
        Balance { next: vec![0; cpus], failed: vec![0; cpus], push_to: vec![None; cpus] }
    }
}

impl Fair {
    fn is_idle_cpu(&self, k: &Kernel, cpu: CpuId) -> bool {
        k.curr(cpu).is_none() && k.nr_running(cpu) == 0
    }

    /// Weight of a group's entity on one CPU: its shares by the part of the group's load that is there.
    pub(super) fn group_share(&self, k: &Kernel, q: usize) -> i64 {
        let group = self.group_of(q);
        let shares = self.group_weight(k, group);
        if self.cpus == 1 || self.group_idle[group.index()] {
            return shares;
        }
        let load = self.queues[q].load;
        let total: i64 = (0..self.cpus).map(|cpu| self.queues[self.queue_of(group, CpuId(cpu as u16))].load).sum();
        if total == 0 { shares } else { (shares * load / total).clamp(2, shares.max(2)) }
    }

    /// `select_task_rq_fair` at fork: the allowed CPU with the fewest tasks, own cache and lowest number first.
    pub(super) fn select_fork_cpu(&self, k: &Kernel, task: TaskId, new: NewTask) -> CpuId {
        let allowed = k.task(task).affinity;
        if new.cpu_is_given || self.cpus == 1 {
            return new.cpu;
        }
        let cost = |cpu: &CpuId| {
            let far = u32::from(!k.topology().share_cache(new.cpu, *cpu));
            (k.nr_running(*cpu) - u32::from(*cpu == k.task(task).cpu), far, u32::from(*cpu != new.cpu), cpu.0)
        };
        k.topology().cpu_ids().filter(|&cpu| allowed.contains(cpu)).min_by_key(cost).unwrap_or(new.cpu)
    }

    /// `select_task_rq_fair` at wakeup: `wake_affine` chooses between the waker's and the previous CPU, then an idle
    /// CPU is looked for in the cache of the chosen one.
    pub(super) fn select_task_rq(&self, k: &mut Kernel, task: TaskId, flags: WakeFlags) -> CpuId {
        let prev = k.task(task).cpu;
        if self.cpus == 1 {
            return prev;
        }
        let allowed = k.task(task).affinity;
        let topology = k.topology_shared();
        let waker = flags.cpu;
        let mut target = if allowed.contains(prev) { prev } else { allowed.next(0).unwrap_or(prev) };
        if !flags.in_interrupt && waker != target && allowed.contains(waker) {
            target = self.wake_affine(k, task, target, flags);
        }
        if self.is_idle_cpu(k, target) {
            return target;
        }
        if topology.share_cache(prev, target) && allowed.contains(prev) && self.is_idle_cpu(k, prev) {
            return prev;
        }
        let count = k.cpus();
        for step in 1..count {
            let cpu = CpuId((target.0 + step) % count);
            k.charge(flags.cpu, Work::CpuProbed, 1);
            if topology.share_cache(target, cpu) && allowed.contains(cpu) && self.is_idle_cpu(k, cpu) {
                return cpu;
            }
        }
        target
    }

    fn wake_affine(&self, k: &Kernel, task: TaskId, prev: CpuId, flags: WakeFlags) -> CpuId {
        let waker = flags.cpu;
        if self.is_idle_cpu(k, waker) && k.topology().share_cache(waker, prev) {
            return if self.is_idle_cpu(k, prev) { prev } else { waker };
        }
        if flags.sync && k.nr_running(waker) == 1 {
            return waker;
        }
        if self.is_idle_cpu(k, prev) {
            return prev;
        }
        let weight = self.ents[self.ent(task)].weight;
        let here = self.queues[self.root(waker)].load + weight;
        let there = self.queues[self.root(prev)].load;
        if 100 * here < (100 + (IMBALANCE_PERCENT - 100) / 2) * there { waker } else { prev }
    }

    /// A task that may no longer be where it is queued moves to the lowest allowed CPU.
    pub(super) fn move_if_not_allowed(&mut self, k: &mut Kernel, task: TaskId, queued: bool) {
        let (cpu, allowed) = (k.task(task).cpu, k.task(task).affinity);
        if allowed.contains(cpu) || !queued {
            return;
        }
        if k.task(task).state == TaskState::Running {
            self.balance.push_to[cpu.index()] = allowed.next(0);
            self.wake_migration_thread(k, cpu);
        } else if let Some(to) = allowed.next(0) {
            self.migrate(k, task, to);
        }
    }

    fn wake_migration_thread(&mut self, k: &mut Kernel, cpu: CpuId) {
        if k.wake_migration_thread(cpu).is_some() {
            k.resched_curr(cpu);
        }
    }

    /// Moves a waiting task to another CPU: its lag (5.15: its relative vruntime) goes with it.
    fn migrate(&mut self, k: &mut Kernel, task: TaskId, to: CpuId) {
        let from = k.task(task).cpu;
        k.charge(to, Work::Migrated, 1);
        if k.task(task).class.is_rt() {
            self.remove_rt(from, task, k.task(task).rt_priority);
            k.set_task_cpu(task, to);
            self.attach(k, task, to);
            self.enqueue_rt(k, task);
        } else {
            let e = self.ent(task);
            self.dequeue_fair(k, e, DequeueFlags::default());
            k.set_task_cpu(task, to);
            self.attach(k, task, to);
            self.enqueue_fair(k, e, EnqueueFlags::default());
        }
        self.wakeup_preempt(k, to, task);
    }

    /// A waiting fair task of `from` that may run on `to`: the one that would run last there.
    fn movable(&self, k: &Kernel, from: CpuId, to: CpuId) -> Option<TaskId> {
        for group in (0..self.group_parent.len()).rev() {
            let q = self.queue_of(GroupId(group as u16), from);
            if self.queues[q].throttle_count > 0 {
                continue;
            }
            let mut best: Option<Ent> = None;
            let mut at = self.queues[q].tree.leftmost;
            while at != super::NIL {
                let e = at as usize;
                let fits = self.is_task(e) && !self.ents[e].delayed && k.task(self.task_of(e)).affinity.contains(to);
                if fits && k.task(self.task_of(e)).state == TaskState::Runnable {
                    best = Some(e);
                }
                at = self.queues[q].tree.next(&self.ents, at);
            }
            if let Some(e) = best {
                return Some(self.task_of(e));
            }
        }
        None
    }

    /// The CPU with most waiting tasks among those of `cpu`'s domains, nearest domain first.
    fn busiest(&self, k: &Kernel, cpu: CpuId) -> Option<(CpuId, u32)> {
        let topology = k.topology_shared();
        for domain in topology.domains(cpu) {
            let busiest = domain
                .span
                .iter()
                .filter(|&other| other != cpu && self.movable(k, other, cpu).is_some())
                .map(|other| (other, self.queues[self.root(other)].h_nr))
                .max_by_key(|&(other, nr)| (nr, std::cmp::Reverse(other)));
            if busiest.is_some_and(|(_, nr)| nr > 1) {
                return busiest;
            }
        }
        None
    }

    /// `newidle_balance`: about to idle, pulls one task.
    pub(super) fn newidle_balance(&mut self, k: &mut Kernel, cpu: CpuId) {
        if self.cpus == 1 || k.nr_running(cpu) > 0 {
            return;
        }
        if let Some((from, _)) = self.busiest(k, cpu)
            && let Some(task) = self.movable(k, from, cpu)
        {
            self.migrate(k, task, cpu);
            k.clear_need_resched(cpu);
        }
    }

    /// `rebalance_domains` at the tick.
    pub(super) fn rebalance(&mut self, k: &mut Kernel, cpu: CpuId) {
        if self.cpus == 1 || k.jiffies() < self.balance.next[cpu.index()] {
            return;
        }
        let idle = self.is_idle_cpu(k, cpu);
        let interval = self.cpus as u64 * if idle { 1 } else { BUSY_FACTOR };
        self.balance.next[cpu.index()] = k.jiffies() + (interval * u64::from(self.hz) / 1000).max(1);
        let Some((from, there)) = self.busiest(k, cpu) else {
            self.balance.failed[cpu.index()] = 0;
            return;
        };
        let here = self.queues[self.root(cpu)].h_nr;
        let (load_there, load_here) = (self.queues[self.root(from)].load, self.queues[self.root(cpu)].load);
        let unbalanced = there > here + 1 || (100 * load_there > IMBALANCE_PERCENT * load_here && there > here);
        if !unbalanced {
            self.balance.failed[cpu.index()] = 0;
            return;
        }
        let task = self.movable(k, from, cpu).filter(|&task| {
            // Moving must not turn the imbalance round, unless repeated attempts failed.
            let weight = self.ents[self.ent(task)].weight;
            there > here + 1 || 2 * weight <= load_there - load_here || self.balance.failed[cpu.index()] > FAILED_MAX
        });
        match task {
            Some(task) => {
                self.balance.failed[cpu.index()] = 0;
                self.migrate(k, task, cpu);
            }
            None => self.balance.failed[cpu.index()] += 1,
        }
    }

    /// The migration thread's work: pushes a task that was running to whoever asked.
    pub(super) fn active_balance(&mut self, k: &mut Kernel, cpu: CpuId) {
        let Some(to) = self.balance.push_to[cpu.index()].take() else { return };
        let not_allowed = (0..k.tasks().len()).map(|id| TaskId(id as u32)).find(|&id| {
            k.task(id).cpu == cpu && k.task(id).state == TaskState::Runnable && !k.task(id).affinity.contains(cpu)
        });
        if let Some(task) = not_allowed.or_else(|| self.movable(k, cpu, to)) {
            self.migrate(k, task, to);
        }
    }

    /// EEVDF rather than CFS.
    pub(super) fn is_eevdf(&self) -> bool {
        self.version.generation != Generation::Cfs515
    }
}
