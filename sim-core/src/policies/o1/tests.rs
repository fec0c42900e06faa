//! Worked examples of the specification (o1-and-2.4.md 3.10, 4.3, 5.12), done by hand, and random machines.

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
        groups: vec![Group { name: "/".into(), parent: GroupId::ROOT, shares: 1024, idle: false, cpu_max: None }],
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

// ---- 3.10: January 2002 ------------------------------------------------------------------------------------------------

#[test]
fn nice_levels_have_the_priorities_of_their_release() {
    for (key, want) in
        [("o1-2.5.2-c1", [24, 44, 63]), ("o1-2.5.2-pre10", [128, 148, 167]), ("o1-2.4-ac", [100, 120, 139])]
    {
        let got = [-20, 0, 19].map(|nice| {
            let policy = scheduler(key, 100, nice);
            policy.shown(policy.data(A).static_prio)
        });
        assert_eq!(got, want, "{key}");
    }
}

#[test]
fn the_sleep_history_gives_a_penalty() {
    for (sum, into_second, c1, pre10) in [(0, 0, 63, 161), (300, 0, 44, 148), (150, 0, 54, 154), (175, 50, 54, 154)] {
        for (key, want) in [("o1-2.5.2-c1", c1), ("o1-2.5.2-pre10", pre10)] {
            let mut policy = scheduler(key, 100, 0);
            policy.data_mut(A).history = [sum, 0, 0, 0];
            policy.set_penalty(A, 1000 + into_second);
            assert_eq!(policy.shown(policy.data(A).prio), want, "{key}, {sum} ticks slept");
        }
    }
}

#[test]
fn a_deep_sleeper_has_no_penalty_and_a_hog_at_nice_minus_20_is_worse_than_it() {
    let mut policy = scheduler("o1-2.5.2-pre10", 100, 0);
    policy.estimate_activation(A, 450);
    assert_eq!(policy.data(A).history, [50, 100, 100, 100]);
    assert_eq!(policy.data(A).prio, 148);
    let mut hog = scheduler("o1-2.5.2-c1", 100, -20);
    hog.set_penalty(A, 1000);
    assert_eq!(hog.shown(hog.data(A).prio), 45);
}

#[test]
fn slices_follow_the_dynamic_priority_in_january() {
    let slices = [-20i8, -17, -10, 0, 10, 19].map(|nice| scheduler("o1-2.5.2-pre10", 100, nice).timeslice(A));
    assert_eq!(slices, [15, 14, 12, 9, 5, 2]);
}

/// CPU 0 of `[0,3,1,1]` pulls one task and stops; `[8,16]` is evened out.
#[test]
fn january_balancing_evens_queue_lengths() {
    let hogs = |cpus: &[u16]| {
        cpus.iter().map(|&cpu| TaskSpec { start_cpu: Some(CpuId(cpu)), ..task("h", 0, vec![FOR_EVER]) }).collect()
    };
    let mut sim = machine("o1-2.5.2", 100, TopologySpec::flat(4), hogs(&[1, 1, 1, 2, 3]));
    assert_eq!(sim.run_until(240 * MS, u64::MAX), RunStatus::Reached);
    assert_eq!(lengths(&sim), [0, 3, 1, 1]);
    assert_eq!(sim.run_until(250 * MS, u64::MAX), RunStatus::Reached);
    assert_eq!(lengths(&sim), [1, 2, 1, 1]);

    let cpus: Vec<u16> = (0..24).map(|task| u16::from(task >= 8)).collect();
    let mut sim = machine("o1-2.5.2-pre10", 100, TopologySpec::flat(2), hogs(&cpus));
    assert_eq!(lengths(&sim), [0, 0]);
    assert_eq!(sim.run_until(10 * MS, u64::MAX), RunStatus::Reached);
    assert_eq!(lengths(&sim), [12, 12]);
}

// ---- 4.3: 2.4 backport -------------------------------------------------------------------------------------------------

