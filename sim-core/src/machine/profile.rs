//! Machine profiles: the hardware of the five posts and two of today, as prices and cache sizes. Clock rates, cache sizes
//! and the fits are from `spec/seed-machines.md`; latencies of chips are typical values, meant as starting points.

use super::cost::{CacheSpec, CostTable};

/// Shape that goes with a profile; the page offers it as a preset, a scenario may have another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PresetShape {
    /// Cores in all.
    pub cores: u16,
    /// Packages.
    pub packages: u16,
    /// SMT threads per core.
    pub threads: u16,
    /// Packages are NUMA nodes.
    pub numa: bool,
    /// Ticks per second.
    pub hz: u32,
}

/// A machine.
#[derive(Debug)]
pub struct Profile {
    /// Key in the scenario; goes into links: never rename.
    pub key: &'static str,
    /// Name for people.
    pub label: &'static str,
    /// One line.
    pub help: &'static str,
    /// The machine as it stood.
    pub shape: PresetShape,
    /// CPUs that share a last-level cache; 0 = all of a package.
    pub cache_cpus: u16,
    /// Prices.
    pub costs: CostTable,
}

/// A flat machine of `cores` cores.
const fn flat(cores: u16, hz: u32) -> PresetShape {
    PresetShape { cores, packages: 1, threads: 1, numa: false, hz }
}

const NO_CACHE: CacheSpec = CacheSpec { kib: 0, ways: 0, ns_per_kib: 0 };

/// The machine on which everything is free.
const FREE: CostTable = CostTable {
    work_ns: [0; super::cost::WORK_KINDS],
    scan_miss_ns: 0,
    scan_colours: 0,
    scan_ways: 0,
    switch_ns: 0,
    schedule_ns: 0,
    syscall_ns: 0,
    tick_ns: 0,
    fork_ns: 0,
    exit_ns: 0,
    l1: NO_CACHE,
    l2: NO_CACHE,
    task_kib: 0,
    contended_locks: false,
};

