//! Entries of a log in as few bytes as they need: a header tells how long each number is, and a number is written by
//! one store, whatever its length.

/// Longest entry, one less than a power of two.
pub const ENTRY_MAX: usize = 31;

/// Numbers are stored eight bytes at a time, so an entry needs some room behind it.
const STORE: usize = 8;

/// What an entry is written into.
const ROOM: usize = ENTRY_MAX + STORE;

/// Bytes of a time by its length code: 0, 2, 4 or 8.
#[inline]
fn time_bytes(code: u8) -> usize {
    (1 << (code & 3)) & !1
}

/// Length code of a time or duration, two bits: nothing for 0, then 2, 4 or 8 bytes.
#[inline]
pub fn time_code(value: u64) -> u8 {
    u8::from(value > 0) + u8::from(value > 0xffff) + u8::from(value > 0xffff_ffff)
}

/// Length code of a number, two bits: 1 to 4 bytes.
#[inline]
pub fn number_code(value: u32) -> u8 {
    ((31 - (value | 1).leading_zeros()) / 8) as u8
}

/// Writes one entry where it stays: what is collected elsewhere and copied has to wait for its single bytes.
pub struct Entry<'a> {
    room: &'a mut [u8; ROOM],
    len: usize,
}

impl Entry<'_> {
    /// Where the next byte goes. No entry is longer than the mask: it says so to the compiler.
    #[inline]
    fn at(&self) -> usize {
        self.len & ENTRY_MAX
    }

    /// Adds a byte as it is.
    #[inline]
    pub fn byte(&mut self, value: u8) {
        self.room[self.at()] = value;
        self.len += 1;
    }

    /// Adds a time with its [`time_code`].
    #[inline]
    pub fn time(&mut self, value: u64, code: u8) {
        *self.place() = value.to_le_bytes();
        self.len += time_bytes(code);
    }

    /// Adds a number with its [`number_code`], or a larger one.
    #[inline]
    pub fn number(&mut self, value: u32, code: u8) {
        *self.place() = u64::from(value).to_le_bytes();
        self.len += usize::from(code & 3) + 1;
    }

    #[inline]
    fn place(&mut self) -> &mut [u8; STORE] {
        let at = self.at();
        self.room[at..].first_chunk_mut().expect("the mask leaves room for a store")
    }
}

/// Entries one after the other in a block of fixed size.
#[derive(Clone, Debug)]
pub struct Packed {
    /// All the room, so that an entry is written where it stays; what is behind `len` means nothing.
    bytes: Vec<u8>,
    len: usize,
}

impl Packed {
    /// No entries, and room for so many bytes, some of them behind the last entry.
    pub fn new(room: usize) -> Self {
        Packed { bytes: vec![0; room], len: 0 }
    }

    /// Whether another entry fits.
    #[inline]
    pub fn fits(&self) -> bool {
        self.len + ROOM <= self.bytes.len()
    }

    /// Appends what `write` writes; the block must have room for it ([`Packed::fits`]).
    #[inline]
    pub fn append(&mut self, write: impl FnOnce(&mut Entry<'_>)) {
        let room = self.bytes[self.len..].first_chunk_mut().expect("an entry fits, `Packed::fits` was asked");
        let mut entry = Entry { room, len: 0 };
        write(&mut entry);
        self.len += entry.len;
    }

    /// Reads on from byte `at`; the bytes of the entries end there if it is [`Packed::size`].
    #[inline]
    pub fn reader(&self, at: usize) -> Reader<'_> {
        Reader { bytes: &self.bytes[..self.len], at }
    }

    /// Bytes of the entries.
    #[inline]
    pub fn size(&self) -> usize {
        self.len
    }

    /// Number of bytes that there is room for.
    pub fn room(&self) -> usize {
        self.bytes.len()
    }

    /// Keeps the first `len` bytes.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }
}

/// Reads what [`Entry`] wrote, in the same order.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    /// Byte that comes next.
    pub at: usize,
}

impl Reader<'_> {
    /// Whether nothing is left.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.at == self.bytes.len()
    }

    /// The next byte.
    #[inline]
    pub fn byte(&mut self) -> u8 {
        self.at += 1;
        self.bytes[self.at - 1]
    }

    /// A time; the lowest two bits of `code` count.
    #[inline]
    pub fn time(&mut self, code: u8) -> u64 {
        self.bytes(time_bytes(code))
    }

    /// A number; the lowest two bits of `code` count.
    #[inline]
    pub fn number(&mut self, code: u8) -> u32 {
        self.bytes(usize::from(code & 3) + 1) as u32
    }

    #[inline]
    fn bytes(&mut self, len: usize) -> u64 {
        let bytes = &self.bytes[self.at..self.at + len];
        self.at += len;
        bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_width_comes_back() {
        let values: Vec<u64> = (0..64).flat_map(|bit| [1u64 << bit, (1u64 << bit) - 1]).chain([u64::MAX]).collect();
        let mut packed = Packed::new(values.len() * 13 + ROOM);
        for &value in &values {
            assert!(packed.fits());
            packed.append(|entry| {
                entry.byte(time_code(value) | number_code(value as u32) << 2);
                entry.time(value, time_code(value));
                entry.number(value as u32, number_code(value as u32));
            });
        }
        let mut reader = packed.reader(0);
        for &value in &values {
            let header = reader.byte();
            assert_eq!((reader.time(header), reader.number(header >> 2)), (value, value as u32));
        }
        assert!(reader.is_empty());
    }
}
