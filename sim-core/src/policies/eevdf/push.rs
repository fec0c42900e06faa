//! Real-time tasks on several CPUs: where they wake, and when they are pushed and pulled. The search and the moves are
//! those of every kernel since 2.6.25 (`queues/rt_balance.rs`); these kernels keep a list of the tasks that may move,
//! tell other CPUs to push instead of pulling themselves, and spread equal choices.

use super::rt::level;
use super::schedule::Running;
use super::{Fair, Why};
use crate::kernel::Kernel;
use crate::machine::cost::Work;
use crate::queues::rt_balance::{self, RtClass, RtMove};
use crate::units::{CpuId, CpuMask, TaskId};

/// `highest_prio` of a CPU without real-time tasks, and the priority of a fair task (`MAX_RT_PRIO - 1`, `DEFAULT_PRIO`).
const NO_RT: u8 = 99;
const FAIR: u8 = 120;

/// A task's part.
#[derive(Clone, Copy, Debug, Default)]
pub struct RtTask {
    /// Where it stands in `pushable_tasks` of its CPU.
    pushable: Option<u8>,
    /// The move that brought it here, until it runs.
    arrived: Option<Arrival>,
}

#[derive(Clone, Copy, Debug)]
struct Arrival {
    how: RtMove,
    from: CpuId,
    /// `rt_priority` of the task that kept it from running there.
    behind: u8,
}

impl Fair {
    /// `enqueue_pushable_task`: a waiting task that may run elsewhere, behind its equals.
    pub(super) fn make_pushable(&mut self, k: &Kernel, cpu: CpuId, task: TaskId) {
        self.withdraw_pushable(cpu, task);
        if !self.smp || is_pinned(k, task) {
            return;
        }
        let level = level(k.task(task).rt_priority);
        self.rt[cpu.index()].pushable.push_back(&mut self.rt_push_links, level, task);
        self.rt_tasks[task.index()].pushable = Some(level);
    }

    /// `dequeue_pushable_task`.
    pub(super) fn withdraw_pushable(&mut self, cpu: CpuId, task: TaskId) {
        if let Some(level) = self.rt_tasks[task.index()].pushable.take() {
            self.rt[cpu.index()].pushable.remove(&mut self.rt_push_links, level, task);
        }
    }

    /// Whether a real-time task of this priority can do nothing about `curr` (part of `select_task_rq_rt` and
    /// `task_woken_rt`): that is at least as good, or cannot go away.
    fn holds_its_cpu(&self, k: &Kernel, curr: Option<TaskId>, task: TaskId) -> bool {
        match self.running(k, curr) {
            Running::Idle | Running::Fair(_) => false,
            Running::Rt(curr) => is_pinned(k, curr) || self.prio(k, curr) <= self.prio(k, task),
            Running::Stop => true,
        }
    }

    /// `select_task_rq_rt` on CPU `by`: `cpu`, unless a task that stays runs there and another CPU has a lower priority.
    pub(super) fn select_task_rq_rt(&mut self, k: &mut Kernel, task: TaskId, cpu: CpuId, by: CpuId) -> CpuId {
        if !self.holds_its_cpu(k, k.curr(cpu), task) {
            return cpu;
        }
        k.charge(by, Work::CpuProbed, 1);
        let target = rt_balance::find_lowest_rq(self, k, task, by);
        target.filter(|&target| self.prio(k, task) < self.best_prio(target)).unwrap_or(cpu)
    }

    /// `check_preempt_equal_prio`: an equal that cannot go elsewhere displaces a running one that can.
    pub(super) fn preempts_equal(&mut self, k: &mut Kernel, cpu: CpuId, curr: TaskId, task: TaskId) {
        let movable = |task| !is_pinned(k, task) && !rt_balance::lowest_cpus(self, k, task).is_empty();
        if !self.smp || k.need_resched(cpu) || !movable(curr) || movable(task) {
            return;
        }
        let level = level(k.task(task).rt_priority);
        let array = &mut self.rt[cpu.index()].array;
        array.remove(&mut self.rt_links, level, task);
        array.push_front(&mut self.rt_links, level, task);
        k.resched_curr(cpu);
    }

    /// `task_woken_rt`: it neither runs nor will soon, so something is pushed away at once. The waker's CPU does it where
    /// it shares the cache, else the task's own (`ttwu_queue`).
    #[inline]
    pub(super) fn task_woken_rt(&mut self, k: &mut Kernel, cpu: CpuId, task: TaskId, waker: CpuId) {
        if self.smp
            && k.task(task).class.is_rt()
            && !k.need_resched(cpu)
            && !is_pinned(k, task)
            && self.holds_its_cpu(k, k.curr(cpu), task)
        {
            let by = if self.shares_cache(waker, cpu) { waker } else { cpu };
            rt_balance::push_rt_tasks(self, k, cpu, by);
        }
    }

    /// `balance_rt`: the priority of this CPU falls because its real-time task blocks. Others are asked after the switch.
    pub(super) fn balance_rt(&mut self, k: &Kernel, cpu: CpuId, blocked: Running) {
        let prio = match blocked {
            Running::Rt(task) => self.prio(k, task),
            Running::Stop => 0,
            Running::Idle | Running::Fair(_) => return,
        };
        self.rt[cpu.index()].asks |= self.smp && self.best_prio(cpu) > prio;
    }