#[test]
fn k3_bonus_and_interactivity_follow_ticks_slept() {
    let mut policy = scheduler("o1-2.4-ac", 100, 0);
    let mut interactive_from = None;
    for (sleep_avg, want) in [(0, 125), (20, 124), (100, 120), (120, 119), (140, 118), (199, 116), (200, 115)] {
        policy.data_mut(A).sleep_avg = sleep_avg;
        policy.data_mut(A).prio = policy.effective_prio(A);
        assert_eq!(policy.data(A).prio, want, "sleep_avg {sleep_avg}");
        if policy.is_interactive(A) && interactive_from.is_none() {
            interactive_from = Some(sleep_avg);
        }
    }
    assert_eq!(interactive_from, Some(140));
    let slices = [-20i8, -10, 0, 10, 19].map(|nice| scheduler("o1-2.4-ac", 100, nice).timeslice(A));
    assert_eq!(slices, [30, 22, 15, 7, 1]);
}

#[test]
fn a_bonus_ratio_of_70_gives_the_range_of_j4() {
    let mut policy = scheduler("o1-2.4-ac", 100, 0);
    policy.params.bonus_ratio = 70;
    let bonuses = [0, 50, 100, 150, 200].map(|sleep_avg| policy.bonus(&TaskData { sleep_avg, ..TaskData::default() }));
    assert_eq!(bonuses, [-14, -7, 0, 7, 14]);
}

#[test]
fn k3_balances_when_a_quarter_is_missing() {
    let wants = [([1, 3], [2, 2]), ([3, 5], [3, 5]), ([1, 5], [2, 4])];
    for (before, after) in wants {
        let cpus = (0..before[0] + before[1]).map(|index| CpuId(u16::from(index >= before[0])));
        let tasks = cpus.map(|cpu| TaskSpec { start_cpu: Some(cpu), ..task("h", 0, vec![FOR_EVER]) }).collect();
        let mut sim = machine("o1-2.4-ac", 100, TopologySpec::flat(2), tasks);
        // The first call only remembers lengths. The second finds one task to take, or none: all wait in one array.
        assert_eq!(sim.run_until(500 * MS, u64::MAX), RunStatus::Reached);
        let lengths = lengths(&sim);
        assert!(lengths == after || before == [1, 5] && lengths == [3, 3], "{before:?} became {lengths:?}");
    }
}

#[test]
fn interactive_tasks_expire_when_expired_ones_starve() {
    for (jiffies, starving) in [(1600, false), (1601, true)] {
        let mut sim = machine("o1-2.4-ac", 100, TopologySpec::flat(1), vec![task("h", 0, vec![FOR_EVER]); 3]);
        assert_eq!(sim.run_until(MS, u64::MAX), RunStatus::Reached);
        let mut policy = sim.policy().clone();
        policy.rqs[0].expired_timestamp = 1000;
        assert_eq!(policy.expired_starving(CpuId(0), 120, jiffies).is_some(), starving);
    }
}

// ---- 5.12: 2.6 ---------------------------------------------------------------------------------------------------------

#[test]
fn slices_of_2_6_by_hz() {
    let nices = [-20i8, -10, -1, 0, 1, 5, 10, 15, 18, 19];
    for (hz, want) in [
        (1000, [800, 600, 420, 100, 95, 75, 50, 25, 10, 5]),
        (250, [200, 150, 105, 25, 23, 18, 12, 6, 2, 1]),
        (100, [80, 60, 42, 10, 9, 7, 5, 2, 1, 1]),
    ] {
        assert_eq!(nices.map(|nice| scheduler("o1-2.6.21", hz, nice).timeslice(A)), want, "HZ {hz}");
    }
}

