//! The lmbench tests and their relatives (`spec/seed-machines.md`, 2.2 to 2.4).

use super::super::code::{Code, exact, exponential};
use super::{Kind, ParamSpec};
use crate::task::program::{Amount, Op};

/// `lat_ctx -s SIZE P`: P processes in a ring of pipes pass one token. Exactly one of them is runnable at any time; each
/// hop is a read, a walk over the array, a write that wakes the next one, and a read that blocks.
pub(super) static LAT_CTX: Kind = Kind {
    key: "lat-ctx",
    label: "lat_ctx ring",
    help: "lmbench lat_ctx: processes pass a token through pipes; count: number of rings",
    params: &[
        ParamSpec::fixed("procs", "Processes in the ring", "count", (2, 256, 2)),
        ParamSpec::time("hop", "CPU per hop (read, array, write)", 100, 10_000_000, 2_000),
        ParamSpec::fixed("kib", "Array per process", "kib", (0, 65_536, 0)),
    ],
    count_max: 100,
    count_default: 1,
    rows: |args| args.get("procs") as u32,
    build: |unit| {
        let procs = unit.get("procs") as u32;
        let kib = unit.get("kib") as u32;
        let hop = exact(unit.value("hop"));
        let lap = unit.mark("lap");
        let pipes: Vec<u32> = (0..procs).map(|_| unit.channel()).collect();
        let last = pipes[procs as usize - 1];
        for member in 0..procs as usize {
            let mut code = Code::new();
            if member == 0 {
                // The parent closes the ring: it writes first and counts a lap when the token is back.
                code.forever(|c| {
                    c.op(Op::MarkStart(lap)).signal(pipes[0], 1).wait(last).run(hop).op(Op::Mark(lap));
                });
            } else {
                code.forever(|c| {
                    c.wait(pipes[member - 1]).run(hop).signal(pipes[member], 1);
                });
            }
            let mm = unit.address_space();
            unit.thread(&member.to_string(), &code, mm, kib);
        }
    },
};

/// `lat_proc`: fork, the child works (exits, or executes a program) and ends, the parent waits for it.
pub(super) static LAT_PROC: Kind = Kind {
    key: "lat-proc",
    label: "lat_proc",
    help: "lmbench lat_proc: forks a child and waits for its end, again and again; count: number of parents",
    params: &[
        ParamSpec::time("parent", "Parent's work per round (fork, wait)", 1_000, 100_000_000, 180_000),
        ParamSpec::time("child", "Child's work (exit 190 µs, exec 1.8 ms, shell 7.5 ms)", 1_000, 100_000_000, 190_000),
    ],
    count_max: 100,
    count_default: 1,
    rows: |_| 2,
    build: |unit| {
        let (parent, child) = (exact(unit.value("parent")), exact(unit.value("child")));
        let (ended, mark) = (unit.channel(), unit.mark("round"));
        let mut code = Code::new();
        code.run(child).signal(ended, 1).op(Op::Exit);
        let template = unit.template("child", &code, 0);
        let mut code = Code::new();
        code.forever(|c| {
            c.op(Op::MarkStart(mark)).run(parent).op(Op::Fork(template)).wait(ended).op(Op::Mark(mark));
        });
        unit.task("", &code);
    },
};

/// `lat_select`: select() with zero timeout never blocks, so no scheduler can make a difference: the control.
/// Costs per call of the Pentium II of post 000: 2.85 µs, and 0.1735 µs more per file or 0.3052 µs per socket.
pub(super) static LAT_SELECT: Kind = Kind {
    key: "lat-select",
    label: "lat_select",
    help: "lmbench lat_select: select() over many descriptors, never blocks; count: number of processes",
    params: &[
        ParamSpec::fixed("fds", "Descriptors", "count", (1, 10_000, 100)),
        ParamSpec::fixed("tcp", "Sockets instead of files", "count", (0, 1, 0)),
    ],
    count_max: 100,
    count_default: 1,
    rows: |_| 1,
    build: |unit| {
        let fds = unit.get("fds");
        let call_ns = 2_850 + fds * if unit.get("tcp") == 1 { 3_052 } else { 1_735 } / 10;
        let mark = unit.mark("call");
        let mut code = Code::new();
        code.forever(|c| {
            c.run(Amount::fixed(call_ns)).op(Op::Mark(mark));
        });
        unit.task("", &code);
    },
};

/// Short-lived children at random intervals, as a shell script or a build starts them.
pub(super) static FORK_STORM: Kind = Kind {
    key: "fork-storm",
    label: "Fork storm",
    help: "A parent starts short-lived children at random times; count: number of parents",
    params: &[
        ParamSpec::time("gap", "Mean time between forks", 100_000, 10_000_000_000, 5_000_000),
        ParamSpec::time("work", "Mean work of a child", 1_000, 1_000_000_000, 4_000_000),
    ],
    count_max: 100,
    count_default: 1,
    rows: |_| 2,
    build: |unit| {
        let (gap, work) = (exponential(unit.value("gap")), exponential(unit.value("work")));
        let mark = unit.mark("child");
        let mut code = Code::new();
        code.op(Op::MarkStart(mark)).run(work).op(Op::Mark(mark)).op(Op::Exit);
        let template = unit.template("child", &code, 0);
        let mut code = Code::new();
        code.forever(|c| {
            c.op(Op::Fork(template)).sleep(gap);
        });
        unit.task("", &code);
    },
};
