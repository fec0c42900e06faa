//! What work costs on this machine: counted steps, contended locks. On the ideal machine all of it is off.

use super::Kernel;
use crate::machine::cost::{CostTable, TimeKind, Work};
use crate::units::{CpuId, NEVER, Nanos};

/// The lock of the run queue that all CPUs share (`runqueue_lock` of 2.4, `grq.lock` of BFS).
pub const GLOBAL_LOCK: usize = 0;

/// The lock of the list of all tasks (`tasklist_lock`, readers share it).
pub const TASKLIST_LOCK: usize = 1;

/// Number of locks.
const LOCKS: usize = 2;

/// How a lock is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Beside other readers.
    Read,
    /// Alone.
    Write,
}

/// State of a contended lock. Who still owes other work books it for later; others may have it until then.
#[derive(Clone, Debug, Default)]
struct Lock {
    /// When the last writer in line gives it back.
    free: Nanos,
    /// When the last reader in line gives it back.
    read_until: Nanos,
    /// The last stretch before a booking in which nobody has it.
    gap: (Nanos, Nanos),
    holder: CpuId,
    /// Time booked so far in which somebody holds it, ns.
    held: Nanos,
}

impl Lock {
    /// Books `hold` for `cpu`, which arrives at `arrives`. Returns when it gets the lock.
    fn take(&mut self, cpu: CpuId, arrives: Nanos, hold: Nanos, access: Access) -> Nanos {
        let in_gap = arrives.max(self.gap.0);
        if in_gap + hold <= self.gap.1 {
            self.gap.0 = in_gap + hold;
            self.held += hold;
            return in_gap;
        }
        let taken = match access {
            Access::Read => arrives.max(self.free),
            Access::Write => arrives.max(self.free).max(self.read_until),
        };
        let (end, booked) = (taken + hold, self.free.max(self.read_until));
        self.held += end.saturating_sub(booked.max(taken));
        if end >= booked {
            self.holder = cpu;
        }
        if taken > booked {
            self.gap = (booked, taken);
        }
        match access {
            Access::Read => self.read_until = self.read_until.max(end),
            Access::Write => self.free = end,
        }
        taken
    }
}

/// Locks.
#[derive(Clone, Debug)]
pub(super) struct Overhead {
    locks: [Lock; LOCKS],
    /// Until when each CPU spins, and for which lock.
    spins: Vec<(Nanos, usize)>,
    /// See [`CostTable::scan_misses`].
    scan_misses: std::sync::Arc<[u32]>,
}

impl Overhead {
    pub(super) fn new(costs: &CostTable, cpus: u16) -> Self {
        let cpus = usize::from(cpus);
        Overhead { locks: Default::default(), spins: vec![(0, 0); cpus], scan_misses: costs.scan_misses().into() }
    }
}

/// What the page shows of a lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LockState {
    /// Who holds it now.
    pub holder: Option<CpuId>,
    /// CPUs that spin for it now.
    pub spinners: u32,
    /// Part of the time so far that it was held, 1/1000.
    pub utilisation_permille: u32,
}

impl Kernel {
    /// Price of `n` steps, ns.
    fn price(&self, work: Work, n: u64) -> Nanos {
        let flat = u64::from(self.costs.work_ns[work as usize]) * n;
        if work != Work::TaskScanned || self.overhead.scan_misses.is_empty() {
            return flat;
        }
        let missing = self.overhead.scan_misses.get(n as usize).copied().unwrap_or(1 << 16);
        flat + ((n * u64::from(self.costs.scan_miss_ns) * u64::from(missing)) >> 16)
    }

    /// Counts `n` steps of work done on `cpu`; the cost table turns them into scheduler time there.
    #[inline]
    pub fn charge(&mut self, cpu: CpuId, work: Work, n: u64) {
        if self.costs_on {
            let ns = self.price(work, n);
            self.charge_ns(cpu, TimeKind::Scheduler, ns);
        }
    }

