//! Tasks that become runnable, are forked, exit, yield, or are changed from outside.

use super::O1;
use super::rq::{Cause, SleepType, TaskData};
use super::versions::Estimator;
use crate::kernel::{EventOrder, Kernel};
use crate::policy::{AttrChange, NewTask, SchedClass, WakeFlags};
use crate::queues::domain_balance::{LOAD_SCALE, LoadUnit, Wakeup, exec_cpu, fork_cpu, wake_cpu};
use crate::units::{CpuId, TaskId};

impl O1 {
    /// `try_to_wake_up`.
    pub(super) fn wake(&mut self, k: &mut Kernel, task: TaskId, flags: WakeFlags) {
        if self.version.estimator != Estimator::Nanos {
            return self.wake_early(k, task, flags.cpu);
        }
        let mut cpu = k.task(task).cpu;
        if self.rqs.len() > 1 {
            cpu = self.choose_wake_cpu(k, task, flags);
            k.set_task_cpu(task, cpu);
        }
        if k.task(task).woken_from_uninterruptible {
            self.data_mut(task).sleep_type = SleepType::NonInteractive;
        }
        self.activate(k, cpu, task, flags.cpu, flags.in_interrupt);
        if !flags.sync || cpu != flags.cpu {
            self.test_preemption(k, cpu, task, flags.cpu);
        }
    }

    /// Before 2.6: always the CPU it last ran on.
    fn wake_early(&mut self, k: &mut Kernel, task: TaskId, by: CpuId) {
        let cpu = k.task(task).cpu;
        self.activate_early(k, cpu, task);
        self.test_preemption(k, cpu, task, by);
    }

    fn choose_wake_cpu(&self, k: &Kernel, task: TaskId, flags: WakeFlags) -> CpuId {
        let by_weight = self.version.nanos.era.load == LoadUnit::Weight;
        let weight = |task: TaskId| if by_weight { u64::from(self.data(task).load_weight) } else { LOAD_SCALE };
        // The sync promise concerns `current`, which an interrupt has as well.
        let sync_weight = if flags.sync { k.curr(flags.cpu).map_or(0, weight) } else { 0 };
        wake_cpu(self, k, &Wakeup { task, weight: weight(task), by: flags.cpu, sync_weight })
    }

    /// `activate_task` (2.6): credits the sleep and queues the task.
    fn activate(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId, by: CpuId, in_interrupt: bool) {
        let is_rt = self.is_rt(task);
        if !(is_rt && self.version.nanos.rt_keeps_timestamp) {
            // Clocks of two CPUs drift, so a remote wakeup is dated by the queue's own clock.
            let now = match by == cpu {
                true => k.now(),
                false => k.now().wrapping_sub(self.rq(by).clock).wrapping_add(self.rq(cpu).clock),
            };
            if !is_rt {
                let prio = self.recalc_task_prio(task, now);
                self.data_mut(task).prio = prio;
            }
            let data = self.data_mut(task);
            if data.sleep_type == SleepType::Normal {
                data.sleep_type = if in_interrupt { SleepType::Interrupted } else { SleepType::Interactive };
            }
            data.timestamp = now;
        }
        self.activate_in_place(k, cpu, task);
    }

    /// `__activate_task`: to the tail of the active array; batch tasks to that of the expired one.
    fn activate_in_place(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        let rq = self.rq(cpu);
        let batch = self.data(task).class == SchedClass::Batch && self.version.nanos.batch;
        let array = if batch { rq.expired() } else { rq.active };
        self.class_activated(k, task);
        self.queue_in(k, cpu, task, array);
    }

    /// `activate_task` before 2.6.
    fn activate_early(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        self.estimate_activation(task, k.jiffies());
        let active = self.rq(cpu).active;
        self.queue_in(k, cpu, task, active);
    }

    /// The migration thread of `cpu` was asleep and gets work.
    pub(super) fn queue_migration_thread(&mut self, k: &mut Kernel, thread: TaskId, by: CpuId) {
        let cpu = k.task(thread).cpu;
        self.set_class(k, thread);
        self.set_load_weight(thread);
        let active = self.rq(cpu).active;
        self.queue_in(k, cpu, thread, active);
        self.test_preemption(k, cpu, thread, by);
    }

    /// `sched_fork` and `wake_up_new_task`, or the start of a task that nobody forked.
    pub(super) fn new_task(&mut self, k: &mut Kernel, task: TaskId, new: NewTask) {
        match new.parent {
            None => self.start(k, task, new),
            Some(parent) if self.version.estimator == Estimator::Nanos => self.fork(k, parent, task, new.cpu),
            Some(parent) => self.fork_early(k, parent, task, new.cpu),
        }
    }

