//! Who is called when a task becomes runnable: an idle CPU, or the CPU that runs the least deserving task. And the tasks
//! that stick to a CPU.

use super::Bfs;
use crate::kernel::Kernel;
use crate::machine::cost::Work;
use crate::policy::SchedClass;
use crate::queues::ck::best_idle;
use crate::units::{CpuId, CpuMask, Nanos, TaskId};

impl Bfs {
    /// `can_preempt` against what a CPU runs.
    fn beats(&self, task: TaskId, prio: u8, deadline: Nanos) -> bool {
        let entity = &self.tasks[task.index()];
        entity.prio < prio || (entity.prio == prio && entity.deadline < deadline)
    }

    /// `try_preempt`: the task was queued and is allowed to displace someone.
    pub(super) fn try_preempt(&mut self, k: &mut Kernel, task: TaskId) {
        if k.cpus() == 1 {
            let rq = &self.rqs[0];
            // On one CPU an IDLEPRIO task does not even call the idle task.
            if self.tasks[task.index()].class != SchedClass::Idle && self.beats(task, rq.prio, rq.deadline) {
                k.resched_curr(CpuId(0));
            }
            return;
        }
        self.tasks[task.index()].sticky = false;
        let allowed = k.task(task).affinity;
        let idle = self.idle.and(&allowed);
        if !idle.is_empty() {
            return self.resched_best(k, k.task(task).cpu, &idle);
        }
        if self.tasks[task.index()].class == SchedClass::Idle {
            return;
        }
        let mut worst: Option<(CpuId, u8, Nanos)> = None;
        for cpu in allowed.iter() {
            let rq = &self.rqs[cpu.index()];
            if worst.is_none_or(|(_, prio, deadline)| (rq.prio, rq.deadline) > (prio, deadline)) {
                worst = Some((cpu, rq.prio, rq.deadline));
            }
        }
        if let Some((cpu, ..)) = worst.filter(|&(_, prio, deadline)| self.beats(task, prio, deadline)) {
            k.charge(cpu, Work::Ipi, 1);
            k.resched_curr(cpu);
        }
    }

    /// `resched_best_mask`: calls the idle CPU of `mask` that is nearest to `near`.
    fn resched_best(&self, k: &mut Kernel, near: CpuId, mask: &CpuMask) {
        if let Some(cpu) = best_idle(k.topology(), &self.idle, near, mask) {
            k.charge(cpu, Work::Ipi, 1);
            k.resched_curr(cpu);
        }
    }

    /// `resched_closest_idle`: someone else may take this task.
    fn resched_closest_idle(&self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        let mut idle = self.idle.and(&k.task(task).affinity);
        idle.remove(cpu);
        if !idle.is_empty() {
            self.resched_best(k, cpu, &idle);
        }
    }

    /// `swap_sticky`: prev leaves the CPU but is still runnable; it becomes the task that sticks here.
    pub(super) fn swap_sticky(&mut self, k: &mut Kernel, cpu: CpuId, prev: TaskId) {
        let old = self.rqs[cpu.index()].sticky_task;
        if old == Some(prev) {
            self.tasks[prev.index()].sticky = true;
            return;
        }
        if let Some(old) = old.filter(|old| self.tasks[old.index()].sticky) {
            self.tasks[old.index()].sticky = false;
            self.resched_closest_idle(k, cpu, old);
        }
        if self.tasks[prev.index()].class.is_rt() {
            self.resched_closest_idle(k, cpu, prev);
            self.rqs[cpu.index()].sticky_task = None;
        } else {
            self.tasks[prev.index()].sticky = true;
            self.rqs[cpu.index()].sticky_task = Some(prev);
        }
    }
}
