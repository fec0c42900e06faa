//! Removal.

use super::{NIL, Node, RbNodes, RbTree, RbValue};

impl RbTree {
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
            if V::SUMMARY {
                nodes.hand_over(node, next);
            }
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
                if V::SUMMARY {
                    nodes.refresh_below(child_parent, next);
                }
            }
            nodes.nodes[next as usize].left = left;
            nodes.nodes[left as usize].parent = next;
            nodes.nodes[next as usize].parent = parent;
            nodes.nodes[next as usize].red = red;
            self.replace_child(nodes, parent, node, next);
            if V::SUMMARY {
                nodes.refresh_up(next);
            }
        } else {
            removed_red = red;
            child = if left != NIL { left } else { right };
            child_parent = parent;
            if child != NIL {
                nodes.nodes[child as usize].parent = parent;
            }
            self.replace_child(nodes, parent, node, child);
            if V::SUMMARY {
                nodes.refresh_up(parent);
            }
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
}
