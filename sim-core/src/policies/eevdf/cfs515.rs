//! What 5.15 does instead: vruntime decides, slices from a period, buddies.

use super::entity::{Ent, calc_delta, inverse, scaled_down};
use super::queue::EnqueueFlags;
use super::versions::tunable::FIRST;
use super::{Fair, Why};
use crate::kernel::Kernel;
use crate::policy::SchedClass;
use crate::units::CpuId;

const LATENCY: usize = FIRST;
const MIN_GRANULARITY: usize = FIRST + 1;
const WAKEUP_GRANULARITY: usize = FIRST + 2;
const GENTLE_FAIR_SLEEPERS: usize = FIRST + 3;
const START_DEBIT: usize = FIRST + 4;
const LAST_BUDDY: usize = FIRST + 5;

/// `sched_nr_latency`: with more tasks the period grows.
const NR_LATENCY: i64 = 8;

impl Fair {
    /// `sched_slice`: a part of the period by weight, level by level; at least the granularity.
    fn sched_slice(&self, e: Ent) -> i64 {
        let min = self.tunables[MIN_GRANULARITY];
        let cpu = self.cpu_of(self.ents[e].queue as usize);
        let nr = i64::from(self.queues[self.root(cpu)].h_nr) + i64::from(!self.ents[e].on_rq);
        let mut slice = if nr > NR_LATENCY { nr * min } else { self.tunables[LATENCY] };
        let mut at = Some(e);
        while let Some(se) = at {
            let entity = &self.ents[se];
            let mut load = self.queues[entity.queue as usize].load;
            if !entity.on_rq {
                load += entity.load;
            }
            slice = calc_delta(slice, entity.weight, inverse(scaled_down(load)));
            at = self.parent(se);
        }
        slice.max(min)
    }

    /// `place_entity`: new tasks a slice behind, wakers up to half a latency ahead; never backwards.
    fn place_515(&mut self, q: usize, e: Ent, initial: bool) {
        let mut v = self.queues[q].min_vruntime;
        if initial {
            if self.tunables[START_DEBIT] != 0 {
                v += self.ents[e].scaled(self.sched_slice(e));
            }
        } else {
            v -= self.tunables[LATENCY] >> i64::from(self.tunables[GENTLE_FAIR_SLEEPERS] != 0);
        }
        self.ents[e].vruntime = self.ents[e].vruntime.max(v);
    }

    /// `task_fork_fair`: behind the forker, relative to its queue.
    pub(super) fn fork_515(&mut self, k: &mut Kernel, e: Ent, cpu: CpuId) {
        let q = self.leaf_queue(k, cpu).unwrap_or(self.root(cpu));
        if let Some(curr) = self.queues[q].curr {
            self.update_curr(k, q);
            self.ents[e].vruntime = self.ents[curr].vruntime;
        }
        self.place_515(q, e, true);
        self.ents[e].vruntime -= self.queues[q].min_vruntime;
    }

    /// Wakers are placed; whoever comes otherwise holds a relative vruntime.
    pub(super) fn place_515_at_enqueue(&mut self, q: usize, e: Ent, flags: EnqueueFlags) {
        if flags.wakeup {
            self.place_515(q, e, false);
        } else {
            self.ents[e].vruntime += self.queues[q].min_vruntime;
        }
    }

    /// `check_preempt_tick`.
    pub(super) fn check_preempt_tick_515(&mut self, k: &mut Kernel, q: usize, e: Ent) {
        let ideal = self.sched_slice(e);
        let ran = (self.ents[e].sum_exec - self.ents[e].prev_sum_exec) as i64;
        let cpu = self.cpu_of(q);
        if ran > ideal {
            k.resched_expired(cpu);
            self.clear_buddies(q, e);
            return;
        }
        if ran < self.tunables[MIN_GRANULARITY] {
            return;
        }
        let Some(first) = self.first(q) else { return };
        if self.ents[e].vruntime - self.ents[first].vruntime > ideal {
            k.resched_curr(cpu);
        }
    }

    /// `wakeup_preempt_entity`: 1 = `se` is ahead by more than a granularity of its own, -1 = it is not ahead.
    fn compare_515(&self, curr: Ent, se: Ent) -> i32 {
        let lead = self.ents[curr].vruntime - self.ents[se].vruntime;
        if lead <= 0 { -1 } else { i32::from(lead > self.ents[se].scaled(self.tunables[WAKEUP_GRANULARITY])) }
    }

    pub(super) fn wakeup_preempts_515(&self, curr: Ent, woken: Ent) -> bool {
        self.compare_515(curr, woken) == 1
    }

    /// The preempted task is remembered while many compete.
    pub(super) fn remember_last_buddy_515(&mut self, curr: Ent, se: Ent) {
        let leaf = self.ents[curr].queue as usize;
        let many = i64::from(self.queues[leaf].nr) >= NR_LATENCY;
        if self.tunables[LAST_BUDDY] == 0 || !many || !self.ents[se].on_rq || !self.is_task(se) {
            return;
        }
        let mut at = Some(se);
        while let Some(e) = at {
            if !self.ents[e].on_rq || self.is_idle_entity(e) {
                return;
            }
            let q = self.ents[e].queue as usize;
            self.queues[q].last = Some(e);
            at = self.parent(e);
        }
    }

    /// `pick_next_entity`: leftmost, unless it yielded or a buddy is near enough.
    pub(super) fn pick_next_entity_515(&mut self, k: &mut Kernel, q: usize, curr: Option<Ent>) -> Option<Ent> {
        let earlier = |a: Option<Ent>, b: Option<Ent>| match (a, b) {
            (Some(curr), Some(other)) if self.ents[curr].vruntime - self.ents[other].vruntime >= 0 => Some(other),
            (Some(curr), _) => Some(curr),
            (None, other) => other,
        };
        let first = self.first(q);
        let left = earlier(curr, first)?;
        let queue = &self.queues[q];
        let mut picked = left;
        let mut why = Why::Leftmost;
        if queue.skip == Some(left) {
            let second = if Some(left) == curr {
                first
            } else {
                earlier(curr, self.nodes.next(left as u32).map(|next| next as usize))
            };
            if let Some(second) = second.filter(|&second| self.compare_515(second, left) < 1) {
                picked = second;
            }
        }
        if let Some(next) = queue.next.filter(|&next| self.compare_515(next, left) < 1) {
            picked = next;
            why = Why::NextBuddy;
        } else if let Some(last) = queue.last.filter(|&last| self.compare_515(last, left) < 1) {
            picked = last;
            why = Why::NextBuddy;
        }
        let ahead = self.ents[picked].vruntime - queue.min_vruntime;
        k.explain(why, [ahead, i64::from(queue.nr), 0]);
        Some(picked)
    }

    /// `yield_task_fair`: charged, and skipped once if somebody is near enough.
    pub(super) fn yield_515(&mut self, k: &mut Kernel, q: usize, e: Ent) {
        if k.task(self.task_of(e)).class != SchedClass::Batch {
            self.update_curr(k, q);
        }
        let mut at = Some(e);
        while let Some(se) = at {
            let q = self.ents[se].queue as usize;
            self.queues[q].skip = Some(se);
            at = self.parent(se);
        }
    }
}
