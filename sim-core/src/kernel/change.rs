//! Changes from outside at a moment of the run.

use super::sim::Sim;
use crate::clock::timers::TimerKind;
use crate::policy::{AttrChange, Policy, SchedClass, WakeFlags};
use crate::task::task::TaskState;
use crate::units::{GroupId, TaskId};

/// A change from outside at a moment of the run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// A workload parameter.
    Param {
        /// Which.
        param: u16,
        /// New value.
        value: u64,
    },
    /// Number of tasks of a workload.
    Count {
        /// Which workload.
        workload: u16,
        /// New count.
        count: u32,
    },
    /// Nice level of all tasks of a workload.
    Nice {
        /// Which workload.
        workload: u16,
        /// New level.
        nice: i8,
    },
    /// Nice level of one task.
    TaskNice {
        /// Which task.
        task: TaskId,
        /// New level.
        nice: i8,
    },
    /// Class of all tasks of a workload.
    Class {
        /// Which workload.
        workload: u16,
        /// New class.
        class: SchedClass,
        /// New real-time priority.
        rt_priority: u8,
    },
    /// Shares of a group.
    Shares {
        /// Which group.
        group: GroupId,
        /// New shares.
        shares: u64,
    },
    /// A tunable of the policy.
    Tunable {
        /// Index in [`crate::policy::PolicyInfo::tunables`].
        index: u16,
        /// New value.
        value: i64,
    },
}

impl<P: Policy> Sim<P> {
    pub(super) fn apply_change(&mut self, change: &Change) {
        match *change {
            Change::Param { param, value } => self.kernel.params[usize::from(param)] = value,
            Change::Count { workload, count } => self.set_count(workload, count),
            Change::Nice { workload, nice } => self.for_tasks_of(workload, |sim, task| sim.renice(task, nice)),
            Change::TaskNice { task, nice } => self.for_task(task, &mut |sim, task| sim.renice(task, nice)),
            Change::Class { workload, class, rt_priority } => self.for_tasks_of(workload, |sim, task| {
                let task = &mut sim.kernel.tasks[task.index()];
                let change = AttrChange::Class { old: task.class, old_rt_priority: task.rt_priority };
                let changed = task.class != class || task.rt_priority != rt_priority;
                task.class = class;
                task.rt_priority = rt_priority;
                changed.then_some(change)
            }),
            Change::Shares { group, shares } => self.set_shares(group, shares),
            Change::Tunable { index, value } => self.policy.set_tunable(&mut self.kernel, usize::from(index), value),
        }
        self.pass();
    }

    pub(super) fn set_shares(&mut self, group: GroupId, shares: u64) {
        let old = std::mem::replace(&mut self.kernel.groups[group.index()].shares, shares);
        if old != shares {
            self.policy.group_changed(&mut self.kernel, group, old);
        }
    }

    fn for_tasks_of(&mut self, workload: u16, mut change: impl FnMut(&mut Self, TaskId) -> Option<AttrChange>) {
        for id in 0..self.kernel.tasks.len() {
            let id = TaskId(id as u32);
            if self.kernel.task(id).workload == workload {
                self.for_task(id, &mut change);
            }
        }
    }

    fn for_task(&mut self, id: TaskId, change: &mut dyn FnMut(&mut Self, TaskId) -> Option<AttrChange>) {
        let task = self.kernel.task(id);
        let (alive, queued) = (task.is_alive(), task.is_queued());
        if let Some(change) = change(self, id)
            && alive
        {
            self.policy.task_changed(&mut self.kernel, id, change, queued);
        }
    }

    fn renice(&mut self, task: TaskId, nice: i8) -> Option<AttrChange> {
        let old = std::mem::replace(&mut self.kernel.tasks[task.index()].nice, nice);
        (old != nice).then_some(AttrChange::Nice { old })
    }

    /// Starts tasks below the count that do not live, and kills those at or above it: a killed task is woken and exits
    /// as soon as it gets a CPU, as a fatal signal does it.
    fn set_count(&mut self, workload: u16, count: u32) {
        self.kernel.counts[usize::from(workload)] = count;
        let now = self.kernel.now;
        for index in 0..self.kernel.specs.len() {
            let spec = &self.kernel.specs[index];
            if spec.workload != workload || spec.start.is_none() {
                continue;
            }
            let id = TaskId(index as u32);
            let wanted = spec.index < count;
            let start = spec.start.unwrap_or(0).max(now);
            let state = self.kernel.tasks[index].state;
            match (wanted, state) {
                (true, TaskState::New | TaskState::Dead) => {
                    self.kernel.renew(id);
                    let generation = self.kernel.tasks[index].timer_generation;
                    self.kernel.timers.arm(start, id, generation, TimerKind::Start);
                }
                (true, _) => self.kernel.tasks[index].killed = false,
                (false, TaskState::New) => self.kernel.tasks[index].timer_generation += 1,
                (false, TaskState::Dead) => {}
                (false, _) => self.kill(id),
            }
        }
    }

    fn kill(&mut self, id: TaskId) {
        self.kernel.tasks[id.index()].killed = true;
        let task = &self.kernel.tasks[id.index()];
        match task.state {
            TaskState::Sleeping | TaskState::Uninterruptible => {
                let flags = WakeFlags { cpu: task.cpu, in_interrupt: true, sync: false, waker: None };
                self.kernel.leave_wait_queue(id);
                self.wake(id, flags);
            }
            TaskState::Running => {
                let cpu = task.cpu;
                self.kernel.account(cpu);
                self.kernel.tasks[id.index()].remaining = 0;
                self.kernel.set_burst(cpu);
            }
            TaskState::Runnable => self.kernel.tasks[id.index()].remaining = 0,
            TaskState::New | TaskState::Dead => {}
        }
    }
}
