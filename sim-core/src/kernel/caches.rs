//! Caches: what a task that comes back finds of its working set.
//!
//! A cache remembers in which order tasks last ran on it. Between two turns of a task the others have touched so many
//! KiB; pages lie in the cache by chance, so a set has taken in a binomially distributed number of their lines, and a
//! line of the task is gone where that number reaches what the set had left for others (Hill and Smith, "Evaluating
//! associativity in CPU caches", 1989, get miss ratios of sets from stack distances in the same way).

use super::Kernel;
use crate::machine::cost::{CacheSpec, CostTable, TimeKind, crowding};
use crate::machine::topology::TopologySpec;
use crate::units::{CpuId, Nanos, TaskId};
use std::sync::Arc;

/// Others' lines are counted in sixteenths of a way.
const PIECES: u16 = 16;
/// Rows of the table of chances: 64 times as many lines of others as a way holds. Beyond, everything is gone.
const ROWS: usize = 1 << 10;
/// Tasks that a cache remembers.
const REMEMBERED: usize = 1 << 10;

/// One cache.
#[derive(Clone, Debug)]
struct Cache {
    spec: CacheSpec,
    /// See [`crowding`].
    crowded: Arc<[u32]>,
    /// Tasks with their working sets in KiB, the last to run first.
    recent: Vec<(TaskId, u32)>,
}

impl Cache {
    fn of(spec: CacheSpec, count: usize) -> Vec<Cache> {
        if spec.kib == 0 || spec.ways == 0 {
            return Vec::new();
        }
        let crowded: Arc<[u32]> = crowding(PIECES, spec.ways, ROWS).into();
        let one = || Cache { spec, crowded: crowded.clone(), recent: Vec::with_capacity(REMEMBERED) };
        (0..count).map(|_| one()).collect()
    }

    /// A task with a working set of `kib` uses the cache: what must be fetched, ns. `warm`: its lines were here.
    fn touch(&mut self, task: TaskId, kib: u32, warm: bool) -> Nanos {
        match self.recent.first_mut() {
            Some(first) if first.0 == task && warm => return 0,
            _ => {}
        }
        let mut others = 0u64;
        let found = self.recent.iter().position(|&(other, other_kib)| {
            others += if other == task { 0 } else { u64::from(other_kib) };
            other == task
        });
        match found {
            Some(place) => self.recent[..=place].rotate_right(1),
            None => {
                if self.recent.len() == REMEMBERED {
                    self.recent.pop();
                }
                self.recent.insert(0, (task, kib));
            }
        }
        self.recent[0].1 = kib;
        let missing = if found.is_some() && warm { self.missing(u64::from(kib), others) } else { u64::from(kib) << 16 };
        (missing * self.spec.ns_per_kib) >> 16
    }

    /// What is gone of `own` KiB after others have touched `others` KiB, in KiB / 65536.
    fn missing(&self, own: u64, others: u64) -> u64 {
        let (kib, ways) = (u64::from(self.spec.kib), u64::from(self.spec.ways));
        let own = own.min(kib);
        let own_ways = (own * ways).div_ceil(kib).clamp(1, ways);
        let row = (others * ways * u64::from(PIECES) / kib).min(ROWS as u64 - 1);
        let chance = u64::from(self.crowded[(row * ways + ways - own_ways) as usize]);
        // A line that came in has pushed out one line at most.
        (own * chance).min(others << 16)
    }
}

/// All caches.
#[derive(Clone, Debug)]
pub(super) struct Caches {
    l1: Vec<Cache>,
    l2: Vec<Cache>,
    cpus_per_l2: u16,
}

impl Caches {
    pub(super) fn new(costs: &CostTable, topology: &TopologySpec) -> Self {
        let whole = topology.cores * topology.threads;
        let cpus_per_l2 = if topology.cache_cpus == 0 { whole } else { topology.cache_cpus }.max(1);
        let cpus = topology.cpus();
        Caches {
            l1: Cache::of(costs.l1, usize::from(cpus)),
            l2: Cache::of(costs.l2, usize::from(cpus.div_ceil(cpus_per_l2))),
            cpus_per_l2,
        }
    }
}