#[test]
fn bonus_of_2_6_counts_whole_tenths() {
    let policy = scheduler("o1-2.6.21", 1000, 0);
    for (ms, want) in [(0, 0), (99, 0), (100, 1), (499, 4), (500, 5), (799, 7), (900, 9), (999, 9), (1000, 10)] {
        assert_eq!(policy.current_bonus(ms * MS), want, "{ms} ms");
    }
    for (nice, ms, want) in [(0, 0, 125), (0, 500, 120), (0, 700, 118), (0, 1000, 115), (-20, 1000, 100), (19, 0, 139)]
    {
        let mut policy = scheduler("o1-2.6.21", 1000, nice);
        policy.data_mut(A).sleep_avg = ms * MS;
        assert_eq!(policy.effective_prio(A), want, "nice {nice}, {ms} ms");
    }
}

#[test]
fn interactivity_by_bonus_and_nice() {
    for (nice, want) in
        [(-20, "11111111100"), (-10, "11111110000"), (0, "11110000000"), (10, "11000000000"), (19, "00000000000")]
    {
        let policy = scheduler("o1-2.6.21", 1000, nice);
        let flags: String = (0..=10).map(|less| if less - 5 <= -policy.by_nice(A).delta { '1' } else { '0' }).collect();
        assert_eq!(flags, want, "nice {nice}");
    }
}

#[test]
fn delta_rounds_toward_zero_up_to_2_6_15_and_down_later() {
    for (nice, old, new) in [(-19, -2, -3), (-10, 0, -1), (-5, 1, 0), (-1, 2, 1), (-20, -3, -3), (10, 4, 4), (19, 6, 6)]
    {
        assert_eq!(scheduler("o1-2.6.15", 1000, nice).by_nice(A).delta, old, "nice {nice}");
        assert_eq!(scheduler("o1-2.6.21", 1000, nice).by_nice(A).delta, new, "nice {nice}");
    }
}

#[test]
fn hogs_alternate_by_whole_slices() {
    let hogs = |nices: &[i8]| nices.iter().map(|&nice| task("h", nice, vec![FOR_EVER])).collect();
    let mut sim = machine("o1-2.6.21", 1000, TopologySpec::flat(1), hogs(&[0, 0]));
    assert_eq!(switches(&mut sim, 350 * MS), ["0 ->a", "100 a>b", "200 b>a", "300 a>b"]);
    let mut sim = machine("o1-2.6.21", 1000, TopologySpec::flat(1), hogs(&[0, 10]));
    assert_eq!(switches(&mut sim, 310 * MS), ["0 ->a", "100 a>b", "150 b>a", "250 a>b", "300 b>a"]);
    let mut sim = machine("o1-2.6.21", 1000, TopologySpec::flat(1), hogs(&[0, 19]));
    assert_eq!(switches(&mut sim, 210 * MS), ["0 ->a", "100 a>b", "105 b>a", "205 a>b", "210 b>a"]);
}

#[test]
fn an_interactive_task_that_turns_into_a_hog_keeps_the_cpu_until_others_starve() {
    let hog = task("a", 0, vec![FOR_EVER]);
    let turned = TaskSpec { init: Some(1000 * MS as i64), ..task("b", 0, vec![FOR_EVER]) };
    let mut sim = machine("o1-2.6.21", 1000, TopologySpec::flat(1), vec![hog, turned]);
    let got = switches(&mut sim, 2850 * MS);
    assert_eq!(got, ["0 ->a", "0 a>b", "2200 b>a", "2300 a>b", "2600 b>a", "2700 a>b", "2800 b>a"]);
}

/// `sleep_avg` (ms) and priority after a sleep.
fn after_sleep(key: &'static str, from_ms: u64, slept_ms: u64, sleep_type: SleepType) -> (u64, u8) {
    let mut policy = scheduler(key, 1000, 0);
    policy.data_mut(A).sleep_avg = from_ms * MS;
    policy.data_mut(A).sleep_type = sleep_type;
    let prio = policy.recalc_task_prio(A, slept_ms * MS);
    (policy.data(A).sleep_avg / MS, prio)
}

