//! One point of a sweep: a run, step by step, and its numbers.

use super::measure::{Measure, Taken};
use crate::engine::lane::{Lane, LaneSpec};
use crate::engine::summary;
use crate::metrics::totals::arrivals;
use crate::scenario::Compiled;
use crate::trace::task_log::Origin;

/// A run that is under way.
pub struct PointRun {
    lane: Lane,
    marks: usize,
}

impl PointRun {
    /// A run that is about to begin.
    pub fn new(compiled: &Compiled) -> Self {
        PointRun { lane: Lane::new(LaneSpec::from(compiled)), marks: compiled.marks.len() }
    }

    /// Simulates about `events_max` events more. Returns whether there is more to do.
    pub fn work(&mut self, events_max: u64) -> bool {
        self.lane.work(events_max)
    }

    /// How much of the run is simulated, 1/1000.
    pub fn permille(&self) -> u16 {
        (u128::from(self.lane.front()) * 1000 / u128::from(self.lane.duration().max(1))) as u16
    }

    /// Events so far.
    pub fn events(&self) -> u64 {
        self.lane.events()
    }

    /// The numbers of the ended run in the order of `measures`, and its digest; a sentence if it ended early.
    pub fn values(&mut self, measures: &[Measure]) -> Result<(Vec<Option<u64>>, u64), String> {
        if let Some(sentence) = self.lane.stop_sentence() {
            return Err(sentence);
        }
        let end = self.lane.duration();
        let summary = summary(&mut self.lane, 0, end);
        let digest = summary.digest;
        let (mut wakeup, mut scheduling) = (Vec::new(), Vec::new());
        let trace = self.lane.trace();
        for log in trace.tasks() {
            arrivals(log, 0, end.saturating_add(1), &mut |_, waited, origin| {
                scheduling.push(waited);
                if origin == Origin::Woken {
                    wakeup.push(waited);
                }
            });
        }
        let mut responses = vec![Vec::new(); self.marks];
        for mark in trace.moments().marks_since(0).take_while(|mark| mark.at <= end) {
            if let (Some(response), Some(list)) = (mark.response, responses.get_mut(usize::from(mark.mark))) {
                list.push(response);
            }
        }
        wakeup.sort_unstable();
        scheduling.sort_unstable();
        responses.iter_mut().for_each(|list| list.sort_unstable());
        let cpus = u64::from(trace.cpus());
        let taken = Taken { summary, cpus, wakeup, scheduling, responses };
        Ok((measures.iter().map(|measure| measure.take(&taken)).collect(), digest))
    }
}
