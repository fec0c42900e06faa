//! The way of a request: from what woke the first waker down to the slice that is asked about. Read from the trace alone.

use super::super::lane::Lane;
use super::super::protocol::{IDLE, LaneState, PathBegin, PathRow, PathView, Stretch, WhyView};
use super::super::why::{became_ready, last_wakeup};
use super::super::window::lane_state;
use crate::kernel::record::SliceEnd;
use crate::trace::task_log::Origin;
use crate::trace::window::{Presence, Window, task_rows, task_states};
use crate::units::Nanos;

/// Wakers that are followed.
const WAKERS_MAX: usize = 2;
/// Rows in all.
const ROWS_MAX: usize = 4;
/// Stretches per row, roughly; more are merged.
const STRETCHES: u32 = 60;
/// A waker's own beginning belongs to the request if it is not further back than so many lengths of what came after.
const REACH: Nanos = 4;
/// Runs of the task until it has what it wanted.
const RUNS_MAX: usize = 16;

/// The way to what `view` is about; `None` where nobody runs or waits.
pub fn path(lane: &Lane, view: &WhyView) -> Option<PathView> {
    let ready = match view.state {
        _ if view.task == IDLE => return None,
        LaneState::Running => view.start - view.waited.min(view.start),
        LaneState::Runnable => view.start,
        LaneState::Sleeping | LaneState::Blocked | LaneState::Gone => return None,
    };
    let to = served(lane, view, ready);
    let mut path =
        PathView { from: ready, to, begins: PathBegin::Queued, rows: Vec::new(), own: 0, wakeups: Vec::new() };
    let mut tasks = vec![view.task];
    let mut wakeup = view.woken.filter(|&(at, _)| at == ready);
    while let Some((at, waker)) = wakeup.take() {
        path.wakeups.push((at, waker, tasks[0]));
        path.from = at;
        if waker == IDLE {
            let own = lane.trace().task(tasks[0]).and_then(|log| became_ready(log, view.start));
            let is_new = matches!(own, Some((_, Origin::New))) && tasks.len() == 1;
            path.begins = if is_new { PathBegin::Start } else { PathBegin::Timer };
            break;
        }
        path.begins = PathBegin::Run;
        let earliest = at.saturating_sub((to - at).saturating_mul(REACH));
        let Some(start) = run_that_covers(lane, waker, earliest, at) else { break };
        path.from = start.max(earliest);
        if tasks.contains(&waker) {
            break;
        }
        tasks.insert(0, waker);
        let Some(log) = lane.trace().task(waker) else { break };
        let Some((ready, Origin::Woken)) = became_ready(log, start) else { break };
        if ready < earliest {
            break;
        }
        if tasks.len() <= WAKERS_MAX {
            wakeup = last_wakeup(lane, waker, log, ready, Origin::Woken).or(Some((ready, IDLE)));
        } else {
            path.from = ready;
        }
    }
    path.wakeups.reverse();
    path.own = tasks.len().saturating_sub(1) as u8;
    let lost_it = (view.prev_ended == SliceEnd::Preempted as u8).then_some(view.prev);
    let others = lost_it.into_iter().chain(view.behind.iter().map(|&(task, _)| task)).chain(
        // A waiting task is told who has the CPU.
        (view.state == LaneState::Runnable).then_some(view.prev),
    );
    for other in others {
        if tasks.len() < ROWS_MAX && other != IDLE && !tasks.contains(&other) {
            tasks.push(other);
        }
    }
    path.rows = tasks.iter().map(|&task| PathRow { task, stretches: stretches(lane, task, path.from, to) }).collect();
    Some(path)
}

/// When the task slept after what began at `ready`; the end of this slice or wait, if that is not soon.
fn served(lane: &Lane, view: &WhyView, ready: Nanos) -> Nanos {
    let Some(log) = lane.trace().task(view.task) else { return view.end };
    let latest = view.end.saturating_add((view.end - ready).saturating_mul(REACH));
    let runs = log.runs(view.start).take_while(|run| run.end <= latest).take(RUNS_MAX);
    let slept =
        |ended: u8| [SliceEnd::Slept, SliceEnd::Blocked, SliceEnd::Exited].iter().any(|end| *end as u8 == ended);
    runs.into_iter().find(|run| slept(run.ended)).map_or(view.end, |run| run.end.max(view.end))
}

/// Start of the run of `task` that covers `at`.
fn run_that_covers(lane: &Lane, task: u32, earliest: Nanos, at: Nanos) -> Option<Nanos> {
    let log = lane.trace().task(task)?;
    let mut found = None;
    task_states(log, earliest, at.saturating_add(1), lane.front(), &mut |row| {
        if row.state == Presence::Running && row.start <= at && at <= row.end {
            found = Some(row.start);
        }
    });
    found
}

fn stretches(lane: &Lane, task: u32, from: Nanos, to: Nanos) -> Vec<Stretch> {
    let mut found = Vec::new();
    let Some(log) = lane.trace().task(task) else { return found };
    let window = Window { from, to, px: STRETCHES, front: lane.front() };
    task_rows(log, window, &mut |row| {
        let (start, end) = (row.start.max(from), row.end.min(to));
        if start < end {
            found.push(Stretch { start, end, state: lane_state(row.state), cpu: row.cpu });
        }
    });
    found
}
