//! Finding the busiest group and CPU of a sched domain, and how much load to move (`find_busiest_group`).

use super::Cfs;
use super::version::SmallFuzz;
use crate::kernel::Kernel;
use crate::machine::cost::Work;
use crate::queues::nice::NICE_0_LOAD;
use crate::units::{CpuId, CpuMask};

/// State of the CPU that balances.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CpuIdle {
    /// It runs a task.
    Busy,
    /// It idles and ticks.
    Idle,
    /// It is about to idle.
    NewlyIdle,
}

/// Answer of `find_busiest_group`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Busiest {
    /// Another CPU of the own group balances this domain.
    NotMine,
    /// No imbalance.
    Balanced,
    /// Move so much load out of this group.
    Group(CpuMask, u64),
}

/// Load of a group.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stats {
    /// Load per unit of power.
    pub average: u64,
    pub nr_running: u64,
    /// Sum of `rq.load`, later per task.
    pub per_task: u64,
    pub power: u64,
    pub imbalanced: bool,
}

/// Sums over a domain.
#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    load: u64,
    power: u64,
}

/// One group looked at.
struct Seen {
    stats: Stats,
    load: u64,
    capacity: u64,
    balance_cpu: Option<CpuId>,
}

impl Cfs {
    /// `find_busiest_group`. `cpus`: those not given up yet; `all_idle`: cleared if a CPU seen runs something.
    pub(super) fn find_busiest_group(
        &mut self,
        k: &mut Kernel,
        this: CpuId,
        level: usize,
        idle: CpuIdle,
        cpus: &CpuMask,
        all_idle: &mut bool,
    ) -> Busiest {
        let params = self.domains[this.index()][level].params;
        let index = match idle {
            CpuIdle::Busy => params.busy_idx,
            CpuIdle::Idle => params.idle_idx,
            CpuIdle::NewlyIdle => params.newidle_idx,
        };
        let mut totals = Totals::default();
        let mut own = Stats::default();
        let mut busiest: Option<(CpuMask, Stats)> = None;
        for nr in 0..self.domains[this.index()][level].groups.len() {
            let group = self.domains[this.index()][level].groups[nr];
            let seen = self.look_at_group(k, this, level, &group, nr == 0, index, cpus, all_idle);
            if idle != CpuIdle::NewlyIdle && nr == 0 && seen.balance_cpu != Some(this) {
                return Busiest::NotMine;
            }
            totals.load += seen.load;
            totals.power += seen.stats.power;
            if nr == 0 {
                own = seen.stats;
            } else if seen.stats.average > busiest.map_or(0, |(_, stats)| stats.average)
                && (seen.stats.nr_running > seen.capacity || seen.stats.imbalanced)
            {
                busiest = Some((group, seen.stats));
            }
        }
        let Some((group, max)) = busiest else { return Busiest::Balanced };
        if own.average >= max.average || max.nr_running == 0 {
            return Busiest::Balanced;
        }
        let average = NICE_0_LOAD * totals.load / totals.power.max(1);
        if own.average >= average || 100 * max.average <= params.imbalance_pct * own.average {
            return Busiest::Balanced;
        }
        let mut max = max;
        max.per_task /= max.nr_running;
        if max.imbalanced {
            max.per_task = max.per_task.min(average);
        }
        if max.average <= max.per_task {
            return Busiest::Balanced;
        }
        let idle_per_task = self.cpu_avg_load_per_task(this);
        let fuzz = self.version.small_fuzz;
        let amount = imbalance(&own, &max, average, fuzz, idle_per_task, &|value, power| self.div_power(value, power));
        Busiest::Group(group, amount)
    }

