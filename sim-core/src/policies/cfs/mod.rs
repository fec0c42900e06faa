//! The Completely Fair Scheduler, Linux 2.6.24 to 2.6.32, with group scheduling and the real-time class above it.
//!
//! Models `kernel/sched.c`, `sched_fair.c` and `sched_rt.c` of 2.6.24, 2.6.25, 2.6.26-rc8 (base of the SMP-group series),
//! that series ("SMP-group balancer take 3", June 2008), 2.6.26, 2.6.27 and 2.6.32-rc3, in 64-bit arithmetic with their
//! rounding and their recorded flaws. One code; what differs between releases is data ([`version::Version`]).
//! Source of the rules: recorded schedules of all seven, and `docs/policies/cfs.md`.
//!
//! Not modelled: NO_HZ, power saving balancing, CPU hotplug, `cpu.max` (came later), RT group scheduling, exec balancing.
//!
//! Invariants: a runnable fair task is in the tree of its group's queue, or is that queue's `curr`; a group's entity is
//! queued exactly while its queue on that CPU has entities; weights of a queue sum up to its load.

mod balance;
mod busiest;
mod domains;
mod fair;
mod hrtick;
mod inspect;
mod knobs;
mod moves;
mod pick;
mod pictures;
mod registry;
mod rq;
mod rt;
mod schedule;
mod select;
mod shares;
#[cfg(test)]
mod tests;
mod version;
mod weight;

pub use registry::POLICIES;

use crate::inspect::{Candidate, Entity, Gauge, StructureVisitor, Trail};
use crate::kernel::Kernel;
use crate::machine::cost::Work;
use crate::policy::{AttrChange, Block, NewTask, Policy, SchedClass, WakeFlags};
use crate::queues::load_avg::{CpuLoad, update_avg};
use crate::queues::rb_tree::RbNodes;
use crate::queues::task_lists::Links;
use crate::units::{CpuId, GroupId, Nanos, TaskId};
use domains::Domain;
use knobs::{Knob, Knobs};
use pick::Picked;
use rq::{CLOCK_AT_START, Cause, CfsRq, HrtickRequest, Rq, SchedEntity, TaskGroup, TaskSched, Vruntime};
use rt::RtRq;
use version::{Throttle, Version};
use weight::Divider;

/// Half of `sched_time_avg`: the averaging period of real-time load, ns.
const SCHED_AVG_PERIOD_NS: Nanos = 500_000_000;

/// Note rows.
const NOTE_RT_THROTTLED: u16 = 0;
const NOTE_RT_UNTHROTTLED: u16 = 1;
const NOTE_PULLED: u16 = 2;
const NOTE_ACTIVE_BALANCE: u16 = 3;

crate::reasons! {
    /// Rules that decide.
    pub enum Why {
        OnlyTask = "is the only runnable task here" [] in "pick_next_task_fair",
        Leftmost = "is leftmost: vruntime {0}, {1} before the next of {2} entities" [Virtual, Virtual, Count] in "__pick_next_entity",
        SliceOver = "the running task had used {0} of its slice of {1}; leftmost is vruntime {2}" [Nanos, Nanos, Virtual] in "check_preempt_tick",
        WakeupPreempts = "a task woke up {0} ahead of the running one, more than the granularity {1}; leftmost is vruntime {2}" [Virtual, Virtual, Virtual] in "check_preempt_wakeup",
        NewTask = "a new task has started; leftmost is vruntime {0} of {1} entities" [Virtual, Count] in "task_new_fair",
        NextBuddy = "was woken last and is only {0} behind the leftmost of {1} entities" [Virtual, Count] in "pick_next_entity",
        LastBuddy = "was preempted by a wakeup and is only {0} behind the leftmost of {1} entities" [Virtual, Count] in "pick_next_entity",
        RealTime = "has real-time priority number {0}, the best of {1} real-time tasks" [Prio, Count] in "pick_next_task_rt",
        RtThrottled = "real-time tasks have used {0} of {1} in this period; leftmost is vruntime {2}" [Nanos, Nanos, Virtual] in "sched_rt_runtime_exceeded",
        NothingRunnable = "nothing is runnable here, and balancing found nothing" [] in "pick_next_task_idle",
    }
}

