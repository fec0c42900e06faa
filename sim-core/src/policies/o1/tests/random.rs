//! Random machines, tunables at their limits, and coverage of reasons.

use super::*;

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
    // No kernel with classes was recorded: `cpurc/tests.rs` shows these.
    for why in [Why::ClassStarving, Why::KeptStarving] {
        seen[usize::from(u16::from(why))] = 1;
    }
    for (reason, count) in Why::TABLE.iter().zip(&seen) {
        println!("{count:6} {}", reason.key);
    }
    // No schedule was recorded from the class controller; its own tests show its rules.
    let unseen: Vec<&str> = Why::TABLE
        .iter()
        .zip(&seen)
        .filter(|(reason, count)| **count == 0 && !reason.function.starts_with("cpu_rc"))
        .map(|(reason, _)| reason.key)
        .collect();
    assert!(unseen.is_empty(), "no schedule shows {unseen:?}");
}
