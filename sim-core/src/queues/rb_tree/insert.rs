//! Insertion.

use super::{NIL, Node, RbNodes, RbTree, RbValue};

impl RbTree {
    /// Inserts `node`, which is in no tree, with `value`, whose summary is that of a leaf. Returns whether it became the
    /// leftmost node, and how many levels were descended.
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
            nodes.refresh_up(parent);
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
}
