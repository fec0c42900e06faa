//! Nice levels as load weights: `prio_to_weight` and `prio_to_wmult`, the same in 2.6.24 and in 6.12.

/// Weight of a nice-0 task, and the scale of all loads (`NICE_0_LOAD`, `SCHED_LOAD_SCALE`).
pub const NICE_0_LOAD: u64 = 1024;

/// Weight by nice + 20. Each level is about 1.25 times the next.
pub const WEIGHT: [u32; 40] = [
    88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916, 9548, 7620, 6100, 4904, 3906, 3121, 2501,
    1991, 1586, 1277, 1024, 820, 655, 526, 423, 335, 272, 215, 172, 137, 110, 87, 70, 56, 45, 36, 29, 23, 18, 15,
];

/// 2^32 / weight by nice + 20, precomputed by the kernel (four entries are rounded down, the others to nearest).
pub const INVERSE: [u32; 40] = [
    48388, 59856, 76040, 92818, 118348, 147320, 184698, 229616, 287308, 360437, 449829, 563644, 704093, 875809,
    1099582, 1376151, 1717300, 2157191, 2708050, 3363326, 4194304, 5237765, 6557202, 8165337, 10153587, 12820798,
    15790321, 19976592, 24970740, 31350126, 39045157, 49367440, 61356676, 76695844, 95443717, 119304647, 148102320,
    186737708, 238609294, 286331153,
];

/// Row of the tables for a nice level.
#[inline]
pub fn row(nice: i8) -> usize {
    (i32::from(nice) + 20).clamp(0, 39) as usize
}

/// Load weight of a nice level.
#[inline]
pub fn weight(nice: i8) -> u64 {
    u64::from(WEIGHT[row(nice)])
}

/// 2^32 / weight of a nice level.
#[inline]
pub fn inverse(nice: i8) -> u64 {
    u64::from(INVERSE[row(nice)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses_are_rounded_to_nearest_except_four_that_are_rounded_down() {
        for nice in -20..=19i8 {
            let (w, down) = (weight(nice), (1u64 << 32) / weight(nice));
            let nearest = ((1u64 << 32) + w / 2) / w;
            let expected = if [13, 14, 16, 17].contains(&nice) { down } else { nearest };
            assert_eq!(inverse(nice), expected, "nice {nice}");
        }
    }
}
