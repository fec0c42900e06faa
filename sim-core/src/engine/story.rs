//! Answer to `Story`: what led to a slice or a wait, and which nice levels would have led elsewhere.

mod path;
#[cfg(test)]
mod tests;
mod turns;

use super::lane::Lane;
use super::protocol::{LaneState, StoryView};
use super::why::why;
use super::why_task::why_task;
use crate::units::Nanos;

/// The story of what `cpu` does at `t`, or of `task` then.
#[inline(never)] // the page loads it later: xtask/src/parts.rs
pub fn story(lane: &mut Lane, index: u8, t: Nanos, cpu: u16, task: Option<u32>) -> StoryView {
    let t = t.min(lane.front());
    let view = match task {
        Some(task) => why_task(lane, index, t, task),
        None => why(lane, index, t, cpu),
    };
    // A wait is judged where it was asked about, a slice where it began.
    let moment = if view.state == LaneState::Running { view.start } else { t };
    let (since, turns) = turns::turns(lane, &view, moment);
    let path = path::path(lane, &view);
    StoryView { lane: index, task: view.task, cpu: view.cpu, start: view.start, path, since, turns }
}
