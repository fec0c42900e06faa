//! Per-entity load tracking: geometric sums of the time that an entity was runnable and running, and the averages made
//! of them. Time is cut into 1024 ns units and periods of 1024 units; what lies 32 periods back counts half.
//!
//! Sources: `kernel/sched/pelt.c` of 5.15, 6.6 and 6.12 through modern.md section 4.1.

use crate::units::Nanos;

/// Largest possible sum: always runnable since for ever (`LOAD_AVG_MAX`).
pub const SUM_MAX: u64 = 47_742;

/// Units in a period; also the scale of capacity and utilisation (`SCHED_CAPACITY_SCALE`).
pub const SCALE: u64 = 1024;

/// Smallest divider of a sum (`PELT_MIN_DIVIDER`).
pub const DIVIDER_MIN: u64 = SUM_MAX - SCALE;

/// Periods in which a contribution halves.
const HALF_LIFE: u64 = 32;

/// y^n * 2^32 for n below the half life, y^32 = 1/2 (`runnable_avg_yN_inv`).
static INVERSE: [u32; HALF_LIFE as usize] = [
    0xffff_ffff,
    0xfa83_b2da,
    0xf525_7d14,
    0xefe4_b99a,
    0xeac0_c6e6,
    0xe5b9_06e6,
    0xe0cc_deeb,
    0xdbfb_b796,
    0xd744_fcc9,
    0xd2a8_1d91,
    0xce24_8c14,
    0xc9b9_bd85,
    0xc567_2a10,
    0xc12c_4cc9,
    0xbd08_a39e,
    0xb8fb_af46,
    0xb504_f333,
    0xb123_f581,
    0xad58_3ee9,
    0xa9a1_5ab4,
    0xa5fe_d6a9,
    0xa270_4302,
    0x9ef5_325f,
    0x9b8d_39b9,
    0x9837_f050,
    0x94f4_efa8,
    0x91c3_d373,
    0x8ea4_398a,
    0x8b95_c1e3,
    0x8898_0e80,
    0x85aa_c367,
    0x82cd_8698,
];

/// `decay_load`: `value` as it counts `periods` later.
pub fn decay(value: u64, periods: u64) -> u64 {
    if periods > HALF_LIFE * 63 {
        return 0;
    }
    let value = value >> (periods / HALF_LIFE);
    ((u128::from(value) * u128::from(INVERSE[(periods % HALF_LIFE) as usize])) >> 32) as u64
}

/// `sched_avg` of an entity or a queue. Sums of an entity count time; those of a queue count time times weight.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SchedAvg {
    /// Up to when the sums are made, a multiple of 1024 ns behind the start.
    pub last_update: Nanos,
    /// Runnable time, or time times weight.
    pub load_sum: u64,
    /// Time times runnable tasks, times [`SCALE`].
    pub runnable_sum: u64,
    /// Running time, times [`SCALE`].
    pub util_sum: u64,
    /// Units of the period that is not complete.
    pub period_contrib: u64,
    /// Average weight that was runnable.
    pub load_avg: i64,
    /// Average number of runnable tasks, times [`SCALE`].
    pub runnable_avg: i64,
    /// Average share of a CPU, times [`SCALE`].
    pub util_avg: i64,
}

impl SchedAvg {
    /// `get_pelt_divider`: what a sum that was always fed would be now.
    #[inline]
    pub fn divider(&self) -> u64 {
        DIVIDER_MIN + self.period_contrib
    }

    /// Whether not even one unit has passed, so that [`SchedAvg::accumulate`] would do nothing.
    #[inline]
    pub fn is_current(&self, now: Nanos) -> bool {
        now.wrapping_sub(self.last_update) < SCALE
    }

    /// `___update_load_sum` and `___update_load_avg`: brings the sums up to `now` with what held since. `load` is 0 or 1
    /// for an entity, the weight for a queue; `runnable` counts tasks. When a period ends, the averages are renewed; that
    /// of the load is `weight` times as large (1 for a queue, whose sum has it already). Returns whether they were.
    #[inline(always)]
    pub fn accumulate(&mut self, now: Nanos, load: u64, runnable: u64, running: bool, weight: u64) -> bool {
        let Some(elapsed) = now.checked_sub(self.last_update) else {
            self.last_update = now;
            return false;
        };
        let units = elapsed >> 10;
        if units == 0 {
            return false;
        }
        self.last_update += units << 10;
        if self.period_contrib + units >= SCALE {
            self.renew(units, load, runnable, running, weight);
            return true;
        }
        self.period_contrib += units;
        self.add(units, load, runnable, running);
        false
    }

