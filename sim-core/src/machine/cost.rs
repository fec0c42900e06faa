//! What work costs: a policy counts steps, this table turns them into nanoseconds. All zero on the ideal machine.

use crate::units::Nanos;

/// A counted step of scheduler work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Work {
    /// A task looked at in a scan (goodness loop, balancing).
    TaskScanned,
    /// A list insertion or removal.
    ListOp,
    /// A bitmap word searched.
    BitmapWord,
    /// A tree level descended.
    TreeLevel,
    /// A CPU probed (reschedule_idle, balancing).
    CpuProbed,
    /// A whole recalculation step for one task.
    Recalculated,
    /// A task moved between CPUs.
    Migrated,
    /// A cross-CPU interrupt sent.
    Ipi,
}

/// Number of [`Work`] kinds.
pub const WORK_KINDS: usize = 8;

/// Where a CPU's time goes. Everything adds up to elapsed time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum TimeKind {
    /// The program's own work.
    User,
    /// System calls.
    System,
    /// The scheduler's work and the switch itself.
    Scheduler,
    /// Spinning on a contended lock.
    Spin,
    /// Refilling caches.
    Refill,
    /// Nothing to do.
    Idle,
}

/// Number of [`TimeKind`]s.
pub const TIME_KINDS: usize = 6;

/// Prices in nanoseconds. `CostTable::default()` is the ideal machine: everything is free.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CostTable {
    /// ns per counted step.
    pub work_ns: [u32; WORK_KINDS],
    /// Added to a scanned task whose hot cache line has been displaced, ns. Task structures lie at the foot of 8 KiB
    /// blocks, so their hot lines compete for few places: `scan_colours` sets of `scan_ways` lines (spec 1.8).
    pub scan_miss_ns: u32,
    /// Cache sets that the hot lines fall into: cache size / ways / 8 KiB; 0 = no misses.
    pub scan_colours: u16,
    /// Lines that fit one such set.
    pub scan_ways: u16,
    /// A context switch.
    pub switch_ns: Nanos,
    /// The fixed part of `schedule()`.
    pub schedule_ns: Nanos,
    /// A system call made by an operation of a program.
    pub syscall_ns: Nanos,
    /// The timer interrupt.
    pub tick_ns: Nanos,
    /// fork.
    pub fork_ns: Nanos,
    /// exit.
    pub exit_ns: Nanos,
    /// Time to refill one KiB of working set from memory.
    pub refill_ns_per_kib: Nanos,
    /// Size of the cache that a working set competes for, KiB; 0 = no cache model.
    pub cache_kib: u32,
    /// Run queue locks are contended: hold times come from counted work, and others spin.
    pub contended_locks: bool,
}

/// Part of scanned tasks that miss, in 1/65536, for up to this many tasks; more miss always.
pub const SCAN_TABLE: usize = 1024;

impl CostTable {
    /// Expected part of misses, 1/65536, when `n` tasks are scanned in turn: the probability that at least `scan_ways`
    /// of the other n - 1 lines fall into the same of `scan_colours` sets. Binomial terms in 40-bit fixed point.
    pub fn scan_misses(&self) -> Vec<u32> {
        const ONE: u128 = 1 << 40;
        let (colours, ways) = (u128::from(self.scan_colours), usize::from(self.scan_ways));
        if colours == 0 || ways == 0 {
            return Vec::new();
        }
        // below[k] = P[exactly k of the others share the set], k < ways.
        let mut below = vec![0u128; ways];
        below[0] = ONE;
        let mut table = vec![0u32; 2.min(SCAN_TABLE)];
        for _ in 2..SCAN_TABLE {
            for k in (0..ways).rev() {
                let shared = if k > 0 { below[k - 1] / colours } else { 0 };
                below[k] = below[k] * (colours - 1) / colours + shared;
            }
            let hit: u128 = below.iter().sum();
            table.push(((ONE - hit.min(ONE)) >> 24) as u32);
        }
        table
    }

    /// Whether everything is free.
    pub fn is_ideal(&self) -> bool {
        *self == CostTable::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scans_begin_to_miss_when_the_colours_fill() {
        // Pentium II, 512 KiB 4-way: 16 colours of 4 lines. P[Bin(n - 1, 1/16) >= 4] by hand for a few n.
        let table = CostTable { scan_colours: 16, scan_ways: 4, ..CostTable::default() }.scan_misses();
        let permille = |n: usize| table[n] * 1000 / 65536;
        assert_eq!(permille(4), 0);
        assert!((37..=39).contains(&permille(22)), "{}", permille(22));
        assert!((393..=397).contains(&permille(52)), "{}", permille(52));
        assert!(permille(200) > 995);
    }
}
