//! `sched_autogroup`: tasks of the root compete by session, not by task. The kernel makes the groups at `setsid()`; here
//! the scenario made them, and the switch says whether they are used.

use super::Fair;
use super::entity::Ent;
use super::queue::{DequeueFlags, EnqueueFlags};
use crate::kernel::Kernel;
use crate::task::task::TaskState;
use crate::units::{GroupId, TaskId};

impl Fair {
    fn autogroup_enabled(&self) -> bool {
        self.tunables.last().is_some_and(|&enabled| enabled != 0)
    }

    /// `autogroup_task_group`.
    fn wanted_group(&self, k: &Kernel, task: TaskId) -> GroupId {
        let home = k.home_group(task);
        if k.groups()[home.index()].autogroup && !self.autogroup_enabled() { GroupId::ROOT } else { home }
    }

    /// `sched_cgroup_fork`: a new task begins in its session's group, or in the root.
    pub(super) fn choose_group(&mut self, k: &mut Kernel, task: TaskId) {
        let group = self.wanted_group(k, task);
        k.set_task_group(task, group);
    }

    /// The switch was moved: every task goes where it belongs now. The kernel only does so for tasks that start or call
    /// `setsid()` later.
    pub(super) fn regroup_all(&mut self, k: &mut Kernel) {
        for id in 0..k.tasks().len() {
            let task = TaskId(id as u32);
            let group = self.wanted_group(k, task);
            if k.task(task).is_alive() && k.task(task).group != group {
                self.move_task(k, task, group);
            }
        }
    }

    /// `sched_move_task`.
    fn move_task(&mut self, k: &mut Kernel, task: TaskId, group: GroupId) {
        let e = self.ent(task);
        let cpu = k.task(task).cpu;
        let fair = !k.task(task).class.is_rt();
        let running = fair && k.task(task).state == TaskState::Running;
        if fair && self.ents[e].delayed {
            self.dequeue_fair(k, e, DequeueFlags { sleep: true, delayed: true, ..DequeueFlags::default() });
        }
        let queued = fair && self.ents[e].on_rq;
        if queued {
            self.dequeue_fair(k, e, DequeueFlags::default());
            if running {
                self.put_prev_fair(k, e);
            }
        }
        self.detach_task_load(k, e);
        let from = self.ents[e].queue as usize;
        k.set_task_group(task, group);
        self.attach(k, task, cpu);
        if !queued && !self.is_eevdf() {
            self.carry_over(from, e);
        }
        if !queued {
            return;
        }
        self.enqueue_fair(k, e, EnqueueFlags::default());
        if running {
            self.set_next_fair(k, e);
            k.resched_curr(cpu);
        } else {
            self.wakeup_preempt(k, cpu, task);
        }
    }

    /// 5.15: a sleeper's absolute vruntime counts relative to the queue that it will wake on.
    pub(super) fn carry_over(&mut self, from: usize, e: Ent) {
        let to = self.ents[e].queue as usize;
        self.ents[e].vruntime += self.queues[to].min_vruntime - self.queues[from].min_vruntime;
    }
}
