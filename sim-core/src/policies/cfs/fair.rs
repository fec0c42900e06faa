//! The fair class on one queue: charging, placing, queueing and slices (`sched_fair.c`).

use super::Cfs;
use super::rq::{Cause, EntityId, QueueId, Vruntime};
use super::version::{Credit, Debit, Floor, Hrtick, Pick, Rate, RqLoad, Slice, Walk};
use super::weight::{calc_delta, max_vruntime, min_vruntime};
use crate::kernel::Kernel;
use crate::machine::cost::Work;
use crate::queues::load_avg::update_avg;
use crate::queues::nice::NICE_0_LOAD;
use crate::units::{CpuId, TaskId};

impl Cfs {
    // ---- virtual time ----------------------------------------------------------------------------------------------

    /// Real time to virtual time of `entity`: the walk over all levels, or 1024 / weight.
    #[inline]
    pub(super) fn calc_delta_fair(&mut self, delta: u64, entity: EntityId) -> u64 {
        match self.version.rate {
            Rate::Weight => {
                let load = &mut self.entities[entity.index()].load;
                if load.weight == NICE_0_LOAD { delta } else { calc_delta(delta, NICE_0_LOAD, load, &mut self.divider) }
            }
            Rate::QueueShare => {
                let mut delta = delta;
                let mut at = Some(entity);
                while let Some(level) = at {
                    let entity = &mut self.entities[level.index()];
                    let queue_weight = self.queues[entity.queue.index()].load.weight;
                    delta = calc_delta(delta, queue_weight, &mut entity.load, &mut self.divider);
                    at = entity.parent;
                }
                delta
            }
        }
    }

    /// `update_curr`: charges the running entity of a queue up to the CPU's stored clock.
    #[inline]
    pub(super) fn update_curr(&mut self, queue: QueueId) {
        let Some(curr) = self.q(queue).curr else { return };
        let now = self.rq(self.q(queue).cpu).clock;
        let entity = self.e_mut(curr);
        let delta = now.wrapping_sub(entity.exec_start);
        entity.exec_start = now;
        if delta == 0 {
            // A charge of nothing may still move the floor in the releases that look at it here.
            if self.version.floor == Floor::Charge {
                self.update_min_vruntime(queue);
            }
            return;
        }
        entity.sum_exec += delta;
        let virtual_delta = self.calc_delta_fair(delta, curr);
        let entity = self.e_mut(curr);
        entity.vruntime = entity.vruntime.wrapping_add(virtual_delta);
        match self.version.floor {
            Floor::Charge | Floor::ChargeAndDequeue => self.update_min_vruntime(queue),
            Floor::Leftmost => {}
        }
    }

    /// Moves the floor up to the smaller of the running and the leftmost entity.
    #[inline]
    fn update_min_vruntime(&mut self, queue: QueueId) {
        let q = self.q(queue);
        let leftmost = q.tree.leftmost().map(|node| self.nodes.value(node).0);
        let curr = q.curr.map(|curr| self.e(curr).vruntime);
        let floor = match (curr, leftmost) {
            (Some(curr), Some(leftmost)) => min_vruntime(curr, leftmost),
            (Some(only), None) | (None, Some(only)) => only,
            (None, None) => return,
        };
        let q = self.q_mut(queue);
        q.min_vruntime = max_vruntime(q.min_vruntime, floor);
    }

    /// `update_curr` at every level of the running task.
    pub(super) fn charge_running(&mut self, task: TaskId) {
        let queue = self.e(self.task_entity(task)).queue;
        self.update_curr(queue);
    }

    // ---- slices ----------------------------------------------------------------------------------------------------

    /// `__sched_period`.
    pub(super) fn period(&self, nr: u64) -> u64 {
        if nr <= self.knobs.nr_latency {
            self.knobs.latency
        } else if self.version.stretch_latency {
            self.knobs.latency.wrapping_mul(nr) / self.knobs.nr_latency.max(1)
        } else {
            self.knobs.min_granularity * nr
        }
    }

