//! Chrome Trace Event JSON. Process 1 has a thread per CPU with the running task's slices and a counter of waiting
//! tasks, process 2 a thread per task with its states; arrows go from waker to wakee. Thread numbers are ours plus one,
//! because number 0 means the idle task to Perfetto. Times are whole ns written as microseconds with three decimals.

use super::tracker::{Change, Tracker};
use super::{Facts, plain};
use crate::engine::protocol::{IDLE, LogEntry, LogWhat};
use crate::trace::window::Presence;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// State of the writer.
pub struct Chrome {
    tracker: Tracker,
    /// Which tasks have a name in the file; those that never start get none, or readers would list them.
    named: BTreeSet<u32>,
    /// Tasks waiting per CPU.
    waiting: Vec<u32>,
    /// Number of the arrow that ends in a task's next slice.
    arrows: BTreeMap<u32, u64>,
    arrow: u64,
}

/// Microseconds with three decimals.
fn micros(ns: u64) -> String {
    format!("{}.{:03}", ns / 1000, ns % 1000)
}

/// A text as JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(plain(text)).to_string()
}

fn state_word(state: Presence) -> Option<&'static str> {
    match state {
        Presence::Running => Some("running"),
        Presence::Runnable => Some("runnable"),
        Presence::Sleeping => Some("sleeping"),
        Presence::Blocked => Some("blocked"),
        Presence::Gone => None,
    }
}

impl Chrome {
    pub fn new(cpus: u16) -> Chrome {
        let waiting = vec![0; usize::from(cpus)];
        Chrome { tracker: Tracker::new(cpus), named: BTreeSet::new(), waiting, arrows: BTreeMap::new(), arrow: 0 }
    }

    pub fn begin(&mut self, facts: &Facts, out: &mut String) {
        let title = quoted(&format!("{} ({})", facts.title, facts.policy));
        let link = quoted(&facts.link);
        // Writing to a String cannot fail, here and below.
        let _ = writeln!(
            out,
            "{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"title\":{title},\"link\":{link}}},\"traceEvents\":["
        );
        for (pid, name) in [(1, "CPUs"), (2, "Tasks")] {
            let comma = if pid == 1 { "" } else { ",\n" };
            let _ = write!(
                out,
                "{comma}{{\"ph\":\"M\",\"ts\":0,\"pid\":{pid},\"tid\":0,\"name\":\"process_name\",\"args\":{{\"name\":\"{name}\"}}}}"
            );
        }
        for cpu in 0..facts.cpus {
            thread_name(1, cpu.into(), &quoted(&format!("cpu {cpu}")), out);
        }
    }

    pub fn feed(&mut self, facts: &Facts, entries: &[LogEntry], out: &mut String) {
        let Chrome { tracker, named, waiting, arrows, arrow } = self;
        for entry in entries {
            if let LogWhat::New { task, .. }
            | LogWhat::Wake { task, .. }
            | LogWhat::Migrate { task, .. }
            | LogWhat::Switch { next: task, .. } = entry.what
                && task != IDLE
                && named.insert(task)
            {
                thread_name(2, task, &quoted(facts.name(task)), out);
            }
            tracker.take(entry, &mut |at, change| write_change(facts, at, change, waiting, arrows, out));
            if let LogWhat::Wake { task, waker } = entry.what
                && waker != IDLE
                && let Some(cpu) = tracker.cpu_of(waker)
                && tracker.running(cpu) == waker
            {
                *arrow += 1;
                arrows.insert(task, *arrow);
                let (ts, tid) = (micros(entry.t), cpu + 1);
                let _ = write!(
                    out,
                    ",\n{{\"ph\":\"s\",\"ts\":{ts},\"pid\":1,\"tid\":{tid},\"cat\":\"wakeup\",\"name\":\"wakeup\",\"id\":{arrow}}}"
                );
            }
        }
    }

    pub fn end(mut self, facts: &Facts, at: u64, out: &mut String) {
        let (waiting, arrows) = (&mut self.waiting, &mut self.arrows);
        self.tracker.end(at, &mut |at, change| write_change(facts, at, change, waiting, arrows, out));
        out.push_str("\n]}\n");
    }
}

fn thread_name(pid: u8, id: u32, name: &str, out: &mut String) {
    let tid = id + 1;
    let _ = write!(
        out,
        ",\n{{\"ph\":\"M\",\"ts\":0,\"pid\":{pid},\"tid\":{tid},\"name\":\"thread_name\",\"args\":{{\"name\":{name}}}}},\n{{\"ph\":\"M\",\"ts\":0,\"pid\":{pid},\"tid\":{tid},\"name\":\"thread_sort_index\",\"args\":{{\"sort_index\":{id}}}}}"
    );
}

fn write_change(
    facts: &Facts,
    at: u64,
    change: Change,
    waiting: &mut [u32],
    arrows: &mut BTreeMap<u32, u64>,
    out: &mut String,
) {
    let ts = micros(at);
    match change {
        Change::Cpu { cpu, before, after, .. } => {
            let tid = cpu + 1;
            if before != IDLE {
                let _ = write!(out, ",\n{{\"ph\":\"E\",\"ts\":{ts},\"pid\":1,\"tid\":{tid}}}");
            }
            if after != IDLE {
                let name = quoted(facts.name(after));
                let _ = write!(out, ",\n{{\"ph\":\"B\",\"ts\":{ts},\"pid\":1,\"tid\":{tid},\"name\":{name}}}");
                if let Some(arrow) = arrows.remove(&after) {
                    let _ = write!(
                        out,
                        ",\n{{\"ph\":\"f\",\"bp\":\"e\",\"ts\":{ts},\"pid\":1,\"tid\":{tid},\"cat\":\"wakeup\",\"name\":\"wakeup\",\"id\":{arrow}}}"
                    );
                }
            }
        }
        Change::Task { task, before, after, .. } => {
            let tid = task + 1;
            if state_word(before.0).is_some() {
                let _ = write!(out, ",\n{{\"ph\":\"E\",\"ts\":{ts},\"pid\":2,\"tid\":{tid}}}");
            }
            if let Some(word) = state_word(after.0) {
                let cpu = after.1;
                let _ = write!(
                    out,
                    ",\n{{\"ph\":\"B\",\"ts\":{ts},\"pid\":2,\"tid\":{tid},\"name\":\"{word}\",\"args\":{{\"cpu\":{cpu}}}}}"
                );
            }
            count(at, before, after, waiting, out);
        }
    }
}

/// Keeps the counters of waiting tasks.
fn count(at: u64, before: (Presence, u16), after: (Presence, u16), waiting: &mut [u32], out: &mut String) {
    for ((state, cpu), more) in [(before, false), (after, true)] {
        let Some(number) = waiting.get_mut(usize::from(cpu)).filter(|_| state == Presence::Runnable) else { continue };
        *number = if more { *number + 1 } else { number.saturating_sub(1) };
        let ts = micros(at);
        let _ = write!(
            out,
            ",\n{{\"ph\":\"C\",\"ts\":{ts},\"pid\":1,\"name\":\"cpu {cpu} waiting\",\"args\":{{\"tasks\":{number}}}}}"
        );
    }
}
