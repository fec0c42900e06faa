//! Who waits on a channel, mutex or barrier, first come first served.

use super::task::Task;
use crate::units::TaskId;

/// A list through [`Task::wait_next`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WaitQueue {
    head: Option<TaskId>,
    tail: Option<TaskId>,
}

impl WaitQueue {
    /// Appends `task`, which waits nowhere.
    pub fn push(&mut self, tasks: &mut [Task], task: TaskId) {
        tasks[task.index()].wait_next = None;
        match self.tail {
            Some(tail) => tasks[tail.index()].wait_next = Some(task),
            None => self.head = Some(task),
        }
        self.tail = Some(task);
    }

    /// Takes the first out.
    pub fn pop(&mut self, tasks: &mut [Task]) -> Option<TaskId> {
        let task = self.head?;
        self.head = tasks[task.index()].wait_next.take();
        if self.head.is_none() {
            self.tail = None;
        }
        Some(task)
    }

    /// Takes `task` out, wherever it stands.
    pub fn remove(&mut self, tasks: &mut [Task], task: TaskId) {
        let mut kept = WaitQueue::default();
        while let Some(waiter) = self.pop(tasks) {
            if waiter != task {
                kept.push(tasks, waiter);
            }
        }
        *self = kept;
    }
}
