//! Load balancing before sched domains: queue lengths only.

use super::O1;
use super::reasons::Mark;
use crate::kernel::Kernel;
use crate::machine::cost::Work;
use crate::units::{CpuId, TaskId};

impl O1 {
    /// K3 `load_balance`. Lengths are compared with those of the last call, so that short bursts move nothing.
    pub(super) fn balance_lengths(&mut self, k: &mut Kernel, this: CpuId, idle: bool) {
        let (own, busiest) = self.longest_queue(k, this, idle);
        let Some((busiest, longest)) = busiest else { return };
        let imbalance = (longest - own) / 2;
        if !idle && imbalance < (longest + 3) / 4 {
            return;
        }
        if self.rq(busiest).nr_running <= self.rq(this).nr_running + 1 {
            return;
        }
        let active = self.rq(busiest).active;
        let expired = self.rq(busiest).expired();
        let from_expired = self.rq(busiest).array(expired).nr_active() > 0;
        if from_expired && self.pull_one_tail(k, this, busiest, expired) {
            // At most one more, from the other array.
            if !idle && imbalance - 1 != 0 {
                self.pull_one_tail(k, this, busiest, active);
            }
            return;
        }
        self.pull_one_tail(k, this, busiest, active);
    }

    /// This queue's length and the longest other one above 1, smoothed unless idle.
    fn longest_queue(&mut self, k: &mut Kernel, this: CpuId, idle: bool) -> (i64, Option<(CpuId, i64)>) {
        let mut own = 0;
        let (mut busiest, mut longest) = (None, 1);
        for index in 0..self.rqs.len() {
            let cpu = CpuId(index as u16);
            k.charge(this, Work::CpuProbed, 1);
            let now = self.rqs[index].nr_running;
            let seen = std::mem::replace(&mut self.rq_mut(this).prev_nr_running[index], now);
            let load = match (idle, cpu == this) {
                (true, _) => now,
                (false, true) => now.max(seen),
                (false, false) => now.min(seen),
            };
            if cpu == this {
                own = i64::from(load);
            } else if i64::from(load) > longest {
                longest = i64::from(load);
                busiest = Some(cpu);
            }
        }
        (own, busiest.map(|cpu| (cpu, longest)))
    }

    /// Pulls the first movable list tail of an array. The walk begins at the tail but then goes on in the wrong
    /// direction, so nobody else is ever looked at (mended in 2.5.27).
    fn pull_one_tail(&mut self, k: &mut Kernel, this: CpuId, busiest: CpuId, array: u8) -> bool {
        let jiffies = k.jiffies();
        let mut level = 0;
        while let Some(prio) = self.rq(busiest).array(array).next_level(level) {
            level = u32::from(prio) + 1;
            k.charge(this, Work::TaskScanned, 1);
            let Some(task) = self.rq(busiest).array(array).tail(prio) else { continue };
            let cold = jiffies - self.data(task).timestamp > self.params.cache_decay;
            if cold && k.curr(busiest) != Some(task) && k.task(task).affinity.contains(this) {
                self.pull_early(k, task, busiest, this);
                return true;
            }
        }
        false
    }

    /// Always into the active array.
    fn pull_early(&mut self, k: &mut Kernel, task: TaskId, from: CpuId, to: CpuId) {
        self.unqueue(k, from, task);
        k.set_task_cpu(task, to);
        k.charge(to, Work::Migrated, 1);
        let active = self.rq(to).active;
        self.queue_in(k, to, task, active);
        k.note(Some(to), Mark::Pull, [1, i64::from(from.0)]);
        self.test_preemption(k, to, task, to);
    }

    /// `load_balance` of January 2002: pulls until the lengths are about even.
    pub(super) fn balance_lengths_january(&mut self, k: &mut Kernel, this: CpuId) {
        k.charge(this, Work::CpuProbed, self.rqs.len() as u64);
        let longest = self.rqs.iter().map(|rq| rq.nr_running).max().unwrap_or(0);
        let own = self.rq(this).nr_running;
        if longest - own <= 1 + longest / 8 {
            return;
        }
        let mut want = longest - own;
        let mut limit = longest + 1;
        while let Some(busiest) = self.busiest_below(this, limit) {
            let length = self.rq(busiest).nr_running;
            if length <= self.rq(this).nr_running {
                return;
            }
            limit = length;
            if length <= self.rq(this).nr_running + 1 {
                return;
            }
            let (active, expired) = (self.rq(busiest).active, self.rq(busiest).expired());
            let arrays = if self.rq(busiest).array(expired).nr_active() > 0 {
                [Some(expired), Some(active)]
            } else {
                [Some(active), None]
            };
            for array in arrays.into_iter().flatten() {
                if self.pull_one_head(k, this, busiest, array) {
                    want -= 1;
                    if want == 0 {
                        return;
                    }
                }
            }
        }
    }

    /// The longest queue other than `this` that is shorter than `limit`; the first of equals.
    fn busiest_below(&self, this: CpuId, limit: u32) -> Option<CpuId> {
        let mut found: Option<(CpuId, u32)> = None;
        for (index, rq) in self.rqs.iter().enumerate() {
            let cpu = CpuId(index as u16);
            if cpu != this && rq.nr_running < limit && found.is_none_or(|(_, length)| rq.nr_running > length) {
                found = Some((cpu, rq.nr_running));
            }
        }
        found.map(|(cpu, _)| cpu)
    }

    /// Pulls the first movable normal task of an array, lists from the head.
    fn pull_one_head(&mut self, k: &mut Kernel, this: CpuId, busiest: CpuId, array: u8) -> bool {
        let mut level = u32::from(self.version.first_normal);
        while let Some(prio) = self.rq(busiest).array(array).next_level(level) {
            level = u32::from(prio) + 1;
            let mut at = self.rq(busiest).array(array).head(prio);
            while let Some(task) = at {
                k.charge(this, Work::TaskScanned, 1);
                if k.curr(busiest) != Some(task) && k.task(task).affinity.contains(this) {
                    self.pull_early(k, task, busiest, this);
                    return true;
                }
                at = self.links.next(task);
            }
        }
        false
    }
}
