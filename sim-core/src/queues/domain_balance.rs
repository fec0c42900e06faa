//! Load balancing over sched domains as Linux 2.6.18 to 2.6.22 did it: `cpu_load`, `find_busiest_group`,
//! `find_busiest_queue`, `load_balance`, `idle_balance`, active balancing, and the choice of a CPU at wakeup.
//!
//! Not here: how tasks are queued and taken (the policy's [`RunQueues::move_tasks`]), fork and exec balancing, power
//! saving. Simplification: `sg_div_cpu_power` divides in 64 bits (2.6.22 multiplied by a 32-bit reciprocal).

use super::load_mover::{Moved, Pull};
use crate::kernel::Kernel;
use crate::machine::topology::{DomainLevel, SchedDomain, Topology};
use crate::units::{CpuId, CpuMask, Nanos, TaskId};
use std::sync::Arc;

/// `SCHED_LOAD_SCALE`: power of one CPU, and the weight per task of a CPU without tasks.
pub const LOAD_SCALE: u64 = 128;
/// `MAX_PINNED_INTERVAL`, ms.
const PINNED_INTERVAL_MAX_MS: u64 = 512;

/// Constants of a domain level (`SD_SIBLING_INIT`, `SD_CPU_INIT`, `SD_NODE_INIT`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DomainParams {
    /// Shortest interval between attempts, ms.
    pub min_interval_ms: u64,
    /// Longest, ms.
    pub max_interval_ms: u64,
    /// The interval of a busy CPU is so many times longer.
    pub busy_factor: u64,
    /// Smallest imbalance that counts, percent of the own load.
    pub imbalance_pct: u64,
    /// Failed attempts before cache-hot tasks are taken.
    pub cache_nice_tries: u32,
    /// Load index of a busy CPU.
    pub busy_idx: u8,
    /// Load index of an idle CPU.
    pub idle_idx: u8,
    /// Load index of a CPU that is about to idle.
    pub newidle_idx: u8,
    /// Load index at wakeup.
    pub wake_idx: u8,
    /// `SD_BALANCE_NEWIDLE`.
    pub newidle: bool,
    /// `SD_WAKE_AFFINE`.
    pub wake_affine: bool,
    /// `SD_WAKE_IDLE`.
    pub wake_idle: bool,
    /// `SD_WAKE_BALANCE`.
    pub wake_balance: bool,
    /// `SD_SHARE_CPUPOWER`.
    pub share_cpupower: bool,
}

/// Threads of a core (2.6.21).
pub const SMT_PARAMS: DomainParams = DomainParams {
    min_interval_ms: 1,
    max_interval_ms: 2,
    busy_factor: 64,
    imbalance_pct: 110,
    cache_nice_tries: 0,
    busy_idx: 0,
    idle_idx: 0,
    newidle_idx: 1,
    wake_idx: 0,
    newidle: true,
    wake_affine: true,
    wake_idle: true,
    wake_balance: false,
    share_cpupower: true,
};

/// Packages, or all CPUs of a flat machine (2.6.21).
pub const PHYS_PARAMS: DomainParams = DomainParams {
    min_interval_ms: 1,
    max_interval_ms: 4,
    busy_factor: 64,
    imbalance_pct: 125,
    cache_nice_tries: 1,
    busy_idx: 2,
    idle_idx: 1,
    newidle_idx: 2,
    wake_idx: 1,
    newidle: true,
    wake_affine: true,
    wake_idle: false,
    wake_balance: false,
    share_cpupower: false,
};

/// NUMA nodes (x86-64, 2.6.18).
pub const NUMA_PARAMS: DomainParams = DomainParams {
    min_interval_ms: 8,
    max_interval_ms: 32,
    busy_factor: 32,
    imbalance_pct: 125,
    cache_nice_tries: 2,
    busy_idx: 3,
    idle_idx: 2,
    newidle_idx: 0,
    wake_idx: 1,
    newidle: false,
    wake_affine: false,
    wake_idle: false,
    wake_balance: true,
    share_cpupower: false,
};

/// What the versions do differently.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BalanceVersion {
    /// A CPU that ticks is idle if its idle task runs (2.6.22), else if nothing is runnable on it.
    pub idle_by_curr: bool,
    /// Going idle, `balance_interval` ms are taken as jiffies (before 2.6.22).
    pub newidle_ms_as_jiffies: bool,
    /// Weight that active balancing may move.
    pub push_load_max: u64,
    /// `cache_hot_time`, ns: measured at boot since 2.6.16, one value for all levels here.
    pub cache_hot_ns: Nanos,
}

/// How busy the CPU is that balances.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Idle,
    NotIdle,
    NewlyIdle,
}

#[derive(Clone, Debug)]
struct DomainState {
    params: DomainParams,
    last_balance: u64,
    interval_ms: u64,
    nr_failed: u32,
}

