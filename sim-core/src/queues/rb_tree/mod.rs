//! A red-black tree whose nodes are linked by index in one shared array: no operation allocates, and the colours can be
//! drawn. Insertion and removal are the kernel's (the successor moves into the place of a removed inner node), since
//! the pick of EEVDF depends on the shape among equals.
//!
//! All trees of a policy share one [`RbNodes`]; a node is in at most one tree. Equal keys keep their insertion order:
//! a new node goes to the right of those that are not greater. The leftmost node is cached, as CFS caches it.
//! A value may summarise its subtree ([`RbValue::refresh`]), as the kernel's augmented trees do: summaries are refreshed
//! along the paths of insertions and removals only, stopping where nothing changes, and what rises in a rotation takes
//! the summary of what it replaces. So a value that is changed in place leaves stale summaries above, as there.

mod insert;
mod remove;
#[cfg(test)]
mod tests;

/// Ordered content of a node, optionally a summary of its subtree.
pub trait RbValue: Copy {
    /// Whether the tree keeps summaries; when false, the two hooks below are never called.
    const SUMMARY: bool = false;

    /// Strictly before `other`.
    fn before(&self, other: &Self) -> bool;

    /// Recomputes the summary from the own content and the children. Returns whether it changed.
    #[inline]
    fn refresh(&mut self, _left: Option<&Self>, _right: Option<&Self>) -> bool {
        false
    }

    /// Takes the summary of the node whose place it takes.
    fn take_summary(&mut self, _of: &Self) {}
}

/// No node.
const NIL: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Node<V> {
    parent: u32,
    left: u32,
    right: u32,
    red: bool,
    value: V,
}

/// The nodes of all trees, by index.
#[derive(Clone, Debug)]
pub struct RbNodes<V> {
    nodes: Vec<Node<V>>,
}

/// One tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RbTree {
    root: u32,
    leftmost: u32,
    len: u32,
}

impl Default for RbTree {
    fn default() -> Self {
        RbTree::EMPTY
    }
}

#[inline]
fn some(index: u32) -> Option<u32> {
    (index != NIL).then_some(index)
}

impl<V: RbValue> Default for RbNodes<V> {
    fn default() -> Self {
        RbNodes { nodes: Vec::new() }
    }
}

impl<V: RbValue> RbNodes<V> {
    /// Makes room for `count` nodes; `blank` fills values that are not in a tree.
    pub fn reserve(&mut self, count: usize, blank: V) {
        if self.nodes.len() < count {
            self.nodes.resize(count, Node { parent: NIL, left: NIL, right: NIL, red: false, value: blank });
        }
    }

    /// The value of a node.
    #[inline]
    pub fn value(&self, node: u32) -> &V {
        &self.nodes[node as usize].value
    }

    /// The value of a node, to change what its order does not depend on. Summaries stay as they are until
    /// [`RbNodes::refresh_up`].
    #[inline]
    pub fn value_mut(&mut self, node: u32) -> &mut V {
        &mut self.nodes[node as usize].value
    }

    /// Left child.
    #[inline]
    pub fn left(&self, node: u32) -> Option<u32> {
        some(self.nodes[node as usize].left)
    }

    /// Right child.
    #[inline]
    pub fn right(&self, node: u32) -> Option<u32> {
        some(self.nodes[node as usize].right)
    }

    /// Parent.
    #[inline]
    pub fn parent(&self, node: u32) -> Option<u32> {
        some(self.nodes[node as usize].parent)
    }

    /// Whether a node is red.
    #[inline]
    pub fn is_red(&self, node: u32) -> bool {
        self.nodes[node as usize].red
    }

    /// The node after `node` in order.
    #[inline]
    pub fn next(&self, node: u32) -> Option<u32> {
        let mut node = node;
        let right = self.nodes[node as usize].right;
        if right != NIL {
            return some(self.lowest(right));
        }
        loop {
            let parent = self.nodes[node as usize].parent;
            if parent == NIL || self.nodes[parent as usize].left == node {
                return some(parent);
            }
            node = parent;
        }
    }

    #[inline]
    fn lowest(&self, mut node: u32) -> u32 {
        loop {
            let left = self.nodes[node as usize].left;
            if left == NIL {
                return node;
            }
            node = left;
        }
    }

    /// Recomputes the summary of one node; returns whether it changed.
    #[inline]
    fn refresh(&mut self, node: u32) -> bool {
        let Node { left, right, .. } = self.nodes[node as usize];
        let child = |index: u32| some(index).map(|index| self.nodes[index as usize].value);
        let (left, right) = (child(left), child(right));
        self.nodes[node as usize].value.refresh(left.as_ref(), right.as_ref())
    }

    /// Recomputes the summaries from `node` upwards until one does not change.
    pub fn refresh_up(&mut self, node: u32) {
        self.refresh_below(node, NIL);
    }

