//! Coarser views of a CPU's slices: a row of level 1 stands for 8 slices, a row of each further level for 4 rows of the
//! level below. A window then costs as much as it shows, however long the run is.

use super::chunked::Chunked;
use crate::units::Nanos;

/// Slices in a row of level 1.
pub const FIRST: u64 = 8;
/// Rows of a level in one row of the next.
const FACTOR: u64 = 4;
/// "No task": idle.
pub const IDLE: u32 = u32::MAX;
/// Busy share of a row without idle time. Times have 48 bits, so that products with it have 64.
const BUSY_ALL: u64 = 65_535;
/// Value of a column `ended` for a slice that has not ended.
pub const OPEN: u8 = 255;

/// One or several slices in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// Index of the first slice.
    pub index: u64,
    /// Start.
    pub start: Nanos,
    /// End.
    pub end: Nanos,
    /// The task, or the one with most time; [`IDLE`].
    pub task: u32,
    /// [`crate::kernel::record::SliceEnd`] as a number, [`OPEN`] for a merged or unfinished row.
    pub ended: u8,
    /// Reason code of a single slice.
    pub code: u16,
    /// Number of slices.
    pub merged: u32,
    /// Time not idle.
    pub busy: Nanos,
    /// Most tasks that waited at once.
    pub queue: u16,
}

/// A stored row: 14 bytes. Its end is the start of the next row.
#[derive(Clone, Copy, Debug)]
struct Mip {
    /// Start, 48 bits.
    start: [u16; 3],
    queue: u16,
    task: [u16; 2],
    /// Busy share, in parts of [`BUSY_ALL`].
    busy: u16,
}

impl Mip {
    fn of(row: &Row) -> Self {
        let length = (row.end - row.start).max(1);
        Mip {
            start: [row.start as u16, (row.start >> 16) as u16, (row.start >> 32) as u16],
            queue: row.queue,
            task: [row.task as u16, (row.task >> 16) as u16],
            busy: (row.busy * BUSY_ALL / length) as u16,
        }
    }

    fn start(&self) -> Nanos {
        u64::from(self.start[0]) | u64::from(self.start[1]) << 16 | u64::from(self.start[2]) << 32
    }
}

/// Merges neighbouring rows into one. The task with most time is found among the rows' own dominant tasks.
#[derive(Clone, Debug, Default)]
pub struct Merger {
    row: Option<Row>,
    times: Vec<(u32, Nanos)>,
}

impl Merger {
    /// Adds the next row.
    #[inline]
    pub fn add(&mut self, row: &Row) {
        let time = if row.task == IDLE { row.end - row.start - row.busy } else { row.busy };
        match self.times.iter_mut().find(|(task, _)| *task == row.task) {
            Some((_, sum)) => *sum += time,
            None => self.times.push((row.task, time)),
        }
        match &mut self.row {
            None => self.row = Some(*row),
            Some(sum) => {
                sum.end = row.end;
                sum.ended = OPEN;
                sum.merged += row.merged;
                sum.busy += row.busy;
                sum.queue = sum.queue.max(row.queue);
            }
        }
    }

    /// The merged row; the merger is empty again.
    pub fn take(&mut self) -> Option<Row> {
        let mut row = self.row.take()?;
        // The first of equals wins: the order of time decides, not the order of ids.
        let mut best = self.times[0];
        for &candidate in &self.times[1..] {
            if candidate.1 > best.1 {
                best = candidate;
            }
        }
        row.task = best.0;
        self.times.clear();
        Some(row)
    }

    /// First slice of the rows so far.
    pub fn index(&self) -> Option<u64> {
        self.row.map(|row| row.index)
    }
}

/// All levels of one CPU.
#[derive(Clone, Debug, Default)]
pub struct Levels {
    levels: Vec<Chunked<Mip>>,
    /// Slices of the unfinished row of level 1.
    open: Merger,
    open_count: u64,
    /// Merges rows of a level; empty in between, and keeps its memory.
    merger: Merger,
}

/// What is needed to cut the levels back to an earlier length.
#[derive(Clone, Debug)]
pub struct LevelsMark {
    lens: Vec<usize>,
    open: Merger,
    open_count: u64,
}

/// Slices per row of level `level` (1, 2 ...; level 0 is the slices themselves).
#[inline]
pub fn size_of_level(level: usize) -> u64 {
    if level == 0 { 1 } else { FIRST * FACTOR.pow(level as u32 - 1) }
}

impl Levels {
    /// A slice has ended.
    pub fn close(&mut self, slice: &Row) {
        self.open.add(slice);
        self.open_count += 1;
        if self.open_count == FIRST {
            self.open_count = 0;
            if let Some(row) = self.open.take() {
                self.push(0, row);
            }
        }
    }

    fn push(&mut self, level: usize, row: Row) {
        if level == self.levels.len() {
            self.levels.push(Chunked::default());
        }
        self.levels[level].push(Mip::of(&row));
        let len = self.levels[level].len() as u64;
        if len.is_multiple_of(FACTOR) {
            for index in len - FACTOR..len {
                let part = self.row(level + 1, index, row.end);
                self.merger.add(&part);
            }
            if let Some(merged) = self.merger.take() {
                self.push(level + 1, merged);
            }
        }
    }

    /// Number of rows of `level` (1 or more).
    pub fn len(&self, level: usize) -> u64 {
        self.levels.get(level - 1).map_or(0, |rows| rows.len() as u64)
    }

    /// Highest level that has rows; 0 = none.
    pub fn top(&self) -> usize {
        self.levels.len()
    }

    /// Row `index` of `level`; `end` is used if it is the last one.
    pub fn row(&self, level: usize, index: u64, end: Nanos) -> Row {
        let rows = &self.levels[level - 1];
        let mip = rows.get(index as usize);
        let next = index as usize + 1;
        let end = if next < rows.len() { rows.get(next).start() } else { end };
        let start = mip.start();
        Row {
            index: index * size_of_level(level),
            start,
            end,
            task: u32::from(mip.task[0]) | u32::from(mip.task[1]) << 16,
            ended: OPEN,
            code: 0,
            merged: size_of_level(level) as u32,
            busy: ((end - start) * u64::from(mip.busy)).div_ceil(BUSY_ALL),
            queue: mip.queue,
        }
    }

    /// Where it stands.
    pub fn mark(&self) -> LevelsMark {
        LevelsMark {
            lens: self.levels.iter().map(Chunked::len).collect(),
            open: self.open.clone(),
            open_count: self.open_count,
        }
    }

    /// Forgets everything after `mark`.
    pub fn cut(&mut self, mark: &LevelsMark) {
        self.levels.truncate(mark.lens.len());
        for (rows, &len) in self.levels.iter_mut().zip(&mark.lens) {
            rows.truncate(len);
        }
        self.open = mark.open.clone();
        self.open_count = mark.open_count;
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.levels.iter().map(Chunked::bytes).sum()
    }
}
