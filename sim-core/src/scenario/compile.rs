//! Scenario to machine: tasks with their programs, groups, prices, knobs and the command log of one lane.
//!
//! Task numbers depend on the workloads alone, never on the policy or on later changes, so lanes can be compared task by
//! task and a slider moved in the middle of a run leaves the past as it was. Each workload gets rows in advance for its
//! count slider; rows that only a change needs come at the end of the table.

use super::code::Code;
use super::kinds::{self, Args, Unit};
use super::limits::{SPARE_TASKS, TASKS_MAX};
use super::problems::Problems;
use super::program::{self, Step};
use super::schema::{Lane, Scenario, Target, Workload};
use super::validate::{self, MARKS_MAX};
use crate::engine::protocol::{Problem, TaskView};
use crate::kernel::{Change, CpuMax, EventOrder, Group, SimConfig, TaskSpec};
use crate::machine::profile;
use crate::machine::topology::TopologySpec;
use crate::policy::{Caps, PolicyEntry, PolicyInfo, SchedClass, Shape};
use crate::task::program::{MarkId, Op, ParamId, SyncId};
use crate::units::{CpuId, CpuMask, GroupId, Nanos};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A slider that acts while the machine runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParamSlot {
    /// Workload that it belongs to.
    pub workload: u16,
    /// Key in the scenario.
    pub key: &'static str,
}

/// A lane of a scenario, ready to run.
#[derive(Clone)]
pub struct Compiled {
    /// The policy; its `build` takes `config` and `tunables`.
    pub entry: &'static PolicyEntry,
    /// The machine.
    pub config: SimConfig,
    /// One value per tunable of the policy, in its order.
    pub tunables: Vec<i64>,
    /// What changes while it runs, in order of time; equal times in the scenario's order.
    pub changes: Vec<(Nanos, Change)>,
    /// Length of the run.
    pub duration_ns: Nanos,
    /// Names and workloads of all rows of the task table, dormant ones and fork templates included.
    pub tasks: Vec<TaskView>,
    /// Group names by index; 0 is the root.
    pub groups: Vec<String>,
    /// Names of marks.
    pub marks: Vec<String>,
    /// What each entry of `config.params` is.
    pub params: Vec<ParamSlot>,
    /// What this policy cannot do and how it is run instead, and unknown fields.
    pub warnings: Vec<Problem>,
}

/// Compiles lane number `lane`. All faults are reported at once.
pub fn compile(scenario: &Scenario, lane: usize) -> Result<Compiled, Vec<Problem>> {
    let keys: Vec<&str> = crate::policies::all().map(|entry| entry.info.key).collect();
    let known = |key: &str| crate::policies::find(key).map(|entry| &entry.info);
    validate::check_lanes(scenario, &known, &keys)?;
    let entry = scenario.lanes.get(lane).and_then(|lane| crate::policies::find(&lane.policy));
    match entry {
        Some(entry) => compile_for(scenario, lane, entry),
        None => Err(super::problems::single("lanes", format!("there is no lane {lane}"), "")),
    }
}

