//! Programs: performing one operation of the running task.

use super::foresight::{next_round, spread};
use super::record::{Event, SliceEnd};
use super::sim::Sim;
use super::{EventOrder, Fault, Kernel, TASK_ROWS_MAX, ZERO_TIME_OPS_MAX};
use crate::clock::timers::TimerKind;
use crate::machine::cost::TimeKind;
use crate::policy::{AttrChange, Block, Policy, WakeFlags};
use crate::task::draw;
use crate::task::program::{Amount, Op, Spread};
use crate::task::task::{TaskState, WaitsFor};
use crate::units::{CpuId, NEVER, Nanos, TaskId};

/// Keeps the draws of jobs apart from those of tasks, which are named by their row.
const JOB_DRAWS: u64 = 0x6a6f_6273;

impl Kernel {
    /// Evaluates an amount for `id`, drawing if it varies.
    #[inline]
    fn amount(&mut self, id: TaskId, amount: Amount) -> Nanos {
        let value = self.value(amount.value);
        if amount.spread == Spread::None {
            return value;
        }
        let task = &mut self.tasks[id.index()];
        let bits = draw::draw(self.seed, task.draw_key, task.draws);
        task.draws += 1;
        spread(value, amount.spread, bits)
    }

    /// `id` has taken a unit of `channel`. If that is a job, its draws begin anew: they are named by the job.
    #[inline]
    fn gets_job(&mut self, id: TaskId, channel: u32) {
        let task = &mut self.tasks[id.index()];
        if std::mem::take(&mut task.takes_job) {
            let taken = &mut self.channels[channel as usize].taken;
            task.draw_key = draw::draw(JOB_DRAWS, u64::from(channel), *taken);
            *taken += 1;
            task.draws = 0;
            task.forks = 0;
        }
    }

    /// The request that `id` prepared for has come (see [`Op::RequestOnWake`]).
    #[inline]
    pub(super) fn request_arrives(&mut self, id: TaskId, at: Nanos) {
        let request = &mut self.requests[id.index()];
        if *request == Some(NEVER) {
            *request = Some(at);
        }
    }

    /// Takes a blocked task out of whatever it waits for.
    pub(super) fn leave_wait_queue(&mut self, id: TaskId) {
        let tasks = &mut self.tasks;
        match tasks[id.index()].waits_for {
            WaitsFor::Channel(channel) => {
                self.channels[channel as usize].waiters.remove(tasks, id);
            }
            WaitsFor::Mutex(mutex) => self.mutexes[mutex as usize].waiters.remove(tasks, id),
            WaitsFor::Barrier(barrier) => {
                let barrier = &mut self.barriers[barrier as usize];
                barrier.arrived -= 1;
                barrier.waiters.remove(tasks, id);
            }
            WaitsFor::Nothing | WaitsFor::Timer | WaitsFor::Kernel => {}
        }
    }

    /// Wakes the migration thread of `cpu`: it is runnable when this returns, and the policy must queue it (its own
    /// `try_to_wake_up`). `None` if it is awake already.
    pub fn wake_migration_thread(&mut self, cpu: CpuId) -> Option<TaskId> {
        let id = self.migration_thread_of(cpu);
        let now = self.now;
        let task = &mut self.tasks[id.index()];
        if task.state != TaskState::Sleeping {
            return None;
        }
        task.slept += now - task.since;
        task.since = now;
        task.state = TaskState::Runnable;
        task.waits_for = WaitsFor::Nothing;
        self.cpus[cpu.index()].nr_running += 1;
        self.emit(Event::Wakeup { task: id, cpu, waker: None });
        Some(id)
    }

