//! Random draws as a counter-based hash: draw number `n` of a task does not depend on any other task, so two runs of
//! the same workload under different policies face the same numbers.

use crate::units::Nanos;

/// 64 mixed bits from (seed, task, n). SplitMix64's finaliser (Steele, Lea, Flood 2014) over a mixed counter.
pub fn draw(seed: u64, task: u64, n: u64) -> u64 {
    let mut z =
        seed.wrapping_add(task.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_add(n.wrapping_mul(0xd1b5_4a32_d192_ed03));
    for _ in 0..2 {
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
    }
    z
}

/// Uniform in `low..=high`.
pub fn uniform(bits: u64, low: Nanos, high: Nanos) -> Nanos {
    let span = u128::from(high.saturating_sub(low)) + 1;
    low + ((u128::from(bits) * span) >> 64) as u64
}

/// Quantiles of the exponential distribution with mean 1024, at probability (i + 0.5) / 64: -1024 ln(1 - p), rounded.
/// A table, because `ln` differs between platforms.
const EXPONENTIAL: [u16; 64] = exponential_table();

const fn exponential_table() -> [u16; 64] {
    // ln(128 / (127 - 2i)) by the series ln(a/b) = 2 atanh((a-b)/(a+b)), in fixed point, at compile time.
    let mut table = [0u16; 64];
    let mut i = 0;
    while i < 64 {
        let b = 127 - 2 * i as i128;
        let scale: i128 = 1 << 40;
        let x = (128 - b) * scale / (128 + b);
        let mut term = x;
        let mut sum = 0;
        let mut k = 1;
        while k < 400 {
            sum += term / k;
            term = term * x / scale * x / scale;
            k += 2;
        }
        table[i] = ((2 * sum * 1024 + scale / 2) / scale) as u16;
        i += 1;
    }
    table
}

/// Exponential with the given mean, at least 1, at most about 4.9 means.
pub fn exponential(bits: u64, mean: Nanos) -> Nanos {
    let quantile = u128::from(EXPONENTIAL[(bits >> 58) as usize]);
    (((u128::from(mean) * quantile) >> 10) as u64).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponential_quantiles_have_the_right_mean_and_ends() {
        assert_eq!(EXPONENTIAL[0], 8); // -ln(1 - 1/128) * 1024 = 8.03
        assert_eq!(EXPONENTIAL[63], 4968); // ln(128) * 1024 = 4968.5, truncated terms
        let mean: u32 = EXPONENTIAL.iter().map(|&q| u32::from(q)).sum::<u32>() / 64;
        assert!((1000..=1024).contains(&mean), "{mean}");
    }

    #[test]
    fn uniform_stays_inside_and_reaches_both_ends() {
        assert_eq!(uniform(0, 5, 9), 5);
        assert_eq!(uniform(u64::MAX, 5, 9), 9);
        assert_eq!(uniform(u64::MAX, 0, u64::MAX), u64::MAX);
    }

    #[test]
    fn draws_of_one_task_do_not_depend_on_another() {
        assert_ne!(draw(1, 0, 0), draw(1, 1, 0));
        assert_ne!(draw(1, 0, 0), draw(1, 0, 1));
        assert_eq!(draw(7, 3, 9), draw(7, 3, 9));
    }
}
