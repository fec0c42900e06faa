//! The fair class of modern kernels: CFS of 5.15 and EEVDF of 6.6 and 6.12, with nested groups and `cpu.max`.
//!
//! Models `kernel/sched/{fair,rt,core}.c` of 5.15.85, 6.6.0, 6.6.57, 6.12.0 and 6.12.94 on one CPU exactly (recorded
//! schedules); on several CPUs load tracking (`pelt.rs`, `load.rs`), placement (`select.rs`) and balancing (`balance/`)
//! follow those sources, which no recording covers. Not modelled:
//! SCHED_DEADLINE tasks (the fair server is), core scheduling, uclamp, energy-aware placement, sched_ext.
//!
//! Invariants: a queue's tree holds its queued entities without the running one; `load` and `nr` count both; delayed
//! entities (6.12) are queued although their task is blocked.

mod autogroup;
mod balance;
mod bandwidth;
mod cfs515;
mod change;
mod entity;
mod estimate;
mod hierarchy;
mod inspect;
mod load;
mod pelt;
mod pick;
mod pictures;
mod push;
mod queue;
mod rt;
mod schedule;
mod select;
mod server;
mod shares;
#[cfg(test)]
mod tests;
mod tree;
mod versions;
mod virtual_time;
mod wakeup;

use crate::inspect::{Candidate, Entity as Shown, Gauge, StructureVisitor, Trail};
use crate::kernel::{Group, Kernel};
use crate::policy::{AttrChange, Block, NewTask, Policy, WakeFlags};
use crate::queues::rb_tree::RbNodes;
use crate::queues::task_lists::Links;
use crate::units::{CpuId, GroupId, TaskId};
use bandwidth::Pool;
use entity::{Ent, Entity, NIL, inverse, scaled_up};
use estimate::Estimate;
use push::RtTask;
use queue::Queue;
use rt::RtQueue;
use select::WakeHistory;
use server::FairServer;
use tree::Queued;
pub use versions::POLICIES;
use versions::{Features, Generation, VERSIONS, Version, tunable};

crate::reasons! {
    /// Rules that decide.
    pub enum Why {
        EarliestDeadline = "is eligible (lag {0}) and has the earliest virtual deadline of {1} entities, {2} after V" [Virtual, Count, Virtual] in "pick_eevdf",
        RunsToParity = "goes on until its deadline, {2} of virtual time away: it is still eligible (lag {0})" [Virtual, Count, Virtual] in "pick_eevdf",
        OnlyEntity = "is the only one queued" [Virtual, Count, Virtual] in "pick_eevdf",
        Buddy = "is the buddy that a sleeping task of its group left, and eligible (lag {0})" [Virtual, Count, Virtual] in "pick_next_entity",
        Leftmost = "has the smallest vruntime of {1} entities, {0} after min_vruntime" [Virtual, Count, Virtual] in "pick_next_entity",
        NextBuddy = "was marked as the next buddy, and is within the wakeup granularity of the leftmost" [Virtual, Count, Virtual] in "pick_next_entity",
        RealTime = "is a real-time task of priority {0}; those come before fair tasks" [Count, Count, Count] in "pick_next_task_rt",
        RtPushed = "is a real-time task of priority {0}, pushed here from CPU {1}, where one of priority {2} goes first" [Count, Count, Count] in "push_rt_task",
        RtPulled = "is a real-time task of priority {0} that waited on CPU {1} behind one of priority {2}; CPUs were asked for such tasks when a priority fell" [Count, Count, Count] in "pull_rt_task",
        FairServer = "runs by the fair server: fair tasks had been starved by real-time tasks" [Virtual, Count, Virtual] in "pick_task_dl",
        MigrationThread = "is the migration thread, which comes before everybody" [Count, Count, Count] in "pick_next_task_stop",
        NobodyRunnable = "nothing is runnable here" [Count, Count, Count] in "pick_next_task_idle",
        AllThrottled = "{0} tasks are queued, but their groups have used up their quota" [Count, Count, Count] in "throttle_cfs_rq",
    }
}

/// Note rows.
#[derive(Clone, Copy, Debug)]
#[repr(u16)]
pub(crate) enum Note {
    Throttled,
    Unthrottled,
    Period,
    RtThrottled,
    FairServer,
}

impl From<Note> for u16 {
    fn from(note: Note) -> u16 {
        note as u16
    }
}