    /// After `schedule()`, also when the same task goes on: its own tasks first (`balance_callbacks`), then what others
    /// send when asked.
    #[inline]
    pub(super) fn after_schedule(&mut self, k: &mut Kernel, cpu: CpuId) {
        let rt = &mut self.rt[cpu.index()];
        let asks = std::mem::take(&mut rt.asks);
        if rt.pushable.nr_active() > 0 && matches!(self.running(k, k.curr(cpu)), Running::Rt(_)) {
            rt_balance::push_rt_tasks(self, k, cpu, cpu);
        }
        if asks {
            rt_balance::tell_cpus_to_push(self, k, cpu);
        }
    }

    /// `switched_from_rt`, `switched_to_rt` and `prio_changed_rt` of a queued task; `old` is its priority before.
    pub(super) fn rt_changed(&mut self, k: &mut Kernel, task: TaskId, old: u8, running: bool) {
        let cpu = k.task(task).cpu;
        let (was_rt, is_rt) = (old < FAIR, k.task(task).class.is_rt());
        if !self.smp || !(was_rt || is_rt) {
            return;
        }
        if running && is_rt && !was_rt {
            self.age_rt(k, cpu, false);
        }
        let falls = if is_rt { running && self.prio(k, task) > old } else { self.rt[cpu.index()].is_empty() };
        if was_rt && falls {
            rt_balance::tell_cpus_to_push(self, k, cpu);
        } else if is_rt && !was_rt && !running && !is_pinned(k, task) {
            rt_balance::push_rt_tasks(self, k, cpu, cpu);
        }
    }

    /// Priority of a task before a change to this class and `rt_priority`.
    pub(super) fn rt_prio(is_rt: bool, rt_priority: u8) -> u8 {
        if is_rt { level(rt_priority) } else { FAIR }
    }

    /// Moves a waiting task to the queue of another CPU; `by` pays.
    pub(super) fn move_rt(&mut self, k: &mut Kernel, task: TaskId, to: CpuId, by: CpuId) {
        k.charge(by, Work::Migrated, 1);
        self.remove_rt(k.task(task).cpu, task, k.task(task).rt_priority);
        k.set_task_cpu(task, to);
        self.attach(k, task, to);
        self.enqueue_rt(k, task);
    }

    /// Why a real-time task is picked: the move that brought it here is told once.
    pub(super) fn explain_rt(&mut self, k: &mut Kernel, task: TaskId) {
        let own = i64::from(k.task(task).rt_priority);
        match self.rt_tasks[task.index()].arrived.take() {
            None => k.explain(Why::RealTime, [own, 0, 0]),
            Some(Arrival { how, from, behind }) => {
                let why = if how == RtMove::Pushed { Why::RtPushed } else { Why::RtPulled };
                k.explain(why, [own, i64::from(from.0), i64::from(behind)]);
            }
        }
    }

    /// Asserts that exactly the waiting tasks that may move are listed.
    pub(super) fn check_pushable(&self, k: &Kernel) {
        for (rt, cpu) in self.rt.iter().zip(k.topology().cpu_ids()) {
            rt.array.check(&self.rt_links);
            rt.pushable.check(&self.rt_push_links);
            for (level, task) in rt.array.iter(&self.rt_links) {
                let movable = self.smp && !is_pinned(k, task) && k.curr(cpu) != Some(task);
                let listed = self.rt_tasks[task.index()].pushable;
                assert_eq!(listed, movable.then_some(level), "task {} and the pushable list of {cpu}", task.0);
            }
            assert!(rt.pushable.nr_active() <= rt.len(), "pushable tasks of {cpu} that are not queued");
        }
    }
}

/// Only one CPU is allowed (`nr_cpus_allowed == 1`).
fn is_pinned(k: &Kernel, task: TaskId) -> bool {
    k.task(task).affinity.count() < 2
}

impl RtClass for Fair {
    fn best_prio(&self, cpu: CpuId) -> u8 {
        self.rt[cpu.index()].array.first().map_or(NO_RT, |(level, _)| level)
    }

    fn prio(&self, k: &Kernel, task: TaskId) -> u8 {
        match self.running(k, Some(task)) {
            Running::Stop => 0,
            Running::Rt(task) => level(k.task(task).rt_priority),
            Running::Idle | Running::Fair(_) => FAIR,
        }
    }

    fn is_overloaded(&self, cpu: CpuId) -> bool {
        let rt = &self.rt[cpu.index()];
        rt.pushable.nr_active() > 0 && (rt.len() > 1 || self.version.since_6_7)
    }

    fn pushable(&self, k: &Kernel, cpu: CpuId, to: Option<CpuId>) -> Option<TaskId> {
        let mut waiting = self.rt[cpu.index()].pushable.iter(&self.rt_push_links).map(|(_, task)| task);
        waiting.find(|&task| to.is_none_or(|to| k.task(task).affinity.contains(to)))
    }

    fn wake_domains(&self, k: &Kernel, cpu: CpuId) -> impl Iterator<Item = CpuMask> {
        k.topology().domains(cpu).iter().map(|domain| domain.span)
    }

    /// `cpumask_any_and_distribute`: each CPU goes on behind its last choice.
    fn any_cpu(&mut self, mask: &CpuMask, by: CpuId) -> CpuId {
        let last = &mut self.rt[by.index()].last_choice;
        *last = mask.next(last.0 + 1).or(mask.next(0)).expect("a CPU to choose");
        *last
    }

    fn move_task(&mut self, k: &mut Kernel, task: TaskId, to: CpuId, how: RtMove) {
        let from = k.task(task).cpu;
        let behind = k.curr(from).map_or(0, |curr| k.task(curr).rt_priority);
        self.move_rt(k, task, to, from);
        self.rt_tasks[task.index()].arrived = Some(Arrival { how, from, behind });
    }

    fn resched(&mut self, k: &mut Kernel, cpu: CpuId) {
        k.resched_curr(cpu);
    }
}
