//! Workloads of rt-app: each task a program. Condition variables and resumes become channels, which remember a signal
//! that comes before its wait; rt-app loses it. Loads without a stated time are left out. All of that is noted.

use super::lenient::Value;
use super::{Notes, around, program, refused, unique};
use crate::engine::protocol::Problem;
use crate::policy::SchedClass;
use crate::scenario::limits;
use crate::scenario::schema::{Scenario, Workload};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};

/// Length of a run whose file names none, ns.
const DURATION_NS: u64 = 10_000_000_000;
/// Event words, longer ones before their beginnings.
const EVENTS: [&str; 19] = [
    "runtime", "run", "sleep", "timer", "lock", "unlock", "wait", "signal", "broad", "sync", "suspend", "resume",
    "barrier", "sem_post", "sem_wait", "yield", "fork", "memrun", "mem",
];
/// Keys that only the older grammar has.
const OLD: [&str; 3] = ["exec", "lock_order", "access"];

/// Reads a workload file.
pub fn scenario(value: &Value, notes: &mut Notes) -> Result<Scenario, Vec<Problem>> {
    let tasks = value.get("tasks").map(Value::pairs).unwrap_or_default();
    let old: BTreeSet<&str> = tasks.iter().flat_map(|(_, task)| task.keys()).filter(|key| OLD.contains(key)).collect();
    if !old.is_empty() {
        let keys: Vec<&str> = old.into_iter().collect();
        return Err(refused(
            format!("is an rt-app file of the older grammar: it has {}", keys.join(", ")),
            "Write run and timer instead of exec and period, lock and unlock instead of lock_order",
        ));
    }
    if tasks.is_empty() {
        return Err(refused("is an rt-app file without tasks", "Put at least one into \"tasks\""));
    }
    let global = |key: &str| value.get("global").and_then(|global| global.get(key));
    let seconds = global("duration").and_then(Value::whole).filter(|seconds| *seconds > 0);
    if seconds.is_none() {
        notes.say("duration is not given: the run is 10 s long");
    }
    let mut reader = Reader { notes, problems: Vec::new(), parties: parties(tasks), names: BTreeMap::new() };
    let mut taken = BTreeSet::new();
    for (name, _) in tasks {
        let unique = unique(name, &mut taken);
        reader.names.entry(name.clone()).or_insert(unique);
    }
    let default = global("default_policy").and_then(Value::text).unwrap_or("SCHED_OTHER").to_string();
    let mut used = BTreeSet::new();
    let mut workloads = Vec::new();
    for (name, task) in tasks.iter().take(limits::WORKLOADS_MAX) {
        let name = if used.insert(name) { reader.names[name].clone() } else { unique(name, &mut taken) };
        workloads.push(reader.task(name, task, &default));
    }
    if !reader.problems.is_empty() {
        return Err(reader.problems);
    }
    let cores = workloads.iter().flat_map(|workload| &workload.cpus).max().map_or(4, |cpu| cpu.saturating_add(1));
    notes.say(format!("the machine has {cores} CPUs; rt-app files do not say how many there are"));
    let length = seconds.map_or(DURATION_NS, |seconds| seconds.unsigned_abs().saturating_mul(1_000_000_000));
    Ok(around("rt-app workload", length, cores, workloads))
}

/// How many threads meet at each barrier: the instances of every mention.
fn parties(tasks: &[(String, Value)]) -> BTreeMap<String, u64> {
    fn mentions(value: &Value, count: u64, parties: &mut BTreeMap<String, u64>) {
        for (key, value) in value.pairs() {
            match value.text() {
                Some(name) if key.starts_with("barrier") => *parties.entry(name.to_string()).or_default() += count,
                _ => mentions(value, count, parties),
            }
        }
    }
    let mut parties = BTreeMap::new();
    for (_, task) in tasks {
        mentions(task, instances(task), &mut parties);
    }
    parties
}

