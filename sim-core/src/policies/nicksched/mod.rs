//! Nick Piggin's scheduler policy v8 (28 August 2003, against 2.6.0-test4): O(1) arrays in which the share of time that a
//! task sleeps gives the priority, and slices shrink as soon as someone better is queued.
//!
//! Modelled from the patch's text: the sleep account, priorities, slices recomputed at every tick, sleep time shared
//! between waker and woken, the stolen slice, fork and exit. No recorded schedule exists. Balancing is that of the time
//! (no domains). Not modelled: later releases (`base_timeslice`). See `docs/policies/nicksched.md`.
//!
//! Invariants: the running task stays in its list; every expiry goes to the expired array.

mod balance;
mod estimator;
mod inspect;
#[cfg(test)]
mod tests;

use crate::inspect::{Candidate, Gauge, StructureVisitor};
use crate::kernel::{Kernel, sim};
use crate::machine::cost::Work;
use crate::policy::{AttrChange, Block, Caps, NewTask, Policy, PolicyEntry, PolicyInfo, SchedClass, WakeFlags};
use crate::queues::prio_array::PrioArray;
use crate::queues::task_lists::Links;
use crate::units::{CpuId, TaskId};
use estimator::SleepAccount;

/// Lists of an array: 0..=99 real time, 100..=139 normal.
const LISTS: usize = 140;
const FIRST_NORMAL: u8 = 100;

crate::reasons! {
    /// Why a task got the CPU.
    pub enum Why {
        NothingRunnable = "no task is runnable: the CPU idles" [] in "schedule",
        RealTime = "real-time priority {0} is the first set bit of the active bitmap" [Prio] in "schedule",
        FirstSetBit = "priority {0} is the first set bit of the active bitmap; the task sleeps {1} % of its time, slice {2}" [Prio, Percent, Ticks] in "schedule",
        ArraySwitch = "nothing is left in the active array: swapped with expired; priority {0}" [Prio] in "schedule",
    }
}

const NOTES: &[&str] = &["array switch"];
/// Active and expired were swapped.
const NOTE_SWITCH: u16 = 0;

/// The one version.
pub static POLICIES: &[PolicyEntry] = &[PolicyEntry {
    info: PolicyInfo {
        key: "nicksched",
        title: "Nick's scheduler v8",
        family: "O(1)",
        kernel: "2.6.0-test4, August 2003",
        summary: "Priority follows the share of time asleep; slices are long among equals and shrink to a tick when \
                  someone better is queued, so nobody needs to be reinserted",
        tunables: &[],
        reasons: Why::TABLE,
        notes: NOTES,
        caps: Caps { rt: true, ..Caps::NONE },
        golden: &[],
        golden_matched: (0, 0),
    },
    build: sim::build::<Nicksched>,
}];

/// What the scheduler knows of a task.
#[derive(Clone, Debug, Default)]
struct Entity {
    account: SleepAccount,
    /// Jiffy of the last switch, block or wakeup.
    timestamp: u64,
    /// `array_sequence` of its CPU when it blocked.
    array_sequence: u64,
    /// Ticks of the slice that are used; negative when others gave some.
    used_slice: i32,
    static_prio: u8,
    prio: u8,
    /// Array that it is on, 0 or 1.
    array: u8,
    rt: bool,
    fifo: bool,
    queued: bool,
}

/// Run queue of a CPU.
#[derive(Clone, Debug)]
struct Rq {
    arrays: [PrioArray; 2],
    active: u8,
    array_sequence: u64,
    /// Tasks seen on every CPU at the last balancing (`prev_cpu_load`).
    prev_cpu_load: Vec<u32>,
}

impl Rq {
    fn nr_running(&self) -> u32 {
        self.arrays[0].nr_active() + self.arrays[1].nr_active()
    }

    fn active(&self) -> &PrioArray {
        &self.arrays[usize::from(self.active)]
    }

    fn expired(&self) -> &PrioArray {
        &self.arrays[usize::from(self.active ^ 1)]
    }
}

