//! Against a sorted list, with all invariants after each step.

use super::{RbNodes, RbTree, RbValue};

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
    fn take_summary(&mut self, of: &Self) {
        self.lightest = of.lightest;
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
