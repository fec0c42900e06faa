//! The scenario document and its edits.
//!
//! A slider at time 0 (or one that cannot act while the machine runs) edits the document; later it adds an entry to
//! `changes`, so the past stays as it was. During one drag the time of the entry stays where the drag began.

use super::beside::{what_if, write_note};
use super::groups;
use sim_core::policy::SchedClass;
use sim_core::scenario::schema::{ChangeAt, Group, Lane, Machine, NoteAt, Scenario, Target, Workload};
use std::rc::Rc;
use yew::Reducible;

/// The document.
#[derive(Clone, PartialEq, Debug)]
pub struct Document {
    /// As it stands.
    pub scenario: Rc<Scenario>,
    /// Rises with each edit: the run follows.
    pub revision: u32,
    /// Rises with each finished edit: the history of the browser follows.
    pub committed: u32,
    /// Rises with each document that was opened: edits belong to the last one.
    pub opened: u32,
    /// Target of the present drag and when it began, ns.
    drag: Option<(Target, u64)>,
}

impl Default for Document {
    fn default() -> Self {
        Self { scenario: Rc::new(blank()), revision: 0, committed: 0, opened: 0, drag: None }
    }
}

/// A scenario before the first one is opened: nothing runs.
fn blank() -> Scenario {
    Scenario {
        v: sim_core::scenario::schema::VERSION,
        title: String::new(),
        seed: 0,
        duration_ns: 1_000_000_000,
        machine: Machine {
            cores: 1,
            packages: 1,
            threads: 1,
            numa: false,
            hz: 1000,
            tick_skew: false,
            profile: "ideal".into(),
        },
        lanes: Vec::new(),
        groups: Vec::new(),
        workloads: Vec::new(),
        changes: Vec::new(),
        notes: Vec::new(),
    }
}

/// What can happen to it.
#[derive(Clone, PartialEq, Debug)]
pub enum DocumentAction {
    /// Another document.
    Open {
        /// The document.
        scenario: Box<Scenario>,
        /// It is a step of the browser's history (not one that the browser itself went to).
        push: bool,
    },
    /// Title.
    Title(String),
    /// Machine.
    Machine(Machine),
    /// Length of the run, ns.
    Duration(u64),
    /// Seed of the draws.
    Seed(u64),
    /// Policy of a lane; its knobs start anew.
    Policy {
        /// Lane.
        lane: usize,
        /// Key.
        key: String,
    },
    /// Take a lane away; the last one stays.
    RemoveLane(usize),
    /// One more workload.
    AddWorkload(Box<Workload>),
    /// One less.
    RemoveWorkload(usize),
    /// One as it shall be: its group, session, CPUs, start.
    Workload(usize, Box<Workload>),
    /// One more group; `true` where shares are percent.
    AddGroup(bool),
    /// One less, with all below it.
    RemoveGroup(usize),
    /// One as it shall be; its name and parent may be others.
    Group(usize, Box<Group>),
    /// A slider.
    Knob {
        /// Lane whose knobs they are; only tunables belong to one.
        lane: usize,
        /// Of what.
        target: Target,
        /// New value, in the target's unit.
        value: i64,
        /// Its default: a base value equal to it is left out of the document.
        default: i64,
        /// Now, ns.
        at: u64,
        /// May act while the machine runs.
        live: bool,
        /// The slider was let go.
        done: bool,
    },
    /// The slider was let go without another value.
    Commit,
    /// Take back a change of the run: of all lanes, or of one alone.
    RemoveChange(Option<usize>, usize),
    /// What if: a lane like lane `of`, but with another policy or a change of its own. It takes the place of an earlier
    /// what-if of that lane; with four lanes it takes the last one's place.
    WhatIf {
        /// Lane that it starts from.
        of: usize,
        /// Other policy, if that is what differs; its knobs are at their default.
        policy: Option<String>,
        /// What changes for this lane alone.
        change: Option<ChangeAt>,
    },
    /// Write a note at a moment; an empty text takes the note of that moment away.
    Note(NoteAt),
}

/// Number of a class in [`ChangeAt::value`].
pub fn class_number(class: SchedClass) -> i64 {
    match class {
        SchedClass::Normal => 0,
        SchedClass::Batch => 1,
        SchedClass::Idle => 2,
        SchedClass::Iso => 3,
        SchedClass::Fifo => 4,
        SchedClass::Rr => 5,
    }
}

/// Class of a number in [`ChangeAt::value`].
pub fn class_of_number(number: i64) -> SchedClass {
    match number {
        1 => SchedClass::Batch,
        2 => SchedClass::Idle,
        3 => SchedClass::Iso,
        4 => SchedClass::Fifo,
        5 => SchedClass::Rr,
        _ => SchedClass::Normal,
    }
}

