//! The goodness scheduler: one global list of runnable tasks, scanned at every decision.
//!
//! Models `kernel/sched.c` of Linux 2.4.17 and 2.4.27, the time-slice split of 2.5.2-pre3..pre9 (D. Libenzi), and the
//! repaired form of that split in the 2.4 -aa tree (A. Arcangeli). All share the scan; [`Version`] holds what differs.
//! Source of the rules: recorded schedules of 2.4.17 and 2.4.27, and the published patches for the split (the slice
//! table of pre9 and the -aa clamp are inferred; see `docs/policies/goodness.md`).
//!
//! Not modelled: the sibling choice of hyper-threaded 2.4.19 machines, signals, the big kernel lock.
//!
//! Invariants: every runnable task, the running ones included, is on the list exactly once; a sleeping one is not.

mod inspect;
mod list;
mod schedule;
#[cfg(test)]
mod tests;
mod versions;

use crate::inspect::{Candidate, Entity as Shown, Gauge, StructureVisitor, Trail};
use crate::kernel::Kernel;
use crate::kernel::overhead::{Access, GLOBAL_LOCK, TASKLIST_LOCK};
use crate::machine::cost::Work;
use crate::policy::{AttrChange, Block, NewTask, Policy, SchedClass, WakeFlags};
use crate::task::task::TaskState;
use crate::units::{CpuId, Nanos, TaskId};
use list::RunList;
pub use versions::POLICIES;
use versions::{Account, VERSIONS, Version, tunable};

crate::reasons! {
    /// Rules that decide.
    pub enum Why {
        HighestGoodness = "has the highest goodness, {0}, of {1} runnable tasks; the next best has {2}" [Count, Count, Count] in "schedule",
        FirstOfEqual = "has goodness {0} as others do, and stands before them on the list of {1} tasks" [Count, Count] in "schedule",
        OnlyYielder = "has yielded, but nobody else can run: {1} on the list" [Count, Count] in "schedule",
        RealTime = "is a real-time task: goodness {0} = 1000 + its priority" [Count, Count] in "goodness",
        NewEpoch = "everyone had used up the quantum: all counters were refilled, and goodness {0} is the highest of {1}" [Count, Count] in "schedule",
        NobodyRunnable = "nobody who may run here is on the list of {1} tasks" [Count, Count] in "schedule",
    }
}

/// Note rows.
const NOTE_RECALCULATION: u16 = 0;

/// What a scan looks at of a task. It stands in the kernel's task, too, but few cache lines make scans of hundreds cheap.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Seen {
    /// Address space.
    mm: u32,
    /// 20 - nice, for real time 1000 + its priority.
    base: i16,
    /// Where it runs or last ran.
    cpu: u16,
    real_time: bool,
    running: bool,
    /// It may not run everywhere.
    pinned: bool,
}

impl Seen {
    fn of(k: &Kernel, task: TaskId) -> Seen {
        let task = k.task(task);
        let real_time = task.class.is_rt();
        Seen {
            mm: task.mm,
            base: if real_time { 1000 + i16::from(task.rt_priority) } else { 20 - i16::from(task.nice) },
            cpu: task.cpu.0,
            real_time,
            running: task.state == TaskState::Running,
            pinned: task.affinity.count() < u32::from(k.cpus()),
        }
    }
}

/// Scheduling data of one task.
#[derive(Clone, Copy, Debug, Default)]
struct Entity {
    /// `counter`, or `time_slice` of the split: ticks left.
    counter: i64,
    /// Split: priority points.
    dyn_prio: i64,
    /// Split: number of the refill that the task saw last.
    refill_seen: u64,
    /// The YIELD bit of `policy`.
    yielded: bool,
    /// Epoch in which it was forked.
    born_in_epoch: u64,
    seen: Seen,
}

