//! What the kernel's scheduler tracepoints would have told of a run: switches, wakeups, migrations, forks, exits. Both
//! of ftrace's forms, text and `trace.dat`, are written from these.

use super::Facts;
use super::tracker::Tracker;
use crate::engine::protocol::{IDLE, LogEntry, LogWhat};
use crate::kernel::record::SliceEnd;

/// Priority that the kernel prints for the idle task.
const IDLE_PRIO: i32 = 120;

/// A tracepoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// `sched_switch`.
    Switch {
        /// Who leaves.
        prev: u32,
        /// Why, [`SliceEnd`] as a number.
        ended: u8,
        /// Who comes.
        next: u32,
    },
    /// `sched_waking`.
    Waking {
        /// Who wakes.
        task: u32,
        /// CPU that it is queued at.
        target: u16,
    },
    /// `sched_wakeup`.
    Wakeup {
        /// Who wakes.
        task: u32,
        /// CPU that it is queued at.
        target: u16,
    },
    /// `sched_wakeup_new`.
    WakeupNew {
        /// Who is new.
        task: u32,
        /// CPU that it is queued at.
        target: u16,
    },
    /// `sched_migrate_task`.
    Migrate {
        /// Who moves.
        task: u32,
        /// CPU that it was at.
        from: u16,
        /// CPU that it goes to.
        to: u16,
    },
    /// `sched_process_fork`.
    Fork {
        /// Who forks.
        parent: u32,
        /// The new task.
        child: u32,
    },
    /// `sched_process_exit`.
    Exit {
        /// Who exits.
        task: u32,
    },
    /// `tracing_mark_write`: the end of the run.
    End,
}

/// In which state the CPU was when it was told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Context {
    /// Interrupts are off.
    pub irqs_off: bool,
    /// In an interrupt.
    pub in_irq: bool,
    /// Depth of `preempt_disable`.
    pub preempt_count: u8,
}

const PLAIN: Context = Context { irqs_off: false, in_irq: false, preempt_count: 1 };
const LOCKED: Context = Context { irqs_off: true, in_irq: false, preempt_count: 4 };

/// An event with its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Told {
    /// When, ns.
    pub t: u64,
    /// CPU that tells it.
    pub cpu: u16,
    /// Task that runs there; [`IDLE`].
    pub who: u32,
    /// State of the CPU.
    pub context: Context,
    /// What happened.
    pub event: Event,
}

/// Turns the log into events.
pub struct Teller {
    tracker: Tracker,
}

impl Teller {
    pub fn new(cpus: u16) -> Teller {
        Teller { tracker: Tracker::new(cpus) }
    }

    pub fn feed(&mut self, entries: &[LogEntry], out: &mut dyn FnMut(Told)) {
        for entry in entries {
            self.tell(entry, out);
            // Only the present state is of use here, not the intervals.
            self.tracker.take(entry, &mut |_, _| {});
        }
    }

    /// The mark of the end on a CPU.
    pub fn end(&self, t: u64, cpu: u16) -> Told {
        Told { t, cpu, who: self.tracker.running(cpu), context: PLAIN, event: Event::End }
    }

    fn tell(&self, entry: &LogEntry, out: &mut dyn FnMut(Told)) {
        let LogEntry { t, cpu, what } = *entry;
        // Told where the waker is; a timer fires where the task is queued.
        let place = |by: u32| if by == IDLE { cpu } else { self.tracker.cpu_of(by).unwrap_or(cpu) };
        match what {
            LogWhat::Switch { ended, next } => {
                let prev = self.tracker.running(cpu);
                if ended == SliceEnd::Exited as u8 {
                    out(Told { t, cpu, who: prev, context: PLAIN, event: Event::Exit { task: prev } });
                }
                let context = Context { irqs_off: true, in_irq: false, preempt_count: 2 };
                out(Told { t, cpu, who: prev, context, event: Event::Switch { prev, ended, next } });
            }
            LogWhat::Wake { task, waker } => {
                let (at, is_timer) = (place(waker), waker == IDLE);
                let who = if is_timer { self.tracker.running(at) } else { waker };
                let context = Context { in_irq: is_timer, ..LOCKED };
                let mut say = |event| out(Told { t, cpu: at, who, context, event });
                say(Event::Waking { task, target: cpu });
                if let Some(from) = self.tracker.cpu_of(task).filter(|from| *from != cpu) {
                    say(Event::Migrate { task, from, to: cpu });
                }
                say(Event::Wakeup { task, target: cpu });
            }
            LogWhat::New { task, parent } => {
                let (at, is_timer) = (place(parent), parent == IDLE);
                let who = if is_timer { self.tracker.running(at) } else { parent };
                if !is_timer {
                    out(Told { t, cpu: at, who, context: PLAIN, event: Event::Fork { parent, child: task } });
                }
                let preempt_count = if is_timer { 4 } else { 3 };
                let context = Context { irqs_off: true, in_irq: is_timer, preempt_count };
                out(Told { t, cpu: at, who, context, event: Event::WakeupNew { task, target: cpu } });
            }
            LogWhat::Migrate { task, from } => {
                let who = self.tracker.running(cpu);
                out(Told { t, cpu, who, context: LOCKED, event: Event::Migrate { task, from, to: cpu } });
            }
        }
    }
}

/// Thread id in the file: the idle task has 0.
pub fn tid(task: u32) -> u32 {
    task.wrapping_add(1)
}

/// Priority as the kernel numbers it, as at the start.
pub fn prio(facts: &Facts, task: u32) -> i32 {
    facts.tasks.get(task as usize).map_or(IDLE_PRIO, |task| task.prio)
}

/// Why a task left the CPU: ftrace's letter, and its bit in `prev_state`.
pub fn state(ended: u8) -> (char, i64) {
    match ended {
        ended if ended == SliceEnd::Slept as u8 => ('S', 1),
        ended if ended == SliceEnd::Blocked as u8 => ('D', 2),
        ended if ended == SliceEnd::Exited as u8 => ('X', 16),
        _ => ('R', 0),
    }
}
