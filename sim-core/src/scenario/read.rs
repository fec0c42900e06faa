//! JSON to [`Scenario`], field by field: types and ranges are judged here, so that one reading names every fault with
//! its path. What fields mean together is judged in `validate.rs`.

use super::limits::*;
use super::problems::{Problems, quote, similar};
use super::schema::{ChangeAt, Group, Lane, Machine, NoteAt, Scenario, Target, VERSION, Workload};
use crate::policy::SchedClass;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Values of `class`, in the order of the numbers that changes use.
pub(super) const CLASSES: [(&str, SchedClass); 6] = [
    ("normal", SchedClass::Normal),
    ("batch", SchedClass::Batch),
    ("idle", SchedClass::Idle),
    ("iso", SchedClass::Iso),
    ("fifo", SchedClass::Fifo),
    ("rr", SchedClass::Rr),
];

/// One object of the document with the fields asked for so far.
pub(crate) struct Fields<'v> {
    map: &'v Map<String, Value>,
    path: String,
    asked: Vec<&'static str>,
}

impl<'v> Fields<'v> {
    pub(crate) fn open(value: &'v Value, path: &str, problems: &mut Problems) -> Option<Self> {
        match value {
            Value::Object(map) => Some(Fields { map, path: path.into(), asked: Vec::new() }),
            other => {
                problems.error(path, format!("should be an object {{…}}, not {}", type_word(other)));
                None
            }
        }
    }

    pub(crate) fn at(&self, key: &str) -> String {
        join(&self.path, key)
    }

    pub(crate) fn get(&mut self, key: &'static str) -> Option<&'v Value> {
        self.asked.push(key);
        self.map.get(key).filter(|value| !value.is_null())
    }

    /// Warns of fields that nobody asked for.
    pub(crate) fn close(self, problems: &mut Problems) {
        for key in self.map.keys() {
            if !self.asked.contains(&key.as_str()) {
                let hint = similar(key, self.asked.iter().copied());
                let hint = hint.map_or(String::new(), |meant| format!("Did you mean {meant}?"));
                problems.warn(join(&self.path, &clip(key)), "unknown field, ignored", hint);
            }
        }
    }

    pub(crate) fn number(
        &mut self,
        key: &'static str,
        low: i128,
        high: i128,
        default: Option<i128>,
        p: &mut Problems,
    ) -> i128 {
        let fallback = default.unwrap_or(low);
        match self.get(key) {
            Some(value) => number(value, &self.at(key), low, high, p).unwrap_or(fallback),
            None => {
                if default.is_none() {
                    p.error(self.at(key), format!("is missing: a whole number from {low} to {high}"));
                }
                fallback
            }
        }
    }

    pub(crate) fn unsigned(
        &mut self,
        key: &'static str,
        low: u64,
        high: u64,
        default: Option<u64>,
        p: &mut Problems,
    ) -> u64 {
        self.number(key, low.into(), high.into(), default.map(i128::from), p) as u64
    }

    pub(crate) fn flag(&mut self, key: &'static str, p: &mut Problems) -> bool {
        match self.get(key) {
            None => false,
            Some(Value::Bool(flag)) => *flag,
            Some(other) => {
                p.error(self.at(key), format!("should be true or false, not {}", type_word(other)));
                false
            }
        }
    }

    pub(crate) fn text(
        &mut self,
        key: &'static str,
        chars_max: usize,
        default: Option<&str>,
        p: &mut Problems,
    ) -> String {
        match (self.get(key), default) {
            (Some(value), _) => text(value, &self.at(key), chars_max, p).unwrap_or_default(),
            (None, Some(default)) => default.into(),
            (None, None) => {
                p.error(self.at(key), "is missing: a text");
                String::new()
            }
        }
    }

    pub(crate) fn list(&mut self, key: &'static str, len_max: usize, p: &mut Problems) -> &'v [Value] {
        match self.get(key) {
            None => &[],
            Some(Value::Array(items)) if items.len() <= len_max => items,
            Some(Value::Array(items)) => {
                p.error(self.at(key), format!("has {} entries; at most {len_max} are possible", items.len()));
                &[]
            }
            Some(other) => {
                p.error(self.at(key), format!("should be a list […], not {}", type_word(other)));
                &[]
            }
        }
    }

    /// A map of numbers. Keys and ranges are judged later.
    pub(crate) fn numbers(
        &mut self,
        key: &'static str,
        low: i128,
        high: i128,
        p: &mut Problems,
    ) -> BTreeMap<String, i128> {
        let Some(value) = self.get(key) else { return BTreeMap::new() };
        let path = self.at(key);
        let Value::Object(map) = value else {
            p.error(path, format!("should be an object {{…}}, not {}", type_word(value)));
            return BTreeMap::new();
        };
        if map.len() > TUNABLES_MAX {
            p.error(path, format!("has {} entries; at most {TUNABLES_MAX} are possible", map.len()));
            return BTreeMap::new();
        }
        let mut numbers = BTreeMap::new();
        for (name, value) in map {
            if let Some(value) = number(value, &join(&path, &clip(name)), low, high, p) {
                numbers.insert(name.clone(), value);
            }
        }
        numbers
    }
}

pub(crate) fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.into() } else { format!("{path}.{key}") }
}