    /// The same, up to but without `stop`.
    fn refresh_below(&mut self, node: u32, stop: u32) {
        let mut at = node;
        while at != stop && at != NIL && self.refresh(at) {
            at = self.nodes[at as usize].parent;
        }
    }

    /// `to` takes the place of `from` and so its summary.
    fn hand_over(&mut self, from: u32, to: u32) {
        let old = self.nodes[from as usize].value;
        self.nodes[to as usize].value.take_summary(&old);
    }
}

impl RbTree {
    /// A tree without nodes.
    pub const EMPTY: RbTree = RbTree { root: NIL, leftmost: NIL, len: 0 };

    /// Number of nodes.
    #[inline]
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Whether it has no node.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.root == NIL
    }

    /// Root.
    #[inline]
    pub fn root(&self) -> Option<u32> {
        some(self.root)
    }

    /// First node in order, cached.
    #[inline]
    pub fn leftmost(&self) -> Option<u32> {
        some(self.leftmost)
    }

    /// Last node in order; takes a walk down the right edge.
    pub fn rightmost<V: RbValue>(&self, nodes: &RbNodes<V>) -> Option<u32> {
        let mut node = some(self.root)?;
        while let Some(right) = nodes.right(node) {
            node = right;
        }
        Some(node)
    }

    /// The nodes in order.
    pub fn iter<'a, V: RbValue>(&self, nodes: &'a RbNodes<V>) -> impl Iterator<Item = u32> + use<'a, V> {
        let mut at = some(self.leftmost);
        core::iter::from_fn(move || {
            let node = at?;
            at = nodes.next(node);
            Some(node)
        })
    }

    /// Rotates `node` down to the left (its right child comes up) or to the right.
    fn rotate<V: RbValue>(&mut self, nodes: &mut RbNodes<V>, node: u32, to_left: bool) {
        let parent = nodes.nodes[node as usize].parent;
        let up = if to_left { nodes.nodes[node as usize].right } else { nodes.nodes[node as usize].left };
        let inner = if to_left {
            let inner = nodes.nodes[up as usize].left;
            nodes.nodes[node as usize].right = inner;
            nodes.nodes[up as usize].left = node;
            inner
        } else {
            let inner = nodes.nodes[up as usize].right;
            nodes.nodes[node as usize].left = inner;
            nodes.nodes[up as usize].right = node;
            inner
        };
        if inner != NIL {
            nodes.nodes[inner as usize].parent = node;
        }
        nodes.nodes[node as usize].parent = up;
        nodes.nodes[up as usize].parent = parent;
        self.replace_child(nodes, parent, node, up);
        if V::SUMMARY {
            nodes.hand_over(node, up);
            nodes.refresh(node);
        }
    }

    fn replace_child<V: RbValue>(&mut self, nodes: &mut RbNodes<V>, parent: u32, old: u32, new: u32) {
        if parent == NIL {
            self.root = new;
        } else if nodes.nodes[parent as usize].left == old {
            nodes.nodes[parent as usize].left = new;
        } else {
            nodes.nodes[parent as usize].right = new;
        }
    }

    /// Asserts order, colours, equal black heights, parent links, the cached leftmost node and the length.
    pub fn check<V: RbValue>(&self, nodes: &RbNodes<V>) {
        let count = match some(self.root) {
            Some(root) => {
                assert!(!nodes.is_red(root), "the root is red");
                assert!(nodes.parent(root).is_none(), "the root has a parent");
                assert_eq!(some(self.leftmost), some(nodes.lowest(root)), "cached leftmost node");
                self.check_below(nodes, root).1
            }
            None => {
                assert_eq!(self.leftmost, NIL, "cached leftmost node of an empty tree");
                0
            }
        };
        assert_eq!(count, self.len, "length of the tree");
        let mut previous: Option<u32> = None;
        for node in self.iter(nodes) {
            if let Some(previous) = previous {
                assert!(!nodes.value(node).before(nodes.value(previous)), "node {node} is out of order");
            }
            previous = Some(node);
        }
    }

    /// (black height, nodes) of a subtree.
    fn check_below<V: RbValue>(&self, nodes: &RbNodes<V>, node: u32) -> (u32, u32) {
        let mut heights = [0; 2];
        let mut count = 1;
        for (height, child) in heights.iter_mut().zip([nodes.left(node), nodes.right(node)]) {
            if let Some(child) = child {
                assert_eq!(nodes.parent(child), Some(node), "parent link of node {child}");
                assert!(!(nodes.is_red(node) && nodes.is_red(child)), "red node {child} below a red node");
                let below = self.check_below(nodes, child);
                *height = below.0;
                count += below.1;
            }
        }
        assert_eq!(heights[0], heights[1], "black heights below node {node}");
        (heights[0] + u32::from(!nodes.is_red(node)), count)
    }
}
