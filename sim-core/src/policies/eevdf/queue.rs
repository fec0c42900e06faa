//! One queue (cfs_rq): average, eligibility, charging, placement, and entities coming and going.

use super::entity::{Ent, Entity, NIL};
use super::tree::{Tree, TreeKind};
use super::{Fair, Generation};
use crate::kernel::Kernel;
use crate::machine::cost::Work;

/// How an entity joins a queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EnqueueFlags {
    /// A wakeup (also used for group entities that become queued).
    pub wakeup: bool,
    /// First time.
    pub initial: bool,
}

/// How an entity leaves a queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DequeueFlags {
    /// It goes to sleep.
    pub sleep: bool,
    /// Never delayed (exit, throttling).
    pub special: bool,
    /// Completes a delayed dequeue.
    pub delayed: bool,
}

/// A queue of one group on one CPU.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    /// Running entity, outside the tree.
    pub curr: Option<Ent>,
    /// Queued entities.
    pub tree: Tree,
    /// Entities, running and delayed ones included.
    pub nr: u32,
    /// Sum of weights, running one included.
    pub load: i64,
    /// Sum of (v - min_vruntime) * w over the tree.
    pub avg_vruntime: i64,
    /// Sum of w over the tree.
    pub avg_load: i64,
    /// Reference point; only moves forward.
    pub min_vruntime: i64,
    /// Next buddy.
    pub next: Option<Ent>,
    /// Last buddy (5.15).
    pub last: Option<Ent>,
    /// Skip buddy (5.15).
    pub skip: Option<Ent>,
    /// Tasks in the hierarchy below, delayed ones included.
    pub h_nr: u32,
    /// Local runtime of a group with a quota, ns.
    pub runtime_remaining: i64,
    /// Taken out because the quota is used up.
    pub throttled: bool,
    /// Since when.
    pub throttled_since: u64,
    /// This queue or one above is throttled: how many.
    pub throttle_count: u32,
}

impl Fair {
    pub(super) fn tree_kind(&self) -> TreeKind {
        match self.version.generation {
            Generation::Cfs515 | Generation::Eevdf66 => TreeKind::ByVruntime,
            Generation::Eevdf612 => TreeKind::ByDeadline,
        }
    }

    /// Weighted sum and weight of everybody, the running one included.
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
    pub(super) fn avg_vruntime(&self, q: usize) -> i64 {
        let (sum, load) = self.average(q);
        let offset = if load > 0 { sum.div_euclid(load) } else { 0 };
        self.queues[q].min_vruntime + offset
    }

    /// `vruntime_eligible`: V >= v, without division.
    pub(super) fn vruntime_eligible(&self, q: usize, vruntime: i64) -> bool {
        let (sum, load) = self.average(q);
        sum >= (vruntime - self.queues[q].min_vruntime) * load
    }

    pub(super) fn eligible(&self, q: usize, e: Ent) -> bool {
        self.vruntime_eligible(q, self.ents[e].vruntime)
    }

    /// Lag of an entity, limited to two slices or a tick of its virtual time.
    fn entity_lag(&self, v: i64, e: Ent) -> i64 {
        let entity = &self.ents[e];
        let limit = entity.scaled((2 * entity.slice).max(self.tick_ns));
        (v - entity.vruntime).clamp(-limit, limit)
    }

    pub(super) fn insert(&mut self, q: usize, e: Ent) {
        let kind = self.tree_kind();
        let queue = &mut self.queues[q];
        let entity = &self.ents[e];
        queue.avg_vruntime += (entity.vruntime - queue.min_vruntime) * entity.weight;
        queue.avg_load += entity.weight;
        queue.tree.insert(kind, &mut self.ents, e);
    }

    pub(super) fn erase(&mut self, q: usize, e: Ent) {
        let kind = self.tree_kind();
        let queue = &mut self.queues[q];
        queue.tree.remove(kind, &mut self.ents, e);
        let entity = &self.ents[e];
        queue.avg_vruntime -= (entity.vruntime - queue.min_vruntime) * entity.weight;
        queue.avg_load -= entity.weight;
    }

    /// `update_min_vruntime`: the reference point follows the smallest vruntime, never back.
    pub(super) fn update_min_vruntime(&mut self, q: usize) {
        let queue = &self.queues[q];
        let curr = queue.curr.map(|curr| &self.ents[curr]).filter(|curr| curr.on_rq).map(|curr| curr.vruntime);
        let lowest = match self.tree_kind() {
            TreeKind::ByVruntime => queue.tree.first().map(|first| self.ents[first].vruntime),
            TreeKind::ByDeadline => (queue.tree.root != NIL).then(|| self.ents[queue.tree.root as usize].min_key),
        };
        let Some(vruntime) = [curr, lowest].into_iter().flatten().min() else { return };
        let queue = &mut self.queues[q];
        let delta = vruntime - queue.min_vruntime;
        if delta > 0 {
            queue.avg_vruntime -= queue.avg_load * delta;
            queue.min_vruntime = vruntime;
        }
    }

