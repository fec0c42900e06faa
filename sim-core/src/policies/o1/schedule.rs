//! `schedule()`: the first set bit of the active bitmap, the array switch, and what happens to sleep averages on the way.

use super::O1;
use super::reasons::{Mark, Why};
use super::rq::{Cause, SleepType};
use super::versions::Estimator;
use crate::kernel::Kernel;
use crate::machine::cost::Work;
use crate::policy::Block;
use crate::units::{CpuId, TaskId};

impl O1 {
    /// `schedule()` of all releases.
    pub(super) fn pick_next(
        &mut self,
        k: &mut Kernel,
        cpu: CpuId,
        prev: Option<TaskId>,
        block: Option<Block>,
    ) -> Option<TaskId> {
        let nanos = self.version.estimator == Estimator::Nanos;
        let now = k.now();
        let charge = prev.filter(|_| nanos).map(|prev| (prev, self.run_charge(prev, now)));
        let yielded_in = self.rq_mut(cpu).yield_array.take();
        if let Some(prev) = prev {
            self.leave_cpu(k, cpu, prev, block);
        }
        if self.rq(cpu).nr_running == 0 {
            self.balance_before_idle(k, cpu);
        }
        let cause = std::mem::take(&mut self.rq_mut(cpu).cause);
        let next = if self.rq(cpu).nr_running == 0 {
            self.rq_mut(cpu).expired_timestamp = 0;
            k.explain(Why::Idle, [0; 3]);
            None
        } else if let Some(array) = yielded_in {
            self.pick_in_own_array(k, cpu, array)
        } else {
            self.pick_first(k, cpu, cause)
        };
        // Pulled tasks may have asked for a reschedule of the task that leaves anyway.
        k.clear_need_resched(cpu);
        self.class_picked(k, cpu, prev, next);
        if nanos {
            self.settle_clocks(cpu, charge, next, now);
        }
        next
    }

    /// `deactivate_task` of a blocking `prev`, and its time stamp.
    fn leave_cpu(&mut self, k: &mut Kernel, cpu: CpuId, prev: TaskId, block: Option<Block>) {
        let jiffies = k.jiffies();
        if self.version.estimator == Estimator::Ticks {
            self.data_mut(prev).timestamp = jiffies;
        }
        if block.is_none() {
            return;
        }
        self.unqueue(k, cpu, prev);
        if self.version.estimator != Estimator::Nanos {
            self.estimate_deactivation(prev, jiffies);
        }
    }

    fn balance_before_idle(&mut self, k: &mut Kernel, cpu: CpuId) {
        if self.rqs.len() == 1 {
            return;
        }
        self.balance_newly_idle(k, cpu);
        if self.rq(cpu).nr_running > 0 {
            self.rq_mut(cpu).cause = Cause::Pulled;
        }
    }

    /// K3's yield: the best of the caller's own array, and no array switch.
    fn pick_in_own_array(&mut self, k: &mut Kernel, cpu: CpuId, array: u8) -> Option<TaskId> {
        let (prio, next) = self.rq(cpu).array(array).first()?;
        k.charge(cpu, Work::BitmapWord, words_searched(prio));
        k.explain(Why::YieldedSameArray, [self.shown(prio), 0, 0]);
        Some(next)
    }

    fn pick_first(&mut self, k: &mut Kernel, cpu: CpuId, cause: Cause) -> Option<TaskId> {
        let switched = self.switch_arrays(k, cpu);
        let rq = self.rq(cpu);
        let (prio, next) = rq.array(rq.active).first()?;
        k.charge(cpu, Work::BitmapWord, words_searched(prio));
        let reinserted = self.credit_queue_wait(k, cpu, next);
        let new_prio = self.data(next).prio;
        if reinserted && new_prio != prio {
            k.explain(Why::Reinserted, [self.shown(prio), self.shown(new_prio), 0]);
        } else {
            self.explain_pick(k, cpu, (prio, next), if switched { None } else { Some(cause) });
        }
        Some(next)
    }

    /// Swaps the arrays if the active one is empty.
    fn switch_arrays(&mut self, k: &mut Kernel, cpu: CpuId) -> bool {
        let levels = self.version.levels;
        let rq = self.rq_mut(cpu);
        if rq.array(rq.active).nr_active() > 0 {
            return false;
        }
        rq.active = rq.expired();
        rq.expired_timestamp = 0;
        rq.best_expired_prio = levels;
        rq.array_switches += 1;
        let tasks = i64::from(rq.array(rq.active).nr_active());
        k.note(Some(cpu), Mark::ArraySwitch, [tasks, 0]);
        true
    }

