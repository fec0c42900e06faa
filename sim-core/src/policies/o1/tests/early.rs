//! 3.10 (January 2002) and 4.3 (the 2.4 backport).

use super::*;

#[test]
fn nice_levels_have_the_priorities_of_their_release() {
    for (key, want) in
        [("o1-2.5.2-c1", [24, 44, 63]), ("o1-2.5.2-pre10", [128, 148, 167]), ("o1-2.4-ac", [100, 120, 139])]
    {
        let got = [-20, 0, 19].map(|nice| {
            let policy = scheduler(key, 100, nice);
            policy.shown(policy.data(A).static_prio)
        });
        assert_eq!(got, want, "{key}");
    }
}

#[test]
fn the_sleep_history_gives_a_penalty() {
    for (sum, into_second, c1, pre10) in [(0, 0, 63, 161), (300, 0, 44, 148), (150, 0, 54, 154), (175, 50, 54, 154)] {
        for (key, want) in [("o1-2.5.2-c1", c1), ("o1-2.5.2-pre10", pre10)] {
            let mut policy = scheduler(key, 100, 0);
            policy.data_mut(A).history = [sum, 0, 0, 0];
            policy.set_penalty(A, 1000 + into_second);
            assert_eq!(policy.shown(policy.data(A).prio), want, "{key}, {sum} ticks slept");
        }
    }
}

#[test]
fn a_deep_sleeper_has_no_penalty_and_a_hog_at_nice_minus_20_is_worse_than_it() {
    let mut policy = scheduler("o1-2.5.2-pre10", 100, 0);
    policy.estimate_activation(A, 450);
    assert_eq!(policy.data(A).history, [50, 100, 100, 100]);
    assert_eq!(policy.data(A).prio, 148);
    let mut hog = scheduler("o1-2.5.2-c1", 100, -20);
    hog.set_penalty(A, 1000);
    assert_eq!(hog.shown(hog.data(A).prio), 45);
}

#[test]
fn slices_follow_the_dynamic_priority_in_january() {
    let slices = [-20i8, -17, -10, 0, 10, 19].map(|nice| scheduler("o1-2.5.2-pre10", 100, nice).timeslice(A));
    assert_eq!(slices, [15, 14, 12, 9, 5, 2]);
}

/// CPU 0 of `[0,3,1,1]` pulls one task and stops; `[8,16]` is evened out.
#[test]
fn january_balancing_evens_queue_lengths() {
    let hogs = |cpus: &[u16]| {
        cpus.iter().map(|&cpu| TaskSpec { start_cpu: Some(CpuId(cpu)), ..task("h", 0, vec![FOR_EVER]) }).collect()
    };
    let mut sim = machine("o1-2.5.2", 100, TopologySpec::flat(4), hogs(&[1, 1, 1, 2, 3]));
    assert_eq!(sim.run_until(240 * MS, u64::MAX), RunStatus::Reached);
    assert_eq!(lengths(&sim), [0, 3, 1, 1]);
    assert_eq!(sim.run_until(250 * MS, u64::MAX), RunStatus::Reached);
    assert_eq!(lengths(&sim), [1, 2, 1, 1]);

    let cpus: Vec<u16> = (0..24).map(|task| u16::from(task >= 8)).collect();
    let mut sim = machine("o1-2.5.2-pre10", 100, TopologySpec::flat(2), hogs(&cpus));
    assert_eq!(lengths(&sim), [0, 0]);
    assert_eq!(sim.run_until(10 * MS, u64::MAX), RunStatus::Reached);
    assert_eq!(lengths(&sim), [12, 12]);
}

#[test]
fn k3_bonus_and_interactivity_follow_ticks_slept() {
    let mut policy = scheduler("o1-2.4-ac", 100, 0);
    let mut interactive_from = None;
    for (sleep_avg, want) in [(0, 125), (20, 124), (100, 120), (120, 119), (140, 118), (199, 116), (200, 115)] {
        policy.data_mut(A).sleep_avg = sleep_avg;
        policy.data_mut(A).prio = policy.effective_prio(A);
        assert_eq!(policy.data(A).prio, want, "sleep_avg {sleep_avg}");
        if policy.is_interactive(A) && interactive_from.is_none() {
            interactive_from = Some(sleep_avg);
        }
    }
    assert_eq!(interactive_from, Some(140));
    let slices = [-20i8, -10, 0, 10, 19].map(|nice| scheduler("o1-2.4-ac", 100, nice).timeslice(A));
    assert_eq!(slices, [30, 22, 15, 7, 1]);
}

#[test]
fn a_bonus_ratio_of_70_gives_the_range_of_j4() {
    let mut policy = scheduler("o1-2.4-ac", 100, 0);
    policy.params.bonus_ratio = 70;
    let bonuses = [0, 50, 100, 150, 200].map(|sleep_avg| policy.bonus(&TaskData { sleep_avg, ..TaskData::default() }));
    assert_eq!(bonuses, [-14, -7, 0, 7, 14]);
}

#[test]
fn k3_balances_when_a_quarter_is_missing() {
    let wants = [([1, 3], [2, 2]), ([3, 5], [3, 5]), ([1, 5], [2, 4])];
    for (before, after) in wants {
        let cpus = (0..before[0] + before[1]).map(|index| CpuId(u16::from(index >= before[0])));
        let tasks = cpus.map(|cpu| TaskSpec { start_cpu: Some(cpu), ..task("h", 0, vec![FOR_EVER]) }).collect();
        let mut sim = machine("o1-2.4-ac", 100, TopologySpec::flat(2), tasks);
        // The first call only remembers lengths. The second finds one task to take, or none: all wait in one array.
        assert_eq!(sim.run_until(500 * MS, u64::MAX), RunStatus::Reached);
        let lengths = lengths(&sim);
        assert!(lengths == after || before == [1, 5] && lengths == [3, 3], "{before:?} became {lengths:?}");
    }
}

#[test]
fn interactive_tasks_expire_when_expired_ones_starve() {
    for (jiffies, starving) in [(1600, false), (1601, true)] {
        let mut sim = machine("o1-2.4-ac", 100, TopologySpec::flat(1), vec![task("h", 0, vec![FOR_EVER]); 3]);
        assert_eq!(sim.run_until(MS, u64::MAX), RunStatus::Reached);
        let mut policy = sim.policy().clone();
        policy.rqs[0].expired_timestamp = 1000;
        assert_eq!(policy.expired_starving(CpuId(0), 120, jiffies).is_some(), starving);
    }
}
