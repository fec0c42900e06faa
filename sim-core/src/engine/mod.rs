//! The one door that the command line and the page's worker use.
//!
//! [`Engine::ask`] takes questions, [`Engine::work`] answers what waits and then simulates for a bounded number of
//! events, so that a worker can read its mailbox between two calls. [`lane::Lane`] runs one policy without questions.

pub mod compare;
mod decisions;
mod graphs;
mod held;
mod jobs;
pub mod lane;
mod log;
mod post_views;
pub mod protocol;
pub mod quiz;
mod range;
mod step;
mod story;
mod structures;
mod summary;
pub mod text;
mod trails;
mod views;
mod why;
mod why_task;
mod window;

pub use log::log;
pub use window::task_views;

#[cfg(test)]
mod job_tests;
#[cfg(test)]
mod picture_tests;
#[cfg(test)]
mod tests;

use crate::policies;
use crate::policy::{PolicyInfo, Shape};
use crate::scenario::schema::{Machine, Scenario};
use crate::scenario::{self, Compiled};
use crate::units::Nanos;
use jobs::Jobs;
use lane::{Lane, LaneSpec};
use protocol::{Ask, LaneProgress, Loaded, Problem, Reply, Request, Response, TaskView, TunableView};
pub use summary::summary;

/// Events that one lane simulates before another gets its turn.
const TURN_EVENTS: u64 = 16_384;

fn shape_of(machine: &Machine) -> Shape {
    Shape { cpus: machine.cores * machine.threads, hz: machine.hz }
}

/// The knobs of a policy with their defaults on this machine.
pub fn tunables_of(info: &PolicyInfo, machine: &Machine) -> Vec<TunableView> {
    views::tunables(info, shape_of(machine))
}

/// Up to four runs of one scenario, and the questions about them.
#[derive(Default)]
pub struct Engine {
    scenario: Option<Scenario>,
    lanes: Vec<Lane>,
    waiting: Vec<Request>,
    /// What was last told about the progress.
    told: Vec<LaneProgress>,
    /// A sweep or figures of a post.
    jobs: Jobs,
}

impl Engine {
    /// An engine without a scenario.
    pub fn new() -> Self {
        Engine::default()
    }

    /// Takes a question. It replaces an older one of the same slot that still waits.
    pub fn ask(&mut self, request: Request) {
        let slot = request.ask.slot();
        self.waiting.retain(|waiting| waiting.ask.slot() != slot);
        self.waiting.push(request);
    }

    /// Answers all waiting questions, then simulates about `events_max` events. Answers and news go to `out`. Returns
    /// whether there is more to simulate.
    pub fn work(&mut self, events_max: u64, out: &mut Vec<Response>) -> bool {
        self.answer_waiting(out);
        let more = self.simulate(events_max);
        if !more && !self.waiting.is_empty() {
            self.answer_waiting(out);
        }
        // Beside lanes that are under way a job gets every other turn.
        let more = self.jobs.work(events_max, out) || more;
        let progress = self.progress();
        if progress != self.told {
            self.told.clone_from(&progress);
            out.push(Response { seq: 0, reply: Reply::Progress(progress) });
        }
        more
    }

    /// Answers what can be answered; questions about whole runs go on waiting for their end.
    fn answer_waiting(&mut self, out: &mut Vec<Response>) {
        for Request { seq, ask } in std::mem::take(&mut self.waiting) {
            if matches!(ask, Ask::Quiz(_)) && self.lanes.iter().any(|lane| !lane.is_done()) {
                self.waiting.push(Request { seq, ask });
            } else if let Some(reply) = self.answer(ask) {
                out.push(Response { seq, reply });
            }
        }
    }

    /// Lets the lane that is furthest behind run, turn by turn.
    fn simulate(&mut self, events_max: u64) -> bool {
        let mut left = events_max;
        while left > 0 {
            let behind = self.lanes.iter_mut().filter(|lane| !lane.is_done()).min_by_key(|lane| lane.front());
            let Some(lane) = behind else { return false };
            let turn = TURN_EVENTS.min(left);
            lane.work(turn);
            left -= turn;
        }
        self.lanes.iter().any(|lane| !lane.is_done())
    }

    fn progress(&self) -> Vec<LaneProgress> {
        let of = |lane: &Lane| LaneProgress {
            simulated: lane.front(),
            duration: lane.duration(),
            events: lane.events(),
            digest: lane.kernel().digest(),
            fault: lane.stop_sentence(),
        };
        self.lanes.iter().map(of).collect()
    }

    /// The lanes, for tests and exports.
    pub fn lanes(&self) -> &[Lane] {
        &self.lanes
    }