    /// `update_curr` of one queue: charges the running entity and asks for a reschedule where the version does.
    pub(super) fn update_curr(&mut self, k: &mut Kernel, q: usize) {
        let Some(curr) = self.queues[q].curr else { return };
        let now = k.now();
        let delta = now as i64 - self.ents[curr].exec_start as i64;
        if delta <= 0 {
            return;
        }
        let entity = &mut self.ents[curr];
        entity.exec_start = now;
        entity.sum_exec += delta as u64;
        entity.vruntime += entity.scaled(delta);
        if self.is_task(curr) {
            self.charge_fair_server(k, q, delta);
        }
        let expired = self.version.generation != Generation::Cfs515 && self.update_deadline(curr);
        let cpu = self.cpu_of(q);
        match self.version.generation {
            Generation::Cfs515 => {}
            Generation::Eevdf66 => {
                if expired && self.queues[q].nr > 1 {
                    k.resched_expired(cpu);
                    self.clear_buddies(q, curr);
                }
            }
            Generation::Eevdf612 => {}
        }
        self.update_min_vruntime(q);
        self.charge_bandwidth(k, q, delta);
        if self.version.generation == Generation::Eevdf612 && self.queues[q].nr > 1 {
            let entity = &self.ents[curr];
            let unprotected = self.features.preempt_short && !entity.is_protected() && !self.eligible(q, curr);
            if expired {
                k.resched_expired(cpu);
                self.clear_buddies(q, curr);
            } else if unprotected {
                k.resched_curr(cpu);
                self.clear_buddies(q, curr);
            }
        }
    }

