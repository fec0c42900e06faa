//! Worked examples of textbooks, done by hand from the rules: `"0 A, 5 B"` = A from 0 ms, B from 5 ms on CPU 0.

use super::POLICIES;
use crate::kernel::testing::{Bench, repeat, run, sleep};
use crate::policy::SchedClass::Normal;
use crate::task::program::Op;

const MS: i64 = 1_000_000;

fn machine(key: &str) -> Bench {
    Bench::new(POLICIES, key, 1, 1000)
}

/// Jobs A, B, C ... by (arrival, length), ms.
fn jobs(bench: Bench, list: &[(u64, u64)]) -> Bench {
    let job = |bench: Bench, (index, &(at, length)): (usize, &(u64, u64))| {
        let name = char::from(b'A' + index as u8).to_string();
        bench.task(&name, Normal, 0, at * 1000, vec![run(length * 1000), Op::Exit])
    };
    list.iter().enumerate().fold(bench, job)
}

fn schedule(bench: Bench, list: &[(u64, u64)]) -> String {
    jobs(bench, list).schedule(10_000_000)
}

/// Round robin with turns of `quantum` ms.
fn round_robin(quantum: i64) -> Bench {
    machine("rr").set("quantum", quantum * MS)
}

fn feedback(quantum: i64) -> Bench {
    machine("mlfq").set("quantum", quantum * MS).set("boost", 0)
}

// ---- Three Easy Pieces, chapter 7, and its scheduler.py ------------------------------------------------------------

#[test]
fn jobs_that_come_together_run_in_their_order() {
    assert_eq!(schedule(machine("fcfs"), &[(0, 5), (0, 10), (0, 15)]), "0 A, 5 B, 15 C, 30 -");
    assert_eq!(schedule(machine("sjf"), &[(0, 5), (0, 10), (0, 15)]), "0 A, 5 B, 15 C, 30 -");
    assert_eq!(schedule(machine("sjf"), &[(0, 10), (0, 10), (0, 5)]), "0 C, 5 A, 15 B, 25 -");
}

#[test]
fn a_long_job_holds_up_those_behind_it() {
    // The convoy: B and C come 10 ms after A and wait for all of it, first come or shortest job.
    for rule in ["fcfs", "sjf"] {
        assert_eq!(schedule(machine(rule), &[(0, 100), (10, 10), (10, 10)]), "0 A, 100 B, 110 C, 120 -");
    }
    assert_eq!(schedule(machine("srtf"), &[(0, 100), (10, 10), (10, 10)]), "0 A, 10 B, 20 C, 30 A, 120 -");
}

#[test]
fn turns_go_round() {
    // scheduler.py -p RR -q 5 -l 10,15,20 ends its jobs at 20, 35 and 45, -q 1 -l 5,10,15 at 13, 24 and 30.
    let five = schedule(round_robin(5), &[(0, 10), (0, 15), (0, 20)]);
    assert_eq!(five, "0 A, 5 B, 10 C, 15 A, 20 B, 25 C, 30 B, 35 C, 45 -");
    let one = schedule(round_robin(1), &[(0, 5), (0, 10), (0, 15)]);
    assert!(one.starts_with("0 A, 1 B, 2 C, 3 A, 4 B, 5 C"), "{one}");
    assert!(one.contains("12 A, 13 B, 14 C") && one.ends_with("23 B, 24 C, 30 -"), "{one}");
}

// ---- Silberschatz, Galvin, Gagne, chapter 5 ------------------------------------------------------------------------

#[test]
fn four_jobs_by_their_length_and_by_what_is_left() {
    let list = [(0, 8), (1, 4), (2, 9), (3, 5)];
    assert_eq!(schedule(machine("sjf"), &list), "0 A, 8 B, 12 D, 17 C, 26 -");
    assert_eq!(schedule(machine("srtf"), &list), "0 A, 1 B, 5 D, 10 A, 17 C, 26 -");
}

#[test]
fn who_comes_at_an_instant_is_there_when_it_decides() {
    assert_eq!(schedule(machine("sjf"), &[(0, 4), (1, 3), (4, 1)]), "0 A, 4 C, 5 B, 8 -");
    // Both orders of newcomer and preempted job are taught.
    assert_eq!(schedule(round_robin(2), &[(0, 4), (2, 2)]), "0 A, 2 B, 4 A, 6 -");
    assert_eq!(schedule(round_robin(2).set("newcomers_first", 0), &[(0, 4), (2, 2)]), "0 A, 4 B, 6 -");
}

