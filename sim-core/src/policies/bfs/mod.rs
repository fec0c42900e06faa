//! BFS by Con Kolivas (2009): one queue for all CPUs, earliest virtual deadline first, found by walking the list.
//!
//! Modelled: the scheduler of a 2.6.32 tree with about v0.40x exactly (recorded schedules): deadlines in niffies, slices of
//! 1024 ns units, dither, sticky tasks, idle CPUs by distance, ISO system-wide, IDLEPRIO, BATCH, FIFO and RR, and the one
//! lock as contended time. Not modelled: CPU frequency scaling (a scaling CPU refuses sticky tasks), priority
//! inheritance, hotplug. See `docs/policies/bfs.md`.
//!
//! Invariants: a running task is on no list; while it runs, slice and deadline are the run queue's copy, and a re-pick of
//! the same task does not refresh that copy, as in the source.

mod inspect;
mod preempt;
mod queue;
mod schedule;
#[cfg(test)]
mod tests;
mod tick;

use crate::inspect::{Candidate, Gauge, StructureVisitor, Unit};
use crate::kernel::{Kernel, sim};
use crate::policy::{
    AttrChange, Block, Caps, NewTask, Policy, PolicyEntry, PolicyInfo, SchedClass, TunableSpec, WakeFlags,
};
use crate::queues::bitmap::PrioBitmap;
use crate::queues::ck::{RESCHED_US, deadline_offset, prio_ratios};
use crate::queues::task_lists::{Links, TaskList};
use crate::units::{CpuId, CpuMask, Nanos, TaskId};

/// Lists: 0..=98 real time, 100 ISO, 101 normal and batch, 102 IDLEPRIO.
const LISTS: usize = 103;
const ISO_PRIO: u8 = 100;
const NORMAL_PRIO: u8 = 101;
const IDLE_PRIO: u8 = 102;
/// Priority of an idle CPU.
const PRIO_LIMIT: u8 = 103;

crate::reasons! {
    /// Why a task got the CPU.
    pub enum Why {
        NothingRunnable = "nobody is queued: the CPU idles" [] in "schedule",
        RealTime = "first task of real-time priority {0} that may run here" [Prio] in "earliest_deadline_task",
        Iso = "a SCHED_ISO task within its share runs before all normal tasks, deadline {0}" [Nanos] in "earliest_deadline_task",
        EarliestDeadline = "earliest virtual deadline, {0}, of the {1} tasks queued" [Nanos, Count] in "earliest_deadline_task",
        StickyElsewhere = "earliest deadline although it sticks to another CPU: {0} counts as {1}" [Nanos, Nanos] in "earliest_deadline_task",
        Idleprio = "only IDLEPRIO tasks are queued; deadline {0}" [Nanos] in "earliest_deadline_task",
        Alone = "nobody else is queued: it goes on" [] in "schedule",
    }
}

const NOTES: &[&str] = &["new deadline", "iso refractory"];
/// A task got a full slice and a new deadline.
const NOTE_DEADLINE: u16 = 0;
/// SCHED_ISO tasks used up (1) or got back (0) their privilege.
const NOTE_REFRACTORY: u16 = 1;

const TUNABLES: &[TunableSpec] = &[
    TunableSpec {
        key: "rr_interval",
        help: "Slice, ms; deadlines scale with it",
        unit: Unit::Count,
        min: 1,
        max: 1000,
        default: |_| 6,
        golden: Some("rr_interval"),
    },
    TunableSpec {
        key: "iso_cpu",
        help: "Share of all CPUs that SCHED_ISO tasks may use ahead of normal ones",
        unit: Unit::Percent,
        min: 0,
        max: 100,
        default: |_| 70,
        golden: Some("sched_iso_cpu"),
    },
];

/// The one version.
pub static POLICIES: &[PolicyEntry] = &[PolicyEntry {
    info: PolicyInfo {
        key: "bfs",
        title: "BFS",
        family: "BFS",
        kernel: "2.6.32 with BFS about 0.40x, 2010",
        summary: "One queue for all CPUs; whoever has the earliest virtual deadline runs. Sleeping changes neither slice \
                  nor deadline, so a sleeper's deadline is early when it wakes",
        tunables: TUNABLES,
        reasons: Why::TABLE,
        notes: NOTES,
        caps: Caps { batch: true, idle: true, iso: true, rt: true, ..Caps::NONE },
        golden: &["2.6.32.43 with BFS (about v0.40x)"],
        golden_matched: (21, 21),
    },
    build: sim::build::<Bfs>,
}];

