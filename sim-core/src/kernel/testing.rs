//! Worked examples as tests: a machine without costs, a few tasks, and its schedule as one line of text.

use super::record::Event;
use super::sim::{DynSim, RunStatus, Sim};
use super::{Change, EventOrder, Group, SimConfig, TaskSpec};
use crate::machine::cost::CostTable;
use crate::machine::topology::TopologySpec;
use crate::policy::{Policy, PolicyEntry, SchedClass, Shape};
use crate::task::program::{Amount, Op, Value};
use crate::units::{CpuId, CpuMask, GroupId, Nanos, TaskId};

/// Nanoseconds of a millisecond.
pub const MS: Nanos = 1_000_000;

/// Run for ever.
pub fn forever() -> Vec<Op> {
    vec![Op::Run(Amount::fixed(u64::MAX / 4))]
}

/// The operations again and again.
pub fn repeat(ops: Vec<Op>) -> Vec<Op> {
    let mut program = vec![Op::LoopBegin { count: Value::Const(0), depth: 0, end: ops.len() as u32 + 2 }];
    program.extend(ops);
    program.push(Op::LoopEnd { begin: 0, depth: 0 });
    program
}

/// Run for this many microseconds.
pub fn run(us: u64) -> Op {
    Op::Run(Amount::fixed(us * 1000))
}

/// Sleep for this many microseconds.
pub fn sleep(us: u64) -> Op {
    Op::Sleep(Amount::fixed(us * 1000))
}

/// A machine in the making.
pub struct Bench {
    entry: &'static PolicyEntry,
    config: SimConfig,
    tasks: Vec<TaskSpec>,
    tunables: Vec<i64>,
}

impl Bench {
    /// `cpus` equal CPUs without costs, all ticking at the same instant.
    pub fn new(policies: &'static [PolicyEntry], key: &str, cpus: u16, hz: u32) -> Bench {
        let entry = policies.iter().find(|entry| entry.info.key == key).expect("a policy of the folder");
        let shape = Shape { cpus, hz };
        let tunables = entry.info.tunables.iter().map(|spec| (spec.default)(shape)).collect();
        let config = SimConfig {
            topology: TopologySpec::flat(cpus),
            hz,
            tick_skew: false,
            order: EventOrder::TicksThenTimers,
            seed: 0,
            tasks: Vec::new().into(),
            groups: vec![Group {
                name: "/".into(),
                parent: GroupId::ROOT,
                shares: 1024,
                idle: false,
                cpu_max: None,
                autogroup: false,
            }],
            params: Vec::new(),
            counts: Vec::new(),
            channels: 4,
            mutexes: 0,
            barriers: Vec::new(),
            costs: CostTable::default(),
        };
        Bench { entry, config, tasks: Vec::new(), tunables }
    }

    /// Sets a tunable.
    pub fn set(mut self, key: &str, value: i64) -> Bench {
        let index = self.entry.info.tunables.iter().position(|spec| spec.key == key).expect("a tunable");
        self.tunables[index] = value;
        self
    }

    /// What work costs; nothing unless said.
    pub fn costs(mut self, costs: CostTable) -> Bench {
        self.config.costs = costs;
        self
    }

    /// Adds a task that starts at `start_us`; `None` for one that is forked (by its index).
    pub fn task(
        mut self,
        name: &str,
        class: SchedClass,
        nice: i8,
        start_us: impl Into<Option<u64>>,
        program: Vec<Op>,
    ) -> Bench {
        let index = self.tasks.len();
        self.tasks.push(TaskSpec {
            name: name.into(),
            class,
            nice,
            rt_priority: if class.is_rt() { 50 } else { 0 },
            affinity: CpuMask::ALL,
            group: GroupId::ROOT,
            mm: index as u32,
            program: program.into(),
            start: start_us.into().map(|us| us * 1000),
            start_cpu: None,
            slice_ns: None,
            init: None,
            workload: index as u16,
            index: 0,
            working_set_kib: 0,
        });
        self
    }

    /// A normal task of nice level 0 from the start.
    pub fn hog(self, name: &str, nice: i8) -> Bench {
        self.task(name, SchedClass::Normal, nice, 0, forever())
    }

    /// The last task's real-time priority.
    pub fn priority(mut self, rt_priority: u8) -> Bench {
        self.last().rt_priority = rt_priority;
        self
    }

