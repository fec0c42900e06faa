//! What the fields of a scenario mean together: names that exist, sums that stay within limits, values that the kind of
//! workload and the policy allow.

use super::kinds::{self, Args};
use super::limits::*;
use super::percentages;
use super::problems::{Problems, quote, suggest};
use super::program::{self, Step};
use super::read;
use super::schema::{ChangeAt, Lane, Scenario, Target, Workload};
use crate::engine::protocol::Problem;
use crate::machine::profile;
use crate::policy::{PolicyInfo, SchedClass};
use std::collections::{BTreeMap, BTreeSet};

/// Most names of marks in programs; kinds add two each at most.
pub(super) const MARKS_MAX: usize = 1_000 + 2 * WORKLOADS_MAX;

/// Checks a scenario that was made by a program: gives warnings, or all errors. Policies are not looked up.
pub fn check(scenario: &Scenario) -> Result<Vec<Problem>, Vec<Problem>> {
    let value = serde_json::to_value(scenario)
        .map_err(|error| super::problems::single("", format!("cannot be written as JSON: {error}"), ""))?;
    let mut problems = Problems::default();
    if let Some(read) = read::scenario(&value, &mut problems) {
        relations(&read, &mut problems);
    }
    problems.finish()
}

/// Checks that the policies exist, that their tunables are within range and that they can take the groups' shares. `known` looks a policy up, `keys` lists them
/// for the hint. Gives warnings, or all errors.
pub fn check_lanes(
    scenario: &Scenario,
    known: &dyn Fn(&str) -> Option<&'static PolicyInfo>,
    keys: &[&str],
) -> Result<Vec<Problem>, Vec<Problem>> {
    let mut problems = Problems::default();
    lanes(scenario, known, keys, &mut problems);
    problems.finish()
}

/// [`check_lanes`] among other checks.
pub(super) fn lanes(
    scenario: &Scenario,
    known: &dyn Fn(&str) -> Option<&'static PolicyInfo>,
    keys: &[&str],
    p: &mut Problems,
) {
    for (index, lane) in scenario.lanes.iter().enumerate() {
        let path = format!("lanes[{index}]");
        let Some(info) = known(&lane.policy) else {
            let message = format!("{} is not a policy", quote(&lane.policy));
            p.unknown_word(format!("{path}.policy"), &lane.policy, message, keys);
            continue;
        };
        for (key, &value) in &lane.tunables {
            tunable(info, key, value, format!("{path}.tunables.{key}"), p);
        }
    }
    let mut knobs = |changes: &[ChangeAt], path: &str, lane: Option<&Lane>| {
        let Some(info) = lane.and_then(|lane| known(&lane.policy)) else { return };
        for (index, change) in changes.iter().enumerate() {
            if let Target::Tunable(key) = &change.target {
                tunable(info, key, change.value, format!("{path}changes[{index}].value"), p);
            }
        }
    };
    knobs(&scenario.changes, "", scenario.lanes.first());
    for (index, lane) in scenario.lanes.iter().enumerate() {
        knobs(&lane.changes, &format!("lanes[{index}]."), Some(lane));
    }
    if scenario.lanes.iter().any(|lane| known(&lane.policy).is_some_and(|info| info.caps.percent_shares)) {
        percentages::check(scenario, p);
    }
}

fn tunable(info: &PolicyInfo, key: &str, value: i64, path: String, p: &mut Problems) {
    let Some(spec) = info.tunables.iter().find(|spec| spec.key == key) else {
        let keys: Vec<&str> = info.tunables.iter().map(|spec| spec.key).collect();
        let hint = if keys.is_empty() { "It has none".into() } else { suggest(key, &keys) };
        p.warn(path, format!("{} has no tunable {}; ignored", info.key, quote(key)), hint);
        return;
    };
    if !(spec.min..=spec.max).contains(&value) {
        p.outside(path, value, spec.min, spec.max);
    }
}

