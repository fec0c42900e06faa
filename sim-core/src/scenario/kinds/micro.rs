//! The lmbench tests and their relatives (`spec/seed-machines.md`, 2.2 to 2.4).

use super::super::code::{Code, exact};
use super::{Kind, ParamSpec};
use crate::task::program::Op;

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
