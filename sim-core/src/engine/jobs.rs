//! Work beside the lanes: a sweep, or figures of a post, one run after the other in small pieces. At most one job at a
//! time; a new one takes the place of the old one.

use super::post_views;
use super::protocol::{JobAsk, JobNews, JobReply, Place, Problem, Reply, Response, SEEDS_MAX, SettingView, SweepPlan};
use crate::posts::run::{Job as PostJob, Run, jobs as jobs_of};
use crate::posts::{self, Cell};
use crate::scenario::{self, settings::Setting};
use crate::sweep::{self, PointRun, Sweep};

/// Progress within a run is told in steps of this size, 1/1000.
const TOLD_PERMILLE: u16 = 20;

/// The present job, if there is one.
#[derive(Default)]
pub(super) struct Jobs {
    present: Option<(u32, Job)>,
}

enum Job {
    Sweep { sweep: Box<Sweep>, next: usize, run: Option<Box<PointRun>>, told: u16 },
    Figures { queue: Vec<PostJob>, run: Option<Box<Run>>, told: u16 },
}

impl Jobs {
    /// Answers a question; `None` where the answer is news of the job.
    #[inline(never)] // the page loads it later: xtask/src/parts.rs
    pub fn answer(&mut self, ask: JobAsk) -> Option<Reply> {
        Some(Reply::Job(match ask {
            JobAsk::Posts => JobReply::Posts(posts::POSTS.iter().map(|post| post_views::post(post)).collect()),
            JobAsk::Judge { post, figures } => told(post_views::judge(&post, &figures).map(JobReply::Judged)),
            JobAsk::Scenario { post, places } => told(post_views::scenario(&post, &places).map(JobReply::Scenario)),
            JobAsk::Settings { scenario } => told(settings(&scenario).map(JobReply::Settings)),
            JobAsk::Sweep { job, scenario, vary, policies } => self.start(job, plan(&scenario, &vary, &policies)),
            JobAsk::Figures { job, post, places, seeds } => self.start(job, figures(&post, &places, seeds)),
            JobAsk::Stop => {
                self.present = None;
                return None;
            }
        }))
    }

    fn start(&mut self, number: u32, job: Result<Job, Vec<Problem>>) -> JobReply {
        let news = match job {
            Ok(job) => {
                let news = match &job {
                    Job::Sweep { sweep, .. } => JobNews::Planned(plan_view(sweep)),
                    Job::Figures { .. } => JobNews::Running { places: Vec::new(), index: 0, permille: 0 },
                };
                self.present = Some((number, job));
                news
            }
            Err(problems) => {
                self.present = None;
                JobNews::Problems(problems)
            }
        };
        JobReply::News { job: number, news }
    }

    /// Simulates about `events_max` events of the job; returns whether there is more to do.
    pub fn work(&mut self, events_max: u64, out: &mut Vec<Response>) -> bool {
        let Some((number, job)) = &mut self.present else { return false };
        let number = *number;
        let mut tell =
            |news: JobNews| out.push(Response { seq: 0, reply: Reply::Job(JobReply::News { job: number, news }) });
        let more = match job {
            Job::Sweep { sweep, next, run, told } => work_sweep(sweep, (next, run, told), events_max, &mut tell),
            Job::Figures { queue, run, told } => work_figures((queue, run, told), events_max, &mut tell),
        };
        if !more {
            tell(JobNews::Ended);
            self.present = None;
        }
        more
    }
}

fn told(reply: Result<JobReply, Vec<Problem>>) -> JobReply {
    reply.unwrap_or_else(JobReply::Refused)
}

/// Whether progress at `permille` is news.
fn is_news(told: &mut u16, permille: u16) -> bool {
    let is_news = permille >= *told + TOLD_PERMILLE;
    if is_news {
        *told = permille;
    }
    is_news
}

#[inline(never)] // the page loads it later: xtask/src/parts.rs
fn work_sweep(
    sweep: &Sweep,
    (next, run, told): (&mut usize, &mut Option<Box<PointRun>>, &mut u16),
    events_max: u64,
    tell: &mut dyn FnMut(JobNews),
) -> bool {
    let index = *next as u32;
    let Some(present) = run else {
        if *next >= sweep.points() {
            return false;
        }
        match sweep.compiled(*next) {
            Ok(compiled) => *run = Some(Box::new(PointRun::new(&compiled))),
            Err(problems) => {
                // Cannot happen: the plan has compiled every point.
                tell(JobNews::Point { index, values: Err(sentences(&problems)) });
                *next += 1;
            }
        }
        *told = 0;
        return true;
    };
    if present.work(events_max) {
        let permille = present.permille();
        if is_news(told, permille) {
            tell(JobNews::Running { places: Vec::new(), index, permille });
        }
        return true;
    }
    let values = present.values(sweep.measures()).map(|(values, _)| values);
    tell(JobNews::Point { index, values });
    *run = None;
    *next += 1;
    *next < sweep.points()
}

