//! Simulates the figures of posts: a [`Job`] is one run, which gives the figures of one or more cells.
//!
//! A run keeps no history: only its marks, and two readings of the machine's counters, so that a long benchmark needs
//! little memory. It goes on in small pieces, so that a caller can show progress and stop.

use super::strip::{self, Piece};
use super::{Cell, Post};
use crate::engine::lane::LaneSpec;
use crate::kernel::Kernel;
use crate::kernel::record::{Event, Record};
use crate::kernel::sim::RunStatus;
use crate::machine::cost::TIME_KINDS;
use crate::scenario::{self, Compiled};
use crate::timetravel::Machine;
use crate::trace::moments::Mark;
use crate::units::{CpuId, Nanos, TaskId};

/// Events between two drains of the machine's records.
const SLICE_EVENTS: u64 = 1024;

/// One run and what is read from it.
#[derive(Clone, Debug)]
pub struct Job {
    /// Cells whose figures come from this run; their scenarios are equal.
    pub cells: Vec<Cell>,
    /// Seed of the run.
    pub seed: u64,
}

/// The jobs that give every figure of `post` once per seed; cells with equal scenarios share a job.
pub fn jobs(post: &'static Post, seeds: u64) -> Vec<Job> {
    let mut jobs: Vec<(scenario::schema::Scenario, Nanos, Job)> = Vec::new();
    for cell in post.cells() {
        let method = cell.table.method;
        let (scenario, warm_up) = ((method.scenario)(cell), method.warm_up_ns);
        match jobs.iter_mut().find(|(other, other_warm_up, _)| *other == scenario && *other_warm_up == warm_up) {
            Some((_, _, job)) => job.cells.push(cell),
            None => jobs.push((scenario, warm_up, Job { cells: vec![cell], seed: 1 })),
        }
    }
    let all = |seed| jobs.iter().map(move |(_, _, job)| Job { seed, ..job.clone() });
    (1..=seeds).flat_map(all).collect()
}

/// Counters of a machine at a moment, all since the start of the run.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// When.
    pub at: Nanos,
    /// Time of all CPUs by kind, ns ([`crate::machine::cost::TimeKind`]).
    pub times: [Nanos; TIME_KINDS],
    /// Context switches.
    pub switches: u64,
    /// Migrations.
    pub migrations: u64,
    /// CPU time of each workload's tasks, overhead included, ns.
    pub runtimes: Vec<Nanos>,
    /// The part of it that is system time ([`crate::task::task::Task::system_ns`]).
    pub systems: Vec<Nanos>,
}

impl Reading {
    fn of(kernel: &Kernel, workloads: usize) -> Self {
        let mut reading = Reading {
            at: kernel.now(),
            switches: kernel.switches(),
            migrations: kernel.migrations(),
            runtimes: vec![0; workloads],
            systems: vec![0; workloads],
            ..Reading::default()
        };
        for cpu in 0..kernel.cpus() {
            for (sum, ns) in reading.times.iter_mut().zip(kernel.cpu_times(CpuId(cpu))) {
                *sum += ns;
            }
        }
        for (id, task) in kernel.tasks().iter().enumerate() {
            let workload = usize::from(task.workload);
            if workload < workloads {
                reading.runtimes[workload] += kernel.task_times(TaskId(id as u32))[0];
                reading.systems[workload] += task.system_ns();
            }
        }
        reading
    }
}

/// A run that has ended, for [`super::Method::measure`].
pub struct Finished<'r> {
    /// What ran.
    pub compiled: &'r Compiled,
    /// The machine at the end.
    pub kernel: &'r Kernel,
    /// Counters at the end of the warm-up.
    pub warm: &'r Reading,
    /// Counters at the end.
    pub end: &'r Reading,
    /// Marks after the warm-up, in order of time.
    pub marks: &'r [Mark],
}

impl Finished<'_> {
    /// Length of the measured part, ns.
    pub fn elapsed(&self) -> Nanos {
        self.end.at - self.warm.at
    }

    /// Marks of this name (`"<workload> <what>"`) after the warm-up.
    pub fn marks_of(&self, name: &str) -> impl Iterator<Item = &Mark> + '_ {
        let index = self.compiled.marks.iter().position(|mark| mark == name);
        self.marks.iter().filter(move |mark| Some(usize::from(mark.mark)) == index)
    }

    /// Marks of this name per second, in thousandths.
    pub fn rate_milli(&self, name: &str) -> u64 {
        let count = self.marks_of(name).count() as u128;
        (count * 1_000_000_000_000 / u128::from(self.elapsed().max(1))) as u64
    }
}

/// A run at work.
pub struct Run {
    job: Job,
    compiled: Compiled,
    machine: Machine,
    warm_up: Nanos,
    warm: Option<Reading>,
    marks: Vec<Mark>,
    records: Vec<Record>,
    fault: Option<String>,
    /// When the strip is to be cut; `None` once that is done, or if nobody wants one.
    strip_at: Option<Nanos>,
    strip: Vec<Piece>,
}

/// Where the strip of a run without warm-up begins, ns.
const STRIP_AT: Nanos = 2_000_000_000;

