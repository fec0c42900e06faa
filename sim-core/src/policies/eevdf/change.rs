//! What a running task meets: ticks, its own yield, and changes of nice level, class, slice and affinity.

use super::entity::Ent;
use super::load::LoadFlags;
use super::queue::{DequeueFlags, EnqueueFlags};
use super::schedule::Running;
use super::versions::tunable;
use super::{Fair, Generation};
use crate::kernel::Kernel;
use crate::policy::{AttrChange, SchedClass};
use crate::task::task::TaskState;
use crate::units::{CpuId, Nanos, TaskId};

/// Smallest and largest slice that a task may ask for, ns.
const SLICE_REQUEST: std::ops::RangeInclusive<i64> = 100_000..=100_000_000;

impl Fair {
    /// `task_tick` of the running class.
    pub(super) fn tick(&mut self, k: &mut Kernel, cpu: CpuId) {
        match self.running(k, k.curr(cpu)) {
            Running::Idle | Running::Stop => {}
            Running::Rt(task) => self.tick_rt(k, cpu, task),
            Running::Fair(e) => {
                let mut at = Some(e);
                while let Some(se) = at {
                    let q = self.ents[se].queue as usize;
                    self.update_curr(k, q);
                    self.update_load(k, se, LoadFlags { group: true, ..LoadFlags::default() });
                    self.update_group_weight(k, se);
                    if self.version.generation == Generation::Cfs515 && self.queues[q].nr > 1 {
                        self.check_preempt_tick_515(k, q, se);
                    }
                    at = self.parent(se);
                }
            }
        }
    }

    /// `sys_sched_yield`; `schedule()` follows in any case.
    pub(super) fn yield_task(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) -> bool {
        let Running::Fair(e) = self.running(k, Some(task)) else {
            self.yield_rt(k, cpu, task);
            return true;
        };
        let q = self.ents[e].queue as usize;
        if self.queues[self.root(cpu)].h_nr + self.rt[cpu.index()].len() == 1 {
            return true;
        }
        self.clear_buddies(q, e);
        if self.version.generation == Generation::Cfs515 {
            self.yield_515(k, q, e);
            return true;
        }
        self.update_curr(k, q);
        if !self.version.stable_612 {
            let entity = &mut self.ents[e];
            entity.deadline += entity.scaled(entity.slice);
        } else if self.eligible(q, e) {
            let entity = &mut self.ents[e];
            entity.vruntime = entity.deadline;
            entity.deadline += entity.scaled(entity.slice);
            self.update_min_vruntime(q);
        }
        true
    }

    pub(super) fn ask_for_slice(&mut self, wanted: Option<Nanos>, e: Ent) {
        if self.version.generation != Generation::Eevdf612 {
            return;
        }
        let entity = &mut self.ents[e];
        entity.custom_slice = wanted.is_some();
        if let Some(wanted) = wanted {
            entity.slice = (wanted.min(i64::MAX as u64) as i64).clamp(*SLICE_REQUEST.start(), *SLICE_REQUEST.end());
        }
    }

    /// `set_user_nice`, `sched_setscheduler`, `sched_setattr`.
    pub(super) fn change(&mut self, k: &mut Kernel, task: TaskId, change: AttrChange, queued: bool) {
        let e = self.ent(task);
        let cpu = k.task(task).cpu;
        if !queued && self.ents[e].delayed {
            self.dequeue_fair(k, e, DequeueFlags { sleep: true, delayed: true, ..DequeueFlags::default() });
        }
        let running = k.task(task).state == TaskState::Running;
        let (was_rt, is_rt) = match change {
            AttrChange::Class { old, .. } => (old.is_rt(), k.task(task).class.is_rt()),
            _ => (k.task(task).class.is_rt(), k.task(task).class.is_rt()),
        };
        match change {
            AttrChange::Affinity => {
                if is_rt && queued && !running {
                    self.make_pushable(k, cpu, task);
                }
                return self.move_if_not_allowed(k, task, queued);
            }
            AttrChange::Slice { .. } if self.version.generation != Generation::Eevdf612 => return,
            AttrChange::Slice { old } if old == k.task(task).slice_ns => return,
            AttrChange::Slice { .. } | AttrChange::Nice { .. } if was_rt => return,
            _ => {}
        }
        if queued {
            self.take_off(k, task, cpu, was_rt, running, change);
        }
        if is_rt && !was_rt {
            self.detach_task_load(k, e);
        }
        let (load, inverse) = Fair::task_weight(k, task);
        self.reweight(k, e, load, inverse);
        if matches!(change, AttrChange::Slice { .. }) {
            self.ask_for_slice(k.task(task).slice_ns, e);
        }
        if !queued {
            return;
        }
        if is_rt {
            self.enqueue_rt(k, task);
            if running {
                self.set_next_rt(k, cpu, task);
            }
        } else {
            self.enqueue_fair(k, e, EnqueueFlags::default());
            if running {
                self.set_next_fair(k, e);
            }
        }
        match change {
            AttrChange::Nice { old } if running => {
                if k.task(task).nice > old && self.queues[self.root(cpu)].nr > 1 {
                    k.resched_curr(cpu);
                }
            }
            AttrChange::Slice { .. } => {}
            AttrChange::Nice { .. } | AttrChange::Class { .. } | AttrChange::Affinity => {
                if running {
                    k.resched_curr(cpu);
                } else {
                    self.wakeup_preempt(k, cpu, task);
                }
            }
        }
        if let AttrChange::Class { old, old_rt_priority } = change {
            self.rt_changed(k, task, Fair::rt_prio(old.is_rt(), old_rt_priority), running);
        }
    }

    fn take_off(&mut self, k: &mut Kernel, task: TaskId, cpu: CpuId, rt: bool, running: bool, change: AttrChange) {
        let e = self.ent(task);
        if rt {
            if running {
                self.update_curr_rt(k, cpu);
                self.age_rt(k, cpu, true);
            }
            let old = match change {
                AttrChange::Class { old_rt_priority, .. } => old_rt_priority,
                _ => k.task(task).rt_priority,
            };
            self.remove_rt(cpu, task, old);
            return;
        }
        self.dequeue_fair(k, e, DequeueFlags::default());
        if running {
            self.put_prev_fair(k, e);
        }
    }

    /// Whether a task is SCHED_IDLE.
    pub(super) fn has_idle_policy(k: &Kernel, task: TaskId) -> bool {
        k.task(task).class == SchedClass::Idle
    }

    /// Quantum of SCHED_RR in ticks.
    pub(super) fn rr_quantum(&self) -> i64 {
        (self.tunables[tunable::RR_TIMESLICE_NS] / self.tick_ns).max(1)
    }
}
