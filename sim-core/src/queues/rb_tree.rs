//! A red-black tree whose nodes are linked by index in one shared array: no operation allocates, and the colours can be
//! drawn. The algorithms are the textbook's (Cormen et al., chapter 13), with parent links and without a sentinel.
//!
//! All trees of a policy share one [`RbNodes`]; a node is in at most one tree. Equal keys keep their insertion order:
//! a new node goes to the right of those that are not greater. The leftmost node is cached, as CFS caches it.
//! [`RbValue::refresh`] lets a value summarise its subtree (EEVDF keeps the earliest deadline or vruntime below).

/// Ordered content of a node, optionally a summary of its subtree.
pub trait RbValue: Copy {
    /// Whether the tree keeps summaries; when false, [`RbValue::refresh`] is never called.
    const SUMMARY: bool = false;

    /// Strictly before `other`.
    fn before(&self, other: &Self) -> bool;

    /// Recomputes the summary from the own key and the children. Returns whether it changed.
    fn refresh(&mut self, _left: Option<&Self>, _right: Option<&Self>) -> bool {
        false
    }
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

    fn lowest(&self, mut node: u32) -> u32 {
        loop {
            let left = self.nodes[node as usize].left;
            if left == NIL {
                return node;
            }
            node = left;
        }
    }

    fn refresh(&mut self, node: u32) -> bool {
        let Node { left, right, mut value, .. } = self.nodes[node as usize];
        let child = |index: u32| some(index).map(|index| &self.nodes[index as usize].value);
        let changed = value.refresh(child(left), child(right));
        self.nodes[node as usize].value = value;
        changed
    }

    /// Recomputes the summaries from `node` upwards until one does not change.
    pub fn refresh_up(&mut self, node: u32) {
        let mut at = node;
        while at != NIL && self.refresh(at) {
            at = self.nodes[at as usize].parent;
        }
    }

