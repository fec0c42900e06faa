//! Choosing the next entity, and the wakeup preemption test that shares its comparison.

use super::Cfs;
use super::rq::{Cause, EntityId, QueueId};
use super::version::{Pick, Preempt};
use super::weight::calc_delta;
use crate::kernel::Kernel;
use crate::machine::cost::Work;
use crate::policy::SchedClass;
use crate::queues::nice::{self, NICE_0_LOAD};
use crate::units::{CpuId, TaskId};

/// Which entity a pick preferred to the leftmost one, for the explanation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Picked {
    /// The leftmost at every level.
    #[default]
    Leftmost,
    /// A wakeup buddy that is so far behind the leftmost.
    Next(u64),
    /// A preempted buddy that is so far behind the leftmost.
    Last(u64),
}

impl Cfs {
    /// `pick_next_task_fair`.
    pub(super) fn pick_next_task_fair(&mut self, k: &mut Kernel, cpu: CpuId) -> Option<TaskId> {
        self.picked = Picked::Leftmost;
        let mut queue = self.top_queue(cpu);
        loop {
            if self.q(queue).nr_running == 0 {
                return None;
            }
            let entity = self.pick_next_entity(queue)?;
            k.charge(cpu, Work::Entity, 1);
            self.set_next_entity(queue, entity);
            match self.e(entity).my_queue {
                Some(below) => queue = below,
                None => {
                    let task = self.task_of(entity)?;
                    self.hrtick_start_fair(k, cpu, task);
                    return Some(task);
                }
            }
        }
    }

    /// `pick_next_entity`.
    fn pick_next_entity(&mut self, queue: QueueId) -> Option<EntityId> {
        let leftmost = EntityId(self.q(queue).tree.leftmost()?);
        let next = self.q(queue).next.filter(|&next| next != leftmost);
        match self.version.pick {
            Pick::Leftmost => Some(leftmost),
            Pick::ShrinkingWindow => {
                let Some(next) = next else { return Some(leftmost) };
                let behind = self.lead(next, leftmost);
                let load = &mut self.queues[queue.index()].load;
                let window = calc_delta(self.knobs.wakeup_granularity, NICE_0_LOAD, load, &mut self.divider);
                if behind < 0 || behind > window as i64 {
                    return Some(leftmost);
                }
                Some(self.take_next(next, behind))
            }
            Pick::Window => {
                let Some(next) = next else { return Some(leftmost) };
                if self.wakeup_preempt_entity(next, leftmost) != 0 {
                    return Some(leftmost);
                }
                let behind = self.lead(next, leftmost);
                Some(self.take_next(next, behind))
            }
            Pick::PairSlice => self.pick_pair(queue, leftmost),
            Pick::LastBuddy => Some(self.pick_last_buddy(queue, leftmost)),
        }
    }

    fn take_next(&mut self, next: EntityId, behind: i64) -> EntityId {
        self.picked = Picked::Next(behind.max(0) as u64);
        next
    }

    /// 2.6.27: the buddy, until the pair that it forms with others has run for its slice.
    fn pick_pair(&mut self, queue: QueueId, leftmost: EntityId) -> Option<EntityId> {
        let clock = self.rq(self.q(queue).cpu).clock;
        let buddy = self.q(queue).next;
        if let Some(next) = buddy {
            let since = clock.wrapping_sub(self.q(queue).pair_start);
            if since <= self.sched_slice(queue, next) {
                if next == leftmost {
                    return Some(next);
                }
                let behind = self.lead(next, leftmost);
                return Some(self.take_next(next, behind));
            }
        }
        self.q_mut(queue).pair_start = clock;
        Some(leftmost)
    }

    /// 2.6.32: `next`, then `last`, if the leftmost does not beat them by the granularity; both marks are used up.
    fn pick_last_buddy(&mut self, queue: QueueId, leftmost: EntityId) -> EntityId {
        let (next, last) = (self.q(queue).next, self.q(queue).last);
        let mut chosen = leftmost;
        if let Some(next) = next.filter(|&next| self.wakeup_preempt_entity(next, leftmost) < 1) {
            chosen = next;
            if next != leftmost {
                self.picked = Picked::Next(self.lead(next, leftmost).max(0) as u64);
            }
        } else if let Some(last) = last.filter(|&last| self.wakeup_preempt_entity(last, leftmost) < 1) {
            chosen = last;
            if last != leftmost {
                self.picked = Picked::Last(self.lead(last, leftmost).max(0) as u64);
            }
        }
        let q = self.q_mut(queue);
        q.next = None;
        q.last = None;
        chosen
    }

