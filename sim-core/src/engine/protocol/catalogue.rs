//! What can be chosen: policies with their knobs, workload kinds with their sliders, machines, built-ins.

use serde::{Deserialize, Serialize};

/// A policy for menus and sentences.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PolicyView {
    /// Stable key.
    pub key: String,
    /// Title.
    pub title: String,
    /// Family.
    pub family: String,
    /// Kernel and year.
    pub kernel: String,
    /// Summary.
    pub summary: String,
    /// Knobs.
    pub tunables: Vec<TunableView>,
    /// (key, template, function) of each reason.
    pub reasons: Vec<(String, String, String)>,
    /// Names of notes.
    pub notes: Vec<String>,
    /// (ability, has it): batch, idle, iso, groups, nested_groups, percent_shares, autogroup, bandwidth, slice_request, rt.
    pub caps: Vec<(String, bool)>,
    /// Golden schedules matched, recorded.
    pub golden: (u32, u32),
}

impl PolicyView {
    /// Whether it has this ability (a key of `caps`).
    pub fn can(&self, ability: &str) -> bool {
        self.caps.iter().any(|(name, has)| name == ability && *has)
    }
}

/// A knob.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TunableView {
    /// Key.
    pub key: String,
    /// Help.
    pub help: String,
    /// Unit word: count, ns, ticks, prio, weight, percent, virtual.
    pub unit: String,
    /// Smallest.
    pub min: i64,
    /// Largest.
    pub max: i64,
    /// Default on the scenario's machine.
    pub default: i64,
}

/// A slider of a workload kind.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ParamView {
    /// Key in the scenario.
    pub key: String,
    /// Label.
    pub label: String,
    /// Unit word: ns, count, percent, kib.
    pub unit: String,
    /// Smallest.
    pub min: u64,
    /// Largest.
    pub max: u64,
    /// Default.
    pub default: u64,
    /// Can change while the machine runs (else the run starts anew).
    pub live: bool,
    /// Slider moves logarithmically.
    pub log: bool,
}

/// A kind of workload.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct KindView {
    /// Key in the scenario.
    pub key: String,
    /// Label.
    pub label: String,
    /// One line.
    pub help: String,
    /// Sliders beside count, nice, class.
    pub params: Vec<ParamView>,
    /// Largest count.
    pub count_max: u32,
    /// Default count.
    pub count_default: u32,
}

/// What can be put into a scenario.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Catalogue {
    /// Workload kinds.
    pub kinds: Vec<KindView>,
    /// Machine profiles: key, label, help.
    pub profiles: Vec<(String, String, String)>,
    /// Built-in scenarios: key, title, one line.
    pub builtins: Vec<(String, String, String)>,
}
