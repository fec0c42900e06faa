//! The hierarchy: tasks coming and going through their groups, the pick from the root down, ticks, yields and changes.

use super::entity::{Ent, Entity, NIL};
use super::queue::{DequeueFlags, EnqueueFlags};
use super::versions::tunable;
use super::{Fair, Generation, Why};
use crate::kernel::Kernel;
use crate::policy::{AttrChange, Block, NewTask, SchedClass};
use crate::task::task::TaskState;
use crate::units::{CpuId, Nanos, TaskId};

/// Smallest and largest slice that a task may ask for, ns.
const SLICE_REQUEST: std::ops::RangeInclusive<i64> = 100_000..=100_000_000;

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

    /// `cfs_rq_min_slice`: smallest slice of a queue, as far as the tree's cache knows.
    fn min_slice(&self, q: usize) -> i64 {
        let queue = &self.queues[q];
        let curr =
            queue.curr.map(|curr| &self.ents[curr]).filter(|curr| curr.on_rq).map_or(i64::MAX, |curr| curr.slice);
        let root = queue.tree.root;
        if root == NIL { curr } else { curr.min(self.ents[root as usize].min_slice) }
    }

    /// Gives a group entity the smallest slice of its queue (6.12); `slice` becomes that of the queue above.
    fn pass_slice_up(&mut self, e: Ent, slice: &mut i64) {
        let q = self.ents[e].queue as usize;
        self.ents[e].slice = *slice;
        if self.version.stable_612 && self.queues[q].curr != Some(e) {
            let kind = self.tree_kind();
            super::tree::refresh(kind, &mut self.ents, e as u32);
        }
        *slice = self.min_slice(q);
    }

    /// `enqueue_task_fair`.
    pub(super) fn enqueue_fair(&mut self, k: &mut Kernel, e: Ent, mut flags: EnqueueFlags) {
        let modern = self.version.generation == Generation::Eevdf612;
        let cpu = self.cpu_of(self.ents[e].queue as usize);
        let before = self.queues[self.root(cpu)].h_nr;
        let mut slice = 0;
        let mut at = Some(e);
        while let Some(se) = at {
            let q = self.ents[se].queue as usize;
            if self.ents[se].on_rq {
                if self.ents[se].delayed {
                    self.requeue_delayed(q, se);
                }
                break;
            }
            if modern && slice != 0 {
                self.ents[se].slice = slice;
                self.ents[se].custom_slice = true;
            }
            self.enqueue_entity(k, q, se, flags);
            slice = self.min_slice(q);
            self.queues[q].h_nr += 1;
            if self.queues[q].throttled {
                return;
            }
            flags = EnqueueFlags { wakeup: true, initial: false };
            at = self.parent(se);
        }
        while let Some(se) = at {
            let q = self.ents[se].queue as usize;
            self.update_group_weight(k, se);
            if modern {
                self.pass_slice_up(se, &mut slice);
            }
            self.queues[q].h_nr += 1;
            if self.queues[q].throttled {
                return;
            }
            at = self.parent(se);
        }
        if before == 0 {
            self.start_fair_server(k, cpu);
        }
    }

    /// `dequeue_entities` from `e` up; returns false when `e` itself stays, delayed.
    pub(super) fn dequeue_fair(&mut self, k: &mut Kernel, e: Ent, mut flags: DequeueFlags) -> bool {
        let modern = self.version.generation == Generation::Eevdf612;
        let is_task = self.is_task(e);
        let cpu = self.cpu_of(self.ents[e].queue as usize);
        let tasks = u32::from(is_task);
        let task_sleep = flags.sleep;
        let mut slice = self.my_queue(e).map_or(0, |q| self.min_slice(q));
        let mut at = Some(e);
        while let Some(se) = at {
            let q = self.ents[se].queue as usize;
            if !self.dequeue_entity(k, q, se, flags) {
                if is_task && se == e {
                    return false;
                }
                if self.version.stable_612 {
                    slice = self.min_slice(q);
                }
                break;
            }
            self.queues[q].h_nr -= tasks;
            if self.queues[q].throttled {
                return true;
            }
            at = self.parent(se);
            if self.queues[q].load != 0 {
                slice = self.min_slice(q);
                if let (true, Some(parent)) = (task_sleep, at)
                    && self.queues[q].throttle_count == 0
                {
                    self.set_next_buddy(parent);
                }
                break;
            }
            flags = DequeueFlags { sleep: true, special: false, delayed: false };
        }
        while let Some(se) = at {
            let q = self.ents[se].queue as usize;
            self.update_group_weight(k, se);
            if modern {
                self.pass_slice_up(se, &mut slice);
            }
            self.queues[q].h_nr -= tasks;
            if self.queues[q].throttled {
                return true;
            }
            at = self.parent(se);
        }
        if self.queues[self.root(cpu)].h_nr == 0 {
            self.stop_fair_server(k, cpu);
        }
        true
    }

    /// Marks `e` and everything above as next buddies.
    pub(super) fn set_next_buddy(&mut self, e: Ent) {
        let mut at = Some(e);
        while let Some(se) = at {
            if !self.ents[se].on_rq || self.is_idle_entity(se) {
                return;
            }
            let q = self.ents[se].queue as usize;
            self.queues[q].next = Some(se);
            at = self.parent(se);
        }
    }

    /// Whether an entity is an idle group; idle tasks are told by their class where it matters.
    pub(super) fn is_idle_entity(&self, e: Ent) -> bool {
        match self.my_queue(e) {
            Some(q) => self.group_idle[self.group_of(q).index()],
            None => self.entity(e).weight == super::entity::IDLE_WEIGHT,
        }
    }

    /// `wake_up_new_task`.
    pub(super) fn fork(&mut self, k: &mut Kernel, task: TaskId, new: NewTask) {
        let e = self.ent(task);
        self.ents[e] = Entity::new(0, NIL);
        let (weight, inverse) = Fair::task_weight(k, task);
        self.ents[e].weight = weight;
        self.ents[e].inverse = inverse;
        self.ents[e].slice = self.base_slice;
        self.ask_for_slice(k.task(task).slice_ns, e);
        self.rr_ticks[task.index()] = self.rr_quantum();
        if k.task(task).class.is_rt() {
            let cpu = self.select_fork_cpu(k, task, new);
            k.set_task_cpu(task, cpu);
            self.attach(k, task, cpu);
            self.enqueue_rt(k, task);
            self.wakeup_preempt(k, cpu, task);
            return;
        }
        self.attach(k, task, new.cpu);
        match self.version.generation {
            Generation::Cfs515 => self.fork_515(k, e, new.cpu),
            Generation::Eevdf66 => {
                // task_fork_fair charges the forker and places the child; the enqueue places it again.
                if let Some(q) = self.leaf_queue(k, new.cpu) {
                    self.update_curr(k, q);
                }
            }
            Generation::Eevdf612 => {}
        }
        let cpu = self.select_fork_cpu(k, task, new);
        k.set_task_cpu(task, cpu);
        self.attach(k, task, cpu);
        let initial = self.version.generation == Generation::Eevdf612;
        self.enqueue_fair(k, e, EnqueueFlags { wakeup: false, initial });
        self.wakeup_preempt(k, cpu, task);
    }

    /// Queue of the running fair task of `cpu`.
    pub(super) fn leaf_queue(&self, k: &Kernel, cpu: CpuId) -> Option<usize> {
        match self.running(k, k.curr(cpu)) {
            Running::Fair(e) => Some(self.ents[e].queue as usize),
            _ => None,
        }
    }

    fn ask_for_slice(&mut self, wanted: Option<Nanos>, e: Ent) {
        if self.version.generation != Generation::Eevdf612 {
            return;
        }
        let entity = &mut self.ents[e];
        entity.custom_slice = wanted.is_some();
        if let Some(wanted) = wanted {
            entity.slice = (wanted.min(i64::MAX as u64) as i64).clamp(*SLICE_REQUEST.start(), *SLICE_REQUEST.end());
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
                    self.dequeue_fair(k, e, DequeueFlags { sleep: true, special, delayed: false });
                }
                Running::Rt(_) => self.dequeue_rt(k, task),
                Running::Idle | Running::Stop => {}
            }
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
            Running::Rt(_) => self.update_curr_rt(k, cpu),
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
            self.dequeue_fair(k, picked, DequeueFlags { sleep: true, special: false, delayed: true });
            return None;
        }
        self.explain_eevdf(k, q, picked);
        Some(picked)
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

    /// `pick_next_task_fair`: when prev is fair too, only the levels below the common queue change hands.
    pub(super) fn pick_fair(&mut self, k: &mut Kernel, cpu: CpuId, leaving: Running) -> Option<TaskId> {
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

    fn depth(&self, e: Ent) -> u32 {
        let mut depth = 0;
        let mut at = e;
        while let Some(parent) = self.parent(at) {
            at = parent;
            depth += 1;
        }
        depth
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

    /// `task_tick` of the running class.
    pub(super) fn tick(&mut self, k: &mut Kernel, cpu: CpuId) {
        match self.running(k, k.curr(cpu)) {
            Running::Idle | Running::Stop => {}
            Running::Rt(task) => self.tick_rt(k, cpu, task),
            Running::Fair(e) => {
                let mut at = Some(e);
                while let Some(se) = at {
                    let q = self.ents[se].queue as usize;
                    self.update_curr(k, q);
                    self.update_group_weight(k, se);
                    if self.version.generation == Generation::Cfs515 && self.queues[q].nr > 1 {
                        self.check_preempt_tick_515(k, q, se);
                    }
                    at = self.parent(se);
                }
            }
        }
    }

    /// `sys_sched_yield`; `schedule()` follows in any case.
    pub(super) fn yield_task(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) -> bool {
        let Running::Fair(e) = self.running(k, Some(task)) else {
            self.yield_rt(k, cpu, task);
            return true;
        };
        let q = self.ents[e].queue as usize;
        if self.queues[self.root(cpu)].h_nr + self.rt[cpu.index()].len() == 1 {
            return true;
        }
        self.clear_buddies(q, e);
        if self.version.generation == Generation::Cfs515 {
            self.yield_515(k, q, e);
            return true;
        }
        self.update_curr(k, q);
        if !self.version.stable_612 {
            let entity = &mut self.ents[e];
            entity.deadline += entity.scaled(entity.slice);
        } else if self.eligible(q, e) {
            let entity = &mut self.ents[e];
            entity.vruntime = entity.deadline;
            entity.deadline += entity.scaled(entity.slice);
            self.update_min_vruntime(q);
        }
        true
    }

    /// `set_user_nice`, `sched_setscheduler`, `sched_setattr`.
    pub(super) fn change(&mut self, k: &mut Kernel, task: TaskId, change: AttrChange, queued: bool) {
        let e = self.ent(task);
        let cpu = k.task(task).cpu;
        if !queued && self.ents[e].delayed {
            self.dequeue_fair(k, e, DequeueFlags { sleep: true, special: false, delayed: true });
        }
        let running = k.task(task).state == TaskState::Running;
        let (was_rt, is_rt) = match change {
            AttrChange::Class { old, .. } => (old.is_rt(), k.task(task).class.is_rt()),
            _ => (k.task(task).class.is_rt(), k.task(task).class.is_rt()),
        };
        match change {
            AttrChange::Affinity => return self.move_if_not_allowed(k, task, queued),
            AttrChange::Slice { .. } if self.version.generation != Generation::Eevdf612 => return,
            AttrChange::Slice { old } if old == k.task(task).slice_ns => return,
            AttrChange::Slice { .. } | AttrChange::Nice { .. } if was_rt => return,
            _ => {}
        }
        if queued {
            self.take_off(k, task, cpu, was_rt, running, change);
        }
        let (weight, inverse) = Fair::task_weight(k, task);
        self.reweight(k, e, weight, inverse);
        if matches!(change, AttrChange::Slice { .. }) {
            self.ask_for_slice(k.task(task).slice_ns, e);
        }
        if !queued {
            return;
        }
        if is_rt {
            self.enqueue_rt(k, task);
            if running {
                self.set_next_rt(k, cpu);
            }
        } else {
            self.enqueue_fair(k, e, EnqueueFlags::default());
            if running {
                self.set_next_fair(k, e);
            }
        }
        match change {
            AttrChange::Nice { old } if running => {
                if k.task(task).nice > old && self.queues[self.root(cpu)].nr > 1 {
                    k.resched_curr(cpu);
                }
            }
            AttrChange::Slice { .. } => {}
            AttrChange::Nice { .. } | AttrChange::Class { .. } | AttrChange::Affinity => {
                if running {
                    k.resched_curr(cpu);
                } else {
                    self.wakeup_preempt(k, cpu, task);
                }
            }
        }
    }

    fn take_off(&mut self, k: &mut Kernel, task: TaskId, cpu: CpuId, rt: bool, running: bool, change: AttrChange) {
        let e = self.ent(task);
        if rt {
            if running {
                self.update_curr_rt(k, cpu);
            }
            let old = match change {
                AttrChange::Class { old_rt_priority, .. } => old_rt_priority,
                _ => k.task(task).rt_priority,
            };
            self.remove_rt(cpu, task, old);
            return;
        }
        self.dequeue_fair(k, e, DequeueFlags::default());
        if running {
            self.put_prev_fair(k, e);
        }
    }

    /// Quantum of SCHED_RR in ticks.
    pub(super) fn rr_quantum(&self) -> i64 {
        (self.tunables[tunable::RR_TIMESLICE_NS] / self.tick_ns).max(1)
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

    /// Whether a task is SCHED_IDLE.
    pub(super) fn has_idle_policy(k: &Kernel, task: TaskId) -> bool {
        k.task(task).class == SchedClass::Idle
    }
}
