//! The O(1) scheduler: per CPU an active and an expired priority array, a bitmap search at every decision, and sleep
//! averages that turn into priority.
//!
//! Models `kernel/sched.c` of Linux 2.5.2-pre (January 2002), 2.4 with the backport that -ac, -jam and rml carried (K3),
//! 2.6.15, 2.6.18 and 2.6.21. The releases are rows of [`versions::VERSIONS`]; the rules here ask for features, never for
//! a key. What was read, recorded or inferred: `docs/policies/o1.md`.
//!
//! Not modelled: `dependent_sleeper` (SMT, up to 2.6.20), power-saving balancing, TASK_NONINTERACTIVE pipe sleeps,
//! signals, priority inheritance, CPU hotplug. A0..C1 kept real-time tasks in one
//! global array; here each CPU has them below its normal priorities.
//!
//! Invariants: every runnable task, the running one included, is in exactly one array of its CPU's queue; a sleeping one
//! is in none; a task sits in the list of its `prio`.

mod balance;
mod balance_early;
mod cpurc;
mod estimator;
mod info;
mod inspect;
mod params;
mod reasons;
mod reciprocal;
mod rq;
mod schedule;
#[cfg(test)]
mod tests;
mod tick;
mod tunables;
mod versions;
mod wakeup;

pub use info::POLICIES;

use crate::inspect::{Candidate, Entity, Gauge, StructureVisitor, Trail};
use crate::kernel::Kernel;
use crate::machine::topology::DomainLevel;
use crate::policy::{AttrChange, Block, NewTask, Policy, TunableSpec, WakeFlags};
use crate::queues::domain_balance::{BalanceVersion, Balancing, LoadUnit};
use crate::queues::task_lists::Links;
use crate::units::{CpuId, GroupId, TaskId};
use params::Params;
use rq::{Runqueue, TaskData};
use versions::{Estimator, Version};

/// See the module.
#[derive(Clone)]
pub struct O1 {
    version: &'static Version,
    specs: &'static [TunableSpec],
    values: Vec<i64>,
    params: Params,
    tasks: Vec<TaskData>,
    links: Links,
    rqs: Vec<Runqueue>,
    balancing: Balancing,
    /// Classes with guarantees, in the releases that have them.
    controller: Option<Box<cpurc::Controller>>,
}

impl O1 {
    /// Brings everything that depends on tunables up to date.
    fn apply_values(&mut self, hz: u32) {
        self.params = Params::new(self.version, self.specs, &self.values, hz);
        if let Some(controller) = &mut self.controller {
            controller.set_rules(self.specs, &self.values);
        }
        if self.version.estimator != Estimator::Nanos {
            return;
        }
        let levels = [DomainLevel::Smt, DomainLevel::Phys, DomainLevel::Numa];
        for (level, params) in levels.into_iter().zip(params::domain_params(self.specs, &self.values)) {
            self.balancing.set_params(level, params);
        }
        if self.version.nanos.era.load != LoadUnit::Weight {
            self.balancing.era_mut().load = if self.params.smpnice { LoadUnit::Biased } else { LoadUnit::Count };
            self.balancing.version_mut().push_load_max = u64::MAX;
        } else {
            self.balancing.version_mut().push_load_max = self.params.rt_weight(100);
        }
    }
}

impl Policy for O1 {
    fn new(key: &'static str, kernel: &Kernel, tunables: &[i64]) -> Self {
        let version = versions::find(key);
        let cpus = kernel.cpus();
        let specs = info::specs(key);
        let balance =
            BalanceVersion { idle_by_curr: true, newidle_ms_as_jiffies: true, push_load_max: 0, cache_hot_ns: 0 };
        let domains = params::domain_params(specs, tunables);
        let mut policy = O1 {
            version,
            specs,
            values: tunables.to_vec(),
            params: Params::new(version, specs, tunables, kernel.hz()),
            tasks: Vec::new(),
            links: Links::default(),
            rqs: (0..cpus).map(|_| Runqueue::new(version.levels, cpus)).collect(),
            balancing: Balancing::of_era(kernel, balance, version.nanos.era, domains),
            controller: version
                .classes
                .map(|release| Box::new(cpurc::Controller::new(release, kernel, specs, tunables))),
        };
        policy.apply_values(kernel.hz());
        policy
    }

    fn reserve(&mut self, tasks: usize) {
        if self.tasks.len() < tasks {
            self.tasks.resize(tasks, TaskData::default());
        }
        self.links.reserve(tasks);
        if let Some(controller) = &mut self.controller {
            controller.reserve(tasks);
        }
    }

    fn wake_up_new_task(&mut self, k: &mut Kernel, task: TaskId, new: NewTask) {
        self.new_task(k, task, new);
    }

    fn try_to_wake_up(&mut self, k: &mut Kernel, task: TaskId, flags: WakeFlags) {
        self.wake(k, task, flags);
    }

    fn schedule(&mut self, k: &mut Kernel, cpu: CpuId, prev: Option<TaskId>, block: Option<Block>) -> Option<TaskId> {
        self.pick_next(k, cpu, prev, block)
    }

    fn scheduler_tick(&mut self, k: &mut Kernel, cpu: CpuId) {
        self.tick(k, cpu);
    }

    fn sched_yield(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) -> bool {
        self.yield_cpu(k, cpu, task);
        true
    }

    fn sched_exit(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId, parent: Option<TaskId>) {
        self.class_exit(k, cpu, task);
        if let Some(parent) = parent {
            self.exit(k, task, parent);
        }
    }

    fn task_changed(&mut self, k: &mut Kernel, task: TaskId, change: AttrChange, queued: bool) {
        self.changed(k, task, change, queued);
    }

    fn group_changed(&mut self, k: &mut Kernel, group: GroupId, _old_shares: u64) {
        self.class_changed(k, group);
    }

    fn set_tunable(&mut self, k: &mut Kernel, index: usize, value: i64) {
        self.values[index] = value;
        self.apply_values(k.hz());
        // Load weights follow DEF_TIMESLICE; the sums must follow them.
        for index in 0..self.tasks.len() {
            let (task, data) = (TaskId(index as u32), self.tasks[index]);
            if data.static_prio < self.version.first_user {
                continue;
            }
            self.set_load_weight(task);
            if data.array.is_some() {
                let new = u64::from(self.data(task).load_weight);
                let sum = &mut self.rq_mut(k.task(task).cpu).raw_weighted_load;
                *sum = *sum - u64::from(data.load_weight) + new;
            }
        }
    }

    fn has_migration_threads(&self) -> bool {
        true
    }

    fn migration_thread(&mut self, k: &mut Kernel, cpu: CpuId) {
        self.push(k, cpu);
    }

    fn candidates(&self, k: &Kernel, cpu: CpuId, out: &mut dyn FnMut(Candidate)) {
        self.list_candidates(k, cpu, out);
    }

    fn visit_structures(&self, k: &Kernel, cpu: CpuId, v: &mut dyn StructureVisitor) {
        self.show(k, cpu, v);
    }

    fn task_gauges(&self, k: &Kernel, task: TaskId, out: &mut dyn FnMut(Gauge)) {
        self.show_task(k, task, out);
    }

    fn trails(&self) -> &'static [Trail] {
        &inspect::TRAILS
    }

    fn trail(&self, k: &Kernel, cpu: CpuId, _index: usize, out: &mut dyn FnMut(Entity, i64)) {
        self.trail_prio(k, cpu, out);
    }

    fn check_invariants(&self, k: &Kernel) {
        self.check(k);
    }
}
