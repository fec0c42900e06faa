//! One queue (cfs_rq): average, eligibility, charging, placement, and entities coming and going.

use super::entity::{Ent, Entity, NIL, scaled_down};
use super::load::{LoadFlags, QueueLoad};
use super::tree::Queued;
use super::{Fair, Generation};
use crate::kernel::Kernel;
use crate::machine::cost::Work;
use crate::queues::rb_tree::RbTree;
use crate::units::{CpuId, GroupId};

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
    /// It moves to another CPU, and its load with it.
    pub migrating: bool,
    /// Never delayed (exit, throttling).
    pub special: bool,
    /// Completes a delayed dequeue.
    pub delayed: bool,
}

/// A queue of one group on one CPU.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    /// Its CPU.
    pub cpu: CpuId,
    /// Its group.
    pub group: GroupId,
    /// The group has a quota.
    pub limited: bool,
    /// Running entity, outside the tree.
    pub curr: Option<Ent>,
    /// Queued entities.
    pub tree: RbTree,
    /// Entities, running and delayed ones included.
    pub nr: u32,
    /// Sum of weights with their extra bits, running one included.
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
    /// Those of them that count as SCHED_IDLE (`idle_h_nr_running`).
    pub h_idle: u32,
    /// Local runtime of a group with a quota, ns.
    pub runtime_remaining: i64,
    /// Taken out because the quota is used up.
    pub throttled: bool,
    /// Since when.
    pub throttled_since: u64,
    /// This queue or one above is throttled: how many.
    pub throttle_count: u32,
    /// Load tracking.
    pub tracked: QueueLoad,
}

impl Queue {
    /// Sum of weights, scaled down.
    pub fn weight(&self) -> i64 {
        scaled_down(self.load)
    }
}

impl Fair {
    pub(super) fn insert(&mut self, q: usize, e: Ent) {
        let kind = self.tree_kind();
        let queue = &mut self.queues[q];
        let entity = &self.ents[e];
        queue.avg_vruntime += (entity.vruntime - queue.min_vruntime) * entity.weight;
        queue.avg_load += entity.weight;
        queue.tree.insert(&mut self.nodes, e as u32, Queued::of(kind, entity));
    }

    pub(super) fn erase(&mut self, q: usize, e: Ent) {
        let queue = &mut self.queues[q];
        queue.tree.remove(&mut self.nodes, e as u32);
        let entity = &self.ents[e];
        queue.avg_vruntime -= (entity.vruntime - queue.min_vruntime) * entity.weight;
        queue.avg_load -= entity.weight;
    }

    /// `update_curr` of one queue: charges the running entity and asks for a reschedule where the version does.
    #[inline]
    pub(super) fn update_curr(&mut self, k: &mut Kernel, q: usize) {
        let Some(curr) = self.queues[q].curr else { return };
        // Asked several times in an instant, and most times nothing has passed.
        let delta = k.now() as i64 - self.ents[curr].exec_start as i64;
        if delta > 0 {
            self.charge_curr(k, q, curr, delta);
        }
    }

    /// The rest of [`Fair::update_curr`], apart so that callers are spared its registers when nothing has passed.
    #[inline(never)]
    fn charge_curr(&mut self, k: &mut Kernel, q: usize, curr: Ent, delta: i64) {
        let entity = &mut self.ents[curr];
        entity.exec_start = k.now();
        entity.sum_exec += delta as u64;
        entity.vruntime += entity.scaled(delta);
        if self.is_task(curr) {
            self.charge_fair_server(k, q, delta);
        }
        let expired = self.version.generation != Generation::Cfs515 && self.update_deadline(curr);
        let cpu = self.cpu_of(q);
        if self.version.generation == Generation::Eevdf66 && expired && self.queues[q].nr > 1 {
            k.resched_expired(cpu);
            self.clear_buddies(q, curr);
        }
        self.update_min_vruntime(q);
        self.charge_bandwidth(k, q, delta);
        if self.version.generation == Generation::Eevdf612 && self.queues[q].nr > 1 {
            if expired {
                k.resched_expired(cpu);
                self.clear_buddies(q, curr);
            } else if self.features.preempt_short && !self.ents[curr].is_protected() && !self.eligible(q, curr) {
                k.resched_curr(cpu);
                self.clear_buddies(q, curr);
            }
        }
    }