    /// Asserts: one `curr` per CPU, a running task is `curr` of its CPU, counts agree, times add up.
    pub(super) fn check_invariants(&self) {
        let mut running = vec![0u32; self.cpus.len()];
        let mut queued = vec![0u32; self.cpus.len()];
        for (index, task) in self.tasks.iter().enumerate() {
            if task.is_queued() {
                queued[task.cpu.index()] += 1;
                assert!(task.affinity.contains(task.cpu), "task {index} is on {} against its affinity", task.cpu);
            }
            if task.state == TaskState::Running {
                running[task.cpu.index()] += 1;
                assert_eq!(self.curr(task.cpu), Some(TaskId(index as u32)), "task {index} runs but is not curr");
            }
            if task.is_alive() && task.migration_thread.is_none() {
                let [run, wait, slept] = self.task_times(TaskId(index as u32));
                if task.parent.is_none() && self.counts_untouched(index) {
                    assert_eq!(run + wait + slept, self.now - task.started, "times of task {index} do not add up");
                }
            }
        }
        for cpu in self.topology.cpu_ids() {
            assert_eq!(running[cpu.index()], u32::from(self.curr(cpu).is_some()), "curr of {cpu}");
            assert_eq!(self.idle.contains(cpu), self.curr(cpu).is_none(), "idle mask at {cpu}");
            assert_eq!(queued[cpu.index()], self.nr_running(cpu), "nr_running of {cpu}");
            assert_eq!(self.cpu_times(cpu).iter().sum::<u64>(), self.now, "time of {cpu} does not add up");
        }
    }

    /// Whether the row never had an earlier life (times are summed over lives).
    fn counts_untouched(&self, index: usize) -> bool {
        self.tasks[index].lives == 1
    }
}

impl<P: Policy> Sim<P> {
    /// The running task of `cpu` has finished its burst: performs its next operation.
    pub(super) fn perform(&mut self, cpu: CpuId) {
        let kernel = &mut self.kernel;
        let Some(id) = kernel.curr(cpu) else {
            kernel.set_burst(cpu);
            return;
        };
        let now = kernel.now;
        // Loops and marks are no system calls: whatever comes after them comes at once.
        let task = &mut kernel.tasks[id.index()];
        if task.killed {
            return self.exit(cpu, id);
        }
        if task.spin_at != now {
            task.spin_at = now;
            task.spin = 0;
        }
        let op = loop {
            let task = &mut kernel.tasks[id.index()];
            task.spin += 1;
            if task.spin > ZERO_TIME_OPS_MAX {
                kernel.fault = Some(Fault { at: now, task: id, operations: ZERO_TIME_OPS_MAX });
                return;
            }
            let op = &kernel.code[(task.code + task.pc) as usize];
            task.pc += 1;
            match *op {
                Op::LoopBegin { count, depth, .. } => {
                    let count = kernel.value(count);
                    kernel.tasks[id.index()].loops[usize::from(depth)] = count;
                }
                Op::LoopEnd { begin, depth } => {
                    if next_round(&mut task.loops, depth) {
                        task.pc = begin + 1;
                    }
                }
                Op::Mark(mark) => {
                    let response = kernel.requests[id.index()].take().map(|start| now - start.min(now));
                    kernel.emit(Event::Mark { task: id, mark, response });
                }
                Op::MarkStart(_) => kernel.requests[id.index()] = Some(now),
                _ => break *op,
            }
        };
        let interrupts = kernel.order == EventOrder::Interrupts;
        kernel.tasks[id.index()].op_first = match op {
            Op::Run(_) | Op::RunKernel(_) => true,
            // Golden files of the second order: a task carries out all its settings before it is rescheduled.
            Op::SetNice(_) | Op::SetSlice(_) | Op::SetShares(_) => interrupts,
            _ => false,
        };
        match op {
            Op::LoopBegin { .. } | Op::LoopEnd { .. } | Op::Mark(_) | Op::MarkStart(_) => {}
            Op::Run(amount) | Op::RunKernel(amount) => {
                let amount = kernel.amount(id, amount);
                let task = &mut kernel.tasks[id.index()];
                task.remaining = amount;
                task.in_kernel = matches!(op, Op::RunKernel(_));
                kernel.set_burst(cpu);
            }
            Op::RequestOnWake => kernel.requests[id.index()] = Some(NEVER),
            Op::Exit => self.exit(cpu, id),
            Op::Sleep(amount) => {
                let amount = kernel.amount(id, amount);
                self.sleep(cpu, id, now.saturating_add(amount), Block::Interruptible);
            }
            Op::SleepUninterruptible(amount) => {
                let amount = kernel.amount(id, amount);
                self.sleep(cpu, id, now.saturating_add(amount), Block::Uninterruptible);
            }
            Op::SleepUntilPeriod(amount) => {
                let period = kernel.amount(id, amount);
                let task = &mut kernel.tasks[id.index()];
                task.periods += 1;
                let target = task.started.saturating_add(period.saturating_mul(task.periods));
                if target > now {
                    self.sleep(cpu, id, target, Block::Interruptible);
                } else {
                    kernel.request_arrives(id, target);
                }
            }
            Op::Wait(channel) => self.wait(cpu, id, channel, false),
            Op::TakeJob(channel) => self.wait(cpu, id, channel, true),
            Op::Signal { channel, count, sync } => self.signal(cpu, id, channel, count, sync),
            Op::Lock(mutex) => self.lock_mutex(cpu, id, mutex),
            Op::Unlock(mutex) => self.unlock_mutex(cpu, id, mutex),
            Op::Barrier(barrier) => self.barrier(cpu, id, barrier),
            Op::Yield => {
                self.syscall(cpu);
                if self.policy.sched_yield(&mut self.kernel, cpu, id) {
                    self.schedule(cpu, None, Some(SliceEnd::Yielded));
                }
            }
            Op::Fork(template) => self.fork(cpu, id, template),
            Op::SetNice(nice) => {
                self.syscall(cpu);
                let old = std::mem::replace(&mut self.kernel.tasks[id.index()].nice, nice);
                if old != nice {
                    self.policy.task_changed(&mut self.kernel, id, AttrChange::Nice { old }, true);
                }
            }
            Op::SetSlice(slice) => {
                self.syscall(cpu);
                let old = self.kernel.tasks[id.index()].slice_ns.replace(slice);
                self.policy.task_changed(&mut self.kernel, id, AttrChange::Slice { old }, true);
            }
            Op::SetShares(shares) => {
                self.syscall(cpu);
                let group = self.kernel.tasks[id.index()].group;
                self.set_shares(group, shares);
            }
        }
    }