#[inline(never)] // the page loads it later: xtask/src/parts.rs
fn work_figures(
    (queue, run, told): (&mut Vec<PostJob>, &mut Option<Box<Run>>, &mut u16),
    events_max: u64,
    tell: &mut dyn FnMut(JobNews),
) -> bool {
    let Some(present) = run else {
        if queue.is_empty() {
            return false;
        }
        let job = queue.remove(0);
        let seed = job.seed;
        let places: Vec<Place> = job.cells.iter().map(post_views::place).collect();
        match Run::new(job) {
            Ok(mut new) => {
                if seed == 1 {
                    new.want_strip();
                }
                tell(JobNews::Running { places, index: seed as u32, permille: 0 });
                *run = Some(Box::new(new));
            }
            Err(sentence) => {
                let figure = |place| JobNews::Figure { place, seed, value: Err(sentence.clone()) };
                places.into_iter().map(figure).for_each(tell);
            }
        }
        *told = 0;
        return true;
    };
    let (places, seed): (Vec<Place>, u64) =
        (present.job().cells.iter().map(post_views::place).collect(), present.job().seed);
    if present.work(events_max) {
        let permille = present.progress_permille() as u16;
        if is_news(told, permille) {
            tell(JobNews::Running { places, index: seed as u32, permille });
        }
        return true;
    }
    if !present.strip().is_empty() {
        tell(JobNews::Strip { places: places.clone(), strip: post_views::strip(present) });
    }
    for (place, value) in places.into_iter().zip(present.figures()) {
        tell(JobNews::Figure { place, seed, value });
    }
    *run = None;
    !queue.is_empty()
}

fn plan(text: &str, vary: &[String], policies: &[String]) -> Result<Job, Vec<Problem>> {
    let (scenario, _) = scenario::parse_for_run(text)?;
    let sweep = Box::new(Sweep::plan(&scenario, vary, policies)?);
    Ok(Job::Sweep { sweep, next: 0, run: None, told: 0 })
}

fn plan_view(sweep: &Sweep) -> SweepPlan {
    let points = (0..sweep.points()).map(|index| {
        let point = sweep.point(index);
        let policy = sweep.policies().iter().position(|key| *key == point.policy).unwrap_or(0);
        (point.values, policy as u16)
    });
    SweepPlan {
        axes: sweep.axes().iter().map(|axis| (axis.key.clone(), axis.values.clone())).collect(),
        policies: sweep.policies().to_vec(),
        measures: sweep.measures().to_vec(),
        points: points.collect(),
    }
}

/// The wanted figures, in the order in which they are wanted (all of them: in the post's), all with one seed before the
/// next; runs that give several figures are done once.
fn figures(key: &str, places: &[Place], seeds: u8) -> Result<Job, Vec<Problem>> {
    let seeds = u64::from(seeds.clamp(1, SEEDS_MAX));
    let post = post_views::find(key)?;
    let wanted = |cell: &Cell| places.iter().position(|place| *place == post_views::place(cell));
    let first = |job: &PostJob| job.cells.iter().filter_map(wanted).min();
    let mut queue = jobs_of(post, seeds);
    if !places.is_empty() {
        queue.retain(|job| first(job).is_some());
        queue.sort_by_key(|job| (job.seed, first(job)));
    }
    Ok(Job::Figures { queue, run: None, told: 0 })
}

fn settings(text: &str) -> Result<Vec<SettingView>, Vec<Problem>> {
    let (scenario, _) = scenario::parse_for_run(text)?;
    let view = |Setting { key, unit, min, max, value }| SettingView { key, unit, min, max, value };
    Ok(sweep::settings(&scenario).into_iter().map(view).collect())
}

fn sentences(problems: &[Problem]) -> String {
    let sentence = |problem: &Problem| format!("{}: {}", problem.path, problem.message);
    problems.iter().map(sentence).collect::<Vec<_>>().join("; ")
}