/// The scheduler.
#[derive(Clone, Debug)]
pub struct Fair {
    version: &'static Version,
    tunables: Vec<i64>,
    features: Features,
    base_slice: i64,
    tick_ns: i64,
    hz: u32,
    cpus: usize,
    /// Parent group of each group.
    group_parent: Vec<u16>,
    /// `cpu.idle` of each group.
    group_idle: Vec<bool>,
    /// Index of the first task entity; group entities and queues come before (`group * cpus + cpu`).
    first_task: usize,
    ents: Vec<Entity>,
    nodes: RbNodes<Queued>,
    queues: Vec<Queue>,
    /// More than one CPU: loads are tracked.
    smp: bool,
    /// SCHED_IDLE tasks that the root queues count.
    idle_tasks: u32,
    /// Expected utilisation of each task, and of the queued ones of each CPU.
    estimates: Vec<Estimate>,
    cpu_estimates: Vec<i64>,
    /// Tracked load of each group on all CPUs (`tg.load_avg`).
    group_load: Vec<i64>,
    /// Levels above each group.
    group_depth: Vec<u16>,
    /// Queues with load of each CPU, deeper ones first (`leaf_cfs_rq_list`).
    active: Vec<Vec<u32>>,
    /// Who woke whom, and where tasks ran before.
    wakes: Vec<WakeHistory>,
    pools: Vec<Option<Pool>>,
    rt: Vec<RtQueue>,
    rt_links: Links,
    /// Links of the lists of tasks that may be pushed.
    rt_push_links: Links,
    rt_tasks: Vec<RtTask>,
    /// Ticks left of each RR task.
    rr_ticks: Vec<i64>,
    servers: Vec<FairServer>,
    balance: balance::Balance,
}

impl Fair {
    /// Queue of `group` on `cpu`.
    fn queue_of(&self, group: GroupId, cpu: CpuId) -> usize {
        group.index() * self.cpus + cpu.index()
    }

    /// CPU of a queue.
    fn cpu_of(&self, q: usize) -> CpuId {
        self.queues[q].cpu
    }

    /// Root queue of a CPU.
    fn root(&self, cpu: CpuId) -> usize {
        cpu.index()
    }

    fn ent(&self, task: TaskId) -> Ent {
        self.first_task + task.index()
    }

    fn task_of(&self, e: Ent) -> TaskId {
        TaskId((e - self.first_task) as u32)
    }

    /// Queue that a group entity owns.
    fn my_queue(&self, e: Ent) -> Option<usize> {
        (!self.is_task(e)).then_some(e)
    }

    fn group_of(&self, q: usize) -> GroupId {
        self.queues[q].group
    }

    /// Points a task's entity at its queue on `cpu` (`set_task_rq`).
    #[inline(always)]
    fn attach(&mut self, k: &Kernel, task: TaskId, cpu: CpuId) {
        let q = self.queue_of(k.task(task).group, cpu);
        let e = self.ent(task);
        self.ents[e].queue = q as u32;
        self.ents[e].parent = if q < self.cpus { NIL } else { q as u32 };
    }
}

/// Groups above `group`.
fn depth(groups: &[Group], mut group: usize) -> u16 {
    let mut depth = 0;
    while group != 0 {
        group = groups[group].parent.index();
        depth += 1;
    }
    depth
}

impl Policy for Fair {
    fn new(key: &'static str, kernel: &Kernel, tunables: &[i64]) -> Self {
        let version = VERSIONS.iter().find(|version| version.key == key).expect("the registry names versions only");
        let cpus = usize::from(kernel.cpus());
        let groups = kernel.groups();
        let first_task = groups.len() * cpus;
        let mut ents = Vec::new();
        let mut queues = Vec::new();
        for (index, group) in groups.iter().enumerate() {
            for cpu in 0..cpus {
                let queue = group.parent.index() * cpus + cpu;
                let parent = if group.parent == GroupId::ROOT { NIL } else { queue as u32 };
                ents.push(Entity { attached: true, ..Entity::new(queue as u32, parent) });
                queues.push(Queue {
                    cpu: CpuId(cpu as u16),
                    group: GroupId(index as u16),
                    limited: group.cpu_max.is_some(),
                    min_vruntime: -(1 << 20),
                    ..Queue::default()
                });
            }
        }
        let mut fair = Fair {
            version,
            tunables: tunables.to_vec(),
            features: Features::of(version.generation, tunables),
            base_slice: tunables[tunable::FIRST],
            tick_ns: 1_000_000_000 / i64::from(kernel.hz()),
            hz: kernel.hz(),
            cpus,
            group_parent: groups.iter().map(|group| group.parent.0).collect(),
            group_idle: groups.iter().map(|group| group.idle).collect(),
            first_task,
            ents,
            nodes: RbNodes::default(),
            queues,
            smp: cpus > 1,
            idle_tasks: 0,
            estimates: Vec::new(),
            cpu_estimates: vec![0; cpus],
            group_load: vec![0; groups.len()],
            group_depth: (0..groups.len()).map(|group| depth(groups, group)).collect(),
            active: vec![Vec::with_capacity(groups.len()); cpus],
            wakes: Vec::new(),
            pools: groups.iter().map(|group| group.cpu_max.map(Pool::new)).collect(),
            rt: (0..cpus).map(|_| RtQueue::new()).collect(),
            rt_links: Links::default(),
            rt_push_links: Links::default(),
            rt_tasks: Vec::new(),
            rr_ticks: Vec::new(),
            servers: vec![FairServer::default(); cpus],
            balance: balance::Balance::new(kernel),
        };
        for group in 1..groups.len() {
            let group = GroupId(group as u16);
            let weight = fair.group_shares(kernel, group);
            for cpu in 0..cpus {
                let e = fair.queue_of(group, CpuId(cpu as u16));
                fair.ents[e].set_load(scaled_up(weight), inverse(weight));
                fair.ents[e].slice = fair.base_slice;
            }
        }
        fair
    }

