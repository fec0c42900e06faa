//! Coming, turns, and who runs next.

use super::rules::Rule;
use super::{Classroom, Job, Why};
use crate::kernel::Kernel;
use crate::machine::cost::Work;
use crate::policy::Block;
use crate::task::draw;
use crate::units::{CpuId, Nanos, TaskId};

/// Pass of a turn of one with 1024 tickets.
const STRIDE: u64 = 1 << 20;
/// Passes are shown in 1/1024 of that: the rest is for parts of a turn.
pub(super) const SHOWN_SHIFT: u32 = 10;

/// Keeps the draws of tickets apart from those of tasks, which are named by their row.
const TICKET_DRAWS: u64 = 0x7469_636b_6574;

impl Classroom {
    // ---- who comes and goes ----------------------------------------------------------------------------------------

    /// `task` is runnable from now on: it queues, and takes a CPU if one is idle or the rule gives it one.
    pub(super) fn join(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId, front: bool) {
        self.count(k, task, true);
        let pass = self.pass;
        let job = &mut self.jobs[task.index()];
        job.need = k.burst_ahead(task);
        job.pass += pass;
        self.push(k, cpu, task, front);
        self.seek_cpu(k, task);
    }

    /// An idle CPU, its own before others; or that of the job which is worst off by the rule, if `task` stands before it.
    fn seek_cpu(&mut self, k: &mut Kernel, task: TaskId) {
        let allowed = k.task(task).affinity;
        let own = k.task(task).cpu;
        let free = k.idle_cpus().and(&allowed);
        let is_free = |cpu: &CpuId| free.contains(*cpu) && !k.need_resched(*cpu);
        if let Some(cpu) = [own].into_iter().chain(free.iter()).find(is_free) {
            k.set_task_cpu(task, cpu);
            return k.resched_curr(cpu);
        }
        if !matches!(self.rule, Rule::Srtf | Rule::Feedback) {
            return;
        }
        let running = k.topology().cpu_ids().filter(|cpu| allowed.contains(*cpu) && !k.need_resched(*cpu));
        let ranked = running.filter_map(|cpu| Some((self.rank_now(k, cpu, k.curr(cpu)?), cpu)));
        if let Some((worst, cpu)) = ranked.max_by_key(|&(rank, cpu)| (rank, std::cmp::Reverse(cpu)))
            && self.rank(task) < worst
        {
            k.resched_curr(cpu);
        }
    }

    /// The rank of a job that runs, as of now.
    pub(super) fn rank_now(&self, k: &Kernel, cpu: CpuId, task: TaskId) -> u64 {
        let ran = k.now() - self.turns[cpu.index()].since;
        match self.rule {
            Rule::Srtf => self.job(task).need.saturating_sub(ran),
            _ => self.rank(task),
        }
    }

    /// It may not run where it is any more.
    pub(super) fn moved_away(&mut self, k: &mut Kernel, task: TaskId) {
        let (cpu, allowed) = (k.task(task).cpu, k.task(task).affinity);
        if k.curr(cpu) == Some(task) {
            if !allowed.contains(cpu) {
                k.resched_curr(cpu);
            }
            return;
        }
        if let Some(other) = allowed.next(0).filter(|_| !allowed.contains(cpu)) {
            k.set_task_cpu(task, other);
        }
        self.seek_cpu(k, task);
    }

    // ---- turns -----------------------------------------------------------------------------------------------------

    /// Accounts the running job of `cpu` up to now.
    pub(super) fn account(&mut self, k: &Kernel, cpu: CpuId, task: TaskId) {
        let turn = &mut self.turns[cpu.index()];
        let ran = k.now() - std::mem::replace(&mut turn.since, k.now());
        let job = &mut self.jobs[task.index()];
        job.need = job.need.saturating_sub(ran);
        job.left = job.left.saturating_sub(ran);
        if self.rule == Rule::Stride && ran > 0 {
            let tickets = self.tickets_of(k, task);
            self.jobs[task.index()].pass += self.steps(ran, tickets);
            self.pass += self.steps(ran, self.tickets.max(1));
        }
    }

    /// How far `ran` moves somebody who holds `tickets`.
    fn steps(&self, ran: Nanos, tickets: u64) -> i64 {
        let quanta = u128::from(ran) * u128::from(STRIDE * 1024) / u128::from(self.knobs.quantum.max(1));
        (quanta / u128::from(tickets)) as i64
    }

