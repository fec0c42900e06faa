//! ftrace text as `trace` prints it, with nine digits after the point: switches, wakeups, migrations, forks, exits.
//! Thread ids are task numbers plus one; priorities are those of the start.
//!
//! What the readers ask for: Perfetto tells the format by `# tracer`, splits arguments at spaces and takes at most five
//! characters of flags (earlier versions four: `systrace_line_tokenizer.cc`); Trace Compass takes four (later versions
//! any), no `=`, comma or bracket in a value, and no closing parenthesis before a line's end (`IGenericFtraceConstants`,
//! `GenericFtraceField`). So the flags are the four of kernels before 5.18, and names are written without those
//! characters. A trace ends with its last line, and with it whatever still runs: so the last one marks the end of the
//! run, in atrace's form, which Perfetto shows as an instant. KernelShark never reads text: see `trace_dat`.

use super::Facts;
use super::events::{Context, Event, Teller, Told, prio, state, tid};
use crate::engine::protocol::{IDLE, LogEntry};
use std::fmt::Write;

/// State of the writer.
pub struct Ftrace {
    teller: Teller,
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

/// Name of a task as a value of an argument.
fn comm(facts: &Facts, task: u32) -> String {
    let is_syntax = |letter: char| letter.is_whitespace() || "=,()[]".contains(letter);
    facts.name(task).replace(is_syntax, "_")
}

impl Ftrace {
    pub fn new(cpus: u16) -> Ftrace {
        Ftrace { teller: Teller::new(cpus) }
    }

    pub fn feed(&mut self, facts: &Facts, entries: &[LogEntry], out: &mut String) {
        self.teller.feed(entries, &mut |told| line(facts, &told, out));
    }

    /// The mark of the end.
    pub fn end(&self, facts: &Facts, at: u64, out: &mut String) {
        line(facts, &self.teller.end(at, 0), out);
    }
}

fn line(facts: &Facts, told: &Told, out: &mut String) {
    head(facts, told, out);
    let key = |task: u32| format!("comm={} pid={} prio={}", comm(facts, task), tid(task), prio(facts, task));
    let _ = match told.event {
        Event::Switch { prev, ended, next } => writeln!(
            out,
            "sched_switch: prev_comm={} prev_pid={} prev_prio={} prev_state={} ==> next_comm={} next_pid={} next_prio={}",
            comm(facts, prev),
            tid(prev),
            prio(facts, prev),
            state(ended).0,
            comm(facts, next),
            tid(next),
            prio(facts, next)
        ),
        Event::Waking { task, target } => writeln!(out, "sched_waking: {} target_cpu={target:03}", key(task)),
        Event::Wakeup { task, target } => writeln!(out, "sched_wakeup: {} target_cpu={target:03}", key(task)),
        Event::WakeupNew { task, target } => writeln!(out, "sched_wakeup_new: {} target_cpu={target:03}", key(task)),
        Event::Migrate { task, from, to } => {
            writeln!(out, "sched_migrate_task: {} orig_cpu={from} dest_cpu={to}", key(task))
        }
        Event::Fork { parent, child } => writeln!(
            out,
            "sched_process_fork: comm={} pid={} child_comm={} child_pid={}",
            comm(facts, parent),
            tid(parent),
            comm(facts, child),
            tid(child)
        ),
        Event::Exit { task } => writeln!(out, "sched_process_exit: {}", key(task)),
        Event::End => writeln!(out, "tracing_mark_write: I|0|end of the run"),
    };
}

fn head(facts: &Facts, told: &Told, out: &mut String) {
    let &Told { t, cpu, who, context, .. } = told;
    let Context { irqs_off, in_irq, preempt_count } = context;
    let (name, pid) = if who == IDLE { ("<idle>".to_owned(), 0) } else { (comm(facts, who), tid(who)) };
    let (seconds, ns) = (t / 1_000_000_000, t % 1_000_000_000);
    let (off, irq) = (if irqs_off { 'd' } else { '.' }, if in_irq { 'h' } else { '.' });
    let _ = write!(out, "{name:>16}-{pid:<7} [{cpu:03}] {off}.{irq}{preempt_count} {seconds:>5}.{ns:09}: ");
}
