//! What must hold for every policy on random scenarios: its own invariants and the machine's after every instant, equal
//! runs for equal seeds, and a run that goes on from a copy as if nothing had happened.

use proptest::prelude::*;
use sim_core::engine::lane::{Lane, LaneSpec};
use sim_core::kernel::sim::CHECK_EACH_EVENT;
use sim_core::policies;
use sim_core::policy::PolicyEntry;
use sim_core::scenario::{compile, parse};
use sim_core::timetravel::Machine;

/// A random scenario as text; `POLICY` stands for the policy. Every feature is on or off for a whole scenario, so that
/// rare mixtures come up too.
fn scenarios() -> impl Strategy<Value = String> {
    let machine = (1u16..=4, 1u16..=2, 1u16..=2, any::<bool>(), prop::sample::select(vec![100u32, 250, 1000]));
    let profile = prop::sample::select(vec!["ideal", "ideal", "OTHER"]);
    let workloads = prop::collection::vec(workload(), 1..5);
    let changes = prop::collection::vec(change(), 0..4);
    (machine, profile, any::<bool>(), 0u64..1000, workloads, changes, any::<bool>()).prop_map(
        |((cores, packages, threads, numa, hz), profile, skew, seed, workloads, changes, changing)| {
            let cores = cores * packages;
            let cpus = cores * threads;
            let profile = if profile == "OTHER" { other_profile() } else { profile.into() };
            let list: Vec<String> =
                workloads.iter().enumerate().map(|(index, text)| text.replace("NAME", &format!("w{index}"))).collect();
            let changes: Vec<String> = if changing { changes } else { Vec::new() };
            let list = list.join(",").replace("\"cpus\":[0]", &format!("\"cpus\":[{}]", seed % u64::from(cpus)));
            format!(
                r#"{{"v":1,"seed":{seed},"duration_ns":60000000,"machine":{{"cores":{cores},"packages":{packages},
                "threads":{threads},"numa":{numa},"hz":{hz},"tick_skew":{skew},"profile":"{profile}"}},
                "lanes":[{{"policy":"POLICY"}}],"groups":[{{"name":"outer","shares":60}},
                {{"name":"inner","parent":"outer","shares":40,"quota_ns":4000000,"period_ns":10000000}}],"workloads":[{list}],"changes":[{}]}}"#,
                changes.join(",")
            )
        },
    )
}

/// A machine profile with costs.
fn other_profile() -> String {
    sim_core::machine::profile::all()
        .iter()
        .map(|profile| profile.key)
        .find(|&key| key != "ideal")
        .unwrap_or("ideal")
        .to_string()
}

