//! The machine's part of the kernel: time, tasks, `curr`, `need_resched`, switches and their records; and what a policy
//! may see and do of it. Simplification against a real kernel: one address space of time, no interrupts other than
//! ticks and timers, cross-CPU requests arrive at once.

mod ops;
pub mod overhead;
pub mod record;
pub mod sim;
#[cfg(test)]
pub mod testing;

use crate::clock::min_tree::MinTree;
use crate::clock::timers::Timers;
use crate::machine::cost::{CostTable, TIME_KINDS, TimeKind};
use crate::machine::topology::{Topology, TopologySpec};
use crate::policy::SchedClass;
use crate::task::program::{Barrier, Channel, LOOP_DEPTH_MAX, Mutex, Op};
use crate::task::task::{Task, TaskState, WaitsFor};
use crate::units::{CpuId, CpuMask, GroupId, NEVER, Nanos, TaskId};
use overhead::{CacheStamp, Overhead};
use record::{Event, Reason, Record, SliceEnd};
use std::sync::Arc;

/// Order of work at one instant. A golden file's machine says which; the product uses [`EventOrder::Interrupts`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventOrder {
    /// Ticks of all CPUs, then programs and reschedules until nothing happens, then timers one at a time, each followed
    /// by programs and reschedules (golden folders o1, o1-2.4, linux24, sd, staircase, bfs).
    TicksThenTimers,
    /// Burst ends first; then per CPU one interrupt with timers, sleep expiries, starts and the tick, followed by the
    /// reschedules that were asked for (golden folders cfs, eevdf).
    Interrupts,
}

/// `cpu.max` of a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CpuMax {
    /// Quota per period, ns.
    pub quota_ns: Nanos,
    /// Period, ns.
    pub period_ns: Nanos,
    /// Burst, ns.
    pub burst_ns: Nanos,
}

/// A task group (cgroup, CKRM class).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// Name.
    pub name: Arc<str>,
    /// Parent; the root is its own parent.
    pub parent: GroupId,
    /// Shares (1024 = one nice-0 task; CKRM: percent guarantee).
    pub shares: u64,
    /// `cpu.idle`.
    pub idle: bool,
    /// Bandwidth limit.
    pub cpu_max: Option<CpuMax>,
}

/// A task as the scenario describes it, and the template of forked children.
#[derive(Clone, Debug)]
pub struct TaskSpec {
    /// Name.
    pub name: Arc<str>,
    /// Class.
    pub class: SchedClass,
    /// Nice level.
    pub nice: i8,
    /// Real-time priority, 0 unless FIFO or RR.
    pub rt_priority: u8,
    /// Allowed CPUs.
    pub affinity: CpuMask,
    /// Group.
    pub group: GroupId,
    /// Address space.
    pub mm: u32,
    /// Program.
    pub program: Arc<[Op]>,
    /// Start time; `None` = exists only by fork.
    pub start: Option<Nanos>,
    /// CPU of the start, if the scenario names one.
    pub start_cpu: Option<CpuId>,
    /// Own slice request, ns.
    pub slice_ns: Option<Nanos>,
    /// Policy-specific start value of a golden file.
    pub init: Option<i64>,
    /// Workload it belongs to.
    pub workload: u16,
    /// Index within the workload, for the count slider; a task whose index is not below the count does not start.
    pub index: u32,
    /// Working set, KiB.
    pub working_set_kib: u32,
}

