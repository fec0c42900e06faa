//! A priority array: one first-in-first-out list per priority and a bitmap of the non-empty ones. Insertion, removal and
//! the search for the best task take the same time whatever the number of tasks. Lower priority numbers are better.

use super::bitmap::PrioBitmap;
use super::task_lists::{Links, TaskList};
use crate::units::TaskId;

/// Words of the bitmap.
pub const BITMAP_WORDS: usize = 3;

/// Largest number of priorities.
pub const LEVELS_MAX: usize = BITMAP_WORDS * 64;

/// The array. `links` in its methods is always the policy's one table of links, indexed by task.
#[derive(Clone, Debug)]
pub struct PrioArray {
    nr_active: u32,
    bitmap: PrioBitmap<BITMAP_WORDS>,
    lists: Vec<TaskList>,
}

impl PrioArray {
    /// An empty array with priorities `0..levels`.
    pub fn new(levels: usize) -> Self {
        assert!(levels <= LEVELS_MAX, "{levels} priorities do not fit the bitmap");
        PrioArray { nr_active: 0, bitmap: PrioBitmap::default(), lists: vec![TaskList::EMPTY; levels] }
    }

    /// Number of queued tasks.
    #[inline]
    pub fn nr_active(&self) -> u32 {
        self.nr_active
    }

    /// Which lists are not empty.
    #[inline]
    pub fn bitmap(&self) -> &PrioBitmap<BITMAP_WORDS> {
        &self.bitmap
    }

    /// Number of priorities.
    pub fn levels(&self) -> u32 {
        self.lists.len() as u32
    }

    /// First task of a list.
    #[inline]
    pub fn head(&self, prio: u8) -> Option<TaskId> {
        self.lists[usize::from(prio)].head()
    }

    /// Last task of a list.
    #[inline]
    pub fn tail(&self, prio: u8) -> Option<TaskId> {
        self.lists[usize::from(prio)].tail()
    }

    /// The best priority and the first task there.
    #[inline]
    pub fn first(&self) -> Option<(u8, TaskId)> {
        let prio = self.bitmap.first()? as u8;
        self.head(prio).map(|task| (prio, task))
    }

    /// The first occupied priority that is `from` or worse (`find_next_bit`).
    #[inline]
    pub fn next_level(&self, from: u32) -> Option<u8> {
        self.bitmap.next(from).map(|prio| prio as u8)
    }

    /// `enqueue_task`: to the end of the list.
    #[inline]
    pub fn push_back(&mut self, links: &mut Links, prio: u8, task: TaskId) {
        links.push_back(&mut self.lists[usize::from(prio)], task);
        self.bitmap.set(u32::from(prio));
        self.nr_active += 1;
    }

    /// To the head of the list.
    #[inline]
    pub fn push_front(&mut self, links: &mut Links, prio: u8, task: TaskId) {
        links.push_front(&mut self.lists[usize::from(prio)], task);
        self.bitmap.set(u32::from(prio));
        self.nr_active += 1;
    }

    /// Directly before `place`, which is in the list of `prio` (a child before its parent).
    pub fn insert_before(&mut self, links: &mut Links, prio: u8, task: TaskId, place: TaskId) {
        links.insert_before(&mut self.lists[usize::from(prio)], task, place);
        self.nr_active += 1;
    }

    /// `dequeue_task`: out of the list of `prio`.
    #[inline]
    pub fn remove(&mut self, links: &mut Links, prio: u8, task: TaskId) {
        let list = &mut self.lists[usize::from(prio)];
        links.remove(list, task);
        if list.is_empty() {
            self.bitmap.clear(u32::from(prio));
        }
        self.nr_active -= 1;
    }

    /// `requeue_task`: to the end of its own list.
    #[inline]
    pub fn move_to_back(&mut self, links: &mut Links, prio: u8, task: TaskId) {
        let list = &mut self.lists[usize::from(prio)];
        if list.tail() != Some(task) {
            links.remove(list, task);
            links.push_back(list, task);
        }
    }

    /// Occupied priorities, best first.
    pub fn occupied(&self) -> impl Iterator<Item = u8> + '_ {
        let mut from = 0;
        core::iter::from_fn(move || {
            let prio = self.bitmap.next(from)?;
            from = prio + 1;
            Some(prio as u8)
        })
    }

    /// All tasks, best priority first, in list order.
    pub fn iter<'a>(&'a self, links: &'a Links) -> impl Iterator<Item = (u8, TaskId)> + 'a {
        self.occupied().flat_map(move |prio| links.iter(&self.lists[usize::from(prio)]).map(move |task| (prio, task)))
    }

    /// Asserts that bitmap, lists and count agree.
    pub fn check(&self, links: &Links) {
        let mut count = 0;
        for (prio, list) in self.lists.iter().enumerate() {
            assert_eq!(self.bitmap.test(prio as u32), !list.is_empty(), "bitmap bit of priority {prio}");
            let mut last = None;
            for task in links.iter(list) {
                assert_eq!(links.prev(task), last, "back link of task {} at priority {prio}", task.0);
                last = Some(task);
                count += 1;
            }
            assert_eq!(list.tail(), last, "tail of priority {prio}");
        }
        assert_eq!(count, self.nr_active, "nr_active");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(array: &PrioArray, links: &Links) -> Vec<(u8, u32)> {
        array.check(links);
        array.iter(links).map(|(prio, task)| (prio, task.0)).collect()
    }

    #[test]
    fn lists_keep_arrival_order_and_the_bitmap_follows() {
        let mut links = Links::default();
        links.reserve(8);
        let mut array = PrioArray::new(140);
        for (prio, task) in [(120, 0), (120, 1), (100, 2), (120, 3)] {
            array.push_back(&mut links, prio, TaskId(task));
        }
        assert_eq!(array.first(), Some((100, TaskId(2))));
        array.insert_before(&mut links, 120, TaskId(4), TaskId(1));
        array.insert_before(&mut links, 120, TaskId(5), TaskId(0));
        array.push_front(&mut links, 139, TaskId(6));
        array.move_to_back(&mut links, 120, TaskId(0));
        assert_eq!(order(&array, &links), [(100, 2), (120, 5), (120, 4), (120, 1), (120, 3), (120, 0), (139, 6)]);
        array.remove(&mut links, 100, TaskId(2));
        array.remove(&mut links, 120, TaskId(0));
        array.remove(&mut links, 120, TaskId(5));
        assert_eq!(order(&array, &links), [(120, 4), (120, 1), (120, 3), (139, 6)]);
        assert_eq!((array.tail(120), array.next_level(121)), (Some(TaskId(3)), Some(139)));
    }

    /// Spec o1-and-2.4, 3.10 example 2: the words as the kernels stored them.
    #[test]
    fn words_are_those_of_the_kernels() {
        let only = |prio| {
            let mut links = Links::default();
            links.reserve(1);
            let mut array = PrioArray::new(168);
            array.push_back(&mut links, prio, TaskId(0));
            *array.bitmap().words()
        };
        assert_eq!(only(120)[1], 0x0100_0000_0000_0000);
        // 2.5.2 stored the inverse, in 32-bit words: word 4 is the low half of word 2 here. 148 is nice 0.
        assert_eq!(!(only(148)[2] as u32), 0xFFEF_FFFF);
        // C1, 64 priorities, inverted: nice 0 is 44, in word 1.
        assert_eq!(!((only(44)[0] >> 32) as u32), 0xFFFF_EFFF);
    }
}