    /// CPUs of the last task; it starts on the first.
    pub fn cpus(mut self, cpus: &[u16]) -> Bench {
        let task = self.last();
        task.affinity = CpuMask::EMPTY;
        cpus.iter().for_each(|&cpu| task.affinity.insert(CpuId(cpu)));
        task.start_cpu = cpus.first().map(|&cpu| CpuId(cpu));
        self
    }

    /// CPU where the last task starts.
    pub fn on(mut self, cpu: u16) -> Bench {
        self.last().start_cpu = Some(CpuId(cpu));
        self
    }

    fn last(&mut self) -> &mut TaskSpec {
        self.tasks.last_mut().expect("a task before")
    }

    /// Another machine with as many CPUs.
    pub fn topology(mut self, topology: TopologySpec) -> Bench {
        self.config.topology = topology;
        self
    }

    /// The machine at t = 0.
    pub fn build(self) -> Machine {
        let names = self.tasks.iter().map(|task| task.name.to_string()).collect();
        let counts = vec![1; self.tasks.len()];
        let config = SimConfig { tasks: self.tasks.into(), counts, ..self.config };
        Machine { sim: (self.entry.build)(self.entry.info.key, config, &self.tunables), names }
    }

    /// The machine at t = 0 with its policy in reach.
    pub fn sim<P: Policy>(self) -> Sim<P> {
        let counts = vec![1; self.tasks.len()];
        let config = SimConfig { tasks: self.tasks.into(), counts, ..self.config };
        Sim::new(self.entry.info.key, config, &self.tunables)
    }

    /// The schedule of CPU 0 until `until_us` as text: `"0 A, 8 B"` = A from 0 ms, B from 8 ms.
    pub fn schedule(self, until_us: u64) -> String {
        self.build().schedule(until_us)
    }
}

/// A machine under test.
pub struct Machine {
    /// The machine.
    pub sim: Box<dyn DynSim>,
    names: Vec<String>,
}

impl Machine {
    /// Runs and tells who ran on CPU 0 from when (ms), since the last call. Ends before the instant `until_us`.
    pub fn schedule(&mut self, until_us: u64) -> String {
        self.schedules(until_us).swap_remove(0)
    }

    /// The same of every CPU.
    pub fn schedules(&mut self, until_us: u64) -> Vec<String> {
        self.run_until(until_us);
        let mut records = Vec::new();
        self.sim.drain_records(&mut records);
        let mut text = vec![Vec::new(); usize::from(self.sim.kernel().cpus())];
        for record in records {
            let Event::Switch { cpu, next, .. } = record.event else { continue };
            let name = next.map_or("-", |task| self.names.get(task.index()).map_or("migration", String::as_str));
            let (ms, rest) = (record.at / MS, record.at % MS / 1000);
            let at = if rest == 0 { ms.to_string() } else { format!("{ms}.{rest:03}").trim_end_matches('0').into() };
            text[cpu.index()].push(format!("{at} {name}"));
        }
        text.iter().map(|switches| switches.join(", ")).collect()
    }

    /// Runs to just before `until_us`.
    pub fn run_until(&mut self, until_us: u64) {
        loop {
            match self.sim.run_until((until_us * 1000).saturating_sub(1), u64::MAX) {
                RunStatus::Reached => break,
                RunStatus::Paused => self.sim.drain_records(&mut Vec::new()),
                RunStatus::Faulted(fault) => panic!("{fault:?}"),
            }
        }
        self.sim.check_invariants();
    }

    /// CPU time of a task, us.
    pub fn runtime_us(&self, name: &str) -> u64 {
        let index = self.names.iter().position(|have| have == name).expect("a task of that name");
        self.sim.kernel().task_times(TaskId(index as u32))[0] / 1000
    }

    /// What a task's gauge of that label tells (units as shown).
    pub fn gauge(&self, task: u32, label: &str) -> i64 {
        let mut found = None;
        self.sim.task_gauges(TaskId(task), &mut |gauge| {
            if gauge.label == label {
                found = Some(gauge.value);
            }
        });
        found.unwrap_or_else(|| panic!("task {task} has no gauge {label}"))
    }

    /// A change from outside now.
    pub fn apply(&mut self, change: &Change) {
        let now = self.sim.kernel().now();
        self.sim.apply(now, change);
    }
}