/// What this policy cannot do, as warnings that say how it is run instead.
pub(super) fn abilities(scenario: &Scenario, info: &PolicyInfo) -> Vec<Problem> {
    let mut warnings = Vec::new();
    let mut warn = |path: String, message: String| {
        warnings.push(Problem { path, message, ..Problem::default() });
    };
    for (index, workload) in scenario.workloads.iter().enumerate() {
        let known = match workload.class {
            SchedClass::Normal => true,
            SchedClass::Batch => info.caps.batch,
            SchedClass::Idle => info.caps.idle,
            SchedClass::Iso => info.caps.iso,
            SchedClass::Fifo | SchedClass::Rr => info.caps.rt,
        };
        if !known {
            let message = format!("{} does not have this class; the tasks run as normal", info.key);
            warn(format!("workloads[{index}].class"), message);
        }
    }
    if !scenario.groups.is_empty() && !info.caps.groups {
        warn("groups".into(), format!("{} has no task groups; all tasks compete directly", info.key));
    }
    for (index, workload) in scenario.workloads.iter().enumerate().filter(|(_, one)| !one.session.is_empty()) {
        let path = format!("workloads[{index}].session");
        if !info.caps.autogroup {
            warn(path, format!("{} has no autogroup; tasks of all sessions compete directly", info.key));
        } else if !workload.group.is_empty() {
            let group = quote(&workload.group);
            warn(path, format!("the tasks are in the group {group}; autogroup only sorts tasks of the root"));
        }
    }
    for (index, group) in scenario.groups.iter().enumerate() {
        if group.quota_ns > 0 && !info.caps.bandwidth {
            let message = format!("{} has no bandwidth control; the group is not limited", info.key);
            warn(format!("groups[{index}].quota_ns"), message);
        }
    }
    warnings.truncate(PROBLEMS_MAX);
    warnings
}

/// Largest count that a workload reaches.
pub(super) fn peak_count(scenario: &Scenario, workload: &Workload) -> u32 {
    let counts = scenario.all_changes().filter_map(|change| match &change.target {
        Target::Workload(name, key) if *name == workload.name && key == "count" => u32::try_from(change.value).ok(),
        _ => None,
    });
    counts.fold(workload.count, u32::max)
}

/// Everything beyond single fields.
pub(super) fn relations(scenario: &Scenario, p: &mut Problems) {
    machine(scenario, p);
    groups(scenario, p);
    workloads(scenario, p);
    for (index, one) in scenario.changes.iter().enumerate() {
        change(scenario, one, &format!("changes[{index}]"), p);
    }
    for (lane, of_lane) in scenario.lanes.iter().enumerate() {
        for (index, one) in of_lane.changes.iter().enumerate() {
            change(scenario, one, &format!("lanes[{lane}].changes[{index}]"), p);
        }
    }
    task_total(scenario, p);
}

fn cpus(scenario: &Scenario) -> u32 {
    u32::from(scenario.machine.cores) * u32::from(scenario.machine.threads)
}

fn machine(scenario: &Scenario, p: &mut Problems) {
    let machine = &scenario.machine;
    if !HZ_VALUES.contains(&machine.hz) {
        let nearest = HZ_VALUES.iter().min_by_key(|hz| hz.abs_diff(machine.hz)).unwrap_or(&HZ_VALUES[0]);
        let message = format!("{} is none of 100, 250, 300, 1000", machine.hz);
        p.error_with_repair("machine.hz", message, nearest.to_string());
    }
    if !machine.cores.is_multiple_of(machine.packages) {
        let message = format!("{} cores cannot be divided evenly among {} packages", machine.cores, machine.packages);
        p.error("machine.packages", message);
    }
    if cpus(scenario) > CPUS_MAX {
        let message = format!("{} cores × {} threads are more than {CPUS_MAX} CPUs", machine.cores, machine.threads);
        p.error("machine.cores", message);
    }
    if profile::find(&machine.profile).is_none() {
        let message = format!("{} is not a machine profile", quote(&machine.profile));
        p.unknown_word("machine.profile", &machine.profile, message, &profile::keys());
    }
}

