//! Work beside the lanes: sweeps and the figures of the posts.

use super::Problem;
use crate::sweep::Measure;
use serde::{Deserialize, Serialize};

/// Place of a figure: table, row and column of its post.
pub type Place = (u8, u8, u8);

/// Most runs of a figure.
pub const SEEDS_MAX: u8 = 20;

/// What can be asked.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum JobAsk {
    /// All posts with their published figures.
    Posts,
    /// Orderings and shapes of a post with these figures of ours, thousandths.
    Judge {
        /// Post.
        post: String,
        /// Ours.
        figures: Vec<(Place, u64)>,
    },
    /// The scenario of these figures: one lane per figure as far as their workloads are the same.
    Scenario {
        /// Post.
        post: String,
        /// Figures.
        places: Vec<Place>,
    },
    /// What can vary in this scenario.
    Settings {
        /// Scenario JSON.
        scenario: String,
    },
    /// Run a sweep instead of the present job.
    Sweep {
        /// Number of the job, for its news.
        job: u32,
        /// Scenario JSON.
        scenario: String,
        /// What varies, as `--vary` has it.
        vary: Vec<String>,
        /// Policy keys; empty: the scenario's.
        policies: Vec<String>,
    },
    /// Simulate figures instead of the present job.
    Figures {
        /// Number of the job, for its news.
        job: u32,
        /// Post.
        post: String,
        /// Figures, computed in this order; empty: all of the post.
        places: Vec<Place>,
        /// Runs of each, with seeds 1, 2 ...; at least one, at most [`SEEDS_MAX`].
        seeds: u8,
    },
    /// Stop the present job.
    Stop,
}

impl JobAsk {
    /// Questions of one slot replace each other while they wait.
    pub fn slot(&self) -> u8 {
        match self {
            JobAsk::Posts => 0,
            JobAsk::Judge { .. } => 1,
            JobAsk::Scenario { .. } => 2,
            JobAsk::Settings { .. } => 3,
            JobAsk::Sweep { .. } | JobAsk::Figures { .. } | JobAsk::Stop => 4,
        }
    }
}

/// Answers, and news of the present job.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum JobReply {
    /// To `Posts`.
    Posts(Vec<PostView>),
    /// To `Judge`.
    Judged(Judgement),
    /// To `Scenario`: scenario JSON.
    Scenario(String),
    /// To `Settings`.
    Settings(Vec<SettingView>),
    /// To `Settings`, `Scenario` and `Judge` that make no sense.
    Refused(Vec<Problem>),
    /// News of a job.
    News {
        /// Its number.
        job: u32,
        /// What is new.
        news: JobNews,
    },
}

/// What is new about a job.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum JobNews {
    /// It cannot run.
    Problems(Vec<Problem>),
    /// The sweep runs.
    Planned(SweepPlan),
    /// A point of the sweep; a sentence if its run failed.
    Point {
        /// Index of the point.
        index: u32,
        /// Number per measure.
        values: Result<Vec<Option<u64>>, String>,
    },
    /// A figure of a post, thousandths; a sentence if its run failed.
    Figure {
        /// Which.
        place: Place,
        /// Seed of the run.
        seed: u64,
        /// Ours.
        value: Result<u64, String>,
    },
    /// A strip of time from a run.
    Strip {
        /// Figures that come from the run.
        places: Vec<Place>,
        /// The strip.
        strip: StripView,
    },
    /// The present run.
    Running {
        /// Figures that come from it (posts).
        places: Vec<Place>,
        /// Index of the point (sweeps), or seed of the run (posts).
        index: u32,
        /// Simulated part of it, 1/1000.
        permille: u16,
    },
    /// All of it is done.
    Ended,
}

/// Some time of the first CPU of a run, see [`crate::posts::strip`].
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct StripView {
    /// Length in ns, kind of time ([`crate::machine::cost::TimeKind`]) and index of the name, one after the other.
    pub pieces: Vec<(u64, u8, u16)>,
    /// Names of the tasks, in the order in which they run; the first is nobody's.
    pub names: Vec<String>,
    /// Time of all CPUs by kind over all that was measured, ns.
    pub times: Vec<u64>,
}

/// A sweep that runs.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct SweepPlan {
    /// Keys that vary, with their values.
    pub axes: Vec<(String, Vec<i64>)>,
    /// Policies.
    pub policies: Vec<String>,
    /// Columns.
    pub measures: Vec<Measure>,
    /// Values on the axes and index of the policy, per point.
    pub points: Vec<(Vec<i64>, u16)>,
}

/// Something that can vary; see [`crate::scenario::settings::Setting`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SettingView {
    /// Key.
    pub key: String,
    /// Unit word.
    pub unit: String,
    /// Smallest.
    pub min: i64,
    /// Largest.
    pub max: i64,
    /// Value in the scenario.
    pub value: i64,
}

/// A post; see [`crate::posts::Post`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PostView {
    /// Key.
    pub key: String,
    /// Title.
    pub title: String,
    /// Author.
    pub who: String,
    /// Date.
    pub when: String,
    /// What was claimed.
    pub claim: String,
    /// The machine: label and what is known of it.
    pub machine: (String, String),
    /// What explains the numbers.
    pub explains: Vec<String>,
    /// What is not reproduced, and why.
    pub not_reproduced: String,
    /// What was calibrated, and to which figure.
    pub calibrated: Vec<(String, String)>,
    /// The other numbers with their sources.
    pub sources: Vec<String>,
    /// Tables.
    pub tables: Vec<PostTable>,
}

/// A published table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PostTable {
    /// Key.
    pub key: String,
    /// Title.
    pub title: String,
    /// Unit of all figures.
    pub unit: String,
    /// What the rows' numbers are; empty: rows are names.
    pub row_unit: String,
    /// More is better.
    pub higher_is_better: bool,
    /// Label and number of each row.
    pub rows: Vec<(String, u64)>,
    /// Kernel as published and policy that stands for it, per column.
    pub columns: Vec<(String, String)>,
    /// Published runs, thousandths, by row, then column; empty: not published.
    pub runs: Vec<Vec<Vec<u64>>>,
    /// Something was fitted to the figure, by row, then column.
    pub calibrated: Vec<Vec<bool>>,
    /// Where the noise of the figures is known from.
    pub noise: String,
}

/// Ours judged against the post.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Judgement {
    /// Post.
    pub post: String,
    /// Figures compared.
    pub figures: u32,
    /// Within 10 %.
    pub within_10: u32,
    /// Of those compared, the ones that nothing was fitted to ...
    pub predicted: u32,
    /// ... and of these, within 10 %.
    pub predicted_within_10: u32,
    /// Error of each, 1/1000.
    pub errors: Vec<(Place, i64)>,
    /// Orderings: table, row, column with the smaller published figure, other column, kept.
    pub orderings: Vec<(u8, u8, u8, u8, bool)>,
    /// Shapes: table, claim, holds. Only of tables that are complete.
    pub shapes: Vec<(u8, String, bool)>,
}
