//! Slices, bonus, priority, queueing, and what a sleep is worth.

use super::{IDLEPRIO, ISO_PRIO, LAST_STAIR, Staircase};
use crate::kernel::Kernel;
use crate::machine::cost::Work;
use crate::policy::SchedClass;
use crate::units::{CpuId, Nanos, TaskId};

impl Staircase {
    /// `RR_INTERVAL`, ticks.
    pub(super) fn rr_interval(&self) -> i32 {
        let rr = 6 * self.hz as i32 / 1001 + 1;
        if self.compute { rr * 10 } else { rr }
    }

    /// `CACHE_DELAY`, ticks.
    pub(super) fn cache_delay(&self) -> u32 {
        10 * self.hz / 1001 + 1
    }

    /// Ticks on one stair.
    pub(super) fn stair_ticks(&self, task: TaskId) -> i32 {
        let entity = &self.tasks[task.index()];
        let nice = i32::from(entity.static_prio) - 120;
        let rr = self.rr_interval();
        if nice < 0 && !entity.class.is_rt() { rr * (20 - nice) / 20 } else { rr }
    }

    /// `slice()`: ticks of the whole way down.
    pub(super) fn full_slice(&self, task: TaskId) -> i32 {
        let entity = &self.tasks[task.index()];
        let stairs = 20 - (i32::from(entity.static_prio) - 120);
        if entity.class.is_rt() { self.rr_interval() } else { self.stair_ticks(task) * stairs }
    }

    /// A full slice and a full stair.
    pub(super) fn refill(&mut self, task: TaskId) {
        let (full, stair) = (self.full_slice(task), self.stair_ticks(task));
        let entity = &mut self.tasks[task.index()];
        entity.slice = full;
        entity.time_slice = stair;
    }

    /// Class, nice level and weight of a task that is activated or changed.
    pub(super) fn refresh(&mut self, k: &Kernel, task: TaskId) {
        let of = k.task(task);
        let entity = &mut self.tasks[task.index()];
        entity.class = of.class;
        entity.static_prio = (120 + i32::from(of.nice)) as u8;
        if entity.class.is_rt() {
            entity.prio = 99 - of.rt_priority;
        }
        let rr = self.rr_interval();
        let units = match self.tasks[task.index()].class {
            SchedClass::Fifo | SchedClass::Rr => rr + 20 + i32::from(of.rt_priority),
            SchedClass::Normal | SchedClass::Batch | SchedClass::Iso | SchedClass::Idle => self.full_slice(task),
        };
        let entity = &mut self.tasks[task.index()];
        entity.load_weight = match entity.class {
            SchedClass::Idle => 1,
            _ => (units * 128 / (19 * rr)) as u32,
        };
    }

    /// `effective_prio`.
    pub(super) fn set_prio(&mut self, task: TaskId) {
        let (full, stair, rr) = (self.full_slice(task), self.stair_ticks(task), self.rr_interval());
        let earns_bonus = self.interactive && !self.compute;
        let entity = &mut self.tasks[task.index()];
        entity.prio = match entity.class {
            SchedClass::Fifo | SchedClass::Rr => return,
            SchedClass::Iso if !entity.iso_refractory => ISO_PRIO,
            SchedClass::Idle if entity.nonsleep => {
                let rest = entity.slice % rr;
                entity.time_slice = if rest != 0 { rest } else { rr };
                LAST_STAIR
            }
            SchedClass::Idle => IDLEPRIO,
            SchedClass::Normal | SchedClass::Batch | SchedClass::Iso => {
                let bonus = if earns_bonus && entity.class != SchedClass::Batch { entity.bonus } else { 0 };
                let stairs_down = ((full - entity.slice) / stair).max(0);
                let prio = i32::from(entity.static_prio) - i32::from(bonus) + stairs_down;
                prio.min(i32::from(LAST_STAIR)) as u8
            }
        };
    }

