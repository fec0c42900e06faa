//! `move_tasks` of 2.6.18 to 2.6.22: which of the busiest queue's tasks are taken. The walk over arrays and lists is the
//! policy's; the rules are here.

use crate::kernel::Kernel;
use crate::units::{CpuId, Nanos, TaskId};

/// One order to move tasks from a busy CPU.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pull {
    /// CPU that gives.
    pub from: CpuId,
    /// CPU that takes.
    pub to: CpuId,
    /// Most tasks to move.
    pub tasks_max: u32,
    /// Weight to move; the last task may not be heavier than what is left of it.
    pub load_max: u64,
    /// Attempts failed so often (`nr_balance_failed > cache_nice_tries`) that cache-hot tasks are taken, too.
    pub takes_hot: bool,
    /// `cache_hot_time` of the domain, ns.
    pub cache_hot_ns: Nanos,
}

/// What came of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Moved {
    /// Tasks moved.
    pub tasks: u32,
    /// Every task that was looked at may not run on the taking CPU.
    pub all_pinned: bool,
}

/// Best priorities that decide whether a heavy task is taken all the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BestPrios {
    /// `rq_best_prio` of the taking queue.
    pub to: u32,
    /// `rq_best_prio` of the giving queue.
    pub from: u32,
    /// Priority of the task that runs on the giving CPU (the idle task's if it idles).
    pub from_curr: u32,
}

/// A task as the rules see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Movable {
    /// Who.
    pub task: TaskId,
    /// Priority of the list that it is on.
    pub prio: u32,
    /// `load_weight`.
    pub weight: u64,
    /// When it last left the CPU, ns (`last_ran`).
    pub last_ran: Nanos,
}

/// State of one `move_tasks` call.
#[derive(Clone, Debug)]
pub struct LoadMover {
    pull: Pull,
    /// `most_recent_timestamp` of the giving queue, the clock that cache-hotness is judged by.
    source_clock: Nanos,
    load_left: u64,
    to_best: u32,
    from_best: u32,
    from_best_seen: bool,
    moved: u32,
    all_pinned: bool,
}

impl LoadMover {
    /// Begins a call, or `None` if nothing may be moved.
    pub fn begin(pull: Pull, source_clock: Nanos, best: BestPrios) -> Option<LoadMover> {
        (pull.tasks_max > 0 && pull.load_max > 0).then_some(LoadMover {
            pull,
            source_clock,
            load_left: pull.load_max,
            to_best: best.to,
            from_best: best.from,
            from_best_seen: best.from == best.from_curr,
            moved: 0,
            all_pinned: true,
        })
    }

    /// Whether this task is to be taken.
    pub fn takes(&mut self, k: &Kernel, movable: &Movable) -> bool {
        let mut skip = movable.weight > self.load_left;
        // A heavy task is taken all the same if it would be the best of its new queue, unless it is the one best task
        // of its old one.
        if skip && movable.prio < self.to_best {
            skip = !self.from_best_seen && movable.prio == self.from_best;
        }
        if skip || !self.can_migrate(k, movable) {
            self.from_best_seen |= movable.prio == self.from_best;
            return false;
        }
        true
    }

    /// Notes that the task was taken. Returns whether more may be.
    pub fn took(&mut self, movable: &Movable) -> bool {
        self.moved += 1;
        if self.moved >= self.pull.tasks_max || movable.weight >= self.load_left {
            return false;
        }
        self.load_left -= movable.weight;
        self.to_best = self.to_best.min(movable.prio);
        true
    }

    /// `can_migrate_task`.
    fn can_migrate(&mut self, k: &Kernel, movable: &Movable) -> bool {
        if !k.task(movable.task).affinity.contains(self.pull.to) {
            return false;
        }
        self.all_pinned = false;
        if k.curr(self.pull.from) == Some(movable.task) {
            return false;
        }
        // The difference is signed: a task that left the CPU after the last clock reading counts as hot.
        self.pull.takes_hot
            || (self.source_clock.wrapping_sub(movable.last_ran) as i64) >= self.pull.cache_hot_ns as i64
    }

    /// Ends the call.
    pub fn end(&self) -> Moved {
        Moved { tasks: self.moved, all_pinned: self.all_pinned }
    }
}