fn instances(task: &Value) -> u64 {
    task.get("instance").and_then(Value::whole).map_or(1, |count| u64::try_from(count).unwrap_or(0))
}

struct Reader<'n> {
    notes: &'n mut Notes,
    problems: Vec<Problem>,
    parties: BTreeMap<String, u64>,
    /// Name of each task in the scenario.
    names: BTreeMap<String, String>,
}

impl Reader<'_> {
    fn wrong(&mut self, path: String, message: &str) {
        if self.problems.len() < limits::PROBLEMS_MAX {
            self.problems.push(Problem { path, message: message.into(), ..Problem::default() });
        }
    }

    fn task(&mut self, name: String, task: &Value, default: &str) -> Workload {
        let path = format!("tasks.{name}");
        let phases = task.get("phases").map(Value::pairs);
        let turns = task.get("loop").map_or(Some(-1), Value::whole).unwrap_or(-1);
        let mut steps = Vec::new();
        match phases {
            Some(phases) => {
                let mut body = Vec::new();
                for (phase, events) in phases {
                    let path = format!("{path}.phases.{phase}");
                    let inner = self.events(&name, events, &path);
                    if inner.is_empty() {
                        self.wrong(path, "the phase has no events");
                    }
                    let turns = events.get("loop").and_then(Value::whole).unwrap_or(1);
                    body.extend(repeated(turns, inner));
                }
                steps.extend(repeated(turns, body));
            }
            // Without phases the loop belongs to the only phase; without it that runs for ever.
            None => {
                let events = self.events(&name, task, &path);
                steps.extend(repeated(turns, events));
            }
        }
        if steps.is_empty() {
            self.wrong(path.clone(), "has no events");
        }
        let delay = task.get("delay").and_then(Value::whole).unwrap_or(0);
        let mut workload = program(name, u64::try_from(delay).unwrap_or(0).saturating_mul(1000), steps);
        workload.count = u32::try_from(instances(task)).unwrap_or(u32::MAX);
        self.class(&mut workload, task, default, &path);
        if let Some(Value::List(cpus)) = task.get("cpus") {
            workload.cpus = cpus.iter().filter_map(|cpu| u16::try_from(cpu.whole()?).ok()).collect();
        }
        for (key, word) in
            [("taskgroup", "task groups"), ("util_min", "utilisation clamps"), ("util_max", "utilisation clamps")]
        {
            if task.get(key).is_some() {
                self.notes.say(format!("{word} are not taken over"));
            }
        }
        workload
    }

    fn class(&mut self, workload: &mut Workload, task: &Value, default: &str, path: &str) {
        let word = task.get("policy").and_then(Value::text).unwrap_or(default);
        let priority = task.get("priority").and_then(Value::whole);
        let nice = priority.unwrap_or(0).clamp(-20, 19) as i8;
        let rt = priority.unwrap_or(10).clamp(1, 99) as u8;
        match word {
            "SCHED_OTHER" => workload.nice = nice,
            "SCHED_BATCH" => (workload.class, workload.nice) = (SchedClass::Batch, nice),
            "SCHED_IDLE" => workload.class = SchedClass::Idle,
            "SCHED_FIFO" => (workload.class, workload.rt_priority) = (SchedClass::Fifo, rt),
            "SCHED_RR" => (workload.class, workload.rt_priority) = (SchedClass::Rr, rt),
            "SCHED_DEADLINE" => {
                (workload.class, workload.rt_priority) = (SchedClass::Fifo, 99);
                self.notes.say("SCHED_DEADLINE tasks run as FIFO 99");
            }
            other => self.wrong(format!("{path}.policy"), &format!("{other} is not a scheduling policy")),
        }
    }

    fn events(&mut self, name: &str, phase: &Value, path: &str) -> Vec<Json> {
        let mut steps = Vec::new();
        for (key, value) in phase.pairs() {
            let Some(word) = EVENTS.iter().find(|word| key.starts_with(*word)) else { continue };
            let at = format!("{path}.{key}");
            if key == "lock_pages" || key.starts_with("memory") {
                self.notes.say(format!("{key} inside a task is no event"));
                continue;
            }
            self.event(name, word, value, &at, &mut steps);
        }
        steps
    }

    fn event(&mut self, name: &str, word: &str, value: &Value, at: &str, steps: &mut Vec<Json>) {
        let part = |key: &str| value.get(key).and_then(Value::text);
        match word {
            "run" | "runtime" | "sleep" => {
                let Some(us) = value.whole().and_then(|us| u64::try_from(us).ok()) else {
                    return self.wrong(at.into(), "should be a whole number of microseconds");
                };
                if word == "runtime" {
                    self.notes.say("runtime counts time while preempted; here it is CPU time");
                }
                if us > 0 {
                    steps.push(json!([if word == "sleep" { "sleep" } else { "run" }, us.saturating_mul(1000)]));
                }
            }
            "timer" => match value.get("period").and_then(Value::whole).and_then(|us| u64::try_from(us).ok()) {
                Some(us) if us > 0 => {
                    if !part("ref").is_some_and(|name| name.starts_with("unique")) {
                        self.notes.say("timers that tasks share have a period of their own for each task here");
                    }
                    steps.push(json!(["period", us.saturating_mul(1000)]));
                }
                _ => self.wrong(at.into(), "should have a period in microseconds"),
            },
            "suspend" => {
                self.notes.say("a signal or resume that comes before its wait is kept here; rt-app loses it");
                steps.push(json!(["wait", format!("resume {name}")]));
            }
            "wait" | "sync" => match (part("ref"), part("mutex")) {
                (Some(condition), Some(mutex)) => {
                    self.notes.say("a signal or resume that comes before its wait is kept here; rt-app loses it");
                    if word == "sync" {
                        steps.push(json!(["signal", format!("signal {condition}")]));
                    }
                    steps.push(json!(["unlock", mutex]));
                    steps.push(json!(["wait", format!("signal {condition}")]));
                    steps.push(json!(["lock", mutex]));
                }
                _ => self.wrong(at.into(), "should have ref and mutex"),
            },
            "yield" => steps.push(json!(["yield"])),
            "mem" | "memrun" => self.notes.say("memory and device loads have no stated time: they are left out"),
            named => match value.text().map(str::to_string) {
                Some(what) => self.named(named, &what, steps),
                None => self.wrong(at.into(), "should be a name"),
            },
        }
    }

    /// Events whose value is a name.
    fn named(&mut self, word: &str, what: &str, steps: &mut Vec<Json>) {
        match word {
            "lock" | "unlock" => steps.push(json!([word, what])),
            "broad" => {
                self.notes.say("broadcasts wake one waiter here");
                steps.push(json!(["signal", format!("signal {what}")]));
            }
            "signal" => steps.push(json!(["signal", format!("signal {what}")])),
            "resume" => {
                let name = self.names.get(what).cloned().unwrap_or_else(|| what.to_string());
                steps.push(json!(["signal", format!("resume {name}")]));
            }
            "sem_post" => steps.push(json!(["signal", format!("semaphore {what}")])),
            "sem_wait" => steps.push(json!(["wait", format!("semaphore {what}")])),
            "barrier" => steps.push(json!(["barrier", what, self.parties.get(what).copied().unwrap_or(1).max(1)])),
            _ => {
                let name = self.names.get(what).cloned().unwrap_or_else(|| what.to_string());
                steps.push(json!(["fork", name]));
            }
        }
    }
}

/// Steps `turns` times; -1 = for ever.
fn repeated(turns: i64, steps: Vec<Json>) -> Vec<Json> {
    match turns {
        _ if steps.is_empty() => Vec::new(),
        0 => Vec::new(),
        1 => steps,
        turns => vec![json!(["loop", u64::try_from(turns).unwrap_or(0), steps])],
    }
}
