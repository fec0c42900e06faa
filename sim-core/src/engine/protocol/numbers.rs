//! Live graphs and the numbers of a run.

use serde::{Deserialize, Serialize};

/// A latency histogram: bucket `i` counts latencies in `bounds[i] .. bounds[i + 1]` ns.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct HistogramView {
    /// Lower bounds, ns; the last bucket is open.
    pub bounds: Vec<u64>,
    /// Counts.
    pub counts: Vec<u64>,
    /// p50, p95, p99, max; ns; 0 if empty.
    pub p50: u64,
    /// 95 %.
    pub p95: u64,
    /// 99 %.
    pub p99: u64,
    /// Largest.
    pub max: u64,
    /// Number of samples.
    pub count: u64,
    /// Mean, ns.
    pub mean: u64,
}

/// Answer to `Graphs`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct GraphsView {
    /// Lane.
    pub lane: u8,
    /// From.
    pub from: u64,
    /// To.
    pub to: u64,
    /// Wakeup latencies in the window.
    pub latency: HistogramView,
    /// (time, latency ns, task), at most 1000, thinned so that the largest of each stretch stay.
    pub latency_points: Vec<(u64, u64, u32)>,
    /// Per mark: (mark, count per bucket).
    pub throughput: Vec<(u16, Vec<u32>)>,
    /// Per workload: share of all CPUs' time per bucket, 1/1000.
    pub share: Vec<Vec<u16>>,
    /// Context switches per bucket.
    pub switches: Vec<u32>,
}

/// Numbers of a task or workload.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RowView {
    /// Task id or workload index.
    pub id: u32,
    /// CPU time, ns.
    pub runtime: u64,
    /// Time waiting for a CPU, ns.
    pub wait: u64,
    /// Sleep, ns.
    pub slept: u64,
    /// Share of one CPU, 1/1000.
    pub share_permille: u32,
    /// Fair share by nice or shares, of one CPU, 1/1000; 0 = not computed.
    pub fair_permille: u32,
    /// Times it was put on a CPU.
    pub switches: u64,
    /// Migrations.
    pub migrations: u64,
    /// Wakeup latency.
    pub latency: HistogramView,
}

/// Answer to `Summary`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct SummaryView {
    /// Lane.
    pub lane: u8,
    /// Up to when.
    pub to: u64,
    /// Events so far.
    pub events: u64,
    /// Context switches.
    pub switches: u64,
    /// Migrations.
    pub migrations: u64,
    /// Decisions.
    pub decisions: u64,
    /// Digest at the simulated front.
    pub digest: u64,
    /// When and on which CPU this lane first ran another task than lane 0; `None` for lane 0 and for equal schedules.
    pub diverged: Option<(u64, u16)>,
    /// Decisions of all CPUs before that, the same in both lanes.
    pub alike: u64,
    /// Wakeup latency of all tasks: wakeup to running.
    pub wakeup_latency: HistogramView,
    /// Scheduling latency of all tasks: runnable to running, preemptions included.
    pub scheduling_latency: HistogramView,
    /// Response times: (mark, histogram).
    pub response: Vec<(u16, HistogramView)>,
    /// Marks per second of simulated time, times 1000.
    pub throughput_milli: Vec<(u16, u64)>,
    /// Jain's fairness index of the always-runnable tasks' CPU time over weight, 1/1000.
    pub fairness_permille: u32,
    /// Time of all CPUs by kind (user, system, scheduler, spin, refill, idle), ns.
    pub times: [u64; 6],
    /// Per task.
    pub tasks: Vec<RowView>,
    /// Per workload.
    pub workloads: Vec<RowView>,
}