/// What the scheduler knows of a task.
#[derive(Clone, Debug)]
struct Entity {
    deadline: Nanos,
    /// Left of the slice, units of 1024 ns; while the task runs its run queue has the present value.
    time_slice: i32,
    static_prio: u8,
    prio: u8,
    /// Priority of its list for real time.
    rt_prio: u8,
    class: SchedClass,
    queued: bool,
    /// Switched out while runnable: other CPUs take it only if its deadline is much earlier.
    sticky: bool,
}

impl Default for Entity {
    fn default() -> Self {
        Entity {
            deadline: 0,
            time_slice: 0,
            static_prio: 120,
            prio: NORMAL_PRIO,
            rt_prio: 0,
            class: SchedClass::Normal,
            queued: false,
            sticky: false,
        }
    }
}

/// What a CPU keeps of its running task.
#[derive(Clone, Debug)]
struct Rq {
    deadline: Nanos,
    time_slice: i32,
    prio: u8,
    class: SchedClass,
    /// Time of the last accounting, ns.
    last_ran: Nanos,
    last_tick: Nanos,
    /// The running task was put on in the first half of a tick: it may not run past the middle of the next.
    dither: bool,
    sticky_task: Option<TaskId>,
}

/// The scheduler.
#[derive(Clone)]
pub struct Bfs {
    rr_interval_ms: u64,
    iso_cpu: u64,
    hz: u64,
    tick_ns: Nanos,
    ratios: [u64; 40],
    tasks: Vec<Entity>,
    links: Links,
    queue: [TaskList; LISTS],
    bitmap: PrioBitmap<2>,
    nr_queued: u32,
    rqs: Vec<Rq>,
    /// CPUs whose idle task runs because nobody was there to run.
    idle: CpuMask,
    iso_ticks: u64,
    iso_refractory: bool,
}

impl Bfs {
    fn set(&mut self, index: usize, value: i64) {
        match TUNABLES[index].key {
            "rr_interval" => self.rr_interval_ms = value as u64,
            _ => self.iso_cpu = value as u64,
        }
    }

    /// `timeslice()`: units of 1024 ns.
    fn full_slice(&self) -> i32 {
        (self.rr_interval_ms << 10) as i32
    }

    fn offset_of(&self, task: TaskId) -> Nanos {
        deadline_offset(self.ratios[usize::from(self.tasks[task.index()].static_prio) - 100], self.rr_interval_ms)
    }

    /// What a sticky task's deadline is put back by on other CPUs.
    fn longest_offset(&self) -> Nanos {
        deadline_offset(self.ratios[39], self.rr_interval_ms)
    }

    /// `time_slice_expired`: a full slice and a new deadline.
    fn renew(&mut self, k: &mut Kernel, task: TaskId) {
        let deadline = k.now() + self.offset_of(task);
        let slice = self.full_slice();
        let entity = &mut self.tasks[task.index()];
        entity.time_slice = slice;
        entity.deadline = deadline;
    }

    /// Class, nice level and real-time priority from the machine.
    fn refresh(&mut self, k: &Kernel, task: TaskId) {
        let of = k.task(task);
        let entity = &mut self.tasks[task.index()];
        entity.class = of.class;
        entity.static_prio = (120 + i32::from(of.nice)) as u8;
        entity.rt_prio = if of.class.is_rt() { 99 - of.rt_priority } else { 0 };
    }

    /// The start of a task, and `wake_up_new_task` after a fork.
    fn start(&mut self, k: &mut Kernel, task: TaskId, new: NewTask) {
        let Some(parent) = new.parent else {
            self.tasks[task.index()] = Entity::default();
            self.refresh(k, task);
            self.renew(k, task);
            self.enqueue(k, task, new.cpu);
            return self.try_preempt(k, task);
        };
        let cpu = new.cpu;
        self.tasks[task.index()] = Entity { queued: false, sticky: false, ..self.tasks[parent.index()].clone() };
        self.refresh(k, task);
        let rq = &mut self.rqs[cpu.index()];
        let mut parent_expired = false;
        if rq.class != SchedClass::Fifo {
            rq.time_slice /= 2;
            if rq.time_slice < RESCHED_US {
                rq.time_slice = 0;
                parent_expired = true;
            }
            self.tasks[task.index()].time_slice = rq.time_slice;
        }
        if parent_expired {
            self.renew(k, task);
            k.resched_expired(cpu);
        }
        self.enqueue(k, task, cpu);
        let own_memory = k.task(task).mm != k.task(parent).mm;
        if own_memory && self.idle.and(&k.task(task).affinity).is_empty() {
            // The child is queued before its parent and wins the tie of their deadlines.
            k.resched_curr(cpu);
        } else {
            self.try_preempt(k, task);
        }
    }