    /// A task without a parent: a full slice, and the sleep that the scenario gives it.
    fn start(&mut self, k: &mut Kernel, task: TaskId, new: NewTask) {
        let cpu = self.start_cpu(k, task, new);
        k.set_task_cpu(task, cpu);
        let init = k.task(task).init.unwrap_or(0).max(0) as u64;
        *self.data_mut(task) = TaskData { prio: self.version.first_normal, ..TaskData::default() };
        self.set_class(k, task);
        let is_rt = self.is_rt(task);
        match self.version.estimator {
            Estimator::Nanos => self.start_nanos(k.now(), task, init),
            Estimator::Ticks | Estimator::History | Estimator::Steps => {
                self.start_early(k.jiffies(), task, k.task(task).init)
            }
        }
        if is_rt {
            self.set_class(k, task);
        }
        self.set_load_weight(task);
        self.data_mut(task).time_slice = self.timeslice(task);
        self.class_allocated(k, task);
        if self.version.estimator == Estimator::Nanos {
            self.activate_in_place(k, cpu, task);
        } else {
            self.activate_early(k, cpu, task);
        }
        self.test_preemption(k, cpu, task, cpu);
    }

    /// A program that the scenario starts has been forked and executed by somebody on `new.cpu`, and exec balances.
    fn start_cpu(&self, k: &Kernel, task: TaskId, new: NewTask) -> CpuId {
        let allowed = k.task(task).affinity;
        let mut cpu = new.cpu;
        let recorded = k.order() == EventOrder::TicksThenTimers;
        if self.version.estimator == Estimator::Nanos && !new.cpu_is_given && !recorded && self.rqs.len() > 1 {
            cpu = exec_cpu(self, k, task, cpu);
        }
        if allowed.contains(cpu) { cpu } else { allowed.next(0).unwrap_or(new.cpu) }
    }

    fn start_nanos(&mut self, now: u64, task: TaskId, sleep_avg: u64) {
        let full = self.params.sleep_avg_ns_max();
        let data = self.data_mut(task);
        data.sleep_avg = if data.class == SchedClass::Batch { 0 } else { sleep_avg.min(full) };
        data.timestamp = now;
        data.last_ran = now;
        self.data_mut(task).prio = self.normal_prio(task);
    }

    fn start_early(&mut self, jiffies: u64, task: TaskId, init: Option<i64>) {
        let hz = self.params.hz;
        let data = self.data_mut(task);
        data.timestamp = jiffies;
        data.last_ran = jiffies;
        data.prio = data.static_prio;
        let given = init.is_some();
        let init = init.unwrap_or(0).max(0) as u64;
        match self.version.estimator {
            Estimator::Ticks => {
                let full = self.params.max_sleep_avg;
                self.data_mut(task).sleep_avg = init.min(full);
                self.data_mut(task).prio = self.normal_prio(task);
            }
            Estimator::History if given => {
                let data = self.data_mut(task);
                let slot = init.min(hz) as u16;
                data.history = [init.min(jiffies % hz) as u16, slot, slot, slot];
                self.set_penalty(task, jiffies);
            }
            Estimator::History | Estimator::Steps | Estimator::Nanos => {}
        }
    }

    /// 2.6: the child gets half the slice and runs first.
    fn fork(&mut self, k: &mut Kernel, parent: TaskId, child: TaskId, this_cpu: CpuId) {
        let cpu = if self.rqs.len() > 1 { fork_cpu(self, k, child, this_cpu) } else { this_cpu };
        k.set_task_cpu(child, cpu);
        self.share_slice(parent, child);
        self.data_mut(child).timestamp = k.now();
        self.class_forked(k, parent, child);
        self.expire_slice_of_one(k, this_cpu, parent);

        let thread = k.task(child).mm == k.task(parent).mm;
        self.data_mut(child).sleep_avg = self.rounded_sleep_avg(child, self.params.child_penalty);
        self.data_mut(child).prio = self.effective_prio(child);
        if cpu == this_cpu {
            match self.data(parent).array {
                Some(array) if !thread => {
                    self.class_activated(k, child);
                    self.queue_before_parent(cpu, parent, child, array);
                }
                Some(_) | None => self.activate_in_place(k, cpu, child),
            }
            if !thread {
                self.rq_mut(cpu).cause = Cause::Forked { child };
                k.resched_curr(cpu);
            }
        } else {
            let shift = self.rq(cpu).clock.wrapping_sub(self.rq(this_cpu).clock);
            let data = self.data_mut(child);
            data.timestamp = data.timestamp.wrapping_add(shift);
            self.activate_in_place(k, cpu, child);
            self.test_preemption(k, cpu, child, this_cpu);
        }
        self.data_mut(parent).sleep_avg = self.rounded_sleep_avg(parent, self.params.parent_penalty);
    }