/// Compiles lane number `lane` for a given policy.
pub fn compile_for(scenario: &Scenario, lane: usize, entry: &'static PolicyEntry) -> Result<Compiled, Vec<Problem>> {
    let mut warnings = validate::check(scenario)?;
    let Some(lane) = scenario.lanes.get(lane) else {
        return Err(super::problems::single("lanes", format!("there is no lane {lane}"), ""));
    };
    warnings.extend(validate::abilities(scenario, &entry.info));
    let (groups, group_ids) = groups(scenario);
    let builder = Builder::new(scenario, group_ids, entry.info.caps);
    let built = builder.all();
    let group_names = groups.iter().map(|group| group.name.to_string()).collect();
    let shape = Shape { cpus: topology(scenario).cpus(), hz: scenario.machine.hz };
    let tasks = built.tasks.iter().enumerate().map(|(id, task)| view(id, task)).collect();
    Ok(Compiled {
        entry,
        tunables: tunables(lane, &entry.info, shape),
        changes: changes(scenario, &built, &entry.info),
        duration_ns: scenario.duration_ns,
        tasks,
        groups: group_names,
        params: built.param_slots,
        marks: built.marks,
        warnings,
        config: SimConfig {
            topology: topology(scenario),
            hz: scenario.machine.hz,
            tick_skew: scenario.machine.tick_skew,
            order: EventOrder::Interrupts,
            seed: scenario.seed,
            tasks: built.tasks.into(),
            groups,
            params: built.params,
            counts: scenario.workloads.iter().map(|workload| workload.count).collect(),
            channels: built.channels,
            mutexes: built.mutexes,
            barriers: built.barriers,
            costs: profile::find(&scenario.machine.profile)
                .map_or_else(Default::default, |profile| profile.costs.clone()),
        },
    })
}

fn view(id: usize, task: &TaskSpec) -> TaskView {
    TaskView {
        id: id as u32,
        name: task.name.to_string(),
        workload: task.workload,
        nice: task.nice,
        class: task.class,
        group: task.group.0,
    }
}

fn topology(scenario: &Scenario) -> TopologySpec {
    let machine = &scenario.machine;
    let cache_cpus = profile::find(&machine.profile).map_or(0, |profile| profile.cache_cpus);
    TopologySpec {
        packages: machine.packages,
        cores: machine.cores / machine.packages,
        threads: machine.threads,
        numa: machine.numa,
        cache_cpus,
    }
}

/// Groups with parents before children, and the index of each name. The root is unnamed in a scenario.
fn groups(scenario: &Scenario) -> (Vec<Group>, BTreeMap<String, GroupId>) {
    let root = Group { name: "/".into(), parent: GroupId::ROOT, shares: 1024, idle: false, cpu_max: None };
    let mut groups = vec![root];
    let mut ids = BTreeMap::from([(String::new(), GroupId::ROOT)]);
    // Each round takes the groups whose parent is known; validation has ruled out circles.
    while groups.len() <= scenario.groups.len() {
        let before = groups.len();
        for group in &scenario.groups {
            let Some(&parent) = ids.get(&group.parent) else { continue };
            if ids.contains_key(&group.name) {
                continue;
            }
            ids.insert(group.name.clone(), GroupId(groups.len() as u16));
            let limit = CpuMax { quota_ns: group.quota_ns, period_ns: group.period_ns, burst_ns: group.burst_ns };
            groups.push(Group {
                name: group.name.as_str().into(),
                parent,
                shares: group.shares,
                idle: false,
                cpu_max: (group.quota_ns > 0).then_some(limit),
            });
        }
        assert!(groups.len() > before, "groups form a circle after validation");
    }
    (groups, ids)
}

fn tunables(lane: &Lane, info: &PolicyInfo, shape: Shape) -> Vec<i64> {
    let value = |spec: &crate::policy::TunableSpec| lane.tunables.get(spec.key).copied();
    info.tunables.iter().map(|spec| value(spec).unwrap_or_else(|| (spec.default)(shape))).collect()
}

/// A class as this policy runs it: what it does not know runs as normal.
fn class_for(caps: &Caps, class: SchedClass, rt_priority: u8) -> (SchedClass, u8) {
    let known = match class {
        SchedClass::Normal => true,
        SchedClass::Batch => caps.batch,
        SchedClass::Idle => caps.idle,
        SchedClass::Iso => caps.iso,
        SchedClass::Fifo | SchedClass::Rr => caps.rt,
    };
    match (known, class.is_rt()) {
        (true, true) => (class, rt_priority.max(1)),
        (true, false) => (class, 0),
        (false, _) => (SchedClass::Normal, 0),
    }
}

