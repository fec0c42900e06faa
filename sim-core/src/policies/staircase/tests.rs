//! Worked examples of `spec/staircase-deadline.md` 4.4, 1000 Hz.

use super::POLICIES;
use crate::kernel::testing::{Bench, forever, repeat, run, sleep};
use crate::policy::SchedClass::Normal;
use crate::task::program::{Op, Value};

fn staircase() -> Bench {
    Bench::new(POLICIES, "staircase", 1, 1000)
}

#[test]
fn two_hogs_step_down_and_then_alternate_in_whole_slices() {
    let mut machine = staircase().hog("A", 0).hog("B", 0).build();
    let first = machine.schedule(222_000);
    assert!(first.starts_with("0 A, 6 B, 12 A, 18 B") && first.ends_with("210 B, 216 A"), "{first}");
    assert_eq!(machine.schedule(600_000), "222 B, 228 A, 348 B, 468 A, 588 B");
}

#[test]
fn long_run_shares_are_the_slices() {
    for (nice, ratio) in [(10, 195), (19, 2000)] {
        let mut machine = staircase().hog("A", 0).hog("B", nice).build();
        machine.run_until(60_000_000);
        let got = machine.runtime_us("A") * 100 / machine.runtime_us("B");
        assert!(got.abs_diff(ratio) <= ratio / 40, "nice 0 to {nice}: {got}, not {ratio}");
    }
}

#[test]
fn compute_mode_has_stairs_of_60_ms() {
    let schedule = staircase().set("compute", 1).hog("A", 0).hog("B", 0).schedule(190_000);
    assert_eq!(schedule, "0 A, 60 B, 120 A, 180 B");
}

#[test]
fn every_sleep_earns_one_bonus_and_always_preempts() {
    let program = repeat(vec![run(2000), sleep(18_000)]);
    let mut machine = staircase().hog("A", 0).task("I", Normal, 0, 20_000, program).build();
    let mut prios = Vec::new();
    for wake in [40_500, 60_500, 80_500, 100_500] {
        machine.run_until(wake);
        prios.push(machine.gauge(1, "prio"));
    }
    assert_eq!(prios, [119, 118, 117, 116]);
    assert_eq!(machine.runtime_us("I"), 8_499);
}

#[test]
fn in_compute_mode_a_better_task_waits_for_the_caches() {
    // The hog has run for 3 ms when the task wakes; it is displaced at its tenth tick.
    let task = vec![run(50_000)];
    let schedule = staircase().set("compute", 1).hog("A", 0).task("P", Normal, -20, 3_500, task).schedule(60_000);
    assert_eq!(schedule, "0 A, 10 P");
}

#[test]
fn slices_and_bonus_limits_by_nice() {
    for (nice, slice) in [(0, 120), (-20, 480), (-10, 270), (10, 60), (19, 6)] {
        let mut machine = staircase().task("A", Normal, nice, 0, forever()).build();
        machine.run_until(500);
        assert_eq!(machine.gauge(0, "slice"), slice, "nice {nice}");
    }
}

#[test]
fn a_short_sleep_leaves_the_rest_of_the_run_on_the_slice() {
    // 4 ms of running less 2 ms of sleep: two of 120 ticks are used, four of the first stair are left.
    let program = vec![run(4000), sleep(2000), run(50_000)];
    let mut machine = staircase().task("A", Normal, 0, 0, program).build();
    machine.run_until(6_100);
    let gauges = ["totalrun", "slice", "time_slice", "prio"].map(|label| machine.gauge(0, label));
    assert_eq!(gauges, [2_000_000, 118, 4, 120]);
}

#[test]
fn a_whole_slice_of_short_runs_costs_a_bonus_and_starts_at_the_top() {
    // One bonus from a long sleep; then short runs with shorter sleeps carry their difference from wakeup to wakeup.
    let carry = Op::LoopBegin { count: Value::Const(1000), depth: 0, end: 6 };
    let program = vec![run(1000), sleep(50_000), carry, run(900), sleep(100), Op::LoopEnd { begin: 2, depth: 0 }];
    let mut machine = staircase().task("A", Normal, 0, 0, program).build();
    let mut before = [0; 3];
    for at in 52.. {
        machine.run_until(at * 1000 + 500);
        let now = ["bonus", "totalrun", "slice"].map(|label| machine.gauge(0, label));
        if before[0] == 1 && now[0] == 0 {
            // With 115.2 ms carried, less than a stair of 6 is left of 120.
            assert_eq!((before[1], now), (115_200_000, [0, 0, 120]));
            return;
        }
        before = now;
    }
}
