//! What a queue's tree knows of its entities. 6.6 orders it by vruntime and keeps the smallest deadline of each subtree;
//! 6.12 orders it by deadline and keeps the smallest vruntime and the smallest slice; 5.15 orders it by vruntime. The
//! pick of 6.6 depends on the tree's shape among equals, and cached slices of 6.12.0 may be stale exactly as in the
//! kernel (see [`crate::queues::rb_tree`]).

use super::entity::Entity;
use crate::queues::rb_tree::RbValue;

/// Sort key and summary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TreeKind {
    /// By vruntime, without summaries.
    Plain,
    /// By vruntime, smallest deadline below.
    ByVruntime,
    /// By deadline, smallest vruntime and slice below.
    ByDeadline,
}

/// A queued entity in its tree. Neither number changes while it is there.
#[derive(Clone, Copy, Debug, Default)]
pub struct Queued {
    /// What the tree is ordered by.
    pub key: i64,
    /// The other of vruntime and deadline; 0 in a plain tree, whose summaries are thus always right.
    pub other: i64,
    /// Slice, ns.
    pub slice: i64,
    /// Smallest `other` of the subtree.
    pub least_other: i64,
    /// Smallest slice of the subtree, as cached here.
    pub least_slice: i64,
}

impl Queued {
    /// The entity as a tree of this kind sees it.
    pub fn of(kind: TreeKind, entity: &Entity) -> Queued {
        let (key, other, slice) = match kind {
            TreeKind::Plain => (entity.vruntime, 0, 0),
            TreeKind::ByVruntime => (entity.vruntime, entity.deadline, entity.slice),
            TreeKind::ByDeadline => (entity.deadline, entity.vruntime, entity.slice),
        };
        Queued { key, other, slice, least_other: other, least_slice: slice }
    }
}

impl RbValue for Queued {
    const SUMMARY: bool = true;

    /// Signed difference, so that wrapping does not matter.
    #[inline]
    fn before(&self, other: &Self) -> bool {
        self.key.wrapping_sub(other.key) < 0
    }

    #[inline]
    fn refresh(&mut self, left: Option<&Self>, right: Option<&Self>) -> bool {
        let (mut other, mut slice) = (self.other, self.slice);
        let mut take = |child: &Self| {
            if child.least_other.wrapping_sub(other) < 0 {
                other = child.least_other;
            }
            slice = slice.min(child.least_slice);
        };
        if let Some(left) = left {
            take(left);
        }
        if let Some(right) = right {
            take(right);
        }
        let changed = self.least_other != other || self.least_slice != slice;
        self.least_other = other;
        self.least_slice = slice;
        changed
    }

    #[inline]
    fn take_summary(&mut self, of: &Self) {
        self.least_other = of.least_other;
        self.least_slice = of.least_slice;
    }
}