    /// `set_user_nice`, `sched_setscheduler`, `set_cpus_allowed`.
    fn changed(&mut self, k: &mut Kernel, task: TaskId, change: AttrChange) {
        let cpu = k.task(task).cpu;
        let running = k.curr(cpu) == Some(task);
        if matches!(change, AttrChange::Affinity) {
            if running && !k.task(task).affinity.contains(cpu) {
                k.resched_curr(cpu);
            } else if self.tasks[task.index()].queued {
                self.try_preempt(k, task);
            }
            return;
        }
        let queued = self.tasks[task.index()].queued;
        let (old_prio, old_static) = (self.tasks[task.index()].prio, self.tasks[task.index()].static_prio);
        let old_offset = self.offset_of(task);
        if queued {
            self.dequeue(k, task, cpu);
        }
        self.refresh(k, task);
        let offset = self.offset_of(task);
        let entity = &mut self.tasks[task.index()];
        entity.deadline = (entity.deadline + offset).saturating_sub(old_offset);
        self.set_prio(k, task);
        let entity = &self.tasks[task.index()];
        let better = (entity.prio, entity.static_prio) < (old_prio, old_static);
        if running {
            let rq = &mut self.rqs[cpu.index()];
            rq.deadline = entity.deadline;
            rq.prio = entity.prio;
            rq.class = entity.class;
            if !better {
                k.resched_curr(cpu);
            }
        } else if queued {
            self.enqueue(k, task, cpu);
            if better {
                self.try_preempt(k, task);
            }
        }
    }
}

impl Policy for Bfs {
    fn new(_key: &'static str, kernel: &Kernel, tunables: &[i64]) -> Self {
        let rq = Rq {
            deadline: 0,
            time_slice: 0,
            prio: PRIO_LIMIT,
            class: SchedClass::Normal,
            last_ran: 0,
            last_tick: 0,
            dither: false,
            sticky_task: None,
        };
        let mut policy = Bfs {
            rr_interval_ms: 6,
            iso_cpu: 70,
            hz: u64::from(kernel.hz()),
            tick_ns: 1_000_000_000 / u64::from(kernel.hz()),
            ratios: prio_ratios(),
            tasks: Vec::new(),
            links: Links::default(),
            queue: [TaskList::EMPTY; LISTS],
            bitmap: PrioBitmap::default(),
            nr_queued: 0,
            rqs: vec![rq; usize::from(kernel.cpus())],
            idle: CpuMask::first(kernel.cpus()),
            iso_ticks: 0,
            iso_refractory: false,
        };
        for (index, &value) in tunables.iter().enumerate() {
            policy.set(index, value);
        }
        policy
    }

    fn reserve(&mut self, tasks: usize) {
        if self.tasks.len() < tasks {
            self.tasks.resize(tasks, Entity::default());
        }
        self.links.reserve(tasks);
    }

    fn wake_up_new_task(&mut self, k: &mut Kernel, task: TaskId, new: NewTask) {
        self.start(k, task, new);
    }

    fn try_to_wake_up(&mut self, k: &mut Kernel, task: TaskId, flags: WakeFlags) {
        self.refresh(k, task);
        self.enqueue(k, task, flags.cpu);
        // The promise of a sync waker: its CPU is free in a moment.
        if !flags.sync || k.task(task).cpu != flags.cpu {
            self.try_preempt(k, task);
        }
    }

    fn schedule(&mut self, k: &mut Kernel, cpu: CpuId, prev: Option<TaskId>, block: Option<Block>) -> Option<TaskId> {
        self.pick(k, cpu, prev, block)
    }

    fn scheduler_tick(&mut self, k: &mut Kernel, cpu: CpuId) {
        self.tick(k, cpu);
    }

    fn sched_yield(&mut self, _k: &mut Kernel, _cpu: CpuId, _task: TaskId) -> bool {
        // Only schedule(): the caller usually still has the earliest deadline.
        true
    }

    fn task_changed(&mut self, k: &mut Kernel, task: TaskId, change: AttrChange, _queued: bool) {
        if !matches!(change, AttrChange::Slice { .. }) {
            self.changed(k, task, change);
        }
    }

    fn set_tunable(&mut self, _k: &mut Kernel, index: usize, value: i64) {
        self.set(index, value);
    }

    fn candidates(&self, k: &Kernel, cpu: CpuId, out: &mut dyn FnMut(Candidate)) {
        self.list_candidates(k, cpu, out);
    }

    fn visit_structures(&self, k: &Kernel, cpu: CpuId, v: &mut dyn StructureVisitor) {
        self.visit(k, cpu, v);
    }

    fn task_gauges(&self, k: &Kernel, task: TaskId, out: &mut dyn FnMut(Gauge)) {
        self.gauges(k, task, out);
    }

    fn check_invariants(&self, k: &Kernel) {
        self.check(k);
    }
}
