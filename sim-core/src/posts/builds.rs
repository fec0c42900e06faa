//! What `time make` and kernbench report of a build in the workload "build", which must be the first one.

use super::run::Finished;
use crate::units::Nanos;

/// What the two kinds of time are, for the reader of the figures.
pub(super) const TIMES: &str = "User time is the build's own work and the refilling of caches, system time its system calls, schedule() and \
     switches; both are sums over all CPUs. For the rest of the elapsed time a CPU was idle or ran others.";

/// Time of a finished build, ns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Build {
    /// User time; caches are refilled in it.
    pub user: Nanos,
    /// System time, the scheduler's work for these tasks included.
    pub system: Nanos,
    /// From start to end.
    pub elapsed: Nanos,
}

impl Build {
    /// `None` if the run was too short to end the build.
    pub fn of(run: &Finished<'_>) -> Option<Self> {
        let elapsed = run.marks_of("build build").next()?.response?;
        let (runtime, system) = (*run.end.runtimes.first()?, *run.end.systems.first()?);
        Some(Build { user: runtime - system, system, elapsed })
    }

    /// (user + system) / elapsed in thousandths of a percent.
    pub fn cpu_percent(&self) -> u64 {
        (u128::from(self.user + self.system) * 100_000 / u128::from(self.elapsed.max(1))) as u64
    }
}

/// Thousandths of a second.
pub(super) fn seconds(ns: Nanos) -> u64 {
    (ns + 500_000) / 1_000_000
}
