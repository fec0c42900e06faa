//! `schedule()`, the tick and the accounting.

use super::{IDLE_PRIO, ISO_PRIO, Muqss, NOTE_DEADLINE, NOTE_REFRACTORY, PRIO_LIMIT, Why};
use crate::kernel::Kernel;
use crate::machine::cost::Work;
use crate::policy::{Block, SchedClass};
use crate::queues::ck::RESCHED_US;
use crate::units::{CpuId, TaskId};

/// A task found in the search.
#[derive(Clone, Copy)]
struct Found {
    task: TaskId,
    key: u64,
    on: CpuId,
    entries: u32,
}

impl Muqss {
    /// `update_cpu_clock`: whole units of 1024 ns come off the running task's slice.
    pub(super) fn account(&mut self, k: &Kernel, cpu: CpuId) {
        let now = k.now();
        let rq = &mut self.rqs[cpu.index()];
        let elapsed = now - rq.last_ran;
        rq.last_ran = now;
        if let Some(curr) = k.curr(cpu) {
            let entity = &mut self.tasks[curr.index()];
            if entity.class != SchedClass::Fifo {
                entity.time_slice = entity.time_slice.saturating_sub((elapsed >> 10) as i32);
            }
        }
    }

    /// The whole of `schedule()` but the switch.
    pub(super) fn pick(
        &mut self,
        k: &mut Kernel,
        cpu: CpuId,
        prev: Option<TaskId>,
        block: Option<Block>,
    ) -> Option<TaskId> {
        self.account(k, cpu);
        if let Some(prev) = prev {
            let entity = &self.tasks[prev.index()];
            if entity.time_slice < RESCHED_US || entity.class == SchedClass::Batch {
                self.renew(k, prev);
                k.note(Some(cpu), NOTE_DEADLINE, [i64::from(prev.0), self.tasks[prev.index()].deadline as i64]);
            }
            if block.is_none() {
                self.enqueue(k, prev, cpu, cpu);
            }
        }
        let next = self.earliest_deadline_task(k, cpu);
        match next {
            Some(_) => self.idle.remove(cpu),
            None => {
                self.idle.insert(cpu);
                k.explain(Why::NothingRunnable, [0; 3]);
            }
        }
        self.set_rq_task(k, cpu, next);
        if let Some(prev) = prev.filter(|_| next != prev && block.is_none()) {
            self.resched_suitable_idle(k, prev);
        }
        next
    }

    /// `set_rq_task`: what other CPUs see of this one, and the timer that ends the slice.
    fn set_rq_task(&mut self, k: &mut Kernel, cpu: CpuId, next: Option<TaskId>) {
        let rq = &mut self.rqs[cpu.index()];
        rq.last_ran = k.now();
        let Some(next) = next else {
            rq.deadline = 0;
            rq.prio = PRIO_LIMIT;
            return k.cancel_timer(u32::from(cpu.0));
        };
        let entity = &self.tasks[next.index()];
        rq.deadline = entity.deadline;
        rq.prio = entity.prio;
        self.start_expiry(k, cpu, next);
    }

    /// `hrexpiry_start`: FIFO tasks have no end of slice.
    pub(super) fn start_expiry(&self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        let entity = &self.tasks[task.index()];
        if entity.class == SchedClass::Fifo {
            return k.cancel_timer(u32::from(cpu.0));
        }
        let left_ns = (entity.time_slice.max(1) as u64) << 10;
        k.start_timer(u32::from(cpu.0), cpu, k.now() + left_ns);
    }

    /// `earliest_deadline_task`: the smallest key of all lists, own and near ones first; takes it off its list.
    fn earliest_deadline_task(&mut self, k: &mut Kernel, cpu: CpuId) -> Option<TaskId> {
        let preempting = self.rqs[cpu.index()].preempting.take();
        let mut best: Option<Found> = None;
        for &(other, distance) in &self.order[cpu.index()] {
            k.charge(cpu, Work::CpuProbed, 1);
            let entries = self.rqs[other.index()].list.entries();
            if self.interactive {
                if entries == 0 {
                    continue;
                }
            } else {
                // Across nodes only to avoid idling.
                if best.is_some() && distance > 3 {
                    break;
                }
                if entries <= best.map_or(0, |best| best.entries) {
                    continue;
                }
            }
            if let Some(found) = self.first_for(k, cpu, other, best) {
                best = Some(found);
                if preempting == Some(found.task) {
                    break;
                }
            }
        }
        let found = best?;
        self.explain_pick(k, cpu, &found);
        self.dequeue(k, found.task, cpu);
        Some(found.task)
    }

