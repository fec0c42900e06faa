//! Push and pull: how real-time tasks find a CPU (`sched_rt.c` of 2.6.25 and later, `kernel/sched/rt.c`). The rule is
//! global: the best tasks run, wherever their affinities let them. A CPU that has a task too many pushes it to where the
//! priority is lowest; a CPU whose own priority falls asks those that have one too many.
//!
//! Queues and their order are the family's, as is the moment of each call.

use crate::kernel::Kernel;
use crate::units::{CpuId, CpuMask, TaskId};

/// Why a real-time task moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RtMove {
    /// Its CPU has better work than it (`push_rt_task`).
    Pushed,
    /// Another CPU ran out of such work (`pull_rt_task`).
    Pulled,
}

/// A real-time class with a queue per CPU. Priorities are the kernel's numbers: smaller is better.
pub trait RtClass {
    /// Priority of the best real-time task queued on `cpu`, the running one included; worse than all of them if there is
    /// none (`highest_prio.curr`, which `cpupri` mirrors).
    fn best_prio(&self, cpu: CpuId) -> u8;

    /// Priority of a task of any class.
    fn prio(&self, k: &Kernel, task: TaskId) -> u8;

    /// Whether a task waits on `cpu` that may move (`rto_mask`).
    fn is_overloaded(&self, cpu: CpuId) -> bool;

    /// Best waiting task of `cpu` that may run on more than one CPU, `to` among them if given.
    fn pushable(&self, k: &Kernel, cpu: CpuId, to: Option<CpuId>) -> Option<TaskId>;

    /// CPUs of the domains around `cpu` in which wakeups pull tasks (`SD_WAKE_AFFINE`), nearest first.
    fn wake_domains(&self, k: &Kernel, cpu: CpuId) -> impl Iterator<Item = CpuMask>;

    /// One CPU of a mask that is not empty, chosen on CPU `by`.
    fn any_cpu(&mut self, mask: &CpuMask, by: CpuId) -> CpuId;

    /// Moves a waiting task onto the queue of `to`, without a reschedule.
    fn move_task(&mut self, k: &mut Kernel, task: TaskId, to: CpuId, how: RtMove);

    /// `resched_curr`.
    fn resched(&mut self, k: &mut Kernel, cpu: CpuId);
}

/// `cpupri_find`: the allowed CPUs with the lowest priority, if that is below the task's; else none.
pub fn lowest_cpus(class: &impl RtClass, k: &Kernel, task: TaskId) -> CpuMask {
    let mut worst = class.prio(k, task);
    let mut lowest = CpuMask::EMPTY;
    for cpu in k.task(task).affinity.iter().take_while(|cpu| cpu.0 < k.cpus()) {
        let here = class.best_prio(cpu);
        if here > worst {
            worst = here;
            lowest = CpuMask::EMPTY;
        }
        if here == worst && worst > class.prio(k, task) {
            lowest.insert(cpu);
        }
    }
    lowest
}

/// `find_lowest_rq`: of those, the one where the task is; else one in the smallest domain around that, at best the CPU
/// `by` that searches.
pub fn find_lowest_rq(class: &mut impl RtClass, k: &Kernel, task: TaskId, by: CpuId) -> Option<CpuId> {
    if k.task(task).affinity.count() < 2 {
        return None;
    }
    let lowest = lowest_cpus(class, k, task);
    let own = k.task(task).cpu;
    if lowest.is_empty() || lowest.contains(own) {
        return (!lowest.is_empty()).then_some(own);
    }
    let near = class.wake_domains(k, own).map(|span| span.and(&lowest)).find(|near| !near.is_empty());
    let choice = near.unwrap_or(lowest);
    Some(if choice.contains(by) { by } else { class.any_cpu(&choice, by) })
}

/// `push_rt_task`: sends the best waiting task of `cpu` away, if it cannot run there now. Whether it went.
fn push_rt_task(class: &mut impl RtClass, k: &mut Kernel, cpu: CpuId, by: CpuId, how: RtMove) -> bool {
    if !class.is_overloaded(cpu) {
        return false;
    }
    let Some(task) = class.pushable(k, cpu, None) else { return false };
    if k.curr(cpu).is_none_or(|curr| class.prio(k, task) < class.prio(k, curr)) {
        // It came meanwhile and is better than what runs.
        class.resched(k, cpu);
        return false;
    }
    let Some(to) = find_lowest_rq(class, k, task, by).filter(|&to| to != cpu) else { return false };
    class.move_task(k, task, to, how);
    class.resched(k, to);
    true
}

/// `push_rt_tasks`: until nobody can be sent away. CPU `by` does it. Each CPU takes one at most, as the tasks get worse.
pub fn push_rt_tasks(class: &mut impl RtClass, k: &mut Kernel, cpu: CpuId, by: CpuId) {
    while push_rt_task(class, k, cpu, by, RtMove::Pushed) {}
}

/// `tell_cpu_to_push` (RT_PUSH_IPI, 4.1 and later): instead of pulling, every other CPU that has a task too many is told
/// to push. One pass in order of numbers; the kernel's second finds what the first left.
pub fn tell_cpus_to_push(class: &mut impl RtClass, k: &mut Kernel, cpu: CpuId) {
    for source in (0..k.cpus()).map(CpuId).filter(|&source| source != cpu) {
        while push_rt_task(class, k, source, source, RtMove::Pulled) {}
    }
}

/// `pull_rt_task` before RT_PUSH_IPI: fetches from each other CPU its best task, if that is better than all there is here.
pub fn pull_rt_task(class: &mut impl RtClass, k: &mut Kernel, cpu: CpuId) {
    for source in (0..k.cpus()).map(CpuId).filter(|&source| source != cpu) {
        if !class.is_overloaded(source) {
            continue;
        }
        let Some(task) = class.pushable(k, source, Some(cpu)) else { continue };
        let prio = class.prio(k, task);
        // It is about to run where it is.
        let wins_there = k.curr(source).is_none_or(|curr| prio < class.prio(k, curr));
        if prio < class.best_prio(cpu) && !wins_there {
            class.move_task(k, task, cpu, RtMove::Pulled);
        }
    }
}
