//! Division by a number that rarely changes, by multiplication: exact, and several times as fast.
//!
//! With `m = ceil(2^64 / d)` the quotient is `n * m / 2^64` for every `n` with `n * d < 2^64`: `m` is less than 1 too
//! large (in units of `2^64 / d`), which adds less than `n / 2^64 < 1 / d` to `n / d` (Granlund and Montgomery,
//! "Division by invariant integers using multiplication", 1994).

/// A divisor.
#[derive(Clone, Copy, Debug)]
pub struct Reciprocal {
    divisor: u64,
    /// Numerators from here on are divided plainly.
    limit: u64,
    factor: u64,
}

impl Reciprocal {
    /// Of `divisor`, which is not 0.
    pub fn of(divisor: u64) -> Self {
        // 2^64 itself does not fit: by 1, everything is divided plainly.
        let factor = (u64::MAX / divisor).wrapping_add(1);
        Reciprocal { divisor, limit: if divisor == 1 { 0 } else { u64::MAX / divisor }, factor }
    }

    /// `n / divisor`.
    #[inline]
    pub fn divide(&self, n: u64) -> u64 {
        if n >= self.limit { n / self.divisor } else { ((u128::from(n) * u128::from(self.factor)) >> 64) as u64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn divides_like_the_division(d in 1u64.., shift in 0u32..64, n in 0u64.., few in 0u64..4) {
            let d = (d >> shift).max(1);
            let reciprocal = Reciprocal::of(d);
            // Anything, multiples with their neighbours, and both sides of the limit.
            let limit = u64::MAX / d;
            let multiple = n / d * d;
            for n in [n, n >> 32, multiple, multiple.saturating_sub(1), limit.saturating_sub(few), limit.saturating_add(few)] {
                proptest::prop_assert_eq!(reciprocal.divide(n), n / d, "{} / {}", n, d);
            }
        }
    }
}
