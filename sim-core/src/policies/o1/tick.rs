//! `scheduler_tick`: slices, expiry, and the round robin of interactive tasks.

use super::O1;
use super::rq::Cause;
use super::versions::Estimator;
use crate::kernel::Kernel;
use crate::policy::SchedClass;
use crate::queues::domain_balance::rebalance_tick;
use crate::units::{CpuId, TaskId};

impl O1 {
    /// The tick of one CPU.
    pub(super) fn tick(&mut self, k: &mut Kernel, cpu: CpuId) {
        match self.version.estimator {
            Estimator::Nanos => self.tick_nanos(k, cpu),
            Estimator::Ticks => self.tick_ticks(k, cpu),
            Estimator::History | Estimator::Steps => self.tick_january(k, cpu),
        }
    }

    /// 2.6.
    fn tick_nanos(&mut self, k: &mut Kernel, cpu: CpuId) {
        let now = k.now();
        let at_switch = self.version.nanos.clock_at_switch;
        self.rq_mut(cpu).clock = now;
        self.class_tick(k, cpu);
        if let Some(curr) = k.curr(cpu) {
            if at_switch {
                self.data_mut(curr).last_ran = now;
            }
            self.task_running_tick(k, cpu, curr);
        }
        if self.rqs.len() > 1 {
            rebalance_tick(self, k, cpu);
        }
    }

    /// `task_running_tick` (2.6.21), the middle of `scheduler_tick` before.
    pub(super) fn task_running_tick(&mut self, k: &mut Kernel, cpu: CpuId, curr: TaskId) {
        if self.data(curr).array != Some(self.rq(cpu).active) {
            // Expired already, but not switched out yet.
            k.resched_expired(cpu);
            return;
        }
        if self.is_rt(curr) {
            return self.tick_rt(k, cpu, curr);
        }
        let left = self.data(curr).time_slice.saturating_sub(1);
        self.data_mut(curr).time_slice = left;
        if left == 0 {
            self.slice_used_up(k, cpu, curr);
        } else {
            self.split_slice(k, cpu, curr, left);
        }
    }

    /// RR counts down and goes behind its equals; FIFO has no slice.
    fn tick_rt(&mut self, k: &mut Kernel, cpu: CpuId, curr: TaskId) {
        if self.data(curr).class != SchedClass::Rr {
            return;
        }
        let left = self.data(curr).time_slice.saturating_sub(1);
        self.data_mut(curr).time_slice = left;
        if left == 0 {
            let slice = self.timeslice(curr);
            let data = self.data_mut(curr);
            data.time_slice = slice;
            data.first_time_slice = false;
            self.rq_mut(cpu).cause = Cause::RoundRobin;
            k.resched_expired(cpu);
            self.requeue(k, cpu, curr);
        }
    }

    /// End of a normal task's slice: new priority, new slice, and the choice between the arrays.
    fn slice_used_up(&mut self, k: &mut Kernel, cpu: CpuId, curr: TaskId) {
        let jiffies = k.jiffies();
        self.dequeue(k, cpu, curr);
        k.resched_expired(cpu);
        self.class_accounted(k, cpu, curr);
        self.data_mut(curr).prio = self.effective_prio(curr);
        let slice = self.next_timeslice(k, curr);
        let data = self.data_mut(curr);
        data.time_slice = slice;
        data.first_time_slice = false;
        let static_prio = data.static_prio;
        self.class_allocated(k, curr);
        let nanos = self.version.estimator == Estimator::Nanos;
        if nanos && self.rq(cpu).expired_timestamp == 0 {
            self.rq_mut(cpu).expired_timestamp = jiffies;
        }
        let cause = if !self.is_interactive(curr) {
            Cause::Expired
        } else if let Some(starving) = self.expired_starving(cpu, static_prio, jiffies) {
            starving
        } else {
            Cause::Reactivated { task: curr }
        };
        let cause = self.class_requeues(k, cpu, curr, cause);
        let rq = self.rq_mut(cpu);
        rq.cause = cause;
        let array = match cause {
            Cause::Reactivated { .. } | Cause::ClassStarving { .. } => rq.active,
            _ => rq.expired(),
        };
        if array == rq.expired() {
            rq.best_expired_prio = rq.best_expired_prio.min(static_prio);
            if rq.expired_timestamp == 0 {
                rq.expired_timestamp = jiffies;
            }
        }
        self.enqueue(k, cpu, curr, array);
    }

    /// `EXPIRED_STARVING`: expired tasks have waited too long, or (2.6) a better static priority has expired.
    pub(super) fn expired_starving(&self, cpu: CpuId, static_prio: u8, jiffies: u64) -> Option<Cause> {
        let rq = self.rq(cpu);
        if self.version.estimator == Estimator::Nanos && static_prio > rq.best_expired_prio {
            return Some(Cause::Expired);
        }
        if self.params.starvation_limit == 0 || rq.expired_timestamp == 0 {
            return None;
        }
        let waited = jiffies - rq.expired_timestamp;
        let limit = self.params.starvation_limit * u64::from(rq.nr_running);
        (waited > limit).then_some(Cause::Starving { waited, limit })
    }

