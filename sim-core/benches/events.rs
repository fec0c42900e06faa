//! Events per second of the event loop with and without a history, for every policy on 8 CPUs with 100 mixed tasks.
//! Run with `cargo bench -p sim-core [-- POLICY]`; the command line's `bench` measures more.

// Wall time is what a benchmark measures.
#![allow(clippy::disallowed_types, clippy::disallowed_methods)]

use sim_core::engine::lane::{Lane, LaneSpec};
use sim_core::policies;
use sim_core::scenario::{compile, parse};
use sim_core::timetravel::Machine;
use std::time::Instant;

const SCENARIO: &str = r#"{"v":1,"seed":1,"duration_ns":20000000000,"machine":{"cores":8,"hz":1000},
"lanes":[{"policy":"POLICY"}],"workloads":[{"name":"hogs","kind":"hog","count":20},
{"name":"nap","kind":"sleeper","count":40},{"name":"ring","kind":"lat-ctx","count":10,"params":{"size":4}}]}"#;

fn spec(policy: &str) -> Option<LaneSpec> {
    let (scenario, _) = parse(&SCENARIO.replace("POLICY", policy)).ok()?;
    Some(LaneSpec::from(&compile(&scenario, 0).ok()?))
}

/// CPU time of this thread in µs where the system tells it (Linux), so that other processes do not count; else wall time.
fn micros(started: Instant) -> u64 {
    let schedstat = std::fs::read_to_string("/proc/self/schedstat").ok();
    let cpu_ns = schedstat.and_then(|text| text.split(' ').next()?.parse::<u64>().ok());
    cpu_ns.map_or(started.elapsed().as_micros() as u64, |ns| ns / 1000)
}

fn main() {
    let start = Instant::now();
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    println!(
        "{:16} {:>10} {:>9} {:>9} {:>8} {:>7} {:>9}",
        "policy", "events", "traced/s", "bare/s", "B/event", "copies", "back µs"
    );
    for entry in policies::all() {
        let key = entry.info.key;
        if !wanted.is_empty() && !wanted.iter().any(|wanted| key.contains(wanted.as_str())) {
            continue;
        }
        let Some(spec) = spec(key) else {
            println!("{key:16} cannot run the scenario");
            continue;
        };
        let started = micros(start);
        let mut lane = Lane::new(spec.clone());
        lane.work(2_000_000);
        let traced = lane.events() * 1_000_000 / (micros(start) - started).max(1);
        let mut bare = Machine::new((spec.entry.build)(key, spec.config.clone(), &spec.tunables));
        let started = micros(start);
        bare.sim.set_recording(false);
        while bare.sim.kernel().events() < 2_000_000 && bare.now() < spec.duration {
            bare.run(&spec.changes, spec.duration, 8192);
        }
        let untraced = bare.sim.kernel().events() * 1_000_000 / (micros(start) - started).max(1);
        let bytes = lane.trace().bytes() as u64 * 10 / lane.events().max(1);
        let front = lane.front();
        let back = (1..40).rev().map(|part| {
            let started = micros(start);
            lane.state_at(front / 40 * part + front / 97);
            micros(start) - started
        });
        let back = back.max().unwrap_or(0);
        println!(
            "{key:16} {:>10} {traced:>9} {untraced:>9} {:>6}.{} {:>7} {back:>9}",
            lane.events(),
            bytes / 10,
            bytes % 10,
            lane.history().len()
        );
    }
}
