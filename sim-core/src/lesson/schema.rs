//! The lesson document, version 1: what a teacher writes as JSON. `docs/lesson.schema.json` is its published schema,
//! `docs/lessons.md` explains it. Times are ns since the start of the run.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Current version of the format.
pub const VERSION: u32 = 1;

/// A lesson.
#[derive(Clone, PartialEq, Debug)]
pub struct Lesson {
    /// Title.
    pub title: String,
    /// One or two sentences for the list.
    pub summary: String,
    /// Variant that is shown when a link names none.
    pub seed: u64,
    /// Numbers that differ from variant to variant: name, and the values to draw from. `{name}` stands for the number in
    /// texts and scenarios.
    pub vary: BTreeMap<String, Vec<u64>>,
    /// Steps, at least one.
    pub steps: Vec<Step>,
}

/// A step: a text, a picture and perhaps questions about what comes next.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// Heading.
    pub title: String,
    /// Paragraphs.
    pub text: Vec<String>,
    /// What to keep in mind; may be empty.
    pub note: String,
    /// What runs; `None`: what ran in the step before.
    pub scenario: Option<Source>,
    /// What the picture shows.
    pub view: View,
    /// Questions; with some, the future is hidden until they are answered.
    pub questions: Vec<Question>,
    /// Paragraphs shown once all is answered.
    pub after: Vec<String>,
}

impl Lesson {
    /// Every text that is meant to be read, in the order of reading: what a translation has to say.
    pub fn texts_mut(&mut self) -> Vec<&mut String> {
        let mut texts = vec![&mut self.title, &mut self.summary];
        texts.extend(self.steps.iter_mut().flat_map(Step::texts_mut));
        texts.retain(|text| !text.is_empty());
        texts
    }
}

impl Step {
    /// Every text that is meant to be read, in the order of reading.
    pub fn texts_mut(&mut self) -> Vec<&mut String> {
        let mut texts = vec![&mut self.title];
        texts.extend(&mut self.text);
        texts.push(&mut self.note);
        for Question { text, ask, rule } in &mut self.questions {
            texts.push(text);
            // Other options are numbers and names.
            if let Ask::Choice { options, .. } = ask {
                texts.extend(options);
            }
            texts.push(rule);
        }
        texts.extend(&mut self.after);
        texts
    }
}

/// Where a step's scenario comes from.
#[derive(Clone, PartialEq, Debug)]
pub enum Source {
    /// A link as the page shares it: `ex=lat-ctx&hogs=50&p=o1-2.5.2-c1`.
    Link(String),
    /// The scenario document itself.
    Inline(serde_json::Value),
}

/// A panel of the picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Picture {
    /// Timeline of the CPUs; of all policies, if there are several.
    Timeline,
    /// Structures of one CPU.
    Structures,
    /// Graphs up to now.
    Graphs,
    /// Table of differences of several policies; hidden until the questions are answered.
    Compare,
}

/// Words of [`Picture`] in the document.
pub const PICTURES: [(&str, Picture); 4] = [
    ("timeline", Picture::Timeline),
    ("structures", Picture::Structures),
    ("graphs", Picture::Graphs),
    ("compare", Picture::Compare),
];

/// What the picture shows.
#[derive(Clone, PartialEq, Debug)]
pub struct View {
    /// The moment.
    pub moment: Moment,
    /// Length of the window around the moment, ns.
    pub span: u64,
    /// Panels, top to bottom.
    pub show: Vec<Picture>,
    /// CPU whose structures are shown.
    pub cpu: u16,
    /// Tasks with lanes of their own.
    pub tasks: Vec<String>,
}

/// The moment of a step: a time, or the first event of a kind from then on. The picture stops just before it if the step
/// asks something.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Moment {
    /// Time, ns.
    pub t: u64,
    /// The first of these events from `t` on.
    pub next: Option<Event>,
    /// Task that the event is about; empty: any (of `cpu`).
    pub task: String,
    /// CPU of the event.
    pub cpu: u16,
}

/// An event that a moment waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Event {
    /// The task is woken.
    Wakeup,
    /// The task gets a CPU.
    Run,
    /// The CPU changes from one task to another (without going idle).
    Switch,
}

/// Words of [`Event`] in the document.
pub const EVENTS: [(&str, Event); 3] = [("wakeup", Event::Wakeup), ("run", Event::Run), ("switch", Event::Switch)];

/// A question.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Question {
    /// The question in words.
    pub text: String,
    /// What is right, and how it is known.
    pub ask: Ask,
    /// The rule behind it, shown with the verdict; may be empty.
    pub rule: String,
}

/// Kinds of questions. All but `Choice` are answered by the simulation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Ask {
    /// Who runs on a CPU once the moment has passed?
    Next {
        /// Where.
        cpu: u16,
        /// Names of tasks to choose from, or `idle`; empty: chosen from the run queue.
        options: Vec<String>,
    },
    /// On which CPU does a task run next?
    Where {
        /// Who.
        task: String,
    },
    /// Which number?
    Number {
        /// Of what.
        measure: Measure,
        /// Unit of the answer.
        unit: Unit,
        /// Tolerance, percent of the right number.
        within: u64,
        /// Numbers to choose from, as text; empty: a number is typed.
        options: Vec<String>,
    },
    /// Which policy (or task, or workload) has the least or most of something?
    Best {
        /// Of what.
        measure: Measure,
        /// Least or most.
        want: Want,
        /// Tasks or workloads; empty: the policies side by side.
        among: Vec<String>,
    },
    /// A choice whose right option the lesson states.
    Choice {
        /// Options.
        options: Vec<String>,
        /// Index of the right one.
        right: u16,
    },
}

