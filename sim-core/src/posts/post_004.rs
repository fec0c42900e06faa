//! Post 004: the CKRM CPU controller on 2.6.15, one CPU: what it adds to a context switch, and what share of the CPU a
//! kernel build gets in a class with a guarantee. The builds are run at full length.

use super::builds::{Build, seconds};
use super::lmbench;
use super::run::Finished;
use super::{Calibrated, Cell, Column, Method, Post, Row, Shape, Table, Values, c, p};
use crate::scenario::builtins::{group, workload};
use crate::scenario::schema::{Scenario, Workload};
use crate::units::Nanos;

const MS: Nanos = 1_000_000;
const SECOND: Nanos = 1_000 * MS;

/// The post.
pub static POST: Post = Post {
    key: "004",
    title: "A build with a guaranteed share",
    who: "MAEDA Naoaki",
    when: "January 2006",
    claim: "The controller adds nothing to a context switch, and a kernel build in a class gets the share that the class \
            is guaranteed, or somewhat more, against five endless loops.",
    machine: "pc-3ghz-2005",
    explains: [
        "One process of the lat_ctx ring is runnable at any time, so no scheduler makes it slow: from 8 processes on \
         they no longer fit the first cache, above 60 not the second.",
        "The controller shortens the slices of the loops while the build is hungry; its account knows only slices that \
         were used up, which compilers seldom live to do, so the build gets more than its share.",
        "Elapsed time is the build's CPU time, which hardly changes, divided by the share that it gets.",
    ],
    not_reproduced: "At shares of 90 % and more the build here waits for the disk less than the 3 % of the post. Its user \
                     time rises by 3 % from 100 to 10 % in the post, here by half of that: only the caches make it rise. \
                     lat_ctx with 64 processes is 9 % slower with the controller, a difference that the post's authors \
                     found in both directions later and that has no cause here.",
    calibrated: &[
        Calibrated {
            what: "context switch 355 ns, of which 6 KiB are touched",
            to: "lat_ctx 2 and 128, vanilla 2.6.15",
        },
        Calibrated {
            what: "size of the build: 908 files with 304 ms of compiler each, of it 6 % system time",
            to: "user and system time at 100 %, elapsed time at 80 %",
        },
    ],
    sources: &[
        "The post names no machine: 16 KiB and 1 MiB of cache as in a Pentium 4 of 2005, 12.5 ns per line from two channels of \
         DDR400.",
        "Waiting for the disk 5 ms: a short seek and half a turn at 7,200 turns a minute.",
        "4 jobs: kernbench's load for one CPU. Five loops outside the class: the post.",
        super::builds::TIMES,
        "schedule() 0.13 µs, a system call 0.15 µs: about 400 cycles (chip, typical).",
    ],
    tables: &[LAT_CTX, ELAPSED, USER, SYSTEM, CPU],
};

/// CPU of a 4-byte pipe read and write beside the two system calls, ns; lat_ctx subtracts it again.
const HOP_NS: u64 = 1_000;

const LAT_CTX: Table = Table {
    key: "lat_ctx",
    title: "lat_ctx -s 0",
    unit: "µs",
    row_unit: "processes",
    higher_is_better: false,
    rows: &[
        Row { key: "2", label: "2 processes", x: 2 },
        Row { key: "4", label: "4 processes", x: 4 },
        Row { key: "8", label: "8 processes", x: 8 },
        Row { key: "16", label: "16 processes", x: 16 },
        Row { key: "32", label: "32 processes", x: 32 },
        Row { key: "64", label: "64 processes", x: 64 },
        Row { key: "128", label: "128 processes", x: 128 },
        Row { key: "256", label: "256 processes", x: 256 },
    ],
    columns: &[
        Column { key: "2.6.15", label: "vanilla 2.6.15", policy: "o1-2.6.15", tunables: &[], group: "" },
        Column { key: "cpurc", label: "2.6.15+cpurc-v0.3", policy: "cpurc-0.3", tunables: &[], group: "" },
    ],
    figures: &[
        &[c(&[510]), p(&[520])],
        &[p(&[580]), p(&[600])],
        &[p(&[710]), p(&[710])],
        &[p(&[720]), p(&[720])],
        &[p(&[730]), p(&[720])],
        &[p(&[780]), p(&[850])],
        &[c(&[1_080]), p(&[1_060])],
        &[p(&[1_850]), p(&[1_890])],
    ],
    noise_permille: 100,
    noise_source: "the same table of February 2006 has differences of -0.08 to +0.10 µs, of both signs",
    method: Method { scenario: ring, warm_up_ns: 100 * MS, strip_ns: 20_000, measure: per_hop },
    shapes: &[
        Shape {
            claim: "Flat from 8 to 32 processes, then a knee",
            holds: |v| (0..2).all(|column| has_knee(v, column)),
        },
        Shape { claim: "The controller adds less than 10 %", holds: adds_nothing },
    ],
};

fn has_knee(values: &Values<'_>, column: usize) -> bool {
    let of = values.column(column);
    of.len() == 8 && of[4] * 100 <= of[2] * 105 && of[6] * 10 >= of[4] * 13 && of[7] * 10 >= of[6] * 15
}

fn adds_nothing(values: &Values<'_>) -> bool {
    let (without, with) = (values.column(0), values.column(1));
    without.len() == with.len() && without.iter().zip(&with).all(|(a, b)| a.abs_diff(*b) * 10 < *a)
}

fn ring(cell: Cell) -> Scenario {
    let procs = cell.row().x;
    cell.on_machine(800 * MS, vec![workload("ring", "lat-ctx", 1, &[("procs", procs), ("hop", HOP_NS)])])
}

