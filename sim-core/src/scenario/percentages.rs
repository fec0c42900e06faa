//! Shares as percent of the parent, where a policy takes them so: what siblings have together is at most the whole.

use super::problems::{Problems, quote};
use super::schema::{Group, Scenario, Target};

/// The whole.
const PERCENT: u64 = 100;
const HINT: &str = "This policy reads shares as percent of the parent; what is left belongs to the parent's own tasks";

/// Errors for shares that cannot be, warnings for changes that the kernel refuses.
pub(super) fn check(scenario: &Scenario, p: &mut Problems) {
    let groups = &scenario.groups;
    for (index, group) in groups.iter().enumerate() {
        if group.shares > PERCENT {
            let message = format!("{} is outside 0 to {PERCENT} percent", group.shares);
            p.error_with_hint(format!("groups[{index}].shares"), message, HINT);
        }
    }
    for (index, group) in groups.iter().enumerate() {
        let first = groups.iter().position(|other| other.parent == group.parent) == Some(index);
        let siblings = || groups.iter().filter(|other| other.parent == group.parent);
        let sum: u64 = siblings().map(|sibling| sibling.shares).sum();
        if first && sum > PERCENT && siblings().all(|sibling| sibling.shares <= PERCENT) {
            let names: Vec<String> = siblings().take(8).map(|sibling| quote(&sibling.name)).collect();
            let whose = if group.parent.is_empty() { "the root".into() } else { quote(&group.parent) };
            let message = format!("{} add up to {sum} percent of {whose}; at most {PERCENT}", names.join(" + "));
            p.error_with_hint(format!("groups[{index}].shares"), message, HINT);
        }
    }
    changes(scenario, p);
}

/// Follows the changes in order of time: one that would take a parent's classes over the whole is refused when it comes.
fn changes(scenario: &Scenario, p: &mut Problems) {
    let mut shares: Vec<u64> = scenario.groups.iter().map(|group| group.shares).collect();
    let mut order: Vec<usize> = (0..scenario.changes.len()).collect();
    order.sort_by_key(|&index| scenario.changes[index].t);
    for index in order {
        let change = &scenario.changes[index];
        let Target::Group(name) = &change.target else { continue };
        let Some(at) = scenario.groups.iter().position(|group| group.name == *name) else { continue };
        let value = u64::try_from(change.value).unwrap_or(0);
        let sibling = |(other, group): (usize, &Group)| {
            (other != at && group.parent == scenario.groups[at].parent).then_some(other)
        };
        let others: u64 = scenario.groups.iter().enumerate().filter_map(sibling).map(|other| shares[other]).sum();
        if value + others <= PERCENT {
            shares[at] = value;
        } else {
            let message =
                format!("{value} with the {others} of its siblings is over {PERCENT} percent; it has no effect");
            p.warn(format!("changes[{index}].value"), message, HINT);
        }
    }
}