    /// Adds what `contribution` units count.
    #[inline(always)]
    fn add(&mut self, contribution: u64, load: u64, runnable: u64, running: bool) {
        if load > 0 {
            self.load_sum += load * contribution;
            self.runnable_sum += (runnable * contribution) << 10;
            if running {
                self.util_sum += contribution << 10;
            }
        }
    }

    /// The rest of [`SchedAvg::accumulate`] when a period ends. Rare: most updates stay within one.
    #[inline(never)]
    fn renew(&mut self, units: u64, load: u64, runnable: u64, running: bool, weight: u64) {
        let contribution = self.end_periods(units);
        self.add(contribution, load, runnable, running);
        let divider = self.divider();
        self.load_avg = (weight * self.load_sum / divider) as i64;
        self.runnable_avg = (self.runnable_sum / divider) as i64;
        self.util_avg = (self.util_sum / divider) as i64;
    }

    /// `accumulate_sum` when a period ends within the next `units`: what was counts less, and the new time too, by the
    /// period that it lies in. Returns what the new time counts.
    fn end_periods(&mut self, units: u64) -> u64 {
        let all = self.period_contrib + units;
        let periods = all / SCALE;
        self.load_sum = decay(self.load_sum, periods);
        self.runnable_sum = decay(self.runnable_sum, periods);
        self.util_sum = decay(self.util_sum, periods);
        let first = decay(SCALE - self.period_contrib, periods);
        self.period_contrib = all % SCALE;
        first + (SUM_MAX - decay(SUM_MAX, periods) - SCALE) + self.period_contrib
    }

    /// Whether nothing is left of what once was.
    pub fn is_decayed(&self) -> bool {
        self.load_sum == 0 && self.util_sum == 0 && self.runnable_sum == 0
    }
}

/// `sub_positive` and the rule that a sum is not below what its average implies.
pub fn subtract(avg: &mut i64, sum: &mut u64, by_avg: i64, by_sum: u64) {
    *avg = (*avg - by_avg).max(0);
    *sum = sum.saturating_sub(by_sum).max(*avg as u64 * DIVIDER_MIN);
}

/// `add_positive` and the same rule, for signed differences.
pub fn shift(avg: &mut i64, sum: &mut u64, by_avg: i64, by_sum: i64) {
    *avg = (*avg + by_avg).max(0);
    *sum = sum.saturating_add_signed(by_sum).max(*avg as u64 * DIVIDER_MIN);
}

#[cfg(test)]
mod tests {
    use super::*;

    const PERIOD: Nanos = 1024 * 1024;
    const NICE_0: u64 = 1024;

    fn always_running(avg: &mut SchedAvg, until: Nanos) {
        avg.accumulate(until, 1, 1, true, NICE_0);
    }

    #[test]
    fn an_ever_running_task_grows_as_the_kernel_says() {
        // modern.md 10.3, first row: updates at period ends.
        let mut avg = SchedAvg::default();
        let expected = [
            (1, 1002, 21, 21),
            (2, 1982, 43, 43),
            (4, 3879, 85, 85),
            (8, 7436, 163, 162),
            (16, 13_689, 300, 300),
            (32, 23_369, 512, 512),
            (64, 35_053, 768, 768),
        ];
        let mut row = expected.iter();
        let mut next = row.next();
        for period in 1..=64 {
            always_running(&mut avg, period * PERIOD);
            if let Some(&(at, sum, util, load)) = next
                && at == period
            {
                assert_eq!((avg.load_sum, avg.util_avg, avg.load_avg), (sum, util, load), "after {period} periods");
                next = row.next();
            }
        }
        assert!(next.is_none());
        // Then 32 periods asleep, looked at after each: half of it is left.
        for period in 65..=96 {
            assert!(avg.accumulate(period * PERIOD, 0, 0, false, NICE_0));
        }
        assert_eq!((avg.util_avg, avg.load_avg), (384, 383));
    }

    #[test]
    fn millisecond_updates_sum_the_same_time() {
        // modern.md 10.3, last row.
        let mut avg = SchedAvg::default();
        let mut found = Vec::new();
        for ms in 1..=50 {
            always_running(&mut avg, ms * 1_000_000);
            if [10, 20, 32, 50].contains(&ms) {
                found.push((avg.load_sum, avg.util_avg));
            }
        }
        assert_eq!(found, [(8821, 191), (15_833, 346), (22_851, 495), (30_539, 659)]);
    }

    #[test]
    fn sums_decay_to_nothing_and_halve_in_32_periods() {
        assert_eq!(decay(SUM_MAX, 32), SUM_MAX / 2 - 1);
        assert_eq!(decay(u64::from(u32::MAX), 2017), 0);
        assert_eq!(decay(1000, 0), 999);
    }
}
