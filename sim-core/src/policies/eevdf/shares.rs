//! Weights: of tasks by nice level, of group entities by what part of the group's load their CPU has.

use super::Fair;
use super::entity::{Ent, Entity, IDLE_INVERSE, IDLE_WEIGHT, inverse, scaled_down, scaled_up};
use super::pelt::subtract;
use crate::kernel::Kernel;
use crate::policy::SchedClass;
use crate::queues::nice;
use crate::units::{GroupId, TaskId};

/// Smallest weight of a group entity (`MIN_SHARES`), as the kernel has it: without the extra bits.
const SHARES_MIN: i64 = 2;

/// Part of a group's shares that a CPU gets for `load` there; `others` is the load on the other CPUs.
pub(super) fn part_of_shares(shares: i64, load: i64, others: i64) -> i64 {
    let all = others + load;
    let part = shares * load;
    (if all > 0 { part / all } else { part }).clamp(SHARES_MIN, shares.max(SHARES_MIN))
}

impl Fair {
    /// Weight (with extra bits) and inverse of a task by class and nice level.
    pub(super) fn task_weight(k: &Kernel, task: TaskId) -> (i64, u32) {
        let task = k.task(task);
        if task.class == SchedClass::Idle {
            return (scaled_up(IDLE_WEIGHT), IDLE_INVERSE);
        }
        (scaled_up(nice::weight(task.nice) as i64), nice::inverse(task.nice) as u32)
    }

    /// Shares of a group, scaled down.
    pub(super) fn group_shares(&self, k: &Kernel, group: GroupId) -> i64 {
        if self.group_idle[group.index()] { IDLE_WEIGHT } else { k.groups()[group.index()].shares as i64 }
    }

    /// `calc_group_shares`: weight of the group's entity on one CPU, with extra bits.
    #[inline(always)]
    pub(super) fn calc_group_shares(&self, k: &Kernel, q: usize) -> i64 {
        let group = self.group_of(q);
        let shares = scaled_up(self.group_shares(k, group));
        if !self.smp {
            return shares;
        }
        let queue = &self.queues[q];
        let load = queue.weight().max(queue.tracked.avg.load_avg);
        part_of_shares(shares, load, self.group_load[group.index()] - queue.tracked.contribution)
    }

    /// `update_cfs_group`: gives a group entity its weight.
    pub(super) fn update_group_weight(&mut self, k: &mut Kernel, e: Ent) {
        let Some(q) = self.my_queue(e) else { return };
        let queue = &self.queues[q];
        let empty = self.version.stable_612 && queue.load == 0;
        let throttled = (self.smp || self.version.stable_612) && queue.throttle_count > 0;
        if empty || throttled {
            return;
        }
        let load = self.calc_group_shares(k, q);
        if self.ents[e].load != load {
            self.reweight(k, e, load, inverse(scaled_down(load)));
        }
    }

    /// `reweight_entity`: `load` is the new weight with its extra bits.
    pub(super) fn reweight(&mut self, k: &mut Kernel, e: Ent, load: i64, inverse: u32) {
        let Entity { queue, load: old, on_rq, .. } = self.ents[e];
        let q = queue as usize;
        if old == load {
            return;
        }
        let eevdf = self.is_eevdf();
        let waits = on_rq && self.queues[q].curr != Some(e);
        if on_rq && (!waits || self.version.reweight_moves_v) {
            self.update_curr(k, q);
        }
        let moves_v = eevdf && on_rq && self.version.reweight_moves_v;
        let v = if moves_v { self.avg_vruntime(q) } else { 0 };
        if waits {
            self.erase(q, e);
        }
        if eevdf && !on_rq {
            let entity = &mut self.ents[e];
            entity.vlag = entity.vlag * old / load;
        } else if moves_v {
            let lag = self.entity_lag(v, e);
            let entity = &mut self.ents[e];
            if v != entity.vruntime {
                entity.vruntime = v - lag * old / load;
            }
            entity.deadline = v + (entity.deadline - v) * old / load;
        } else if eevdf {
            let entity = &mut self.ents[e];
            entity.deadline = entity.vruntime + (entity.deadline - entity.vruntime) * old / load;
        }
        self.reweight_tracked(q, e, load, inverse);
        if on_rq {
            self.queues[q].load += load - old;
            if waits {
                self.insert(q, e);
            }
            self.update_min_vruntime(q);
        }
    }

    /// The tracked load of an entity follows its weight at once, and its queue's with it.
    #[inline(always)]
    fn reweight_tracked(&mut self, q: usize, e: Ent, load: i64, inverse: u32) {
        let entity = &mut self.ents[e];
        let before = (entity.avg.load_avg, entity.weight as u64 * entity.avg.load_sum);
        entity.set_load(load, inverse);
        if !self.smp {
            return;
        }
        entity.avg.load_avg = (entity.weight as u64 * entity.avg.load_sum / entity.avg.divider()) as i64;
        if entity.attached {
            let queue = &mut self.queues[q].tracked.avg;
            subtract(&mut queue.load_avg, &mut queue.load_sum, before.0, before.1);
            queue.load_avg += entity.avg.load_avg;
            queue.load_sum += entity.weight as u64 * entity.avg.load_sum;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_split_by_its_loads() {
        // modern.md 10.4: three nice-0 tasks, one on CPU 0, two on CPU 1; queue loads 1023 and 2046.
        let shares = scaled_up(1024);
        let weight = [(1024, 2046), (2048, 1023)].map(|(load, others)| {
            let part = part_of_shares(shares, load, others);
            (part, scaled_down(part))
        });
        assert_eq!(weight, [(349_753, 341), (699_278, 682)]);
        // One task alone, and then a second one that just woke on CPU 1.
        assert_eq!(part_of_shares(shares, 1024, 0), 1_048_576);
        assert_eq!(part_of_shares(shares, 1024, 1023), 524_544);
        assert_eq!((part_of_shares(shares, 0, 5000), part_of_shares(0, 0, 0)), (2, 2));
    }
}
