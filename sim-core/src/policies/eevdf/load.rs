//! Load tracking of entities and queues: who counts where, and how a group's load reaches the queues above. Only on
//! several CPUs, as in the kernel (CONFIG_SMP): with one there is nobody to compare with.

use super::Fair;
use super::entity::{Ent, Entity};
use super::pelt::{SCALE, SchedAvg, shift, subtract};
use super::queue::Queue;
use super::schedule::Running;
use crate::kernel::Kernel;
use crate::units::{CpuId, Nanos, TaskId};

/// A group's load is passed on when it moved by more than one part in so many.
const CONTRIBUTION_PART: i64 = 64;

/// 6.12 passes it on at most once in this time, ns.
const CONTRIBUTION_GAP: Nanos = 1_000_000;

/// What an update does besides bringing averages up to date.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LoadFlags {
    /// The group hears of a changed load (`UPDATE_TG`).
    pub group: bool,
    /// An entity that counts nowhere counts here from now on.
    pub attach: bool,
    /// It does not count here any more.
    pub detach: bool,
}

/// Load of tasks that left for another CPU while asleep; taken off at the next update.
#[derive(Clone, Copy, Debug, Default)]
struct Removed {
    tasks: u32,
    load_avg: i64,
    runnable_avg: i64,
    util_avg: i64,
}

/// Load tracking of a queue.
#[derive(Clone, Copy, Debug, Default)]
pub struct QueueLoad {
    /// Sums and averages; the load sum is time times weight.
    pub avg: SchedAvg,
    removed: Removed,
    /// Somebody came or went: the group entity above follows.
    propagate: bool,
    propagated_sum: i64,
    /// Part of the group's load that comes from here (`tg_load_avg_contrib`).
    pub contribution: i64,
    contributed_at: Nanos,
    /// It is in its CPU's list of queues with load.
    active: bool,
    /// Time during which it was throttled, and since when it is: its clock stands then.
    stopped: Nanos,
    stopped_since: Nanos,
    /// Weight of the whole queue as its CPU's root sees it, and when that was computed (jiffies + 1).
    h_load: i64,
    h_load_at: u64,
}

impl Queue {
    /// `cfs_rq_clock_pelt`: time without throttling.
    #[inline]
    fn load_clock(&self, k: &Kernel) -> Nanos {
        let now = if self.throttle_count > 0 { self.tracked.stopped_since } else { k.now() };
        now - self.tracked.stopped
    }

    /// `update_cfs_rq_load_avg`: first without those that left, then up to now. Returns whether the averages changed.
    #[inline(always)]
    fn age(&mut self, now: Nanos) -> bool {
        let without = self.tracked.removed.tasks > 0;
        if without {
            self.take_removed_off();
        }
        if self.tracked.avg.is_current(now) {
            return without;
        }
        let (weight, running) = (self.weight() as u64, self.curr.is_some());
        without | self.tracked.avg.accumulate(now, weight, u64::from(self.h_nr), running, 1)
    }

    #[inline(never)]
    fn take_removed_off(&mut self) {
        let removed = std::mem::take(&mut self.tracked.removed);
        let avg = &mut self.tracked.avg;
        let divider = avg.divider();
        subtract(&mut avg.load_avg, &mut avg.load_sum, removed.load_avg, removed.load_avg as u64 * divider);
        subtract(&mut avg.util_avg, &mut avg.util_sum, removed.util_avg, removed.util_avg as u64 * divider);
        let runnable_sum = removed.runnable_avg as u64 * divider;
        subtract(&mut avg.runnable_avg, &mut avg.runnable_sum, removed.runnable_avg, runnable_sum);
        self.tracked.propagate = true;
        self.tracked.propagated_sum -= (runnable_sum / SCALE) as i64;
    }
}

impl Entity {
    /// `__update_load_avg_se`. Returns whether the averages changed.
    #[inline]
    fn age(&mut self, now: Nanos, is_task: bool, running: bool) -> bool {
        let runnable = match () {
            () if self.delayed => 0,
            () if is_task => u64::from(self.on_rq),
            () => u64::from(self.runnable),
        };
        self.avg.accumulate(now, u64::from(self.on_rq), runnable, running, self.weight as u64)
    }
}

