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
    /// A scheduling entity, a task or a group above it, charged and queued, unqueued or picked.
    Entity,
    /// A 64-bit division by a weight (`calc_delta_mine` with a weight that has changed since).
    Division,
    /// A one-shot timer set or cancelled (HRTICK).
    TimerSet,
    /// The run queue of another CPU locked and changed: its lines come over from that CPU's cache.
    RemoteQueue,
}

/// Number of [`Work`] kinds.
pub const WORK_KINDS: usize = 12;

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

/// A cache. Where a page lies in it is chance, as the kernel hands pages out without looking at their colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CacheSpec {
    /// Size, KiB; 0 = there is none.
    pub kib: u32,
    /// Lines of a set.
    pub ways: u16,
    /// Time to fetch one KiB from the next level, ns.
    pub ns_per_kib: Nanos,
}

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
    /// First-level cache of each CPU; 0 KiB = not modelled.
    pub l1: CacheSpec,
    /// The cache that working sets compete for, shared by the CPUs that the topology says; 0 KiB = not modelled.
    pub l2: CacheSpec,
    /// What every task touches around a switch beside its program's working set: kernel stack, task structure, page
    /// tables, user stack; KiB.
    pub task_kib: u32,
    /// Run queue locks are contended: hold times come from counted work, and others spin.
    pub contended_locks: bool,
}

/// Part of scanned tasks that miss, in 1/65536, for up to this many tasks; more miss always.
pub const SCAN_TABLE: usize = 1024;

/// Chance, 1/65536, that at least `t` of `n` lines fall into one given set of `sets`, for `n` in `0..rows` and `t` in
/// `1..=ways`: entry `n * ways + t - 1`. Binomial terms in 40-bit fixed point.
pub fn crowding(sets: u16, ways: u16, rows: usize) -> Vec<u32> {
    const ONE: u128 = 1 << 40;
    let (sets, ways) = (u128::from(sets.max(1)), usize::from(ways));
    // below[k] = P[exactly k share the set], k < ways.
    let mut below = vec![0u128; ways];
    if let Some(none) = below.first_mut() {
        *none = ONE;
    }
    let mut table = Vec::with_capacity(rows * ways);
    for n in 0..rows {
        if n > 0 {
            for k in (0..ways).rev() {
                let shared = if k > 0 { below[k - 1] / sets } else { 0 };
                below[k] = below[k] * (sets - 1) / sets + shared;
            }
        }
        let mut fewer = 0;
        table.extend(below.iter().map(|chance| {
            fewer += chance;
            ((ONE - ONE.min(fewer)) >> 24) as u32
        }));
    }
    table
}

impl CostTable {
    /// Expected part of misses, 1/65536, when `n` tasks are scanned in turn: the probability that at least `scan_ways`
    /// of the other n - 1 lines fall into the same of `scan_colours` sets.
    pub fn scan_misses(&self) -> Vec<u32> {
        let ways = usize::from(self.scan_ways);
        if self.scan_colours == 0 || ways == 0 {
            return Vec::new();
        }
        let crowded = crowding(self.scan_colours, self.scan_ways, SCAN_TABLE - 1);
        let all_ways = crowded.chunks_exact(ways).map(|of_n| of_n[ways - 1]);
        std::iter::once(0).chain(all_ways).collect()
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
