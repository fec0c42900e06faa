//! Template: one queue for all CPUs, equal turns. `cargo xtask new-policy` copies this folder; it is compiled for tests
//! only, so it follows every change of the contract.
//!
//! Models: nothing yet. Say here which kernel version this models, where it simplifies, and what always holds.
//!
//! Invariants: every runnable task, the running ones included, is on the list exactly once.

#[cfg(test)]
mod tests;

use crate::inspect::{Candidate, Chip, Entity, Gauge, StructureVisitor, Unit};
use crate::kernel::{Kernel, sim};
use crate::machine::cost::Work;
use crate::policy::{AttrChange, Block, Caps, NewTask, Policy, PolicyEntry, PolicyInfo, TunableSpec, WakeFlags};
use crate::queues::task_lists::{Links, TaskList};
use crate::units::{CpuId, TaskId};

crate::reasons! {
    /// Rules that decide.
    pub enum Why {
        FirstOnList = "is the first of {0} tasks on the list that may run here" [Count] in "schedule",
        NobodyRunnable = "nobody who may run here is on the list" [] in "schedule",
    }
}

/// The family: one entry per version, oldest first. Versions are data, not copies of code.
pub static POLICIES: &[PolicyEntry] = &[PolicyEntry {
    info: PolicyInfo {
        key: "template",
        title: "Template",
        family: "template",
        kernel: "none",
        summary: "One queue for all CPUs; everybody gets the same turn, nice levels and classes do not count.",
        tunables: &[TunableSpec {
            key: "timeslice_ticks",
            help: "Length of a turn",
            unit: Unit::Ticks,
            min: 1,
            max: 1000,
            default: |shape| i64::from(shape.hz) / 10,
            golden: None,
        }],
        reasons: Why::TABLE,
        notes: &[],
        caps: Caps { ..Caps::NONE },
        golden: &[],
        golden_matched: (0, 0),
    },
    build: sim::build::<Template>,
}];

/// The scheduler.
#[derive(Clone, Debug)]
pub struct Template {
    timeslice_ticks: i64,
    links: Links,
    list: TaskList,
    /// Ticks that each task has left of its turn.
    left: Vec<i64>,
}

impl Template {
    fn enqueue(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        self.left[task.index()] = self.timeslice_ticks;
        self.links.push_back(&mut self.list, task);
        k.charge(cpu, Work::ListOp, 1);
        let allowed = k.task(task).affinity;
        let idle = (0..k.cpus()).map(CpuId).find(|cpu| allowed.contains(*cpu) && k.curr(*cpu).is_none());
        if let Some(idle) = idle {
            k.resched_curr(idle);
        }
    }

    /// May `task` run on `cpu` next: allowed there, and not running elsewhere.
    fn is_free(k: &Kernel, cpu: CpuId, task: TaskId) -> bool {
        let runs_on = (0..k.cpus()).map(CpuId).find(|other| k.curr(*other) == Some(task));
        k.task(task).affinity.contains(cpu) && runs_on.is_none_or(|other| other == cpu)
    }

    fn chip(&self, k: &Kernel, task: TaskId) -> Chip {
        Chip {
            entity: Entity::Task(task),
            slice: self.left[task.index()],
            slice_full: self.timeslice_ticks,
            slice_unit: Unit::Ticks,
            key: None,
            running: k.curr(k.task(task).cpu) == Some(task),
        }
    }
}

impl Policy for Template {
    fn new(_key: &'static str, _kernel: &Kernel, tunables: &[i64]) -> Self {
        Template { timeslice_ticks: tunables[0], links: Links::default(), list: TaskList::EMPTY, left: Vec::new() }
    }

    fn reserve(&mut self, tasks: usize) {
        self.links.reserve(tasks);
        self.left.resize(tasks.max(self.left.len()), 0);
    }

    fn wake_up_new_task(&mut self, k: &mut Kernel, task: TaskId, new: NewTask) {
        self.enqueue(k, new.cpu, task);
    }

    fn try_to_wake_up(&mut self, k: &mut Kernel, task: TaskId, flags: WakeFlags) {
        self.enqueue(k, flags.cpu, task);
    }

    fn schedule(&mut self, k: &mut Kernel, cpu: CpuId, prev: Option<TaskId>, block: Option<Block>) -> Option<TaskId> {
        if let Some(prev) = prev {
            let turn_is_over = self.left[prev.index()] <= 0;
            if block.is_some() || turn_is_over {
                self.links.remove(&mut self.list, prev);
            }
            if block.is_none() && turn_is_over {
                self.left[prev.index()] = self.timeslice_ticks;
                self.links.push_back(&mut self.list, prev);
            }
        }
        let (mut scanned, mut waiting) = (0, 0);
        let mut next = None;
        for task in self.links.iter(&self.list) {
            scanned += 1;
            if Self::is_free(k, cpu, task) {
                waiting += 1;
                next = next.or(Some(task));
            }
        }
        k.charge(cpu, Work::TaskScanned, scanned);
        match next {
            Some(_) => k.explain(Why::FirstOnList, [waiting, 0, 0]),
            None => k.explain(Why::NobodyRunnable, [0, 0, 0]),
        }
        next
    }

    fn scheduler_tick(&mut self, k: &mut Kernel, cpu: CpuId) {
        let Some(curr) = k.curr(cpu) else { return };
        let left = &mut self.left[curr.index()];
        *left -= 1;
        if *left <= 0 {
            k.resched_curr(cpu);
        }
    }

    fn sched_yield(&mut self, _k: &mut Kernel, _cpu: CpuId, task: TaskId) -> bool {
        self.left[task.index()] = 0;
        true
    }

    fn task_changed(&mut self, _k: &mut Kernel, _task: TaskId, _change: AttrChange, _queued: bool) {}

    fn set_tunable(&mut self, _k: &mut Kernel, _index: usize, value: i64) {
        self.timeslice_ticks = value;
    }

    fn candidates(&self, k: &Kernel, cpu: CpuId, out: &mut dyn FnMut(Candidate)) {
        for (place, task) in self.links.iter(&self.list).enumerate() {
            out(Candidate {
                entity: Entity::Task(task),
                key: Gauge { label: "place", value: place as i64 + 1, full: 0, unit: Unit::Count },
                terms: [None; 3],
                barred: (!Self::is_free(k, cpu, task)).then_some("not allowed here, or runs elsewhere"),
            });
        }
    }

    fn visit_structures(&self, k: &Kernel, _cpu: CpuId, v: &mut dyn StructureVisitor) {
        v.panel(0, "list", None);
        v.list("head first", &mut self.links.iter(&self.list).map(|task| self.chip(k, task)));
    }

    fn task_gauges(&self, _k: &Kernel, task: TaskId, out: &mut dyn FnMut(Gauge)) {
        let (value, full) = (self.left[task.index()], self.timeslice_ticks);
        out(Gauge { label: "turn", value, full, unit: Unit::Ticks });
    }

    fn check_invariants(&self, k: &Kernel) {
        for (index, task) in k.tasks().iter().enumerate() {
            let times = self.links.iter(&self.list).filter(|other| other.index() == index).count();
            assert_eq!(times, usize::from(task.is_queued()), "task {index} is on the list {times} times");
        }
    }
}