/// A complete machine with its programs. Cheap to clone: the large parts are shared.
#[derive(Clone, Debug)]
pub struct SimConfig {
    /// CPUs.
    pub topology: TopologySpec,
    /// Ticks per second, 100..=1000.
    pub hz: u32,
    /// CPU c ticks c/cpus of a period after CPU 0, as real machines do; off: all at the same instant.
    pub tick_skew: bool,
    /// Order at one instant.
    pub order: EventOrder,
    /// Seed of all random draws.
    pub seed: u64,
    /// Tasks and templates.
    pub tasks: Arc<[TaskSpec]>,
    /// Groups; index 0 is the root.
    pub groups: Vec<Group>,
    /// Initial values of workload parameters.
    pub params: Vec<u64>,
    /// Initial task count per workload.
    pub counts: Vec<u32>,
    /// Number of channels.
    pub channels: u32,
    /// Number of mutexes.
    pub mutexes: u32,
    /// Parties of each barrier.
    pub barriers: Vec<u32>,
    /// Prices.
    pub costs: CostTable,
}

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

/// The run cannot go on: a program uses no time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    /// When.
    pub at: Nanos,
    /// Whose program.
    pub task: TaskId,
    /// Operations it performed at this instant.
    pub operations: u32,
}

/// Most operations that one task may perform at one instant.
pub const ZERO_TIME_OPS_MAX: u32 = 100_000;

/// Most rows of the task table (`pid_max`); a fork beyond it fails with EAGAIN, and the program goes on without a child.
pub const TASK_ROWS_MAX: usize = 1 << 15;

#[derive(Clone, Debug)]
struct Cpu {
    curr: Option<TaskId>,
    need_resched: bool,
    /// The request came from a used-up slice.
    expired: bool,
    /// Up to when the CPU's time is accounted.
    accounted: Nanos,
    /// Overhead that must be worked off before the program goes on, by kind.
    debt: [Nanos; TIME_KINDS],
    debt_total: Nanos,
    times: [Nanos; TIME_KINDS],
    nr_running: u32,
}

/// What a policy sees of the machine.
#[derive(Clone, Debug)]
pub struct Kernel {
    now: Nanos,
    jiffies: u64,
    hz: u32,
    topology: Arc<Topology>,
    order: EventOrder,
    tick_skew: bool,
    costs: Arc<CostTable>,
    costs_on: bool,
    seed: u64,
    specs: Arc<[TaskSpec]>,
    /// All programs, one after the other; each ends with an exit.
    code: Arc<[Op]>,
    /// Where the program of each template begins.
    code_of: Arc<[u32]>,
    tasks: Vec<Task>,
    groups: Vec<Group>,
    params: Vec<u64>,
    counts: Vec<u32>,
    channels: Vec<Channel>,
    mutexes: Vec<Mutex>,
    barriers: Vec<Barrier>,
    /// First dead child of each template that can be used again.
    free: Vec<Option<TaskId>>,
    /// When the request of each task arrived (for response times).
    requests: Vec<Option<Nanos>>,
    cpus: Vec<Cpu>,
    /// When the present burst of each CPU ends.
    bursts: MinTree<Nanos>,
    /// CPUs where a burst ended or a reschedule was asked for.
    attention: CpuMask,
    timers: Timers,
    policy_timers: MinTree<(Nanos, u64)>,
    policy_timer_cpu: Vec<CpuId>,
    policy_timer_seq: u64,
    next_tick: Nanos,
    /// Index of the next tick (over all CPUs when skewed).
    tick_index: u64,
    /// Locks, caches and scan prices.
    overhead: Overhead,
    reason: Reason,
    placing: bool,
    records: Vec<Record>,
    recording: bool,
    digest: u64,
    events: u64,
    decisions: u64,
    switches: u64,
    migrations: u64,
    fault: Option<Fault>,
}

/// Puts all programs into one table, shared ones once. A program that ends falls on an exit.
fn lay_out(specs: &[TaskSpec]) -> (Arc<[Op]>, Arc<[u32]>) {
    let mut code = Vec::new();
    let mut code_of: Vec<u32> = Vec::with_capacity(specs.len());
    for (index, spec) in specs.iter().enumerate() {
        match specs[..index].last() {
            Some(last) if Arc::ptr_eq(&last.program, &spec.program) => code_of.push(code_of[index - 1]),
            _ => {
                code_of.push(code.len() as u32);
                code.extend_from_slice(&spec.program);
                code.push(Op::Exit);
            }
        }
    }
    (code.into(), code_of.into())
}