    /// `None` for a question about a lane that does not exist.
    fn answer(&mut self, ask: Ask) -> Option<Reply> {
        match ask {
            Ask::Policies => Some(Reply::Policies(self.policies())),
            Ask::Job(ask) => self.jobs.answer(ask),
            Ask::Catalogue => Some(Reply::Catalogue(scenario::catalogue())),
            Ask::SetScenario(text) => Some(match self.set_scenario(&text) {
                Ok(loaded) => Reply::Loaded(Box::new(loaded)),
                Err(problems) => Reply::Problems(problems),
            }),
            Ask::Window { lane: index, from, to, px, cpus, tasks } => {
                let wanted = window::Wanted { cpus: &cpus, tasks: &tasks };
                let view = window::window(self.lane(index)?, index, (from, to), px, &wanted);
                Some(Reply::Window(Box::new(view)))
            }
            Ask::Structures { lane: index, t, cpu } => {
                Some(Reply::Structures(structures::structures(self.lane(index)?, index, t, cpu)))
            }
            Ask::Why { lane: index, t, cpu } => Some(Reply::Why(Box::new(why::why(self.lane(index)?, index, t, cpu)))),
            Ask::Decisions { lane: index, t, cpu } => {
                Some(Reply::Decisions(decisions::decisions(self.lane(index)?, index, t, cpu)))
            }
            Ask::Story { lane: index, t, cpu, task } => {
                Some(Reply::Story(Box::new(story::story(self.lane(index)?, index, t, cpu, task))))
            }
            Ask::WhyTask { lane: index, t, task } => {
                Some(Reply::Why(Box::new(why_task::why_task(self.lane(index)?, index, t, task))))
            }
            Ask::Trails { lane: index, from, to, cpu, samples } => {
                let wanted = trails::Wanted { from, to, cpu, samples };
                Some(Reply::Trails(Box::new(trails::trails(self.lane(index)?, index, wanted))))
            }
            Ask::Graphs { lane: index, from, to, buckets } => {
                Some(Reply::Graphs(Box::new(graphs::graphs(self.lane(index)?, index, from, to, buckets))))
            }
            Ask::Summary { lane: index, to } => {
                let mut view = summary::summary(self.lane(index)?, index, to);
                if let Some((at, cpu)) = self.diverged(index) {
                    view.diverged = Some((at, cpu));
                    view.alike = compare::decisions_before(self.lane(index)?, at);
                }
                Some(Reply::Summary(Box::new(view)))
            }
            Ask::Range { lane: index, task, from, to } => {
                Some(Reply::Range(Box::new(range::range(self.lane(index)?, index, task, from, to))))
            }
            Ask::Difference { lane: index, t } => {
                self.lane(index)?;
                Some(Reply::Difference(self.difference(index, t)))
            }
            Ask::Step { lane: index, t, forward, unit, cpu } => {
                Some(Reply::Step(step::step(self.lane(index)?, t, forward, unit, cpu)))
            }
            Ask::Quiz(spec) => {
                let scenario = self.scenario.as_ref()?;
                Some(Reply::Quiz(Box::new(quiz::quiz(&mut self.lanes, scenario, &spec))))
            }
            Ask::Log { lane: index, from, entries_min } => {
                Some(Reply::Log(Box::new(log::log(self.lane(index)?, index, from, entries_min as usize))))
            }
        }
    }

    fn lane(&mut self, index: u8) -> Option<&mut Lane> {
        self.lanes.get_mut(usize::from(index))
    }

    /// Where lane `index` first differs from lane 0.
    fn diverged(&self, index: u8) -> Option<(Nanos, u16)> {
        let (first, other) = (self.lanes.first()?, self.lanes.get(usize::from(index))?);
        if index == 0 {
            return None;
        }
        compare::first_divergence(first, other).map(|found| (found.at, found.cpu))
    }

    /// Where lane `index` (0: any other) differs from lane 0 after `t`, or first of all.
    fn difference(&self, index: u8, t: Option<Nanos>) -> Option<protocol::DifferenceView> {
        let first = self.lanes.first()?;
        let others =
            self.lanes.iter().enumerate().skip(1).filter(|(lane, _)| index == 0 || *lane == usize::from(index));
        let of = |(lane, other): (usize, &Lane)| {
            let found = match t {
                Some(t) => compare::next_divergence(first, other, t),
                None => compare::first_divergence(first, other),
            };
            found.map(|found| (found, lane as u8))
        };
        let (found, lane) = others.filter_map(of).min()?;
        Some(protocol::DifferenceView { at: found.at, cpu: found.cpu, lane, first: found.first, second: found.second })
    }

    /// All policies, with the defaults of the scenario's machine.
    fn policies(&self) -> Vec<protocol::PolicyView> {
        let machine = self.scenario.as_ref().map(|scenario| &scenario.machine);
        let shape = machine.map_or(Shape { cpus: 1, hz: 1000 }, shape_of);
        policies::all().map(|entry| views::policy(&entry.info, shape)).collect()
    }

