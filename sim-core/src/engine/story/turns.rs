//! Which nice level would have given another outcome: tried out, not guessed. The machine goes back to when the task
//! came to wait, gets the other level there, and runs to the same moment again. That holds for every scheduler, whatever
//! its rule; a level has no effect where the kernel's had none.

use super::super::lane::Lane;
use super::super::protocol::{EntityView, IDLE, LaneState, Turn, WhyView};
use crate::kernel::Change;
use crate::kernel::record::Event;
use crate::policy::SchedClass;
use crate::timetravel::Machine;
use crate::units::{CpuId, Nanos, TaskId};

/// A level is changed at most so long before the moment, ns: a task that starves is not replayed from its beginning.
const BACK_MAX: Nanos = 100_000_000;
/// Ends of the scale.
const BEST: i8 = -20;
const WORST: i8 = 19;

/// Other levels of the task, and of whoever comes next in the order, with the time from which on they were tried.
pub fn turns(lane: &Lane, view: &WhyView, moment: Nanos) -> (Nanos, Vec<Turn>) {
    let ready = match view.state {
        LaneState::Running => view.start - view.waited.min(view.start),
        _ => view.start,
    };
    let since = ready.max(moment.saturating_sub(BACK_MAX));
    let turns = match view.state {
        _ if view.task == IDLE => Vec::new(),
        LaneState::Running => of_slice(&Trial::new(lane, view, since, moment), view),
        LaneState::Runnable => of_wait(&Trial::new(lane, view, since, moment), view),
        LaneState::Sleeping | LaneState::Blocked | LaneState::Gone => Vec::new(),
    };
    (since, turns)
}

/// It ran: how much worse its level had to be, how much better that of the next one in the order.
fn of_slice(trial: &Trial, view: &WhyView) -> Vec<Turn> {
    let own = view.task;
    let is_other = |outcome: Outcome| outcome.curr != own;
    let mut turns: Vec<Turn> = trial.turn(own, WORST, is_other).into_iter().collect();
    let next = view.candidates.iter().filter(|candidate| candidate.barred.is_none()).find_map(|one| match one.entity {
        EntityView::Task(task) if task != own => Some(task),
        _ => None,
    });
    if let Some(next) = next {
        turns.extend(trial.turn(next, BEST, move |outcome: Outcome| outcome.curr == next));
    }
    turns
}

/// It waited: how much better its level had to be to run earlier.
fn of_wait(trial: &Trial, view: &WhyView) -> Vec<Turn> {
    trial.turn(view.task, BEST, |outcome| outcome.has_run).into_iter().collect()
}

/// How a trial came out.
#[derive(Clone, Copy)]
struct Outcome {
    /// Who has the CPU at the moment; [`IDLE`]: nobody.
    curr: u32,
    /// The task whose level was changed got a CPU before or at the moment.
    has_run: bool,
}

/// The same stretch of the run, again and again.
struct Trial<'a> {
    lane: &'a Lane,
    /// Just before anything at `since`.
    before: Machine,
    since: Nanos,
    moment: Nanos,
    cpu: u16,
}

impl<'a> Trial<'a> {
    fn new(lane: &'a Lane, view: &WhyView, since: Nanos, moment: Nanos) -> Self {
        Trial { lane, before: lane.copy_before(since), since, moment, cpu: view.cpu }
    }

    /// The nearest level of `task`, on its way to `end`, that makes `turns` true of the outcome. Halving finds a level that
    /// does with a neighbour that does not, also where the effect is not monotone.
    fn turn(&self, task: u32, end: i8, turns: impl Fn(Outcome) -> bool) -> Option<Turn> {
        let row = self.before.sim.kernel().tasks().get(task as usize)?;
        // Real-time classes and kernel threads have no nice level that counts.
        let has_level = matches!(row.class, SchedClass::Normal | SchedClass::Batch) && row.migration_thread.is_none();
        if !has_level || turns(self.outcome(task, row.nice)) {
            return None;
        }
        let nice = row.nice;
        let none = Some(Turn { task, nice, level: None, then: IDLE });
        if nice == end {
            return none;
        }
        let mut found = self.outcome(task, end);
        if !turns(found) {
            return none;
        }
        let (mut without, mut with) = (nice, end);
        while without.abs_diff(with) > 1 {
            let middle = i8::midpoint(without, with);
            let outcome = self.outcome(task, middle);
            if turns(outcome) {
                (with, found) = (middle, outcome);
            } else {
                without = middle;
            }
        }
        Some(Turn { task, nice, level: Some(with), then: found.curr })
    }

    /// How it comes out if `task` has this level; its own: as it was.
    fn outcome(&self, task: u32, nice: i8) -> Outcome {
        let mut machine = self.before.copy();
        let mut changes = self.lane.changes().to_vec();
        let at = changes.partition_point(|(t, _)| *t <= self.since);
        changes.insert(at, (self.since, Change::TaskNice { task: TaskId(task), nice }));
        let mut has_run = false;
        machine.replay_records(&changes, self.moment, &mut |record| {
            has_run |= matches!(record.event, Event::Switch { next: Some(TaskId(next)), .. } if next == task);
            true
        });
        let curr = machine.sim.kernel().curr(CpuId(self.cpu)).map_or(IDLE, |curr| curr.0);
        Outcome { curr, has_run }
    }
}
