//! The event loop: a machine together with one policy.
//!
//! Order of events at one instant is total; see [`EventOrder`]. Equal timers go by arming order, CPUs by number.

use super::record::{Event, Record, SliceEnd};
use super::{Change, EventOrder, Fault, Kernel, SimConfig};
use crate::clock::min_tree::MinTree;
use crate::clock::timers::{Timer, TimerKind};
use crate::inspect::{Candidate, Gauge, StructureVisitor};
use crate::policy::{AttrChange, Block, NewTask, Policy, WakeFlags};
use crate::task::task::{TaskState, WaitsFor};
use crate::units::{CpuId, NEVER, Nanos, TaskId};

/// Why [`DynSim::run_until`] came back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunStatus {
    /// Everything up to the asked time has happened.
    Reached,
    /// The budget of events is used up or the record buffer is full; call again.
    Paused,
    /// The run cannot go on.
    Faulted(Fault),
}

/// Records kept before `run_until` pauses to have them drained.
pub const RECORDS_MAX: usize = 1 << 14;

/// Room for records: the last instant may go beyond [`RECORDS_MAX`].
pub const RECORDS_ROOM: usize = RECORDS_MAX + 4096;

/// The one boxed interface to a machine; called a few times per frame.
pub trait DynSim {
    /// Performs everything up to and including `until`, but at most about `events_max` events.
    fn run_until(&mut self, until: Nanos, events_max: u64) -> RunStatus;
    /// Time of the next event; [`NEVER`] if there is none.
    fn next_event_at(&self) -> Nanos;
    /// Applies a change at time `at`, before everything that happens then. Run the machine up to `at - 1` first.
    fn apply(&mut self, at: Nanos, change: &Change);
    /// The machine.
    fn kernel(&self) -> &Kernel;
    /// Records since the last call, oldest first; the buffer is emptied into `out`.
    fn drain_records(&mut self, out: &mut Vec<Record>);
    /// Whether records are kept (off when replaying only to reach a state).
    fn set_recording(&mut self, on: bool);
    /// A copy of the whole state without records.
    fn checkpoint(&self) -> Box<dyn DynSim>;
    /// Structures of one CPU.
    fn visit_structures(&self, cpu: CpuId, v: &mut dyn StructureVisitor);
    /// Scheduling facts of one task.
    fn task_gauges(&self, task: TaskId, out: &mut dyn FnMut(Gauge));
    /// Who could be picked on `cpu` now.
    fn candidates(&self, cpu: CpuId, out: &mut dyn FnMut(Candidate));
    /// Remembers the candidates of the decision on `cpu` that switches at `at` (see [`DynSim::probed`]).
    fn probe(&mut self, cpu: CpuId, at: Nanos);
    /// Candidates seen right before the last decision that the probe met.
    fn probed(&self) -> &[Candidate];
    /// Asserts the invariants of machine and policy.
    fn check_invariants(&self);
}

#[derive(Clone, Debug, Default)]
struct Probe {
    at: Option<(CpuId, Nanos)>,
    found: Vec<Candidate>,
}

/// A machine with a policy.
#[derive(Clone)]
pub struct Sim<P: Policy> {
    pub(super) kernel: Kernel,
    pub(super) policy: P,
    due: Vec<Timer>,
    probe: Probe,
}

/// Makes a machine at t = 0; the `build` of [`crate::policy::PolicyEntry`].
pub fn build<P: Policy>(key: &'static str, config: SimConfig, tunables: &[i64]) -> Box<dyn DynSim> {
    Box::new(Sim::<P>::new(key, config, tunables))
}

impl<P: Policy> Sim<P> {
    /// A machine at t = 0; nothing has happened yet.
    pub fn new(key: &'static str, config: SimConfig, tunables: &[i64]) -> Self {
        let mut kernel = Kernel::new(&config);
        let policy = P::new(key, &kernel, tunables);
        kernel.policy_timers = MinTree::new(policy.timers() as usize, (NEVER, 0));
        kernel.policy_timer_cpu = vec![CpuId(0); policy.timers() as usize];
        let mut sim = Sim { kernel, policy, due: Vec::new(), probe: Probe::default() };
        sim.reserve();
        sim
    }

    /// The scheduler.
    pub fn policy(&self) -> &P {
        &self.policy
    }

