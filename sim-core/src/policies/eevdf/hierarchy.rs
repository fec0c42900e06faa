//! Entities come and go through their groups, from the leaf up.

use super::entity::Ent;
use super::queue::{DequeueFlags, EnqueueFlags};
use super::{Fair, Generation};
use crate::kernel::Kernel;
use crate::units::CpuId;

/// Tasks that come to or leave the queues of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tasks {
    /// All.
    pub nr: u32,
    /// Those that count as SCHED_IDLE where they are, by themselves or by an idle group below.
    pub idle: u32,
}

impl Fair {
    /// What an entity brings: a task itself, a group entity (6.12: a delayed one) nothing.
    #[inline(always)]
    pub(super) fn tasks_of(&self, e: Ent) -> Tasks {
        let nr = u32::from(self.is_task(e));
        Tasks { nr, idle: if self.is_idle_entity(e) { nr } else { 0 } }
    }

    /// All tasks of a group's queue, as the queue above counts them.
    pub(super) fn tasks_in(&self, q: usize) -> Tasks {
        let (nr, idle) = (self.queues[q].h_nr, self.queues[q].h_idle);
        Tasks { nr, idle: if self.is_idle_queue(q) { nr } else { idle } }
    }

    /// They come to a queue (`h_nr_running`, `idle_h_nr_running`); above an idle group all of them count as idle.
    #[inline(always)]
    pub(super) fn add_tasks(&mut self, q: usize, tasks: &mut Tasks) {
        self.queues[q].h_nr += tasks.nr;
        self.queues[q].h_idle += tasks.idle;
        if q < self.cpus {
            self.idle_tasks += tasks.idle;
        } else if self.is_idle_queue(q) {
            tasks.idle = tasks.nr;
        }
    }

    /// They leave it.
    #[inline(always)]
    pub(super) fn remove_tasks(&mut self, q: usize, tasks: &mut Tasks) {
        self.queues[q].h_nr -= tasks.nr;
        self.queues[q].h_idle -= tasks.idle;
        if q < self.cpus {
            self.idle_tasks -= tasks.idle;
        } else if self.is_idle_queue(q) {
            tasks.idle = tasks.nr;
        }
    }

    #[inline(always)]
    fn is_idle_queue(&self, q: usize) -> bool {
        self.group_idle[self.group_of(q).index()]
    }

    /// `sched_idle_cpu`: nothing but SCHED_IDLE tasks is runnable.
    pub(super) fn has_idle_policy_only(&self, cpu: CpuId) -> bool {
        let idle = self.queues[self.root(cpu)].h_idle;
        idle > 0 && idle == self.nr_running(cpu)
    }

    /// `cfs_rq_min_slice`: smallest slice of a queue, as far as the tree's cache knows.
    #[inline]
    fn min_slice(&self, q: usize) -> i64 {
        let queue = &self.queues[q];
        let curr =
            queue.curr.map(|curr| &self.ents[curr]).filter(|curr| curr.on_rq).map_or(i64::MAX, |curr| curr.slice);
        queue.tree.root().map_or(curr, |root| curr.min(self.nodes.value(root).least_slice))
    }

    /// Gives a group entity the smallest slice of its queue (6.12); `slice` becomes that of the queue above.
    #[inline]
    fn pass_slice_up(&mut self, e: Ent, slice: &mut i64) {
        let q = self.ents[e].queue as usize;
        self.ents[e].slice = *slice;
        if self.queues[q].curr != Some(e) {
            // 6.12.0 leaves the cached slices above as they are.
            self.nodes.value_mut(e as u32).slice = *slice;
            if self.version.stable_612 {
                self.nodes.refresh_up(e as u32);
            }
        }
        *slice = self.min_slice(q);
    }