#[derive(Clone, Debug)]
struct CpuState {
    cpu_load: [u64; 3],
    next_balance: u64,
    /// `push_cpu` while `active_balance` is set.
    push_to: Option<CpuId>,
    domains: Vec<DomainState>,
}

/// State of balancing on all CPUs.
#[derive(Clone, Debug)]
pub struct Balancing {
    version: BalanceVersion,
    topology: Arc<Topology>,
    hz: u64,
    cpus: Vec<CpuState>,
}

/// Run queues that can be balanced.
pub trait RunQueues {
    /// The state kept here.
    fn balancing(&self) -> &Balancing;
    /// The same, to change it.
    fn balancing_mut(&mut self) -> &mut Balancing;
    /// `raw_weighted_load`: sum of the weights of runnable tasks, the running one included.
    fn weighted_load(&self, cpu: CpuId) -> u64;
    /// Runnable tasks, the running one included.
    fn nr_running(&self, cpu: CpuId) -> u32;
    /// `move_tasks`; see [`super::load_mover::LoadMover`].
    fn move_tasks(&mut self, k: &mut Kernel, pull: Pull) -> Moved;
    /// `wake_up_process` of a migration thread that was asleep: queues it, tests preemption. `by` runs the wakeup.
    fn activate_migration_thread(&mut self, k: &mut Kernel, thread: TaskId, by: CpuId);
}

impl Balancing {
    /// Fresh state: nothing balanced yet, all loads 0.
    pub fn new(k: &Kernel, version: BalanceVersion) -> Balancing {
        let topology = k.topology_shared();
        let state = |cpu| CpuState {
            cpu_load: [0; 3],
            next_balance: 0,
            push_to: None,
            domains: topology.domains(cpu).iter().map(DomainState::new).collect(),
        };
        let cpus = topology.cpu_ids().map(state).collect();
        Balancing { version, hz: u64::from(k.hz()), cpus, topology }
    }

    /// The version's numbers, to be changed at run time.
    pub fn version_mut(&mut self) -> &mut BalanceVersion {
        &mut self.version
    }

    /// `cpu_load` of a CPU.
    pub fn cpu_load(&self, cpu: CpuId) -> [u64; 3] {
        self.cpus[cpu.index()].cpu_load
    }

    /// `update_load`, every tick: load averages over 1, 2 and 4 ticks, rounded up when they rise.
    pub fn update_cpu_load(&mut self, cpu: CpuId, load: u64) {
        for (i, old) in self.cpus[cpu.index()].cpu_load.iter_mut().enumerate() {
            *old = averaged(*old, load, i as u32);
        }
    }

    /// `msecs_to_jiffies`: rounded up.
    fn jiffies_from_ms(&self, ms: u64) -> u64 {
        (ms * self.hz).div_ceil(1000)
    }

    fn domain(&mut self, cpu: CpuId, level: usize) -> &mut DomainState {
        &mut self.cpus[cpu.index()].domains[level]
    }

    fn history(&self, cpu: CpuId, index: u8, now: u64) -> u64 {
        match index {
            0 => now,
            index => self.cpus[cpu.index()].cpu_load[usize::from(index) - 1],
        }
    }

    fn group_power(&self, level: DomainLevel, group: &CpuMask) -> u64 {
        match level {
            DomainLevel::Smt => LOAD_SCALE,
            DomainLevel::Phys | DomainLevel::Numa => {
                LOAD_SCALE * u64::from(group.count() / u32::from(self.topology.spec().threads)).max(1)
            }
        }
    }
}

impl DomainState {
    fn new(domain: &SchedDomain) -> DomainState {
        let params = match domain.level {
            DomainLevel::Smt => SMT_PARAMS,
            DomainLevel::Phys => PHYS_PARAMS,
            DomainLevel::Numa => NUMA_PARAMS,
        };
        DomainState { params, last_balance: 0, interval_ms: params.min_interval_ms, nr_failed: 0 }
    }

    fn double_interval(&mut self, all_pinned: bool) {
        if (all_pinned && self.interval_ms < PINNED_INTERVAL_MAX_MS) || self.interval_ms < self.params.max_interval_ms {
            self.interval_ms *= 2;
        }
    }
}

/// `source_load`: a guess on the low side.
fn source_load<Q: RunQueues>(q: &Q, cpu: CpuId, index: u8) -> u64 {
    let now = q.weighted_load(cpu);
    q.balancing().history(cpu, index, now).min(now)
}

/// `target_load`: a guess on the high side.
fn target_load<Q: RunQueues>(q: &Q, cpu: CpuId, index: u8) -> u64 {
    let now = q.weighted_load(cpu);
    q.balancing().history(cpu, index, now).max(now)
}