#[test]
fn sleep_is_credited_as_in_2_6_15_and_2_6_21() {
    let (normal, involuntary) = (SleepType::Normal, SleepType::NonInteractive);
    assert_eq!(after_sleep("o1-2.6.15", 200, 300, normal), (1000, 115));
    assert_eq!(after_sleep("o1-2.6.21", 200, 300, normal), (500, 120));
    assert_eq!(after_sleep("o1-2.6.15", 0, 900, normal), (900, 116));
    assert_eq!(after_sleep("o1-2.6.21", 0, 900, normal), (799, 118));
    assert_eq!(after_sleep("o1-2.6.15", 600, 300, involuntary), (799, 118));
    assert_eq!(after_sleep("o1-2.6.21", 600, 300, involuntary), (799, 118));
}

#[test]
fn a_run_costs_less_the_larger_the_bonus() {
    let mut policy = scheduler("o1-2.6.21", 1000, 0);
    for (sleep_avg_ms, want_ms) in [(1000, 5), (0, 50), (100, 50)] {
        policy.data_mut(A).sleep_avg = sleep_avg_ms * MS;
        assert_eq!(policy.run_charge(A, 50 * MS), want_ms * MS);
    }
}

/// a waits on the queue for 10 ms after a wakeup by a task: 38/128 of it count as sleep.
#[test]
fn queue_wait_counts_as_sleep_in_part() {
    let fifo = TaskSpec {
        class: SchedClass::Fifo,
        rt_priority: 1,
        ..task(
            "b",
            0,
            vec![
                Op::Run(Amount::fixed(20 * MS)),
                Op::Signal { channel: 0, count: 1, sync: false },
                Op::Run(Amount::fixed(10 * MS)),
            ],
        )
    };
    let waiter = task("a", 0, vec![Op::Wait(0), FOR_EVER]);
    let started_later = TaskSpec { start: Some(MS), ..fifo };
    let mut sim = machine("o1-2.6.21", 1000, TopologySpec::flat(1), vec![waiter, started_later]);
    assert_eq!(switches(&mut sim, 32 * MS), ["0 ->a", "0 a>-", "1 ->b", "31 b>a"]);
    let data = sim.policy().data(A);
    // Slept 21 ms, then waited 10 ms.
    assert_eq!(data.sleep_avg, 21 * MS + 10 * MS * 38 / 128);
    assert_eq!(data.sleep_type, SleepType::Normal);
}

#[test]
fn a_child_gets_half_the_slice_and_most_of_the_bonus() {
    let mut policy = scheduler("o1-2.6.21", 1000, 0);
    let child = TaskId(1);
    policy.data_mut(A).time_slice = 7;
    policy.data_mut(A).sleep_avg = 750 * MS;
    policy.share_slice(A, child);
    assert_eq!((policy.data(A).time_slice, policy.data(child).time_slice), (3, 4));
    assert_eq!(policy.rounded_sleep_avg(child, policy.params.child_penalty), 600 * MS);
    for (bonus, want) in [(10, 900), (5, 400), (1, 0)] {
        policy.data_mut(child).sleep_avg = bonus * 100 * MS;
        assert_eq!(policy.rounded_sleep_avg(child, policy.params.child_penalty), want * MS);
    }
}

#[test]
fn load_weights_follow_slices() {
    let weights = [-20i8, -10, -5, 0, 5, 10, 19].map(|nice| scheduler("o1-2.6.21", 1000, nice).by_nice(A).weight);
    assert_eq!(weights, [1024, 768, 640, 128, 96, 64, 6]);
    let weights = [5i8, 10, 19].map(|nice| scheduler("o1-2.6.21", 250, nice).by_nice(A).weight);
    assert_eq!(weights, [92, 61, 5]);
}