    /// Gets all the memory that the event path needs.
    pub(super) fn reserve(&mut self) {
        let tasks = self.kernel.tasks.len();
        let records = self.kernel.records.len();
        self.kernel.records.reserve(RECORDS_ROOM.saturating_sub(records));
        self.kernel.timers.reserve(2 * tasks + 64);
        self.due.reserve(tasks + 64);
        self.policy.reserve(tasks);
    }

    /// A restored copy has no spare memory yet.
    fn wake_memory(&mut self) {
        if self.kernel.records.capacity() == 0 {
            self.reserve();
        }
    }

    fn next_at(&self) -> Nanos {
        let kernel = &self.kernel;
        kernel.next_tick.min(kernel.bursts.min().0).min(kernel.timers.next_at()).min(kernel.policy_timers.min().0.0)
    }

    /// Performs everything that happens at the next instant. Returns false if the run cannot go on.
    fn instant(&mut self) {
        match self.kernel.order {
            EventOrder::TicksThenTimers => self.instant_ticks_then_timers(),
            EventOrder::Interrupts => self.instant_interrupts(),
        }
    }

    // ---- order 1 ---------------------------------------------------------------------------------------------------

    fn instant_ticks_then_timers(&mut self) {
        let now = self.kernel.now;
        while self.kernel.policy_timers.min().0.0 <= now {
            self.policy_timer();
        }
        if self.kernel.next_tick == now {
            if self.kernel.tick_skew {
                let cpu = self.begin_tick();
                self.tick(cpu);
            } else {
                self.begin_tick();
                for cpu in 0..self.kernel.cpus() {
                    self.tick(CpuId(cpu));
                }
            }
        }
        self.take_ended_bursts();
        self.pass();
        while let Some(timer) = self.kernel.timers.pop_due(now) {
            self.timer(timer);
            self.pass();
        }
    }

    /// CPUs in number order: programs and reschedules until nothing happens on any CPU.
    fn pass(&mut self) {
        while !self.kernel.attention.is_empty() && self.kernel.fault.is_none() {
            let mut from = 0;
            while let Some(cpu) = self.kernel.attention.next(from) {
                self.settle(cpu);
                from = cpu.0 + 1;
            }
        }
    }

    /// One CPU: programs and reschedules until nothing happens there.
    fn settle(&mut self, cpu: CpuId) {
        while self.step(cpu) {}
        self.kernel.attention.remove(cpu);
    }

    fn step(&mut self, cpu: CpuId) -> bool {
        if self.kernel.fault.is_some() {
            return false;
        }
        let resched = self.kernel.cpus[cpu.index()].need_resched;
        if self.kernel.bursts.get(cpu.index()) <= self.kernel.now {
            let curr = self.kernel.curr(cpu);
            if !resched || curr.is_some_and(|task| self.kernel.task(task).op_first) {
                self.kernel.account(cpu);
                self.perform(cpu);
                return true;
            }
        }
        if resched {
            self.schedule(cpu, None, None);
            return true;
        }
        false
    }

    fn take_ended_bursts(&mut self) {
        let now = self.kernel.now;
        if self.kernel.bursts.min().0 > now {
            return;
        }
        let Kernel { bursts, attention, events, .. } = &mut self.kernel;
        bursts.up_to(now, &mut |cpu| {
            attention.insert(CpuId(cpu as u16));
            *events += 1;
        });
    }

    // ---- order 2 ---------------------------------------------------------------------------------------------------