    /// An interactive task does not keep the CPU from its equals for the whole slice (2.6).
    fn split_slice(&mut self, k: &mut Kernel, cpu: CpuId, curr: TaskId, left: u32) {
        if !self.is_interactive(curr) {
            return;
        }
        let piece = self.granularity(curr);
        let used = u64::from(self.timeslice(curr).wrapping_sub(left));
        if used.is_multiple_of(piece) && u64::from(left) >= piece {
            self.requeue(k, cpu, curr);
            self.rq_mut(cpu).cause = Cause::Piece { ticks: piece };
            k.resched_curr(cpu);
        }
    }

    /// The K series.
    pub(super) fn tick_ticks(&mut self, k: &mut Kernel, cpu: CpuId) {
        let Some(curr) = k.curr(cpu) else { return self.idle_tick(k, cpu) };
        if self.data(curr).array != Some(self.rq(cpu).active) {
            k.resched_expired(cpu);
            return;
        }
        if self.is_rt(curr) {
            self.tick_rt(k, cpu, curr);
        } else {
            let data = self.data_mut(curr);
            data.sleep_avg = data.sleep_avg.saturating_sub(1);
            data.time_slice = data.time_slice.saturating_sub(1);
            if data.time_slice == 0 {
                self.slice_used_up(k, cpu, curr);
            }
        }
        if self.rqs.len() > 1 && k.jiffies().is_multiple_of(self.params.busy_rebalance) {
            self.balance_lengths(k, cpu, false);
        }
    }

    /// January 2002.
    fn tick_january(&mut self, k: &mut Kernel, cpu: CpuId) {
        let Some(curr) = k.curr(cpu) else { return self.idle_tick(k, cpu) };
        if self.data(curr).array != Some(self.rq(cpu).active) {
            k.resched_expired(cpu);
            return;
        }
        if self.data(curr).class != SchedClass::Fifo {
            let left = self.data(curr).time_slice.saturating_sub(1);
            self.data_mut(curr).time_slice = left;
            if left == 0 {
                self.slice_used_up_january(k, cpu, curr);
            } else if self.version.estimator == Estimator::History && !self.is_rt(curr) {
                self.refresh(k, cpu, curr);
            }
        }
        if self.version.balances_every_tick && self.rqs.len() > 1 {
            self.balance_lengths_january(k, cpu);
        }
    }

    /// `expire_task`: the slice follows the priority that was, and real time has no privilege in 2.5.2.
    fn slice_used_up_january(&mut self, k: &mut Kernel, cpu: CpuId, curr: TaskId) {
        let slice = self.timeslice(curr);
        let steps = self.version.estimator == Estimator::Steps;
        self.dequeue(k, cpu, curr);
        k.resched_expired(cpu);
        let worst = self.version.levels - 1;
        let is_rt = self.is_rt(curr);
        let data = self.data_mut(curr);
        data.time_slice = slice;
        if steps && !is_rt {
            data.prio = (data.prio + 1).min(worst);
        }
        let prio = data.prio;
        let stays = match (self.version.reactivates, steps) {
            (false, _) => is_rt,
            (true, false) => prio <= self.version.first_user + self.params.max_penalty as u8 / 2,
            (true, true) => prio >= self.version.first_normal && prio <= self.params.prio_interactive,
        };
        let rq = self.rq_mut(cpu);
        rq.cause = match (stays, is_rt) {
            (false, _) => Cause::Expired,
            (true, true) => Cause::RoundRobin,
            (true, false) => Cause::Reactivated { task: curr },
        };
        let array = if stays { rq.active } else { rq.expired() };
        self.enqueue(k, cpu, curr, array);
    }

    /// Up to pre10 every tick takes the running task off and queues it again, for the sake of the estimate.
    fn refresh(&mut self, k: &mut Kernel, cpu: CpuId, curr: TaskId) {
        let (jiffies, active) = (k.jiffies(), self.rq(cpu).active);
        self.dequeue(k, cpu, curr);
        self.estimate_deactivation(curr, jiffies);
        self.estimate_activation(curr, jiffies);
        self.enqueue(k, cpu, curr, active);
    }

    /// An idle CPU looks for work every so many ticks.
    fn idle_tick(&mut self, k: &mut Kernel, cpu: CpuId) {
        if self.rqs.len() == 1 || !k.jiffies().is_multiple_of(self.params.idle_rebalance) {
            return;
        }
        match self.version.estimator {
            Estimator::Ticks => self.balance_lengths(k, cpu, true),
            Estimator::History | Estimator::Steps | Estimator::Nanos => self.balance_lengths_january(k, cpu),
        }
    }
}
