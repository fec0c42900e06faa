//! The staircase scheduler v17 by Con Kolivas (2.6.20-ck1, 2007): one priority array per CPU. A running task steps down
//! one stair per RR interval; when its whole slice is used it starts again one bonus lower; a sleep puts it back on top,
//! and a long one raises its bonus.
//!
//! Modelled: v17 exactly (recorded schedules), with interactive and compute mode, SCHED_ISO, IDLEPRIO, BATCH, FIFO and RR,
//! and the 2.6.20 balancer. Not modelled: system time of tasks (`systime`), kernel threads, priority inheritance. See
//! `docs/policies/staircase.md`.
//!
//! Invariants: the running task stays in its list; a task's list is the one of its `prio`.

mod balance;
mod inspect;
mod stairs;
#[cfg(test)]
mod tests;
mod tick;

use crate::inspect::{Candidate, Gauge, StructureVisitor, Unit};
use crate::kernel::{Kernel, sim};
use crate::policy::{
    AttrChange, Block, Caps, NewTask, Policy, PolicyEntry, PolicyInfo, SchedClass, TunableSpec, WakeFlags,
};
use crate::queues::domain_balance::{self, Balancing, Wakeup, fork_cpu, wake_cpu};
use crate::queues::prio_array::PrioArray;
use crate::queues::task_lists::Links;
use crate::units::{CpuId, Nanos, TaskId};

/// Lists of the array: 0..=98 real time, 99 ISO, 100..=139 stairs, 140 IDLEPRIO.
const LISTS: usize = 141;
/// Priority of a SCHED_ISO task with its privilege.
const ISO_PRIO: u8 = 99;
/// Lowest stair.
const LAST_STAIR: u8 = 139;
/// The IDLEPRIO list.
const IDLEPRIO: u8 = 140;
/// The idle task, worse than every other.
const IDLE_PRIO: u8 = 141;

crate::reasons! {
    /// Why a task got the CPU.
    pub enum Why {
        NothingRunnable = "no task is runnable: the CPU idles" [] in "schedule",
        RealTime = "real-time priority {0} is the first set bit of the bitmap" [Prio] in "schedule",
        Iso = "a SCHED_ISO task within its share runs before all normal tasks" [] in "schedule",
        Stair = "stair {0} is the highest one taken; bonus {1}, {2} left of the slice" [Prio, Count, Ticks] in "schedule",
        Idleprio = "only IDLEPRIO tasks are runnable" [] in "schedule",
    }
}

const NOTES: &[&str] = &["iso refractory"];
/// SCHED_ISO tasks of a CPU used up (1) or got back (0) their privilege.
const NOTE_REFRACTORY: u16 = 0;

const TUNABLES: &[TunableSpec] = &[
    TunableSpec {
        key: "interactive",
        help: "Sleepers earn a bonus that lifts them above their nice level's first stair",
        unit: Unit::Count,
        min: 0,
        max: 1,
        default: |_| 1,
        golden: Some("interactive"),
    },
    TunableSpec {
        key: "compute",
        help: "Slices ten times longer, no bonus, and preemption only after 10 ms",
        unit: Unit::Count,
        min: 0,
        max: 1,
        default: |_| 0,
        golden: Some("compute"),
    },
    TunableSpec {
        key: "iso_cpu",
        help: "Share of a CPU that SCHED_ISO tasks may use ahead of normal ones",
        unit: Unit::Percent,
        min: 0,
        max: 100,
        default: |_| 80,
        golden: Some("iso_cpu"),
    },
    TunableSpec {
        key: "cache_hot_time",
        help: "A task that ran within this time is not pulled to another CPU, unless pulling failed before",
        unit: Unit::Nanos,
        min: 0,
        max: 100_000_000,
        default: |_| 2_500_000,
        golden: Some("sched_domains.phys.cache_hot_time_ns"),
    },
];