fn changes(scenario: &Scenario, built: &Builder<'_>, info: &PolicyInfo) -> Vec<(Nanos, Change)> {
    let mut changes: Vec<(Nanos, Change)> = scenario
        .changes
        .iter()
        .filter_map(|change| Some((change.t, one_change(&change.target, change.value, scenario, built, info)?)))
        .collect();
    changes.sort_by_key(|(at, _)| *at);
    changes
}

/// `None` only for a tunable that this policy does not have.
fn one_change(
    target: &Target,
    value: i64,
    scenario: &Scenario,
    built: &Builder<'_>,
    info: &PolicyInfo,
) -> Option<Change> {
    match target {
        Target::Workload(name, key) => {
            let position = scenario.workloads.iter().position(|workload| workload.name == *name)? as u16;
            Some(match key.as_str() {
                "count" => Change::Count { workload: position, count: value as u32 },
                "nice" => Change::Nice { workload: position, nice: value as i8 },
                "class" => {
                    let (_, class) = *super::read::CLASSES.get(value as usize)?;
                    let (class, rt_priority) = class_for(&info.caps, class, 1);
                    Change::Class { workload: position, class, rt_priority }
                }
                key => Change::Param { param: built.param(position, key)?.0, value: value as u64 },
            })
        }
        Target::Group(name) => Some(Change::Shares { group: *built.group_ids.get(name)?, shares: value as u64 }),
        Target::Tunable(key) => {
            let index = info.tunables.iter().position(|spec| spec.key == key)?;
            Some(Change::Tunable { index: index as u16, value })
        }
    }
}

/// Units of a workload: how many get rows among their neighbours, and how many in all.
struct Rows {
    at_once: u32,
    in_all: u32,
}

/// The task table and the synchronisation objects while they are built.
pub(super) struct Builder<'s> {
    scenario: &'s Scenario,
    group_ids: BTreeMap<String, GroupId>,
    caps: Caps,
    tasks: Vec<TaskSpec>,
    params: Vec<u64>,
    param_slots: Vec<ParamSlot>,
    channels: u32,
    mutexes: u32,
    barriers: Vec<u32>,
    marks: Vec<String>,
    mark_ids: BTreeMap<String, MarkId>,
    channel_ids: BTreeMap<String, SyncId>,
    mutex_ids: BTreeMap<String, SyncId>,
    barrier_ids: BTreeMap<String, SyncId>,
    /// Parties of named barriers.
    parties: BTreeMap<String, u32>,
    /// Template rows of workloads that programs fork.
    children: BTreeMap<String, u32>,
    /// Programs written so far, by workload.
    programs: BTreeMap<u16, Code>,
    address_spaces: u32,
    /// Address spaces that the units of a workload share.
    processes: BTreeMap<(u16, u8), u32>,
}

impl<'s> Builder<'s> {
    fn new(scenario: &'s Scenario, group_ids: BTreeMap<String, GroupId>, caps: Caps) -> Self {
        let mut builder = Builder {
            scenario,
            group_ids,
            caps,
            tasks: Vec::new(),
            params: Vec::new(),
            param_slots: Vec::new(),
            channels: 0,
            mutexes: 0,
            barriers: Vec::new(),
            marks: Vec::new(),
            mark_ids: BTreeMap::new(),
            channel_ids: BTreeMap::new(),
            mutex_ids: BTreeMap::new(),
            barrier_ids: BTreeMap::new(),
            parties: BTreeMap::new(),
            children: BTreeMap::new(),
            programs: BTreeMap::new(),
            address_spaces: 0,
            processes: BTreeMap::new(),
        };
        for (position, args) in builder.workloads() {
            for param in args.kind.params.iter().filter(|param| param.live) {
                builder.params.push(args.get(param.key));
                builder.param_slots.push(ParamSlot { workload: position, key: param.key });
            }
        }
        builder
    }

