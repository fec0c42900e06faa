//! Attempts at balancing: from ticks, about to idle, and by the migration thread.

use super::groups::{Busiest, Search};
use super::{Kind, LoadUnit, RunQueues};
use crate::kernel::Kernel;
use crate::machine::topology::SchedDomain;
use crate::queues::load_mover::{Moved, Pull};
use crate::units::{CpuId, CpuMask};

/// What an attempt at one domain came to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Attempt {
    Nothing,
    /// Tasks were pulled, or a sibling is busy: the CPU no longer counts as idle.
    Busy,
    /// Another CPU of the group balances.
    NotMine,
}

/// The part of `scheduler_tick` that balances (a softirq since 2.6.20): after the tick of the running task.
pub fn rebalance_tick<Q: RunQueues>(q: &mut Q, k: &mut Kernel, cpu: CpuId) {
    let load = q.weighted_load(cpu);
    q.balancing_mut().update_cpu_load(cpu, load);
    let idle = match q.balancing().version.idle_by_curr {
        true => k.curr(cpu).is_none(),
        false => q.nr_running(cpu) == 0,
    };
    let kind = if idle { Kind::Idle } else { Kind::NotIdle };
    match q.balancing().era.nr_cpus_in_tick {
        Some(nr_cpus) => rebalance_in_tick(q, k, cpu, kind, nr_cpus),
        None => rebalance_in_softirq(q, k, cpu, kind),
    }
}

/// `rebalance_tick` up to 2.6.19.
fn rebalance_in_tick<Q: RunQueues>(q: &mut Q, k: &mut Kernel, cpu: CpuId, mut kind: Kind, nr_cpus: u32) {
    let jiffies = k.jiffies() + q.balancing().hz * u64::from(cpu.0) / u64::from(nr_cpus);
    let topology = q.balancing().topology.clone();
    for (level, domain) in topology.domains(cpu).iter().enumerate() {
        let state = q.balancing_mut().domain(cpu, level);
        let factor = if kind == Kind::Idle { 1 } else { state.params.busy_factor };
        let (ms, last_balance) = (state.interval_ms * factor, state.last_balance);
        let interval = q.balancing().jiffies_from_ms(ms).max(1);
        if jiffies - last_balance >= interval {
            if load_balance(q, k, cpu, (level, domain), kind) == Attempt::Busy {
                kind = Kind::NotIdle;
            }
            q.balancing_mut().domain(cpu, level).last_balance += interval;
        }
    }
}

/// `rebalance_domains`.
fn rebalance_in_softirq<Q: RunQueues>(q: &mut Q, k: &mut Kernel, cpu: CpuId, mut kind: Kind) {
    let jiffies = k.jiffies();
    if jiffies < q.balancing().cpus[cpu.index()].next_balance {
        return;
    }
    let topology = q.balancing().topology.clone();
    let mut next_balance = jiffies + 60 * q.balancing().hz;
    for (level, domain) in topology.domains(cpu).iter().enumerate() {
        let state = q.balancing_mut().domain(cpu, level);
        let factor = if kind == Kind::Idle { 1 } else { state.params.busy_factor };
        let (ms, last_balance) = (state.interval_ms * factor, state.last_balance);
        let interval = q.balancing().jiffies_from_ms(ms).max(1);
        let mut attempt = Attempt::Nothing;
        if jiffies >= last_balance + interval {
            attempt = load_balance(q, k, cpu, (level, domain), kind);
            if attempt == Attempt::Busy {
                kind = Kind::NotIdle;
            }
            q.balancing_mut().domain(cpu, level).last_balance = jiffies;
        }
        next_balance = next_balance.min(q.balancing_mut().domain(cpu, level).last_balance + interval);
        if attempt == Attempt::NotMine {
            break;
        }
    }
    q.balancing_mut().cpus[cpu.index()].next_balance = next_balance;
}

