//! Balancing of 2.6.0-test: by counts of tasks, pulled by an idle CPU at every tick and by a busy one five times a second.

use super::Nicksched;
use crate::kernel::Kernel;
use crate::machine::cost::Work;
use crate::units::{CpuId, TaskId};

/// Who balances.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Idle,
    Busy,
}

impl Nicksched {
    /// `rebalance_tick`.
    pub(super) fn rebalance_tick(&mut self, k: &mut Kernel, cpu: CpuId) {
        if k.cpus() == 1 {
            return;
        }
        let idle = k.curr(cpu).is_none();
        let period = if idle { (self.hz / 1000).max(1) } else { (self.hz / 5).max(1) };
        if k.jiffies().is_multiple_of(period) {
            self.load_balance(k, cpu, if idle { Kind::Idle } else { Kind::Busy });
        }
    }

    /// `load_balance`: one task for an idle CPU, half the difference for a busy one.
    pub(super) fn load_balance(&mut self, k: &mut Kernel, cpu: CpuId, kind: Kind) {
        if k.cpus() == 1 {
            return;
        }
        let Some((busiest, imbalance)) = self.find_busiest_queue(k, cpu, kind) else { return };
        let mut wanted = if kind == Kind::Idle { 1 } else { imbalance };
        let active = self.rqs[busiest.index()].active;
        for array in [active ^ 1, active] {
            let mut level = self.rqs[busiest.index()].arrays[usize::from(array)].next_level(0);
            while let Some(prio) = level {
                let mut at = self.rqs[busiest.index()].arrays[usize::from(array)].tail(prio);
                while let Some(task) = at {
                    k.charge(cpu, Work::TaskScanned, 1);
                    at = self.links.prev(task);
                    if self.can_migrate(k, busiest, cpu, task, kind) {
                        self.move_task(k, busiest, cpu, task);
                        wanted -= 1;
                        if wanted == 0 {
                            return;
                        }
                    }
                }
                level = self.rqs[busiest.index()].arrays[usize::from(array)].next_level(u32::from(prio) + 1);
            }
        }
    }

    /// Loads are the smaller of now and the last look (own: the larger), so that a moment does not count.
    fn find_busiest_queue(&mut self, k: &mut Kernel, cpu: CpuId, kind: Kind) -> Option<(CpuId, u32)> {
        let own_now = self.rqs[cpu.index()].nr_running();
        let own = match kind {
            Kind::Idle => own_now,
            Kind::Busy => own_now.max(self.rqs[cpu.index()].prev_cpu_load[cpu.index()]),
        };
        let mut busiest = None;
        let mut most = 1;
        for other in k.topology().cpu_ids() {
            k.charge(cpu, Work::CpuProbed, 1);
            let now = self.rqs[other.index()].nr_running();
            let last = std::mem::replace(&mut self.rqs[cpu.index()].prev_cpu_load[other.index()], now);
            let load = if kind == Kind::Busy { now.min(last) } else { now };
            if other != cpu && load > most {
                (busiest, most) = (Some(other), load);
            }
        }
        let imbalance = most.saturating_sub(own) / 2;
        let enough = kind == Kind::Idle || imbalance >= most.div_ceil(4).max(1);
        let busiest = busiest.filter(|_| enough)?;
        // Looked at again with both queues locked.
        (self.rqs[busiest.index()].nr_running() > own_now + 1).then_some((busiest, imbalance.max(1)))
    }

    /// Not running, allowed, and for a busy CPU not used for a tick.
    fn can_migrate(&self, k: &Kernel, from: CpuId, to: CpuId, task: TaskId, kind: Kind) -> bool {
        k.curr(from) != Some(task)
            && k.task(task).affinity.contains(to)
            && (kind == Kind::Idle || k.jiffies() - self.tasks[task.index()].timestamp > 1)
    }

    /// `pull_task`, onto the active array.
    pub(super) fn move_task(&mut self, k: &mut Kernel, from: CpuId, to: CpuId, task: TaskId) {
        k.charge(to, Work::Migrated, 1);
        self.dequeue(k, from, task);
        k.set_task_cpu(task, to);
        let active = self.rqs[to.index()].active;
        self.enqueue(k, to, task, active);
        self.check_preempt(k, to, task);
    }
}