    /// Signed difference of virtual times: how far `other` is ahead of `entity`.
    pub(super) fn lead(&self, entity: EntityId, other: EntityId) -> i64 {
        self.e(entity).vruntime.wrapping_sub(self.e(other).vruntime) as i64
    }

    /// `wakeup_preempt_entity`: 1 = `entity` beats `curr` by more than the granularity, 0 = by less, -1 = not at all.
    pub(super) fn wakeup_preempt_entity(&mut self, curr: EntityId, entity: EntityId) -> i32 {
        let lead = self.lead(curr, entity);
        if lead < 0 || lead == 0 && self.version.preempt == Preempt::Adaptive {
            return -1;
        }
        i32::from(lead > self.wakeup_gran(curr, entity) as i64)
    }

    /// `wakeup_gran`: lead that `entity` needs over `curr`, virtual ns.
    #[inline(always)]
    pub(super) fn wakeup_gran(&mut self, curr: EntityId, entity: EntityId) -> u64 {
        let granularity = self.knobs.wakeup_granularity;
        match self.version.preempt {
            Preempt::Unsigned => self.gran_of_weight(granularity, curr),
            Preempt::UnsignedHeavy | Preempt::Heavy => {
                if self.e(curr).load.weight > NICE_0_LOAD {
                    self.gran_of_weight(granularity, curr)
                } else {
                    granularity
                }
            }
            Preempt::Asymmetric if !self.knobs.asym_gran => self.calc_delta_fair(granularity, curr),
            Preempt::Asymmetric => {
                let mut gran = granularity;
                let mut at = Some(curr);
                while let Some(level) = at {
                    let entity = &mut self.entities[level.index()];
                    let mut queue_weight = self.queues[entity.queue.index()].load.weight;
                    let mut light;
                    let load = if entity.load.weight < NICE_0_LOAD {
                        // Light entities are treated as nice 0, in a queue that is heavier by the difference.
                        queue_weight += NICE_0_LOAD - entity.load.weight;
                        light = super::weight::LoadWeight { weight: NICE_0_LOAD, inverse: nice::inverse(0) };
                        &mut light
                    } else {
                        &mut entity.load
                    };
                    gran = calc_delta(gran, queue_weight, load, &mut self.divider);
                    at = entity.parent;
                }
                gran
            }
            Preempt::Adaptive => {
                let mut gran = granularity;
                if self.knobs.adaptive_gran && self.q(self.e(curr).queue).curr.is_some() {
                    gran = self.adaptive_gran(curr, entity);
                }
                if self.knobs.asym_gran { self.gran_of_weight(gran, entity) } else { gran }
            }
        }
    }

    #[inline(always)]
    fn gran_of_weight(&mut self, granularity: u64, entity: EntityId) -> u64 {
        let load = &mut self.entities[entity.index()].load;
        if load.weight == NICE_0_LOAD {
            granularity
        } else {
            calc_delta(granularity, NICE_0_LOAD, load, &mut self.divider)
        }
    }

    /// `adaptive_gran`: what is left of the time in which the woken entity would wake somebody again.
    fn adaptive_gran(&self, curr: EntityId, entity: EntityId) -> u64 {
        let ran = self.e(curr).sum_exec.wrapping_sub(self.e(curr).prev_sum_exec);
        let woken = self.e(entity);
        let expected = (2 * woken.avg_wakeup).wrapping_mul(self.q(woken.queue).nr_running);
        expected.saturating_sub(ran).min(self.knobs.wakeup_granularity)
    }

    // ---- wakeup preemption -----------------------------------------------------------------------------------------

    /// `check_preempt_curr`: may `task`, just queued on `cpu`, displace who runs there?
    pub(super) fn check_preempt_curr(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        match k.curr(cpu) {
            None => self.resched(k, cpu, Cause::None),
            Some(curr) if !self.is_fair(curr) => {
                if self.t(task).prio < self.t(curr).prio {
                    self.resched(k, cpu, Cause::None);
                }
            }
            Some(curr) => self.check_preempt_wakeup(k, cpu, curr, task),
        }
    }

