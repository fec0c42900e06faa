//! FIFO and RR above the fair class, with the throttling of 5.15 and 6.6.

use super::pelt::{SCALE, SchedAvg};
use super::schedule::Running;
use super::versions::tunable;
use super::{Fair, Note};
use crate::kernel::Kernel;
use crate::policy::SchedClass;
use crate::queues::prio_array::PrioArray;
use crate::units::{CpuId, TaskId};

/// `rt_rq` of one CPU. The running task stays in its list.
#[derive(Clone, Debug)]
pub struct RtQueue {
    /// Lists by 99 - rt_priority.
    pub array: PrioArray,
    /// Those that wait and may run elsewhere (`pushable_tasks`); empty on one CPU.
    pub pushable: PrioArray,
    /// Other CPUs will be asked for waiting tasks after the switch.
    pub asks: bool,
    /// CPU that this one chose last among equals (`distribute_cpu_mask_prev`).
    pub last_choice: CpuId,
    /// Share of the CPU that real-time tasks take (`avg_rt`); tracked on several CPUs.
    pub avg: SchedAvg,
    /// What that left to fair tasks when the CPU last balanced, of [`SCALE`] (`cpu_capacity`).
    pub capacity: i64,
    /// Time used in the period, ns.
    time: i64,
    throttled: bool,
    period_active: bool,
    exec_start: u64,
}

impl RtQueue {
    /// An empty queue.
    pub fn new() -> RtQueue {
        RtQueue {
            array: PrioArray::new(100),
            pushable: PrioArray::new(100),
            asks: false,
            last_choice: CpuId(0),
            avg: SchedAvg::default(),
            capacity: SCALE as i64,
            time: 0,
            throttled: false,
            period_active: false,
            exec_start: 0,
        }
    }

    /// Whether no RT task is runnable here.
    pub fn is_empty(&self) -> bool {
        self.array.nr_active() == 0
    }

    /// RT tasks queued.
    pub fn len(&self) -> u32 {
        self.array.nr_active()
    }

    /// RT tasks that may run: none while throttled.
    pub fn runnable(&self) -> u32 {
        if self.throttled { 0 } else { self.len() }
    }
}

/// Index of the list, which is the kernel's priority number.
pub(super) fn level(rt_priority: u8) -> u8 {
    99 - rt_priority.min(99)
}

impl Fair {
    /// Timer of a CPU for RT throttling or the fair server.
    pub(super) fn cpu_timer(&self, cpu: CpuId) -> u32 {
        2 * self.group_parent.len() as u32 + u32::from(cpu.0)
    }

    pub(super) fn enqueue_rt(&mut self, k: &mut Kernel, task: TaskId) {
        let cpu = k.task(task).cpu;
        let level = level(k.task(task).rt_priority);
        let rt = &mut self.rt[cpu.index()];
        rt.array.push_back(&mut self.rt_links, level, task);
        if self.version.rt_throttling && !rt.period_active && self.tunables[tunable::RT_RUNTIME_US] >= 0 {
            // The period timer is started in the past: it fires at once, and from then on once per period.
            rt.period_active = true;
            let at = k.now() + 1;
            k.start_timer(self.cpu_timer(cpu), cpu, at);
        }
        if k.curr(cpu) != Some(task) {
            self.make_pushable(k, cpu, task);
        }
    }

    pub(super) fn dequeue_rt(&mut self, k: &mut Kernel, task: TaskId) {
        let cpu = k.task(task).cpu;
        self.update_curr_rt(k, cpu);
        self.remove_rt(cpu, task, k.task(task).rt_priority);
    }

    pub(super) fn remove_rt(&mut self, cpu: CpuId, task: TaskId, rt_priority: u8) {
        self.rt[cpu.index()].array.remove(&mut self.rt_links, level(rt_priority), task);
        self.withdraw_pushable(cpu, task);
    }

    pub(super) fn set_next_rt(&mut self, k: &Kernel, cpu: CpuId, task: TaskId) {
        self.rt[cpu.index()].exec_start = k.now();
        self.withdraw_pushable(cpu, task);
    }

    /// `put_prev_task_rt`: if it is still runnable, it may be pushed from now on.
    pub(super) fn put_prev_rt(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        self.update_curr_rt(k, cpu);
        self.age_rt(k, cpu, true);
        if k.task(task).is_queued() {
            self.make_pushable(k, cpu, task);
        }
    }

