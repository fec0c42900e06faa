//! Worked examples of the specification (modern.md section 10).

use super::entity::{calc_delta, inverse};
use crate::queues::nice;

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