/// The scheduler.
#[derive(Clone)]
pub struct Cfs {
    version: &'static Version,
    knobs: Knobs,
    cpus: usize,
    /// Number of the first task's entity.
    task_base: u32,
    entities: Vec<SchedEntity>,
    /// Tree nodes, by entity.
    nodes: RbNodes<Vruntime>,
    /// Links of the balancer's lists, by entity.
    links: Links,
    /// Links of the real-time lists, by task.
    rt_links: Links,
    tasks: Vec<TaskSched>,
    queues: Vec<CfsRq>,
    rqs: Vec<Rq>,
    groups: Vec<TaskGroup>,
    /// Groups, children before parents.
    walk_order: Vec<GroupId>,
    /// By CPU, lowest level first.
    domains: Vec<Vec<Domain>>,
    /// Power of groups by level and first CPU.
    powers: Vec<Vec<u64>>,
    /// CPU that executes the present hook.
    this_cpu: CpuId,
    /// How the last pick chose.
    picked: Picked,
    /// Divides by weights, and counts it.
    divider: Divider,
}

impl Policy for Cfs {
    fn new(key: &'static str, kernel: &Kernel, tunables: &[i64]) -> Self {
        let version = version::version(key);
        let mut knobs = Knobs::default();
        for (&knob, &value) in version.knobs.iter().zip(tunables) {
            knobs.set(knob, value);
        }
        let rq = Rq {
            nr_running: 0,
            load: 0,
            cpu_load: CpuLoad::default(),
            clock: CLOCK_AT_START,
            next_balance: 0,
            active_balance: false,
            push_cpu: CpuId(0),
            avg_load_per_task: 0,
            in_schedule: false,
            idle_need_resched: false,
            cause: Cause::None,
            hrtick: HrtickRequest::default(),
            rt: RtRq::new(knobs.rt_runtime, CLOCK_AT_START + knobs.rt_period),
            rt_avg: 0,
            age_stamp: 0,
        };
        let cpus = usize::from(kernel.cpus());
        let mut cfs = Cfs {
            version,
            knobs,
            cpus,
            task_base: 0,
            entities: Vec::new(),
            nodes: RbNodes::default(),
            links: Links::default(),
            rt_links: Links::default(),
            tasks: Vec::new(),
            queues: Vec::new(),
            rqs: vec![rq; cpus],
            groups: Vec::new(),
            walk_order: Vec::new(),
            domains: Vec::new(),
            powers: Vec::new(),
            this_cpu: CpuId(0),
            divider: Divider::of(version.inverse),
            picked: Picked::default(),
        };
        cfs.build_queues(kernel);
        cfs.build_domains(kernel);
        cfs.reserve(kernel.tasks().len());
        for (index, task) in kernel.tasks().iter().enumerate() {
            if let Some(cpu) = task.migration_thread {
                let thread = TaskId(index as u32);
                cfs.set_load_weight(kernel, thread);
                cfs.set_task_rq(GroupId::ROOT, thread, cpu);
                cfs.t_mut(thread).has_run = true;
            }
        }
        cfs
    }

    fn reserve(&mut self, tasks: usize) {
        let room = tasks.max(self.tasks.len());
        let entities = self.task_base as usize + room;
        let blank = self.blank_entity();
        self.entities.resize(entities, blank);
        self.nodes.reserve(entities, Vruntime(0));
        self.links.reserve(entities);
        self.rt_links.reserve(room);
        self.tasks.resize(room, TaskSched::default());
    }

    fn wake_up_new_task(&mut self, k: &mut Kernel, task: TaskId, new: NewTask) {
        self.this_cpu = new.cpu;
        self.sched_fork(k, task, new);
        self.start_new_task(k, task);
        self.hrtick_leave(k, false);
        self.charge_divisions(k);
    }

