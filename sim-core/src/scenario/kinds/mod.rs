//! Workload kinds: each turns a few numbers into the programs of its tasks, step by step as the real benchmark or
//! application does it. Keys go into links: never rename one.

mod apps;
mod basic;
mod build;
mod micro;
mod servers;

use super::builder::Builder;
use super::code::Code;
use super::schema::Workload;
use crate::engine::protocol::{KindView, ParamView};
use crate::policy::SchedClass;
use crate::task::program::{Amount, MarkId, Op, SyncId, Value};

/// A number of a kind that a slider moves.
pub(super) struct ParamSpec {
    /// Key in the scenario; goes into links.
    pub key: &'static str,
    /// Label.
    pub label: &'static str,
    /// Unit word: ns, count, percent, kib.
    pub unit: &'static str,
    /// Smallest, largest, default.
    pub range: (u64, u64, u64),
    /// Acts while the machine runs.
    pub live: bool,
    /// Logarithmic slider.
    pub log: bool,
}

impl ParamSpec {
    /// A time that a logarithmic slider moves while the machine runs.
    const fn time(key: &'static str, label: &'static str, min: u64, max: u64, default: u64) -> Self {
        ParamSpec { key, label, unit: "ns", range: (min, max, default), live: true, log: true }
    }

    /// A number that shapes the workload: a change starts the run anew.
    const fn fixed(key: &'static str, label: &'static str, unit: &'static str, range: (u64, u64, u64)) -> Self {
        ParamSpec { key, label, unit, range, live: false, log: false }
    }
}

/// A kind of workload.
pub(super) struct Kind {
    /// Key in the scenario; goes into links.
    pub key: &'static str,
    /// Label.
    pub label: &'static str,
    /// One line: what it does and what one unit of `count` is.
    pub help: &'static str,
    /// Numbers beside count, nice and class.
    pub params: &'static [ParamSpec],
    /// Largest count.
    pub count_max: u32,
    /// Default count.
    pub count_default: u32,
    /// Tasks and fork templates of one unit.
    pub rows: fn(&Args<'_>) -> u32,
    /// Writes the programs of one unit.
    pub build: fn(&mut Unit<'_, '_>),
}

/// All kinds in menu order.
pub(super) static KINDS: &[&Kind] = &[
    &basic::HOG,
    &basic::SLEEPER,
    &apps::EDITOR,
    &apps::AUDIO,
    &apps::VIDEO,
    &apps::XSERVER,
    &apps::PERIODIC_RT,
    &basic::BATCH_JOBS,
    &micro::LAT_CTX,
    &micro::LAT_PROC,
    &micro::LAT_SELECT,
    &micro::FORK_STORM,
    &servers::HACKBENCH,
    &servers::TBENCH,
    &servers::SYSBENCH,
    &servers::VOLANOMARK,
    &build::KBUILD,
    &build::KERNBENCH,
    &basic::PROGRAM,
];

/// The kind with this key.
pub(super) fn find(key: &str) -> Option<&'static Kind> {
    KINDS.iter().copied().find(|kind| kind.key == key)
}

/// Keys of all kinds.
pub(super) fn keys() -> Vec<&'static str> {
    KINDS.iter().map(|kind| kind.key).collect()
}

/// All kinds for the controls.
pub(super) fn views() -> Vec<KindView> {
    KINDS.iter().map(|kind| view(kind)).collect()
}

fn view(kind: &Kind) -> KindView {
    let params = kind.params.iter().map(|param| ParamView {
        key: param.key.into(),
        label: param.label.into(),
        unit: param.unit.into(),
        min: param.range.0,
        max: param.range.1,
        default: param.range.2,
        live: param.live,
        log: param.log,
    });
    KindView {
        key: kind.key.into(),
        label: kind.label.into(),
        help: kind.help.into(),
        params: params.collect(),
        count_max: kind.count_max,
        count_default: kind.count_default,
    }
}

/// The numbers of one workload: what the scenario says, else the default.
pub(super) struct Args<'w> {
    /// The workload.
    pub workload: &'w Workload,
    /// Its kind.
    pub kind: &'static Kind,
}

impl Args<'_> {
    /// Present value of parameter `key`, brought into its range: sizes are computed before all faults are known.
    pub fn get(&self, key: &str) -> u64 {
        let Some(spec) = self.kind.params.iter().find(|param| param.key == key) else { return 0 };
        let (min, max, default) = spec.range;
        self.workload.params.get(key).map_or(default, |value| (*value).clamp(min, max))
    }
}