/// The one version.
pub static POLICIES: &[PolicyEntry] = &[PolicyEntry {
    info: PolicyInfo {
        key: "staircase",
        title: "Staircase v17",
        family: "Staircase",
        kernel: "2.6.20-ck1, February 2007",
        summary: "One list of stairs per CPU: a task steps down while it runs and returns to the top when it sleeps; \
                  bonus for sleepers in interactive mode, long slices in compute mode",
        tunables: TUNABLES,
        reasons: Why::TABLE,
        notes: NOTES,
        caps: Caps { batch: true, idle: true, iso: true, rt: true, ..Caps::NONE },
        golden: &["2.6.20-ck1"],
        golden_matched: (16, 16),
    },
    build: sim::build::<Staircase>,
}];

/// What the scheduler knows of a task.
#[derive(Clone, Debug)]
struct Entity {
    /// When it was last put on the CPU or looked at by `schedule()`, went to sleep or was woken (`timestamp`), ns.
    stamp: Nanos,
    /// When it last left the CPU, ns.
    last_ran: Nanos,
    /// Its last stretch of running, ns.
    runtime: Nanos,
    /// Running not yet paid for by sleep (`totalrun`), ns.
    totalrun: Nanos,
    /// Running not yet charged as a tick, ns.
    debit: Nanos,
    load_weight: u32,
    /// Ticks left of the way down the staircase.
    slice: i32,
    /// Ticks left on this stair.
    time_slice: i32,
    bonus: u8,
    static_prio: u8,
    prio: u8,
    class: SchedClass,
    queued: bool,
    /// `PF_FORKED`: forked since it last woke up, so its sleep earns nothing.
    forked: bool,
    /// `PF_NONSLEEP`: its sleep was uninterruptible.
    nonsleep: bool,
    /// `PF_ISOREF`: SCHED_ISO that counts as normal for now.
    iso_refractory: bool,
}

impl Default for Entity {
    fn default() -> Self {
        Entity {
            stamp: 0,
            last_ran: 0,
            runtime: 0,
            totalrun: 0,
            debit: 0,
            load_weight: 0,
            slice: 0,
            time_slice: 0,
            bonus: 0,
            static_prio: 120,
            prio: 120,
            class: SchedClass::Normal,
            queued: false,
            forked: false,
            nonsleep: false,
            iso_refractory: false,
        }
    }
}

/// Run queue of a CPU.
#[derive(Clone, Debug)]
struct Rq {
    array: PrioArray,
    raw_weighted_load: u64,
    /// Time of the last tick or `schedule()`, ns.
    most_recent: Nanos,
    /// Ticks that the running task has run, for delayed preemption.
    cache_ticks: u32,
    /// A better task waits for `cache_ticks` to reach the delay.
    preempt_pending: bool,
    iso_ticks: u64,
    iso_refractory: bool,
}

/// The scheduler.
#[derive(Clone)]
pub struct Staircase {
    interactive: bool,
    compute: bool,
    iso_cpu: u64,
    cache_hot_ns: Nanos,
    hz: u32,
    tick_ns: Nanos,
    tasks: Vec<Entity>,
    links: Links,
    rqs: Vec<Rq>,
    balancing: Balancing,
}

impl Staircase {
    fn set(&mut self, index: usize, value: i64) {
        match TUNABLES[index].key {
            "interactive" => self.interactive = value != 0,
            "compute" => self.compute = value != 0,
            "iso_cpu" => self.iso_cpu = value as u64,
            _ => self.cache_hot_ns = value as u64,
        }
        *self.balancing.version_mut() = self.balance_version();
    }

    /// `try_to_wake_up`.
    fn wake(&mut self, k: &mut Kernel, task: TaskId, flags: WakeFlags) {
        let waker = if flags.sync { flags.waker } else { None };
        let sync_weight = waker.map_or(0, |waker| u64::from(self.tasks[waker.index()].load_weight));
        let weight = u64::from(self.tasks[task.index()].load_weight);
        let cpu = wake_cpu(self, k, &Wakeup { task, weight, by: flags.cpu, sync_weight });
        k.set_task_cpu(task, cpu);
        self.activate(k, cpu, task, flags.cpu);
        if !flags.sync || cpu != flags.cpu {
            self.check_preempt(k, cpu, task);
        }
    }

