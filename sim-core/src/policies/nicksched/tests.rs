//! Worked examples of `spec/staircase-deadline.md` 5, HZ 1000.

use super::POLICIES;
use super::estimator::{SleepAccount, prio, slice};
use crate::kernel::testing::{Bench, repeat, run, sleep};
use crate::policy::SchedClass::Normal;

fn nicksched(cpus: u16) -> Bench {
    Bench::new(POLICIES, "nicksched", cpus, 1000)
}

#[test]
fn priority_follows_the_share_of_sleep() {
    assert_eq!([0, 250, 500, 750, 1000].map(|avg| prio(20, avg)), [130, 125, 120, 115, 110]);
    assert_eq!([prio(0, 0), prio(0, 1000), prio(39, 0), prio(39, 1000)], [120, 100, 139, 119]);
}

#[test]
fn slices_are_long_alone_and_short_behind_someone_better() {
    assert_eq!([slice(1, 130, 130), slice(1, 110, 130), slice(1, 110, 110), slice(1, 110, 120)], [95, 2, 45, 6]);
}

#[test]
fn the_account_fades_over_a_second() {
    let mut account = SleepAccount::default();
    account.add(1000, 100, true);
    assert_eq!(account, SleepAccount { total: 100_000, sleep: 100_000, avg: 1000 });
    account.add(1000, 100, false);
    assert_eq!(account, SleepAccount { total: 190_000, sleep: 90_000, avg: 473 });
    account.add(1000, 300, false);
    assert_eq!(account, SleepAccount { total: 433_000, sleep: 63_000, avg: 145 });
}

#[test]
fn two_hogs_alternate_by_95_ms() {
    assert_eq!(nicksched(1).hog("A", 0).hog("B", 0).schedule(300_000), "0 A, 95 B, 190 A, 285 B");
}

#[test]
fn nice_levels_share_by_their_slices() {
    for (nice, first) in [(10, 23), (19, 14)] {
        let schedule = nicksched(1).hog("A", 0).hog("B", nice).schedule(200_000);
        assert_eq!(schedule, format!("0 A, 95 B, {} A", 95 + first), "nice {nice}");
    }
}

#[test]
fn a_sleeper_preempts_at_once() {
    let program = repeat(vec![run(3000), sleep(47_000)]);
    let schedule = nicksched(1).task("I", Normal, 0, 0, program).hog("A", 0).schedule(105_000);
    assert_eq!(schedule, "0 I, 3 A, 50 I, 53 A, 100 I, 103 A");
}

#[test]
fn an_idle_cpu_pulls() {
    let mut machine = nicksched(2).hog("A", 0).hog("B", 0).hog("C", 0).build();
    machine.run_until(1_000_000);
    let total: u64 = ["A", "B", "C"].iter().map(|name| machine.runtime_us(name)).sum();
    assert!(total > 1_990_000, "{total}");
}
