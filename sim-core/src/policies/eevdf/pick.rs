//! Whom a queue picks: the earliest deadline among the eligible.

use super::entity::Ent;
use super::{Fair, Generation};

impl Fair {
    /// `pick_eevdf`.
    pub(super) fn pick_eevdf(&self, q: usize) -> Option<Ent> {
        match self.version.generation {
            Generation::Eevdf66 => self.pick_66(q).or_else(|| self.first(q)),
            Generation::Eevdf612 | Generation::Cfs515 => self.pick_612(q),
        }
    }

    /// 6.12: tree by deadline. The running entity wins only with a strictly earlier deadline.
    fn pick_612(&self, q: usize) -> Option<Ent> {
        let queue = &self.queues[q];
        if queue.nr == 1 {
            return queue.curr.filter(|&curr| self.ents[curr].on_rq).or_else(|| self.first(q));
        }
        let eligible = self.eligibility(q);
        let curr = queue.curr.filter(|&curr| self.ents[curr].on_rq && eligible(self.ents[curr].vruntime));
        if let Some(curr) = curr
            && self.features.run_to_parity
            && self.ents[curr].is_protected()
        {
            return Some(curr);
        }
        let first = self.first(q).filter(|&first| eligible(self.ents[first].vruntime));
        let best = first.or_else(|| self.search_612(q, eligible));
        match (curr, best) {
            (Some(curr), Some(best)) if self.ents[curr].deadline - self.ents[best].deadline < 0 => Some(curr),
            (curr, best) => best.or(curr),
        }
    }

    /// Leftmost eligible node: a subtree whose smallest vruntime is eligible holds one.
    fn search_612(&self, q: usize, eligible: impl Fn(i64) -> bool) -> Option<Ent> {
        let mut at = self.queues[q].tree.root();
        while let Some(node) = at {
            let left = self.nodes.left(node);
            if left.is_some_and(|left| eligible(self.nodes.value(left).least_other)) {
                at = left;
            } else if eligible(self.nodes.value(node).other) {
                return Some(node as usize);
            } else {
                at = self.nodes.right(node);
            }
        }
        None
    }

    /// 6.6: tree by vruntime with the smallest deadline of each subtree. Descends along the border of eligibility,
    /// remembers the best node on the way and the best subtree to the left of it, which is eligible as a whole.
    fn pick_66(&self, q: usize) -> Option<Ent> {
        let queue = &self.queues[q];
        let eligible = self.eligibility(q);
        let curr = queue.curr.filter(|&curr| self.ents[curr].on_rq && eligible(self.ents[curr].vruntime));
        if let Some(curr) = curr
            && self.features.run_to_parity
            && self.ents[curr].is_protected()
        {
            return Some(curr);
        }
        let mut best = curr;
        let mut best_left: Option<u32> = None;
        let mut at = queue.tree.root();
        while let Some(node) = at {
            // Keys are vruntimes, the others deadlines.
            let value = self.nodes.value(node);
            if !eligible(value.key) {
                at = self.nodes.left(node);
                continue;
            }
            if best.is_none_or(|best| self.ents[best].deadline - value.other > 0) {
                best = Some(node as usize);
            }
            if let Some(left) = self.nodes.left(node) {
                let earliest = self.nodes.value(left).least_other;
                if best_left.is_none_or(|best| self.nodes.value(best).least_other - earliest > 0) {
                    best_left = Some(left);
                }
                if earliest == value.least_other {
                    break;
                }
            }
            if value.other == value.least_other {
                break;
            }
            at = self.nodes.right(node);
        }
        match (best_left, best) {
            (Some(left), Some(chosen)) if self.nodes.value(left).least_other - self.ents[chosen].deadline > 0 => best,
            (Some(left), _) => Some(self.earliest_below(left)),
            (None, _) => best,
        }
    }

    /// The node of a subtree that has its smallest deadline: itself before the left before the right.
    fn earliest_below(&self, mut node: u32) -> Ent {
        loop {
            let value = self.nodes.value(node);
            if value.other == value.least_other {
                return node as usize;
            }
            let left = self.nodes.left(node).filter(|&left| self.nodes.value(left).least_other == value.least_other);
            node = left.or(self.nodes.right(node)).expect("a subtree holds what its summary tells");
        }
    }
}
