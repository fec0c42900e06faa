//! The numbers of a scenario by the keys that links use: what a sweep varies.
//!
//! `hogs` is the count of workload `hogs`, `hogs.nice` and `ring.hop` are a nice level and a parameter, as in a short
//! link. Beside those there are `group.NAME` (shares), `tunable.KEY` (of every policy that has it), `cores` and `seed`.

use super::kinds;
use super::limits::{CPUS_MAX, SHARES_MAX};
use super::link::short;
use super::problems::{Problems, outside, quote, suggest};
use super::schema::Scenario;
use crate::engine::protocol::{Problem, TunableView};

/// A number that can be set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// Key.
    pub key: String,
    /// Unit word: count, ns, percent, kib, ticks, prio, weight, virtual.
    pub unit: String,
    /// Smallest.
    pub min: i64,
    /// Largest.
    pub max: i64,
    /// Value in the scenario.
    pub value: i64,
}

/// Everything that [`set`] can set. `tunables` are those of the policies that will run.
pub fn list(scenario: &Scenario, tunables: &[TunableView]) -> Vec<Setting> {
    let mut out = Vec::new();
    let mut put = |key: String, unit: &str, (min, max): (i64, i64), value: i64| {
        out.push(Setting { key, unit: unit.into(), min, max, value });
    };
    for workload in &scenario.workloads {
        let Some(kind) = kinds::find(&workload.kind) else { continue };
        let name = &workload.name;
        put(name.clone(), "count", (0, kind.count_max.into()), workload.count.into());
        put(format!("{name}.nice"), "prio", (-20, 19), workload.nice.into());
        for param in kind.params {
            let (min, max, default) = param.range;
            let value = workload.params.get(param.key).copied().unwrap_or(default);
            put(format!("{name}.{}", param.key), param.unit, (signed(min), signed(max)), signed(value));
        }
    }
    for group in &scenario.groups {
        put(format!("group.{}", group.name), "weight", (0, signed(SHARES_MAX)), signed(group.shares));
    }
    for tunable in tunables {
        let set = scenario.lanes.iter().find_map(|lane| lane.tunables.get(&tunable.key).copied());
        let range = (tunable.min, tunable.max);
        put(format!("tunable.{}", tunable.key), &tunable.unit, range, set.unwrap_or(tunable.default));
    }
    put("cores".into(), "count", (1, CPUS_MAX.into()), scenario.machine.cores.into());
    put("seed".into(), "count", (0, i64::MAX), signed(scenario.seed));
    out
}

fn signed(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// The entry of `known` with this key, or what is meant.
pub fn find<'k>(known: &'k [Setting], key: &str) -> Result<&'k Setting, Problem> {
    known.iter().find(|setting| setting.key == key).ok_or_else(|| {
        let keys: Vec<&str> = known.iter().map(|setting| setting.key.as_str()).collect();
        let message = format!("{} is nothing that can be varied here", quote(key));
        Problem { path: "vary".into(), message, hint: suggest(key, &keys), ..Problem::default() }
    })
}

impl Setting {
    /// Whether the setting can have this value.
    pub fn check(&self, value: i64) -> Result<(), Problem> {
        if (self.min..=self.max).contains(&value) {
            return Ok(());
        }
        let message = outside(value, self.min, self.max);
        Err(Problem { path: self.key.clone(), message, ..Problem::default() })
    }
}

/// Gives a setting of [`list`] a value that it can have; another key or value leaves the scenario as it is.
pub fn set(scenario: &mut Scenario, key: &str, value: i64) {
    // What a workload's name begins comes first, as in links.
    let mut ignored = Problems::default();
    if short::set(scenario, key, &value.to_string(), &mut ignored).is_some() {
        return;
    }
    let unsigned = u64::try_from(value).unwrap_or(0);
    match key.split_once('.') {
        Some(("group", name)) => {
            if let Some(group) = scenario.groups.iter_mut().find(|group| group.name == name) {
                group.shares = unsigned;
            }
        }
        Some(("tunable", name)) => {
            for lane in &mut scenario.lanes {
                lane.tunables.insert(name.into(), value);
            }
        }
        Some(_) => {}
        None if key == "cores" => scenario.machine.cores = u16::try_from(value).unwrap_or(1),
        None if key == "seed" => scenario.seed = unsigned,
        None => {}
    }
}

/// Puts these policies into the lanes; a lane keeps its tunables when its policy stays.
pub fn set_policies(scenario: &mut Scenario, keys: &[String]) {
    if !keys.is_empty() {
        short::set_policies(scenario, &keys.join(","));
    }
}
