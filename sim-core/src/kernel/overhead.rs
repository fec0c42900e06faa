//! What work costs on this machine: counted steps, contended locks. On the ideal machine all of it is off.

use super::Kernel;
use crate::machine::cost::{CostTable, TimeKind, Work};
use crate::units::{CpuId, NEVER, Nanos};

/// The global run queue lock (2.4). Lock `1 + c` is that of the run queue of CPU c.
pub const GLOBAL_LOCK: usize = 0;

/// State of a contended lock.
#[derive(Clone, Debug)]
struct Lock {
    /// When the last one in line gives it back.
    free: Nanos,
    holder: CpuId,
    held: Nanos,
}

/// Locks.
#[derive(Clone, Debug)]
pub(super) struct Overhead {
    locks: Vec<Lock>,
    /// Until when each CPU spins, and for which lock.
    spins: Vec<(Nanos, usize)>,
    /// See [`CostTable::scan_misses`].
    scan_misses: std::sync::Arc<[u32]>,
}

impl Overhead {
    pub(super) fn new(costs: &CostTable, cpus: u16) -> Self {
        let cpus = usize::from(cpus);
        Overhead {
            locks: vec![Lock { free: 0, holder: CpuId(0), held: 0 }; cpus + 1],
            spins: vec![(0, 0); cpus],
            scan_misses: costs.scan_misses().into(),
        }
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
    pub fn charge_locked(&mut self, lock: usize, cpu: CpuId, work: Work, n: u64) {
        if !self.costs_on {
            return;
        }
        let ns = self.price(work, n);
        if self.costs.contended_locks {
            self.lock(lock, cpu, ns);
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

    /// Takes contended lock `lock` ([`GLOBAL_LOCK`], or 1 + c for the run queue of CPU c) from `cpu` for `hold_ns`: spins
    /// until it is free, first come first served, then holds it. No effect on the ideal machine.
    pub fn lock(&mut self, lock: usize, cpu: CpuId, hold_ns: Nanos) {
        if !self.costs_on || !self.costs.contended_locks {
            return;
        }
        // The CPU reaches the lock only after the overhead that it already owes.
        let arrives = self.now + self.cpus[cpu.index()].debt_total;
        let state = &mut self.overhead.locks[lock];
        let taken = state.free.max(arrives);
        state.free = taken + hold_ns;
        state.held += hold_ns;
        state.holder = cpu;
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
        let held = state.held - state.free.saturating_sub(self.now).min(state.held);
        Some(LockState {
            holder: (state.free > self.now).then_some(state.holder),
            spinners: spinners as u32,
            utilisation_permille: (u128::from(held) * 1000 / u128::from(self.now.max(1))) as u32,
        })
    }

    /// Prices of this machine.
    pub fn costs(&self) -> &CostTable {
        &self.costs
    }
}
