//! Wakeup, fork, exit, yield, and changes of nice level or class.

use super::StaircaseDeadline;
use super::rq::Entity;
use crate::kernel::Kernel;
use crate::policy::{AttrChange, NewTask, SchedClass, WakeFlags};
use crate::queues::domain_balance::{Wakeup, fork_cpu, wake_cpu};
use crate::units::{CpuId, TaskId};

impl StaircaseDeadline {
    /// `try_to_wake_up`.
    pub(super) fn wake(&mut self, k: &mut Kernel, task: TaskId, flags: WakeFlags) {
        let waker = if flags.sync { flags.waker } else { None };
        let sync_weight = waker.map_or(0, |waker| u64::from(self.tasks[waker.index()].load_weight));
        let weight = u64::from(self.tasks[task.index()].load_weight);
        let cpu = wake_cpu(self, k, &Wakeup { task, weight, by: flags.cpu, sync_weight });
        k.set_task_cpu(task, cpu);
        self.activate(k, cpu, task);
        // The promise of a sync waker: it leaves this CPU at once.
        if !flags.sync || cpu != flags.cpu {
            self.check_preempt(k, cpu, task);
        }
    }

    /// `sched_fork` and `wake_up_new_task`, and the start of a task without a parent.
    pub(super) fn start(&mut self, k: &mut Kernel, task: TaskId, new: NewTask) {
        let cpu = new.cpu;
        let Some(parent) = new.parent else {
            self.tasks[task.index()] = Entity { last_ran: k.now(), home: cpu.0, ..Entity::default() };
            self.refresh(k, task);
            self.tasks[task.index()].time_slice_us = self.tasks[task.index()].quota_us;
            self.activate(k, cpu, task);
            return self.check_preempt(k, cpu, task);
        };
        let mut child = self.tasks[parent.index()].clone();
        child.queued = false;
        if child.class != SchedClass::Fifo {
            let given = if child.time_slice_us > 0 {
                let half = child.time_slice_us / 2;
                self.tasks[parent.index()].time_slice_us = half;
                child.first_time_slice = true;
                half.max(1)
            } else {
                0
            };
            child.time_slice_us = given;
        }
        self.tasks[task.index()] = child;
        let cpu = fork_cpu(self, k, task, cpu);
        k.set_task_cpu(task, cpu);
        self.activate(k, cpu, task);
        if cpu != new.cpu || k.task(task).mm == k.task(parent).mm {
            self.check_preempt(k, cpu, task);
        } else {
            // Meant to run the child first; the parent is still at the head of their list.
            k.resched_curr(cpu);
        }
    }

    /// `sched_exit`: a child that never used up what its parent gave it returns the rest.
    pub(super) fn exit(&mut self, k: &Kernel, task: TaskId, parent: TaskId) {
        let child = &self.tasks[task.index()];
        if !child.first_time_slice || k.task(task).cpu != k.task(parent).cpu {
            return;
        }
        let rest = child.time_slice_us;
        let parent = &mut self.tasks[parent.index()];
        parent.time_slice_us = (parent.time_slice_us + rest).min(parent.quota_us);
    }

    /// `sys_sched_yield`.
    pub(super) fn yields(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        if self.rqs[cpu.index()].nr_running == 1 {
            return;
        }
        match self.tasks[task.index()].class {
            SchedClass::Fifo | SchedClass::Rr => self.requeue(k, cpu, task),
            SchedClass::Idle => {
                self.dequeue(k, cpu, task);
                self.enqueue(k, cpu, task);
            }
            SchedClass::Normal | SchedClass::Batch | SchedClass::Iso => {
                self.dequeue(k, cpu, task);
                self.queue_expired(cpu, task);
                self.link(k, cpu, task);
            }
        }
    }

    /// `set_user_nice`, `sched_setscheduler`, `set_cpus_allowed`.
    pub(super) fn changed(&mut self, k: &mut Kernel, task: TaskId, change: AttrChange, queued: bool) {
        let cpu = k.task(task).cpu;
        match change {
            AttrChange::Nice { .. } | AttrChange::Class { .. } => {}
            AttrChange::Slice { .. } | AttrChange::Affinity => return self.moved_off(k, cpu, task, queued),
        }
        if !queued {
            self.forget_class(k, task, change);
            return self.refresh(k, task);
        }
        let old_prio = self.tasks[task.index()].prio;
        let old_static = self.tasks[task.index()].static_prio;
        self.deactivate(k, cpu, task);
        self.forget_class(k, task, change);
        self.activate(k, cpu, task);
        let entity = &self.tasks[task.index()];
        let better = entity.prio < old_prio || entity.static_prio < old_static;
        let worse = entity.prio > old_prio || entity.static_prio > old_static;
        let running = k.curr(cpu) == Some(task);
        if (running && worse) || (!running && better) {
            if running {
                k.resched_curr(cpu);
            } else {
                self.check_preempt(k, cpu, task);
            }
        }
    }

    /// A task of another class starts afresh: its real-time or IDLEPRIO place means nothing there.
    fn forget_class(&mut self, _k: &Kernel, task: TaskId, change: AttrChange) {
        if matches!(change, AttrChange::Class { .. }) {
            let entity = &mut self.tasks[task.index()];
            entity.rotation = super::rq::NEVER_QUEUED;
            entity.iso_refractory = false;
            entity.nonsleep = false;
        }
    }

    /// `set_cpus_allowed`: a queued task that may no longer run on its CPU moves to the lowest one that it may use.
    fn moved_off(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId, queued: bool) {
        let allowed = k.task(task).affinity;
        if !queued || allowed.contains(cpu) {
            return;
        }
        if k.curr(cpu) == Some(task) {
            return k.resched_curr(cpu);
        }
        let Some(to) = allowed.next(0) else { return };
        self.deactivate(k, cpu, task);
        k.set_task_cpu(task, to);
        self.activate(k, to, task);
        self.check_preempt(k, to, task);
    }
}
