//! The structures: scheduling entities, `cfs_rq` per group and CPU, runqueues, task groups, and how they are numbered.
//!
//! Entities are numbered group entities first (group x cpus + CPU), then tasks, so that one array of tree nodes and one
//! of list links serves all queues. Queues are numbered group x cpus + CPU; in the two-level releases a top queue per
//! CPU follows them.

use super::Cfs;
use super::weight::LoadWeight;
use crate::kernel::Kernel;
use crate::policy::SchedClass;
use crate::queues::load_avg::CpuLoad;
use crate::queues::nice;
use crate::queues::rb_tree::{RbTree, RbValue};
use crate::queues::task_lists::TaskList;
use crate::units::{CpuId, GroupId, Nanos, TaskId};

/// The scheduler clock started this long before t = 0, so that stamps that begin at zero are long ago.
pub(super) const CLOCK_AT_START: Nanos = 1_000_000_000_000;

/// `min_vruntime` of a queue that was never used: -(1 << 20).
const MIN_VRUNTIME_AT_START: u64 = (1u64 << 20).wrapping_neg();

/// Smallest group weight (`MIN_SHARES`).
pub(super) const SHARES_MIN: u64 = 2;
/// Largest group weight since 2.6.26 (`MAX_SHARES`).
pub(super) const SHARES_MAX: u64 = 1 << 18;

/// Best priority of a normal task's class: `MAX_RT_PRIO`.
pub(super) const MAX_RT_PRIO: u8 = 100;
/// `MAX_PRIO`: nobody.
pub(super) const MAX_PRIO: u8 = 140;

/// Index of an entity.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct EntityId(pub u32);

