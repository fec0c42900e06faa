//! Slice timers (HRTICK): a one-shot timer per CPU that ends a slice exactly. Timer number = CPU.
//!
//! While the timer is armed, ticks do not preempt; a queue with one task has no timer. 2.6.25, 2.6.26 and the SMP-group
//! tree note a request and arm it later; a task that runs for the first time does not pass the place where that happens.

use super::Cfs;
use super::rq::{Cause, HrtickRequest};
use super::version::Hrtick;
use crate::kernel::Kernel;
use crate::machine::cost::Work;
use crate::units::{CpuId, TaskId};

/// Shortest slice of a task that does not run yet, ns.
const SLICE_MIN_NS: i64 = 10_000;

impl Cfs {
    fn hrtick_enabled(&self) -> bool {
        self.knobs.hrtick && self.version.hrtick != Hrtick::Absent
    }

    /// `hrtick_clear`, at the start of `schedule()`.
    pub(super) fn hrtick_clear(&mut self, k: &mut Kernel, cpu: CpuId) {
        if self.version.hrtick != Hrtick::Absent && k.timer_at(u32::from(cpu.0)).is_some() {
            k.cancel_timer(u32::from(cpu.0));
        }
    }

    /// `hrtick_start_fair` for who runs on `cpu`, after its queues have changed.
    pub(super) fn hrtick_start_curr(&mut self, k: &mut Kernel, cpu: CpuId) {
        if self.hrtick_enabled()
            && let Some(curr) = k.curr(cpu).filter(|&curr| self.is_fair(curr))
        {
            self.hrtick_start_fair(k, cpu, curr);
        }
    }

    /// `hrtick_start_fair`: a timer for what is left of the slice of `task`, if it is not alone on its queue.
    #[inline]
    pub(super) fn hrtick_start_fair(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) {
        if !self.hrtick_enabled() {
            return;
        }
        let entity = self.task_entity(task);
        let queue = self.e(entity).queue;
        if self.q(queue).nr_running <= 1 {
            return;
        }
        let slice = self.sched_slice(queue, entity);
        let ran = self.e(entity).sum_exec.wrapping_sub(self.e(entity).prev_sum_exec);
        let mut left = slice.wrapping_sub(ran) as i64;
        let running = k.curr(cpu) == Some(task);
        if left < 0 {
            if running {
                self.resched_expired(k, cpu, Cause::SliceOver(ran, slice));
            }
            return;
        }
        if !running {
            left = left.max(SLICE_MIN_NS);
        }
        let expiry = k.now() + left as u64;
        match self.version.hrtick {
            Hrtick::Absent => {}
            Hrtick::Direct => {
                k.charge(cpu, Work::TimerSet, 1);
                k.start_timer(u32::from(cpu.0), cpu, expiry);
            }
            Hrtick::Deferred => {
                let request = &mut self.rq_mut(cpu).hrtick;
                request.expiry = Some(expiry);
                if running {
                    request.reset = true;
                    request.pending = true;
                }
            }
        }
    }

    /// `hrtick_set`: turns a request into a timer, or cancels the timer if there is none.
    #[inline]
    pub(super) fn hrtick_set(&mut self, k: &mut Kernel, cpu: CpuId) {
        if self.version.hrtick != Hrtick::Deferred {
            return;
        }
        let HrtickRequest { expiry, reset, .. } = std::mem::take(&mut self.rq_mut(cpu).hrtick);
        match expiry {
            Some(expiry) if expiry > k.now() => {
                k.charge(cpu, Work::TimerSet, 1);
                k.start_timer(u32::from(cpu.0), cpu, expiry);
            }
            Some(_) => {
                k.cancel_timer(u32::from(cpu.0));
                if reset {
                    self.resched_expired(k, cpu, Cause::None);
                }
            }
            None => k.cancel_timer(u32::from(cpu.0)),
        }
    }

    /// On the way out of an interrupt or system call: a request for the running task is converted, unless the CPU
    /// reschedules anyway. At the instant of a tick the tick comes first, as it belongs to the same interrupt.
    #[inline]
    pub(super) fn hrtick_leave(&mut self, k: &mut Kernel, in_tick: bool) {
        if self.version.hrtick != Hrtick::Deferred || !self.knobs.hrtick {
            return;
        }
        let tick_follows = !in_tick && k.now() > 0 && (k.now() * u64::from(k.hz())).is_multiple_of(1_000_000_000);
        if tick_follows {
            return;
        }
        for cpu in 0..self.cpus {
            let cpu = CpuId(cpu as u16);
            if self.rq(cpu).hrtick.pending && !k.need_resched(cpu) {
                self.hrtick_set(k, cpu);
            }
        }
    }
}
