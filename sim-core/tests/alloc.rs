//! The event path allocates nothing: after a warm-up, 100,000 events of every policy ask the allocator for no memory.

use sim_core::engine::lane::LaneSpec;
use sim_core::scenario::{compile, parse};
use sim_core::{policies, timetravel::Machine};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const SCENARIO: &str = r#"{"v":1,"seed":3,"duration_ns":100000000000,"machine":{"cores":4,"packages":2,"threads":2,
"hz":1000},"lanes":[{"policy":"POLICY"}],"workloads":[{"name":"hogs","kind":"hog","count":12},
{"name":"nap","kind":"sleeper","count":20},{"name":"ring","kind":"lat-ctx","count":2},
{"name":"nice","kind":"hog","count":4,"nice":10},
{"name":"fifo","kind":"sleeper","count":2,"class":"fifo","rt_priority":5}]}"#;

const WARM_UP: u64 = 50_000;
const COUNTED: u64 = 100_000;

#[test]
fn a_hundred_thousand_events_of_every_policy_allocate_nothing() {
    let mut records = Vec::with_capacity(1 << 16);
    let mut guilty = Vec::new();
    for entry in policies::all() {
        let (scenario, _) = parse(&SCENARIO.replace("POLICY", entry.info.key)).expect("the scenario is valid");
        let spec = LaneSpec::from(&compile(&scenario, 0).expect("the scenario compiles"));
        let mut machine = Machine::new((spec.entry.build)(entry.info.key, spec.config, &spec.tunables));
        let mut run = |events: u64| {
            while machine.sim.kernel().events() < events {
                machine.run(&[], spec.duration, 4096);
                records.clear();
                machine.sim.drain_records(&mut records);
            }
        };
        run(WARM_UP);
        let region = Region::new(ALLOCATOR);
        run(WARM_UP + COUNTED);
        let change = region.change();
        let calls = change.allocations + change.reallocations;
        if calls > 0 {
            guilty.push(format!("{}: {calls}", entry.info.key));
        }
    }
    assert!(guilty.is_empty(), "allocations in {COUNTED} events: {guilty:?}");
}