    fn reserve(&mut self, tasks: usize) {
        let wanted = self.first_task + tasks;
        if self.ents.len() < wanted {
            self.ents.resize(wanted, Entity::new(0, NIL));
        }
        if self.rr_ticks.len() < tasks {
            self.rr_ticks.resize(tasks, 0);
            self.estimates.resize(tasks, Estimate::default());
            self.rt_tasks.resize(tasks, RtTask::default());
            self.wakes.resize(tasks, WakeHistory::default());
        }
        self.nodes.reserve(wanted, Queued::default());
        self.balance.links.reserve(tasks);
        self.rt_links.reserve(tasks);
        self.rt_push_links.reserve(tasks);
    }

    fn wake_up_new_task(&mut self, k: &mut Kernel, task: TaskId, new: NewTask) {
        self.fork(k, task, new);
    }

    fn try_to_wake_up(&mut self, k: &mut Kernel, task: TaskId, flags: WakeFlags) {
        self.wake(k, task, flags);
    }

    fn schedule(&mut self, k: &mut Kernel, cpu: CpuId, prev: Option<TaskId>, block: Option<Block>) -> Option<TaskId> {
        let next = self.pick_next_task(k, cpu, prev, block);
        if next == prev {
            self.after_schedule(k, cpu);
        }
        next
    }

    fn finish_task_switch(&mut self, k: &mut Kernel, cpu: CpuId, _prev: Option<TaskId>, _next: Option<TaskId>) {
        self.after_schedule(k, cpu);
    }

    fn scheduler_tick(&mut self, k: &mut Kernel, cpu: CpuId) {
        self.tick(k, cpu);
        self.rebalance(k, cpu);
    }

    fn sched_yield(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId) -> bool {
        self.yield_task(k, cpu, task)
    }

    fn task_changed(&mut self, k: &mut Kernel, task: TaskId, change: AttrChange, queued: bool) {
        self.change(k, task, change, queued);
    }

    fn group_changed(&mut self, k: &mut Kernel, group: GroupId, _old_shares: u64) {
        for cpu in 0..self.cpus {
            let e = self.queue_of(group, CpuId(cpu as u16));
            self.update_group_weight(k, e);
        }
    }

    fn set_tunable(&mut self, k: &mut Kernel, index: usize, value: i64) {
        self.tunables[index] = value;
        if index + 1 == self.tunables.len() {
            self.regroup_all(k);
        }
        self.features = Features::of(self.version.generation, &self.tunables);
        self.base_slice = self.tunables[tunable::FIRST];
    }

    /// A period timer and a slack timer per group, and per CPU one for RT throttling or the fair server.
    fn timers(&self) -> u32 {
        (2 * self.group_parent.len() + self.cpus) as u32
    }

    fn timer_expired(&mut self, k: &mut Kernel, timer: u32, cpu: CpuId) {
        let groups = self.group_parent.len() as u32;
        if timer < groups {
            self.period_timer(k, timer as usize);
        } else if timer < 2 * groups {
            self.slack_timer(k, (timer - groups) as usize);
        } else if self.version.rt_throttling {
            self.rt_period_timer(k, cpu);
        } else {
            self.fair_server_timer(k, cpu);
        }
    }

    fn has_migration_threads(&self) -> bool {
        true
    }

    fn migration_thread(&mut self, k: &mut Kernel, cpu: CpuId) {
        self.active_balance(k, cpu);
    }

    fn candidates(&self, k: &Kernel, cpu: CpuId, out: &mut dyn FnMut(Candidate)) {
        self.list_candidates(k, cpu, out);
    }

    fn visit_structures(&self, k: &Kernel, cpu: CpuId, v: &mut dyn StructureVisitor) {
        self.show(k, cpu, v);
    }

    fn task_gauges(&self, k: &Kernel, task: TaskId, out: &mut dyn FnMut(Gauge)) {
        self.gauges(k, task, out);
    }

    fn trails(&self) -> &'static [Trail] {
        if self.is_eevdf() { &pictures::TRAILS } else { &pictures::TRAILS_515 }
    }

    fn trail(&self, _k: &Kernel, cpu: CpuId, index: usize, out: &mut dyn FnMut(Shown, i64)) {
        self.trail_of(cpu, index, out);
    }

    fn check_invariants(&self, k: &Kernel) {
        self.check(k);
    }
}
