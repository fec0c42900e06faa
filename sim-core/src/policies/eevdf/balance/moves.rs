//! Which tasks move (`detach_tasks`, `can_migrate_task`), and pushing one that runs (active balancing).

use super::super::Fair;
use super::super::queue::{DequeueFlags, EnqueueFlags};
use super::imbalance::{Imbalance, Moves};
use super::{Idle, MIGRATION_COST, MOVES_MAX, Pulled};
use crate::kernel::Kernel;
use crate::machine::cost::Work;
use crate::machine::topology::DomainLevel;
use crate::task::task::TaskState;
use crate::units::{CpuId, TaskId};

/// Whether a task may move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Moves,
    /// It may not run there.
    Pinned,
    /// It runs, is throttled, or its cache is hot.
    Stays,
}

impl Fair {
    /// `detach_tasks` and `attach_tasks`: the oldest of the list first, until the imbalance is gone.
    pub(super) fn pull(
        &mut self,
        k: &mut Kernel,
        from: CpuId,
        to: CpuId,
        level: usize,
        idle: Idle,
        imbalance: &mut Imbalance,
    ) -> Pulled {
        let failed = self.balance.cpus[to.index()].domains[level].failed;
        let looks = (self.nr_running(from) as usize).min(MOVES_MAX);
        let mut pulled = Pulled { all_pinned: true, ..Pulled::default() };
        self.balance.moving.clear();
        let mut looked = 0;
        while let Some(task) = self.balance.cpus[from.index()].tasks.tail() {
            if (idle != Idle::Not && self.nr_running(from) <= 1) || looked == looks {
                break;
            }
            looked += 1;
            k.charge(to, Work::TaskScanned, 1);
            let verdict = self.can_migrate(k, task, from, to, level);
            pulled.all_pinned &= verdict == Verdict::Pinned;
            pulled.some_pinned |= verdict == Verdict::Pinned;
            let amount = match imbalance.moves {
                _ if verdict != Verdict::Moves => None,
                Moves::Tasks => Some(1),
                Moves::Load => {
                    let load = self.task_load(k, task).max(1);
                    (load >> failed.min(63) <= imbalance.amount).then_some(load)
                }
                Moves::Util => {
                    let util = self.task_util(self.ent(task));
                    (util >> failed.min(63) <= imbalance.amount).then_some(util)
                }
            };
            let Some(amount) = amount else {
                self.relist_task(from, task);
                continue;
            };
            imbalance.amount -= amount;
            self.detach(k, task, to);
            self.balance.moving.push(task);
            if idle == Idle::Newly || imbalance.amount <= 0 {
                break;
            }
        }
        pulled.tasks = self.balance.moving.len();
        // The last detached is attached first.
        while let Some(task) = self.balance.moving.pop() {
            self.attach_moved(k, task, to);
        }
        pulled
    }

    /// Off its queue; it belongs to `to` from now on.
    fn detach(&mut self, k: &mut Kernel, task: TaskId, to: CpuId) {
        k.charge(to, Work::Migrated, 1);
        let e = self.ent(task);
        self.dequeue_fair(k, e, DequeueFlags { migrating: true, ..DequeueFlags::default() });
        k.set_task_cpu(task, to);
        self.attach(k, task, to);
    }

    /// Onto its new queue, where it may preempt.
    fn attach_moved(&mut self, k: &mut Kernel, task: TaskId, to: CpuId) {
        let e = self.ent(task);
        self.enqueue_fair(k, e, EnqueueFlags::default());
        self.wakeup_preempt(k, to, task);
    }

    /// `can_migrate_task`.
    fn can_migrate(&self, k: &Kernel, task: TaskId, from: CpuId, to: CpuId, level: usize) -> Verdict {
        if !k.task(task).affinity.contains(to) {
            return Verdict::Pinned;
        }
        if !self.may_leave(k, task, from, to) {
            return Verdict::Stays;
        }
        let domain = &self.balance.cpus[to.index()].domains[level];
        let cold = !self.is_cache_hot(k, task, to, level) || domain.failed > domain.cache_nice_tries;
        if cold { Verdict::Moves } else { Verdict::Stays }
    }