    /// Where a job begins that has never run: with all, and one stride on.
    pub(super) fn stride_after_joining(&self, k: &Kernel, task: TaskId) -> i64 {
        if self.rule == Rule::Stride { self.steps(self.knobs.quantum, self.tickets_of(k, task)) } else { 0 }
    }

    /// Pass as of now.
    pub(super) fn pass_now(&self, k: &Kernel, task: TaskId) -> i64 {
        let cpu = k.task(task).cpu;
        if !k.task(task).is_queued() {
            return self.job(task).pass + self.pass;
        }
        if k.curr(cpu) != Some(task) {
            return self.job(task).pass;
        }
        self.job(task).pass + self.steps(k.now() - self.turns[cpu.index()].since, self.tickets_of(k, task))
    }

    /// The timer of `cpu`: the turn there is over.
    pub(super) fn turn_ends(&mut self, k: &mut Kernel, cpu: CpuId) {
        let Some(task) = k.curr(cpu) else { return };
        self.account(k, cpu, task);
        k.resched_expired(cpu);
        // It sleeps or ends in this very instant: then it queues nowhere.
        if !self.knobs.newcomers_first && self.job(task).need > 0 {
            self.use_up(task);
            self.push(k, cpu, task, false);
            self.turns[cpu.index()].queued = true;
        }
    }

    /// A turn is used up: a new one, perhaps a level further down.
    pub(super) fn use_up(&mut self, task: TaskId) {
        let Job { level, allotment, .. } = *self.job(task);
        if self.rule != Rule::Feedback || allotment <= 1 {
            return self.enter_level(task, (level + 1).min(self.knobs.queues.saturating_sub(1)));
        }
        let left = self.quantum(level);
        let job = &mut self.jobs[task.index()];
        (job.left, job.allotment) = (left, allotment - 1);
    }

    // ---- decision --------------------------------------------------------------------------------------------------

    pub(super) fn pick_next(
        &mut self,
        k: &mut Kernel,
        cpu: CpuId,
        prev: Option<TaskId>,
        block: Option<Block>,
    ) -> Option<TaskId> {
        if let Some(prev) = prev {
            self.account(k, cpu, prev);
            let turn = std::mem::take(&mut self.turns[cpu.index()]);
            self.turns[cpu.index()].since = k.now();
            if block.is_some() {
                if turn.queued {
                    self.queue.remove(prev);
                }
                self.leave(k, prev);
            } else if !turn.queued {
                let is_over = self.rule.has_turns() && self.job(prev).left == 0;
                if !is_over && !turn.yielded && k.task(prev).affinity.contains(cpu) && !self.is_beaten(k, cpu, prev) {
                    return Some(prev);
                }
                if is_over {
                    self.use_up(prev);
                }
                // Whoever is interrupted keeps its place.
                self.push(k, cpu, prev, !is_over && !turn.yielded);
            }
            k.cancel_timer(u32::from(cpu.0));
        }
        let next = self.best(k, cpu, prev);
        let Some(task) = next else {
            k.explain(Why::NobodyWaits, [0; 3]);
            return None;
        };
        self.queue.remove(task);
        if prev != next {
            k.set_task_cpu(task, cpu);
        }
        self.turns[cpu.index()].since = k.now();
        if self.rule.has_turns() {
            if self.rule != Rule::Feedback {
                self.enter_level(task, 0);
            }
            k.start_timer(u32::from(cpu.0), cpu, k.now() + self.job(task).left);
        }
        self.wake_idle_cpu(k, cpu, prev);
        next
    }

    /// Who was left may have its only CPUs elsewhere, or come from one where it is not allowed any more.
    fn wake_idle_cpu(&self, k: &mut Kernel, picks: CpuId, prev: Option<TaskId>) {
        let can_help = |cpu: &CpuId| {
            *cpu != picks && !k.need_resched(*cpu) && self.queue.iter().any(|task| may_run(k, *cpu, task, prev))
        };
        if self.queue.len() > 0
            && let Some(cpu) = k.idle_cpus().iter().find(can_help)
        {
            k.resched_curr(cpu);
        }
    }

    /// It sleeps or ends.
    fn leave(&mut self, k: &Kernel, task: TaskId) {
        self.count(k, task, false);
        self.jobs[task.index()].pass -= self.pass;
        if self.rule == Rule::Feedback {
            if self.job(task).left == 0 {
                self.use_up(task);
            } else if self.knobs.io_stay {
                self.enter_level(task, self.job(task).level);
            }
        }
    }

