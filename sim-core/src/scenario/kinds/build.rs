//! Kernel builds (`spec/seed-machines.md`, 2.8): `make -jN` keeps N compile jobs going. A job is a driver that forks the
//! compiler and the assembler, which reads the compiler's output through a pipe. The wait of make for one of its jobs is
//! a process of its own here, one per job slot; it uses hardly any time.

use super::super::code::{Code, exponential, uniform};
use super::{Kind, ParamSpec, Unit};
use crate::task::program::{Amount, Op, Value};

/// Pieces in which the compiler hands its output over.
const PIECES: u64 = 4;
const MS: u64 = 1_000_000;

const JOBS: ParamSpec = ParamSpec::fixed("jobs", "Jobs at once (-j)", "count", (1, 200, 4));
const WORK: ParamSpec =
    ParamSpec::time("work", "Mean compile work per piece (four a file)", 10_000, 10_000_000_000, 60_000_000);
const IO: ParamSpec = ParamSpec::time("io", "Mean wait for the disk, per piece", 1_000, 1_000_000_000, 2_000_000);
const KIB: ParamSpec = ParamSpec::fixed("kib", "Working set of the compiler", "kib", (0, 65_536, 1_024));

/// An endless build.
pub(super) static KBUILD: Kind = Kind {
    key: "kbuild",
    label: "Kernel build",
    help: "make -jN without end: drivers, compilers and assemblers; count: number of builds",
    params: &[JOBS, WORK, IO, KIB],
    count_max: 20,
    count_default: 1,
    rows: |args| 4 * args.get("jobs") as u32,
    build: |unit| {
        let mark = unit.mark("file");
        for slot in 1..=unit.get("jobs") {
            let (driver, done) = job(unit, slot);
            let mut code = Code::new();
            code.forever(|c| {
                c.op(Op::MarkStart(mark)).run(Amount::fixed(MS)).op(Op::Fork(driver)).wait(done).op(Op::Mark(mark));
            });
            unit.task(&format!("make{slot}"), &code);
        }
    },
};

/// A build of a given size that ends; the response time of its mark is the elapsed time that kernbench reports.
pub(super) static KERNBENCH: Kind = Kind {
    key: "kernbench",
    label: "kernbench",
    help: "make -jN of a given number of files; the mark at the end has the elapsed time; count: number of builds",
    params: &[JOBS, ParamSpec::fixed("files", "Files", "count", (1, 100_000, 40)), WORK, IO, KIB],
    count_max: 20,
    count_default: 1,
    rows: |args| 4 * args.get("jobs") as u32,
    build: |unit| {
        let (jobs, files) = (unit.get("jobs"), unit.get("files"));
        let (file, build) = (unit.mark("file"), unit.mark("build"));
        let all = unit.barrier(jobs as u32);
        for slot in 1..=jobs {
            let (driver, done) = job(unit, slot);
            let own_files = files / jobs + u64::from(slot <= files % jobs);
            let mut code = Code::new();
            code.op(Op::MarkStart(build));
            if own_files > 0 {
                code.repeat(Value::Const(own_files), |c| {
                    c.run(Amount::fixed(MS)).op(Op::Fork(driver)).wait(done);
                    if slot > 1 {
                        c.op(Op::Mark(file));
                    }
                });
            }
            code.op(Op::Barrier(all));
            if slot == 1 {
                code.op(Op::Mark(build));
            }
            code.op(Op::Exit);
            unit.task(&format!("make{slot}"), &code);
        }
    },
};

/// Templates of one job slot: the driver to fork, and the channel that tells its end.
fn job(unit: &mut Unit<'_, '_>, slot: u64) -> (u32, u32) {
    let (work, io) = (exponential(unit.value("work")), exponential(unit.value("io")));
    let kib = unit.get("kib") as u32;
    let (pipe, ended, done) = (unit.channel(), unit.channel(), unit.channel());
    let pieces = Value::Const(PIECES);
    let mut code = Code::new();
    code.repeat(pieces, |c| {
        c.wait(pipe).run(uniform(Value::Const(5 * MS), 50));
    });
    code.op(Op::SleepUninterruptible(io)).signal(ended, 1).op(Op::Exit);
    let assembler = unit.template(&format!("as{slot}"), &code, kib / 4);
    let mut code = Code::new();
    code.repeat(pieces, |c| {
        c.op(Op::SleepUninterruptible(io)).run(work).signal(pipe, 1);
    });
    code.signal(ended, 1).op(Op::Exit);
    let compiler = unit.template(&format!("cc{slot}"), &code, kib);
    let mut code = Code::new();
    code.run(uniform(Value::Const(3 * MS), 50)).op(Op::Fork(compiler)).op(Op::Fork(assembler));
    code.wait(ended).wait(ended).run(Amount::fixed(MS)).signal(done, 1).op(Op::Exit);
    let driver = unit.template(&format!("gcc{slot}"), &code, kib / 8);
    (driver, done)
}
