//! The schedulers of textbooks: FCFS, SJF, SRTF, round robin, MLFQ, lottery and stride, with one queue for all CPUs.
//!
//! Modelled after the rules in Arpaci-Dusseau, "Operating Systems: Three Easy Pieces", chapters 7 to 10, and, for
//! lottery and stride, Waldspurger and Weihl (1994, 1995). Whoever comes at an instant is there when something is
//! decided in it. See `docs/policies/classroom.md` for what is left out.
//!
//! Invariants: who waits is in the queue exactly once; who runs is in it only from the end of its turn to the decision
//! of the same instant.

mod boost;
mod inspect;
mod queue;
mod rules;
mod schedule;
#[cfg(test)]
mod tests;

pub use rules::POLICIES;

use crate::inspect::{Candidate, Course, Entity, Gauge, StructureVisitor, Trail, Unit};
use crate::kernel::{EventOrder, Kernel};
use crate::machine::cost::Work;
use crate::policy::{AttrChange, Block, NewTask, Policy, WakeFlags};
use crate::queues::nice;
use crate::units::{CpuId, GroupId, Nanos, TaskId};
use queue::Queue;
use rules::Rule;

crate::reasons! {
    /// Why a job got the CPU.
    pub enum Why {
        NobodyWaits = "nobody waits who may run here" [] in "pick_next",
        NotInterrupted = "goes on: nobody takes the CPU from it before it sleeps or ends" [] in "pick_next",
        NobodyBetter = "goes on: of {0} that wait, nobody stands before it" [Count] in "pick_next",
        CameFirst = "came first of {0}: it waits since {1}" [Count, Nanos] in "pick_next",
        ShortestBurst = "needs the CPU for {0}, the shortest time of {1}" [Nanos, Count] in "pick_next",
        LeastLeft = "has {0} left, the least of {1}" [Nanos, Count] in "pick_next",
        ItsTurn = "it is its turn, the first of {0} in the queue" [Count] in "pick_next",
        HighestLevel = "first on level {0}, the highest where somebody waits; {1} of its turn are left" [Count, Nanos] in "pick_next",
        TicketDrawn = "ticket {0} of {1} is drawn, and it holds {2}" [Count, Count, Count] in "pick_next",
        FurthestBehind = "has the smallest pass, {0}, of {1}; a turn moves it on by {2}" [Count, Count, Count] in "pick_next",
    }
}

const NOTES: &[&str] = &["boost"];
/// All went up to the top level.
const NOTE_BOOST: u16 = 0;

/// What the scheduler keeps of a job.
#[derive(Clone, Copy, Debug, Default)]
struct Job {
    /// CPU time that its present burst still needs, ns.
    need: Nanos,
    /// Left of its turn, ns.
    left: Nanos,
    /// Since when it waits.
    since: Nanos,
    /// Turns left at its level.
    allotment: i64,
    /// Level, 0 is the top.
    level: u32,
    /// Stride: how far it has come; while it sleeps, how far before or behind all it was.
    pass: i64,
}

/// What is under way on a CPU.
#[derive(Clone, Copy, Debug, Default)]
struct Turn {
    /// Up to when the running job is accounted.
    since: Nanos,
    /// Its turn is over and it queues already.
    queued: bool,
    /// It gave its turn away.
    yielded: bool,
}

/// The knobs; those that a rule has not are never read.
#[derive(Clone, Copy, Debug, Default)]
struct Knobs {
    quantum: Nanos,
    newcomers_first: bool,
    queues: u32,
    allotment: i64,
    doubling: bool,
    boost: Nanos,
    io_stay: bool,
    io_first: bool,
}

/// The scheduler.
#[derive(Clone)]
pub struct Classroom {
    rule: Rule,
    knobs: Knobs,
    values: Vec<i64>,
    queue: Queue,
    jobs: Vec<Job>,
    turns: Vec<Turn>,
    /// Runnable jobs of each group.
    members: Vec<u32>,
    /// Tickets of all who are runnable.
    tickets: u64,
    /// How far all have come (stride).
    pass: i64,
    /// Tickets drawn so far.
    draws: u64,
    /// Room for a list of jobs while the queue changes.
    order: Vec<TaskId>,
}

impl Classroom {
    fn read_knobs(&mut self) {
        let value = |key: &str| self.rule.index(key).map_or(0, |index| self.values[index]);
        self.knobs = Knobs {
            quantum: value("quantum") as Nanos,
            newcomers_first: value("newcomers_first") != 0,
            queues: value("queues") as u32,
            allotment: value("allotment"),
            doubling: value("doubling") != 0,
            boost: value("boost") as Nanos,
            io_stay: value("io_stay") != 0,
            io_first: value("io_first") != 0,
        };
    }

