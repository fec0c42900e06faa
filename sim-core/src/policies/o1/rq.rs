//! Runqueues and per-task data, and the moves every rule is made of.

use super::O1;
use super::params::NiceRow;
use super::versions::Estimator;
use crate::kernel::Kernel;
use crate::machine::cost::Work;
use crate::policy::SchedClass;
use crate::queues::prio_array::PrioArray;
use crate::units::{CpuId, TaskId};

/// Real-time priority 99 has priority 0.
const RT_PRIO_BEST: u8 = 99;

/// `sleep_type` (2.6.17 on); before, `activated` 0, 1, 2, -1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum SleepType {
    #[default]
    Normal,
    /// Woken by a task.
    Interactive,
    /// Woken by an interrupt.
    Interrupted,
    /// From uninterruptible sleep, or a sleep so long that it counts no further.
    NonInteractive,
}

/// `sched` fields of a task. Times are ns in 2.6 and jiffies before.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TaskData {
    /// Sleep average: ns (2.6) or ticks.
    pub sleep_avg: u64,
    /// 2.6 `timestamp`: when it was last queued or went on or off the CPU. Before: `sleep_timestamp`.
    pub timestamp: u64,
    /// 2.6 `last_ran`. January 2002: `run_timestamp`, since when it is queued.
    pub last_ran: u64,
    /// `sleep_hist`: ticks slept in each of the last four seconds.
    pub history: [u16; 4],
    /// `time_slice`, ticks.
    pub time_slice: u32,
    /// `load_weight`.
    pub load_weight: u32,
    /// Dynamic priority.
    pub prio: u8,
    /// Priority of its nice level.
    pub static_prio: u8,
    pub class: SchedClass,
    pub sleep_type: SleepType,
    /// Which of its queue's two arrays holds it.
    pub array: Option<u8>,
    /// The slice given at fork is not used up yet.
    pub first_time_slice: bool,
    /// `sleep_idx`.
    pub history_index: u8,
    /// A migration thread: no user task, no priority bias.
    pub kernel_thread: bool,
}

/// Why the last reschedule of a queue was asked for; becomes the reason of the next pick.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Cause {
    #[default]
    None,
    /// A task woke up better than the running one (`over` its priority), or the CPU idled.
    Woken { task: TaskId, over: Option<u8> },
    /// A slice is used up; the task is expired.
    Expired,
    /// A slice is used up, but the task counts as interactive.
    Reactivated { task: TaskId },
    /// A slice is used up, but the task's class is starving.
    ClassStarving { task: TaskId },
    /// An interactive task is expired, since expired ones have waited too long.
    Starving { waited: u64, limit: u64 },
    /// One piece of an interactive task's slice is over.
    Piece { ticks: u64 },
    /// An RR task's turn is over.
    RoundRobin,
    /// The running task yielded.
    Yielded,
    /// The CPU ran empty and pulled.
    Pulled,
    /// A fork: the child is to run first.
    Forked { child: TaskId },
}

/// One CPU's runqueue.
#[derive(Clone, Debug)]
pub(super) struct Runqueue {
    pub arrays: [PrioArray; 2],
    /// Index of the active array.
    pub active: u8,
    pub nr_running: u32,
    /// Sum of load weights (2.6.18 on).
    pub raw_weighted_load: u64,
    /// Sum of 140 - static priority (2.6.15).
    pub prio_bias: u64,
    /// jiffies of the first expiry since the last array switch; 0 = none.
    pub expired_timestamp: u64,
    /// Best static priority that expired since the last array switch.
    pub best_expired_prio: u8,
    /// `most_recent_timestamp` or `timestamp_last_tick`, ns.
    pub clock: u64,
    /// K3: `nr_running` of all CPUs as last seen from here.
    pub prev_nr_running: Vec<u32>,
    /// K3: a yield picks from this array only.
    pub yield_array: Option<u8>,
    /// A running task that must leave this CPU, and where to (`set_cpus_allowed`).
    pub leaves: Option<(TaskId, CpuId)>,
    pub cause: Cause,
    /// Array switches so far.
    pub array_switches: u64,
}

