//! The one queue of waiting jobs: a tree ordered by what the rule counts, then by who came first. Sums of tickets in
//! its nodes make a draw as cheap as a search.

use crate::queues::rb_tree::{RbNodes, RbTree, RbValue};
use crate::units::TaskId;

/// Where a job stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    /// What the rule orders by: burst, level, pass; 0 where only the order of coming counts.
    pub rank: u64,
    /// Among equals: smaller is earlier.
    pub seq: i64,
    /// Tickets that it holds.
    pub tickets: u64,
    /// Tickets of it and all below it in the tree.
    sum: u64,
}

impl RbValue for Place {
    const SUMMARY: bool = true;

    fn before(&self, other: &Self) -> bool {
        (self.rank, self.seq) < (other.rank, other.seq)
    }

    fn refresh(&mut self, left: Option<&Self>, right: Option<&Self>) -> bool {
        let sum = self.tickets + left.map_or(0, |left| left.sum) + right.map_or(0, |right| right.sum);
        std::mem::replace(&mut self.sum, sum) != sum
    }

    fn take_summary(&mut self, of: &Self) {
        self.sum = of.sum;
    }
}

/// The queue.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    nodes: RbNodes<Place>,
    tree: RbTree,
    /// Next place at the end, and last one at the front.
    last: i64,
    first: i64,
}

impl Queue {
    pub(super) fn reserve(&mut self, tasks: usize) {
        self.nodes.reserve(tasks, Place { rank: 0, seq: 0, tickets: 0, sum: 0 });
    }

    pub(super) fn len(&self) -> u32 {
        self.tree.len()
    }

    /// Behind all of its rank.
    pub(super) fn push_back(&mut self, task: TaskId, rank: u64, tickets: u64) {
        self.last += 1;
        self.insert(task, rank, self.last, tickets);
    }

    /// Before all of its rank.
    pub(super) fn push_front(&mut self, task: TaskId, rank: u64, tickets: u64) {
        self.first -= 1;
        self.insert(task, rank, self.first, tickets);
    }

    fn insert(&mut self, task: TaskId, rank: u64, seq: i64, tickets: u64) {
        self.tree.insert(&mut self.nodes, task.0, Place { rank, seq, tickets, sum: tickets });
    }

    pub(super) fn remove(&mut self, task: TaskId) {
        self.tree.remove(&mut self.nodes, task.0);
    }

    pub(super) fn place(&self, task: TaskId) -> &Place {
        self.nodes.value(task.0)
    }

    /// Its tickets have changed.
    pub(super) fn set_tickets(&mut self, task: TaskId, tickets: u64) {
        self.nodes.value_mut(task.0).tickets = tickets;
        self.nodes.refresh_up(task.0);
    }

    /// Best first.
    pub(super) fn iter(&self) -> impl Iterator<Item = TaskId> + '_ {
        self.tree.iter(&self.nodes).map(TaskId)
    }

    /// Tickets of all who wait.
    pub(super) fn tickets(&self) -> u64 {
        self.tree.root().map_or(0, |root| self.nodes.value(root).sum)
    }

    /// Who holds ticket number `ticket`, counted through the queue from its head.
    pub(super) fn holder(&self, mut ticket: u64) -> Option<TaskId> {
        let mut at = self.tree.root();
        while let Some(node) = at {
            let left = self.nodes.left(node);
            let before = left.map_or(0, |left| self.nodes.value(left).sum);
            let own = self.nodes.value(node).tickets;
            if ticket < before {
                at = left;
            } else if ticket < before + own {
                return Some(TaskId(node));
            } else {
                ticket -= before + own;
                at = self.nodes.right(node);
            }
        }
        None
    }

    /// Asserts the shape of the tree and its sums.
    pub(super) fn check(&self) {
        self.tree.check(&self.nodes);
        assert_eq!(self.tickets(), self.iter().map(|task| self.place(task).tickets).sum::<u64>(), "sum of tickets");
    }
}