    fn try_to_wake_up(&mut self, k: &mut Kernel, task: TaskId, flags: WakeFlags) {
        self.this_cpu = flags.cpu;
        self.wake_sleeper(k, task, flags);
        self.hrtick_leave(k, false);
        self.charge_divisions(k);
    }

    fn schedule(&mut self, k: &mut Kernel, cpu: CpuId, prev: Option<TaskId>, block: Option<Block>) -> Option<TaskId> {
        self.this_cpu = cpu;
        let next = self.schedule_on(k, cpu, prev, block);
        self.charge_divisions(k);
        next
    }

    fn finish_task_switch(&mut self, k: &mut Kernel, cpu: CpuId, _prev: Option<TaskId>, _next: Option<TaskId>) {
        if !self.version.rt_balanced {
            self.this_cpu = cpu;
            self.push_rt_tasks(k, cpu);
        }
    }

    fn scheduler_tick(&mut self, k: &mut Kernel, cpu: CpuId) {
        self.this_cpu = cpu;
        self.update_rq_clock(k, cpu);
        self.update_rt_period(k, cpu);
        let load = self.rq(cpu).load;
        self.rq_mut(cpu).cpu_load.tick(load);
        if let Some(curr) = k.curr(cpu) {
            if self.is_fair(curr) {
                self.task_tick_fair(k, cpu, curr, false);
            } else {
                self.task_tick_rt(k, cpu, curr);
            }
        }
        self.trigger_load_balance(k, cpu);
        self.hrtick_leave(k, true);
        self.charge_divisions(k);
    }

    fn sched_yield(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) -> bool {
        self.this_cpu = cpu;
        match self.t(task).class {
            SchedClass::Fifo | SchedClass::Rr => self.requeue_task_rt(cpu, task),
            class => self.yield_task_fair(k, cpu, task, class == SchedClass::Batch),
        }
        true
    }

    fn task_changed(&mut self, k: &mut Kernel, task: TaskId, change: AttrChange, queued: bool) {
        let cpu = k.task(task).cpu;
        self.this_cpu = cpu;
        match change {
            AttrChange::Nice { old } => self.set_user_nice(k, task, old, queued),
            AttrChange::Class { .. } => self.set_scheduler(k, task, queued),
            AttrChange::Affinity => self.set_cpus_allowed(k, task, queued),
            AttrChange::Slice { .. } => {}
        }
        self.hrtick_leave(k, false);
    }

    fn group_changed(&mut self, k: &mut Kernel, group: GroupId, _old_shares: u64) {
        let shares = k.groups()[group.index()].shares;
        self.set_group_shares(k, group, shares);
        self.hrtick_leave(k, false);
    }

    fn set_tunable(&mut self, k: &mut Kernel, index: usize, value: i64) {
        let knob = self.version.knobs[index];
        self.knobs.set(knob, value);
        match knob {
            Knob::RtRuntime => {
                let runtime = self.knobs.rt_runtime;
                self.rqs.iter_mut().for_each(|rq| rq.rt.runtime = runtime);
            }
            Knob::Hrtick if !self.knobs.hrtick => {
                for cpu in 0..self.cpus {
                    k.cancel_timer(cpu as u32);
                    self.rqs[cpu].hrtick = HrtickRequest::default();
                }
            }
            _ => {}
        }
    }

    fn timers(&self) -> u32 {
        self.cpus as u32 + 1
    }

    fn timer_expired(&mut self, k: &mut Kernel, timer: u32, cpu: CpuId) {
        self.this_cpu = cpu;
        if timer == self.rt_timer() {
            return self.rt_period_timer(k, cpu);
        }
        self.update_rq_clock(k, cpu);
        if let Some(curr) = k.curr(cpu).filter(|&curr| self.is_fair(curr)) {
            self.task_tick_fair(k, cpu, curr, true);
        }
        self.hrtick_leave(k, false);
    }

    fn has_migration_threads(&self) -> bool {
        true
    }

    fn migration_thread(&mut self, k: &mut Kernel, cpu: CpuId) {
        self.this_cpu = cpu;
        self.active_load_balance(k, cpu);
    }

