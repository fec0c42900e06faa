//! A run as a file for other programs, written in parts: feed a [`Writer`] the log as the engine tells it.

mod chrome;
mod csv;
mod events;
mod ftrace;
mod html;
mod picture;
mod trace_dat;
mod tracker;

pub use csv::{cell, metrics};

use crate::engine::protocol::{IDLE, Loaded, LogView, SummaryView, TaskView};
use crate::scenario::{self, schema::Scenario};

/// What can be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Chrome Trace Event JSON: Perfetto, chrome://tracing, speedscope.
    Chrome,
    /// ftrace text: Trace Compass, Perfetto, our own import.
    Ftrace,
    /// trace-cmd's `trace.dat`: KernelShark, `trace-cmd report`.
    TraceDat,
    /// What every task did, interval by interval.
    Intervals,
    /// Numbers per task.
    Metrics,
    /// Lanes of the CPUs as a picture.
    Svg,
    /// One page with picture, tables and link.
    Html,
}

impl Format {
    /// All of them, in menu order.
    pub const ALL: [Format; 7] = [
        Format::Chrome,
        Format::Ftrace,
        Format::TraceDat,
        Format::Intervals,
        Format::Metrics,
        Format::Svg,
        Format::Html,
    ];

    /// Word of the command line.
    pub fn key(self) -> &'static str {
        match self {
            Format::Chrome => "chrome",
            Format::Ftrace => "ftrace",
            Format::TraceDat => "trace-dat",
            Format::Intervals => "intervals",
            Format::Metrics => "metrics",
            Format::Svg => "svg",
            Format::Html => "html",
        }
    }

    /// The format of a word.
    pub fn of_key(key: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.key() == key)
    }

    /// Ending of its files and their media type.
    pub fn file(self) -> (&'static str, &'static str) {
        match self {
            Format::Chrome => ("trace.json", "application/json"),
            Format::Ftrace => ("ftrace.txt", "text/plain"),
            Format::TraceDat => ("trace.dat", "application/octet-stream"),
            Format::Intervals => ("intervals.csv", "text/csv"),
            Format::Metrics => ("metrics.csv", "text/csv"),
            Format::Svg => ("svg", "image/svg+xml"),
            Format::Html => ("html", "text/html"),
        }
    }

    /// Whether it tells what happened event by event: then the log must be fed from 0.
    pub fn needs_log(self) -> bool {
        self != Format::Metrics
    }
}

/// A task as other programs know it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TaskFacts {
    /// Name, without control characters.
    pub name: String,
    /// The kernel's number: 0..=99 real time, 100..=139 normal, as at the start.
    pub prio: i32,
}

/// What a file says beside the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Facts {
    /// Title of the scenario.
    pub title: String,
    /// Policy key of the lane.
    pub policy: String,
    /// Number of CPUs.
    pub cpus: u16,
    /// Length of the run, ns.
    pub duration: u64,
    /// Tasks by id.
    pub tasks: Vec<TaskFacts>,
    /// Names of marks.
    pub marks: Vec<String>,
    /// Address that opens the run; may be empty.
    pub link: String,
    /// Real-time priority of each workload.
    rt_priorities: Vec<u8>,
}

impl Facts {
    /// Facts of lane `lane` of a run.
    pub fn new(loaded: &Loaded, lane: usize, link: String) -> Facts {
        let scenario = scenario::parse(&loaded.scenario).ok().map(|(scenario, _)| scenario);
        let policy = loaded.lanes.get(lane).map_or("", String::as_str);
        Facts::of_run(scenario.as_ref(), policy, loaded.cpus, &loaded.tasks, &loaded.marks, link)
    }

    /// Facts of a run by its parts.
    pub fn of_run(
        scenario: Option<&Scenario>,
        policy: &str,
        cpus: u16,
        tasks: &[TaskView],
        marks: &[String],
        link: String,
    ) -> Facts {
        let workloads = scenario.iter().flat_map(|scenario| &scenario.workloads);
        let mut facts = Facts {
            title: scenario.map_or(String::new(), |scenario| plain(&scenario.title)),
            policy: policy.into(),
            cpus,
            duration: scenario.map_or(0, |scenario| scenario.duration_ns),
            tasks: Vec::new(),
            marks: marks.to_vec(),
            link,
            rt_priorities: workloads.map(|workload| workload.rt_priority).collect(),
        };
        facts.learn(tasks);
        facts
    }