impl Run {
    /// A run that is about to begin; a sentence if the job's scenario cannot be run here.
    pub fn new(job: Job) -> Result<Self, String> {
        let cell = job.cells.first().ok_or("the job has no cell")?;
        let scenario = cell.scenario(job.seed);
        let compiled = scenario::compile(&scenario, 0).map_err(|problems| {
            let sentence =
                |problem: &crate::engine::protocol::Problem| format!("{}: {}", problem.path, problem.message);
            format!("{}: {}", cell.title(), problems.iter().map(sentence).collect::<Vec<_>>().join("; "))
        })?;
        let spec = LaneSpec::from(&compiled);
        let machine = Machine::new((spec.entry.build)(spec.entry.info.key, spec.config, &spec.tunables));
        let warm_up = cell.table.method.warm_up_ns.min(compiled.duration_ns);
        Ok(Run {
            job,
            compiled,
            machine,
            warm_up,
            warm: None,
            marks: Vec::new(),
            records: Vec::new(),
            fault: None,
            strip_at: None,
            strip: Vec::new(),
        })
    }

    /// Also cuts a strip of time for a picture, before the run begins.
    pub fn want_strip(&mut self) {
        let at = if self.warm_up > 0 { self.warm_up } else { STRIP_AT.min(self.compiled.duration_ns / 2) };
        self.strip_at = Some(at);
    }

    /// The strip, once the run is past it.
    pub fn strip(&self) -> &[Piece] {
        &self.strip
    }

    /// Time of all CPUs by kind since the end of the warm-up, ns.
    pub fn times(&self) -> [Nanos; TIME_KINDS] {
        let mut times = self.reading().times;
        for (now, warm) in times.iter_mut().zip(self.warm.as_ref().map_or([0; TIME_KINDS], |warm| warm.times)) {
            *now -= warm;
        }
        times
    }

    /// Name of a task of the run.
    pub fn task_name(&self, task: TaskId) -> String {
        self.machine.sim.kernel().task_name(task).into()
    }

    /// Simulates about `events_max` events more. Returns whether there is more to do.
    pub fn work(&mut self, events_max: u64) -> bool {
        let stop = self.events().saturating_add(events_max);
        while !self.is_done() && self.events() < stop {
            let until = match (&self.warm, self.strip_at) {
                (None, _) => self.warm_up,
                (Some(_), Some(strip_at)) => strip_at,
                (Some(_), None) => self.compiled.duration_ns,
            };
            let budget = SLICE_EVENTS.min(stop - self.events());
            let status = self.machine.run(&self.compiled.changes, until, budget);
            self.machine.sim.drain_records(&mut self.records);
            if self.warm.is_some() {
                self.marks.extend(self.records.iter().filter_map(mark));
            }
            self.records.clear();
            match status {
                RunStatus::Faulted(fault) => {
                    let name = self.machine.sim.kernel().task_name(fault.task);
                    self.fault = Some(format!("the program of {name} uses no time at {} ns", fault.at));
                }
                RunStatus::Reached if self.warm.is_none() => self.warm = Some(self.reading()),
                RunStatus::Reached if self.strip_at.take().is_some() => {
                    // On a copy: the run itself goes on as if nobody had looked.
                    let len = self.job.cells[0].table.method.strip_ns;
                    self.strip = strip::cut(&mut self.machine.copy(), &self.compiled.changes, len);
                }
                RunStatus::Reached | RunStatus::Paused => {}
            }
        }
        !self.is_done()
    }

    fn reading(&self) -> Reading {
        Reading::of(self.machine.sim.kernel(), self.compiled.config.counts.len())
    }

    fn events(&self) -> u64 {
        self.machine.sim.kernel().events()
    }

    /// Whether the run has ended.
    pub fn is_done(&self) -> bool {
        self.fault.is_some() || (self.warm.is_some() && self.machine.now() >= self.compiled.duration_ns)
    }

    /// Simulated part of the run, 1/1000.
    pub fn progress_permille(&self) -> u32 {
        (u128::from(self.machine.now()) * 1000 / u128::from(self.compiled.duration_ns.max(1))) as u32
    }

    /// What runs.
    pub fn job(&self) -> &Job {
        &self.job
    }

    /// The figures of the job's cells in their order, in thousandths of their units, or why there is none. Call it when
    /// [`Run::work`] has returned false.
    pub fn figures(&self) -> Vec<Result<u64, String>> {
        let end = self.reading();
        let one = |cell: &Cell| {
            if let Some(fault) = &self.fault {
                return Err(format!("{}: {fault}", cell.title()));
            }
            let finished = Finished {
                compiled: &self.compiled,
                kernel: self.machine.sim.kernel(),
                warm: self.warm.as_ref().ok_or_else(|| format!("{}: the run has not ended", cell.title()))?,
                end: &end,
                marks: &self.marks,
            };
            let value = (cell.table.method.measure)(*cell, &finished);
            value.ok_or_else(|| format!("{}: the run is too short to measure it", cell.title()))
        };
        self.job.cells.iter().map(one).collect()
    }
}

/// Simulates one figure from start to end.
pub fn run_cell(cell: Cell, seed: u64) -> Result<u64, String> {
    let mut run = Run::new(Job { cells: vec![cell], seed })?;
    while run.work(u64::MAX) {}
    run.figures().pop().unwrap_or_else(|| Err(format!("{}: no figure", cell.title())))
}

fn mark(record: &Record) -> Option<Mark> {
    match record.event {
        Event::Mark { task, mark, response } => Some(Mark { at: record.at, task: task.0, mark, response }),
        _ => None,
    }
}