    /// `sched_fork` and `wake_up_new_task`, and the start of a task without a parent.
    fn start(&mut self, k: &mut Kernel, task: TaskId, new: NewTask) {
        let Some(parent) = new.parent else {
            self.tasks[task.index()] = Entity { stamp: k.now(), last_ran: k.now(), ..Entity::default() };
            self.refresh(k, task);
            self.refill(task);
            self.set_prio(task);
            self.enqueue(k, new.cpu, task);
            return self.check_preempt(k, new.cpu, task);
        };
        self.tasks[task.index()] = Entity { bonus: 0, queued: false, ..self.tasks[parent.index()].clone() };
        self.tasks[parent.index()].forked = true;
        let cpu = fork_cpu(self, k, task, new.cpu);
        k.set_task_cpu(task, cpu);
        self.activate(k, cpu, task, new.cpu);
        if cpu == new.cpu && k.task(task).mm != k.task(parent).mm {
            k.resched_curr(cpu);
        } else {
            self.check_preempt(k, cpu, task);
        }
    }

    /// The whole of `schedule()` but the switch.
    fn pick(&mut self, k: &mut Kernel, cpu: CpuId, prev: Option<TaskId>, block: Option<Block>) -> Option<TaskId> {
        let now = k.now();
        if let Some(prev) = prev {
            let since_charge = now.saturating_sub(self.rqs[cpu.index()].most_recent) % self.tick_ns;
            let entity = &mut self.tasks[prev.index()];
            entity.runtime = now.saturating_sub(entity.stamp);
            entity.debit += since_charge;
            entity.last_ran = now;
        }
        self.rqs[cpu.index()].most_recent = now;
        if let (Some(prev), Some(block)) = (prev, block) {
            if block == Block::Uninterruptible {
                self.tasks[prev.index()].nonsleep = true;
            }
            self.dequeue(k, cpu, prev);
        }
        if self.rqs[cpu.index()].array.nr_active() == 0 {
            domain_balance::idle_balance(self, k, cpu);
        }
        let next = self.best(k, cpu);
        if let Some(prev) = prev {
            self.tasks[prev.index()].stamp = now;
        }
        if next != prev {
            let rq = &mut self.rqs[cpu.index()];
            rq.cache_ticks = 0;
            rq.preempt_pending = false;
            if let Some(next) = next {
                let entity = &mut self.tasks[next.index()];
                entity.stamp = now;
                entity.last_ran = now;
            }
        }
        next
    }

    /// Head of the best list.
    fn best(&mut self, k: &mut Kernel, cpu: CpuId) -> Option<TaskId> {
        k.charge(cpu, crate::machine::cost::Work::BitmapWord, 1);
        let Some((prio, head)) = self.rqs[cpu.index()].array.first() else {
            k.explain(Why::NothingRunnable, [0; 3]);
            return None;
        };
        let entity = &self.tasks[head.index()];
        match prio {
            IDLEPRIO => k.explain(Why::Idleprio, [0; 3]),
            ISO_PRIO if entity.class == SchedClass::Iso => k.explain(Why::Iso, [0; 3]),
            0..=ISO_PRIO => k.explain(Why::RealTime, [i64::from(prio), 0, 0]),
            _ => k.explain(Why::Stair, [i64::from(prio), i64::from(entity.bonus), i64::from(entity.slice)]),
        }
        Some(head)
    }

    /// `sys_sched_yield`: down to the last stair, with a full slice.
    fn yields(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        self.refill(task);
        let entity = &self.tasks[task.index()];
        let prio = match entity.class {
            SchedClass::Fifo | SchedClass::Rr | SchedClass::Idle => entity.prio,
            SchedClass::Normal | SchedClass::Batch | SchedClass::Iso => LAST_STAIR,
        };
        self.requeue(k, cpu, task, prio);
    }

