//! Worked examples, done by hand from the rules before the code: `"0 A, 100 B"` = A from 0 ms, B from 100 ms on CPU 0.

use super::POLICIES;
use crate::kernel::testing::{Bench, run, sleep};
use crate::policy::SchedClass::Normal;

fn template(cpus: u16) -> Bench {
    Bench::new(POLICIES, "template", cpus, 1000)
}

#[test]
fn two_hogs_take_turns() {
    // 1000 Hz / 10 = 100 ticks of 1 ms each.
    assert_eq!(template(1).hog("A", 0).hog("B", 0).schedule(350_500), "0 A, 100 B, 200 A, 300 B");
}

#[test]
fn a_sleeper_waits_for_its_place_on_the_list() {
    // S sleeps from 1 to 51 ms and joins the end: behind A, which has its turn until 101 ms.
    let program = vec![run(1000), sleep(50_000), run(1000)];
    assert_eq!(template(1).task("S", Normal, 0, 0, program).hog("A", 0).schedule(150_500), "0 S, 1 A, 101 S, 102 A");
}