    /// Recomputes all summaries from `node` to the root.
    fn refresh_path(&mut self, node: u32) {
        let mut at = node;
        while at != NIL {
            self.refresh(at);
            at = self.nodes[at as usize].parent;
        }
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

    /// Inserts `node`, which is in no tree, with `value`. Returns whether it became the leftmost node, and how many
    /// levels were descended.
    pub fn insert<V: RbValue>(&mut self, nodes: &mut RbNodes<V>, node: u32, value: V) -> (bool, u32) {
        let mut parent = NIL;
        let mut at = self.root;
        let mut first = true;
        let mut left_child = false;
        let mut depth = 0;
        while at != NIL {
            parent = at;
            depth += 1;
            let entry = &nodes.nodes[at as usize];
            left_child = value.before(&entry.value);
            if left_child {
                at = entry.left;
            } else {
                at = entry.right;
                first = false;
            }
        }
        nodes.nodes[node as usize] = Node { parent, left: NIL, right: NIL, red: true, value };
        if parent == NIL {
            self.root = node;
        } else if left_child {
            nodes.nodes[parent as usize].left = node;
        } else {
            nodes.nodes[parent as usize].right = node;
        }
        if first {
            self.leftmost = node;
        }
        self.len += 1;
        if V::SUMMARY {
            nodes.refresh_path(node);
        }
        self.balance_after_insert(nodes, node);
        (first, depth)
    }

    fn balance_after_insert<V: RbValue>(&mut self, nodes: &mut RbNodes<V>, mut node: u32) {
        loop {
            let mut parent = nodes.nodes[node as usize].parent;
            if parent == NIL || !nodes.nodes[parent as usize].red {
                break;
            }
            // A red parent is not the root, so there is a grandparent.
            let grand = nodes.nodes[parent as usize].parent;
            let on_left = nodes.nodes[grand as usize].left == parent;
            let uncle = if on_left { nodes.nodes[grand as usize].right } else { nodes.nodes[grand as usize].left };
            if uncle != NIL && nodes.nodes[uncle as usize].red {
                nodes.nodes[parent as usize].red = false;
                nodes.nodes[uncle as usize].red = false;
                nodes.nodes[grand as usize].red = true;
                node = grand;
                continue;
            }
            let inner = if on_left { nodes.nodes[parent as usize].right } else { nodes.nodes[parent as usize].left };
            if inner == node {
                self.rotate(nodes, parent, on_left);
                parent = node;
            }
            nodes.nodes[parent as usize].red = false;
            nodes.nodes[grand as usize].red = true;
            self.rotate(nodes, grand, !on_left);
            break;
        }
        nodes.nodes[self.root as usize].red = false;
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
            nodes.refresh(node);
            nodes.refresh(up);
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

    /// Takes `node`, which is in this tree, out. Its value stays readable.
    pub fn remove<V: RbValue>(&mut self, nodes: &mut RbNodes<V>, node: u32) {
        if self.leftmost == node {
            self.leftmost = nodes.next(node).unwrap_or(NIL);
        }
        self.len -= 1;
        let Node { parent, left, right, red, .. } = nodes.nodes[node as usize];
        let (child, child_parent, removed_red);
        if left != NIL && right != NIL {
            let next = nodes.lowest(right);
            removed_red = nodes.nodes[next as usize].red;
            child = nodes.nodes[next as usize].right;
            if next == right {
                child_parent = next;
            } else {
                child_parent = nodes.nodes[next as usize].parent;
                nodes.nodes[child_parent as usize].left = child;
                if child != NIL {
                    nodes.nodes[child as usize].parent = child_parent;
                }
                nodes.nodes[next as usize].right = right;
                nodes.nodes[right as usize].parent = next;
            }
            nodes.nodes[next as usize].left = left;
            nodes.nodes[left as usize].parent = next;
            nodes.nodes[next as usize].parent = parent;
            nodes.nodes[next as usize].red = red;
            self.replace_child(nodes, parent, node, next);
        } else {
            removed_red = red;
            child = if left != NIL { left } else { right };
            child_parent = parent;
            if child != NIL {
                nodes.nodes[child as usize].parent = parent;
            }
            self.replace_child(nodes, parent, node, child);
        }
        if V::SUMMARY {
            nodes.refresh_path(child_parent);
        }
        if !removed_red {
            self.balance_after_remove(nodes, child, child_parent);
        }
    }

    /// `node` (perhaps nil, below `parent`) lacks one black.
    fn balance_after_remove<V: RbValue>(&mut self, nodes: &mut RbNodes<V>, mut node: u32, mut parent: u32) {
        while node != self.root && (node == NIL || !nodes.nodes[node as usize].red) {
            let on_left = nodes.nodes[parent as usize].left == node;
            let mut sibling =
                if on_left { nodes.nodes[parent as usize].right } else { nodes.nodes[parent as usize].left };
            if nodes.nodes[sibling as usize].red {
                nodes.nodes[sibling as usize].red = false;
                nodes.nodes[parent as usize].red = true;
                self.rotate(nodes, parent, on_left);
                sibling = if on_left { nodes.nodes[parent as usize].right } else { nodes.nodes[parent as usize].left };
            }
            let Node { left, right, .. } = nodes.nodes[sibling as usize];
            let (near, far) = if on_left { (left, right) } else { (right, left) };
            let red = |index: u32| index != NIL && nodes.nodes[index as usize].red;
            if !red(near) && !red(far) {
                nodes.nodes[sibling as usize].red = true;
                node = parent;
                parent = nodes.nodes[node as usize].parent;
                continue;
            }
            let mut outer = far;
            if !red(far) {
                nodes.nodes[near as usize].red = false;
                nodes.nodes[sibling as usize].red = true;
                self.rotate(nodes, sibling, !on_left);
                outer = sibling;
                sibling = near;
            }
            nodes.nodes[sibling as usize].red = nodes.nodes[parent as usize].red;
            nodes.nodes[parent as usize].red = false;
            nodes.nodes[outer as usize].red = false;
            self.rotate(nodes, parent, on_left);
            node = self.root;
        }
        if node != NIL {
            nodes.nodes[node as usize].red = false;
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Key with the smallest key of the subtree as its summary.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    struct Sized {
        key: u32,
        weight: u32,
        lightest: u32,
    }

    impl RbValue for Sized {
        const SUMMARY: bool = true;
        fn before(&self, other: &Self) -> bool {
            self.key < other.key
        }
        fn refresh(&mut self, left: Option<&Self>, right: Option<&Self>) -> bool {
            let old = self.lightest;
            self.lightest = [left, right].into_iter().flatten().map(|v| v.lightest).fold(self.weight, u32::min);
            old != self.lightest
        }
    }

    fn value(key: u32, weight: u32) -> Sized {
        Sized { key, weight, lightest: weight }
    }

    #[test]
    fn equal_keys_keep_their_insertion_order_and_the_first_node_is_leftmost() {
        let mut nodes = RbNodes::default();
        nodes.reserve(6, value(0, 0));
        let mut tree = RbTree::EMPTY;
        for (node, key) in [(3, 7), (1, 5), (4, 7), (0, 5), (2, 7)] {
            tree.insert(&mut nodes, node, value(key, node));
        }
        assert_eq!(tree.iter(&nodes).collect::<Vec<_>>(), [1, 0, 3, 4, 2]);
        assert_eq!((tree.leftmost(), tree.rightmost(&nodes)), (Some(1), Some(2)));
        assert!(tree.insert(&mut nodes, 5, value(4, 9)).0);
        tree.remove(&mut nodes, 5);
        assert_eq!(tree.leftmost(), Some(1));
    }

    proptest::proptest! {
        #[test]
        fn stays_a_red_black_tree_and_agrees_with_a_sorted_list(
            steps in proptest::collection::vec((0u32..40, 0u32..12, 0u32..100), 1..300),
        ) {
            let mut nodes = RbNodes::default();
            nodes.reserve(40, value(0, 0));
            let mut tree = RbTree::EMPTY;
            let mut list: Vec<(u32, u32, u32)> = Vec::new();
            for (node, key, weight) in steps {
                if let Some(place) = list.iter().position(|entry| entry.1 == node) {
                    tree.remove(&mut nodes, node);
                    list.remove(place);
                } else {
                    tree.insert(&mut nodes, node, value(key, weight));
                    let place = list.partition_point(|entry| entry.0 <= key);
                    list.insert(place, (key, node, weight));
                }
                tree.check(&nodes);
                proptest::prop_assert_eq!(
                    tree.iter(&nodes).collect::<Vec<_>>(),
                    list.iter().map(|entry| entry.1).collect::<Vec<_>>()
                );
                if let Some(root) = tree.root() {
                    let lightest = list.iter().map(|entry| entry.2).min();
                    proptest::prop_assert_eq!(Some(nodes.value(root).lightest), lightest);
                }
            }
        }
    }
}
