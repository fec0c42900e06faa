//! New and woken tasks, and whether they preempt.

use super::entity::{Ent, Entity, NIL};
use super::estimate::Estimate;
use super::queue::EnqueueFlags;
use super::schedule::Running;
use super::select::WakeHistory;
use super::versions::tunable;
use super::{Fair, Generation};
use crate::kernel::Kernel;
use crate::policy::{NewTask, SchedClass, WakeFlags};
use crate::units::{CpuId, TaskId};
use std::cmp::Ordering;

impl Fair {
    /// `try_to_wake_up`.
    pub(super) fn wake(&mut self, k: &mut Kernel, task: TaskId, flags: WakeFlags) {
        let e = self.ent(task);
        if self.ents[e].delayed {
            // It never left its queue: no CPU is chosen, it only becomes runnable again.
            let q = self.ents[e].queue as usize;
            self.add_estimate(e);
            self.requeue_delayed(q, e);
            let cpu = k.task(task).cpu;
            self.wakeup_preempt(k, cpu, task);
            return;
        }
        let prev = k.task(task).cpu;
        let cpu = self.select_task_rq(k, task, flags);
        let mut moved_from = None;
        if cpu != prev && self.version.generation == Generation::Cfs515 && !k.task(task).class.is_rt() {
            moved_from = Some(self.ents[e].queue as usize);
        }
        if cpu != prev {
            self.remove_load(e);
        }
        k.set_task_cpu(task, cpu);
        self.attach(k, task, cpu);
        if let Some(from) = moved_from {
            self.carry_over(from, e);
        }
        if k.task(task).class.is_rt() {
            self.enqueue_rt(k, task);
        } else {
            self.enqueue_fair(k, e, EnqueueFlags { wakeup: true, initial: false });
        }
        self.wakeup_preempt(k, cpu, task);
        self.task_woken_rt(k, cpu, task, flags.cpu);
    }

    /// `wake_up_new_task`.
    pub(super) fn fork(&mut self, k: &mut Kernel, task: TaskId, new: NewTask) {
        let e = self.ent(task);
        self.ents[e] = Entity::new(0, NIL);
        self.choose_group(k, task);
        let (load, inverse) = Fair::task_weight(k, task);
        self.ents[e].set_load(load, inverse);
        self.wakes[task.index()] = WakeHistory::new(new.cpu);
        self.estimates[task.index()] = Estimate::default();
        self.ents[e].slice = self.base_slice;
        self.ask_for_slice(k.task(task).slice_ns, e);
        self.rr_ticks[task.index()] = self.rr_quantum();
        if k.task(task).class.is_rt() {
            let cpu = self.select_fork_cpu(k, task, new);
            k.set_task_cpu(task, cpu);
            self.attach(k, task, cpu);
            self.enqueue_rt(k, task);
            self.wakeup_preempt(k, cpu, task);
            self.task_woken_rt(k, cpu, task, new.cpu);
            return;
        }
        self.attach(k, task, new.cpu);
        match self.version.generation {
            Generation::Cfs515 => self.fork_515(k, e, new.cpu),
            Generation::Eevdf66 => {
                // task_fork_fair charges the forker and places the child; the enqueue places it again.
                if let Some(q) = self.leaf_queue(k, new.cpu) {
                    self.update_curr(k, q);
                }
            }
            Generation::Eevdf612 => {}
        }
        let cpu = self.select_fork_cpu(k, task, new);
        k.set_task_cpu(task, cpu);
        self.attach(k, task, cpu);
        self.start_load(k, e);
        let initial = self.version.generation == Generation::Eevdf612;
        self.enqueue_fair(k, e, EnqueueFlags { wakeup: false, initial });
        self.wakeup_preempt(k, cpu, task);
    }

