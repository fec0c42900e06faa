//! Sweeps and figures of posts as far as they are computed: they stay while the visitor looks elsewhere.

use sim_core::engine::protocol::{
    JobNews, JobReply, Judgement, Place, PostView, Problem, SettingView, StripView, SweepPlan,
};
use std::collections::BTreeMap;
use std::rc::Rc;
use yew::Reducible;

/// Ours of a post: thousandths of the unit by seed, or why there is none.
pub type Figures = BTreeMap<Place, Result<BTreeMap<u64, u64>, Rc<str>>>;

/// Strips of time from the runs of a post.
pub type Strips = BTreeMap<Place, Rc<StripView>>;

/// What a sweep was started with.
#[derive(Clone, PartialEq, Debug)]
pub struct SweepOf {
    /// Scenario JSON with its policies.
    pub scenario: Rc<str>,
    /// What varies.
    pub vary: Rc<str>,
}

/// A sweep.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SweepState {
    /// What it was started with.
    pub of: Option<SweepOf>,
    /// Its plan, once the engine has taken it.
    pub plan: Rc<SweepPlan>,
    /// Rows that are computed.
    pub rows: BTreeMap<u32, Result<Vec<Option<u64>>, Rc<str>>>,
    /// The point under way and its progress, 1/1000.
    pub present: Option<(u32, u16)>,
    /// Why it cannot run.
    pub problems: Rc<Vec<Problem>>,
}

/// What the present job is.
#[derive(Clone, PartialEq, Debug)]
pub enum Present {
    /// A sweep.
    Sweep,
    /// Figures of a post.
    Figures {
        /// Post.
        post: Rc<str>,
        /// Figures of the run under way.
        places: Vec<Place>,
        /// Progress of it, 1/1000.
        permille: u16,
        /// Seed of it, and how many there are.
        seeds: (u8, u8),
    },
}

/// Everything that the engine for jobs has told.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Work {
    /// All posts, once they are known.
    pub posts: Option<Rc<Vec<PostView>>>,
    /// Ours, by post.
    pub figures: BTreeMap<Rc<str>, Rc<Figures>>,
    /// Strips of time, by post and figure.
    pub strips: BTreeMap<Rc<str>, Rc<Strips>>,
    /// Orderings and shapes, by post.
    pub judged: BTreeMap<Rc<str>, Rc<Judgement>>,
    /// What can vary in the scenario last asked about.
    pub settings: Rc<Vec<SettingView>>,
    /// The sweep.
    pub sweep: SweepState,
    /// Number and kind of the present job.
    pub present: Option<(u32, Present)>,
    /// The engine is gone: what it said last.
    pub lost: Option<Rc<str>>,
}

/// What can happen to it.
#[derive(Clone, PartialEq, Debug)]
pub enum WorkAction {
    /// A sweep was asked for.
    StartSweep(u32, SweepOf),
    /// Figures were asked for, with so many seeds; those of these places (all if none) are computed anew.
    StartFigures(u32, Rc<str>, Vec<Place>, u8),
    /// The present job was stopped.
    Stop,
    /// The engine tells something.
    Heard(Box<JobReply>),
    /// The engine is gone.
    Lost(Rc<str>),
}

impl Work {
    /// Whether figures of this post are being computed.
    pub fn is_at(&self, post: &str) -> bool {
        matches!(&self.present, Some((_, Present::Figures { post: at, .. })) if **at == *post)
    }

    /// Whether the sweep is under way.
    pub fn is_sweeping(&self) -> bool {
        matches!(self.present, Some((_, Present::Sweep)))
    }

    /// Strips of time of a post.
    pub fn strips_of(&self, post: &str) -> Rc<Strips> {
        self.strips.get(post).cloned().unwrap_or_default()
    }

    /// Ours of a post.
    pub fn figures_of(&self, post: &str) -> Rc<Figures> {
        self.figures.get(post).cloned().unwrap_or_default()
    }

    fn heard(&mut self, reply: JobReply) {
        match reply {
            JobReply::Posts(posts) => self.posts = Some(Rc::new(posts)),
            JobReply::Judged(judged) => _ = self.judged.insert(judged.post.as_str().into(), Rc::new(judged)),
            JobReply::Settings(settings) => self.settings = Rc::new(settings),
            // The scenario is opened by whoever asked; a refusal leaves what is shown.
            JobReply::Scenario(_) | JobReply::Refused(_) => {}
            JobReply::News { job, news } if self.present.as_ref().is_some_and(|(present, _)| *present == job) => {
                self.news(news);
            }
            // News of a job that was stopped meanwhile.
            JobReply::News { .. } => {}
        }
    }

