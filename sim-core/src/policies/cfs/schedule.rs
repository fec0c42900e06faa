//! The core around the classes: fork, wakeup, `schedule()`, and changes of a task's attributes (`kernel/sched.c`).

use super::pick::Picked;
use super::rq::{Cause, SchedEntity, TaskSched};
use super::version::{Pick, RqLoad, Shares};
use super::{Cfs, Why};
use crate::kernel::Kernel;
use crate::policy::{Block, NewTask, WakeFlags};
use crate::queues::load_avg::update_avg;
use crate::units::{CpuId, TaskId};

impl Cfs {
    // ---- runqueue membership ---------------------------------------------------------------------------------------

    /// `activate_task`.
    pub(super) fn activate_task(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId, wakeup: bool) {
        self.charge_remote(k, cpu);
        if wakeup && self.version.averages {
            let sum_exec = self.e(self.task_entity(task)).sum_exec;
            self.t_mut(task).start_runtime = sum_exec;
        }
        self.enqueue_task(k, cpu, task, wakeup);
        self.rq_mut(cpu).nr_running += 1;
    }

    /// `deactivate_task`.
    pub(super) fn deactivate_task(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId, sleep: bool) {
        if sleep && self.version.averages && !self.update_avg_overlap(task) {
            let granularity = self.knobs.wakeup_granularity;
            let entity = self.task_entity(task);
            update_avg(&mut self.e_mut(entity).avg_wakeup, granularity);
        }
        self.dequeue_task(k, cpu, task, sleep);
        self.rq_mut(cpu).nr_running -= 1;
    }

    #[inline]
    fn enqueue_task(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId, wakeup: bool) {
        if self.is_fair(task) {
            self.enqueue_task_fair(k, task, wakeup);
        } else {
            self.enqueue_task_rt(k, cpu, task);
        }
        if self.version.rq_load == RqLoad::Tasks {
            self.rq_mut(cpu).load += self.e(self.task_entity(task)).load.weight;
        }
    }

    #[inline]
    fn dequeue_task(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId, sleep: bool) {
        if self.is_fair(task) {
            self.dequeue_task_fair(k, task, sleep);
        } else {
            self.dequeue_task_rt(k, cpu, task);
        }
        if self.version.rq_load == RqLoad::Tasks {
            self.rq_mut(cpu).load -= self.e(self.task_entity(task)).load.weight;
        }
    }

    /// `set_task_cpu`: the task keeps its distance to the floor of its group's queue.
    #[inline]
    pub(super) fn set_task_cpu(&mut self, k: &mut Kernel, task: TaskId, cpu: CpuId) {
        let old = k.task(task).cpu;
        if old == cpu {
            return;
        }
        let group = k.task(task).group;
        let from = self.q(self.queue(group, old)).min_vruntime;
        let to = self.q(self.queue(group, cpu)).min_vruntime;
        let entity = self.task_entity(task);
        let e = self.e_mut(entity);
        e.vruntime = e.vruntime.wrapping_sub(from.wrapping_sub(to));
        k.set_task_cpu(task, cpu);
        self.set_task_rq(group, task, cpu);
    }

    // ---- fork ------------------------------------------------------------------------------------------------------

    /// `sched_fork`: scheduling data and a CPU for the new task.
    pub(super) fn sched_fork(&mut self, k: &mut Kernel, task: TaskId, new: NewTask) {
        let parent = new.parent.map(|parent| (self.e(self.task_entity(parent)).vruntime, self.t(parent).rr_ticks));
        let (vruntime, rr_ticks) = parent.unwrap_or((0, Cfs::rr_timeslice(k)));
        let entity = self.task_entity(task);
        let blank = self.blank_entity();
        *self.e_mut(entity) = SchedEntity {
            vruntime,
            avg_wakeup: if self.version.averages { self.knobs.wakeup_granularity } else { 0 },
            ..blank
        };
        *self.t_mut(task) = TaskSched { rr_ticks: rr_ticks.max(1), ..TaskSched::default() };
        self.set_load_weight(k, task);
        let (group, cpu, affinity) = {
            let task = k.task(task);
            (task.group, task.cpu, task.affinity)
        };
        self.set_task_rq(group, task, cpu);
        let mut target = new.cpu;
        if !new.cpu_is_given && !self.domains[new.cpu.index()].is_empty() {
            target = self.balance_fork(k, task, new.cpu);
        }
        if !affinity.contains(target) {
            target = affinity.next(0).unwrap_or(target);
        }
        self.set_task_cpu(k, task, target);
    }

