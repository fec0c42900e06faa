//! Answer to `Why`: which rule put a task on a CPU (or left the CPU idle), with the numbers, and what would have had to
//! be different. The decision is replayed; nothing is kept for it while the run goes on.

use super::lane::Lane;
use super::protocol::{CandidateView, IDLE, LaneState, WhyView};
use super::{structures, text, views};
use crate::inspect::{Candidate, Entity};
use crate::kernel::record::{Event, Reason};
use crate::trace::cpu_log::Entry;
use crate::trace::mip::{OPEN, Row};
use crate::trace::task_log::{Origin, Phase, TaskLog};
use crate::units::{CpuId, GroupId, Nanos, TaskId};
use std::collections::BTreeMap;

/// Tasks named as those that a task waited behind.
const BEHIND_MAX: usize = 8;
/// Tasks named as woken in a slice.
const WAKES_MAX: usize = 8;
/// Most entries of a CPU that are searched for them.
const ENTRIES_SEARCHED_MAX: usize = 100_000;
/// Candidates that a view names besides those that stand for its task.
const CANDIDATES_MAX: usize = 32;
/// Most runs of a task that are searched for its last wakeup.
const RUNS_SEARCHED_MAX: u32 = 100_000;

/// A decision that was replayed.
struct Decision {
    reason: Option<Reason>,
    candidates: Vec<Candidate>,
    /// CPU that balancing took the chosen task from in the same instant.
    pulled_from: Option<u16>,
}

/// Why the slice (or idle gap) of `cpu` that covers `t` is what it is.
pub fn why(lane: &mut Lane, index: u8, t: Nanos, cpu: u16) -> WhyView {
    let t = t.min(lane.front());
    let cpu = cpu.min(lane.kernel().cpus() - 1);
    let log = lane.trace().cpu(cpu);
    let at = log.after(t).head.slice;
    let mut around = log.slices(at.saturating_sub(1), lane.front());
    let before = if at > 0 { around.next() } else { None };
    let Some(row) = around.next() else { return nothing(lane, index, cpu) };
    let after = if row.ended == OPEN { None } else { around.next() };

    let (decision, facts) = decide(lane, cpu, &row, t);
    let state = if row.task == IDLE { LaneState::Gone } else { LaneState::Running };
    let mut view = empty(index, row.task, cpu, state, (row.start, row.end));
    view.ended = row.ended;
    view.sentence = sentence(lane, decision.reason, row.task);
    view.otherwise = otherwise(lane, &decision, &row);
    let rule = decision.reason.and_then(|reason| lane.info().reasons.get(usize::from(reason.code)));
    view.function = rule.map_or(String::new(), |spec| spec.function.into());
    (view.candidates, view.candidates_more) = views_of(lane, &decision.candidates, row.task, true);
    view.facts = facts;
    arrival(lane, &row, &mut view);
    if row.task != IDLE {
        view.wakes = wakes(lane, row.task, row.start, row.end);
    }
    (view.prev, view.prev_ended) = before.map_or((IDLE, OPEN), |row| (row.task, row.ended));
    view.next = after.map_or(IDLE, |row| row.task);
    view
}

/// For a CPU of which nothing is known.
fn nothing(lane: &Lane, index: u8, cpu: u16) -> WhyView {
    empty(index, IDLE, cpu, LaneState::Gone, (0, lane.front()))
}

/// A view that says nothing yet.
pub fn empty(index: u8, task: u32, cpu: u16, state: LaneState, (start, end): (Nanos, Nanos)) -> WhyView {
    WhyView {
        lane: index,
        task,
        cpu,
        state,
        start,
        end,
        ended: OPEN,
        sentence: String::new(),
        otherwise: String::new(),
        function: String::new(),
        candidates: Vec::new(),
        candidates_more: 0,
        facts: Vec::new(),
        woken: None,
        waited: 0,
        behind: Vec::new(),
        wakes: Vec::new(),
        prev: IDLE,
        prev_ended: OPEN,
        next: IDLE,
    }
}