/// The scheduler.
#[derive(Clone, Debug)]
pub struct Goodness {
    version: &'static Version,
    tunables: [i64; tunable::COUNT],
    hz: u32,
    smp: bool,
    list: RunList,
    entities: Vec<Entity>,
    /// Time of each CPU's last switch.
    last_schedule: Vec<Nanos>,
    /// Address space that each CPU's running (or last) task uses.
    active_mm: Vec<u32>,
    /// Refills so far (`rcl_curr`).
    epoch: u64,
}

impl Goodness {
    /// `NICE_TO_TICKS`: ticks of a full quantum.
    fn quantum(&self, nice: i8) -> i64 {
        let scaled = i64::from(20 - nice);
        let ticks = match self.hz {
            ..200 => (scaled >> 2) + 1,
            200..400 => (scaled >> 1) + 1,
            400..800 => scaled + 1,
            800..1600 => (scaled << 1) + 1,
            _ => (scaled << 2) + 1,
        };
        (ticks * self.tunables[tunable::QUANTUM_PERCENT] / 100).max(1)
    }

    /// Largest `dyn_prio` of the split.
    fn dyn_prio_max(&self, nice: i8) -> i64 {
        match self.tunables[tunable::MAX_DYNPRIO] {
            0 => self.quantum(nice),
            max => max,
        }
    }

    fn is_split(&self) -> bool {
        matches!(self.version.account, Account::Split { .. })
    }

    /// `add_to_runqueue`, with the split's credit for refills slept through.
    fn add_to_runqueue(&mut self, k: &mut Kernel, task: TaskId, cpu: CpuId) {
        if self.is_split() {
            let limit = self.dyn_prio_max(k.task(task).nice);
            let epoch = self.epoch;
            let entity = &mut self.entities[task.index()];
            entity.dyn_prio = (entity.dyn_prio + (epoch - entity.refill_seen) as i64).min(limit);
            entity.refill_seen = epoch;
        }
        if self.version.wake_at_head {
            self.list.push_front(task);
        } else {
            self.list.push_back(task);
        }
        k.charge_locked(GLOBAL_LOCK, Access::Write, cpu, Work::ListOp, 1);
    }

    /// `reschedule_idle`: finds a CPU that should look at `task`. `cpu` executes it.
    fn reschedule_idle(&mut self, k: &mut Kernel, task: TaskId, cpu: CpuId) {
        if !self.smp {
            let curr = k.curr(CpuId(0));
            if self.preemption_goodness(curr, task, CpuId(0)) > 0 {
                k.resched_curr(CpuId(0));
            }
            return;
        }
        let affinity = k.task(task).affinity;
        let last = k.task(task).cpu;
        if affinity.contains(last) && k.curr(last).is_none() {
            self.kick(k, last, cpu);
            return;
        }
        let mut oldest_idle: Option<(Nanos, CpuId)> = None;
        let mut best: Option<(i64, CpuId)> = None;
        for target in 0..k.cpus() {
            let target = CpuId(target);
            if !affinity.contains(target) {
                continue;
            }
            k.charge_locked(GLOBAL_LOCK, Access::Write, cpu, Work::CpuProbed, 1);
            let curr = k.curr(target);
            if curr.is_none() {
                let since = self.last_schedule[target.index()];
                if oldest_idle.is_none_or(|(oldest, _)| since < oldest) {
                    oldest_idle = Some((since, target));
                }
            } else if oldest_idle.is_none() {
                let gain = self.preemption_goodness(curr, task, target);
                if gain > best.map_or(0, |(gain, _)| gain) {
                    best = Some((gain, target));
                }
            }
        }
        if let Some(target) = oldest_idle.map(|(_, target)| target).or(best.map(|(_, target)| target)) {
            self.kick(k, target, cpu);
        }
    }

    fn kick(&self, k: &mut Kernel, target: CpuId, from: CpuId) {
        if target != from && !k.need_resched(target) {
            k.charge(from, Work::Ipi, 1);
        }
        k.resched_curr(target);
    }

