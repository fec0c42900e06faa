//! Every kind of workload and every built-in runs: nothing faults, and each does the work that it is named for.

use sim_core::engine::protocol::TaskView;
use sim_core::kernel::Change;
use sim_core::kernel::record::Event;
use sim_core::kernel::sim::{DynSim, RunStatus};
use sim_core::scenario::compile::{Compiled, compile_for};
use sim_core::scenario::{builtins, catalogue, parse, schema::Scenario};
use sim_core::units::TaskId;

const SECOND: u64 = 1_000_000_000;

fn compiled(scenario: &Scenario, policy: &str) -> Compiled {
    let entry = sim_core::policies::find(policy).unwrap_or_else(|| panic!("{policy} is registered"));
    compile_for(scenario, 0, entry).unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// Runs for `until` ns with the changes of the scenario; gives marks per name and the response times of each.
fn run(compiled: &Compiled, until: u64) -> Vec<(String, Vec<u64>, u64)> {
    let mut sim = (compiled.entry.build)(compiled.entry.info.key, compiled.config.clone(), &compiled.tunables);
    let mut marks: Vec<(String, Vec<u64>, u64)> =
        compiled.marks.iter().map(|name| (name.clone(), Vec::new(), 0)).collect();
    for (at, change) in &compiled.changes {
        advance(sim.as_mut(), at.saturating_sub(1), &mut marks);
        sim.apply(*at, change);
    }
    advance(sim.as_mut(), until, &mut marks);
    sim.check_invariants();
    marks
}

fn advance(sim: &mut dyn DynSim, until: u64, marks: &mut [(String, Vec<u64>, u64)]) {
    let mut records = Vec::new();
    loop {
        let status = sim.run_until(until, 100_000);
        sim.drain_records(&mut records);
        for record in records.drain(..) {
            if let Event::Mark { mark, response, .. } = record.event {
                let (_, responses, count) = &mut marks[usize::from(mark)];
                responses.extend(response);
                *count += 1;
            }
        }
        match status {
            RunStatus::Reached => return,
            RunStatus::Paused => {}
            RunStatus::Faulted(fault) => panic!("{fault:?}"),
        }
    }
}

fn one(workload: &str, cores: u16) -> Scenario {
    let text = format!(
        r#"{{"v":1,"seed":3,"duration_ns":5000000000,"machine":{{"cores":{cores}}},
        "lanes":[{{"policy":"o1-2.6.21"}}],"workloads":[{workload}]}}"#
    );
    parse(&text).unwrap_or_else(|problems| panic!("{problems:?}")).0
}

