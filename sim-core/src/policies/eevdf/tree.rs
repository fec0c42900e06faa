//! The entity tree of a queue: a red-black tree linked through the entities, with the kernel's augmentation.
//!
//! 6.6 orders it by vruntime and keeps the smallest deadline of each subtree; 6.12 orders it by deadline and keeps the
//! smallest vruntime and the smallest slice; 5.15 orders it by vruntime. Insertion and deletion are the textbook ones
//! (the successor moves into the place of a deleted inner node). The pick of 6.6 depends on the shape among equals, and
//! cached slices of 6.12.0 may be stale exactly as in the kernel: values are refreshed on insertion, deletion and along
//! their paths only, stopping where nothing changes.

use super::entity::{Ent, Entity, NIL};

/// Sort key and augmentation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TreeKind {
    /// By vruntime, smallest deadline below.
    ByVruntime,
    /// By deadline, smallest vruntime and slice below.
    ByDeadline,
}

/// Root and leftmost node.
#[derive(Clone, Copy, Debug)]
pub struct Tree {
    /// Root; NIL if empty.
    pub root: u32,
    /// Smallest key; NIL if empty.
    pub leftmost: u32,
}

impl Default for Tree {
    fn default() -> Self {
        Tree { root: NIL, leftmost: NIL }
    }
}

/// Whether `a` comes before `b`: signed difference, so that wrapping does not matter.
fn before(kind: TreeKind, a: &Entity, b: &Entity) -> bool {
    match kind {
        TreeKind::ByVruntime => a.vruntime.wrapping_sub(b.vruntime) < 0,
        TreeKind::ByDeadline => a.deadline.wrapping_sub(b.deadline) < 0,
    }
}

/// Recomputes the augmented values of `node`; returns whether they changed.
fn recompute(kind: TreeKind, ents: &mut [Entity], node: u32) -> bool {
    let entity = &ents[node as usize];
    let own = match kind {
        TreeKind::ByVruntime => entity.deadline,
        TreeKind::ByDeadline => entity.vruntime,
    };
    let (mut key, mut slice) = (own, entity.slice);
    for child in [entity.left, entity.right] {
        if child != NIL {
            let child = &ents[child as usize];
            if child.min_key.wrapping_sub(key) < 0 {
                key = child.min_key;
            }
            slice = slice.min(child.min_slice);
        }
    }
    let entity = &mut ents[node as usize];
    let changed = entity.min_key != key || entity.min_slice != slice;
    entity.min_key = key;
    entity.min_slice = slice;
    changed
}

/// Refreshes from `node` upwards until nothing changes or `stop` is reached.
fn propagate(kind: TreeKind, ents: &mut [Entity], mut node: u32, stop: u32) {
    while node != stop && node != NIL {
        if !recompute(kind, ents, node) {
            return;
        }
        node = ents[node as usize].up;
    }
}

/// Refreshes the augmented values of a queued node and of those above it.
pub fn refresh(kind: TreeKind, ents: &mut [Entity], node: u32) {
    propagate(kind, ents, node, NIL);
}

impl Tree {
    /// Smallest entity.
    pub fn first(&self) -> Option<Ent> {
        (self.leftmost != NIL).then_some(self.leftmost as usize)
    }

    /// Adds `node`; equal keys go behind.
    pub fn insert(&mut self, kind: TreeKind, ents: &mut [Entity], node: Ent) {
        let id = node as u32;
        let (mut parent, mut at, mut is_left, mut is_leftmost) = (NIL, self.root, false, true);
        while at != NIL {
            parent = at;
            is_left = before(kind, &ents[node], &ents[at as usize]);
            at = if is_left {
                ents[at as usize].left
            } else {
                is_leftmost = false;
                ents[at as usize].right
            };
        }
        let entity = &mut ents[node];
        entity.up = parent;
        entity.left = NIL;
        entity.right = NIL;
        entity.red = true;
        entity.min_slice = entity.slice;
        entity.min_key = match kind {
            TreeKind::ByVruntime => entity.deadline,
            TreeKind::ByDeadline => entity.vruntime,
        };
        if parent == NIL {
            self.root = id;
        } else if is_left {
            ents[parent as usize].left = id;
        } else {
            ents[parent as usize].right = id;
        }
        if is_leftmost {
            self.leftmost = id;
        }
        propagate(kind, ents, parent, NIL);
        self.fix_insert(kind, ents, id);
    }

