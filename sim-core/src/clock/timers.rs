//! Sleep expiries and task starts, in the order (time, arming order).

use crate::units::{Nanos, TaskId};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What a task timer does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TimerKind {
    /// Ends a sleep.
    Wake,
    /// Starts the task.
    Start,
}

/// An armed timer. The derived order is (at, seq), and seq is unique.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Timer {
    /// Expiry.
    pub at: Nanos,
    /// Arming order.
    pub seq: u64,
    /// Whose.
    pub task: TaskId,
    /// Stale unless it equals the task's.
    pub generation: u32,
    /// What for.
    pub kind: TimerKind,
}

/// The queue. Cancelling is lazy: the task's generation moves on.
#[derive(Clone, Debug, Default)]
pub struct Timers {
    heap: BinaryHeap<Reverse<Timer>>,
    seq: u64,
}

impl Timers {
    /// Room for `count` armed timers.
    pub fn reserve(&mut self, count: usize) {
        let len = self.heap.len();
        self.heap.reserve(count.saturating_sub(len));
    }

    /// Arms a timer.
    pub fn arm(&mut self, at: Nanos, task: TaskId, generation: u32, kind: TimerKind) {
        let seq = self.seq;
        self.seq += 1;
        self.heap.push(Reverse(Timer { at, seq, task, generation, kind }));
    }

    /// Next expiry.
    #[inline]
    pub fn next_at(&self) -> Nanos {
        self.heap.peek().map_or(crate::units::NEVER, |timer| timer.0.at)
    }

    /// Takes the first timer if it is due.
    #[inline]
    pub fn pop_due(&mut self, now: Nanos) -> Option<Timer> {
        if self.heap.peek()?.0.at > now {
            return None;
        }
        self.heap.pop().map(|timer| timer.0)
    }
}
