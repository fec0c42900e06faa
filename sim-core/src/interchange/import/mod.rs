//! Files of other programs as scenarios: recorded traces become programs that are replayed, workload descriptions
//! become workloads. What a file is, its content says. One bad line never spoils a file: it is counted, the first few
//! are named with their line; a file of which nothing was understood is refused with the formats that were tried.

mod head;
mod jobs;
mod lenient;
mod payload;
mod replay;
mod rtapp;
mod schedviz;
mod table;

use crate::engine::protocol::Problem;
use crate::policies;
use crate::scenario::schema::{Group, Lane, Machine, Scenario, VERSION, Workload};
use crate::scenario::{self, builtins, limits};
use std::collections::BTreeSet;

/// Longest text, bytes.
pub const TEXT_BYTES_MAX: usize = 64 << 20;
/// Lines named in notes about what was passed over.
const NAMED_MAX: usize = 5;

/// Notes about what could not be taken over, while a file is read.
#[derive(Default)]
pub(crate) struct Notes {
    notes: Vec<Problem>,
    skipped: usize,
}

impl Notes {
    /// Something about the file as a whole; said once.
    fn say(&mut self, message: impl Into<String>) {
        let message = message.into();
        if self.notes.len() < limits::PROBLEMS_MAX && !self.notes.iter().any(|note| note.message == message) {
            self.notes.push(Problem { path: String::new(), message, ..Problem::default() });
        }
    }

    /// A line (from 1) that could not be read.
    fn skip(&mut self, line: usize, message: impl Into<String>) {
        self.skipped += 1;
        if self.skipped <= NAMED_MAX {
            self.notes.push(Problem { path: format!("line {line}"), message: message.into(), ..Problem::default() });
        }
    }

    fn finish(mut self) -> Vec<Problem> {
        if self.skipped > NAMED_MAX {
            self.say(format!("{} lines in all could not be read", self.skipped));
        }
        self.notes
    }
}

/// A refusal.
fn refused(message: impl Into<String>, hint: &str) -> Vec<Problem> {
    vec![Problem { path: String::new(), message: message.into(), hint: hint.into(), ..Problem::default() }]
}

/// A file as a scenario, and notes about what it could not take over. Refusals are sentences with their lines.
pub fn scenario(text: &str) -> Result<(Scenario, Vec<Problem>), Vec<Problem>> {
    if text.len() > TEXT_BYTES_MAX {
        return Err(refused(format!("{} MiB are more than 64", text.len() >> 20), "Record a shorter time"));
    }
    let text = text.trim_start_matches('\u{feff}');
    let mut notes = Notes::default();
    let scenario = read(text, &mut notes)?;
    // The same judgement as for any scenario from outside.
    let (scenario, warnings) = scenario::parse(&scenario::to_json(&scenario))?;
    let mut notes = notes.finish();
    notes.extend(warnings);
    Ok((scenario, notes))
}

fn read(text: &str, notes: &mut Notes) -> Result<Scenario, Vec<Problem>> {
    let start = text.trim_start();
    if start.starts_with(['{', '[']) {
        return json(text, notes);
    }
    if start.get(..9).is_some_and(|tag| tag.eq_ignore_ascii_case("<!doctype")) || start.starts_with("<html") {
        let Some(lines) = systrace(text) else {
            return Err(refused("is a web page without a trace in it", "Export the trace as text"));
        };
        return trace(&lines, notes);
    }
    let first = start.lines().next().unwrap_or_default();
    if schedviz::is_rows(start) {
        return replay::scenario(&schedviz::events(text, notes)?, notes);
    }
    for (sign, hint) in [
        ("wait time  sch delay", "perf sched timehist is a report; save the output of: perf sched script"),
        ("Runtime ms", "perf sched latency is a report; save the output of: perf sched script"),
        ("*A0 ", "perf sched map is a report; save the output of: perf sched script"),
    ] {
        if text.lines().take(20).any(|line| line.contains(sign)) {
            return Err(refused("is a report, not a trace", hint));
        }
    }
    if start.starts_with('\n') || text.as_bytes().first() == Some(&0x0a) && !text.is_ascii() {
        return Err(refused("looks like a Perfetto protobuf trace", "Run: traceconv systrace IN OUT, and open OUT"));
    }
    if text.lines().any(head::is_event) {
        return trace(text, notes);
    }
    if jobs::is_list(start) {
        return jobs::scenario(first.trim(), notes);
    }
    table::scenario(text, notes)
}

fn trace(text: &str, notes: &mut Notes) -> Result<Scenario, Vec<Problem>> {
    let events = head::events(text, notes)?;
    replay::scenario(&events, notes)
}