    fn fix_insert(&mut self, kind: TreeKind, ents: &mut [Entity], mut node: u32) {
        loop {
            let parent = ents[node as usize].up;
            if parent == NIL {
                ents[node as usize].red = false;
                return;
            }
            if !ents[parent as usize].red {
                return;
            }
            let grand = ents[parent as usize].up;
            let parent_is_left = ents[grand as usize].left == parent;
            let uncle = if parent_is_left { ents[grand as usize].right } else { ents[grand as usize].left };
            if uncle != NIL && ents[uncle as usize].red {
                ents[parent as usize].red = false;
                ents[uncle as usize].red = false;
                ents[grand as usize].red = true;
                node = grand;
                continue;
            }
            let inner = if parent_is_left { ents[parent as usize].right } else { ents[parent as usize].left };
            let top = if inner == node {
                self.rotate(kind, ents, parent, parent_is_left);
                node
            } else {
                parent
            };
            ents[top as usize].red = false;
            ents[grand as usize].red = true;
            self.rotate(kind, ents, grand, !parent_is_left);
            return;
        }
    }

    /// Rotates `node` down, to the left or to the right; the child that rises takes its augmented values.
    fn rotate(&mut self, kind: TreeKind, ents: &mut [Entity], node: u32, left: bool) {
        let rising = if left { ents[node as usize].right } else { ents[node as usize].left };
        let inner = if left { ents[rising as usize].left } else { ents[rising as usize].right };
        if left {
            ents[node as usize].right = inner;
            ents[rising as usize].left = node;
        } else {
            ents[node as usize].left = inner;
            ents[rising as usize].right = node;
        }
        if inner != NIL {
            ents[inner as usize].up = node;
        }
        let up = ents[node as usize].up;
        ents[rising as usize].up = up;
        ents[node as usize].up = rising;
        self.replace_child(ents, up, node, rising);
        ents[rising as usize].min_key = ents[node as usize].min_key;
        ents[rising as usize].min_slice = ents[node as usize].min_slice;
        recompute(kind, ents, node);
    }

    fn replace_child(&mut self, ents: &mut [Entity], parent: u32, old: u32, new: u32) {
        if parent == NIL {
            self.root = new;
        } else if ents[parent as usize].left == old {
            ents[parent as usize].left = new;
        } else {
            ents[parent as usize].right = new;
        }
    }

    /// Next node in order.
    pub fn next(&self, ents: &[Entity], node: u32) -> u32 {
        let right = ents[node as usize].right;
        if right != NIL {
            return lowest(ents, right);
        }
        let mut node = node;
        let mut up = ents[node as usize].up;
        while up != NIL && ents[up as usize].right == node {
            node = up;
            up = ents[node as usize].up;
        }
        up
    }

    /// Takes `node` out.
    pub fn remove(&mut self, kind: TreeKind, ents: &mut [Entity], node: Ent) {
        let id = node as u32;
        if self.leftmost == id {
            self.leftmost = self.next(ents, id);
        }
        let Entity { left, right, up, red, .. } = ents[node];
        // `refresh` is where augmented values change first; `fix` the node below which a black node is missing.
        let (refresh, fix);
        if left == NIL || right == NIL {
            let child = if left == NIL { right } else { left };
            self.replace_child(ents, up, id, child);
            if child != NIL {
                ents[child as usize].up = up;
                ents[child as usize].red = red;
                fix = NIL;
            } else {
                fix = if red { NIL } else { up };
            }
            refresh = up;
        } else {
            let successor = lowest(ents, right);
            let child = ents[successor as usize].right;
            let mut hole = successor;
            if successor != right {
                hole = ents[successor as usize].up;
                ents[hole as usize].left = child;
                ents[successor as usize].right = right;
                ents[right as usize].up = successor;
            }
            ents[successor as usize].min_key = ents[node].min_key;
            ents[successor as usize].min_slice = ents[node].min_slice;
            if successor != right {
                propagate(kind, ents, hole, successor);
            }
            ents[successor as usize].left = left;
            ents[left as usize].up = successor;
            self.replace_child(ents, up, id, successor);
            let successor_red = ents[successor as usize].red;
            if child != NIL {
                ents[child as usize].up = hole;
                ents[child as usize].red = false;
                fix = NIL;
            } else {
                fix = if successor_red { NIL } else { hole };
            }
            ents[successor as usize].up = up;
            ents[successor as usize].red = red;
            refresh = successor;
        }
        propagate(kind, ents, refresh, NIL);
        if fix != NIL {
            self.fix_remove(kind, ents, fix);
        }
    }

