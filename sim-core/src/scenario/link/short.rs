//! The short readable form: a built-in by its key, and `workload=count` or `workload.parameter=value` on top of it.

use super::view::KEYS;
use crate::scenario::problems::{Problems, outside, quote};
use crate::scenario::read::CLASSES;
use crate::scenario::schema::{Lane, Scenario};

/// Short names of policies that published links use.
const POLICY_ALIASES: [(&str, &str); 1] = [("o1-2.5.2", "o1-2.5.2-c1")];

/// Sets what `key` names in the scenario. `None` if it names nothing there.
pub(in crate::scenario) fn set(scenario: &mut Scenario, key: &str, value: &str, p: &mut Problems) -> Option<()> {
    let find = |name: &str| scenario.workloads.iter().position(|workload| workload.name == name);
    let (position, param) = match (find(key), key.rsplit_once('.')) {
        (Some(position), _) => (position, "count"),
        (None, Some((name, param))) => (find(name)?, param),
        (None, None) => return None,
    };
    let workload = &mut scenario.workloads[position];
    if param == "class" {
        match CLASSES.iter().find(|(word, _)| *word == value) {
            Some(&(_, class)) => workload.class = class,
            None => p.error(key, format!("{} is none of normal, batch, idle, iso, fifo, rr", quote(value))),
        }
        return Some(());
    }
    let Ok(number) = value.parse::<i64>() else {
        p.error(key, format!("{} is not a whole number", quote(value)));
        return Some(());
    };
    // What does not fit here is outside the range that is checked afterwards; the limit is named here.
    match param {
        "count" => match u32::try_from(number) {
            Ok(count) => workload.count = count,
            Err(_) => p.error(key, outside(number, 0, 10_000)),
        },
        "nice" => match i8::try_from(number) {
            Ok(nice) => workload.nice = nice,
            Err(_) => p.error(key, outside(number, -20, 19)),
        },
        param => match u64::try_from(number) {
            Ok(number) => drop(workload.params.insert(param.into(), number)),
            Err(_) => p.error(key, format!("{number} is negative")),
        },
    }
    Some(())
}

/// Puts the policies of `p=a,b` into the lanes. A lane keeps its tunables when its policy stays.
pub(in crate::scenario) fn set_policies(scenario: &mut Scenario, list: &str) {
    let mut old = std::mem::take(&mut scenario.lanes);
    for key in list.split(',').filter(|key| !key.is_empty()).take(100) {
        let key = POLICY_ALIASES.iter().find(|(alias, _)| *alias == key).map_or(key, |(_, meant)| *meant);
        let kept = old.iter().position(|lane| lane.policy == key).map(|index| old.remove(index));
        scenario.lanes.push(kept.unwrap_or_else(|| Lane::of(key)));
    }
}

/// The policies as `p=` has them.
pub(super) fn policies(scenario: &Scenario) -> String {
    let keys: Vec<&str> = scenario.lanes.iter().map(|lane| lane.policy.as_str()).collect();
    keys.join(",")
}

/// Pairs that turn `base` into `wanted`, if the short form can say it.
pub(super) fn difference(base: &Scenario, wanted: &Scenario) -> Option<Vec<(String, String)>> {
    if base.workloads.len() != wanted.workloads.len() {
        return None;
    }
    let mut pairs = Vec::new();
    for (from, to) in base.workloads.iter().zip(&wanted.workloads) {
        let mut pair = |param: &str, value: String| {
            let key = if param.is_empty() { to.name.clone() } else { format!("{}.{param}", to.name) };
            pairs.push((key, value));
        };
        if from.count != to.count {
            pair("", to.count.to_string());
        }
        if from.nice != to.nice {
            pair("nice", to.nice.to_string());
        }
        if from.class != to.class {
            let word = CLASSES.iter().find(|(_, class)| *class == to.class).map(|(word, _)| *word);
            pair("class", word?.into());
        }
        for (key, value) in &to.params {
            if from.params.get(key) != Some(value) {
                pair(key, value.to_string());
            }
        }
    }
    if policies(base) != policies(wanted) {
        pairs.push(("p".into(), policies(wanted)));
    }
    // The proof is in reading it back.
    let mut again = base.clone();
    let mut problems = Problems::default();
    for (key, value) in &pairs {
        if key == "p" {
            set_policies(&mut again, value);
        } else if KEYS.contains(&key.as_str()) || set(&mut again, key, value, &mut problems).is_none() {
            return None;
        }
    }
    (again == *wanted).then_some(pairs)
}
