//! Scenario document, version 1. The page edits it, a link carries it, a file holds it as JSON. Durations are ns.
//! Fields with a default may be left out.

#![allow(
    clippy::disallowed_types,
    reason = "serde's buffer for a flattened field can hold floats; no field of ours does"
)]

use crate::machine::profile::{PresetShape, Profile};
use crate::policy::SchedClass;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Current version of the format.
pub const VERSION: u32 = 1;

/// A whole scenario.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Scenario {
    /// Format version.
    pub v: u32,
    /// Title.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Seed of all random draws.
    #[serde(default, skip_serializing_if = "is_default")]
    pub seed: u64,
    /// Length of the run, ns.
    pub duration_ns: u64,
    /// Machine.
    pub machine: Machine,
    /// Policies side by side, 1 to 4; the first is the main one.
    pub lanes: Vec<Lane>,
    /// Task groups (cgroups, classes).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Group>,
    /// Workloads.
    pub workloads: Vec<Workload>,
    /// Changes while it runs, in order of time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<ChangeAt>,
    /// What people wrote at moments of the run, in order of time. They change nothing that runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<NoteAt>,
}

impl Scenario {
    /// All changes that some lane meets: the common ones, then those of single lanes.
    pub fn all_changes(&self) -> impl Iterator<Item = &ChangeAt> {
        self.changes.iter().chain(self.lanes.iter().flat_map(|lane| &lane.changes))
    }
}

/// A policy with its knobs.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Lane {
    /// Policy key.
    pub policy: String,
    /// Tunables that differ from their default.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tunables: BTreeMap<String, i64>,
    /// Changes that this lane alone meets, in order of time: what would have been if.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<ChangeAt>,
}

impl Lane {
    /// A policy with all knobs at their default.
    pub fn of(policy: impl Into<String>) -> Self {
        Self { policy: policy.into(), ..Self::default() }
    }
}

/// A few words at a moment.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NoteAt {
    /// When, ns.
    pub t: u64,
    /// The words. They are shown as text.
    pub text: String,
}

/// The machine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Machine {
    /// Cores in all (with `packages` 1 and `threads` 1: the number of CPUs).
    pub cores: u16,
    /// Packages; `cores` is divided evenly among them.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub packages: u16,
    /// SMT threads per core.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub threads: u16,
    /// Packages are NUMA nodes.
    #[serde(default, skip_serializing_if = "is_default")]
    pub numa: bool,
    /// Ticks per second: 100, 250, 300 or 1000.
    #[serde(default = "default_hz", skip_serializing_if = "is_default_hz")]
    pub hz: u32,
    /// CPUs tick one after the other instead of all at once.
    #[serde(default, skip_serializing_if = "is_default")]
    pub tick_skew: bool,
    /// Machine profile: costs and caches. `ideal` = everything is free.
    #[serde(default = "ideal", skip_serializing_if = "is_ideal")]
    pub profile: String,
}

impl Machine {
    /// The machine of a profile as it stood.
    pub fn of(profile: &Profile) -> Self {
        let PresetShape { cores, packages, threads, numa, hz } = profile.shape;
        Machine { cores, packages, threads, numa, hz, tick_skew: false, profile: profile.key.into() }
    }
}

/// A task group.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Group {
    /// Name, unique.
    pub name: String,
    /// Parent's name; empty = the root.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub parent: String,
    /// Shares; 1024 = one nice-0 task. Policies with classes (CKRM) take them as percent of the parent, 0 to 100.
    #[serde(default = "default_shares", skip_serializing_if = "is_default_shares")]
    pub shares: u64,
    /// Quota per period, ns; 0 = no limit.
    #[serde(default, skip_serializing_if = "is_default")]
    pub quota_ns: u64,
    /// Period of the quota, ns.
    #[serde(default = "default_period", skip_serializing_if = "is_default_period")]
    pub period_ns: u64,
    /// Burst, ns.
    #[serde(default, skip_serializing_if = "is_default")]
    pub burst_ns: u64,
}

/// A workload: `count` tasks of one kind.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Workload {
    /// Name; tasks are called `name` or `name-1`, `name-2` ...
    pub name: String,
    /// Kind: `hog`, `sleeper`, `lat-ctx` ... or `program`.
    pub kind: String,
    /// Number of tasks (or of rings, rooms, clients: the kind says).
    #[serde(default = "one_u32", skip_serializing_if = "is_one_u32")]
    pub count: u32,
    /// Nice level.
    #[serde(default, skip_serializing_if = "is_default")]
    pub nice: i8,
    /// Class.
    #[serde(default, skip_serializing_if = "is_default")]
    pub class: SchedClass,
    /// Real-time priority 1..=99 for FIFO and RR.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rt_priority: u8,
    /// Group name; empty = the root.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub group: String,
    /// Session (terminal) that the tasks belong to; empty = none. Where a policy has autogroup, each session competes as
    /// a group, unless its tasks are in a group of their own.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub session: String,
    /// Allowed CPUs; empty = all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cpus: Vec<u16>,
    /// Start, ns.
    #[serde(default, skip_serializing_if = "is_default")]
    pub start_ns: u64,
    /// Parameters of the kind that differ from their default.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub params: BTreeMap<String, u64>,
    /// Program of kind `program`: steps like `["run", 1000000]`, `["loop", 3, [...]]`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub program: Vec<serde_json::Value>,
}

/// Something that changes while it runs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ChangeAt {
    /// When, ns.
    pub t: u64,
    /// What: exactly one target.
    #[serde(flatten)]
    pub target: Target,
    /// New value. Classes: 0 normal, 1 batch, 2 idle, 3 iso, 4 fifo, 5 rr (real-time priority 1).
    pub value: i64,
}

/// Target of a change.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Target {
    /// `{"workload": ["name", "count" | "nice" | "class" | parameter]}`.
    Workload(String, String),
    /// `{"task": ["name", "nice"]}`: one task alone.
    Task(String, String),
    /// `{"group": "name"}`: its shares.
    Group(String),
    /// `{"tunable": "key"}` of the first lane (others, if they have the key).
    Tunable(String),
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
fn one() -> u16 {
    1
}
fn one_u32() -> u32 {
    1
}
fn is_one(value: &u16) -> bool {
    *value == 1
}
fn is_one_u32(value: &u32) -> bool {
    *value == 1
}
fn default_hz() -> u32 {
    1000
}
fn is_default_hz(value: &u32) -> bool {
    *value == default_hz()
}
fn ideal() -> String {
    "ideal".into()
}
fn is_ideal(value: &str) -> bool {
    value == "ideal"
}
fn default_shares() -> u64 {
    1024
}
fn is_default_shares(value: &u64) -> bool {
    *value == default_shares()
}
fn default_period() -> u64 {
    100_000_000
}
fn is_default_period(value: &u64) -> bool {
    *value == default_period()
}
