//! `schedscope bench`: how fast the engine is, as ratios that mean something on any machine.

use super::{Outcome, print_json};
use crate::input;
use serde_json::{Value, json};
use sim_core::engine::lane::{Lane, LaneSpec};
use sim_core::kernel::sim::RunStatus;
use sim_core::kernel::{EventOrder, Group, SimConfig, TaskSpec};
use sim_core::machine::cost::CostTable;
use sim_core::machine::topology::TopologySpec;
use sim_core::policies;
use sim_core::policy::{PolicyEntry, SchedClass, Shape};
use sim_core::scenario;
use sim_core::task::program::{Amount, Op, Value as Count};
use sim_core::units::{CpuMask, GroupId, Nanos};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Measure events per second, time per decision, memory and seeking
///
/// Example: schedscope bench o1-2.6.21 eevdf-6.12 --json
#[derive(clap::Args)]
pub struct Args {
    /// Policies to measure; all without one
    policies: Vec<String>,
    /// Leave the runs with 1,000,000 runnable tasks out
    #[arg(long)]
    quick: bool,
    /// Events per second of the WebAssembly build, to print the ratio (`cargo xtask bench` measures it)
    #[arg(long)]
    wasm_events_per_s: Option<f64>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The workload of the events-per-second rows: 8 CPUs, 100 tasks that run, sleep and wake each other.
pub const MIXED: &str = r#"{"v":1,"title":"bench","seed":1,"duration_ns":4000000000,
    "machine":{"cores":8,"hz":1000},"lanes":[{"policy":"o1-2.6.21"}],
    "workloads":[
        {"name":"hog","kind":"hog","count":16},
        {"name":"sleeper","kind":"sleeper","count":44},
        {"name":"pair","kind":"lat-ctx","count":20}]}"#;

/// Numbers of runnable tasks at which a decision is timed.
const RUNNABLE: [u32; 6] = [10, 100, 1_000, 10_000, 100_000, 1_000_000];

/// A decision that takes longer than this has looked at every task.
const SCANS_NS: f64 = 50_000.0;

/// Shortest measurement.
const LEAST: Duration = Duration::from_millis(150);

struct Row {
    key: &'static str,
    traced: f64,
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
            "{:<18} {:>9} {:>9} {:>7} {:>9} {:>10}  ns per decision at",
            "", "traced", "untraced", "bytes/", "checkpoint", "step back"
        );
        print!("{:<18} {:>9} {:>9} {:>7} {:>9} {:>10} ", "policy", "M events/s", "M ev/s", "event", "ms", "ms");
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
                "{:<18} {:>9.1} {:>9.1} {:>7.1} {:>9.3} {:>10.2} ",
                row.key,
                row.traced / 1e6,
                row.untraced / 1e6,
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
        "decision_ns": decisions, "trace_bytes_per_event": row.bytes_per_event, "checkpoint_ms": row.checkpoint_ms,
        "step_back_ms": row.step_back_ms})
}

/// Pops and pushes of a plain binary heap per second: the yardstick for the event loop.
fn heap_ops() -> f64 {
    let mut heap: BinaryHeap<Reverse<(u64, u64)>> = (0..256u64).map(|i| Reverse((i * 37 % 256, i))).collect();
    let mut count = 0u64;
    let started = Instant::now();
    while started.elapsed() < LEAST {
        for _ in 0..100_000 {
            let Some(Reverse((at, id))) = heap.pop() else { return 0.0 };
            heap.push(Reverse((black_box(at + 1 + id * 7919 % 257), id)));
            count += 1;
        }
    }
    count as f64 / started.elapsed().as_secs_f64()
}

