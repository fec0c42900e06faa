//! Whole machines: what no recorded schedule covers, random ones, and the coverage of reasons.

use super::super::Why;
use super::super::version::Walk;
use super::*;
use crate::inspect::{
    Cell, Chip, Entity, Gauge, KeyMark, Score, ShareCell, ShareRow, Span, StructureVisitor, TreeNode,
};
use crate::kernel::sim::CHECK_EACH_EVENT;
use crate::kernel::{Change, Kernel};
use crate::machine::cost::TimeKind;
use crate::scenario::golden::Golden;
use crate::task::draw::draw;
use crate::task::program::Value;
use crate::units::NEVER;

fn forever(body: &[Op]) -> Vec<Op> {
    let count = Value::Const(0);
    let mut ops = vec![Op::LoopBegin { count, depth: 0, end: body.len() as u32 + 2 }];
    ops.extend_from_slice(body);
    ops.push(Op::LoopEnd { begin: 0, depth: 0 });
    ops
}

fn on(cpu: u16, task: TaskSpec) -> TaskSpec {
    TaskSpec { start_cpu: Some(CpuId(cpu)), ..task }
}

/// Two tasks that hand a token to each other with sync wakeups end up on one CPU, and stay apart without the hint of
/// AFFINE_WAKEUPS.
#[test]
fn a_pair_that_takes_turns_is_drawn_together() {
    let ping = forever(&[Op::Run(Amount::fixed(50_000)), Op::Signal { channel: 1, count: 1, sync: true }, Op::Wait(0)]);
    let pong = forever(&[Op::Wait(1), Op::Run(Amount::fixed(50_000)), Op::Signal { channel: 0, count: 1, sync: true }]);
    for key in KEYS {
        let tasks = vec![on(0, task("ping", 0, ping.clone())), on(1, task("pong", 0, pong.clone()))];
        let mut sim = machine(key, 2, tasks);
        run(&mut sim, 50 * MS);
        let cpus = [0, 1].map(|task| sim.kernel().task(TaskId(task)).cpu);
        assert_eq!(cpus[0], cpus[1], "{key}");
    }
    let tasks = vec![on(0, task("ping", 0, ping)), on(1, task("pong", 0, pong))];
    let config = config(TopologySpec::flat(2), 1000, vec![root()], tasks);
    let mut sim = machine_of("cfs-2.6.27", config, &[("affine_wakeups", 0)]);
    run(&mut sim, 50 * MS);
    assert_ne!(sim.kernel().task(TaskId(0)).cpu, sim.kernel().task(TaskId(1)).cpu);
}

/// A FIFO hog gets 950 ms of a second; before 2.6.25 nothing stops it.
#[test]
fn real_time_tasks_leave_a_twentieth_of_the_time() {
    for key in KEYS {
        let fifo = TaskSpec { class: SchedClass::Fifo, rt_priority: 10, ..task("fifo", 0, vec![HOG]) };
        let mut sim = machine(key, 1, vec![fifo, task("hog", 0, vec![HOG])]);
        run(&mut sim, 4000 * MS);
        let share = (runtime(&sim, 1) + 20 * MS) / (40 * MS);
        let want = if key == "cfs-2.6.24" { 0 } else { 5 };
        assert_eq!(share, want, "{key}: percent of a normal task beside a FIFO hog");
    }
}

/// With two CPUs one borrows the other's unused budget, and the hog is never stopped.
#[test]
fn an_idle_cpu_lends_its_real_time_budget() {
    let fifo = TaskSpec { class: SchedClass::Fifo, rt_priority: 10, ..hogs(&[0])[0].clone() };
    let mut sim = machine("cfs-2.6.27", 2, vec![fifo, hogs(&[0])[0].clone()]);
    run(&mut sim, 3000 * MS);
    assert!(runtime(&sim, 0) > 2890 * MS, "{}", runtime(&sim, 0));
}

