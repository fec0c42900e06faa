//! Accounting, the tick, and the privilege of SCHED_ISO.

use super::StaircaseDeadline;
use super::reasons::NOTE_REFRACTORY;
use crate::kernel::Kernel;
use crate::policy::SchedClass;
use crate::units::{CpuId, Nanos, TaskId};

impl StaircaseDeadline {
    /// `scheduler_tick` without balancing.
    pub(super) fn tick(&mut self, k: &mut Kernel, cpu: CpuId) {
        let now = k.now();
        let tick_ns = self.tick_ns;
        let ran = |last: Nanos| {
            let ran = now.wrapping_sub(last) as i64;
            if ran < 0 || ran > 2 * tick_ns as i64 { tick_ns as i64 } else { ran }
        };
        let curr = k.curr(cpu);
        if let Some(curr) = curr {
            let last = self.tasks[curr.index()].last_ran;
            self.charge_slice(curr, ran(last), now);
        }
        self.rqs[cpu.index()].most_recent = now;
        self.iso_tick(k, cpu, curr);
        if let Some(curr) = curr {
            let entity = &self.tasks[curr.index()];
            if entity.class != SchedClass::Fifo && entity.time_slice_us <= 0 {
                k.resched_expired(cpu);
                if entity.queued {
                    self.slot_over(k, cpu, curr);
                }
            }
        }
    }

    /// `update_cpu_clock` from `schedule()`. The guard against clocks that stand still acts at every switch at the
    /// instant of a tick: it costs 1 us.
    pub(super) fn account_switch(&mut self, k: &Kernel, cpu: CpuId, prev: Option<TaskId>) {
        let now = k.now();
        self.rqs[cpu.index()].most_recent = now;
        if let Some(prev) = prev {
            let ran = now.wrapping_sub(self.tasks[prev.index()].last_ran) as i64;
            let ran = if ran < 1 || ran > self.tick_ns as i64 { 1000 } else { ran };
            self.charge_slice(prev, ran, now);
        }
    }

    fn charge_slice(&mut self, task: TaskId, ran_ns: i64, now: Nanos) {
        let entity = &mut self.tasks[task.index()];
        if entity.class != SchedClass::Fifo {
            entity.time_slice_us -= (ran_ns / 1000) as i32;
        }
        entity.last_ran = now;
    }

    /// `ISO_PERIOD` in ticks.
    pub(super) fn iso_period_ticks(&self) -> u64 {
        self.iso_period_s * self.hz + 1
    }

    /// Averages the time that real-time and privileged ISO tasks get, and takes the privilege away above `iso_cpu`.
    fn iso_tick(&mut self, k: &mut Kernel, cpu: CpuId, curr: Option<TaskId>) {
        if !self.version.iso_and_idleprio {
            return;
        }
        let period = self.iso_period_ticks();
        let rq = &mut self.rqs[cpu.index()];
        let class = curr.map(|curr| self.tasks[curr.index()].class);
        let is_iso = class == Some(SchedClass::Iso);
        if class.is_some_and(SchedClass::is_rt) || (is_iso && !rq.iso_refractory) {
            if rq.iso_ticks <= period * 100 - 100 {
                rq.iso_ticks += 100;
            }
        } else {
            rq.iso_ticks = rq.iso_ticks * (period - 1) / period;
        }
        let Some(curr) = curr.filter(|_| is_iso) else { return };
        let used = rq.iso_ticks / period;
        let refractory = match rq.iso_refractory {
            false => used > self.iso_cpu,
            true => used >= self.iso_cpu * 90 / 100,
        };
        if refractory != rq.iso_refractory {
            rq.iso_refractory = refractory;
            k.note(Some(cpu), NOTE_REFRACTORY, [i64::from(refractory), used as i64]);
        }
        let entity = &mut self.tasks[curr.index()];
        if refractory && !entity.iso_refractory {
            entity.iso_refractory = true;
            entity.time_slice_us = 0;
        } else if !refractory {
            entity.iso_refractory = false;
        }
    }
}