    fn news(&mut self, news: JobNews) {
        match news {
            JobNews::Problems(problems) => {
                self.sweep.problems = Rc::new(problems);
                self.present = None;
            }
            JobNews::Planned(plan) => self.sweep.plan = Rc::new(plan),
            JobNews::Point { index, values } => {
                self.sweep.rows.insert(index, values.map_err(Rc::from));
                self.sweep.present = None;
            }
            JobNews::Figure { place, seed, value } => {
                if let Some((_, Present::Figures { post, .. })) = &self.present {
                    let figures = Rc::make_mut(self.figures.entry(post.clone()).or_default());
                    match (figures.get_mut(&place), value) {
                        (Some(Ok(runs)), Ok(value)) => _ = runs.insert(seed, value),
                        (_, value) => {
                            let runs = value.map(|value| BTreeMap::from([(seed, value)]));
                            figures.insert(place, runs.map_err(Rc::from));
                        }
                    }
                }
            }
            JobNews::Strip { places, strip } => {
                if let Some((_, Present::Figures { post, .. })) = &self.present {
                    let strips = Rc::make_mut(self.strips.entry(post.clone()).or_default());
                    let strip = Rc::new(strip);
                    strips.extend(places.into_iter().map(|place| (place, strip.clone())));
                }
            }
            JobNews::Running { places, index, permille } => match &mut self.present {
                Some((_, Present::Figures { places: at, permille: done, seeds, .. })) => {
                    (*at, *done) = (places, permille);
                    // The seed; 0 before the first run.
                    seeds.0 = (index as u8).max(1);
                }
                _ => self.sweep.present = Some((index, permille)),
            },
            JobNews::Ended => {
                self.present = None;
                self.sweep.present = None;
            }
        }
    }
}

impl Reducible for Work {
    type Action = WorkAction;

    fn reduce(self: Rc<Self>, action: WorkAction) -> Rc<Self> {
        let mut next = (*self).clone();
        match action {
            WorkAction::StartSweep(job, of) => {
                next.sweep = SweepState { of: Some(of), ..SweepState::default() };
                (next.present, next.lost) = (Some((job, Present::Sweep)), None);
            }
            WorkAction::StartFigures(job, post, places, seeds) => {
                let figures = Rc::make_mut(next.figures.entry(post.clone()).or_default());
                figures.retain(|place, _| !places.is_empty() && !places.contains(place));
                let present = Present::Figures { post, places: Vec::new(), permille: 0, seeds: (1, seeds) };
                (next.present, next.lost) = (Some((job, present)), None);
            }
            WorkAction::Stop => {
                next.present = None;
                next.sweep.present = None;
            }
            WorkAction::Heard(reply) => next.heard(*reply),
            WorkAction::Lost(message) => {
                next.lost = Some(message);
                next.present = None;
            }
        }
        if next == *self { self } else { Rc::new(next) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(work: Rc<Work>, job: u32, news: JobNews) -> Rc<Work> {
        work.reduce(WorkAction::Heard(Box::new(JobReply::News { job, news })))
    }

    fn figure(place: Place, value: u64) -> JobNews {
        JobNews::Figure { place, seed: 1, value: Ok(value) }
    }

    #[test]
    fn figures_come_in_one_by_one_and_stay_when_the_job_ends() {
        let start = WorkAction::StartFigures(1, "000".into(), Vec::new(), 1);
        let work = Rc::new(Work::default()).reduce(start);
        assert!(work.is_at("000"));
        let work = heard(heard(work, 1, figure((0, 0, 0), 7)), 1, figure((0, 1, 0), 8));
        let work = heard(work, 1, JobNews::Ended);
        assert!(!work.is_at("000"));
        assert_eq!(work.figures_of("000").len(), 2);
    }

    #[test]
    fn runs_of_a_figure_are_kept_by_seed() {
        let work = Rc::new(Work::default()).reduce(WorkAction::StartFigures(1, "000".into(), Vec::new(), 2));
        let second = JobNews::Figure { place: (0, 0, 0), seed: 2, value: Ok(9) };
        let work = heard(heard(work, 1, figure((0, 0, 0), 7)), 1, second);
        assert_eq!(work.figures_of("000")[&(0, 0, 0)], Ok(BTreeMap::from([(1, 7), (2, 9)])));
    }

    #[test]
    fn a_row_that_is_run_again_keeps_the_others() {
        let work = Rc::new(Work::default()).reduce(WorkAction::StartFigures(1, "000".into(), Vec::new(), 1));
        let work = heard(heard(work, 1, figure((0, 0, 0), 7)), 1, figure((0, 1, 0), 8));
        let work = work.reduce(WorkAction::StartFigures(2, "000".into(), vec![(0, 1, 0)], 1));
        assert_eq!(work.figures_of("000").keys().copied().collect::<Vec<_>>(), [(0, 0, 0)]);
    }

    #[test]
    fn news_of_a_stopped_job_change_nothing() {
        let work = Rc::new(Work::default()).reduce(WorkAction::StartFigures(1, "000".into(), Vec::new(), 1));
        let stopped = work.reduce(WorkAction::Stop);
        assert!(Rc::ptr_eq(&heard(stopped.clone(), 1, figure((0, 0, 0), 7)), &stopped));
    }
}
