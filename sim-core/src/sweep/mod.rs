//! Sweeps: one scenario, some of its settings varied, under several policies; a row of numbers per point.
//!
//! The command line and the page's worker both run the points of a [`Sweep`] one after the other with [`PointRun`].
//! Points are independent of each other and in a fixed order (the first axis slowest, policies fastest), so that parts
//! of a sweep can be computed anywhere and put together.

mod axis;
pub mod measure;
mod point;
#[cfg(test)]
mod tests;

pub use axis::Axis;
pub use measure::{Measure, measures};
pub use point::PointRun;

use crate::engine::protocol::{Problem, TunableView};
use crate::engine::tunables_of;
use crate::policies;
use crate::scenario::schema::Scenario;
use crate::scenario::settings::{self, Setting};
use crate::scenario::{self, Compiled};

/// Link of the example that the page offers: each hog makes a context switch of the old scheduler dearer, and leaves that
/// of O(1) as it is (post 000).
pub const EXAMPLE_LINK: &str =
    "v=1&ex=lat-ctx&p=linux-2.5.2-pre9,o1-2.5.2-c1&view=sweep&vary=hogs=0..50:5&metric=mark.ring lap.p50_ns";

/// Most points of a sweep.
pub const POINTS_MAX: usize = 10_000;
/// Most axes.
pub const AXES_MAX: usize = 4;
/// Most problems told at once.
const PROBLEMS_MAX: usize = 20;

/// A sweep that can run: every point of it is a valid scenario.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sweep {
    base: Scenario,
    axes: Vec<Axis>,
    policies: Vec<String>,
    measures: Vec<Measure>,
}

/// A point: where it stands on each axis, and its policy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Point {
    /// Value per axis.
    pub values: Vec<i64>,
    /// Policy key.
    pub policy: String,
}

impl Sweep {
    /// Reads what shall vary and checks every point. `policies` empty: those of the scenario. All problems at once.
    pub fn plan(base: &Scenario, vary: &[String], policies: &[String]) -> Result<Self, Vec<Problem>> {
        let mut problems = Vec::new();
        let mut base = base.clone();
        settings::set_policies(&mut base, policies);
        let policies: Vec<String> = base.lanes.iter().map(|lane| lane.policy.clone()).collect();
        let mut sweep = Sweep { base, axes: Vec::new(), policies, measures: Vec::new() };
        sweep.check_policies(&mut problems);
        sweep.read_axes(vary, &mut problems);
        if problems.is_empty() {
            sweep.check_points(&mut problems);
        }
        if problems.is_empty() { Ok(sweep) } else { Err(problems) }
    }

    fn check_policies(&self, problems: &mut Vec<Problem>) {
        for (index, key) in self.policies.iter().enumerate() {
            if policies::find(key).is_none() {
                let message = format!("\"{}\" is not a policy", key.chars().take(60).collect::<String>());
                let hint = "`schedscope policies` lists them".into();
                problems.push(Problem { path: "policies".into(), message, hint, ..Problem::default() });
            } else if self.policies[..index].contains(key) {
                let message = format!("{key} is named twice");
                problems.push(Problem { path: "policies".into(), message, ..Problem::default() });
            }
        }
        if self.policies.is_empty() {
            problems.push(problem("policies", "the scenario names no policy"));
        }
    }

    fn read_axes(&mut self, vary: &[String], problems: &mut Vec<Problem>) {
        let known = settings(&self.base);
        for text in vary {
            let axis = match Axis::read(text) {
                Ok(axis) => axis,
                Err(sentence) => {
                    problems.push(problem("vary", sentence));
                    continue;
                }
            };
            if self.axes.iter().any(|other| other.key == axis.key) {
                problems.push(problem("vary", format!("{} is varied twice", axis.key)));
            }
            match settings::find(&known, &axis.key) {
                Ok(setting) => problems.extend(axis.values.iter().find_map(|&value| setting.check(value).err())),
                Err(unknown) => problems.push(unknown),
            }
            self.axes.push(axis);
        }
        if vary.is_empty() {
            problems.push(problem("vary", "nothing varies: name a key and its values, as in hogs=0..50:10"));
        }
        if vary.len() > AXES_MAX {
            problems.push(problem("vary", format!("{} keys vary; at most {AXES_MAX} can", vary.len())));
        }
        let points = self.axes.iter().try_fold(self.policies.len(), |all, axis| all.checked_mul(axis.values.len()));
        if points.is_none_or(|points| points > POINTS_MAX) {
            let many = points.map_or_else(|| "too many".into(), |points| points.to_string());
            problems.push(problem("vary", format!("{many} points; at most {POINTS_MAX} are possible")));
        }
    }

