//! Numbers in as few bytes as they need: seven bits per byte, low bits first, the high bit says that more follow.

/// Longest encoding of a `u64`.
pub const BYTES_MAX: usize = 10;

/// Collects one entry, so that it is appended at once.
pub struct Entry<const ROOM: usize> {
    bytes: [u8; ROOM],
    len: usize,
}

impl<const ROOM: usize> Entry<ROOM> {
    /// An entry without bytes.
    #[inline]
    pub fn empty() -> Self {
        Entry { bytes: [0; ROOM], len: 0 }
    }

    /// An entry that begins with `kind`.
    #[inline]
    pub fn new(kind: u8) -> Self {
        let mut entry = Self::empty();
        entry.bytes[0] = kind;
        entry.len = 1;
        entry
    }

    /// Adds `value`.
    #[inline]
    pub fn put(&mut self, value: u64) {
        if value < 0x80 {
            self.bytes[self.len] = value as u8;
            self.len += 1;
            return;
        }
        if value < 0x4000
            && let Some(place) = self.bytes.get_mut(self.len..).and_then(<[u8]>::first_chunk_mut::<2>)
        {
            *place = [value as u8 | 0x80, (value >> 7) as u8];
            self.len += 2;
            return;
        }
        let mut rest = value;
        while rest >= 0x80 {
            self.bytes[self.len] = rest as u8 | 0x80;
            self.len += 1;
            rest >>= 7;
        }
        self.bytes[self.len] = rest as u8;
        self.len += 1;
    }
}

/// Entries one after the other in a block of fixed size.
#[derive(Clone, Debug)]
pub struct Packed {
    /// All the room, so that an entry is written in one copy of fixed size; what is behind `len` means nothing.
    bytes: Vec<u8>,
    len: usize,
}

impl Packed {
    /// No entries, and room for so many bytes.
    pub fn new(room: usize) -> Self {
        Packed { bytes: vec![0; room], len: 0 }
    }

    /// Whether every entry of at most `ROOM` bytes fits.
    #[inline]
    pub fn fits<const ROOM: usize>(&self) -> bool {
        self.len + ROOM <= self.bytes.len()
    }

    /// Appends an entry; the block must have room for the longest one ([`Packed::fits`]).
    #[inline]
    pub fn append<const ROOM: usize>(&mut self, entry: &Entry<ROOM>) {
        let place = self.bytes[self.len..].first_chunk_mut().expect("a block has room for its longest entry");
        *place = entry.bytes;
        self.len += entry.len;
    }

    /// Bytes of the entries.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Number of those bytes.
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

/// Reads the number at `*at` and moves `*at` behind it.
#[inline]
pub fn get(bytes: &[u8], at: &mut usize) -> u64 {
    let mut value = 0;
    let mut shift = 0;
    loop {
        let byte = bytes[*at];
        *at += 1;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return value;
        }
        shift += 7;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_width_comes_back() {
        let values: Vec<u64> = (0..64).flat_map(|bit| [1u64 << bit, (1u64 << bit) - 1]).chain([u64::MAX]).collect();
        let mut packed = Packed::new(values.len() * 2 * BYTES_MAX);
        for &value in &values {
            let mut entry = Entry::<{ 1 + BYTES_MAX }>::empty();
            entry.put(value);
            packed.append(&entry);
        }
        let mut at = 0;
        for &value in &values {
            assert_eq!(get(packed.bytes(), &mut at), value);
        }
        assert_eq!(at, packed.size());
    }
}