    /// Starts a scenario, keeping what the present run has in common with it.
    fn set_scenario(&mut self, text: &str) -> Result<Loaded, Vec<Problem>> {
        let (scenario, mut warnings) = scenario::parse_for_run(text)?;
        let compiled: Vec<Compiled> =
            (0..scenario.lanes.len()).map(|lane| scenario::compile(&scenario, lane)).collect::<Result<_, _>>()?;
        let mut old: Vec<Option<Lane>> = std::mem::take(&mut self.lanes).into_iter().map(Some).collect();
        let mut kept_until = if old.is_empty() { 0 } else { scenario.duration_ns };
        for (index, compiled) in compiled.iter().enumerate() {
            let present = old.get_mut(index).and_then(Option::take);
            let (present, replaced) = match present {
                Some(lane) if self.can_keep(&scenario, index, &lane, compiled) => (Some(lane), false),
                other => (None, other.is_some()),
            };
            if replaced {
                kept_until = 0;
            }
            self.lanes.push(match present {
                Some(mut lane) => {
                    kept_until = kept_until.min(lane.set_changes(compiled.changes.clone()));
                    lane
                }
                None => self.beside(&scenario, index, compiled),
            });
        }
        for compiled in &compiled {
            let new = compiled.warnings.iter().filter(|warning| !warnings.contains(warning));
            let new: Vec<Problem> = new.cloned().collect();
            warnings.extend(new);
        }
        let loaded = self.loaded(&scenario, compiled.first(), warnings, kept_until);
        self.scenario = Some(scenario);
        self.told.clear();
        Ok(loaded)
    }

    /// A new lane `index`. One before it with the same policy and knobs has the same past: only what comes after the
    /// first change that differs must be simulated.
    fn beside(&self, scenario: &Scenario, index: usize, compiled: &Compiled) -> Lane {
        let alike = |lane: usize| {
            let (one, other) = (scenario.lanes.get(lane)?, scenario.lanes.get(index)?);
            ((&one.policy, &one.tunables) == (&other.policy, &other.tunables)).then_some(lane)
        };
        match (0..self.lanes.len()).find_map(alike) {
            Some(lane) => {
                let mut fork = self.lanes[lane].fork();
                fork.set_changes(compiled.changes.clone());
                fork
            }
            None => Lane::new(LaneSpec::from(compiled)),
        }
    }

    /// Whether lane `index` of the present run is the beginning of that of `scenario`.
    fn can_keep(&self, scenario: &Scenario, index: usize, lane: &Lane, compiled: &Compiled) -> bool {
        let Some(present) = &self.scenario else { return false };
        let plain = |scenario: &Scenario| Scenario {
            title: String::new(),
            changes: Vec::new(),
            notes: Vec::new(),
            lanes: Vec::new(),
            ..scenario.clone()
        };
        let of_lane = |scenario: &Scenario| {
            let lane = scenario.lanes.get(index)?;
            Some((lane.policy.clone(), lane.tunables.clone()))
        };
        // Rows that only a later change needs come at the end of the table and would shift the kernel threads.
        of_lane(present) == of_lane(scenario)
            && plain(present) == plain(scenario)
            && lane.rows_of_scenario() == compiled.config.tasks.len()
    }

    fn loaded(
        &self,
        scenario: &Scenario,
        first: Option<&Compiled>,
        warnings: Vec<Problem>,
        kept_until: Nanos,
    ) -> Loaded {
        let lane = self.lanes.first();
        let tasks = lane.map_or(Vec::new(), |lane| {
            let kernel = lane.kernel();
            let ids = 0..lane.tasks_at_start() as u32;
            let starts = |id: u32| {
                let Some(compiled) = first else { return true };
                let Some(spec) = compiled.config.tasks.get(id as usize) else { return true };
                let count = compiled.config.counts.get(usize::from(spec.workload)).copied().unwrap_or(u32::MAX);
                spec.start.is_some() && spec.index < count
            };
            let view = |id| window::task_view(kernel, crate::units::TaskId(id));
            ids.map(|id| TaskView { starts: starts(id), ..view(id) }).collect()
        });
        Loaded {
            scenario: scenario::to_json(scenario),
            warnings,
            cpus: lane.map_or(0, |lane| lane.kernel().cpus()),
            tasks,
            groups: first.map_or(Vec::new(), |compiled| compiled.groups.clone()),
            marks: first.map_or(Vec::new(), |compiled| compiled.marks.clone()),
            lanes: self.lanes.iter().map(|lane| lane.info().key.into()).collect(),
            kept_until,
        }
    }
}