    /// Compiles each point once: what fails then fails before an hour of others has run.
    fn check_points(&mut self, problems: &mut Vec<Problem>) {
        for index in 0..self.points() {
            let point = self.point(index);
            match self.compiled(index) {
                Ok(compiled) if index == 0 => {
                    let workloads: Vec<String> = self.base.workloads.iter().map(|w| w.name.clone()).collect();
                    self.measures = measures(&compiled.marks, &workloads);
                }
                Ok(_) => {}
                Err(found) => {
                    for fault in found {
                        let told = problems.iter().any(|p| p.path == fault.path && p.hint == fault.hint);
                        if !told && problems.len() < PROBLEMS_MAX {
                            let message = format!("{} (at {})", fault.message, self.name(&point));
                            problems.push(Problem { message, ..fault });
                        }
                    }
                }
            }
        }
    }

    /// Number of points.
    pub fn points(&self) -> usize {
        self.axes.iter().map(|axis| axis.values.len()).product::<usize>() * self.policies.len()
    }

    /// Where point `index` stands; the last policy comes last.
    pub fn point(&self, index: usize) -> Point {
        let policy = self.policies[index % self.policies.len()].clone();
        let mut rest = index / self.policies.len();
        let mut values: Vec<i64> = Vec::new();
        for axis in self.axes.iter().rev() {
            values.push(axis.values[rest % axis.values.len()]);
            rest /= axis.values.len();
        }
        values.reverse();
        Point { values, policy }
    }

    /// `hogs=10, o1-2.6.21`.
    pub fn name(&self, point: &Point) -> String {
        let settings = self.axes.iter().zip(&point.values).map(|(axis, value)| format!("{}={value}", axis.key));
        settings.chain([point.policy.clone()]).collect::<Vec<_>>().join(", ")
    }

    /// The scenario of point `index`, with its policy as the only lane.
    pub fn scenario(&self, index: usize) -> Scenario {
        let point = self.point(index);
        let mut scenario = self.base.clone();
        scenario.lanes.retain(|lane| lane.policy == point.policy);
        for (axis, &value) in self.axes.iter().zip(&point.values) {
            settings::set(&mut scenario, &axis.key, value);
        }
        scenario
    }

    /// Point `index`, ready to run.
    pub fn compiled(&self, index: usize) -> Result<Compiled, Vec<Problem>> {
        scenario::compile(&self.scenario(index), 0)
    }

    /// What varies.
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// Policies, in the order of the points.
    pub fn policies(&self) -> &[String] {
        &self.policies
    }

    /// Columns.
    pub fn measures(&self) -> &[Measure] {
        &self.measures
    }

    /// Tells sweeps of different scenarios (or versions of this program) apart: their rows must not be mixed. What varies
    /// and which policies run is not part of it, so a sweep can be made finer or longer.
    pub fn id(&self) -> u64 {
        let plain = Scenario { lanes: Vec::new(), title: String::new(), ..self.base.clone() };
        let lanes = self.base.lanes.iter().filter(|lane| !lane.tunables.is_empty());
        let mut text = scenario::to_json(&plain);
        lanes.for_each(|lane| text.push_str(&format!("{lane:?}")));
        text.push_str(env!("CARGO_PKG_VERSION"));
        // FNV-1a.
        text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }
}

/// All settings of a scenario with the tunables of its policies.
pub fn settings(scenario: &Scenario) -> Vec<Setting> {
    let mut tunables: Vec<TunableView> = Vec::new();
    for entry in scenario.lanes.iter().filter_map(|lane| policies::find(&lane.policy)) {
        let more = tunables_of(&entry.info, &scenario.machine);
        tunables
            .extend(more.into_iter().filter(|new| !tunables.iter().any(|old| old.key == new.key)).collect::<Vec<_>>());
    }
    settings::list(scenario, &tunables)
}

fn problem(path: &str, message: impl Into<String>) -> Problem {
    Problem { path: path.into(), message: message.into(), ..Problem::default() }
}
