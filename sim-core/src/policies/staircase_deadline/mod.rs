//! Staircase Deadline (SD) by Con Kolivas, 2007: two priority arrays per CPU, and a matrix that says which of 40 slots a
//! nice level may use in one rotation.
//!
//! A task gets one quota in each of its slots and walks down the staircase; when it has no slot left it waits in the
//! expired array for the next rotation. There is no sleep estimator: a sleeper finds its unused slots where it left them.
//!
//! Modelled: 2.6.22-ck1 exactly (recorded schedules), with SCHED_ISO, IDLEPRIO, BATCH, FIFO and RR, and the 2.6.22
//! balancer with active balancing; v0.42 and v0.48 are the same code without ISO, IDLEPRIO and `interactive`, on the
//! 2.6.21 balancer. Not modelled: priority inheritance, `sched_exec` balancing, suspend. See
//! `docs/policies/staircase_deadline.md`.
//!
//! Invariants: the running task stays in its list; a bit is set exactly when its list holds a task; a slot is granted
//! once per rotation, but for the first one after expiry (as in the source).

mod balance;
mod entitlement;
mod inspect;
mod matrix;
mod reasons;
mod rq;
mod schedule;
#[cfg(test)]
mod tests;
mod tick;
mod versions;
mod wakeup;

use crate::inspect::{Candidate, Entity as Shown, Gauge, StructureVisitor, Trail};
use crate::kernel::{Kernel, sim};
use crate::policy::{AttrChange, Block, Caps, NewTask, Policy, PolicyEntry, PolicyInfo, WakeFlags};
use crate::queues::domain_balance::{self, Balancing};
use crate::queues::task_lists::Links;
use crate::units::{CpuId, TaskId};
use rq::{Entity, Rq};
use versions::{VERSIONS, Version};

/// Versions of Staircase Deadline.
pub static POLICIES: &[PolicyEntry] = &[
    PolicyEntry {
        info: PolicyInfo {
            key: "sd-0.42",
            title: "Staircase Deadline 0.42",
            kernel: "2.6.21-rc7, April 2007",
            summary: "Every nice level has its slots in a rotation of 40; a task runs for one quota in each and then \
                      waits for the next rotation. No sleep estimator. Reconstructed: the later recorded code with \
                      the settings known of this version",
            tunables: VERSIONS[0].tunables,
            caps: Caps { batch: true, rt: true, ..Caps::NONE },
            golden: &[],
            golden_matched: (0, 0),
            ..COMMON
        },
        build: sim::build::<StaircaseDeadline>,
    },
    PolicyEntry {
        info: PolicyInfo {
            key: "sd-0.48",
            title: "Staircase Deadline 0.48",
            kernel: "2.6.21, May 2007",
            summary: "As 0.42 with longer slots on larger machines and no upper limit of 100 ms. Reconstructed: the \
                      later recorded code with the settings known of this version",
            tunables: VERSIONS[1].tunables,
            caps: Caps { batch: true, rt: true, ..Caps::NONE },
            golden: &[],
            golden_matched: (0, 0),
            ..COMMON
        },
        build: sim::build::<StaircaseDeadline>,
    },
    PolicyEntry {
        info: PolicyInfo {
            key: "sd-ck",
            title: "Staircase Deadline (-ck)",
            kernel: "2.6.22-ck1, July 2007",
            summary: "The last form: shorter slots, SCHED_ISO and IDLEPRIO, and with interactive on, sleepers come \
                      back in front of the slots that their level has reached",
            tunables: VERSIONS[2].tunables,
            caps: Caps { batch: true, idle: true, iso: true, rt: true, ..Caps::NONE },
            golden: &["2.6.22-ck1"],
            golden_matched: (42, 42),
            ..COMMON
        },
        build: sim::build::<StaircaseDeadline>,
    },
];

