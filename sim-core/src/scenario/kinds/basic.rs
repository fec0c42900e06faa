//! The simplest kinds: hogs, sleepers, batch jobs, and programs written by the user.

use super::super::code::{Code, exact, exponential, uniform};
use super::{Kind, ParamSpec, answered};
use crate::task::program::{Amount, Op, Value};

/// Longest burst: a hog asks for it again and again.
const ENDLESS_NS: u64 = super::super::limits::DURATION_NS_MAX;

/// `spill` of seed 000: an endless user loop.
pub(super) static HOG: Kind = Kind {
    key: "hog",
    label: "Hog",
    help: "An endless loop that uses all the CPU it gets; count: number of hogs",
    params: &[],
    count_max: 10_000,
    count_default: 2,
    rows: |_| 1,
    build: |unit| {
        let mut code = Code::new();
        code.forever(|c| {
            c.run(Amount::fixed(ENDLESS_NS));
        });
        unit.task("", &code);
    },
};

/// An interactive task: sleeps, then works a little.
pub(super) static SLEEPER: Kind = Kind {
    key: "sleeper",
    label: "Sleeper",
    help: "Sleeps, is woken, works a little, again and again; count: number of sleepers",
    params: &[
        ParamSpec::time("burst", "Work per wakeup", 1_000, 1_000_000_000, 1_000_000),
        ParamSpec::time("sleep", "Sleep", 10_000, 10_000_000_000, 20_000_000),
        ParamSpec::fixed("jitter", "Jitter", "percent", (0, 100, 50)),
    ],
    count_max: 10_000,
    count_default: 2,
    rows: |_| 1,
    build: |unit| {
        let jitter = unit.get("jitter");
        let (burst, sleep) = (uniform(unit.value("burst"), jitter), uniform(unit.value("sleep"), jitter));
        let mark = unit.mark("done");
        let mut code = Code::new();
        code.forever(|c| answered(c, mark, Op::Sleep(sleep), burst));
        unit.task("", &code);
    },
};

/// Jobs that arrive one after the other, each with a size of its own, and end: the classroom's workload.
pub(super) static BATCH_JOBS: Kind = Kind {
    key: "batch-jobs",
    label: "Batch jobs",
    help: "Jobs of random length that arrive one after the other and end; count: number of jobs",
    params: &[
        ParamSpec { live: false, ..ParamSpec::time("gap", "Time between arrivals", 0, 10_000_000_000, 50_000_000) },
        ParamSpec { live: false, ..ParamSpec::time("work", "Mean length", 1_000, 100_000_000_000, 100_000_000) },
        ParamSpec::fixed("varied", "Lengths vary (0: all equal)", "count", (0, 1, 1)),
    ],
    count_max: 10_000,
    count_default: 8,
    rows: |_| 1,
    build: |unit| {
        let work = Value::Const(unit.get("work"));
        let work = if unit.get("varied") == 0 { exact(work) } else { exponential(work) };
        let arrival = unit.get("gap").saturating_mul(u64::from(unit.index));
        let mark = unit.mark("finished");
        let mut code = Code::new();
        if arrival > 0 {
            answered(&mut code, mark, Op::Sleep(Amount::fixed(arrival)), work);
        } else {
            code.op(Op::MarkStart(mark)).run(work).op(Op::Mark(mark));
        }
        code.op(Op::Exit);
        unit.task("", &code);
    },
};

/// A program written in the scenario itself.
pub(super) static PROGRAM: Kind = Kind {
    key: "program",
    label: "Own program",
    help: "Steps from the scenario file; count: number of tasks that perform them",
    params: &[],
    count_max: 10_000,
    count_default: 1,
    rows: |_| 1,
    build: |unit| {
        let code = unit.written_program();
        unit.task("", &code);
    },
};