#[test]
fn an_equal_job_does_not_take_the_cpu_and_one_with_less_left_does() {
    assert_eq!(schedule(machine("srtf"), &[(0, 6), (2, 4)]), "0 A, 6 B, 10 -");
    assert_eq!(schedule(machine("srtf"), &[(0, 6), (2, 3)]), "0 A, 2 B, 5 A, 9 -");
}

#[test]
fn a_burst_ends_where_the_job_sleeps() {
    // S needs 2 ms at a time, H 5: S comes first again whenever it is there.
    let bursts = || repeat(vec![run(2000), sleep(3000)]);
    let bench =
        || machine("sjf").task("S", Normal, 0, 0, bursts()).task("H", Normal, 0, 0, repeat(vec![run(5000), sleep(1)]));
    assert_eq!(bench().schedule(14_500), "0 S, 2 H, 7 S, 9 H, 14 S");
    let bench = machine("srtf").task("S", Normal, 0, 0, bursts()).task("H", Normal, 0, 0, vec![run(50_000), Op::Exit]);
    assert_eq!(bench.schedule(12_500), "0 S, 2 H, 5 S, 7 H, 10 S, 12 H");
}

// ---- Three Easy Pieces, chapter 8, and its mlfq.py -----------------------------------------------------------------

#[test]
fn a_long_job_sinks_and_a_short_one_passes_it() {
    // mlfq.py -q 10 -l 0,180,0:100,20,0: A is at the bottom when B comes in at the top and is done in two turns.
    let mut run = jobs(feedback(10), &[(0, 180), (100, 20)]).build();
    assert_eq!(run.schedule(5_000), "0 A");
    assert_eq!(run.gauge(0, "level"), 0);
    assert_eq!(run.schedule(15_000), "");
    assert_eq!(run.gauge(0, "level"), 1);
    assert_eq!(run.schedule(105_000), "100 B");
    assert_eq!((run.gauge(0, "level"), run.gauge(1, "level")), (2, 0));
    assert_eq!(run.schedule(1_000_000), "120 A, 200 -");
}

#[test]
fn who_blocks_keeps_what_is_left_of_its_turn() {
    // I runs 4 ms between sleeps of 5: its turn of 10 ms is used up in its third stretch, and it goes down.
    let io = || repeat(vec![run(4000), sleep(5000)]);
    let mut run = feedback(10).task("I", Normal, 0, 0, io()).build();
    run.schedule(17_500);
    assert_eq!((run.gauge(0, "level"), run.gauge(0, "turn left")), (0, 2 * MS));
    run.schedule(22_500);
    assert_eq!(run.gauge(0, "level"), 1);
    // With a new turn after each sleep it stays up for ever: the way to cheat.
    let mut cheat = feedback(10).set("io_stay", 1).task("I", Normal, 0, 0, io()).build();
    cheat.schedule(900_500);
    assert_eq!(cheat.gauge(0, "level"), 0);
}

#[test]
fn a_boost_saves_who_starves() {
    // H sinks in 3 ms; two that never use up a turn keep the CPU from it.
    let bench = |boost: i64| {
        let short = || repeat(vec![run(1000), sleep(1000)]);
        let bench = feedback(1).set("io_stay", 1).set("boost", boost * MS).set("quantum", 2 * MS);
        bench.task("H", Normal, 0, 0, vec![run(500_000)]).task("X", Normal, 0, 0, short()).task(
            "Y",
            Normal,
            0,
            0,
            short(),
        )
    };
    let mut starved = bench(0).build();
    starved.run_until(300_000);
    let mut saved = bench(50).build();
    saved.run_until(300_000);
    assert!(
        saved.runtime_us("H") > starved.runtime_us("H") + 5_000,
        "{} against {}",
        saved.runtime_us("H"),
        starved.runtime_us("H")
    );
}

#[test]
fn lower_turns_can_be_longer_and_allotments_hold_several() {
    let doubling = jobs(feedback(10).set("doubling", 1), &[(0, 100), (0, 100)]);
    assert_eq!(doubling.schedule(150_500), "0 A, 10 B, 20 A, 40 B, 60 A, 100 B, 140 A");
    let two = jobs(feedback(10).set("allotment", 2), &[(0, 100), (15, 100)]);
    // A has two turns at the top; B comes in the middle of the second one, waits for its end and has two as well. Below
    // they take turns one by one.
    assert_eq!(two.schedule(60_500), "0 A, 20 B, 40 A, 50 B, 60 A");
}