    fn job(&self, task: TaskId) -> &Job {
        &self.jobs[task.index()]
    }

    /// Length of a turn on `level`, ns.
    fn quantum(&self, level: u32) -> Nanos {
        self.knobs.quantum << if self.knobs.doubling { level } else { 0 }
    }

    /// A whole allotment on `level`.
    fn enter_level(&mut self, task: TaskId, level: u32) {
        let (left, allotment) = (self.quantum(level), self.knobs.allotment);
        let job = &mut self.jobs[task.index()];
        (job.level, job.left, job.allotment) = (level, left, allotment);
    }

    /// What the queue orders `task` by.
    fn rank(&self, task: TaskId) -> u64 {
        let job = self.job(task);
        match self.rule {
            Rule::Sjf | Rule::Srtf => job.need,
            Rule::Feedback => u64::from(job.level),
            // Passes may be negative for a moment; ranks may not.
            Rule::Stride => job.pass.wrapping_sub(i64::MIN) as u64,
            Rule::Fcfs | Rule::RoundRobin | Rule::Lottery => 0,
        }
    }

    fn push(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId, front: bool) {
        let (rank, tickets) = (self.rank(task), self.tickets_of(k, task));
        if front {
            self.queue.push_front(task, rank, tickets);
        } else {
            self.queue.push_back(task, rank, tickets);
        }
        self.jobs[task.index()].since = k.now();
        k.charge(cpu, Work::ListOp, 1);
    }

    // ---- tickets ---------------------------------------------------------------------------------------------------

    /// Tickets of `task`: the weight of its nice level, or its part of the shares of its group.
    fn tickets_of(&self, k: &Kernel, task: TaskId) -> u64 {
        match k.task(task).group {
            GroupId::ROOT => nice::weight(k.task(task).nice),
            group => (k.groups()[group.index()].shares / u64::from(self.members[group.index()].max(1))).max(1),
        }
    }

    /// `task` becomes runnable (`joins`) or stops being so: counts of its group and of all tickets.
    fn count(&mut self, k: &Kernel, task: TaskId, joins: bool) {
        let group = k.task(task).group;
        let members = &mut self.members[group.index()];
        *members = if joins { *members + 1 } else { *members - 1 };
        if !self.rule.by_tickets() {
            return;
        }
        let others = *members - u32::from(joins);
        let tickets = match group {
            GroupId::ROOT => nice::weight(k.task(task).nice),
            // The shares of a group count while somebody in it is runnable.
            group if others == 0 => k.groups()[group.index()].shares.max(1),
            _ => 0,
        };
        self.tickets = if joins { self.tickets + tickets } else { self.tickets - tickets };
        if group != GroupId::ROOT {
            // Its shares are divided among another number of jobs.
            self.share_out(k, |task| k.task(task).group == group);
        }
    }

    /// Those who wait and are `meant` hold other numbers of tickets now.
    fn share_out(&mut self, k: &Kernel, meant: impl Fn(TaskId) -> bool) {
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend(self.queue.iter().filter(|&task| meant(task)));
        for &task in &order {
            self.queue.set_tickets(task, self.tickets_of(k, task));
        }
        self.order = order;
    }

    /// All tickets anew, after nice levels or shares have changed.
    fn recount(&mut self, k: &Kernel) {
        self.share_out(k, |_| true);
        let runnable = k.tasks().iter().filter(|task| task.is_queued() && task.group == GroupId::ROOT);
        let alone: u64 = runnable.map(|task| nice::weight(task.nice)).sum();
        let groups = (1..self.members.len()).filter(|&group| self.members[group] > 0);
        self.tickets = alone + groups.map(|group| k.groups()[group].shares.max(1)).sum::<u64>();
    }
}

impl Policy for Classroom {
    const ORDER: Option<EventOrder> = Some(EventOrder::ArrivalsFirst);

    fn new(key: &'static str, kernel: &Kernel, tunables: &[i64]) -> Self {
        let mut made = Classroom {
            rule: Rule::of(key),
            knobs: Knobs::default(),
            values: tunables.to_vec(),
            queue: Queue::default(),
            jobs: Vec::new(),
            turns: vec![Turn::default(); usize::from(kernel.cpus())],
            members: vec![0; kernel.groups().len()],
            tickets: 0,
            pass: 0,
            draws: 0,
            order: Vec::new(),
        };
        made.read_knobs();
        made
    }