    /// `wake_up_new_task`.
    pub(super) fn start_new_task(&mut self, k: &mut Kernel, task: TaskId) {
        let cpu = k.task(task).cpu;
        self.update_rq_clock(k, cpu);
        if self.is_fair(task) {
            self.task_new_fair(k, cpu, task);
        } else {
            self.activate_task(k, cpu, task, false);
        }
        self.check_preempt_curr(k, cpu, task);
        self.task_woken_rt(k, cpu, task);
    }

    /// `task_new_fair`.
    fn task_new_fair(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        let entity = self.task_entity(task);
        let queue = self.e(entity).queue;
        self.update_curr(queue);
        let curr = self.q(queue).curr;
        if self.version.fork_inherits
            && let Some(curr) = curr
        {
            self.e_mut(entity).vruntime = self.e(curr).vruntime;
        }
        self.place_entity(queue, entity, true);
        if let Some(curr) = curr.filter(|_| self.knobs.child_runs_first && self.this_cpu == cpu) {
            let (parent, child) = (self.e(curr).vruntime, self.e(entity).vruntime);
            // Plain unsigned until 2.6.27: a virtual time below zero counts as late.
            let parent_first =
                if self.version.fork_reschedules { parent < child } else { (parent.wrapping_sub(child) as i64) < 0 };
            if parent_first {
                self.e_mut(curr).vruntime = child;
                self.e_mut(entity).vruntime = parent;
                self.resched(k, cpu, Cause::Fork);
            }
        }
        self.enqueue_task(k, cpu, task, false);
        self.rq_mut(cpu).nr_running += 1;
        if self.version.fork_reschedules {
            self.resched(k, cpu, Cause::Fork);
        }
    }

    // ---- wakeup ----------------------------------------------------------------------------------------------------

    /// `try_to_wake_up`: chooses a CPU and queues the task there.
    pub(super) fn wake_sleeper(&mut self, k: &mut Kernel, task: TaskId, flags: WakeFlags) {
        let prev = k.task(task).cpu;
        if self.version.clock_at_wakeup {
            self.update_rq_clock(k, prev);
        }
        self.update_shares_at_wakeup(k, task, flags.cpu);
        let cpu = if self.is_fair(task) || self.version.rt_balanced {
            self.select_task_rq_wake(k, task, flags)
        } else {
            self.select_task_rq_rt(k, task)
        };
        self.set_task_cpu(k, task, cpu);
        self.wake_queued(k, task, flags.cpu, flags.in_interrupt);
    }

    /// LB_WAKEUP_UPDATE, over the lowest domain that holds both CPUs.
    #[inline]
    fn update_shares_at_wakeup(&mut self, k: &mut Kernel, task: TaskId, this: CpuId) {
        if self.knobs.lb_wakeup_update
            && self.version.shares == Shares::Split
            && let Some(level) = self.common_domain(this, k.task(task).cpu)
        {
            self.update_shares(k, this, level);
        }
    }

    /// The rest of `try_to_wake_up`, on the CPU that was chosen.
    pub(super) fn wake_queued(&mut self, k: &mut Kernel, task: TaskId, this: CpuId, in_interrupt: bool) {
        if k.task(task).migration_thread.is_some() {
            self.update_shares_at_wakeup(k, task, this);
        }
        let cpu = k.task(task).cpu;
        self.update_rq_clock(k, cpu);
        self.activate_task(k, cpu, task, true);
        if self.version.averages
            && !in_interrupt
            && let Some(waker) = k.curr(this)
        {
            self.attribute_wakeup(waker);
        }
        self.check_preempt_curr(k, cpu, task);
        self.task_woken_rt(k, cpu, task);
        if self.version.last_wakeup_at_wakeup
            && !self.version.averages
            && let Some(current) = k.curr(this)
        {
            let sum_exec = self.e(self.task_entity(current)).sum_exec;
            self.t_mut(current).last_wakeup = sum_exec;
        }
    }

