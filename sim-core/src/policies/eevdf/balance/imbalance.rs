//! Who is busiest, and how much of what is to move (`find_busiest_group`, `calculate_imbalance`, `find_busiest_queue`).

use super::super::Fair;
use super::super::pelt::SCALE;
use super::Idle;
use super::stats::{GroupStats, GroupType};
use crate::kernel::Kernel;
use crate::machine::topology::{DomainLevel, SchedDomain};
use crate::units::{CpuId, CpuMask};

/// NUMA nodes may differ by so many tasks while they have room (`NUMA_IMBALANCE_MIN`).
const NUMA_SLACK: i64 = 2;

/// What moves (`migration_type`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Moves {
    Load,
    Util,
    Tasks,
}

/// How much is to move, and from which group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Imbalance {
    pub moves: Moves,
    pub amount: i64,
    pub group: CpuMask,
}

impl Imbalance {
    pub(super) fn counts_tasks(&self) -> bool {
        self.moves == Moves::Tasks
    }
}

/// Sums over the whole domain.
struct Domain<'a> {
    local: &'a GroupStats,
    busiest: &'a GroupStats,
    /// Load by capacity of all.
    average: i64,
    idle: Idle,
    prefer_sibling: bool,
    shares_cache: bool,
    numa: bool,
}

impl Domain<'_> {
    /// `calculate_imbalance`.
    fn imbalance(&self) -> (Moves, i64) {
        let (local, busiest) = (self.local, self.busiest);
        if busiest.kind == GroupType::Imbalanced {
            return (Moves::Tasks, 1);
        }
        if local.kind == GroupType::HasSpare {
            if busiest.kind > GroupType::FullyBusy && !self.shares_cache {
                let spare = (local.capacity - local.util).max(0);
                if self.idle != Idle::Not && spare == 0 {
                    return (Moves::Tasks, 1);
                }
                return (Moves::Util, spare);
            }
            let tasks = if busiest.weight == 1 || self.prefer_sibling {
                (i64::from(busiest.nr_running) - i64::from(local.nr_running)).max(0) / 2
            } else {
                (i64::from(local.idle_cpus) - i64::from(busiest.idle_cpus)).max(0) / 2
            };
            let few = local.nr_running < busiest.weight / 4;
            return (Moves::Tasks, if self.numa && few && tasks <= NUMA_SLACK { 0 } else { tasks });
        }
        let (here, there) = (local.average(), busiest.average());
        if local.kind < GroupType::Overloaded && (here >= there || here >= self.average) {
            return (Moves::Load, 0);
        }
        let away = (there - self.average) * busiest.capacity;
        let room = (self.average - here) * local.capacity;
        (Moves::Load, away.min(room) / SCALE as i64)
    }

    /// Whether nothing needs to move (`out_balanced` of `find_busiest_group`).
    fn is_balanced(&self, percent: i64) -> bool {
        let (local, busiest) = (self.local, self.busiest);
        if busiest.kind == GroupType::Imbalanced {
            return false;
        }
        if local.kind > busiest.kind {
            return true;
        }
        if local.kind == GroupType::Overloaded {
            let (here, there) = (local.average(), busiest.average());
            if here >= there || here >= self.average || 100 * there <= percent * here {
                return true;
            }
        }
        if self.prefer_sibling && local.kind == GroupType::HasSpare && busiest.nr_running > local.nr_running + 1 {
            return false;
        }
        if busiest.kind != GroupType::Overloaded {
            return self.idle == Idle::Not
                || (busiest.weight > 1 && local.idle_cpus <= busiest.idle_cpus + 1)
                || busiest.h_nr_running == 1;
        }
        false
    }
}

/// `update_sd_pick_busiest`.
fn is_busier(stats: &GroupStats, best: Option<&GroupStats>) -> bool {
    if stats.h_nr_running == 0 {
        return false;
    }
    let Some(best) = best else { return true };
    match stats.kind.cmp(&best.kind) {
        std::cmp::Ordering::Greater => true,
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Equal => match stats.kind {
            GroupType::Overloaded => stats.average() > best.average(),
            GroupType::Imbalanced | GroupType::FullyBusy => false,
            GroupType::HasSpare => {
                stats.idle_cpus < best.idle_cpus
                    || (stats.idle_cpus == best.idle_cpus && stats.nr_running > best.nr_running)
            }
        },
    }
}

