//! Answer to `WhyTask`: where a task is at a moment, and what it waits for.

use super::lane::Lane;
use super::protocol::{IDLE, LaneState, WhyView};
use super::why::{Weighed, behind, empty, last_wakeup, name, position, views_of, why};
use super::window::lane_state;
use super::{structures, text};
use crate::inspect::{Candidate, Entity};
use crate::kernel::record::SliceEnd;
use crate::task::task::WaitsFor;
use crate::trace::mip::OPEN;
use crate::trace::task_log::{NEVER_RAN, Origin, TaskLog};
use crate::trace::window::{Presence, TaskRow, task_states};
use crate::units::{CpuId, Nanos, TaskId};

/// Where `task` was at `t`, and why.
#[inline(never)] // the page loads it later: xtask/src/parts.rs
pub fn why_task(lane: &mut Lane, index: u8, t: Nanos, task: u32) -> WhyView {
    let t = t.min(lane.front());
    let Some(row) = lane.trace().task(task).and_then(|log| state_at(log, t, lane.front())) else {
        return not_started(lane, index, task, t);
    };
    match row.state {
        Presence::Running => why(lane, index, t, row.cpu),
        Presence::Runnable => waits(lane, index, t, task, row),
        Presence::Sleeping | Presence::Blocked => sleeps(lane, index, t, task, row),
        Presence::Gone => not_started(lane, index, task, t),
    }
}

fn state_at(log: &TaskLog, t: Nanos, front: Nanos) -> Option<TaskRow> {
    let mut found = None;
    // At the front itself the state that reaches it counts.
    let t = t.min(front.saturating_sub(1));
    task_states(log, t, t.saturating_add(1), front, &mut |row| {
        if row.start <= t && t < row.end {
            found = Some(row);
        }
    });
    found
}

/// Runnable: who runs instead, and how many stand before it.
fn waits(lane: &mut Lane, index: u8, t: Nanos, task: u32, row: TaskRow) -> WhyView {
    let machine = lane.state_at(t);
    let cpu = CpuId(row.cpu);
    let mut candidates: Vec<Candidate> = Vec::new();
    machine.sim.candidates(cpu, &mut |candidate| candidates.push(candidate));
    let curr = machine.sim.kernel().curr(cpu).map_or(IDLE, |curr| curr.0);
    let facts = structures::facts(machine, task);
    let mut view = empty(index, task, row.cpu, lane_state(row.state), (row.start, row.end));
    (view.candidates, view.candidates_more) = views_of(lane, &candidates, task, false);
    view.facts = facts;
    view.waited = t - row.start;
    view.behind = behind(lane, task, row.cpu, row.start, t.max(row.start));
    if let Some(log) = lane.trace().task(task) {
        let origin = log.runs(row.start).find(|run| run.ready == row.start).map(|run| run.origin);
        let origin = origin.unwrap_or(match log.phase() {
            crate::trace::task_log::Phase::Waiting { origin, .. }
            | crate::trace::task_log::Phase::Running { origin, .. } => origin,
            crate::trace::task_log::Phase::Away => Origin::Preempted,
        });
        view.woken = last_wakeup(lane, task, log, row.start, origin);
    }
    (view.prev, view.next) = (curr, curr);
    view.sentence = waiting_sentence(lane, &view, curr, &candidates);
    view.otherwise = waiting_otherwise(lane, task, &candidates);
    view
}

fn waiting_sentence(lane: &Lane, view: &WhyView, curr: u32, candidates: &[Candidate]) -> String {
    let now = if curr == IDLE { "idle".into() } else { format!("running {}", lane.task_name(curr)) };
    let begin = format!("waits for cpu{} since {}; the CPU is {now}", view.cpu, text::time(view.start));
    let Some(at) = position(candidates, view.task) else { return begin };
    if let Some(word) = candidates[at].barred {
        return format!("{begin}; it cannot be picked: {word}");
    }
    let Some(weighed) = held_up(lane, candidates, view.task) else { return begin };
    match (weighed.ahead().count(), waiting_group(lane, &weighed)) {
        (0, _) => format!("{begin}; it is next in the order"),
        (1, None) => format!("{begin}; 1 task is ahead of it"),
        (ahead, None) => format!("{begin}; {ahead} tasks are ahead of it"),
        (1, Some(group)) => format!("{begin}; {group} waits behind 1 other"),
        (ahead, Some(group)) => format!("{begin}; {group} waits behind {ahead} others"),
    }
}

