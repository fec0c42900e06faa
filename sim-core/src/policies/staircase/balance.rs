//! The queues as the balancer of `queues/domain_balance` sees them.

use super::{IDLE_PRIO, Staircase};
use crate::kernel::Kernel;
use crate::machine::cost::Work;
use crate::queues::domain_balance::{BalanceVersion, Balancing, RunQueues};
use crate::queues::load_mover::{BestPrios, LoadMover, Movable, Moved, Pull};
use crate::units::{CpuId, TaskId};

/// Replaced as soon as the tunables are known.
pub(super) const EMPTY: BalanceVersion =
    BalanceVersion { idle_by_curr: false, newidle_ms_as_jiffies: true, push_load_max: 0, cache_hot_ns: 0 };

impl Staircase {
    /// 2.6.20, with the weight of a real-time task of priority 100 as the most that active balancing moves.
    pub(super) fn balance_version(&self) -> BalanceVersion {
        let rr = self.rr_interval() as u64;
        BalanceVersion { push_load_max: (rr + 120) * 128 / (19 * rr), cache_hot_ns: self.cache_hot_ns, ..EMPTY }
    }

    fn curr_prio(&self, k: &Kernel, cpu: CpuId) -> u32 {
        u32::from(k.curr(cpu).map_or(IDLE_PRIO, |curr| self.tasks[curr.index()].prio))
    }

    /// `pull_task`: priority and slice stay as they are.
    fn pull_task(&mut self, k: &mut Kernel, pull: &Pull, task: TaskId) {
        k.charge(pull.to, Work::Migrated, 1);
        self.dequeue(k, pull.from, task);
        k.set_task_cpu(task, pull.to);
        self.enqueue(k, pull.to, task);
        let (from, to) = (self.rqs[pull.from.index()].most_recent, self.rqs[pull.to.index()].most_recent);
        let stamp = &mut self.tasks[task.index()].stamp;
        *stamp = stamp.wrapping_sub(from).wrapping_add(to);
        self.check_preempt(k, pull.to, task);
    }
}

impl RunQueues for Staircase {
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
        self.rqs[cpu.index()].array.nr_active()
    }

    fn move_tasks(&mut self, k: &mut Kernel, pull: Pull) -> Moved {
        // The best priority of a queue is that of its running task, so it has always been seen.
        let best = BestPrios {
            to: self.curr_prio(k, pull.to),
            from: self.curr_prio(k, pull.from),
            from_curr: self.curr_prio(k, pull.from),
        };
        let clock = self.rqs[pull.from.index()].most_recent;
        let Some(mut mover) = LoadMover::begin(pull, clock, best) else { return Moved::default() };
        let mut level = self.rqs[pull.from.index()].array.next_level(0);
        while let Some(prio) = level {
            let mut candidate = self.rqs[pull.from.index()].array.tail(prio);
            while let Some(task) = candidate {
                k.charge(pull.to, Work::TaskScanned, 1);
                candidate = self.links.prev(task);
                let entity = &self.tasks[task.index()];
                let weight = u64::from(entity.load_weight);
                let movable = Movable { task, prio: u32::from(prio), weight, last_ran: entity.last_ran };
                if !mover.takes(k, &movable) {
                    continue;
                }
                self.pull_task(k, &pull, task);
                if !mover.took(&movable) {
                    return mover.end();
                }
            }
            level = self.rqs[pull.from.index()].array.next_level(u32::from(prio) + 1);
        }
        mover.end()
    }

    fn activate_migration_thread(&mut self, k: &mut Kernel, thread: TaskId, by: CpuId) {
        let cpu = k.task(thread).cpu;
        self.activate(k, cpu, thread, by);
        self.check_preempt(k, cpu, thread);
    }
}
