//! `schedule()`: the pick from the root down, and the paths that change hands.

use super::entity::Ent;
use super::queue::DequeueFlags;
use super::{Fair, Generation, Why};
use crate::kernel::Kernel;
use crate::policy::Block;
use crate::units::{CpuId, TaskId};

/// What a CPU runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Running {
    /// Nothing.
    Idle,
    /// A fair task.
    Fair(Ent),
    /// A FIFO or RR task.
    Rt(TaskId),
    /// The migration thread.
    Stop,
}

impl Fair {
    pub(super) fn running(&self, k: &Kernel, task: Option<TaskId>) -> Running {
        match task {
            None => Running::Idle,
            Some(task) if k.task(task).migration_thread.is_some() => Running::Stop,
            Some(task) if k.task(task).class.is_rt() => Running::Rt(task),
            Some(task) => Running::Fair(self.ent(task)),
        }
    }

    /// Queue of the running fair task of `cpu`.
    pub(super) fn leaf_queue(&self, k: &Kernel, cpu: CpuId) -> Option<usize> {
        match self.running(k, k.curr(cpu)) {
            Running::Fair(e) => Some(self.ents[e].queue as usize),
            _ => None,
        }
    }

    /// `schedule()`.
    pub(super) fn pick_next_task(
        &mut self,
        k: &mut Kernel,
        cpu: CpuId,
        prev: Option<TaskId>,
        block: Option<Block>,
    ) -> Option<TaskId> {
        let leaving = self.running(k, prev);
        if let (Some(task), Some(block)) = (prev, block) {
            match leaving {
                Running::Fair(e) => {
                    let special = block == Block::Dead;
                    self.dequeue_fair(k, e, DequeueFlags { sleep: true, special, ..DequeueFlags::default() });
                    if special {
                        self.remove_load(e);
                    }
                }
                Running::Rt(_) => self.dequeue_rt(k, task),
                Running::Idle | Running::Stop => {}
            }
            self.balance_rt(k, cpu, leaving);
        }
        let stop = k.migration_thread_of(cpu);
        if k.task(stop).is_queued() && prev != Some(stop) {
            self.put_prev(k, cpu, leaving);
            k.explain(Why::MigrationThread, [0; 3]);
            return Some(stop);
        }
        self.newidle_balance(k, cpu);
        if let Some(next) = self.pick_served(k, cpu, leaving) {
            return Some(next);
        }
        if let Some(next) = self.pick_rt(k, cpu, leaving) {
            return Some(next);
        }
        let next = self.pick_fair(k, cpu, leaving);
        if next.is_none() {
            let hidden = k.nr_running(cpu);
            if hidden > 0 {
                k.explain(Why::AllThrottled, [i64::from(hidden), 0, 0]);
            } else {
                k.explain(Why::NobodyRunnable, [0; 3]);
            }
        }
        next
    }

    /// `put_prev_task` of whatever class.
    pub(super) fn put_prev(&mut self, k: &mut Kernel, cpu: CpuId, leaving: Running) {
        match leaving {
            Running::Fair(e) => self.put_prev_fair(k, e),
            Running::Rt(task) => self.put_prev_rt(k, cpu, task),
            Running::Idle | Running::Stop => {}
        }
    }

    /// The whole path goes back into its trees.
    pub(super) fn put_prev_fair(&mut self, k: &mut Kernel, e: Ent) {
        let mut at = Some(e);
        while let Some(se) = at {
            let q = self.ents[se].queue as usize;
            self.put_prev_entity(k, q, se);
            at = self.parent(se);
        }
    }

    /// The whole path becomes the running one, protected at every level.
    pub(super) fn set_next_fair(&mut self, k: &mut Kernel, e: Ent) {
        let mut at = Some(e);
        while let Some(se) = at {
            let q = self.ents[se].queue as usize;
            self.set_next_entity(k, q, se);
            self.charge_bandwidth(k, q, 0);
            at = self.parent(se);
        }
    }

    /// One entity from a queue; `None`: a delayed one left, begin again at the root.
    fn pick_entity(&mut self, k: &mut Kernel, q: usize, curr: Option<Ent>) -> Option<Ent> {
        if self.version.generation == Generation::Cfs515 {
            return self.pick_next_entity_515(k, q, curr);
        }
        if self.features.pick_buddy
            && let Some(next) = self.queues[q].next.filter(|&next| self.eligible(q, next))
        {
            k.explain(Why::Buddy, [self.avg_vruntime(q) - self.ents[next].vruntime, i64::from(self.queues[q].nr), 0]);
            return Some(next);
        }
        let picked = self.pick_eevdf(q).expect("a queue with entities has an eligible one");
        if self.ents[picked].delayed {
            self.dequeue_fair(k, picked, DequeueFlags { sleep: true, delayed: true, ..DequeueFlags::default() });
            return None;
        }
        // Of a path only the last pick is told.
        if self.is_task(picked) {
            self.explain_eevdf(k, q, picked);
        }
        Some(picked)
    }