    /// `enqueue_task_fair`.
    pub(super) fn enqueue_fair(&mut self, k: &mut Kernel, e: Ent, mut flags: EnqueueFlags) {
        let modern = self.version.generation == Generation::Eevdf612;
        let cpu = self.cpu_of(self.ents[e].queue as usize);
        let before = self.queues[self.root(cpu)].h_nr;
        self.add_estimate(e);
        let mut tasks = self.tasks_of(e);
        let mut slice = 0;
        let mut at = Some(e);
        while let Some(se) = at {
            let q = self.ents[se].queue as usize;
            if self.ents[se].on_rq {
                if self.ents[se].delayed {
                    self.requeue_delayed(q, se);
                }
                break;
            }
            if modern && slice != 0 {
                self.ents[se].slice = slice;
                self.ents[se].custom_slice = true;
            }
            self.enqueue_entity(k, q, se, flags);
            if modern {
                slice = self.min_slice(q);
            }
            self.add_tasks(q, &mut tasks);
            if self.queues[q].throttled {
                return;
            }
            flags = EnqueueFlags { wakeup: true, initial: false };
            at = self.parent(se);
        }
        while let Some(se) = at {
            let q = self.ents[se].queue as usize;
            self.refresh_group_entity(k, se);
            if modern {
                self.pass_slice_up(se, &mut slice);
            }
            self.add_tasks(q, &mut tasks);
            if self.queues[q].throttled {
                return;
            }
            at = self.parent(se);
        }
        self.end_idle(k, cpu);
        self.note_overload(cpu);
        if before == 0 {
            self.start_fair_server(k, cpu);
        }
    }

    /// `dequeue_task_fair`; returns false when `e` itself stays, delayed. The estimate of what a sleeper used is made
    /// from its average after the dequeue, in 6.12 before.
    #[inline]
    pub(super) fn dequeue_fair(&mut self, k: &mut Kernel, e: Ent, flags: DequeueFlags) -> bool {
        let estimated = self.is_task(e) && !flags.delayed;
        let early = self.version.generation == Generation::Eevdf612;
        if estimated {
            self.remove_estimate(e);
        }
        if estimated && flags.sleep && early {
            self.update_estimate(e);
        }
        let left = self.dequeue_path(k, e, flags);
        if estimated && flags.sleep && !early {
            self.update_estimate(e);
        }
        left
    }

    /// `dequeue_entities` from `e` up.
    fn dequeue_path(&mut self, k: &mut Kernel, e: Ent, mut flags: DequeueFlags) -> bool {
        let modern = self.version.generation == Generation::Eevdf612;
        let is_task = self.is_task(e);
        let cpu = self.cpu_of(self.ents[e].queue as usize);
        let mut tasks = self.tasks_of(e);
        let was_idle_only = self.idle_tasks == 0 || self.has_idle_policy_only(cpu);
        let task_sleep = flags.sleep;
        // Only 6.12 passes slices up.
        let mut slice = self.my_queue(e).filter(|_| modern).map_or(0, |q| self.min_slice(q));
        let mut at = Some(e);
        while let Some(se) = at {
            let q = self.ents[se].queue as usize;
            if !self.dequeue_entity(k, q, se, flags) {
                if is_task && se == e {
                    return false;
                }
                if self.version.stable_612 {
                    slice = self.min_slice(q);
                }
                break;
            }
            self.remove_tasks(q, &mut tasks);
            if self.queues[q].throttled {
                return true;
            }
            at = self.parent(se);
            if self.queues[q].load != 0 {
                if modern {
                    slice = self.min_slice(q);
                }
                if let (true, Some(parent)) = (task_sleep, at)
                    && self.queues[q].throttle_count == 0
                {
                    self.set_next_buddy(parent);
                }
                break;
            }
            flags = DequeueFlags { sleep: true, ..DequeueFlags::default() };
        }
        while let Some(se) = at {
            let q = self.ents[se].queue as usize;
            self.refresh_group_entity(k, se);
            if modern {
                self.pass_slice_up(se, &mut slice);
            }
            self.remove_tasks(q, &mut tasks);
            if self.queues[q].throttled {
                return true;
            }
            at = self.parent(se);
        }
        if self.queues[self.root(cpu)].h_nr == 0 {
            self.stop_fair_server(k, cpu);
        }
        if !was_idle_only && self.has_idle_policy_only(cpu) {
            self.balance_early(k, cpu);
        }
        true
    }

    /// Marks `e` and everything above as next buddies.
    #[inline]
    pub(super) fn set_next_buddy(&mut self, e: Ent) {
        let mut at = Some(e);
        while let Some(se) = at {
            if !self.ents[se].on_rq || self.is_idle_entity(se) {
                return;
            }
            let q = self.ents[se].queue as usize;
            self.queues[q].next = Some(se);
            at = self.parent(se);
        }
    }

    /// Whether an entity is an idle group; idle tasks are told by their class where it matters.
    #[inline(always)]
    pub(super) fn is_idle_entity(&self, e: Ent) -> bool {
        match self.my_queue(e) {
            Some(q) => self.is_idle_queue(q),
            None => self.entity(e).weight == super::entity::IDLE_WEIGHT,
        }
    }
}
