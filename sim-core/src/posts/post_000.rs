//! Post 000: lmbench on 2.5.2-pre9 with and without the O(1) scheduler C1, one Pentium II.
//!
//! Not run at full length: an lmbench interval is about 10 ms and eleven of them are taken; a loop of fork, exec or
//! select repeats itself exactly, so a few hundred rounds give the figure.

use super::lmbench;
use super::run::Finished;
use super::{Calibrated, Cell, Column, Method, Post, Row, Shape, Table, c, p};
use crate::scenario::builtins::workload;
use crate::scenario::schema::Scenario;
use crate::units::Nanos;

const MS: Nanos = 1_000_000;

/// The post.
pub static POST: Post = Post {
    key: "000",
    title: "O(1) makes lat_ctx flat",
    who: "Luc Van Oostenryck",
    when: "January 2002",
    claim: "With 50 CPU hogs beside it, a context switch takes 9 µs under 2.5.2-pre9 and 1.6 µs under the O(1) \
            scheduler, as with none.",
    machine: "pentium2-400",
    explains: [
        "At each switch 2.5.2-pre9 scores every runnable task, so each hog adds the cost of touching its task structure.",
        "Task structures begin at multiples of 8 KiB and share 64 places in the L2 cache: with more hogs more of them \
         are fetched from memory, and the curve bends upward.",
        "O(1) finds the next task by one bit search whatever the number of hogs, and fork, exec and select hardly meet \
         the scheduler at all.",
    ],
    not_reproduced: "Run-to-run noise: where the post's task structures lay in memory was chance, here it is the \
                     average. So C1 does not repeat that it is slower with no hog (1.84 µs) than with ten (1.60), nor \
                     pre9 its high figure at ten hogs and its low one at 30, nor either the odd tcp figure of pre9 at \
                     250 descriptors. What fork, exec, a shell and select() cost by themselves no scheduler model \
                     can tell: these six numbers are taken from one figure of 2.5.2-pre9 each, marked as calibrated.",
    calibrated: &[
        Calibrated { what: "context switch 1.197 µs", to: "lat_ctx, 0 hogs, 2.5.2-pre9" },
        Calibrated { what: "missing scanned task 176 ns more (70 cycles, memory)", to: "lat_ctx, 50 hogs, 2.5.2-pre9" },
    ],
    sources: &[
        "A scanned task that hits costs 77 ns: 31 cycles, of which the L2 at half clock takes 22 (chip, typical).",
        "16 colours of 4 lines: 512 KiB by 4 ways by 8 KiB per task structure (chip and kernel).",
        "fork, exec and shell: lat_proc's own figures of 2.5.2-pre9, marked as calibrated; no scheduler is in them.",
        "select: 2.85 µs and 0.17 or 0.31 µs per descriptor, a line through the marked figures of the control.",
        "List operation 40 ns, bitmap word 15 ns, schedule() 0.4 µs: cache accesses times cycles (chip, typical).",
    ],
    tables: &[LAT_PROC, LAT_SELECT_FILE, LAT_SELECT_TCP, LAT_CTX],
};

const COLUMNS: &[Column] = &[
    Column { key: "2.5.2-pre9", label: "2.5.2-pre9", policy: "linux-2.5.2-pre9", tunables: &[], group: "" },
    Column { key: "2.5.2-pre9-O1_C1", label: "2.5.2-pre9-O1_C1", policy: "o1-2.5.2-c1", tunables: &[], group: "" },
];

/// CPU of a 4-byte pipe read and write beside the two system calls, ns. lat_ctx subtracts it again, so the figures do
/// not depend on it.
const HOP_NS: u64 = 4_000;
/// Laps of one timed interval: 3 to 7 ms, shorter than the turn of the ring between two turns of the hogs.
const LAPS: usize = 250;

const LAT_CTX: Table = Table {
    key: "lat_ctx",
    title: "lat_ctx -s 0 2",
    unit: "µs",
    row_unit: "hogs",
    higher_is_better: false,
    rows: &[
        Row { key: "0", label: "0 hogs", x: 0 },
        Row { key: "10", label: "10 hogs", x: 10 },
        Row { key: "20", label: "20 hogs", x: 20 },
        Row { key: "30", label: "30 hogs", x: 30 },
        Row { key: "40", label: "40 hogs", x: 40 },
        Row { key: "50", label: "50 hogs", x: 50 },
    ],
    columns: COLUMNS,
    figures: &[
        &[c(&[1650, 1860, 1750]), p(&[1840, 1830, 1840])],
        &[p(&[2690, 3020, 3020]), p(&[1610, 1590, 1600])],
        &[p(&[3450, 3970, 3870]), p(&[1640, 1600, 1550])],
        &[p(&[4430, 4450, 3980]), p(&[1580, 1580, 1600])],
        &[p(&[6980, 5840, 6100]), p(&[1550, 1580, 1560])],
        &[c(&[9670, 9060, 8710]), p(&[1690, 1620, 1630])],
    ],
    noise_permille: 0,
    noise_source: "three runs of each figure",
    method: Method { scenario: lat_ctx, warm_up_ns: 100 * MS, strip_ns: 60_000, measure: lat_ctx_us },
    shapes: &[
        Shape { claim: "2.5.2-pre9 grows with every ten hogs", holds: |values| values.grows(0) },
        Shape { claim: "2.5.2-pre9 grows faster from 30 hogs on than up to 30", holds: bends },
        Shape { claim: "O(1) is flat: all within 20 %", holds: |values| values.is_flat(1, 1200) },
    ],
};

