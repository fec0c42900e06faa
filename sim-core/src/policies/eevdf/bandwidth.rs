//! `cpu.max`: a pool of run time per group and period, taken in portions by its queues.

use super::queue::{DequeueFlags, EnqueueFlags};
use super::versions::tunable;
use super::{Fair, Generation, Note};
use crate::kernel::{CpuMax, Kernel};
use crate::units::{CpuId, GroupId, Nanos};

/// A queue that becomes empty keeps this much, ns.
const MIN_KEPT: i64 = 1_000_000;

/// Time after which returned run time is handed out, ns.
const SLACK: Nanos = 5_000_000;

/// No hand-out this near to the refill, ns.
const SLACK_END: Nanos = 2_000_000;

/// `cfs_bandwidth` of a group.
#[derive(Clone, Debug)]
pub struct Pool {
    /// Run time left in the period, ns.
    pub runtime: i64,
    quota: i64,
    burst: i64,
    period: Nanos,
    /// The period timer runs.
    active: bool,
    /// Nobody took anything since the last refill.
    idle: bool,
    /// Periods, periods with throttling, time throttled.
    pub statistics: [u64; 3],
}

impl Pool {
    /// A pool as its group file was written: quota first, then the burst, each write adding a quota.
    pub fn new(max: CpuMax) -> Pool {
        let (quota, burst) = (max.quota_ns as i64, max.burst_ns as i64);
        let runtime = if burst > 0 { (2 * quota).min(quota + burst) } else { quota };
        Pool { runtime, quota, burst, period: max.period_ns, active: false, idle: false, statistics: [0; 3] }
    }
}

impl Fair {
    #[inline]
    fn pool_of(&self, q: usize) -> Option<usize> {
        self.queues[q].limited.then(|| self.group_of(q).index())
    }

    /// Pool of a group for the page: (left, quota, period).
    pub(super) fn pool_levels(&self, group: GroupId) -> Option<(i64, i64, Nanos)> {
        self.pools[group.index()].as_ref().map(|pool| (pool.runtime, pool.quota, pool.period))
    }

    /// `account_cfs_rq_runtime`.
    #[inline]
    pub(super) fn charge_bandwidth(&mut self, k: &mut Kernel, q: usize, delta: i64) {
        if self.pool_of(q).is_none() {
            return;
        }
        self.queues[q].runtime_remaining -= delta;
        if self.queues[q].runtime_remaining > 0 || self.queues[q].throttled {
            return;
        }
        let portion = self.tunables[tunable::BANDWIDTH_SLICE_US] * 1000;
        if !self.assign(k, q, portion) && self.queues[q].curr.is_some() {
            k.resched_curr(self.cpu_of(q));
        }
    }

    /// `__assign_cfs_rq_runtime`: fills the queue up to `target` as far as the pool goes.
    fn assign(&mut self, k: &mut Kernel, q: usize, target: i64) -> bool {
        let group = self.group_of(q).index();
        self.start_period(k, group);
        let wanted = target - self.queues[q].runtime_remaining;
        let Some(pool) = self.pools[group].as_mut() else { return true };
        if pool.runtime > 0 {
            let amount = pool.runtime.min(wanted);
            pool.runtime -= amount;
            pool.idle = false;
            self.queues[q].runtime_remaining += amount;
        }
        self.queues[q].runtime_remaining > 0
    }

    /// `start_cfs_bandwidth`: periods end at multiples of their length.
    fn start_period(&mut self, k: &mut Kernel, group: usize) {
        let Some(pool) = self.pools[group].as_mut() else { return };
        if pool.active {
            return;
        }
        pool.active = true;
        let end = (k.now() / pool.period + 1) * pool.period;
        k.start_timer(group as u32, CpuId(0), end);
    }

    /// `check_cfs_rq_runtime`: throttles a queue that has nothing left; returns whether it is throttled.
    #[inline]
    pub(super) fn check_throttle(&mut self, k: &mut Kernel, q: usize) -> bool {
        if self.pool_of(q).is_none() || self.queues[q].runtime_remaining > 0 {
            return false;
        }
        self.queues[q].throttled || self.throttle(k, q)
    }

