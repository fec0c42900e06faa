//! Moving tasks between runqueues: which are looked at, in what order, and which may go.

use super::Cfs;
use super::rq::{EntityId, MAX_PRIO, QueueId};
use super::version::{Shares, Walk};
use crate::kernel::Kernel;
use crate::machine::cost::Work;
use crate::policy::SchedClass;
use crate::queues::nice::NICE_0_LOAD;
use crate::units::{CpuId, GroupId, TaskId};

/// One balancing operation.
struct Move {
    to: CpuId,
    from: CpuId,
    level: usize,
}

/// What one queue is asked for.
struct Ask {
    amount: u64,
    best_prio: u8,
}

impl Cfs {
    /// `move_tasks`: pulls up to `amount` of load. Returns the load that came, as the kernel counts it.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn move_tasks(
        &mut self,
        k: &mut Kernel,
        to: CpuId,
        from: CpuId,
        amount: u64,
        level: usize,
        all_pinned: &mut bool,
    ) -> u64 {
        let motion = Move { to, from, level };
        let mut moved = 0;
        if self.version.rt_balanced {
            let best_prio = k.curr(to).map_or(MAX_PRIO, |curr| self.t(curr).prio);
            moved = self.balance_rt(k, &motion, Ask { amount, best_prio }, all_pinned);
            if moved >= amount {
                return moved;
            }
        }
        let left = (amount - moved) as i64;
        moved
            + if self.version.shares == Shares::Full {
                self.load_balance_fair_by_group(k, &motion, left, all_pinned)
            } else {
                self.load_balance_fair_by_share(k, &motion, left, all_pinned)
            }
    }

    /// 2.6.24 to 2.6.26: each group is balanced for itself, by half the difference of its queues.
    fn load_balance_fair_by_group(&mut self, k: &mut Kernel, motion: &Move, amount: i64, all_pinned: &mut bool) -> u64 {
        let mut left = amount;
        for group in (0..self.groups.len()).rev() {
            let group = GroupId(group as u16);
            let (there, here) = (self.queue(group, motion.from), self.queue(group, motion.to));
            let difference = self.q(there).load.weight as i64 - self.q(here).load.weight as i64;
            if difference <= 0 {
                continue;
            }
            let ask = Ask { amount: left.min(difference / 2) as u64, best_prio: self.best_prio(here) };
            left -= self.balance_tasks(k, motion, there, ask, all_pinned) as i64;
            if left <= 0 {
                break;
            }
        }
        (amount - left) as u64
    }

    /// `cfs_rq_best_prio`: priority of the running, else the leftmost task of a queue.
    fn best_prio(&self, queue: QueueId) -> u8 {
        let q = self.q(queue);
        if q.nr_running == 0 {
            return MAX_PRIO;
        }
        let entity = q.curr.or_else(|| q.tree.leftmost().map(EntityId));
        entity.and_then(|entity| self.task_of(entity)).map_or(MAX_PRIO, |task| self.t(task).prio)
    }

    /// Since the SMP-group balancer: every group gives by what its tasks weigh at the top.
    fn load_balance_fair_by_share(&mut self, k: &mut Kernel, motion: &Move, amount: i64, all_pinned: &mut bool) -> u64 {
        self.update_h_load(motion.from);
        let mut left = amount;
        for group in (0..self.groups.len()).rev() {
            let queue = self.queue(GroupId(group as u16), motion.from);
            let q = self.q(queue);
            if q.task_weight == 0 {
                continue;
            }
            let (h_load, weight) = (q.h_load, q.load.weight);
            let inside = (left as u64).wrapping_mul(weight) / (h_load + 1);
            let ask = Ask { amount: inside, best_prio: MAX_PRIO };
            let moved = self.balance_tasks(k, motion, queue, ask, all_pinned);
            if moved == 0 {
                continue;
            }
            left -= (moved.wrapping_mul(h_load) / (weight + 1)) as i64;
            if left < 0 {
                break;
            }
        }
        (amount - left) as u64
    }

    /// `balance_tasks` over one fair queue. Returns the load moved.
    fn balance_tasks(&mut self, k: &mut Kernel, motion: &Move, queue: QueueId, ask: Ask, all_pinned: &mut bool) -> u64 {
        if ask.amount == 0 {
            *all_pinned = false;
            return 0;
        }
        let mut pinned = true;
        let mut left = ask.amount as i64;
        let mut best_prio = ask.best_prio;
        let mut looks = 0;
        let mut cursor = self.walk_start(queue);
        while let Some((task, next)) = self.walk_next(queue, cursor) {
            looks += 1;
            if looks > self.knobs.nr_migrate + 1 {
                break;
            }
            cursor = next;
            k.charge(motion.to, Work::TaskScanned, 1);
            let weight = self.e(self.task_entity(task)).load.weight;
            if self.is_too_heavy(task, weight, left, best_prio) || !self.can_migrate(k, motion, task, &mut pinned) {
                continue;
            }
            self.pull_task(k, motion, task);
            left -= weight as i64;
            if left <= 0 {
                break;
            }
            best_prio = best_prio.min(self.t(task).prio);
        }
        *all_pinned = pinned;
        (ask.amount as i64 - left) as u64
    }

    /// Whether more than half of the task would be too much. Earlier releases let a better priority pass.
    fn is_too_heavy(&self, task: TaskId, weight: u64, left: i64, best_prio: u8) -> bool {
        let half = (weight >> 1) as i64;
        if self.version.prio_preference {
            half > left + NICE_0_LOAD as i64 && self.t(task).prio >= best_prio
        } else {
            half > left
        }
    }

    /// `can_migrate_task`: allowed there, not running, not cache-hot (unless attempts keep failing).
    fn can_migrate(&self, k: &Kernel, motion: &Move, task: TaskId, pinned: &mut bool) -> bool {
        if !k.task(task).affinity.contains(motion.to) {
            return false;
        }
        *pinned = false;
        if k.curr(motion.from) == Some(task) {
            return false;
        }
        let domain = &self.domains[motion.to.index()][motion.level];
        domain.nr_balance_failed > domain.params.cache_nice_tries || !self.task_hot(task, self.rq(motion.from).clock)
    }

    /// `task_hot`: it ran a moment ago, or is a buddy.
    pub(super) fn task_hot(&self, task: TaskId, now: u64) -> bool {
        let entity = self.task_entity(task);
        let q = self.q(self.e(entity).queue);
        if !self.is_fair(task) {
            return false;
        }
        if self.knobs.cache_hot_buddy && (q.next == Some(entity) || q.last == Some(entity)) {
            return true;
        }
        match self.knobs.migration_cost {
            -1 => true,
            0 => false,
            cost => (now.wrapping_sub(self.e(entity).exec_start) as i64) < cost,
        }
    }

    /// `pull_task`.
    fn pull_task(&mut self, k: &mut Kernel, motion: &Move, task: TaskId) {
        self.deactivate_task(k, motion.from, task, false);
        self.set_task_cpu(k, task, motion.to);
        self.activate_task(k, motion.to, task, false);
        self.check_preempt_curr(k, motion.to, task);
        k.charge(motion.to, Work::Migrated, 1);
    }

    // ---- iterators -------------------------------------------------------------------------------------------------

    /// First entry to look at.
    fn walk_start(&self, queue: QueueId) -> Option<EntityId> {
        let q = self.q(queue);
        match self.version.walk {
            Walk::Tree => q.tree.leftmost().map(EntityId),
            Walk::AllButOldest | Walk::All | Walk::Tasks => q.list.head().map(|entry| EntityId(entry.0)),
        }
    }

    /// The first task at or after `cursor`, and where to go on. The next entry is noted before the task may move away.
    fn walk_next(&self, _queue: QueueId, cursor: Option<EntityId>) -> Option<(TaskId, Option<EntityId>)> {
        let mut at = cursor?;
        loop {
            let next = match self.version.walk {
                Walk::Tree => self.nodes.next(at.0).map(EntityId),
                Walk::AllButOldest | Walk::All | Walk::Tasks => {
                    self.links.next(TaskId(at.0)).map(|entry| EntityId(entry.0))
                }
            };
            if next.is_none() && self.version.walk == Walk::AllButOldest {
                return None;
            }
            if let Some(task) = self.task_of(at) {
                return Some((task, next));
            }
            at = next?;
        }
    }

    // ---- single tasks ----------------------------------------------------------------------------------------------

    /// `move_one_task`: the first task that may go from `from` to `to`, real-time ones first where they are balanced.
    pub(super) fn move_one_task(&mut self, k: &mut Kernel, to: CpuId, from: CpuId, level: usize) {
        let motion = Move { to, from, level };
        let mut pinned = false;
        if self.version.rt_balanced {
            let mut cursor = self.rt_last(from, 0);
            while let Some(task) = cursor {
                cursor = self.rt_before(from, task);
                if self.can_migrate(k, &motion, task, &mut pinned) {
                    return self.pull_task(k, &motion, task);
                }
            }
        }
        for group in (0..self.groups.len()).rev() {
            let queue = self.queue(GroupId(group as u16), from);
            let mut cursor = self.walk_start(queue);
            while let Some((task, next)) = self.walk_next(queue, cursor) {
                cursor = next;
                if self.can_migrate(k, &motion, task, &mut pinned) {
                    return self.pull_task(k, &motion, task);
                }
            }
        }
    }

    /// `load_balance_rt` of 2.6.24: best list first, each from its tail.
    fn balance_rt(&mut self, k: &mut Kernel, motion: &Move, ask: Ask, all_pinned: &mut bool) -> u64 {
        if ask.amount == 0 {
            *all_pinned = false;
            return 0;
        }
        let mut pinned = true;
        let mut left = ask.amount as i64;
        let mut best_prio = ask.best_prio;
        let mut looks = 0;
        let mut cursor = self.rt_last(motion.from, 0);
        while let Some(task) = cursor {
            looks += 1;
            if looks > self.knobs.nr_migrate + 1 {
                break;
            }
            cursor = self.rt_before(motion.from, task);
            let weight = self.e(self.task_entity(task)).load.weight;
            if self.is_too_heavy(task, weight, left, best_prio) || !self.can_migrate(k, motion, task, &mut pinned) {
                continue;
            }
            self.pull_task(k, motion, task);
            left -= weight as i64;
            if left <= 0 {
                break;
            }
            best_prio = best_prio.min(self.t(task).prio);
        }
        *all_pinned = pinned;
        (ask.amount as i64 - left) as u64
    }

    /// Last task of the first list at or after `prio`.
    fn rt_last(&self, cpu: CpuId, prio: u32) -> Option<TaskId> {
        let rt = &self.rq(cpu).rt;
        rt.lists[rt.bitmap.next(prio)? as usize].tail()
    }

    /// The task before `task` on its list, else the last of the next list.
    fn rt_before(&self, cpu: CpuId, task: TaskId) -> Option<TaskId> {
        debug_assert!(matches!(self.t(task).class, SchedClass::Fifo | SchedClass::Rr));
        self.rt_links.prev(task).or_else(|| self.rt_last(cpu, u32::from(self.t(task).prio) + 1))
    }
}
