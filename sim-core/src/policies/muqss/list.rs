//! Keys of the skip lists, and putting tasks on and off.

use super::{IDLE_PRIO, ISO_PRIO, Muqss, NORMAL_PRIO};
use crate::kernel::Kernel;
use crate::machine::cost::Work;
use crate::policy::SchedClass;
use crate::queues::ck::deadline_offset;
use crate::task::draw;
use crate::units::{CpuId, TaskId};

/// Puts IDLEPRIO keys behind all others, still in the order of their deadlines.
const IDLEPRIO_KEY: u64 = 0xf000_0000_0000_0000;

impl Muqss {
    /// The priority that a task has on `cpu` now.
    pub(super) fn set_prio(&mut self, k: &Kernel, cpu: CpuId, task: TaskId) {
        let refractory = self.rqs[cpu.index()].iso_refractory;
        let entity = &mut self.tasks[task.index()];
        entity.prio = match entity.class {
            SchedClass::Fifo | SchedClass::Rr => entity.rt_prio,
            SchedClass::Iso if !refractory => ISO_PRIO,
            SchedClass::Idle if !k.task(task).woken_from_uninterruptible => IDLE_PRIO,
            SchedClass::Idle | SchedClass::Iso | SchedClass::Normal | SchedClass::Batch => NORMAL_PRIO,
        };
    }

    /// Sort key: priority for real time and ISO, deadline for the others.
    fn key(&self, task: TaskId) -> u64 {
        let entity = &self.tasks[task.index()];
        match entity.prio {
            0..=ISO_PRIO => u64::from(entity.prio),
            IDLE_PRIO => entity.deadline | IDLEPRIO_KEY,
            _ if entity.class == SchedClass::Idle => {
                entity.deadline + deadline_offset(self.ratios[39], self.rr_interval_ms)
            }
            _ => entity.deadline,
        }
    }

    /// `enqueue_task` on the list of `cpu`. `by` does the work.
    pub(super) fn enqueue(&mut self, k: &mut Kernel, task: TaskId, cpu: CpuId, by: CpuId) {
        self.set_prio(k, cpu, task);
        let key = self.key(task);
        let entity = &mut self.tasks[task.index()];
        entity.queued = true;
        entity.inserts += 1;
        // The source tosses coins with the clock; here they come from the task and its count of insertions.
        let levels = 1 + draw::draw(0, u64::from(task.0), entity.inserts).trailing_ones();
        let steps = self.rqs[cpu.index()].list.insert(&mut self.nodes, task, key, levels);
        k.charge(by, Work::TreeLevel, steps);
    }

    /// `dequeue_task`; the task is on the list of its CPU.
    pub(super) fn dequeue(&mut self, k: &mut Kernel, task: TaskId, by: CpuId) {
        k.charge(by, Work::ListOp, u64::from(self.nodes.levels(task)));
        self.tasks[task.index()].queued = false;
        self.rqs[k.task(task).cpu.index()].list.remove(&mut self.nodes, task);
    }
}
