//! Units of throughput with their response times, and the policy's notes, over the whole machine.

use super::chunked::Chunked;
use super::packed::{self, Packed, number_code, time_code};
use crate::units::Nanos;

const BLOCK: usize = 2048;
// Longest mark: header, two times, two numbers.
const _: () = assert!(1 + 2 * 8 + 2 * 4 <= packed::ENTRY_MAX);

/// One unit of throughput.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    /// When.
    pub at: Nanos,
    /// Who.
    pub task: u32,
    /// Which mark.
    pub mark: u16,
    /// Response time, if a request was open.
    pub response: Option<Nanos>,
}

/// A note of the policy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Note {
    /// When.
    pub at: Nanos,
    /// Where; `u16::MAX` = everywhere.
    pub cpu: u16,
    /// Row of [`crate::policy::PolicyInfo::notes`].
    pub note: u16,
    /// Details.
    pub args: [i64; 2],
}

#[derive(Clone, Debug)]
struct Block {
    base: Nanos,
    entries: Packed,
}

/// All marks in order; one takes about 9 bytes.
#[derive(Clone, Debug, Default)]
pub struct MarkLog {
    blocks: Vec<Block>,
    last: Nanos,
}

/// Where the logs stand.
#[derive(Clone, Copy, Debug)]
pub struct MomentsMark {
    blocks: usize,
    bytes: usize,
    last: Nanos,
    notes: usize,
}

impl MarkLog {
    fn append(&mut self, mark: &Mark) {
        let block = match self.blocks.last_mut() {
            Some(block) if block.entries.fits() => block,
            _ => self.blocks.push_mut(Block { base: self.last, entries: Packed::new(BLOCK) }),
        };
        let after = mark.at - self.last;
        let response = mark.response.map_or(0, |response| response + 1);
        let (task, mark_id) = (mark.task, u32::from(mark.mark));
        let codes = (time_code(after), number_code(task | mark_id), time_code(response));
        block.entries.append(|packed| {
            packed.byte(codes.0 | codes.1 << 2 | codes.2 << 4);
            packed.time(after, codes.0);
            packed.number(task, codes.1);
            packed.number(mark_id, codes.1);
            packed.time(response, codes.2);
        });
        self.last = mark.at;
    }

    /// Marks at or after `t`.
    pub fn since(&self, t: Nanos) -> impl Iterator<Item = Mark> + '_ {
        let first = self.blocks.partition_point(|block| block.base < t).saturating_sub(1);
        self.blocks[first.min(self.blocks.len())..].iter().flat_map(read).skip_while(move |mark| mark.at < t)
    }
}

fn read(block: &Block) -> impl Iterator<Item = Mark> + '_ {
    let (mut reader, mut last) = (block.entries.reader(0), block.base);
    std::iter::from_fn(move || {
        if reader.is_empty() {
            return None;
        }
        let header = reader.byte();
        last += reader.time(header);
        let task = reader.number(header >> 2);
        let mark = reader.number(header >> 2) as u16;
        let response = reader.time(header >> 4).checked_sub(1);
        Some(Mark { at: last, task, mark, response })
    })
}

/// Marks and notes.
#[derive(Clone, Debug, Default)]
pub struct Moments {
    marks: MarkLog,
    notes: Chunked<Note>,
}

impl Moments {
    /// Appends a mark.
    pub fn mark(&mut self, mark: &Mark) {
        self.marks.append(mark);
    }

    /// Appends a note.
    pub fn note(&mut self, note: Note) {
        self.notes.push(note);
    }

    /// Marks at or after `t`.
    pub fn marks_since(&self, t: Nanos) -> impl Iterator<Item = Mark> + '_ {
        self.marks.since(t)
    }

    /// Notes in `from..to`, thinned evenly to at most `limit`.
    pub fn notes(&self, from: Nanos, to: Nanos, limit: usize) -> impl Iterator<Item = Note> + '_ {
        let first = self.notes.partition_point(|note| note.at < from);
        let end = self.notes.partition_point(|note| note.at < to).max(first);
        // Steps are aligned to the whole column, so that panning keeps the same notes.
        let step = (end - first).div_ceil(limit.max(1)).next_power_of_two();
        (first.next_multiple_of(step)..end).step_by(step).map(|index| *self.notes.get(index))
    }

    /// Where it stands.
    pub fn place(&self) -> MomentsMark {
        MomentsMark {
            blocks: self.marks.blocks.len(),
            bytes: self.marks.blocks.last().map_or(0, |block| block.entries.size()),
            last: self.marks.last,
            notes: self.notes.len(),
        }
    }

    /// Forgets everything after `mark`.
    pub fn cut(&mut self, mark: &MomentsMark) {
        self.marks.blocks.truncate(mark.blocks);
        if let Some(block) = self.marks.blocks.last_mut() {
            block.entries.truncate(mark.bytes);
        }
        self.marks.last = mark.last;
        self.notes.truncate(mark.notes);
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.marks.blocks.len() * (BLOCK + size_of::<Block>()) + self.notes.bytes()
    }
}