/// Words of [`Ask`] in the document.
pub const ASKS: [&str; 5] = ["next", "where", "number", "best", "choice"];

/// Which end counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Want {
    /// Least.
    Least,
    /// Most.
    Most,
}

/// Words of [`Want`] in the document.
pub const WANTS: [(&str, Want); 2] = [("least", Want::Least), ("most", Want::Most)];

/// Unit of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Unit {
    /// No unit.
    Count,
    /// Percent.
    Percent,
    /// Nanoseconds.
    Ns,
    /// Microseconds.
    Us,
    /// Milliseconds.
    Ms,
    /// Seconds.
    S,
}

/// Words of [`Unit`] in the document.
pub const UNITS: [(&str, Unit); 6] = [
    ("count", Unit::Count),
    ("%", Unit::Percent),
    ("ns", Unit::Ns),
    ("us", Unit::Us),
    ("ms", Unit::Ms),
    ("s", Unit::S),
];

/// A number that the simulation knows. Which fields count depends on `what`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Measure {
    /// What is measured.
    pub what: What,
    /// A task or workload; a mark for throughput and response times; empty: all.
    pub of: String,
    /// Start of the stretch, ns; `None`: 0.
    pub from: Option<u64>,
    /// End of the stretch, ns; `None`: the end of the run.
    pub to: Option<u64>,
    /// CPU of a queue or bitmap.
    pub cpu: u16,
    /// Label of a gauge or bitmap as the picture writes it.
    pub label: String,
    /// Policy, from 0.
    pub lane: u8,
}

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum What {
    /// How long the task's next run lasts, ns; without a task: how long the CPU keeps whoever runs after the moment.
    Run,
    /// How long from the moment until the task gets a CPU, ns.
    Wait,
    /// Tasks that wait in the CPU's queue just before the moment.
    Waiting,
    /// First set bit of the CPU's bitmap just before the moment.
    Bit,
    /// A gauge of the task just before the moment.
    Gauge,
    /// Context switches in the stretch.
    Switches,
    /// Migrations in the stretch.
    Migrations,
    /// Times that the task (or workload) was put on a CPU in the stretch.
    Runs,
    /// CPU time in the stretch, percent of one CPU.
    Share,
    /// CPU time in the stretch, ns.
    Runtime,
    /// Idle time in the stretch, percent of all CPUs.
    Idle,
    /// Time in the scheduler and spinning for its locks in the stretch, percent of all CPUs.
    Scheduler,
    /// Wakeup latency from 0 to the end of the stretch, ns: median.
    LatencyP50,
    /// 99th percentile.
    LatencyP99,
    /// Largest.
    LatencyMax,
    /// Response time from 0 to the end of the stretch, ns: median.
    ResponseP50,
    /// 99th percentile.
    ResponseP99,
    /// Largest.
    ResponseMax,
    /// Marks per second from 0 to the end of the stretch.
    Throughput,
    /// Jain's index of fairness from 0 to the end of the stretch, percent.
    Fairness,
}

/// Words of [`What`] in the document, with the kind of unit: a time, percent or a plain number.
pub const WHATS: [(&str, What, Dimension); 20] = [
    ("run", What::Run, Dimension::Time),
    ("wait", What::Wait, Dimension::Time),
    ("waiting", What::Waiting, Dimension::Plain),
    ("bit", What::Bit, Dimension::Plain),
    ("gauge", What::Gauge, Dimension::Any),
    ("switches", What::Switches, Dimension::Plain),
    ("migrations", What::Migrations, Dimension::Plain),
    ("runs", What::Runs, Dimension::Plain),
    ("share", What::Share, Dimension::Percent),
    ("runtime", What::Runtime, Dimension::Time),
    ("idle", What::Idle, Dimension::Percent),
    ("scheduler", What::Scheduler, Dimension::Percent),
    ("latency-p50", What::LatencyP50, Dimension::Time),
    ("latency-p99", What::LatencyP99, Dimension::Time),
    ("latency-max", What::LatencyMax, Dimension::Time),
    ("response-p50", What::ResponseP50, Dimension::Time),
    ("response-p99", What::ResponseP99, Dimension::Time),
    ("response-max", What::ResponseMax, Dimension::Time),
    ("throughput", What::Throughput, Dimension::Plain),
    ("fairness", What::Fairness, Dimension::Percent),
];

/// Kind of unit of a measure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dimension {
    /// Any time unit.
    Time,
    /// Percent.
    Percent,
    /// No unit.
    Plain,
    /// As the gauge has it.
    Any,
}

impl Dimension {
    /// Whether a number of this kind can be given in `unit`.
    pub fn takes(self, unit: Unit) -> bool {
        match self {
            Dimension::Time => matches!(unit, Unit::Ns | Unit::Us | Unit::Ms | Unit::S),
            Dimension::Percent => unit == Unit::Percent,
            Dimension::Plain => unit == Unit::Count,
            Dimension::Any => true,
        }
    }
}