    /// `sched_slice`: how long `entity` may run, ns.
    pub(super) fn sched_slice(&mut self, queue: QueueId, entity: EntityId) -> u64 {
        let with_self = self.version.slice == Slice::RoundedTreeWithSelf;
        let uncounted = u64::from(with_self && !self.e(entity).on_rq);
        let mut slice = self.period(self.q(queue).nr_running + uncounted);
        let mut at = Some(entity);
        while let Some(level) = at {
            let entity = &self.entities[level.index()];
            let (weight, on_rq, parent) = (entity.load.weight, entity.on_rq, entity.parent);
            let load = &mut self.queues[entity.queue.index()].load;
            slice = match self.version.slice {
                Slice::ExactFlat => return slice.wrapping_mul(weight) / load.weight.max(1),
                Slice::RoundedFlat => return calc_delta(slice, weight, load, &mut self.divider),
                Slice::ExactTree => {
                    self.divider.done += 1;
                    slice.wrapping_mul(weight) / load.weight.max(1)
                }
                Slice::RoundedTree => calc_delta(slice, weight, load, &mut self.divider),
                Slice::RoundedTreeWithSelf if on_rq => calc_delta(slice, weight, load, &mut self.divider),
                Slice::RoundedTreeWithSelf => {
                    let mut with = *load;
                    with.add(weight);
                    calc_delta(slice, weight, &mut with, &mut self.divider)
                }
            };
            at = parent;
        }
        slice
    }

    /// Virtual time that a new entity is placed behind the floor.
    pub(super) fn debit(&mut self, queue: QueueId, entity: EntityId) -> u64 {
        let nr = self.q(queue).nr_running;
        match self.version.debit {
            Debit::Flat => {
                let weight = self.q(queue).load.weight + self.e(entity).load.weight;
                self.period(nr + 1).wrapping_mul(NICE_0_LOAD) / weight
            }
            Debit::Tree => {
                let mut slice = self.period(nr + u64::from(!self.e(entity).on_rq));
                let mut at = Some(entity);
                while let Some(level) = at {
                    let level = self.e(level);
                    let own = if level.on_rq { 0 } else { level.load.weight };
                    slice = slice.wrapping_mul(NICE_0_LOAD) / (self.q(level.queue).load.weight + own);
                    at = level.parent;
                }
                slice
            }
            Debit::Period => self.period(nr + u64::from(!self.e(entity).on_rq)),
            Debit::OwnSlice => {
                let slice = self.sched_slice(queue, entity);
                self.calc_delta_fair(slice, entity)
            }
        }
    }

    /// `place_entity`: where a new (`initial`) or woken entity enters the queue.
    #[inline]
    pub(super) fn place_entity(&mut self, queue: QueueId, entity: EntityId, initial: bool) {
        let q = self.q(queue);
        let mut vruntime = q.min_vruntime;
        if self.version.place_at_leftmost
            && let Some(leftmost) = q.tree.leftmost()
        {
            vruntime = min_vruntime(vruntime, self.nodes.value(leftmost).0);
        }
        if initial {
            if self.knobs.start_debit {
                vruntime = vruntime.wrapping_add(self.debit(queue, entity));
            }
            if self.version.fork_inherits {
                vruntime = max_vruntime(self.e(entity).vruntime, vruntime);
            }
        } else {
            vruntime = vruntime.wrapping_sub(self.sleeper_credit(entity));
            vruntime = max_vruntime(self.e(entity).vruntime, vruntime);
        }
        self.e_mut(entity).vruntime = vruntime;
    }

