//! A machine together with one policy, and the one boxed interface to it.

use super::record::Record;
use super::{Change, Fault, Kernel, SimConfig};
use crate::clock::min_tree::MinTree;
use crate::clock::timers::Timer;
use crate::inspect::{Candidate, Entity, Gauge, StructureVisitor, Trail};
use crate::policy::Policy;
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
    /// Numbers worth seeing over time.
    fn trails(&self) -> &'static [Trail];
    /// Present values of one of them on `cpu`.
    fn trail(&self, cpu: CpuId, index: usize, out: &mut dyn FnMut(Entity, i64));
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
pub(super) struct Probe {
    pub(super) at: Option<(CpuId, Nanos)>,
    pub(super) found: Vec<Candidate>,
}

/// A machine with a policy.
#[derive(Clone)]
pub struct Sim<P: Policy> {
    pub(super) kernel: Kernel,
    pub(super) policy: P,
    pub(super) due: Vec<Timer>,
    pub(super) probe: Probe,
}

/// Makes a machine at t = 0; the `build` of [`crate::policy::PolicyEntry`].
pub fn build<P: Policy>(key: &'static str, config: SimConfig, tunables: &[i64]) -> Box<dyn DynSim> {
    Box::new(Sim::<P>::new(key, config, tunables))
}

impl<P: Policy> Sim<P> {
    /// A machine at t = 0; nothing has happened yet.
    pub fn new(key: &'static str, config: SimConfig, tunables: &[i64]) -> Self {
        let mut kernel = Kernel::new(&config);
        kernel.order = P::ORDER.unwrap_or(kernel.order);
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

    fn trails(&self) -> &'static [Trail] {
        self.policy.trails()
    }

    fn trail(&self, cpu: CpuId, index: usize, out: &mut dyn FnMut(Entity, i64)) {
        self.policy.trail(&self.kernel, cpu, index, out);
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
        self.check_candidates();
    }
}

impl<P: Policy> Sim<P> {
    /// Asserts that whoever waits on a CPU is named among its candidates, once: what is said of a decision is said of all.
    fn check_candidates(&self) {
        let kernel = &self.kernel;
        for cpu in kernel.topology().cpu_ids() {
            let mut named = Vec::new();
            self.policy.candidates(kernel, cpu, &mut |candidate| named.push(candidate.entity));
            for (index, task) in kernel.tasks().iter().enumerate() {
                let id = TaskId(index as u32);
                if task.is_queued() && task.cpu == cpu && kernel.curr(cpu) != Some(id) {
                    let times = named.iter().filter(|&&entity| entity == Entity::Task(id)).count();
                    assert_eq!(times, 1, "{} waits on cpu{} and is named {times} times", id.0, cpu.0);
                }
            }
        }
    }
}

#[cfg(debug_assertions)]
thread_local! {
    /// Tests set it to assert all invariants after every instant.
    pub static CHECK_EACH_EVENT: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}