/// What all versions share.
const COMMON: PolicyInfo = PolicyInfo {
    key: "",
    title: "",
    family: "Staircase",
    kernel: "",
    summary: "",
    tunables: &[],
    reasons: reasons::Why::TABLE,
    notes: reasons::NOTES,
    caps: Caps::NONE,
    golden: &[],
    golden_matched: (0, 0),
};

/// The scheduler.
#[derive(Clone)]
pub struct StaircaseDeadline {
    version: &'static Version,
    rr_interval_ms: u32,
    interactive: bool,
    iso_cpu: u64,
    iso_period_s: u64,
    double_first_slot: bool,
    cache_hot_ns: u64,
    hz: u64,
    tick_ns: u64,
    /// Forbidden slots of every nice level.
    matrix: [u64; matrix::SLOTS as usize],
    tasks: Vec<Entity>,
    links: Links,
    rqs: Vec<Rq>,
    balancing: Balancing,
}

impl StaircaseDeadline {
    fn read_tunables(&mut self, values: &[i64]) {
        let version = self.version;
        self.rr_interval_ms = version.value(values, "rr_interval", 8) as u32;
        self.interactive = version.value(values, "interactive", 0) != 0;
        self.iso_cpu = version.value(values, "iso_cpu", 80) as u64;
        self.iso_period_s = version.value(values, "iso_period", 5) as u64;
        self.double_first_slot = version.value(values, "double_first_slot", 1) != 0;
        self.cache_hot_ns = version.value(values, "cache_hot_time", 2_500_000) as u64;
        self.update_balance_version();
    }

    fn update_balance_version(&mut self) {
        *self.balancing.version_mut() =
            balance::balance_version(self.version.balances_as_2_6_22, self.rr_interval_ms, self.cache_hot_ns);
    }
}

impl Policy for StaircaseDeadline {
    fn new(key: &'static str, kernel: &Kernel, tunables: &[i64]) -> Self {
        let version = versions::version(key);
        let mut policy = StaircaseDeadline {
            version,
            rr_interval_ms: 0,
            interactive: false,
            iso_cpu: 0,
            iso_period_s: 0,
            double_first_slot: true,
            cache_hot_ns: 0,
            hz: u64::from(kernel.hz()),
            tick_ns: 1_000_000_000 / u64::from(kernel.hz()),
            matrix: matrix::matrix(),
            tasks: Vec::new(),
            links: Links::default(),
            rqs: vec![Rq::new(); usize::from(kernel.cpus())],
            balancing: Balancing::new(kernel, balance::balance_version(version.balances_as_2_6_22, 0, 0)),
        };
        policy.read_tunables(tunables);
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

    fn sched_exit(&mut self, k: &mut Kernel, _cpu: CpuId, task: TaskId, parent: Option<TaskId>) {
        if let Some(parent) = parent {
            self.exit(k, task, parent);
        }
    }

    fn task_changed(&mut self, k: &mut Kernel, task: TaskId, change: AttrChange, queued: bool) {
        self.changed(k, task, change, queued);
    }

    fn set_tunable(&mut self, _k: &mut Kernel, index: usize, value: i64) {
        // Quotas are recomputed lazily, at each task's next activation, as in the source.
        match self.version.tunables[index].key {
            "rr_interval" => self.rr_interval_ms = value as u32,
            "interactive" => self.interactive = value != 0,
            "iso_cpu" => self.iso_cpu = value as u64,
            "iso_period" => self.iso_period_s = value as u64,
            "double_first_slot" => self.double_first_slot = value != 0,
            _ => self.cache_hot_ns = value as u64,
        }
        self.update_balance_version();
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

    fn trails(&self) -> &'static [Trail] {
        &inspect::TRAILS
    }

    fn trail(&self, k: &Kernel, cpu: CpuId, _index: usize, out: &mut dyn FnMut(Shown, i64)) {
        self.trail_slot(k, cpu, out);
    }

    fn check_invariants(&self, k: &Kernel) {
        self.check(k);
    }
}