    fn instant_interrupts(&mut self) {
        let now = self.kernel.now;
        let tick_due = self.kernel.next_tick == now;
        let tick_cpu = if tick_due { Some(self.begin_tick()) } else { None };
        self.take_ended_bursts();
        self.pass();
        self.due.clear();
        while let Some(timer) = self.kernel.timers.pop_due(now) {
            self.due.push(timer);
        }
        if !tick_due && self.due.is_empty() && self.kernel.policy_timers.min().0.0 > now {
            return;
        }
        if self.due.len() > 1 {
            let tasks = &self.kernel.tasks;
            self.due.sort_unstable_by_key(|timer| {
                let task = &tasks[timer.task.index()];
                let cpu = match timer.kind {
                    TimerKind::Wake => task.cpu,
                    TimerKind::Start => task.start_cpu.unwrap_or(CpuId(0)),
                };
                (cpu, timer.kind, timer.task)
            });
        }
        if !tick_due && self.due.len() == 1 && self.kernel.policy_timers.min().0.0 > now {
            let timer = self.due[0];
            self.timer(timer);
            self.pass();
            return;
        }
        let mut index = 0;
        for cpu in 0..self.kernel.cpus() {
            let cpu = CpuId(cpu);
            let mut interrupted = false;
            while self.policy_timer_due(cpu) {
                interrupted = true;
            }
            while let Some(&timer) = self.due.get(index) {
                let task = &self.kernel.tasks[timer.task.index()];
                let timer_cpu = match timer.kind {
                    TimerKind::Wake => task.cpu,
                    TimerKind::Start => task.start_cpu.unwrap_or(CpuId(0)),
                };
                if timer_cpu > cpu {
                    break;
                }
                index += 1;
                interrupted = true;
                self.timer(timer);
            }
            if let Some(first) = tick_cpu
                && (!self.kernel.tick_skew || first == cpu)
            {
                self.tick(cpu);
                interrupted = true;
            }
            if interrupted && !self.kernel.attention.is_empty() {
                self.settle(cpu);
                self.pass();
            }
        }
    }

    /// Fires the first due policy timer if it belongs to `cpu`, or the earliest one of this CPU.
    fn policy_timer_due(&mut self, cpu: CpuId) -> bool {
        let now = self.kernel.now;
        if self.kernel.policy_timers.min().0.0 > now {
            return false;
        }
        let mut best: Option<((Nanos, u64), usize)> = None;
        for timer in 0..self.kernel.policy_timer_cpu.len() {
            let key = self.kernel.policy_timers.get(timer);
            if key.0 <= now && self.kernel.policy_timer_cpu[timer] == cpu && best.is_none_or(|(k, _)| key < k) {
                best = Some((key, timer));
            }
        }
        let Some((_, timer)) = best else { return false };
        self.fire_policy_timer(timer);
        true
    }

    fn policy_timer(&mut self) {
        let (_, timer) = self.kernel.policy_timers.min();
        self.fire_policy_timer(timer);
    }

    fn fire_policy_timer(&mut self, timer: usize) {
        self.kernel.events += 1;
        let cpu = self.kernel.policy_timer_cpu[timer];
        self.kernel.cancel_timer(timer as u32);
        self.policy.timer_expired(&mut self.kernel, timer as u32, cpu);
    }

    // ---- ticks and timers ------------------------------------------------------------------------------------------

    /// Advances jiffies and the next tick; returns the CPU that ticks (the first one when all tick together).
    fn begin_tick(&mut self) -> CpuId {
        let kernel = &mut self.kernel;
        let cpus = u64::from(kernel.cpus());
        let index = kernel.tick_index;
        kernel.tick_index += 1;
        kernel.next_tick = kernel.tick_time(index + 1);
        if kernel.tick_skew {
            kernel.jiffies = index / cpus;
            CpuId((index % cpus) as u16)
        } else {
            kernel.jiffies = index;
            CpuId(0)
        }
    }

    fn tick(&mut self, cpu: CpuId) {
        self.kernel.events += 1;
        if self.kernel.costs_on {
            let ns = self.kernel.costs.tick_ns;
            self.kernel.account(cpu);
            self.kernel.charge_ns(cpu, crate::machine::cost::TimeKind::System, ns);
        }
        self.policy.scheduler_tick(&mut self.kernel, cpu);
    }

    fn timer(&mut self, timer: Timer) {
        let task = &mut self.kernel.tasks[timer.task.index()];
        if task.timer_generation != timer.generation {
            return;
        }
        self.kernel.events += 1;
        match timer.kind {
            TimerKind::Wake => {
                let flags = WakeFlags { cpu: task.cpu, in_interrupt: true, sync: false, waker: None };
                self.wake(timer.task, flags);
            }
            TimerKind::Start => self.start(timer.task, None),
        }
    }

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
        kernel.placing = true;
        let new =
            NewTask { cpu, parent: parent.map(|(task, _)| task), cpu_is_given: given.is_some() && parent.is_none() };
        self.policy.wake_up_new_task(kernel, id, new);
        kernel.placing = false;
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

    // ---- schedule() ------------------------------------------------------------------------------------------------

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
            kernel.charge_ns(cpu, crate::machine::cost::TimeKind::Scheduler, ns);
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

    // ---- changes from outside --------------------------------------------------------------------------------------

