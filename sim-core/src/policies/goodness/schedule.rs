//! `goodness()` and `schedule()`.

use super::{Account, Goodness, NOTE_RECALCULATION, Why, tunable};
use crate::kernel::Kernel;
use crate::kernel::overhead::{Access, GLOBAL_LOCK, TASKLIST_LOCK};
use crate::machine::cost::Work;
use crate::policy::{Block, SchedClass};
use crate::units::{CpuId, TaskId};

/// Score of the idle task when it is compared with a woken task (its counter is -100, its nice 20).
pub const IDLE_GOODNESS: i64 = -100;

/// Score below which no task lies: nobody was found.
const NOTHING: i64 = -1000;

/// Result of a scan.
struct Scan {
    next: Option<TaskId>,
    best: i64,
    second: i64,
}

impl Goodness {
    /// `goodness(p, cpu, mm)`: -1 yielded, 0 out of time, 1000 and more real time.
    #[inline]
    pub(super) fn goodness(&self, id: TaskId, cpu: CpuId, mm: u32) -> i64 {
        let entity = &self.entities[id.index()];
        let seen = &entity.seen;
        if entity.yielded {
            return -1;
        }
        if seen.real_time {
            return i64::from(seen.base);
        }
        if entity.counter == 0 {
            return 0;
        }
        let left = if self.is_split() { entity.dyn_prio + 1 } else { entity.counter };
        left + self.affinity_bonus(seen.cpu == cpu.0) + self.mm_bonus(seen.mm == mm) + i64::from(seen.base)
    }

    pub(super) fn affinity_bonus(&self, same_cpu: bool) -> i64 {
        if self.smp && same_cpu { self.tunables[tunable::PROC_CHANGE_PENALTY] } else { 0 }
    }

    pub(super) fn mm_bonus(&self, same_mm: bool) -> i64 {
        if same_mm { self.tunables[tunable::SAME_MM_BONUS] } else { 0 }
    }

    /// `can_schedule`: not running elsewhere, and allowed here. One CPU: no test.
    #[inline]
    pub(super) fn can_schedule(&self, k: &Kernel, id: TaskId, cpu: CpuId) -> bool {
        if !self.smp {
            return true;
        }
        let seen = &self.entities[id.index()].seen;
        (!seen.running || seen.cpu == cpu.0) && (!seen.pinned || k.task(id).affinity.contains(cpu))
    }

    pub(super) fn pick(
        &mut self,
        k: &mut Kernel,
        cpu: CpuId,
        prev: Option<TaskId>,
        block: Option<Block>,
    ) -> Option<TaskId> {
        if let Some(prev) = prev {
            self.leave(k, cpu, prev, block);
        }
        let mut scan = self.scan(k, cpu);
        let new_epoch = scan.best == 0;
        if new_epoch {
            self.recalculate(k, cpu);
            scan = self.scan(k, cpu);
        }
        self.explain(k, &scan, new_epoch);
        if scan.next == prev
            && let Some(prev) = prev
        {
            self.entities[prev.index()].yielded = false;
        }
        scan.next
    }

    /// What `schedule()` does with prev: an exhausted RR task is refilled and goes to the tail, a blocking one leaves.
    fn leave(&mut self, k: &mut Kernel, cpu: CpuId, prev: TaskId, block: Option<Block>) {
        let task = k.task(prev);
        if task.class == SchedClass::Rr && self.entities[prev.index()].counter == 0 {
            self.entities[prev.index()].counter = self.quantum(task.nice);
            self.list.remove(prev);
            self.list.push_back(prev);
        }
        if block.is_some() {
            self.list.remove(prev);
            k.charge(cpu, Work::ListOp, 1);
        }
    }

    /// Scores everybody; the earliest on the list wins ties.
    fn scan(&self, k: &mut Kernel, cpu: CpuId) -> Scan {
        let mm = self.active_mm[cpu.index()];
        let mut scan = Scan { next: None, best: NOTHING, second: NOTHING };
        for task in self.list.iter() {
            if !self.can_schedule(k, task, cpu) {
                continue;
            }
            let goodness = self.goodness(task, cpu, mm);
            if goodness > scan.best {
                scan.second = scan.best;
                scan.best = goodness;
                scan.next = Some(task);
            } else if goodness > scan.second {
                scan.second = goodness;
            }
        }
        k.charge_locked(GLOBAL_LOCK, Access::Write, cpu, Work::TaskScanned, u64::from(self.list.len()));
        scan
    }

    /// A new epoch: everyone's quantum is refilled.
    fn recalculate(&mut self, k: &mut Kernel, cpu: CpuId) {
        self.epoch += 1;
        let mut touched = 0;
        match self.version.account {
            Account::Counter => {
                for index in 0..k.tasks().len() {
                    let task = &k.tasks()[index];
                    if task.is_alive() && task.migration_thread.is_none() {
                        let quantum = self.quantum(task.nice);
                        let entity = &mut self.entities[index];
                        entity.counter = (entity.counter >> 1) + quantum;
                        touched += 1;
                    }
                }
            }
            Account::Split { .. } => {
                for task in self.list.iter() {
                    let quantum = self.quantum(k.task(task).nice);
                    let entity = &mut self.entities[task.index()];
                    entity.counter = quantum;
                    entity.refill_seen = self.epoch;
                    touched += 1;
                }
            }
        }
        // `schedule()` lets go of the run queue and reads the list of all tasks; the split walks the run queue itself.
        let (lock, access) = match self.version.account {
            Account::Counter => (TASKLIST_LOCK, Access::Read),
            Account::Split { .. } => (GLOBAL_LOCK, Access::Write),
        };
        k.charge_locked(lock, access, cpu, Work::Recalculated, touched);
        k.note(Some(cpu), NOTE_RECALCULATION, [touched as i64, self.epoch as i64]);
    }

    fn explain(&self, k: &mut Kernel, scan: &Scan, new_epoch: bool) {
        let scanned = i64::from(self.list.len());
        let why = match scan.best {
            NOTHING => Why::NobodyRunnable,
            -1 => Why::OnlyYielder,
            1000.. => Why::RealTime,
            _ if new_epoch => Why::NewEpoch,
            best if best == scan.second => Why::FirstOfEqual,
            _ => Why::HighestGoodness,
        };
        k.explain(why, [scan.best, scanned, scan.second.max(0)]);
    }
}
