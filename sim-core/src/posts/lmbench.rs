//! lmbench's way of measuring a context switch.

use super::run::Finished;
use crate::units::Nanos;

/// What `lat_ctx` reports for a ring of `procs` processes in the workload "ring", ns per hop: the median of its
/// intervals of `laps` laps (those in which somebody else ran are outliers), less what one process needs for the same
/// reads and writes (`hop_ns` and two system calls). `None` below eleven intervals.
pub(super) fn per_hop(run: &Finished<'_>, procs: u64, laps: usize, hop_ns: Nanos) -> Option<Nanos> {
    let ends: Vec<Nanos> = run.marks_of("ring lap").map(|mark| mark.at).collect();
    let mut intervals: Vec<Nanos> = ends.chunks_exact(laps + 1).map(|ends| ends[laps] - ends[0]).collect();
    if intervals.len() < 11 {
        return None;
    }
    intervals.sort_unstable();
    let per_hop = intervals[intervals.len() / 2] / (procs * laps as u64);
    per_hop.checked_sub(hop_ns + 2 * run.kernel.costs().syscall_ns)
}
