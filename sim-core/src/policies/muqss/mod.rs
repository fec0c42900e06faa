//! MuQSS by Con Kolivas (2016–2018): BFS's deadlines with one skip list per CPU; a CPU looks through the others' lists
//! for an earlier deadline, nearest first.
//!
//! Modelled from the text of 0.162 for 4.15: keys, pick with `interactive` on and off, wakeup and preemption, slices ended
//! by a high-resolution timer, ISO per CPU, IDLEPRIO, BATCH, FIFO and RR, yield types. No recorded schedule exists. Not
//! modelled: SMT nice (`smt_schedule`), shared run queues, frequency scaling, priority inheritance. See
//! `docs/policies/muqss.md`.
//!
//! Invariants: a running task is on no list; a queued task is on the list of its CPU.

mod inspect;
mod list;
mod schedule;
#[cfg(test)]
mod tests;
mod wakeup;

use crate::inspect::{Candidate, Gauge, StructureVisitor, Unit};
use crate::kernel::{Kernel, sim};
use crate::policy::{
    AttrChange, Block, Caps, NewTask, Policy, PolicyEntry, PolicyInfo, SchedClass, TunableSpec, WakeFlags,
};
use crate::queues::ck::{deadline_offset, locality, prio_ratios};
use crate::queues::skip_list::{SkipList, SkipNodes};
use crate::units::{CpuId, CpuMask, Nanos, TaskId};

const ISO_PRIO: u8 = 100;
const NORMAL_PRIO: u8 = 101;
const IDLE_PRIO: u8 = 102;
/// Priority of an idle CPU.
const PRIO_LIMIT: u8 = 103;

crate::reasons! {
    /// Why a task got the CPU.
    pub enum Why {
        NothingRunnable = "no queue has a task for this CPU: it idles" [] in "schedule",
        OwnFirst = "first of the own skip list, deadline {0}" [Nanos] in "earliest_deadline_task",
        OtherFirst = "CPU {1} had an earlier deadline queued: {0}" [Nanos, Count] in "earliest_deadline_task",
        LongerQueue = "CPU {1} has the longer queue: its first task, deadline {0}" [Nanos, Count] in "earliest_deadline_task",
        RealTime = "real-time priority {0} is the smallest key" [Prio] in "earliest_deadline_task",
        Iso = "a SCHED_ISO task within its share runs before all normal tasks" [] in "earliest_deadline_task",
        Idleprio = "only IDLEPRIO tasks are queued; deadline {0}" [Nanos] in "earliest_deadline_task",
    }
}

const NOTES: &[&str] = &["new deadline", "iso refractory"];
/// A task got a full slice and a new deadline.
const NOTE_DEADLINE: u16 = 0;
/// SCHED_ISO tasks of a CPU used up (1) or got back (0) their privilege.
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
        key: "interactive",
        help: "A CPU takes the earliest deadline of all queues; off: it takes only from longer queues",
        unit: Unit::Count,
        min: 0,
        max: 1,
        default: |_| 1,
        golden: Some("interactive"),
    },
    TunableSpec {
        key: "yield_type",
        help: "What sched_yield does: 0 nothing, 1 a new decision, 2 also ends the slice",
        unit: Unit::Count,
        min: 0,
        max: 2,
        default: |_| 1,
        golden: Some("yield_type"),
    },
    TunableSpec {
        key: "iso_cpu",
        help: "Share of a CPU that SCHED_ISO tasks may use ahead of normal ones",
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
        key: "muqss",
        title: "MuQSS 0.162",
        family: "BFS",
        kernel: "4.15-ck1, February 2018",
        summary: "BFS with a sorted queue per CPU: a CPU compares the first entries of all queues, its own first, and \
                  takes the earliest virtual deadline",
        tunables: TUNABLES,
        reasons: Why::TABLE,
        notes: NOTES,
        caps: Caps { batch: true, idle: true, iso: true, rt: true, ..Caps::NONE },
        golden: &[],
        golden_matched: (0, 0),
    },
    build: sim::build::<Muqss>,
}];

/// What the scheduler knows of a task.
#[derive(Clone, Debug)]
struct Entity {
    deadline: Nanos,
    /// Left of the slice, units of 1024 ns.
    time_slice: i32,
    /// Insertions so far: with the task it names the draw of its next level.
    inserts: u64,
    static_prio: u8,
    prio: u8,
    rt_prio: u8,
    class: SchedClass,
    queued: bool,
}

impl Default for Entity {
    fn default() -> Self {
        Entity {
            deadline: 0,
            time_slice: 0,
            inserts: 0,
            static_prio: 120,
            prio: NORMAL_PRIO,
            rt_prio: 0,
            class: SchedClass::Normal,
            queued: false,
        }
    }
}

/// Run queue of a CPU.
#[derive(Clone, Debug)]
struct Rq {
    list: SkipList,
    /// Deadline and priority of the running task, as others see them.
    deadline: Nanos,
    prio: u8,
    /// Time of the last accounting, ns.
    last_ran: Nanos,
    /// Task that asked for the CPU; the search stops when it meets it.
    preempting: Option<TaskId>,
    iso_ticks: u64,
    iso_refractory: bool,
}