    /// The same for steps done while `lock` is held (see [`Kernel::lock`]).
    #[inline]
    pub fn charge_locked(&mut self, lock: usize, access: Access, cpu: CpuId, work: Work, n: u64) {
        if !self.costs_on {
            return;
        }
        let ns = self.price(work, n);
        if self.costs.contended_locks {
            self.lock(lock, access, cpu, ns);
        } else {
            self.charge_ns(cpu, TimeKind::Scheduler, ns);
        }
    }

    /// Adds overhead to `cpu`: the running program is delayed by it.
    pub fn charge_ns(&mut self, cpu: CpuId, kind: TimeKind, ns: Nanos) {
        if ns == 0 {
            return;
        }
        let state = &mut self.cpus[cpu.index()];
        state.debt[kind as usize] += ns;
        state.debt_total += ns;
        let end = self.bursts.get(cpu.index());
        if end != NEVER {
            self.bursts.set(cpu.index(), end + ns);
        }
    }

    /// Takes contended lock `lock` ([`GLOBAL_LOCK`], [`TASKLIST_LOCK`]) from `cpu` for `hold_ns`: spins until it is free,
    /// first come first served, then holds it. No effect on the ideal machine.
    pub fn lock(&mut self, lock: usize, access: Access, cpu: CpuId, hold_ns: Nanos) {
        if !self.costs_on || !self.costs.contended_locks {
            return;
        }
        // The CPU reaches the lock only after the overhead that it already owes.
        let arrives = self.now + self.cpus[cpu.index()].debt_total;
        let taken = self.overhead.locks[lock].take(cpu, arrives, hold_ns, access);
        self.overhead.spins[cpu.index()] = (taken, lock);
        self.charge_ns(cpu, TimeKind::Spin, taken - arrives);
        self.charge_ns(cpu, TimeKind::Scheduler, hold_ns);
    }

    /// A lock as it is now; `None` on a machine without contended locks.
    pub fn lock_state(&self, lock: usize) -> Option<LockState> {
        if !self.costs_on || !self.costs.contended_locks {
            return None;
        }
        let state = &self.overhead.locks[lock];
        let spinners = self.overhead.spins.iter().filter(|&&(until, which)| which == lock && until > self.now).count();
        // Hold times are booked ahead; what lies in the future has not been held yet.
        let booked = state.free.max(state.read_until);
        let is_free = booked <= self.now || (state.gap.0..state.gap.1).contains(&self.now);
        let held = state.held - booked.saturating_sub(self.now.max(state.gap.1)).min(state.held);
        Some(LockState {
            holder: (!is_free).then_some(state.holder),
            spinners: spinners as u32,
            utilisation_permille: (u128::from(held) * 1000 / u128::from(self.now.max(1))) as u32,
        })
    }

    /// Prices of this machine.
    pub fn costs(&self) -> &CostTable {
        &self.costs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_share_a_lock_and_a_writer_has_it_alone() {
        let mut lock = Lock::default();
        assert_eq!(lock.take(CpuId(0), 100, 50, Access::Read), 100);
        assert_eq!(lock.take(CpuId(1), 120, 10, Access::Read), 120, "a second reader need not wait");
        assert_eq!((lock.holder, lock.held), (CpuId(0), 50), "the first one holds it longest");
        assert_eq!(lock.take(CpuId(2), 130, 20, Access::Write), 150, "a writer waits for both");
        assert_eq!(lock.take(CpuId(3), 140, 5, Access::Read), 170, "and readers for the writer");
        assert_eq!(lock.take(CpuId(0), 300, 1, Access::Write), 300, "a free lock is taken at once");
        assert_eq!(lock.held, 76, "every nanosecond in which somebody holds it counts once");
    }

    #[test]
    fn a_lock_booked_for_later_is_free_until_then() {
        let mut lock = Lock::default();
        assert_eq!(lock.take(CpuId(0), 1_000, 100, Access::Write), 1_000, "cpu0 owes work until then");
        assert_eq!(lock.take(CpuId(1), 200, 50, Access::Write), 200);
        assert_eq!(lock.take(CpuId(2), 220, 50, Access::Write), 250, "behind cpu1");
        assert_eq!(lock.take(CpuId(3), 980, 50, Access::Write), 1_100, "too long for what is left");
    }
}