fn workload() -> impl Strategy<Value = String> {
    let class = prop::sample::select(vec!["normal", "normal", "normal", "batch", "idle", "iso", "fifo", "rr"]);
    let pinned = prop::bool::weighted(0.2);
    let group = prop::sample::select(vec!["", "", "outer", "inner"]);
    (program(), 1u32..6, -20i8..=19, class, 1u8..=9, pinned, group, 0u64..20_000_000).prop_map(
        |(program, count, nice, class, priority, pinned, group, start)| {
            let rt = class == "fifo" || class == "rr";
            let rt = if rt { format!(r#","rt_priority":{priority}"#) } else { String::new() };
            let cpus = if pinned { r#","cpus":[0]"# } else { "" };
            format!(
                r#"{{"name":"NAME","kind":"program","count":{count},"nice":{nice},"class":"{class}"{rt}{cpus},"group":"{group}",
                "start_ns":{start},"program":[["loop",0,[{program}]]]}}"#
            )
        },
    )
}

/// Steps of a loop; every one uses some time.
fn program() -> impl Strategy<Value = String> {
    let time = 1_000u64..8_000_000;
    let step = prop_oneof![
        time.clone().prop_map(|ns| format!(r#"["run",{ns}]"#)),
        time.clone().prop_map(|ns| format!(r#"["sleep",{ns}]"#)),
        time.prop_map(|ns| format!(r#"["run",{ns}],["yield"]"#)),
        Just(r#"["signal","c"],["run",50000]"#.to_string()),
        Just(r#"["lock","m"],["run",300000],["unlock","m"]"#.to_string()),
    ];
    prop::collection::vec(step, 1..5).prop_map(|steps| format!(r#"["run",20000],{}"#, steps.join(",")))
}

fn change() -> impl Strategy<Value = String> {
    let t = 0u64..60_000_000;
    prop_oneof![
        (t.clone(), -20i64..=19).prop_map(|(t, v)| format!(r#"{{"t":{t},"workload":["w0","nice"],"value":{v}}}"#)),
        (t.clone(), 0i64..=5).prop_map(|(t, v)| format!(r#"{{"t":{t},"workload":["w0","class"],"value":{v}}}"#)),
        (t, 0i64..8).prop_map(|(t, v)| format!(r#"{{"t":{t},"workload":["w0","count"],"value":{v}}}"#)),
    ]
}

fn spec(text: &str, entry: &PolicyEntry) -> LaneSpec {
    let text = text.replace("POLICY", entry.info.key);
    let (scenario, _) = parse(&text).unwrap_or_else(|problems| panic!("{problems:?}\n{text}"));
    LaneSpec::from(&compile(&scenario, 0).unwrap_or_else(|problems| panic!("{problems:?}\n{text}")))
}

fn machine(spec: &LaneSpec) -> Machine {
    Machine::new((spec.entry.build)(spec.entry.info.key, spec.config.clone(), &spec.tunables))
}

/// Policies that the run is for: all, or those whose key contains `POLICY`.
fn wanted() -> impl Iterator<Item = &'static PolicyEntry> {
    let wanted = std::env::var("POLICY").unwrap_or_default();
    policies::all().filter(move |entry| entry.info.key.contains(&wanted))
}

fn cases(default: u32) -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    ProptestConfig { cases, failure_persistence: None, max_shrink_iters: 200, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn invariants_hold_after_every_instant(text in scenarios()) {
        for entry in wanted() {
            CHECK_EACH_EVENT.with(|check| check.set(true));
            let spec = spec(&text, entry);
            let mut machine = machine(&spec);
            machine.sim.set_recording(false);
            machine.run(&spec.changes, spec.duration, 30_000);
            machine.sim.check_invariants();
        }
    }

    #[test]
    fn a_copy_taken_at_a_busy_moment_goes_on_like_the_original(text in scenarios(), events in 1u64..4000) {
        for entry in wanted() {
            let spec = spec(&text, entry);
            let mut original = machine(&spec);
            original.sim.set_recording(false);
            original.run(&spec.changes, spec.duration, events);
            let mut copy = original.copy();
            for machine in [&mut original, &mut copy] {
                machine.replay(&spec.changes, spec.duration);
            }
            prop_assert_eq!(original.sim.kernel().digest(), copy.sim.kernel().digest(), "{}", entry.info.key);
            prop_assert_eq!(original.sim.kernel().events(), copy.sim.kernel().events(), "{}", entry.info.key);
        }
    }

    #[test]
    fn the_history_agrees_with_the_machine(text in scenarios()) {
        for entry in wanted() {
            let spec = spec(&text, entry);
            let mut lane = Lane::new(spec.clone());
            while lane.work(997) {}
            let mut again = machine(&spec);
            again.replay(&spec.changes, spec.duration);
            prop_assert_eq!(lane.kernel().digest(), again.sim.kernel().digest(), "{}", entry.info.key);
            let kernel = lane.kernel();
            prop_assert_eq!(lane.trace().switches(), kernel.switches());
            prop_assert_eq!(lane.trace().migrations(), kernel.migrations());
            let mut runtime = vec![0; kernel.tasks().len()];
            for cpu in 0..kernel.cpus() {
                let head = lane.trace().cpu(cpu).head();
                let id = sim_core::units::CpuId(cpu);
                let curr = kernel.curr(id);
                prop_assert_eq!(head.curr, curr.map_or(u32::MAX, |task| task.0));
                let waiting = kernel.nr_running(id) - u32::from(curr.is_some());
                prop_assert_eq!(u32::from(head.waiting), waiting, "{} waiting on cpu{}", entry.info.key, cpu);
                for row in lane.trace().cpu(cpu).slices(0, lane.front()) {
                    if let Some(sum) = runtime.get_mut(row.task as usize) {
                        *sum += row.end - row.start;
                    }
                }
            }
            for (id, &runtime) in runtime.iter().enumerate() {
                let [ran, _, _] = kernel.task_times(sim_core::units::TaskId(id as u32));
                prop_assert_eq!(ran, runtime, "{} task {}", entry.info.key, id);
            }
        }
    }
}