/// One unit of a workload while its programs are written.
pub(super) struct Unit<'b, 's> {
    builder: &'b mut Builder<'s>,
    args: &'b Args<'b>,
    /// Which unit of the workload.
    pub index: u32,
    /// Name of the unit; tasks append their role.
    name: String,
    /// Position of the workload in the scenario.
    position: u16,
}

impl<'b, 's> Unit<'b, 's> {
    /// Opens unit `index` of workload number `position`.
    pub fn new(builder: &'b mut Builder<'s>, args: &'b Args<'b>, position: u16, index: u32, name: String) -> Self {
        Unit { builder, args, index, name, position }
    }

    /// Present value of a parameter; for those that are not live.
    pub fn get(&self, key: &str) -> u64 {
        self.args.get(key)
    }

    /// A parameter as the source of a number: live ones follow their slider.
    pub fn value(&self, key: &str) -> Value {
        self.builder.param(self.position, key).map_or(Value::Const(self.args.get(key)), Value::Param)
    }

    /// The workload.
    pub fn workload(&self) -> &Workload {
        self.args.workload
    }

    /// A new channel.
    pub fn channel(&mut self) -> SyncId {
        self.builder.channel()
    }

    /// A new barrier.
    pub fn barrier(&mut self, parties: u32) -> SyncId {
        self.builder.barrier(parties)
    }

    /// A mark of this workload.
    pub fn mark(&mut self, what: &str) -> MarkId {
        let name = format!("{} {what}", self.args.workload.name);
        self.builder.mark(&name)
    }

    /// A new address space.
    pub fn address_space(&mut self) -> u32 {
        self.builder.address_space()
    }

    /// Address space number `which` of the workload, shared by all its units.
    pub fn shared_address_space(&mut self, which: u8) -> u32 {
        self.builder.shared_address_space(self.position, which)
    }

    /// Mutex number `which` of the workload, shared by all its units.
    pub fn shared_mutex(&mut self, which: u8) -> SyncId {
        self.builder.shared_mutex(self.position, which)
    }

    /// A task with its own address space that starts with its unit.
    pub fn task(&mut self, role: &str, code: &Code) {
        let mm = self.address_space();
        self.thread(role, code, mm, 0);
    }

    /// A task in address space `mm` with a working set.
    pub fn thread(&mut self, role: &str, code: &Code, mm: u32, working_set_kib: u32) {
        let class = (self.args.workload.class, self.args.workload.rt_priority);
        self.push(role, code, mm, working_set_kib, class, true);
    }

    /// A task of another class than the workload's, with its own address space.
    pub fn task_of_class(&mut self, role: &str, code: &Code, class: SchedClass, rt_priority: u8) {
        let mm = self.address_space();
        self.push(role, code, mm, 0, (class, rt_priority), true);
    }

    /// A program that only `fork` starts; gives the number that [`Op::Fork`] takes.
    pub fn template(&mut self, role: &str, code: &Code, working_set_kib: u32) -> u32 {
        let mm = self.address_space();
        let class = (self.args.workload.class, self.args.workload.rt_priority);
        self.push(role, code, mm, working_set_kib, class, false)
    }

    fn push(
        &mut self,
        role: &str,
        code: &Code,
        mm: u32,
        kib: u32,
        (class, rt_priority): (SchedClass, u8),
        starts: bool,
    ) -> u32 {
        let name = if role.is_empty() { self.name.clone() } else { format!("{}/{role}", self.name) };
        let mut row = self.builder.row(self.args.workload, name, code.ops());
        row.class = class;
        row.rt_priority = rt_priority;
        row.mm = mm;
        row.working_set_kib = kib;
        row.workload = self.position;
        row.index = self.index;
        row.start = starts.then_some(self.args.workload.start_ns);
        self.builder.push(row)
    }

    /// The workload's own program; all its tasks share one.
    pub fn written_program(&mut self) -> Code {
        self.builder.program_of(self.position)
    }
}

/// `request, work, mark`: one job whose response time runs from the moment at which the task is woken for it.
fn answered(code: &mut Code, mark: MarkId, wait: Op, work: Amount) {
    code.op(Op::RequestOnWake).op(wait).run(work).op(Op::Mark(mark));
}
