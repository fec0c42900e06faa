//! Everything that happens at one instant, in one of two orders (see [`EventOrder`]). Equal timers go by arming order,
//! CPUs by number.

use super::sim::Sim;
use super::{Cpu, EventOrder, Kernel};
use crate::clock::timers::{Timer, TimerKind};
use crate::machine::cost::TimeKind;
use crate::policy::{Policy, WakeFlags};
use crate::units::{CpuId, Nanos};

impl<P: Policy> Sim<P> {
    /// Performs everything that happens at the next instant. Returns false if the run cannot go on.
    pub(super) fn instant(&mut self) {
        match self.kernel.order {
            EventOrder::TicksThenTimers => self.instant_ticks_then_timers(),
            EventOrder::Interrupts => self.instant_interrupts(),
            EventOrder::ArrivalsFirst => self.instant_arrivals_first(),
        }
    }

    // ---- order 1 ---------------------------------------------------------------------------------------------------

    fn instant_ticks_then_timers(&mut self) {
        let now = self.kernel.now;
        while self.kernel.policy_timers.min().0.0 <= now {
            self.policy_timer();
        }
        self.ticks();
        self.take_ended_bursts();
        self.pass();
        while let Some(timer) = self.kernel.timers.pop_due(now) {
            self.timer(timer);
            self.pass();
        }
    }

    /// The tick of this instant, if there is one.
    fn ticks(&mut self) {
        if self.kernel.next_tick != self.kernel.now {
            return;
        }
        let first = self.begin_tick();
        if self.kernel.tick_skew {
            return self.tick(first);
        }
        for cpu in 0..self.kernel.cpus() {
            self.tick(CpuId(cpu));
        }
    }

    /// CPUs in number order: programs and reschedules until nothing happens on any CPU.
    pub(super) fn pass(&mut self) {
        while !self.kernel.attention.is_empty() && self.kernel.fault.is_none() {
            let mut from = 0;
            while let Some(cpu) = self.kernel.attention.next(from) {
                self.settle(cpu);
                from = cpu.0 + 1;
            }
        }
    }

    /// One CPU: programs and reschedules until nothing happens there.
    fn settle(&mut self, cpu: CpuId) {
        while self.step(cpu) {}
        self.kernel.attention.remove(cpu);
    }

    fn step(&mut self, cpu: CpuId) -> bool {
        let kernel = &mut self.kernel;
        if kernel.fault.is_some() {
            return false;
        }
        let Cpu { curr, need_resched: resched, .. } = kernel.cpus[cpu.index()];
        if kernel.bursts.get(cpu.index()) <= kernel.now && (!resched || curr.is_some_and(|id| kernel.task(id).op_first))
        {
            kernel.account(cpu);
            self.perform(cpu);
            return true;
        }
        if resched {
            self.schedule(cpu, None, None);
        }
        resched
    }

    fn take_ended_bursts(&mut self) {
        let now = self.kernel.now;
        if self.kernel.bursts.min().0 > now {
            return;
        }
        let Kernel { bursts, attention, events, .. } = &mut self.kernel;
        bursts.up_to(now, &mut |cpu| {
            attention.insert(CpuId(cpu as u16));
            *events += 1;
        });
    }

    // ---- order 2 ---------------------------------------------------------------------------------------------------