fn groups(scenario: &Scenario, p: &mut Problems) {
    let mut parents = BTreeMap::new();
    for (index, group) in scenario.groups.iter().enumerate() {
        let path = format!("groups[{index}]");
        if group.name.is_empty() {
            p.error_once(format!("{path}.name"), "is empty");
        } else if parents.insert(group.name.as_str(), group.parent.as_str()).is_some() {
            p.error(format!("{path}.name"), format!("{} exists already", quote(&group.name)));
        }
        if group.quota_ns > 0 && group.quota_ns < PERIOD_NS_MIN {
            p.error(format!("{path}.quota_ns"), format!("{} is below {PERIOD_NS_MIN} (0 = no limit)", group.quota_ns));
        }
    }
    for (index, group) in scenario.groups.iter().enumerate() {
        let path = format!("groups[{index}].parent");
        if !group.parent.is_empty() && !parents.contains_key(group.parent.as_str()) {
            p.error(path, format!("there is no group {}", quote(&group.parent)));
            continue;
        }
        let mut depth = 1;
        let mut at = group.parent.as_str();
        while let (Some(parent), true) = (parents.get(at), depth <= GROUP_DEPTH_MAX) {
            depth += 1;
            at = parent;
        }
        if depth > GROUP_DEPTH_MAX {
            p.error(path, format!("groups are nested deeper than {GROUP_DEPTH_MAX}, or in a circle"));
        }
    }
}

fn workloads(scenario: &Scenario, p: &mut Problems) {
    let mut names = BTreeSet::new();
    let mut marks = BTreeSet::new();
    for (index, workload) in scenario.workloads.iter().enumerate() {
        let path = format!("workloads[{index}]");
        if workload.name.is_empty() {
            p.error_once(format!("{path}.name"), "is empty");
        } else if !names.insert(workload.name.as_str()) {
            p.error(format!("{path}.name"), format!("{} exists already", quote(&workload.name)));
        }
        placement(scenario, workload, &path, p);
        of_its_kind(workload, &path, p);
        let steps = program::read(&workload.program, &format!("{path}.program"), p);
        program::walk(&steps, &mut |step| {
            if let Step::Mark(name) | Step::Request(name) = step {
                marks.insert(name.clone());
            }
            if let Step::Fork(name) = step {
                let child = scenario.workloads.iter().find(|other| other.name == *name);
                if child.is_none_or(|child| child.kind != "program") {
                    let message = format!("fork: there is no workload {} of kind \"program\"", quote(name));
                    let hint = "Add it with \"count\": 0, so that it runs only when it is forked";
                    p.error_with_hint(format!("{path}.program"), message, hint);
                }
            }
        });
    }
    if marks.len() > MARKS_MAX - 2 * WORKLOADS_MAX {
        let most = MARKS_MAX - 2 * WORKLOADS_MAX;
        p.error("workloads", format!("programs name {} marks; at most {most} are possible", marks.len()));
    }
}

fn placement(scenario: &Scenario, workload: &Workload, path: &str, p: &mut Problems) {
    let cpus = cpus(scenario);
    for (index, &cpu) in workload.cpus.iter().enumerate() {
        if u32::from(cpu) >= cpus {
            p.outside(format!("{path}.cpus[{index}]"), u32::from(cpu), 0, cpus.saturating_sub(1));
        }
    }
    if !workload.group.is_empty() && !scenario.groups.iter().any(|group| group.name == workload.group) {
        let names: Vec<&str> = scenario.groups.iter().map(|group| group.name.as_str()).take(20).collect();
        let hint =
            if names.is_empty() { "The scenario has no groups".into() } else { suggest(&workload.group, &names) };
        p.error_with_hint(format!("{path}.group"), format!("there is no group {}", quote(&workload.group)), hint);
    }
    if workload.rt_priority > 0 && !workload.class.is_rt() {
        p.warn(format!("{path}.rt_priority"), "has no effect without class fifo or rr", "");
    }
}