/// `cpu_avg_load_per_task`.
fn load_per_task<Q: RunQueues>(q: &Q, cpu: CpuId) -> u64 {
    match u64::from(q.nr_running(cpu)) {
        0 => LOAD_SCALE,
        n => q.weighted_load(cpu) / n,
    }
}

/// One step of a load average over 2^i ticks.
fn averaged(old: u64, load: u64, i: u32) -> u64 {
    let scale = 1u64 << i;
    let new = if load > old { load + scale - 1 } else { load };
    (old * (scale - 1) + new) >> i
}

/// Sums over one group of a domain.
#[derive(Clone, Copy, Default)]
struct GroupLoad {
    index: usize,
    power: u64,
    /// Load relative to power.
    load: u64,
    nr_running: u64,
    weight: u64,
}

/// Outcome of `find_busiest_group`.
enum Busiest {
    /// This CPU is not the one that balances here.
    NotMine,
    Balanced,
    /// A group and the weight to move.
    Group(usize, u64),
}

struct Search<'a> {
    domain: &'a SchedDomain,
    params: DomainParams,
    this: CpuId,
    kind: Kind,
    /// CPUs not found pinned yet.
    candidates: CpuMask,
    /// All CPUs of an SMT domain idle (`sd_idle`).
    siblings_idle: bool,
    /// Only one CPU of the own group balances; not asked when going idle.
    one_per_group: bool,
}

impl Search<'_> {
    /// `find_busiest_group`.
    fn busiest_group<Q: RunQueues>(&mut self, q: &Q, k: &Kernel) -> Busiest {
        let index = match self.kind {
            Kind::NotIdle => self.params.busy_idx,
            Kind::NewlyIdle => self.params.newidle_idx,
            Kind::Idle => self.params.idle_idx,
        };
        let (mut own, mut busiest) = (GroupLoad::default(), GroupLoad::default());
        let (mut total_load, mut total_power) = (0, 0);
        let mut found = false;
        for (number, group) in self.domain.groups.iter().enumerate() {
            let is_own = number == 0;
            let mut balances = if is_own { group.next(0) } else { None };
            let mut idle_found = false;
            let mut sum = GroupLoad { index: number, ..GroupLoad::default() };
            let mut load = 0;
            for cpu in group.and(&self.candidates).iter() {
                let idle = k.curr(cpu).is_none();
                self.siblings_idle &= idle;
                if is_own && idle && !idle_found {
                    idle_found = true;
                    balances = Some(cpu);
                }
                load += if is_own { target_load(q, cpu, index) } else { source_load(q, cpu, index) };
                sum.nr_running += u64::from(q.nr_running(cpu));
                sum.weight += q.weighted_load(cpu);
            }
            if is_own && self.one_per_group && balances != Some(self.this) {
                return Busiest::NotMine;
            }
            sum.power = q.balancing().group_power(self.domain.level, group);
            total_load += load;
            total_power += sum.power;
            sum.load = load * LOAD_SCALE / sum.power;
            if is_own {
                own = sum;
            } else if sum.load > busiest.load && sum.nr_running > sum.power / LOAD_SCALE {
                busiest = sum;
                found = true;
            }
        }
        if !found || own.load >= busiest.load {
            return Busiest::Balanced;
        }
        let average = LOAD_SCALE * total_load / total_power;
        match imbalance(&own, &busiest, average, self.params.imbalance_pct) {
            0 => Busiest::Balanced,
            amount => Busiest::Group(busiest.index, amount),
        }
    }

    /// `find_busiest_queue`.
    fn busiest_queue<Q: RunQueues>(&self, q: &Q, k: &mut Kernel, group: usize, amount: u64) -> Option<CpuId> {
        let (mut busiest, mut load_max) = (None, 0);
        for cpu in self.domain.groups[group].and(&self.candidates).iter() {
            k.charge(self.this, crate::machine::cost::Work::CpuProbed, 1);
            let load = q.weighted_load(cpu);
            if q.nr_running(cpu) == 1 && load > amount {
                continue;
            }
            if load > load_max {
                (busiest, load_max) = (Some(cpu), load);
            }
        }
        busiest
    }

    /// An SMT domain with a busy sibling answers "not idle" to the next level.
    fn sibling_busy(&self) -> bool {
        !self.siblings_idle && self.params.share_cpupower
    }
}

