//! The CPU of a woken and of a new task.

use super::{Kind, LOAD_SCALE, RunQueues, load_per_task, source_load, target_load};
use crate::kernel::Kernel;
use crate::machine::topology::SchedDomain;
use crate::units::{CpuId, CpuMask, TaskId};

/// A wakeup, as the choice of the CPU sees it.
#[derive(Clone, Copy, Debug)]
pub struct Wakeup {
    /// Who wakes up.
    pub task: TaskId,
    /// Its `load_weight`.
    pub weight: u64,
    /// CPU that executes the wakeup.
    pub by: CpuId,
    /// Weight of the waker if it promises to sleep at once, else 0.
    pub sync_weight: u64,
}

/// The CPU part of `try_to_wake_up`: where the woken task is queued.
pub fn wake_cpu<Q: RunQueues>(q: &Q, k: &Kernel, wakeup: &Wakeup) -> CpuId {
    let prev = k.task(wakeup.task).cpu;
    let allowed = k.task(wakeup.task).affinity;
    let mut chosen = prev;
    if wakeup.by != prev && allowed.contains(wakeup.by) && wakes_affine(q, wakeup, prev) {
        chosen = wakeup.by;
    }
    wake_idle(q, k, chosen, &allowed)
}

/// Whether the task is woken to the waker's CPU instead of its own.
fn wakes_affine<Q: RunQueues>(q: &Q, wakeup: &Wakeup, prev: CpuId) -> bool {
    let balancing = q.balancing();
    let this = wakeup.by;
    let Some(level) = balancing.topology.domains(this).iter().position(|domain| domain.span.contains(prev)) else {
        return true;
    };
    let params = &balancing.cpus[this.index()].domains[level].params;
    let percent = 100 + (params.imbalance_pct - 100) / 2;
    let load = source_load(q, prev, params.wake_idx, Kind::NotIdle);
    let this_load = target_load(q, this, params.wake_idx, Kind::NotIdle);
    if params.wake_affine {
        let rest = this_load.saturating_sub(wakeup.sync_weight);
        let one_task = load_per_task(q, this);
        if (rest <= load && rest + target_load(q, prev, params.wake_idx, Kind::NotIdle) <= one_task)
            || 100 * (rest + wakeup.weight) <= percent * load
        {
            return true;
        }
    }
    params.wake_balance && percent * this_load <= 100 * load
}

/// `wake_idle`: an idle SMT sibling instead of a busy thread.
fn wake_idle<Q: RunQueues>(q: &Q, k: &Kernel, cpu: CpuId, allowed: &CpuMask) -> CpuId {
    let balancing = q.balancing();
    if k.curr(cpu).is_none() || (balancing.era.wake_idle_needs_one && q.nr_running(cpu) > 1) {
        return cpu;
    }
    for (level, domain) in balancing.topology.domains(cpu).iter().enumerate() {
        if !balancing.cpus[cpu.index()].domains[level].params.wake_idle {
            break;
        }
        if let Some(idle) = domain.span.and(allowed).iter().find(|&cpu| k.curr(cpu).is_none()) {
            return idle;
        }
    }
    cpu
}

/// `sched_balance_self` for a fork by a task on `cpu`: where the child begins. Searches the domains that balance forks.
pub fn fork_cpu<Q: RunQueues>(q: &Q, k: &Kernel, child: TaskId, cpu: CpuId) -> CpuId {
    balance_self(q, k, child, cpu, |cpu, level| q.balancing().cpus[cpu.index()].domains[level].params.balance_fork)
}

/// The same for an exec, which every domain balances (`SD_BALANCE_EXEC`): a program that a scenario starts.
pub fn exec_cpu<Q: RunQueues>(q: &Q, k: &Kernel, task: TaskId, cpu: CpuId) -> CpuId {
    balance_self(q, k, task, cpu, |_, _| true)
}

/// `sched_balance_self`: walks down from the highest domain that has the flag.
fn balance_self<Q: RunQueues>(
    q: &Q,
    k: &Kernel,
    task: TaskId,
    mut cpu: CpuId,
    balances: impl Fn(CpuId, usize) -> bool,
) -> CpuId {
    let allowed = k.task(task).affinity;
    let topology = &q.balancing().topology;
    let mut levels = topology.domains(cpu).len();
    while let Some(level) = (0..levels).rev().find(|&level| balances(cpu, level)) {
        let domain = &topology.domains(cpu)[level];
        levels = level;
        let Some(group) = idlest_group(q, &allowed, cpu, (level, domain)) else { continue };
        let load = |cpu: CpuId| source_load(q, cpu, 0, Kind::NotIdle);
        let idlest = group.and(&allowed).iter().min_by_key(|&other| (load(other), other != cpu, other));
        let Some(idlest) = idlest.filter(|&idlest| idlest != cpu) else { continue };
        cpu = idlest;
        // Domains of the new CPU that are smaller than the one just searched.
        let span = domain.span.count();
        levels = topology.domains(cpu).iter().take_while(|domain| domain.span.count() < span).count();
    }
    cpu
}

/// `find_idlest_group`: the least loaded group if it is clearly better than the own one.
fn idlest_group<Q: RunQueues>(
    q: &Q,
    allowed: &CpuMask,
    cpu: CpuId,
    (level, domain): (usize, &SchedDomain),
) -> Option<CpuMask> {
    let params = &q.balancing().cpus[cpu.index()].domains[level].params;
    let (mut own, mut least) = (0, None);
    for (number, group) in domain.groups.iter().enumerate() {
        if group.and(allowed).is_empty() {
            continue;
        }
        let guess = if number == 0 { source_load::<Q> } else { target_load::<Q> };
        let load: u64 = group.iter().map(|cpu| guess(q, cpu, params.forkexec_idx, Kind::NotIdle)).sum();
        let load = load * LOAD_SCALE / q.balancing().group_power(domain.level, group);
        if number == 0 {
            own = load;
        } else if least.is_none_or(|(least, _)| load < least) {
            least = Some((load, *group));
        }
    }
    let (load, group) = least?;
    let percent = 100 + (params.imbalance_pct - 100) / 2;
    (100 * own >= percent * load).then_some(group)
}