    /// Virtual time by which a sleeper may stay ahead of the floor.
    pub(super) fn sleeper_credit(&mut self, entity: EntityId) -> u64 {
        if !self.knobs.fair_sleepers {
            return 0;
        }
        let latency = self.knobs.latency;
        let normalized = |cfs: &mut Cfs| {
            if cfs.knobs.normalized_sleeper { cfs.calc_delta_fair(latency, entity) } else { latency }
        };
        match self.version.credit {
            Credit::Tasks => self.task_of(entity).map_or(0, |_| latency),
            Credit::Everyone => latency,
            Credit::Normalized => normalized(self),
            Credit::Gentle if self.knobs.gentle_sleepers => normalized(self) >> 1,
            Credit::Gentle => normalized(self),
        }
    }

    // ---- tree ------------------------------------------------------------------------------------------------------

    /// `__enqueue_entity`.
    pub(super) fn tree_insert(&mut self, k: &mut Kernel, queue: QueueId, entity: EntityId) {
        let vruntime = self.e(entity).vruntime;
        let q = &mut self.queues[queue.index()];
        let (first, depth) = q.tree.insert(&mut self.nodes, entity.0, Vruntime(vruntime));
        if first && self.version.floor == Floor::Leftmost {
            q.min_vruntime = max_vruntime(q.min_vruntime, vruntime);
        }
        k.charge(self.this_cpu, Work::TreeLevel, u64::from(depth));
    }

    /// `__dequeue_entity`.
    #[inline]
    pub(super) fn tree_remove(&mut self, queue: QueueId, entity: EntityId) {
        let q = &mut self.queues[queue.index()];
        let was_leftmost = q.tree.leftmost() == Some(entity.0);
        q.tree.remove(&mut self.nodes, entity.0);
        if self.version.floor == Floor::Leftmost
            && was_leftmost
            && let Some(leftmost) = q.tree.leftmost()
        {
            q.min_vruntime = max_vruntime(q.min_vruntime, self.nodes.value(leftmost).0);
        }
        let buddy_of_tree = matches!(self.version.pick, Pick::ShrinkingWindow | Pick::Window | Pick::PairSlice);
        if buddy_of_tree && q.next == Some(entity) {
            q.next = None;
        }
    }

    // ---- accounting ------------------------------------------------------------------------------------------------

    fn account_enqueue(&mut self, queue: QueueId, entity: EntityId) {
        let SchedRef { weight, is_task, is_top } = self.sched_ref(entity);
        let listed = self.is_listed(is_task);
        let cpu = self.q(queue).cpu;
        self.q_mut(queue).load.add(weight);
        if is_top && self.version.rq_load != RqLoad::Tasks {
            self.rq_mut(cpu).load += weight;
        }
        let q = &mut self.queues[queue.index()];
        if is_task {
            q.task_weight += weight;
        }
        if listed {
            self.links.push_front(&mut q.list, TaskId(entity.0));
        }
        q.nr_running += 1;
        self.e_mut(entity).on_rq = true;
    }

    fn account_dequeue(&mut self, queue: QueueId, entity: EntityId) {
        let SchedRef { weight, is_task, is_top } = self.sched_ref(entity);
        let listed = self.is_listed(is_task);
        let cpu = self.q(queue).cpu;
        self.q_mut(queue).load.sub(weight);
        if is_top && self.version.rq_load != RqLoad::Tasks {
            self.rq_mut(cpu).load -= weight;
        }
        let q = &mut self.queues[queue.index()];
        if is_task {
            q.task_weight -= weight;
        }
        if listed {
            self.links.remove(&mut q.list, TaskId(entity.0));
        }
        q.nr_running -= 1;
        self.e_mut(entity).on_rq = false;
    }

    fn is_listed(&self, is_task: bool) -> bool {
        match self.version.walk {
            Walk::Tree => false,
            Walk::AllButOldest | Walk::All => true,
            Walk::Tasks => is_task,
        }
    }

    fn sched_ref(&self, entity: EntityId) -> SchedRef {
        let is_task = self.task_of(entity).is_some();
        let entity = self.e(entity);
        SchedRef { weight: entity.load.weight, is_task, is_top: entity.parent.is_none() }
    }

