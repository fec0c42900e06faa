//! The task table while it is built: rows of each workload, their programs, and the objects that programs name.

use super::code::Code;
use super::compile::{ParamSlot, class_for};
use super::kinds::{self, Args, Unit};
use super::limits::{SPARE_TASKS, TASKS_MAX};
use super::problems::Problems;
use super::program::{self, Step};
use super::schema::{Scenario, Workload};
use super::validate::{self, MARKS_MAX};
use crate::kernel::TaskSpec;
use crate::policy::Caps;
use crate::task::program::{MarkId, Op, ParamId, SyncId};
use crate::units::{CpuId, CpuMask, GroupId, TaskId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Units of a workload: how many get rows among their neighbours, and how many in all.
struct Rows {
    at_once: u32,
    in_all: u32,
}

/// The task table and the synchronisation objects while they are built.
pub(super) struct Builder<'s> {
    scenario: &'s Scenario,
    pub(super) group_ids: BTreeMap<String, GroupId>,
    caps: Caps,
    pub(super) tasks: Vec<TaskSpec>,
    pub(super) params: Vec<u64>,
    pub(super) param_slots: Vec<ParamSlot>,
    pub(super) channels: u32,
    pub(super) mutexes: u32,
    pub(super) barriers: Vec<u32>,
    pub(super) marks: Vec<String>,
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
    /// Mutexes that the units of a workload share.
    locks: BTreeMap<(u16, u8), SyncId>,
}

impl<'s> Builder<'s> {
    /// An empty table for a policy with these abilities.
    pub fn new(scenario: &'s Scenario, group_ids: BTreeMap<String, GroupId>, caps: Caps) -> Self {
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
            locks: BTreeMap::new(),
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

    /// Fills the table with all workloads.
    pub fn all(mut self) -> Self {
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

    /// The row of the task with this name.
    pub fn task(&self, name: &str) -> Option<TaskId> {
        let found = self.tasks.iter().position(|task| *task.name == *name);
        found.map(|index| TaskId(index as u32))
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

    /// Mutex number `which` of workload `position`.
    pub fn shared_mutex(&mut self, position: u16, which: u8) -> SyncId {
        *self.locks.entry((position, which)).or_insert_with(|| {
            self.mutexes += 1;
            self.mutexes - 1
        })
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
            group: self.group_of(workload),
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

    /// The group that a workload names, else its session's where the policy has such groups, else the root.
    fn group_of(&self, workload: &Workload) -> GroupId {
        let session = super::compile::session_key(&workload.session);
        let key = if workload.group.is_empty() && !workload.session.is_empty() { &session } else { &workload.group };
        self.group_ids.get(key).copied().unwrap_or(GroupId::ROOT)
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
