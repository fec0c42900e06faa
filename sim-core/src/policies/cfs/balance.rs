//! Load balancing: when a CPU looks for work elsewhere, and what it does with the answer.

use super::Cfs;
use super::busiest::{Busiest, CpuIdle};
use super::version::Shares;
use crate::kernel::Kernel;
use crate::units::{CpuId, CpuMask};

/// `MAX_PINNED_INTERVAL`, ms.
const PINNED_INTERVAL_MAX_MS: u64 = 512;
/// `NR_CPUS` of the kernel configuration, which bounds the interval.
const NR_CPUS: u64 = 32;

impl Cfs {
    /// `trigger_load_balance` and its softirq, from the tick.
    pub(super) fn trigger_load_balance(&mut self, k: &mut Kernel, cpu: CpuId) {
        if !self.domains[cpu.index()].is_empty() && k.jiffies() >= self.rq(cpu).next_balance {
            let idle = if k.curr(cpu).is_none() { CpuIdle::Idle } else { CpuIdle::Busy };
            self.rebalance_domains(k, cpu, idle);
        }
    }

    /// `rebalance_domains`.
    fn rebalance_domains(&mut self, k: &mut Kernel, cpu: CpuId, idle: CpuIdle) {
        let mut idle = idle;
        let hz = u64::from(k.hz());
        let jiffies = k.jiffies();
        let mut next = jiffies + 60 * hz;
        let mut update = false;
        for level in 0..self.domains[cpu.index()].len() {
            let domain = &self.domains[cpu.index()][level];
            let factor = if idle == CpuIdle::Idle { 1 } else { domain.params.busy_factor };
            let interval = (domain.balance_interval_ms * factor * hz).div_ceil(1000).clamp(1, hz * NR_CPUS / 10);
            let mut mine = true;
            if jiffies >= domain.last_balance + interval {
                if self.load_balance(k, cpu, level, idle, &mut mine) {
                    // It has got something: busy from here on.
                    idle = CpuIdle::Busy;
                }
                self.domains[cpu.index()][level].last_balance = jiffies;
            }
            let due = self.domains[cpu.index()][level].last_balance + interval;
            if due < next {
                next = due;
                update = true;
            }
            if !mine {
                break;
            }
        }
        if update {
            self.rq_mut(cpu).next_balance = next;
        }
    }

    /// `load_balance`: one attempt on one domain. Returns whether the CPU counts as busy afterwards.
    fn load_balance(&mut self, k: &mut Kernel, cpu: CpuId, level: usize, idle: CpuIdle, mine: &mut bool) -> bool {
        let smt = self.domains[cpu.index()][level].params.share_cpupower;
        // On SMT a busy sibling counts as if this CPU were busy.
        let mut all_idle = idle != CpuIdle::Busy && smt;
        let mut cpus = CpuMask::ALL;
        let mut all_pinned = false;
        loop {
            self.update_shares(k, cpu, level);
            let (group, amount) = match self.find_busiest_group(k, cpu, level, idle, &cpus, &mut all_idle) {
                Busiest::Group(group, amount) => (group, amount),
                Busiest::NotMine => {
                    *mine = false;
                    break;
                }
                Busiest::Balanced => break,
            };
            let Some(busiest) = self.find_busiest_queue(&group, amount, &cpus) else { break };
            let mut moved = 0;
            if self.rq(busiest).nr_running > 1 {
                self.update_rq_clock(k, cpu);
                self.update_rq_clock(k, busiest);
                moved = self.move_tasks(k, cpu, busiest, amount, level, &mut all_pinned);
                if all_pinned {
                    cpus.remove(busiest);
                    if !cpus.and(&CpuMask::first(self.cpus as u16)).is_empty() {
                        continue;
                    }
                    break;
                }
            }
            return self.after_attempt(k, cpu, level, busiest, moved, smt && !all_idle);
        }
        self.domains[cpu.index()][level].nr_balance_failed = 0;
        self.grow_interval(cpu, level, all_pinned);
        smt && !all_idle
    }

    /// The end of an attempt that found a busiest queue.
    fn after_attempt(
        &mut self,
        k: &mut Kernel,
        cpu: CpuId,
        level: usize,
        busiest: CpuId,
        moved: u64,
        sibling_busy: bool,
    ) -> bool {
        let domain = &mut self.domains[cpu.index()][level];
        let mut active = false;
        if moved > 0 {
            domain.nr_balance_failed = 0;
            k.note(Some(cpu), super::NOTE_PULLED, [moved as i64, i64::from(busiest.0)]);
        } else {
            domain.nr_balance_failed += 1;
            let tries = domain.params.cache_nice_tries;
            if domain.nr_balance_failed > tries + 2 {
                if k.curr(busiest).is_some_and(|curr| !k.task(curr).affinity.contains(cpu)) {
                    // What runs there may not come here.
                    self.grow_interval(cpu, level, true);
                    return sibling_busy;
                }
                active = self.kick_migration_thread(k, cpu, busiest);
                self.domains[cpu.index()][level].nr_balance_failed = tries + 1;
            }
        }
        let domain = &mut self.domains[cpu.index()][level];
        if !active {
            domain.balance_interval_ms = domain.params.min_interval_ms;
        } else if domain.balance_interval_ms < domain.params.max_interval_ms {
            domain.balance_interval_ms *= 2;
        }
        if moved > 0 && self.version.shares != Shares::Full {
            self.update_shares(k, cpu, level);
        }
        moved > 0 || sibling_busy
    }