impl Kernel {
    fn new(config: &SimConfig) -> Self {
        let topology = Arc::new(Topology::new(config.topology.clone()));
        let (code, code_of) = lay_out(&config.tasks);
        let cpus = topology.cpus();
        let idle = Cpu {
            curr: None,
            need_resched: false,
            expired: false,
            accounted: 0,
            debt: [0; TIME_KINDS],
            debt_total: 0,
            times: [0; TIME_KINDS],
            nr_running: 0,
        };
        let mut kernel = Kernel {
            now: 0,
            jiffies: 0,
            hz: config.hz,
            topology,
            order: config.order,
            tick_skew: config.tick_skew && cpus > 1,
            costs: Arc::new(config.costs.clone()),
            costs_on: !config.costs.is_ideal(),
            seed: config.seed,
            specs: config.tasks.clone(),
            code,
            code_of,
            tasks: Vec::new(),
            groups: config.groups.clone(),
            params: config.params.clone(),
            counts: config.counts.clone(),
            channels: vec![Channel::default(); config.channels as usize],
            mutexes: vec![Mutex::default(); config.mutexes as usize],
            barriers: config.barriers.iter().map(|&parties| Barrier { parties, ..Barrier::default() }).collect(),
            free: vec![None; config.tasks.len()],
            requests: Vec::new(),
            cpus: vec![idle; usize::from(cpus)],
            bursts: MinTree::new(usize::from(cpus), NEVER),
            attention: CpuMask::EMPTY,
            timers: Timers::default(),
            policy_timers: MinTree::new(0, (NEVER, 0)),
            policy_timer_cpu: Vec::new(),
            policy_timer_seq: 0,
            next_tick: NEVER,
            tick_index: 0,
            overhead: Overhead::new(&config.costs, cpus),
            reason: Reason::default(),
            placing: false,
            records: Vec::new(),
            recording: true,
            digest: 0xcbf2_9ce4_8422_2325,
            events: 0,
            decisions: 0,
            switches: 0,
            migrations: 0,
            fault: None,
        };
        for template in 0..config.tasks.len() {
            kernel.push_task(template as u32);
        }
        for cpu in 0..cpus {
            kernel.push_migration_thread(CpuId(cpu));
        }
        for index in 0..config.tasks.len() {
            let spec = &config.tasks[index];
            if let Some(at) = spec.start
                && spec.index < config.counts[usize::from(spec.workload)]
            {
                kernel.timers.arm(at, TaskId(index as u32), 0, crate::clock::timers::TimerKind::Start);
            }
        }
        kernel.next_tick = kernel.tick_time(if kernel.tick_skew { u64::from(cpus) } else { 1 });
        kernel.tick_index = if kernel.tick_skew { u64::from(cpus) } else { 1 };
        kernel
    }

    /// Time of tick number `index`: unskewed k/HZ; skewed (k·cpus + c) counts CPU c's k-th tick.
    fn tick_time(&self, index: u64) -> Nanos {
        let per_second = u128::from(self.hz) * if self.tick_skew { u128::from(self.topology.cpus()) } else { 1 };
        (u128::from(index) * 1_000_000_000 / per_second) as Nanos
    }

