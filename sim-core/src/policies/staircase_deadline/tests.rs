//! Worked examples of `spec/staircase-deadline.md` 2.9 (each was also run on the real code), rr_interval 8, 1000 Hz.

use super::POLICIES;
use crate::kernel::Change;
use crate::kernel::testing::{Bench, forever, repeat, run, sleep};
use crate::policy::SchedClass::{Batch, Iso, Normal};
use crate::task::program::Op;

fn sd(interactive: i64) -> Bench {
    Bench::new(POLICIES, "sd-ck", 1, 1000).set("rr_interval", 8).set("interactive", interactive)
}

#[test]
fn two_hogs_step_down_the_odd_slots_and_get_the_first_twice_after_the_swap() {
    let mut machine = sd(0).hog("A", 0).hog("B", 0).build();
    assert_eq!(machine.schedule(40_000), "0 A, 8 B, 16 A, 24 B, 32 A");
    assert_eq!(machine.gauge(0, "prio"), 105);
    machine.run_until(312_001);
    assert_eq!((machine.gauge(0, "prio"), machine.gauge(1, "prio")), (101, 139));
    // Rotation 1 begins at 320; slot 1 is granted twice.
    machine.run_until(328_001);
    assert_eq!((machine.gauge(0, "rotation"), machine.gauge(0, "prio")), (1, 101));
    machine.run_until(345_000);
    assert_eq!(machine.gauge(0, "prio"), 103);
    // 336 ms a rotation: the next swap is at 656.
    machine.run_until(655_900);
    assert_eq!(machine.gauge(1, "rotation"), 1);
    machine.run_until(656_001);
    assert_eq!(machine.gauge(0, "rotation"), 2);
}

#[test]
fn without_the_quirk_a_rotation_of_two_hogs_takes_320_ms() {
    let mut machine = sd(0).set("double_first_slot", 0).hog("A", 0).hog("B", 0).build();
    machine.run_until(639_900);
    assert_eq!(machine.gauge(1, "rotation"), 1);
    machine.run_until(640_001);
    assert_eq!(machine.gauge(0, "rotation"), 2);
}

#[test]
fn long_run_shares_follow_quotas_times_slots() {
    // A nice, B nice, hundredths of A:B after many rotations.
    let ratios = [
        (0, 0, 100),
        (0, 1, 210),
        (0, 5, 262),
        (0, 10, 382),
        (0, 15, 700),
        (0, 19, 2106),
        (-10, 0, 369),
        (-20, 0, 1955),
        (5, 10, 145),
    ];
    for (a, b, ratio) in ratios {
        let mut machine = sd(0).hog("A", a).hog("B", b).build();
        machine.run_until(100_000_000);
        let got = machine.runtime_us("A") * 100 / machine.runtime_us("B");
        assert!(got.abs_diff(ratio) <= ratio / 50, "nice {a} to {b}: {got}, not {ratio}");
    }
}

#[test]
fn quotas_are_the_interval_above_nice_zero_and_half_of_it_below() {
    for (nice, quota) in [(-20, 80), (-10, 20), (-7, 9), (-6, 8), (0, 8), (1, 4), (19, 4)] {
        let mut machine = sd(0).hog("A", nice).build();
        machine.run_until(500);
        assert_eq!(machine.gauge(0, "quota"), quota * 1_000_000, "nice {nice}");
    }
}

#[test]
fn nice_0_and_10_share_their_common_slots() {
    assert_eq!(sd(0).hog("A", 0).hog("B", 10).schedule(60_000), "0 A, 8 B, 12 A, 28 B, 32 A, 48 B, 52 A");
}

#[test]
fn a_first_wakeup_joins_the_slot_that_its_level_has_reached() {
    let schedule = sd(0).hog("A", 0).task("S", Normal, 0, 100_000, forever()).schedule(125_000);
    assert_eq!(schedule, "0 A, 104 S, 112 A, 120 S");
}

#[test]
fn with_interactive_a_first_wakeup_starts_at_the_top() {
    let schedule = sd(1).hog("A", 0).task("S", Normal, 0, 100_000, forever()).schedule(217_000);
    assert_eq!(schedule, "0 A, 100 S, 196 A, 200 S, 208 A, 216 S");
}

