//! 5.12 (2.6).

use super::*;

#[test]
fn slices_of_2_6_by_hz() {
    let nices = [-20i8, -10, -1, 0, 1, 5, 10, 15, 18, 19];
    for (hz, want) in [
        (1000, [800, 600, 420, 100, 95, 75, 50, 25, 10, 5]),
        (250, [200, 150, 105, 25, 23, 18, 12, 6, 2, 1]),
        (100, [80, 60, 42, 10, 9, 7, 5, 2, 1, 1]),
    ] {
        assert_eq!(nices.map(|nice| scheduler("o1-2.6.21", hz, nice).timeslice(A)), want, "HZ {hz}");
    }
}

#[test]
fn bonus_of_2_6_counts_whole_tenths() {
    let policy = scheduler("o1-2.6.21", 1000, 0);
    for (ms, want) in [(0, 0), (99, 0), (100, 1), (499, 4), (500, 5), (799, 7), (900, 9), (999, 9), (1000, 10)] {
        assert_eq!(policy.current_bonus(ms * MS), want, "{ms} ms");
    }
    for (nice, ms, want) in [(0, 0, 125), (0, 500, 120), (0, 700, 118), (0, 1000, 115), (-20, 1000, 100), (19, 0, 139)]
    {
        let mut policy = scheduler("o1-2.6.21", 1000, nice);
        policy.data_mut(A).sleep_avg = ms * MS;
        assert_eq!(policy.effective_prio(A), want, "nice {nice}, {ms} ms");
    }
}

#[test]
fn the_bonus_is_that_of_the_two_divisions_everywhere() {
    for hz in [100, 250, 300, 1000] {
        let policy = scheduler("o1-2.6.21", hz, 0);
        let params = &policy.params;
        let divided = |sleep: u64| sleep / params.jiffy_ns * params.bonus_max / params.max_sleep_avg;
        let jiffies = (0..=params.max_sleep_avg + 50).map(|jiffy| jiffy * params.jiffy_ns);
        for sleep in jiffies.flat_map(|at| [at.saturating_sub(1), at, at + 1]) {
            assert_eq!(policy.current_bonus(sleep), divided(sleep), "{sleep} ns, HZ {hz}");
        }
    }
}

#[test]
fn interactivity_by_bonus_and_nice() {
    for (nice, want) in
        [(-20, "11111111100"), (-10, "11111110000"), (0, "11110000000"), (10, "11000000000"), (19, "00000000000")]
    {
        let policy = scheduler("o1-2.6.21", 1000, nice);
        let flags: String = (0..=10).map(|less| if less - 5 <= -policy.by_nice(A).delta { '1' } else { '0' }).collect();
        assert_eq!(flags, want, "nice {nice}");
    }
}

#[test]
fn delta_rounds_toward_zero_up_to_2_6_15_and_down_later() {
    for (nice, old, new) in [(-19, -2, -3), (-10, 0, -1), (-5, 1, 0), (-1, 2, 1), (-20, -3, -3), (10, 4, 4), (19, 6, 6)]
    {
        assert_eq!(scheduler("o1-2.6.15", 1000, nice).by_nice(A).delta, old, "nice {nice}");
        assert_eq!(scheduler("o1-2.6.21", 1000, nice).by_nice(A).delta, new, "nice {nice}");
    }
}

#[test]
fn hogs_alternate_by_whole_slices() {
    let hogs = |nices: &[i8]| nices.iter().map(|&nice| task("h", nice, vec![FOR_EVER])).collect();
    let mut sim = machine("o1-2.6.21", 1000, TopologySpec::flat(1), hogs(&[0, 0]));
    assert_eq!(switches(&mut sim, 350 * MS), ["0 ->a", "100 a>b", "200 b>a", "300 a>b"]);
    let mut sim = machine("o1-2.6.21", 1000, TopologySpec::flat(1), hogs(&[0, 10]));
    assert_eq!(switches(&mut sim, 310 * MS), ["0 ->a", "100 a>b", "150 b>a", "250 a>b", "300 b>a"]);
    let mut sim = machine("o1-2.6.21", 1000, TopologySpec::flat(1), hogs(&[0, 19]));
    assert_eq!(switches(&mut sim, 210 * MS), ["0 ->a", "100 a>b", "105 b>a", "205 a>b", "210 b>a"]);
}

#[test]
fn an_interactive_task_that_turns_into_a_hog_keeps_the_cpu_until_others_starve() {
    let hog = task("a", 0, vec![FOR_EVER]);
    let turned = TaskSpec { init: Some(1000 * MS as i64), ..task("b", 0, vec![FOR_EVER]) };
    let mut sim = machine("o1-2.6.21", 1000, TopologySpec::flat(1), vec![hog, turned]);
    let got = switches(&mut sim, 2850 * MS);
    assert_eq!(got, ["0 ->a", "0 a>b", "2200 b>a", "2300 a>b", "2600 b>a", "2700 a>b", "2800 b>a"]);
}

/// `sleep_avg` (ms) and priority after a sleep.
fn after_sleep(key: &'static str, from_ms: u64, slept_ms: u64, sleep_type: SleepType) -> (u64, u8) {
    let mut policy = scheduler(key, 1000, 0);
    policy.data_mut(A).sleep_avg = from_ms * MS;
    policy.data_mut(A).sleep_type = sleep_type;
    let prio = policy.recalc_task_prio(A, slept_ms * MS);
    (policy.data(A).sleep_avg / MS, prio)
}

