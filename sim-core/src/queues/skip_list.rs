//! Skip lists of tasks, sorted by key, first come first among equal keys. Index-linked: one row of links per task, so no
//! operation allocates; a task is on at most one list.
//!
//! A task's level decides how fast it is found, never its place.

use crate::units::TaskId;

/// Most levels of a list.
pub const LEVELS: usize = 8;
/// End of a list in the links.
const NONE: u32 = u32::MAX;

/// Links of one task.
#[derive(Clone, Copy, Debug)]
struct Node {
    key: u64,
    next: [u32; LEVELS],
    prev: [u32; LEVELS],
    /// Levels that it is linked on, 1..=8; 0 = on no list.
    levels: u8,
}

/// The links of all tasks.
#[derive(Clone, Debug, Default)]
pub struct SkipNodes {
    nodes: Vec<Node>,
}

/// One list.
#[derive(Clone, Debug)]
pub struct SkipList {
    heads: [u32; LEVELS],
    entries: u32,
}

impl Default for SkipList {
    fn default() -> Self {
        SkipList { heads: [NONE; LEVELS], entries: 0 }
    }
}

impl SkipNodes {
    /// Makes room for `tasks` tasks.
    pub fn reserve(&mut self, tasks: usize) {
        if self.nodes.len() < tasks {
            let node = Node { key: 0, next: [NONE; LEVELS], prev: [NONE; LEVELS], levels: 0 };
            self.nodes.resize(tasks, node);
        }
    }

    /// Key that the task was inserted with.
    #[inline]
    pub fn key(&self, task: TaskId) -> u64 {
        self.nodes[task.index()].key
    }

    /// Levels that the task is linked on.
    pub fn levels(&self, task: TaskId) -> u32 {
        u32::from(self.nodes[task.index()].levels)
    }

    /// The task behind `task`.
    #[inline]
    pub fn next(&self, task: TaskId) -> Option<TaskId> {
        let next = self.nodes[task.index()].next[0];
        (next != NONE).then_some(TaskId(next))
    }
}

impl SkipList {
    /// Tasks on it.
    #[inline]
    pub fn entries(&self) -> u32 {
        self.entries
    }

    /// First task.
    #[inline]
    pub fn first(&self) -> Option<TaskId> {
        (self.heads[0] != NONE).then_some(TaskId(self.heads[0]))
    }

    /// Key of the first task, or the largest number.
    #[inline]
    pub fn best_key(&self, nodes: &SkipNodes) -> u64 {
        self.first().map_or(u64::MAX, |first| nodes.key(first))
    }

    /// Puts `task`, which is on no list, behind all tasks with its key or a smaller one. `levels` is 1..=8. Returns how
    /// many links were followed.
    pub fn insert(&mut self, nodes: &mut SkipNodes, task: TaskId, key: u64, levels: u32) -> u64 {
        assert!(nodes.nodes[task.index()].levels == 0, "task {} is on a skip list already", task.0);
        let levels = levels.clamp(1, LEVELS as u32);
        let mut node = Node { key, next: [NONE; LEVELS], prev: [NONE; LEVELS], levels: levels as u8 };
        let mut at = NONE; // before the first
        let mut followed = 0;
        for level in (0..LEVELS).rev() {
            loop {
                let next = if at == NONE { self.heads[level] } else { nodes.nodes[at as usize].next[level] };
                if next == NONE || nodes.nodes[next as usize].key > key {
                    if level < levels as usize {
                        node.prev[level] = at;
                        node.next[level] = next;
                    }
                    break;
                }
                at = next;
                followed += 1;
            }
        }
        for level in 0..levels as usize {
            self.set_next(nodes, node.prev[level], level, task.0);
            if node.next[level] != NONE {
                nodes.nodes[node.next[level] as usize].prev[level] = task.0;
            }
        }
        nodes.nodes[task.index()] = node;
        self.entries += 1;
        followed + u64::from(levels)
    }

    /// Takes `task` out.
    pub fn remove(&mut self, nodes: &mut SkipNodes, task: TaskId) {
        let node = nodes.nodes[task.index()];
        for level in 0..usize::from(node.levels) {
            self.set_next(nodes, node.prev[level], level, node.next[level]);
            if node.next[level] != NONE {
                nodes.nodes[node.next[level] as usize].prev[level] = node.prev[level];
            }
        }
        nodes.nodes[task.index()].levels = 0;
        self.entries -= 1;
    }

    fn set_next(&mut self, nodes: &mut SkipNodes, at: u32, level: usize, next: u32) {
        match at {
            NONE => self.heads[level] = next,
            at => nodes.nodes[at as usize].next[level] = next,
        }
    }

    /// The tasks in order of keys.
    pub fn iter<'a>(&self, nodes: &'a SkipNodes) -> impl Iterator<Item = TaskId> + use<'a> {
        let mut at = self.first();
        core::iter::from_fn(move || {
            let task = at?;
            at = nodes.next(task);
            Some(task)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(list: &SkipList, nodes: &SkipNodes) -> Vec<u32> {
        list.iter(nodes).map(|task| task.0).collect()
    }

    #[test]
    fn keys_come_out_in_order_and_equal_ones_as_they_came() {
        let (mut nodes, mut list) = (SkipNodes::default(), SkipList::default());
        nodes.reserve(5);
        for (task, key, levels) in [(0, 50, 1), (1, 40, 8), (2, 60, 3), (3, 40, 2), (4, 50, 8)] {
            list.insert(&mut nodes, TaskId(task), key, levels);
        }
        assert_eq!(order(&list, &nodes), [1, 3, 0, 4, 2]);
        list.remove(&mut nodes, TaskId(1));
        list.remove(&mut nodes, TaskId(4));
        assert_eq!((order(&list, &nodes), list.best_key(&nodes)), (vec![3, 0, 2], 40));
    }

    proptest::proptest! {
        #[test]
        fn agrees_with_a_sorted_vector(ops in proptest::collection::vec((0u32..20, 0u64..6, 1u32..9), 0..120)) {
            let (mut nodes, mut list) = (SkipNodes::default(), SkipList::default());
            nodes.reserve(20);
            let mut plain: Vec<(u64, u32)> = Vec::new();
            for (task, key, levels) in ops {
                if let Some(at) = plain.iter().position(|&(_, have)| have == task) {
                    plain.remove(at);
                    list.remove(&mut nodes, TaskId(task));
                } else {
                    let at = plain.partition_point(|&(have, _)| have <= key);
                    plain.insert(at, (key, task));
                    list.insert(&mut nodes, TaskId(task), key, levels);
                }
                let expected: Vec<u32> = plain.iter().map(|&(_, task)| task).collect();
                proptest::prop_assert_eq!(order(&list, &nodes), expected);
                proptest::prop_assert_eq!(list.entries() as usize, plain.len());
            }
        }
    }
}
