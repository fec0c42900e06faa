//! Accounting, the tick, and the system-wide privilege of SCHED_ISO.

use super::{Bfs, ISO_PRIO, NOTE_REFRACTORY};
use crate::kernel::Kernel;
use crate::policy::SchedClass;
use crate::queues::ck::RESCHED_US;
use crate::units::{CpuId, Nanos};

impl Bfs {
    /// `update_cpu_clock`: whole units of 1024 ns come off the slice, what is left over is forgotten.
    pub(super) fn account(&mut self, cpu: CpuId, now: Nanos) {
        let tick_ns = self.tick_ns;
        let rq = &mut self.rqs[cpu.index()];
        let mut elapsed = now - rq.last_ran;
        rq.last_ran = now;
        if elapsed > 2 * tick_ns {
            elapsed = 0;
        }
        if rq.class != SchedClass::Fifo {
            rq.time_slice = rq.time_slice.saturating_sub((elapsed >> 10) as i32);
        }
    }

    /// `scheduler_tick`.
    pub(super) fn tick(&mut self, k: &mut Kernel, cpu: CpuId) {
        let now = k.now();
        self.account(cpu, now);
        if k.curr(cpu).is_some() {
            self.running_tick(k, cpu);
        } else {
            self.no_iso_tick(k);
        }
        self.rqs[cpu.index()].last_tick = now;
    }

    fn running_tick(&mut self, k: &mut Kernel, cpu: CpuId) {
        let class = self.rqs[cpu.index()].class;
        if class.is_rt() || (class == SchedClass::Iso && !self.iso_refractory) {
            if self.iso_ticks <= self.iso_period() * 100 - 100 {
                self.iso_ticks += 100;
            }
        } else {
            self.no_iso_tick(k);
        }
        if class == SchedClass::Iso {
            self.check_iso(k, cpu);
        }
        if class == SchedClass::Fifo {
            return;
        }
        // In units of 1000 ns, unlike the slice it is compared with.
        let half_tick = (500_000 / self.hz) as i32;
        let rq = &mut self.rqs[cpu.index()];
        if rq.dither {
            if rq.time_slice > half_tick {
                return;
            }
            rq.time_slice = 0;
        } else if rq.time_slice >= RESCHED_US {
            return;
        }
        k.resched_expired(cpu);
    }

    /// `ISO_PERIOD`: ticks of all CPUs in five seconds.
    pub(super) fn iso_period(&self) -> u64 {
        5 * self.hz * self.rqs.len() as u64 + 1
    }

    /// No privileged task ran in this tick. The privilege may come back, whoever runs.
    fn no_iso_tick(&mut self, k: &mut Kernel) {
        if self.iso_ticks > 0 {
            self.iso_ticks -= self.iso_ticks / self.iso_period() + 1;
            if self.iso_refractory {
                self.update_refractory(k);
            }
        }
    }

    fn update_refractory(&mut self, k: &mut Kernel) {
        let period = self.iso_period();
        let refractory = match self.iso_refractory {
            false => self.iso_ticks > period * self.iso_cpu,
            true => self.iso_ticks >= period * (self.iso_cpu * 115 / 128),
        };
        if refractory != self.iso_refractory {
            self.iso_refractory = refractory;
            k.note(None, NOTE_REFRACTORY, [i64::from(refractory), (self.iso_ticks / period) as i64]);
        }
    }

    /// An ISO task runs: may it still run ahead of the others?
    fn check_iso(&mut self, k: &mut Kernel, cpu: CpuId) {
        self.update_refractory(k);
        let refractory = self.iso_refractory;
        let rq = &mut self.rqs[cpu.index()];
        if refractory && rq.prio == ISO_PRIO {
            rq.time_slice = 0;
        }
    }
}
