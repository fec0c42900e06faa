//! Estimated utilisation (`util_est`): what tasks used when they last went to sleep. Their averages fade while they
//! sleep, and a CPU's average has not grown yet when they wake; the estimates of all queued tasks count at once.

use super::entity::Ent;
use super::pelt::SCALE;
use super::{Fair, Generation};
use crate::units::CpuId;

/// Differences below one per cent of a CPU do not count (`UTIL_EST_MARGIN`).
const MARGIN: i64 = SCALE as i64 / 100;

/// A new value counts one part in `1 << SHIFT` (`UTIL_EST_WEIGHT_SHIFT`).
const SHIFT: u32 = 2;

/// Of a task. All in parts of [`SCALE`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Estimate {
    /// Utilisation when it last slept (`util_est.enqueued`; 6.8 and later do without).
    last: i64,
    /// The same averaged, where it falls; rises count at once (`ewma`).
    average: i64,
    /// The task's own average has not changed since (`UTIL_AVG_UNCHANGED`).
    pub unchanged: bool,
}

impl Estimate {
    /// `_task_util_est`.
    pub fn value(self) -> i64 {
        self.average.max(self.last)
    }

    /// `util_est_update` of 5.15 and 6.6 when the task sleeps; `util` is what it used.
    fn update(&mut self, util: i64) {
        let before = std::mem::replace(&mut self.last, util);
        let fall = self.average - util;
        if fall < 0 {
            self.average = util;
        } else if fall < MARGIN {
            if (before - util).abs() < MARGIN {
                self.last = before;
                return;
            }
        } else if util > SCALE as i64 {
            self.last = before;
            return;
        } else {
            self.average = ((self.average << SHIFT) - fall) >> SHIFT;
        }
        self.unchanged = true;
    }

    /// The same since 6.8: one value, which does not fall when the task had to wait for the CPU.
    fn update_since_6_8(&mut self, util: i64, runnable: i64) {
        let fall = self.average - util;
        if fall <= 0 {
            self.average = util;
        } else if fall >= MARGIN {
            if util > SCALE as i64 {
                return;
            }
            if util + MARGIN >= runnable {
                self.average = ((self.average << SHIFT) - fall) >> SHIFT;
            }
        }
        self.unchanged = true;
    }
}

impl Fair {
    /// `util_est_enqueue`.
    #[inline(always)]
    pub(super) fn add_estimate(&mut self, e: Ent) {
        if self.smp {
            let cpu = self.cpu_of(self.ents[e].queue as usize);
            self.cpu_estimates[cpu.index()] += self.estimates[self.task_of(e).index()].value();
        }
    }

    /// `util_est_dequeue`.
    #[inline(always)]
    pub(super) fn remove_estimate(&mut self, e: Ent) {
        if self.smp {
            let cpu = self.cpu_of(self.ents[e].queue as usize);
            self.cpu_estimates[cpu.index()] -= self.estimates[self.task_of(e).index()].value();
        }
    }

    /// `util_est_update` of a task that went to sleep.
    #[inline(always)]
    pub(super) fn update_estimate(&mut self, e: Ent) {
        let estimate = &mut self.estimates[e - self.first_task];
        if !self.smp || estimate.unchanged {
            return;
        }
        let avg = &self.ents[e].avg;
        match self.version.generation {
            Generation::Cfs515 | Generation::Eevdf66 => estimate.update(avg.util_avg),
            Generation::Eevdf612 => estimate.update_since_6_8(avg.util_avg, avg.runnable_avg),
        }
    }

    /// `task_util_est`: what a task uses, or is expected to.
    pub(super) fn task_util(&self, e: Ent) -> i64 {
        self.ents[e].avg.util_avg.max(self.estimates[e - self.first_task].value())
    }

    /// `cpu_util`: what is used of a CPU, or will be by those that are queued; at most all.
    pub(super) fn cpu_util(&self, cpu: CpuId) -> i64 {
        let used = self.queues[self.root(cpu)].tracked.avg.util_avg;
        used.max(self.cpu_estimates[cpu.index()]).min(SCALE as i64)
    }

    /// `cpu_util_cfs_boost` (6.5 and later): the same, or how many wanted the CPU.
    pub(super) fn boosted_cpu_util(&self, cpu: CpuId) -> i64 {
        let util = self.cpu_util(cpu);
        if self.version.generation == Generation::Cfs515 {
            return util;
        }
        util.max(self.queues[self.root(cpu)].tracked.avg.runnable_avg).min(SCALE as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_rise_at_once_and_fall_by_a_quarter() {
        let mut estimate = Estimate::default();
        let mut values = Vec::new();
        // A rise; a fall of 100; near the average but not to the last value; near both, which changes nothing.
        for util in [400, 300, 372, 370] {
            estimate.unchanged = false;
            estimate.update(util);
            values.push((estimate.value(), estimate.last, estimate.unchanged));
        }
        assert_eq!(values, [(400, 400, true), (375, 300, true), (375, 372, true), (375, 372, false)]);
    }

    #[test]
    fn since_6_8_waiting_keeps_an_estimate_up() {
        let mut estimate = Estimate::default();
        let mut values = Vec::new();
        for (util, runnable) in [(400, 400), (300, 311), (300, 310), (370, 370)] {
            estimate.update_since_6_8(util, runnable);
            values.push(estimate.value());
        }
        assert_eq!(values, [400, 400, 375, 375]);
    }
}
