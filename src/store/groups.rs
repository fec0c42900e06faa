//! Edits of groups and of where workloads belong.

use super::scenario::free;
use sim_core::scenario::limits::{GROUP_DEPTH_MAX, GROUPS_MAX};
use sim_core::scenario::schema::{ChangeAt, Group, Scenario, Target, Workload};

/// Shares of one nice-0 task.
pub const SHARES_DEFAULT: u64 = 1024;
/// All of a parent, where shares are percent.
pub const PERCENT: u64 = 100;

/// Percent of a parent that its groups leave free, `except` not counted.
pub fn free_percent(scenario: &Scenario, parent: &str, except: &str) -> u64 {
    let siblings = scenario.groups.iter().filter(|group| group.parent == parent && group.name != except);
    PERCENT.saturating_sub(siblings.map(|group| group.shares).sum())
}

/// Thousandths of the machine that a group is promised where shares are percent: its own percent of its parent's, and so
/// on up to the root.
pub fn guarantee_permille(scenario: &Scenario, group: &Group) -> u32 {
    let mut parts = vec![group.shares.min(PERCENT)];
    let mut parent = group.parent.as_str();
    while let Some(next) = scenario.groups.iter().find(|group| group.name == parent) {
        parts.push(next.shares.min(PERCENT));
        if parts.len() > GROUP_DEPTH_MAX {
            break;
        }
        parent = &next.parent;
    }
    parts.iter().fold(1000, |all, part| all * part / PERCENT) as u32
}

/// Groups in the order of their tree, by index, with how deep they lie below the root's own.
pub fn tree(scenario: &Scenario) -> Vec<(usize, usize)> {
    let mut order = Vec::new();
    let mut open: Vec<(&str, usize)> = vec![("", 0)];
    while let Some((parent, depth)) = open.pop() {
        if let Some(index) = scenario.groups.iter().position(|group| !parent.is_empty() && group.name == parent) {
            order.push((index, depth - 1));
        }
        let children: Vec<&str> =
            scenario.groups.iter().filter(|group| group.parent == parent).map(|group| group.name.as_str()).collect();
        open.extend(children.into_iter().rev().map(|name| (name, depth + 1)));
    }
    order
}

/// Whether `name` is `group` or lies below it.
pub fn is_within(scenario: &Scenario, name: &str, group: &str) -> bool {
    let mut at = name;
    for _ in 0..=GROUP_DEPTH_MAX {
        if at == group {
            return true;
        }
        match scenario.groups.iter().find(|group| group.name == at) {
            Some(next) => at = &next.parent,
            None => return false,
        }
    }
    false
}

/// A group more below the root, with what a task weighs, or half of the percent that are free.
pub(super) fn add(scenario: &mut Scenario, percent: bool) {
    if scenario.groups.len() >= GROUPS_MAX {
        return;
    }
    let name = free("group", |name| scenario.groups.iter().any(|group| group.name == name));
    let shares = if percent { free_percent(scenario, "", "") / 2 } else { SHARES_DEFAULT };
    let period_ns = 100_000_000;
    scenario.groups.push(Group { name, parent: String::new(), shares, quota_ns: 0, period_ns, burst_ns: 0 });
}

/// Takes a group away with all below it; their tasks go to its parent.
pub(super) fn remove(scenario: &mut Scenario, index: usize) {
    let Some(Group { name, parent, .. }) = scenario.groups.get(index).cloned() else { return };
    let gone: Vec<String> = scenario
        .groups
        .iter()
        .filter(|group| is_within(scenario, &group.name, &name))
        .map(|group| group.name.clone())
        .collect();
    scenario.groups.retain(|group| !gone.contains(&group.name));
    for workload in scenario.workloads.iter_mut().filter(|workload| gone.contains(&workload.group)) {
        workload.group.clone_from(&parent);
    }
    retain_changes(scenario, |target| !matches!(target, Target::Group(name) if gone.contains(name)));
}

/// A group as it shall be. A name that is empty or taken stays as it was; so does a parent that lies below the group.
pub(super) fn edit(scenario: &mut Scenario, index: usize, mut group: Group) {
    let Some(old) = scenario.groups.get(index).cloned() else { return };
    let taken = scenario.groups.iter().enumerate().any(|(other, one)| other != index && one.name == group.name);
    if group.name.trim().is_empty() || taken {
        group.name.clone_from(&old.name);
    }
    if is_within(scenario, &group.parent, &old.name) {
        group.parent.clone_from(&old.parent);
    }
    let (was, name) = (old.name, group.name.clone());
    scenario.groups[index] = group;
    scenario.groups.iter_mut().filter(|group| group.parent == was).for_each(|group| group.parent.clone_from(&name));
    scenario.workloads.iter_mut().filter(|one| one.group == was).for_each(|one| one.group.clone_from(&name));
    for change in all_changes(scenario) {
        if matches!(&change.target, Target::Group(group) if *group == was) {
            change.target = Target::Group(name.clone());
        }
    }
}