    /// The first entity of a queue that does not run is held back at once if nothing is left.
    #[inline]
    pub(super) fn check_enqueue_throttle(&mut self, k: &mut Kernel, q: usize) {
        if self.pool_of(q).is_none() || self.queues[q].curr.is_some() || self.queues[q].throttled {
            return;
        }
        self.charge_bandwidth(k, q, 0);
        if self.queues[q].runtime_remaining <= 0 {
            self.throttle(k, q);
        }
    }

    /// `throttle_cfs_rq`: one more try for 1 ns, then the group entity leaves as if asleep.
    fn throttle(&mut self, k: &mut Kernel, q: usize) -> bool {
        if self.assign(k, q, 1) {
            return false;
        }
        let cpu = self.cpu_of(q);
        self.count_throttled(k, q, true);
        let mut tasks = self.tasks_in(q);
        let mut at = Some(q);
        let mut dequeue = true;
        while let Some(se) = at {
            let above = self.ents[se].queue as usize;
            if !self.ents[se].on_rq {
                break;
            }
            if dequeue {
                let delayed = self.ents[se].delayed;
                self.dequeue_entity(
                    k,
                    above,
                    se,
                    DequeueFlags { sleep: true, special: true, delayed, ..DequeueFlags::default() },
                );
            } else {
                self.refresh_group_entity(k, se);
            }
            self.remove_tasks(above, &mut tasks);
            if self.queues[above].load != 0 {
                dequeue = false;
            }
            at = self.parent(se);
        }
        self.queues[q].throttled = true;
        self.queues[q].throttled_since = k.now();
        if self.queues[self.root(cpu)].h_nr == 0 {
            self.stop_fair_server(k, cpu);
        }
        k.note(Some(cpu), Note::Throttled, [i64::from(self.group_of(q).0), 0]);
        true
    }

    /// `unthrottle_cfs_rq`: the group entity comes back as a waker, without a preemption test.
    fn unthrottle(&mut self, k: &mut Kernel, q: usize) {
        let cpu = self.cpu_of(q);
        self.queues[q].throttled = false;
        let group = self.group_of(q);
        let time = k.now() - self.queues[q].throttled_since;
        if let Some(pool) = self.pools[group.index()].as_mut() {
            pool.statistics[2] += time;
        }
        self.count_throttled(k, q, false);
        k.note(Some(cpu), Note::Unthrottled, [i64::from(group.0), time as i64]);
        if self.queues[q].load == 0 {
            return;
        }
        let mut tasks = self.tasks_in(q);
        let before = self.queues[self.root(cpu)].h_nr;
        let modern = self.version.generation == Generation::Eevdf612;
        let mut at = Some(q);
        let mut enqueue = true;
        while let Some(se) = at {
            let above = self.ents[se].queue as usize;
            if enqueue && self.ents[se].on_rq {
                if modern && self.ents[se].delayed {
                    self.dequeue_entity(
                        k,
                        above,
                        se,
                        DequeueFlags { sleep: true, delayed: true, ..DequeueFlags::default() },
                    );
                } else {
                    enqueue = false;
                }
            }
            if enqueue {
                self.enqueue_entity(k, above, se, EnqueueFlags { wakeup: true, initial: false });
            } else {
                self.refresh_group_entity(k, se);
            }
            self.add_tasks(above, &mut tasks);
            if self.queues[above].throttled {
                return;
            }
            at = self.parent(se);
        }
        if before == 0 && self.queues[self.root(cpu)].h_nr > 0 {
            self.start_fair_server(k, cpu);
        }
        if k.curr(cpu).is_none() && self.queues[self.root(cpu)].nr > 0 {
            k.resched_curr(cpu);
        }
    }

    /// Counts the throttling for this queue and all queues below it on the same CPU.
    fn count_throttled(&mut self, k: &Kernel, q: usize, on: bool) {
        let top = self.group_of(q).index();
        let cpu = self.cpu_of(q);
        for group in 0..self.group_parent.len() {
            let mut at = group;
            let inside = loop {
                if at == top {
                    break true;
                }
                if at == 0 {
                    break false;
                }
                at = usize::from(self.group_parent[at]);
            };
            if inside {
                let below = self.queue_of(GroupId(group as u16), cpu);
                if on {
                    self.queues[below].throttle_count += 1;
                    if self.queues[below].throttle_count == 1 {
                        self.stop_load_clock(k, below);
                    }
                } else {
                    self.queues[below].throttle_count -= 1;
                    if self.queues[below].throttle_count == 0 {
                        self.restart_load_clock(k, below);
                        self.list_active(below);
                    }
                }
            }
        }
    }

