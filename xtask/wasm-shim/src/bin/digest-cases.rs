//! Prints, as JSON, every case of the comparison with its native result: each built-in scenario and a busy machine under
//! each policy, then the scenario files named as arguments. The times are wall-clock ms of this machine.

use serde_json::{Value, json};
use sim_core::scenario::schema::{Lane, Machine, Scenario, Workload};
use sim_core::{policies, scenario};
use std::process::ExitCode;
use std::time::Instant;

/// Runs of the comparison are cut here, ns: long enough for thousands of decisions, short enough for all pairs.
const DURATION_NS_MAX: u64 = 3_000_000_000;

fn main() -> ExitCode {
    let mut cases = Vec::new();
    for builtin in scenario::builtins::BUILTINS {
        for policy in policies::all() {
            let mut document = builtin.scenario();
            document.duration_ns = document.duration_ns.min(DURATION_NS_MAX);
            let document = with_policy(document, policy.info.key);
            // Some pairs make no sense, and the scenario says so: shares of 1024 where a policy wants percent.
            if scenario::compile(&document, 0).is_ok() {
                cases.push(case(&format!("{} {}", builtin.key, policy.info.key), document));
            }
        }
    }
    for policy in policies::all() {
        cases.push(case(&format!("busy {}", policy.info.key), with_policy(busy(), policy.info.key)));
    }
    for path in std::env::args().skip(1) {
        match std::fs::read_to_string(&path) {
            Ok(text) => cases.push(timed(&path, text)),
            Err(error) => {
                eprintln!("{path}: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    println!("{}", Value::from(cases));
    ExitCode::SUCCESS
}

/// 8 CPUs with 100 mixed tasks for 10 s: long enough to time, and every part of the machine at work.
fn busy() -> Scenario {
    let workload = |name: &str, kind: &str, count: u32, nice: i8, params: &[(&str, u64)]| Workload {
        name: name.to_string(),
        kind: kind.to_string(),
        count,
        nice,
        class: Default::default(),
        rt_priority: 0,
        group: String::new(),
        session: String::new(),
        cpus: Vec::new(),
        start_ns: 0,
        params: params.iter().map(|(key, value)| ((*key).to_string(), *value)).collect(),
        program: Vec::new(),
    };
    let machine = Machine {
        cores: 8,
        packages: 1,
        threads: 1,
        numa: false,
        hz: 1000,
        tick_skew: true,
        profile: "ideal".to_string(),
    };
    Scenario {
        duration_ns: 10_000_000_000,
        machine,
        workloads: vec![
            workload("hog", "hog", 20, 0, &[]),
            workload("low", "hog", 10, 10, &[]),
            workload("editor", "sleeper", 40, 0, &[("burst", 500_000), ("sleep", 9_500_000)]),
            workload("audio", "sleeper", 30, -5, &[("burst", 100_000), ("sleep", 4_900_000)]),
        ],
        groups: Vec::new(),
        changes: Vec::new(),
        notes: Vec::new(),
        ..scenario::builtins::BUILTINS[0].scenario()
    }
}

fn with_policy(mut document: Scenario, key: &str) -> Scenario {
    document.lanes = vec![Lane::of(key)];
    document
}

fn case(name: &str, document: Scenario) -> Value {
    timed(name, scenario::to_json(&document))
}

fn timed(name: &str, text: String) -> Value {
    let start = Instant::now();
    // A panic of one case must not hide the others.
    let result = std::panic::catch_unwind(|| wasm_shim::digest_line(&text));
    let ms = start.elapsed().as_secs_f64() * 1e3;
    let (line, outcome) = match result {
        Ok(Ok(line)) => (line, "ended"),
        Ok(Err(sentence)) => (sentence, "refused"),
        Err(_) => ("panic, see above".to_string(), "panic"),
    };
    if outcome != "ended" {
        eprintln!("{name}: {line}");
    }
    json!({ "name": name, "scenario": text, "line": line, "outcome": outcome, "ms": ms })
}