    #[allow(clippy::too_many_arguments)]
    fn look_at_group(
        &mut self,
        k: &mut Kernel,
        this: CpuId,
        level: usize,
        group: &CpuMask,
        local: bool,
        index: usize,
        cpus: &CpuMask,
        all_idle: &mut bool,
    ) -> Seen {
        let mut balance_cpu = group.next(0);
        if local && self.version.dynamic_power && balance_cpu == Some(this) {
            self.update_group_power(this, level);
        }
        let mut first_idle = false;
        let (mut load_sum, mut nr_running, mut weighted, mut per_task_sum) = (0, 0, 0, 0);
        let (mut max, mut min) = (0, u64::MAX);
        for cpu in group.and(cpus).iter() {
            if self.rq(cpu).nr_running > 0 {
                *all_idle = false;
            }
            let load = if local {
                if k.curr(cpu).is_none() && !first_idle {
                    first_idle = true;
                    balance_cpu = Some(cpu);
                }
                self.target_load(cpu, index)
            } else {
                let load = self.source_load(cpu, index);
                max = load.max(max);
                min = load.min(min);
                load
            };
            load_sum += load;
            nr_running += self.rq(cpu).nr_running;
            weighted += self.rq(cpu).load;
            if !self.version.prio_preference {
                per_task_sum += self.cpu_avg_load_per_task(cpu);
            }
            k.charge(this, Work::CpuProbed, 1);
        }
        let power = self.group_power(level, group);
        let tolerance = if self.version.prio_preference {
            NICE_0_LOAD
        } else {
            2 * self.div_power(per_task_sum * NICE_0_LOAD, power)
        };
        let mut capacity = power / NICE_0_LOAD;
        if self.version.dynamic_power {
            capacity = (power + NICE_0_LOAD / 2) / NICE_0_LOAD;
            if self.domains[this.index()][level].child_prefers_sibling {
                capacity = capacity.min(1);
            }
        }
        Seen {
            stats: Stats {
                average: self.div_power(load_sum * NICE_0_LOAD, power),
                nr_running,
                per_task: weighted,
                power,
                imbalanced: max > min && max - min > tolerance,
            },
            load: load_sum,
            capacity,
            balance_cpu,
        }
    }

    /// `find_busiest_queue`: the CPU of the group with the largest load, unless its only task is too heavy.
    pub(super) fn find_busiest_queue(&self, group: &CpuMask, amount: u64, cpus: &CpuMask) -> Option<CpuId> {
        let mut busiest = None;
        let mut max = 0;
        for cpu in group.and(cpus).iter() {
            let rq = self.rq(cpu);
            let mut load = rq.load;
            let mut has_capacity = true;
            if self.version.dynamic_power {
                let power = self.power_of(cpu).max(1);
                has_capacity = (power + NICE_0_LOAD / 2) / NICE_0_LOAD > 0;
                load = load * NICE_0_LOAD / power;
            }
            if has_capacity && rq.nr_running == 1 && load > amount {
                continue;
            }
            if load > max {
                max = load;
                busiest = Some(cpu);
            }
        }
        busiest
    }
}

/// How much load to move from the group `max` to the group `own`, 0 if moving gains nothing.
pub(super) fn imbalance(
    own: &Stats,
    max: &Stats,
    average: u64,
    fuzz: SmallFuzz,
    idle_per_task: u64,
    div_power: &dyn Fn(u64, u64) -> u64,
) -> u64 {
    let mut amount = 0;
    if max.average >= average {
        // Not so much that the busiest group would idle.
        let pull = (max.average - average).min(max.average - max.per_task);
        amount = (pull * max.power).min((average - own.average) * own.power) / NICE_0_LOAD;
        if amount >= max.per_task {
            return amount;
        }
    }
    if small_imbalance(own, max, fuzz, idle_per_task, div_power) { max.per_task } else { amount }
}

/// Whether moving one task of average weight is worth it although the imbalance is smaller than that.
fn small_imbalance(
    own: &Stats,
    max: &Stats,
    fuzz: SmallFuzz,
    idle_per_task: u64,
    div_power: &dyn Fn(u64, u64) -> u64,
) -> bool {
    let own_average = own.per_task.checked_div(own.nr_running);
    let factor = if own_average.is_some_and(|own_average| max.per_task > own_average) { 1 } else { 2 };
    let own_per_task = own_average.unwrap_or(idle_per_task);
    let fuzz = match fuzz {
        SmallFuzz::Scale => NICE_0_LOAD,
        SmallFuzz::TwoTasks => 2 * max.per_task,
        SmallFuzz::OneTask => max.per_task,
    };
    if max.average - own.average + fuzz >= max.per_task * factor {
        return true;
    }
    // Throughput that the two groups give now, and after the move.
    let now = max.power * max.per_task.min(max.average) + own.power * own_per_task.min(own.average);
    let taken = div_power(max.per_task * NICE_0_LOAD, max.power);
    let mut moved = if max.average > taken { max.power * max.per_task.min(max.average - taken) } else { 0 };
    let added = if max.average * max.power < max.per_task * NICE_0_LOAD {
        div_power(max.average * max.power, own.power)
    } else {
        div_power(max.per_task * NICE_0_LOAD, own.power)
    };
    moved += own.power * own_per_task.min(own.average + added);
    moved / NICE_0_LOAD > now / NICE_0_LOAD
}