fn bends(values: &super::Values<'_>) -> bool {
    let pre9 = values.column(0);
    pre9.len() == 6 && 2 * pre9[5].saturating_sub(pre9[3]) > 3 * pre9[3].saturating_sub(pre9[0]) * 2 / 3
}

fn lat_ctx(cell: Cell) -> Scenario {
    let ring = workload("ring", "lat-ctx", 1, &[("procs", 2), ("hop", HOP_NS)]);
    let hogs = cell.row().x as u32;
    let mut workloads = vec![ring];
    if hogs > 0 {
        workloads.push(workload("hogs", "hog", hogs, &[]));
    }
    cell.on_machine(8_000 * MS, workloads)
}

fn lat_ctx_us(_: Cell, run: &Finished<'_>) -> Option<u64> {
    lmbench::per_hop(run, 2, LAPS, HOP_NS)
}

const LAT_PROC: Table = Table {
    key: "lat_proc",
    title: "lat_proc",
    unit: "µs",
    row_unit: "",
    higher_is_better: false,
    rows: &[
        Row { key: "fork", label: "fork+exit", x: 0 },
        Row { key: "exec", label: "fork+execve", x: EXEC_NS },
        Row { key: "shell", label: "fork+/bin/sh -c", x: SHELL_NS },
    ],
    columns: COLUMNS,
    figures: &[
        &[c(&[367_533, 367_200, 367_000, 367_867, 367_000]), p(&[368_133, 371_067, 368_267, 369_400, 368_267])],
        &[
            c(&[1_976_667, 1_990_667, 1_984_667, 1_992_333, 1_986_667]),
            p(&[2_002_333, 2_016_333, 2_024_000, 2_043_667, 2_014_000]),
        ],
        &[
            c(&[7_669_000, 7_704_000, 7_695_000, 7_662_000, 7_659_000]),
            p(&[7_810_000, 7_857_000, 7_734_000, 7_725_000, 7_714_000]),
        ],
    ],
    noise_permille: 0,
    noise_source: "five runs of each figure",
    method: Method { scenario: lat_proc, warm_up_ns: 50 * MS, strip_ns: 5 * MS, measure: lat_proc_us },
    shapes: &[],
};

/// CPU of an `execve` of a tiny program, and of `/bin/sh -c` with it, ns: the second and third figure of the table less
/// fork and exit, which the machine profile has from the first. The benchmark's own cost, not the scheduler's.
const EXEC_NS: u64 = 1_615_000;
const SHELL_NS: u64 = 7_306_000;

fn lat_proc(cell: Cell) -> Scenario {
    let child = cell.row().x.max(1_000);
    let duration = 1_000 * MS;
    cell.on_machine(duration, vec![workload("loop", "lat-proc", 1, &[("parent", 1_000), ("child", child)])])
}

fn lat_proc_us(_: Cell, run: &Finished<'_>) -> Option<u64> {
    mean_distance(run, "loop round")
}

/// Mean time between two marks, ns (thousandths of a µs).
fn mean_distance(run: &Finished<'_>, mark: &str) -> Option<Nanos> {
    let mut marks = run.marks_of(mark).map(|mark| mark.at);
    let first = marks.next()?;
    let (count, last) = marks.fold((0, first), |(count, _), at| (count + 1, at));
    (count > 0).then(|| (last - first) / count)
}

const LAT_SELECT_FILE: Table = Table {
    key: "lat_select_file",
    title: "lat_select file",
    figures: &[
        &[c(&[4604]), p(&[4609])],
        &[p(&[20_122]), p(&[20_174])],
        &[p(&[46_017]), p(&[46_219])],
        &[p(&[89_387]), p(&[89_387])],
        &[c(&[176_323]), p(&[176_419])],
    ],
    method: Method { scenario: lat_select_file, ..LAT_SELECT_TCP.method },
    ..LAT_SELECT_TCP
};

const LAT_SELECT_TCP: Table = Table {
    key: "lat_select_tcp",
    title: "lat_select tcp",
    unit: "µs",
    row_unit: "descriptors",
    higher_is_better: false,
    rows: &[
        Row { key: "10", label: "10 descriptors", x: 10 },
        Row { key: "100", label: "100 descriptors", x: 100 },
        Row { key: "250", label: "250 descriptors", x: 250 },
        Row { key: "500", label: "500 descriptors", x: 500 },
        Row { key: "1000", label: "1000 descriptors", x: 1000 },
    ],
    columns: COLUMNS,
    figures: &[
        &[p(&[5990]), p(&[5998])],
        &[p(&[33_796]), p(&[33_494])],
        &[p(&[86_672]), p(&[79_114])],
        &[p(&[155_559]), p(&[155_353])],
        &[c(&[308_056]), p(&[307_944])],
    ],
    noise_permille: 100,
    noise_source: "select() with no timeout never meets the scheduler, so whatever the kernels differ by is noise",
    method: Method { scenario: lat_select_tcp, warm_up_ns: 20 * MS, strip_ns: 60_000, measure: lat_select_us },
    shapes: &[],
};

fn lat_select(cell: Cell, tcp: u64) -> Scenario {
    cell.on_machine(520 * MS, vec![workload("loop", "lat-select", 1, &[("fds", cell.row().x), ("tcp", tcp)])])
}

fn lat_select_file(cell: Cell) -> Scenario {
    lat_select(cell, 0)
}

fn lat_select_tcp(cell: Cell) -> Scenario {
    lat_select(cell, 1)
}

fn lat_select_us(_: Cell, run: &Finished<'_>) -> Option<u64> {
    mean_distance(run, "loop call")
}