    /// A used-up deadline is replaced by the next; returns whether it was.
    fn update_deadline(&mut self, e: Ent) -> bool {
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

    pub(super) fn clear_buddies(&mut self, q: usize, e: Ent) {
        // Marks of an entity are dropped in its queue and, while they are set there, in the queues above.
        type Slot = fn(&mut Queue) -> &mut Option<Ent>;
        let slots: [Slot; 3] = [|q| &mut q.next, |q| &mut q.last, |q| &mut q.skip];
        for slot in slots {
            let (mut q, mut e) = (q, e);
            while *slot(&mut self.queues[q]) == Some(e) {
                *slot(&mut self.queues[q]) = None;
                let parent = self.ents[e].parent;
                if parent == NIL {
                    break;
                }
                e = parent as usize;
                q = self.ents[e].queue as usize;
            }
        }
    }

    /// `place_entity` of EEVDF: keeps the lag, gives a deadline.
    pub(super) fn place(&mut self, q: usize, e: Ent, flags: EnqueueFlags) {
        let v = self.avg_vruntime(q);
        let base = self.base_slice;
        if !self.ents[e].custom_slice {
            self.ents[e].slice = base;
        }
        let mut lag = 0;
        if self.features.place_lag && self.queues[q].nr > 0 {
            let (_, load) = self.average(q);
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

    /// `enqueue_entity`.
    pub(super) fn enqueue_entity(&mut self, k: &mut Kernel, q: usize, e: Ent, flags: EnqueueFlags) {
        let is_curr = self.queues[q].curr == Some(e);
        let cfs = self.version.generation == Generation::Cfs515;
        if is_curr && !cfs {
            self.place(q, e, flags);
        }
        self.update_curr(k, q);
        self.update_group_weight(k, e);
        if cfs {
            self.place_515_at_enqueue(q, e, flags);
        } else if !is_curr {
            self.place(q, e, flags);
        }
        let weight = self.ents[e].weight;
        self.queues[q].load += weight;
        self.queues[q].nr += 1;
        if !is_curr {
            self.insert(q, e);
        }
        self.ents[e].on_rq = true;
        k.charge(self.cpu_of(q), Work::TreeLevel, u64::from(32 - self.queues[q].nr.leading_zeros()));
        if self.queues[q].nr == 1 {
            self.check_enqueue_throttle(k, q);
        }
    }

    /// `dequeue_entity`; returns false when the entity stays queued, delayed.
    pub(super) fn dequeue_entity(&mut self, k: &mut Kernel, q: usize, e: Ent, flags: DequeueFlags) -> bool {
        self.update_curr(k, q);
        let modern = self.version.generation == Generation::Eevdf612;
        if modern
            && !flags.delayed
            && flags.sleep
            && !flags.special
            && self.features.delay_dequeue
            && !self.eligible(q, e)
        {
            self.clear_buddies(q, e);
            self.ents[e].delayed = true;
            return false;
        }
        self.clear_buddies(q, e);
        if self.version.generation != Generation::Cfs515 {
            let v = self.avg_vruntime(q);
            self.ents[e].vlag = self.entity_lag(v, e);
            if modern && self.features.place_rel_deadline && !flags.sleep {
                let entity = &mut self.ents[e];
                entity.deadline -= entity.vruntime;
                entity.rel_deadline = true;
            }
        }
        if self.queues[q].curr != Some(e) {
            self.erase(q, e);
        }
        self.ents[e].on_rq = false;
        let weight = self.ents[e].weight;
        self.queues[q].load -= weight;
        self.queues[q].nr -= 1;
        k.charge(self.cpu_of(q), Work::TreeLevel, u64::from(32 - self.queues[q].nr.leading_zeros()));
        if self.version.generation == Generation::Cfs515 && !flags.sleep {
            // Entities that move or change keep their place relative to the queue.
            let min = self.queues[q].min_vruntime;
            self.ents[e].vruntime -= min;
        }
        self.return_bandwidth(k, q);
        self.update_group_weight(k, e);
        self.update_min_vruntime(q);
        if flags.delayed {
            self.finish_delayed(e);
        }
        true
    }

    /// The delayed dequeue is complete: credit that grew meanwhile is forfeited.
    fn finish_delayed(&mut self, e: Ent) {
        let zero = self.features.delay_zero;
        let entity = &mut self.ents[e];
        entity.delayed = false;
        if zero {
            entity.vlag = entity.vlag.min(0);
        }
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

    /// `reweight_entity`.
    pub(super) fn reweight(&mut self, k: &mut Kernel, e: Ent, weight: i64, inverse: u32) {
        let q = self.ents[e].queue as usize;
        let old = self.ents[e].weight;
        if old == weight {
            return;
        }
        let is_curr = self.queues[q].curr == Some(e);
        let on_rq = self.ents[e].on_rq;
        if on_rq && (is_curr || self.version.reweight_moves_v) {
            self.update_curr(k, q);
        }
        let v = self.avg_vruntime(q);
        if on_rq {
            if !is_curr {
                self.erase(q, e);
            }
            self.queues[q].load -= old;
        }
        let eevdf = self.version.generation != Generation::Cfs515;
        if eevdf && !on_rq {
            let entity = &mut self.ents[e];
            entity.vlag = entity.vlag * old / weight;
        } else if eevdf && self.version.reweight_moves_v {
            let lag = self.entity_lag(v, e);
            let entity = &mut self.ents[e];
            if v != entity.vruntime {
                entity.vruntime = v - lag * old / weight;
            }
            entity.deadline = v + (entity.deadline - v) * old / weight;
        } else if eevdf {
            let entity = &mut self.ents[e];
            entity.deadline = entity.vruntime + (entity.deadline - entity.vruntime) * old / weight;
        }
        self.ents[e].weight = weight;
        self.ents[e].inverse = inverse;
        if on_rq {
            self.queues[q].load += weight;
            if !is_curr {
                self.insert(q, e);
            }
            self.update_min_vruntime(q);
        }
    }

    /// `set_next_entity`: out of the tree, running and protected.
    pub(super) fn set_next_entity(&mut self, k: &Kernel, q: usize, e: Ent) {
        self.clear_buddies(q, e);
        if self.ents[e].on_rq {
            self.erase(q, e);
            self.ents[e].vlag = self.ents[e].deadline;
        }
        let entity = &mut self.ents[e];
        entity.exec_start = k.now();
        entity.prev_sum_exec = entity.sum_exec;
        self.queues[q].curr = Some(e);
    }

    /// `put_prev_entity`: charged and back in the tree, if it is still queued.
    pub(super) fn put_prev_entity(&mut self, k: &mut Kernel, q: usize, e: Ent) {
        if self.ents[e].on_rq {
            self.update_curr(k, q);
        }
        self.check_throttle(k, q);
        if self.ents[e].on_rq {
            self.insert(q, e);
        }
        self.queues[q].curr = None;
    }

    /// Whether `e` is a task.
    pub(super) fn is_task(&self, e: Ent) -> bool {
        e >= self.first_task
    }

    /// Parent entity.
    pub(super) fn parent(&self, e: Ent) -> Option<Ent> {
        let parent = self.ents[e].parent;
        (parent != NIL).then_some(parent as usize)
    }

    /// `__pick_first_entity`.
    pub(super) fn first(&self, q: usize) -> Option<Ent> {
        self.queues[q].tree.first()
    }

    pub(super) fn entity(&self, e: Ent) -> &Entity {
        &self.ents[e]
    }
}