/// The scheduler.
#[derive(Clone)]
pub struct Muqss {
    rr_interval_ms: u64,
    interactive: bool,
    yield_type: i64,
    iso_cpu: u64,
    hz: u64,
    ratios: [u64; 40],
    tasks: Vec<Entity>,
    nodes: SkipNodes,
    rqs: Vec<Rq>,
    /// For every CPU all CPUs, nearest first (`rq_order`), with their locality.
    order: Vec<Vec<(CpuId, u32)>>,
    /// Idle CPUs.
    idle: CpuMask,
}

impl Muqss {
    fn set(&mut self, index: usize, value: i64) {
        match TUNABLES[index].key {
            "rr_interval" => self.rr_interval_ms = value as u64,
            "interactive" => self.interactive = value != 0,
            "yield_type" => self.yield_type = value,
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

    /// `time_slice_expired`: a full slice and a new deadline.
    fn renew(&mut self, k: &Kernel, task: TaskId) {
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

    /// `rq_load`: queued tasks and the running one.
    fn load(&self, k: &Kernel, cpu: CpuId) -> u32 {
        self.rqs[cpu.index()].list.entries() + u32::from(k.curr(cpu).is_some())
    }

    /// `set_user_nice`, `sched_setscheduler`, `set_cpus_allowed`.
    fn changed(&mut self, k: &mut Kernel, task: TaskId, change: AttrChange) {
        let cpu = k.task(task).cpu;
        let running = k.curr(cpu) == Some(task);
        let queued = self.tasks[task.index()].queued;
        if matches!(change, AttrChange::Affinity) {
            if k.task(task).affinity.contains(cpu) {
                return;
            }
            if running {
                k.resched_curr(cpu);
            } else if queued {
                self.dequeue(k, task, cpu);
                let to = self.select_best_cpu(k, task);
                k.set_task_cpu(task, to);
                self.enqueue(k, task, to, to);
                self.try_preempt(k, task, to);
            }
            return;
        }
        let (old_prio, old_static) = (self.tasks[task.index()].prio, self.tasks[task.index()].static_prio);
        let old_offset = self.offset_of(task);
        if queued {
            self.dequeue(k, task, cpu);
        }
        self.refresh(k, task);
        let offset = self.offset_of(task);
        let entity = &mut self.tasks[task.index()];
        entity.deadline = (entity.deadline + offset).saturating_sub(old_offset);
        self.set_prio(k, cpu, task);
        let entity = &self.tasks[task.index()];
        let better = (entity.prio, entity.static_prio) < (old_prio, old_static);
        if running {
            let rq = &mut self.rqs[cpu.index()];
            rq.deadline = entity.deadline;
            rq.prio = entity.prio;
            if !better {
                k.resched_curr(cpu);
            }
        } else if queued {
            self.enqueue(k, task, cpu, cpu);
            if better {
                self.try_preempt(k, task, cpu);
            }
        }
    }
}

impl Policy for Muqss {
    fn new(_key: &'static str, kernel: &Kernel, tunables: &[i64]) -> Self {
        let rq = Rq {
            list: SkipList::default(),
            deadline: 0,
            prio: PRIO_LIMIT,
            last_ran: 0,
            preempting: None,
            iso_ticks: 0,
            iso_refractory: false,
        };
        let topology = kernel.topology();
        let nearest_first = |cpu: CpuId| {
            let mut order: Vec<(CpuId, u32)> =
                topology.cpu_ids().map(|other| (other, locality(topology, cpu, other))).collect();
            order.sort_by_key(|&(other, distance)| (distance, other));
            order
        };
        let mut policy = Muqss {
            rr_interval_ms: 6,
            interactive: true,
            yield_type: 1,
            iso_cpu: 70,
            hz: u64::from(kernel.hz()),
            ratios: prio_ratios(),
            tasks: Vec::new(),
            nodes: SkipNodes::default(),
            rqs: vec![rq; usize::from(kernel.cpus())],
            order: topology.cpu_ids().map(nearest_first).collect(),
            idle: CpuMask::first(kernel.cpus()),
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
        self.nodes.reserve(tasks);
    }

    fn wake_up_new_task(&mut self, k: &mut Kernel, task: TaskId, new: NewTask) {
        self.start(k, task, new);
    }

    fn try_to_wake_up(&mut self, k: &mut Kernel, task: TaskId, flags: WakeFlags) {
        self.wake(k, task, flags);
    }

    fn schedule(&mut self, k: &mut Kernel, cpu: CpuId, prev: Option<TaskId>, block: Option<Block>) -> Option<TaskId> {
        self.pick(k, cpu, prev, block)
    }

    fn scheduler_tick(&mut self, k: &mut Kernel, cpu: CpuId) {
        self.tick(k, cpu);
    }

    fn sched_yield(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) -> bool {
        if self.yield_type == 2 {
            self.account(k, cpu);
            self.renew(k, task);
        }
        self.yield_type > 0
    }

    fn task_changed(&mut self, k: &mut Kernel, task: TaskId, change: AttrChange, _queued: bool) {
        if !matches!(change, AttrChange::Slice { .. }) {
            self.changed(k, task, change);
        }
    }

    fn set_tunable(&mut self, _k: &mut Kernel, index: usize, value: i64) {
        self.set(index, value);
    }

    fn timers(&self) -> u32 {
        self.rqs.len() as u32
    }

    fn timer_expired(&mut self, k: &mut Kernel, _timer: u32, cpu: CpuId) {
        // `hrexpiry`: the running task's slice ends now.
        if k.curr(cpu).is_some() {
            k.resched_expired(cpu);
        }
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
