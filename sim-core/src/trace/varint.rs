//! Numbers in as few bytes as they need: seven bits per byte, low bits first, the high bit says that more follow.

/// Longest encoding of a `u64`.
pub const BYTES_MAX: usize = 10;

/// Collects one entry, so that it is appended at once.
pub struct Entry<const ROOM: usize> {
    bytes: [u8; ROOM],
    len: usize,
}

impl<const ROOM: usize> Entry<ROOM> {
    /// An entry that begins with `kind`.
    #[inline]
    pub fn new(kind: u8) -> Self {
        let mut bytes = [0; ROOM];
        bytes[0] = kind;
        Entry { bytes, len: 1 }
    }

    /// Adds `value`.
    #[inline]
    pub fn put(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes[self.len] = value as u8 | 0x80;
            self.len += 1;
            value >>= 7;
        }
        self.bytes[self.len] = value as u8;
        self.len += 1;
    }

    /// The bytes so far.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
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
        let mut bytes = Vec::new();
        for &value in &values {
            let mut entry = Entry::<{ 1 + BYTES_MAX }>::new(0);
            entry.put(value);
            bytes.extend_from_slice(&entry.bytes()[1..]);
        }
        let mut at = 0;
        for &value in &values {
            assert_eq!(get(&bytes, &mut at), value);
        }
        assert_eq!(at, bytes.len());
    }
}
