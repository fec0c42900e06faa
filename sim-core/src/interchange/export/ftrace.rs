//! ftrace text as `trace` prints it, with nine digits after the point: switches, wakeups, migrations, forks, exits.
//! Thread ids are task numbers plus one; priorities are those of the start.
//!
//! What the readers ask for: Perfetto tells the format by `# tracer`, splits arguments at spaces and takes at most five
//! characters of flags (earlier versions four: `systrace_line_tokenizer.cc`); Trace Compass takes four (later versions
//! any), no `=`, comma or bracket in a value, and no closing parenthesis before a line's end (`IGenericFtraceConstants`,
//! `GenericFtraceField`). So the flags are the four of kernels before 5.18, and names are written without those
//! characters. A trace ends with its last line, and with it whatever still runs: so the last one marks the end of the
//! run, in atrace's form, which Perfetto shows as an instant. KernelShark reads only `trace.dat`, never text.

use super::Facts;
use super::tracker::Tracker;
use crate::engine::protocol::{IDLE, LogEntry, LogWhat};
use crate::kernel::record::SliceEnd;
use std::fmt::Write;

/// State of the writer.
pub struct Ftrace {
    tracker: Tracker,
}

/// Heading lines.
pub fn begin(facts: &Facts, out: &mut String) {
    let cpus = facts.cpus;
    let _ = write!(out, "# tracer: nop\n#\n# entries-in-buffer/entries-written: 0/0   #P:{cpus}\n#\n");
    if !facts.title.is_empty() {
        let _ = writeln!(out, "# {} ({})", facts.title, facts.policy);
    }
    if !facts.link.is_empty() {
        let _ = writeln!(out, "# {}", facts.link);
    }
    out.push_str("#           TASK-PID     CPU#  ||||  TIMESTAMP  FUNCTION\n#              | |         |   ||||     |         |\n");
}

/// Thread id in the file.
fn tid(task: u32) -> u32 {
    task.wrapping_add(1)
}

fn prio(facts: &Facts, task: u32) -> i32 {
    facts.tasks.get(task as usize).map_or(120, |task| task.prio)
}

/// Name of a task as a value of an argument.
fn comm(facts: &Facts, task: u32) -> String {
    let is_syntax = |letter: char| letter.is_whitespace() || "=,()[]".contains(letter);
    facts.name(task).replace(is_syntax, "_")
}

/// ftrace's letter for why a task left the CPU.
fn state_letter(ended: u8) -> char {
    match ended {
        ended if ended == SliceEnd::Slept as u8 => 'S',
        ended if ended == SliceEnd::Blocked as u8 => 'D',
        ended if ended == SliceEnd::Exited as u8 => 'X',
        _ => 'R',
    }
}

impl Ftrace {
    pub fn new(cpus: u16) -> Ftrace {
        Ftrace { tracker: Tracker::new(cpus) }
    }

    pub fn feed(&mut self, facts: &Facts, entries: &[LogEntry], out: &mut String) {
        for entry in entries {
            self.line(facts, entry, out);
            // Only the present state is of use here, not the intervals.
            self.tracker.take(entry, &mut |_, _| {});
        }
    }

    /// The mark of the end.
    pub fn end(&self, facts: &Facts, at: u64, out: &mut String) {
        self.head(facts, at, 0, self.tracker.running(0), "...1", out);
        out.push_str("tracing_mark_write: I|0|end of the run\n");
    }

    fn line(&self, facts: &Facts, entry: &LogEntry, out: &mut String) {
        let LogEntry { t, cpu, what } = *entry;
        // Printed where the waker is; a timer fires where the task is queued.
        let place = |by: u32| if by == IDLE { cpu } else { self.tracker.cpu_of(by).unwrap_or(cpu) };
        let key = |task: u32| format!("comm={} pid={} prio={}", comm(facts, task), tid(task), prio(facts, task));
        match what {
            LogWhat::Switch { ended, next } => {
                let prev = self.tracker.running(cpu);
                if ended == SliceEnd::Exited as u8 {
                    self.head(facts, t, cpu, prev, "...1", out);
                    let _ = writeln!(out, "sched_process_exit: {}", key(prev));
                }
                self.head(facts, t, cpu, prev, "d..2", out);
                let (state, idle_prio) = (state_letter(ended), 120);
                let prev_prio = if prev == IDLE { idle_prio } else { prio(facts, prev) };
                let next_prio = if next == IDLE { idle_prio } else { prio(facts, next) };
                let _ = writeln!(
                    out,
                    "sched_switch: prev_comm={} prev_pid={} prev_prio={prev_prio} prev_state={state} ==> next_comm={} next_pid={} next_prio={next_prio}",
                    comm(facts, prev),
                    tid(prev),
                    comm(facts, next),
                    tid(next)
                );
            }
            LogWhat::Wake { task, waker } => {
                let (at, flags) = (place(waker), if waker == IDLE { "d.h4" } else { "d..4" });
                let who = if waker == IDLE { self.tracker.running(at) } else { waker };
                self.head(facts, t, at, who, flags, out);
                let _ = writeln!(out, "sched_waking: {} target_cpu={cpu:03}", key(task));
                if let Some(from) = self.tracker.cpu_of(task).filter(|from| *from != cpu) {
                    self.head(facts, t, at, who, flags, out);
                    let _ = writeln!(out, "sched_migrate_task: {} orig_cpu={from} dest_cpu={cpu}", key(task));
                }
                self.head(facts, t, at, who, flags, out);
                let _ = writeln!(out, "sched_wakeup: {} target_cpu={cpu:03}", key(task));
            }
            LogWhat::New { task, parent } => {
                let at = place(parent);
                let who = if parent == IDLE { self.tracker.running(at) } else { parent };
                if parent != IDLE {
                    self.head(facts, t, at, who, "...1", out);
                    let (name, child) = (comm(facts, parent), comm(facts, task));
                    let (pid, child_pid) = (tid(parent), tid(task));
                    let _ = writeln!(
                        out,
                        "sched_process_fork: comm={name} pid={pid} child_comm={child} child_pid={child_pid}"
                    );
                }
                let flags = if parent == IDLE { "d.h4" } else { "d..3" };
                self.head(facts, t, at, who, flags, out);
                let _ = writeln!(out, "sched_wakeup_new: {} target_cpu={cpu:03}", key(task));
            }
            LogWhat::Migrate { task, from } => {
                self.head(facts, t, cpu, self.tracker.running(cpu), "d..4", out);
                let _ = writeln!(out, "sched_migrate_task: {} orig_cpu={from} dest_cpu={cpu}", key(task));
            }
        }
    }

    fn head(&self, facts: &Facts, t: u64, cpu: u16, task: u32, flags: &str, out: &mut String) {
        let (name, pid) = if task == IDLE { ("<idle>".to_owned(), 0) } else { (comm(facts, task), tid(task)) };
        let (seconds, ns) = (t / 1_000_000_000, t % 1_000_000_000);
        let _ = write!(out, "{name:>16}-{pid:<7} [{cpu:03}] {flags} {seconds:>5}.{ns:09}: ");
    }
}