#[test]
fn every_kind_does_its_work() {
    for kind in catalogue().kinds {
        if kind.key == "program" || kind.key == "hog" {
            continue;
        }
        let count = kind.count_default;
        let params = if kind.key == "kernbench" { r#","params":{"files":6,"work":5000000}"# } else { "" };
        let scenario = one(&format!(r#"{{"name":"w","kind":"{}","count":{count}{params}}}"#, kind.key), 2);
        for (name, responses, count) in run(&compiled(&scenario, "o1-2.6.21"), 2 * SECOND) {
            assert!(count > 0, "{}: nobody marked {name}", kind.key);
            assert!(responses.iter().all(|&ns| ns <= 2 * SECOND), "{}: {name}", kind.key);
        }
    }
}

#[test]
fn every_built_in_runs_with_its_own_policy_or_the_first_there_is() {
    for builtin in builtins::BUILTINS {
        let scenario = builtin.scenario();
        let policy = scenario.lanes[0].policy.clone();
        let policy = if sim_core::policies::find(&policy).is_some() { policy } else { "o1-2.6.21".into() };
        for (name, _, count) in run(&compiled(&scenario, &policy), scenario.duration_ns.min(3 * SECOND)) {
            assert!(count > 0, "{}: nobody marked {name}", builtin.key);
        }
    }
}

#[test]
fn a_request_is_counted_from_the_wakeup_not_from_the_first_run() {
    // Alone the answer takes exactly the work; behind a FIFO task that uses 4 of 5 ms it takes longer.
    let sleeper = r#"{"name":"s","kind":"sleeper","params":{"burst":1000000,"sleep":7000000,"jitter":0}}"#;
    let alone = run(&compiled(&one(sleeper, 1), "o1-2.6.21"), SECOND);
    assert!(alone[0].1.iter().all(|&ns| ns == 1_000_000) && alone[0].2 == 125, "{alone:?}");
    let blocker = r#"{"name":"b","kind":"periodic-rt","params":{"period":5000000,"work":4000000}}"#;
    let behind = run(&compiled(&one(&format!("{sleeper},{blocker}"), 1), "o1-2.6.21"), SECOND);
    // Woken 2 ms before the FIFO task ends its turn, so 2 ms of waiting and 1 ms of work.
    assert!(behind[0].1.iter().all(|&ns| ns == 3_000_000), "{behind:?}");
}

#[test]
fn the_pace_of_a_live_slider_changes_at_its_moment() {
    let mut scenario = one(r#"{"name":"a","kind":"audio","params":{"jitter":0}}"#, 1);
    let half = "500000000";
    let text = format!(
        r#"[{{"t":{half},"workload":["a","work"],"value":2000000}},{{"t":{half},"workload":["a","count"],"value":3}}]"#
    );
    scenario.changes = serde_json::from_str(&text).unwrap();
    let marks = run(&compiled(&scenario, "o1-2.6.21"), SECOND);
    let slow = marks[0].1.iter().filter(|&&ns| ns >= 2_000_000).count();
    assert!((45..=55).contains(&(marks[0].1.len() - slow)), "{marks:?}");
    assert!((140..=155).contains(&slow), "{slow} slow answers");
}

#[test]
fn a_fork_bomb_is_bounded() {
    let bomb = r#"{"name":"p","kind":"program","program":[["loop",0,[["fork","p"],["run",1000]]]]}"#;
    let compiled = compiled(&one(bomb, 2), "o1-2.6.21");
    let mut sim = (compiled.entry.build)(compiled.entry.info.key, compiled.config.clone(), &compiled.tunables);
    let status = sim.run_until(SECOND, 300_000);
    assert!(!matches!(status, RunStatus::Faulted(_)), "{status:?}");
    assert!(sim.kernel().tasks().len() <= 40_000);
}

#[test]
fn a_program_that_uses_no_time_is_stopped_and_named() {
    let spin = r#"{"name":"p","kind":"program","program":[["loop",0,[["signal","c"],["wait","c"]]]]}"#;
    let compiled = compiled(&one(spin, 1), "o1-2.6.21");
    let mut sim = (compiled.entry.build)(compiled.entry.info.key, compiled.config.clone(), &compiled.tunables);
    assert!(matches!(sim.run_until(SECOND, u64::MAX), RunStatus::Faulted(fault) if fault.task.0 == 0));
}

/// CPU time of each task per mille of one CPU, over `from..to` ns of lane number `lane`. `change` happens at `from`.
fn shares(scenario: &Scenario, lane: usize, change: Option<&Change>, from: u64, to: u64) -> Vec<(String, u64)> {
    let compiled = sim_core::scenario::compile(scenario, lane).unwrap_or_else(|problems| panic!("{problems:?}"));
    let mut sim = (compiled.entry.build)(compiled.entry.info.key, compiled.config.clone(), &compiled.tunables);
    advance(sim.as_mut(), from.saturating_sub(1), &mut []);
    if let Some(change) = change {
        sim.apply(from, change);
    }
    let runtime = |sim: &dyn DynSim, id: u32| sim.kernel().task_times(TaskId(id))[0];
    let before: Vec<u64> = compiled.tasks.iter().map(|task| runtime(sim.as_ref(), task.id)).collect();
    advance(sim.as_mut(), to, &mut []);
    sim.check_invariants();
    let share = |(task, before): (&TaskView, u64)| {
        (task.name.clone(), (runtime(sim.as_ref(), task.id) - before) * 1000 / (to - from))
    };
    compiled.tasks.iter().zip(before).map(share).collect()
}

/// Post 001: without group balancing the lone hog of a group gets half of its CPU, with take 3 nearly all, with what
/// was merged into 2.6.27 about 79 %. The recordings have 50, 98 and 79 % on 4 CPUs, 52, 89 and 73 % on 2.
#[test]
fn a_lone_hog_gets_its_cpu_by_the_group_balancer_alone() {
    for (builtin, expected) in [
        ("group-balancer", [500..=550, 970..=1000, 770..=810]),
        ("group-balancer-2", [500..=600, 970..=1000, 730..=810]),
    ] {
        let scenario = builtins::find(builtin).expect("a built-in").scenario();
        for (lane, range) in expected.into_iter().enumerate() {
            let (name, share) = shares(&scenario, lane, None, 10_000_000, scenario.duration_ns).swap_remove(0);
            let policy = &scenario.lanes[lane].policy;
            assert!(range.contains(&share), "{builtin}, {policy}: {name} gets {share} of 1000, not {range:?}");
        }
    }
}

/// With autogroup four hogs of nice 19 take half from one of nice 0; without it they get 60 of 1084. Moving the switch
/// while it runs does the same.
#[test]
fn autogroup_takes_nice_its_effect_across_sessions() {
    let scenario = builtins::find("autogroup").expect("a built-in").scenario();
    for policy in ["cfs-5.15", "eevdf-6.6", "eevdf-6.12", "eevdf-6.12.94"] {
        let mut scenario = scenario.clone();
        scenario.lanes.iter_mut().for_each(|lane| lane.policy = policy.into());
        let entry = sim_core::policies::find(policy).expect("a policy");
        let index = entry.info.tunables.iter().position(|spec| spec.key == "sched_autogroup_enabled").expect("a knob");
        let to = |value| Change::Tunable { index: index as u16, value };
        for (lane, change, wanted) in
            [(0, None, 480..=520), (1, None, 930..=960), (0, Some(to(0)), 920..=970), (1, Some(to(1)), 470..=530)]
        {
            let (name, share) = shares(&scenario, lane, change.as_ref(), SECOND, 5 * SECOND).swap_remove(0);
            assert!(wanted.contains(&share), "{policy}, lane {lane}, {change:?}: {name} has {share}, not {wanted:?}");
        }
    }
}

/// Load tracking on several CPUs: hogs share evenly, a group's weight follows its load, and nobody idles beside waiting
/// tasks.
#[test]
fn late_fair_schedulers_balance_several_cpus() {
    for policy in ["cfs-5.15", "eevdf-6.6", "eevdf-6.12", "eevdf-6.12.94"] {
        let mut scenario = one(r#"{"name":"hog","kind":"hog","count":6}"#, 4);
        scenario.lanes[0].policy = policy.into();
        for (name, share) in shares(&scenario, 0, None, 0, 10 * SECOND).into_iter().filter(|(_, share)| *share > 0) {
            assert!((600..=740).contains(&share), "{policy}: {name} of six on 4 CPUs has {share} of 1000");
        }
        let mut scenario = builtins::find("group-balancer").expect("a built-in").scenario();
        scenario.lanes = vec![sim_core::scenario::schema::Lane { policy: policy.into(), ..scenario.lanes[0].clone() }];
        let share = shares(&scenario, 0, None, 500_000_000, scenario.duration_ns)[0].1;
        assert!(share >= 950, "{policy}: the lone hog has {share} of 1000");
    }
}