fn of_its_kind(workload: &Workload, path: &str, p: &mut Problems) {
    let Some(kind) = kinds::find(&workload.kind) else {
        let message = format!("{} is not a kind of workload", quote(&workload.kind));
        p.unknown_word(format!("{path}.kind"), &workload.kind, message, &kinds::keys());
        return;
    };
    if workload.count > kind.count_max {
        p.outside(format!("{path}.count"), workload.count, 0, kind.count_max);
    }
    for (key, &value) in &workload.params {
        let path = format!("{path}.params.{}", key.chars().take(40).collect::<String>());
        let Some(spec) = kind.params.iter().find(|param| param.key == key) else {
            let keys: Vec<&str> = kind.params.iter().map(|param| param.key).collect();
            let hint = if keys.is_empty() { "It has none".into() } else { suggest(key, &keys) };
            p.warn(path, format!("kind {} has no parameter {}; ignored", kind.key, quote(key)), hint);
            continue;
        };
        if !(spec.range.0..=spec.range.1).contains(&value) {
            p.outside(path, value, spec.range.0, spec.range.1);
        }
    }
    match (kind.key == "program", workload.program.is_empty()) {
        (true, true) => p.error_with_hint(
            format!("{path}.program"),
            "is missing",
            "Write steps: [[\"loop\", 0, [[\"run\", 1000000], [\"sleep\", 9000000]]]]",
        ),
        (false, false) => p.warn(format!("{path}.program"), "has no effect: the kind is not \"program\"", ""),
        (true, false) | (false, true) => {}
    }
}

fn change(scenario: &Scenario, change: &ChangeAt, path: &str, p: &mut Problems) {
    let value = i128::from(change.value);
    let mut within = |low: i128, high: i128| {
        if !(low..=high).contains(&value) {
            p.outside(format!("{path}.value"), value, low, high);
        }
    };
    match &change.target {
        Target::Workload(name, key) => {
            let Some(workload) = scenario.workloads.iter().find(|workload| workload.name == *name) else {
                p.error(format!("{path}.workload[0]"), format!("there is no workload {}", quote(name)));
                return;
            };
            // A wrong kind is reported where it stands.
            let Some(kind) = kinds::find(&workload.kind) else { return };
            let param = kind.params.iter().find(|param| param.key == key);
            match (key.as_str(), param) {
                ("count", _) => within(0, kind.count_max.into()),
                ("nice", _) => within(-20, 19),
                ("class", _) => within(0, 5),
                (_, Some(param)) if param.live => within(param.range.0.into(), param.range.1.into()),
                (_, Some(_)) => {
                    let message = format!("{} cannot change while it runs", quote(key));
                    p.error(format!("{path}.workload[1]"), message);
                }
                (_, None) => {
                    let live = kind.params.iter().filter(|param| param.live).map(|param| param.key);
                    let keys: Vec<&str> = ["count", "nice", "class"].into_iter().chain(live).collect();
                    let message = format!("{} is not something that can change", quote(key));
                    p.error_with_hint(format!("{path}.workload[1]"), message, suggest(key, &keys));
                }
            }
        }
        Target::Group(name) => {
            within(0, SHARES_MAX.into());
            if !scenario.groups.iter().any(|group| group.name == *name) {
                p.error(format!("{path}.group"), format!("there is no group {}", quote(name)));
            }
        }
        Target::Task(_, key) if key == "nice" => within(-20, 19),
        Target::Task(_, key) => {
            let message = format!("{} is not something of one task that can change", quote(key));
            p.error_with_hint(format!("{path}.task[1]"), message, "Write \"nice\"");
        }
        Target::Tunable(_) => {}
    }
}

fn task_total(scenario: &Scenario, p: &mut Problems) {
    let mut total = 0u64;
    for workload in &scenario.workloads {
        if let Some(kind) = kinds::find(&workload.kind) {
            let rows = (kind.rows)(&Args { workload, kind });
            total += u64::from(peak_count(scenario, workload)) * u64::from(rows);
        }
    }
    if total > TASKS_MAX {
        let message = format!("{total} tasks are more than {TASKS_MAX}");
        p.error_with_hint("workloads", message, "Lower the counts");
    }
}
