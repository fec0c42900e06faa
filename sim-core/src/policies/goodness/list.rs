//! The global list of runnable tasks: doubly linked through an array, so that nothing is allocated per event.

use crate::units::TaskId;

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Link {
    prev: u32,
    next: u32,
    queued: bool,
}

/// `runqueue_head` with `nr_running`.
#[derive(Clone, Debug)]
pub struct RunList {
    links: Vec<Link>,
    head: u32,
    tail: u32,
    len: u32,
}

impl Default for RunList {
    fn default() -> Self {
        RunList { links: Vec::new(), head: NONE, tail: NONE, len: 0 }
    }
}

impl RunList {
    /// Room for `tasks` tasks.
    pub fn reserve(&mut self, tasks: usize) {
        if self.links.len() < tasks {
            self.links.resize(tasks, Link { prev: NONE, next: NONE, queued: false });
        }
    }

    /// Number of tasks on the list.
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Whether `task` is on the list.
    pub fn contains(&self, task: TaskId) -> bool {
        self.links[task.index()].queued
    }

    /// Adds at the head.
    pub fn push_front(&mut self, task: TaskId) {
        self.insert(task, NONE, self.head);
    }

    /// Adds at the tail.
    pub fn push_back(&mut self, task: TaskId) {
        self.insert(task, self.tail, NONE);
    }

    fn insert(&mut self, task: TaskId, prev: u32, next: u32) {
        assert!(!self.contains(task), "task {} is on the run list already", task.0);
        self.links[task.index()] = Link { prev, next, queued: true };
        match prev {
            NONE => self.head = task.0,
            prev => self.links[prev as usize].next = task.0,
        }
        match next {
            NONE => self.tail = task.0,
            next => self.links[next as usize].prev = task.0,
        }
        self.len += 1;
    }

    /// Takes `task` off the list.
    pub fn remove(&mut self, task: TaskId) {
        let link = self.links[task.index()];
        assert!(link.queued, "task {} is not on the run list", task.0);
        match link.prev {
            NONE => self.head = link.next,
            prev => self.links[prev as usize].next = link.next,
        }
        match link.next {
            NONE => self.tail = link.prev,
            next => self.links[next as usize].prev = link.prev,
        }
        self.links[task.index()].queued = false;
        self.len -= 1;
    }

    /// Tasks from the head.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = TaskId> + '_ {
        let mut at = self.head;
        std::iter::from_fn(move || {
            let task = TaskId((at != NONE).then_some(at)?);
            at = self.links[task.index()].next;
            Some(task)
        })
    }
}
