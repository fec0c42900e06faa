//! Answer to `Decisions`: what a CPU decided last, with the rule and the numbers of each decision. They are replayed in
//! one go; a CPU that decided nothing for long shows fewer.

use super::lane::Lane;
use super::protocol::{DecisionView, DecisionsView, IDLE};
use super::why::sentence;
use crate::kernel::record::{Event, Reason};
use crate::trace::mip::Row;
use crate::units::Nanos;

/// Most decisions.
const DECISIONS_MAX: u32 = 6;
/// So far back they are replayed, ns. The one that holds at the moment is told however old it is.
const BACK_NS: Nanos = 200_000_000;

/// The last decisions of `cpu` up to and with `t`.
pub fn decisions(lane: &mut Lane, index: u8, t: Nanos, cpu: u16) -> DecisionsView {
    let t = t.min(lane.front());
    let cpu = cpu.min(lane.kernel().cpus() - 1);
    let log = lane.trace().cpu(cpu);
    let first = log.after(t).head.slice.saturating_sub((DECISIONS_MAX - 1).into());
    let mut rows: Vec<Row> = log.slices(first, lane.front()).take_while(|row| row.start <= t).collect();
    let last = rows.last().map_or(0, |row| row.start);
    rows.retain(|row| row.start + BACK_NS >= last);
    // Of several decisions in one instant the last one holds; the others gave the CPU to nobody for any time.
    let starts: Vec<Nanos> = rows.iter().skip(1).map(|row| row.start).collect();
    let mut next = starts.into_iter();
    rows.retain(|row| next.next() != Some(row.start));
    let reasons = reasons(lane, cpu, &rows);
    let row = |(row, reason): (&Row, Option<Reason>)| DecisionView {
        t: row.start,
        task: row.task,
        sentence: sentence(lane, reason, row.task),
    };
    DecisionsView { lane: index, cpu, rows: rows.iter().zip(reasons).map(row).collect() }
}

/// The reasons of slices that follow each other.
fn reasons(lane: &Lane, cpu: u16, rows: &[Row]) -> Vec<Option<Reason>> {
    let mut reasons = vec![None; rows.len()];
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return reasons };
    let mut machine = lane.copy_before(first.start);
    machine.replay_records(lane.changes(), last.start, &mut |record| {
        if let Event::Switch { cpu: on, next, reason, .. } = record.event
            && on.0 == cpu
        {
            let next = next.map_or(IDLE, |task| task.0);
            // Of several switches in one instant the trace keeps the last one, and so does this.
            let begun = rows.iter().position(|row| row.start == record.at && row.task == next && row.index > 0);
            if let Some(at) = begun {
                reasons[at] = Some(reason);
            }
        }
        true
    });
    reasons
}