impl Fair {
    /// The clock of a queue stands while it or a queue above is throttled.
    pub(super) fn stop_load_clock(&mut self, k: &Kernel, q: usize) {
        self.queues[q].tracked.stopped_since = k.now();
    }

    /// See [`Fair::stop_load_clock`].
    pub(super) fn restart_load_clock(&mut self, k: &Kernel, q: usize) {
        let tracked = &mut self.queues[q].tracked;
        tracked.stopped += k.now() - tracked.stopped_since;
    }

    /// `update_load_avg`: an entity and its queue up to now.
    pub(super) fn update_load(&mut self, k: &Kernel, e: Ent, flags: LoadFlags) {
        if !self.smp {
            return;
        }
        let is_task = self.is_task(e);
        let entity = &mut self.ents[e];
        let q = entity.queue as usize;
        let queue = &mut self.queues[q];
        let now = queue.load_clock(k);
        if entity.attached && !entity.avg.is_current(now) && entity.age(now, is_task, queue.curr == Some(e)) && is_task
        {
            self.estimates[e - self.first_task].unchanged = false;
        }
        let mut decayed = queue.age(now);
        if !is_task && self.queues[e].tracked.propagate {
            self.propagate_load(q, e);
            decayed = true;
        }
        if flags.attach && !self.ents[e].attached {
            self.attach_load(q, e);
            self.contribute(k, q);
        } else if flags.detach {
            self.detach_load(q, e);
            self.contribute(k, q);
        } else if decayed && flags.group {
            self.contribute(k, q);
        }
    }

    /// The same for an entity whose queue has others left, and its weight with it.
    pub(super) fn refresh_group_entity(&mut self, k: &mut Kernel, e: Ent) {
        self.update_load(k, e, LoadFlags { group: true, ..LoadFlags::default() });
        self.note_runnable(e);
        self.update_group_weight(k, e);
    }

    /// `se_update_runnable`.
    pub(super) fn note_runnable(&mut self, e: Ent) {
        if let Some(q) = self.my_queue(e) {
            self.ents[e].runnable = self.queues[q].h_nr;
        }
    }

    /// `attach_entity_load_avg`.
    #[inline(never)]
    fn attach_load(&mut self, q: usize, e: Ent) {
        let entity = &mut self.ents[e];
        let avg = &mut self.queues[q].tracked.avg;
        let divider = avg.divider();
        entity.attached = true;
        entity.avg.last_update = avg.last_update;
        entity.avg.period_contrib = avg.period_contrib;
        entity.avg.util_sum = entity.avg.util_avg as u64 * divider;
        entity.avg.runnable_sum = entity.avg.runnable_avg as u64 * divider;
        entity.avg.load_sum = (entity.avg.load_avg as u64 * divider / entity.weight.max(1) as u64).max(1);
        avg.load_avg += entity.avg.load_avg;
        avg.load_sum += entity.weight as u64 * entity.avg.load_sum;
        avg.util_avg += entity.avg.util_avg;
        avg.util_sum += entity.avg.util_sum;
        avg.runnable_avg += entity.avg.runnable_avg;
        avg.runnable_sum += entity.avg.runnable_sum;
        self.queues[q].tracked.propagate = true;
        self.queues[q].tracked.propagated_sum += entity.avg.load_sum as i64;
    }

    /// `detach_entity_load_avg`.
    #[inline(never)]
    fn detach_load(&mut self, q: usize, e: Ent) {
        let entity = &mut self.ents[e];
        if !std::mem::take(&mut entity.attached) {
            return;
        }
        let tracked = &mut self.queues[q].tracked;
        let own = entity.avg;
        let avg = &mut tracked.avg;
        subtract(&mut avg.load_avg, &mut avg.load_sum, own.load_avg, entity.weight as u64 * own.load_sum);
        subtract(&mut avg.util_avg, &mut avg.util_sum, own.util_avg, own.util_sum);
        subtract(&mut avg.runnable_avg, &mut avg.runnable_sum, own.runnable_avg, own.runnable_sum);
        tracked.propagate = true;
        tracked.propagated_sum -= own.load_sum as i64;
    }

    /// `detach_entity_cfs_rq`: a task leaves the fair class; the queues above hear of it.
    pub(super) fn detach_task_load(&mut self, k: &Kernel, e: Ent) {
        self.update_load(k, e, LoadFlags { detach: true, ..LoadFlags::default() });
        self.update_load_above(k, e);
    }

