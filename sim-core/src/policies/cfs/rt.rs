//! The real-time class above the fair one: FIFO and RR lists, throttling, and how real-time tasks find a CPU.

use super::Cfs;
use super::rq::{Cause, MAX_RT_PRIO};
use super::version::{RqLoad, Throttle};
use crate::kernel::Kernel;
use crate::policy::SchedClass;
use crate::queues::bitmap::PrioBitmap;
use crate::queues::rt_balance::{self, RtClass, RtMove};
use crate::queues::task_lists::TaskList;
use crate::units::{CpuId, CpuMask, Nanos, TaskId};

/// `rt_rq`. The running task stays on its list.
#[derive(Clone, Debug)]
pub(super) struct RtRq {
    pub lists: Vec<TaskList>,
    pub bitmap: PrioBitmap<2>,
    pub nr_running: u32,
    /// Time used in this period, ns.
    pub time: Nanos,
    /// Time allowed per period; CPUs may borrow from each other, ns.
    pub runtime: Nanos,
    pub throttled: bool,
    /// End of the present period (2.6.25).
    pub period_expire: Nanos,
}

impl RtRq {
    pub(super) fn new(runtime: Nanos, period_expire: Nanos) -> Self {
        RtRq {
            lists: vec![TaskList::EMPTY; usize::from(MAX_RT_PRIO)],
            bitmap: PrioBitmap::default(),
            nr_running: 0,
            time: 0,
            runtime,
            throttled: false,
            period_expire,
        }
    }

    /// Best queued priority, `MAX_RT_PRIO` if there is none.
    pub(super) fn highest_prio(&self) -> u8 {
        self.bitmap.first().map_or(MAX_RT_PRIO, |prio| prio as u8)
    }
}

impl Cfs {
    /// `DEF_TIMESLICE`: 100 ms in ticks.
    pub(super) fn rr_timeslice(k: &Kernel) -> u32 {
        (100 * k.hz() / 1000).max(1)
    }

    /// `enqueue_task_rt`.
    pub(super) fn enqueue_task_rt(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        let prio = self.t(task).prio;
        let entity = self.task_entity(task);
        let weight = self.e(entity).load.weight;
        self.e_mut(entity).on_rq = true;
        let rq = &mut self.rqs[cpu.index()];
        self.rt_links.push_back(&mut rq.rt.lists[usize::from(prio)], task);
        rq.rt.bitmap.set(u32::from(prio));
        rq.rt.nr_running += 1;
        if self.version.rq_load == RqLoad::TopEntities {
            rq.load += weight;
        }
        self.start_rt_period(k, cpu);
    }

    /// `dequeue_task_rt`.
    pub(super) fn dequeue_task_rt(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        self.update_curr_rt(k, cpu);
        let prio = self.t(task).prio;
        let entity = self.task_entity(task);
        let weight = self.e(entity).load.weight;
        self.e_mut(entity).on_rq = false;
        let rq = &mut self.rqs[cpu.index()];
        let list = &mut rq.rt.lists[usize::from(prio)];
        self.rt_links.remove(list, task);
        if list.is_empty() {
            rq.rt.bitmap.clear(u32::from(prio));
        }
        rq.rt.nr_running -= 1;
        if self.version.rq_load == RqLoad::TopEntities {
            rq.load -= weight;
        }
    }

    /// `requeue_task_rt`: to the tail of its list.
    pub(super) fn requeue_task_rt(&mut self, cpu: CpuId, task: TaskId) {
        let prio = usize::from(self.t(task).prio);
        let list = &mut self.rqs[cpu.index()].rt.lists[prio];
        self.rt_links.remove(list, task);
        self.rt_links.push_back(list, task);
    }

    /// `update_curr_rt`: charges a running real-time task and looks at the budget.
    pub(super) fn update_curr_rt(&mut self, k: &mut Kernel, cpu: CpuId) {
        let Some(curr) = k.curr(cpu).filter(|&curr| !self.is_fair(curr)) else { return };
        let clock = self.rq(cpu).clock;
        let entity = self.task_entity(curr);
        let e = self.e_mut(entity);
        if e.exec_start == 0 {
            return;
        }
        let delta = clock.saturating_sub(e.exec_start);
        e.sum_exec += delta;
        e.exec_start = clock;
        if self.version.dynamic_power {
            self.rq_mut(cpu).rt_avg += delta;
            self.decay_rt_avg(cpu);
        }
        if self.version.throttle == Throttle::Absent {
            return;
        }
        self.rq_mut(cpu).rt.time += delta;
        self.update_rt_period(k, cpu);
        if self.rt_runtime_exceeded(k, cpu) {
            self.resched(k, cpu, Cause::None);
        }
    }

