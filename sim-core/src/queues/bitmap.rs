//! Priority bitmaps: one bit per list, and the search for the first set bit that makes a pick O(1).

/// A bitmap of up to `64 * WORDS` priorities, as stored (bit k of word w is priority 64 w + k).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PrioBitmap<const WORDS: usize> {
    words: [u64; WORDS],
}

impl<const WORDS: usize> Default for PrioBitmap<WORDS> {
    fn default() -> Self {
        PrioBitmap { words: [0; WORDS] }
    }
}

impl<const WORDS: usize> PrioBitmap<WORDS> {
    /// Sets a bit.
    #[inline]
    pub fn set(&mut self, bit: u32) {
        self.words[bit as usize / 64] |= 1 << (bit % 64);
    }

    /// Clears a bit.
    #[inline]
    pub fn clear(&mut self, bit: u32) {
        self.words[bit as usize / 64] &= !(1 << (bit % 64));
    }

    /// Whether a bit is set.
    #[inline]
    pub fn test(&self, bit: u32) -> bool {
        self.words[bit as usize / 64] >> (bit % 64) & 1 != 0
    }

    /// The first set bit.
    #[inline]
    pub fn first(&self) -> Option<u32> {
        for (index, &word) in self.words.iter().enumerate() {
            if word != 0 {
                return Some(index as u32 * 64 + word.trailing_zeros());
            }
        }
        None
    }

    /// The first set bit at or after `from`.
    #[inline]
    pub fn next(&self, from: u32) -> Option<u32> {
        let mut index = from as usize / 64;
        if index >= WORDS {
            return None;
        }
        let mut word = self.words[index] & (u64::MAX << (from % 64));
        while word == 0 {
            index += 1;
            if index == WORDS {
                return None;
            }
            word = self.words[index];
        }
        Some(index as u32 * 64 + word.trailing_zeros())
    }

    /// The words as stored.
    pub fn words(&self) -> &[u64; WORDS] {
        &self.words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_and_next_cross_words() {
        let mut map = PrioBitmap::<3>::default();
        assert_eq!((map.first(), map.next(0)), (None, None));
        for bit in [63, 64, 140] {
            map.set(bit);
        }
        assert_eq!((map.first(), map.next(64), map.next(65), map.next(141)), (Some(63), Some(64), Some(140), None));
        map.clear(63);
        assert!(!map.test(63) && map.first() == Some(64) && map.next(192).is_none());
    }
}
