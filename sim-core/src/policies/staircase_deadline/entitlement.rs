//! Entitlement: which slot a task gets, when it expires, and how it is queued.

use super::StaircaseDeadline;
use super::matrix::{ALL_SLOTS, FIRST_DYNAMIC, MAX_PRIO, SLOTS, quota_ms, task_timeslice_ms};
use super::rq::{IDLEPRIO_ARRAY, ISO_PRIO, NEVER_QUEUED};
use crate::kernel::Kernel;
use crate::machine::cost::Work;
use crate::policy::SchedClass;
use crate::units::{CpuId, TaskId};

impl StaircaseDeadline {
    /// Nice level, class, quota and weight of a task that is (re)activated or changed (`set_quota`, `set_load_weight`).
    pub(super) fn refresh(&mut self, k: &Kernel, task: TaskId) {
        let of = k.task(task);
        let class = match of.class {
            SchedClass::Iso | SchedClass::Idle if !self.version.iso_and_idleprio => SchedClass::Normal,
            class => class,
        };
        let nice = i32::from(of.nice);
        let rr = self.rr_interval_ms;
        let entity = &mut self.tasks[task.index()];
        entity.class = class;
        entity.static_prio = (120 + nice) as u8;
        let quota = if class.is_rt() { rr } else { quota_ms(rr, nice) };
        entity.quota_us = quota as i32 * 1000;
        entity.load_weight = match class {
            _ if entity.weightless => 0,
            SchedClass::Fifo | SchedClass::Rr => rr * 20 * (40 + u32::from(of.rt_priority)) * 40,
            SchedClass::Idle => task_timeslice_ms(rr, nice),
            SchedClass::Normal | SchedClass::Batch | SchedClass::Iso => task_timeslice_ms(rr, nice) * 40,
        };
        if class.is_rt() {
            entity.prio = 99 - of.rt_priority;
        }
    }

    /// `task_new_array`: fresh entitlement on an array of `cpu`.
    fn new_array(&mut self, cpu: CpuId, task: TaskId, array: u8) {
        let rotation = self.rqs[cpu.index()].prio_rotation;
        let entity = &mut self.tasks[task.index()];
        entity.bitmap = 0;
        entity.rotation = rotation;
        entity.time_slice_us = entity.quota_us;
        entity.array = array;
        entity.first_time_slice = false;
    }

    /// `queue_expired`: the task waits for the next rotation, in its first slot.
    pub(super) fn queue_expired(&mut self, cpu: CpuId, task: TaskId) {
        let expired = self.rqs[cpu.index()].expired_index();
        self.new_array(cpu, task, expired);
        let entity = &mut self.tasks[task.index()];
        let first = match entity.class {
            SchedClass::Batch => u32::from(entity.static_prio) - FIRST_DYNAMIC,
            _ => (!self.matrix[entity.user_prio()]).trailing_zeros(),
        };
        entity.prio = (FIRST_DYNAMIC + first) as u8;
        if !self.double_first_slot {
            // The source leaves the bit clear, so that the slot is granted again after the swap.
            entity.bitmap = 1 << first;
        }
        let static_prio = entity.static_prio;
        let array = self.rqs[cpu.index()].expired_mut();
        array.best_static_prio = array.best_static_prio.min(static_prio);
    }

    /// `next_entitled_slot`: priority of the next slot, `MAX_PRIO` if there is none.
    fn next_entitled_slot(&mut self, cpu: CpuId, task: TaskId) -> u32 {
        let entity = &self.tasks[task.index()];
        let rq = &mut self.rqs[cpu.index()];
        let user_prio = entity.user_prio();
        if entity.static_prio > rq.expired().best_static_prio {
            return MAX_PRIO;
        }
        if rq.prio_level[user_prio] == 0 {
            rq.prio_level[user_prio] = FIRST_DYNAMIC as u8;
        }
        let floor = match self.interactive {
            true => FIRST_DYNAMIC,
            false => u32::from(rq.prio_level[user_prio]),
        };
        let best = rq.active().best_static_prio;
        let mut search = FIRST_DYNAMIC;
        if entity.static_prio < best {
            if entity.class != SchedClass::Batch {
                rq.active_mut().best_static_prio = entity.static_prio;
            }
        } else if entity.static_prio == best {
            search = floor;
        } else {
            // No better level may have been overtaken.
            search = floor;
            for level in &mut rq.prio_level[usize::from(best) - FIRST_DYNAMIC as usize..=user_prio] {
                *level = (*level).max(FIRST_DYNAMIC as u8);
                search = search.max(u32::from(*level));
            }
        }
        let mut taken = entity.bitmap;
        if entity.class == SchedClass::Batch {
            search = search.max(u32::from(entity.static_prio));
        } else {
            taken |= self.matrix[user_prio];
        }
        let free = !taken & ALL_SLOTS & (u64::MAX << (search - FIRST_DYNAMIC));
        if free == 0 { MAX_PRIO } else { FIRST_DYNAMIC + free.trailing_zeros() }
    }