    /// `pick_next_task_rt`.
    pub(super) fn pick_next_task_rt(&mut self, cpu: CpuId) -> Option<TaskId> {
        let rq = self.rq(cpu);
        if rq.rt.throttled {
            return None;
        }
        let prio = rq.rt.bitmap.first()?;
        let task = rq.rt.lists[prio as usize].head()?;
        let clock = rq.clock;
        let entity = self.task_entity(task);
        let e = self.e_mut(entity);
        e.exec_start = clock;
        e.prev_sum_exec = e.sum_exec;
        Some(task)
    }

    /// `put_prev_task_rt`.
    pub(super) fn put_prev_task_rt(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        self.update_curr_rt(k, cpu);
        let entity = self.task_entity(task);
        self.e_mut(entity).exec_start = 0;
    }

    /// `task_tick_rt`: counts a round-robin slice down.
    pub(super) fn task_tick_rt(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        self.update_curr_rt(k, cpu);
        if self.t(task).class != SchedClass::Rr {
            return;
        }
        let full = Cfs::rr_timeslice(k);
        let sched = self.t_mut(task);
        sched.rr_ticks = sched.rr_ticks.saturating_sub(1);
        if sched.rr_ticks > 0 {
            return;
        }
        sched.rr_ticks = full;
        let list = self.rq(cpu).rt.lists[usize::from(self.t(task).prio)];
        if list.head() != list.tail() {
            self.requeue_task_rt(cpu, task);
            let tick = 1_000_000_000 / u64::from(k.hz());
            let slice = u64::from(full) * tick;
            self.resched_expired(k, cpu, Cause::SliceOver(slice, slice));
        }
    }

    // ---- throttling ------------------------------------------------------------------------------------------------

    /// Timer number of the real-time period.
    pub(super) fn rt_timer(&self) -> u32 {
        self.cpus as u32
    }

    /// `sched_rt_runtime_exceeded`.
    fn rt_runtime_exceeded(&mut self, k: &mut Kernel, cpu: CpuId) -> bool {
        if self.rq(cpu).rt.throttled {
            return true;
        }
        if self.rq(cpu).rt.runtime >= self.knobs.rt_period {
            return false;
        }
        if self.version.throttle == Throttle::Timer {
            self.balance_runtime(cpu);
        }
        let rt = &mut self.rq_mut(cpu).rt;
        if rt.time > rt.runtime {
            rt.throttled = true;
            let (used, allowed) = (rt.time as i64, rt.runtime as i64);
            k.note(Some(cpu), super::NOTE_RT_THROTTLED, [used, allowed]);
            return true;
        }
        false
    }

    /// `balance_runtime`: borrows unused time of other CPUs, an n-th part of what each has left.
    fn balance_runtime(&mut self, cpu: CpuId) {
        if self.rq(cpu).rt.time <= self.rq(cpu).rt.runtime {
            return;
        }
        let period = self.knobs.rt_period;
        for other in 0..self.cpus {
            if other == cpu.index() || self.rq(cpu).rt.runtime >= period {
                continue;
            }
            let lender = &mut self.rqs[other].rt;
            let spare = lender.runtime.saturating_sub(lender.time) / self.cpus as u64;
            let have = self.rqs[cpu.index()].rt.runtime;
            let lent = spare.min(period - have);
            self.rqs[other].rt.runtime -= lent;
            self.rqs[cpu.index()].rt.runtime += lent;
        }
    }

    /// Starts the timer that ends the period, at the next multiple of it.
    fn start_rt_period(&mut self, k: &mut Kernel, cpu: CpuId) {
        let period = self.knobs.rt_period;
        if self.version.throttle == Throttle::Timer && k.timer_at(self.rt_timer()).is_none() && period > 0 {
            let next = (k.now() / period + 1) * period;
            k.start_timer(self.rt_timer(), cpu, next);
        }
    }

    /// `do_sched_rt_period_timer`: gives every CPU a new budget; goes on while there is anything to watch.
    pub(super) fn rt_period_timer(&mut self, k: &mut Kernel, timer_cpu: CpuId) {
        let mut idle = true;
        for cpu in 0..self.cpus {
            let cpu = CpuId(cpu as u16);
            if self.rq(cpu).rt.throttled {
                self.balance_runtime(cpu);
            }
            let rt = &mut self.rq_mut(cpu).rt;
            rt.time -= rt.time.min(rt.runtime);
            let freed = rt.throttled && rt.time < rt.runtime;
            idle &= rt.time == 0 && rt.nr_running == 0;
            if freed {
                self.unthrottle_rt(k, cpu);
            }
        }
        if !idle {
            k.start_timer(self.rt_timer(), timer_cpu, k.now() + self.knobs.rt_period);
        }
    }

    fn unthrottle_rt(&mut self, k: &mut Kernel, cpu: CpuId) {
        self.rq_mut(cpu).rt.throttled = false;
        k.note(Some(cpu), super::NOTE_RT_UNTHROTTLED, [0, 0]);
        if self.rq(cpu).rt.nr_running > 0 {
            self.resched(k, cpu, Cause::None);
        }
    }

