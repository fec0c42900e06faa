//! Post 001: SMP-group balancer, take 3: sysbench OLTP on PostgreSQL and VolanoMark on a Q9450, five configurations.
//!
//! Not run at full length: after five seconds the rate no longer changes. Before that it does: all tasks start with equal
//! virtual times, and with 128 clients and more the buddies of a pair keep each other on the CPU until these drift apart.

use super::run::Finished;
use super::{Calibrated, Cell, Column, Method, Post, Row, Shape, Table, Values, c, p};
use crate::scenario::builtins::workload;
use crate::scenario::schema::{Scenario, Workload};
use crate::units::Nanos;

const MS: Nanos = 1_000_000;

/// The post.
pub static POST: Post = Post {
    key: "001",
    title: "Groups balanced over CPUs",
    who: "Peter Zijlstra",
    when: "June 2008",
    claim: "With group scheduling that minds where a group's tasks are, a database and a chat server run as fast as \
            without, and the chat server in a group 6 % faster than ever.",
    machine: "q9450",
    explains: [
        "A client and its backend take turns, so n clients are n runnable tasks: from 4 on the four CPUs are busy, and \
         the rate can only fall, as each statement looks at the entries of all other backends, 90 ns each.",
        "With 64 clients and more the working sets of the backends outgrow the two 6 MiB caches; 2.6.25 changes from \
         pair to pair more often than the later kernels and fetches them anew, so it falls furthest.",
        "With 4 clients all depends on where wakeups put the tasks: a CPU idles while two runnable tasks share another.",
    ],
    not_reproduced: "With 4 clients the post's kernels lose up to 11 %, here none does: all tasks are cache-hot, so that \
                     the balancer moves none of them, and each pair keeps its CPU. From 8 clients on the smp-group \
                     kernel pays here for its share updates and remote run queues, but less than 1 %. 2.6.25 falls \
                     by a tenth too little with 128 clients, and the later kernels do not differ with 256. The chat \
                     server's gain in a group is missing: the smp-group kernel switches twice as often here as the others.",
    calibrated: &[
        Calibrated {
            what: "work: 58.6 µs per statement, 28.6 µs per chat message",
            to: "8 clients and VolanoMark, .26-rc cgroup:/",
        },
        Calibrated { what: "working set of a backend, 112 KiB", to: "256 clients, .25" },
    ],
    sources: &[
        "90 ns per other client and statement: a line from memory or the other die, 240 cycles (chip, typical).",
        "The lock of the table's partition is held for 300 ns twice per statement: about 800 cycles (assumed).",
        "Half of a statement's work is the client's, half the backend's: assumed, the post does not say.",
        "An entity queued 70 ns, a division 20 ns, a CPU probed 60 ns, the run queue of another CPU 260 ns: lines touched times \
         cycles (chip, typical).",
        "Switch 0.6 µs and schedule() 0.25 µs: about 1 µs together (chip, typical).",
        "Refill 200 ns per KiB: 16 lines from memory, six under way at a time (chip, typical).",
        "20 statements per transaction, 20 users per room, sync wakeups by sockets: the benchmarks' and the kernel's sources.",
    ],
    tables: &[SYSBENCH, VOLANOMARK],
};

/// HRTICK is off as in the policies' defaults: whether the kernels had high-resolution timers at work is not known. With it
/// (`hrtick` 1) all five are 1 to 3 % slower, hardly any kernel more than another.
const COLUMNS: &[Column] = &[
    column("25", ".25", "cfs-2.6.25", ""),
    column("26-root", ".26-rc cgroup:/", "cfs-2.6.26-rc", ""),
    column("26-foo", ".26-rc cgroup:/foo", "cfs-2.6.26-rc", "foo"),
    column("smp-root", ".26-rc-smp-group cgroup:/", "cfs-smp-group", ""),
    column("smp-foo", ".26-rc-smp-group cgroup:/foo", "cfs-smp-group", "foo"),
];

const fn column(key: &'static str, label: &'static str, policy: &'static str, group: &'static str) -> Column {
    Column { key, label, policy, tunables: &[], group }
}