    /// The workloads with their kinds, numbered.
    fn workloads(&self) -> Vec<(u16, Args<'s>)> {
        let args = |(position, workload): (usize, &'s Workload)| {
            Some((position as u16, Args { workload, kind: kinds::find(&workload.kind)? }))
        };
        self.scenario.workloads.iter().enumerate().filter_map(args).collect()
    }

    fn all(mut self) -> Self {
        self.meet_programs();
        let workloads = self.workloads();
        let rows = rows(self.scenario, &workloads);
        for ((position, args), rows) in workloads.iter().zip(&rows) {
            self.units(*position, args, 0..rows.at_once);
        }
        for ((position, args), rows) in workloads.iter().zip(&rows) {
            self.units(*position, args, rows.at_once..rows.in_all);
        }
        self
    }

    /// Counts the parties of barriers and lays out the rows of forked programs; their own programs may fork again, so
    /// all rows must exist before the first program is written.
    fn meet_programs(&mut self) {
        let mut programs = Vec::new();
        let mut forked = Vec::new();
        let mut given = BTreeMap::new();
        for (position, workload) in self.scenario.workloads.iter().enumerate() {
            let steps = program::read(&workload.program, "", &mut Problems::default());
            let mut barriers = BTreeMap::new();
            program::walk(&steps, &mut |step| match step {
                Step::Barrier(name, parties) => {
                    barriers.insert(name.clone(), workload.count);
                    given.extend(parties.map(|parties| (name.clone(), parties)));
                }
                Step::Fork(name) => forked.push(name.clone()),
                _ => {}
            });
            for (name, count) in barriers {
                *self.parties.entry(name).or_default() += count;
            }
            programs.push((position as u16, workload));
        }
        self.parties.extend(given);
        programs.retain(|(_, workload)| forked.contains(&workload.name));
        for (position, workload) in &programs {
            let mut row = self.row(workload, workload.name.clone(), &[]);
            row.workload = *position;
            row.mm = self.address_space();
            let id = self.push(row);
            self.children.insert(workload.name.clone(), id);
        }
        for (position, workload) in &programs {
            let code = self.program_of(*position);
            if let Some(&id) = self.children.get(&workload.name) {
                self.tasks[id as usize].program = code.ops().into();
            }
        }
    }

    fn units(&mut self, position: u16, args: &Args<'_>, units: std::ops::Range<u32>) {
        for index in units {
            let name = match (index, args.workload.count) {
                (0, 0 | 1) => args.workload.name.clone(),
                (index, _) => format!("{}-{}", args.workload.name, index + 1),
            };
            (args.kind.build)(&mut Unit::new(self, args, position, index, name));
        }
    }

    /// The program that workload `position` holds, written once.
    pub fn program_of(&mut self, position: u16) -> Code {
        if let Some(code) = self.programs.get(&position) {
            return code.clone();
        }
        let steps = &self.scenario.workloads[usize::from(position)].program;
        let steps = program::read(steps, "", &mut Problems::default());
        let code = program::write(&steps, self);
        self.programs.insert(position, code.clone());
        code
    }

    /// The slider behind a parameter of workload `position`, if it is live.
    pub fn param(&self, position: u16, key: &str) -> Option<ParamId> {
        let found = self.param_slots.iter().position(|slot| slot.workload == position && slot.key == key);
        found.map(|index| ParamId(index as u16))
    }

    /// A new channel.
    pub fn channel(&mut self) -> SyncId {
        self.channels += 1;
        self.channels - 1
    }

    /// A new barrier.
    pub fn barrier(&mut self, parties: u32) -> SyncId {
        self.barriers.push(parties);
        self.barriers.len() as u32 - 1
    }

    /// The channel with this name.
    pub fn named_channel(&mut self, name: &str) -> SyncId {
        if let Some(&id) = self.channel_ids.get(name) {
            return id;
        }
        let id = self.channel();
        self.channel_ids.insert(name.into(), id);
        id
    }