/// Two FIFO tasks started on one CPU: pushed apart since 2.6.25.
#[test]
fn real_time_tasks_find_a_cpu_of_their_own() {
    for key in KEYS {
        let fifo = |prio| TaskSpec { class: SchedClass::Fifo, rt_priority: prio, ..task("fifo", 0, vec![HOG]) };
        let mut sim = machine(key, 2, vec![fifo(10), fifo(20)]);
        run(&mut sim, 300 * MS);
        let cpus = [0, 1].map(|task| sim.kernel().task(TaskId(task)).cpu);
        assert_ne!(cpus[0], cpus[1], "{key}");
    }
}

/// Equal hogs on one CPU get equal time, whatever their number.
#[test]
fn equal_hogs_get_equal_time() {
    for key in KEYS {
        let mut sim = machine(key, 1, hogs(&[0; 7]));
        run(&mut sim, 4000 * MS);
        let times: Vec<u64> = (0..7).map(|task| runtime(&sim, task)).collect();
        let spread = times.iter().max().expect("seven") - times.iter().min().expect("seven");
        assert!(spread <= 45 * MS, "{key}: {times:?}");
    }
}

/// One hog against four in a group of equal shares on one CPU: half each.
#[test]
fn groups_share_by_shares_not_by_tasks() {
    for key in KEYS {
        let mut tasks = hogs(&[0; 5]);
        tasks.iter_mut().enumerate().for_each(|(index, task)| task.group = GroupId(if index == 0 { 1 } else { 2 }));
        let groups = vec![root(), group("a", 0, 1024), group("b", 0, 1024)];
        let mut sim = machine_of(key, config(TopologySpec::flat(1), 1000, groups, tasks), &[]);
        run(&mut sim, 3000 * MS);
        let percent = runtime(&sim, 0) / (30 * MS);
        assert!((49..=51).contains(&percent), "{key}: {percent}");
        // Three times the shares while it runs: three quarters of the time.
        sim.apply(3000 * MS, &Change::Shares { group: GroupId(1), shares: 3072 });
        let before = runtime(&sim, 0);
        run(&mut sim, 6000 * MS);
        let percent = (runtime(&sim, 0) - before) / (30 * MS);
        assert!((72..=77).contains(&percent), "{key}: {percent} after the change");
    }
}

/// SMP groups on two CPUs: a hog of its own group is owed a whole CPU, and only the SMP-group series gives it one.
#[test]
fn the_smp_group_balancer_gives_a_lone_hog_its_cpu() {
    let share = |key| {
        let mut tasks: Vec<TaskSpec> =
            (0..5).map(|_| TaskSpec { start_cpu: None, ..task("h", 0, vec![HOG]) }).collect();
        tasks.iter_mut().enumerate().for_each(|(index, task)| task.group = GroupId(if index == 0 { 1 } else { 2 }));
        let groups = vec![root(), group("a", 0, 1024), group("b", 0, 1024)];
        let mut sim = machine_of(key, config(TopologySpec::flat(2), 1000, groups, tasks), &[]);
        run(&mut sim, 3000 * MS);
        runtime(&sim, 0) / (30 * MS)
    };
    assert!(share("cfs-smp-group") >= 93, "{}", share("cfs-smp-group"));
    assert!(share("cfs-2.6.26") <= 55, "{}", share("cfs-2.6.26"));
}

/// Tasks that all start on CPU 0 spread over threads, cores and nodes.
#[test]
fn hogs_fill_every_level_of_the_machine() {
    let shapes = [
        TopologySpec { packages: 2, cores: 2, threads: 2, numa: true, cache_cpus: 0 },
        TopologySpec { packages: 2, cores: 4, threads: 1, numa: false, cache_cpus: 2 },
        TopologySpec { packages: 1, cores: 4, threads: 2, numa: false, cache_cpus: 0 },
    ];
    for key in KEYS {
        for shape in &shapes {
            let cpus = shape.cpus();
            let hog = || TaskSpec { start_cpu: None, ..task("hog", 0, vec![HOG]) };
            let tasks: Vec<TaskSpec> = (0..cpus).map(|_| hog()).collect();
            let mut sim = machine_of(key, config(shape.clone(), 1000, vec![root()], tasks), &[]);
            let idle = |sim: &Sim<Cfs>| -> u64 {
                (0..cpus).map(|cpu| sim.kernel().cpu_times(CpuId(cpu))[TimeKind::Idle as usize]).sum()
            };
            run(&mut sim, 1000 * MS);
            let before = idle(&sim);
            run(&mut sim, 2000 * MS);
            // The releases that never reach a queue's oldest entry may leave one thread idle for long.
            let flawed = sim.policy().version.walk == Walk::AllButOldest;
            let idle_cpus = (idle(&sim) - before) / (1000 * MS);
            assert!(idle_cpus <= u64::from(flawed), "{key} on {shape:?}: {idle_cpus} CPUs idle");
        }
    }
}