    fn push_task(&mut self, template: u32) -> TaskId {
        let spec = &self.specs[template as usize];
        let id = TaskId(self.tasks.len() as u32);
        self.tasks.push(Task {
            state: TaskState::New,
            class: spec.class,
            nice: spec.nice,
            rt_priority: spec.rt_priority,
            affinity: spec.affinity.and(&CpuMask::first(self.topology.cpus())),
            group: spec.group,
            mm: spec.mm,
            cpu: CpuId(0),
            parent: None,
            slice_ns: spec.slice_ns,
            init: spec.init,
            migration_thread: None,
            workload: spec.workload,
            working_set_kib: spec.working_set_kib,
            cache: CacheStamp::default(),
            template,
            start_cpu: spec.start_cpu,
            code: self.code_of[template as usize],
            pc: 0,
            loops: [0; LOOP_DEPTH_MAX],
            op_first: false,
            remaining: 0,
            draw_key: u64::from(id.0),
            draws: 0,
            forks: 0,
            lives: 0,
            woken_from_uninterruptible: false,
            killed: false,
            waits_for: WaitsFor::Nothing,
            wait_next: None,
            timer_generation: 0,
            since: 0,
            started: 0,
            spin: 0,
            spin_at: NEVER,
            periods: 0,
            runtime: 0,
            wait: 0,
            slept: 0,
            migrations: 0,
            next_free: None,
        });
        self.requests.push(None);
        id
    }

    fn push_migration_thread(&mut self, cpu: CpuId) {
        let id = if self.specs.is_empty() { return } else { self.push_task(0) };
        let task = &mut self.tasks[id.index()];
        task.class = SchedClass::Fifo;
        task.nice = 0;
        task.rt_priority = 99;
        task.affinity = CpuMask::single(cpu);
        task.group = GroupId::ROOT;
        task.mm = u32::MAX;
        task.cpu = cpu;
        task.migration_thread = Some(cpu);
        task.workload = u16::MAX;
        task.slice_ns = None;
        task.init = None;
        task.state = TaskState::Sleeping;
        task.waits_for = WaitsFor::Kernel;
    }

    // ---- what a policy may see -------------------------------------------------------------------------------------

    /// Present time, ns since the start.
    #[inline]
    pub fn now(&self) -> Nanos {
        self.now
    }

    /// Ticks since the start; already advanced when a tick is processed.
    #[inline]
    pub fn jiffies(&self) -> u64 {
        self.jiffies
    }

    /// Ticks per second.
    #[inline]
    pub fn hz(&self) -> u32 {
        self.hz
    }

    /// Order of work at one instant; recorded schedules of the first order start tasks where they are told to.
    #[inline]
    pub fn order(&self) -> EventOrder {
        self.order
    }

    /// CPUs and sched domains.
    #[inline]
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// Shared handle to the topology, for policies that walk it while they change the machine.
    pub fn topology_shared(&self) -> Arc<Topology> {
        self.topology.clone()
    }

    /// Number of CPUs.
    #[inline]
    pub fn cpus(&self) -> u16 {
        self.topology.cpus()
    }

    /// Running task of `cpu`; `None` = idle.
    #[inline]
    pub fn curr(&self, cpu: CpuId) -> Option<TaskId> {
        self.cpus[cpu.index()].curr
    }

    /// A task.
    #[inline]
    pub fn task(&self, id: TaskId) -> &Task {
        &self.tasks[id.index()]
    }