    /// Takes tasks that came into being.
    fn learn(&mut self, tasks: &[TaskView]) {
        for task in tasks {
            if task.id as usize != self.tasks.len() {
                continue;
            }
            let rt = self.rt_priorities.get(usize::from(task.workload)).copied().unwrap_or(0);
            let is_kernel = task.workload == u16::MAX;
            let prio = match task.class.is_rt() || is_kernel {
                true if is_kernel => 0,
                true => 99 - i32::from(rt.clamp(1, 99)),
                false => 120 + i32::from(task.nice),
            };
            self.tasks.push(TaskFacts { name: plain(&task.name), prio });
        }
    }

    /// Name of a task; idle is what the kernel calls it.
    fn name(&self, task: u32) -> &str {
        match task {
            IDLE => "swapper",
            task => self.tasks.get(task as usize).map_or("?", |facts| facts.name.as_str()),
        }
    }
}

/// A text without control characters: lines stay lines.
fn plain(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

enum Body {
    Chrome(chrome::Chrome),
    Ftrace(ftrace::Ftrace),
    TraceDat(trace_dat::TraceDat),
    Intervals(csv::Intervals),
    Metrics,
    Svg(picture::Picture),
    Html(picture::Picture),
}

/// Writes one file. Call [`Writer::feed`] with the log from 0 on, in order, then [`Writer::end`]; join what they give.
pub struct Writer {
    facts: Facts,
    body: Body,
    started: bool,
}

impl Writer {
    /// A writer of one lane's run.
    pub fn new(format: Format, facts: Facts) -> Writer {
        let cpus = facts.cpus;
        let body = match format {
            Format::Chrome => Body::Chrome(chrome::Chrome::new(cpus)),
            Format::Ftrace => Body::Ftrace(ftrace::Ftrace::new(cpus)),
            Format::TraceDat => Body::TraceDat(trace_dat::TraceDat::new(cpus)),
            Format::Intervals => Body::Intervals(csv::Intervals::new(cpus)),
            Format::Metrics => Body::Metrics,
            Format::Svg => Body::Svg(picture::Picture::new(cpus, facts.duration)),
            Format::Html => Body::Html(picture::Picture::new(cpus, facts.duration)),
        };
        Writer { facts, body, started: false }
    }

    /// The next part of the file.
    pub fn feed(&mut self, log: &LogView) -> Vec<u8> {
        let Writer { facts, body, started } = self;
        facts.learn(&log.new_tasks);
        let mut out = String::new();
        if !std::mem::replace(started, true) {
            begin(body, facts, &mut out);
        }
        match body {
            Body::Chrome(chrome) => chrome.feed(facts, &log.entries, &mut out),
            Body::Ftrace(ftrace) => ftrace.feed(facts, &log.entries, &mut out),
            Body::Intervals(intervals) => intervals.feed(facts, &log.entries, &mut out),
            Body::TraceDat(dat) => dat.feed(facts, &log.entries),
            Body::Metrics => {}
            Body::Svg(picture) | Body::Html(picture) => picture.feed(&log.entries),
        }
        out.into_bytes()
    }

    /// The last part. `summary`: numbers of the whole run.
    pub fn end(mut self, summary: &SummaryView) -> Vec<u8> {
        let mut out = String::new();
        if !self.started {
            begin(&mut self.body, &self.facts, &mut out);
        }
        let facts = &self.facts;
        match self.body {
            Body::Chrome(chrome) => chrome.end(facts, summary.to, &mut out),
            Body::Ftrace(ftrace) => ftrace.end(facts, summary.to, &mut out),
            Body::TraceDat(dat) => return dat.end(facts, summary.to),
            Body::Intervals(intervals) => intervals.end(facts, summary.to, &mut out),
            Body::Metrics => out.push_str(&metrics(summary, &|id| facts.name(id).to_string())),
            Body::Svg(picture) => out.push_str(&picture.end(facts, summary.to)),
            Body::Html(picture) => out.push_str(&html::page(facts, summary, &picture.end(facts, summary.to))),
        }
        out.into_bytes()
    }
}

fn begin(body: &mut Body, facts: &Facts, out: &mut String) {
    match body {
        Body::Chrome(chrome) => chrome.begin(facts, out),
        Body::Ftrace(_) => ftrace::begin(facts, out),
        Body::Intervals(_) => csv::begin(out),
        Body::TraceDat(_) | Body::Metrics | Body::Svg(_) | Body::Html(_) => {}
    }
}

#[cfg(test)]
mod tests;
