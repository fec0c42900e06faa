//! Two runs of one workload side by side.

use super::lane::Lane;
use super::protocol::IDLE;
use crate::units::Nanos;

/// The first moment at which two schedules differ.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Divergence {
    /// When.
    pub at: Nanos,
    /// Where (the lowest such CPU).
    pub cpu: u16,
    /// Who runs there in the first run from then on; [`super::protocol::IDLE`].
    pub first: u32,
    /// Who runs there in the second.
    pub second: u32,
}

/// Where two runs first put different tasks on a CPU, as far as both are simulated.
#[inline(never)] // the page loads it later: xtask/src/parts.rs
pub fn first_divergence(first: &Lane, second: &Lane) -> Option<Divergence> {
    let cpus = first.trace().cpus().min(second.trace().cpus());
    let mut found: Option<Divergence> = None;
    for cpu in 0..cpus {
        let end = found.map_or(first.front().min(second.front()), |found| found.at);
        found = on_cpu(first, second, cpu, end).or(found);
    }
    found
}

/// The first difference on one CPU before `end`.
fn on_cpu(first: &Lane, second: &Lane, cpu: u16, end: Nanos) -> Option<Divergence> {
    // Slices of no length are passing states of one instant.
    let mut a = first.trace().cpu(cpu).slices(0, first.front()).filter(|row| row.end > row.start);
    let mut b = second.trace().cpu(cpu).slices(0, second.front()).filter(|row| row.end > row.start);
    let (mut before_a, mut before_b) = (IDLE, IDLE);
    loop {
        let (row_a, row_b) = (a.next()?, b.next()?);
        let at = row_a.start.min(row_b.start);
        if at >= end {
            return None;
        }
        if (row_a.start, row_a.task) != (row_b.start, row_b.task) {
            // Where one run has switched and the other has not, the other still runs the task before.
            let first = if row_a.start == at { row_a.task } else { before_a };
            let second = if row_b.start == at { row_b.task } else { before_b };
            return Some(Divergence { at, cpu, first, second });
        }
        (before_a, before_b) = (row_a.task, row_b.task);
    }
}

/// Switches of all CPUs before `at` that lasted.
#[inline(never)] // the page loads it later: xtask/src/parts.rs
pub fn decisions_before(lane: &Lane, at: Nanos) -> u64 {
    let of = |cpu| lane.trace().cpu(cpu).slices(0, lane.front()).take_while(|row| row.start < at);
    // The first row of a CPU is how it began, not a decision.
    (0..lane.trace().cpus()).map(|cpu| of(cpu).filter(|row| row.index > 0 && row.end > row.start).count() as u64).sum()
}

/// The next moment after `after` at which a CPU that ran one task in both runs comes to run two different ones, as far as
/// both are simulated.
#[inline(never)] // the page loads it later: xtask/src/parts.rs
pub fn next_divergence(first: &Lane, second: &Lane, after: Nanos) -> Option<Divergence> {
    let cpus = first.trace().cpus().min(second.trace().cpus());
    let mut found: Option<Divergence> = None;
    for cpu in 0..cpus {
        let end = found.map_or(first.front().min(second.front()), |found| found.at);
        found = next_on_cpu(first, second, cpu, after, end).or(found);
    }
    found
}

fn next_on_cpu(first: &Lane, second: &Lane, cpu: u16, after: Nanos, end: Nanos) -> Option<Divergence> {
    let (log_a, log_b) = (first.trace().cpu(cpu), second.trace().cpu(cpu));
    // Slices of no length are passing states of one instant.
    let mut a = log_a.slices(log_a.after(after).head.slice, first.front()).filter(|row| row.end > row.start);
    let mut b = log_b.slices(log_b.after(after).head.slice, second.front()).filter(|row| row.end > row.start);
    let (mut row_a, mut row_b) = (a.next()?, b.next()?);
    let mut differed = row_a.task != row_b.task;
    loop {
        let at = row_a.end.min(row_b.end);
        if at >= end {
            return None;
        }
        if row_a.end == at {
            row_a = a.next()?;
        }
        if row_b.end == at {
            row_b = b.next()?;
        }
        let differs = row_a.task != row_b.task;
        if differs && !differed && at > after {
            return Some(Divergence { at, cpu, first: row_a.task, second: row_b.task });
        }
        differed = differs;
    }
}