    fn grow_interval(&mut self, cpu: CpuId, level: usize, all_pinned: bool) {
        let domain = &mut self.domains[cpu.index()][level];
        if all_pinned && domain.balance_interval_ms < PINNED_INTERVAL_MAX_MS
            || domain.balance_interval_ms < domain.params.max_interval_ms
        {
            domain.balance_interval_ms *= 2;
        }
    }

    /// `idle_balance`, from `schedule()` when nothing is left to run.
    pub(super) fn idle_balance(&mut self, k: &mut Kernel, cpu: CpuId) {
        let jiffies = k.jiffies();
        let hz = u64::from(k.hz());
        let mut next = jiffies + hz;
        let mut stop = false;
        for level in 0..self.domains[cpu.index()].len() {
            if self.domains[cpu.index()][level].params.balance_newidle {
                stop = self.load_balance_newidle(k, cpu, level);
            }
            let domain = &self.domains[cpu.index()][level];
            let interval = (domain.balance_interval_ms * hz).div_ceil(1000);
            next = next.min(domain.last_balance + interval);
            if stop {
                break;
            }
        }
        if stop || jiffies > self.rq(cpu).next_balance {
            // The time may have been set while this CPU was busy.
            self.rq_mut(cpu).next_balance = next;
        }
    }

    /// `load_balance_newidle`. Returns whether the walk over domains ends.
    fn load_balance_newidle(&mut self, k: &mut Kernel, cpu: CpuId, level: usize) -> bool {
        let smt = self.domains[cpu.index()][level].params.share_cpupower;
        let mut all_idle = smt;
        let mut cpus = CpuMask::ALL;
        let mut all_pinned = false;
        loop {
            self.update_shares(k, cpu, level);
            let found = self.find_busiest_group(k, cpu, level, CpuIdle::NewlyIdle, &cpus, &mut all_idle);
            let Busiest::Group(group, amount) = found else { break };
            let Some(busiest) = self.find_busiest_queue(&group, amount, &cpus) else { break };
            let mut moved = 0;
            if self.rq(busiest).nr_running > 1 {
                self.update_rq_clock(k, busiest);
                moved = self.move_tasks(k, cpu, busiest, amount, level, &mut all_pinned);
                if all_pinned {
                    cpus.remove(busiest);
                    if !cpus.and(&CpuMask::first(self.cpus as u16)).is_empty() {
                        continue;
                    }
                }
            }
            if moved == 0 {
                if self.version.newidle_ends {
                    return true;
                }
                if smt && !all_idle {
                    return true;
                }
            } else {
                k.note(Some(cpu), super::NOTE_PULLED, [moved as i64, i64::from(busiest.0)]);
                self.domains[cpu.index()][level].nr_balance_failed = 0;
            }
            self.update_shares(k, cpu, level);
            return moved > 0;
        }
        if smt && !all_idle {
            return true;
        }
        self.domains[cpu.index()][level].nr_balance_failed = 0;
        false
    }

    // ---- active balancing ------------------------------------------------------------------------------------------

    /// Wakes the migration thread of `busiest` to push a task here. Returns whether it was not at work already.
    fn kick_migration_thread(&mut self, k: &mut Kernel, cpu: CpuId, busiest: CpuId) -> bool {
        let rq = self.rq_mut(busiest);
        if rq.active_balance {
            return false;
        }
        rq.active_balance = true;
        rq.push_cpu = cpu;
        k.note(Some(busiest), super::NOTE_ACTIVE_BALANCE, [i64::from(cpu.0), 0]);
        if let Some(thread) = k.wake_migration_thread(busiest) {
            self.wake_queued(k, thread, cpu, true);
        }
        true
    }

    /// `active_load_balance`, run by the migration thread of `cpu`.
    pub(super) fn active_load_balance(&mut self, k: &mut Kernel, cpu: CpuId) {
        if !std::mem::take(&mut self.rq_mut(cpu).active_balance) || self.rq(cpu).nr_running <= 1 {
            return;
        }
        let target = self.rq(cpu).push_cpu;
        self.update_rq_clock(k, cpu);
        self.update_rq_clock(k, target);
        if let Some(level) = self.common_domain(target, cpu) {
            self.move_one_task(k, target, cpu, level);
        }
    }
}