    /// A task that was last queued on another CPU keeps its entitlement if that CPU's rotation is still the same.
    fn update_if_moved(&mut self, cpu: CpuId, task: TaskId) {
        let entity = &mut self.tasks[task.index()];
        if entity.home == cpu.0 {
            return;
        }
        let old = &self.rqs[usize::from(entity.home)];
        let new = &self.rqs[cpu.index()];
        if entity.rotation == old.prio_rotation {
            entity.rotation = new.prio_rotation;
            entity.array = if entity.array == old.expired_index() { new.expired_index() } else { new.active };
        } else {
            if entity.rotation != NEVER_QUEUED {
                entity.rotation = 0;
            }
            // An array of the other CPU is none of ours.
            entity.array = u8::MAX;
        }
        entity.home = cpu.0;
    }

    /// `recalc_task_prio`: array and priority of a task that is about to be queued on `cpu`.
    fn place(&mut self, cpu: CpuId, task: TaskId) {
        if self.tasks[task.index()].class.is_rt() {
            let active = self.rqs[cpu.index()].active;
            let entity = &mut self.tasks[task.index()];
            entity.array = active;
            entity.home = cpu.0;
            return;
        }
        self.update_if_moved(cpu, task);
        let rq = &self.rqs[cpu.index()];
        let (active, expired, rotation) = (rq.active, rq.expired_index(), rq.prio_rotation);
        let entity = &mut self.tasks[task.index()];
        if entity.class == SchedClass::Idle {
            return self.place_idleprio(cpu, task);
        }
        if entity.is_privileged_iso() {
            entity.prio = ISO_PRIO;
            entity.array = active;
            if entity.time_slice_us <= 0 {
                entity.time_slice_us = entity.quota_us;
            }
            return;
        }
        if entity.rotation == rotation && entity.array == active {
            if entity.time_slice_us > 0 && u32::from(entity.prio) >= FIRST_DYNAMIC {
                return;
            }
            entity.time_slice_us = entity.quota_us;
        } else if entity.rotation == rotation && entity.array == expired {
            return self.queue_expired(cpu, task);
        } else {
            self.new_array(cpu, task, active);
        }
        match self.next_entitled_slot(cpu, task) {
            MAX_PRIO => self.queue_expired(cpu, task),
            prio => {
                let entity = &mut self.tasks[task.index()];
                entity.prio = prio as u8;
                entity.bitmap |= 1 << (prio - FIRST_DYNAMIC);
            }
        }
    }

    /// IDLEPRIO: its own list, or the last slot of expired right after an uninterruptible sleep.
    fn place_idleprio(&mut self, cpu: CpuId, task: TaskId) {
        let nice = i32::from(self.tasks[task.index()].static_prio) - 120;
        // Milliseconds in a field of microseconds, as in the source.
        let slice = task_timeslice_ms(self.rr_interval_ms, nice) as i32;
        let expired = self.rqs[cpu.index()].expired_index();
        let entity = &mut self.tasks[task.index()];
        if entity.nonsleep {
            entity.nonsleep = false;
            entity.prio = (MAX_PRIO - 1) as u8;
            entity.array = expired;
            if entity.time_slice_us <= 0 || entity.time_slice_us > entity.quota_us {
                entity.time_slice_us = entity.quota_us;
            }
            return;
        }
        entity.prio = MAX_PRIO as u8;
        entity.array = IDLEPRIO_ARRAY;
        if entity.time_slice_us <= 0 {
            entity.time_slice_us = slice;
        }
    }

