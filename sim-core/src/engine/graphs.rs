//! Answer to `Graphs`: numbers over time. Wide windows are added up from the cells that were counted while the run went
//! on; narrow ones are read from the trace.

use super::lane::Lane;
use super::protocol::GraphsView;
use super::views;
use crate::metrics::histogram::{BUCKETS, Histogram};
use crate::metrics::series::CELL_BUCKETS;
use crate::metrics::totals::arrivals;
use crate::trace::cpu_log::Entry;
use crate::trace::mip::IDLE;
use crate::trace::task_log::Origin;
use crate::units::Nanos;

/// Most points of the latency graph.
const POINTS_MAX: usize = 1000;
/// Most buckets.
const BUCKETS_MAX: u16 = 512;

/// The buckets of a graph.
#[derive(Clone, Copy)]
struct Axis {
    from: Nanos,
    to: Nanos,
    buckets: usize,
}

impl Axis {
    fn bucket(&self, t: Nanos) -> usize {
        let place = u128::from(t - self.from) * self.buckets as u128 / u128::from(self.to - self.from);
        (place as usize).min(self.buckets - 1)
    }

    fn edge(&self, bucket: usize) -> Nanos {
        self.from + (u128::from(self.to - self.from) * bucket as u128 / self.buckets as u128) as Nanos
    }
}

/// Graphs of `from..to`.
pub fn graphs(lane: &Lane, index: u8, from: Nanos, to: Nanos, buckets: u16) -> GraphsView {
    let to = to.min(lane.front()).max(from.saturating_add(1));
    let axis = Axis { from, to, buckets: usize::from(buckets.clamp(1, BUCKETS_MAX)) };
    let series = lane.trace().series();
    let mut view = GraphsView { lane: index, from, to, ..GraphsView::default() };
    view.switches = vec![0; axis.buckets];
    view.throughput = (0..series.marks()).map(|mark| (mark as u16, vec![0; axis.buckets])).collect();
    let mut runtime = vec![vec![0u64; axis.buckets]; series.workloads()];
    if (to - from) / axis.buckets as u64 >= series.width() {
        from_cells(lane, axis, &mut view, &mut runtime);
    } else {
        from_trace(lane, axis, &mut view, &mut runtime);
    }
    let cpus = u128::from(lane.kernel().cpus());
    view.share = runtime
        .iter()
        .map(|row| {
            let permille = |(bucket, &ns): (usize, &u64)| {
                let length = u128::from(axis.edge(bucket + 1) - axis.edge(bucket)).max(1);
                (u128::from(ns) * 1000 / (length * cpus)).min(1000) as u16
            };
            row.iter().enumerate().map(permille).collect()
        })
        .collect();
    view
}

/// Sums of whole cells. A cell belongs to the bucket of its middle; its CPU time is divided exactly.
fn from_cells(lane: &Lane, axis: Axis, view: &mut GraphsView, runtime: &mut [Vec<u64>]) {
    let series = lane.trace().series();
    let width = series.width();
    let first = (axis.from / width) as usize;
    let end = (axis.to.div_ceil(width) as usize).min(series.cells().len());
    let mut sum = vec![0u32; CELL_BUCKETS];
    let mut max = 0;
    let mut points = Vec::new();
    for cell in first..end {
        let start = cell as u64 * width;
        let middle = (start + width / 2).clamp(axis.from, axis.to - 1);
        let bucket = axis.bucket(middle);
        let counts = &series.cells()[cell];
        view.switches[bucket] += counts.switches;
        for (mark, row) in &mut view.throughput {
            row[bucket] += series.throughput(cell, usize::from(*mark));
        }
        for (workload, row) in runtime.iter_mut().enumerate() {
            divide(axis, start, start + width, series.runtime(cell, workload), row);
        }
        for (sum, &count) in sum.iter_mut().zip(&counts.latencies) {
            *sum += u32::from(count);
        }
        if counts.latency_max.0 > 0 {
            points.push(counts.latency_max);
            max = max.max(counts.latency_max.1);
        }
    }
    let mut histogram = Histogram::default();
    for (bucket, &count) in sum.iter().enumerate() {
        histogram.add_bucket(bucket * (BUCKETS / CELL_BUCKETS), count, max);
    }
    view.latency = views::histogram(&histogram);
    view.latency_points = largest(points, axis);
}

/// Divides `amount`, spread evenly over `start..end`, among the buckets that it touches.
fn divide(axis: Axis, start: Nanos, end: Nanos, amount: u64, row: &mut [u64]) {
    let (inside_from, inside_to) = (start.max(axis.from), end.min(axis.to));
    if amount == 0 || inside_from >= inside_to {
        return;
    }
    let mut bucket = axis.bucket(inside_from);
    let mut from = inside_from;
    while from < inside_to {
        let to = if bucket + 1 == axis.buckets { inside_to } else { axis.edge(bucket + 1).min(inside_to) };
        row[bucket] += (u128::from(amount) * u128::from(to.saturating_sub(from)) / u128::from(end - start)) as u64;
        from = to.max(from + 1);
        bucket = (bucket + 1).min(axis.buckets - 1);
    }
}

/// Exact counts from the logs.
fn from_trace(lane: &Lane, axis: Axis, view: &mut GraphsView, runtime: &mut [Vec<u64>]) {
    let trace = lane.trace();
    let Axis { from, to, .. } = axis;
    for cpu in 0..trace.cpus() {
        let log = trace.cpu(cpu);
        for (at, entry) in log.since(from).take_while(|&(at, _)| at < to) {
            if matches!(entry, Entry::Switch { .. }) {
                view.switches[axis.bucket(at)] += 1;
            }
        }
        let first = log.after(from).head.slice;
        for row in log.slices(first, lane.front()).take_while(|row| row.start < to) {
            if row.task == IDLE {
                continue;
            }
            let workload = trace.task(row.task).map_or(usize::MAX, |log| usize::from(log.workload()));
            if let Some(times) = runtime.get_mut(workload) {
                divide(axis, row.start, row.end, row.end - row.start, times);
            }
        }
    }
    for mark in trace.moments().marks_since(from).take_while(|mark| mark.at < to) {
        if let Some((_, row)) = view.throughput.get_mut(usize::from(mark.mark)) {
            row[axis.bucket(mark.at)] += 1;
        }
    }
    let mut histogram = Histogram::default();
    let mut points = Vec::new();
    for (task, log) in trace.tasks().iter().enumerate() {
        arrivals(log, from, to, &mut |at, waited, origin| {
            if origin == Origin::Woken {
                histogram.add(waited);
                points.push((at, waited, task as u32));
            }
        });
    }
    points.sort_unstable();
    view.latency = views::histogram(&histogram);
    view.latency_points = largest(points, axis);
}

/// The largest latency of each stretch, if there are too many.
fn largest(points: Vec<(Nanos, Nanos, u32)>, axis: Axis) -> Vec<(Nanos, Nanos, u32)> {
    if points.len() <= POINTS_MAX {
        return points;
    }
    let stretch = (axis.to - axis.from).div_ceil(POINTS_MAX as u64 - 1).max(1);
    let mut kept: Vec<(Nanos, Nanos, u32)> = Vec::with_capacity(POINTS_MAX);
    for point in points {
        match kept.last_mut() {
            // Summed cells begin on their own grid, so a first point may lie before `from`.
            Some(last)
                if (last.0.max(axis.from) - axis.from) / stretch == (point.0.max(axis.from) - axis.from) / stretch =>
            {
                if point.1 > last.1 {
                    *last = point;
                }
            }
            _ => kept.push(point),
        }
    }
    kept
}
