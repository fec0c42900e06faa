//! How evenly CPU time was divided among the tasks that always wanted it.

use crate::units::Nanos;

/// Weight by nice level: each level is a factor of 1.25, nice 0 is 1024 (2.6.24 `sched.c`, `prio_to_weight`).
const WEIGHT: [u32; 40] = [
    88_761, 71_755, 56_483, 46_273, 36_291, 29_154, 23_254, 18_705, 14_949, 11_916, 9_548, 7_620, 6_100, 4_904, 3_906,
    3_121, 2_501, 1_991, 1_586, 1_277, 1_024, 820, 655, 526, 423, 335, 272, 215, 172, 137, 110, 87, 70, 56, 45, 36, 29,
    23, 18, 15,
];

/// Weight of a nice level.
pub fn weight_of(nice: i8) -> u32 {
    WEIGHT[(i16::from(nice.clamp(-20, 19)) + 20) as usize]
}

/// A task that wants CPU time all the time, for [`fair_shares`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Claim {
    /// Weight, any scale.
    pub weight: u64,
    /// CPU time that it got.
    pub runtime: Nanos,
}

/// Divides `capacity` (1/1000 of a CPU) by weight; nobody can use more than one CPU, what is left goes to the others.
pub fn fair_shares(claims: &[Claim], capacity: u64) -> Vec<u32> {
    let mut shares = vec![0u32; claims.len()];
    let mut open: Vec<usize> = (0..claims.len()).filter(|&index| claims[index].weight > 0).collect();
    let mut left = capacity;
    loop {
        let total: u128 = open.iter().map(|&index| u128::from(claims[index].weight)).sum();
        if total == 0 {
            return shares;
        }
        let part = |index: usize| (u128::from(left) * u128::from(claims[index].weight) / total) as u64;
        let full: Vec<usize> = open.iter().copied().filter(|&index| part(index) >= 1000).collect();
        if full.is_empty() {
            for &index in &open {
                shares[index] = part(index) as u32;
            }
            return shares;
        }
        for &index in &full {
            shares[index] = 1000;
        }
        left -= full.len() as u64 * 1000;
        open.retain(|index| !full.contains(index));
    }
}

/// Jain's index (R. Jain, D. Chiu, W. Hawe 1984) of CPU time over fair share, 1/1000; 1000 if fewer than two tasks.
pub fn jain_permille(claims: &[Claim], shares: &[u32]) -> u32 {
    let mut values: Vec<u128> = claims
        .iter()
        .zip(shares)
        .filter(|&(_, &share)| share > 0)
        .map(|(claim, &share)| (u128::from(claim.runtime) << 16) / u128::from(share))
        .collect();
    let largest = values.iter().copied().max().unwrap_or(0);
    if values.len() < 2 || largest == 0 {
        return 1000;
    }
    for value in &mut values {
        *value = *value * (1 << 24) / largest;
    }
    let sum: u128 = values.iter().sum();
    let squares: u128 = values.iter().map(|value| value * value).sum();
    (sum * sum * 1000 / (values.len() as u128 * squares)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(weight: u64, runtime: Nanos) -> Claim {
        Claim { weight, runtime }
    }

    #[test]
    fn a_heavy_task_gets_one_cpu_and_the_rest_goes_by_weight() {
        let claims = [claim(9000, 0), claim(500, 0), claim(250, 0), claim(250, 0)];
        assert_eq!(fair_shares(&claims, 2000), [1000, 500, 250, 250]);
        assert_eq!(fair_shares(&claims[1..], 1000), [500, 250, 250]);
    }

    #[test]
    fn jain_is_one_when_time_follows_the_share_and_one_over_n_when_one_has_all() {
        let fair = [claim(2, 2_000_000), claim(1, 1_000_000)];
        assert_eq!(jain_permille(&fair, &[666, 333]), 1000);
        let starved = [claim(1, 1_000_000), claim(1, 0), claim(1, 0), claim(1, 0)];
        assert_eq!(jain_permille(&starved, &[250; 4]), 250);
    }
}
