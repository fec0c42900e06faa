//! The priority matrix and the quotas: what a nice level is entitled to in one rotation.

/// Dynamic priorities, and slots, of an array.
pub(super) const SLOTS: u32 = 40;
/// First dynamic priority: slot = prio - 100.
pub(super) const FIRST_DYNAMIC: u32 = 100;
/// `MAX_PRIO`: the IDLEPRIO list, and the marker for "no slot".
pub(super) const MAX_PRIO: u32 = 140;
/// Best static priority of an array that nobody has used yet.
pub(super) const WORST_STATIC: u8 = 139;
/// Bits of all slots.
pub(super) const ALL_SLOTS: u64 = (1 << SLOTS) - 1;

/// For every nice level (row `nice + 20`) the slots that it may **not** use, bit k = slot k.
pub(super) fn matrix() -> [u64; SLOTS as usize] {
    let mut rows = [ALL_SLOTS; SLOTS as usize];
    for (row, forbidden) in rows.iter_mut().enumerate() {
        let step = (SLOTS * SLOTS) as usize / (SLOTS as usize - row);
        let mut at = 0;
        while at <= (SLOTS * (SLOTS - 1)) as usize {
            *forbidden &= !(1 << (SLOTS as usize - 1 - at / SLOTS as usize));
            at += step;
        }
    }
    rows
}

/// Time that a nice level gets in each of its slots, ms.
pub(super) fn quota_ms(rr_interval_ms: u32, nice: i32) -> u32 {
    match nice {
        ..-6 => rr_interval_ms * (nice * nice) as u32 / 40,
        -6..=0 => rr_interval_ms,
        _ => (rr_interval_ms / 2).max(1),
    }
}

/// `task_timeslice`: quota times slots, ms in one rotation.
pub(super) fn task_timeslice_ms(rr_interval_ms: u32, nice: i32) -> u32 {
    quota_ms(rr_interval_ms, nice) * (20 - nice) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(nice: i32) -> String {
        let forbidden = matrix()[(nice + 20) as usize];
        (0..SLOTS).map(|slot| if forbidden >> slot & 1 != 0 { '1' } else { '0' }).collect()
    }

    #[test]
    fn matrix_rows_are_those_of_the_real_generator() {
        assert_eq!(row(-20), "0000000000000000000000000000000000000000");
        assert_eq!(row(-19), "1000000000000000000000000000000000000000");
        assert_eq!(row(-13), "1000100000100000100000100000100000100000");
        assert_eq!(row(-10), "1001000100010001000100010001000100010000");
        assert_eq!(row(-4), "1100100101001010010100101001010010100100");
        assert_eq!(row(-1), "1010101010101010101001010101010101010100");
        assert_eq!(row(0), "1010101010101010101010101010101010101010");
        assert_eq!(row(5), "1101101101011011010110110101101101011010");
        assert_eq!(row(10), "1110111011101110111011101110111011101110");
        assert_eq!(row(14), "1111110111111011111101111101111110111110");
        assert_eq!(row(17), "1111111111111011111111111101111111111110");
        assert_eq!(row(19), "1111111111111111111111111111111111111110");
    }

    #[test]
    fn a_nice_level_has_twenty_minus_nice_slots_and_everybody_has_the_last() {
        for nice in -20..20 {
            let allowed = ALL_SLOTS & !matrix()[(nice + 20) as usize];
            assert_eq!(allowed.count_ones() as i32, 20 - nice, "nice {nice}");
            assert!(allowed >> 39 & 1 != 0);
        }
    }

    #[test]
    fn quotas_and_timeslices_at_rr_8() {
        let quotas: Vec<u32> = [-20, -10, -7, -6, 0, 1, 19].iter().map(|&nice| quota_ms(8, nice)).collect();
        assert_eq!(quotas, [80, 20, 9, 8, 8, 4, 4]);
        let slices: Vec<u32> = [-20, -10, 0, 5, 10, 19].iter().map(|&nice| task_timeslice_ms(8, nice)).collect();
        assert_eq!(slices, [3200, 600, 160, 60, 40, 4]);
    }
}