    /// What the last run and the last sleep are worth (`recalc_task_prio`).
    fn recalc(&mut self, task: TaskId, now: Nanos) {
        let tick_ns = self.tick_ns;
        let stair = self.stair_ticks(task);
        let entity = &mut self.tasks[task.index()];
        let user_prio = entity.static_prio - 100;
        let ticks = |ns: Nanos| (ns / tick_ns) as i64;
        let slice = i64::from(entity.slice);
        if entity.slice > entity.time_slice && slice - ticks(entity.totalrun) < i64::from(entity.time_slice) {
            entity.bonus = entity.bonus.saturating_sub(1);
            entity.totalrun = 0;
            return;
        }
        entity.totalrun += entity.runtime;
        let sleep = now.saturating_sub(entity.stamp);
        if !entity.forked {
            if sleep >= entity.totalrun {
                let worth = sleep / (entity.totalrun + 1);
                if !entity.nonsleep && u64::from(entity.bonus) < worth && entity.bonus < user_prio {
                    entity.bonus += 1;
                }
                entity.totalrun = 0;
                return;
            }
            entity.totalrun -= sleep;
        }
        if ticks(entity.totalrun) >= slice {
            loop {
                entity.totalrun = entity.totalrun.saturating_sub(slice as u64 * tick_ns);
                entity.bonus = entity.bonus.saturating_sub(1);
                if ticks(entity.totalrun) <= slice {
                    return;
                }
            }
        }
        entity.slice -= ticks(entity.totalrun) as i32;
        let rest = entity.slice % stair;
        if rest != 0 {
            entity.time_slice = rest;
        }
    }

    /// `activate_task` of a woken or new task; `by` is the CPU that does it.
    pub(super) fn activate(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId, by: CpuId) {
        self.refresh(k, task);
        let (here, there) = (&self.rqs[by.index()], &self.rqs[cpu.index()]);
        // Another CPU's clock is corrected by the difference of the last readings.
        let now = match cpu == by {
            true => k.now(),
            false => k.now().wrapping_sub(here.most_recent).wrapping_add(there.most_recent),
        };
        let (full, stair) = (self.full_slice(task), self.stair_ticks(task));
        let entity = &mut self.tasks[task.index()];
        entity.slice = full;
        let rest = full % stair;
        entity.time_slice = if rest != 0 { rest } else { stair };
        if !entity.class.is_rt() {
            self.recalc(task, now);
            self.set_prio(task);
            let entity = &mut self.tasks[task.index()];
            entity.forked = false;
            entity.nonsleep = false;
        }
        self.tasks[task.index()].stamp = now;
        self.enqueue(k, cpu, task);
    }

    /// To the tail of the list of its priority, with the weight.
    pub(super) fn enqueue(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        k.charge(cpu, Work::ListOp, 1);
        let entity = &mut self.tasks[task.index()];
        entity.queued = true;
        entity.debit = 0;
        let rq = &mut self.rqs[cpu.index()];
        rq.raw_weighted_load += u64::from(entity.load_weight);
        rq.array.push_back(&mut self.links, entity.prio, task);
    }

    /// Out of its list.
    pub(super) fn dequeue(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        k.charge(cpu, Work::ListOp, 1);
        let entity = &mut self.tasks[task.index()];
        entity.queued = false;
        entity.debit = 0;
        let rq = &mut self.rqs[cpu.index()];
        rq.raw_weighted_load -= u64::from(entity.load_weight);
        rq.array.remove(&mut self.links, entity.prio, task);
    }

    /// `requeue_task`: to the tail of another list.
    pub(super) fn requeue(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId, prio: u8) {
        k.charge(cpu, Work::ListOp, 2);
        let entity = &mut self.tasks[task.index()];
        let array = &mut self.rqs[cpu.index()].array;
        array.remove(&mut self.links, entity.prio, task);
        entity.prio = prio;
        entity.debit = 0;
        array.push_back(&mut self.links, prio, task);
    }
}