    /// `enqueue_task`: places the task and puts it at the tail of its list.
    pub(super) fn enqueue(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        self.place(cpu, task);
        self.link(k, cpu, task);
    }

    /// Puts a placed task at the tail of its list.
    pub(super) fn link(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        k.charge(cpu, Work::ListOp, 1);
        let entity = &mut self.tasks[task.index()];
        entity.queued = true;
        let prio = entity.prio;
        let rq = &mut self.rqs[cpu.index()];
        let array = &mut rq.arrays[usize::from(entity.array)];
        self.links.push_back(&mut array.lists[usize::from(prio)], task);
        array.bitmap.set(u32::from(prio));
        rq.nr_idleprio += u32::from(u32::from(prio) == MAX_PRIO);
    }

    /// `dequeue_task`.
    pub(super) fn dequeue(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        k.charge(cpu, Work::ListOp, 1);
        let entity = &mut self.tasks[task.index()];
        entity.queued = false;
        let prio = entity.prio;
        let rq = &mut self.rqs[cpu.index()];
        let array = &mut rq.arrays[usize::from(entity.array)];
        let list = &mut array.lists[usize::from(prio)];
        self.links.remove(list, task);
        if list.is_empty() {
            array.bitmap.clear(u32::from(prio));
        }
        rq.nr_idleprio -= u32::from(u32::from(prio) == MAX_PRIO);
    }

    /// Moves a task to the tail of the list that it is on (`requeue_task`).
    pub(super) fn requeue(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        k.charge(cpu, Work::ListOp, 2);
        let entity = &self.tasks[task.index()];
        let array = &mut self.rqs[cpu.index()].arrays[usize::from(entity.array)];
        let list = &mut array.lists[usize::from(entity.prio)];
        self.links.remove(list, task);
        self.links.push_back(list, task);
    }

    /// `activate_task`: with the count and the weight.
    pub(super) fn activate(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        self.refresh(k, task);
        self.enqueue(k, cpu, task);
        self.count_in(cpu, task);
    }

    pub(super) fn count_in(&mut self, cpu: CpuId, task: TaskId) {
        let rq = &mut self.rqs[cpu.index()];
        rq.nr_running += 1;
        rq.raw_weighted_load += u64::from(self.tasks[task.index()].load_weight);
    }

    pub(super) fn count_out(&mut self, cpu: CpuId, task: TaskId) {
        let rq = &mut self.rqs[cpu.index()];
        rq.nr_running -= 1;
        rq.raw_weighted_load -= u64::from(self.tasks[task.index()].load_weight);
    }

    /// `deactivate_task`.
    pub(super) fn deactivate(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        self.count_out(cpu, task);
        self.dequeue(k, cpu, task);
    }

    /// `task_expired_entitlement`: the slot is used up; the overrun is carried into the next one.
    pub(super) fn slot_over(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        let entity = &mut self.tasks[task.index()];
        entity.first_time_slice = false;
        if entity.class.is_rt() {
            entity.time_slice_us += entity.quota_us;
            return self.requeue(k, cpu, task);
        }
        let overrun = entity.time_slice_us;
        self.dequeue(k, cpu, task);
        self.enqueue(k, cpu, task);
        self.tasks[task.index()].time_slice_us += overrun;
    }

    /// `TASK_PREEMPTS_CURR`.
    pub(super) fn check_preempt(&self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        let entity = &self.tasks[task.index()];
        let preempts = match k.curr(cpu) {
            None => true,
            Some(curr) => entity.array == self.rqs[cpu.index()].active && entity.prio < self.tasks[curr.index()].prio,
        };
        if preempts {
            k.resched_curr(cpu);
        }
    }

    /// Slots that a task could still get in this rotation, for the inspector.
    pub(super) fn slots_left(&self, task: TaskId) -> u32 {
        let entity = &self.tasks[task.index()];
        let taken = match entity.class {
            SchedClass::Batch => entity.bitmap | ((1 << entity.user_prio()) - 1),
            _ => entity.bitmap | self.matrix[entity.user_prio()],
        };
        SLOTS - (taken & ALL_SLOTS).count_ones()
    }
}