    /// A path below `parent` lacks a black node; the lacking child is empty at first.
    fn fix_remove(&mut self, kind: TreeKind, ents: &mut [Entity], mut parent: u32) {
        let is_red = |ents: &[Entity], node: u32| node != NIL && ents[node as usize].red;
        let mut node = NIL;
        loop {
            let lacking_left =
                ents[parent as usize].left == node && (node != NIL || ents[parent as usize].right != NIL);
            let sibling_of = |ents: &[Entity]| {
                if lacking_left { ents[parent as usize].right } else { ents[parent as usize].left }
            };
            let mut sibling = sibling_of(ents);
            if is_red(ents, sibling) {
                ents[sibling as usize].red = false;
                ents[parent as usize].red = true;
                self.rotate(kind, ents, parent, lacking_left);
                sibling = sibling_of(ents);
            }
            let Entity { left, right, .. } = ents[sibling as usize];
            let (near, far) = if lacking_left { (left, right) } else { (right, left) };
            if !is_red(ents, near) && !is_red(ents, far) {
                ents[sibling as usize].red = true;
                if ents[parent as usize].red {
                    ents[parent as usize].red = false;
                    return;
                }
                node = parent;
                parent = ents[node as usize].up;
                if parent == NIL {
                    return;
                }
                continue;
            }
            if !is_red(ents, far) {
                ents[near as usize].red = false;
                ents[sibling as usize].red = true;
                self.rotate(kind, ents, sibling, !lacking_left);
                sibling = near;
            }
            let far = if lacking_left { ents[sibling as usize].right } else { ents[sibling as usize].left };
            ents[sibling as usize].red = ents[parent as usize].red;
            ents[parent as usize].red = false;
            ents[far as usize].red = false;
            self.rotate(kind, ents, parent, lacking_left);
            return;
        }
    }
}

fn lowest(ents: &[Entity], mut node: u32) -> u32 {
    while ents[node as usize].left != NIL {
        node = ents[node as usize].left;
    }
    node
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Black height below `node`; asserts order, colours, links and augmented values.
    fn check(kind: TreeKind, ents: &[Entity], node: u32, up: u32) -> u32 {
        if node == NIL {
            return 1;
        }
        let entity = &ents[node as usize];
        assert_eq!(entity.up, up);
        let left = check(kind, ents, entity.left, node);
        let right = check(kind, ents, entity.right, node);
        assert_eq!(left, right, "black height");
        let mut smallest = if kind == TreeKind::ByVruntime { entity.deadline } else { entity.vruntime };
        for child in [entity.left, entity.right] {
            if child != NIL {
                assert!(!(entity.red && ents[child as usize].red), "red under red");
                smallest = smallest.min(ents[child as usize].min_key);
            }
        }
        assert_eq!(entity.min_key, smallest);
        left + u32::from(!entity.red)
    }

    proptest::proptest! {
        #[test]
        fn stays_a_red_black_tree_in_order(steps in proptest::collection::vec((0usize..24, 0i64..40), 1..200)) {
            for kind in [TreeKind::ByVruntime, TreeKind::ByDeadline] {
                let mut ents = vec![Entity::new(0, NIL); 24];
                let mut tree = Tree::default();
                let mut inside = [false; 24];
                for &(node, key) in &steps {
                    if inside[node] {
                        tree.remove(kind, &mut ents, node);
                    } else {
                        ents[node].vruntime = key;
                        ents[node].deadline = 80 - key * 2 % 37;
                        tree.insert(kind, &mut ents, node);
                    }
                    inside[node] = !inside[node];
                    check(kind, &ents, tree.root, NIL);
                    let mut at = tree.leftmost;
                    let mut count = 0;
                    let mut last = i64::MIN;
                    while at != NIL {
                        let entity = &ents[at as usize];
                        let key = if kind == TreeKind::ByVruntime { entity.vruntime } else { entity.deadline };
                        proptest::prop_assert!(key >= last);
                        last = key;
                        count += 1;
                        at = tree.next(&ents, at);
                    }
                    proptest::prop_assert_eq!(count, inside.iter().filter(|&&inside| inside).count());
                }
            }
        }
    }
}
