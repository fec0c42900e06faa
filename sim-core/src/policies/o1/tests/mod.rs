//! Worked examples of the specification (o1-and-2.4.md 3.10, 4.3, 5.12), done by hand, and random machines.

mod early;
mod nanos;
mod random;

use super::reasons::Why;
use super::rq::{SleepType, TaskData};
use super::*;
use crate::kernel::record::Event;
use crate::kernel::sim::{DynSim, RunStatus, Sim};
use crate::kernel::{Change, EventOrder, Group, SimConfig, TaskSpec};
use crate::machine::cost::CostTable;
use crate::machine::topology::TopologySpec;
use crate::policy::{SchedClass, Shape};
use crate::queues::domain_balance::RunQueues;
use crate::task::draw::draw;
use crate::task::program::{Amount, Op, Value};
use crate::units::{CpuMask, GroupId};

const MS: u64 = 1_000_000;
const FOR_EVER: Op = Op::Run(Amount::fixed(u64::MAX / 4));

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
        start_cpu: None,
        slice_ns: None,
        init: None,
        workload: 0,
        index: 0,
        working_set_kib: 0,
    }
}

fn machine(key: &'static str, hz: u32, topology: TopologySpec, tasks: Vec<TaskSpec>) -> Sim<O1> {
    machine_in_order(key, hz, topology, tasks, EventOrder::TicksThenTimers)
}

fn machine_in_order(
    key: &'static str,
    hz: u32,
    topology: TopologySpec,
    mut tasks: Vec<TaskSpec>,
    order: EventOrder,
) -> Sim<O1> {
    for (index, task) in tasks.iter_mut().enumerate() {
        task.mm = index as u32;
        task.index = index as u32;
    }
    let cpus = topology.cpus();
    let tunables: Vec<i64> = info::specs(key).iter().map(|spec| (spec.default)(Shape { cpus, hz })).collect();
    let config = SimConfig {
        topology,
        hz,
        tick_skew: order == EventOrder::Interrupts,
        order,
        seed: 0,
        tasks: tasks.into(),
        groups: vec![Group {
            name: "/".into(),
            parent: GroupId::ROOT,
            shares: 1024,
            idle: false,
            cpu_max: None,
            autogroup: false,
        }],
        params: Vec::new(),
        counts: vec![u32::MAX],
        channels: 4,
        mutexes: 0,
        barriers: Vec::new(),
        costs: CostTable::default(),
    };
    Sim::new(key, config, &tunables)
}

/// The scheduler of an idle one-CPU machine with room for two tasks, both set up as nice `nice`.
fn scheduler(key: &'static str, hz: u32, nice: i8) -> O1 {
    let sim = machine(key, hz, TopologySpec::flat(1), vec![task("a", nice, vec![]), task("b", nice, vec![])]);
    let mut policy = sim.policy().clone();
    for id in 0..2 {
        *policy.data_mut(TaskId(id)) = TaskData { prio: policy.version.first_normal, ..TaskData::default() };
        policy.set_class(sim.kernel(), TaskId(id));
        policy.data_mut(TaskId(id)).prio = policy.data(TaskId(id)).static_prio;
    }
    policy
}

const A: TaskId = TaskId(0);

/// Switches as "ms prev>next", tasks by letter, idle as a dash.
fn switches(sim: &mut Sim<O1>, until: u64) -> Vec<String> {
    assert_eq!(sim.run_until(until, u64::MAX), RunStatus::Reached);
    sim.check_invariants();
    let mut records = Vec::new();
    sim.drain_records(&mut records);
    let name = |task: Option<TaskId>| task.map_or('-', |task| char::from(b'a' + task.0 as u8));
    let switch = |record: &crate::kernel::record::Record| match record.event {
        Event::Switch { prev, next, .. } => Some(format!("{} {}>{}", record.at / MS, name(prev), name(next))),
        _ => None,
    };
    records.iter().filter_map(switch).collect()
}

fn lengths(sim: &Sim<O1>) -> Vec<u32> {
    sim.policy().rqs.iter().map(|rq| rq.nr_running).collect()
}
