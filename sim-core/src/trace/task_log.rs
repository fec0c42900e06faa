//! What happened to one task: its runs, each with when it became runnable, when it got the CPU and why it left it.
//! A run takes about 8 bytes.

use super::packed::{self, Packed, time_code};
use crate::kernel::record::SliceEnd;
use crate::units::Nanos;

/// Bytes of a task's first block; most tasks of a fork storm need no more.
const BLOCK_FIRST: usize = 64;
/// Bytes of further blocks.
const BLOCK: usize = 1024;
// Longest entry: header, three times, CPU.
const _: () = assert!(2 + 3 * 8 + 2 <= packed::ENTRY_MAX);
/// Length code of a CPU's number: two bytes.
const CPU_CODE: u8 = 1;
/// [`TaskHead::ended`] of a task that never ran.
pub const NEVER_RAN: u8 = SliceEnd::Idle as u8;

/// How a task came to be runnable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Origin {
    /// It lost the CPU but stayed runnable.
    Preempted,
    /// It was woken.
    Woken,
    /// It was started or forked.
    New,
}

/// One run: sleep (or non-existence) up to `ready`, wait up to `start`, on the CPU up to `end`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// End of the run before; 0 for the first.
    pub left: Nanos,
    /// [`SliceEnd`] of the run before as a number; [`NEVER_RAN`] for the first.
    pub left_ended: u8,
    /// When it became runnable.
    pub ready: Nanos,
    /// How.
    pub origin: Origin,
    /// When it got the CPU.
    pub start: Nanos,
    /// When it left it.
    pub end: Nanos,
    /// Why, as a number.
    pub ended: u8,
    /// Which CPU.
    pub cpu: u16,
}

/// State between two runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TaskHead {
    /// End of the last run.
    pub left: Nanos,
    /// Why it ended.
    pub ended: u8,
    /// CPU of the last run.
    pub cpu: u16,
    /// Runs so far.
    pub runs: u32,
}

/// What a task is doing at the front of the trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Sleeps, is blocked, has exited or was never started: [`TaskHead::ended`] tells.
    Away,
    /// Waits for a CPU.
    Waiting {
        /// Since when.
        ready: Nanos,
        /// How it came to wait.
        origin: Origin,
        /// Where it waits.
        cpu: u16,
    },
    /// Runs.
    Running {
        /// Since when it was runnable.
        ready: Nanos,
        /// How it came to be runnable.
        origin: Origin,
        /// Since when it runs.
        start: Nanos,
        /// Where.
        cpu: u16,
    },
}

#[derive(Clone, Debug)]
struct Block {
    head: TaskHead,
    entries: Packed,
}

/// The log of one task.
#[derive(Clone, Debug)]
pub struct TaskLog {
    blocks: Vec<Block>,
    head: TaskHead,
    phase: Phase,
    workload: u16,
}

/// Where a log stands.
#[derive(Clone, Copy, Debug)]
pub struct TaskMark {
    blocks: u32,
    bytes: u32,
    head: TaskHead,
    phase: Phase,
}

impl TaskLog {
    /// An empty log of a task of `workload`.
    pub fn new(workload: u16) -> Self {
        TaskLog {
            blocks: Vec::new(),
            head: TaskHead { left: 0, ended: NEVER_RAN, cpu: 0, runs: 0 },
            phase: Phase::Away,
            workload,
        }
    }

    /// Workload that the task belongs to.
    pub fn workload(&self) -> u16 {
        self.workload
    }

    /// State at the front.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// State after the last run.
    pub fn head(&self) -> TaskHead {
        self.head
    }

    /// It became runnable.
    pub fn wait(&mut self, ready: Nanos, origin: Origin, cpu: u16) {
        self.phase = Phase::Waiting { ready, origin, cpu };
    }

    /// It moved to another CPU; returns whether it was waiting (and not merely being placed by its wakeup).
    pub fn migrate(&mut self, to: u16) -> bool {
        match &mut self.phase {
            Phase::Waiting { cpu, .. } => {
                *cpu = to;
                true
            }
            Phase::Away | Phase::Running { .. } => false,
        }
    }

    /// It got the CPU: returns since when it was runnable, and how it came to be.
    pub fn run(&mut self, start: Nanos, on: u16) -> (Nanos, Origin) {
        let (ready, origin) = match self.phase {
            Phase::Waiting { ready, origin, .. } | Phase::Running { ready, origin, .. } => (ready, origin),
            Phase::Away => (start, Origin::New),
        };
        self.phase = Phase::Running { ready, origin, start, cpu: on };
        (ready, origin)
    }

    /// It left the CPU; returns when its run had begun.
    pub fn leave(&mut self, end: Nanos, ended: u8) -> Nanos {
        let Phase::Running { ready, origin, start, cpu } = self.phase else { return end };
        self.append(ready, origin, start, end, ended, cpu);
        self.phase = if super::cpu_log::stays_runnable(ended) {
            Phase::Waiting { ready: end, origin: Origin::Preempted, cpu }
        } else {
            Phase::Away
        };
        start
    }