    /// It waits, and neither here nor there its group is throttled. A delayed task sleeps: it stays.
    fn may_leave(&self, k: &Kernel, task: TaskId, from: CpuId, to: CpuId) -> bool {
        let e = self.ent(task);
        let group = self.group_of(self.ents[e].queue as usize);
        let throttled = |cpu| self.queues[self.queue_of(group, cpu)].throttle_count > 0;
        k.task(task).state == TaskState::Runnable && !self.ents[e].delayed && !throttled(from) && !throttled(to)
    }

    /// `task_hot`.
    fn is_cache_hot(&self, k: &Kernel, task: TaskId, to: CpuId, level: usize) -> bool {
        if Fair::has_idle_policy(k, task) || k.topology().domains(to)[level].level == DomainLevel::Smt {
            return false;
        }
        let e = self.ent(task);
        let queue = &self.queues[self.ents[e].queue as usize];
        let buddy = self.nr_running(to) > 0 && (queue.next == Some(e) || queue.last == Some(e));
        buddy || k.now() - self.ents[e].exec_start.min(k.now()) < MIGRATION_COST
    }

    /// The migration thread of `from` will push its running task to `to`, if it may run there.
    pub(super) fn ask_for_running(&mut self, k: &mut Kernel, from: CpuId, to: CpuId) -> bool {
        let fits = k.curr(from).is_some_and(|curr| k.task(curr).affinity.contains(to));
        let free = self.balance.cpus[from.index()].push_to.is_none();
        if fits && free {
            self.balance.cpus[from.index()].push_to = Some(to);
            self.wake_migration_thread(k, from);
        }
        fits
    }

    fn wake_migration_thread(&mut self, k: &mut Kernel, cpu: CpuId) {
        if k.wake_migration_thread(cpu).is_some() {
            k.resched_curr(cpu);
        }
    }

    /// The migration thread's work: a task that may not stay goes, else the oldest that may move
    /// (`active_load_balance_cpu_stop`).
    pub(in super::super) fn active_balance(&mut self, k: &mut Kernel, cpu: CpuId) {
        let Some(to) = self.balance.cpus[cpu.index()].push_to.take() else { return };
        let fits = |fair: &Fair, task: TaskId| k.task(task).affinity.contains(to) && fair.may_leave(k, task, cpu, to);
        let stray = |task: &TaskId| !k.task(*task).affinity.contains(cpu);
        let forced = self.rt_tasks(cpu).find(stray).or_else(|| self.oldest_task(cpu, |task| stray(&task)));
        let chosen = forced.or_else(|| self.oldest_task(cpu, |task| fits(self, task)));
        let Some(task) = chosen else { return };
        let allowed = k.task(task).affinity;
        self.migrate(k, task, if allowed.contains(to) { to } else { allowed.next(0).unwrap_or(to) });
        if forced.is_none() {
            for domain in &mut self.balance.cpus[to.index()].domains {
                domain.failed = 0;
            }
        }
    }

    /// The fair task of `cpu` that was queued or picked longest ago, of those that fit.
    fn oldest_task(&self, cpu: CpuId, fits: impl Fn(TaskId) -> bool) -> Option<TaskId> {
        let mut at = self.balance.cpus[cpu.index()].tasks.tail();
        while let Some(task) = at.filter(|&task| !fits(task)) {
            at = self.balance.links.prev(task);
        }
        at
    }

    /// A task that may no longer be where it is queued moves to the lowest allowed CPU.
    pub(in super::super) fn move_if_not_allowed(&mut self, k: &mut Kernel, task: TaskId, queued: bool) {
        let (cpu, allowed) = (k.task(task).cpu, k.task(task).affinity);
        if allowed.contains(cpu) || !queued {
            return;
        }
        if k.task(task).state == TaskState::Running {
            self.balance.cpus[cpu.index()].push_to = allowed.next(0);
            self.wake_migration_thread(k, cpu);
        } else if let Some(to) = allowed.next(0) {
            self.migrate(k, task, to);
        }
    }

    /// Moves a waiting task to another CPU: its lag (5.15: its relative vruntime) goes with it.
    fn migrate(&mut self, k: &mut Kernel, task: TaskId, to: CpuId) {
        if k.task(task).class.is_rt() {
            self.move_rt(k, task, to, to);
            self.wakeup_preempt(k, to, task);
        } else {
            self.detach(k, task, to);
            self.attach_moved(k, task, to);
        }
    }
}
