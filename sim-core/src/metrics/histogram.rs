//! A log-linear histogram of durations: buckets of equal width within each power of two, fixed memory, exact counts.

use crate::units::Nanos;

/// Powers of two of sub-buckets: 16 per octave, so a bucket is at most 6.25 % wide.
const SUB_BITS: u32 = 4;
const SUB: usize = 1 << SUB_BITS;
/// Octaves above the linear part; the last bucket is open (2^40 ns = 18 min).
const OCTAVES: usize = 36;
/// Number of buckets.
pub const BUCKETS: usize = SUB * (OCTAVES + 1);

/// Bucket of `value`.
#[inline]
pub fn bucket_of(value: Nanos) -> usize {
    if value < SUB as u64 {
        return value as usize;
    }
    let octave = 63 - value.leading_zeros() - SUB_BITS;
    let index = SUB * octave as usize + (value >> octave) as usize;
    index.min(BUCKETS - 1)
}

/// Smallest value of bucket `index`.
pub fn bound(index: usize) -> Nanos {
    if index < 2 * SUB {
        return index as u64;
    }
    let octave = index / SUB - 1;
    ((index % SUB + SUB) as u64) << octave
}

/// Counts of durations.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Histogram {
    /// Empty until the first value, so that many histograms cost little.
    counts: Vec<u32>,
    count: u64,
    sum: u128,
    max: Nanos,
}

impl Histogram {
    /// Counts a value.
    #[inline]
    pub fn add(&mut self, value: Nanos) {
        let bucket = bucket_of(value);
        if bucket >= self.counts.len() {
            self.counts.resize((bucket + SUB).min(BUCKETS), 0);
        }
        self.counts[bucket] = self.counts[bucket].saturating_add(1);
        self.count += 1;
        self.sum += u128::from(value);
        self.max = self.max.max(value);
    }

    /// Adds `n` values of one bucket of which only the bucket is known; the mean takes the middle of the bucket.
    pub fn add_bucket(&mut self, bucket: usize, n: u32, max: Nanos) {
        if n == 0 {
            return;
        }
        if bucket >= self.counts.len() {
            self.counts.resize((bucket + SUB).min(BUCKETS), 0);
        }
        self.counts[bucket] = self.counts[bucket].saturating_add(n);
        self.count += u64::from(n);
        let low = bound(bucket);
        let middle = low + (bound((bucket + 1).min(BUCKETS - 1)).max(low) - low) / 2;
        self.sum += u128::from(middle) * u128::from(n);
        self.max = self.max.max(max);
    }

    /// Adds another histogram.
    pub fn merge(&mut self, other: &Histogram) {
        if self.counts.len() < other.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count = count.saturating_add(*more);
        }
        self.count += other.count;
        self.sum += other.sum;
        self.max = self.max.max(other.max);
    }

    /// Number of values.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Largest value; 0 if empty.
    pub fn max(&self) -> Nanos {
        self.max
    }

    /// Mean; 0 if empty.
    pub fn mean(&self) -> Nanos {
        if self.count == 0 { 0 } else { (self.sum / u128::from(self.count)) as u64 }
    }

    /// The value that `permille` of all values do not exceed, to the width of a bucket; 0 if empty.
    pub fn quantile(&self, permille: u32) -> Nanos {
        let rank = (u128::from(self.count) * u128::from(permille)).div_ceil(1000).max(1) as u64;
        let mut seen = 0;
        for (bucket, &count) in self.counts.iter().enumerate() {
            seen += u64::from(count);
            if seen >= rank {
                // The largest value of the bucket, as far as values reach.
                let top = if bucket + 1 < BUCKETS { bound(bucket + 1) - 1 } else { self.max };
                return top.min(self.max);
            }
        }
        0
    }

    /// (lower bound, upper bound, count) of each bucket from the first to the last that is not empty.
    pub fn buckets(&self) -> impl Iterator<Item = (Nanos, Nanos, u32)> + '_ {
        let first = self.counts.iter().position(|&count| count > 0).unwrap_or(0);
        let end = self.counts.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
        (first.min(end)..end).map(|index| (bound(index), bound(index + 1), self.counts[index]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_and_buckets_agree() {
        for index in 0..BUCKETS - 1 {
            assert_eq!(bucket_of(bound(index)), index);
            assert_eq!(bucket_of(bound(index + 1) - 1), index);
            assert!(bound(index) < bound(index + 1));
        }
        assert_eq!(bucket_of(u64::MAX), BUCKETS - 1);
    }

    #[test]
    fn quantiles_are_within_a_bucket_of_the_truth() {
        let mut histogram = Histogram::default();
        (1..=1000u64).for_each(|value| histogram.add(value * 1000));
        assert_eq!(histogram.mean(), 500_500);
        assert_eq!(histogram.max(), 1_000_000);
        for permille in [1, 500, 950, 990, 1000] {
            let truth = u64::from(permille) * 1000;
            let found = histogram.quantile(permille);
            assert!(found >= truth && found <= truth + truth / 16 + 1, "{permille}: {found}");
        }
        assert_eq!(Histogram::default().quantile(500), 0);
    }
}
