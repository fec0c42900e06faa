//! Worked examples of the specification (`cfs.md` 12), scenarios that no recorded schedule covers, random machines.

mod examples;
mod machines;

use super::Cfs;
use super::registry::POLICIES;
use crate::kernel::record::{Event, Record};
use crate::kernel::sim::{DynSim, RunStatus, Sim};
use crate::kernel::{EventOrder, Group, SimConfig, TaskSpec};
use crate::machine::cost::CostTable;
use crate::machine::topology::TopologySpec;
use crate::policy::{SchedClass, Shape};
use crate::task::program::{Amount, Op};
use crate::units::{CpuId, CpuMask, GroupId, TaskId};

const MS: u64 = 1_000_000;
const HOG: Op = Op::Run(Amount::fixed(u64::MAX / 4));
const KEYS: [&str; 7] =
    ["cfs-2.6.24", "cfs-2.6.25", "cfs-2.6.26-rc", "cfs-smp-group", "cfs-2.6.26", "cfs-2.6.27", "cfs-2.6.32"];

fn task(name: &str, nice: i8, program: Vec<Op>) -> TaskSpec {
    TaskSpec {
        name: name.into(),
        class: SchedClass::Normal,
        nice,
        rt_priority: 0,
        affinity: CpuMask::ALL,
        group: GroupId::ROOT,
        mm: 0,
        program: program.into(),
        start: Some(0),
        start_cpu: Some(CpuId(0)),
        slice_ns: None,
        init: None,
        workload: 0,
        index: 0,
        working_set_kib: 0,
    }
}

/// Hogs pinned to CPU 0, one per nice level.
fn hogs(levels: &[i8]) -> Vec<TaskSpec> {
    let pinned = |&nice: &i8| TaskSpec { affinity: CpuMask::single(CpuId(0)), ..task("hog", nice, vec![HOG]) };
    levels.iter().map(pinned).collect()
}

fn group(name: &str, parent: u16, shares: u64) -> Group {
    Group { name: name.into(), parent: GroupId(parent), shares, idle: false, cpu_max: None, autogroup: false }
}

fn root() -> Group {
    group("/", 0, 1024)
}

fn config(topology: TopologySpec, hz: u32, groups: Vec<Group>, mut tasks: Vec<TaskSpec>) -> SimConfig {
    for (index, task) in tasks.iter_mut().enumerate() {
        task.mm = index as u32;
        task.index = index as u32;
    }
    SimConfig {
        topology,
        hz,
        tick_skew: false,
        order: EventOrder::Interrupts,
        seed: 0,
        tasks: tasks.into(),
        groups,
        params: Vec::new(),
        counts: vec![u32::MAX],
        channels: 4,
        mutexes: 0,
        barriers: Vec::new(),
        costs: CostTable::default(),
    }
}

fn machine_of(key: &'static str, config: SimConfig, changed: &[(&str, i64)]) -> Sim<Cfs> {
    let info = &POLICIES.iter().find(|entry| entry.info.key == key).expect("a key of the family").info;
    let shape = Shape { cpus: config.topology.cpus(), hz: config.hz };
    let value = |spec: &crate::policy::TunableSpec| {
        let changed = changed.iter().find(|(key, _)| *key == spec.key);
        changed.map_or_else(|| (spec.default)(shape), |&(_, value)| value)
    };
    let tunables: Vec<i64> = info.tunables.iter().map(value).collect();
    Sim::new(key, config, &tunables)
}

/// A flat machine with the default tunables and the root group only.
fn machine(key: &'static str, cpus: u16, tasks: Vec<TaskSpec>) -> Sim<Cfs> {
    machine_of(key, config(TopologySpec::flat(cpus), 1000, vec![root()], tasks), &[])
}

/// Runs up to and including `until`.
fn run(sim: &mut Sim<Cfs>, until: u64) -> Vec<Record> {
    let mut records = Vec::new();
    while sim.run_until(until, u64::MAX) == RunStatus::Paused {
        sim.drain_records(&mut records);
    }
    sim.drain_records(&mut records);
    sim.check_invariants();
    records
}

/// Times of the switches, ms.
fn switch_times(sim: &mut Sim<Cfs>, until: u64) -> Vec<u64> {
    let is_switch = |record: &&Record| matches!(record.event, Event::Switch { .. });
    run(sim, until).iter().filter(is_switch).map(|record| record.at / MS).collect()
}

/// The scheduler right after the tasks have started.
fn started(mut sim: Sim<Cfs>) -> Cfs {
    run(&mut sim, 0);
    sim.policy().clone()
}

fn runtime(sim: &Sim<Cfs>, task: u32) -> u64 {
    sim.kernel().task_times(TaskId(task))[0]
}
