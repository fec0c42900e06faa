//! Numbers in as few bytes as they need: seven bits per byte, low bits first, the high bit says that more follow.

/// Longest encoding of a `u64`.
pub const BYTES_MAX: usize = 10;

/// Appends `value`.
#[inline]
pub fn put(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
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
            let before = bytes.len();
            put(&mut bytes, value);
            assert!(bytes.len() - before <= BYTES_MAX);
        }
        let mut at = 0;
        for &value in &values {
            assert_eq!(get(&bytes, &mut at), value);
        }
        assert_eq!(at, bytes.len());
    }
}