fn per_hop(cell: Cell, run: &Finished<'_>) -> Option<u64> {
    let procs = cell.row().x;
    lmbench::per_hop(run, procs, (4_096 / procs) as usize, HOP_NS)
}

const SHARES: &[Row] = &[
    Row { key: "100", label: "100 %", x: 100 },
    Row { key: "90", label: "90 %", x: 90 },
    Row { key: "80", label: "80 %", x: 80 },
    Row { key: "70", label: "70 %", x: 70 },
    Row { key: "60", label: "60 %", x: 60 },
    Row { key: "50", label: "50 %", x: 50 },
    Row { key: "40", label: "40 %", x: 40 },
    Row { key: "30", label: "30 %", x: 30 },
    Row { key: "20", label: "20 %", x: 20 },
    Row { key: "10", label: "10 %", x: 10 },
];

/// A kernbench table with one column; `x` of a row is the class's share.
const fn kernbench(
    key: &'static str,
    title: &'static str,
    unit: &'static str,
    figures: &'static [&'static [super::Figure]],
    measure: fn(Cell, &Finished<'_>) -> Option<u64>,
    shapes: &'static [Shape],
) -> Table {
    Table {
        key,
        title,
        unit,
        row_unit: "% share",
        higher_is_better: false,
        rows: SHARES,
        columns: &[Column { key: "cpurc", label: "2.6.15+cpurc-v0.3", policy: "cpurc-0.3", tunables: &[], group: "" }],
        figures,
        noise_permille: 0,
        noise_source: "one run of each figure, one kernel",
        method: Method { scenario: build, warm_up_ns: 0, strip_ns: 1_000 * MS, measure },
        shapes,
    }
}

const ELAPSED: Table = kernbench(
    "kernbench_elapsed",
    "kernbench, elapsed",
    "s",
    &[
        &[p(&[321_900])],
        &[p(&[325_400])],
        &[c(&[345_900])],
        &[p(&[392_600])],
        &[p(&[466_000])],
        &[p(&[583_000])],
        &[p(&[725_300])],
        &[p(&[925_200])],
        &[p(&[1_458_200])],
        &[p(&[2_595_500])],
    ],
    |_, run| Some(seconds(Build::of(run)?.elapsed)),
    &[Shape { claim: "Longer with every step down from 80 %", holds: |v| v.column(0)[2..].is_sorted_by(|a, b| a < b) }],
);

const USER: Table = kernbench(
    "kernbench_user",
    "kernbench, user",
    "s",
    &[
        &[c(&[295_100])],
        &[p(&[293_500])],
        &[p(&[293_200])],
        &[p(&[293_300])],
        &[p(&[293_600])],
        &[p(&[296_400])],
        &[p(&[297_700])],
        &[p(&[299_600])],
        &[p(&[301_500])],
        &[p(&[303_400])],
    ],
    |_, run| Some(seconds(Build::of(run)?.user)),
    &[Shape { claim: "Within 5 % at all shares", holds: |v| v.is_flat(0, 1050) }],
);

const SYSTEM: Table = kernbench(
    "kernbench_system",
    "kernbench, system",
    "s",
    &[
        &[c(&[19_700])],
        &[p(&[19_500])],
        &[p(&[19_700])],
        &[p(&[19_600])],
        &[p(&[19_800])],
        &[p(&[19_800])],
        &[p(&[19_600])],
        &[p(&[19_400])],
        &[p(&[19_300])],
        &[p(&[20_000])],
    ],
    |_, run| Some(seconds(Build::of(run)?.system)),
    &[Shape { claim: "Within 5 % at all shares", holds: |v| v.is_flat(0, 1050) }],
);

const CPU: Table = kernbench(
    "kernbench_cpu",
    "kernbench, CPU",
    "%",
    &[
        &[p(&[97_000])],
        &[p(&[95_800])],
        &[p(&[90_000])],
        &[p(&[79_200])],
        &[p(&[66_800])],
        &[p(&[53_800])],
        &[p(&[43_200])],
        &[p(&[34_000])],
        &[p(&[21_200])],
        &[p(&[12_000])],
    ],
    |_, run| Some(Build::of(run)?.cpu_percent()),
    &[
        Shape { claim: "Less with every step down from 80 %", holds: |v| v.column(0)[2..].is_sorted_by(|a, b| a > b) },
        Shape { claim: "From 80 % down never below the share, and at most 15 points above", holds: share_is_kept },
    ],
);

fn share_is_kept(values: &Values<'_>) -> bool {
    let of = values.column(0);
    of.len() == SHARES.len()
        && SHARES.iter().zip(of).skip(2).all(|(row, value)| {
            let share = row.x * 1_000;
            (share..=share + 15_000).contains(&value)
        })
}

fn build(cell: Cell) -> Scenario {
    let share = cell.row().x;
    let params = [
        ("jobs", 4),
        ("files", 908),
        ("work", 76 * MS),
        ("system", 5_300_000),
        // A short seek and half a turn of a disk with 7,200 turns a minute.
        ("io", 5 * MS),
        ("shells", 1),
    ];
    let build = workload("build", "kernbench", 1, &params);
    let workloads = vec![Workload { group: "build".into(), ..build }, workload("loops", "hog", 5, &[])];
    // Ample time at this share; what follows the build is not measured.
    let duration = (40_000 * SECOND / share).min(3_600 * SECOND);
    Scenario { groups: vec![group("build", share)], ..cell.on_machine(duration, workloads) }
}