    /// `task_wake_up_rt`: a real-time task that does not get this CPU may be pushed to another.
    #[inline]
    fn task_woken_rt(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        if !self.version.rt_balanced && !self.is_fair(task) && !self.test_need_resched(k, cpu) {
            self.push_rt_tasks(k, cpu);
        }
    }

    // ---- schedule() ------------------------------------------------------------------------------------------------

    /// `schedule()`.
    pub(super) fn schedule_on(
        &mut self,
        k: &mut Kernel,
        cpu: CpuId,
        prev: Option<TaskId>,
        block: Option<Block>,
    ) -> Option<TaskId> {
        self.hrtick_clear(k, cpu);
        self.update_rq_clock(k, cpu);
        match prev {
            Some(prev) => self.t_mut(prev).need_resched = false,
            None => self.rq_mut(cpu).idle_need_resched = false,
        }
        let cause = std::mem::replace(&mut self.rq_mut(cpu).cause, Cause::None);
        self.rq_mut(cpu).in_schedule = true;
        if let (Some(prev), Some(_)) = (prev, block) {
            self.deactivate_task(k, cpu, prev, true);
        }
        let prev_rt = prev.filter(|&prev| !self.version.rt_balanced && !self.is_fair(prev));
        if prev_rt.is_some_and(|prev| self.rq(cpu).rt.highest_prio() > self.t(prev).prio) {
            self.pull_rt_task(k, cpu);
        }
        if self.rq(cpu).nr_running == 0 {
            self.idle_balance(k, cpu);
        }
        if let Some(prev) = prev {
            self.put_prev_task(k, cpu, prev, block.is_none());
        }
        let next = self.pick_next_task(k, cpu, cause);
        self.rq_mut(cpu).in_schedule = false;
        self.leave_schedule(k, cpu, prev, next);
        next
    }

    fn put_prev_task(&mut self, k: &mut Kernel, cpu: CpuId, prev: TaskId, runnable: bool) {
        if self.version.averages {
            let e = self.e(self.task_entity(prev));
            let ran = e.sum_exec.wrapping_sub(e.prev_sum_exec);
            let limit = (2 * self.knobs.migration_cost).max(0) as u64;
            let sched = self.t_mut(prev);
            update_avg(&mut sched.avg_running, ran);
            if runnable {
                update_avg(&mut sched.avg_overlap, ran.min(limit));
            } else {
                update_avg(&mut sched.avg_running, 0);
            }
        }
        if self.is_fair(prev) {
            self.put_prev_task_fair(k, prev);
        } else {
            self.put_prev_task_rt(k, cpu, prev);
        }
    }

    /// `pick_next_task`, with the sentence that explains it.
    fn pick_next_task(&mut self, k: &mut Kernel, cpu: CpuId, cause: Cause) -> Option<TaskId> {
        if let Some(task) = self.pick_next_task_rt(cpu) {
            let (prio, count) = (self.t(task).prio, self.rq(cpu).rt.nr_running);
            k.explain(Why::RealTime, [i64::from(prio), i64::from(count), 0]);
            return Some(task);
        }
        let Some(task) = self.pick_next_task_fair(k, cpu) else {
            k.explain(Why::NothingRunnable, [0; 3]);
            return None;
        };
        let (why, args) = self.why(cpu, task, cause);
        k.explain(why, args);
        Some(task)
    }