    fn apply_change(&mut self, change: &Change) {
        match *change {
            Change::Param { param, value } => self.kernel.params[usize::from(param)] = value,
            Change::Count { workload, count } => self.set_count(workload, count),
            Change::Nice { workload, nice } => self.for_tasks_of(workload, |sim, task| {
                let old = std::mem::replace(&mut sim.kernel.tasks[task.index()].nice, nice);
                (old != nice).then_some(AttrChange::Nice { old })
            }),
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

    pub(super) fn set_shares(&mut self, group: crate::units::GroupId, shares: u64) {
        let old = std::mem::replace(&mut self.kernel.groups[group.index()].shares, shares);
        if old != shares {
            self.policy.group_changed(&mut self.kernel, group, old);
        }
    }

    fn for_tasks_of(&mut self, workload: u16, mut change: impl FnMut(&mut Self, TaskId) -> Option<AttrChange>) {
        for id in 0..self.kernel.tasks.len() {
            let id = TaskId(id as u32);
            let task = self.kernel.task(id);
            if task.workload != workload {
                continue;
            }
            let (alive, queued) = (task.is_alive(), task.is_queued());
            if let Some(change) = change(self, id)
                && alive
            {
                self.policy.task_changed(&mut self.kernel, id, change, queued);
            }
        }
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

impl<P: Policy> DynSim for Sim<P> {
    fn run_until(&mut self, until: Nanos, events_max: u64) -> RunStatus {
        let stop = self.kernel.events.saturating_add(events_max);
        self.wake_memory();
        loop {
            if let Some(fault) = self.kernel.fault {
                return RunStatus::Faulted(fault);
            }
            let at = self.next_at();
            if at > until {
                self.kernel.now = self.kernel.now.max(until);
                return RunStatus::Reached;
            }
            if self.kernel.events >= stop || self.kernel.records.len() >= RECORDS_MAX {
                return RunStatus::Paused;
            }
            self.kernel.now = at;
            self.instant();
            #[cfg(debug_assertions)]
            if CHECK_EACH_EVENT.with(std::cell::Cell::get) {
                self.check_invariants();
            }
        }
    }

    fn next_event_at(&self) -> Nanos {
        self.next_at()
    }

    fn apply(&mut self, at: Nanos, change: &Change) {
        assert!(at >= self.kernel.now && at <= self.next_at(), "a change at {at} comes too late or too early");
        self.kernel.now = at;
        self.wake_memory();
        self.apply_change(change);
    }

    fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    fn drain_records(&mut self, out: &mut Vec<Record>) {
        if out.is_empty() && out.capacity() >= self.kernel.records.capacity() {
            // Both buffers have their full size after a few rounds: nothing is copied.
            std::mem::swap(out, &mut self.kernel.records);
        } else {
            out.append(&mut self.kernel.records);
        }
    }

    fn set_recording(&mut self, on: bool) {
        self.kernel.recording = on;
    }

    fn checkpoint(&self) -> Box<dyn DynSim> {
        // A copy that only waits holds no spare room; `wake_memory` gets it when the copy runs.
        Box::new(Sim {
            kernel: Kernel { records: Vec::new(), ..self.kernel.clone() },
            policy: self.policy.clone(),
            due: Vec::new(),
            probe: Probe::default(),
        })
    }

    fn visit_structures(&self, cpu: CpuId, v: &mut dyn StructureVisitor) {
        self.policy.visit_structures(&self.kernel, cpu, v);
    }

    fn task_gauges(&self, task: TaskId, out: &mut dyn FnMut(Gauge)) {
        self.policy.task_gauges(&self.kernel, task, out);
    }

    fn candidates(&self, cpu: CpuId, out: &mut dyn FnMut(Candidate)) {
        self.policy.candidates(&self.kernel, cpu, out);
    }

    fn probe(&mut self, cpu: CpuId, at: Nanos) {
        self.probe = Probe { at: Some((cpu, at)), found: Vec::new() };
    }

    fn probed(&self) -> &[Candidate] {
        &self.probe.found
    }

    fn check_invariants(&self) {
        self.kernel.check_invariants();
        self.policy.check_invariants(&self.kernel);
    }
}

#[cfg(debug_assertions)]
thread_local! {
    /// Tests set it to assert all invariants after every instant.
    pub static CHECK_EACH_EVENT: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}
