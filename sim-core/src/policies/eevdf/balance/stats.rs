//! How loaded a group of CPUs is (`sg_lb_stats`), and of what type that makes it.

use super::super::Fair;
use super::super::pelt::SCALE;
use crate::kernel::Kernel;
use crate::machine::cost::Work;
use crate::units::{CpuId, CpuMask};

/// `group_type`, from the one to leave alone to the one to relieve first. Not modelled: misfit tasks, asymmetric packing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum GroupType {
    /// Can take more.
    #[default]
    HasSpare,
    /// All CPUs busy, nobody waits for long.
    FullyBusy,
    /// A lower level could not balance because of affinities.
    Imbalanced,
    /// More tasks than CPUs, and they want more than there is.
    Overloaded,
}

/// Sums over the CPUs of a group.
#[derive(Clone, Copy, Debug, Default)]
pub struct GroupStats {
    /// Sum of CPU loads.
    pub load: i64,
    /// Sum of utilisations, each at most [`SCALE`].
    pub util: i64,
    /// Sum of runnable averages.
    pub runnable: i64,
    /// Runnable tasks.
    pub nr_running: u32,
    /// Runnable fair tasks.
    pub h_nr_running: u32,
    /// Idle CPUs.
    pub idle_cpus: u32,
    /// CPUs.
    pub weight: u32,
    /// What their real-time tasks leave of them (`group_capacity`), [`SCALE`] for each without.
    pub capacity: i64,
    /// Type.
    pub kind: GroupType,
}

impl GroupStats {
    /// `avg_load`: load by capacity, [`SCALE`] = one CPU's worth per CPU.
    pub fn average(&self) -> i64 {
        self.load * SCALE as i64 / self.capacity
    }

    /// `group_has_capacity`.
    fn has_capacity(&self, percent: i64) -> bool {
        self.nr_running < self.weight
            || (self.capacity * percent >= self.runnable * 100 && self.capacity * 100 > self.util * percent)
    }

    /// `group_is_overloaded`.
    fn is_overloaded(&self, percent: i64) -> bool {
        self.nr_running > self.weight
            && (self.capacity * 100 < self.util * percent || self.capacity * percent < self.runnable * 100)
    }

    /// `group_classify`.
    pub fn classify(&mut self, percent: i64, imbalanced: bool) {
        self.kind = match () {
            () if self.is_overloaded(percent) => GroupType::Overloaded,
            () if imbalanced => GroupType::Imbalanced,
            () if !self.has_capacity(percent) => GroupType::FullyBusy,
            () => GroupType::HasSpare,
        };
    }
}

impl Fair {
    /// Sums over `group`, classified without regard to imbalances below; `by` pays for the look.
    pub(in super::super) fn group_stats(&self, k: &mut Kernel, group: &CpuMask, percent: i64, by: CpuId) -> GroupStats {
        let mut stats = GroupStats::default();
        for cpu in group.iter() {
            let queue = &self.queues[self.root(cpu)];
            let avg = &queue.tracked.avg;
            let nr = self.nr_running(cpu);
            stats.weight += 1;
            stats.capacity += self.capacity_of(cpu);
            stats.load += avg.load_avg;
            stats.util += self.cpu_util(cpu);
            stats.runnable += avg.runnable_avg;
            stats.nr_running += nr;
            stats.h_nr_running += queue.h_nr;
            stats.idle_cpus += u32::from(nr == 0 && k.curr(cpu).is_none());
        }
        k.charge(by, Work::CpuProbed, u64::from(stats.weight));
        stats.classify(percent, false);
        stats
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(cpus: u32, nr: u32, util: i64, runnable: i64) -> GroupType {
        let capacity = i64::from(cpus) * SCALE as i64;
        let mut stats = GroupStats { weight: cpus, capacity, nr_running: nr, util, runnable, ..GroupStats::default() };
        stats.classify(117, false);
        stats.kind
    }

    #[test]
    fn types_follow_tasks_and_what_they_use() {
        assert_eq!(kind(2, 1, 1024, 1024), GroupType::HasSpare, "a CPU is free");
        assert_eq!(kind(2, 2, 2048, 2048), GroupType::FullyBusy);
        assert_eq!(kind(2, 3, 2048, 3072), GroupType::Overloaded);
        let half = GroupStats { weight: 1, capacity: SCALE as i64 / 2, load: 1024, ..GroupStats::default() };
        assert_eq!(half.average(), 2048, "a task on half a CPU weighs twice");
        assert_eq!(kind(2, 3, 600, 700), GroupType::HasSpare, "more tasks than CPUs, but they mostly sleep");
    }
}
