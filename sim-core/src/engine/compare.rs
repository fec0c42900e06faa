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