    /// An entity is nobody's buddy any more. Most never are.
    #[inline]
    pub(super) fn clear_buddies(&mut self, q: usize, e: Ent) {
        let queue = &self.queues[q];
        if queue.next == Some(e) || queue.last == Some(e) || queue.skip == Some(e) {
            self.clear_each_buddy(q, e);
        }
    }

    #[inline(never)]
    fn clear_each_buddy(&mut self, q: usize, e: Ent) {
        self.clear_buddy(q, e, |queue| &mut queue.next);
        self.clear_buddy(q, e, |queue| &mut queue.last);
        self.clear_buddy(q, e, |queue| &mut queue.skip);
    }

    /// A mark of an entity is dropped in its queue and, while it is set there, in the queues above.
    fn clear_buddy(&mut self, mut q: usize, mut e: Ent, mark: fn(&mut Queue) -> &mut Option<Ent>) {
        while *mark(&mut self.queues[q]) == Some(e) {
            *mark(&mut self.queues[q]) = None;
            let Some(parent) = self.parent(e) else { return };
            e = parent;
            q = self.ents[e].queue as usize;
        }
    }

    /// `enqueue_entity`.
    #[inline]
    pub(super) fn enqueue_entity(&mut self, k: &mut Kernel, q: usize, e: Ent, flags: EnqueueFlags) {
        let is_curr = self.queues[q].curr == Some(e);
        let cfs = self.version.generation == Generation::Cfs515;
        if is_curr && !cfs {
            self.place(q, e, flags);
        }
        self.update_curr(k, q);
        self.update_load(k, e, LoadFlags { group: true, attach: true, detach: false });
        self.note_runnable(e);
        self.update_group_weight(k, e);
        if cfs {
            self.place_515_at_enqueue(q, e, flags);
        } else if !is_curr {
            self.place(q, e, flags);
        }
        let load = self.ents[e].load;
        self.queues[q].load += load;
        self.queues[q].nr += 1;
        if !is_curr {
            self.insert(q, e);
        }
        self.ents[e].on_rq = true;
        if self.is_task(e) {
            self.list_task(self.cpu_of(q), self.task_of(e));
        }
        k.charge(self.cpu_of(q), Work::TreeLevel, u64::from(32 - self.queues[q].nr.leading_zeros()));
        if self.queues[q].nr == 1 {
            self.list_active(q);
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
            self.update_load(k, e, LoadFlags::default());
            self.clear_buddies(q, e);
            self.ents[e].delayed = true;
            return false;
        }
        let detach = flags.migrating && self.is_task(e);
        self.update_load(k, e, LoadFlags { group: true, attach: false, detach });
        self.note_runnable(e);
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
        if self.is_task(e) {
            self.unlist_task(self.cpu_of(q), self.task_of(e));
        }
        let load = self.ents[e].load;
        self.queues[q].load -= load;
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

    /// `set_next_entity`: out of the tree, running and protected.
    #[inline]
    pub(super) fn set_next_entity(&mut self, k: &Kernel, q: usize, e: Ent) {
        self.clear_buddies(q, e);
        if self.ents[e].on_rq {
            self.erase(q, e);
            self.update_load(k, e, LoadFlags { group: true, ..LoadFlags::default() });
            self.ents[e].vlag = self.ents[e].deadline;
        }
        let entity = &mut self.ents[e];
        entity.exec_start = k.now();
        entity.prev_sum_exec = entity.sum_exec;
        self.queues[q].curr = Some(e);
    }

    /// `put_prev_entity`: charged and back in the tree, if it is still queued.
    #[inline]
    pub(super) fn put_prev_entity(&mut self, k: &mut Kernel, q: usize, e: Ent) {
        if self.ents[e].on_rq {
            self.update_curr(k, q);
        }
        self.check_throttle(k, q);
        if self.ents[e].on_rq {
            self.insert(q, e);
            self.update_load(k, e, LoadFlags::default());
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

    /// Entities above `e`.
    pub(super) fn depth(&self, e: Ent) -> u16 {
        self.group_depth[self.group_of(self.ents[e].queue as usize).index()]
    }

    /// `__pick_first_entity`.
    pub(super) fn first(&self, q: usize) -> Option<Ent> {
        self.queues[q].tree.leftmost().map(|first| first as usize)
    }

    pub(super) fn entity(&self, e: Ent) -> &Entity {
        &self.ents[e]
    }
}
