//! Tables for spreadsheets: RFC 4180, with a guard before cells that a spreadsheet would take for a formula.

use super::Facts;
use super::tracker::{Change, Tracker};
use crate::engine::protocol::{LogEntry, SummaryView};
use crate::kernel::record::SliceEnd;
use crate::trace::window::Presence;
use std::fmt::Write;

/// A text as a cell of a table in CSV, never taken for a formula.
pub fn cell(text: &str) -> String {
    let guard = if text.starts_with(['=', '+', '-', '@']) { "'" } else { "" };
    format!("\"{guard}{}\"", text.replace('"', "\"\""))
}

/// Numbers per task that there was: a workload that can grow keeps places for more.
pub fn metrics(summary: &SummaryView, name: &dyn Fn(u32) -> String) -> String {
    let mut out = String::from(
        "task,runtime_ns,wait_ns,sleep_ns,share_permille,fair_permille,switches,migrations,wakeups,p50_ns,p95_ns,p99_ns,max_ns\n",
    );
    for row in summary.tasks.iter().filter(|row| row.runtime + row.wait + row.slept > 0) {
        let latency = &row.latency;
        // Writing to a String cannot fail, here and below.
        let _ = writeln!(
            out,
            "{},{},{},{},{},{},{},{},{},{},{},{},{}",
            cell(&name(row.id)),
            row.runtime,
            row.wait,
            row.slept,
            row.share_permille,
            row.fair_permille,
            row.switches,
            row.migrations,
            latency.count,
            latency.p50,
            latency.p95,
            latency.p99,
            latency.max
        );
    }
    out
}

/// Writer of what every task did.
pub struct Intervals {
    tracker: Tracker,
}

/// Heading line.
pub fn begin(out: &mut String) {
    out.push_str("task_id,task,state,cpu,start_ns,end_ns,left_because\n");
}

impl Intervals {
    pub fn new(cpus: u16) -> Intervals {
        Intervals { tracker: Tracker::new(cpus) }
    }

    pub fn feed(&mut self, facts: &Facts, entries: &[LogEntry], out: &mut String) {
        for entry in entries {
            self.tracker.take(entry, &mut |at, change| row(facts, at, change, out));
        }
    }

    pub fn end(self, facts: &Facts, at: u64, out: &mut String) {
        self.tracker.end(at, &mut |at, change| row(facts, at, change, out));
    }
}

fn row(facts: &Facts, at: u64, change: Change, out: &mut String) {
    let Change::Task { task, before: (state, cpu), start, ended, .. } = change else { return };
    let word = match state {
        Presence::Running => "running",
        Presence::Runnable => "runnable",
        Presence::Sleeping => "sleeping",
        Presence::Blocked => "blocked",
        Presence::Gone => return,
    };
    let why = if state == Presence::Running { ended_word(ended) } else { "" };
    let _ = writeln!(out, "{task},{},{word},{cpu},{start},{at},{why}", cell(facts.name(task)));
}

/// Why a task left the CPU; empty while it still runs.
fn ended_word(ended: u8) -> &'static str {
    const WORDS: [(SliceEnd, &str); 6] = [
        (SliceEnd::Preempted, "preempted"),
        (SliceEnd::Expired, "expired"),
        (SliceEnd::Slept, "slept"),
        (SliceEnd::Blocked, "blocked"),
        (SliceEnd::Yielded, "yielded"),
        (SliceEnd::Exited, "exited"),
    ];
    WORDS.iter().find(|(end, _)| *end as u8 == ended).map_or("", |(_, word)| word)
}

#[cfg(test)]
mod tests {
    use super::cell;

    #[test]
    fn no_cell_is_taken_for_a_formula() {
        assert_eq!(cell("=1+1"), "\"'=1+1\"");
        assert_eq!(cell("a \"b\", c"), "\"a \"\"b\"\", c\"");
    }
}