impl Kernel {
    /// `prev` leaves `cpu` and `next` comes: charges what `next` must fetch.
    pub(super) fn refill_caches(&mut self, cpu: CpuId, prev: Option<TaskId>, next: Option<TaskId>) {
        let Caches { l1, l2, cpus_per_l2 } = &mut self.caches;
        if l1.is_empty() && l2.is_empty() {
            return;
        }
        let shared_by = *cpus_per_l2;
        let cache_of = |cpu: CpuId| usize::from(cpu.0 / shared_by);
        let footprint = |kernel_kib: u32, kib: u32| kernel_kib + kib;
        let task_kib = self.costs.task_kib;
        if let Some(prev) = prev
            && shared_by > 1
            && let Some(cache) = l2.get_mut(cache_of(cpu))
        {
            // It has used the cache until now, while others came and went on the other CPUs.
            let kib = footprint(task_kib, self.tasks[prev.index()].working_set_kib);
            if kib > 0 {
                cache.touch(prev, kib, true);
            }
        }
        let Some(next) = next else { return };
        let task = &mut self.tasks[next.index()];
        let was_on = task.warm_on.replace(cpu);
        let kib = footprint(task_kib, task.working_set_kib);
        if kib == 0 {
            return;
        }
        let mut ns = 0;
        if let Some(cache) = l1.get_mut(cpu.index()) {
            // Half of what a task touches are instructions and page tables, which have caches of their own.
            let data_kib = kib.div_ceil(2).min(cache.spec.kib);
            ns += cache.touch(next, data_kib, was_on == Some(cpu));
        }
        if let Some(cache) = l2.get_mut(cache_of(cpu)) {
            ns += cache.touch(next, kib.min(cache.spec.kib), was_on.is_some_and(|was| cache_of(was) == cache_of(cpu)));
        }
        self.charge_ns(cpu, TimeKind::Refill, ns);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(kib: u32, ways: u16) -> Cache {
        Cache::of(CacheSpec { kib, ways, ns_per_kib: 100 }, 1).remove(0)
    }

    /// Tasks of 6 KiB in a ring: cost of a turn after the first lap.
    fn ring(tasks: u32) -> Nanos {
        let mut cache = cache(1024, 8);
        let mut lap = |warm| (0..tasks).map(|task| cache.touch(TaskId(task), 6, warm)).max();
        lap(false);
        lap(true).expect("somebody runs")
    }

    #[test]
    fn a_ring_that_fits_finds_all_and_one_that_is_too_large_nothing() {
        assert_eq!(ring(1), 0);
        assert_eq!(ring(16), 0);
        let (knee, beyond, far) = (ring(64), ring(128), ring(400));
        assert!(knee < beyond && beyond < far, "{knee} {beyond} {far}");
        assert_eq!(far, 599);
    }

    #[test]
    fn a_working_set_as_large_as_the_cache_loses_what_others_bring_in() {
        let mut cache = cache(1024, 8);
        cache.touch(TaskId(1), 1024, false);
        assert_eq!(cache.touch(TaskId(2), 32, false), 3_200);
        let small = cache.touch(TaskId(1), 1024, true);
        assert!((2_000..=3_200).contains(&small), "{small}");
        cache.touch(TaskId(3), 1024, false);
        assert!(cache.touch(TaskId(1), 1024, true) > 100_000);
    }

    #[test]
    fn what_was_elsewhere_is_fetched_whole() {
        let mut cache = cache(1024, 8);
        cache.touch(TaskId(1), 100, false);
        assert_eq!(cache.touch(TaskId(1), 100, true), 0);
        assert_eq!(cache.touch(TaskId(1), 100, false), 10_000);
    }
}