/// Replays the decision that began `row`, then goes on to `t` for the facts of the task.
fn decide(lane: &Lane, cpu: u16, row: &Row, t: Nanos) -> (Decision, Vec<super::protocol::GaugeView>) {
    let mut decision = Decision { reason: None, candidates: Vec::new(), pulled_from: None };
    let mut machine = lane.copy_before(row.start);
    if row.index > 0 {
        machine.sim.probe(CpuId(cpu), row.start);
        machine.replay_records(lane.changes(), row.start, &mut |record| {
            match record.event {
                Event::Switch { cpu: on, next, reason, .. } if on.0 == cpu && word(next) == row.task => {
                    decision.reason = Some(reason);
                }
                Event::Migrate { task, from, to } if to.0 == cpu && task.0 == row.task => {
                    decision.pulled_from = Some(from.0);
                }
                _ => {}
            }
            true
        });
        decision.candidates = machine.sim.probed().to_vec();
    }
    machine.replay(lane.changes(), t);
    let facts = if row.task == IDLE { Vec::new() } else { structures::facts(&machine, row.task) };
    (decision, facts)
}

fn word(task: Option<TaskId>) -> u32 {
    task.map_or(IDLE, |task| task.0)
}

/// Whether an entity of the run queue is the task, or a group that holds it.
fn stands_for(lane: &Lane, entity: Entity, task: u32) -> bool {
    match entity {
        Entity::Task(id) => id.0 == task,
        // Where the root group is queued itself, the groups stand beside it.
        Entity::Group(GroupId::ROOT) => lane.kernel().task(TaskId(task)).group == GroupId::ROOT,
        Entity::Group(group) => {
            let kernel = lane.kernel();
            let mut of = kernel.task(TaskId(task)).group;
            while of != group && of != GroupId::ROOT {
                of = kernel.groups()[of.index()].parent;
            }
            of == group
        }
    }
}

/// Name of a task or group.
pub fn name(lane: &Lane, entity: Entity) -> String {
    match entity {
        Entity::Task(task) => lane.task_name(task.0),
        Entity::Group(group) => {
            let groups = lane.kernel().groups();
            groups.get(group.index()).map_or(String::new(), |group| format!("group {}", group.name))
        }
    }
}

/// The rule that gave a CPU to `task`, or to nobody.
pub fn sentence(lane: &Lane, reason: Option<Reason>, task: u32) -> String {
    let Some(reason) = reason else {
        return "idle since the start: no task has come to this CPU yet".into();
    };
    match lane.info().reasons.get(usize::from(reason.code)) {
        Some(spec) => text::fill(spec, reason.args),
        None if task == IDLE => "no task may run here".into(),
        None => "was picked".into(),
    }
}

/// Candidates as the page gets them: the first ones and those that stand for `task`, and how many more there are.
pub fn views_of(lane: &Lane, candidates: &[Candidate], task: u32, is_run: bool) -> (Vec<CandidateView>, u32) {
    let queues = queues(lane, candidates);
    let all = candidates.iter().zip(queues).enumerate();
    let own = |one: &Candidate| task != IDLE && stands_for(lane, one.entity, task);
    let shown = all.filter(|(at, (one, _))| *at < CANDIDATES_MAX || own(one));
    let shown: Vec<_> = shown.map(|(_, (one, queue))| views::candidate(one, is_run && own(one), queue)).collect();
    let more = candidates.len() - shown.len();
    (shown, more as u32)
}

/// The run queue of each candidate, as the number of the group whose queue it is. Kernels that give the root group an
/// entity of its own have one more above it.
fn queues(lane: &Lane, candidates: &[Candidate]) -> Vec<u16> {
    const TOP: u16 = u16::MAX;
    let kernel = lane.kernel();
    let root_is_queued = candidates.iter().any(|one| one.entity == Entity::Group(GroupId::ROOT));
    let queue = |one: &Candidate| match one.entity {
        Entity::Task(task) => kernel.task(task).group.0,
        Entity::Group(GroupId::ROOT) => TOP,
        Entity::Group(group) => match kernel.groups()[group.index()].parent {
            GroupId::ROOT if root_is_queued => TOP,
            parent => parent.0,
        },
    };
    candidates.iter().map(queue).collect()
}

/// A candidate among those of its run queue.
pub struct Weighed<'a> {
    /// Its place among them.
    pub own: usize,
    /// All of the queue, in order.
    pub peers: Vec<&'a Candidate>,
}

