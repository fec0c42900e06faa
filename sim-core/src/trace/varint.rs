//! Numbers in as few bytes as they need: seven bits per byte, low bits first, the high bit says that more follow.

/// Longest encoding of a `u64`.
pub const BYTES_MAX: usize = 10;

/// Room that an entry needs beyond its bytes: short numbers are written four bytes at a time.
const SLACK: usize = 3;

/// Writes one entry where it stays: what is collected elsewhere and copied has to wait for its single bytes.
pub struct Entry<'a> {
    room: &'a mut [u8],
    len: usize,
}

impl Entry<'_> {
    /// Adds a byte as it is.
    #[inline]
    pub fn byte(&mut self, value: u8) {
        self.room[self.len] = value;
        self.len += 1;
    }

    /// Adds `value`.
    #[inline]
    pub fn put(&mut self, value: u64) {
        let place = self.room.get_mut(self.len..).and_then(<[u8]>::first_chunk_mut::<4>);
        if value < 1 << 28
            && let Some(place) = place
        {
            let value = value as u32;
            let spread = value & 0x7f | (value & 0x3f80) << 1 | (value & 0x001f_c000) << 2 | (value & 0x0fe0_0000) << 3;
            // Index of the highest byte that is needed.
            let last = (31 - (spread | 1).leading_zeros()) / 8;
            let more = 0x0080_8080 & ((1 << (8 * last)) - 1);
            *place = (spread | more).to_le_bytes();
            self.len += last as usize + 1;
            return;
        }
        let mut rest = value;
        while rest >= 0x80 {
            self.byte(rest as u8 | 0x80);
            rest >>= 7;
        }
        self.byte(rest as u8);
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
    /// No entries, and room for so many bytes.
    pub fn new(room: usize) -> Self {
        Packed { bytes: vec![0; room], len: 0 }
    }

    /// Whether every entry of at most `most` bytes fits.
    #[inline]
    pub fn fits(&self, most: usize) -> bool {
        self.len + most + SLACK <= self.bytes.len()
    }

    /// Appends what `write` writes; the block must have room for it ([`Packed::fits`]).
    #[inline]
    pub fn append(&mut self, write: impl FnOnce(&mut Entry<'_>)) {
        let mut entry = Entry { room: &mut self.bytes[self.len..], len: 0 };
        write(&mut entry);
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
        let mut packed = Packed::new(values.len() * BYTES_MAX + SLACK);
        for &value in &values {
            assert!(packed.fits(BYTES_MAX));
            packed.append(|entry| entry.put(value));
        }
        let mut at = 0;
        for &value in &values {
            assert_eq!(get(packed.bytes(), &mut at), value);
        }
        assert_eq!(at, packed.size());
    }
}