impl Fair {
    /// `find_busiest_group`; `None`: the domain is balanced.
    pub(super) fn find_busiest_group(
        &mut self,
        k: &mut Kernel,
        cpu: CpuId,
        level: usize,
        domain: &SchedDomain,
        cpus: &CpuMask,
        idle: Idle,
    ) -> Option<Imbalance> {
        let state = self.balance.cpus[cpu.index()].domains[level];
        if level == 0 {
            self.update_capacity(cpu);
        }
        let mut local = GroupStats::default();
        let mut busiest: Option<(GroupStats, CpuMask)> = None;
        let (mut load, mut capacity, mut util, mut overload) = (0, 0, 0, false);
        for group in &domain.groups {
            let mut stats = self.group_stats(k, &group.and(cpus), state.percent, cpu);
            if stats.weight == 0 {
                continue;
            }
            load += stats.load;
            capacity += stats.capacity;
            util += stats.util;
            overload |= stats.nr_running > stats.weight || (stats.weight > 1 && self.holds_two(group));
            if group.contains(cpu) {
                local = stats;
                continue;
            }
            let below = group.next(0).is_some_and(|first| {
                self.balance.cpus[first.index()].domains.get(level).is_some_and(|domain| domain.imbalanced)
            });
            stats.classify(state.percent, below);
            if is_busier(&stats, busiest.as_ref().map(|(best, _)| best)) {
                busiest = Some((stats, *group));
            }
        }
        if level + 1 == self.balance.cpus[cpu.index()].domains.len() {
            self.balance.overload = overload;
        }
        if idle != Idle::Newly {
            self.limit_idle_scan(cpu, state.weight, util, state.percent);
        }
        let (busiest, group) = busiest?;
        let view = Domain {
            local: &local,
            busiest: &busiest,
            average: load * SCALE as i64 / capacity,
            idle,
            prefer_sibling: state.prefer_sibling,
            shares_cache: state.shares_cache,
            numa: domain.level == DomainLevel::Numa,
        };
        if view.is_balanced(state.percent) {
            return None;
        }
        let (moves, amount) = view.imbalance();
        (amount > 0).then_some(Imbalance { moves, amount, group })
    }

    /// Whether a CPU of the group has more than one task.
    fn holds_two(&self, group: &CpuMask) -> bool {
        group.iter().any(|cpu| self.nr_running(cpu) > 1)
    }

    /// `update_idle_cpu_scan` (6.0 and later): the busier a cache, the fewer of its CPUs a wakeup looks at.
    fn limit_idle_scan(&mut self, cpu: CpuId, weight: u32, util: i64, percent: i64) {
        let cache = self.balance.cache_of[cpu.index()];
        let cache = &mut self.balance.caches[cache];
        if weight != cache.span.count() {
            return;
        }
        let average = util / i64::from(weight);
        let used = (average * average * percent * percent / (10_000 * SCALE as i64)).min(SCALE as i64);
        cache.idle_scan = ((SCALE as i64 - used) * i64::from(weight) / SCALE as i64) as u32;
    }

    /// `find_busiest_queue`: the CPU of the busiest group with most of what is to move.
    pub(super) fn find_busiest_queue(&self, imbalance: &Imbalance, cpus: &CpuMask, percent: i64) -> Option<CpuId> {
        // How much, in relation to which capacity.
        let mut best: Option<(i64, i64, CpuId)> = None;
        for cpu in imbalance.group.and(cpus).iter() {
            let avg = &self.queues[self.root(cpu)].tracked.avg;
            let nr = self.nr_running(cpu);
            if nr == 0 {
                continue;
            }
            let capacity = if imbalance.moves == Moves::Load { self.capacity_of(cpu) } else { 1 };
            let much = match imbalance.moves {
                Moves::Load if nr == 1 && avg.load_avg > imbalance.amount && !self.is_reduced(cpu, percent) => continue,
                Moves::Load => avg.load_avg,
                Moves::Util if nr <= 1 => continue,
                Moves::Util => self.boosted_cpu_util(cpu),
                Moves::Tasks => i64::from(self.queues[self.root(cpu)].h_nr),
            };
            if best.map_or(much > 0, |(most, its_capacity, _)| much * its_capacity > most * capacity) {
                best = Some((much, capacity, cpu));
            }
        }
        best.map(|(_, _, cpu)| cpu)
    }
}