/// The waker is alone on CPU 0, the sleeper's CPU 1 idles.
#[test]
fn a_sync_wakeup_pulls_the_sleeper_and_another_does_not() {
    for (sync, cpu) in [(true, 0), (false, 1)] {
        let sleeper = TaskSpec { start_cpu: Some(CpuId(1)), ..task("a", 0, vec![Op::Wait(0), FOR_EVER]) };
        let waker =
            task("b", 0, vec![Op::Run(Amount::fixed(50 * MS)), Op::Signal { channel: 0, count: 1, sync }, FOR_EVER]);
        let mut sim = machine("o1-2.6.21", 1000, TopologySpec::flat(2), vec![sleeper, waker]);
        assert_eq!(sim.run_until(50 * MS, u64::MAX), RunStatus::Reached);
        assert_eq!(sim.kernel().task(A).cpu, CpuId(cpu), "sync {sync}");
    }
}

/// Two nice-0 tasks against one stays for ever: the visible unfairness of O(1).
#[test]
fn two_against_one_is_balanced() {
    let hogs = [0, 0, 1].map(|cpu| TaskSpec { start_cpu: Some(CpuId(cpu)), ..task("h", 0, vec![FOR_EVER]) });
    let mut sim = machine("o1-2.6.21", 1000, TopologySpec::flat(2), hogs.to_vec());
    assert_eq!(sim.run_until(3000 * MS, u64::MAX), RunStatus::Reached);
    assert_eq!((lengths(&sim), sim.kernel().migrations()), (vec![2, 1], 0));
    assert_eq!(sim.policy().weighted_load(CpuId(0)), 256);
}

// ---- random machines ---------------------------------------------------------------------------------------------------

fn random_program(seed: u64, tasks: u64) -> Vec<Op> {
    let at = |n: u64| draw(seed, 1, n);
    let count = Value::Const(0);
    let mut ops = vec![Op::LoopBegin { count, depth: 0, end: 0 }];
    for step in 0..1 + at(0) % 4 {
        let ns = 1 + at(10 + step) % (40 * MS);
        ops.push(Op::Run(Amount::fixed(ns)));
        ops.push(match at(20 + step) % 9 {
            0 | 1 => Op::Sleep(Amount::fixed(1 + at(30 + step) % (60 * MS))),
            2 => Op::SleepUninterruptible(Amount::fixed(1 + at(30 + step) % (20 * MS))),
            3 => Op::Yield,
            4 => Op::Signal { channel: (at(30 + step) % 4) as u32, count: 1, sync: at(40 + step) % 2 == 0 },
            5 => Op::Wait((at(30 + step) % 4) as u32),
            6 => Op::SetNice((at(30 + step) % 40) as i8 - 20),
            7 => Op::Fork((tasks - 1) as u32),
            _ => Op::Run(Amount::fixed(1 + at(30 + step) % (300 * MS))),
        });
    }
    let end = ops.len() as u32 + 1;
    ops[0] = Op::LoopBegin { count, depth: 0, end };
    ops.push(Op::LoopEnd { begin: 0, depth: 0 });
    ops
}

fn random_tasks(seed: u64, cpus: u16) -> Vec<TaskSpec> {
    let count = 2 + draw(seed, 0, 0) % 9;
    let mut tasks: Vec<TaskSpec> = (0..count)
        .map(|index| {
            let at = |n: u64| draw(seed, 100 + index, n);
            let class = match at(0) % 8 {
                0 => SchedClass::Fifo,
                1 => SchedClass::Rr,
                2 => SchedClass::Batch,
                _ => SchedClass::Normal,
            };
            let mut affinity = CpuMask::ALL;
            if at(1) % 4 == 0 {
                affinity = CpuMask::single(CpuId((at(2) % u64::from(cpus)) as u16));
            }
            TaskSpec {
                class,
                rt_priority: if class.is_rt() { 1 + (at(3) % 99) as u8 } else { 0 },
                affinity,
                start: Some(at(4) % (50 * MS)),
                ..task("t", (at(5) % 40) as i8 - 20, random_program(draw(seed, 200 + index, 0), count + 1))
            }
        })
        .collect();
    let child = vec![Op::Run(Amount::fixed(1 + draw(seed, 1, 1) % (30 * MS))), Op::Exit];
    tasks.push(TaskSpec { start: None, ..task("child", 0, child) });
    tasks
}

