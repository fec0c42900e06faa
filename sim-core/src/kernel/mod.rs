//! The machine's part of the kernel: time, tasks, `curr`, `need_resched`, switches and their records; and what a policy
//! may see and do of it. Simplification against a real kernel: one address space of time, no interrupts other than
//! ticks and timers, cross-CPU requests arrive at once.

mod account;
mod caches;
mod change;
mod config;
pub mod foresight;
mod instant;
mod ops;
pub mod overhead;
pub mod record;
mod schedule;
mod setup;
pub mod sim;
#[cfg(test)]
pub mod testing;

pub use change::Change;
pub use config::{CpuMax, EventOrder, Group, SimConfig, TaskSpec};

use crate::clock::min_tree::MinTree;
use crate::clock::timers::Timers;
use crate::machine::cost::{CostTable, TIME_KINDS};
use crate::machine::topology::Topology;
use crate::task::program::{Barrier, Channel, Mutex, Op};
use crate::task::task::{Task, TaskState};
use crate::units::{CpuId, CpuMask, GroupId, NEVER, Nanos, TaskId};
use caches::Caches;
use overhead::Overhead;
use record::{Event, Reason, Record};
use std::sync::Arc;

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
    /// CPUs that run nothing.
    idle: CpuMask,
    timers: Timers,
    policy_timers: MinTree<(Nanos, u64)>,
    policy_timer_cpu: Vec<CpuId>,
    policy_timer_seq: u64,
    next_tick: Nanos,
    /// Index of the next tick (over all CPUs when skewed).
    tick_index: u64,
    /// Locks and scan prices.
    overhead: Overhead,
    caches: Caches,
    reason: Reason,
    placing: Option<TaskId>,
    records: Vec<Record>,
    recording: bool,
    digest: u64,
    events: u64,
    decisions: u64,
    switches: u64,
    migrations: u64,
    fault: Option<Fault>,
}

impl Kernel {
    /// Time of tick number `index`: unskewed k/HZ; skewed (k·cpus + c) counts CPU c's k-th tick.
    fn tick_time(&self, index: u64) -> Nanos {
        let per_second = u128::from(self.hz) * if self.tick_skew { u128::from(self.topology.cpus()) } else { 1 };
        (u128::from(index) * 1_000_000_000 / per_second) as Nanos
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

    /// Seed of the run's random draws, for a policy that draws itself.
    pub fn seed(&self) -> u64 {
        self.seed
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

    /// CPUs that run nothing.
    #[inline]
    pub fn idle_cpus(&self) -> &CpuMask {
        &self.idle
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

    /// Group that the scenario gave a task; it may be placed in another ([`Kernel::set_task_group`]).
    #[inline]
    pub fn home_group(&self, id: TaskId) -> GroupId {
        let task = self.task(id);
        if task.migration_thread.is_some() { GroupId::ROOT } else { self.specs[task.template as usize].group }
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
    #[inline]
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
        if self.placing != Some(id) {
            task.migrations += 1;
            self.migrations += 1;
            self.mix(3, u64::from(from.0) << 16 | u64::from(cpu.0), u64::from(id.0));
            self.emit(Event::Migrate { task: id, from, to: cpu });
        }
    }

    /// The task counts in `group` from now on. Its queue is the policy's business.
    pub fn set_task_group(&mut self, id: TaskId, group: GroupId) {
        self.tasks[id.index()].group = group;
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
}