/// The scheduler.
#[derive(Clone)]
pub struct Nicksched {
    hz: u64,
    tasks: Vec<Entity>,
    links: Links,
    rqs: Vec<Rq>,
}

impl Nicksched {
    /// Class and nice level from the machine; classes that did not exist count as normal.
    fn refresh(&mut self, k: &Kernel, task: TaskId) {
        let of = k.task(task);
        let entity = &mut self.tasks[task.index()];
        entity.rt = of.class.is_rt();
        entity.fifo = of.class == SchedClass::Fifo;
        entity.static_prio = (120 + i32::from(of.nice)) as u8;
        if entity.rt {
            entity.prio = 99 - of.rt_priority;
        }
    }

    /// `effective_prio`.
    fn set_prio(&mut self, task: TaskId) {
        let entity = &mut self.tasks[task.index()];
        if !entity.rt {
            entity.prio = estimator::prio(entity.static_prio - FIRST_NORMAL, entity.account.avg);
        }
    }

    /// `task_timeslice`, ticks: long among equals, short behind someone better.
    fn slice(&self, cpu: CpuId, task: TaskId) -> i32 {
        let min = (self.hz / 1000).max(1) as i32;
        let entity = &self.tasks[task.index()];
        if entity.rt {
            return 40 * min;
        }
        let rq = &self.rqs[cpu.index()];
        let first = |array: &PrioArray| array.next_level(u32::from(FIRST_NORMAL)).unwrap_or(LISTS as u8);
        let best = first(rq.active()).min(first(rq.expired())).min(entity.prio);
        estimator::slice(min, best, entity.prio)
    }

    fn enqueue(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId, array: u8) {
        k.charge(cpu, Work::ListOp, 1);
        let entity = &mut self.tasks[task.index()];
        entity.array = array;
        entity.queued = true;
        self.rqs[cpu.index()].arrays[usize::from(array)].push_back(&mut self.links, entity.prio, task);
    }

    fn dequeue(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        k.charge(cpu, Work::ListOp, 1);
        let entity = &mut self.tasks[task.index()];
        entity.queued = false;
        self.rqs[cpu.index()].arrays[usize::from(entity.array)].remove(&mut self.links, entity.prio, task);
    }

    /// Better priority, or an equal one with a better nice level.
    fn check_preempt(&self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        let rank = |task: TaskId| (self.tasks[task.index()].prio, self.tasks[task.index()].static_prio);
        if k.curr(cpu).is_none_or(|curr| rank(task) < rank(curr)) {
            k.resched_curr(cpu);
        }
    }

    /// `activate_task` of a woken task: the sleep counts for it, and in part for the task that ended it.
    fn wake(&mut self, k: &mut Kernel, task: TaskId, flags: WakeFlags) {
        let mut cpu = k.task(task).cpu;
        if flags.sync && cpu != flags.cpu && k.task(task).affinity.contains(flags.cpu) {
            cpu = flags.cpu;
            k.set_task_cpu(task, cpu);
        }
        self.refresh(k, task);
        let jiffies = k.jiffies();
        let hz = self.hz;
        let sleep = (jiffies - self.tasks[task.index()].timestamp).min(hz);
        let waker = flags.waker.filter(|_| !flags.in_interrupt);
        match waker {
            Some(waker) => {
                self.tasks[waker.index()].account.add(hz, sleep / 2, true);
                self.tasks[task.index()].account.add(hz, sleep - sleep / 2, true);
            }
            None => {
                self.tasks[task.index()].account.add(hz, sleep, true);
                self.tasks[task.index()].account.add(hz, sleep / 2, true);
            }
        }
        self.set_prio(task);
        let sequence = self.rqs[cpu.index()].array_sequence;
        let entity = &mut self.tasks[task.index()];
        if entity.array_sequence != sequence {
            entity.used_slice = 0;
        }
        entity.timestamp = jiffies;
        if let Some(waker) = waker {
            let left = self.slice(flags.cpu, waker) - self.tasks[waker.index()].used_slice;
            let rest = self.slice(cpu, task) - self.tasks[task.index()].used_slice;
            let steal = (sleep as i32 / 2).min(rest / 2).min(left).max(0);
            self.tasks[task.index()].used_slice += steal;
            self.tasks[waker.index()].used_slice -= steal;
        }
        let active = self.rqs[cpu.index()].active;
        self.enqueue(k, cpu, task, active);
        self.check_preempt(k, cpu, task);
    }

