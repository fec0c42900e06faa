//! What happened on one CPU, in order: a byte-packed log in blocks of fixed size. Each block begins with the whole
//! state, so that reading can start anywhere. A switch or a wakeup takes about 5 bytes.

use super::mip::{IDLE, Levels, LevelsMark, OPEN, Row};
use super::packed::{self, Packed, number_code, time_code};
use crate::kernel::record::SliceEnd;
use crate::units::Nanos;

/// Bytes of a block.
const BLOCK: usize = 2048;
// Longest entry: header, time, two 32-bit numbers.
const _: () = assert!(1 + 8 + 2 * 4 <= packed::ENTRY_MAX);
/// Kinds of entries in a header; a switch has this one plus the [`SliceEnd`].
const KIND_SWITCH: u8 = 5;

/// One thing that happened on a CPU.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entry {
    /// Context switch.
    Switch {
        /// [`SliceEnd`] of the task that left, as a number.
        ended: u8,
        /// Who came; [`IDLE`].
        next: u32,
        /// Reason code.
        code: u16,
    },
    /// `task` was woken and queued here; `waker` is [`IDLE`] for a timer.
    Wake {
        /// Who.
        task: u32,
        /// By whom.
        waker: u32,
    },
    /// `task` was started (`parent` = [`IDLE`]) or forked and queued here.
    New {
        /// Who.
        task: u32,
        /// By whom.
        parent: u32,
    },
    /// The waiting `task` came from CPU `from`.
    MigrateIn {
        /// Who.
        task: u32,
        /// Whence.
        from: u16,
    },
    /// The waiting `task` left for CPU `to`.
    MigrateOut {
        /// Who.
        task: u32,
        /// Whither.
        to: u16,
    },
}

/// Whether a task whose slice ended so still wants the CPU.
pub fn stays_runnable(ended: u8) -> bool {
    const PREEMPTED: u8 = SliceEnd::Preempted as u8;
    const EXPIRED: u8 = SliceEnd::Expired as u8;
    const YIELDED: u8 = SliceEnd::Yielded as u8;
    matches!(ended, PREEMPTED | EXPIRED | YIELDED)
}

/// State of the CPU after some entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Head {
    /// Time of that entry.
    pub at: Nanos,
    /// Running task; [`IDLE`].
    pub curr: u32,
    /// Since when.
    pub since: Nanos,
    /// Why.
    pub code: u16,
    /// Tasks that wait here.
    pub waiting: u16,
    /// Index of the present slice: switches so far.
    pub slice: u64,
}

impl Head {
    fn apply(&mut self, at: Nanos, entry: &Entry) {
        self.at = at;
        match *entry {
            Entry::Switch { ended, next, code } => {
                if stays_runnable(ended) {
                    self.waiting = self.waiting.saturating_add(1);
                }
                if next != IDLE {
                    self.waiting = self.waiting.saturating_sub(1);
                }
                self.curr = next;
                self.since = at;
                self.code = code;
                self.slice += 1;
            }
            Entry::Wake { .. } | Entry::New { .. } | Entry::MigrateIn { .. } => {
                self.waiting = self.waiting.saturating_add(1);
            }
            Entry::MigrateOut { .. } => self.waiting = self.waiting.saturating_sub(1),
        }
    }

    /// The present slice, as if it ended at `end`.
    fn slice(&self, end: Nanos, ended: u8, queue: u16) -> Row {
        let busy = if self.curr == IDLE { 0 } else { end - self.since };
        Row {
            index: self.slice,
            start: self.since,
            end,
            task: self.curr,
            ended,
            code: self.code,
            merged: 1,
            busy,
            queue,
        }
    }
}

#[derive(Clone, Debug)]
struct Block {
    head: Head,
    entries: Packed,
}

/// The log of one CPU with its levels.
#[derive(Clone, Debug)]
pub struct CpuLog {
    blocks: Vec<Block>,
    head: Head,
    /// Most tasks that waited during the present slice.
    queue: u16,
    levels: Levels,
}