#[test]
fn a_sleeper_finds_the_rest_of_its_slot() {
    let program = vec![run(2000), sleep(48_000), run(2000), sleep(48_000), run(4000), sleep(50_000)];
    for interactive in [0, 1] {
        let machine = sd(interactive).task("S", Normal, 0, 0, program.clone()).hog("A", 0);
        assert_eq!(machine.schedule(105_000), "0 S, 2 A, 50 S, 52 A, 100 S, 104 A");
    }
}

#[test]
fn a_yield_loses_the_rest_of_the_rotation() {
    let program = vec![run(12_000), Op::Yield, run(1_000_000)];
    let schedule = sd(0).task("A", Normal, 0, 0, program).hog("B", 0).schedule(200_000);
    assert_eq!(schedule, "0 A, 8 B, 16 A, 20 B, 172 A, 180 B, 188 A, 196 B");
}

#[test]
fn a_fork_halves_the_rest_and_the_parent_goes_on() {
    let program = vec![run(2000), Op::Fork(2), run(1_000_000)];
    let schedule = sd(0).task("P", Normal, 0, 0, program).hog("H", 0).task("K", Normal, 0, None, forever());
    assert_eq!(schedule.schedule(40_000), "0 P, 5 H, 13 K, 16 P, 24 H, 32 K");
}

#[test]
fn an_early_exit_gives_the_rest_back_up_to_a_quota() {
    let program = vec![run(3000), Op::Fork(1), run(1_000_000)];
    let child = vec![run(1000)];
    let mut machine = sd(0).task("P", Normal, 0, 0, program).task("K", Normal, 0, None, child).build();
    assert_eq!(machine.schedule(7_500), "0 P, 6 K, 7 P");
    assert_eq!(machine.gauge(0, "time_slice"), 8_000_000);
    assert_eq!(machine.gauge(0, "prio"), 103);
}

#[test]
fn a_level_expires_when_a_better_one_has_expired() {
    let program = vec![run(1000), Op::Yield, run(1_000_000)];
    let a = Bench::task(sd(0).hog("C", 5), "A", Normal, 0, 49_000, program);
    let mut machine = a.build();
    machine.run_until(60_000);
    // C's slot ends at a tick after A's yield; it goes to expired although it has slots left, and the arrays swap.
    assert_eq!(machine.gauge(1, "rotation"), 1);
}

#[test]
fn batch_has_as_many_slots_but_later_ones() {
    let mut machine = sd(0).task("B", Batch, 0, 0, forever()).build();
    machine.run_until(1_000);
    assert_eq!((machine.gauge(0, "prio"), machine.gauge(0, "slots left")), (120, 19));
    machine.run_until(9_000);
    assert_eq!(machine.gauge(0, "prio"), 121);
}

#[test]
fn an_endless_iso_task_keeps_its_privilege_for_four_seconds() {
    let mut machine = sd(1).task("I", Iso, 0, 0, forever()).hog("N", 0).build();
    assert_eq!(machine.schedule(4_050_900), "0 I");
    let later = machine.schedule(4_100_000);
    assert!(later.starts_with("4051 N"), "{later}");
}

#[test]
fn equal_hogs_switch_1000_times_rr_per_second() {
    for (rr, switches) in [(5, 200), (8, 125), (15, 67), (24, 42), (100, 10)] {
        let mut machine = sd(0).set("rr_interval", rr).hog("A", 0).hog("B", 0).build();
        machine.run_until(10_000_000);
        let got = machine.sim.kernel().switches() / 10;
        assert!(got.abs_diff(switches) <= 1 + switches / 100, "rr {rr}: {got}");
    }
}

#[test]
fn eight_hogs_wait_seven_quotas_for_their_next_turn() {
    let mut bench = sd(0).set("rr_interval", 15);
    for name in ["a", "b", "c", "d", "e", "f", "g", "h"] {
        bench = bench.hog(name, 0);
    }
    assert_eq!(bench.schedule(136_000), "0 a, 15 b, 30 c, 45 d, 60 e, 75 f, 90 g, 105 h, 120 a, 135 b");
}

#[test]
fn a_moved_interval_reaches_a_task_at_its_next_activation() {
    let mut machine = sd(0).hog("A", 0).task("S", Normal, 0, 0, repeat(vec![run(1000), sleep(5000)])).build();
    machine.run_until(20_000);
    machine.apply(&Change::Tunable { index: 0, value: 20 });
    machine.run_until(40_000);
    assert_eq!((machine.gauge(0, "quota"), machine.gauge(1, "quota")), (8_000_000, 20_000_000));
}