    /// All tasks, migration threads and dead ones included, by id.
    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    /// Name of a task.
    pub fn task_name(&self, id: TaskId) -> std::borrow::Cow<'_, str> {
        let task = self.task(id);
        match task.migration_thread {
            Some(cpu) => format!("migration/{}", cpu.0).into(),
            None => self.specs[task.template as usize].name.as_ref().into(),
        }
    }

    /// Groups; 0 is the root.
    #[inline]
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Whether a reschedule of `cpu` is pending.
    #[inline]
    pub fn need_resched(&self, cpu: CpuId) -> bool {
        self.cpus[cpu.index()].need_resched
    }

    /// Runnable and running tasks whose `cpu` is this one.
    #[inline]
    pub fn nr_running(&self, cpu: CpuId) -> u32 {
        self.cpus[cpu.index()].nr_running
    }

    /// The migration thread of `cpu`.
    pub fn migration_thread_of(&self, cpu: CpuId) -> TaskId {
        TaskId(self.specs.len() as u32 + u32::from(cpu.0))
    }

    // ---- what a policy may do --------------------------------------------------------------------------------------

    /// Asks `cpu` to call `schedule()` at the next safe point.
    #[inline]
    pub fn resched_curr(&mut self, cpu: CpuId) {
        self.cpus[cpu.index()].need_resched = true;
        self.attention.insert(cpu);
    }

    /// The same, because the running task's slice is used up (the timeline shows it).
    #[inline]
    pub fn resched_expired(&mut self, cpu: CpuId) {
        self.cpus[cpu.index()].expired = true;
        self.resched_curr(cpu);
    }

    /// Takes a request back (`clear_tsk_need_resched`).
    #[inline]
    pub fn clear_need_resched(&mut self, cpu: CpuId) {
        self.cpus[cpu.index()].need_resched = false;
        self.cpus[cpu.index()].expired = false;
    }

    /// `set_task_cpu`: the task now belongs to `cpu`. Recorded as a migration unless it is being placed for the first
    /// time. Must not be called for a running task.
    pub fn set_task_cpu(&mut self, id: TaskId, cpu: CpuId) {
        let task = &mut self.tasks[id.index()];
        let from = task.cpu;
        if from == cpu {
            return;
        }
        assert!(task.state != TaskState::Running, "task {} runs on {from} and cannot move to {cpu}", id.0);
        task.cpu = cpu;
        if task.is_queued() {
            self.cpus[from.index()].nr_running -= 1;
            self.cpus[cpu.index()].nr_running += 1;
        }
        if !self.placing {
            task.migrations += 1;
            self.migrations += 1;
            self.mix(3, u64::from(from.0) << 16 | u64::from(cpu.0), u64::from(id.0));
            self.emit(Event::Migrate { task: id, from, to: cpu });
        }
    }

    /// Arms timer `timer` (`0..Policy::timers()`) for `at` on `cpu`; replaces an earlier time.
    pub fn start_timer(&mut self, timer: u32, cpu: CpuId, at: Nanos) {
        self.policy_timer_seq += 1;
        self.policy_timer_cpu[timer as usize] = cpu;
        self.policy_timers.set(timer as usize, (at, self.policy_timer_seq));
    }

    /// Disarms timer `timer`.
    pub fn cancel_timer(&mut self, timer: u32) {
        self.policy_timers.set(timer as usize, (NEVER, 0));
    }

    /// When timer `timer` expires, if armed.
    pub fn timer_at(&self, timer: u32) -> Option<Nanos> {
        let (at, _) = self.policy_timers.get(timer as usize);
        (at != NEVER).then_some(at)
    }

    /// Explains the pick that the present `schedule()` call makes.
    #[inline]
    pub fn explain(&mut self, code: impl Into<u16>, args: [i64; 3]) {
        self.reason = Reason { code: code.into(), args };
    }

    /// Puts a mark on the timeline.
    pub fn note(&mut self, cpu: Option<CpuId>, note: impl Into<u16>, args: [i64; 2]) {
        self.emit(Event::Note { cpu, note: note.into(), args });
    }

    // ---- what the outside may see ----------------------------------------------------------------------------------

    /// Hash of all switches and migrations so far.
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// Entries taken from the event queue so far.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Calls of `schedule()` so far.
    pub fn decisions(&self) -> u64 {
        self.decisions
    }

    /// Context switches so far.
    pub fn switches(&self) -> u64 {
        self.switches
    }

    /// Migrations so far.
    pub fn migrations(&self) -> u64 {
        self.migrations
    }

    /// Why the run cannot go on.
    pub fn fault(&self) -> Option<Fault> {
        self.fault
    }

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
        times[if state.curr.is_some() { TimeKind::User } else { TimeKind::Idle } as usize] += open;
        times
    }

    /// Value of a workload parameter.
    pub fn param(&self, param: u16) -> u64 {
        self.params[usize::from(param)]
    }

    /// Task count of a workload.
    pub fn count(&self, workload: u16) -> u32 {
        self.counts[usize::from(workload)]
    }

    // ---- inside ----------------------------------------------------------------------------------------------------

    #[inline]
    fn emit(&mut self, event: Event) {
        if self.recording {
            self.records.push(Record { at: self.now, event });
        }
    }

    /// Mixes an event into the digest (multiply and rotate, as in FxHash; any change shows).
    #[inline]
    fn mix(&mut self, tag: u64, a: u64, b: u64) {
        let mut digest = self.digest;
        for word in [tag << 60 ^ self.now, a, b] {
            digest = (digest.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
        }
        self.digest = digest;
    }

    /// Brings the accounts of `cpu` up to now.
    fn account(&mut self, cpu: CpuId) {
        let state = &mut self.cpus[cpu.index()];
        let elapsed = self.now - state.accounted;
        if elapsed == 0 {
            return;
        }
        state.accounted = self.now;
        let mut rest = elapsed;
        if state.debt_total > 0 {
            for kind in 0..TIME_KINDS {
                let part = state.debt[kind].min(rest);
                state.debt[kind] -= part;
                state.debt_total -= part;
                state.times[kind] += part;
                rest -= part;
            }
        }
        match state.curr {
            Some(task) => {
                state.times[TimeKind::User as usize] += rest;
                let task = &mut self.tasks[task.index()];
                task.runtime += elapsed;
                task.remaining -= rest;
            }
            None => state.times[TimeKind::Idle as usize] += rest,
        }
    }

    /// Sets when the present burst of `cpu` ends.
    fn set_burst(&mut self, cpu: CpuId) {
        let state = &self.cpus[cpu.index()];
        let end = match state.curr {
            Some(task) => self.now.saturating_add(state.debt_total).saturating_add(self.tasks[task.index()].remaining),
            None => NEVER,
        };
        self.bursts.set(cpu.index(), end);
        if end <= self.now {
            self.attention.insert(cpu);
        }
    }

    fn push_waiter(queue: &mut crate::task::program::WaitQueue, tasks: &mut [Task], task: TaskId) {
        tasks[task.index()].wait_next = None;
        match queue.tail {
            Some(tail) => tasks[tail.index()].wait_next = Some(task),
            None => queue.head = Some(task),
        }
        queue.tail = Some(task);
    }

    fn pop_waiter(queue: &mut crate::task::program::WaitQueue, tasks: &mut [Task]) -> Option<TaskId> {
        let task = queue.head?;
        queue.head = tasks[task.index()].wait_next.take();
        if queue.head.is_none() {
            queue.tail = None;
        }
        Some(task)
    }

    fn remove_waiter(queue: &mut crate::task::program::WaitQueue, tasks: &mut [Task], task: TaskId) {
        let mut kept = crate::task::program::WaitQueue::default();
        while let Some(waiter) = Kernel::pop_waiter(queue, tasks) {
            if waiter != task {
                Kernel::push_waiter(&mut kept, tasks, waiter);
            }
        }
        *queue = kept;
    }

    /// `context_switch`: accounts are up to date, `prev`'s new state is set.
    fn switch(&mut self, cpu: CpuId, prev: Option<TaskId>, prev_end: SliceEnd, next: Option<TaskId>) {
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
        self.switches += 1;
        let word = |task: Option<TaskId>| task.map_or(u64::from(u32::MAX), |task| u64::from(task.0));
        self.mix(1, u64::from(cpu.0), word(prev) << 32 | word(next));
        let reason = self.reason;
        self.emit(Event::Switch { cpu, prev, prev_end, next, reason });
        if self.costs_on {
            let ns = self.costs.switch_ns;
            self.charge_ns(cpu, TimeKind::Scheduler, ns);
            self.refill_cache(cpu, prev, next);
        }
        self.set_burst(cpu);
    }
}
