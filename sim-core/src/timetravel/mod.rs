//! Going back in a run: copies of the whole state now and then, and exact replay from the nearest one.
//!
//! Copies are thinned, so that their number is bounded and a replay never covers more than about one part in
//! `limit / 2` of the run's events.

use crate::kernel::sim::{DynSim, RunStatus};
use crate::kernel::{Change, record::Record};
use crate::trace::TraceMark;
use crate::units::Nanos;

/// Memory that the copies of one run may take.
const BYTES_MAX: usize = 64 << 20;
/// Most copies of a run.
const COPIES_MAX: usize = 128;
/// Events between the copies of a short run.
const SPACING: u64 = 8192;

/// What is done to the machine from outside, in order of time.
pub type CommandLog = [(Nanos, Change)];

/// A machine and its place in the command log.
pub struct Machine {
    /// The machine.
    pub sim: Box<dyn DynSim>,
    /// First change that it has not met.
    pub next_change: usize,
}

impl Machine {
    /// A machine at t = 0 that has met no change.
    pub fn new(sim: Box<dyn DynSim>) -> Self {
        Machine { sim, next_change: 0 }
    }

    /// Present time.
    pub fn now(&self) -> Nanos {
        self.sim.kernel().now()
    }

    /// A copy without records.
    pub fn copy(&self) -> Machine {
        Machine { sim: self.sim.checkpoint(), next_change: self.next_change }
    }

    /// Performs everything up to and including `until`, at most about `events_max` events. A change at time t comes
    /// before the events at t.
    pub fn run(&mut self, log: &CommandLog, until: Nanos, events_max: u64) -> RunStatus {
        let stop = self.sim.kernel().events().saturating_add(events_max);
        while let Some((at, change)) = log.get(self.next_change).filter(|(at, _)| *at <= until) {
            if let Some(before) = at.checked_sub(1) {
                let budget = stop.saturating_sub(self.sim.kernel().events());
                let status = self.sim.run_until(before, budget);
                if status != RunStatus::Reached {
                    return status;
                }
            }
            self.sim.apply(*at, change);
            self.next_change += 1;
        }
        self.sim.run_until(until, stop.saturating_sub(self.sim.kernel().events()))
    }

    /// Replays up to and including `until` without records.
    pub fn replay(&mut self, log: &CommandLog, until: Nanos) {
        self.sim.set_recording(false);
        while self.run(log, until, u64::MAX) == RunStatus::Paused {}
        self.sim.set_recording(true);
    }

    /// Replays up to and including `until` and shows every record; stops early if `see` returns false.
    pub fn replay_records(&mut self, log: &CommandLog, until: Nanos, see: &mut dyn FnMut(&Record) -> bool) {
        let mut records = Vec::new();
        loop {
            let status = self.run(log, until, RECORDED_SLICE);
            self.sim.drain_records(&mut records);
            for record in &records {
                if !see(record) {
                    return;
                }
            }
            records.clear();
            if status != RunStatus::Paused {
                return;
            }
        }
    }
}

/// Events between two looks at the records of a replay.
const RECORDED_SLICE: u64 = 4096;

/// A copy with the place of the trace at that time.
pub struct Checkpoint {
    /// The copy.
    pub machine: Machine,
    /// Events before it.
    pub events: u64,
    /// Length of the trace.
    pub mark: TraceMark,
}

/// The copies of one run.
pub struct History {
    checkpoints: Vec<Checkpoint>,
    spacing: u64,
    limit: usize,
}

impl History {
    /// A history that begins with `start`, a machine at t = 0.
    pub fn new(start: &Machine, mark: TraceMark) -> Self {
        let kernel = start.sim.kernel();
        let size = kernel.tasks().len() * 640 + usize::from(kernel.cpus()) * 1024 + 16_384;
        let first = Checkpoint { machine: start.copy(), events: 0, mark };
        History { checkpoints: vec![first], spacing: SPACING, limit: (BYTES_MAX / size).clamp(8, COPIES_MAX) }
    }

    /// The same copies once more, for a run that shares this past.
    pub fn copy(&self) -> History {
        let copy =
            |one: &Checkpoint| Checkpoint { machine: one.machine.copy(), events: one.events, mark: one.mark.clone() };
        History { checkpoints: self.checkpoints.iter().map(copy).collect(), spacing: self.spacing, limit: self.limit }
    }

    /// Whether the machine at the front has gone far enough for another copy.
    pub fn wants(&self, events: u64) -> bool {
        self.checkpoints.last().is_none_or(|last| events >= last.events + self.spacing)
    }

    /// Adds a copy of the machine at the front.
    pub fn add(&mut self, front: &Machine, mark: TraceMark) {
        self.checkpoints.push(Checkpoint { machine: front.copy(), events: front.sim.kernel().events(), mark });
        if self.checkpoints.len() > self.limit {
            let mut index = 0;
            self.checkpoints.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.spacing *= 2;
        }
    }

    /// The last copy whose time is at or before `t`, and its number.
    pub fn at_or_before(&self, t: Nanos) -> (usize, &Checkpoint) {
        let index = self.checkpoints.partition_point(|checkpoint| checkpoint.machine.now() <= t).saturating_sub(1);
        (index, &self.checkpoints[index])
    }

    /// The last copy before anything at `t` has happened, and its number (the start of the run for t = 0).
    pub fn before(&self, t: Nanos) -> (usize, &Checkpoint) {
        let index = self.checkpoints.partition_point(|checkpoint| checkpoint.machine.now() < t).saturating_sub(1);
        (index, &self.checkpoints[index])
    }

    /// Copy number `index`.
    pub fn get(&self, index: usize) -> &Checkpoint {
        &self.checkpoints[index]
    }

    /// Forgets copies after number `index`.
    pub fn cut(&mut self, index: usize) {
        self.checkpoints.truncate(index + 1);
    }

    /// Number of copies.
    pub fn len(&self) -> usize {
        self.checkpoints.len()
    }

    /// Whether there is no copy; never true.
    pub fn is_empty(&self) -> bool {
        self.checkpoints.is_empty()
    }
}