    /// `update_curr_rt` with `sched_rt_runtime_exceeded`.
    pub(super) fn update_curr_rt(&mut self, k: &mut Kernel, cpu: CpuId) {
        let now = k.now();
        let rt = &mut self.rt[cpu.index()];
        let delta = now as i64 - rt.exec_start as i64;
        if delta <= 0 {
            return;
        }
        rt.exec_start = now;
        let runtime = self.tunables[tunable::RT_RUNTIME_US] * 1000;
        if !self.version.rt_throttling || runtime < 0 {
            return;
        }
        rt.time += delta;
        if rt.throttled {
            k.resched_curr(cpu);
        } else if runtime < self.tunables[tunable::RT_PERIOD_US] * 1000 && rt.time > runtime {
            rt.throttled = true;
            k.note(Some(cpu), Note::RtThrottled, [rt.time, 0]);
            k.resched_curr(cpu);
        }
    }

    /// `do_sched_rt_period_timer`.
    pub(super) fn rt_period_timer(&mut self, k: &mut Kernel, cpu: CpuId) {
        if matches!(self.running(k, k.curr(cpu)), Running::Rt(_)) {
            self.update_curr_rt(k, cpu);
        }
        let runtime = self.tunables[tunable::RT_RUNTIME_US] * 1000;
        let next = k.now() + self.tunables[tunable::RT_PERIOD_US] as u64 * 1000;
        let rt = &mut self.rt[cpu.index()];
        rt.time -= rt.time.min(runtime.max(0));
        let free_again = rt.throttled && rt.time < runtime;
        if free_again {
            rt.throttled = false;
        }
        rt.period_active = rt.time > 0 || !rt.is_empty();
        let waiting = free_again && !rt.is_empty();
        if rt.period_active {
            k.start_timer(self.cpu_timer(cpu), cpu, next);
        }
        if waiting {
            k.resched_curr(cpu);
        }
    }

    /// `pick_next_task_rt`: head of the best list, unless throttled.
    pub(super) fn pick_rt(&mut self, k: &mut Kernel, cpu: CpuId, leaving: Running) -> Option<TaskId> {
        if let Running::Rt(task) = leaving {
            self.put_prev_rt(k, cpu, task);
        }
        let rt = &self.rt[cpu.index()];
        if rt.throttled {
            return None;
        }
        let (_, next) = rt.array.first()?;
        if let Running::Fair(e) = leaving {
            self.put_prev_fair(k, e);
        }
        if !matches!(leaving, Running::Rt(_)) {
            self.age_rt(k, cpu, false);
        }
        self.set_next_rt(k, cpu, next);
        k.clear_need_resched(cpu);
        self.explain_rt(k, next);
        Some(next)
    }

    /// `update_rt_rq_load_avg`: since the last call a real-time task ran here, or none did.
    pub(super) fn age_rt(&mut self, k: &Kernel, cpu: CpuId, running: bool) {
        let avg = &mut self.rt[cpu.index()].avg;
        if self.smp {
            avg.accumulate(k.now(), u64::from(running), u64::from(running), running, 1);
        }
    }

    /// `update_cpu_capacity`: fair tasks have what real-time tasks leave (`scale_rt_capacity`).
    pub(super) fn update_capacity(&mut self, cpu: CpuId) {
        let rt = &mut self.rt[cpu.index()];
        rt.capacity = (SCALE as i64 - rt.avg.util_avg).max(1);
    }

    /// `capacity_of`.
    pub(super) fn capacity_of(&self, cpu: CpuId) -> i64 {
        self.rt[cpu.index()].capacity
    }

    /// `check_cpu_capacity`: real-time tasks take more than a domain's imbalance allows.
    pub(super) fn is_reduced(&self, cpu: CpuId, percent: i64) -> bool {
        self.capacity_of(cpu) * percent < SCALE as i64 * 100
    }

    /// `task_tick_rt`: RR counts ticks; at the end of its quantum it goes behind its equals.
    pub(super) fn tick_rt(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        self.update_curr_rt(k, cpu);
        self.age_rt(k, cpu, true);
        if k.task(task).class != SchedClass::Rr {
            return;
        }
        self.rr_ticks[task.index()] -= 1;
        if self.rr_ticks[task.index()] > 0 {
            return;
        }
        self.rr_ticks[task.index()] = self.rr_quantum();
        let level = level(k.task(task).rt_priority);
        let rt = &mut self.rt[cpu.index()];
        if rt.array.head(level) != rt.array.tail(level) {
            rt.array.move_to_back(&mut self.rt_links, level, task);
            k.resched_expired(cpu);
        }
    }

    pub(super) fn yield_rt(&mut self, k: &Kernel, cpu: CpuId, task: TaskId) {
        let level = level(k.task(task).rt_priority);
        self.rt[cpu.index()].array.move_to_back(&mut self.rt_links, level, task);
    }

    /// RT tasks in the order in which they would be picked.
    pub(super) fn rt_tasks(&self, cpu: CpuId) -> impl Iterator<Item = TaskId> + '_ {
        self.rt[cpu.index()].array.iter(&self.rt_links).map(|(_, task)| task)
    }
}
