//! `schedule()`: who runs next.

use super::{Bfs, IDLE_PRIO, ISO_PRIO, NOTE_DEADLINE, PRIO_LIMIT, Why};
use crate::kernel::Kernel;
use crate::policy::{Block, SchedClass};
use crate::queues::ck::RESCHED_US;
use crate::units::{CpuId, NEVER, Nanos, TaskId};

impl Bfs {
    /// The whole of `schedule()` but the switch.
    pub(super) fn pick(
        &mut self,
        k: &mut Kernel,
        cpu: CpuId,
        prev: Option<TaskId>,
        block: Option<Block>,
    ) -> Option<TaskId> {
        let now = k.now();
        self.account(cpu, now);
        let half_tick = self.tick_ns / 2;
        let rq = &mut self.rqs[cpu.index()];
        rq.dither = now - rq.last_tick <= half_tick;
        let smp = k.cpus() > 1;
        if let Some(prev) = prev {
            self.put_back(k, cpu, prev);
            if block.is_none() {
                if smp && self.nr_queued == 0 && k.task(prev).affinity.contains(cpu) {
                    k.explain(Why::Alone, [0; 3]);
                    return Some(prev);
                }
                if smp {
                    self.swap_sticky(k, cpu, prev);
                }
                self.enqueue(k, prev, cpu);
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
        if next == prev {
            // The run queue keeps the used-up slice and the old deadline.
            return next;
        }
        if next.is_some_and(|next| self.tasks[next.index()].class.is_rt()) {
            // Nobody sticks behind a real-time task.
            self.rqs[cpu.index()].sticky_task = None;
            if let Some(prev) = prev {
                self.tasks[prev.index()].sticky = false;
            }
        }
        self.set_rq_task(cpu, next, now);
        next
    }

    /// What prev used goes from the run queue to the task; an ended slice is renewed (`check_deadline`).
    fn put_back(&mut self, k: &mut Kernel, cpu: CpuId, prev: TaskId) {
        let rq = &self.rqs[cpu.index()];
        let entity = &mut self.tasks[prev.index()];
        entity.time_slice = rq.time_slice;
        entity.deadline = rq.deadline;
        if entity.time_slice < RESCHED_US || entity.class == SchedClass::Batch {
            self.renew(k, prev);
            k.note(Some(cpu), NOTE_DEADLINE, [i64::from(prev.0), self.tasks[prev.index()].deadline as i64]);
        }
    }

    /// `set_rq_task`: the run queue's copy of what its task may use.
    fn set_rq_task(&mut self, cpu: CpuId, next: Option<TaskId>, now: Nanos) {
        let rq = &mut self.rqs[cpu.index()];
        rq.last_ran = now;
        match next {
            Some(next) => {
                let entity = &self.tasks[next.index()];
                rq.time_slice = entity.time_slice;
                rq.deadline = entity.deadline;
                rq.prio = entity.prio;
                rq.class = entity.class;
            }
            None => {
                rq.time_slice = 0;
                rq.deadline = 0;
                rq.prio = PRIO_LIMIT;
                rq.class = SchedClass::Normal;
            }
        }
    }

    /// The deadline as `cpu` sees it.
    pub(super) fn deadline_on(&self, k: &Kernel, cpu: CpuId, task: TaskId) -> Nanos {
        let entity = &self.tasks[task.index()];
        let elsewhere = entity.sticky && k.task(task).cpu != cpu;
        entity.deadline + if elsewhere { self.longest_offset() } else { 0 }
    }

    /// `earliest_deadline_task`: takes it off the queue.
    fn earliest_deadline_task(&mut self, k: &mut Kernel, cpu: CpuId) -> Option<TaskId> {
        let mut level = self.bitmap.first();
        let mut scanned = 0;
        while let Some(prio) = level {
            let found = match prio {
                0..100 => self.first_allowed(k, cpu, prio, &mut scanned),
                _ => self.earliest_in(k, cpu, prio, &mut scanned),
            };
            if let Some(task) = found {
                self.under_lock(k, cpu, scanned, 0);
                self.explain_pick(k, cpu, task);
                self.dequeue(k, task, cpu);
                self.tasks[task.index()].sticky = false;
                return Some(task);
            }
            level = self.bitmap.next(prio + 1);
        }
        self.under_lock(k, cpu, scanned, 0);
        None
    }

    fn first_allowed(&self, k: &Kernel, cpu: CpuId, prio: u32, scanned: &mut u64) -> Option<TaskId> {
        let list = &self.queue[prio as usize];
        self.links.iter(list).inspect(|_| *scanned += 1).find(|&task| k.task(task).affinity.contains(cpu))
    }

    fn earliest_in(&self, k: &Kernel, cpu: CpuId, prio: u32, scanned: &mut u64) -> Option<TaskId> {
        let (mut earliest, mut deadline) = (None, NEVER);
        for task in self.links.iter(&self.queue[prio as usize]) {
            *scanned += 1;
            if !k.task(task).affinity.contains(cpu) {
                continue;
            }
            let own = self.deadline_on(k, cpu, task);
            // The one nearer the head wins a tie.
            if own < deadline {
                (earliest, deadline) = (Some(task), own);
            }
        }
        earliest
    }

    fn explain_pick(&self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        let entity = &self.tasks[task.index()];
        let deadline = entity.deadline as i64;
        let seen = self.deadline_on(k, cpu, task) as i64;
        match entity.prio {
            IDLE_PRIO => k.explain(Why::Idleprio, [deadline, 0, 0]),
            ISO_PRIO => k.explain(Why::Iso, [deadline, 0, 0]),
            prio if prio < ISO_PRIO => k.explain(Why::RealTime, [i64::from(prio), 0, 0]),
            _ if seen != deadline => k.explain(Why::StickyElsewhere, [deadline, seen, 0]),
            _ => k.explain(Why::EarliestDeadline, [deadline, i64::from(self.nr_queued), 0]),
        }
    }
}