    /// `do_sched_cfs_period_timer`.
    pub(super) fn period_timer(&mut self, k: &mut Kernel, group: usize) {
        let queues = || (0..self.cpus).map(|cpu| group * self.cpus + cpu);
        let throttled = queues().any(|q| self.queues[q].throttled);
        let Some(pool) = self.pools[group].as_mut() else { return };
        pool.statistics[0] += 1;
        pool.runtime = (pool.runtime + pool.quota).min(pool.quota + pool.burst);
        if pool.idle && !throttled {
            pool.active = false;
            return;
        }
        let next = k.now() + pool.period;
        k.note(None, Note::Period, [group as i64, pool.runtime]);
        if !throttled {
            pool.idle = true;
            k.start_timer(group as u32, CpuId(0), next);
            return;
        }
        pool.statistics[1] += 1;
        pool.idle = false;
        k.start_timer(group as u32, CpuId(0), next);
        self.distribute(k, group);
    }

    /// `distribute_cfs_runtime`: every throttled queue gets what it lacks plus 1 ns, while there is something.
    fn distribute(&mut self, k: &mut Kernel, group: usize) {
        for cpu in 0..self.cpus {
            let q = group * self.cpus + cpu;
            if !self.queues[q].throttled {
                continue;
            }
            let lacks = 1 - self.queues[q].runtime_remaining;
            let Some(pool) = self.pools[group].as_mut() else { return };
            let amount = lacks.min(pool.runtime);
            if amount <= 0 {
                return;
            }
            pool.runtime -= amount;
            self.queues[q].runtime_remaining += amount;
            if self.queues[q].runtime_remaining > 0 {
                self.unthrottle(k, q);
            }
        }
    }

    /// `return_cfs_rq_runtime`: an empty queue gives back what it does not need.
    #[inline]
    pub(super) fn return_bandwidth(&mut self, k: &mut Kernel, q: usize) {
        let Some(group) = self.pool_of(q) else { return };
        let spare = self.queues[q].runtime_remaining - MIN_KEPT;
        if self.queues[q].nr > 0 || self.queues[q].throttled || spare <= 0 {
            return;
        }
        if let Some(pool) = self.pools[group].as_mut() {
            pool.runtime += spare;
        }
        self.queues[q].runtime_remaining -= spare;
        let portion = self.tunables[tunable::BANDWIDTH_SLICE_US] * 1000;
        let enough = self.pools[group].as_ref().is_some_and(|pool| pool.runtime > portion);
        let waiting = (0..self.cpus).any(|cpu| self.queues[group * self.cpus + cpu].throttled);
        if enough && waiting {
            self.start_slack(k, group);
        }
    }

    /// Whether the period ends within `ns`.
    fn refill_within(k: &Kernel, group: usize, ns: Nanos) -> bool {
        k.timer_at(group as u32).is_none_or(|end| end - k.now() < ns)
    }

    /// `start_cfs_slack_bandwidth`: what was given back is handed out a little later, unless the refill is near.
    fn start_slack(&mut self, k: &mut Kernel, group: usize) {
        let timer = (self.group_parent.len() + group) as u32;
        if !Fair::refill_within(k, group, SLACK + SLACK_END) && k.timer_at(timer).is_none() {
            let at = k.now() + SLACK;
            k.start_timer(timer, CpuId(0), at);
        }
    }

    /// `do_sched_cfs_slack_timer`.
    pub(super) fn slack_timer(&mut self, k: &mut Kernel, group: usize) {
        let portion = self.tunables[tunable::BANDWIDTH_SLICE_US] * 1000;
        let enough = self.pools[group].as_ref().is_some_and(|pool| pool.runtime > portion);
        if enough && !Fair::refill_within(k, group, SLACK_END) {
            self.distribute(k, group);
        }
    }
}