    // ---- entities --------------------------------------------------------------------------------------------------

    /// `enqueue_entity`.
    #[inline]
    pub(super) fn enqueue_entity(&mut self, k: &mut Kernel, queue: QueueId, entity: EntityId, wakeup: bool) {
        k.charge(self.this_cpu, Work::Entity, 1);
        self.update_curr(queue);
        if self.version.account_first {
            self.account_enqueue(queue, entity);
        }
        if wakeup {
            self.place_entity(queue, entity, false);
        }
        if self.q(queue).curr != Some(entity) {
            self.tree_insert(k, queue, entity);
        }
        if !self.version.account_first {
            self.account_enqueue(queue, entity);
        }
    }

    /// `dequeue_entity`.
    pub(super) fn dequeue_entity(&mut self, k: &mut Kernel, queue: QueueId, entity: EntityId, sleep: bool) {
        k.charge(self.this_cpu, Work::Entity, 1);
        self.update_curr(queue);
        if sleep
            && !self.version.averages
            && let Some(task) = self.task_of(entity)
        {
            self.update_avg_overlap(task);
        }
        if self.version.pick == Pick::LastBuddy {
            self.clear_buddies(entity);
        }
        if self.q(queue).curr != Some(entity) {
            self.tree_remove(queue, entity);
        }
        self.account_dequeue(queue, entity);
        if self.version.floor == Floor::ChargeAndDequeue {
            self.update_min_vruntime(queue);
        }
    }

    /// `update_avg_stats`: how long the task went on after it last woke somebody. Returns whether it had.
    pub(super) fn update_avg_overlap(&mut self, task: TaskId) -> bool {
        let sum_exec = self.e(self.task_entity(task)).sum_exec;
        let sched = self.t_mut(task);
        if sched.last_wakeup == 0 {
            return false;
        }
        update_avg(&mut sched.avg_overlap, sum_exec.wrapping_sub(sched.last_wakeup));
        sched.last_wakeup = 0;
        true
    }

    /// Takes the marks of an entity and of its ancestors away.
    pub(super) fn clear_buddies(&mut self, entity: EntityId) {
        let mut at = Some(entity);
        while let Some(level) = at {
            let queue = self.e(level).queue;
            let q = self.q_mut(queue);
            if q.last == Some(level) {
                q.last = None;
            }
            if q.next == Some(level) {
                q.next = None;
            }
            at = self.e(level).parent;
        }
    }

    /// `set_next_entity`: out of the tree and running; its slice starts.
    #[inline]
    pub(super) fn set_next_entity(&mut self, queue: QueueId, entity: EntityId) {
        if self.e(entity).on_rq {
            self.tree_remove(queue, entity);
        }
        let clock = self.rq(self.q(queue).cpu).clock;
        let e = self.e_mut(entity);
        e.exec_start = clock;
        e.prev_sum_exec = e.sum_exec;
        self.q_mut(queue).curr = Some(entity);
    }

    /// `put_prev_task_fair`: every level goes back into its tree if it is still runnable.
    pub(super) fn put_prev_task_fair(&mut self, k: &mut Kernel, task: TaskId) {
        let mut at = Some(self.task_entity(task));
        while let Some(entity) = at {
            let queue = self.e(entity).queue;
            if self.e(entity).on_rq {
                self.update_curr(queue);
                self.tree_insert(k, queue, entity);
            }
            self.q_mut(queue).curr = None;
            at = self.e(entity).parent;
        }
    }

    /// `set_curr_task_fair`: the running task came into this class.
    pub(super) fn set_curr_task_fair(&mut self, task: TaskId) {
        let mut at = Some(self.task_entity(task));
        while let Some(entity) = at {
            let queue = self.e(entity).queue;
            self.set_next_entity(queue, entity);
            at = self.e(entity).parent;
        }
    }

    // ---- tasks -----------------------------------------------------------------------------------------------------