fn search<'a, Q: RunQueues>(q: &mut Q, this: CpuId, level: usize, domain: &'a SchedDomain, kind: Kind) -> Search<'a> {
    let params = q.balancing_mut().domain(this, level).params;
    Search {
        domain,
        params,
        this,
        kind,
        candidates: CpuMask::ALL,
        siblings_idle: kind != Kind::NotIdle && params.share_cpupower,
        one_per_group: kind != Kind::NewlyIdle && q.balancing().era.one_per_group,
    }
}

fn pull_order<Q: RunQueues>(q: &mut Q, from: CpuId, search: &Search<'_>, level: usize, amount: u64) -> Pull {
    let (tasks_max, load_max) = match q.balancing().era.load {
        LoadUnit::Weight => (q.nr_running(from) - 1, amount),
        LoadUnit::Biased | LoadUnit::Count => (amount.min(u64::from(u32::MAX)) as u32, u64::MAX),
    };
    let cache_hot_ns = search.params.cache_hot_ns.unwrap_or(q.balancing().version.cache_hot_ns);
    let state = q.balancing_mut().domain(search.this, level);
    let takes_hot = state.nr_failed > state.params.cache_nice_tries;
    Pull { from, to: search.this, tasks_max, load_max, takes_hot, cache_hot_ns }
}

/// `load_balance` of one domain, from a tick.
fn load_balance<Q: RunQueues>(
    q: &mut Q,
    k: &mut Kernel,
    this: CpuId,
    (level, domain): (usize, &SchedDomain),
    kind: Kind,
) -> Attempt {
    let mut search = search(q, this, level, domain, kind);
    let mut all_pinned = false;
    let unbalanced = loop {
        let (group, amount) = match search.busiest_group(q, k) {
            Busiest::NotMine => {
                balanced(q, this, level, all_pinned);
                return Attempt::NotMine;
            }
            Busiest::Balanced => break None,
            Busiest::Group(group, amount) => (group, amount),
        };
        let Some(busiest) = search.busiest_queue(q, k, group, amount) else { break None };
        let mut moved = Moved::default();
        if q.nr_running(busiest) > 1 {
            let pull = pull_order(q, busiest, &search, level, amount);
            moved = q.move_tasks(k, pull);
            all_pinned = moved.all_pinned;
            if all_pinned {
                if !q.balancing().era.retries_pinned {
                    break None;
                }
                search.candidates.remove(busiest);
                continue;
            }
        }
        break Some((busiest, moved.tasks));
    };
    let moved = match unbalanced {
        Some((_, moved)) if moved > 0 => {
            let state = q.balancing_mut().domain(this, level);
            state.nr_failed = 0;
            state.interval_ms = state.params.min_interval_ms;
            true
        }
        Some((busiest, _)) => {
            failed(q, k, this, level, busiest);
            false
        }
        None => {
            balanced(q, this, level, all_pinned);
            false
        }
    };
    if moved || search.sibling_busy() { Attempt::Busy } else { Attempt::Nothing }
}

fn balanced<Q: RunQueues>(q: &mut Q, this: CpuId, level: usize, all_pinned: bool) {
    let state = q.balancing_mut().domain(this, level);
    state.nr_failed = 0;
    state.double_interval(all_pinned);
}

/// An imbalance was found but nothing could be moved: after some failures the busy CPU's migration thread is to push.
fn failed<Q: RunQueues>(q: &mut Q, k: &mut Kernel, this: CpuId, level: usize, busiest: CpuId) {
    let state = q.balancing_mut().domain(this, level);
    state.nr_failed += 1;
    if state.nr_failed <= state.params.cache_nice_tries + 2 {
        state.interval_ms = state.params.min_interval_ms;
        return;
    }
    // The idle task is bound to its CPU.
    let allowed = k.curr(busiest).is_some_and(|curr| k.task(curr).affinity.contains(this));
    if !allowed {
        state.double_interval(true);
        return;
    }
    state.nr_failed = state.params.cache_nice_tries + 1;
    let starts = q.balancing().cpus[busiest.index()].push_to.is_none();
    let state = q.balancing_mut().domain(this, level);
    if !starts {
        state.interval_ms = state.params.min_interval_ms;
        return;
    }
    if state.interval_ms < state.params.max_interval_ms {
        state.interval_ms *= 2;
    }
    q.balancing_mut().cpus[busiest.index()].push_to = Some(this);
    if let Some(thread) = k.wake_migration_thread(busiest) {
        q.activate_migration_thread(k, thread, this);
    }
}