    /// `sched_fork` and `wake_up_forked_process`, and the start of a task without a parent.
    fn start(&mut self, k: &mut Kernel, task: TaskId, new: NewTask) {
        let cpu = new.cpu;
        let jiffies = k.jiffies();
        let array_sequence = self.rqs[cpu.index()].array_sequence;
        let mut entity = Entity { timestamp: jiffies, array_sequence, ..Entity::default() };
        if let Some(parent) = new.parent {
            let left = (self.slice(cpu, parent) - self.tasks[parent.index()].used_slice).max(0);
            let parent = &mut self.tasks[parent.index()];
            entity.account = parent.account.split();
            entity.used_slice = parent.used_slice + left / 2;
            parent.used_slice += left - left / 2;
        }
        self.tasks[task.index()] = entity;
        self.refresh(k, task);
        self.set_prio(task);
        if let Some(parent) = new.parent {
            self.set_prio_queued(k, cpu, parent);
        }
        let active = self.rqs[cpu.index()].active;
        self.enqueue(k, cpu, task, active);
        self.check_preempt(k, cpu, task);
    }

    /// A queued task's priority follows its account.
    fn set_prio_queued(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        let array = self.tasks[task.index()].array;
        self.dequeue(k, cpu, task);
        self.set_prio(task);
        self.enqueue(k, cpu, task, array);
    }

    /// The whole of `schedule()` but the switch.
    fn pick(&mut self, k: &mut Kernel, cpu: CpuId, prev: Option<TaskId>, block: Option<Block>) -> Option<TaskId> {
        let jiffies = k.jiffies();
        if let Some(prev) = prev {
            let hz = self.hz;
            let sequence = self.rqs[cpu.index()].array_sequence;
            let entity = &mut self.tasks[prev.index()];
            entity.account.add(hz, jiffies - entity.timestamp, false);
            entity.timestamp = jiffies;
            if block.is_some() {
                entity.array_sequence = sequence;
                self.dequeue(k, cpu, prev);
            }
        }
        if self.rqs[cpu.index()].nr_running() == 0 {
            self.load_balance(k, cpu, balance::Kind::Idle);
        }
        if self.rqs[cpu.index()].nr_running() == 0 {
            k.explain(Why::NothingRunnable, [0; 3]);
            return None;
        }
        let rq = &mut self.rqs[cpu.index()];
        let switched = rq.active().nr_active() == 0;
        if switched {
            rq.active ^= 1;
            rq.array_sequence += 1;
            k.note(Some(cpu), NOTE_SWITCH, [0, 0]);
        }
        k.charge(cpu, Work::BitmapWord, 1);
        let (prio, next) = self.rqs[cpu.index()].active().first().expect("a runnable task is on an array");
        let entity = &mut self.tasks[next.index()];
        entity.timestamp = jiffies;
        let (rt, percent) = (entity.rt, entity.account.avg as i64 / 10);
        match (switched, rt) {
            (true, _) => k.explain(Why::ArraySwitch, [i64::from(prio), 0, 0]),
            (_, true) => k.explain(Why::RealTime, [i64::from(prio), 0, 0]),
            _ => {
                let slice = self.slice(cpu, next);
                k.explain(Why::FirstSetBit, [i64::from(prio), percent, i64::from(slice)]);
            }
        }
        Some(next)
    }

