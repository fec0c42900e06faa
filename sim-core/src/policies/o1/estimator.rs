//! Who sleeps and who computes: sleep averages, bonuses, penalties, and the dynamic priority that follows.

use super::O1;
use super::rq::{SleepType, TaskData};
use super::versions::Estimator;
use crate::policy::SchedClass;
use crate::units::TaskId;

/// Slots of the sleep history.
const SLOTS: u64 = 4;

impl O1 {
    /// `CURRENT_BONUS`, 0..=`MAX_BONUS` (2.6).
    #[inline]
    pub(super) fn current_bonus(&self, sleep_avg: u64) -> u64 {
        self.params.bonus(sleep_avg)
    }

    /// Steps that `sleep_avg` takes off the priority number; negative = penalty.
    pub(super) fn bonus(&self, data: &TaskData) -> i64 {
        match self.version.estimator {
            Estimator::Nanos => self.current_bonus(data.sleep_avg) as i64 - (self.params.bonus_max / 2) as i64,
            Estimator::Ticks => {
                let span = 40 * self.params.bonus_ratio;
                (span * data.sleep_avg / self.params.max_sleep_avg / 100) as i64 - (span / 100 / 2) as i64
            }
            Estimator::History | Estimator::Steps => i64::from(data.static_prio) - i64::from(data.prio),
        }
    }

    /// `effective_prio`.
    pub(super) fn effective_prio(&self, task: TaskId) -> u8 {
        if self.is_rt(task) {
            return self.data(task).prio;
        }
        self.normal_prio(task)
    }

    /// Static priority and bonus, whatever the present priority.
    pub(super) fn normal_prio(&self, task: TaskId) -> u8 {
        let data = self.data(task);
        let prio = i64::from(data.static_prio) - self.bonus(data);
        let (best, worst) = (i64::from(self.version.first_normal), i64::from(self.version.levels) - 1);
        prio.clamp(best, worst) as u8
    }

    /// `TASK_INTERACTIVE`, by the priority as it stands.
    pub(super) fn is_interactive(&self, task: TaskId) -> bool {
        let data = self.data(task);
        i32::from(data.prio) <= i32::from(data.static_prio) - self.by_nice(task).delta
    }

    /// `TIMESLICE_GRANULARITY`, ticks.
    pub(super) fn granularity(&self, task: TaskId) -> u64 {
        let bonus = self.current_bonus(self.data(task).sleep_avg);
        let doublings = self.params.bonus_max.saturating_sub(bonus).max(1) - 1;
        (self.params.granularity << doublings) * self.rqs.len() as u64
    }

    /// `recalc_task_prio` (2.6): credits sleep up to `now` and returns the new priority.
    pub(super) fn recalc_task_prio(&mut self, task: TaskId, now: u64) -> u8 {
        let slept = match self.data(task).class {
            SchedClass::Batch => 0,
            _ => now.wrapping_sub(self.data(task).timestamp),
        };
        let ceiling = self.by_nice(task).ceiling_ns;
        if self.version.nanos.multiplied_gain {
            self.credit_multiplied(task, slept.min(self.params.sleep_avg_ns_max()), ceiling);
        } else {
            self.credit_plain(task, slept, ceiling);
        }
        self.effective_prio(task)
    }

    /// 2.6.17 on: a long sleep lifts to the ceiling, a short one counts as it is.
    fn credit_plain(&mut self, task: TaskId, slept: u64, ceiling: u64) {
        let full = self.params.sleep_avg_ns_max();
        let data = self.data_mut(task);
        if slept == 0 {
            return;
        }
        let user = !data.kernel_thread;
        if user && slept > ceiling && data.sleep_avg < ceiling {
            data.sleep_avg = ceiling;
            data.sleep_type = SleepType::NonInteractive;
        } else if user && data.sleep_type == SleepType::NonInteractive {
            data.sleep_avg = capped(data.sleep_avg, slept, ceiling);
        } else {
            data.sleep_avg = data.sleep_avg.wrapping_add(slept);
        }
        data.sleep_avg = data.sleep_avg.min(full);
    }

    /// Up to 2.6.16: a long sleep gives nearly the full bonus at once, a short one counts more the smaller the bonus.
    fn credit_multiplied(&mut self, task: TaskId, slept: u64, ceiling: u64) {
        if slept == 0 {
            return;
        }
        let full = self.params.sleep_avg_ns_max();
        let long = self.params.max_sleep_avg.saturating_sub(u64::from(self.params.max_slice)) * self.params.jiffy_ns;
        let factor = self.params.bonus_max.saturating_sub(self.current_bonus(self.data(task).sleep_avg)).max(1);
        let data = self.data_mut(task);
        let (user, involuntary) = (!data.kernel_thread, data.sleep_type == SleepType::NonInteractive);
        if user && !involuntary && slept > ceiling {
            data.sleep_avg = long;
            return;
        }
        let gain = slept * factor;
        data.sleep_avg =
            if user && involuntary { capped(data.sleep_avg, gain, ceiling) } else { data.sleep_avg + gain };
        data.sleep_avg = data.sleep_avg.min(full);
    }