impl Document {
    /// Value of a target in a lane at `now`: the base, then the changes up to now, the lane's own after the common ones.
    pub fn value_at(&self, lane: usize, target: &Target, base: i64, now: u64) -> i64 {
        let own = self.scenario.lanes.get(lane).map_or(&[][..], |lane| &lane.changes);
        let changes = self.scenario.changes.iter().chain(own);
        let met = changes.filter(|change| change.t <= now && change.target == *target);
        // Of two at one moment the later in the chain counts.
        met.max_by_key(|change| change.t).map_or(base, |change| change.value)
    }

    /// Base value of a workload's field (`count`, `nice`, `class` or a parameter).
    pub fn workload_base(workload: &Workload, field: &str, default: i64) -> i64 {
        match field {
            "count" => i64::from(workload.count),
            "nice" => i64::from(workload.nice),
            "class" => class_number(workload.class),
            _ => workload.params.get(field).map_or(default, |value| i64::try_from(*value).unwrap_or(i64::MAX)),
        }
    }

    fn edited(&self, edit: impl FnOnce(&mut Scenario), done: bool) -> Rc<Self> {
        let mut scenario = (*self.scenario).clone();
        edit(&mut scenario);
        let changed = scenario != *self.scenario;
        Rc::new(Self {
            scenario: if changed { Rc::new(scenario) } else { self.scenario.clone() },
            revision: self.revision.wrapping_add(u32::from(changed)),
            committed: self.committed.wrapping_add(u32::from(done)),
            opened: self.opened,
            drag: if done { None } else { self.drag.clone() },
        })
    }
}

/// Base value of a target.
fn base(scenario: &Scenario, lane: usize, target: &Target, default: i64) -> i64 {
    match target {
        Target::Workload(name, field) => {
            let workload = scenario.workloads.iter().find(|workload| workload.name == *name);
            workload.map_or(default, |workload| Document::workload_base(workload, field, default))
        }
        Target::Task(..) => default,
        Target::Group(name) => {
            let group = scenario.groups.iter().find(|group| group.name == *name);
            group.map_or(default, |group| i64::try_from(group.shares).unwrap_or(i64::MAX))
        }
        Target::Tunable(key) => {
            scenario.lanes.get(lane).and_then(|lane| lane.tunables.get(key).copied()).unwrap_or(default)
        }
    }
}

/// Sets the base value of a target.
fn set_base(scenario: &mut Scenario, lane: usize, target: &Target, value: i64, default: i64) {
    match target {
        Target::Workload(name, field) => {
            let Some(workload) = scenario.workloads.iter_mut().find(|workload| workload.name == *name) else { return };
            match field.as_str() {
                "count" => workload.count = u32::try_from(value.max(0)).unwrap_or(u32::MAX),
                "nice" => workload.nice = value.clamp(-20, 19) as i8,
                "class" => {
                    workload.class = class_of_number(value);
                    workload.rt_priority = u8::from(workload.class.is_rt());
                }
                _ if value == default => {
                    workload.params.remove(field);
                }
                _ => {
                    workload.params.insert(field.clone(), u64::try_from(value).unwrap_or(0));
                }
            }
        }
        // One task alone has no value before the first change of it.
        Target::Task(..) => {}
        Target::Group(name) => {
            if let Some(group) = scenario.groups.iter_mut().find(|group| group.name == *name) {
                group.shares = u64::try_from(value).unwrap_or(0);
            }
        }
        Target::Tunable(key) => {
            let Some(lane) = scenario.lanes.get_mut(lane) else { return };
            if value == default {
                lane.tunables.remove(key);
            } else {
                lane.tunables.insert(key.clone(), value);
            }
        }
    }
}

/// Adds a change or replaces the one of the same moment and target; one that changes nothing is left out.
fn set_change(scenario: &mut Scenario, lane: usize, target: Target, value: i64, at: u64, default: i64) {
    let base = base(scenario, lane, &target, default);
    // With several lanes a tunable is that lane's own affair; everything else is the same workload for all.
    let own = matches!(target, Target::Tunable(_)) && scenario.lanes.len() > 1;
    let changes = match scenario.lanes.get_mut(lane).filter(|_| own) {
        Some(lane) => &mut lane.changes,
        None => &mut scenario.changes,
    };
    let mut earlier =
        changes.iter().filter(|change| change.t < at && change.target == target).map(|change| change.value);
    if earlier.next_back().unwrap_or(base) == value {
        changes.retain(|change| change.t != at || change.target != target);
        return;
    }
    match changes.iter_mut().find(|change| change.t == at && change.target == target) {
        Some(change) => change.value = value,
        None => {
            let place = changes.partition_point(|change| change.t <= at);
            changes.insert(place, ChangeAt { t: at, target, value });
        }
    }
}