/// Where a log stands.
#[derive(Clone, Debug)]
pub struct CpuMark {
    blocks: usize,
    bytes: usize,
    head: Head,
    queue: u16,
    levels: LevelsMark,
}

impl Default for CpuLog {
    fn default() -> Self {
        let head = Head { at: 0, curr: IDLE, since: 0, code: 0, waiting: 0, slice: 0 };
        CpuLog { blocks: Vec::new(), head, queue: 0, levels: Levels::default() }
    }
}

impl CpuLog {
    /// Appends an entry; times must not go back.
    #[inline]
    pub fn append(&mut self, at: Nanos, entry: Entry) {
        let block = match self.blocks.last_mut() {
            Some(block) if block.entries.fits() => block,
            _ => self.blocks.push_mut(Block { head: self.head, entries: Packed::new(BLOCK) }),
        };
        let after = at - self.head.at;
        block.entries.append(|packed| encode(packed, after, &entry));
        if let Entry::Switch { ended, .. } = entry {
            self.levels.close(&self.head.slice(at, ended, self.queue));
        }
        self.head.apply(at, &entry);
        self.queue = match entry {
            Entry::Switch { .. } => self.head.waiting,
            _ => self.queue.max(self.head.waiting),
        };
    }

    /// State at the front.
    pub fn head(&self) -> Head {
        self.head
    }

    /// Coarser levels.
    pub fn levels(&self) -> &Levels {
        &self.levels
    }

    /// Entries from the first one after time `t`; [`Entries::head`] is the state after everything at `t`.
    pub fn after(&self, t: Nanos) -> Entries<'_> {
        let block = self.blocks.partition_point(|block| block.head.at <= t).saturating_sub(1);
        let mut entries = self.block(block);
        while entries.peek_at().is_some_and(|at| at <= t) {
            entries.next();
        }
        entries
    }

    /// Entries from the first one at or after time `t`; [`Entries::head`] is the state before everything at `t`.
    pub fn since(&self, t: Nanos) -> Entries<'_> {
        let block = self.blocks.partition_point(|block| block.head.at < t).saturating_sub(1);
        let mut entries = self.block(block);
        while entries.peek_at().is_some_and(|at| at < t) {
            entries.next();
        }
        entries
    }

    /// Slices from number `index` on; the last one is open and ends at `front`.
    pub fn slices(&self, index: u64, front: Nanos) -> Slices<'_> {
        let block = self.blocks.partition_point(|block| block.head.slice <= index).saturating_sub(1);
        let entries = self.block(block);
        let queue = entries.head.waiting;
        let mut slices = Slices { entries, queue, front, done: false };
        // A block may begin in the middle of a slice: its head knows the start.
        while slices.entries.head.slice < index && slices.next().is_some() {}
        slices
    }

    /// The slice that covers `t` (after everything at `t`).
    pub fn slice_at(&self, t: Nanos, front: Nanos) -> Option<Row> {
        self.slices(self.after(t).head.slice, front).next()
    }

    fn block(&self, block: usize) -> Entries<'_> {
        let head = match self.blocks.get(block) {
            Some(block) => block.head,
            None => self.head,
        };
        Entries { blocks: &self.blocks, block, at: 0, head }
    }

    /// Where it stands.
    pub fn mark(&self) -> CpuMark {
        CpuMark {
            blocks: self.blocks.len(),
            bytes: self.blocks.last().map_or(0, |block| block.entries.size()),
            head: self.head,
            queue: self.queue,
            levels: self.levels.mark(),
        }
    }

    /// Forgets everything after `mark`.
    pub fn cut(&mut self, mark: &CpuMark) {
        self.blocks.truncate(mark.blocks);
        if let Some(block) = self.blocks.last_mut() {
            block.entries.truncate(mark.bytes);
        }
        self.head = mark.head;
        self.queue = mark.queue;
        self.levels.cut(&mark.levels);
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.blocks.len() * (BLOCK + size_of::<Block>()) + self.levels.bytes()
    }
}