    /// How much better `task` is than the running `prev` of `cpu`, both with the address space of `prev`.
    fn preemption_goodness(&self, prev: Option<TaskId>, task: TaskId, cpu: CpuId) -> i64 {
        let mm = self.active_mm[cpu.index()];
        let old = prev.map_or(schedule::IDLE_GOODNESS, |prev| self.goodness(prev, cpu, mm));
        self.goodness(task, cpu, mm) - old
    }
}

impl Policy for Goodness {
    fn new(key: &'static str, kernel: &Kernel, tunables: &[i64]) -> Self {
        let version = VERSIONS.iter().find(|version| version.key == key).expect("the registry names versions only");
        let cpus = usize::from(kernel.cpus());
        let mut values = [0; tunable::COUNT];
        values.copy_from_slice(tunables);
        Goodness {
            version,
            tunables: values,
            hz: kernel.hz(),
            smp: cpus > 1,
            list: RunList::default(),
            entities: Vec::new(),
            last_schedule: vec![0; cpus],
            active_mm: vec![u32::MAX; cpus],
            epoch: 0,
        }
    }

    fn reserve(&mut self, tasks: usize) {
        if self.entities.len() < tasks {
            self.entities.resize(tasks, Entity::default());
        }
        self.list.reserve(tasks);
    }

    fn wake_up_new_task(&mut self, k: &mut Kernel, task: TaskId, new: NewTask) {
        let (epoch, seen) = (self.epoch, Seen::of(k, task));
        let mut entity = Entity { refill_seen: epoch, born_in_epoch: epoch, seen, ..Entity::default() };
        match new.parent {
            None => {
                let full = self.quantum(k.task(task).nice);
                entity.counter = k.task(task).init.unwrap_or(full);
            }
            Some(parent) => {
                let parent = &mut self.entities[parent.index()];
                entity.counter = (parent.counter + 1) >> 1;
                parent.counter >>= 1;
                if parent.counter == 0 {
                    k.resched_curr(new.cpu);
                }
                // `do_fork`: linked into the list of all tasks and hashed by pid.
                k.charge_locked(TASKLIST_LOCK, Access::Write, new.cpu, Work::ListOp, 2);
            }
        }
        self.entities[task.index()] = entity;
        self.add_to_runqueue(k, task, new.cpu);
        self.reschedule_idle(k, task, new.cpu);
    }

    fn try_to_wake_up(&mut self, k: &mut Kernel, task: TaskId, flags: WakeFlags) {
        self.add_to_runqueue(k, task, flags.cpu);
        if !flags.sync || !k.task(task).affinity.contains(flags.cpu) {
            self.reschedule_idle(k, task, flags.cpu);
        }
    }

    fn schedule(&mut self, k: &mut Kernel, cpu: CpuId, prev: Option<TaskId>, block: Option<Block>) -> Option<TaskId> {
        self.pick(k, cpu, prev, block)
    }

    fn finish_task_switch(&mut self, k: &mut Kernel, cpu: CpuId, prev: Option<TaskId>, next: Option<TaskId>) {
        self.last_schedule[cpu.index()] = k.now();
        for task in [prev, next].into_iter().flatten() {
            self.entities[task.index()].seen = Seen::of(k, task);
        }
        if let Some(next) = next {
            self.active_mm[cpu.index()] = k.task(next).mm;
        }
        let Some(prev) = prev else { return };
        let yielded = std::mem::take(&mut self.entities[prev.index()].yielded);
        if self.smp && !yielded && k.task(prev).is_queued() {
            self.reschedule_idle(k, prev, cpu);
        }
    }