/// `idle_balance`: `cpu` is about to idle. The caller looks at its queue again afterwards.
pub fn idle_balance<Q: RunQueues>(q: &mut Q, k: &mut Kernel, cpu: CpuId) {
    let topology = q.balancing().topology.clone();
    let mut next_balance = k.jiffies() + 60 * q.balancing().hz;
    for (level, domain) in topology.domains(cpu).iter().enumerate() {
        if !q.balancing_mut().domain(cpu, level).params.newidle {
            continue;
        }
        let pulled = balance_newidle(q, k, cpu, (level, domain));
        let state = q.balancing_mut().domain(cpu, level);
        let (last, ms) = (state.last_balance, state.interval_ms);
        let interval = match q.balancing().version.newidle_ms_as_jiffies {
            true => ms,
            false => q.balancing().jiffies_from_ms(ms),
        };
        next_balance = next_balance.min(last + interval);
        if pulled {
            return;
        }
    }
    q.balancing_mut().cpus[cpu.index()].next_balance = next_balance;
}

/// `load_balance_newidle`. True if tasks came or a sibling is busy.
fn balance_newidle<Q: RunQueues>(
    q: &mut Q,
    k: &mut Kernel,
    this: CpuId,
    (level, domain): (usize, &SchedDomain),
) -> bool {
    let mut search = search(q, this, level, domain, Kind::NewlyIdle);
    loop {
        let found = match search.busiest_group(q, k) {
            Busiest::Group(group, amount) => search.busiest_queue(q, k, group, amount).map(|cpu| (cpu, amount)),
            Busiest::NotMine | Busiest::Balanced => None,
        };
        let Some((busiest, amount)) = found else {
            if search.sibling_busy() {
                return true;
            }
            q.balancing_mut().domain(this, level).nr_failed = 0;
            return false;
        };
        if q.nr_running(busiest) <= 1 {
            return search.sibling_busy();
        }
        let pull = pull_order(q, busiest, &search, level, amount);
        if q.move_tasks(k, pull).tasks > 0 {
            q.balancing_mut().domain(this, level).nr_failed = 0;
            return true;
        }
        if !q.balancing().era.retries_pinned {
            return search.sibling_busy();
        }
        search.candidates.remove(busiest);
    }
}

/// `active_load_balance`: the migration thread of `cpu` runs and hands one task to the CPU that asked.
pub fn active_load_balance<Q: RunQueues>(q: &mut Q, k: &mut Kernel, cpu: CpuId) {
    let Some(to) = q.balancing_mut().cpus[cpu.index()].push_to.take() else { return };
    if q.nr_running(cpu) <= 1 {
        return;
    }
    let topology = q.balancing().topology.clone();
    let Some(level) = topology.domains(to).iter().position(|domain| domain.span.contains(cpu)) else { return };
    let version = q.balancing().version;
    let state = q.balancing_mut().domain(to, level);
    let takes_hot = state.nr_failed > state.params.cache_nice_tries;
    let load_max = version.push_load_max;
    let cache_hot_ns = state.params.cache_hot_ns.unwrap_or(version.cache_hot_ns);
    q.move_tasks(k, Pull { from: cpu, to, tasks_max: 1, load_max, takes_hot, cache_hot_ns });
}
