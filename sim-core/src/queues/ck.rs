//! What BFS and MuQSS share: deadline ratios, distances between CPUs, and which idle CPU is called for a task.

use crate::machine::topology::{DomainLevel, Topology};
use crate::units::{CpuId, CpuMask, Nanos};

/// A task with less left of its slice than this is rescheduled, in units of 1024 ns (`RESCHED_US`).
pub const RESCHED_US: i32 = 100;

/// Deadline factor of every nice level (`prio_ratios`): each next one is a tenth larger.
pub fn prio_ratios() -> [u64; 40] {
    let mut ratios = [128; 40];
    for level in 1..40 {
        ratios[level] = ratios[level - 1] * 11 / 10;
    }
    ratios
}

/// Distance of a deadline for a ratio, ns (an interval's "ms" is 2^20 ns).
pub fn deadline_offset(ratio: u64, rr_interval_ms: u64) -> Nanos {
    ratio * rr_interval_ms * (1 << 20) / 128
}

/// `cpu_locality`: 0 itself, 1 sibling thread, 2 shared cache, 3 other CPU, 4 other node.
pub fn locality(topology: &Topology, a: CpuId, b: CpuId) -> u32 {
    if a == b {
        return 0;
    }
    if topology.siblings(a).contains(b) {
        return 1;
    }
    if topology.share_cache(a, b) {
        return 2;
    }
    let near = topology.domains(a).iter().find(|domain| domain.span.contains(b));
    if near.is_some_and(|domain| domain.level == DomainLevel::Numa) { 4 } else { 3 }
}

/// How bad an idle CPU is for a task that last ran on `near`: distance, and cache mates (4) or siblings (16) that are
/// busy (`CPUIDLE_*`).
fn ranking(topology: &Topology, idle: &CpuMask, near: CpuId, cpu: CpuId) -> u32 {
    let mut ranking = match locality(topology, near, cpu) {
        0 => 0,
        1 => 1,
        2 => 2,
        3 => 8,
        _ => 32,
    };
    let busy = |share: &dyn Fn(CpuId) -> bool| topology.cpu_ids().any(|other| share(other) && !idle.contains(other));
    if busy(&|other| topology.share_cache(cpu, other)) {
        ranking |= 4;
    }
    if busy(&|other| topology.siblings(cpu).contains(other)) {
        ranking |= 16;
    }
    ranking
}

/// `resched_best_mask`: the CPU of `mask`, all idle, that suits a task of `near` best; the lowest number wins a tie.
pub fn best_idle(topology: &Topology, idle: &CpuMask, near: CpuId, mask: &CpuMask) -> Option<CpuId> {
    match mask.contains(near) {
        true => Some(near),
        false => mask.iter().min_by_key(|&cpu| (ranking(topology, idle, near, cpu), cpu)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::topology::TopologySpec;

    #[test]
    fn every_nice_level_is_a_tenth_further() {
        let ratios = prio_ratios();
        let some = [ratios[0], ratios[1], ratios[20], ratios[25], ratios[30], ratios[39]];
        assert_eq!(some, [128, 140, 836, 1344, 2161, 5089]);
        assert_eq!(deadline_offset(836, 6), 41_091_072);
    }

    #[test]
    fn an_idle_core_is_better_than_the_sibling_of_a_busy_thread() {
        let topology = Topology::new(TopologySpec { packages: 2, cores: 2, threads: 2, numa: false, cache_cpus: 0 });
        let mut idle = CpuMask::first(8);
        idle.remove(CpuId(0));
        // The sibling has a busy thread beside it; the next core of the package has not.
        assert_eq!(best_idle(&topology, &idle, CpuId(0), &idle), Some(CpuId(2)));
        let far = CpuMask::single(CpuId(5));
        assert_eq!(best_idle(&topology, &idle, CpuId(0), &far), Some(CpuId(5)));
        assert_eq!(locality(&topology, CpuId(0), CpuId(5)), 3);
    }
}