#[test]
fn sleep_is_credited_as_in_2_6_15_and_2_6_21() {
    let (normal, involuntary) = (SleepType::Normal, SleepType::NonInteractive);
    assert_eq!(after_sleep("o1-2.6.15", 200, 300, normal), (1000, 115));
    assert_eq!(after_sleep("o1-2.6.21", 200, 300, normal), (500, 120));
    assert_eq!(after_sleep("o1-2.6.15", 0, 900, normal), (900, 116));
    assert_eq!(after_sleep("o1-2.6.21", 0, 900, normal), (799, 118));
    assert_eq!(after_sleep("o1-2.6.15", 600, 300, involuntary), (799, 118));
    assert_eq!(after_sleep("o1-2.6.21", 600, 300, involuntary), (799, 118));
}

#[test]
fn a_run_costs_less_the_larger_the_bonus() {
    let mut policy = scheduler("o1-2.6.21", 1000, 0);
    for (sleep_avg_ms, want_ms) in [(1000, 5), (0, 50), (100, 50)] {
        policy.data_mut(A).sleep_avg = sleep_avg_ms * MS;
        assert_eq!(policy.run_charge(A, 50 * MS), want_ms * MS);
    }
}

/// a waits on the queue for 10 ms after a wakeup by a task: 38/128 of it count as sleep.
#[test]
fn queue_wait_counts_as_sleep_in_part() {
    let fifo = TaskSpec {
        class: SchedClass::Fifo,
        rt_priority: 1,
        ..task(
            "b",
            0,
            vec![
                Op::Run(Amount::fixed(20 * MS)),
                Op::Signal { channel: 0, count: 1, sync: false },
                Op::Run(Amount::fixed(10 * MS)),
            ],
        )
    };
    let waiter = task("a", 0, vec![Op::Wait(0), FOR_EVER]);
    let started_later = TaskSpec { start: Some(MS), ..fifo };
    let mut sim = machine("o1-2.6.21", 1000, TopologySpec::flat(1), vec![waiter, started_later]);
    assert_eq!(switches(&mut sim, 32 * MS), ["0 ->a", "0 a>-", "1 ->b", "31 b>a"]);
    let data = sim.policy().data(A);
    // Slept 21 ms, then waited 10 ms.
    assert_eq!(data.sleep_avg, 21 * MS + 10 * MS * 38 / 128);
    assert_eq!(data.sleep_type, SleepType::Normal);
}

#[test]
fn a_child_gets_half_the_slice_and_most_of_the_bonus() {
    let mut policy = scheduler("o1-2.6.21", 1000, 0);
    let child = TaskId(1);
    policy.data_mut(A).time_slice = 7;
    policy.data_mut(A).sleep_avg = 750 * MS;
    policy.share_slice(A, child);
    assert_eq!((policy.data(A).time_slice, policy.data(child).time_slice), (3, 4));
    assert_eq!(policy.rounded_sleep_avg(child, policy.params.child_penalty), 600 * MS);
    for (bonus, want) in [(10, 900), (5, 400), (1, 0)] {
        policy.data_mut(child).sleep_avg = bonus * 100 * MS;
        assert_eq!(policy.rounded_sleep_avg(child, policy.params.child_penalty), want * MS);
    }
}

#[test]
fn load_weights_follow_slices() {
    let weights = [-20i8, -10, -5, 0, 5, 10, 19].map(|nice| scheduler("o1-2.6.21", 1000, nice).by_nice(A).weight);
    assert_eq!(weights, [1024, 768, 640, 128, 96, 64, 6]);
    let weights = [5i8, 10, 19].map(|nice| scheduler("o1-2.6.21", 250, nice).by_nice(A).weight);
    assert_eq!(weights, [92, 61, 5]);
}

/// The waker is alone on CPU 0, the sleeper's CPU 1 idles.
#[test]
fn a_sync_wakeup_pulls_the_sleeper_and_another_does_not() {
    for (sync, cpu) in [(true, 0), (false, 1)] {
        let sleeper = TaskSpec { start_cpu: Some(CpuId(1)), ..task("a", 0, vec![Op::Wait(0), FOR_EVER]) };
        let waker =
            task("b", 0, vec![Op::Run(Amount::fixed(50 * MS)), Op::Signal { channel: 0, count: 1, sync }, FOR_EVER]);
        let mut sim = machine("o1-2.6.21", 1000, TopologySpec::flat(2), vec![sleeper, waker]);
        assert_eq!(sim.run_until(50 * MS, u64::MAX), RunStatus::Reached);
        assert_eq!(sim.kernel().task(A).cpu, CpuId(cpu), "sync {sync}");
    }
}

/// Two nice-0 tasks against one stays for ever: the visible unfairness of O(1).
#[test]
fn two_against_one_is_balanced() {
    let hogs = [0, 0, 1].map(|cpu| TaskSpec { start_cpu: Some(CpuId(cpu)), ..task("h", 0, vec![FOR_EVER]) });
    let mut sim = machine("o1-2.6.21", 1000, TopologySpec::flat(2), hogs.to_vec());
    assert_eq!(sim.run_until(3000 * MS, u64::MAX), RunStatus::Reached);
    assert_eq!((lengths(&sim), sim.kernel().migrations()), (vec![2, 1], 0));
    assert_eq!(sim.policy().weighted_load(CpuId(0)), 256);
}
