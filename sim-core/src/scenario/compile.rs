//! Scenario to machine: tasks with their programs, groups, prices, knobs and the command log of one lane.
//!
//! Task numbers depend on the workloads alone, never on the policy or on later changes, so lanes can be compared task by
//! task and a slider moved in the middle of a run leaves the past as it was. Each workload gets rows in advance for its
//! count slider; rows that only a change needs come at the end of the table.

use super::builder::Builder;
use super::problems::quote;
use super::schema::{Lane, Scenario, Target};
use super::validate;
use crate::engine::protocol::{Problem, TaskView};
use crate::kernel::{Change, CpuMax, EventOrder, Group, SimConfig, TaskSpec};
use crate::machine::profile;
use crate::machine::topology::TopologySpec;
use crate::policy::{Caps, PolicyEntry, PolicyInfo, SchedClass, Shape};
use crate::units::{GroupId, Nanos};
use std::collections::BTreeMap;

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

/// [`super::parse`] with the policies looked up, so that what is wrong with the document and what its policies cannot
/// take is told at once.
pub fn parse_for_run(text: &str) -> Result<(Scenario, Vec<Problem>), Vec<Problem>> {
    super::parse_with(text, &|scenario, problems| validate::lanes(scenario, &known, &known_keys(), problems))
}

fn known(key: &str) -> Option<&'static PolicyInfo> {
    crate::policies::find(key).map(|entry| &entry.info)
}

fn known_keys() -> Vec<&'static str> {
    crate::policies::all().map(|entry| entry.info.key).collect()
}

/// Compiles lane number `lane`. All faults are reported at once.
pub fn compile(scenario: &Scenario, lane: usize) -> Result<Compiled, Vec<Problem>> {
    validate::check_lanes(scenario, &known, &known_keys())?;
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
    let (mut groups, mut group_ids) = groups(scenario, entry.info.caps);
    if entry.info.caps.autogroup {
        add_sessions(scenario, &mut groups, &mut group_ids);
    }
    let builder = Builder::new(scenario, group_ids, entry.info.caps);
    let built = builder.all();
    warnings.extend(unknown_tasks(scenario, lane, &built));
    let group_names = groups.iter().map(|group| group.name.to_string()).collect();
    let shape = Shape { cpus: topology(scenario).cpus(), hz: scenario.machine.hz };
    let tasks = built.tasks.iter().enumerate().map(|(id, task)| view(id, task)).collect();
    Ok(Compiled {
        entry,
        tunables: tunables(lane, &entry.info, shape),
        changes: changes(scenario, lane, &built, &entry.info),
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
        starts: task.start.is_some(),
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
fn groups(scenario: &Scenario, caps: Caps) -> (Vec<Group>, BTreeMap<String, GroupId>) {
    let root =
        Group { name: "/".into(), parent: GroupId::ROOT, shares: 1024, idle: false, cpu_max: None, autogroup: false };
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
                shares: shares_for(caps, group.shares),
                idle: false,
                cpu_max: (group.quota_ns > 0).then_some(limit),
                autogroup: false,
            });
        }
        assert!(groups.len() > before, "groups form a circle after validation");
    }
    (groups, ids)
}

/// Key of a session among the group names; no group can have it, since names have no control characters.
pub(super) fn session_key(session: &str) -> String {
    format!("\u{1}{session}")
}

/// A group per session, after all others, with the shares of one nice-0 task (`autogroup_create`).
fn add_sessions(scenario: &Scenario, groups: &mut Vec<Group>, ids: &mut BTreeMap<String, GroupId>) {
    for workload in scenario.workloads.iter().filter(|workload| workload.group.is_empty()) {
        let key = session_key(&workload.session);
        if workload.session.is_empty() || ids.contains_key(&key) {
            continue;
        }
        ids.insert(key, GroupId(groups.len() as u16));
        let name = format!("autogroup {}", workload.session);
        let parent = GroupId::ROOT;
        groups.push(Group { name: name.into(), parent, shares: 1024, idle: false, cpu_max: None, autogroup: true });
    }
}

/// A weight is at least 1; a percentage may be 0.
fn shares_for(caps: Caps, shares: u64) -> u64 {
    if caps.percent_shares { shares } else { shares.max(1) }
}

fn tunables(lane: &Lane, info: &PolicyInfo, shape: Shape) -> Vec<i64> {
    let value = |spec: &crate::policy::TunableSpec| lane.tunables.get(spec.key).copied();
    info.tunables.iter().map(|spec| value(spec).unwrap_or_else(|| (spec.default)(shape))).collect()
}

/// A class as this policy runs it: what it does not know runs as normal.
pub(super) fn class_for(caps: &Caps, class: SchedClass, rt_priority: u8) -> (SchedClass, u8) {
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

/// Changes of tasks that are not in the table.
fn unknown_tasks(scenario: &Scenario, lane: &Lane, built: &Builder<'_>) -> Vec<Problem> {
    let names = scenario.changes.iter().chain(&lane.changes).filter_map(|change| match &change.target {
        Target::Task(name, _) => Some(name),
        Target::Workload(..) | Target::Group(_) | Target::Tunable(_) => None,
    });
    let unknown = names.filter(|name| built.task(name).is_none());
    let warning = |name: &String| Problem {
        path: "changes".into(),
        message: format!("there is no task {}; the change is ignored", quote(name)),
        ..Problem::default()
    };
    unknown.map(warning).collect()
}

/// The common changes, then those of the lane; at one instant the lane's come last.
fn changes(scenario: &Scenario, lane: &Lane, built: &Builder<'_>, info: &PolicyInfo) -> Vec<(Nanos, Change)> {
    let mut changes: Vec<(Nanos, Change)> = scenario
        .changes
        .iter()
        .chain(&lane.changes)
        .filter_map(|change| Some((change.t, one_change(&change.target, change.value, scenario, built, info)?)))
        .collect();
    changes.sort_by_key(|(at, _)| *at);
    changes
}

/// `None` only for a tunable that this policy does not have and for a task that does not exist.
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
        Target::Task(name, _) => Some(Change::TaskNice { task: built.task(name)?, nice: value as i8 }),
        Target::Group(name) => {
            let shares = shares_for(info.caps, value as u64);
            Some(Change::Shares { group: *built.group_ids.get(name)?, shares })
        }
        Target::Tunable(key) => {
            let index = info.tunables.iter().position(|spec| spec.key == key)?;
            Some(Change::Tunable { index: index as u16, value })
        }
    }
}
