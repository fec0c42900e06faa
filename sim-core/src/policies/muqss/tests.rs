//! Worked examples of `spec/staircase-deadline.md` 7, rr_interval 6.

use super::POLICIES;
use crate::kernel::testing::{Bench, forever, run, sleep};
use crate::policy::SchedClass::{Batch, Idle, Iso, Normal};
use crate::task::program::Op;

fn muqss(cpus: u16) -> Bench {
    Bench::new(POLICIES, "muqss", cpus, 1000)
}

#[test]
fn slices_end_by_the_timer_and_not_at_a_tick() {
    // 6 "ms" of 2^20 ns.
    assert_eq!(muqss(1).hog("A", 0).hog("B", 0).schedule(20_000), "0 A, 6.291 B, 12.582 A, 18.874 B");
}

#[test]
fn tasks_run_in_the_order_of_their_deadlines() {
    let schedule = muqss(1).hog("late", 10).hog("early", -10).hog("middle", 0).schedule(13_000);
    // "early" has 15.9 ms, renewed at 6.29 ms to 22.2 ms, both before the 41.1 ms of "middle".
    assert_eq!(schedule, "0 late, 0 early");
}

/// Two CPUs with a running task each; then C (nice 5) queues on CPU 0 and D (nice 0), with the earlier deadline, on
/// CPU 1. A ends at 3 ms.
fn two_queues(interactive: i64, c: Vec<Op>) -> Bench {
    let later = |bench: Bench, name, nice, program| bench.task(name, Normal, nice, 1_000, program);
    let bench = muqss(2).set("interactive", interactive).task("A", Normal, 0, 0, vec![run(3000)]).hog("B", 0);
    later(later(bench, "C", 5, c), "D", 0, forever())
}

#[test]
fn interactive_takes_the_earliest_deadline_of_all_cpus() {
    assert_eq!(two_queues(1, forever()).schedule(5_000), "0 A, 3 D");
}

#[test]
fn otherwise_only_a_longer_queue_is_looked_at() {
    // One entry here and one there: its own.
    assert_eq!(two_queues(0, forever()).schedule(5_000), "0 A, 3 C");
    // One here and two there, once C is over.
    let more = ["E", "F"];
    let bench = more
        .into_iter()
        .fold(two_queues(0, vec![run(1000)]), |bench, name| bench.task(name, Normal, 5, 1_000, forever()));
    assert_eq!(bench.schedule(5_000), "0 A, 3 C, 4 D");
}

#[test]
fn a_wakeup_preempts_the_first_worse_cpu_not_the_worst() {
    // Deadlines: 66 ms on CPU 0, 106 ms on CPU 1, 42 ms of the woken task.
    let preempted =
        |bench: Bench| bench.hog("A", 5).hog("B", 10).task("W", Normal, 0, 1_000, forever()).schedule(3_000);
    assert_eq!(preempted(muqss(2)), "0 A, 1 W");
    assert_eq!(preempted(Bench::new(crate::policies::bfs::POLICIES, "bfs", 2, 1000)), "0 A");
}

#[test]
fn idleprio_comes_last_whatever_its_deadline() {
    let schedule =
        muqss(1).task("i", Idle, -20, 0, forever()).task("n", Normal, 19, 1_000, vec![run(3000)]).schedule(10_000);
    assert_eq!(schedule, "0 i, 1 n, 4 i");
}

#[test]
fn a_batch_task_does_not_preempt() {
    let program = |class| muqss(1).hog("A", 10).task("B", class, 0, 1_500, vec![run(1000)]).schedule(5_000);
    assert_eq!(program(Batch), "0 A");
    assert_eq!(program(Normal), "0 A, 1.5 B, 2.5 A");
}

#[test]
fn a_sleeper_keeps_its_deadline() {
    let program = vec![run(1000), sleep(13_000), run(1000)];
    let mut machine = muqss(1).task("I", Normal, 0, 0, program).hog("A", 0).build();
    machine.run_until(13_500);
    assert_eq!(machine.gauge(0, "deadline"), 41_091_072);
    assert_eq!(machine.schedule(15_500), "0 I, 1 A, 14 I, 15 A");
}

#[test]
fn an_iso_task_is_cut_after_about_six_seconds() {
    let mut machine = muqss(1).task("I", Iso, 0, 0, forever()).hog("N", 0).build();
    assert_eq!(machine.schedule(5_990_000), "0 I");
    // 1 - e^(-t/5) passes 0.7 at 6.02 s; truncation at every tick makes it a little later.
    machine.run_until(6_150_000);
    assert!(machine.runtime_us("N") > 1_000);
}

#[test]
fn three_hogs_share_two_cpus_unless_their_slices_end_together() {
    let shares = |start: u64| {
        let mut machine = muqss(2)
            .hog("A", 0)
            .task("B", Normal, 0, start, forever())
            .task("C", Normal, 0, start * 2, forever())
            .build();
        machine.run_until(3_000_000);
        ["A", "B", "C"].map(|name| machine.runtime_us(name) / 100_000)
    };
    // With ends at the same instant a CPU finds its own task first and keeps it.
    assert!(shares(0)[1] >= 29, "{:?}", shares(0));
    assert!(shares(2_000).iter().all(|share| (18..=21).contains(share)), "{:?}", shares(2_000));
}

#[test]
fn no_cpu_idles_beside_waiting_tasks_in_either_mode() {
    for interactive in [0, 1] {
        let mut bench = muqss(2).set("interactive", interactive);
        for name in ["a", "b", "c", "d"] {
            bench = bench.hog(name, 0);
        }
        let mut machine = bench.build();
        machine.run_until(1_000_000);
        let total: u64 = ["a", "b", "c", "d"].iter().map(|name| machine.runtime_us(name)).sum();
        assert!(total >= 1_999_990, "no CPU idles: {total}");
    }
}
