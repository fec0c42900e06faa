//! Answer to `Range`: what a task did in a stretch of time, and who ran while it waited (its antagonists).

use super::lane::Lane;
use super::protocol::{Antagonist, RangeView};
use super::why::add_behind;
use crate::trace::window::{Presence, TaskRow, task_states};
use crate::units::Nanos;
use std::collections::BTreeMap;

/// Waits that are looked into; a longer range says how many it left out.
const WAITS_MAX: usize = 20_000;
/// Antagonists told.
const TOLD_MAX: usize = 12;

/// What `task` did in `from..to`.
#[inline(never)] // the page loads it later: xtask/src/parts.rs
pub fn range(lane: &Lane, index: u8, task: u32, from: Nanos, to: Nanos) -> RangeView {
    let to = to.min(lane.front());
    let mut view = RangeView { lane: index, task, from, to, ..RangeView::default() };
    let Some(log) = lane.trace().task(task).filter(|_| from < to) else { return view };
    let mut waits: Vec<TaskRow> = Vec::new();
    task_states(log, from, to, lane.front(), &mut |row| {
        let (start, end) = (row.start.max(from), row.end.min(to));
        let inside = end - start;
        match row.state {
            Presence::Running => view.ran += inside,
            Presence::Runnable => {
                view.waited += inside;
                view.waits += 1;
                if inside > view.longest.1 - view.longest.0 {
                    view.longest = (start, end);
                }
                if waits.len() < WAITS_MAX {
                    waits.push(TaskRow { start, end, ..row });
                }
            }
            Presence::Sleeping | Presence::Blocked => view.slept += inside,
            Presence::Gone => {}
        }
    });
    view.left_out = view.waits - waits.len() as u32;
    // (time, waits) by task.
    let mut sums: BTreeMap<u32, (Nanos, u32)> = BTreeMap::new();
    let mut times = BTreeMap::new();
    for wait in &waits {
        times.clear();
        add_behind(lane, task, wait.cpu, (wait.start, wait.end), &mut times);
        for (&other, &ns) in &times {
            let sum = sums.entry(other).or_default();
            *sum = (sum.0 + ns, sum.1 + 1);
        }
    }
    let antagonist = |(task, (ns, waits))| Antagonist { task, ns, waits };
    view.antagonists = sums.into_iter().map(antagonist).collect();
    view.antagonists.sort_by_key(|one| (std::cmp::Reverse(one.ns), one.task));
    view.antagonists.truncate(TOLD_MAX);
    view
}