    /// `set_user_nice`, `sched_setscheduler`, `set_cpus_allowed`.
    fn changed(&mut self, k: &mut Kernel, task: TaskId, change: AttrChange, queued: bool) {
        let cpu = k.task(task).cpu;
        match change {
            AttrChange::Slice { .. } => {}
            AttrChange::Affinity => self.move_off(k, cpu, task, queued),
            AttrChange::Nice { .. } | AttrChange::Class { .. } if !queued => self.refresh(k, task),
            AttrChange::Nice { .. } | AttrChange::Class { .. } => {
                let old = self.tasks[task.index()].prio;
                self.dequeue(k, cpu, task);
                self.refresh(k, task);
                if matches!(change, AttrChange::Class { .. }) {
                    self.refill(task);
                }
                self.set_prio(task);
                self.enqueue(k, cpu, task);
                let new = self.tasks[task.index()].prio;
                if k.curr(cpu) != Some(task) {
                    self.check_preempt(k, cpu, task);
                } else if new > old {
                    k.resched_curr(cpu);
                }
            }
        }
    }

    /// A queued task that may no longer run on its CPU moves to the lowest one that it may use.
    fn move_off(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId, queued: bool) {
        let allowed = k.task(task).affinity;
        if !queued || allowed.contains(cpu) {
            return;
        }
        if k.curr(cpu) == Some(task) {
            return k.resched_curr(cpu);
        }
        let Some(to) = allowed.next(0) else { return };
        self.dequeue(k, cpu, task);
        k.set_task_cpu(task, to);
        self.enqueue(k, to, task);
        self.check_preempt(k, to, task);
    }
}

impl Policy for Staircase {
    fn new(_key: &'static str, kernel: &Kernel, tunables: &[i64]) -> Self {
        let rq = Rq {
            array: PrioArray::new(LISTS),
            raw_weighted_load: 0,
            most_recent: 0,
            cache_ticks: 0,
            preempt_pending: false,
            iso_ticks: 0,
            iso_refractory: false,
        };
        let mut policy = Staircase {
            interactive: true,
            compute: false,
            iso_cpu: 80,
            cache_hot_ns: 0,
            hz: kernel.hz(),
            tick_ns: 1_000_000_000 / u64::from(kernel.hz()),
            tasks: Vec::new(),
            links: Links::default(),
            rqs: vec![rq; usize::from(kernel.cpus())],
            balancing: Balancing::new(kernel, balance::EMPTY),
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
        self.wake(k, task, flags);
    }

    fn schedule(&mut self, k: &mut Kernel, cpu: CpuId, prev: Option<TaskId>, block: Option<Block>) -> Option<TaskId> {
        self.pick(k, cpu, prev, block)
    }

    fn scheduler_tick(&mut self, k: &mut Kernel, cpu: CpuId) {
        self.tick(k, cpu);
        if k.cpus() > 1 {
            domain_balance::rebalance_tick(self, k, cpu);
        }
    }

    fn sched_yield(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) -> bool {
        self.yields(k, cpu, task);
        true
    }

    fn task_changed(&mut self, k: &mut Kernel, task: TaskId, change: AttrChange, queued: bool) {
        self.changed(k, task, change, queued);
    }

    fn set_tunable(&mut self, _k: &mut Kernel, index: usize, value: i64) {
        self.set(index, value);
    }

    fn has_migration_threads(&self) -> bool {
        true
    }

    fn migration_thread(&mut self, k: &mut Kernel, cpu: CpuId) {
        domain_balance::active_load_balance(self, k, cpu);
    }

    fn candidates(&self, k: &Kernel, cpu: CpuId, out: &mut dyn FnMut(Candidate)) {
        self.list_candidates(k, cpu, out);
    }

    fn visit_structures(&self, k: &Kernel, cpu: CpuId, v: &mut dyn StructureVisitor) {
        self.visit(k, cpu, v);
    }

    fn task_gauges(&self, _k: &Kernel, task: TaskId, out: &mut dyn FnMut(Gauge)) {
        self.gauges(task, out);
    }

    fn check_invariants(&self, k: &Kernel) {
        self.check(k);
    }
}
