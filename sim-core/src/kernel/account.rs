//! Where time goes: the accounts of CPUs and tasks, and the switch that closes one task's and opens the next one's.

use super::Kernel;
use super::record::{Event, SliceEnd};
use crate::machine::cost::{TIME_KINDS, TimeKind};
use crate::task::task::TaskState;
use crate::units::{CpuId, NEVER, Nanos, TaskId};

/// Kinds of overhead that a task's system time holds: system calls, the scheduler, spinning.
const IS_SYSTEM: [bool; TIME_KINDS] = [false, true, true, true, false, false];

impl Kernel {
    /// CPU time, runnable time and sleep of a task up to now, ns.
    pub fn task_times(&self, id: TaskId) -> [Nanos; 3] {
        let task = self.task(id);
        let open = self.now - task.since.min(self.now);
        let mut times = [task.runtime, task.wait, task.slept];
        match task.state {
            TaskState::Running => times[0] += self.now - self.cpus[task.cpu.index()].accounted,
            TaskState::Runnable => times[1] += open,
            TaskState::Sleeping | TaskState::Uninterruptible => times[2] += open,
            TaskState::New | TaskState::Dead => {}
        }
        times
    }

    /// Time of a CPU by [`TimeKind`] up to now, ns. They add up to `now`.
    pub fn cpu_times(&self, cpu: CpuId) -> [Nanos; TIME_KINDS] {
        let state = &self.cpus[cpu.index()];
        let mut times = state.times;
        let mut open = self.now - state.accounted;
        for (time, debt) in times.iter_mut().zip(&state.debt) {
            let part = open.min(*debt);
            *time += part;
            open -= part;
        }
        let kind = state.curr.map_or(TimeKind::Idle, |task| self.tasks[task.index()].mode());
        times[kind as usize] += open;
        times
    }

    /// Brings the accounts of `cpu` up to now.
    #[inline]
    pub(super) fn account(&mut self, cpu: CpuId) {
        if self.cpus[cpu.index()].accounted != self.now {
            self.account_elapsed(cpu);
        }
    }

    fn account_elapsed(&mut self, cpu: CpuId) {
        let state = &mut self.cpus[cpu.index()];
        let elapsed = self.now - state.accounted;
        state.accounted = self.now;
        let mut rest = elapsed;
        let mut system = 0;
        if state.debt_total > 0 {
            for (kind, is_system) in IS_SYSTEM.into_iter().enumerate() {
                let part = state.debt[kind].min(rest);
                state.debt[kind] -= part;
                state.debt_total -= part;
                state.times[kind] += part;
                rest -= part;
                system += if is_system { part } else { 0 };
            }
        }
        match state.curr {
            Some(task) => {
                let task = &mut self.tasks[task.index()];
                state.times[task.mode() as usize] += rest;
                task.runtime += elapsed;
                task.system += system + if task.in_kernel { rest } else { 0 };
                task.remaining -= rest;
            }
            None => state.times[TimeKind::Idle as usize] += rest,
        }
    }

    /// Sets when the present burst of `cpu` ends.
    #[inline]
    pub(super) fn set_burst(&mut self, cpu: CpuId) {
        let state = &self.cpus[cpu.index()];
        let end = match state.curr {
            Some(task) => self.now.saturating_add(state.debt_total).saturating_add(self.tasks[task.index()].remaining),
            None => NEVER,
        };
        if end <= self.now {
            // It gets another burst before this instant is over: nobody looks for the first one to end until then.
            self.bursts.set_for_now(cpu.index(), end);
            self.attention.insert(cpu);
        } else {
            self.bursts.set(cpu.index(), end);
        }
    }

    /// `context_switch`: accounts are up to date, `prev`'s new state is set.
    pub(super) fn switch(&mut self, cpu: CpuId, prev: Option<TaskId>, prev_end: SliceEnd, next: Option<TaskId>) {
        let now = self.now;
        if let Some(task) = prev {
            let task = &mut self.tasks[task.index()];
            task.since = now;
            if task.state == TaskState::Running {
                task.state = TaskState::Runnable;
            }
        }
        if let Some(id) = next {
            let task = &mut self.tasks[id.index()];
            assert!(task.state == TaskState::Runnable, "task {} was picked on {cpu} but is {:?}", id.0, task.state);
            assert!(task.affinity.contains(cpu), "task {} was picked on {cpu}, where it may not run", id.0);
            task.wait += now - task.since;
            task.since = now;
            task.state = TaskState::Running;
            if task.cpu != cpu {
                // Global runqueues (2.4, BFS) choose the CPU at the pick.
                let from = task.cpu;
                task.cpu = cpu;
                task.migrations += 1;
                self.cpus[from.index()].nr_running -= 1;
                self.cpus[cpu.index()].nr_running += 1;
                self.migrations += 1;
                self.mix(3, u64::from(from.0) << 16 | u64::from(cpu.0), u64::from(id.0));
                self.emit(Event::Migrate { task: id, from, to: cpu });
            }
        }
        self.cpus[cpu.index()].curr = next;
        match next {
            Some(_) => self.idle.remove(cpu),
            None => self.idle.insert(cpu),
        }
        self.switches += 1;
        let word = |task: Option<TaskId>| task.map_or(u64::from(u32::MAX), |task| u64::from(task.0));
        self.mix(1, u64::from(cpu.0), word(prev) << 32 | word(next));
        let reason = self.reason;
        self.emit(Event::Switch { cpu, prev, prev_end, next, reason });
        if self.costs_on {
            let ns = self.costs.switch_ns;
            self.charge_ns(cpu, TimeKind::Scheduler, ns);
            self.refill_caches(cpu, prev, next);
        }
        self.set_burst(cpu);
    }
}