    /// Somebody who may run here stands before `prev`, which still has its turn. If not, says why it goes on.
    fn is_beaten(&self, k: &mut Kernel, cpu: CpuId, prev: TaskId) -> bool {
        if !matches!(self.rule, Rule::Srtf | Rule::Feedback) {
            k.explain(Why::NotInterrupted, [0; 3]);
            return false;
        }
        let first = self.queue.iter().find(|&task| may_run(k, cpu, task, None));
        let beaten = first.is_some_and(|first| self.queue.place(first).rank < self.rank(prev));
        if !beaten {
            k.explain(Why::NobodyBetter, [i64::from(self.queue.len()), 0, 0]);
        }
        beaten
    }

    /// Who runs next, and why.
    fn best(&mut self, k: &mut Kernel, cpu: CpuId, prev: Option<TaskId>) -> Option<TaskId> {
        if self.rule == Rule::Lottery {
            return self.draw(k, cpu, prev);
        }
        let mut scanned = 0;
        let found = self.queue.iter().inspect(|_| scanned += 1).find(|&task| may_run(k, cpu, task, prev));
        k.charge(cpu, Work::TaskScanned, scanned);
        let task = found?;
        let (job, waiting) = (*self.job(task), i64::from(self.queue.len()));
        match self.rule {
            Rule::Fcfs => k.explain(Why::CameFirst, [waiting, job.since as i64, 0]),
            Rule::Sjf => k.explain(Why::ShortestBurst, [job.need as i64, waiting, 0]),
            Rule::Srtf => k.explain(Why::LeastLeft, [job.need as i64, waiting, 0]),
            Rule::RoundRobin | Rule::Lottery => k.explain(Why::ItsTurn, [waiting, 0, 0]),
            Rule::Feedback => k.explain(Why::HighestLevel, [i64::from(job.level), job.left as i64, 0]),
            Rule::Stride => {
                let stride = self.steps(self.knobs.quantum, self.tickets_of(k, task));
                k.explain(Why::FurthestBehind, [job.pass >> SHOWN_SHIFT, waiting, stride >> SHOWN_SHIFT]);
            }
        }
        Some(task)
    }

    /// Draws a ticket. If its holder may not run here, another one is drawn of those who may.
    fn draw(&mut self, k: &mut Kernel, cpu: CpuId, prev: Option<TaskId>) -> Option<TaskId> {
        let everybody = self.queue.tickets();
        let ticket = self.random(k, everybody)?;
        let holder = self.queue.holder(ticket).filter(|&task| may_run(k, cpu, task, prev));
        let (ticket, all, task) = match holder {
            Some(task) => (ticket, everybody, task),
            None => self.draw_here(k, cpu, prev)?,
        };
        k.charge(cpu, Work::TaskScanned, 1);
        k.explain(Why::TicketDrawn, [ticket as i64, all as i64, self.queue.place(task).tickets as i64]);
        Some(task)
    }

    /// A ticket of those who may run on `cpu`, how many they hold together, and whose it is.
    fn draw_here(&mut self, k: &Kernel, cpu: CpuId, prev: Option<TaskId>) -> Option<(u64, u64, TaskId)> {
        let here = |task: &TaskId| may_run(k, cpu, *task, prev);
        let all = self.queue.iter().filter(here).map(|task| self.queue.place(task).tickets).sum();
        let ticket = self.random(k, all)?;
        let mut passed = 0;
        let task = self.queue.iter().filter(here).find(|&task| {
            passed += self.queue.place(task).tickets;
            ticket < passed
        })?;
        Some((ticket, all, task))
    }

    /// A random number below `end`, another one each time; `None` of nothing.
    fn random(&mut self, k: &Kernel, end: u64) -> Option<u64> {
        let last = end.checked_sub(1)?;
        self.draws += 1;
        Some(draw::uniform(draw::draw(k.seed(), TICKET_DRAWS, self.draws), 0, last))
    }
}

/// Whether `task`, which queues, may be put on `cpu`, where `prev` ran: allowed there, and not on another CPU still.
pub(super) fn may_run(k: &Kernel, cpu: CpuId, task: TaskId, prev: Option<TaskId>) -> bool {
    let runs = k.curr(k.task(task).cpu) == Some(task);
    k.task(task).affinity.contains(cpu) && (!runs || prev == Some(task))
}