    /// `update_sched_rt_period` (2.6.25): each CPU ends its own periods.
    pub(super) fn update_rt_period(&mut self, k: &mut Kernel, cpu: CpuId) {
        let period = self.knobs.rt_period;
        if self.version.throttle != Throttle::PerCpu || period == 0 {
            return;
        }
        while self.rq(cpu).clock > self.rq(cpu).rt.period_expire {
            let rt = &mut self.rq_mut(cpu).rt;
            rt.period_expire += period;
            rt.time -= rt.time.min(rt.runtime);
            if rt.throttled && rt.time < rt.runtime {
                self.unthrottle_rt(k, cpu);
            }
        }
    }

    // ---- CPU power -------------------------------------------------------------------------------------------------

    /// `sched_avg_update`: halves the real-time average every half second of averaging period.
    fn decay_rt_avg(&mut self, cpu: CpuId) {
        let rq = self.rq_mut(cpu);
        let periods = rq.clock.saturating_sub(rq.age_stamp + 1) / super::SCHED_AVG_PERIOD_NS;
        rq.age_stamp += periods * super::SCHED_AVG_PERIOD_NS;
        rq.rt_avg = if periods < 64 { rq.rt_avg >> periods } else { 0 };
    }

    /// `scale_rt_power`: part of the CPU that real-time tasks leave, of 1024.
    pub(super) fn scale_rt_power(&mut self, cpu: CpuId) -> u64 {
        self.decay_rt_avg(cpu);
        let rq = self.rq(cpu);
        let total = super::SCHED_AVG_PERIOD_NS + (rq.clock - rq.age_stamp);
        let available = total.saturating_sub(rq.rt_avg);
        available / (total.max(1024) >> 10)
    }

    // ---- where real-time tasks go ------------------------------------------------------------------------------------

    /// `select_task_rq_rt`: away from a CPU that runs a real-time task.
    pub(super) fn select_task_rq_rt(&mut self, k: &Kernel, task: TaskId) -> CpuId {
        let cpu = k.task(task).cpu;
        let busy = k.curr(cpu).is_some_and(|curr| !self.is_fair(curr));
        let by = self.this_cpu;
        if busy { rt_balance::find_lowest_rq(self, k, task, by).unwrap_or(cpu) } else { cpu }
    }

    /// `push_rt_tasks`: gives tasks that cannot run here to CPUs with lower priorities.
    #[inline]
    pub(super) fn push_rt_tasks(&mut self, k: &mut Kernel, cpu: CpuId) {
        let by = self.this_cpu;
        rt_balance::push_rt_tasks(self, k, cpu, by);
    }

    /// `pull_rt_task`: fetches better real-time tasks that wait elsewhere.
    pub(super) fn pull_rt_task(&mut self, k: &mut Kernel, cpu: CpuId) {
        rt_balance::pull_rt_task(self, k, cpu);
    }
}

impl RtClass for Cfs {
    fn best_prio(&self, cpu: CpuId) -> u8 {
        self.rq(cpu).rt.highest_prio()
    }

    fn prio(&self, _k: &Kernel, task: TaskId) -> u8 {
        self.t(task).prio
    }

    fn is_overloaded(&self, cpu: CpuId) -> bool {
        self.rq(cpu).rt.nr_running > 1
    }

    /// In the order of the queue.
    fn pushable(&self, k: &Kernel, cpu: CpuId, to: Option<CpuId>) -> Option<TaskId> {
        let rt = &self.rq(cpu).rt;
        let mut from = 0;
        while let Some(prio) = rt.bitmap.next(from) {
            let fits = |&task: &TaskId| {
                let affinity = &k.task(task).affinity;
                k.curr(cpu) != Some(task) && affinity.count() > 1 && to.is_none_or(|to| affinity.contains(to))
            };
            if let Some(task) = self.rt_links.iter(&rt.lists[prio as usize]).find(fits) {
                return Some(task);
            }
            from = prio + 1;
        }
        None
    }

    fn wake_domains(&self, _k: &Kernel, cpu: CpuId) -> impl Iterator<Item = CpuMask> {
        self.domains[cpu.index()].iter().filter(|domain| domain.params.wake_affine).map(|domain| domain.span)
    }

    fn any_cpu(&mut self, mask: &CpuMask, _by: CpuId) -> CpuId {
        mask.next(0).expect("a CPU to choose")
    }

    fn move_task(&mut self, k: &mut Kernel, task: TaskId, to: CpuId, _how: RtMove) {
        let from = k.task(task).cpu;
        self.deactivate_task(k, from, task, false);
        self.set_task_cpu(k, task, to);
        self.activate_task(k, to, task, false);
    }

    fn resched(&mut self, k: &mut Kernel, cpu: CpuId) {
        Cfs::resched(self, k, cpu, Cause::None);
    }
}