    fn append(&mut self, ready: Nanos, origin: Origin, start: Nanos, end: Nanos, ended: u8, cpu: u16) {
        let size = if self.blocks.is_empty() { BLOCK_FIRST } else { BLOCK };
        let block = match self.blocks.last_mut() {
            Some(block) if block.entries.fits() => block,
            _ => self.blocks.push_mut(Block { head: self.head, entries: Packed::new(size) }),
        };
        let moved = cpu != self.head.cpu;
        let left = self.head.left;
        // A preempted task is ready when it has left.
        let away = if origin == Origin::Preempted { 0 } else { ready - left };
        let (waited, ran) = (start - ready, end - start);
        let codes = [time_code(away), time_code(waited), time_code(ran)];
        block.entries.append(|packed| {
            packed.byte(ended | (origin as u8) << 3 | u8::from(moved) << 5 | codes[0] << 6);
            packed.byte(codes[1] | codes[2] << 2);
            packed.time(away, codes[0]);
            packed.time(waited, codes[1]);
            packed.time(ran, codes[2]);
            if moved {
                packed.number(u32::from(cpu), CPU_CODE);
            }
        });
        self.head = TaskHead { left: end, ended, cpu, runs: self.head.runs + 1 };
    }

    /// Runs from the first one that ends after `t`.
    pub fn runs(&self, t: Nanos) -> Runs<'_> {
        let block = self.blocks.partition_point(|block| block.head.left <= t).saturating_sub(1);
        let mut runs = self.block(block);
        loop {
            let before = runs.clone();
            match runs.next() {
                Some(run) if run.end <= t => {}
                _ => return before,
            }
        }
    }

    /// Runs that end up to `t`, roughly (exact at the beginning of a block, never too few).
    pub fn runs_before(&self, t: Nanos) -> u32 {
        let next = self.blocks.partition_point(|block| block.head.left <= t);
        self.blocks.get(next).map_or(self.head.runs, |block| block.head.runs)
    }

    /// Start of each block in `from..to`, beginning with the one that covers `from`, with the runs before it.
    pub fn blocks(&self, from: Nanos, to: Nanos) -> impl Iterator<Item = TaskHead> + '_ {
        let first = self.blocks.partition_point(|block| block.head.left <= from).saturating_sub(1);
        self.blocks[first..].iter().map(|block| block.head).take_while(move |head| head.left < to)
    }

    fn block(&self, block: usize) -> Runs<'_> {
        let head = self.blocks.get(block).map_or(self.head, |block| block.head);
        Runs { blocks: &self.blocks, block, at: 0, head }
    }

    /// Where it stands.
    pub fn mark(&self) -> TaskMark {
        TaskMark {
            blocks: self.blocks.len() as u32,
            bytes: self.blocks.last().map_or(0, |block| block.entries.size()) as u32,
            head: self.head,
            phase: self.phase,
        }
    }

    /// Forgets everything after `mark`.
    pub fn cut(&mut self, mark: &TaskMark) {
        self.blocks.truncate(mark.blocks as usize);
        if let Some(block) = self.blocks.last_mut() {
            block.entries.truncate(mark.bytes as usize);
        }
        self.head = mark.head;
        self.phase = mark.phase;
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        // All blocks but the first have the same size.
        let first = self.blocks.first().map_or(0, |block| block.entries.room());
        size_of::<TaskLog>()
            + first
            + self.blocks.len().saturating_sub(1) * BLOCK
            + self.blocks.len() * size_of::<Block>()
    }
}

/// Runs of a task in order; only finished ones.
#[derive(Clone, Debug)]
pub struct Runs<'a> {
    blocks: &'a [Block],
    block: usize,
    at: usize,
    head: TaskHead,
}

impl Iterator for Runs<'_> {
    type Item = Run;

    fn next(&mut self) -> Option<Run> {
        let mut reader = loop {
            let block = self.blocks.get(self.block)?;
            if self.at < block.entries.size() {
                break block.entries.reader(self.at);
            }
            self.block += 1;
            self.at = 0;
        };
        let (kind, lengths) = (reader.byte(), reader.byte());
        let origin = match kind >> 3 & 3 {
            0 => Origin::Preempted,
            1 => Origin::Woken,
            _ => Origin::New,
        };
        let ready = self.head.left + reader.time(kind >> 6);
        let start = ready + reader.time(lengths);
        let end = start + reader.time(lengths >> 2);
        let cpu = if kind >> 5 & 1 != 0 { reader.number(CPU_CODE) as u16 } else { self.head.cpu };
        self.at = reader.at;
        let run =
            Run { left: self.head.left, left_ended: self.head.ended, ready, origin, start, end, ended: kind & 7, cpu };
        self.head = TaskHead { left: end, ended: run.ended, cpu, runs: self.head.runs + 1 };
        Some(run)
    }
}