    /// Charges a system call to `cpu`.
    fn syscall(&mut self, cpu: CpuId) {
        if self.kernel.costs_on {
            let ns = self.kernel.costs.syscall_ns;
            self.kernel.charge_ns(cpu, TimeKind::System, ns);
        }
    }

    fn sleep(&mut self, cpu: CpuId, id: TaskId, until: Nanos, block: Block) {
        self.syscall(cpu);
        let task = &mut self.kernel.tasks[id.index()];
        task.waits_for = WaitsFor::Timer;
        let generation = task.timer_generation;
        self.kernel.timers.arm(until, id, generation, TimerKind::Wake);
        self.schedule(cpu, Some(block), None);
    }

    fn wait(&mut self, cpu: CpuId, id: TaskId, channel: u32, takes_job: bool) {
        self.syscall(cpu);
        let kernel = &mut self.kernel;
        kernel.tasks[id.index()].takes_job = takes_job;
        let state = &mut kernel.channels[channel as usize];
        if state.count > 0 {
            state.count -= 1;
            kernel.gets_job(id, channel);
            kernel.request_arrives(id, kernel.now);
            return;
        }
        state.waiters.push(&mut kernel.tasks, id);
        kernel.tasks[id.index()].waits_for = WaitsFor::Channel(channel);
        self.schedule(cpu, Some(Block::Interruptible), None);
    }

    fn signal(&mut self, cpu: CpuId, id: TaskId, channel: u32, count: u32, sync: bool) {
        self.syscall(cpu);
        let kernel = &mut self.kernel;
        kernel.channels[channel as usize].count += u64::from(count);
        loop {
            let state = &mut self.kernel.channels[channel as usize];
            if state.count == 0 {
                return;
            }
            let Some(waiter) = state.waiters.pop(&mut self.kernel.tasks) else { return };
            state.count -= 1;
            self.kernel.gets_job(waiter, channel);
            self.kernel.events += 1;
            self.wake(waiter, WakeFlags { cpu, in_interrupt: false, sync, waker: Some(id) });
        }
    }

