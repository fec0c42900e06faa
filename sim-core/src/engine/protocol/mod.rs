//! Questions and answers between the page and the engine: plain data, encoded with postcard on its way through the
//! worker's mailbox. Times are ns since the start of the run unless said.

mod catalogue;
mod differences;
mod jobs;
mod log;
mod numbers;
mod quiz;
mod run;
mod story;
mod structures;
mod timeline;
mod trails;
mod why;

pub use catalogue::{Catalogue, KindView, ParamView, PolicyView, TunableView};
pub use differences::{Antagonist, DifferenceView, RangeView};
pub use jobs::{
    JobAsk, JobNews, JobReply, Judgement, Place, PostTable, PostView, SEEDS_MAX, SettingView, StripView, SweepPlan,
};
pub use log::{LogEntry, LogView, LogWhat};
pub use numbers::{GraphsView, HistogramView, RowView, SummaryView};
pub use quiz::{OptionView, QuestionView, QuizSpec, QuizView, Right};
pub use run::{LaneProgress, Loaded, TaskView};
pub use story::{PathBegin, PathRow, PathView, StoryView, Stretch, Turn};
pub use structures::{
    ChipView, EntityView, GaugeView, NodeView, PanelView, ScoreView, ShapeView, ShareRowView, SpanView, StandingView,
    StructuresView,
};
pub use timeline::{CpuLane, LaneState, NoteView, TaskLane, WindowView};
pub use trails::{TrailLine, TrailView, TrailsView};
pub use why::{CandidateView, DecisionView, DecisionsView, WhyView};

use serde::{Deserialize, Serialize};

/// "No task": idle.
pub const IDLE: u32 = u32::MAX;

/// A question with its number; the answer carries the same number. Of several waiting questions of one slot only the
/// newest is answered.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Request {
    /// Rises by one per question.
    pub seq: u32,
    /// What is asked.
    pub ask: Ask,
}

/// An answer, or news that nobody asked for (`seq` 0).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Response {
    /// Number of the question; 0 for news.
    pub seq: u32,
    /// Answer.
    pub reply: Reply,
}

/// Unit of a step of the transport.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum StepUnit {
    /// A call of `schedule()` (a switch or a re-pick).
    #[default]
    Decision,
    /// Any record (wakeup, migration, switch ...).
    Event,
    /// A tick.
    Tick,
    /// The next or previous slice of one CPU.
    Slice,
}

/// What can be asked. `lane` is the index of a policy lane (0 = the first policy).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Ask {
    /// All policies that exist.
    Policies,
    /// All workload kinds and machine presets, for the controls.
    Catalogue,
    /// Run this scenario. The engine keeps what it can of the present run (a change later in the command log keeps the
    /// past). Answered by `Loaded` or `Problems`, then `Progress` news until the run has reached its end.
    ///
    /// The text is scenario JSON (`scenario::schema`).
    SetScenario(String),
    /// Rows of the timeline.
    Window {
        /// Lane.
        lane: u8,
        /// From, inclusive.
        from: u64,
        /// To, exclusive.
        to: u64,
        /// Width in device pixels; at most `2 * px` rows per lane come back.
        px: u32,
        /// CPUs wanted; empty = all.
        cpus: Vec<u16>,
        /// Tasks whose own lanes are wanted.
        tasks: Vec<u32>,
    },
    /// Structures of `cpu` as they are after everything at `t`.
    Structures {
        /// Lane.
        lane: u8,
        /// When.
        t: u64,
        /// Whose.
        cpu: u16,
    },
    /// Why the slice (or idle gap) of `cpu` that covers `t` is what it is.
    Why {
        /// Lane.
        lane: u8,
        /// When.
        t: u64,
        /// Where.
        cpu: u16,
    },
    /// The last decisions of `cpu` up to and with `t`.
    Decisions {
        /// Lane.
        lane: u8,
        /// When.
        t: u64,
        /// Where.
        cpu: u16,
    },
    /// Where `task` was at `t` and why (waits behind whom, sleeps until when, who woke it).
    WhyTask {
        /// Lane.
        lane: u8,
        /// When.
        t: u64,
        /// Whom.
        task: u32,
    },
    /// What led to the slice (or wait) of `cpu` or `task` that covers `t`, and which nice levels would have led elsewhere.
    Story {
        /// Lane.
        lane: u8,
        /// When.
        t: u64,
        /// Where; not looked at if a task is named.
        cpu: u16,
        /// Whom, wherever it is.
        task: Option<u32>,
    },
    /// Numbers that the policy wants to be seen over time, on `cpu`.
    Trails {
        /// Lane.
        lane: u8,
        /// From.
        from: u64,
        /// To.
        to: u64,
        /// Whose.
        cpu: u16,
        /// Samples over the window, at most 600; times of switches come on top.
        samples: u16,
    },
    /// Live graphs for `from..to` (to = now).
    Graphs {
        /// Lane.
        lane: u8,
        /// From.
        from: u64,
        /// To.
        to: u64,
        /// Buckets over time, 1..=512.
        buckets: u16,
    },
    /// Numbers of the run up to `to`.
    Summary {
        /// Lane.
        lane: u8,
        /// Up to when.
        to: u64,
    },
    /// What a task did in a stretch of time, and who ran while it waited.
    Range {
        /// Lane.
        lane: u8,
        /// Whom.
        task: u32,
        /// From, inclusive.
        from: u64,
        /// To, exclusive.
        to: u64,
    },
    /// Where lane `lane` next differs from lane 0 after `t` (lane 0: where any other differs from it). `None` for the
    /// first difference of all.
    Difference {
        /// Lane.
        lane: u8,
        /// After this.
        t: Option<u64>,
    },
    /// Time of the next (forward) or previous step from `t`.
    Step {
        /// Lane.
        lane: u8,
        /// From.
        t: u64,
        /// Direction.
        forward: bool,
        /// Unit.
        unit: StepUnit,
        /// Only this CPU.
        cpu: Option<u16>,
    },
    /// What is right about these questions of a lesson. Answered when the whole run is simulated.
    Quiz(Box<QuizSpec>),
    /// Work beside the lanes.
    Job(JobAsk),
    /// Everything that happened from a moment on, for exports.
    Log {
        /// Lane.
        lane: u8,
        /// From, inclusive.
        from: u64,
        /// At least so many entries come back, unless there are fewer; an instant is never cut.
        entries_min: u32,
    },
}

