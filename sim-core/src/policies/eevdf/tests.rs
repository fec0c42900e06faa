//! Worked examples of the specification (modern.md section 10), and of the sources where no recording exists.

use super::entity::{calc_delta, inverse};
use super::versions::{POLICIES, VERSIONS};
use super::{Fair, Why};
use crate::kernel::record::Event;
use crate::kernel::sim::{DynSim, RunStatus};
use crate::kernel::testing::{Bench, MS, forever, run, sleep};
use crate::machine::topology::TopologySpec;
use crate::policy::SchedClass::{Fifo, Idle, Normal, Rr};
use crate::queues::nice;
use crate::units::{CpuId, TaskId};

/// Weight of a nice level.
fn weight(nice: i8) -> i64 {
    nice::weight(nice) as i64
}

#[test]
fn slices_of_5_15_follow_the_weights() {
    // 10.2: latency 24 ms, before the granularity is applied.
    let slice = |nice: i8, load: i64, period: i64| calc_delta(period, weight(nice), inverse(load));
    let two = 2 * weight(0);
    assert_eq!(slice(0, two, 24_000_000), 11_999_994);
    let mixed = weight(0) + weight(5);
    assert_eq!((slice(0, mixed, 24_000_000), slice(5, mixed, 24_000_000)), (18_083_885, 5_916_114));
    let three = 2 * weight(0) + weight(5);
    assert_eq!((slice(0, three, 24_000_000), slice(5, three, 24_000_000)), (10_313_049, 3_373_897));
    let unequal = weight(0) + weight(19);
    assert_eq!((slice(0, unequal, 24_000_000), slice(19, unequal, 24_000_000)), (23_653_512, 346_487));
    assert_eq!(slice(0, two, 6_000_000), 2_999_998);
}

fn bench(key: &str, cpus: u16) -> Bench {
    Bench::new(POLICIES, key, cpus, 1000)
}

/// Schedules of all CPUs until 9.5 ms, the same for every version.
fn everywhere(cpus: u16, tasks: impl Fn(Bench) -> Bench) -> Vec<String> {
    let of = |key| tasks(bench(key, cpus)).build().schedules(9_500);
    let all: Vec<Vec<String>> = VERSIONS.iter().map(|version| of(version.key)).collect();
    assert!(all.iter().all(|schedules| *schedules == all[0]), "{all:?}");
    all[0].clone()
}

#[test]
fn real_time_tasks_that_start_on_one_cpu_are_pushed_apart() {
    // B is worse than A and starts elsewhere; C is better than A, which goes to where nothing of that kind runs.
    let schedules = everywhere(3, |bench| {
        let bench = bench.task("A", Fifo, 0, 0, forever()).priority(50).on(0);
        let bench = bench.task("B", Fifo, 0, 1_000, forever()).priority(40).on(0);
        bench.task("C", Fifo, 0, 2_000, forever()).priority(60).on(0)
    });
    assert_eq!(schedules, ["0 A, 2 C", "1 B", "2 A"]);
}

#[test]
fn a_woken_real_time_task_leaves_a_cpu_that_a_better_one_holds() {
    let sleeper = || vec![run(500), sleep(3_500), run(2_000)];
    let schedules = everywhere(2, |bench| {
        let bench = bench.task("S", Fifo, 0, 0, sleeper()).priority(50).on(0);
        let bench = bench.task("H", Fifo, 0, 1_000, forever()).priority(60).cpus(&[0]);
        bench.task("F", Normal, 0, 0, forever()).on(1)
    });
    assert_eq!(schedules, ["0 S, 0.5 -, 1 H", "0 F, 4 S, 6 F"], "F is fair: S comes before it");
    // A better sleeper stays and displaces the running one, which moves.
    let schedules = everywhere(2, |bench| {
        let bench = bench.task("S", Fifo, 0, 0, sleeper()).priority(70).on(0);
        let bench = bench.task("H", Fifo, 0, 1_000, forever()).priority(60).on(0);
        bench.task("F", Normal, 0, 0, forever()).cpus(&[1])
    });
    assert_eq!(schedules, ["0 S, 0.5 -, 1 H, 4 S, 6 -", "0 F, 4 H"]);
}

#[test]
fn a_cpu_whose_priority_falls_is_sent_waiting_real_time_tasks() {
    // Q blocks at 5 ms: M, which waits behind P on CPU 0, comes. CPU 1 switches to idle first: the request is an interrupt.
    let schedules = everywhere(2, |bench| {
        let bench = bench.task("P", Fifo, 0, 0, forever()).priority(60).cpus(&[0]);
        let bench = bench.task("Q", Fifo, 0, 0, vec![run(5_000), sleep(60_000)]).priority(70).cpus(&[1]);
        bench.task("M", Rr, 0, 1_000, forever()).priority(50).on(0)
    });
    assert_eq!(schedules, ["0 P", "0 Q, 5 -, 5 M"]);
}