/// All profiles in menu order. Work prices are in the order of [`super::cost::Work`]: task scanned, list operation,
/// bitmap word, tree level, CPU probed, recalculated, migrated, interrupt sent, entity, division, timer set, remote queue.
static PROFILES: [Profile; 8] = [
    Profile {
        key: "ideal",
        label: "Ideal machine",
        help: "Everything is free: only the decisions count",
        shape: flat(2, 1000),
        cache_cpus: 0,
        costs: FREE,
    },
    // Post 000. Fitted: the switch (to pre9 with no hog) and the miss of a scanned task (to pre9 with 50 hogs; 70
    // cycles). From the hardware: a hit costs 31 cycles, of which the L2 takes 22; 512 KiB / 4 ways / 8 KiB = 16
    // colours. fork and exit together are lat_proc's first figure, the benchmark's own cost.
    Profile {
        key: "pentium2-400",
        label: "Pentium II 400 (post 000)",
        help: "One CPU, 512 KiB L2 at half clock, 100 MHz bus, HZ 100",
        shape: flat(1, 100),
        cache_cpus: 1,
        costs: CostTable {
            work_ns: [77, 40, 15, 60, 40, 90, 300, 0, 250, 100, 0, 0],
            scan_miss_ns: 176,
            scan_colours: 16,
            scan_ways: 4,
            switch_ns: 1_197,
            schedule_ns: 400,
            syscall_ns: 400,
            tick_ns: 3_000,
            fork_ns: 235_000,
            exit_ns: 126_000,
            l2: CacheSpec { kib: 512, ways: 4, ns_per_kib: 5_600 },
            ..FREE
        },
    },
    // Post 003. Fitted: the miss of a scanned task (to 2.4.19-pre7 with 192 clients; 142 cycles, a line that another
    // CPU may have written). From the hardware: a hit costs 35 cycles, 1 MiB / 8 ways / 8 KiB = 16 colours. Every
    // schedule() of 2.4 takes the one runqueue lock.
    Profile {
        key: "xeon-700-4way",
        label: "4 × Pentium III Xeon 700 (post 003)",
        help: "Four packages with 1 MiB L2 each on one 100 MHz bus, HZ 100",
        shape: PresetShape { cores: 4, packages: 4, threads: 1, numa: false, hz: 100 },
        cache_cpus: 1,
        costs: CostTable {
            work_ns: [50, 30, 10, 45, 150, 60, 500, 1_000, 200, 60, 0, 600],
            scan_miss_ns: 203,
            scan_colours: 16,
            scan_ways: 8,
            switch_ns: 1_400,
            schedule_ns: 500,
            syscall_ns: 300,
            tick_ns: 2_500,
            fork_ns: 150_000,
            exit_ns: 80_000,
            l2: CacheSpec { kib: 1_024, ways: 8, ns_per_kib: 5_100 },
            contended_locks: true,
            ..FREE
        },
    },
    // Post 002: refilling 1 MiB costs about 164 µs, 10 ns per 64-byte line.
    Profile {
        key: "smp-4x-2006",
        label: "4-way of 2006 (post 002)",
        help: "Four CPUs with 1 MiB L2 each, HZ 250",
        shape: PresetShape { cores: 4, packages: 4, threads: 1, numa: false, hz: 250 },
        cache_cpus: 1,
        costs: CostTable {
            work_ns: [20, 12, 5, 25, 80, 25, 250, 700, 100, 30, 0, 320],
            switch_ns: 600,
            schedule_ns: 250,
            syscall_ns: 200,
            tick_ns: 1_500,
            fork_ns: 60_000,
            exit_ns: 35_000,
            l2: CacheSpec { kib: 1_024, ways: 8, ns_per_kib: 160 },
            contended_locks: true,
            ..FREE
        },
    },
    // Post 004 names no machine. A Pentium 4 of 2005 has 16 KiB and 1 MiB of cache; two channels of DDR400 bring a line
    // of 64 bytes in 12.5 ns. Fitted to lat_ctx: the switch (0.51 µs with two processes), and 6 KiB that a process
    // touches in one (the knee above 60 processes).
    Profile {
        key: "pc-3ghz-2005",
        label: "PC of 2005, 3 GHz (post 004)",
        help: "One CPU with 1 MiB L2, HZ 250",
        shape: flat(1, 250),
        cache_cpus: 1,
        costs: CostTable {
            work_ns: [20, 10, 4, 20, 60, 25, 200, 0, 90, 25, 0, 0],
            switch_ns: 355,
            schedule_ns: 130,
            syscall_ns: 150,
            tick_ns: 1_500,
            fork_ns: 60_000,
            exit_ns: 35_000,
            l1: CacheSpec { kib: 16, ways: 8, ns_per_kib: 70 },
            l2: CacheSpec { kib: 1_024, ways: 8, ns_per_kib: 200 },
            task_kib: 6,
            ..FREE
        },
    },
    // Post 001: two dies, each with two cores over one 6 MiB cache.
    Profile {
        key: "q9450",
        label: "Core 2 Quad Q9450 (post 001)",
        help: "Four cores at 2.66 GHz, two pairs with 6 MiB L2 each, HZ 1000",
        shape: flat(4, 1000),
        cache_cpus: 2,
        costs: CostTable {
            work_ns: [12, 8, 3, 15, 60, 15, 150, 500, 70, 20, 400, 260],
            switch_ns: 600,
            schedule_ns: 250,
            syscall_ns: 120,
            tick_ns: 1_000,
            fork_ns: 45_000,
            exit_ns: 25_000,
            task_kib: 6,
            l2: CacheSpec { kib: 6_144, ways: 24, ns_per_kib: 200 },
            contended_locks: true,
            ..FREE
        },
    },
    Profile {
        key: "desktop",
        label: "Desktop of today",
        help: "Eight cores with two threads each and one 32 MiB L3, HZ 1000",
        shape: PresetShape { cores: 8, packages: 1, threads: 2, numa: false, hz: 1000 },
        cache_cpus: 0,
        costs: CostTable {
            work_ns: [5, 4, 2, 6, 30, 6, 80, 400, 30, 5, 300, 120],
            switch_ns: 700,
            schedule_ns: 200,
            syscall_ns: 100,
            tick_ns: 700,
            fork_ns: 40_000,
            exit_ns: 20_000,
            l2: CacheSpec { kib: 1_024, ways: 8, ns_per_kib: 40 },
            contended_locks: true,
            ..FREE
        },
    },
    Profile {
        key: "server-2s",
        label: "Server with two sockets",
        help: "2 × 16 cores with two threads each, two NUMA nodes, HZ 250",
        shape: PresetShape { cores: 32, packages: 2, threads: 2, numa: true, hz: 250 },
        cache_cpus: 0,
        costs: CostTable {
            work_ns: [8, 6, 2, 9, 60, 9, 150, 700, 40, 8, 300, 240],
            switch_ns: 900,
            schedule_ns: 250,
            syscall_ns: 120,
            tick_ns: 900,
            fork_ns: 50_000,
            exit_ns: 25_000,
            l2: CacheSpec { kib: 1_024, ways: 16, ns_per_kib: 70 },
            contended_locks: true,
            ..FREE
        },
    },
];

/// All profiles.
pub fn all() -> &'static [Profile] {
    &PROFILES
}

/// The profile with this key.
pub fn find(key: &str) -> Option<&'static Profile> {
    PROFILES.iter().find(|profile| profile.key == key)
}

/// Keys of all profiles.
pub fn keys() -> Vec<&'static str> {
    PROFILES.iter().map(|profile| profile.key).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_have_distinct_keys_and_only_the_ideal_one_is_free() {
        let mut keys = keys();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), PROFILES.len());
        for profile in all() {
            assert_eq!(profile.costs.is_ideal(), profile.key == "ideal", "{}", profile.key);
            assert_eq!(profile.shape.cores % profile.shape.packages, 0, "{}", profile.key);
        }
    }
}
