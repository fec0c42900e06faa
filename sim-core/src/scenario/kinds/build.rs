//! Kernel builds (`spec/seed-machines.md`, 2.8): `make -jN` keeps N compile jobs going. A job is a driver that forks the
//! compiler and the assembler, which reads the compiler's output through a pipe. The wait of make for one of its jobs is
//! a process of its own here, one per job slot; it uses hardly any time.

use super::super::code::{Code, exponential, uniform};
use super::{Args, Kind, ParamSpec, Unit};
use crate::task::program::{Amount, Op, Value};

const MS: u64 = 1_000_000;
/// The assembler's work per file.
const ASSEMBLE_NS: u64 = 20 * MS;

const JOBS: ParamSpec = ParamSpec::fixed("jobs", "Jobs at once (-j)", "count", (1, 200, 4));
const WORK: ParamSpec = ParamSpec::time("work", "Mean compile work per piece", 10_000, 10_000_000_000, 60_000_000);
const IO: ParamSpec = ParamSpec::time("io", "Mean wait for the disk, per piece", 1_000, 1_000_000_000, 2_000_000);
const SYSTEM: ParamSpec =
    ParamSpec::fixed("system", "Mean system time per piece (page faults, files)", "ns", (0, 1_000_000_000, 0));
const PIECES: ParamSpec =
    ParamSpec::fixed("pieces", "Pieces in which the compiler hands over its output", "count", (1, 100, 4));
const SHELLS: ParamSpec = ParamSpec::fixed("shells", "Shells between make and the driver", "count", (0, 3, 0));
const KIB: ParamSpec = ParamSpec::fixed("kib", "Working set of the compiler", "kib", (0, 65_536, 1_024));

/// An endless build.
pub(super) static KBUILD: Kind = Kind {
    key: "kbuild",
    label: "Kernel build",
    help: "make -jN without end: drivers, compilers and assemblers; count: number of builds",
    params: &[JOBS, WORK, IO, KIB, SYSTEM, SHELLS, PIECES],
    count_max: 20,
    count_default: 1,
    rows,
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
    params: &[
        JOBS,
        ParamSpec::fixed("files", "Files", "count", (1, 100_000, 40)),
        WORK,
        IO,
        KIB,
        SYSTEM,
        SHELLS,
        PIECES,
        ParamSpec::fixed("link", "Links at the end, on one CPU", "ns", (0, 1_000_000_000_000, 0)),
    ],
    count_max: 20,
    count_default: 1,
    rows: |args| 1 + rows(args),
    build: |unit| {
        let (jobs, files) = (unit.get("jobs"), unit.get("files"));
        let (file, build) = (unit.mark("file"), unit.mark("build"));
        let (todo, made) = (unit.channel(), unit.channel());
        // make itself: hands out the files, waits for all of them, links. Its job slots wait for ever then.
        let mut code = Code::new();
        code.op(Op::MarkStart(build)).signal(todo, files as u32);
        code.repeat(Value::Const(files), |c| {
            c.wait(made);
        });
        let link = unit.get("link");
        if link > 0 {
            code.run(Amount::fixed(link));
        }
        code.op(Op::Mark(build)).op(Op::Exit);
        unit.task("make", &code);
        for slot in 1..=jobs {
            let (driver, done) = job(unit, slot);
            let mut code = Code::new();
            code.forever(|c| {
                c.op(Op::TakeJob(todo)).run(Amount::fixed(MS)).op(Op::Fork(driver)).wait(done);
                c.op(Op::Mark(file)).signal(made, 1);
            });
            unit.task(&format!("make{slot}"), &code);
        }
    },
};

/// Tasks and templates of a build.
fn rows(args: &Args<'_>) -> u32 {
    (4 + args.get("shells") as u32) * args.get("jobs") as u32
}

/// Templates of one job slot: the process that make forks, and the channel that tells its end.
fn job(unit: &mut Unit<'_, '_>, slot: u64) -> (u32, u32) {
    let (work, io) = (exponential(unit.value("work")), exponential(unit.value("io")));
    let (kib, system) = (unit.get("kib") as u32, unit.get("system"));
    let (pipe, ended, done) = (unit.channel(), unit.channel(), unit.channel());
    let pieces = unit.get("pieces");
    let assemble = uniform(Value::Const(ASSEMBLE_NS / pieces), 50);
    let pieces = Value::Const(pieces);
    let mut code = Code::new();
    code.repeat(pieces, |c| {
        c.wait(pipe).run(assemble);
    });
    code.op(Op::SleepUninterruptible(io)).signal(ended, 1).op(Op::Exit);
    let assembler = unit.template(&format!("as{slot}"), &code, kib / 4);
    let mut code = Code::new();
    code.repeat(pieces, |c| {
        c.op(Op::SleepUninterruptible(io));
        if system > 0 {
            c.op(Op::RunKernel(exponential(Value::Const(system))));
        }
        c.run(work).signal(pipe, 1);
    });
    code.signal(ended, 1).op(Op::Exit);
    let compiler = unit.template(&format!("cc{slot}"), &code, kib);
    let mut code = Code::new();
    code.run(uniform(Value::Const(3 * MS), 50)).op(Op::Fork(compiler)).op(Op::Fork(assembler));
    code.wait(ended).wait(ended).run(Amount::fixed(MS)).signal(done, 1).op(Op::Exit);
    let mut top = (unit.template(&format!("gcc{slot}"), &code, kib / 8), done);
    for shell in 1..=unit.get("shells") {
        let (child, child_done) = top;
        let done = unit.channel();
        let mut code = Code::new();
        code.run(uniform(Value::Const(3 * MS / 2), 33)).op(Op::Fork(child)).wait(child_done);
        code.run(Amount::fixed(MS / 2)).signal(done, 1).op(Op::Exit);
        top = (unit.template(&format!("sh{slot}.{shell}"), &code, kib / 8), done);
    }
    top
}