    /// Halves the parent's slice, the child rounding up, and copies the rest of the parent's data.
    pub(super) fn share_slice(&mut self, parent: TaskId, child: TaskId) {
        let data = self.data_mut(parent);
        let whole = data.time_slice;
        data.time_slice = whole / 2;
        let copy = *data;
        *self.data_mut(child) = TaskData {
            time_slice: whole.div_ceil(2),
            first_time_slice: true,
            array: None,
            kernel_thread: false,
            ..copy
        };
    }

    /// A parent that had one tick left has none now: its last tick is carried out at once.
    fn expire_slice_of_one(&mut self, k: &mut Kernel, cpu: CpuId, parent: TaskId) {
        if self.data(parent).time_slice > 0 {
            return;
        }
        self.data_mut(parent).time_slice = 1;
        if self.version.estimator == Estimator::Nanos && !self.version.nanos.fork_runs_whole_tick {
            self.task_running_tick(k, cpu, parent);
        } else {
            self.tick(k, cpu);
        }
    }

    fn queue_before_parent(&mut self, cpu: CpuId, parent: TaskId, child: TaskId, array: u8) {
        let prio = self.data(parent).prio;
        let data = &mut self.tasks[child.index()];
        data.prio = prio;
        data.array = Some(array);
        self.rqs[cpu.index()].arrays[usize::from(array)].insert_before(&mut self.links, prio, child, parent);
        self.inc_nr_running(cpu, child);
    }

    /// `penalty` percent of the bonus, back in ns.
    pub(super) fn rounded_sleep_avg(&self, task: TaskId, penalty: u64) -> u64 {
        let bonus = self.current_bonus(self.data(task).sleep_avg) * penalty / 100;
        bonus * self.params.max_sleep_avg / self.params.bonus_max * self.params.jiffy_ns
    }

    /// Before 2.6: the child is woken like any task, and the parent rescheduled (K3).
    fn fork_early(&mut self, k: &mut Kernel, parent: TaskId, child: TaskId, cpu: CpuId) {
        let jiffies = k.jiffies();
        self.share_slice(parent, child);
        self.expire_slice_of_one(k, cpu, parent);
        let is_rt = self.is_rt(child);
        let (parent_share, child_share) = (self.params.parent_penalty, self.params.child_penalty);
        let (worst, estimator) = (self.version.levels - 1, self.version.estimator);
        let data = self.data_mut(child);
        data.timestamp = jiffies;
        match estimator {
            Estimator::History => {
                data.history = [0; 4];
                data.last_ran = jiffies;
            }
            Estimator::Steps if !is_rt => data.prio = (data.prio + 4).min(worst),
            Estimator::Ticks if !is_rt => {
                data.sleep_avg = data.sleep_avg * child_share / 100;
                self.data_mut(child).prio = self.normal_prio(child);
                let data = self.data_mut(parent);
                data.sleep_avg = data.sleep_avg * parent_share / 100;
            }
            Estimator::Steps | Estimator::Ticks | Estimator::Nanos => {}
        }
        self.activate_early(k, cpu, child);
        if self.version.estimator == Estimator::Ticks {
            self.rq_mut(cpu).cause = Cause::Forked { child };
            k.resched_curr(cpu);
        } else {
            self.test_preemption(k, cpu, child, cpu);
        }
    }

    /// `sched_exit`: what is left of a young child's slice goes back, and a child that computed lowers its parent's
    /// average.
    pub(super) fn exit(&mut self, k: &mut Kernel, task: TaskId, parent: TaskId) {
        let child = *self.data(task);
        match self.version.estimator {
            Estimator::Nanos => {
                if child.first_time_slice && k.task(task).cpu == k.task(parent).cpu {
                    let full = self.next_timeslice(k, task);
                    let data = self.data_mut(parent);
                    data.time_slice = (data.time_slice + child.time_slice).min(full);
                    self.class_allocated(k, parent);
                }
                let weight = self.params.exit_weight;
                let data = self.data_mut(parent);
                if child.sleep_avg < data.sleep_avg {
                    data.sleep_avg = data.sleep_avg / (weight + 1) * weight + child.sleep_avg / (weight + 1);
                }
            }
            Estimator::Ticks | Estimator::History | Estimator::Steps => {
                let (most, weight) = (self.params.max_slice, self.params.exit_weight);
                let data = self.data_mut(parent);
                data.time_slice = (data.time_slice + child.time_slice).min(most);
                if child.sleep_avg < data.sleep_avg {
                    data.sleep_avg = (data.sleep_avg * weight + child.sleep_avg) / (weight + 1);
                }
            }
        }
    }