    fn reserve(&mut self, tasks: usize) {
        self.queue.reserve(tasks);
        self.jobs.resize(tasks.max(self.jobs.len()), Job::default());
        self.order.reserve(tasks.saturating_sub(self.order.len()));
    }

    fn wake_up_new_task(&mut self, k: &mut Kernel, task: TaskId, new: NewTask) {
        self.arm_boost(k);
        self.jobs[task.index()] = Job::default();
        self.enter_level(task, 0);
        // A new one stands where all stand, and one stride on.
        self.jobs[task.index()].pass = self.stride_after_joining(k, task);
        self.join(k, new.cpu, task, false);
    }

    fn try_to_wake_up(&mut self, k: &mut Kernel, task: TaskId, flags: WakeFlags) {
        self.join(k, flags.cpu, task, self.knobs.io_first);
    }

    fn schedule(&mut self, k: &mut Kernel, cpu: CpuId, prev: Option<TaskId>, block: Option<Block>) -> Option<TaskId> {
        self.pick_next(k, cpu, prev, block)
    }

    fn scheduler_tick(&mut self, _k: &mut Kernel, _cpu: CpuId) {}

    fn sched_yield(&mut self, _k: &mut Kernel, cpu: CpuId, _task: TaskId) -> bool {
        self.turns[cpu.index()].yielded = true;
        true
    }

    fn task_changed(&mut self, k: &mut Kernel, task: TaskId, change: AttrChange, queued: bool) {
        match change {
            AttrChange::Nice { .. } if self.rule.by_tickets() => self.recount(k),
            AttrChange::Affinity if queued => self.moved_away(k, task),
            _ => {}
        }
    }

    fn group_changed(&mut self, k: &mut Kernel, _group: GroupId, _old_shares: u64) {
        if self.rule.by_tickets() {
            self.recount(k);
        }
    }

    fn set_tunable(&mut self, k: &mut Kernel, index: usize, value: i64) {
        self.values[index] = value;
        let queues = self.knobs.queues;
        self.read_knobs();
        if self.knobs.queues < queues {
            self.close_levels(k);
        }
        if self.rule.index("boost") == Some(index) {
            k.cancel_timer(self.boost_timer());
            self.arm_boost(k);
        }
    }

    fn timers(&self) -> u32 {
        self.turns.len() as u32 + 1
    }

    fn timer_expired(&mut self, k: &mut Kernel, timer: u32, cpu: CpuId) {
        if timer == self.boost_timer() {
            self.boost(k);
        } else {
            self.turn_ends(k, cpu);
        }
    }

    fn candidates(&self, k: &Kernel, cpu: CpuId, out: &mut dyn FnMut(Candidate)) {
        self.list_candidates(k, cpu, out);
    }

    fn visit_structures(&self, k: &Kernel, cpu: CpuId, v: &mut dyn StructureVisitor) {
        self.show(k, cpu, v);
    }

    fn task_gauges(&self, k: &Kernel, task: TaskId, out: &mut dyn FnMut(Gauge)) {
        self.facts(k, task, out);
    }

    fn trails(&self) -> &'static [Trail] {
        match self.rule {
            Rule::Feedback => &LEVELS,
            Rule::Stride => &PASSES,
            Rule::Fcfs | Rule::Sjf | Rule::Srtf | Rule::RoundRobin | Rule::Lottery => &[],
        }
    }

    fn trail(&self, k: &Kernel, cpu: CpuId, _index: usize, out: &mut dyn FnMut(Entity, i64)) {
        match self.rule {
            Rule::Feedback => {
                if let Some(task) = k.curr(cpu) {
                    out(Entity::Task(task), i64::from(self.job(task).level));
                }
            }
            _ => {
                let runs = k.topology().cpu_ids().filter_map(|cpu| k.curr(cpu));
                runs.chain(self.queue.iter())
                    .for_each(|task| out(Entity::Task(task), self.pass_now(k, task) >> schedule::SHOWN_SHIFT));
            }
        }
    }

    fn check_invariants(&self, k: &Kernel) {
        self.check(k);
    }
}

const LEVELS: [Trail; 1] = [Trail {
    label: "level",
    help: "each block is a stretch of a job on its level; down when its allotment is used up, up at a boost",
    unit: Unit::Count,
    course: Course::Blocks,
}];

const PASSES: [Trail; 1] = [Trail {
    label: "pass",
    help: "steep: runs; flat: waits. More tickets, smaller steps; all stay close together",
    unit: Unit::Count,
    course: Course::Lines,
}];
