//! The moment that a step stops before.

use super::measure;
use crate::engine::lane::Lane;
use crate::engine::protocol::IDLE;
use crate::engine::text;
use crate::lesson::schema::{Event, Moment};
use crate::trace::cpu_log::Entry;
use crate::units::Nanos;

/// Time of a moment, or why there is none.
pub(super) fn find(lane: &Lane, moment: &Moment) -> Result<Nanos, String> {
    let from = text::time(moment.t);
    match moment.next {
        None => Ok(moment.t),
        Some(Event::Run) => {
            let task = measure::task(lane, &moment.task)?;
            let run = measure::next_run(lane, task, moment.t);
            run.map(|run| run.0).ok_or_else(|| format!("{} does not run after {from}", moment.task))
        }
        Some(Event::Wakeup) => {
            let task = measure::task(lane, &moment.task)?;
            let cpus = 0..lane.trace().cpus();
            let woken = cpus.filter_map(|cpu| {
                first(lane, cpu, moment.t, &|entry| matches!(entry, Entry::Wake { task: woken, .. } if woken == task))
            });
            woken.min().ok_or_else(|| format!("{} is not woken after {from}", moment.task))
        }
        Some(Event::Switch) => {
            if moment.cpu >= lane.trace().cpus() {
                return Err(format!("there is no CPU {}", moment.cpu));
            }
            let switch = |entry: Entry| matches!(entry, Entry::Switch { next, .. } if next != IDLE);
            let found = first(lane, moment.cpu, moment.t, &switch);
            found.ok_or_else(|| format!("CPU {} does not switch after {from}", moment.cpu))
        }
    }
}

fn first(lane: &Lane, cpu: u16, t: Nanos, wanted: &dyn Fn(Entry) -> bool) -> Option<Nanos> {
    let mut entries = lane.trace().cpu(cpu).since(t);
    entries.find(|&(at, entry)| at >= t && wanted(entry)).map(|(at, _)| at)
}
