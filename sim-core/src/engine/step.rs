//! Answer to `Step`: the time of the next or previous tick, slice, decision or record.

use super::lane::Lane;
use super::protocol::StepUnit;
use crate::kernel::record::{Event, Record};
use crate::trace::cpu_log::Entry;
use crate::units::{CpuId, Nanos};

/// Time of the next (or previous) step from `t`; `None` at the front or start.
pub fn step(lane: &mut Lane, t: Nanos, forward: bool, unit: StepUnit, cpu: Option<u16>) -> Option<Nanos> {
    let t = t.min(lane.front());
    let cpu = cpu.filter(|&cpu| cpu < lane.kernel().cpus());
    match unit {
        StepUnit::Tick => tick(lane, t, forward, cpu),
        StepUnit::Slice => slice(lane, t, forward, cpu),
        StepUnit::Decision if forward => next_record(lane, t, &|record| decides(record, cpu)),
        StepUnit::Decision => previous_record(lane, t, &|record| decides(record, cpu)),
        StepUnit::Event if forward => next_record(lane, t, &|record| concerns(record, cpu)),
        StepUnit::Event => previous_record(lane, t, &|record| concerns(record, cpu)),
    }
}

fn tick(lane: &Lane, t: Nanos, forward: bool, cpu: Option<u16>) -> Option<Nanos> {
    // Number of ticks at or before `t`; tick 0 is the start and no tick.
    let (mut low, mut high) = (0u64, 1u64);
    while lane.tick_time(high, cpu) <= t {
        high *= 2;
    }
    while low + 1 < high {
        let middle = low + (high - low) / 2;
        if lane.tick_time(middle, cpu) <= t {
            low = middle;
        } else {
            high = middle;
        }
    }
    if forward {
        return Some(lane.tick_time(low + 1, cpu)).filter(|&at| at <= lane.front());
    }
    let last = if lane.tick_time(low, cpu) == t { low.checked_sub(1)? } else { low };
    if last == 0 { (t > 0).then_some(0) } else { Some(lane.tick_time(last, cpu)) }
}

fn slice(lane: &Lane, t: Nanos, forward: bool, cpu: Option<u16>) -> Option<Nanos> {
    let trace = lane.trace();
    let cpus = cpu.map_or(0..trace.cpus(), |cpu| cpu..cpu + 1);
    if forward {
        let next = |cpu| {
            let mut entries = trace.cpu(cpu).after(t);
            entries.find(|(_, entry)| matches!(entry, Entry::Switch { .. })).map(|(at, _)| at)
        };
        cpus.filter_map(next).min()
    } else {
        cpus.map(|cpu| trace.cpu(cpu).since(t).head.since).filter(|&at| at < t).max()
    }
}

fn decides(record: &Record, cpu: Option<u16>) -> bool {
    match record.event {
        Event::Switch { cpu: on, .. } | Event::Repick { cpu: on, .. } => cpu.is_none_or(|cpu| on.0 == cpu),
        Event::Start { .. }
        | Event::Fork { .. }
        | Event::Wakeup { .. }
        | Event::Migrate { .. }
        | Event::Exit { .. }
        | Event::Mark { .. }
        | Event::Note { .. } => false,
    }
}

fn concerns(record: &Record, cpu: Option<u16>) -> bool {
    let Some(cpu) = cpu.map(CpuId) else { return true };
    match record.event {
        Event::Switch { cpu: on, .. }
        | Event::Repick { cpu: on, .. }
        | Event::Start { cpu: on, .. }
        | Event::Fork { cpu: on, .. }
        | Event::Wakeup { cpu: on, .. } => on == cpu,
        Event::Migrate { from, to, .. } => from == cpu || to == cpu,
        Event::Note { cpu: on, .. } => on.is_none_or(|on| on == cpu),
        Event::Exit { .. } | Event::Mark { .. } => false,
    }
}

fn next_record(lane: &mut Lane, t: Nanos, wanted: &dyn Fn(&Record) -> bool) -> Option<Nanos> {
    let front = lane.front();
    let mut machine = lane.state_at(t).copy();
    let mut found = None;
    machine.replay_records(lane.changes(), front, &mut |record| {
        if record.at > t && wanted(record) {
            found = Some(record.at);
        }
        found.is_none()
    });
    found
}

fn previous_record(lane: &Lane, t: Nanos, wanted: &dyn Fn(&Record) -> bool) -> Option<Nanos> {
    let mut end = t.checked_sub(1)?;
    let (mut index, _) = lane.history().before(t);
    loop {
        let checkpoint = &lane.history().get(index).machine;
        let mut machine = checkpoint.copy();
        let mut found = None;
        machine.replay_records(lane.changes(), end, &mut |record| {
            if wanted(record) {
                found = Some(record.at);
            }
            true
        });
        if found.is_some() || index == 0 {
            return found;
        }
        end = checkpoint.now();
        index -= 1;
    }
}
