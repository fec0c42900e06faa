//! `schedscope bench`: how fast the engine is, as ratios that mean something on any machine.

mod clock;
mod decision;
mod workloads;

use super::{Outcome, print_json};
use crate::input;
use clock::Clock;
use decision::decision_ns;
use serde_json::{Value, json};
use sim_core::engine::lane::{Lane, LaneSpec};
use sim_core::kernel::sim::RunStatus;
use sim_core::policies;
use sim_core::policy::PolicyEntry;
use sim_core::scenario::{self, Compiled};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Measure events per second, time per decision, memory and seeking
///
/// Example: schedscope bench o1-2.6.21 eevdf-6.12 --json
#[derive(clap::Args)]
pub struct Args {
    /// Policies to measure; all without one
    policies: Vec<String>,
    /// Leave the runs with 1,000,000 runnable tasks and with 256 CPUs out
    #[arg(long)]
    quick: bool,
    /// Events per second of the WebAssembly build, to print the ratio (`cargo xtask numbers` measures it)
    #[arg(long)]
    wasm_events_per_s: Option<f64>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Numbers of runnable tasks at which a decision is timed.
const RUNNABLE: [u32; 6] = [10, 100, 1_000, 10_000, 100_000, 1_000_000];

/// A decision that takes longer than this has looked at every task.
const SCANS_NS: f64 = 50_000.0;

/// Shortest measurement, CPU time.
const LEAST: Duration = Duration::from_millis(150);

/// A run of this length is not repeated.
const LONG: Duration = Duration::from_secs(2);

/// Runs of which the fastest counts.
const ROUNDS: u32 = 5;

struct Row {
    key: &'static str,
    traced: f64,
    /// With 10 groups; 0 where the policy has none.
    grouped: f64,
    /// CPU time of 256 CPUs, 10,000 tasks and nested groups for [`workloads::HUGE_MS`] ms, s; 0 = not measured.
    huge_s: f64,
    untraced: f64,
    decisions: Vec<(u32, f64)>,
    bytes_per_event: f64,
    checkpoint_ms: f64,
    step_back_ms: f64,
}

/// Runs the command.
pub fn run(args: &Args) -> Outcome {
    for key in &args.policies {
        if policies::find(key).is_none() {
            return Err(format!("there is no policy \"{key}\"; `schedscope policies` lists them"));
        }
    }
    let heap = heap_ops();
    if !args.json {
        println!("binary heap, pop + push of 256 entries: {:.1} M/s", heap / 1e6);
        println!(
            "{:<18} {:>9} {:>9} {:>9} {:>9} {:>7} {:>9} {:>10}  ns per decision at",
            "", "traced", "10 groups", "untraced", "256 CPUs", "bytes/", "checkpoint", "step back"
        );
        print!(
            "{:<18} {:>9} {:>9} {:>9} {:>9} {:>7} {:>9} {:>10} ",
            "policy", "M events/s", "M ev/s", "M ev/s", "s", "event", "ms", "ms"
        );
        RUNNABLE.iter().for_each(|n| print!(" {n:>8}"));
        println!("  runnable tasks");
    }
    let mut rows = Vec::new();
    for entry in policies::all()
        .filter(|entry| args.policies.is_empty() || args.policies.iter().any(|key| key == entry.info.key))
    {
        let row = measure(entry, args.quick)?;
        if !args.json {
            print!(
                "{:<18} {:>9.1} {:>9.1} {:>9.1} {:>9.2} {:>7.1} {:>9.3} {:>10.2} ",
                row.key,
                row.traced / 1e6,
                row.grouped / 1e6,
                row.untraced / 1e6,
                row.huge_s,
                row.bytes_per_event,
                row.checkpoint_ms,
                row.step_back_ms
            );
            row.decisions.iter().for_each(|(_, ns)| print!(" {ns:>8.0}"));
            println!();
        }
        rows.push(row);
    }
    let ratio = args.wasm_events_per_s.and_then(|wasm| Some(wasm / rows.first()?.traced));
    if args.json {
        let list: Vec<Value> = rows.iter().map(row_json).collect();
        return print_json(&json!({"heap_ops_per_s": heap.round(), "policies": list, "wasm_to_native": ratio}));
    }
    if let Some(ratio) = ratio {
        println!("WebAssembly runs at {:.0} % of native", ratio * 100.0);
    }
    Ok(ExitCode::SUCCESS)
}

fn row_json(row: &Row) -> Value {
    let decisions: serde_json::Map<String, Value> =
        row.decisions.iter().map(|(n, ns)| (n.to_string(), json!((ns * 10.0).round() / 10.0))).collect();
    json!({"key": row.key, "events_per_s_traced": row.traced.round(), "events_per_s_untraced": row.untraced.round(),
        "events_per_s_10_groups": row.grouped.round(), "cpu_s_256_cpus": row.huge_s,
        "decision_ns": decisions, "trace_bytes_per_event": row.bytes_per_event, "checkpoint_ms": row.checkpoint_ms,
        "step_back_ms": row.step_back_ms})
}

/// Pops and pushes of a plain binary heap per second: the yardstick for the event loop.
fn heap_ops() -> f64 {
    let mut heap: BinaryHeap<Reverse<(u64, u64)>> = (0..256u64).map(|i| Reverse((i * 37 % 256, i))).collect();
    let mut count = 0u64;
    let clock = Clock::start();
    while clock.elapsed() < LEAST {
        for _ in 0..100_000 {
            let Some(Reverse((at, id))) = heap.pop() else { return 0.0 };
            heap.push(Reverse((black_box(at + 1 + id * 7919 % 257), id)));
            count += 1;
        }
    }
    count as f64 / clock.elapsed().as_secs_f64()
}

/// A scenario's text for one policy.
fn compile(text: &str, key: &str) -> Result<Compiled, String> {
    let (scenario, _) = scenario::parse(text).map_err(|problems| input::sentences(&problems))?;
    let scenario = input::with_policies(scenario, &[key.to_string()]);
    scenario::compile(&scenario, 0).map_err(|problems| input::sentences(&problems))
}

/// Events per second of what `run` does anew each time, and what it left last. Best of several: other processes only
/// ever slow a run down. Short runs are repeated until the clock can tell, one long run is enough.
fn best_rate<T>(mut run: impl FnMut() -> (u64, T)) -> (f64, T) {
    let mut best: f64 = 0.0;
    let mut left = None;
    for _ in 0..ROUNDS {
        let clock = Clock::start();
        let mut events = 0;
        while clock.elapsed() < LEAST {
            let (more, ran) = run();
            events += more;
            left = Some(ran);
        }
        let took = clock.elapsed();
        best = best.max(events as f64 / took.as_secs_f64());
        if took > LONG {
            break;
        }
    }
    (best, left.unwrap_or_else(|| run().1))
}

/// Events per second with tracing, and the finished lane.
fn traced_run(compiled: &Compiled) -> (f64, Lane) {
    best_rate(|| {
        let mut lane = Lane::new(LaneSpec::from(compiled));
        while lane.work(1 << 20) {}
        (lane.events(), lane)
    })
}

fn measure(entry: &'static PolicyEntry, quick: bool) -> Result<Row, String> {
    let compiled = compile(workloads::MIXED, entry.info.key)?;
    let (traced, mut lane) = traced_run(&compiled);
    let (mut grouped, mut huge_s) = (0.0, 0.0);
    if entry.info.caps.groups {
        grouped = traced_run(&compile(&workloads::grouped(), entry.info.key)?).0;
    }
    if entry.info.caps.nested_groups && !quick {
        let compiled = compile(&workloads::huge(), entry.info.key)?;
        let clock = Clock::start();
        let mut lane = Lane::new(LaneSpec::from(&compiled));
        while lane.work(1 << 20) {}
        huge_s = clock.elapsed().as_secs_f64();
    }
    let (untraced, ()) = best_rate(|| {
        let mut sim = (entry.build)(entry.info.key, compiled.config.clone(), &compiled.tunables);
        sim.set_recording(false);
        while sim.run_until(compiled.duration_ns, u64::MAX) == RunStatus::Paused {}
        (sim.kernel().events(), ())
    });
    let bytes_per_event = lane.trace().bytes() as f64 / lane.events().max(1) as f64;
    let started = Instant::now();
    const COPIES: u32 = 50;
    for _ in 0..COPIES {
        black_box(lane.copy_before(0));
    }
    let checkpoint_ms = started.elapsed().as_secs_f64() * 1e3 / f64::from(COPIES);
    let mut step_back_ms: f64 = 0.0;
    for step in 1..40 {
        let t = lane.duration() - step * lane.duration() / 41;
        let started = Instant::now();
        black_box(lane.state_at(t).now());
        step_back_ms = step_back_ms.max(started.elapsed().as_secs_f64() * 1e3);
    }
    let mut decisions: Vec<(u32, f64)> = Vec::new();
    for n in RUNNABLE {
        // A scheduler that scans everybody has shown its growth by then, and would take minutes.
        let scans = decisions.last().is_some_and(|&(_, ns)| ns > SCANS_NS);
        if !scans
            && (!quick || n <= 100_000)
            && let Some(ns) = decision_ns(entry, n)
        {
            decisions.push((n, ns));
        }
    }
    Ok(Row {
        key: entry.info.key,
        traced,
        grouped,
        huge_s,
        untraced,
        decisions,
        bytes_per_event,
        checkpoint_ms,
        step_back_ms,
    })
}