fn json(text: &str, notes: &mut Notes) -> Result<Scenario, Vec<Problem>> {
    let value = lenient::parse(text).map_err(|(line, message)| {
        vec![Problem {
            path: format!("line {line}"),
            message,
            hint: "Comments and commas before } are fine".into(),
            ..Problem::default()
        }]
    })?;
    if value.get("tasks").is_some() {
        return rtapp::scenario(&value, notes);
    }
    if value.get("traceEvents").is_some() || matches!(value, lenient::Value::List(_)) {
        let hint = "Open it in Perfetto; bring a run back as ftrace text or scenario JSON";
        return Err(refused("is a Chrome trace: it shows slices, but not why tasks slept or who woke them", hint));
    }
    let keys: Vec<&str> = value.keys().take(8).collect();
    let found = if keys.is_empty() { "no keys at all".to_string() } else { format!("the keys {}", keys.join(", ")) };
    Err(refused(format!("is JSON with {found}"), "Wanted: workloads (a scenario), tasks (rt-app)"))
}

/// The lines of a trace inside a systrace page.
fn systrace(text: &str) -> Option<String> {
    const BLOCK: &str = "<script class=\"trace-data\" type=\"application/text\">";
    let mut rest = text;
    while let Some(at) = rest.find(BLOCK) {
        rest = &rest[at + BLOCK.len()..];
        let end = rest.find("</script>").unwrap_or(rest.len());
        if rest[..end].trim_start().starts_with("# tracer:") {
            return Some(rest[..end].to_string());
        }
    }
    let start = text.find("var linuxPerfData = \"")?;
    let body = text[start..].split_once('\n')?.1;
    Some(body.split("\";").next().unwrap_or(body).to_string())
}

/// A scenario around workloads, run by the scheduler of the first example.
fn around(title: &str, duration_ns: u64, cores: u16, workloads: Vec<Workload>) -> Scenario {
    let first = builtins::BUILTINS[0].scenario();
    let policy = first.lanes.first().map_or(String::new(), |lane| lane.policy.clone());
    Scenario {
        v: VERSION,
        title: title.into(),
        seed: 0,
        duration_ns: duration_ns.clamp(1_000_000, limits::DURATION_NS_MAX),
        machine: Machine {
            cores: cores.clamp(1, limits::CPUS_MAX as u16),
            packages: 1,
            threads: 1,
            numa: false,
            hz: 1000,
            tick_skew: false,
            profile: "ideal".into(),
        },
        lanes: vec![Lane { policy, tunables: Default::default(), changes: Vec::new() }],
        groups: Vec::new(),
        workloads,
        changes: Vec::new(),
        notes: Vec::new(),
    }
}

/// What courses run a list of jobs under.
const BATCH_RULES: [&str; 4] = ["fcfs", "sjf", "srtf", "rr"];

/// A lane for each of these policies, with such of these knobs as it has.
fn lanes(keys: &[&str], knobs: &[(&str, u64)]) -> Vec<Lane> {
    let lane = |key: &&str| {
        let known = policies::find(key).map_or(&[][..], |entry| entry.info.tunables);
        let own = knobs.iter().filter(|(knob, _)| known.iter().any(|spec| spec.key == *knob));
        let tunables = own.map(|&(knob, value)| (knob.to_owned(), value as i64)).collect();
        Lane { tunables, ..Lane::of(*key) }
    };
    keys.iter().map(lane).collect()
}

/// A group with shares and no limit.
fn group(name: String, shares: u64) -> Group {
    Group { name, parent: String::new(), shares, quota_ns: 0, period_ns: 100_000_000, burst_ns: 0 }
}

/// A workload of one task with a program.
fn program(name: String, start_ns: u64, steps: Vec<serde_json::Value>) -> Workload {
    Workload {
        name,
        kind: "program".into(),
        count: 1,
        nice: 0,
        class: Default::default(),
        rt_priority: 0,
        group: String::new(),
        session: String::new(),
        cpus: Vec::new(),
        start_ns,
        params: Default::default(),
        program: steps,
    }
}

/// A name that fits a scenario and that nobody has yet.
fn unique(wanted: &str, taken: &mut BTreeSet<String>) -> String {
    let plain: String = wanted.chars().filter(|letter| !letter.is_control()).take(40).collect();
    let plain = if plain.trim().is_empty() { "task".to_string() } else { plain.trim().to_string() };
    let names = std::iter::once(plain.clone()).chain((2..).map(|number| format!("{plain} {number}")));
    let name = names.into_iter().find(|name| !taken.contains(name)).unwrap_or(plain);
    taken.insert(name.clone());
    name
}

#[cfg(test)]
mod tests;