    /// `propagate_entity_cfs_rq`.
    fn update_load_above(&mut self, k: &Kernel, e: Ent) {
        let mut at = self.parent(e);
        while let Some(se) = at {
            self.update_load(k, se, LoadFlags { group: true, ..LoadFlags::default() });
            at = self.parent(se);
        }
    }

    /// `remove_entity_load_avg`: a sleeper leaves for another CPU, or a task has died. Its old queue takes the load off
    /// when it is next looked at.
    pub(super) fn remove_load(&mut self, e: Ent) {
        if !self.smp || !std::mem::take(&mut self.ents[e].attached) {
            return;
        }
        let q = self.ents[e].queue as usize;
        let upto = self.queues[q].tracked.avg.last_update;
        let entity = &mut self.ents[e];
        if upto > entity.avg.last_update {
            entity.avg.accumulate(upto, 0, 0, false, entity.weight as u64);
        }
        let removed = &mut self.queues[q].tracked.removed;
        removed.tasks += 1;
        removed.load_avg += entity.avg.load_avg;
        removed.runnable_avg += entity.avg.runnable_avg;
        removed.util_avg += entity.avg.util_avg;
    }

    /// `init_entity_runnable_average` and `post_init_entity_util_avg`: a new task counts as always runnable, and as
    /// using half of what its CPU has to spare, or its part of what the others use.
    pub(super) fn start_load(&mut self, k: &Kernel, e: Ent) {
        if !self.smp {
            return;
        }
        let q = self.ents[e].queue as usize;
        let queue = self.queues[q].tracked.avg;
        let entity = &mut self.ents[e];
        entity.avg = SchedAvg { load_avg: entity.weight, ..SchedAvg::default() };
        entity.attached = false;
        let spare = (SCALE as i64 - queue.util_avg) / 2;
        if spare > 0 {
            // Before 6.12 the weight had its extra bits here, so that the part hardly ever was below the limit.
            let weight = if self.version.scaled_first_util { entity.weight } else { entity.load };
            let part = queue.util_avg * weight / (queue.load_avg + 1);
            entity.avg.util_avg = if queue.util_avg != 0 { part.min(spare) } else { spare };
        }
        entity.avg.runnable_avg = entity.avg.util_avg;
        self.update_load(k, e, LoadFlags { attach: true, ..LoadFlags::default() });
        self.update_load_above(k, e);
    }

    /// `propagate_entity_load_avg`: a group entity takes over what came or went in its queue.
    #[inline(never)]
    fn propagate_load(&mut self, q: usize, e: Ent) {
        let below = &mut self.queues[e];
        below.tracked.propagate = false;
        let sum = std::mem::take(&mut below.tracked.propagated_sum);
        let (own, own_weight) = (below.tracked.avg, below.weight());
        let tracked = &mut self.queues[q].tracked;
        tracked.propagate = true;
        tracked.propagated_sum += sum;
        let avg = &mut self.queues[q].tracked.avg;
        let divider = avg.divider();
        let entity = &mut self.ents[e];

        let new_sum = own.util_avg as u64 * divider;
        let by = (own.util_avg - entity.avg.util_avg, new_sum as i64 - entity.avg.util_sum as i64);
        if by.0 != 0 {
            (entity.avg.util_avg, entity.avg.util_sum) = (own.util_avg, new_sum);
            shift(&mut avg.util_avg, &mut avg.util_sum, by.0, by.1);
        }
        let new_sum = own.runnable_avg as u64 * divider;
        let by = (own.runnable_avg - entity.avg.runnable_avg, new_sum as i64 - entity.avg.runnable_sum as i64);
        if by.0 != 0 {
            (entity.avg.runnable_avg, entity.avg.runnable_sum) = (own.runnable_avg, new_sum);
            shift(&mut avg.runnable_avg, &mut avg.runnable_sum, by.0, by.1);
        }
        if sum == 0 {
            return;
        }
        // Time that the group was runnable: more with who came, at most all; with who went, not more than is left.
        let runnable = if sum >= 0 {
            (sum + entity.avg.load_sum as i64).min(divider as i64)
        } else {
            let left = if own_weight > 0 { own.load_sum as i64 / own_weight } else { 0 };
            left.min(entity.avg.load_sum as i64)
        };
        let runnable = runnable.max((entity.avg.util_sum / SCALE) as i64);
        let load_sum = entity.weight * runnable;
        let load_avg = load_sum / divider as i64;
        let by = (load_avg - entity.avg.load_avg, load_sum - entity.weight * entity.avg.load_sum as i64);
        if by.0 != 0 {
            entity.avg.load_sum = runnable as u64;
            entity.avg.load_avg = load_avg;
            shift(&mut avg.load_avg, &mut avg.load_sum, by.0, by.1);
        }
    }

