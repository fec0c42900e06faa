//! The history of a run: what each CPU, each task and the policy did, append-only, made from the machine's records.
//!
//! It is fed between slices of the run, never on the event path. Everything is kept exactly; windows are answered from
//! coarser levels where there is more than can be shown. Arguments of reasons are not kept: a replay gives them back.

pub mod chunked;
pub mod cpu_log;
pub mod mip;
pub mod moments;
pub mod packed;
pub mod task_log;

pub mod window;

#[cfg(test)]
mod tests;

use crate::kernel::record::{Event, Record};
use crate::metrics::series::{Series, SeriesMark};
use crate::task::task::Task;
use crate::units::{Nanos, TaskId};
use cpu_log::{CpuLog, CpuMark, Entry};
use mip::IDLE;
use moments::{Mark, Moments, MomentsMark, Note};
use task_log::{Origin, TaskLog, TaskMark};

/// The history of one run.
#[derive(Clone, Debug)]
pub struct Trace {
    cpus: Vec<CpuLog>,
    tasks: Vec<TaskLog>,
    moments: Moments,
    series: Series,
    /// CPU time up to here is in the series.
    booked: Nanos,
    switches: u64,
    migrations: u64,
}

/// Where a trace stands; cheap enough to be kept with every checkpoint.
#[derive(Clone, Debug)]
pub struct TraceMark {
    cpus: Vec<CpuMark>,
    tasks: Vec<TaskMark>,
    moments: MomentsMark,
    series: SeriesMark,
    booked: Nanos,
    switches: u64,
    migrations: u64,
}

fn word(task: Option<TaskId>) -> u32 {
    task.map_or(IDLE, |task| task.0)
}

impl Trace {
    /// An empty history of a machine with `cpus` CPUs, and series of the given shape.
    pub fn new(cpus: u16, series: Series) -> Self {
        Trace {
            cpus: vec![CpuLog::default(); usize::from(cpus)],
            tasks: Vec::new(),
            moments: Moments::default(),
            series,
            booked: 0,
            switches: 0,
            migrations: 0,
        }
    }

    /// Appends `records`, which are all up to `now`; `tasks` is the machine's present table, which may have grown.
    pub fn feed(&mut self, records: &[Record], tasks: &[Task], now: Nanos) {
        for task in &tasks[self.tasks.len().min(tasks.len())..] {
            self.tasks.push(TaskLog::new(task.workload));
        }
        for record in records {
            self.record(record);
        }
        for log in &self.cpus {
            let head = log.head();
            if head.curr != IDLE {
                let workload = self.tasks[head.curr as usize].workload();
                self.series.ran(workload, head.since.max(self.booked), now);
            }
        }
        self.booked = now;
    }

    fn record(&mut self, record: &Record) {
        let at = record.at;
        match record.event {
            Event::Switch { cpu, prev, prev_end, next, reason } => {
                self.switches += 1;
                self.series.switch(at);
                if let Some(prev) = prev {
                    let log = &mut self.tasks[prev.index()];
                    let start = log.leave(at, prev_end as u8);
                    self.series.ran(log.workload(), start.max(self.booked), at);
                }
                if let Some(next) = next {
                    let (ready, origin) = self.tasks[next.index()].run(at, cpu.0);
                    if origin == Origin::Woken {
                        self.series.latency(at, at - ready, next.0);
                    }
                }
                let entry = Entry::Switch { ended: prev_end as u8, next: word(next), code: reason.code };
                self.cpus[cpu.index()].append(at, entry);
            }
            Event::Wakeup { task, cpu, waker } => {
                self.tasks[task.index()].wait(at, Origin::Woken, cpu.0);
                self.cpus[cpu.index()].append(at, Entry::Wake { task: task.0, waker: word(waker) });
            }
            Event::Start { task, cpu } => self.new_task(at, task, cpu.0, None),
            Event::Fork { parent, child, cpu } => self.new_task(at, child, cpu.0, Some(parent)),
            Event::Migrate { task, from, to } => {
                self.migrations += 1;
                if self.tasks[task.index()].migrate(to.0) {
                    self.cpus[from.index()].append(at, Entry::MigrateOut { task: task.0, to: to.0 });
                    self.cpus[to.index()].append(at, Entry::MigrateIn { task: task.0, from: from.0 });
                }
            }
            Event::Mark { task, mark, response } => {
                self.moments.mark(&Mark { at, task: task.0, mark, response });
                self.series.mark(at, mark);
            }
            Event::Note { cpu, note, args } => {
                self.moments.note(Note { at, cpu: cpu.map_or(u16::MAX, |cpu| cpu.0), note, args });
            }
            // The switch that follows says that the task has exited; a re-pick changes nothing that is shown.
            Event::Exit { .. } | Event::Repick { .. } => {}
        }
    }