#[test]
fn a_slice_timer_ends_slices_on_time() {
    for (key, slice) in [("cfs-2.6.25", 9_995_117), ("cfs-2.6.27", 9_995_122), ("cfs-2.6.32", 2_498_780)] {
        let config = config(TopologySpec::flat(1), 250, vec![root()], hogs(&[0, 0]));
        let mut sim = machine_of(key, config, &[("hrtick", 1)]);
        let switches: Vec<u64> = run(&mut sim, 200 * MS)
            .iter()
            .filter(|record| matches!(record.event, Event::Switch { .. }))
            .map(|record| record.at)
            .collect();
        let steps: Vec<u64> = switches.windows(2).rev().take(5).map(|pair| pair[1] - pair[0]).collect();
        assert_eq!(steps, [slice; 5], "{key}");
    }
}

#[test]
fn yield_goes_behind_everybody_for_batch_tasks_only() {
    for (class, wins) in [(SchedClass::Normal, false), (SchedClass::Batch, true)] {
        let yielder = forever(&[Op::Run(Amount::fixed(10_000)), Op::Yield]);
        let yielder = TaskSpec { class, ..task("yielder", 0, yielder) };
        let mut sim = machine("cfs-2.6.26", 1, vec![yielder, task("hog", 0, vec![HOG])]);
        run(&mut sim, 1000 * MS);
        assert_eq!(runtime(&sim, 0) < 50 * MS, wins, "{class:?}: {}", runtime(&sim, 0));
    }
}

// ---- random machines ---------------------------------------------------------------------------------------------------

fn random_program(seed: u64, tasks: u64) -> Vec<Op> {
    let at = |n: u64| draw(seed, 1, n);
    let mut body = Vec::new();
    for step in 0..1 + at(0) % 4 {
        body.push(Op::Run(Amount::fixed(1 + at(10 + step) % (20 * MS))));
        body.push(match at(20 + step) % 10 {
            0 | 1 => Op::Sleep(Amount::fixed(1 + at(30 + step) % (30 * MS))),
            2 => Op::SleepUninterruptible(Amount::fixed(1 + at(30 + step) % (20 * MS))),
            3 => Op::Yield,
            4 => Op::Signal { channel: (at(30 + step) % 4) as u32, count: 1, sync: at(40 + step) % 2 == 0 },
            5 => Op::Wait((at(30 + step) % 4) as u32),
            6 => Op::SetNice((at(30 + step) % 40) as i8 - 20),
            7 => Op::Fork(tasks as u32),
            8 => Op::SetShares(at(30 + step) % 4096),
            _ => Op::Run(Amount::fixed(1 + at(30 + step) % (60 * MS))),
        });
    }
    forever(&body)
}

fn random_tasks(seed: u64, cpus: u16) -> Vec<TaskSpec> {
    let count = 2 + draw(seed, 0, 0) % 9;
    let mut tasks: Vec<TaskSpec> = (0..count)
        .map(|index| {
            let at = |n: u64| draw(seed, 100 + index, n);
            let class = match at(0) % 9 {
                0 => SchedClass::Fifo,
                1 => SchedClass::Rr,
                2 => SchedClass::Batch,
                3 => SchedClass::Idle,
                _ => SchedClass::Normal,
            };
            let pinned = at(1) % 4 == 0;
            let cpu = CpuId((at(2) % u64::from(cpus)) as u16);
            TaskSpec {
                class,
                rt_priority: if class.is_rt() { 1 + (at(3) % 99) as u8 } else { 0 },
                affinity: if pinned { CpuMask::single(cpu) } else { CpuMask::ALL },
                start: Some(at(4) % (50 * MS)),
                start_cpu: (pinned || at(6) % 3 == 0).then_some(cpu),
                group: GroupId((at(7) % 4) as u16),
                ..task("t", (at(5) % 40) as i8 - 20, random_program(draw(seed, 200 + index, 0), count))
            }
        })
        .collect();
    let child = vec![Op::Run(Amount::fixed(1 + draw(seed, 1, 1) % (30 * MS))), Op::Exit];
    tasks.push(TaskSpec { start: None, start_cpu: None, ..task("child", 0, child) });
    tasks
}