    /// The mutex with this name.
    pub fn named_mutex(&mut self, name: &str) -> SyncId {
        let next = self.mutexes;
        let id = *self.mutex_ids.entry(name.into()).or_insert(next);
        self.mutexes = self.mutexes.max(id + 1);
        id
    }

    /// The barrier with this name.
    pub fn named_barrier(&mut self, name: &str) -> SyncId {
        if let Some(&id) = self.barrier_ids.get(name) {
            return id;
        }
        let id = self.barrier(self.parties.get(name).copied().unwrap_or(1).max(1));
        self.barrier_ids.insert(name.into(), id);
        id
    }

    /// The mark with this name.
    pub fn mark(&mut self, name: &str) -> MarkId {
        if let Some(&id) = self.mark_ids.get(name) {
            return id;
        }
        assert!(self.marks.len() < MARKS_MAX, "validation bounds the number of marks");
        let id = self.marks.len() as MarkId;
        self.marks.push(name.into());
        self.mark_ids.insert(name.into(), id);
        id
    }

    /// Template row of the workload that a program forks.
    pub fn child(&self, workload: &str) -> Option<u32> {
        self.children.get(workload).copied()
    }

    /// A new address space; 0 is nobody's.
    pub fn address_space(&mut self) -> u32 {
        self.address_spaces += 1;
        self.address_spaces
    }

    /// Address space number `which` of workload `position`.
    pub fn shared_address_space(&mut self, position: u16, which: u8) -> u32 {
        if let Some(&mm) = self.processes.get(&(position, which)) {
            return mm;
        }
        let mm = self.address_space();
        self.processes.insert((position, which), mm);
        mm
    }

    /// A row of the task table with what the workload says; it does not start by itself.
    pub fn row(&self, workload: &Workload, name: String, ops: &[Op]) -> TaskSpec {
        let program = match self.tasks.last() {
            // Tasks of one workload mostly share a program.
            Some(last) if *last.program == *ops => last.program.clone(),
            _ => Arc::from(ops),
        };
        let mut affinity = if workload.cpus.is_empty() { CpuMask::ALL } else { CpuMask::EMPTY };
        for &cpu in &workload.cpus {
            affinity.insert(CpuId(cpu));
        }
        TaskSpec {
            name: name.into(),
            class: workload.class,
            nice: workload.nice,
            rt_priority: workload.rt_priority,
            affinity,
            group: self.group_ids.get(&workload.group).copied().unwrap_or(GroupId::ROOT),
            mm: 0,
            program,
            start: None,
            start_cpu: None,
            slice_ns: None,
            init: None,
            workload: 0,
            index: 0,
            working_set_kib: 0,
        }
    }

    /// Adds a row; gives its number.
    pub fn push(&mut self, mut row: TaskSpec) -> u32 {
        (row.class, row.rt_priority) = class_for(&self.caps, row.class, row.rt_priority);
        self.tasks.push(row);
        self.tasks.len() as u32 - 1
    }
}

fn rows(scenario: &Scenario, workloads: &[(u16, Args<'_>)]) -> Vec<Rows> {
    let peak = |args: &Args<'_>| validate::peak_count(scenario, args.workload);
    let size = |args: &Args<'_>| u64::from((args.kind.rows)(args).max(1));
    let needed: u64 = workloads.iter().map(|(_, args)| u64::from(peak(args)) * size(args)).sum();
    let mut left = TASKS_MAX.saturating_sub(needed);
    let one = |(_, args): &(u16, Args<'_>)| {
        let (count, peak) = (args.workload.count, peak(args));
        let spare = (SPARE_TASKS / size(args) as u32).clamp(1, args.kind.count_max);
        let extra = u64::from(spare.saturating_sub(peak)) * size(args);
        let at_once = if extra <= left { count.max(spare) } else { count };
        left -= if extra <= left { extra } else { 0 };
        Rows { at_once, in_all: at_once.max(peak) }
    };
    workloads.iter().map(one).collect()
}