impl Runqueue {
    pub fn new(levels: u8, cpus: u16) -> Self {
        let array = || PrioArray::new(usize::from(levels));
        Runqueue {
            arrays: [array(), array()],
            active: 0,
            nr_running: 0,
            raw_weighted_load: 0,
            prio_bias: 0,
            expired_timestamp: 0,
            best_expired_prio: levels,
            clock: 0,
            prev_nr_running: vec![0; usize::from(cpus)],
            yield_array: None,
            leaves: None,
            cause: Cause::None,
            array_switches: 0,
        }
    }

    /// Index of the expired array.
    #[inline]
    pub fn expired(&self) -> u8 {
        1 - self.active
    }

    #[inline]
    pub fn array(&self, index: u8) -> &PrioArray {
        &self.arrays[usize::from(index)]
    }
}

impl O1 {
    #[inline]
    pub(super) fn data(&self, task: TaskId) -> &TaskData {
        &self.tasks[task.index()]
    }

    #[inline]
    pub(super) fn data_mut(&mut self, task: TaskId) -> &mut TaskData {
        &mut self.tasks[task.index()]
    }

    #[inline]
    pub(super) fn rq(&self, cpu: CpuId) -> &Runqueue {
        &self.rqs[cpu.index()]
    }

    #[inline]
    pub(super) fn rq_mut(&mut self, cpu: CpuId) -> &mut Runqueue {
        &mut self.rqs[cpu.index()]
    }

    /// `rt_task`.
    #[inline]
    pub(super) fn is_rt(&self, task: TaskId) -> bool {
        self.data(task).prio < self.version.first_normal
    }

    /// What depends on the task's nice level.
    #[inline]
    pub(super) fn by_nice(&self, task: TaskId) -> &NiceRow {
        &self.params.by_nice[usize::from(self.data(task).static_prio - self.version.first_user)]
    }

    /// Priority of the running task; the idle task's is worse than all.
    #[inline]
    pub(super) fn curr_prio(&self, k: &Kernel, cpu: CpuId) -> u8 {
        k.curr(cpu).map_or(self.version.levels, |curr| self.data(curr).prio)
    }

    /// A priority as that kernel numbered it.
    pub(super) fn shown(&self, prio: u8) -> i64 {
        i64::from(prio) - i64::from(self.version.shown_offset)
    }

    /// Sets class, static priority and, for real-time tasks, the priority from the machine's task.
    pub(super) fn set_class(&mut self, k: &Kernel, task: TaskId) {
        let (class, nice, rt_priority) = {
            let task = k.task(task);
            (task.class, task.nice, task.rt_priority)
        };
        let first_user = self.version.first_user;
        let data = self.data_mut(task);
        data.class = class;
        data.static_prio = (i16::from(first_user) + 20 + i16::from(nice)) as u8;
        data.kernel_thread = k.task(task).migration_thread.is_some();
        if class.is_rt() {
            data.prio = RT_PRIO_BEST.saturating_sub(rt_priority);
        }
    }

    /// `set_load_weight`.
    pub(super) fn set_load_weight(&mut self, task: TaskId) {
        let data = *self.data(task);
        let weight = match data.class.is_rt() {
            true => self.params.rt_weight(u64::from(RT_PRIO_BEST - data.prio)) as u32,
            false => self.by_nice(task).weight,
        };
        self.data_mut(task).load_weight = weight;
    }

    /// `task_timeslice`, ticks. Up to 2.5.2 it follows the dynamic priority, later the nice level.
    pub(super) fn timeslice(&self, task: TaskId) -> u32 {
        let data = self.data(task);
        match self.version.estimator {
            Estimator::Ticks | Estimator::Nanos => self.by_nice(task).slice,
            Estimator::History | Estimator::Steps => {
                let (min, range) = (self.params.min_slice, self.params.max_slice.saturating_sub(self.params.min_slice));
                if self.is_rt(task) {
                    let levels = u32::from(self.version.first_normal);
                    return ((levels - 1 - u32::from(data.prio)) * range).div_ceil(levels) + min;
                }
                let user = u32::from(data.prio.saturating_sub(self.version.first_user));
                ((39 - user.min(39)) * range).div_ceil(40) + min
            }
        }
    }