fn class_changes(sim: &mut Sim<Cfs>, seed: u64, step: u64) {
    let at = |n: u64| draw(seed, 500 + step, n);
    let changes = [
        Change::Class { workload: 0, class: SchedClass::Rr, rt_priority: 5 },
        Change::Class { workload: 0, class: SchedClass::Normal, rt_priority: 0 },
        Change::Class { workload: 0, class: SchedClass::Idle, rt_priority: 0 },
        Change::Nice { workload: 0, nice: (at(1) % 40) as i8 - 20 },
        Change::Shares { group: GroupId(1 + (at(2) % 3) as u16), shares: at(3) % 3000 },
        Change::Tunable { index: (at(4) % 10) as u16, value: (at(5) % 3) as i64 * 1_000_000 },
    ];
    let change = &changes[(at(0) % changes.len() as u64) as usize];
    if let Change::Tunable { index: 0 | 1, value: 0 } = change {
        return;
    }
    let now = sim.kernel().now();
    sim.apply(now, change);
}

#[test]
fn invariants_hold_on_random_machines() {
    CHECK_EACH_EVENT.with(|check| check.set(true));
    let shapes = [
        TopologySpec::flat(1),
        TopologySpec::flat(3),
        TopologySpec { packages: 1, cores: 2, threads: 2, numa: false, cache_cpus: 0 },
        TopologySpec { packages: 2, cores: 2, threads: 1, numa: true, cache_cpus: 0 },
        TopologySpec { packages: 1, cores: 4, threads: 1, numa: false, cache_cpus: 2 },
    ];
    for key in KEYS {
        for seed in 0..15u64 {
            let shape = shapes[seed as usize % shapes.len()].clone();
            let hz = [100, 250, 1000][seed as usize % 3];
            let groups = vec![root(), group("a", 0, 1024), group("b", 1, 512), group("c", 0, 4096)];
            let tasks = random_tasks(seed, shape.cpus());
            let hrtick = i64::from(seed % 2 == 0);
            let mut sim = machine_of(key, config(shape, hz, groups, tasks), &[("hrtick", hrtick)]);
            sim.set_recording(false);
            for step in 0..10 {
                sim.run_until((step + 1) * 60 * MS, 3_000);
                if sim.kernel().now() < (step + 1) * 60 * MS {
                    // Forks are unbounded; the run ends when there are too many.
                    break;
                }
                if sim.next_event_at() != NEVER {
                    class_changes(&mut sim, seed, step);
                }
            }
            look_at_everything(&sim);
        }
    }
}

/// Takes every shape and asserts that trees hang together.
#[derive(Default)]
struct Shapes {
    panels: u32,
}