    /// The first run after an interactive wakeup: the wait on the queue counts as sleep. Whatever comes of it, `next`
    /// runs now. Returns whether the wait was credited.
    fn credit_queue_wait(&mut self, k: &mut Kernel, cpu: CpuId, next: TaskId) -> bool {
        if self.version.estimator != Estimator::Nanos {
            return false;
        }
        let (sleep_type, timestamp) = (self.data(next).sleep_type, self.data(next).timestamp);
        let interactive = matches!(sleep_type, SleepType::Interactive | SleepType::Interrupted);
        if interactive && !self.is_rt(next) {
            let mut waited = (k.now().wrapping_sub(timestamp) as i64).max(0) as u64;
            if sleep_type == SleepType::Interactive {
                waited = waited * (self.params.on_runqueue_weight * 128 / 100) / 128;
            }
            let prio = self.recalc_task_prio(next, timestamp.wrapping_add(waited));
            if prio != self.data(next).prio {
                let array = self.rq(cpu).active;
                self.requeue_at(k, cpu, next, prio, array);
            } else if self.version.nanos.requeues_unchanged {
                self.requeue(k, cpu, next);
            }
        }
        self.data_mut(next).sleep_type = SleepType::Normal;
        interactive
    }

    /// The end of `schedule()` in 2.6: `prev` pays for its run, both get their time stamps.
    fn settle_clocks(&mut self, cpu: CpuId, charge: Option<(TaskId, u64)>, next: Option<TaskId>, now: u64) {
        let at_switch = self.version.nanos.clock_at_switch;
        if at_switch {
            self.rq_mut(cpu).clock = now;
        }
        if let Some((prev, charge)) = charge {
            let data = self.data_mut(prev);
            data.sleep_avg = data.sleep_avg.saturating_sub(charge);
            data.timestamp = now;
            data.last_ran = now;
        }
        if let Some(next) = next.filter(|&next| charge.is_none_or(|(prev, _)| prev != next)) {
            let data = self.data_mut(next);
            data.timestamp = now;
            if at_switch {
                data.last_ran = now;
            }
        }
    }

    /// Says why the head of `prio` was picked. `cause` is `None` right after an array switch.
    fn explain_pick(&self, k: &mut Kernel, cpu: CpuId, (prio, next): (u8, TaskId), cause: Option<Cause>) {
        let rq = self.rq(cpu);
        let shown = self.shown(prio);
        let active = i64::from(rq.array(rq.active).nr_active());
        let expired = i64::from(rq.array(rq.expired()).nr_active());
        let (why, args) = match cause {
            _ if k.task(next).migration_thread.is_some() => (Why::MigrationThread, [0; 3]),
            None => (Why::ArraySwitch, [shown, active, 0]),
            Some(Cause::Woken { task, over: Some(over) }) if task == next => {
                (Why::WokenBetter, [shown, self.shown(over), 0])
            }
            Some(Cause::Woken { task, over: None }) if task == next => (Why::WokenToIdle, [shown, 0, 0]),
            Some(Cause::Expired) => (Why::SliceExpired, [shown, active, expired]),
            Some(Cause::Reactivated { task }) if task == next => (Why::KeptInteractive, [shown, 0, 0]),
            Some(Cause::Reactivated { .. }) => (Why::Reactivated, [shown, 0, 0]),
            Some(Cause::ClassStarving { task }) if task == next => (Why::KeptStarving, [shown, 0, 0]),
            Some(Cause::ClassStarving { .. }) => (Why::ClassStarving, [shown, expired, 0]),
            Some(Cause::Starving { waited, limit }) => (Why::ExpiredStarving, [shown, waited as i64, limit as i64]),
            Some(Cause::Piece { ticks }) => (Why::Granularity, [shown, ticks as i64, 0]),
            Some(Cause::RoundRobin) => (Why::RoundRobin, [shown, 0, 0]),
            Some(Cause::Yielded) => (Why::Yielded, [shown, active, expired]),
            Some(Cause::Forked { child }) if child == next => (Why::ChildFirst, [shown, 0, 0]),
            Some(Cause::Pulled) => (Why::Pulled, [shown, active + expired, 0]),
            Some(Cause::Woken { .. } | Cause::Forked { .. } | Cause::None) => {
                (Why::FirstSetBit, [shown, active, expired])
            }
        };
        k.explain(why, args);
    }
}

/// Bitmap words that a search reads until it meets `prio`.
fn words_searched(prio: u8) -> u64 {
    u64::from(prio >> 6) + 1
}