    fn lock_mutex(&mut self, cpu: CpuId, id: TaskId, mutex: u32) {
        let kernel = &mut self.kernel;
        let state = &mut kernel.mutexes[mutex as usize];
        if state.owner.is_none() {
            state.owner = Some(id);
            return;
        }
        state.waiters.push(&mut kernel.tasks, id);
        let task = &mut kernel.tasks[id.index()];
        task.waits_for = WaitsFor::Mutex(mutex);
        task.pc -= 1; // competes again when woken
        self.syscall(cpu);
        self.schedule(cpu, Some(Block::Interruptible), Some(SliceEnd::Blocked));
    }

    fn unlock_mutex(&mut self, cpu: CpuId, id: TaskId, mutex: u32) {
        let kernel = &mut self.kernel;
        let state = &mut kernel.mutexes[mutex as usize];
        if state.owner != Some(id) {
            return;
        }
        state.owner = None;
        if let Some(waiter) = state.waiters.pop(&mut kernel.tasks) {
            self.syscall(cpu);
            self.kernel.events += 1;
            self.wake(waiter, WakeFlags { cpu, in_interrupt: false, sync: false, waker: Some(id) });
        }
    }

    fn barrier(&mut self, cpu: CpuId, id: TaskId, barrier: u32) {
        self.syscall(cpu);
        let kernel = &mut self.kernel;
        let state = &mut kernel.barriers[barrier as usize];
        if state.arrived + 1 < state.parties {
            state.arrived += 1;
            state.waiters.push(&mut kernel.tasks, id);
            kernel.tasks[id.index()].waits_for = WaitsFor::Barrier(barrier);
            return self.schedule(cpu, Some(Block::Interruptible), None);
        }
        state.arrived = 0;
        while let Some(waiter) = self.kernel.barriers[barrier as usize].waiters.pop(&mut self.kernel.tasks) {
            self.kernel.events += 1;
            self.wake(waiter, WakeFlags { cpu, in_interrupt: false, sync: false, waker: Some(id) });
        }
    }

    fn fork(&mut self, cpu: CpuId, parent: TaskId, template: u32) {
        if self.kernel.costs_on {
            let ns = self.kernel.costs.fork_ns;
            self.kernel.charge_ns(cpu, TimeKind::System, ns);
        }
        let kernel = &mut self.kernel;
        let child = match kernel.free[template as usize] {
            Some(child) => {
                kernel.free[template as usize] = kernel.tasks[child.index()].next_free.take();
                child
            }
            // The row of the template itself is the first child, so that a scenario's `forked` task keeps its id.
            None if kernel.tasks[template as usize].state == TaskState::New
                && kernel.specs[template as usize].start.is_none() =>
            {
                TaskId(template)
            }
            None if kernel.tasks.len() >= TASK_ROWS_MAX.max(2 * kernel.specs.len()) => return,
            None => {
                let child = kernel.push_task(template);
                if child.index() >= kernel.tasks.capacity() - 1 {
                    kernel.tasks.reserve(1024);
                    kernel.requests.reserve(1024);
                }
                self.reserve();
                child
            }
        };
        let kernel = &mut self.kernel;
        kernel.renew(child);
        let (class, nice, rt_priority, affinity, group, draw_key, forks) = {
            let parent = &mut kernel.tasks[parent.index()];
            parent.forks += 1;
            (
                parent.class,
                parent.nice,
                parent.rt_priority,
                parent.affinity,
                parent.group,
                parent.draw_key,
                parent.forks,
            )
        };
        let task = &mut kernel.tasks[child.index()];
        task.class = class;
        task.nice = nice;
        task.rt_priority = rt_priority;
        task.affinity = affinity;
        task.group = group;
        task.parent = Some(parent);
        task.draw_key = draw::draw(draw_key, 0, forks);
        task.draws = 0;
        self.start(child, Some((parent, cpu)));
    }

    /// `do_exit`.
    fn exit(&mut self, cpu: CpuId, id: TaskId) {
        if self.kernel.costs_on {
            let ns = self.kernel.costs.exit_ns;
            self.kernel.charge_ns(cpu, TimeKind::System, ns);
        }
        let parent = self.kernel.task(id).parent.filter(|&parent| self.kernel.task(parent).is_alive());
        self.policy.sched_exit(&mut self.kernel, cpu, id, parent);
        self.kernel.emit(Event::Exit { task: id });
        self.schedule(cpu, Some(Block::Dead), None);
    }
}
