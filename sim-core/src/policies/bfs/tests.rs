//! Worked examples of `spec/staircase-deadline.md` 6 in the source's units, rr_interval 6, 1000 Hz.

use super::POLICIES;
use crate::kernel::Change;
use crate::kernel::testing::{Bench, forever, run, sleep};
use crate::policy::SchedClass::{Idle, Normal};

fn bfs(cpus: u16) -> Bench {
    Bench::new(POLICIES, "bfs", cpus, 1000)
}

#[test]
fn deadlines_are_ratio_times_interval_in_units_of_two_to_the_twentieth() {
    for (nice, offset) in [(0, 41_091_072), (-20, 6_291_456), (5, 66_060_288), (10, 106_217_472), (19, 250_134_528)] {
        let mut machine = bfs(1).task("A", Normal, nice, 0, forever()).build();
        machine.run_until(500);
        assert_eq!(machine.gauge(0, "deadline"), offset, "nice {nice}");
    }
}

#[test]
fn equal_hogs_take_turns_of_six_milliseconds() {
    let mut machine = bfs(1).hog("A", 0).hog("B", 0).build();
    assert_eq!(machine.schedule(24_500), "0 A, 6 B, 12 A, 18 B, 24 A");
    // A was renewed at 18: 18 ms + 41.09 ms.
    assert_eq!(machine.gauge(0, "deadline"), 59_091_072);
    let four = bfs(1).hog("a", 0).hog("b", 0).hog("c", 0).hog("d", 0);
    assert_eq!(four.schedule(30_500), "0 a, 6 b, 12 c, 18 d, 24 a, 30 b");
}

#[test]
fn a_sleeper_keeps_its_deadline_and_preempts() {
    // I kept its deadline of 41.09 ms; A, renewed at 7 ms, has 48.09 ms when I wakes.
    let program = vec![run(1000), sleep(13_000), run(1000)];
    let schedule = bfs(1).task("I", Normal, 0, 0, program).hog("A", 0).hog("B", 0).schedule(15_500);
    assert_eq!(schedule, "0 I, 1 A, 7 B, 13 A, 14 I, 15 A");
}

#[test]
fn a_repick_leaves_the_old_deadline_in_the_run_queue() {
    // A alone is renewed from 8 ms on, but its run queue still says 41.09 ms: I, with the same, has to wait for a tick.
    let program = vec![run(2000), sleep(8000), run(1000)];
    let schedule = bfs(1).task("I", Normal, 0, 0, program).hog("A", 0).schedule(11_500);
    assert_eq!(schedule, "0 I, 2 A, 11 I");
}

#[test]
fn on_one_cpu_an_idleprio_task_waits_for_the_next_decision() {
    let schedule =
        bfs(1).task("i", Idle, 0, 0, forever()).task("n", Normal, 0, 5_000, vec![run(2000)]).schedule(20_000);
    assert_eq!(schedule, "5 n, 7 i");
}

#[test]
fn a_nice_change_moves_the_deadline_by_the_difference() {
    let mut machine = bfs(1).hog("A", 0).hog("B", 0).build();
    machine.run_until(1_000);
    machine.apply(&Change::Nice { workload: 1, nice: 5 });
    assert_eq!(machine.gauge(1, "deadline"), 66_060_288);
}

#[test]
fn shares_of_nice_levels_come_in_whole_slices() {
    // In whole milliseconds the ratios are 1, 4, 11, 21 and 34; the source's units of 2^20 ns move them by up to 4 %.
    assert_eq!(bfs(1).hog("A", 0).hog("B", 5).schedule(70_000), "0 A, 25 B, 31 A, 56 B, 62 A");
    for (nice, ratio) in [(1, 100), (5, 400), (10, 1100), (15, 2100), (19, 3400)] {
        let mut machine = bfs(1).hog("A", 0).hog("B", nice).build();
        machine.run_until(60_000_000);
        let got = machine.runtime_us("A") * 100 / machine.runtime_us("B");
        assert!(got.abs_diff(ratio) <= ratio / 20, "nice 0 to {nice}: {got}, not {ratio}");
    }
}

#[test]
fn a_wakeup_preempts_the_cpu_with_the_latest_deadline() {
    // Deadlines: 47.1 ms on CPU 0, 52.1 ms on CPU 1, 48.1 ms of the woken task.
    let bench = bfs(2).task("A", Normal, 0, 6_000, forever()).task("B", Normal, 0, 11_000, forever());
    let mut machine = bench.task("W", Normal, 0, 7_000, vec![run(1), sleep(4_500), run(1000)]).build();
    assert_eq!(machine.schedule(11_900), "6 A");
    assert!(machine.runtime_us("W") >= 390, "it runs at once");
}
