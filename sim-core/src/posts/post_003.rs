//! Post 003: tbench with 64 and 192 clients on OSDL's 4-way Pentium III Xeon, twelve kernels.
//!
//! Not run at full length: every client repeats the same kind of exchange, so the rate over some seconds is the rate of
//! the whole run of 42,804 exchanges per client.

use super::run::Finished;
use super::{Calibrated, Cell, Column, Method, Post, Row, Shape, Table, Values, c, p};
use crate::scenario::builtins::workload;
use crate::scenario::schema::Scenario;
use crate::units::Nanos;

const MS: Nanos = 1_000_000;

/// File data per exchange, bytes: 132.65 MB in 42,804 exchanges of the tool's load file.
const BYTES_PER_EXCHANGE: u64 = 3_099;

/// The post.
pub static POST: Post = Post {
    key: "003",
    title: "O(1) gives big boost to tbench 192",
    who: "Randy Hron",
    when: "May 2002",
    claim: "With 192 clients tbench falls from 100 to 30 MB/s on every kernel with the old scheduler, and stays at 104 \
            MB/s on the two with O(1).",
    machine: "xeon-700-4way",
    explains: [
        "Of each client and its handler one is runnable, so 192 clients make about 192 runnable tasks, and the old \
         scheduler scores all of them in each schedule() while it holds the one run queue lock.",
        "64 task structures fit their places in the 1 MiB L2 cache, 192 do not: each step of the scan then waits for \
         memory, the lock is held all the time, and the CPUs spin for it.",
        "O(1) has a queue and a lock per CPU and does not scan, so the number of clients makes no difference.",
    ],
    not_reproduced: "Differences between kernels that have the same scheduler, such as 2.4.19-pre5-aa1 at 29.22 and \
                     -pre7-aa1 at 32.75 MB/s: they carry the same revision of it, so something else changed. The six \
                     releases of 2.4 are one policy here and get one figure per row.",
    calibrated: &[
        Calibrated { what: "missing scanned task 203 ns more (142 cycles, memory)", to: "192 clients, 2.4.19-pre7" },
        Calibrated { what: "CPU of client and handler per exchange 111.8 µs", to: "64 clients, 2.4.19-pre7-ac2" },
    ],
    sources: &[
        "A scanned task that hits costs 50 ns: 35 cycles (chip, typical).",
        "16 colours of 8 lines: 1 MiB by 8 ways by 8 KiB per task structure (chip and kernel).",
        "3,099 bytes and two messages per exchange: counted in tbench's own load file.",
        "Switch 1.4 µs, interrupt to another CPU 1 µs: typical of the chip.",
    ],
    tables: &[TBENCH],
};

const fn column(kernel: &'static str, policy: &'static str) -> Column {
    Column { key: kernel, label: kernel, policy, tunables: &[], group: "" }
}

const TBENCH: Table = Table {
    key: "tbench",
    title: "tbench",
    unit: "MB/s",
    row_unit: "clients",
    higher_is_better: true,
    rows: &[Row { key: "64", label: "64 clients", x: 64 }, Row { key: "192", label: "192 clients", x: 192 }],
    columns: &[
        column("2.4.16", "linux-2.4"),
        column("2.4.17", "linux-2.4"),
        column("2.4.19-pre5", "linux-2.4"),
        column("2.4.19-pre5-aa1", "linux-2.4-aa"),
        column("2.4.19-pre5-aa1-2g-hio", "linux-2.4-aa"),
        column("2.4.19-pre5-aa1-3g-hio", "linux-2.4-aa"),
        column("2.4.19-pre7", "linux-2.4"),
        column("2.4.19-pre7-aa1", "linux-2.4-aa"),
        column("2.4.19-pre7-ac2", "o1-2.4-ac"),
        // rmap changes the memory management, -rl is Randy's own tree: both keep the scheduler of 2.4.
        column("2.4.19-pre7-rmap13", "linux-2.4"),
        column("2.4.19-pre7-jam6", "o1-2.4-ac"),
        column("2.4.19-pre7-rl", "linux-2.4"),
    ],
    figures: &[
        &[
            p(&[101_990]),
            p(&[103_490]),
            p(&[]),
            p(&[102_430]),
            p(&[104_300]),
            p(&[104_600]),
            p(&[100_860]),
            p(&[101_760]),
            c(&[105_890]),
            p(&[100_940]),
            p(&[108_230]),
            p(&[99_650]),
        ],
        &[
            p(&[29_390]),
            p(&[29_700]),
            p(&[29_010]),
            p(&[29_220]),
            p(&[29_940]),
            p(&[28_660]),
            c(&[29_930]),
            p(&[32_750]),
            p(&[103_980]),
            p(&[29_460]),
            p(&[104_980]),
            p(&[29_740]),
        ],
    ],
    noise_permille: 0,
    noise_source: "one run of each figure; kernels that have the same scheduler differ by this much",
    method: Method { scenario: tbench, warm_up_ns: 1_000 * MS, strip_ns: MS, measure: tbench_mb },
    shapes: &[
        Shape { claim: "O(1) kernels are flat: 192 clients within 10 % of 64", holds: |values| flat(values, &O1) },
        Shape { claim: "All others collapse: 192 clients give less than a third of 64", holds: collapse },
    ],
};

/// Columns whose scheduler is O(1).
const O1: [usize; 2] = [8, 10];

fn flat(values: &Values<'_>, columns: &[usize]) -> bool {
    columns.iter().all(|&column| values.is_flat(column, 1100))
}

fn collapse(values: &Values<'_>) -> bool {
    let others = (0..TBENCH.columns.len()).filter(|column| !O1.contains(column));
    let fell = |column| match ((values.get)(0, column), (values.get)(1, column)) {
        (Some(few), Some(many)) => 3 * many < few,
        _ => true,
    };
    others.into_iter().all(fell)
}

/// CPU per exchange beside system calls and switches, ns: with it -ac2 gets its figure at 64 clients. The benchmark's own
/// cost; of 112 µs the client takes two fifths.
const CLIENT_NS: u64 = 44_800;
const SERVER_NS: u64 = 67_000;

fn tbench(cell: Cell) -> Scenario {
    let params = [("client", CLIENT_NS), ("server", SERVER_NS)];
    cell.on_machine(4_000 * MS, vec![workload("tbench", "tbench", cell.row().x as u32, &params)])
}

/// Exchanges per second times the file data of one.
fn tbench_mb(_: Cell, run: &Finished<'_>) -> Option<u64> {
    let rate = run.rate_milli("tbench exchange");
    (rate > 0).then_some(rate * BYTES_PER_EXCHANGE / 1_000_000)
}