impl StructureVisitor for Shapes {
    fn panel(&mut self, _id: u32, _label: &'static str, _cpu: Option<CpuId>) {
        self.panels += 1;
    }
    fn list(&mut self, _label: &'static str, chips: &mut dyn Iterator<Item = Chip>) {
        chips.for_each(drop);
    }
    fn slots(&mut self, _label: &'static str, len: u32, _first: u32, at: &mut dyn Iterator<Item = (u32, Chip)>) {
        at.for_each(|(slot, _)| assert!(slot < len));
    }
    fn bitmap(&mut self, _label: &'static str, _words: &[u64], _len: u32, _hit: Option<u32>) {}
    fn tree(
        &mut self,
        _label: &'static str,
        root: Option<u32>,
        leftmost: Option<u32>,
        _floor: i64,
        nodes: &mut dyn Iterator<Item = TreeNode>,
    ) {
        let nodes: Vec<TreeNode> = nodes.collect();
        assert_eq!((root.is_some(), leftmost), (!nodes.is_empty(), (!nodes.is_empty()).then_some(0)));
        for (index, node) in nodes.iter().enumerate() {
            assert!(node.left.is_none_or(|left| (left as usize) < index), "left child comes before");
            assert!(node.right.is_none_or(|right| right as usize > index), "right child comes after");
            assert!(index == 0 || nodes[index - 1].key.wrapping_sub(node.key) <= 0, "keys ascend");
        }
    }
    fn gauge(&mut self, _gauge: Gauge) {}
    fn entity_gauge(&mut self, _entity: Entity, _gauge: Gauge) {}
    fn matrix_row(&mut self, _row: crate::inspect::MatrixRow, _cells: &mut dyn Iterator<Item = Cell>) {}
    fn lock(&mut self, _label: &'static str, _holder: Option<CpuId>, _spinners: u32, _permille: u32) {}
    fn key_mark(&mut self, mark: KeyMark) {
        assert!(mark.to.wrapping_sub(mark.from) >= 0, "{} ends before it begins", mark.label);
    }
    fn spans(&mut self, _label: &'static str, _line: &'static str, _at: i64, _spans: &mut dyn Iterator<Item = Span>) {}
    fn score(&mut self, _score: Score, _terms: &mut dyn Iterator<Item = Gauge>) {}
    fn meter(&mut self, _entity: Entity, _gauge: Gauge, _target: i64) {}
    fn lamp(&mut self, _entity: Entity, _label: &'static str, _lit: bool) {}
    fn share_row(&mut self, row: ShareRow, cells: &mut dyn Iterator<Item = ShareCell>) {
        for cell in cells {
            // Rounding, the threshold and the smallest weight may add a little on each CPU.
            assert!(row.parent.is_none() || cell.target <= row.shares.max(2), "more than all shares on one CPU");
        }
    }
}

/// Calls every view, so that none of them panics in a busy moment.
fn look_at_everything(sim: &Sim<Cfs>) {
    let kernel: &Kernel = sim.kernel();
    let mut seen = 0;
    for cpu in 0..kernel.cpus() {
        sim.candidates(CpuId(cpu), &mut |_| seen += 1);
    }
    for cpu in 0..kernel.cpus() {
        let mut shapes = Shapes::default();
        sim.visit_structures(CpuId(cpu), &mut shapes);
        assert!(shapes.panels > 0);
    }
    for task in 0..kernel.tasks().len() {
        sim.task_gauges(TaskId(task as u32), &mut |_| seen += 1);
    }
    assert!(seen > 0);
}

/// Every rule decides in a recorded schedule, or in one of these.
#[test]
fn every_reason_is_seen() {
    let mut seen = vec![0u32; Why::TABLE.len()];
    let mut count = |records: &[Record]| {
        for record in records {
            if let Event::Switch { reason, .. } | Event::Repick { reason, .. } = record.event {
                seen[usize::from(reason.code)] += 1;
            }
        }
    };
    let folder = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/golden/cfs");
    for file in std::fs::read_dir(folder).expect("recorded schedules").filter_map(Result::ok) {
        if file.path().extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let text = std::fs::read_to_string(file.path()).expect("a readable file");
        count(&Golden::parse(&text, None).expect("a recorded kernel").run().1);
    }
    let fifo = TaskSpec { class: SchedClass::Fifo, rt_priority: 10, ..task("fifo", 0, vec![HOG]) };
    let mut throttled = machine("cfs-2.6.26", 1, vec![fifo, task("hog", 0, vec![HOG])]);
    count(&run(&mut throttled, 1100 * MS));
    let unseen: Vec<&str> =
        Why::TABLE.iter().zip(&seen).filter(|(_, count)| **count == 0).map(|(reason, _)| reason.key).collect();
    assert!(unseen.is_empty(), "no schedule shows {unseen:?}");
}
