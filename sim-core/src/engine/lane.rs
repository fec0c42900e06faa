//! One policy's run: the machine at the front, its history, and copies to go back to. This is also what the command
//! line drives directly.

use crate::kernel::record::Record;
use crate::kernel::sim::{RECORDS_ROOM, RunStatus};
use crate::kernel::{Change, Fault, Kernel, SimConfig};
use crate::metrics::series::Series;
use crate::metrics::totals::Totals;
use crate::policy::{PolicyEntry, PolicyInfo};
use crate::scenario::Compiled;
use crate::timetravel::{History, Machine};
use crate::trace::Trace;
use crate::units::{Nanos, TaskId};

/// Events between two drains of the machine's records: few enough that the records are still in the cache.
const SLICE_EVENTS: u64 = 1024;
/// Memory that the history of one lane may take; beyond, the run stops with a message.
pub const TRACE_BYTES_MAX: usize = 512 << 20;

/// What a lane runs.
#[derive(Clone)]
pub struct LaneSpec {
    /// The policy.
    pub entry: &'static PolicyEntry,
    /// The machine.
    pub config: SimConfig,
    /// One value per tunable.
    pub tunables: Vec<i64>,
    /// The command log, in order of time.
    pub changes: Vec<(Nanos, Change)>,
    /// Length of the run, ns.
    pub duration: Nanos,
    /// Number of mark names.
    pub marks: usize,
}

impl From<&Compiled> for LaneSpec {
    fn from(compiled: &Compiled) -> Self {
        LaneSpec {
            entry: compiled.entry,
            config: compiled.config.clone(),
            tunables: compiled.tunables.clone(),
            changes: compiled.changes.clone(),
            duration: compiled.duration_ns,
            marks: compiled.marks.len(),
        }
    }
}

/// Why a lane cannot go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// A program uses no time.
    Fault(Fault),
    /// The history is as large as it may become.
    Full(Nanos),
}

/// A run and its history.
pub struct Lane {
    entry: &'static PolicyEntry,
    hz: u32,
    tick_skew: bool,
    tasks_at_start: usize,
    rows_of_scenario: usize,
    changes: Vec<(Nanos, Change)>,
    duration: Nanos,
    front: Machine,
    trace: Trace,
    history: History,
    /// Where the last question about a state was answered.
    cursor: Option<Machine>,
    totals: Totals,
    records: Vec<Record>,
    stop: Option<Stop>,
    done: bool,
}

impl Lane {
    /// A run that is about to begin.
    pub fn new(spec: LaneSpec) -> Self {
        let LaneSpec { entry, config, tunables, changes, duration, marks } = spec;
        let (hz, tick_skew) = (config.hz, config.tick_skew && config.topology.cpus() > 1);
        let (cpus, workloads) = (config.topology.cpus(), config.counts.len());
        let rows_of_scenario = config.tasks.len();
        let front = Machine::new((entry.build)(entry.info.key, config, &tunables));
        let mut trace = Trace::new(cpus, Series::new(duration, marks, workloads));
        trace.feed(&[], front.sim.kernel().tasks(), 0);
        let history = History::new(&front, trace.mark());
        let tasks_at_start = front.sim.kernel().tasks().len();
        Lane {
            entry,
            hz,
            tick_skew,
            tasks_at_start,
            rows_of_scenario,
            changes,
            duration,
            front,
            trace,
            history,
            cursor: None,
            totals: Totals::default(),
            records: Vec::with_capacity(RECORDS_ROOM),
            stop: None,
            done: false,
        }
    }

    /// A run with this one's past: what differs is what another command log makes of it ([`Lane::set_changes`]).
    pub fn fork(&self) -> Lane {
        Lane {
            changes: self.changes.clone(),
            front: self.front.copy(),
            trace: self.trace.clone(),
            history: self.history.copy(),
            cursor: None,
            totals: Totals::default(),
            records: Vec::with_capacity(RECORDS_ROOM),
            ..*self
        }
    }

    /// Simulates about `events_max` events more. Returns whether there is more to do.
    pub fn work(&mut self, events_max: u64) -> bool {
        self.work_seen(events_max, &mut |_, _| {})
    }

    /// The same; `see` gets every record, with the machine as it is some time after.
    pub fn work_seen(&mut self, events_max: u64, see: &mut dyn FnMut(&[Record], &Kernel)) -> bool {
        let stop = self.events().saturating_add(events_max);
        while !self.done && self.events() < stop {
            let budget = SLICE_EVENTS.min(stop - self.events());
            let status = self.front.run(&self.changes, self.duration, budget);
            self.front.sim.drain_records(&mut self.records);
            let kernel = self.front.sim.kernel();
            see(&self.records, kernel);
            self.trace.feed(&self.records, kernel.tasks(), kernel.now());
            self.records.clear();
            match status {
                RunStatus::Reached => self.done = true,
                RunStatus::Faulted(fault) => self.halt(Stop::Fault(fault)),
                RunStatus::Paused => {}
            }
            if !self.done && self.history.wants(self.events()) {
                if self.trace.bytes() > TRACE_BYTES_MAX {
                    self.halt(Stop::Full(self.front()));
                }
                self.history.add(&self.front, self.trace.mark());
            }
        }
        !self.done
    }

