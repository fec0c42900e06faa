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
    /// `runqueue_lock` is one global lock with hold times from counted work.
    pub contended_locks: bool,
}

impl CostTable {
    /// Whether everything is free.
    pub fn is_ideal(&self) -> bool {
        *self == CostTable::default()
    }
}
