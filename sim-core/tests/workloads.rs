//! Every kind of workload and every built-in runs: nothing faults, and each does the work that it is named for.

use sim_core::kernel::record::Event;
use sim_core::kernel::sim::{DynSim, RunStatus};
use sim_core::scenario::compile::{Compiled, compile_for};
use sim_core::scenario::{builtins, catalogue, parse, schema::Scenario};

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