    fn instant_interrupts(&mut self) {
        let now = self.kernel.now;
        let tick_due = self.kernel.next_tick == now;
        let tick_cpu = if tick_due { Some(self.begin_tick()) } else { None };
        self.take_ended_bursts();
        self.pass();
        self.due.clear();
        while let Some(timer) = self.kernel.timers.pop_due(now) {
            self.due.push(timer);
        }
        if !tick_due && self.due.is_empty() && self.kernel.policy_timers.min().0.0 > now {
            return;
        }
        if self.due.len() > 1 {
            let tasks = &self.kernel.tasks;
            self.due.sort_unstable_by_key(|timer| {
                let task = &tasks[timer.task.index()];
                let cpu = match timer.kind {
                    TimerKind::Wake => task.cpu,
                    TimerKind::Start => task.start_cpu.unwrap_or(CpuId(0)),
                };
                (cpu, timer.kind, timer.task)
            });
        }
        if !tick_due && self.due.len() == 1 && self.kernel.policy_timers.min().0.0 > now {
            let timer = self.due[0];
            self.timer(timer);
            self.pass();
            return;
        }
        let mut index = 0;
        for cpu in 0..self.kernel.cpus() {
            let cpu = CpuId(cpu);
            let mut interrupted = false;
            while self.policy_timer_due(cpu) {
                interrupted = true;
            }
            while let Some(&timer) = self.due.get(index) {
                let task = &self.kernel.tasks[timer.task.index()];
                let timer_cpu = match timer.kind {
                    TimerKind::Wake => task.cpu,
                    TimerKind::Start => task.start_cpu.unwrap_or(CpuId(0)),
                };
                if timer_cpu > cpu {
                    break;
                }
                index += 1;
                interrupted = true;
                self.timer(timer);
            }
            if let Some(first) = tick_cpu
                && (!self.kernel.tick_skew || first == cpu)
            {
                self.tick(cpu);
                interrupted = true;
            }
            if interrupted && !self.kernel.attention.is_empty() {
                self.settle(cpu);
                self.pass();
            }
        }
    }

    /// Fires the first due policy timer if it belongs to `cpu`, or the earliest one of this CPU.
    fn policy_timer_due(&mut self, cpu: CpuId) -> bool {
        let now = self.kernel.now;
        if self.kernel.policy_timers.min().0.0 > now {
            return false;
        }
        let mut best: Option<((Nanos, u64), usize)> = None;
        for timer in 0..self.kernel.policy_timer_cpu.len() {
            let key = self.kernel.policy_timers.get(timer);
            if key.0 <= now && self.kernel.policy_timer_cpu[timer] == cpu && best.is_none_or(|(k, _)| key < k) {
                best = Some((key, timer));
            }
        }
        let Some((_, timer)) = best else { return false };
        self.fire_policy_timer(timer);
        true
    }

    fn policy_timer(&mut self) {
        let (_, timer) = self.kernel.policy_timers.min();
        self.fire_policy_timer(timer);
    }

    fn fire_policy_timer(&mut self, timer: usize) {
        self.kernel.events += 1;
        let cpu = self.kernel.policy_timer_cpu[timer];
        self.kernel.cancel_timer(timer as u32);
        self.policy.timer_expired(&mut self.kernel, timer as u32, cpu);
    }

    // ---- order 3 ---------------------------------------------------------------------------------------------------

    fn instant_arrivals_first(&mut self) {
        let now = self.kernel.now;
        self.ticks();
        while self.kernel.policy_timers.min().0.0 <= now {
            self.policy_timer();
        }
        while let Some(timer) = self.kernel.timers.pop_due(now) {
            self.timer(timer);
        }
        self.take_ended_bursts();
        self.pass();
    }

    // ---- ticks and timers ------------------------------------------------------------------------------------------

    /// Advances jiffies and the next tick; returns the CPU that ticks (the first one when all tick together).
    fn begin_tick(&mut self) -> CpuId {
        let kernel = &mut self.kernel;
        let cpus = u64::from(kernel.cpus());
        let index = kernel.tick_index;
        kernel.tick_index += 1;
        kernel.next_tick = kernel.tick_time(index + 1);
        if kernel.tick_skew {
            kernel.jiffies = index / cpus;
            CpuId((index % cpus) as u16)
        } else {
            kernel.jiffies = index;
            CpuId(0)
        }
    }

    fn tick(&mut self, cpu: CpuId) {
        self.kernel.events += 1;
        if self.kernel.costs_on {
            let ns = self.kernel.costs.tick_ns;
            self.kernel.account(cpu);
            self.kernel.charge_ns(cpu, TimeKind::System, ns);
        }
        self.policy.scheduler_tick(&mut self.kernel, cpu);
    }

    fn timer(&mut self, timer: Timer) {
        let task = &mut self.kernel.tasks[timer.task.index()];
        if task.timer_generation != timer.generation {
            return;
        }
        self.kernel.events += 1;
        match timer.kind {
            TimerKind::Wake => {
                let flags = WakeFlags { cpu: task.cpu, in_interrupt: true, sync: false, waker: None };
                self.wake(timer.task, flags);
            }
            TimerKind::Start => self.start(timer.task, None),
        }
    }
}