/// The outermost run queue in which somebody stands before the task or a group that holds it.
fn held_up<'a>(lane: &Lane, candidates: &'a [Candidate], task: u32) -> Option<Weighed<'a>> {
    Weighed::of(lane, candidates, task, |weighed| weighed.ahead().next().is_some())
}

/// Name of the group that waits as a whole, if it is not the task itself that is held up.
fn waiting_group(lane: &Lane, weighed: &Weighed) -> Option<String> {
    let entity = weighed.peers[weighed.own].entity;
    matches!(entity, Entity::Group(_)).then(|| name(lane, entity))
}

fn waiting_otherwise(lane: &Lane, task: u32, candidates: &[Candidate]) -> String {
    let Some(weighed) = held_up(lane, candidates, task) else { return String::new() };
    let Some(first) = weighed.ahead().next() else { return String::new() };
    let own = weighed.peers[weighed.own];
    let first_name = name(lane, first.entity);
    if first.key.label != own.key.label || first.key.value == own.key.value {
        return format!("{first_name} stands first in the order with {}", text::gauge(&first.key));
    }
    let direction = if own.key.value > first.key.value { "less" } else { "more" };
    let who = waiting_group(lane, &weighed).unwrap_or_else(|| "it".into());
    format!(
        "{who} has {}; to stand before {first_name} it needs {direction} than {}",
        text::gauge(&own.key),
        text::number(first.key.value, first.key.unit)
    )
}

/// Asleep or blocked: what it waits for, and who ends it.
fn sleeps(lane: &mut Lane, index: u8, t: Nanos, task: u32, row: TaskRow) -> WhyView {
    let machine = lane.state_at(t);
    let waits_for = machine.sim.kernel().task(TaskId(task)).waits_for();
    let facts = structures::facts(machine, task);
    let mut view = empty(index, task, row.cpu, lane_state(row.state), (row.start, row.end));
    view.facts = facts;
    let what = match waits_for {
        WaitsFor::Timer => "sleeps for a time".into(),
        WaitsFor::Channel(channel) => format!("waits for an event on channel {channel}"),
        WaitsFor::Mutex(mutex) => format!("waits for lock {mutex}"),
        WaitsFor::Barrier(barrier) => format!("waits at barrier {barrier} for the others"),
        WaitsFor::Kernel => "waits for work".into(),
        WaitsFor::Nothing => "sleeps".into(),
    };
    let since = text::time(row.start);
    view.sentence = if row.end >= lane.front() {
        format!("{what} since {since}")
    } else {
        view.woken = lane.trace().woken_by(task, row.end).map(|waker| (row.end, waker));
        match view.woken {
            Some((at, waker)) if waker != IDLE => {
                format!("{what} since {since}, until {} wakes it at {}", lane.task_name(waker), text::time(at))
            }
            _ => format!("{what} since {since}, until {}", text::time(row.end)),
        }
    };
    view
}

/// Not there at `t`.
fn not_started(lane: &Lane, index: u8, task: u32, t: Nanos) -> WhyView {
    let mut view = empty(index, task, 0, LaneState::Gone, (0, lane.front()));
    let Some(log) = lane.trace().task(task) else {
        view.sentence = "there is no such task".into();
        return view;
    };
    let next = log.runs(t).find(|run| run.ready > t).map(|run| run.ready);
    let (left, ended) = log.runs(t).next().map_or((log.head().left, log.head().ended), |r| (r.left, r.left_ended));
    view.start = left;
    view.end = next.unwrap_or(lane.front());
    view.ended = OPEN;
    let past = match ended {
        NEVER_RAN => "has not been started".into(),
        _ if ended == SliceEnd::Exited as u8 => format!("has exited at {}", text::time(left)),
        _ => format!("is not there since {}", text::time(left)),
    };
    view.sentence = match next {
        Some(next) => format!("{past}; starts at {}", text::time(next)),
        None => past,
    };
    view
}
