//! Windows of the history for drawing: never more rows than `2 * px` per CPU or task, at a cost that depends on the
//! rows shown and not on the length of the run.

use super::cpu_log::CpuLog;
use super::mip::{Merger, OPEN, Row, size_of_level};
use super::task_log::{Phase, TaskHead, TaskLog};
use crate::kernel::record::SliceEnd;
use crate::units::Nanos;

/// A window of time, at the front of the history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// From, inclusive.
    pub from: Nanos,
    /// To, exclusive.
    pub to: Nanos,
    /// Width in pixels.
    pub px: u32,
    /// The history ends here.
    pub front: Nanos,
}

impl Window {
    /// Most rows.
    fn rows_max(&self) -> u64 {
        u64::from(self.px.clamp(8, 1 << 16)) * 2
    }
}

/// Calls `out` with the rows of `log`, in time order. Rows are whole: the first may begin before the window. Merged rows
/// stand for the same slices whatever the window, so that panning does not make them flicker.
pub fn cpu_rows(log: &CpuLog, window: Window, out: &mut dyn FnMut(Row)) {
    let Window { from, to, front, .. } = window;
    let to = to.min(front.saturating_add(1));
    if from >= to {
        return;
    }
    let first = log.after(from).head.slice;
    let last = log.after(to - 1).head.slice.max(first);
    let mut group = 1;
    while (last - first) / group + 3 > window.rows_max() {
        group *= 2;
    }
    let mut merger = Merger::default();
    let mut emit = |row: Row| {
        if merger.index().is_some_and(|index| index / group != row.index / group) {
            merger.take().into_iter().filter(|row| row.end > row.start).for_each(&mut *out);
        }
        merger.add(&row);
    };
    let mut index = first / group * group;
    let end = last / group * group + group;
    let mut level = (0..=log.levels().top()).rev().find(|&level| size_of_level(level) <= group).unwrap_or(0);
    while level > 0 {
        // A row that ends the level takes its end from the slice that follows it.
        let size = size_of_level(level);
        let len = log.levels().len(level);
        while index < end && index / size < len {
            let row_end = if index / size + 1 == len { start_of(log, index + size, front) } else { 0 };
            emit(log.levels().row(level, index / size, row_end));
            index += size;
        }
        level -= 1;
    }
    if index < end {
        log.slices(index, front).take_while(|row| row.index < end).for_each(emit);
    }
    merger.take().into_iter().filter(|row| row.end > row.start).for_each(out);
}

fn start_of(log: &CpuLog, index: u64, front: Nanos) -> Nanos {
    log.slices(index, front).next().map_or(front, |row| row.start)
}

/// Calls `out` with (time, tasks waiting from then on), for a window in which no slices are merged; thinned to the
/// largest of each stretch when there are too many.
pub fn queue_steps(log: &CpuLog, window: Window, out: &mut dyn FnMut(Nanos, u16)) {
    let mut entries = log.after(window.from);
    let stretch = ((window.to - window.from) / (window.rows_max() / 2)).max(1);
    let mut open = (window.from, entries.head.waiting);
    let mut shown = None;
    while let Some((at, _)) = entries.next() {
        if at >= window.to {
            break;
        }
        let waiting = entries.head.waiting;
        if at == open.0 {
            // Only what holds at the end of an instant is shown.
            open.1 = waiting;
        } else if at / stretch == open.0 / stretch && shown.is_some() && stretch > 1 {
            open.1 = open.1.max(waiting);
        } else {
            if shown != Some(open.1) {
                out(open.0, open.1);
                shown = Some(open.1);
            }
            open = (at, waiting);
        }
    }
    if shown != Some(open.1) {
        out(open.0, open.1);
    }
}

/// State of a task in its own lane; the most important first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Presence {
    /// On a CPU.
    Running,
    /// Waits for a CPU.
    Runnable,
    /// Sleeps for time or an event.
    Sleeping,
    /// Waits for a lock or I/O.
    Blocked,
    /// Not started, or exited.
    Gone,
}

/// A state of a task, or several merged ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TaskRow {
    /// Start.
    pub start: Nanos,
    /// End.
    pub end: Nanos,
    /// State; of merged ones the most important.
    pub state: Presence,
    /// CPU.
    pub cpu: u16,
    /// [`SliceEnd`] of a running row as a number; [`OPEN`] otherwise.
    pub ended: u8,
    /// Number of states.
    pub merged: u32,
}