    fn why(&self, cpu: CpuId, task: TaskId, cause: Cause) -> (Why, [i64; 3]) {
        let entity = self.e(self.task_entity(task));
        let q = self.q(entity.queue);
        let (own, count) = (entity.vruntime as i64, q.nr_running as i64);
        let rt = &self.rq(cpu).rt;
        if rt.throttled && rt.nr_running > 0 {
            return (Why::RtThrottled, [rt.time as i64, rt.runtime as i64, own]);
        }
        if self.rq(cpu).nr_running == 1 {
            return (Why::OnlyTask, [0; 3]);
        }
        match (self.picked, cause) {
            (Picked::Next(behind), _) => (Why::NextBuddy, [behind as i64, count, 0]),
            (Picked::Last(behind), _) => (Why::LastBuddy, [behind as i64, count, 0]),
            (Picked::Leftmost, Cause::SliceOver(ran, slice)) => (Why::SliceOver, [ran as i64, slice as i64, own]),
            (Picked::Leftmost, Cause::WakeupLead(lead, gran)) => (Why::WakeupPreempts, [lead as i64, gran as i64, own]),
            (Picked::Leftmost, Cause::Fork) => (Why::NewTask, [own, count, 0]),
            (Picked::Leftmost, Cause::None) => {
                let next = q.tree.leftmost().map_or(own, |next| self.nodes.value(next).0 as i64);
                (Why::Leftmost, [own, next.wrapping_sub(own), count])
            }
        }
    }

    /// The end of `schedule()`, in the context of who runs now.
    fn leave_schedule(&mut self, k: &mut Kernel, cpu: CpuId, prev: Option<TaskId>, next: Option<TaskId>) {
        let returns = next.is_none_or(|next| self.t(next).has_run) || next == prev;
        if returns {
            self.hrtick_set(k, cpu);
        }
        let pending = match next {
            Some(next) => {
                let sched = self.t_mut(next);
                sched.has_run = true;
                sched.need_resched
            }
            None => self.rq(cpu).idle_need_resched,
        };
        if pending {
            k.resched_curr(cpu);
        }
    }

    // ---- attributes ------------------------------------------------------------------------------------------------

    /// `set_user_nice`: the virtual time is kept.
    pub(super) fn set_user_nice(&mut self, k: &mut Kernel, task: TaskId, old: i8, queued: bool) {
        let cpu = k.task(task).cpu;
        self.update_rq_clock(k, cpu);
        if !self.is_fair(task) || !queued {
            return self.set_load_weight(k, task);
        }
        self.dequeue_task(k, cpu, task, false);
        self.set_load_weight(k, task);
        self.enqueue_task(k, cpu, task, false);
        let nice = k.task(task).nice;
        if nice < old || nice > old && k.curr(cpu) == Some(task) {
            self.resched(k, cpu, Cause::None);
        }
    }

    /// `sched_setscheduler`.
    pub(super) fn set_scheduler(&mut self, k: &mut Kernel, task: TaskId, queued: bool) {
        let cpu = k.task(task).cpu;
        let running = k.curr(cpu) == Some(task);
        let was_fair = self.is_fair(task);
        self.update_rq_clock(k, cpu);
        if queued {
            self.deactivate_task(k, cpu, task, false);
        }
        if running {
            if was_fair {
                self.put_prev_task_fair(k, task);
            } else {
                // Charged by the dequeue above.
                let entity = self.task_entity(task);
                self.e_mut(entity).exec_start = 0;
            }
        }
        self.set_load_weight(k, task);
        if running {
            if self.is_fair(task) {
                self.set_curr_task_fair(task);
            } else {
                let clock = self.rq(cpu).clock;
                let entity = self.task_entity(task);
                self.e_mut(entity).exec_start = clock;
            }
        }
        if !queued {
            return;
        }
        self.activate_task(k, cpu, task, false);
        if running {
            self.resched(k, cpu, Cause::None);
        } else {
            self.check_preempt_curr(k, cpu, task);
            self.task_woken_rt(k, cpu, task);
        }
    }

    /// `set_cpus_allowed` of a queued task; a running one stays until it leaves, a sleeping one moves at its wakeup.
    pub(super) fn set_cpus_allowed(&mut self, k: &mut Kernel, task: TaskId, queued: bool) {
        let cpu = k.task(task).cpu;
        let affinity = k.task(task).affinity;
        if !queued || affinity.contains(cpu) || k.curr(cpu) == Some(task) {
            return;
        }
        let Some(target) = affinity.next(0) else { return };
        self.deactivate_task(k, cpu, task, false);
        self.set_task_cpu(k, task, target);
        self.update_rq_clock(k, target);
        self.activate_task(k, target, task, false);
        self.check_preempt_curr(k, target, task);
    }

    /// Whether marks of buddies exist in this release.
    pub(super) fn has_buddies(&self) -> bool {
        self.version.pick != Pick::Leftmost
    }
}
