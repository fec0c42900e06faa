//! Where `kernel/sched.c` calls the controller: activation, fork and exit, a slice's end, and the choice of the next task.

use super::classes::{Evaluated, PERCENT};
use super::{Controller, TaskTimes};
use crate::kernel::Kernel;
use crate::policies::o1::O1;
use crate::policies::o1::reasons::Mark;
use crate::policies::o1::rq::Cause;
use crate::units::{CpuId, GroupId, TaskId};

/// Time as the controller sees it: 0 means never in its fields, and machines start at jiffy 0 here.
fn clock(k: &Kernel) -> u64 {
    k.jiffies() + 1
}

impl Controller {
    /// `cpu_rc_record_allocation`.
    fn record_allocation(&mut self, task: TaskId, slice: u32, now: u64) {
        let times = &mut self.tasks[task.index()];
        times.last_slice = slice.max(1);
        times.ts_alloced = now;
    }

    /// `cpu_rc_account`: `left` of the slice is not used.
    pub(super) fn account(&mut self, group: GroupId, cpu: CpuId, task: TaskId, left: u32, now: u64) {
        let TaskTimes { last_slice, ts_alloced, .. } = *self.task(task);
        let (rules, base) = (self.rules, now - ts_alloced);
        self.stat_mut(group, cpu).account(&rules, u64::from(last_slice.saturating_sub(left)), base, now);
    }

    /// `cpu_rc_collect_hunger`: the share of its wait and slice that the task could have at best is below the guarantee.
    pub(super) fn collect_hunger(&mut self, group: GroupId, cpu: CpuId, task: TaskId, now: u64) {
        let activated = std::mem::take(&mut self.tasks[task.index()].last_activated);
        if activated == 0 {
            return;
        }
        let slice = u64::from(self.task(task).last_slice.max(1));
        let cpus = if self.release.hunger_by_whole_guarantee { 1 } else { self.cpus() as u64 };
        if PERCENT * slice / (now - activated + slice) < self.classes[group.index()].guarantee / cpus {
            self.stat_mut(group, cpu).maybe_hungry += 1;
        }
    }

    /// `cpu_rc_scale_timeslice`. Says what an evaluation found if one was due.
    pub(super) fn scale_timeslice(&mut self, group: GroupId, slice: u32, now: u64) -> (u32, Option<Evaluated>) {
        let due = now - self.classes[group.index()].last_recalc > self.rules.interval;
        let evaluated = due.then(|| self.evaluate(group, now));
        let scaled = u64::from(slice) * self.classes[group.index()].factor / PERCENT;
        (scaled.max(1) as u32, evaluated)
    }

    /// The time of `cpu` since the last call was that of `group`'s task, or idle.
    fn divide_time(&mut self, cpu: CpuId, now: u64, group: Option<GroupId>) {
        let since = std::mem::replace(&mut self.divided_until[cpu.index()], now);
        if let Some(group) = group {
            self.classes[group.index()].ran += now - since;
        }
    }

    fn begin_second(&mut self) {
        for class in &mut self.classes {
            class.ran_before = std::mem::take(&mut class.ran);
        }
    }
}

impl O1 {
    /// The task is queued to run (`__activate_task`, and a child put before its parent).
    #[inline]
    pub(in crate::policies::o1) fn class_activated(&mut self, k: &Kernel, task: TaskId) {
        if let Some(controller) = &mut self.controller {
            controller.tasks[task.index()].last_activated = clock(k);
        }
    }

    /// The task has got the slice that it has now (a start, a fork, the return of a child's slice).
    #[inline]
    pub(in crate::policies::o1) fn class_allocated(&mut self, k: &Kernel, task: TaskId) {
        let slice = self.data(task).time_slice;
        if let Some(controller) = &mut self.controller {
            controller.record_allocation(task, slice, clock(k));
        }
    }

    /// The parent's slice was divided with a new child.
    #[inline]
    pub(in crate::policies::o1) fn class_forked(&mut self, k: &Kernel, parent: TaskId, child: TaskId) {
        if let Some(controller) = &mut self.controller {
            controller.tasks[child.index()] = controller.tasks[parent.index()];
            self.class_allocated(k, parent);
            self.class_allocated(k, child);
        }
    }