    /// `wakeup_preempt`: may `task`, just queued on `cpu`, displace the running one?
    pub(super) fn wakeup_preempt(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        let woken_rt = k.task(task).class.is_rt();
        match self.running(k, k.curr(cpu)) {
            Running::Idle => k.resched_curr(cpu),
            Running::Stop => {}
            Running::Rt(curr) if woken_rt => match k.task(task).rt_priority.cmp(&k.task(curr).rt_priority) {
                Ordering::Greater => k.resched_curr(cpu),
                Ordering::Equal => self.preempts_equal(k, cpu, curr, task),
                Ordering::Less => {}
            },
            Running::Rt(_) => {}
            Running::Fair(_) if woken_rt => k.resched_curr(cpu),
            Running::Fair(curr) => self.check_preempt_fair(k, cpu, curr, self.ent(task)),
        }
    }

    /// Walks both paths up to entities of one queue (`find_matching_se`).
    fn matching_entities(&self, mut a: Ent, mut b: Ent) -> (Ent, Ent) {
        let (mut depth_a, mut depth_b) = (self.depth(a), self.depth(b));
        while self.ents[a].queue != self.ents[b].queue {
            if depth_a >= depth_b {
                let up = self.parent(a).expect("paths meet at the root");
                if depth_a == depth_b {
                    b = self.parent(b).expect("paths meet at the root");
                    depth_b -= 1;
                }
                a = up;
                depth_a -= 1;
            } else {
                b = self.parent(b).expect("paths meet at the root");
                depth_b -= 1;
            }
        }
        (a, b)
    }

    fn entity_is_idle(&self, k: &Kernel, e: Ent) -> bool {
        if self.is_task(e) { Fair::has_idle_policy(k, self.task_of(e)) } else { self.is_idle_entity(e) }
    }

    fn check_preempt_fair(&mut self, k: &mut Kernel, cpu: CpuId, curr: Ent, woken: Ent) {
        if curr == woken || self.queues[self.ents[woken].queue as usize].throttle_count > 0 || k.need_resched(cpu) {
            return;
        }
        let (curr_task, task) = (self.task_of(curr), self.task_of(woken));
        let preemption = self.tunables[tunable::WAKEUP_PREEMPTION] != 0;
        let normal = k.task(task).class == SchedClass::Normal;
        if self.version.idle_test_on_tasks {
            if Fair::has_idle_policy(k, curr_task) && !Fair::has_idle_policy(k, task) {
                return self.preempt(k, cpu, curr, curr);
            }
            if !normal || !preemption {
                return;
            }
        } else if !preemption {
            return;
        }
        let (se, pse) = self.matching_entities(curr, woken);
        let (curr_idle, woken_idle) = (self.entity_is_idle(k, se), self.entity_is_idle(k, pse));
        if curr_idle && !woken_idle {
            if self.version.stable_612 {
                self.cancel_protection(se);
            }
            return self.preempt(k, cpu, curr, se);
        }
        if curr_idle != woken_idle || !normal {
            return;
        }
        let q = self.ents[se].queue as usize;
        self.update_curr(k, q);
        if self.version.generation == Generation::Cfs515 {
            if self.wakeup_preempts_515(se, pse) {
                self.set_next_buddy(pse);
                self.preempt(k, cpu, curr, se);
            }
            return;
        }
        if self.short_slice_preempts(q, se, pse) {
            self.cancel_protection(se);
        }
        if self.pick_eevdf(q) == Some(pse) {
            k.resched_curr(cpu);
        }
    }

    fn preempt(&mut self, k: &mut Kernel, cpu: CpuId, curr: Ent, se: Ent) {
        k.resched_curr(cpu);
        if self.version.generation == Generation::Cfs515 {
            self.remember_last_buddy_515(curr, se);
        }
    }

    fn cancel_protection(&mut self, e: Ent) {
        let entity = &mut self.ents[e];
        if entity.is_protected() {
            entity.vlag = entity.deadline + 1;
        }
    }

    /// PREEMPT_SHORT: a shorter slice, eligible, and an earlier deadline (or the running one is not eligible).
    #[inline(always)]
    fn short_slice_preempts(&self, q: usize, curr: Ent, woken: Ent) -> bool {
        self.features.preempt_short
            && self.ents[woken].slice < self.ents[curr].slice
            && self.eligible(q, woken)
            && (self.ents[woken].deadline - self.ents[curr].deadline < 0 || !self.eligible(q, curr))
    }
}