    /// `enqueue_task`.
    #[inline]
    pub(super) fn enqueue(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId, array: u8) {
        k.charge(cpu, Work::ListOp, 1);
        let data = &mut self.tasks[task.index()];
        data.array = Some(array);
        self.rqs[cpu.index()].arrays[usize::from(array)].push_back(&mut self.links, data.prio, task);
    }

    /// `dequeue_task`. Returns the array that held the task.
    #[inline]
    pub(super) fn dequeue(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) -> u8 {
        k.charge(cpu, Work::ListOp, 1);
        let data = &mut self.tasks[task.index()];
        let array = data.array.take().expect("only queued tasks are dequeued");
        self.rqs[cpu.index()].arrays[usize::from(array)].remove(&mut self.links, data.prio, task);
        array
    }

    /// `requeue_task`: to the tail of its own list.
    #[inline]
    pub(super) fn requeue(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        k.charge(cpu, Work::ListOp, 1);
        let data = &self.tasks[task.index()];
        let array = data.array.expect("only queued tasks are requeued");
        self.rqs[cpu.index()].arrays[usize::from(array)].move_to_back(&mut self.links, data.prio, task);
    }

    /// Moves a queued task to the tail of the list of `prio` in `array`.
    pub(super) fn requeue_at(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId, prio: u8, array: u8) {
        self.dequeue(k, cpu, task);
        self.data_mut(task).prio = prio;
        self.enqueue(k, cpu, task, array);
    }

    pub(super) fn bias(&self, task: TaskId) -> u64 {
        let data = self.data(task);
        match (data.kernel_thread, self.is_rt(task)) {
            (true, _) => 0,
            (false, true) => u64::from(self.version.levels - data.prio),
            (false, false) => u64::from(self.version.levels - data.static_prio),
        }
    }

    /// `inc_nr_running`.
    #[inline]
    pub(super) fn inc_nr_running(&mut self, cpu: CpuId, task: TaskId) {
        let (weight, bias) = (u64::from(self.data(task).load_weight), self.bias(task));
        let rq = self.rq_mut(cpu);
        rq.nr_running += 1;
        rq.raw_weighted_load += weight;
        rq.prio_bias += bias;
    }

    /// `dec_nr_running`.
    #[inline]
    pub(super) fn dec_nr_running(&mut self, cpu: CpuId, task: TaskId) {
        let (weight, bias) = (u64::from(self.data(task).load_weight), self.bias(task));
        let rq = self.rq_mut(cpu);
        rq.nr_running -= 1;
        rq.raw_weighted_load -= weight;
        rq.prio_bias -= bias;
    }

    /// `__activate_task` with an array chosen by the caller.
    pub(super) fn queue_in(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId, array: u8) {
        self.enqueue(k, cpu, task, array);
        self.inc_nr_running(cpu, task);
    }

    /// `deactivate_task` without the estimator's part.
    pub(super) fn unqueue(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) -> u8 {
        self.dec_nr_running(cpu, task);
        self.dequeue(k, cpu, task)
    }

    /// Reschedules `cpu` if `task`, queued there, is better than the task that runs there; `by` executes this.
    pub(super) fn test_preemption(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId, by: CpuId) {
        let over = k.curr(cpu).map(|curr| self.data(curr).prio);
        if over.is_none_or(|over| self.data(task).prio < over) {
            self.rq_mut(cpu).cause = Cause::Woken { task, over };
            self.resched(k, cpu, by);
        }
    }

    /// `resched_task` on `cpu`, from `by`.
    pub(super) fn resched(&mut self, k: &mut Kernel, cpu: CpuId, by: CpuId) {
        if cpu != by && !k.need_resched(cpu) {
            k.charge(by, Work::Ipi, 1);
        }
        k.resched_curr(cpu);
    }
}