#[inline]
fn encode(packed: &mut packed::Entry<'_>, after: Nanos, entry: &Entry) {
    // Kind in bits 0..4, lengths of the time in bits 4..6, of both numbers in bits 6..8.
    let (kind, a, b) = match *entry {
        Entry::Wake { task, waker: IDLE } => (0, task, 0),
        Entry::Wake { task, waker } => (1, task, waker),
        Entry::New { task, parent } => (2, task, parent.wrapping_add(1)),
        Entry::MigrateIn { task, from } => (3, task, u32::from(from)),
        Entry::MigrateOut { task, to } => (4, task, u32::from(to)),
        Entry::Switch { ended, next, code } => (KIND_SWITCH + ended, next.wrapping_add(1), u32::from(code)),
    };
    let (time, number) = (time_code(after), number_code(a | b));
    packed.byte(kind | time << 4 | number << 6);
    packed.time(after, time);
    packed.number(a, number);
    if kind != 0 {
        packed.number(b, number);
    }
}

/// Entries of a log in order.
#[derive(Clone, Debug)]
pub struct Entries<'a> {
    blocks: &'a [Block],
    block: usize,
    at: usize,
    /// State after the entries read so far.
    pub head: Head,
}

impl Entries<'_> {
    /// Moves to the next block if this one is read; false at the end.
    fn ready(&mut self) -> bool {
        while let Some(block) = self.blocks.get(self.block) {
            if self.at < block.entries.size() {
                return true;
            }
            self.block += 1;
            self.at = 0;
        }
        false
    }

    /// Time of the next entry.
    pub fn peek_at(&mut self) -> Option<Nanos> {
        if !self.ready() {
            return None;
        }
        let mut reader = self.blocks[self.block].entries.reader(self.at);
        let header = reader.byte();
        Some(self.head.at + reader.time(header >> 4))
    }
}

impl Iterator for Entries<'_> {
    type Item = (Nanos, Entry);

    fn next(&mut self) -> Option<Self::Item> {
        if !self.ready() {
            return None;
        }
        let mut reader = self.blocks[self.block].entries.reader(self.at);
        let header = reader.byte();
        let kind = header & 15;
        let at = self.head.at + reader.time(header >> 4);
        let a = reader.number(header >> 6);
        let b = if kind == 0 { 0 } else { reader.number(header >> 6) };
        self.at = reader.at;
        let entry = match kind {
            0 => Entry::Wake { task: a, waker: IDLE },
            1 => Entry::Wake { task: a, waker: b },
            2 => Entry::New { task: a, parent: b.wrapping_sub(1) },
            3 => Entry::MigrateIn { task: a, from: b as u16 },
            4 => Entry::MigrateOut { task: a, to: b as u16 },
            _ => Entry::Switch { ended: kind - KIND_SWITCH, next: a.wrapping_sub(1), code: b as u16 },
        };
        self.head.apply(at, &entry);
        Some((at, entry))
    }
}

/// Slices of a log in order, those of no length included.
#[derive(Clone, Debug)]
pub struct Slices<'a> {
    entries: Entries<'a>,
    queue: u16,
    front: Nanos,
    done: bool,
}

impl Iterator for Slices<'_> {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        if self.done {
            return None;
        }
        let mut head = self.entries.head;
        while let Some((at, entry)) = self.entries.next() {
            if let Entry::Switch { ended, .. } = entry {
                let slice = head.slice(at, ended, self.queue);
                self.queue = self.entries.head.waiting;
                return Some(slice);
            }
            head = self.entries.head;
            self.queue = self.queue.max(head.waiting);
        }
        self.done = true;
        Some(head.slice(self.front.max(head.since), OPEN, self.queue))
    }
}