/// Second half of `find_busiest_group`: the weight to move, 0 = balanced.
fn imbalance(own: &GroupLoad, busiest: &GroupLoad, average: u64, imbalance_pct: u64) -> u64 {
    if own.load >= average || 100 * busiest.load <= imbalance_pct * own.load {
        return 0;
    }
    let per_task = busiest.weight / busiest.nr_running;
    if busiest.load <= per_task {
        return 0;
    }
    if busiest.load >= average {
        let pull = (busiest.load - average).min(busiest.load - per_task);
        let amount = (pull * busiest.power).min((average - own.load) * own.power) / LOAD_SCALE;
        if amount >= per_task {
            return amount;
        }
    }
    // The rest decides whether moving one task is worth it.
    let (own_per_task, factor) = match own.nr_running {
        0 => (LOAD_SCALE, 2),
        n => (own.weight / n, if per_task > own.weight / n { 1 } else { 2 }),
    };
    if busiest.load - own.load >= per_task * factor {
        return per_task;
    }
    let power_now = (busiest.power * per_task.min(busiest.load) + own.power * own_per_task.min(own.load)) / LOAD_SCALE;
    let taken = per_task * LOAD_SCALE / busiest.power;
    let mut power_then = 0;
    if busiest.load > taken {
        power_then += busiest.power * per_task.min(busiest.load - taken);
    }
    let added = if busiest.load * busiest.power < per_task * LOAD_SCALE {
        busiest.load * busiest.power / own.power
    } else {
        per_task * LOAD_SCALE / own.power
    };
    power_then += own.power * own_per_task.min(own.load + added);
    if power_then / LOAD_SCALE <= power_now { 0 } else { per_task }
}

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
    let jiffies = k.jiffies();
    if jiffies < q.balancing().cpus[cpu.index()].next_balance {
        return;
    }
    let topology = q.balancing().topology.clone();
    let idle = match q.balancing().version.idle_by_curr {
        true => k.curr(cpu).is_none(),
        false => q.nr_running(cpu) == 0,
    };
    let mut kind = if idle { Kind::Idle } else { Kind::NotIdle };
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
        one_per_group: kind != Kind::NewlyIdle,
    }
}

fn pull_order<Q: RunQueues>(q: &mut Q, from: CpuId, search: &Search<'_>, level: usize, amount: u64) -> Pull {
    let (tasks_max, cache_hot_ns) = (q.nr_running(from) - 1, q.balancing().version.cache_hot_ns);
    let state = q.balancing_mut().domain(search.this, level);
    let takes_hot = state.nr_failed > state.params.cache_nice_tries;
    Pull { from, to: search.this, tasks_max, load_max: amount, takes_hot, cache_hot_ns }
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
    q.move_tasks(k, Pull { from: cpu, to, tasks_max: 1, load_max, takes_hot, cache_hot_ns: version.cache_hot_ns });
}

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
    let load = source_load(q, prev, params.wake_idx);
    let this_load = target_load(q, this, params.wake_idx);
    if params.wake_affine {
        let rest = this_load.saturating_sub(wakeup.sync_weight);
        let one_task = load_per_task(q, this);
        if (rest <= load && rest + target_load(q, prev, params.wake_idx) <= one_task)
            || 100 * (rest + wakeup.weight) <= percent * load
        {
            return true;
        }
    }
    params.wake_balance && percent * this_load <= 100 * load
}

/// `wake_idle`: an idle SMT sibling instead of a busy thread.
fn wake_idle<Q: RunQueues>(q: &Q, k: &Kernel, cpu: CpuId, allowed: &CpuMask) -> CpuId {
    if k.curr(cpu).is_none() {
        return cpu;
    }
    let balancing = q.balancing();
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

#[cfg(test)]
mod tests {
    use super::*;

    fn group(nr_running: u64, weight: u64) -> GroupLoad {
        GroupLoad { index: 0, power: LOAD_SCALE, load: nr_running * weight, nr_running, weight: nr_running * weight }
    }

    fn weight_to_move(busiest: GroupLoad, own: GroupLoad) -> u64 {
        imbalance(&own, &busiest, (own.load + busiest.load) / 2, 125)
    }

    #[test]
    fn one_task_moves_from_three_to_one_but_none_from_two_to_one() {
        assert_eq!(weight_to_move(group(3, 128), group(1, 128)), 128);
        assert_eq!(weight_to_move(group(2, 128), group(1, 128)), 0);
        assert_eq!(weight_to_move(group(2, 128), GroupLoad { power: LOAD_SCALE, ..GroupLoad::default() }), 128);
    }

    #[test]
    fn a_nice_0_task_joins_a_nice_19_task() {
        assert_eq!(weight_to_move(group(2, 128), group(1, 6)), 128);
    }

    #[test]
    fn cpu_load_follows_over_one_two_and_four_ticks_and_rounds_up() {
        let mut loads = [0u64; 3];
        let mut seen = Vec::new();
        for _ in 0..8 {
            for (i, old) in loads.iter_mut().enumerate() {
                *old = averaged(*old, 256, i as u32);
            }
            seen.push(loads);
        }
        assert_eq!(seen[0], [256, 128, 64]);
        assert_eq!(seen[1], [256, 192, 112]);
        assert_eq!(seen[2], [256, 224, 148]);
        assert_eq!(seen[7], [256, 255, 232]);
    }
}
