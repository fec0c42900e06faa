//! Numbers over time for the graphs: the run is divided into at most [`CELLS`] cells of equal length, each with its
//! counts. A graph of a wide window adds cells; a narrow one is read from the trace itself.

use super::histogram::{BUCKETS, bucket_of};
use crate::units::Nanos;

/// Most cells of a run.
pub const CELLS: u64 = 2048;
/// Fine buckets of the histogram per bucket of a cell's.
const COARSE: usize = 4;
/// Buckets of a cell's latency histogram.
pub const CELL_BUCKETS: usize = BUCKETS / COARSE;

/// The fixed part of a cell.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Context switches.
    pub switches: u32,
    /// Largest wakeup latency, when it ended and whose it was; time 0 = none.
    pub latency_max: (Nanos, Nanos, u32),
    /// Wakeup latencies by coarse bucket.
    pub latencies: [u16; CELL_BUCKETS],
}

/// All cells.
#[derive(Clone, Debug)]
pub struct Series {
    width: Nanos,
    marks: usize,
    workloads: usize,
    cells: Vec<Cell>,
    /// Marks per cell and mark.
    throughput: Vec<u32>,
    /// CPU time per cell and workload, ns.
    runtime: Vec<u64>,
    /// End of the last cell.
    end: Nanos,
}

/// Where a series stands, with the contents of its unfinished cell.
#[derive(Clone, Debug)]
pub struct SeriesMark {
    cells: usize,
    last: Option<Cell>,
    throughput: Vec<u32>,
    runtime: Vec<u64>,
    end: Nanos,
}

impl Series {
    /// Empty series of a run of `duration` with so many marks and workloads.
    pub fn new(duration: Nanos, marks: usize, workloads: usize) -> Self {
        Series {
            width: duration.div_ceil(CELLS).max(1000),
            marks,
            workloads,
            cells: Vec::new(),
            throughput: Vec::new(),
            runtime: Vec::new(),
            end: 0,
        }
    }

    /// Length of a cell, ns.
    pub fn width(&self) -> Nanos {
        self.width
    }

    /// The cells so far.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Units of `mark` counted in `cell`.
    pub fn throughput(&self, cell: usize, mark: usize) -> u32 {
        self.throughput[cell * self.marks + mark]
    }

    /// CPU time that `workload` used in `cell` in slices that have ended, ns.
    pub fn runtime(&self, cell: usize, workload: usize) -> Nanos {
        self.runtime[cell * self.workloads + workload]
    }

    /// Number of workloads.
    pub fn workloads(&self) -> usize {
        self.workloads
    }

    /// Number of marks.
    pub fn marks(&self) -> usize {
        self.marks
    }

    #[inline]
    fn cell(&mut self, at: Nanos) -> &mut Cell {
        if at >= self.end {
            self.grow(at);
        }
        let last = self.cells.len() - 1;
        &mut self.cells[last]
    }

    #[cold]
    fn grow(&mut self, at: Nanos) {
        while at >= self.end {
            self.cells.push(Cell { switches: 0, latency_max: (0, 0, 0), latencies: [0; CELL_BUCKETS] });
            self.throughput.resize(self.cells.len() * self.marks, 0);
            self.runtime.resize(self.cells.len() * self.workloads, 0);
            self.end += self.width;
        }
    }

    /// A context switch.
    #[inline]
    pub fn switch(&mut self, at: Nanos) {
        self.cell(at).switches += 1;
    }

    /// A woken task got the CPU `latency` after its wakeup.
    #[inline]
    pub fn latency(&mut self, at: Nanos, latency: Nanos, task: u32) {
        let cell = self.cell(at);
        let count = &mut cell.latencies[bucket_of(latency) / COARSE];
        *count = count.saturating_add(1);
        if latency > cell.latency_max.1 || cell.latency_max.0 == 0 {
            cell.latency_max = (at, latency, task);
        }
    }

    /// A unit of throughput.
    pub fn mark(&mut self, at: Nanos, mark: u16) {
        self.cell(at);
        let row = (self.cells.len() - 1) * self.marks;
        if let Some(count) = self.throughput[row..].get_mut(usize::from(mark)) {
            *count += 1;
        }
    }

    /// A task of `workload` was on a CPU from `start` to `end`; what began before the last mark must not be told again.
    #[inline]
    pub fn ran(&mut self, workload: u16, start: Nanos, end: Nanos) {
        let workload = usize::from(workload);
        if workload >= self.workloads || start >= end {
            return;
        }
        self.cell(end);
        if start + self.width >= self.end {
            // The usual case: it began in the last cell.
            let last = self.runtime.len() - self.workloads;
            self.runtime[last + workload] += end - start;
            return;
        }
        let mut cell = start / self.width;
        let mut from = start;
        while from < end {
            let to = end.min((cell + 1) * self.width);
            self.runtime[cell as usize * self.workloads + workload] += to - from;
            from = to;
            cell += 1;
        }
    }

    /// Where it stands.
    pub fn place(&self) -> SeriesMark {
        let last = self.cells.len().saturating_sub(1);
        SeriesMark {
            cells: self.cells.len(),
            last: self.cells.last().cloned(),
            throughput: self.throughput[last * self.marks..].to_vec(),
            runtime: self.runtime[last * self.workloads..].to_vec(),
            end: self.end,
        }
    }

    /// Forgets everything after `mark`.
    pub fn cut(&mut self, mark: &SeriesMark) {
        self.cells.truncate(mark.cells);
        self.end = mark.end;
        if let (Some(last), Some(saved)) = (self.cells.last_mut(), &mark.last) {
            last.clone_from(saved);
        }
        let last = mark.cells.saturating_sub(1);
        self.throughput.truncate(last * self.marks);
        self.throughput.extend_from_slice(&mark.throughput);
        self.runtime.truncate(last * self.workloads);
        self.runtime.extend_from_slice(&mark.runtime);
    }
}