impl EntityId {
    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Index of a `cfs_rq`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct QueueId(pub u32);

impl QueueId {
    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Order key of the trees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Vruntime(pub u64);

impl RbValue for Vruntime {
    #[inline]
    fn before(&self, other: &Self) -> bool {
        (self.0.wrapping_sub(other.0) as i64) < 0
    }
}

/// `sched_entity`.
#[derive(Clone, Copy, Debug)]
pub(super) struct SchedEntity {
    pub load: LoadWeight,
    pub on_rq: bool,
    pub vruntime: u64,
    /// Clock of the last charge, or of the pick.
    pub exec_start: Nanos,
    pub sum_exec: Nanos,
    /// `sum_exec` at the last pick.
    pub prev_sum_exec: Nanos,
    /// 2.6.32: how long it runs between wakeups that it makes; stays 0 for groups.
    pub avg_wakeup: Nanos,
    pub parent: Option<EntityId>,
    /// Levels above it.
    pub depth: u16,
    /// Queue that it is queued on.
    pub queue: QueueId,
    /// Queue that it owns, if it is a group.
    pub my_queue: Option<QueueId>,
}

impl SchedEntity {
    fn new(queue: QueueId) -> Self {
        SchedEntity {
            load: LoadWeight { weight: nice::NICE_0_LOAD, inverse: 0 },
            on_rq: false,
            vruntime: 0,
            exec_start: 0,
            sum_exec: 0,
            prev_sum_exec: 0,
            avg_wakeup: 0,
            parent: None,
            depth: 0,
            queue,
            my_queue: None,
        }
    }
}

/// Scheduling data of a task beyond its entity.
#[derive(Clone, Copy, Debug)]
pub(super) struct TaskSched {
    /// Class by which it is queued.
    pub class: SchedClass,
    /// `p->prio`.
    pub prio: u8,
    /// `TIF_NEED_RESCHED` while it is not running.
    pub need_resched: bool,
    /// Has run before, and so leaves `schedule()` by its end.
    pub has_run: bool,
    /// `sum_exec` at the last wakeup that it made; 0 = none since it slept.
    pub last_wakeup: Nanos,
    pub avg_overlap: Nanos,
    pub avg_running: Nanos,
    pub start_runtime: Nanos,
    /// Ticks left of a round-robin slice.
    pub rr_ticks: u32,
}

impl Default for TaskSched {
    fn default() -> Self {
        TaskSched {
            class: SchedClass::Normal,
            prio: 120,
            need_resched: false,
            has_run: false,
            last_wakeup: 0,
            avg_overlap: 0,
            avg_running: 0,
            start_runtime: 0,
            rr_ticks: 0,
        }
    }
}

/// `cfs_rq`.
#[derive(Clone, Debug)]
pub(super) struct CfsRq {
    pub cpu: CpuId,
    /// Group whose entities it holds; `None` = top queue of a two-level release.
    pub group: Option<GroupId>,
    pub load: LoadWeight,
    /// Entities on it, the running one included.
    pub nr_running: u64,
    pub min_vruntime: u64,
    pub tree: RbTree,
    /// Running entity; not in the tree.
    pub curr: Option<EntityId>,
    /// Wakeup buddy.
    pub next: Option<EntityId>,
    /// Buddy that was preempted last (2.6.32).
    pub last: Option<EntityId>,
    /// Clock when something else than the buddy was last picked (2.6.27).
    pub pair_start: Nanos,
    /// Entities, newest first, for the balancer.
    pub list: TaskList,
    /// Weight of the tasks among the entities.
    pub task_weight: u64,
    /// Load of the whole group as seen at the top of this CPU.
    pub h_load: u64,
    /// Shares of the group that are placed here.
    pub shares: u64,
    /// Weight of the queue when `shares` was computed.
    pub rq_weight: u64,
}

impl CfsRq {
    fn new(cpu: CpuId, group: Option<GroupId>) -> Self {
        CfsRq {
            cpu,
            group,
            load: LoadWeight::default(),
            nr_running: 0,
            min_vruntime: MIN_VRUNTIME_AT_START,
            tree: RbTree::EMPTY,
            curr: None,
            next: None,
            last: None,
            pair_start: 0,
            list: TaskList::EMPTY,
            task_weight: 0,
            h_load: 0,
            shares: 0,
            rq_weight: 0,
        }
    }
}

/// Why a reschedule was asked for; explains the pick that follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cause {
    /// Nothing to tell.
    None,
    /// Ran, slice.
    SliceOver(u64, u64),
    /// Lead, granularity.
    WakeupLead(u64, u64),
    /// A new task was started here.
    Fork,
}

/// A slice timer that was asked for and not yet armed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct HrtickRequest {
    /// Expiry, machine time.
    pub expiry: Option<Nanos>,
    /// It was made for the running task.
    pub reset: bool,
    /// The running task must convert it before it goes on (`TIF_HRTICK_RESCHED`).
    pub pending: bool,
}

/// `rq`.
#[derive(Clone, Debug)]
pub(super) struct Rq {
    pub nr_running: u64,
    pub load: u64,
    pub cpu_load: CpuLoad,
    /// Stored clock; refreshed at defined moments only.
    pub clock: Nanos,
    /// jiffies.
    pub next_balance: u64,
    pub active_balance: bool,
    pub push_cpu: CpuId,
    pub avg_load_per_task: u64,
    /// `schedule()` is at work: requests go to the flag of the task that leaves.
    pub in_schedule: bool,
    /// `TIF_NEED_RESCHED` of the idle task while it does not run.
    pub idle_need_resched: bool,
    pub cause: Cause,
    pub hrtick: HrtickRequest,
    pub rt: super::rt::RtRq,
    /// Decaying time of real-time tasks and its stamp (2.6.32 `rt_avg`).
    pub rt_avg: u64,
    pub age_stamp: Nanos,
}

/// `task_group`.
#[derive(Clone, Debug)]
pub(super) struct TaskGroup {
    pub shares: u64,
    pub parent: Option<GroupId>,
}