impl<'a> Weighed<'a> {
    /// Where `task`, or a group that holds it, is weighed against others: the outermost queue in which `counts` is true of
    /// that, or else the innermost one.
    pub fn of(
        lane: &Lane,
        candidates: &'a [Candidate],
        task: u32,
        counts: impl Fn(&Weighed) -> bool,
    ) -> Option<Weighed<'a>> {
        let queues = queues(lane, candidates);
        let mut innermost = None;
        for own in (0..candidates.len()).filter(|&own| stands_for(lane, candidates[own].entity, task)) {
            let peers = (0..candidates.len()).filter(|&peer| queues[peer] == queues[own]);
            let before = peers.clone().take_while(|&peer| peer < own).count();
            let weighed = Weighed { own: before, peers: peers.map(|peer| &candidates[peer]).collect() };
            if counts(&weighed) {
                return Some(weighed);
            }
            innermost = Some(weighed);
        }
        innermost
    }

    /// Those that could have been taken and stand before it.
    pub fn ahead(&self) -> impl Iterator<Item = &'a Candidate> {
        self.peers[..self.own].iter().copied().filter(|peer| peer.barred.is_none())
    }
}

/// What would have had to be different. Candidates come best first, so their order tells which way the key counts.
fn otherwise(lane: &Lane, decision: &Decision, row: &Row) -> String {
    let candidates = &decision.candidates;
    let name = |candidate: &Candidate| name(lane, candidate.entity);
    if decision.reason.is_none() {
        return String::new();
    }
    if row.task == IDLE {
        return match candidates.first() {
            None => "any runnable task that may use this CPU would have run".into(),
            Some(first) => match first.barred {
                Some(word) => format!("{} waits here but could not run: {word}", name(first)),
                None => format!("{} was still queued when the CPU was given up", name(first)),
            },
        };
    }
    let has_rival = |weighed: &Weighed| weighed.peers.iter().filter(|peer| peer.barred.is_none()).count() > 1;
    let Some(Weighed { own: chosen, peers: candidates }) = Weighed::of(lane, candidates, row.task, has_rival) else {
        return match decision.pulled_from {
            Some(from) => format!("it was not queued here: balancing took it from cpu{from} in the same instant"),
            None => String::new(),
        };
    };
    let own = candidates[chosen];
    if chosen > 0 {
        let first = candidates[0];
        return match first.barred {
            Some(word) => format!("{} has {} but could not run: {word}", name(first), text::gauge(&first.key)),
            None => format!("{} stands first in the order with {}", name(first), text::gauge(&first.key)),
        };
    }
    match candidates[1..].iter().find(|candidate| candidate.barred.is_none()) {
        Some(next) => {
            let begin = format!("{} comes next with {}", name(next), text::gauge(&next.key));
            match next.key.value.cmp(&own.key.value) {
                _ if next.key.label != own.key.label => begin,
                std::cmp::Ordering::Equal => {
                    format!("{} has the same {} and comes after it in the order", name(next), own.key.label)
                }
                // The better key stands first: if ours is smaller, small is good.
                std::cmp::Ordering::Greater => format!("{begin}: it needed less than {}", value(own)),
                std::cmp::Ordering::Less => format!("{begin}: it needed more than {}", value(own)),
            }
        }
        None => match candidates.get(1) {
            Some(next) => {
                let word = next.barred.unwrap_or_default();
                format!("{} has {} but could not run: {word}", name(next), text::gauge(&next.key))
            }
            None => "no other task was queued here".into(),
        },
    }
}

fn value(candidate: &Candidate) -> String {
    text::number(candidate.key.value, candidate.key.unit)
}

/// Writes down when the task of a slice became runnable, by whom, how long it waited and behind whom.
fn arrival(lane: &Lane, row: &Row, view: &mut WhyView) {
    let Some(log) = (row.task != IDLE).then(|| lane.trace().task(row.task)).flatten() else { return };
    let Some((ready, origin)) = became_ready(log, row.start) else { return };
    view.woken = last_wakeup(lane, row.task, log, ready, origin);
    view.waited = row.start - ready;
    view.behind = behind(lane, row.task, view.cpu, ready, row.start);
}

