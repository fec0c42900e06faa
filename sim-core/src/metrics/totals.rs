//! Numbers of a run up to a moment, added up from the trace; moving the moment forward costs only what lies between.

use super::histogram::Histogram;
use crate::trace::Trace;
use crate::trace::task_log::{Origin, Phase, TaskLog};
use crate::units::Nanos;

/// Numbers of one task.
#[derive(Clone, Debug, Default)]
pub struct TaskTotals {
    /// Times it was put on a CPU.
    pub switches: u64,
    /// Wakeup latency.
    pub latency: Histogram,
}

/// Numbers of the run over `0..next`.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// First moment that is not counted yet.
    next: Nanos,
    /// Per task.
    pub tasks: Vec<TaskTotals>,
    /// Wakeup to running, all tasks.
    pub wakeup: Histogram,
    /// Runnable to running, all tasks, preemptions and starts included.
    pub scheduling: Histogram,
    /// Response times per mark.
    pub response: Vec<Histogram>,
    /// Units per mark.
    pub units: Vec<u64>,
}

/// Calls `out` with (start, waited, how it came to wait) of each time that a task got a CPU in `from..to`.
pub fn arrivals(log: &TaskLog, from: Nanos, to: Nanos, out: &mut dyn FnMut(Nanos, Nanos, Origin)) {
    for run in log.runs(from.saturating_sub(1)) {
        if run.start >= to {
            return;
        }
        if run.start >= from {
            out(run.start, run.start - run.ready, run.origin);
        }
    }
    if let Phase::Running { ready, origin, start, .. } = log.phase()
        && (from..to).contains(&start)
    {
        out(start, start - ready, origin);
    }
}

impl Totals {
    /// Counts everything up to and including `to`; starts again if `to` lies behind what is counted.
    pub fn advance(&mut self, trace: &Trace, to: Nanos) {
        let end = to.saturating_add(1);
        if end < self.next {
            *self = Totals::default();
        }
        let from = self.next;
        self.next = end;
        self.tasks.resize(trace.tasks().len(), TaskTotals::default());
        for (log, totals) in trace.tasks().iter().zip(&mut self.tasks) {
            let (wakeup, scheduling) = (&mut self.wakeup, &mut self.scheduling);
            arrivals(log, from, end, &mut |_, waited, origin| {
                totals.switches += 1;
                scheduling.add(waited);
                if origin == Origin::Woken {
                    totals.latency.add(waited);
                    wakeup.add(waited);
                }
            });
        }
        for mark in trace.moments().marks_since(from).take_while(|mark| mark.at < end) {
            let index = usize::from(mark.mark);
            if index >= self.units.len() {
                self.units.resize(index + 1, 0);
                self.response.resize(index + 1, Histogram::default());
            }
            self.units[index] += 1;
            if let Some(response) = mark.response {
                self.response[index].add(response);
            }
        }
    }

    /// The trace was cut at `at`: what was counted beyond is not true any more.
    pub fn cut(&mut self, at: Nanos) {
        if self.next > at {
            *self = Totals::default();
        }
    }
}