#[test]
fn a_pinned_equal_displaces_one_that_can_move() {
    let schedules = everywhere(2, |bench| {
        let bench = bench.task("A", Fifo, 0, 0, forever()).priority(50).on(0);
        let bench = bench.task("B", Fifo, 0, 2_000, forever()).priority(50).cpus(&[0]);
        bench.task("F", Normal, 0, 0, forever()).cpus(&[1])
    });
    assert_eq!(schedules, ["0 A, 2 B", "0 F, 2 A"]);
}

#[test]
fn real_time_tasks_go_to_the_nearest_cpu_with_the_lowest_priority() {
    // Two nodes of two cores. A runs on CPU 3, B starts there at 1 ms: CPU 2 idles next to it. C finds CPUs 0 and 1 as
    // good as each other; CPU 3 goes on behind its last choice, 2, around to 0, and next to 1.
    let spec = TopologySpec { packages: 2, numa: true, cache_cpus: 0, ..TopologySpec::flat(2) };
    let schedules = everywhere(4, |bench| {
        let bench = bench.topology(spec.clone()).task("A", Fifo, 0, 0, forever()).priority(60).on(3);
        let bench = bench.task("B", Fifo, 0, 1_000, forever()).priority(50).on(3);
        let bench = bench.task("C", Fifo, 0, 2_000, forever()).priority(50).on(3);
        bench.task("D", Fifo, 0, 3_000, forever()).priority(50).on(3)
    });
    assert_eq!(schedules, ["2 C", "3 D", "1 B", "0 A"]);
}

#[test]
fn moves_of_real_time_tasks_are_told_once() {
    // Priorities 50 and 60 on CPU 0; the worse one goes to CPU 1, gives way to 70 there and waits, and comes back
    // when 60 sleeps.
    let bench = bench("eevdf-6.6", 2).task("A", Fifo, 0, 0, vec![run(3_000), sleep(90_000)]).priority(60).cpus(&[0]);
    let bench = bench.task("B", Fifo, 0, 0, forever()).priority(50).on(0);
    let mut machine = bench.task("C", Fifo, 0, 1_000, forever()).priority(70).cpus(&[1]).build();
    machine.run_until(5_000);
    let mut records = Vec::new();
    machine.sim.drain_records(&mut records);
    let reasons = records.iter().filter_map(|record| match record.event {
        Event::Switch { cpu, reason, next: Some(_), .. } => Some((record.at / MS, cpu.0, reason.code, reason.args)),
        _ => None,
    });
    let (plain, pushed, pulled) = (u16::from(Why::RealTime), u16::from(Why::RtPushed), u16::from(Why::RtPulled));
    let expected = [
        (0, 0, plain, [60, 0, 0]),
        (0, 1, pushed, [50, 0, 60]),
        (1, 1, plain, [70, 0, 0]),
        (3, 0, pulled, [50, 1, 70]),
    ];
    assert_eq!(reasons.collect::<Vec<_>>(), expected);
}

#[test]
fn a_cpu_with_sched_idle_tasks_only_is_as_good_as_an_idle_one() {
    // S wakes at 2.2 ms: its own CPU is taken. The scan of the cache begins behind it, with CPU 1: an idle-class hog there
    // gives way (at once or when its protection ends), a normal one does not, and CPU 2 is the first that idles.
    let spec = TopologySpec { cache_cpus: 0, ..TopologySpec::flat(4) };
    for version in &VERSIONS {
        for (class, expected) in [(Idle, 1), (Normal, 2)] {
            let bench = bench(version.key, 4).topology(spec.clone());
            let bench = bench.task("S", Normal, 0, 0, vec![run(200), sleep(2_000), run(3_000)]).on(0);
            let bench = bench.task("N", Normal, 0, 1_000, forever()).cpus(&[0]);
            let mut machine = bench.task("I", class, 0, 0, forever()).cpus(&[1]).build();
            machine.run_until(2_500);
            assert_eq!(machine.sim.kernel().task(TaskId(0)).cpu.0, expected, "{} {class:?}", version.key);
        }
    }
}

#[test]
fn real_time_tasks_take_capacity_away() {
    // R runs on CPU 0 for ever: updated at every tick, its share after 32 and 50 ms is that of modern.md 10.3, last row.
    for version in &VERSIONS {
        let bench = bench(version.key, 2).task("R", Fifo, 0, 0, forever()).cpus(&[0]);
        let mut sim = bench.task("F", Normal, 0, 0, forever()).cpus(&[1]).sim::<Fair>();
        for (ms, util) in [(32, 495), (50, 659)] {
            assert_eq!(sim.run_until(ms * MS, u64::MAX), RunStatus::Reached);
            assert_eq!(sim.policy().rt[0].avg.util_avg, util, "{} after {ms} ms", version.key);
        }
        let (cpu0, cpu1) = (sim.policy().capacity_of(CpuId(0)), sim.policy().capacity_of(CpuId(1)));
        assert!((1024 - 659..1024 - 450).contains(&cpu0), "{cpu0} at the last balancing, about 32 ms after the start");
        assert_eq!(cpu1, 1024, "fair tasks take nothing");
        assert!(sim.policy().is_reduced(CpuId(0), 117) && !sim.policy().is_reduced(CpuId(1), 117));
    }
}