#[test]
fn invariants_hold_on_random_machines() {
    crate::kernel::sim::CHECK_EACH_EVENT.with(|check| check.set(true));
    let shapes = [
        TopologySpec::flat(1),
        TopologySpec::flat(3),
        TopologySpec { packages: 1, cores: 2, threads: 2, numa: false, cache_cpus: 0 },
        TopologySpec { packages: 2, cores: 2, threads: 1, numa: true, cache_cpus: 0 },
    ];
    for entry in POLICIES {
        for seed in 0..12u64 {
            let shape = shapes[seed as usize % shapes.len()].clone();
            let hz = [100, 250, 1000][seed as usize % 3];
            let tasks = random_tasks(seed, shape.cpus());
            let order = if seed % 2 == 0 { EventOrder::TicksThenTimers } else { EventOrder::Interrupts };
            let mut sim = machine_in_order(entry.info.key, hz, shape, tasks, order);
            // Forks are unbounded; the run ends when the machine is full of them.
            assert_ne!(sim.run_until(400 * MS, 20_000), RunStatus::Paused, "{} seed {seed}", entry.info.key);
            let index = draw(seed, 3, 0) as usize % entry.info.tunables.len();
            let spec = &entry.info.tunables[index];
            let span = (spec.max - spec.min) as u64 + 1;
            let value = [spec.min, spec.max, spec.min + (draw(seed, 3, 1) % span) as i64][seed as usize % 3];
            sim.apply(sim.kernel().now() + 1, &Change::Tunable { index: index as u16, value });
            assert_ne!(sim.run_until(800 * MS, 20_000), RunStatus::Paused, "{} seed {seed}", entry.info.key);
            let copy = sim.checkpoint();
            assert_eq!(copy.kernel().digest(), sim.kernel().digest());
        }
    }
}

/// Extreme tunables never break a run.
#[test]
fn every_tunable_may_have_its_smallest_and_largest_value() {
    for entry in POLICIES {
        for index in 0..entry.info.tunables.len() {
            let spec = &entry.info.tunables[index];
            for value in [spec.min, spec.max] {
                let tasks = random_tasks(index as u64, 4);
                let shape = TopologySpec { packages: 2, cores: 1, threads: 2, numa: true, cache_cpus: 0 };
                let mut sim = machine_in_order(entry.info.key, 1000, shape, tasks, EventOrder::Interrupts);
                sim.apply(sim.kernel().now() + 1, &Change::Tunable { index: index as u16, value });
                assert_ne!(sim.run_until(100 * MS, 20_000), RunStatus::Paused, "{} {}", entry.info.key, spec.key);
                sim.check_invariants();
            }
        }
    }
}

/// Every rule decides in some recorded schedule.
#[test]
fn every_reason_is_seen() {
    let mut seen = vec![0u32; Why::TABLE.len()];
    for folder in ["o1", "o1-2.4"] {
        let path = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/golden").join(folder);
        for file in std::fs::read_dir(path).expect("recorded schedules").filter_map(Result::ok) {
            if file.path().extension().is_none_or(|extension| extension != "json") {
                continue;
            }
            let text = std::fs::read_to_string(file.path()).expect("a readable file");
            let golden = crate::scenario::golden::Golden::parse(&text, None).expect("a recorded kernel");
            for record in golden.run().1 {
                if let Event::Switch { reason, .. } | Event::Repick { reason, .. } = record.event {
                    seen[usize::from(reason.code)] += 1;
                }
            }
        }
    }
    for (reason, count) in Why::TABLE.iter().zip(&seen) {
        println!("{count:6} {}", reason.key);
    }
    let unseen: Vec<&str> =
        Why::TABLE.iter().zip(&seen).filter(|(_, count)| **count == 0).map(|(reason, _)| reason.key).collect();
    assert!(unseen.is_empty(), "no schedule shows {unseen:?}");
}