/// When the run that began at `start` became runnable.
pub fn became_ready(log: &TaskLog, start: Nanos) -> Option<(Nanos, Origin)> {
    let finished = log.runs(start.saturating_sub(1)).take_while(|run| run.start <= start).filter(|r| r.start == start);
    finished.last().map(|run| (run.ready, run.origin)).or(match log.phase() {
        Phase::Running { ready, origin, start: began, .. } if began == start => Some((ready, origin)),
        _ => None,
    })
}

/// The last wakeup or start of a task at or before `ready`, and who did it.
pub fn last_wakeup(lane: &Lane, task: u32, log: &TaskLog, ready: Nanos, origin: Origin) -> Option<(Nanos, u32)> {
    let at = match origin {
        Origin::Woken | Origin::New => ready,
        Origin::Preempted => {
            let mut back: Nanos = 10_000_000;
            loop {
                let from = ready.saturating_sub(back);
                let mut runs = 0u32;
                let found = log.runs(from).take_while(|run| run.end <= ready).inspect(|_| runs += 1);
                let found = found.filter(|run| run.origin != Origin::Preempted).last().map(|run| run.ready);
                if let Some(found) = found {
                    break found;
                }
                if from == 0 || runs > RUNS_SEARCHED_MAX {
                    return None;
                }
                back = back.saturating_mul(4);
            }
        }
    };
    lane.trace().woken_by(task, at).map(|waker| (at, waker))
}

/// Who ran on the CPUs where `task` waited from `ready` to `start` (the last one is `cpu`), longest first.
pub fn behind(lane: &Lane, task: u32, cpu: u16, ready: Nanos, start: Nanos) -> Vec<(u32, Nanos)> {
    let mut times = BTreeMap::new();
    add_behind(lane, task, cpu, (ready, start), &mut times);
    let mut times: Vec<(u32, Nanos)> = times.into_iter().collect();
    times.sort_by_key(|&(task, ns)| (std::cmp::Reverse(ns), task));
    times.truncate(BEHIND_MAX);
    times
}

/// The same, added to `times`.
pub fn add_behind(
    lane: &Lane,
    task: u32,
    mut cpu: u16,
    (ready, mut end): (Nanos, Nanos),
    times: &mut BTreeMap<u32, Nanos>,
) {
    let trace = lane.trace();
    // A task is migrated a few times at most while it waits; the bound is for a policy that moves it to and fro.
    for _ in 0..64 {
        let log = trace.cpu(cpu);
        let mut arrived = None;
        for (at, entry) in log.since(ready).take_while(|&(at, _)| at <= end) {
            match entry {
                Entry::MigrateIn { task: moved, from } if moved == task && at < end => arrived = Some((at, from)),
                _ => {}
            }
        }
        let begin = arrived.map_or(ready, |(at, _)| at);
        if begin < end {
            let first = log.after(begin).head.slice;
            for row in log.slices(first, lane.front()).take_while(|row| row.start < end) {
                let inside = row.end.min(end).saturating_sub(row.start.max(begin));
                if row.task != IDLE && row.task != task && inside > 0 {
                    *times.entry(row.task).or_default() += inside;
                }
            }
        }
        match arrived {
            Some((at, from)) if at > ready => (cpu, end) = (from, at),
            _ => break,
        }
    }
}

/// Tasks that `task` woke in `start..=end`, in order of time.
fn wakes(lane: &Lane, task: u32, start: Nanos, end: Nanos) -> Vec<(Nanos, u32)> {
    let mut found = Vec::new();
    for cpu in 0..lane.trace().cpus() {
        let entries = lane.trace().cpu(cpu).since(start).take_while(|&(at, _)| at <= end).take(ENTRIES_SEARCHED_MAX);
        let woken = entries.filter_map(|(at, entry)| match entry {
            Entry::Wake { task: woken, waker } if waker == task && woken != task => Some((at, woken)),
            Entry::New { task: new, parent } if parent == task => Some((at, new)),
            _ => None,
        });
        found.extend(woken.take(WAKES_MAX));
    }
    found.sort_unstable();
    found.truncate(WAKES_MAX);
    found
}

/// Position of `task` among candidates.
pub fn position(candidates: &[Candidate], task: u32) -> Option<usize> {
    candidates.iter().position(|candidate| candidate.entity == Entity::Task(TaskId(task)))
}
