//! The tick, delayed preemption, and the privilege of SCHED_ISO.

use super::{IDLE_PRIO, NOTE_REFRACTORY, Staircase};
use crate::kernel::Kernel;
use crate::policy::SchedClass;
use crate::units::{CpuId, TaskId};

impl Staircase {
    /// `scheduler_tick` without balancing.
    pub(super) fn tick(&mut self, k: &mut Kernel, cpu: CpuId) {
        let now = k.now();
        self.rqs[cpu.index()].most_recent = now;
        let curr = k.curr(cpu);
        self.iso_tick(k, cpu, curr);
        let Some(curr) = curr else { return };
        let tick_ns = self.tick_ns;
        let entity = &mut self.tasks[curr.index()];
        entity.last_ran = now;
        if entity.class == SchedClass::Fifo {
            return;
        }
        entity.debit += now.saturating_sub(entity.stamp);
        if entity.debit < tick_ns {
            return;
        }
        entity.debit %= tick_ns;
        entity.slice -= 1;
        if entity.slice <= 0 {
            // The whole staircase is behind it.
            entity.bonus = entity.bonus.saturating_sub(1);
            entity.totalrun = 0;
            self.refill(curr);
            return self.next_stair(k, cpu, curr);
        }
        entity.time_slice -= 1;
        if entity.time_slice <= 0 {
            let stair = self.stair_ticks(curr);
            self.tasks[curr.index()].time_slice = stair;
            return self.next_stair(k, cpu, curr);
        }
        let delay = self.cache_delay();
        let rq = &mut self.rqs[cpu.index()];
        rq.cache_ticks += 1;
        if rq.preempt_pending && rq.cache_ticks >= delay {
            k.resched_curr(cpu);
        }
    }

    fn next_stair(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        let old = self.tasks[task.index()].prio;
        self.set_prio(task);
        let new = std::mem::replace(&mut self.tasks[task.index()].prio, old);
        self.requeue(k, cpu, task, new);
        k.resched_expired(cpu);
    }

    /// Averages the time that real-time and privileged ISO tasks get. A task that reaches the limit is only marked.
    fn iso_tick(&mut self, k: &mut Kernel, cpu: CpuId, curr: Option<TaskId>) {
        let period = u64::from(self.hz) * 5;
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
            k.resched_curr(cpu);
        } else if !refractory {
            entity.iso_refractory = false;
        }
    }

    /// `preempt`: at once, or in compute mode once the running task has had its caches for a while.
    pub(super) fn check_preempt(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        let curr = k.curr(cpu);
        let curr_prio = curr.map_or(IDLE_PRIO, |curr| self.tasks[curr.index()].prio);
        let entity = &self.tasks[task.index()];
        if entity.prio >= curr_prio {
            return;
        }
        let at_once = !self.compute
            || self.rqs[cpu.index()].cache_ticks >= self.cache_delay()
            || entity.class.is_rt()
            || curr.is_none();
        if at_once {
            k.resched_curr(cpu);
        } else {
            self.rqs[cpu.index()].preempt_pending = true;
        }
    }
}