/// A name nobody has yet: `hog`, `hog2`, `hog3` ...
pub fn free_name(scenario: &Scenario, wanted: &str) -> String {
    free(wanted, |name| scenario.workloads.iter().any(|workload| workload.name == name))
}

/// `wanted`, or the first of `wanted2`, `wanted3` ... that is not taken.
pub(super) fn free(wanted: &str, taken: impl Fn(&str) -> bool) -> String {
    if !taken(wanted) {
        return wanted.to_string();
    }
    (2..).map(|number| format!("{wanted}{number}")).find(|name| !taken(name)).unwrap_or_default()
}

impl Reducible for Document {
    type Action = DocumentAction;

    fn reduce(self: Rc<Self>, action: DocumentAction) -> Rc<Self> {
        match action {
            DocumentAction::Open { scenario, push } => {
                let mut next = self.edited(|document| *document = *scenario, push);
                Rc::make_mut(&mut next).opened = self.opened.wrapping_add(1);
                next
            }
            DocumentAction::Title(title) => self.edited(|document| document.title = title, true),
            DocumentAction::Machine(machine) => self.edited(|document| document.machine = machine, true),
            DocumentAction::Duration(duration) => self.edited(|document| document.duration_ns = duration, true),
            DocumentAction::Seed(seed) => self.edited(|document| document.seed = seed, true),
            DocumentAction::Policy { lane, key } => self.edited(
                |document| {
                    if lane == 0 {
                        document.changes.retain(|change| !matches!(change.target, Target::Tunable(_)));
                    }
                    let chosen = Lane::of(key);
                    match document.lanes.get_mut(lane) {
                        Some(place) => *place = chosen,
                        None => document.lanes.push(chosen),
                    }
                },
                true,
            ),
            DocumentAction::RemoveLane(lane) if self.scenario.lanes.len() > 1 && lane < self.scenario.lanes.len() => {
                self.edited(
                    |document| {
                        document.lanes.remove(lane);
                    },
                    true,
                )
            }
            DocumentAction::AddWorkload(workload) => self.edited(|document| document.workloads.push(*workload), true),
            DocumentAction::RemoveWorkload(index) if index < self.scenario.workloads.len() => self.edited(
                |document| {
                    let gone = document.workloads.remove(index).name;
                    let of_it = |target: &Target| matches!(target, Target::Workload(name, _) if *name == gone);
                    groups::retain_changes(document, |target| !of_it(target));
                },
                true,
            ),
            DocumentAction::Workload(index, workload) => self.edited(
                |document| {
                    if let Some(place) = document.workloads.get_mut(index) {
                        *place = *workload;
                    }
                },
                true,
            ),
            DocumentAction::AddGroup(percent) => self.edited(|document| groups::add(document, percent), true),
            DocumentAction::RemoveGroup(index) => self.edited(|document| groups::remove(document, index), true),
            DocumentAction::Group(index, group) => self.edited(|document| groups::edit(document, index, *group), true),
            DocumentAction::Knob { lane, target, value, default, at, live, done } => {
                self.turned((lane, target), (value, default), at, live, done)
            }
            DocumentAction::RemoveChange(lane, index) => self.edited(
                |document| {
                    let changes = match lane {
                        Some(lane) => document.lanes.get_mut(lane).map(|lane| &mut lane.changes),
                        None => Some(&mut document.changes),
                    };
                    if let Some(changes) = changes.filter(|changes| index < changes.len()) {
                        changes.remove(index);
                    }
                },
                true,
            ),
            DocumentAction::WhatIf { of, policy, change } => {
                self.edited(|document| what_if(document, of, policy, change), true)
            }
            DocumentAction::Note(note) => self.edited(|document| write_note(document, note), true),
            DocumentAction::Commit if self.drag.is_some() => self.edited(|_| (), true),
            DocumentAction::RemoveLane(_) | DocumentAction::RemoveWorkload(_) | DocumentAction::Commit => self,
        }
    }
}

impl Document {
    fn turned(
        &self,
        (lane, target): (usize, Target),
        (value, default): (i64, i64),
        at: u64,
        live: bool,
        done: bool,
    ) -> Rc<Self> {
        let began = match &self.drag {
            Some((dragged, began)) if *dragged == target => *began,
            _ => at,
        };
        let next = self.edited(
            |document| {
                if live && began > 0 {
                    set_change(document, lane, target.clone(), value, began, default);
                } else {
                    set_base(document, lane, &target, value, default);
                }
            },
            done,
        );
        if done { next } else { Rc::new(Self { drag: Some((target, began)), ..(*next).clone() }) }
    }
}

#[cfg(test)]
#[path = "scenario_tests.rs"]
mod tests;
