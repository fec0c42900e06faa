//! `load_weight` and `calc_delta_mine`: scaling by weights with the kernel's rounding, in 64-bit `unsigned long`.

/// `WMULT_CONST` of a 64-bit kernel.
const WMULT_CONST: u64 = 1 << 32;
/// Largest `long`.
const LONG_MAX: u64 = i64::MAX as u64;

/// How the inverse of a weight that has no table entry is computed. The small differences decide ticks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Inverse {
    /// (2^32 - w/2) / w + 1 (2.6.24, where queue loads never need it).
    Plain,
    /// (2^32 - w/2) / (w + 1) (2.6.25).
    Rounded,
    /// 1 + (2^32 - w/2) / (w + 1) (since 2.6.26).
    RoundedUp,
}

impl Inverse {
    /// 2^32 / `weight`, about.
    pub(super) fn of(self, weight: u64) -> u64 {
        let numerator = WMULT_CONST.wrapping_sub(weight / 2);
        match self {
            Inverse::Plain => numerator / weight.max(1) + 1,
            Inverse::Rounded => numerator / (weight + 1),
            Inverse::RoundedUp if weight >= WMULT_CONST => 1,
            Inverse::RoundedUp => 1 + numerator / (weight + 1),
        }
    }
}

/// A weight with its cached inverse.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct LoadWeight {
    /// Weight, 1024 = nice 0.
    pub weight: u64,
    /// 2^32 / weight; 0 = not computed yet.
    pub inverse: u64,
}

impl LoadWeight {
    /// Adds to the weight.
    #[inline]
    pub(super) fn add(&mut self, weight: u64) {
        self.weight += weight;
        self.inverse = 0;
    }

    /// Takes from the weight.
    #[inline]
    pub(super) fn sub(&mut self, weight: u64) {
        self.weight -= weight;
        self.inverse = 0;
    }
}

/// Right shift that rounds to nearest, halves up.
#[inline]
fn shift_rounded(value: u64, bits: u32) -> u64 {
    value.wrapping_add(1 << (bits - 1)) >> bits
}

/// How weights are divided by: the rounding of a release, and how often it was done.
#[derive(Clone, Copy, Debug)]
pub(super) struct Divider {
    pub rule: Inverse,
    /// Divisions that no CPU has been charged for yet.
    pub done: u64,
}

impl Divider {
    /// Has done nothing yet.
    pub(super) fn of(rule: Inverse) -> Self {
        Divider { rule, done: 0 }
    }
}

/// `calc_delta_mine`: `delta` x `weight` / `load.weight`; fills `load.inverse` if needed. Products wrap as in C.
#[inline]
pub(super) fn calc_delta(delta: u64, weight: u64, load: &mut LoadWeight, divider: &mut Divider) -> u64 {
    if load.inverse == 0 {
        load.inverse = divider.rule.of(load.weight);
        divider.done += 1;
    }
    let product = delta.wrapping_mul(weight);
    let scaled = if product > WMULT_CONST {
        shift_rounded(shift_rounded(product, 16).wrapping_mul(load.inverse), 16)
    } else {
        shift_rounded(product.wrapping_mul(load.inverse), 32)
    };
    scaled.min(LONG_MAX)
}

/// The greater of two virtual times (signed difference).
#[inline]
pub(super) fn max_vruntime(a: u64, b: u64) -> u64 {
    if b.wrapping_sub(a) as i64 > 0 { b } else { a }
}

/// The smaller of two virtual times (signed difference).
#[inline]
pub(super) fn min_vruntime(a: u64, b: u64) -> u64 {
    if (b.wrapping_sub(a) as i64) < 0 { b } else { a }
}
