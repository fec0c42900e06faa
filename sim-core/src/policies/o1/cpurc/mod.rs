//! `cpurc`, the CPU resource controller of CKRM: classes with guarantees on top of 2.6.15.
//!
//! Models `kernel/cpu_rc.c` and its hooks in `kernel/sched.c` as posted on 9 February 2006 (v0.3, against 2.6.15) and in
//! April 2006 (for 2.6.17-rc). A class is measured when slices of its tasks end; while some class is hungry, the slices
//! of those above their guarantee shrink. v0.3 also keeps tasks of starving classes on the active array.
//!
//! The controller is off in all other releases: every hook is then one test of an empty option.
//!
//! Invariants: 1 <= factor <= 100; the effective guarantees add up to at most 100; only the root is its own parent.

mod classes;
mod hooks;
mod knobs;
mod shown;
#[cfg(test)]
mod tests;

pub(super) use knobs::{APRIL, APRIL_KNOBS, KNOBS, V0_3, V0_3_KNOBS};

use crate::kernel::{Group, Kernel};
use crate::policy::TunableSpec;
use crate::units::{CpuId, GroupId, TaskId};
use classes::{Class, Domain, effective_guarantees};
use knobs::Rules;

/// What a release of the controller does otherwise than v0.3.
#[derive(Debug)]
pub(super) struct Release {
    /// `CPU_RC_LOAD_SCALE` is twice the spread period, else 1000.
    pub scale_by_spread: bool,
    /// Hunger is a share of the task's wait below the guarantee, else below the guarantee divided by the number of CPUs.
    pub hunger_by_whole_guarantee: bool,
    /// A task that exits in the middle of its slice is accounted.
    pub accounts_exit: bool,
}

/// `last_slice`, `ts_alloced`, `last_activated` of a task: ticks, by the controller's clock.
#[derive(Clone, Copy, Debug, Default)]
struct TaskTimes {
    last_slice: u32,
    ts_alloced: u64,
    /// 0 = it has run since.
    last_activated: u64,
}

/// A class on one CPU.
#[derive(Clone, Copy, Debug, Default)]
struct Stat {
    timestamp: u64,
    /// In units of [`Rules::load_scale`].
    load: u64,
    maybe_hungry: u32,
}

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct Controller {
    release: &'static Release,
    rules: Rules,
    domain: Domain,
    /// By group.
    classes: Vec<Class>,
    /// By group, then CPU.
    stats: Vec<Stat>,
    tasks: Vec<TaskTimes>,
    /// Until when the time of each CPU is divided among the classes, ns.
    divided_until: Vec<u64>,
}

impl Controller {
    pub fn new(release: &'static Release, k: &Kernel, specs: &[TunableSpec], values: &[i64]) -> Controller {
        let cpus = usize::from(k.cpus());
        let mut controller = Controller {
            release,
            rules: Rules::new(release, specs, values),
            domain: Domain::default(),
            classes: vec![Class::default(); k.groups().len()],
            stats: vec![Stat::default(); k.groups().len() * cpus],
            tasks: Vec::new(),
            divided_until: vec![0; cpus],
        };
        for index in 1..k.groups().len() {
            controller.set_share(k.groups(), GroupId(index as u16));
        }
        controller.spread_guarantees(k.groups());
        controller
    }

    pub fn reserve(&mut self, tasks: usize) {
        if self.tasks.len() < tasks {
            self.tasks.resize(tasks, TaskTimes::default());
        }
    }

    /// Knobs were moved.
    pub fn set_rules(&mut self, specs: &[TunableSpec], values: &[i64]) {
        self.rules = Rules::new(self.release, specs, values);
    }

    fn cpus(&self) -> usize {
        self.divided_until.len()
    }

    fn stats_of(&self, group: GroupId) -> &[Stat] {
        &self.stats[group.index() * self.cpus()..][..self.cpus()]
    }

    fn stat_mut(&mut self, group: GroupId, cpu: CpuId) -> &mut Stat {
        let index = group.index() * self.cpus() + cpu.index();
        &mut self.stats[index]
    }

    fn task(&self, task: TaskId) -> &TaskTimes {
        &self.tasks[task.index()]
    }

    /// The group's shares were set. As the kernel did, shares that would take the siblings over the whole are refused:
    /// the class keeps what it had.
    pub fn set_share(&mut self, groups: &[Group], group: GroupId) {
        let asked = groups[group.index()].shares;
        let parent = groups[group.index()].parent;
        let others: u64 = (1..groups.len())
            .filter(|&other| other != group.index() && groups[other].parent == parent)
            .map(|other| self.classes[other].share)
            .sum();
        if group != GroupId::ROOT && asked + others <= classes::PERCENT {
            self.classes[group.index()].share = asked;
        }
    }

    /// Works out the effective guarantees of the whole tree.
    pub fn spread_guarantees(&mut self, groups: &[Group]) {
        effective_guarantees(groups, &mut self.classes);
    }

    /// Asserts the invariants of the module.
    pub fn check(&self) {
        let sum: u64 = self.classes.iter().map(|class| class.guarantee).sum();
        assert!(sum <= classes::PERCENT, "guarantees add up to {sum}");
        for (index, class) in self.classes.iter().enumerate() {
            assert!((1..=classes::PERCENT).contains(&class.factor), "factor {} of class {index}", class.factor);
        }
    }
}