    /// `sys_sched_yield`.
    pub(super) fn yield_cpu(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        let Some(array) = self.data(task).array else { return };
        self.rq_mut(cpu).cause = Cause::Yielded;
        let is_rt = self.is_rt(task);
        if self.version.estimator == Estimator::Nanos {
            let target = if is_rt { self.rq(cpu).active } else { self.rq(cpu).expired() };
            if array == target {
                self.requeue(k, cpu, task);
            } else {
                self.dequeue(k, cpu, task);
                self.enqueue(k, cpu, task, target);
            }
            return;
        }
        // One priority down, repaired when the priority is next computed; it stays in its array.
        let prio = self.data(task).prio;
        let prio = if is_rt { prio } else { (prio + 1).min(self.version.levels - 1) };
        self.requeue_at(k, cpu, task, prio, array);
        if self.version.estimator == Estimator::Ticks {
            self.rq_mut(cpu).yield_array = Some(array);
        }
    }

    /// `set_user_nice`, `sched_setscheduler`, `set_cpus_allowed`.
    pub(super) fn changed(&mut self, k: &mut Kernel, task: TaskId, change: AttrChange, queued: bool) {
        let cpu = k.task(task).cpu;
        let before = self.data(task).prio;
        match change {
            AttrChange::Slice { .. } => return,
            AttrChange::Affinity => return self.affinity_changed(k, task, queued),
            AttrChange::Nice { .. } | AttrChange::Class { .. } => {}
        }
        let by_nice = matches!(change, AttrChange::Nice { .. });
        if by_nice && self.is_rt(task) {
            // Real-time tasks keep their place; the level counts when they become normal again.
            return self.set_class(k, task);
        }
        let array = queued.then(|| self.unqueue(k, cpu, task));
        self.set_class(k, task);
        if !self.data(task).class.is_rt() {
            let keeps_bonus = self.version.estimator == Estimator::Nanos && self.version.nanos.nice_keeps_bonus;
            if !by_nice && self.version.nanos.batch && self.data(task).class == SchedClass::Batch {
                self.data_mut(task).sleep_avg = 0;
            }
            let prio = if keeps_bonus { self.normal_prio(task) } else { self.data(task).static_prio };
            self.data_mut(task).prio = prio;
        }
        self.set_load_weight(task);
        let Some(array) = array else { return };
        let (after, running) = (self.data(task).prio, k.curr(cpu) == Some(task));
        if by_nice {
            self.queue_in(k, cpu, task, array);
            if after < before || (after > before && running) {
                k.resched_curr(cpu);
            }
            return;
        }
        self.activate_in_place(k, cpu, task);
        if !running {
            self.test_preemption(k, cpu, task, cpu);
        } else if after > before {
            k.resched_curr(cpu);
        }
    }

    /// `set_cpus_allowed`: a task that may not stay moves to its lowest CPU; a running one with the migration thread's
    /// help.
    fn affinity_changed(&mut self, k: &mut Kernel, task: TaskId, queued: bool) {
        let (cpu, allowed) = (k.task(task).cpu, k.task(task).affinity);
        if allowed.contains(cpu) {
            return;
        }
        let Some(target) = allowed.next(0) else { return };
        if !queued {
            k.set_task_cpu(task, target);
        } else if k.curr(cpu) == Some(task) {
            self.rq_mut(cpu).leaves = Some((task, target));
            if let Some(thread) = k.wake_migration_thread(cpu) {
                self.queue_migration_thread(k, thread, cpu);
            }
        } else {
            self.move_queued(k, task, target);
        }
    }

    /// `__migrate_task` of a task that is queued but not running.
    pub(super) fn move_queued(&mut self, k: &mut Kernel, task: TaskId, target: CpuId) {
        let cpu = k.task(task).cpu;
        self.unqueue(k, cpu, task);
        k.set_task_cpu(task, target);
        if self.version.estimator == Estimator::Nanos {
            let shift = self.rq(target).clock.wrapping_sub(self.rq(cpu).clock);
            let data = self.data_mut(task);
            data.timestamp = data.timestamp.wrapping_add(shift);
            self.activate(k, target, task, cpu, false);
        } else {
            self.activate_early(k, target, task);
        }
        self.test_preemption(k, target, task, cpu);
    }
}
