//! `schedule()`: who runs next.

use super::StaircaseDeadline;
use super::matrix::{FIRST_DYNAMIC, MAX_PRIO};
use super::reasons::{NOTE_ROTATION, Why};
use super::rq::IDLEPRIO_ARRAY;
use crate::kernel::Kernel;
use crate::machine::cost::Work;
use crate::policy::Block;
use crate::queues::domain_balance;
use crate::units::{CpuId, TaskId};

/// What makes a rotation begin.
#[derive(Clone, Copy)]
enum Rotation {
    Swap,
    Idle,
    Idleprio,
}

impl StaircaseDeadline {
    /// The whole of `schedule()` but the switch.
    pub(super) fn pick(
        &mut self,
        k: &mut Kernel,
        cpu: CpuId,
        prev: Option<TaskId>,
        block: Option<Block>,
    ) -> Option<TaskId> {
        if let (Some(prev), Some(block)) = (prev, block) {
            self.deactivate(k, cpu, prev);
            if block == Block::Uninterruptible {
                self.tasks[prev.index()].nonsleep = true;
            }
        }
        if self.rqs[cpu.index()].nr_running == 0 {
            domain_balance::idle_balance(self, k, cpu);
        }
        let next = match self.rqs[cpu.index()].nr_running {
            0 => {
                let rotation = self.begin_rotation(k, cpu, Rotation::Idle);
                k.explain(Why::NothingRunnable, [rotation as i64, 0, 0]);
                None
            }
            _ => Some(self.pick_runnable(k, cpu)),
        };
        // The charge comes after the pick: prev was judged with its slice as last charged.
        self.account_switch(k, cpu, prev);
        if let Some(next) = next.filter(|_| next != prev) {
            self.tasks[next.index()].last_ran = k.now();
        }
        next
    }

    fn pick_runnable(&mut self, k: &mut Kernel, cpu: CpuId) -> TaskId {
        let mut swapped = false;
        loop {
            k.charge(cpu, Work::BitmapWord, 1);
            let rq = &self.rqs[cpu.index()];
            let first = rq.active().bitmap.first();
            if let Some(prio) = first.filter(|&prio| prio < FIRST_DYNAMIC) {
                return self.privileged_head(k, cpu, prio);
            }
            if rq.nr_running == rq.nr_idleprio {
                return self.idleprio_head(k, cpu);
            }
            let Some(prio) = first.filter(|&prio| prio < MAX_PRIO) else {
                self.swap_arrays(k, cpu);
                swapped = true;
                continue;
            };
            let head = self.head(cpu, prio);
            let entity = &self.tasks[head.index()];
            if entity.time_slice_us <= 0 && !entity.is_privileged_iso() {
                self.slot_over(k, cpu, head);
                continue;
            }
            self.granted(cpu, head, prio);
            let slot = i64::from(prio - FIRST_DYNAMIC);
            match swapped {
                true => {
                    let rotation = self.rqs[cpu.index()].prio_rotation as i64;
                    k.explain(Why::ArraySwap, [rotation, slot, 0]);
                }
                false => {
                    let left_ns = i64::from(self.tasks[head.index()].time_slice_us) * 1000;
                    k.explain(Why::FirstSlot, [slot, left_ns, 0]);
                }
            }
            return head;
        }
    }

    fn head(&self, cpu: CpuId, prio: u32) -> TaskId {
        let list = &self.rqs[cpu.index()].active().lists[prio as usize];
        list.head().expect("a set bit means a task in the list")
    }

    /// Real-time and privileged SCHED_ISO tasks run in list order.
    fn privileged_head(&mut self, k: &mut Kernel, cpu: CpuId, prio: u32) -> TaskId {
        let head = self.head(cpu, prio);
        if self.tasks[head.index()].is_privileged_iso() {
            let use_percent = self.rqs[cpu.index()].iso_ticks / self.iso_period_ticks();
            k.explain(Why::Iso, [use_percent as i64, 0, 0]);
        } else {
            k.explain(Why::RealTime, [i64::from(prio), 0, 0]);
        }
        head
    }

    /// Only IDLEPRIO tasks are runnable: every pick of one is a rotation of its own.
    fn idleprio_head(&mut self, k: &mut Kernel, cpu: CpuId) -> TaskId {
        self.rqs[cpu.index()].active = IDLEPRIO_ARRAY;
        let rotation = self.begin_rotation(k, cpu, Rotation::Idleprio);
        k.explain(Why::OnlyIdleprio, [rotation as i64, 0, 0]);
        self.head(cpu, MAX_PRIO)
    }

    fn swap_arrays(&mut self, k: &mut Kernel, cpu: CpuId) {
        let rq = &mut self.rqs[cpu.index()];
        rq.active = rq.expired_index();
        assert!(rq.active().first_dynamic().is_some(), "{} runnable tasks on no array of {cpu}", rq.nr_running);
        self.begin_rotation(k, cpu, Rotation::Swap);
    }

    /// Counts a rotation and forgets what the last one had reached.
    fn begin_rotation(&mut self, k: &mut Kernel, cpu: CpuId, why: Rotation) -> u64 {
        let rq = &mut self.rqs[cpu.index()];
        rq.reset_prio_levels();
        rq.prio_rotation += 1;
        let rotation = rq.prio_rotation;
        k.note(Some(cpu), NOTE_ROTATION, [rotation as i64, why as i64]);
        rotation
    }

    /// A task in a slot was picked: the rotation has reached its level.
    fn granted(&mut self, cpu: CpuId, task: TaskId, prio: u32) {
        let entity = &mut self.tasks[task.index()];
        let rq = &mut self.rqs[cpu.index()];
        entity.rotation = rq.prio_rotation;
        let array = rq.active_mut();
        array.best_static_prio = array.best_static_prio.min(entity.static_prio);
        let level = &mut rq.prio_level[entity.user_prio()];
        *level = (*level).max(prio as u8);
    }
}
