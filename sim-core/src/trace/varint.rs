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
        let size = (70 - value.leading_zeros() as usize) / 7;
        let place = self.bytes.get_mut(self.len..).and_then(<[u8]>::first_chunk_mut::<8>);
        let (Some(place), 2..=8) = (place, size) else { return self.put_by_bytes(value) };
        // Groups of seven bits move apart, into bytes: first halves, then quarters, then eighths.
        let halves = value & 0x0fff_ffff | (value & 0x00ff_ffff_f000_0000) << 4;
        let quarters = halves & 0x0000_3fff_0000_3fff | (halves & 0x0fff_c000_0fff_c000) << 2;
        let eighths = quarters & 0x007f_007f_007f_007f | (quarters & 0x3f80_3f80_3f80_3f80) << 1;
        let more = 0x8080_8080_8080_8080 >> (72 - 8 * size);
        *place = (eighths | more).to_le_bytes();
        self.len += size;
    }

    #[cold]
    fn put_by_bytes(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes[self.len] = value as u8 | 0x80;
            self.len += 1;
            value >>= 7;
        }
        self.bytes[self.len] = value as u8;
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
    pub fn len(&self) -> usize {
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
            // Once where eight bytes can be written at a time, once at the end of the entry's room.
            let mut entry = Entry::<{ 2 * BYTES_MAX }>::empty();
            entry.put(value);
            packed.append(&entry);
        }
        for &value in &values {
            let mut entry = Entry::<BYTES_MAX>::new(7);
            let width = 64 - value.leading_zeros();
            if width <= 63 {
                entry.put(value);
                packed.append(&entry);
            }
        }
        let mut at = 0;
        for &value in &values {
            assert_eq!(get(packed.bytes(), &mut at), value);
        }
        for &value in &values {
            if value.leading_zeros() > 0 {
                assert_eq!(packed.bytes()[at], 7);
                at += 1;
                assert_eq!(get(packed.bytes(), &mut at), value);
            }
        }
        assert_eq!(at, packed.len());
    }
}