/// What a task is between a run that ended so and its next wakeup.
pub fn away(ended: u8) -> Presence {
    if ended == SliceEnd::Slept as u8 {
        Presence::Sleeping
    } else if ended == SliceEnd::Blocked as u8 {
        Presence::Blocked
    } else {
        Presence::Gone
    }
}

/// Calls `out` with the states of a task that overlap `from..to`, one by one; the last may end at `front`.
pub fn task_states(log: &TaskLog, from: Nanos, to: Nanos, front: Nanos, out: &mut dyn FnMut(TaskRow)) {
    let mut emit = |start: Nanos, end: Nanos, state, cpu, ended| {
        if start < end && end > from && start < to {
            out(TaskRow { start, end, state, cpu, ended, merged: 1 });
        }
    };
    for run in log.runs(from) {
        if run.left >= to {
            return;
        }
        emit(run.left, run.ready, away(run.left_ended), run.cpu, OPEN);
        emit(run.ready, run.start, Presence::Runnable, run.cpu, OPEN);
        emit(run.start, run.end, Presence::Running, run.cpu, run.ended);
    }
    let TaskHead { left, ended, cpu, .. } = log.head();
    match log.phase() {
        Phase::Away => emit(left, front, away(ended), cpu, OPEN),
        Phase::Waiting { ready, cpu, .. } => {
            emit(left, ready, away(ended), cpu, OPEN);
            emit(ready, front, Presence::Runnable, cpu, OPEN);
        }
        Phase::Running { ready, start, cpu, .. } => {
            emit(left, ready, away(ended), cpu, OPEN);
            emit(ready, start, Presence::Runnable, cpu, OPEN);
            emit(start, front, Presence::Running, cpu, OPEN);
        }
    }
}

/// Runs of one task above which whole blocks of its log are merged without reading them.
const RUNS_PER_PX: u64 = 32;

/// Calls `out` with the states of a task in the window, merged where there are more than pixels.
pub fn task_rows(log: &TaskLog, window: Window, out: &mut dyn FnMut(TaskRow)) {
    let Window { from, to, front, .. } = window;
    if from >= to.min(front.saturating_add(1)) {
        return;
    }
    let runs = u64::from(log.runs_before(to) - log.blocks(from, to).next().map_or(0, |head| head.runs));
    if runs * 3 + 3 <= window.rows_max() {
        return task_states(log, from, to, front, out);
    }
    let stretch = ((to - from) / (window.rows_max() / 2)).max(1).next_power_of_two();
    let mut merge = Stretches { stretch, open: None, out };
    if runs <= window.rows_max() / 2 * RUNS_PER_PX {
        task_states(log, from, to, front, &mut |row| merge.add(row));
    } else {
        let mut before: Option<TaskHead> = None;
        for head in log.blocks(from, to) {
            if let Some(before) = before {
                merge.add(block_row(before, head.left, head.runs));
            }
            before = Some(head);
        }
        if let Some(before) = before {
            merge.add(block_row(before, to.min(front), log.head().runs));
        }
    }
    merge.finish();
}

fn block_row(head: TaskHead, end: Nanos, runs: u32) -> TaskRow {
    let merged = (runs - head.runs).saturating_mul(3).max(1);
    TaskRow { start: head.left, end, state: Presence::Running, cpu: head.cpu, ended: OPEN, merged }
}

/// Merges rows that begin in the same stretch of time.
struct Stretches<'a> {
    stretch: Nanos,
    open: Option<TaskRow>,
    out: &'a mut dyn FnMut(TaskRow),
}

impl Stretches<'_> {
    fn add(&mut self, row: TaskRow) {
        match &mut self.open {
            Some(open) if open.start / self.stretch == row.start / self.stretch => {
                open.end = row.end;
                open.merged += row.merged;
                open.ended = OPEN;
                if row.state < open.state {
                    open.state = row.state;
                    open.cpu = row.cpu;
                }
            }
            _ => {
                self.finish();
                self.open = Some(row);
            }
        }
    }

    fn finish(&mut self) {
        if let Some(row) = self.open.take() {
            (self.out)(row);
        }
    }
}