/// Keeps the changes, common ones and those of single lanes, whose target passes.
pub(super) fn retain_changes(scenario: &mut Scenario, keeps: impl Fn(&Target) -> bool) {
    scenario.changes.retain(|change| keeps(&change.target));
    scenario.lanes.iter_mut().for_each(|lane| lane.changes.retain(|change| keeps(&change.target)));
}

fn all_changes(scenario: &mut Scenario) -> impl Iterator<Item = &mut ChangeAt> {
    scenario.changes.iter_mut().chain(scenario.lanes.iter_mut().flat_map(|lane| &mut lane.changes))
}

/// CPUs as people and `taskset` write them, "0-3,6"; empty for all.
pub fn cpu_list(workload: &Workload) -> String {
    let mut parts: Vec<(u16, u16)> = Vec::new();
    for &cpu in &workload.cpus {
        match parts.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(cpu) => *last = cpu,
            _ => parts.push((cpu, cpu)),
        }
    }
    let texts =
        parts.iter().map(|(first, last)| if first == last { first.to_string() } else { format!("{first}-{last}") });
    texts.collect::<Vec<_>>().join(",")
}

/// The CPUs of such a text, in order; `None` if it is not one or names a CPU that the machine lacks.
pub fn parse_cpu_list(text: &str, cpus: u16) -> Option<Vec<u16>> {
    let mut list = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (u16, u16) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        if first > last || last >= cpus {
            return None;
        }
        list.extend(first..=last);
    }
    list.sort_unstable();
    list.dedup();
    Some(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scenario() -> Scenario {
        serde_json::from_str(
            r#"{"v":1,"duration_ns":1000,"machine":{"cores":4},"lanes":[{"policy":"p","changes":[{"t":1,"group":"c","value":3}]}],
                "groups":[{"name":"c","parent":"a","shares":20},{"name":"a","shares":50},{"name":"b","shares":30}],
                "workloads":[{"name":"w","kind":"hog","group":"c"}],"changes":[{"t":1,"group":"a","value":40}]}"#,
        )
        .expect("a scenario")
    }

    #[test]
    fn a_tree_comes_parents_first_whatever_their_order() {
        assert_eq!(tree(&scenario()), [(1, 0), (0, 1), (2, 0)]);
    }

    #[test]
    fn guarantees_multiply_down_the_tree() {
        let scenario = scenario();
        assert_eq!(guarantee_permille(&scenario, &scenario.groups[0]), 100);
        assert_eq!((free_percent(&scenario, "", ""), free_percent(&scenario, "", "b")), (20, 50));
    }

    #[test]
    fn a_renamed_group_takes_its_subgroups_tasks_and_changes_along() {
        let mut scenario = scenario();
        let renamed = Group { name: "z".into(), ..scenario.groups[1].clone() };
        edit(&mut scenario, 1, renamed);
        assert_eq!((scenario.groups[0].parent.as_str(), scenario.groups[1].name.as_str()), ("z", "z"));
        assert_eq!(scenario.changes[0].target, Target::Group("z".into()));
        let taken = Group { name: "b".into(), parent: "c".into(), ..scenario.groups[1].clone() };
        edit(&mut scenario, 1, taken);
        assert_eq!((scenario.groups[1].name.as_str(), scenario.groups[1].parent.as_str()), ("z", ""), "taken; a cycle");
    }

    #[test]
    fn a_removed_group_takes_its_subgroups_along_and_leaves_its_tasks() {
        let mut scenario = scenario();
        remove(&mut scenario, 1);
        assert_eq!(scenario.groups.len(), 1);
        assert_eq!(scenario.workloads[0].group, "");
        assert!(scenario.all_changes().next().is_none());
        add(&mut scenario, true);
        add(&mut scenario, false);
        let added: Vec<_> = scenario.groups[1..].iter().map(|group| (group.name.as_str(), group.shares)).collect();
        assert_eq!(added, [("group", 35), ("group2", 1024)]);
    }

    #[test]
    fn lists_of_cpus_read_as_they_are_written() {
        let mut workload = scenario().workloads.remove(0);
        workload.cpus = parse_cpu_list(" 6, 0-2,1", 8).expect("a list");
        assert_eq!(cpu_list(&workload), "0-2,6");
        assert_eq!(parse_cpu_list("", 8), Some(Vec::new()));
        for wrong in ["8", "3-1", "x", "1-", "-1"] {
            assert_eq!(parse_cpu_list(wrong, 8), None, "{wrong}");
        }
    }
}
