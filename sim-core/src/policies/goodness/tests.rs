//! Worked examples of the specification (o1-and-2.4.md 1.7, 2.7), done by hand.

use super::*;
use crate::kernel::record::Event;
use crate::kernel::sim::RunStatus;
use crate::kernel::testing::{self, Bench};
use crate::kernel::{EventOrder, Group, SimConfig, TaskSpec};
use crate::machine::cost::{CostTable, TimeKind};
use crate::machine::topology::TopologySpec;
use crate::policy::Shape;
use crate::task::program::{Amount, Op};
use crate::units::{CpuMask, GroupId};

/// A scheduler without tasks.
pub fn machine(cpus: u16, hz: u32) -> Goodness {
    Goodness {
        version: &VERSIONS[0],
        tunables: defaults(Shape { cpus, hz }).try_into().expect("five tunables"),
        hz,
        smp: cpus > 1,
        list: RunList::default(),
        entities: Vec::new(),
        last_schedule: vec![0; usize::from(cpus)],
        active_mm: vec![u32::MAX; usize::from(cpus)],
        epoch: 0,
    }
}

fn hogs(nices: &[i8], key: &'static str, until: Nanos) -> Vec<(u64, Option<u32>)> {
    let tasks: Vec<TaskSpec> = nices
        .iter()
        .enumerate()
        .map(|(index, &nice)| TaskSpec {
            name: format!("h{index}").into(),
            class: SchedClass::Normal,
            nice,
            rt_priority: 0,
            affinity: CpuMask::ALL,
            group: GroupId::ROOT,
            mm: index as u32,
            program: vec![Op::Run(Amount::fixed(u64::MAX / 4))].into(),
            start: Some(0),
            start_cpu: None,
            slice_ns: None,
            init: None,
            workload: 0,
            index: index as u32,
            working_set_kib: 0,
        })
        .collect();
    let config = SimConfig {
        topology: TopologySpec::flat(1),
        hz: 100,
        tick_skew: false,
        order: EventOrder::TicksThenTimers,
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
        channels: 0,
        mutexes: 0,
        barriers: Vec::new(),
        costs: CostTable::default(),
    };
    let entry = POLICIES.iter().find(|entry| entry.info.key == key).expect("a version");
    let tunables: Vec<i64> =
        entry.info.tunables.iter().map(|spec| (spec.default)(Shape { cpus: 1, hz: 100 })).collect();
    let mut sim = (entry.build)(key, config, &tunables);
    assert_eq!(sim.run_until(until, u64::MAX), RunStatus::Reached);
    let mut records = Vec::new();
    sim.drain_records(&mut records);
    let switch = |record: &crate::kernel::record::Record| match record.event {
        Event::Switch { next, .. } => Some((record.at / 1_000_000, next.map(|task| task.0))),
        _ => None,
    };
    records.iter().filter_map(switch).collect()
}

#[test]
fn quantum_follows_the_table() {
    let row = |hz: u32, nices: &[i8]| nices.iter().map(|&nice| quantum_of(hz, nice)).collect::<Vec<_>>();
    assert_eq!(
        row(100, &[-20, -15, -10, -5, 0, 1, 4, 5, 8, 9, 12, 15, 16, 17, 19]),
        [11, 9, 8, 7, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1]
    );
    assert_eq!(row(1000, &[-20, -15, -10, -5, 0, 1, 5, 9, 15, 19]), [81, 71, 61, 51, 41, 39, 31, 23, 11, 3]);
}

#[test]
fn after_the_first_quantum_two_hogs_alternate_in_double_quanta() {
    // The +1 for the own address space lets the task that just ran go on after each refill.
    let switches = hogs(&[0, 0], "linux-2.4.27", 700_000_000);
    assert_eq!(
        switches,
        [(0, Some(0)), (60, Some(1)), (180, Some(0)), (300, Some(1)), (420, Some(0)), (540, Some(1)), (660, Some(0))]
    );
}

#[test]
fn nice_10_gets_half_of_nice_0_and_nice_19_a_sixth() {
    let share = |nice: i8| {
        let switches = hogs(&[0, nice], "linux-2.4", 9_000_000_000);
        let mut run = [0u64; 2];
        for pair in switches.windows(2) {
            run[pair[0].1.expect("never idle") as usize] += pair[1].0 - pair[0].0;
        }
        run[0] * 10 / run[1]
    };
    assert_eq!(share(10), 20);
    assert!((58..=60).contains(&share(19)));
}

#[test]
fn the_split_refills_runnable_tasks_to_a_quantum_of_four_ticks() {
    let switches = hogs(&[0, 0], "linux-2.5.2-pre9", 300_000_000);
    assert_eq!(switches[..4], [(0, Some(0)), (40, Some(1)), (120, Some(0)), (200, Some(1))]);
}

/// What CPU 1 spins, us, when its real-time task forks at `fork_us`. The hog of CPU 0 ends its quantum of six ticks
/// after 60 ms; the epoch that follows costs 1 ms for each of both tasks.
fn spin_of_a_fork_at(fork_us: u64, contended_locks: bool) -> u64 {
    let mut costs = CostTable { contended_locks, ..CostTable::default() };
    costs.work_ns[Work::Recalculated as usize] = 1_000_000;
    let mut machine = Bench::new(POLICIES, "linux-2.4", 2, 100)
        .costs(costs)
        .hog("hog", 0)
        .task("forker", SchedClass::Fifo, 0, 1_000, vec![testing::run(fork_us - 1_000), Op::Fork(2), Op::Exit])
        .task("child", SchedClass::Fifo, 0, None, vec![Op::Exit])
        .build();
    machine.run_until(100_000);
    machine.sim.kernel().cpu_times(CpuId(1))[TimeKind::Spin as usize] / 1000
}

#[test]
fn a_fork_waits_for_the_epoch_that_reads_the_list_of_all_tasks() {
    assert_eq!(spin_of_a_fork_at(61_500, true), 500, "the epoch reads from 60 to 62 ms");
    assert_eq!(spin_of_a_fork_at(63_000, true), 0);
    assert_eq!(spin_of_a_fork_at(61_500, false), 0);
}

/// Quantum in ticks; a worked example of the specification.
fn quantum_of(hz: u32, nice: i8) -> i64 {
    machine(1, hz).quantum(nice)
}

fn defaults(shape: crate::policy::Shape) -> Vec<i64> {
    POLICIES[0].info.tunables.iter().map(|spec| (spec.default)(shape)).collect()
}
