//! The queues as the balancer of `queues/domain_balance.rs` sees them.

use super::StaircaseDeadline;
use super::matrix::{FIRST_DYNAMIC, MAX_PRIO};
use crate::kernel::Kernel;
use crate::machine::cost::Work;
use crate::queues::domain_balance::{BalanceVersion, Balancing, RunQueues};
use crate::queues::load_mover::{BestPrios, LoadMover, Movable, Moved, Pull};
use crate::units::{CpuId, Nanos, TaskId};

/// Constants of the version; `rr_interval` scales what active balancing may move.
pub(super) fn balance_version(balances_as_2_6_22: bool, rr_interval_ms: u32, cache_hot_ns: Nanos) -> BalanceVersion {
    BalanceVersion {
        idle_by_curr: balances_as_2_6_22,
        newidle_ms_as_jiffies: !balances_as_2_6_22,
        push_load_max: u64::from(rr_interval_ms) * 20 * 140,
        cache_hot_ns,
    }
}

impl StaircaseDeadline {
    /// One array of the giving queue, from `first` prio upwards, lists from the tail. False when enough has moved.
    fn move_from_array(
        &mut self,
        k: &mut Kernel,
        pull: &Pull,
        mover: &mut LoadMover,
        array: usize,
        first: u32,
    ) -> bool {
        let mut at = self.rqs[pull.from.index()].arrays[array].bitmap.next(first);
        while let Some(prio) = at {
            let mut candidate = self.rqs[pull.from.index()].arrays[array].lists[prio as usize].tail();
            while let Some(task) = candidate {
                k.charge(pull.to, Work::TaskScanned, 1);
                candidate = self.links.prev(task);
                let entity = &self.tasks[task.index()];
                let weight = u64::from(entity.load_weight);
                let movable = Movable { task, prio, weight, last_ran: entity.last_ran };
                if !mover.takes(k, &movable) {
                    continue;
                }
                self.pull_task(k, pull, task);
                if !mover.took(&movable) {
                    return false;
                }
            }
            at = self.rqs[pull.from.index()].arrays[array].bitmap.next(prio + 1);
        }
        true
    }

    /// `pull_task`: the entitlement goes with it, see `update_if_moved`.
    fn pull_task(&mut self, k: &mut Kernel, pull: &Pull, task: TaskId) {
        k.charge(pull.to, Work::Migrated, 1);
        self.count_out(pull.from, task);
        self.dequeue(k, pull.from, task);
        k.set_task_cpu(task, pull.to);
        self.count_in(pull.to, task);
        self.enqueue(k, pull.to, task);
        self.check_preempt(k, pull.to, task);
    }
}

impl RunQueues for StaircaseDeadline {
    fn balancing(&self) -> &Balancing {
        &self.balancing
    }

    fn balancing_mut(&mut self) -> &mut Balancing {
        &mut self.balancing
    }

    fn weighted_load(&self, cpu: CpuId) -> u64 {
        self.rqs[cpu.index()].raw_weighted_load
    }

    fn nr_running(&self, cpu: CpuId) -> u32 {
        self.rqs[cpu.index()].nr_running
    }

    fn move_tasks(&mut self, k: &mut Kernel, pull: Pull) -> Moved {
        let from = &self.rqs[pull.from.index()];
        let best = BestPrios {
            to: self.rqs[pull.to.index()].best_prio(),
            from: from.best_prio(),
            from_curr: k.curr(pull.from).map_or(MAX_PRIO, |curr| u32::from(self.tasks[curr.index()].prio)),
        };
        let (active, expired) = (usize::from(from.active), usize::from(from.expired_index()));
        let Some(mut mover) = LoadMover::begin(pull, from.most_recent, best) else { return Moved::default() };
        if self.move_from_array(k, &pull, &mut mover, expired, FIRST_DYNAMIC) {
            self.move_from_array(k, &pull, &mut mover, active, 0);
        }
        mover.end()
    }

    fn activate_migration_thread(&mut self, k: &mut Kernel, thread: TaskId, _by: CpuId) {
        let cpu = k.task(thread).cpu;
        self.tasks[thread.index()].weightless = true;
        self.activate(k, cpu, thread);
        self.check_preempt(k, cpu, thread);
    }
}
