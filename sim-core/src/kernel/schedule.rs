//! Life of a task as the machine sees it: start, wakeup, `schedule()`.

use super::record::{Event, SliceEnd};
use super::sim::Sim;
use crate::machine::cost::TimeKind;
use crate::policy::{Block, NewTask, Policy, WakeFlags};
use crate::task::task::{TaskState, WaitsFor};
use crate::units::{CpuId, TaskId};

impl<P: Policy> Sim<P> {
    /// `wake_up_new_task`: the scenario starts a task, or a parent has forked it.
    pub(super) fn start(&mut self, id: TaskId, parent: Option<(TaskId, CpuId)>) {
        let kernel = &mut self.kernel;
        let now = kernel.now;
        let task = &mut kernel.tasks[id.index()];
        let lowest = task.affinity.next(0).unwrap_or(CpuId(0));
        let given = task.start_cpu;
        let cpu = match parent {
            Some((_, cpu)) => cpu,
            None => given.unwrap_or(lowest),
        };
        task.cpu = cpu;
        task.state = TaskState::Runnable;
        task.since = now;
        task.started = now;
        task.lives += 1;
        kernel.cpus[cpu.index()].nr_running += 1;
        kernel.placing = Some(id);
        let new =
            NewTask { cpu, parent: parent.map(|(task, _)| task), cpu_is_given: given.is_some() && parent.is_none() };
        self.policy.wake_up_new_task(kernel, id, new);
        kernel.placing = None;
        let cpu = kernel.tasks[id.index()].cpu;
        match parent {
            Some((parent, _)) => kernel.emit(Event::Fork { parent, child: id, cpu }),
            None => kernel.emit(Event::Start { task: id, cpu }),
        }
    }

    /// `try_to_wake_up`: the sleeper becomes runnable.
    pub(super) fn wake(&mut self, id: TaskId, flags: WakeFlags) {
        let kernel = &mut self.kernel;
        let task = &mut kernel.tasks[id.index()];
        let asleep = matches!(task.state, TaskState::Sleeping | TaskState::Uninterruptible);
        assert!(asleep, "task {} is woken but is {:?}", id.0, task.state);
        task.slept += kernel.now - task.since;
        task.since = kernel.now;
        task.timer_generation += 1;
        task.waits_for = WaitsFor::Nothing;
        let uninterruptible = task.state == TaskState::Uninterruptible;
        task.woken_from_uninterruptible = uninterruptible;
        task.state = TaskState::Runnable;
        kernel.cpus[task.cpu.index()].nr_running += 1;
        kernel.request_arrives(id, kernel.now);
        self.policy.try_to_wake_up(kernel, id, flags);
        let cpu = kernel.tasks[id.index()].cpu;
        kernel.emit(Event::Wakeup { task: id, cpu, waker: flags.waker });
    }

    /// `schedule()` on `cpu`. `block`: the running task stops being runnable; `end` overrides why it left.
    pub(super) fn schedule(&mut self, cpu: CpuId, block: Option<Block>, end: Option<SliceEnd>) {
        let kernel = &mut self.kernel;
        kernel.account(cpu);
        kernel.decisions += 1;
        let prev = kernel.cpus[cpu.index()].curr;
        let expired = kernel.cpus[cpu.index()].expired;
        kernel.clear_need_resched(cpu);
        if let (Some(task), Some(block)) = (prev, block) {
            kernel.cpus[cpu.index()].nr_running -= 1;
            let task = &mut kernel.tasks[task.index()];
            task.state = match block {
                Block::Interruptible => TaskState::Sleeping,
                Block::Uninterruptible => TaskState::Uninterruptible,
                Block::Dead => TaskState::Dead,
            };
        }
        if self.probe.at == Some((cpu, kernel.now)) {
            let found = &mut self.probe.found;
            found.clear();
            self.policy.candidates(kernel, cpu, &mut |candidate| found.push(candidate));
        }
        if kernel.costs_on {
            let ns = kernel.costs.schedule_ns;
            kernel.charge_ns(cpu, TimeKind::Scheduler, ns);
        }
        let next = self.policy.schedule(kernel, cpu, prev, block);
        if next == prev {
            assert!(block.is_none(), "a task that blocks was picked on {cpu}");
            if let Some(task) = next {
                let reason = kernel.reason;
                kernel.emit(Event::Repick { cpu, task, reason });
            }
            return;
        }
        let prev_end = match (prev, block) {
            (None, _) => SliceEnd::Idle,
            (_, Some(Block::Dead)) => SliceEnd::Exited,
            (_, Some(Block::Uninterruptible)) => SliceEnd::Blocked,
            (_, Some(Block::Interruptible)) => SliceEnd::Slept,
            (_, None) if expired => SliceEnd::Expired,
            (_, None) => SliceEnd::Preempted,
        };
        kernel.switch(cpu, prev, end.unwrap_or(prev_end), next);
        if let (Some(task), Some(Block::Dead)) = (prev, block) {
            kernel.recycle(task);
        }
        self.policy.finish_task_switch(kernel, cpu, prev, next);
        if let Some(task) = next
            && self.kernel.tasks[task.index()].migration_thread.is_some()
        {
            self.policy.migration_thread(&mut self.kernel, cpu);
            self.kernel.tasks[task.index()].waits_for = WaitsFor::Kernel;
            self.schedule(cpu, Some(Block::Interruptible), None);
        }
    }
}