    /// First entry of `other`'s list that may run on `cpu` and has a smaller key than the best so far.
    fn first_for(&self, k: &mut Kernel, cpu: CpuId, other: CpuId, best: Option<Found>) -> Option<Found> {
        let rq = &self.rqs[other.index()];
        let best_key = best.map_or(u64::MAX, |best| best.key);
        let mut at = rq.list.first();
        while let Some(task) = at {
            k.charge(cpu, Work::TaskScanned, 1);
            let key = self.nodes.key(task);
            if key >= best_key {
                return None;
            }
            if k.task(task).affinity.contains(cpu) {
                return Some(Found { task, key, on: other, entries: rq.list.entries() });
            }
            if other != cpu && !self.interactive {
                return None;
            }
            at = self.nodes.next(task);
        }
        None
    }

    fn explain_pick(&self, k: &mut Kernel, cpu: CpuId, found: &Found) {
        let entity = &self.tasks[found.task.index()];
        let (deadline, on) = (entity.deadline as i64, i64::from(found.on.0));
        match entity.prio {
            IDLE_PRIO => k.explain(Why::Idleprio, [deadline, 0, 0]),
            ISO_PRIO => k.explain(Why::Iso, [0; 3]),
            prio if prio < ISO_PRIO => k.explain(Why::RealTime, [i64::from(prio), 0, 0]),
            _ if found.on == cpu => k.explain(Why::OwnFirst, [deadline, 0, 0]),
            _ if self.interactive => k.explain(Why::OtherFirst, [deadline, on, 0]),
            _ => k.explain(Why::LongerQueue, [deadline, on, 0]),
        }
    }

    /// `scheduler_tick`.
    pub(super) fn tick(&mut self, k: &mut Kernel, cpu: CpuId) {
        self.account(k, cpu);
        let Some(curr) = k.curr(cpu) else {
            return self.no_iso_tick(k, cpu);
        };
        let entity = &self.tasks[curr.index()];
        let (class, prio) = (entity.class, entity.prio);
        if class.is_rt() || prio == ISO_PRIO {
            self.iso_tick(k, cpu);
        } else {
            self.no_iso_tick(k, cpu);
        }
        if class == SchedClass::Fifo {
            return;
        }
        let refractory = self.rqs[cpu.index()].iso_refractory;
        let entity = &mut self.tasks[curr.index()];
        if class == SchedClass::Iso {
            if prio == ISO_PRIO && refractory {
                entity.time_slice = 0;
            } else if prio != ISO_PRIO && !refractory {
                // Can run privileged again.
                return k.resched_curr(cpu);
            }
        }
        if entity.time_slice < RESCHED_US {
            k.resched_expired(cpu);
        }
    }

    /// `ISO_PERIOD`, ticks.
    pub(super) fn iso_period(&self) -> u64 {
        5 * self.hz
    }

    fn iso_tick(&mut self, k: &mut Kernel, cpu: CpuId) {
        let (period, limit) = (self.iso_period(), self.iso_cpu);
        let rq = &mut self.rqs[cpu.index()];
        rq.iso_ticks = (rq.iso_ticks * (period - 1) / period + 100).min(period * 100);
        if !rq.iso_refractory && rq.iso_ticks > period * limit {
            rq.iso_refractory = true;
            k.note(Some(cpu), NOTE_REFRACTORY, [1, (rq.iso_ticks / period) as i64]);
        }
    }

    fn no_iso_tick(&mut self, k: &mut Kernel, cpu: CpuId) {
        let (period, limit) = (self.iso_period(), self.iso_cpu);
        let rq = &mut self.rqs[cpu.index()];
        rq.iso_ticks = rq.iso_ticks * (period - 1) / period;
        if rq.iso_refractory && rq.iso_ticks < period * (limit * 115 / 128) {
            rq.iso_refractory = false;
            k.note(Some(cpu), NOTE_REFRACTORY, [0, (rq.iso_ticks / period) as i64]);
        }
    }
}