    fn candidates(&self, k: &Kernel, cpu: CpuId, out: &mut dyn FnMut(Candidate)) {
        self.list_candidates(k, cpu, out);
    }

    fn visit_structures(&self, k: &Kernel, cpu: CpuId, v: &mut dyn StructureVisitor) {
        self.show_structures(k, cpu, v);
    }

    fn task_gauges(&self, k: &Kernel, task: TaskId, out: &mut dyn FnMut(Gauge)) {
        self.show_task(k, task, out);
    }

    fn trails(&self) -> &'static [Trail] {
        &pictures::TRAILS
    }

    fn trail(&self, k: &Kernel, cpu: CpuId, _index: usize, out: &mut dyn FnMut(Entity, i64)) {
        self.trail_vruntime(k, cpu, out);
    }

    fn check_invariants(&self, k: &Kernel) {
        self.assert_invariants(k);
    }
}

impl Cfs {
    /// `update_rq_clock`. In 2.6.24 and 2.6.25 code on one CPU cannot read another CPU's clock, so nothing happens.
    #[inline]
    fn update_rq_clock(&mut self, k: &Kernel, cpu: CpuId) {
        if self.version.remote_clock || cpu == self.this_cpu {
            self.rq_mut(cpu).clock = k.now() + CLOCK_AT_START;
        }
    }

    /// Charges the divisions of the present hook to the CPU that executes it.
    fn charge_divisions(&mut self, k: &mut Kernel) {
        k.charge(self.this_cpu, Work::Division, std::mem::take(&mut self.divider.done));
    }

    /// Counts the lines that come over when another CPU's run queue is changed from here.
    fn charge_remote(&self, k: &mut Kernel, cpu: CpuId) {
        if cpu != self.this_cpu {
            k.charge(self.this_cpu, Work::RemoteQueue, 1);
        }
    }

    /// `resched_task(rq->curr)`.
    fn resched(&mut self, k: &mut Kernel, cpu: CpuId, cause: Cause) {
        if self.mark_resched(k, cpu, cause) {
            if cpu != self.this_cpu && !k.need_resched(cpu) {
                k.charge(self.this_cpu, Work::Ipi, 1);
            }
            k.resched_curr(cpu);
        }
    }

    /// The same, because a slice is used up.
    fn resched_expired(&mut self, k: &mut Kernel, cpu: CpuId, cause: Cause) {
        if self.mark_resched(k, cpu, cause) {
            k.resched_expired(cpu);
        }
    }

    /// Inside `schedule()` the flag goes to the task that is leaving, which honours it when it runs again.
    fn mark_resched(&mut self, k: &Kernel, cpu: CpuId, cause: Cause) -> bool {
        if self.rq(cpu).in_schedule {
            match k.curr(cpu) {
                Some(leaving) => self.t_mut(leaving).need_resched = true,
                None => self.rq_mut(cpu).idle_need_resched = true,
            }
            return false;
        }
        if !k.need_resched(cpu) {
            self.rq_mut(cpu).cause = cause;
        }
        true
    }

    /// `test_tsk_need_resched(rq->curr)`.
    fn test_need_resched(&self, k: &Kernel, cpu: CpuId) -> bool {
        if self.rq(cpu).in_schedule {
            return match k.curr(cpu) {
                Some(leaving) => self.t(leaving).need_resched,
                None => self.rq(cpu).idle_need_resched,
            };
        }
        k.need_resched(cpu)
    }

    fn throttles(&self) -> bool {
        self.version.throttle != Throttle::Absent
    }

    /// Running averages of 2.6.32 at a wakeup that a task makes.
    fn attribute_wakeup(&mut self, waker: TaskId) {
        let entity = self.task_entity(waker);
        let sum_exec = self.e(entity).sum_exec;
        let sched = self.t_mut(waker);
        let from = if sched.last_wakeup != 0 { sched.last_wakeup } else { sched.start_runtime };
        sched.last_wakeup = sum_exec;
        update_avg(&mut self.e_mut(entity).avg_wakeup, sum_exec.wrapping_sub(from));
    }
}