    /// `update_tg_load_avg`: the group's load on all CPUs follows, roughly.
    fn contribute(&mut self, k: &Kernel, q: usize) {
        let group = self.group_of(q).index();
        if group == 0 {
            return;
        }
        let tracked = &mut self.queues[q].tracked;
        if self.version.since_6_7 && k.now() < tracked.contributed_at + CONTRIBUTION_GAP {
            return;
        }
        let by = tracked.avg.load_avg - tracked.contribution;
        if by.abs() > tracked.contribution / CONTRIBUTION_PART {
            self.group_load[group] += by;
            tracked.contribution = tracked.avg.load_avg;
            tracked.contributed_at = k.now();
        }
    }

    /// `list_add_leaf_cfs_rq`: deeper queues first.
    pub(super) fn list_active(&mut self, q: usize) {
        if !self.smp || std::mem::replace(&mut self.queues[q].tracked.active, true) {
            return;
        }
        let depth = |q: u32| self.group_depth[q as usize / self.cpus];
        let cpu = self.cpu_of(q).index();
        let place = self.active[cpu].partition_point(|&other| depth(other) >= depth(q as u32));
        self.active[cpu].insert(place, q as u32);
    }

    /// `update_blocked_averages`: all queues of a CPU that have load, up to now, so that sleepers' loads fade; and what
    /// real-time tasks take.
    pub(super) fn update_blocked_loads(&mut self, k: &Kernel, cpu: CpuId) {
        self.age_rt(k, cpu, matches!(self.running(k, k.curr(cpu)), Running::Rt(_)));
        let mut index = 0;
        while index < self.active[cpu.index()].len() {
            let q = self.active[cpu.index()][index] as usize;
            let now = self.queues[q].load_clock(k);
            if self.queues[q].age(now) {
                self.contribute(k, q);
            }
            let above = self.entity(q).avg;
            let pending = self.queues[q].tracked.propagate;
            if q >= self.cpus && (above.load_avg != 0 || above.util_avg != 0 || pending) {
                self.update_load(k, q, LoadFlags { group: true, ..LoadFlags::default() });
            }
            if self.queues[q].load == 0 && self.queues[q].tracked.avg.is_decayed() {
                self.queues[q].tracked.active = false;
                self.active[cpu.index()].remove(index);
            } else {
                index += 1;
            }
        }
    }

    /// Load of a CPU (`cpu_load`).
    pub(super) fn cpu_load(&self, cpu: CpuId) -> i64 {
        self.queues[self.root(cpu)].tracked.avg.load_avg
    }

    /// `task_h_load`: what a task adds to the load of its CPU, through all its groups.
    pub(super) fn task_load(&mut self, k: &Kernel, task: TaskId) -> i64 {
        let e = self.ent(task);
        let q = self.ents[e].queue as usize;
        let whole = self.hierarchical_load(k, q);
        self.ents[e].avg.load_avg * whole / (self.queues[q].tracked.avg.load_avg + 1)
    }

    /// `update_cfs_rq_h_load`: at most once per jiffy.
    fn hierarchical_load(&mut self, k: &Kernel, q: usize) -> i64 {
        let stamp = k.jiffies() + 1;
        if self.queues[q].tracked.h_load_at == stamp {
            return self.queues[q].tracked.h_load;
        }
        let load = if q < self.cpus {
            self.queues[q].tracked.avg.load_avg
        } else {
            let above = self.ents[q].queue as usize;
            let whole = self.hierarchical_load(k, above);
            whole * self.ents[q].avg.load_avg / (self.queues[above].tracked.avg.load_avg + 1)
        };
        let tracked = &mut self.queues[q].tracked;
        (tracked.h_load, tracked.h_load_at) = (load, stamp);
        load
    }
}