    fn halt(&mut self, stop: Stop) {
        self.stop = Some(stop);
        self.done = true;
    }

    /// Runs to the end.
    pub fn finish(&mut self) {
        while self.work(u64::MAX) {}
    }

    /// Takes another command log. What was simulated before the first difference is kept; returns the time of that
    /// difference, or the end of the run if the logs are equal.
    pub fn set_changes(&mut self, changes: Vec<(Nanos, Change)>) -> Nanos {
        let same = self.changes.iter().zip(&changes).take_while(|(old, new)| old == new).count();
        let first = [self.changes.get(same), changes.get(same)].into_iter().flatten().map(|(at, _)| *at).min();
        self.changes = changes;
        let Some(first) = first else { return self.duration };
        if self.front.now() >= first || self.front.next_change > same {
            self.go_back(first);
        }
        first
    }

    /// Forgets everything from the last copy before `t` on.
    fn go_back(&mut self, t: Nanos) {
        let (index, checkpoint) = self.history.before(t);
        self.front = checkpoint.machine.copy();
        self.trace.cut(&checkpoint.mark);
        self.history.cut(index);
        self.totals.cut(self.front.now());
        self.cursor = None;
        self.stop = None;
        self.done = false;
    }

    /// The machine as it is after everything at `t` (at the front, if that is earlier).
    pub fn state_at(&mut self, t: Nanos) -> &Machine {
        if t >= self.front() {
            return &self.front;
        }
        let mut machine = match self.cursor.take() {
            Some(cursor) if cursor.now() <= t && self.history.at_or_before(t).1.machine.now() <= cursor.now() => cursor,
            _ => self.history.at_or_before(t).1.machine.copy(),
        };
        machine.replay(&self.changes, t);
        self.cursor.insert(machine)
    }

    /// A copy of the machine as it is before anything at `t` has happened.
    pub fn copy_before(&self, t: Nanos) -> Machine {
        let checkpoint = &self.history.before(t).1.machine;
        let mut machine = match &self.cursor {
            Some(cursor) if cursor.now() < t && cursor.now() > checkpoint.now() => cursor.copy(),
            _ => checkpoint.copy(),
        };
        if t > 0 {
            machine.replay(&self.changes, t - 1);
        }
        machine
    }

    /// Numbers up to and including `to`.
    pub fn totals(&mut self, to: Nanos) -> &Totals {
        self.totals.advance(&self.trace, to);
        &self.totals
    }

    /// Numbers counted last by [`Lane::totals`].
    pub fn totals_so_far(&self) -> &Totals {
        &self.totals
    }

    /// The policy.
    pub fn entry(&self) -> &'static PolicyEntry {
        self.entry
    }

    /// What is said about the policy.
    pub fn info(&self) -> &'static PolicyInfo {
        &self.entry.info
    }

    /// The machine at the front.
    pub fn kernel(&self) -> &Kernel {
        self.front.sim.kernel()
    }

    /// Simulated up to here.
    pub fn front(&self) -> Nanos {
        self.front.now()
    }

    /// Length of the run.
    pub fn duration(&self) -> Nanos {
        self.duration
    }

    /// Events so far.
    pub fn events(&self) -> u64 {
        self.kernel().events()
    }

    /// Whether the run has ended.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Why it ended early.
    pub fn stop(&self) -> Option<Stop> {
        self.stop
    }

    /// The history.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The copies.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The command log.
    pub fn changes(&self) -> &[(Nanos, Change)] {
        &self.changes
    }

    /// Tasks of the table at the start, kernel threads included.
    pub fn tasks_at_start(&self) -> usize {
        self.tasks_at_start
    }

    /// Rows of the task table that the scenario made, kernel threads not included.
    pub fn rows_of_scenario(&self) -> usize {
        self.rows_of_scenario
    }

    /// Name of a task.
    pub fn task_name(&self, task: u32) -> String {
        if task as usize >= self.kernel().tasks().len() {
            return format!("task {task}");
        }
        self.kernel().task_name(TaskId(task)).into_owned()
    }

    /// Time of tick number `index` of the machine, on `cpu` if the CPUs tick one after the other.
    pub fn tick_time(&self, index: u64, cpu: Option<u16>) -> Nanos {
        let cpus = u128::from(self.kernel().cpus());
        let (number, per_second) = match (self.tick_skew, cpu) {
            (false, _) => (u128::from(index), u128::from(self.hz)),
            (true, Some(cpu)) => (u128::from(index) * cpus + u128::from(cpu), u128::from(self.hz) * cpus),
            (true, None) => (u128::from(index), u128::from(self.hz) * cpus),
        };
        (number * 1_000_000_000 / per_second) as Nanos
    }

    /// Why it ended early, as a sentence.
    pub fn stop_sentence(&self) -> Option<String> {
        let time = super::text::time;
        Some(match self.stop? {
            Stop::Fault(Fault { at, task, operations }) => format!(
                "The program of {} performed {operations} operations at {} without using time",
                self.task_name(task.0),
                time(at)
            ),
            Stop::Full(at) => {
                format!("The history is full at {}: {} MiB", time(at), TRACE_BYTES_MAX >> 20)
            }
        })
    }
}