    /// What a run costs (2.6): at most the whole average, less the larger the bonus.
    pub(super) fn run_charge(&self, task: TaskId, now: u64) -> u64 {
        let data = self.data(task);
        let ran = (now.wrapping_sub(data.timestamp) as i64).max(0) as u64;
        ran.min(self.params.sleep_avg_ns_max()) / self.current_bonus(data.sleep_avg).max(1)
    }

    /// Estimator part of `activate_task` before 2.6. `jiffies` is now.
    pub(super) fn estimate_activation(&mut self, task: TaskId, jiffies: u64) {
        if self.version.estimator == Estimator::History {
            return self.estimate_history(task, jiffies);
        }
        if self.is_rt(task) {
            return;
        }
        let slept = jiffies - self.data(task).timestamp;
        if self.version.estimator == Estimator::Steps {
            let best = u64::from(self.version.first_normal);
            let prio = u64::from(self.data(task).prio).saturating_sub(20 * slept / self.params.hz).max(best);
            self.data_mut(task).prio = prio as u8;
        } else if slept > 0 {
            let full = self.params.max_sleep_avg;
            let data = self.data_mut(task);
            data.sleep_avg = (data.sleep_avg + slept).min(full);
            self.data_mut(task).prio = self.normal_prio(task);
        }
    }

    /// January 2002, activation: enters the sleep into the slots, then sets the penalty.
    fn estimate_history(&mut self, task: TaskId, jiffies: u64) {
        let hz = self.params.hz;
        let data = self.data_mut(task);
        if data.last_ran == jiffies {
            return;
        }
        let seconds = jiffies / hz - data.timestamp / hz;
        let into_second = jiffies % hz;
        let slot = usize::from(data.history_index);
        match seconds {
            0 => data.history[slot] = data.history[slot].saturating_add((jiffies - data.timestamp) as u16),
            1..SLOTS => {
                data.history[slot] = data.history[slot].saturating_add((hz - data.timestamp % hz) as u16);
                // The ring advances before a slept second is entered, so the first of several whole seconds keeps what
                // its slot held four seconds ago: a slip of that kernel.
                for passed in 1..=seconds {
                    data.history_index = (data.history_index + 1) % SLOTS as u8;
                    let slot = &mut data.history[usize::from(data.history_index)];
                    if passed == seconds {
                        *slot = into_second as u16;
                    } else if passed > 1 {
                        *slot = hz as u16;
                    }
                }
            }
            _ => {
                data.history = [hz as u16; SLOTS as usize];
                data.history_index = 0;
                data.history[0] = into_second as u16;
            }
        }
        data.last_ran = jiffies;
        if !self.is_rt(task) {
            self.set_penalty(task, jiffies);
        }
    }

    /// The penalty that the sleep history gives at `jiffies`.
    pub(super) fn penalty(&self, data: &TaskData, jiffies: u64) -> i64 {
        let hz = self.params.hz;
        let slept: u64 = data.history.iter().map(|&ticks| u64::from(ticks)).sum();
        let share = slept * hz / (3 * hz + jiffies % hz);
        self.params.max_penalty * (hz as i64 - share as i64) / hz as i64
    }

    /// Priority from the sleep history.
    pub(super) fn set_penalty(&mut self, task: TaskId, jiffies: u64) {
        let worst = i64::from(self.version.levels) - 1;
        let best = i64::from(self.version.first_normal);
        let penalty = self.penalty(self.data(task), jiffies);
        if penalty != 0 || !self.version.keeps_prio_without_penalty {
            let data = self.data_mut(task);
            data.prio = (i64::from(data.static_prio) + penalty).clamp(best, worst) as u8;
        }
    }

    /// Estimator part of `deactivate_task` before 2.6.
    pub(super) fn estimate_deactivation(&mut self, task: TaskId, jiffies: u64) {
        let hz = self.params.hz;
        let history = self.version.estimator == Estimator::History;
        let data = self.data_mut(task);
        if history {
            let seconds = (jiffies / hz - data.last_ran / hz).min(SLOTS);
            for _ in 0..seconds {
                data.history_index = (data.history_index + 1) % SLOTS as u8;
                data.history[usize::from(data.history_index)] = 0;
            }
        }
        data.timestamp = jiffies;
    }
}

/// `sleep_avg` after an involuntary sleep: it does not lift above the ceiling.
fn capped(sleep_avg: u64, gain: u64, ceiling: u64) -> u64 {
    if sleep_avg >= ceiling { sleep_avg } else { sleep_avg.saturating_add(gain).min(ceiling) }
}
