//! FIFO lists of tasks, linked through one array by task id: every operation is O(1) and none allocates.
//!
//! A task is on at most one list of a [`Links`]. Lists themselves are plain (head, tail) pairs that the owner keeps,
//! as the kernel keeps `struct list_head` in its priority arrays.

use crate::units::TaskId;

/// End of a list in [`Links`].
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Link {
    prev: u32,
    next: u32,
}

/// The links of all tasks.
#[derive(Clone, Debug, Default)]
pub struct Links {
    links: Vec<Link>,
}

/// One list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TaskList {
    head: u32,
    tail: u32,
}

impl Default for TaskList {
    fn default() -> Self {
        TaskList::EMPTY
    }
}

impl TaskList {
    /// A list without tasks.
    pub const EMPTY: TaskList = TaskList { head: NONE, tail: NONE };

    /// Whether it holds no task.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.head == NONE
    }

    /// First task.
    #[inline]
    pub fn head(&self) -> Option<TaskId> {
        (self.head != NONE).then_some(TaskId(self.head))
    }

    /// Last task.
    #[inline]
    pub fn tail(&self) -> Option<TaskId> {
        (self.tail != NONE).then_some(TaskId(self.tail))
    }
}

impl Links {
    /// Makes room for `tasks` tasks.
    pub fn reserve(&mut self, tasks: usize) {
        if self.links.len() < tasks {
            self.links.resize(tasks, Link { prev: NONE, next: NONE });
        }
    }

    /// Puts `task`, which is on no list, at the end.
    #[inline]
    pub fn push_back(&mut self, list: &mut TaskList, task: TaskId) {
        self.links[task.index()] = Link { prev: list.tail, next: NONE };
        match list.tail {
            NONE => list.head = task.0,
            tail => self.links[tail as usize].next = task.0,
        }
        list.tail = task.0;
    }

    /// Puts `task`, which is on no list, at the front.
    #[inline]
    pub fn push_front(&mut self, list: &mut TaskList, task: TaskId) {
        self.links[task.index()] = Link { prev: NONE, next: list.head };
        match list.head {
            NONE => list.tail = task.0,
            head => self.links[head as usize].prev = task.0,
        }
        list.head = task.0;
    }

    /// Puts `task`, which is on no list, directly before `place`, which is on `list`.
    pub fn insert_before(&mut self, list: &mut TaskList, task: TaskId, place: TaskId) {
        let prev = self.links[place.index()].prev;
        if prev == NONE {
            return self.push_front(list, task);
        }
        self.links[task.index()] = Link { prev, next: place.0 };
        self.links[prev as usize].next = task.0;
        self.links[place.index()].prev = task.0;
    }

    /// Takes `task` out of `list`, on which it is.
    #[inline]
    pub fn remove(&mut self, list: &mut TaskList, task: TaskId) {
        let Link { prev, next } = self.links[task.index()];
        match prev {
            NONE => list.head = next,
            prev => self.links[prev as usize].next = next,
        }
        match next {
            NONE => list.tail = prev,
            next => self.links[next as usize].prev = prev,
        }
    }

    /// Makes `task`, which is on `list`, its first.
    #[inline]
    pub fn move_to_front(&mut self, list: &mut TaskList, task: TaskId) {
        if list.head != task.0 {
            self.remove(list, task);
            self.push_front(list, task);
        }
    }

    /// The task behind `task`.
    #[inline]
    pub fn next(&self, task: TaskId) -> Option<TaskId> {
        let next = self.links[task.index()].next;
        (next != NONE).then_some(TaskId(next))
    }

    /// The task before `task`.
    #[inline]
    pub fn prev(&self, task: TaskId) -> Option<TaskId> {
        let prev = self.links[task.index()].prev;
        (prev != NONE).then_some(TaskId(prev))
    }

    /// The tasks of a list, head first.
    pub fn iter<'a>(&'a self, list: &TaskList) -> impl Iterator<Item = TaskId> + use<'a> {
        let mut at = list.head();
        core::iter::from_fn(move || {
            let task = at?;
            at = self.next(task);
            Some(task)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tasks(links: &Links, list: &TaskList) -> Vec<u32> {
        links.iter(list).map(|task| task.0).collect()
    }

    #[test]
    fn a_list_keeps_its_order_when_tasks_leave_and_come_back() {
        let mut links = Links::default();
        links.reserve(4);
        let mut list = TaskList::EMPTY;
        for task in 0..3 {
            links.push_back(&mut list, TaskId(task));
        }
        links.remove(&mut list, TaskId(1));
        links.push_front(&mut list, TaskId(3));
        links.push_back(&mut list, TaskId(1));
        assert_eq!(tasks(&links, &list), [3, 0, 2, 1]);
        assert_eq!((list.head(), list.tail()), (Some(TaskId(3)), Some(TaskId(1))));
        links.remove(&mut list, TaskId(0));
        links.insert_before(&mut list, TaskId(0), TaskId(2));
        links.remove(&mut list, TaskId(3));
        links.insert_before(&mut list, TaskId(3), TaskId(0));
        assert_eq!(tasks(&links, &list), [3, 0, 2, 1]);
        for task in [3, 1, 0, 2] {
            links.remove(&mut list, TaskId(task));
        }
        assert!(list.is_empty() && list.tail().is_none());
    }
}