// ---- Shares: chapter 9 and Waldspurger -----------------------------------------------------------------------------

#[test]
fn strides_follow_tickets_exactly() {
    // Nice 0 holds 1024 tickets, nice 5 335: strides 1 and 3.06.
    let mut run = machine("stride").hog("A", 0).hog("B", 5).build();
    assert_eq!(run.schedule(120_500), "0 A, 30 B, 40 A, 70 B, 80 A, 110 B, 120 A");
    run.run_until(13_590_000);
    let permille = run.runtime_us("A") * 1000 / run.runtime_us("B");
    assert!(permille.abs_diff(1024 * 1000 / 335) < 20, "{permille}");
}

#[test]
fn a_sleeper_has_no_claim_on_the_time_it_slept() {
    let mut run =
        machine("stride").hog("A", 0).task("S", Normal, 0, 0, vec![run(1000), sleep(500_000), run(900_000)]).build();
    run.run_until(701_000);
    // S is back at about 511 ms and gets half of what follows, not all until it has caught up.
    let got = run.runtime_us("S");
    assert!((85_000..=115_000).contains(&got), "{got}");
}

#[test]
fn tickets_win_in_proportion_and_the_seed_decides() {
    let run = || {
        let mut run = machine("lottery").set("quantum", MS).hog("A", 0).hog("B", 5).build();
        let text = run.schedule(10_000_000);
        (text, run.runtime_us("A") / 10_000)
    };
    let (text, permille) = run();
    assert!(permille.abs_diff(1024 * 1000 / 1359) < 20, "{permille}");
    assert_eq!(run().0, text);
}

#[test]
fn tickets_that_may_not_win_here_change_nothing_for_the_others() {
    // A and B have CPU 0 for themselves; C, which holds far more tickets, queues for CPU 1 at the end of each turn.
    let bench = Bench::new(POLICIES, "lottery", 2, 1000).set("quantum", MS);
    let bench = bench.hog("A", 0).cpus(&[0]).hog("B", 5).cpus(&[0]).hog("C", -10).cpus(&[1]);
    let mut run = bench.build();
    run.run_until(10_000_000);
    let permille = run.runtime_us("A") / 10_000;
    assert!(permille.abs_diff(1024 * 1000 / 1359) < 20, "{permille}");
}

#[test]
fn several_cpus_share_the_queue() {
    let mut run = jobs(Bench::new(POLICIES, "srtf", 2, 1000), &[(0, 10), (0, 4), (0, 6), (5, 1)]).build();
    // B and C are the shortest of those that come together. D takes the CPU of A, which has most left, not of C.
    assert_eq!(run.schedules(100_000), ["0 B, 4 A, 5 D, 6 A, 15 -", "0 C, 6 -"]);
}

#[test]
fn no_cpu_idles_while_somebody_waits_who_may_run_there() {
    // W may run anywhere and comes first; P has only CPU 0, and gets it when W gives it away.
    let polite = repeat(vec![run(2000), Op::Yield]);
    let bench = Bench::new(POLICIES, "fcfs", 3, 1000).task("W", Normal, 0, 0, polite);
    let mut run = bench.task("P", Normal, 0, 0, repeat(vec![run(5000)])).cpus(&[0]).build();
    assert_eq!(run.schedules(9_500), ["0 W, 2 P", "2 W", ""]);
}

#[test]
fn candidates_come_best_first() {
    use crate::inspect::Entity;
    use crate::units::{CpuId, TaskId};
    let named = |bench: Bench, until_us: u64| -> Vec<u32> {
        let mut run = bench.build();
        run.run_until(until_us);
        let mut named = Vec::new();
        run.sim.candidates(CpuId(0), &mut |one| named.push(one.entity));
        let id = |entity| match entity {
            Entity::Task(TaskId(id)) => id,
            Entity::Group(_) => unreachable!("nobody queues groups"),
        };
        named.into_iter().map(id).collect()
    };
    // B runs with 1 ms left; C came before D and is longer.
    assert_eq!(named(jobs(machine("srtf"), &[(0, 20), (1, 5), (2, 9), (3, 8)]), 5_000), [1, 3, 2, 0]);
    // Nobody takes the CPU from A, however long it is.
    assert_eq!(named(jobs(machine("sjf"), &[(0, 20), (1, 5), (2, 3)]), 5_000), [0, 2, 1]);
    // A has sunk to the bottom, B is at the top.
    assert_eq!(named(jobs(feedback(1), &[(0, 20), (10, 5)]), 10_500), [1, 0]);
}