    fn new_task(&mut self, at: Nanos, task: TaskId, cpu: u16, parent: Option<TaskId>) {
        self.tasks[task.index()].wait(at, Origin::New, cpu);
        self.cpus[usize::from(cpu)].append(at, Entry::New { task: task.0, parent: word(parent) });
    }

    /// Log of a CPU.
    pub fn cpu(&self, cpu: u16) -> &CpuLog {
        &self.cpus[usize::from(cpu)]
    }

    /// Number of CPUs.
    pub fn cpus(&self) -> u16 {
        self.cpus.len() as u16
    }

    /// Log of a task, if it has one.
    pub fn task(&self, task: u32) -> Option<&TaskLog> {
        self.tasks.get(task as usize)
    }

    /// All tasks' logs, by id.
    pub fn tasks(&self) -> &[TaskLog] {
        &self.tasks
    }

    /// Marks and notes.
    pub fn moments(&self) -> &Moments {
        &self.moments
    }

    /// Numbers over time.
    pub fn series(&self) -> &Series {
        &self.series
    }

    /// Switches so far.
    pub fn switches(&self) -> u64 {
        self.switches
    }

    /// Migrations so far.
    pub fn migrations(&self) -> u64 {
        self.migrations
    }

    /// When `task`, which was queued on `cpu`, was last woken or started at `ready`: by whom ([`IDLE`] = nobody).
    pub fn woken_by(&self, task: u32, ready: Nanos) -> Option<u32> {
        self.cpus.iter().find_map(|log| {
            let mut entries = log.since(ready);
            std::iter::from_fn(|| entries.next()).take_while(|&(at, _)| at == ready).find_map(
                |(_, entry)| match entry {
                    Entry::Wake { task: woken, waker } if woken == task => Some(waker),
                    Entry::New { task: new, parent } if new == task => Some(parent),
                    _ => None,
                },
            )
        })
    }

    /// Where it stands.
    pub fn mark(&self) -> TraceMark {
        TraceMark {
            cpus: self.cpus.iter().map(CpuLog::mark).collect(),
            tasks: self.tasks.iter().map(TaskLog::mark).collect(),
            moments: self.moments.place(),
            series: self.series.place(),
            booked: self.booked,
            switches: self.switches,
            migrations: self.migrations,
        }
    }

    /// Forgets everything after `mark`.
    pub fn cut(&mut self, mark: &TraceMark) {
        for (log, mark) in self.cpus.iter_mut().zip(&mark.cpus) {
            log.cut(mark);
        }
        self.tasks.truncate(mark.tasks.len());
        for (log, mark) in self.tasks.iter_mut().zip(&mark.tasks) {
            log.cut(mark);
        }
        self.moments.cut(&mark.moments);
        self.series.cut(&mark.series);
        self.booked = mark.booked;
        self.switches = mark.switches;
        self.migrations = mark.migrations;
    }

    /// Bytes of memory held by what grows with the run.
    pub fn bytes(&self) -> usize {
        self.cpus.iter().map(CpuLog::bytes).sum::<usize>()
            + self.tasks.iter().map(TaskLog::bytes).sum::<usize>()
            + self.moments.bytes()
    }
}