    /// `scheduler_tick`: the slice is judged anew at every tick.
    fn tick(&mut self, k: &mut Kernel, cpu: CpuId) {
        let Some(curr) = k.curr(cpu) else { return };
        let rq = &self.rqs[cpu.index()];
        if self.tasks[curr.index()].array != rq.active {
            return k.resched_curr(cpu); // it has yielded or expired already
        }
        if self.tasks[curr.index()].fifo {
            return;
        }
        let slice = self.slice(cpu, curr);
        let entity = &mut self.tasks[curr.index()];
        entity.used_slice += 1;
        if entity.used_slice < slice {
            return;
        }
        k.resched_expired(cpu);
        self.dequeue(k, cpu, curr);
        self.set_prio(curr);
        self.tasks[curr.index()].used_slice = 0;
        let rq = &self.rqs[cpu.index()];
        let array = if self.tasks[curr.index()].rt { rq.active } else { rq.active ^ 1 };
        self.enqueue(k, cpu, curr, array);
    }

    /// `sched_exit`: what is left of the slice goes back, and a parent answers for a child that slept less.
    fn exit(&mut self, k: &Kernel, task: TaskId, parent: TaskId) {
        let rest = (self.slice(k.task(task).cpu, task) - self.tasks[task.index()].used_slice).max(0);
        let child_avg = self.tasks[task.index()].account.avg;
        let hz = self.hz;
        let parent = &mut self.tasks[parent.index()];
        parent.used_slice = (parent.used_slice - rest).max(0);
        if child_avg < parent.account.avg {
            parent.account.add(hz, (parent.account.avg - child_avg) / 2, false);
        }
    }

    /// `set_user_nice`, `sched_setscheduler`, `set_cpus_allowed`.
    fn changed(&mut self, k: &mut Kernel, task: TaskId, change: AttrChange, queued: bool) {
        let cpu = k.task(task).cpu;
        if matches!(change, AttrChange::Affinity) {
            return self.move_off(k, cpu, task, queued);
        }
        if !queued {
            return self.refresh(k, task);
        }
        let (old, array) = (self.tasks[task.index()].prio, self.tasks[task.index()].array);
        self.dequeue(k, cpu, task);
        self.refresh(k, task);
        self.set_prio(task);
        self.enqueue(k, cpu, task, array);
        if k.curr(cpu) != Some(task) {
            self.check_preempt(k, cpu, task);
        } else if self.tasks[task.index()].prio > old {
            k.resched_curr(cpu);
        }
    }

    fn move_off(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId, queued: bool) {
        let allowed = k.task(task).affinity;
        if !queued || allowed.contains(cpu) {
            return;
        }
        if k.curr(cpu) == Some(task) {
            return k.resched_curr(cpu);
        }
        let Some(to) = allowed.next(0) else { return };
        self.move_task(k, cpu, to, task);
    }
}

impl Policy for Nicksched {
    fn new(_key: &'static str, kernel: &Kernel, _tunables: &[i64]) -> Self {
        let rq = Rq {
            arrays: [PrioArray::new(LISTS), PrioArray::new(LISTS)],
            active: 0,
            array_sequence: 0,
            prev_cpu_load: vec![0; usize::from(kernel.cpus())],
        };
        Nicksched {
            hz: u64::from(kernel.hz()),
            tasks: Vec::new(),
            links: Links::default(),
            rqs: vec![rq; usize::from(kernel.cpus())],
        }
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
        self.rebalance_tick(k, cpu);
    }

    fn sched_yield(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) -> bool {
        self.dequeue(k, cpu, task);
        let rq = &self.rqs[cpu.index()];
        let array = if self.tasks[task.index()].rt { rq.active } else { rq.active ^ 1 };
        self.enqueue(k, cpu, task, array);
        true
    }

    fn sched_exit(&mut self, k: &mut Kernel, _cpu: CpuId, task: TaskId, parent: Option<TaskId>) {
        if let Some(parent) = parent {
            self.exit(k, task, parent);
        }
    }

    fn task_changed(&mut self, k: &mut Kernel, task: TaskId, change: AttrChange, queued: bool) {
        if !matches!(change, AttrChange::Slice { .. }) {
            self.changed(k, task, change, queued);
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