const SYSBENCH: Table = Table {
    key: "sysbench",
    title: "sysbench OLTP",
    unit: "transactions/s",
    row_unit: "clients",
    higher_is_better: true,
    rows: &[
        Row { key: "1", label: "1 client", x: 1 },
        Row { key: "2", label: "2 clients", x: 2 },
        Row { key: "4", label: "4 clients", x: 4 },
        Row { key: "8", label: "8 clients", x: 8 },
        Row { key: "16", label: "16 clients", x: 16 },
        Row { key: "32", label: "32 clients", x: 32 },
        Row { key: "64", label: "64 clients", x: 64 },
        Row { key: "128", label: "128 clients", x: 128 },
        Row { key: "256", label: "256 clients", x: 256 },
    ],
    columns: COLUMNS,
    figures: &[
        &[p(&[841_900]), p(&[842_540]), p(&[837_430]), p(&[835_610]), p(&[826_060])],
        &[p(&[1_645_730]), p(&[1_643_740]), p(&[1_624_410]), p(&[1_623_410]), p(&[1_610_670])],
        &[p(&[3_211_310]), p(&[3_189_120]), p(&[2_993_430]), p(&[2_845_880]), p(&[3_051_290])],
        &[p(&[3_201_260]), c(&[3_225_320]), p(&[3_182_070]), p(&[3_123_350]), p(&[3_125_790])],
        &[p(&[3_147_950]), p(&[3_175_100]), p(&[3_164_500]), p(&[3_114_180]), p(&[3_090_450])],
        &[p(&[3_039_120]), p(&[3_114_960]), p(&[3_077_140]), p(&[3_059_030]), p(&[3_038_250])],
        &[p(&[2_822_940]), p(&[2_981_780]), p(&[2_969_460]), p(&[2_946_700]), p(&[2_908_220])],
        &[p(&[2_323_950]), p(&[2_606_000]), p(&[2_646_140]), p(&[2_647_040]), p(&[2_654_240])],
        &[c(&[2_188_980]), p(&[2_246_630]), p(&[2_366_510]), p(&[2_415_810]), p(&[2_333_820])],
    ],
    noise_permille: 23,
    noise_source: "one run of each figure; VolanoMark's three runs on this machine spread by up to 2.3 %",
    method: Method { scenario: sysbench, warm_up_ns: 5_000 * MS, strip_ns: MS, measure: transactions },
    shapes: &[
        Shape {
            claim: "4 clients do 3.3 to 4 times as much as one",
            holds: |v| (0..5).all(|column| scales(v, column)),
        },
        Shape { claim: "From 8 clients on each doubling does less", holds: |v| (0..5).all(|column| falls(v, column)) },
        Shape { claim: ".25 falls furthest from 8 to 256 clients", holds: oldest_falls_most },
    ],
};

fn scales(values: &Values<'_>, column: usize) -> bool {
    let of = values.column(column);
    of.len() == 9 && of[2] * 10 >= of[0] * 33 && of[2] <= of[0] * 4
}

fn falls(values: &Values<'_>, column: usize) -> bool {
    let of = values.column(column);
    of.len() == 9 && of[3..].is_sorted_by(|a, b| a > b)
}

fn oldest_falls_most(values: &Values<'_>) -> bool {
    let left = |column: usize| {
        let of = values.column(column);
        if of.len() == 9 { of[8] * 1_000 / of[3] } else { 0 }
    };
    (1..5).all(|column| left(0) < left(column)) && left(0) > 0
}

/// What else wakes up on a Fedora without users: its daemons, in the root group.
fn daemons() -> Workload {
    workload("daemons", "sleeper", 4, &[("burst", 50_000), ("sleep", 500 * MS)])
}

fn benchmark(cell: Cell, duration_ns: Nanos, name: &str, kind: &str, count: u64, params: &[(&str, u64)]) -> Scenario {
    let group = cell.column().group.into();
    let benchmark = Workload { group, ..workload(name, kind, count as u32, params) };
    cell.on_machine(duration_ns, vec![benchmark, daemons()])
}

/// How the work of a statement is divided between client and backend the post does not say: halves. With uneven parts
/// the lighter side falls behind in virtual time by the whole sleeper credit and preempts the other at every message, so
/// that after some seconds all kernels change pairs at every statement and run alike, which the published figures do not.
fn sysbench(cell: Cell) -> Scenario {
    let params = [
        ("client", 29_000),
        ("server", 29_000),
        // All statements are about one table, so that all need the one lightweight lock of its partition of the lock
        // manager, before and after the statement, each time for a look-up and an update of about 800 cycles.
        ("hold", 300),
        // Work grows with the number of clients, 90 ns each in all: a snapshot reads a line of every other backend from
        // memory or from the other die (240 cycles). Half on each side, to keep them even.
        ("client-contention", 1_525),
        ("contention", 1_525),
        ("kib", 112),
        ("sync", 1),
    ];
    benchmark(cell, 8_000 * MS, "oltp", "sysbench", cell.row().x, &params)
}

fn transactions(_: Cell, run: &Finished<'_>) -> Option<u64> {
    Some(run.rate_milli("oltp transaction"))
}

const VOLANOMARK: Table = Table {
    key: "volanomark",
    title: "VolanoMark",
    unit: "messages/s",
    row_unit: "",
    higher_is_better: true,
    rows: &[Row { key: "10", label: "10 rooms", x: 10 }],
    columns: COLUMNS,
    figures: &[&[
        p(&[113_350_000, 112_230_000, 113_125_000]),
        c(&[124_089_000, 121_962_000, 121_223_000]),
        p(&[117_789_000, 118_154_000, 118_945_000]),
        p(&[121_499_000, 120_181_000, 119_775_000]),
        p(&[130_208_000, 129_086_000, 129_362_000]),
    ]],
    noise_permille: 0,
    noise_source: "three runs of each figure",
    method: Method { scenario: volanomark, warm_up_ns: 1_000 * MS, strip_ns: MS, measure: messages },
    shapes: &[],
};

/// A thread's stack and buffers: as much as the first cache holds.
fn volanomark(cell: Cell) -> Scenario {
    let params = [("client", 12_700), ("server", 15_900), ("kib", 32), ("sync", 1)];
    benchmark(cell, 5_000 * MS, "chat", "volanomark", cell.row().x, &params)
}

fn messages(_: Cell, run: &Finished<'_>) -> Option<u64> {
    Some(run.rate_milli("chat message"))
}
