//! Load balancing of 2.6: the shared balancer's view of these queues, and `move_tasks`.

use super::O1;
use super::reasons::Mark;
use super::versions::Estimator;
use crate::kernel::Kernel;
use crate::machine::cost::Work;
use crate::queues::domain_balance::{Balancing, LOAD_SCALE, LoadUnit, RunQueues, active_load_balance, idle_balance};
use crate::queues::load_mover::{BestPrios, LoadMover, Movable, Moved, Pull};
use crate::units::{CpuId, TaskId};

impl RunQueues for O1 {
    fn balancing(&self) -> &Balancing {
        &self.balancing
    }

    fn balancing_mut(&mut self) -> &mut Balancing {
        &mut self.balancing
    }

    fn weighted_load(&self, cpu: CpuId) -> u64 {
        match self.version.nanos.era.load {
            LoadUnit::Weight => self.rq(cpu).raw_weighted_load,
            LoadUnit::Biased | LoadUnit::Count => u64::from(self.rq(cpu).nr_running) * LOAD_SCALE,
        }
    }

    fn nr_running(&self, cpu: CpuId) -> u32 {
        self.rq(cpu).nr_running
    }

    fn prio_bias(&self, cpu: CpuId) -> u64 {
        self.rq(cpu).prio_bias
    }

    fn move_tasks(&mut self, k: &mut Kernel, pull: Pull) -> Moved {
        let best = BestPrios {
            to: self.best_prio(k, pull.to),
            from: self.best_prio(k, pull.from),
            from_curr: u32::from(self.curr_prio(k, pull.from)),
        };
        let Some(mut mover) = LoadMover::begin(pull, self.rq(pull.from).clock, best) else { return Moved::default() };
        let active = self.rq(pull.from).active;
        if self.move_from(k, &pull, &mut mover, 1 - active) {
            self.move_from(k, &pull, &mut mover, active);
        }
        let moved = mover.end();
        if moved.tasks > 0 {
            k.note(Some(pull.to), Mark::Pull, [i64::from(moved.tasks), i64::from(pull.from.0)]);
        }
        moved
    }

    fn activate_migration_thread(&mut self, k: &mut Kernel, thread: TaskId, by: CpuId) {
        self.queue_migration_thread(k, thread, by);
    }
}

impl O1 {
    /// `rq_best_prio`.
    fn best_prio(&self, k: &Kernel, cpu: CpuId) -> u32 {
        u32::from(self.curr_prio(k, cpu).min(self.rq(cpu).best_expired_prio))
    }

    /// Takes tasks from one array, priorities upwards, lists from the tail. Returns whether more may be taken.
    fn move_from(&mut self, k: &mut Kernel, pull: &Pull, mover: &mut LoadMover, array: u8) -> bool {
        let mut level = 0;
        while let Some(prio) = self.rq(pull.from).array(array).next_level(level) {
            level = u32::from(prio) + 1;
            let mut at = self.rq(pull.from).array(array).tail(prio);
            while let Some(task) = at {
                at = self.links.prev(task);
                k.charge(pull.to, Work::TaskScanned, 1);
                let data = self.data(task);
                let movable = Movable {
                    task,
                    prio: u32::from(prio),
                    weight: u64::from(data.load_weight),
                    last_ran: data.last_ran,
                };
                if !mover.takes(k, &movable) {
                    continue;
                }
                self.pull_task(k, task, pull.from, pull.to, array);
                if !mover.took(&movable) {
                    return false;
                }
            }
        }
        true
    }

    /// `pull_task`: into the same kind of array on the other CPU.
    fn pull_task(&mut self, k: &mut Kernel, task: TaskId, from: CpuId, to: CpuId, array: u8) {
        let expired = array != self.rq(from).active;
        self.unqueue(k, from, task);
        k.set_task_cpu(task, to);
        k.charge(to, Work::Migrated, 1);
        let target = if expired { self.rq(to).expired() } else { self.rq(to).active };
        self.queue_in(k, to, task, target);
        let shift = self.rq(to).clock.wrapping_sub(self.rq(from).clock);
        let data = self.data_mut(task);
        data.timestamp = data.timestamp.wrapping_add(shift);
        self.test_preemption(k, to, task, to);
    }

    /// The CPU is about to idle.
    pub(super) fn balance_newly_idle(&mut self, k: &mut Kernel, cpu: CpuId) {
        match self.version.estimator {
            Estimator::Nanos => idle_balance(self, k, cpu),
            Estimator::Ticks => self.balance_lengths(k, cpu, true),
            Estimator::History | Estimator::Steps => self.balance_lengths_january(k, cpu),
        }
    }

    /// The migration thread has the CPU.
    pub(super) fn push(&mut self, k: &mut Kernel, cpu: CpuId) {
        k.note(Some(cpu), Mark::Push, [0, 0]);
        if let Some((task, target)) = self.rq_mut(cpu).leaves.take() {
            let still_here = k.task(task).is_queued() && k.task(task).cpu == cpu;
            if still_here && !k.task(task).affinity.contains(cpu) {
                self.move_queued(k, task, target);
            }
        }
        active_load_balance(self, k, cpu);
    }
}