fn measure(entry: &'static PolicyEntry, quick: bool) -> Result<Row, String> {
    let (scenario, _) = scenario::parse(MIXED).map_err(|problems| input::sentences(&problems))?;
    let scenario = input::with_policies(scenario, &[entry.info.key.to_string()]);
    let compiled = scenario::compile(&scenario, 0).map_err(|problems| input::sentences(&problems))?;

    // Best of three: other processes only ever slow a run down.
    let mut traced: f64 = 0.0;
    let mut lane = Lane::new(LaneSpec::from(&compiled));
    for round in 0..3 {
        if round > 0 {
            lane = Lane::new(LaneSpec::from(&compiled));
        }
        let started = Instant::now();
        while lane.work(1 << 20) {}
        traced = traced.max(lane.events() as f64 / started.elapsed().as_secs_f64());
    }
    let mut untraced: f64 = 0.0;
    for _ in 0..3 {
        let mut sim = (entry.build)(entry.info.key, compiled.config.clone(), &compiled.tunables);
        sim.set_recording(false);
        let started = Instant::now();
        while sim.run_until(compiled.duration_ns, u64::MAX) == RunStatus::Paused {}
        untraced = untraced.max(sim.kernel().events() as f64 / started.elapsed().as_secs_f64());
    }
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
        if !scans && (!quick || n <= 100_000) {
            decisions.push((n, decision_ns(entry, n)));
        }
    }
    Ok(Row { key: entry.info.key, traced, untraced, decisions, bytes_per_event, checkpoint_ms, step_back_ms })
}

/// Tasks of the ring whose decisions are timed. Each sleeps three quarters of its time, so that schedulers with a
/// notion of interactivity never let a hog run in between; and no tick period is a multiple of a round, so that ticks
/// fall on all of them alike.
const RING: u32 = 4;

/// Wall time of one decision (a wakeup with its enqueue, a block with its dequeue, and the pick) of a ring of tasks that
/// wake each other while `runnable` hogs of nice 19 are queued beside it.
fn decision_ns(entry: &'static PolicyEntry, runnable: u32) -> f64 {
    let hog: Arc<[Op]> = vec![Op::Run(Amount::fixed(u64::MAX / 4))].into();
    let member = |own: u32| -> Arc<[Op]> {
        let mut turn = vec![
            Op::Wait(own),
            Op::Run(Amount::fixed(5_077)),
            Op::Signal { channel: (own + 1) % RING, count: 1, sync: false },
        ];
        if own == 0 {
            // Begins with the token.
            turn.rotate_left(1);
        }
        let end = turn.len() as u32 + 2;
        turn.insert(0, Op::LoopBegin { count: Count::Const(0), depth: 0, end });
        turn.push(Op::LoopEnd { begin: 0, depth: 0 });
        turn.into()
    };
    let spec = |name: &str, nice: i8, program: Arc<[Op]>, start: Nanos, index: u32| TaskSpec {
        name: name.into(),
        class: SchedClass::Normal,
        nice,
        rt_priority: 0,
        affinity: CpuMask::ALL,
        group: GroupId::ROOT,
        mm: index,
        program,
        start: Some(start),
        start_cpu: None,
        slice_ns: None,
        init: None,
        workload: 0,
        index,
        working_set_kib: 0,
    };
    let mut tasks: Vec<TaskSpec> = (0..RING).map(|own| spec("ring", -20, member(own), 0, own)).collect();
    let template = spec("hog", 19, hog, 0, RING);
    let hogs = (RING..RING + runnable).map(|index| TaskSpec { index, mm: index, ..template.clone() });
    tasks.extend(hogs);
    let config = SimConfig {
        topology: TopologySpec::flat(1),
        hz: 100,
        tick_skew: false,
        order: EventOrder::Interrupts,
        seed: 1,
        tasks: tasks.into(),
        groups: vec![Group { name: "/".into(), parent: GroupId::ROOT, shares: 1024, idle: false, cpu_max: None }],
        params: Vec::new(),
        counts: vec![u32::MAX],
        channels: RING,
        mutexes: 0,
        barriers: Vec::new(),
        costs: CostTable::default(),
    };
    let shape = Shape { cpus: 1, hz: 100 };
    let tunables: Vec<i64> = entry.info.tunables.iter().map(|spec| (spec.default)(shape)).collect();
    let mut sim = (entry.build)(entry.info.key, config, &tunables);
    sim.set_recording(false);
    // Starts and first slices are not what is measured.
    let mut until = 1_000_000;
    sim.run_until(until, u64::MAX);
    let mut best = f64::MAX;
    for _ in 0..3 {
        let started = Instant::now();
        let before = sim.kernel().decisions();
        while started.elapsed() < LEAST {
            until += 50_000;
            sim.run_until(until, u64::MAX);
        }
        let decisions = sim.kernel().decisions() - before;
        best = best.min(started.elapsed().as_nanos() as f64 / decisions.max(1) as f64);
    }
    best
}