/// A stranger's field name in a path: at most 40 characters.
fn clip(key: &str) -> String {
    key.chars().take(40).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// What a JSON value is, in words.
pub(crate) fn type_word(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// A whole number within `low..=high`.
pub(crate) fn number(value: &Value, path: &str, low: i128, high: i128, p: &mut Problems) -> Option<i128> {
    let Value::Number(number) = value else {
        p.error(path, format!("should be a whole number, not {}", type_word(value)));
        return None;
    };
    let whole = number.as_u64().map(i128::from).or_else(|| number.as_i64().map(i128::from));
    match whole {
        Some(whole) if (low..=high).contains(&whole) => Some(whole),
        Some(whole) => {
            p.outside(path, whole, low, high);
            None
        }
        None => {
            p.error(path, format!("{} is not a whole number within {low}..={high}", clip(&number.to_string())));
            None
        }
    }
}

/// A text of at most `chars_max` characters. It is kept as it is: whoever shows it treats it as text.
pub(crate) fn text(value: &Value, path: &str, chars_max: usize, p: &mut Problems) -> Option<String> {
    let Value::String(text) = value else {
        p.error(path, format!("should be a text, not {}", type_word(value)));
        return None;
    };
    if text.chars().nth(chars_max).is_some() {
        p.error(path, format!("is longer than {chars_max} characters"));
        return None;
    }
    if text.chars().any(char::is_control) {
        p.error(path, "holds control characters");
        return None;
    }
    Some(text.clone())
}

/// Reads a document of the current version. `None` if an entry could not be read at all, because the indices of the
/// others would be wrong in later messages.
pub(super) fn scenario(value: &Value, p: &mut Problems) -> Option<Scenario> {
    let mut f = Fields::open(value, "", p)?;
    f.get("v");
    let scenario = Scenario {
        v: VERSION,
        title: f.text("title", TITLE_CHARS_MAX, Some(""), p),
        seed: f.unsigned("seed", 0, u64::MAX, Some(0), p),
        duration_ns: f.unsigned("duration_ns", 1, DURATION_NS_MAX, None, p),
        machine: match f.get("machine") {
            Some(value) => machine(value, p),
            None => {
                p.error_with_hint("machine", "is missing", "Write \"machine\": {\"cores\": 2}");
                None
            }
        }
        .unwrap_or(Machine {
            cores: 1,
            packages: 1,
            threads: 1,
            numa: false,
            hz: 1000,
            tick_skew: false,
            profile: "ideal".into(),
        }),
        lanes: each(f.list("lanes", LANES_MAX, p), "lanes", p, lane),
        groups: each(f.list("groups", GROUPS_MAX, p), "groups", p, group),
        workloads: each(f.list("workloads", WORKLOADS_MAX, p), "workloads", p, workload),
        changes: each(f.list("changes", CHANGES_MAX, p), "changes", p, change),
        notes: each(f.list("notes", NOTES_MAX, p), "notes", p, note),
    };
    let count = |key: &str| value.get(key).and_then(Value::as_array).map_or(0, Vec::len);
    if count("lanes") == 0 {
        p.error_with_hint("lanes", "name at least one policy", "Write \"lanes\": [{\"policy\": \"o1-2.6.21\"}]");
    }
    f.close(p);
    let Scenario { lanes, groups, workloads, changes, notes, .. } = &scenario;
    let read = [lanes.len(), groups.len(), workloads.len(), changes.len(), notes.len()];
    (read == ["lanes", "groups", "workloads", "changes", "notes"].map(count)).then_some(scenario)
}

/// Reads the entries of a list; the ones that cannot be read are left out.
pub(crate) fn each<T>(
    items: &[Value],
    key: &str,
    p: &mut Problems,
    read: fn(&Value, &str, &mut Problems) -> Option<T>,
) -> Vec<T> {
    items.iter().enumerate().filter_map(|(index, item)| read(item, &format!("{key}[{index}]"), p)).collect()
}

fn machine(value: &Value, p: &mut Problems) -> Option<Machine> {
    let mut f = Fields::open(value, "machine", p)?;
    let cpus = u64::from(CPUS_MAX);
    let machine = Machine {
        cores: f.unsigned("cores", 1, cpus, None, p) as u16,
        packages: f.unsigned("packages", 1, cpus, Some(1), p) as u16,
        threads: f.unsigned("threads", 1, 8, Some(1), p) as u16,
        numa: f.flag("numa", p),
        hz: f.unsigned("hz", 100, 1000, Some(1000), p) as u32,
        tick_skew: f.flag("tick_skew", p),
        profile: f.text("profile", KEY_CHARS_MAX, Some("ideal"), p),
    };
    f.close(p);
    Some(machine)
}

fn lane(value: &Value, path: &str, p: &mut Problems) -> Option<Lane> {
    let mut f = Fields::open(value, path, p)?;
    let policy = f.text("policy", KEY_CHARS_MAX, None, p);
    let tunables = f.numbers("tunables", i64::MIN.into(), i64::MAX.into(), p);
    let changes = each(f.list("changes", LANE_CHANGES_MAX, p), &f.at("changes"), p, change);
    f.close(p);
    let tunables = tunables.into_iter().map(|(key, value)| (key, value as i64)).collect();
    Some(Lane { policy, tunables, changes })
}

fn note(value: &Value, path: &str, p: &mut Problems) -> Option<NoteAt> {
    let mut f = Fields::open(value, path, p)?;
    let t = f.unsigned("t", 0, DURATION_NS_MAX, None, p);
    let text = f.text("text", NOTE_CHARS_MAX, None, p);
    f.close(p);
    Some(NoteAt { t, text })
}

fn group(value: &Value, path: &str, p: &mut Problems) -> Option<Group> {
    let mut f = Fields::open(value, path, p)?;
    let group = Group {
        name: f.text("name", NAME_CHARS_MAX, None, p),
        parent: f.text("parent", NAME_CHARS_MAX, Some(""), p),
        shares: f.unsigned("shares", 0, SHARES_MAX, Some(1024), p),
        quota_ns: f.unsigned("quota_ns", 0, DURATION_NS_MAX, Some(0), p),
        period_ns: f.unsigned("period_ns", PERIOD_NS_MIN, PERIOD_NS_MAX, Some(100_000_000), p),
        burst_ns: f.unsigned("burst_ns", 0, DURATION_NS_MAX, Some(0), p),
    };
    f.close(p);
    Some(group)
}

fn workload(value: &Value, path: &str, p: &mut Problems) -> Option<Workload> {
    let mut f = Fields::open(value, path, p)?;
    let workload = Workload {
        name: f.text("name", NAME_CHARS_MAX, None, p),
        kind: f.text("kind", KEY_CHARS_MAX, None, p),
        count: f.unsigned("count", 0, TASKS_MAX, Some(1), p) as u32,
        nice: f.number("nice", -20, 19, Some(0), p) as i8,
        class: class(&mut f, p),
        rt_priority: f.unsigned("rt_priority", 0, 99, Some(0), p) as u8,
        group: f.text("group", NAME_CHARS_MAX, Some(""), p),
        session: f.text("session", NAME_CHARS_MAX, Some(""), p),
        cpus: cpus(&mut f, p),
        start_ns: f.unsigned("start_ns", 0, DURATION_NS_MAX, Some(0), p),
        params: f.numbers("params", 0, u64::MAX.into(), p).into_iter().map(|(key, v)| (key, v as u64)).collect(),
        program: f.list("program", PROGRAM_STEPS_MAX, p).to_vec(),
    };
    f.close(p);
    Some(workload)
}

fn class(f: &mut Fields<'_>, p: &mut Problems) -> SchedClass {
    let Some(value) = f.get("class") else { return SchedClass::Normal };
    let path = f.at("class");
    let Some(word) = text(value, &path, KEY_CHARS_MAX, p) else { return SchedClass::Normal };
    match CLASSES.iter().find(|(name, _)| *name == word) {
        Some(&(_, class)) => class,
        None => {
            p.error(path, format!("{} is none of normal, batch, idle, iso, fifo, rr", quote(&word)));
            SchedClass::Normal
        }
    }
}

fn cpus(f: &mut Fields<'_>, p: &mut Problems) -> Vec<u16> {
    let items = f.list("cpus", CPUS_MAX as usize, p);
    let path = f.at("cpus");
    let last = i128::from(CPUS_MAX) - 1;
    let read = |(index, item)| number(item, &format!("{path}[{index}]"), 0, last, p).map(|cpu| cpu as u16);
    items.iter().enumerate().filter_map(read).collect()
}

/// A name and what of it: `["hogs", "count"]`.
fn pair(value: &Value, path: &str, example: &str, p: &mut Problems) -> Option<(String, String)> {
    let Value::Array(pair) = value else {
        p.error(path, format!("should be a pair [\"name\", \"{example}\"]"));
        return None;
    };
    let [name, key] = pair.as_slice() else {
        p.error(path, format!("should be a pair [\"name\", \"{example}\"]"));
        return None;
    };
    let name = text(name, &format!("{path}[0]"), TASK_NAME_CHARS_MAX, p);
    name.zip(text(key, &format!("{path}[1]"), KEY_CHARS_MAX, p))
}

fn change(value: &Value, path: &str, p: &mut Problems) -> Option<ChangeAt> {
    let mut f = Fields::open(value, path, p)?;
    let t = f.unsigned("t", 0, DURATION_NS_MAX, None, p);
    let value = f.number("value", i64::MIN.into(), i64::MAX.into(), None, p) as i64;
    let given = (f.get("workload"), f.get("task"), f.get("group"), f.get("tunable"));
    let target = match given {
        (Some(value), None, None, None) => {
            pair(value, &format!("{path}.workload"), "count", p).map(|(name, key)| Target::Workload(name, key))
        }
        (None, Some(value), None, None) => {
            pair(value, &format!("{path}.task"), "nice", p).map(|(name, key)| Target::Task(name, key))
        }
        (None, None, Some(name), None) => text(name, &format!("{path}.group"), NAME_CHARS_MAX, p).map(Target::Group),
        (None, None, None, Some(key)) => text(key, &format!("{path}.tunable"), KEY_CHARS_MAX, p).map(Target::Tunable),
        _ => {
            p.error(path, "needs exactly one of \"workload\", \"task\", \"group\" and \"tunable\"");
            None
        }
    };
    f.close(p);
    // An unreadable target has been reported; a tunable without a name keeps its place and says nothing more.
    Some(ChangeAt { t, target: target.unwrap_or(Target::Tunable(String::new())), value })
}