    /// `check_preempt_wakeup` of the fair class.
    fn check_preempt_wakeup(&mut self, k: &mut Kernel, cpu: CpuId, curr: TaskId, task: TaskId) {
        let entity = self.task_entity(curr);
        let woken = self.task_entity(task);
        let woken_is_rt = !self.is_fair(task);
        match self.version.preempt {
            Preempt::Adaptive => {
                self.charge_running(curr);
                if woken_is_rt {
                    return self.resched(k, cpu, Cause::None);
                }
                if woken == entity || !self.mark_buddies(k, cpu, curr, task) {
                    return;
                }
                if self.t(task).class != SchedClass::Normal {
                    return;
                }
                if self.t(curr).class == SchedClass::Idle {
                    return self.resched(k, cpu, Cause::None);
                }
            }
            Preempt::Unsigned | Preempt::UnsignedHeavy | Preempt::Heavy | Preempt::Asymmetric => {
                if woken_is_rt {
                    self.update_rq_clock(k, cpu);
                    self.charge_running(curr);
                    return self.resched(k, cpu, Cause::None);
                }
                if self.version.pick != Pick::Leftmost {
                    if !self.version.last_wakeup_at_wakeup {
                        self.t_mut(curr).last_wakeup = self.e(entity).sum_exec;
                    }
                    if woken == entity {
                        return;
                    }
                    let queue = self.e(woken).queue;
                    self.q_mut(queue).next = Some(woken);
                }
                if self.t(task).class == SchedClass::Batch {
                    return;
                }
            }
        }
        if self.knobs.wakeup_preempt {
            self.compare_and_resched(k, cpu, entity, woken);
        }
    }

    /// 2.6.32: marks the running task (and the woken one, if NEXT_BUDDY). Returns whether the test goes on.
    fn mark_buddies(&mut self, k: &Kernel, cpu: CpuId, curr: TaskId, task: TaskId) -> bool {
        let entity = self.task_entity(curr);
        if self.knobs.last_buddy && self.e(entity).on_rq && self.t(curr).class != SchedClass::Idle {
            let mut at = Some(entity);
            while let Some(level) = at {
                let queue = self.e(level).queue;
                self.q_mut(queue).last = Some(level);
                at = self.e(level).parent;
            }
        }
        if self.knobs.next_buddy && self.t(task).class != SchedClass::Idle {
            let mut at = Some(self.task_entity(task));
            while let Some(level) = at {
                let queue = self.e(level).queue;
                self.q_mut(queue).next = Some(level);
                at = self.e(level).parent;
            }
        }
        !self.test_need_resched(k, cpu)
    }

    /// `find_matching_se`: the ancestors of both that are on the same queue.
    fn matching(&self, a: EntityId, b: EntityId) -> Option<(EntityId, EntityId)> {
        let (mut a, mut b) = (a, b);
        while self.e(a).depth > self.e(b).depth {
            a = self.e(a).parent?;
        }
        while self.e(b).depth > self.e(a).depth {
            b = self.e(b).parent?;
        }
        while self.e(a).queue != self.e(b).queue {
            a = self.e(a).parent?;
            b = self.e(b).parent?;
        }
        Some((a, b))
    }

    fn compare_and_resched(&mut self, k: &mut Kernel, cpu: CpuId, entity: EntityId, woken: EntityId) {
        let Some((curr, woken)) = self.matching(entity, woken) else { return };
        let gran = self.wakeup_gran(curr, woken);
        let preempts = match self.version.preempt {
            Preempt::Unsigned | Preempt::UnsignedHeavy => {
                self.e(woken).vruntime.wrapping_add(gran) < self.e(curr).vruntime
            }
            Preempt::Heavy | Preempt::Asymmetric | Preempt::Adaptive => self.wakeup_preempt_entity(curr, woken) == 1,
        };
        if preempts {
            let lead = self.lead(curr, woken).max(0) as u64;
            self.resched(k, cpu, Cause::WakeupLead(lead, gran));
        }
    }
}