    /// `enqueue_task_fair`: up to the first level that is queued already.
    pub(super) fn enqueue_task_fair(&mut self, k: &mut Kernel, task: TaskId, wakeup: bool) {
        let mut wakeup = wakeup;
        let mut at = Some(self.task_entity(task));
        while let Some(entity) = at {
            if self.e(entity).on_rq {
                break;
            }
            let queue = self.e(entity).queue;
            self.enqueue_entity(k, queue, entity, wakeup);
            wakeup = true;
            at = self.e(entity).parent;
        }
        let cpu = self.q(self.e(self.task_entity(task)).queue).cpu;
        self.hrtick_start_curr(k, cpu);
    }

    /// `dequeue_task_fair`: up to the first level that keeps other entities.
    pub(super) fn dequeue_task_fair(&mut self, k: &mut Kernel, task: TaskId, sleep: bool) {
        let mut sleep = sleep;
        let mut at = Some(self.task_entity(task));
        while let Some(entity) = at {
            let queue = self.e(entity).queue;
            self.dequeue_entity(k, queue, entity, sleep);
            if self.q(queue).load.weight != 0 {
                break;
            }
            sleep = true;
            at = self.e(entity).parent;
        }
        let cpu = self.q(self.e(self.task_entity(task)).queue).cpu;
        self.hrtick_start_curr(k, cpu);
    }

    /// `task_tick_fair`. `queued`: the slice timer expired.
    pub(super) fn task_tick_fair(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId, queued: bool) {
        let mut at = Some(self.task_entity(task));
        while let Some(entity) = at {
            let queue = self.e(entity).queue;
            self.entity_tick(k, cpu, queue, entity, queued);
            at = self.e(entity).parent;
        }
    }

    fn entity_tick(&mut self, k: &mut Kernel, cpu: CpuId, queue: QueueId, entity: EntityId, queued: bool) {
        self.update_curr(queue);
        if self.version.hrtick != Hrtick::Absent {
            if queued {
                let ran = self.e(entity).sum_exec - self.e(entity).prev_sum_exec;
                return self.resched_expired(k, cpu, Cause::SliceOver(ran, ran));
            }
            if k.timer_at(u32::from(cpu.0)).is_some() {
                return;
            }
        }
        if self.q(queue).nr_running > 1 || !self.knobs.wakeup_preempt {
            self.check_preempt_tick(k, cpu, queue, entity);
        }
    }

    /// `check_preempt_tick`: the comparison is strict.
    fn check_preempt_tick(&mut self, k: &mut Kernel, cpu: CpuId, queue: QueueId, entity: EntityId) {
        let slice = self.sched_slice(queue, entity);
        let ran = self.e(entity).sum_exec - self.e(entity).prev_sum_exec;
        if ran > slice {
            self.resched_expired(k, cpu, Cause::SliceOver(ran, slice));
            if self.version.pick == Pick::LastBuddy {
                self.clear_buddies(entity);
            }
        }
    }

    /// `yield_task_fair`: stays where it is, or goes behind the rightmost entity (SCHED_BATCH, compat_yield).
    pub(super) fn yield_task_fair(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId, batch: bool) {
        let entity = self.task_entity(task);
        let queue = self.e(entity).queue;
        if self.q(queue).nr_running == 1 {
            return;
        }
        if self.version.pick == Pick::LastBuddy {
            self.clear_buddies(entity);
        }
        if !self.knobs.compat_yield && !batch {
            self.update_rq_clock(k, cpu);
            self.update_curr(queue);
            return;
        }
        let Some(rightmost) = self.q(queue).tree.rightmost(&self.nodes) else { return };
        let last = self.nodes.value(rightmost).0;
        let e = self.e_mut(entity);
        if (last.wrapping_sub(e.vruntime) as i64) >= 0 {
            e.vruntime = last.wrapping_add(1);
        }
    }
}

/// What accounting needs of an entity.
struct SchedRef {
    weight: u64,
    is_task: bool,
    is_top: bool,
}
