//! Virtual time of a queue: its average, who is owed service, and where entities are placed.

use super::entity::Ent;
use super::queue::EnqueueFlags;
use super::tree::TreeKind;
use super::{Fair, Generation};

impl Fair {
    /// EEVDF rather than CFS.
    pub(super) fn is_eevdf(&self) -> bool {
        self.version.generation != Generation::Cfs515
    }

    pub(super) fn tree_kind(&self) -> TreeKind {
        match self.version.generation {
            Generation::Cfs515 => TreeKind::Plain,
            Generation::Eevdf66 => TreeKind::ByVruntime,
            Generation::Eevdf612 => TreeKind::ByDeadline,
        }
    }

    /// Weighted sum and weight of everybody, the running one included.
    #[inline(always)]
    fn average(&self, q: usize) -> (i64, i64) {
        let queue = &self.queues[q];
        let (mut sum, mut load) = (queue.avg_vruntime, queue.avg_load);
        if let Some(curr) = queue.curr {
            let curr = &self.ents[curr];
            if curr.on_rq {
                sum += (curr.vruntime - queue.min_vruntime) * curr.weight;
                load += curr.weight;
            }
        }
        (sum, load)
    }

    /// `avg_vruntime`: V, rounded down.
    #[inline]
    pub(super) fn avg_vruntime(&self, q: usize) -> i64 {
        let (sum, load) = self.average(q);
        let offset = if load > 0 { sum.div_euclid(load) } else { 0 };
        self.queues[q].min_vruntime + offset
    }

    /// `vruntime_eligible` for any vruntime, while the queue stays as it is: V >= v, without division.
    #[inline]
    pub(super) fn eligibility(&self, q: usize) -> impl Fn(i64) -> bool + use<> {
        let (sum, load) = self.average(q);
        let min_vruntime = self.queues[q].min_vruntime;
        move |vruntime| sum >= (vruntime - min_vruntime) * load
    }

    pub(super) fn eligible(&self, q: usize, e: Ent) -> bool {
        self.eligibility(q)(self.ents[e].vruntime)
    }

    /// Lag of an entity, limited to two slices or a tick of its virtual time.
    #[inline(always)]
    pub(super) fn entity_lag(&self, v: i64, e: Ent) -> i64 {
        let entity = &self.ents[e];
        let limit = entity.scaled((2 * entity.slice).max(self.tick_ns));
        (v - entity.vruntime).clamp(-limit, limit)
    }

    /// `update_min_vruntime`: the reference point follows the smallest vruntime, never back.
    #[inline]
    pub(super) fn update_min_vruntime(&mut self, q: usize) {
        let queue = &mut self.queues[q];
        let lowest = match self.version.generation {
            Generation::Cfs515 | Generation::Eevdf66 => queue.tree.leftmost().map(|first| self.nodes.value(first).key),
            Generation::Eevdf612 => queue.tree.root().map(|root| self.nodes.value(root).least_other),
        };
        if lowest.is_some_and(|lowest| lowest <= queue.min_vruntime) {
            // Mostly it is where somebody waits.
            return;
        }
        let curr = queue.curr.map(|curr| &self.ents[curr]).filter(|curr| curr.on_rq).map(|curr| curr.vruntime);
        let vruntime = match (curr, lowest) {
            (Some(curr), Some(lowest)) => curr.min(lowest),
            (Some(only), None) | (None, Some(only)) => only,
            (None, None) => return,
        };
        let delta = vruntime - queue.min_vruntime;
        if delta > 0 {
            queue.avg_vruntime -= queue.avg_load * delta;
            queue.min_vruntime = vruntime;
        }
    }

    /// A used-up deadline is replaced by the next; returns whether it was.
    pub(super) fn update_deadline(&mut self, e: Ent) -> bool {
        let base = self.base_slice;
        let entity = &mut self.ents[e];
        if entity.vruntime < entity.deadline {
            return false;
        }
        if !entity.custom_slice {
            entity.slice = base;
        }
        entity.deadline = entity.vruntime + entity.scaled(entity.slice);
        true
    }

    /// `place_entity` of EEVDF: keeps the lag, gives a deadline.
    pub(super) fn place(&mut self, q: usize, e: Ent, flags: EnqueueFlags) {
        let (sum, load) = self.average(q);
        let v = self.queues[q].min_vruntime + if load > 0 { sum.div_euclid(load) } else { 0 };
        let base = self.base_slice;
        if !self.ents[e].custom_slice {
            self.ents[e].slice = base;
        }
        let mut lag = 0;
        if self.features.place_lag && self.queues[q].nr > 0 {
            let entity = &self.ents[e];
            lag = entity.vlag * (load + entity.weight) / load.max(1);
        }
        let entity = &mut self.ents[e];
        entity.vruntime = v - lag;
        if entity.rel_deadline {
            entity.deadline += entity.vruntime;
            entity.rel_deadline = false;
            return;
        }
        let mut vslice = entity.scaled(entity.slice);
        if flags.initial && self.features.place_deadline_initial {
            vslice /= 2;
        }
        entity.deadline = entity.vruntime + vslice;
    }

    /// `requeue_delayed_entity`: a delayed entity becomes runnable again. The running one is not charged first.
    pub(super) fn requeue_delayed(&mut self, q: usize, e: Ent) {
        if self.features.delay_zero {
            let v = self.avg_vruntime(q);
            self.ents[e].vlag = self.entity_lag(v, e);
            if self.ents[e].vlag > 0 {
                let is_curr = self.queues[q].curr == Some(e);
                self.queues[q].nr -= 1;
                if !is_curr {
                    self.erase(q, e);
                }
                self.ents[e].vlag = 0;
                self.place(q, e, EnqueueFlags::default());
                if !is_curr {
                    self.insert(q, e);
                }
                self.queues[q].nr += 1;
            }
        }
        self.ents[e].delayed = false;
    }

    /// The delayed dequeue is complete: credit that grew meanwhile is forfeited.
    pub(super) fn finish_delayed(&mut self, e: Ent) {
        let zero = self.features.delay_zero;
        let entity = &mut self.ents[e];
        entity.delayed = false;
        if zero {
            entity.vlag = entity.vlag.min(0);
        }
    }
}
