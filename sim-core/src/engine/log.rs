//! Answer to `Log`: the history as one stream, the CPUs' logs merged by time.

use super::lane::Lane;
use super::protocol::{IDLE, LogEntry, LogView, LogWhat};
use super::window::new_tasks;
use crate::trace::cpu_log::{Entries, Entry};
use crate::units::Nanos;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// What happened from `from` on: whole instants until there are at least `entries_min` entries, or all that is known.
#[inline(never)] // the page loads it later: xtask/src/parts.rs
pub fn log(lane: &Lane, index: u8, from: Nanos, entries_min: usize) -> LogView {
    let trace = lane.trace();
    let mut merge = Merge {
        cursors: (0..trace.cpus()).map(|cpu| trace.cpu(cpu).since(from)).collect(),
        due: BinaryHeap::new(),
        curr: Vec::new(),
        queues: vec![VecDeque::new(); usize::from(trace.cpus())],
        touched: Vec::new(),
        out: Vec::new(),
    };
    merge.curr = merge.cursors.iter().map(|cursor| cursor.head.curr).collect();
    for cpu in 0..merge.cursors.len() {
        merge.look(cpu);
    }
    // The present instant may still grow.
    let end = if lane.is_done() { lane.front().saturating_add(1) } else { lane.front() };
    let mut next = end.max(from);
    while let Some(&Reverse((at, _))) = merge.due.peek() {
        if at >= end || merge.out.len() >= entries_min {
            next = at.min(next);
            break;
        }
        merge.instant(at);
    }
    LogView { lane: index, entries: merge.out, from, next, simulated: lane.front(), new_tasks: new_tasks(lane) }
}

struct Merge<'a> {
    cursors: Vec<Entries<'a>>,
    /// (time of its next entry, CPU).
    due: BinaryHeap<Reverse<(Nanos, usize)>>,
    /// Who runs on each CPU after what was put out so far.
    curr: Vec<u32>,
    /// Entries of the instant at work, per CPU in order.
    queues: Vec<VecDeque<Entry>>,
    touched: Vec<usize>,
    out: Vec<LogEntry>,
}

impl Merge<'_> {
    fn look(&mut self, cpu: usize) {
        if let Some(at) = self.cursors[cpu].peek_at() {
            self.due.push(Reverse((at, cpu)));
        }
    }

    /// Puts out everything of one instant.
    fn instant(&mut self, at: Nanos) {
        self.touched.clear();
        while let Some(&Reverse((due, cpu))) = self.due.peek() {
            if due != at {
                break;
            }
            self.due.pop();
            while self.cursors[cpu].peek_at() == Some(at) {
                self.queues[cpu].extend(self.cursors[cpu].next().map(|(_, entry)| entry));
            }
            self.touched.push(cpu);
            self.look(cpu);
        }
        self.touched.sort_unstable();
        while let Some(cpu) = self.choose() {
            let Some(entry) = self.queues[cpu].pop_front() else { return };
            let what = match entry {
                Entry::Switch { ended, next, .. } => {
                    self.curr[cpu] = next;
                    LogWhat::Switch { ended, next }
                }
                Entry::Wake { task, waker } => LogWhat::Wake { task, waker },
                Entry::New { task, parent } => LogWhat::New { task, parent },
                Entry::MigrateIn { task, from } => LogWhat::Migrate { task, from },
                // Its other half says the same.
                Entry::MigrateOut { .. } => continue,
            };
            self.out.push(LogEntry { t: at, cpu: cpu as u16, what });
        }
    }

    /// The CPU whose next entry comes first: what nobody or a running task did, then a switch that takes no waker of
    /// this instant off its CPU, then what is left.
    fn choose(&self) -> Option<usize> {
        let head = |cpu: &&usize| self.queues[**cpu].front();
        let by = |entry: &Entry| match *entry {
            Entry::Wake { waker, .. } => Some(waker),
            Entry::New { parent, .. } => Some(parent),
            Entry::MigrateIn { .. } | Entry::MigrateOut { .. } => Some(IDLE),
            Entry::Switch { .. } => None,
        };
        let done_now = |entry: &Entry| by(entry).is_some_and(|by| by == IDLE || self.curr.contains(&by));
        let awaited = |task: u32| {
            let all = self.touched.iter().flat_map(|&cpu| &self.queues[cpu]);
            task != IDLE && all.filter_map(by).any(|by| by == task)
        };
        let some = |wanted: &dyn Fn(usize, &Entry) -> bool| {
            self.touched.iter().find(|cpu| head(cpu).is_some_and(|entry| wanted(**cpu, entry))).copied()
        };
        some(&|_, entry| done_now(entry))
            .or_else(|| some(&|cpu, entry| by(entry).is_none() && !awaited(self.curr[cpu])))
            .or_else(|| some(&|_, _| true))
    }
}
