//! A tournament tree: the smallest of `n` slots in O(1), changing a slot in O(log n), never allocating.

/// So few leaves are sooner looked at, all of them, than walked to or from.
const LEAVES_FEW: usize = 16;

/// Smallest-of-n. Ties go to the lowest slot.
#[derive(Clone, Debug)]
pub struct MinTree<K> {
    leaves: usize,
    /// `nodes[1]` is the root; leaves start at `leaves`. Each holds (key, slot). What is between is not kept with few
    /// leaves.
    nodes: Vec<(K, u32)>,
}

impl<K: Copy + Ord> MinTree<K> {
    /// `slots` slots that all hold `never`.
    pub fn new(slots: usize, never: K) -> Self {
        let leaves = slots.next_power_of_two().max(1);
        let mut tree = MinTree { leaves, nodes: vec![(never, 0); 2 * leaves] };
        for slot in 0..leaves {
            tree.nodes[leaves + slot] = (never, slot as u32);
        }
        for node in (1..leaves).rev() {
            tree.nodes[node] = tree.nodes[2 * node].min(tree.nodes[2 * node + 1]);
        }
        tree
    }

    /// Sets a slot.
    #[inline(always)]
    pub fn set(&mut self, slot: usize, key: K) {
        let mut node = self.leaves + slot;
        self.nodes[node].0 = key;
        if self.leaves <= LEAVES_FEW {
            return self.set_among_few(slot, key);
        }
        while node > 1 {
            // The left one of two children has the lower slots: it wins a tie.
            let left = node & !1;
            let [left, right] = [self.nodes[left], self.nodes[left + 1]];
            let winner = if right.0 < left.0 { right } else { left };
            node /= 2;
            if self.nodes[node] == winner {
                return;
            }
            self.nodes[node] = winner;
        }
    }

    /// The root of a tree that has nothing between root and leaves: only the smallest slot can make another the smallest.
    #[inline]
    fn set_among_few(&mut self, slot: usize, key: K) {
        let (least, least_slot) = self.nodes[1];
        let set = (key, slot as u32);
        if set < (least, least_slot) {
            self.nodes[1] = set;
        } else if least_slot == set.1 {
            let (first, others) = self.nodes[self.leaves..].split_first().expect("a leaf");
            self.nodes[1] = others.iter().fold(*first, |least, leaf| if leaf.0 < least.0 { *leaf } else { least });
        }
    }

    /// Sets a slot without telling the tree: [`MinTree::min`] and [`MinTree::up_to`] may not be asked before another
    /// [`MinTree::set`] of this slot.
    #[inline]
    pub fn set_for_now(&mut self, slot: usize, key: K) {
        self.nodes[self.leaves + slot].0 = key;
    }

    /// The slot's key.
    #[inline]
    pub fn get(&self, slot: usize) -> K {
        self.nodes[self.leaves + slot].0
    }

    /// Calls `see` with every slot whose key is not above `limit`, in order of slots.
    pub fn up_to(&self, limit: K, see: &mut impl FnMut(usize)) {
        let mut node = 1;
        if self.nodes[1].0 > limit {
            return;
        }
        if self.leaves <= LEAVES_FEW {
            let leaves = self.nodes[self.leaves..].iter().rev();
            let mut below = leaves.fold(0u32, |mask, leaf| mask << 1 | u32::from(leaf.0 <= limit));
            while below != 0 {
                see(below.trailing_zeros() as usize);
                below &= below - 1;
            }
            return;
        }
        // Walks the tree from left to right and leaves out what is above the limit.
        loop {
            if self.nodes[node].0 <= limit && node < self.leaves {
                node *= 2;
                continue;
            }
            if self.nodes[node].0 <= limit {
                see(node - self.leaves);
            }
            // Up from right children, then over to the right sibling.
            while node & 1 == 1 {
                node /= 2;
            }
            if node == 0 {
                return;
            }
            node += 1;
        }
    }

    /// Smallest key and its slot.
    #[inline]
    pub fn min(&self) -> (K, usize) {
        let (key, slot) = self.nodes[1];
        (key, slot as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smallest_key_wins_and_ties_go_to_the_lowest_slot() {
        let mut tree = MinTree::new(5, u64::MAX);
        tree.set(4, 7);
        tree.set(2, 9);
        assert_eq!(tree.min(), (7, 4));
        tree.set(1, 7);
        assert_eq!(tree.min(), (7, 1));
        tree.set(1, u64::MAX);
        tree.set(4, u64::MAX);
        assert_eq!(tree.min(), (9, 2));
    }

    proptest::proptest! {
        #[test]
        fn agrees_with_a_linear_search(
            slots in 1usize..40,
            sets in proptest::collection::vec((0usize..40, 0u64..20, proptest::option::of((0u64..20, 0usize..40))), 0..60),
        ) {
            let mut tree = MinTree::new(slots, 100);
            let mut plain = vec![100u64; slots];
            for (slot, key, before) in sets {
                let slot = slot % slots;
                // The slot has had another key for an instant, in which another slot was set to what it was.
                if let Some((key, other)) = before {
                    tree.set_for_now(slot, key);
                    let other = other % slots;
                    if other != slot {
                        tree.set(other, plain[other]);
                    }
                }
                tree.set(slot, key);
                plain[slot] = key;
                let best = (0..slots).min_by_key(|&i| plain[i]).expect("one slot or more");
                proptest::prop_assert_eq!(tree.min(), (plain[best], best));
                let mut due = Vec::new();
                tree.up_to(key, &mut |slot| due.push(slot));
                let expected: Vec<usize> = (0..slots).filter(|&i| plain[i] <= key).collect();
                proptest::prop_assert_eq!(due, expected);
            }
        }
    }
}
