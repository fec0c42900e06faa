//! Where a task is queued when it becomes runnable, and whom it displaces.

use super::{Entity, Muqss};
use crate::kernel::Kernel;
use crate::machine::cost::Work;
use crate::policy::{NewTask, SchedClass, WakeFlags};
use crate::queues::ck::{RESCHED_US, best_idle};
use crate::units::{CpuId, Nanos, TaskId};

impl Muqss {
    /// `resched_suitable_idle`: an idle CPU that the task may use is called. False if there is none.
    pub(super) fn resched_suitable_idle(&self, k: &mut Kernel, task: TaskId) -> bool {
        match self.best_idle_for(k, task) {
            Some(cpu) => {
                k.charge(cpu, Work::Ipi, 1);
                k.resched_curr(cpu);
                true
            }
            None => false,
        }
    }

    fn best_idle_for(&self, k: &Kernel, task: TaskId) -> Option<CpuId> {
        let idle = self.idle.and(&k.task(task).affinity);
        if idle.is_empty() { None } else { best_idle(k.topology(), &self.idle, k.task(task).cpu, &idle) }
    }

    /// `select_best_cpu`: the best idle CPU, else the least loaded one, nearest first.
    pub(super) fn select_best_cpu(&self, k: &mut Kernel, task: TaskId) -> CpuId {
        let prev = k.task(task).cpu;
        if let Some(idle) = self.best_idle_for(k, task) {
            return idle;
        }
        let allowed = k.task(task).affinity;
        let near = self.order[prev.index()].iter().map(|&(cpu, _)| cpu).filter(|&cpu| allowed.contains(cpu));
        // The first of the least loaded ones.
        near.min_by_key(|&cpu| self.load(k, cpu)).unwrap_or(prev)
    }

    /// `can_preempt`.
    fn beats(&self, task: TaskId, prio: u8, deadline: Nanos) -> bool {
        let entity = &self.tasks[task.index()];
        match entity.prio.cmp(&prio) {
            std::cmp::Ordering::Less => true,
            std::cmp::Ordering::Greater => false,
            std::cmp::Ordering::Equal => entity.class != SchedClass::Batch && entity.deadline < deadline,
        }
    }

    /// `try_preempt`: the first CPU, nearest first, that runs something worse; not the one with the worst.
    pub(super) fn try_preempt(&mut self, k: &mut Kernel, task: TaskId, cpu: CpuId) {
        if self.resched_suitable_idle(k, task) || self.tasks[task.index()].class == SchedClass::Idle {
            return;
        }
        let allowed = k.task(task).affinity;
        let own_load = self.load(k, cpu);
        for index in 0..self.order[cpu.index()].len() {
            let (other, _) = self.order[cpu.index()][index];
            let skipped = !self.interactive && other != cpu && self.load(k, other) <= own_load;
            let rq = &self.rqs[other.index()];
            if !allowed.contains(other) || skipped || !self.beats(task, rq.prio, rq.deadline) {
                continue;
            }
            self.rqs[other.index()].preempting = Some(task);
            k.charge(other, Work::Ipi, 1);
            return k.resched_curr(other);
        }
    }

    /// `try_to_wake_up`.
    pub(super) fn wake(&mut self, k: &mut Kernel, task: TaskId, flags: WakeFlags) {
        self.refresh(k, task);
        let cpu = self.select_best_cpu(k, task);
        k.set_task_cpu(task, cpu);
        self.enqueue(k, task, cpu, flags.cpu);
        // A sync waker sleeps at once: the task need not displace anybody.
        if flags.sync {
            self.resched_suitable_idle(k, task);
        } else {
            self.try_preempt(k, task, cpu);
        }
    }

    /// `sched_fork` and `wake_up_new_task`, and the start of a task without a parent.
    pub(super) fn start(&mut self, k: &mut Kernel, task: TaskId, new: NewTask) {
        let Some(parent) = new.parent else {
            self.tasks[task.index()] = Entity::default();
            self.refresh(k, task);
            self.renew(k, task);
            let cpu = if new.cpu_is_given { new.cpu } else { self.select_best_cpu(k, task) };
            k.set_task_cpu(task, cpu);
            self.enqueue(k, task, cpu, new.cpu);
            return self.try_preempt(k, task, cpu);
        };
        self.account(k, new.cpu);
        let inserts = self.tasks[task.index()].inserts;
        self.tasks[task.index()] = Entity { queued: false, inserts, ..self.tasks[parent.index()].clone() };
        self.refresh(k, task);
        let cpu = self.select_best_cpu(k, task);
        k.set_task_cpu(task, cpu);
        let half = match self.tasks[parent.index()].class {
            SchedClass::Fifo => i32::MAX,
            _ => self.tasks[parent.index()].time_slice / 2,
        };
        if half < RESCHED_US {
            // The parent has nothing to share: it is over, and the child's deadline is a little earlier.
            self.tasks[parent.index()].time_slice = 0;
            k.resched_expired(new.cpu);
            self.renew(k, task);
        } else if half < i32::MAX {
            self.tasks[parent.index()].time_slice = half;
            self.tasks[task.index()].time_slice = half;
        }
        self.enqueue(k, task, cpu, new.cpu);
        let own_memory = k.task(task).mm != k.task(parent).mm;
        if half >= RESCHED_US && own_memory && cpu == new.cpu && self.best_idle_for(k, task).is_none() {
            k.resched_curr(cpu);
        } else {
            if half >= RESCHED_US && k.curr(new.cpu) == Some(parent) {
                self.start_expiry(k, new.cpu, parent);
            }
            self.try_preempt(k, task, cpu);
        }
    }
}