    fn scheduler_tick(&mut self, k: &mut Kernel, cpu: CpuId) {
        let Some(curr) = k.curr(cpu) else { return };
        let fifo = k.task(curr).class == SchedClass::Fifo;
        let split = self.is_split();
        let entity = &mut self.entities[curr.index()];
        if split {
            if entity.counter == 0 {
                k.resched_expired(cpu);
                return;
            }
            entity.counter -= 1;
            if entity.counter == 0 {
                entity.dyn_prio = (entity.dyn_prio - 1).max(0);
                k.resched_expired(cpu);
            }
            return;
        }
        entity.counter -= 1;
        if entity.counter <= 0 {
            entity.counter = 0;
            if !fifo || self.version.tick_reschedules_fifo {
                k.resched_expired(cpu);
            }
        }
    }

    fn sched_yield(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) -> bool {
        let running = k.topology().cpu_ids().filter(|&cpu| k.curr(cpu).is_some()).count() as u32;
        if self.list.len() <= running {
            return false;
        }
        let entity = &mut self.entities[task.index()];
        if !k.task(task).class.is_rt() {
            entity.yielded = true;
        }
        k.resched_curr(cpu);
        if self.version.account == (Account::Split { yield_drops_slice: true }) {
            entity.counter = 0;
            entity.dyn_prio += 1;
        } else {
            self.list.remove(task);
            self.list.push_back(task);
        }
        false
    }

    fn sched_exit(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId, parent: Option<TaskId>) {
        // `forget_original_parent` reads the list of all tasks (its time is part of the machine's price of an exit),
        // `unhash_process` takes the task out.
        k.charge_locked(TASKLIST_LOCK, Access::Write, cpu, Work::ListOp, 2);
        let child = self.entities[task.index()];
        let Some(parent) = parent else { return };
        if self.version.exit_needs_same_epoch && child.born_in_epoch != self.epoch {
            return;
        }
        let parent = &mut self.entities[parent.index()];
        parent.counter = (parent.counter + child.counter).min(self.tunables[tunable::MAX_COUNTER]);
    }

    fn task_changed(&mut self, k: &mut Kernel, task: TaskId, change: AttrChange, queued: bool) {
        self.entities[task.index()].seen = Seen::of(k, task);
        match change {
            // A new nice level acts at the next goodness and refill.
            AttrChange::Nice { .. } | AttrChange::Slice { .. } | AttrChange::Affinity => {}
            AttrChange::Class { .. } => {
                if queued {
                    self.list.remove(task);
                    self.list.push_front(task);
                    for cpu in 0..k.cpus() {
                        k.resched_curr(CpuId(cpu));
                    }
                }
            }
        }
    }

    fn set_tunable(&mut self, _k: &mut Kernel, index: usize, value: i64) {
        self.tunables[index] = value;
    }

    fn candidates(&self, k: &Kernel, cpu: CpuId, out: &mut dyn FnMut(Candidate)) {
        self.list_candidates(k, cpu, out);
    }

    fn visit_structures(&self, k: &Kernel, cpu: CpuId, v: &mut dyn StructureVisitor) {
        self.show(k, cpu, v);
    }

    fn task_gauges(&self, k: &Kernel, task: TaskId, out: &mut dyn FnMut(Gauge)) {
        self.gauges(k, task, out);
    }

    fn trails(&self) -> &'static [Trail] {
        &inspect::TRAILS
    }

    fn trail(&self, k: &Kernel, _cpu: CpuId, _index: usize, out: &mut dyn FnMut(Shown, i64)) {
        self.trail_counters(k, out);
    }

    fn check_invariants(&self, k: &Kernel) {
        let mut queued = 0;
        for (index, task) in k.tasks().iter().enumerate() {
            let on_list = self.list.contains(TaskId(index as u32));
            if on_list {
                assert_eq!(
                    self.entities[index].seen,
                    Seen::of(k, TaskId(index as u32)),
                    "what is seen of task {index}"
                );
            }
            assert_eq!(on_list, task.is_queued() && task.migration_thread.is_none(), "task {index} and the run list");
            queued += u32::from(on_list);
        }
        assert_eq!(queued, self.list.len(), "length of the run list");
        assert_eq!(self.list.iter().count() as u32, queued, "links of the run list");
    }
}