    fn explain_eevdf(&self, k: &mut Kernel, q: usize, picked: Ent) {
        let v = self.avg_vruntime(q);
        let entity = &self.ents[picked];
        let queue = &self.queues[q];
        let why = if queue.nr == 1 {
            Why::OnlyEntity
        } else if queue.curr == Some(picked) && self.features.run_to_parity && entity.is_protected() {
            Why::RunsToParity
        } else {
            Why::EarliestDeadline
        };
        k.explain(why, [v - entity.vruntime, i64::from(queue.nr), entity.deadline - v]);
    }

    /// From the root down; the running path is charged and its quota checked on the way. `None`: nothing is queued, or
    /// (before 6.12) a queue of the path was throttled, which `put_first` tells.
    fn descend(&mut self, k: &mut Kernel, cpu: CpuId, put_first: &mut bool) -> Option<Ent> {
        let modern = self.version.generation == Generation::Eevdf612;
        'again: loop {
            let mut q = self.root(cpu);
            if self.queues[q].nr == 0 {
                return None;
            }
            loop {
                let curr = self.queues[q].curr.filter(|&curr| self.ents[curr].on_rq);
                let running = self.queues[q].curr.is_some();
                if curr.is_some() {
                    self.update_curr(k, q);
                }
                if (running || modern) && self.check_throttle(k, q) {
                    if modern {
                        continue 'again;
                    }
                    *put_first = true;
                    return None;
                }
                let Some(picked) = self.pick_entity(k, q, curr) else { continue 'again };
                match self.my_queue(picked) {
                    Some(below) => q = below,
                    None => return Some(picked),
                }
            }
        }
    }

    /// `pick_next_task_fair`.
    pub(super) fn pick_fair(&mut self, k: &mut Kernel, cpu: CpuId, leaving: Running) -> Option<TaskId> {
        let next = self.pick_path(k, cpu, leaving)?;
        self.relist_task(cpu, next);
        Some(next)
    }

    /// When prev is fair too, only the levels below the common queue change hands.
    fn pick_path(&mut self, k: &mut Kernel, cpu: CpuId, leaving: Running) -> Option<TaskId> {
        let modern = self.version.generation == Generation::Eevdf612;
        // Before 6.12 the common-path short cut is taken only while all runnable tasks are fair.
        let only_fair = modern || self.rt[cpu.index()].is_empty();
        if let (Running::Fair(prev), true) = (leaving, only_fair) {
            let mut put_first = false;
            match self.descend(k, cpu, &mut put_first) {
                Some(next) => {
                    if next != prev {
                        self.switch_paths(k, prev, next);
                    }
                    return Some(self.task_of(next));
                }
                None => {
                    self.put_prev_fair(k, prev);
                    if !put_first {
                        return None;
                    }
                }
            }
        } else {
            self.put_prev(k, cpu, leaving);
        }
        let mut unused = false;
        if modern {
            let next = self.descend(k, cpu, &mut unused)?;
            self.set_next_fair(k, next);
            return Some(self.task_of(next));
        }
        let mut q = self.root(cpu);
        if self.queues[q].nr == 0 {
            return None;
        }
        loop {
            let picked = self.pick_entity(k, q, None)?;
            self.set_next_entity(k, q, picked);
            match self.my_queue(picked) {
                Some(below) => q = below,
                None => return Some(self.task_of(picked)),
            }
        }
    }

    /// Puts the old entities back and sets the new ones, level by level, down from where the paths part.
    fn switch_paths(&mut self, k: &mut Kernel, prev: Ent, next: Ent) {
        let (mut se, mut pse) = (next, prev);
        while self.ents[se].queue != self.ents[pse].queue {
            let (depth, prev_depth) = (self.depth(se), self.depth(pse));
            if depth <= prev_depth {
                self.put_prev_entity(k, self.ents[pse].queue as usize, pse);
                pse = self.parent(pse).expect("paths meet at the root");
            }
            if depth >= prev_depth {
                self.set_next_entity(k, self.ents[se].queue as usize, se);
                se = self.parent(se).expect("paths meet at the root");
            }
        }
        let q = self.ents[se].queue as usize;
        self.put_prev_entity(k, q, pse);
        self.set_next_entity(k, q, se);
    }
}