impl Cfs {
    /// Queues, entities and groups of a machine without tasks.
    pub(super) fn build_queues(&mut self, kernel: &Kernel) {
        let groups = kernel.groups();
        for (index, group) in groups.iter().enumerate() {
            let parent = match index {
                0 => None,
                _ if self.version.two_levels => Some(GroupId::ROOT),
                _ => Some(group.parent),
            };
            let shares = self.clamp_shares(group.shares);
            self.groups.push(TaskGroup { shares: if index == 0 { nice::NICE_0_LOAD } else { shares }, parent });
            for cpu in 0..self.cpus {
                self.queues.push(CfsRq::new(CpuId(cpu as u16), Some(GroupId(index as u16))));
            }
        }
        if self.version.two_levels {
            for cpu in 0..self.cpus {
                self.queues.push(CfsRq::new(CpuId(cpu as u16), None));
            }
        }
        self.task_base = (groups.len() * self.cpus) as u32;
        for group in 0..groups.len() {
            for cpu in 0..self.cpus {
                let entity = self.new_group_entity(GroupId(group as u16), CpuId(cpu as u16));
                self.entities.push(entity);
            }
        }
        self.walk_order = walk_order(&self.groups);
    }

    fn new_group_entity(&self, group: GroupId, cpu: CpuId) -> SchedEntity {
        let shares = self.groups[group.index()].shares;
        let parent = self.groups[group.index()].parent;
        let my_queue = self.queue(group, cpu);
        let queue = match parent {
            Some(parent) if !self.version.two_levels => self.queue(parent, cpu),
            _ => self.top_queue(cpu),
        };
        let above = match parent {
            Some(parent) if !self.version.two_levels && parent != GroupId::ROOT => Some(self.group_entity(parent, cpu)),
            _ => None,
        };
        let depth = above.map_or(0, |above| self.entities[above.index()].depth + 1);
        SchedEntity {
            load: LoadWeight { weight: shares, inverse: self.group_inverse(shares) },
            parent: above,
            depth,
            my_queue: Some(my_queue),
            ..SchedEntity::new(queue)
        }
    }

    /// Inverse that is stored when a group's weight is set; 0 = computed when needed.
    pub(super) fn group_inverse(&self, shares: u64) -> u64 {
        if self.version.two_levels { (1 << 32) / shares } else { 0 }
    }

    /// Limits of `sched_group_set_shares`.
    pub(super) fn clamp_shares(&self, shares: u64) -> u64 {
        let max = if self.version.two_levels { u64::from(u32::MAX) } else { SHARES_MAX };
        shares.clamp(SHARES_MIN, max)
    }

    /// `tg->cfs_rq[cpu]`.
    #[inline]
    pub(super) fn queue(&self, group: GroupId, cpu: CpuId) -> QueueId {
        QueueId((group.index() * self.cpus + cpu.index()) as u32)
    }

    /// `&rq->cfs`.
    #[inline]
    pub(super) fn top_queue(&self, cpu: CpuId) -> QueueId {
        if self.version.two_levels {
            QueueId((self.groups.len() * self.cpus + cpu.index()) as u32)
        } else {
            QueueId(u32::from(cpu.0))
        }
    }

    /// `tg->se[cpu]`.
    #[inline]
    pub(super) fn group_entity(&self, group: GroupId, cpu: CpuId) -> EntityId {
        EntityId((group.index() * self.cpus + cpu.index()) as u32)
    }

    /// Whether the group has entities (all but the root of the tree releases).
    #[inline]
    pub(super) fn has_entities(&self, group: GroupId) -> bool {
        group != GroupId::ROOT || self.version.two_levels
    }

    /// `&p->se`.
    #[inline]
    pub(super) fn task_entity(&self, task: TaskId) -> EntityId {
        EntityId(self.task_base + task.0)
    }

    /// `task_of(se)`; `None` = a group.
    #[inline]
    pub(super) fn task_of(&self, entity: EntityId) -> Option<TaskId> {
        entity.0.checked_sub(self.task_base).map(TaskId)
    }

    /// Group of a group entity.
    #[inline]
    pub(super) fn group_of(&self, entity: EntityId) -> GroupId {
        GroupId((entity.index() / self.cpus) as u16)
    }

