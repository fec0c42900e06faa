//! Time of one decision beside many runnable tasks.

use super::clock::Clock;
use super::{LEAST, ROUNDS};
use sim_core::kernel::{EventOrder, Group, SimConfig, TaskSpec};
use sim_core::machine::cost::CostTable;
use sim_core::machine::topology::TopologySpec;
use sim_core::policy::{PolicyEntry, SchedClass, Shape};
use sim_core::task::program::{Amount, Op, Value as Count};
use sim_core::units::{CpuMask, GroupId, Nanos};
use std::sync::Arc;

/// Tasks of the ring whose decisions are timed. Each sleeps three quarters of its time, so that schedulers with a
/// notion of interactivity never let a hog run in between; and no tick period is a multiple of a round, so that ticks
/// fall on all of them alike.
const RING: u32 = 4;

/// CPU time of one decision (a wakeup with its enqueue, a block with its dequeue, and the pick) of a ring of tasks that
/// wake each other while `runnable` hogs of nice 19 are queued beside it. `None` where the hogs never let it run.
pub fn decision_ns(entry: &'static PolicyEntry, runnable: u32) -> Option<f64> {
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
        groups: vec![Group {
            name: "/".into(),
            parent: GroupId::ROOT,
            shares: 1024,
            idle: false,
            cpu_max: None,
            autogroup: false,
        }],
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
    sim.run_until(1_000_000, u64::MAX);
    let mut best = f64::MAX;
    for _ in 0..ROUNDS {
        let clock = Clock::start();
        let before = sim.kernel().decisions();
        // Few events at first, since a scheduler that scans everybody takes its time; then more, since a look at the
        // clock takes time too.
        let mut events = 256;
        while clock.elapsed() < LEAST {
            sim.run_until(u64::MAX / 2, events);
            events *= 2;
        }
        let decisions = sim.kernel().decisions() - before;
        if decisions < u64::from(RING) {
            return None;
        }
        best = best.min(clock.elapsed().as_nanos() as f64 / decisions as f64);
    }
    Some(best)
}