    /// The task exits; April 2006 counts what it used of its slice.
    #[inline]
    pub(in crate::policies::o1) fn class_exit(&mut self, k: &Kernel, cpu: CpuId, task: TaskId) {
        let left = self.data(task).time_slice;
        if let Some(controller) = self.controller.as_mut().filter(|controller| controller.release.accounts_exit) {
            controller.account(k.task(task).group, cpu, task, left, clock(k));
        }
    }

    /// The task has used up its slice.
    #[inline]
    pub(in crate::policies::o1) fn class_accounted(&mut self, k: &Kernel, cpu: CpuId, task: TaskId) {
        if let Some(controller) = &mut self.controller {
            controller.account(k.task(task).group, cpu, task, 0, clock(k));
        }
    }

    /// `task_timeslice` where a slice is given: that of the nice level, scaled by the class unless the task is
    /// interactive. Evaluates the class when a second has passed.
    #[inline]
    pub(in crate::policies::o1) fn next_timeslice(&mut self, k: &mut Kernel, task: TaskId) -> u32 {
        let slice = self.timeslice(task);
        if self.controller.is_none() || self.is_interactive(task) {
            return slice;
        }
        self.scaled_timeslice(k, task, slice)
    }

    fn scaled_timeslice(&mut self, k: &mut Kernel, task: TaskId, slice: u32) -> u32 {
        let group = k.task(task).group;
        let Some(controller) = &mut self.controller else { return slice };
        let (scaled, evaluated) = controller.scale_timeslice(group, slice, clock(k));
        let Some(before) = evaluated else { return scaled };
        let class = controller.classes[group.index()];
        let of = i64::from(group.0);
        if class.factor != before.factor {
            k.note(None, Mark::Factor, [of, class.factor as i64]);
        }
        let starving_from = controller.rules.starve_threshold + 1;
        match (before.hungry, class.is_hungry) {
            (0, 1) => k.note(None, Mark::Hungry, [of, i64::from(before.maybe_hungry)]),
            (1.., 0) => k.note(None, Mark::Satisfied, [of, class.guarantee as i64]),
            _ => {}
        }
        if controller.rules.requeues && class.is_hungry == starving_from && before.hungry < starving_from {
            k.note(None, Mark::Starving, [of, i64::from(class.is_hungry)]);
        }
        scaled
    }

    /// Where a task with a new slice goes: v0.3 keeps one that would expire on the active array if its class starves.
    #[inline]
    pub(in crate::policies::o1) fn class_requeues(
        &mut self,
        k: &Kernel,
        cpu: CpuId,
        task: TaskId,
        cause: Cause,
    ) -> Cause {
        let Some(controller) = &mut self.controller else { return cause };
        let group = k.task(task).group;
        let expires = !matches!(cause, Cause::Reactivated { .. });
        if expires && controller.rules.requeues && controller.is_starving(group) {
            controller.stat_mut(group, cpu).maybe_hungry += 1;
            return Cause::ClassStarving { task };
        }
        controller.tasks[task.index()].last_activated = clock(k);
        cause
    }

    /// `next` was chosen to run.
    #[inline]
    pub(in crate::policies::o1) fn class_picked(
        &mut self,
        k: &Kernel,
        cpu: CpuId,
        prev: Option<TaskId>,
        next: Option<TaskId>,
    ) {
        let Some(controller) = &mut self.controller else { return };
        controller.divide_time(cpu, k.now(), prev.map(|prev| k.task(prev).group));
        if let Some(next) = next {
            controller.collect_hunger(k.task(next).group, cpu, next, clock(k));
        }
    }

    /// A tick: keeps the books of what classes really get, for display only.
    #[inline]
    pub(in crate::policies::o1) fn class_tick(&mut self, k: &Kernel, cpu: CpuId) {
        let Some(controller) = &mut self.controller else { return };
        controller.divide_time(cpu, k.now(), k.curr(cpu).map(|curr| k.task(curr).group));
        if cpu.0 == 0 && k.jiffies().is_multiple_of(u64::from(k.hz())) {
            controller.begin_second();
        }
    }

    /// Shares of a group were set.
    pub(in crate::policies::o1) fn class_changed(&mut self, k: &Kernel, group: GroupId) {
        if let Some(controller) = &mut self.controller {
            controller.set_share(k.groups(), group);
            controller.spread_guarantees(k.groups());
        }
    }
}