    /// Entity.
    #[inline]
    pub(super) fn e(&self, entity: EntityId) -> &SchedEntity {
        &self.entities[entity.index()]
    }

    /// Entity, to change.
    #[inline]
    pub(super) fn e_mut(&mut self, entity: EntityId) -> &mut SchedEntity {
        &mut self.entities[entity.index()]
    }

    /// Queue.
    #[inline]
    pub(super) fn q(&self, queue: QueueId) -> &CfsRq {
        &self.queues[queue.index()]
    }

    /// Queue, to change.
    #[inline]
    pub(super) fn q_mut(&mut self, queue: QueueId) -> &mut CfsRq {
        &mut self.queues[queue.index()]
    }

    /// Runqueue.
    #[inline]
    pub(super) fn rq(&self, cpu: CpuId) -> &Rq {
        &self.rqs[cpu.index()]
    }

    /// Runqueue, to change.
    #[inline]
    pub(super) fn rq_mut(&mut self, cpu: CpuId) -> &mut Rq {
        &mut self.rqs[cpu.index()]
    }

    /// Task data.
    #[inline]
    pub(super) fn t(&self, task: TaskId) -> &TaskSched {
        &self.tasks[task.index()]
    }

    /// Task data, to change.
    #[inline]
    pub(super) fn t_mut(&mut self, task: TaskId) -> &mut TaskSched {
        &mut self.tasks[task.index()]
    }

    /// Whether the task is queued by the fair class.
    #[inline]
    pub(super) fn is_fair(&self, task: TaskId) -> bool {
        !self.t(task).class.is_rt()
    }

    /// `set_task_rq`: points the entity at the queues of its group on `cpu`.
    pub(super) fn set_task_rq(&mut self, group: GroupId, task: TaskId, cpu: CpuId) {
        let queue = self.queue(group, cpu);
        let parent = self.has_entities(group).then(|| self.group_entity(group, cpu));
        let depth = parent.map_or(0, |parent| self.e(parent).depth + 1);
        let entity = self.task_entity(task);
        let entity = self.e_mut(entity);
        entity.queue = queue;
        entity.parent = parent;
        entity.depth = depth;
    }

    /// `set_load_weight` and the priority.
    pub(super) fn set_load_weight(&mut self, k: &Kernel, task: TaskId) {
        let (class, nice_level, rt_priority) = {
            let task = k.task(task);
            (task.class, task.nice, task.rt_priority)
        };
        let load = match class {
            SchedClass::Fifo | SchedClass::Rr => {
                LoadWeight { weight: nice::weight(-20) * 2, inverse: nice::inverse(-20) >> 1 }
            }
            SchedClass::Idle => LoadWeight { weight: self.version.idle_weight.0, inverse: self.version.idle_weight.1 },
            SchedClass::Normal | SchedClass::Batch | SchedClass::Iso => {
                LoadWeight { weight: nice::weight(nice_level), inverse: nice::inverse(nice_level) }
            }
        };
        let entity = self.task_entity(task);
        self.e_mut(entity).load = load;
        let prio = if class.is_rt() { 99 - rt_priority.clamp(0, 99) } else { (120 + i16::from(nice_level)) as u8 };
        let sched = self.t_mut(task);
        sched.class = class;
        sched.prio = prio;
    }

    /// A blank entity for table rows that are not in use.
    pub(super) fn blank_entity(&self) -> SchedEntity {
        SchedEntity::new(QueueId(0))
    }
}

/// Groups so that children come before their parents, the newest child first (`walk_tg_tree` on the way up).
fn walk_order(groups: &[TaskGroup]) -> Vec<GroupId> {
    fn visit(groups: &[TaskGroup], group: GroupId, order: &mut Vec<GroupId>) {
        for child in (0..groups.len()).rev() {
            if groups[child].parent == Some(group) && child != 0 {
                visit(groups, GroupId(child as u16), order);
            }
        }
        order.push(group);
    }
    let mut order = Vec::new();
    visit(groups, GroupId::ROOT, &mut order);
    order
}
