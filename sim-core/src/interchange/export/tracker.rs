//! From events to intervals: what each CPU and task was doing, told when it changes. What lasts no time is left out:
//! only the state after a whole instant counts.

use crate::engine::protocol::{IDLE, LogEntry, LogWhat};
use crate::kernel::record::SliceEnd;
use crate::trace::window::{Presence, away};

/// A change that lasted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// Another task (or idle) on a CPU.
    Cpu {
        /// Which.
        cpu: u16,
        /// Who ran.
        before: u32,
        /// Since when.
        start: u64,
        /// Who runs now.
        after: u32,
    },
    /// Another state of a task.
    Task {
        /// Who.
        task: u32,
        /// State and CPU.
        before: (Presence, u16),
        /// Since when.
        start: u64,
        /// Why the task left the CPU, [`SliceEnd`] as a number, if it ran.
        ended: u8,
        /// State and CPU now.
        after: (Presence, u16),
    },
}

/// What is told and what is true by now.
#[derive(Clone, Copy)]
struct Cell<T> {
    told: T,
    since: u64,
    now: T,
    /// A change waits for the end of the instant.
    marked: bool,
}

/// See the module.
pub struct Tracker {
    cpus: Vec<Cell<u32>>,
    tasks: Vec<(Cell<(Presence, u16)>, u8)>,
    changed_cpus: Vec<u16>,
    changed_tasks: Vec<u32>,
    at: u64,
}

impl Tracker {
    /// All CPUs idle, no task there.
    pub fn new(cpus: u16) -> Tracker {
        let idle = Cell { told: IDLE, since: 0, now: IDLE, marked: false };
        Tracker {
            cpus: vec![idle; usize::from(cpus)],
            tasks: Vec::new(),
            changed_cpus: Vec::new(),
            changed_tasks: Vec::new(),
            at: 0,
        }
    }

    /// Who runs on a CPU after all events so far.
    pub fn running(&self, cpu: u16) -> u32 {
        self.cpus.get(usize::from(cpu)).map_or(IDLE, |cell| cell.now)
    }

    /// CPU a task was last on or queued at; `None` if it was never seen.
    pub fn cpu_of(&self, task: u32) -> Option<u16> {
        let (cell, _) = self.tasks.get(task as usize)?;
        (cell.now.0 != Presence::Gone || cell.told.0 != Presence::Gone).then_some(cell.now.1)
    }

    /// Takes an event. If it begins a new instant, `out` hears of what changed in the one before, with its time.
    pub fn take(&mut self, entry: &LogEntry, out: &mut dyn FnMut(u64, Change)) {
        if entry.t > self.at {
            self.flush(out);
            self.at = entry.t;
        }
        let cpu = entry.cpu;
        match entry.what {
            LogWhat::Switch { ended, next } => {
                let prev = self.running(cpu);
                if prev != IDLE {
                    let stays = [SliceEnd::Preempted, SliceEnd::Expired, SliceEnd::Yielded].map(|end| end as u8);
                    let state = if stays.contains(&ended) { Presence::Runnable } else { away(ended) };
                    self.put(prev, (state, cpu));
                    self.tasks[prev as usize].1 = ended;
                }
                if next != IDLE {
                    self.put(next, (Presence::Running, cpu));
                }
                let Some(cell) = self.cpus.get_mut(usize::from(cpu)) else { return };
                cell.now = next;
                if !std::mem::replace(&mut cell.marked, true) {
                    self.changed_cpus.push(cpu);
                }
            }
            LogWhat::Wake { task, .. } | LogWhat::New { task, .. } | LogWhat::Migrate { task, .. } => {
                self.put(task, (Presence::Runnable, cpu));
            }
        }
    }

    fn put(&mut self, task: u32, state: (Presence, u16)) {
        let gone = (Presence::Gone, 0);
        let absent = Cell { told: gone, since: 0, now: gone, marked: false };
        if self.tasks.len() <= task as usize {
            self.tasks.resize(task as usize + 1, (absent, 0));
        }
        let cell = &mut self.tasks[task as usize].0;
        cell.now = state;
        if !std::mem::replace(&mut cell.marked, true) {
            self.changed_tasks.push(task);
        }
    }

    /// Tells what changed in the present instant.
    pub fn flush(&mut self, out: &mut dyn FnMut(u64, Change)) {
        let at = self.at;
        self.changed_cpus.sort_unstable();
        for cpu in std::mem::take(&mut self.changed_cpus) {
            let cell = &mut self.cpus[usize::from(cpu)];
            cell.marked = false;
            if cell.now != cell.told {
                out(at, Change::Cpu { cpu, before: cell.told, start: cell.since, after: cell.now });
                (cell.told, cell.since) = (cell.now, at);
            }
        }
        self.changed_tasks.sort_unstable();
        for task in std::mem::take(&mut self.changed_tasks) {
            let (cell, ended) = &mut self.tasks[task as usize];
            cell.marked = false;
            if cell.now != cell.told {
                let (before, start) = (cell.told, cell.since);
                out(at, Change::Task { task, before, start, ended: *ended, after: cell.now });
                (cell.told, cell.since) = (cell.now, at);
            }
        }
    }

    /// Ends everything at the end of the run.
    pub fn end(mut self, at: u64, out: &mut dyn FnMut(u64, Change)) {
        if self.at >= at {
            // What begins with the end of the run lasts no time.
            for cpu in &self.changed_cpus {
                self.cpus[usize::from(*cpu)].now = IDLE;
            }
            for task in &self.changed_tasks {
                let cell = &mut self.tasks[*task as usize].0;
                cell.now = (Presence::Gone, cell.told.1);
            }
        }
        self.flush(out);
        let still = SliceEnd::Idle as u8;
        for (cpu, cell) in (0..).zip(&self.cpus) {
            if cell.told != IDLE && cell.since < at {
                out(at, Change::Cpu { cpu, before: cell.told, start: cell.since, after: IDLE });
            }
        }
        for (task, (cell, _)) in (0..).zip(&self.tasks) {
            if cell.told.0 != Presence::Gone && cell.since < at {
                let after = (Presence::Gone, cell.told.1);
                out(at, Change::Task { task, before: cell.told, start: cell.since, ended: still, after });
            }
        }
    }
}