impl Ask {
    /// Questions of the same slot replace each other while they wait.
    pub fn slot(&self) -> (u8, u8) {
        match *self {
            Ask::Policies => (0, 0),
            Ask::Catalogue => (1, 0),
            Ask::SetScenario(_) => (2, 0),
            Ask::Window { lane, .. } => (3, lane),
            Ask::Structures { lane, .. } => (4, lane),
            Ask::Why { lane, .. } | Ask::WhyTask { lane, .. } => (5, lane),
            Ask::Graphs { lane, .. } => (6, lane),
            Ask::Summary { lane, .. } => (7, lane),
            Ask::Step { lane, .. } => (8, lane),
            Ask::Quiz(_) => (20, 0),
            Ask::Range { lane, .. } => (9, lane),
            Ask::Difference { lane, .. } => (10, lane),
            Ask::Trails { lane, .. } => (11, lane),
            Ask::Job(ref ask) => (21, ask.slot()),
            Ask::Log { lane, .. } => (12, lane),
            Ask::Decisions { lane, .. } => (13, lane),
            Ask::Story { lane, .. } => (14, lane),
        }
    }
}

/// Answers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Reply {
    /// To `Policies`.
    Policies(Vec<PolicyView>),
    /// To `Catalogue`.
    Catalogue(Catalogue),
    /// To `SetScenario`: it runs.
    Loaded(Box<Loaded>),
    /// To `SetScenario`: it cannot run; the previous run goes on.
    Problems(Vec<Problem>),
    /// News: how far each lane is simulated.
    Progress(Vec<LaneProgress>),
    /// To `Window`.
    Window(Box<WindowView>),
    /// To `Structures`.
    Structures(StructuresView),
    /// To `Why` and `WhyTask`.
    Why(Box<WhyView>),
    /// To `Graphs`.
    Graphs(Box<GraphsView>),
    /// To `Summary`.
    Summary(Box<SummaryView>),
    /// To `Step`: the new time; `None` at the end or start.
    Step(Option<u64>),
    /// To `Quiz`.
    Quiz(Box<QuizView>),
    /// To `Range`.
    Range(Box<RangeView>),
    /// To `Difference`; `None` if there is none, as far as the lanes are simulated.
    Difference(Option<DifferenceView>),
    /// To `Trails`.
    Trails(Box<TrailsView>),
    /// To `Job`, and news of the present job.
    Job(JobReply),
    /// To `Decisions`.
    Decisions(DecisionsView),
    /// To `Story`.
    Story(Box<StoryView>),
    /// To `Log`.
    Log(Box<LogView>),
}

/// A fault of a scenario, link or file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, Default)]
pub struct Problem {
    /// Field (`workloads[2].nice`); empty for the whole.
    pub path: String,
    /// What is wrong and what is allowed.
    pub message: String,
    /// How to mend it, if there is one clear way.
    pub hint: String,
    /// The value (JSON) to put into the field, where one lies nearest to what stands there.
    pub repair: Option<String>,
}
