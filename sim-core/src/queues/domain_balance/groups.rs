//! `find_busiest_group` and `find_busiest_queue`: who gives, and how much.

use super::{DomainParams, Kind, LOAD_SCALE, LoadUnit, RunQueues, source_load, target_load};
use crate::kernel::Kernel;
use crate::machine::topology::SchedDomain;
use crate::units::{CpuId, CpuMask};

/// Sums over one group of a domain.
#[derive(Clone, Copy, Default)]
pub(super) struct GroupLoad {
    pub(super) index: usize,
    pub(super) power: u64,
    /// Load relative to power.
    pub(super) load: u64,
    pub(super) nr_running: u64,
    pub(super) weight: u64,
}

/// Outcome of `find_busiest_group`.
pub(super) enum Busiest {
    /// This CPU is not the one that balances here.
    NotMine,
    Balanced,
    /// A group and the weight (2.6.15: number of tasks) to move.
    Group(usize, u64),
}

pub(super) struct Search<'a> {
    pub(super) domain: &'a SchedDomain,
    pub(super) params: DomainParams,
    pub(super) this: CpuId,
    pub(super) kind: Kind,
    /// CPUs not found pinned yet.
    pub(super) candidates: CpuMask,
    /// All CPUs of an SMT domain idle (`sd_idle`).
    pub(super) siblings_idle: bool,
    /// Only one CPU of the own group balances; not asked when going idle.
    pub(super) one_per_group: bool,
}

impl Search<'_> {
    /// `find_busiest_group`.
    pub(super) fn busiest_group<Q: RunQueues>(&mut self, q: &Q, k: &Kernel) -> Busiest {
        let index = match self.kind {
            Kind::NotIdle => self.params.busy_idx,
            Kind::NewlyIdle => self.params.newidle_idx,
            Kind::Idle => self.params.idle_idx,
        };
        let in_tasks = q.balancing().era.load != LoadUnit::Weight;
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
                let guess = if is_own { target_load::<Q> } else { source_load::<Q> };
                load += guess(q, cpu, index, self.kind);
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
            } else if sum.load > busiest.load && (in_tasks || sum.nr_running > sum.power / LOAD_SCALE) {
                busiest = sum;
                found = true;
            }
        }
        if !found || own.load >= busiest.load {
            return Busiest::Balanced;
        }
        let average = LOAD_SCALE * total_load / total_power;
        let imbalance = if in_tasks { imbalance_in_tasks } else { imbalance };
        match imbalance(&own, &busiest, average, self.params.imbalance_pct) {
            0 => Busiest::Balanced,
            amount => Busiest::Group(busiest.index, amount),
        }
    }

    /// `find_busiest_queue`.
    pub(super) fn busiest_queue<Q: RunQueues>(
        &self,
        q: &Q,
        k: &mut Kernel,
        group: usize,
        amount: u64,
    ) -> Option<CpuId> {
        let by_weight = q.balancing().era.load == LoadUnit::Weight;
        let (mut busiest, mut load_max) = (None, 0);
        for cpu in self.domain.groups[group].and(&self.candidates).iter() {
            k.charge(self.this, crate::machine::cost::Work::CpuProbed, 1);
            let load = source_load(q, cpu, 0, self.kind);
            if by_weight && q.nr_running(cpu) == 1 && load > amount {
                continue;
            }
            if load > load_max {
                (busiest, load_max) = (Some(cpu), load);
            }
        }
        busiest
    }

    /// An SMT domain with a busy sibling answers "not idle" to the next level.
    pub(super) fn sibling_busy(&self) -> bool {
        !self.siblings_idle && self.params.share_cpupower
    }
}

/// Second half of `find_busiest_group`: the weight to move, 0 = balanced.
pub(super) fn imbalance(own: &GroupLoad, busiest: &GroupLoad, average: u64, imbalance_pct: u64) -> u64 {
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
    if gains_throughput(own, busiest, per_task, own_per_task) { per_task } else { 0 }
}

/// Whether moving load of `per_task` lets both groups together do more work.
fn gains_throughput(own: &GroupLoad, busiest: &GroupLoad, per_task: u64, own_per_task: u64) -> bool {
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
    power_then / LOAD_SCALE > power_now
}

/// Second half of `find_busiest_group` before load weights: the number of tasks to move, 0 = balanced.
pub(super) fn imbalance_in_tasks(own: &GroupLoad, busiest: &GroupLoad, average: u64, imbalance_pct: u64) -> u64 {
    if busiest.load <= LOAD_SCALE || own.load >= average || 100 * busiest.load <= imbalance_pct * own.load {
        return 0;
    }
    let pull = busiest.load.saturating_sub(average).min(busiest.load - LOAD_SCALE);
    let amount = (pull * busiest.power).min((average - own.load) * own.power) / LOAD_SCALE;
    if amount >= LOAD_SCALE {
        return amount / LOAD_SCALE;
    }
    let worth = busiest.load - own.load >= 2 * LOAD_SCALE || gains_throughput(own, busiest, LOAD_SCALE, LOAD_SCALE);
    u64::from(worth)
}
