//! The global queue.

use super::{Bfs, IDLE_PRIO, ISO_PRIO, NORMAL_PRIO};
use crate::kernel::Kernel;
use crate::kernel::overhead::{Access, GLOBAL_LOCK};
use crate::machine::cost::Work;
use crate::policy::SchedClass;
use crate::units::{CpuId, TaskId};

impl Bfs {
    /// Steps done under the global lock (`grq.lock`) from `cpu`.
    pub(super) fn under_lock(&self, k: &mut Kernel, cpu: CpuId, scanned: u64, list_ops: u64) {
        if k.costs().contended_locks {
            let prices = &k.costs().work_ns;
            let hold = u64::from(prices[Work::TaskScanned as usize]) * scanned
                + u64::from(prices[Work::ListOp as usize]) * list_ops;
            k.lock(GLOBAL_LOCK, Access::Write, cpu, hold);
        } else {
            k.charge(cpu, Work::TaskScanned, scanned);
            k.charge(cpu, Work::ListOp, list_ops);
        }
    }

    /// The list that a task belongs to now.
    pub(super) fn set_prio(&mut self, k: &Kernel, task: TaskId) {
        let refractory = self.iso_refractory;
        let entity = &mut self.tasks[task.index()];
        entity.prio = match entity.class {
            SchedClass::Fifo | SchedClass::Rr => entity.rt_prio,
            SchedClass::Iso if !refractory => ISO_PRIO,
            // Fresh from a disk wait it may hold something that others wait for.
            SchedClass::Idle if !k.task(task).woken_from_uninterruptible => IDLE_PRIO,
            SchedClass::Idle | SchedClass::Iso | SchedClass::Normal | SchedClass::Batch => NORMAL_PRIO,
        };
    }

    /// `enqueue_task`: at the tail. `by` is the CPU that does it.
    pub(super) fn enqueue(&mut self, k: &mut Kernel, task: TaskId, by: CpuId) {
        self.under_lock(k, by, 0, 1);
        self.set_prio(k, task);
        let entity = &mut self.tasks[task.index()];
        entity.queued = true;
        self.links.push_back(&mut self.queue[usize::from(entity.prio)], task);
        self.bitmap.set(u32::from(entity.prio));
        self.nr_queued += 1;
    }

    /// `dequeue_task`.
    pub(super) fn dequeue(&mut self, k: &mut Kernel, task: TaskId, by: CpuId) {
        self.under_lock(k, by, 0, 1);
        let entity = &mut self.tasks[task.index()];
        entity.queued = false;
        let list = &mut self.queue[usize::from(entity.prio)];
        self.links.remove(list, task);
        if list.is_empty() {
            self.bitmap.clear(u32::from(entity.prio));
        }
        self.nr_queued -= 1;
    }
}
