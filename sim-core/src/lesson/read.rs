//! JSON to [`Lesson`], field by field, so that one reading names every fault with its path.

use super::limits::*;
use super::schema::*;
use super::{number, variant};
use crate::scenario::limits::{CPUS_MAX, DURATION_NS_MAX, KEY_CHARS_MAX, NAME_CHARS_MAX};
use crate::scenario::problems::{Problems, quote, suggest};
use crate::scenario::read::{Fields, each, number as whole, text as plain, type_word};
use serde_json::Value;
use std::collections::BTreeMap;

/// Window of a picture that names none, ns.
const SPAN_NS: u64 = 200_000_000;
/// Shortest window, ns.
const SPAN_NS_MIN: u64 = 1_000;
/// Longest policy index.
const LANE_MAX: u64 = 3;

/// Reads a lesson. `None` if a step could not be read at all.
pub(super) fn lesson(value: &Value, p: &mut Problems) -> Option<Lesson> {
    let mut f = Fields::open(value, "", p)?;
    f.get("v");
    let lesson = Lesson {
        title: f.text("title", TITLE_CHARS_MAX, None, p),
        summary: f.text("summary", PARAGRAPH_CHARS_MAX, None, p),
        seed: f.unsigned("seed", 0, u64::MAX, Some(1), p),
        vary: vary(&mut f, p),
        steps: each(f.list("steps", STEPS_MAX, p), "steps", p, step),
    };
    let count = value.get("steps").and_then(Value::as_array).map_or(0, Vec::len);
    if count == 0 {
        let hint = "Write \"steps\": [{\"title\": \"…\", \"text\": [\"…\"], \"scenario\": \"ex=lat-ctx\"}]";
        p.error_with_hint("steps", "a lesson needs at least one step", hint);
    }
    f.close(p);
    (lesson.steps.len() == count && count > 0).then_some(lesson)
}

fn vary(f: &mut Fields<'_>, p: &mut Problems) -> BTreeMap<String, Vec<u64>> {
    let Some(value) = f.get("vary") else { return BTreeMap::new() };
    let Value::Object(map) = value else {
        p.error("vary", format!("should be an object {{…}}, not {}", type_word(value)));
        return BTreeMap::new();
    };
    if map.len() > VARIES_MAX {
        p.error("vary", format!("has {} entries; at most {VARIES_MAX} are possible", map.len()));
        return BTreeMap::new();
    }
    let mut read = BTreeMap::new();
    for (name, values) in map {
        let path = format!("vary.{}", name.chars().take(40).collect::<String>());
        let is_word = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if !is_word || matches!(name.as_str(), "t" | "answer") {
            p.error(&path, "a name is made of letters, digits and _, and is not t or answer");
        }
        let Value::Array(values) = values else {
            p.error(&path, format!("should be a list of numbers […], not {}", type_word(values)));
            continue;
        };
        if values.is_empty() || values.len() > VALUES_MAX {
            p.error(&path, format!("has {} values; 1 to {VALUES_MAX} are possible", values.len()));
        }
        let number =
            |(index, value)| whole(value, &format!("{path}[{index}]"), 0, u64::MAX.into(), p).map(|n| n as u64);
        read.insert(name.clone(), values.iter().take(VALUES_MAX).enumerate().filter_map(number).collect());
    }
    read
}

fn step(value: &Value, path: &str, p: &mut Problems) -> Option<Step> {
    let mut f = Fields::open(value, path, p)?;
    let step = Step {
        title: f.text("title", TITLE_CHARS_MAX, None, p),
        text: paragraphs(&mut f, "text", p),
        note: f.text("note", PARAGRAPH_CHARS_MAX, Some(""), p),
        scenario: source(&mut f, p),
        view: view(&mut f, p),
        questions: each(f.list("questions", QUESTIONS_MAX, p), &f.at("questions"), p, question),
        after: paragraphs(&mut f, "after", p),
    };
    if step.text.is_empty() {
        p.error_with_hint(f.at("text"), "is missing: a list of paragraphs", "Write \"text\": [\"One paragraph.\"]");
    }
    f.close(p);
    Some(step)
}

fn paragraphs(f: &mut Fields<'_>, key: &'static str, p: &mut Problems) -> Vec<String> {
    texts(f, key, PARAGRAPHS_MAX, PARAGRAPH_CHARS_MAX, p)
}

fn texts(f: &mut Fields<'_>, key: &'static str, most: usize, chars: usize, p: &mut Problems) -> Vec<String> {
    let items = f.list(key, most, p);
    let path = f.at(key);
    items.iter().enumerate().filter_map(|(index, item)| plain(item, &format!("{path}[{index}]"), chars, p)).collect()
}

fn source(f: &mut Fields<'_>, p: &mut Problems) -> Option<Source> {
    match f.get("scenario")? {
        value @ Value::String(_) => plain(value, &f.at("scenario"), LINK_CHARS_MAX, p).map(Source::Link),
        value @ Value::Object(_) => Some(Source::Inline(value.clone())),
        other => {
            let message = format!("should be a link or a scenario {{…}}, not {}", type_word(other));
            p.error_with_hint(f.at("scenario"), message, "Write \"scenario\": \"ex=lat-ctx&hogs=10\"");
            None
        }
    }
}

/// One of a list of words, or `default` if the field is missing.
fn word<T: Copy>(
    f: &mut Fields<'_>,
    key: &'static str,
    words: &[(&str, T)],
    default: Option<T>,
    p: &mut Problems,
) -> Option<T> {
    let Some(value) = f.get(key) else {
        if default.is_none() {
            p.error_with_hint(f.at(key), "is missing", known(words));
        }
        return default;
    };
    pick(value, &f.at(key), words, p)
}

fn known<T>(words: &[(&str, T)]) -> String {
    let names: Vec<&str> = words.iter().map(|(name, _)| *name).collect();
    format!("Known: {}", names.join(", "))
}

fn pick<T: Copy>(value: &Value, path: &str, words: &[(&str, T)], p: &mut Problems) -> Option<T> {
    let text = plain(value, path, KEY_CHARS_MAX, p)?;
    let found = words.iter().find(|(name, _)| *name == text);
    if found.is_none() {
        let names: Vec<&str> = words.iter().map(|(name, _)| *name).collect();
        p.error_with_hint(path, format!("{} is not known here", quote(&text)), suggest(&text, &names));
    }
    found.map(|&(_, value)| value)
}

fn view(f: &mut Fields<'_>, p: &mut Problems) -> View {
    let usual = View {
        moment: Moment { t: 0, next: None, task: String::new(), cpu: 0 },
        span: SPAN_NS,
        show: vec![Picture::Timeline, Picture::Structures],
        cpu: 0,
        tasks: Vec::new(),
    };
    let Some(value) = f.get("view") else { return usual };
    let Some(mut f) = Fields::open(value, &f.at("view"), p) else { return usual };
    let cpu = f.unsigned("cpu", 0, u64::from(CPUS_MAX) - 1, Some(0), p) as u16;
    let next = f.get("next").and_then(|value| pick(value, &f.at("next"), &EVENTS, p));
    let task = f.text("task", NAME_CHARS_MAX, Some(""), p);
    if task.is_empty() && matches!(next, Some(Event::Wakeup | Event::Run)) {
        p.error_with_hint(f.at("task"), "is missing", "Name the task that the event is about");
    }
    let shown = f.list("show", PICTURES.len(), p);
    let path = f.at("show");
    let show = shown.iter().enumerate();
    let show: Vec<Picture> =
        show.filter_map(|(index, item)| pick(item, &format!("{path}[{index}]"), &PICTURES, p)).collect();
    let view = View {
        moment: Moment { t: f.unsigned("t", 0, DURATION_NS_MAX, Some(0), p), next, task, cpu },
        span: f.unsigned("span", SPAN_NS_MIN, DURATION_NS_MAX, Some(SPAN_NS), p),
        show: if show.is_empty() { usual.show } else { show },
        cpu,
        tasks: texts(&mut f, "tasks", TASKS_MAX, NAME_CHARS_MAX, p),
    };
    f.close(p);
    view
}

fn question(value: &Value, path: &str, p: &mut Problems) -> Option<Question> {
    let mut f = Fields::open(value, path, p)?;
    let asks: Vec<(&str, usize)> = ASKS.iter().enumerate().map(|(index, name)| (*name, index)).collect();
    let kind = word(&mut f, "ask", &asks, None, p);
    let text = f.text("text", QUESTION_CHARS_MAX, None, p);
    let rule = f.text("rule", PARAGRAPH_CHARS_MAX, Some(""), p);
    // A kind that is not known has been reported; its fields cannot be judged.
    let ask = match ASKS.get(kind?) {
        Some(&"next") => Ask::Next { cpu: cpu(&mut f, p), options: options(&mut f, p) },
        Some(&"where") => Ask::Where { task: f.text("task", NAME_CHARS_MAX, None, p) },
        Some(&"number") => numeric(&mut f, p),
        Some(&"best") => Ask::Best {
            measure: measure(&mut f, p),
            want: word(&mut f, "want", &WANTS, None, p).unwrap_or(Want::Least),
            among: texts(&mut f, "among", OPTIONS_MAX, NAME_CHARS_MAX, p),
        },
        _ => choice(&mut f, p),
    };
    f.close(p);
    Some(Question { text, ask, rule })
}

fn cpu(f: &mut Fields<'_>, p: &mut Problems) -> u16 {
    f.unsigned("cpu", 0, u64::from(CPUS_MAX) - 1, Some(0), p) as u16
}

/// Options to choose from: none, or two and more, all different.
fn options(f: &mut Fields<'_>, p: &mut Problems) -> Vec<String> {
    let options = texts(f, "options", OPTIONS_MAX, OPTION_CHARS_MAX, p);
    if options.len() == 1 {
        p.error(f.at("options"), "one option is no choice");
    }
    for (index, option) in options.iter().enumerate() {
        if options[..index].contains(option) {
            p.error(format!("{}[{index}]", f.at("options")), format!("{} is there twice", quote(option)));
        }
    }
    options
}

fn choice(f: &mut Fields<'_>, p: &mut Problems) -> Ask {
    let options = options(f, p);
    let right = f.unsigned("right", 1, OPTIONS_MAX as u64, None, p);
    if options.is_empty() {
        p.error_with_hint(
            f.at("options"),
            "is missing: two to six texts",
            "Write \"options\": [\"yes\", \"no\"], \"right\": 1",
        );
    } else if right > options.len() as u64 {
        p.error(f.at("right"), format!("{right} is more than the {} options", options.len()));
    }
    Ask::Choice { options, right: right.saturating_sub(1) as u16 }
}

fn numeric(f: &mut Fields<'_>, p: &mut Problems) -> Ask {
    let measure = measure(f, p);
    let dimension = WHATS.iter().find(|(_, what, _)| *what == measure.what).map_or(Dimension::Any, |row| row.2);
    let usual = UNITS.iter().map(|(_, unit)| *unit).find(|&unit| unit != Unit::Ns && dimension.takes(unit));
    let usual = if dimension == Dimension::Time { Some(Unit::Ms) } else { usual };
    let unit = word(f, "unit", &UNITS, usual, p).unwrap_or(Unit::Count);
    if !dimension.takes(unit) {
        let fitting: Vec<&str> =
            UNITS.iter().filter(|(_, unit)| dimension.takes(*unit)).map(|(name, _)| *name).collect();
        p.error_with_hint(f.at("unit"), "does not fit the measure", format!("Use {}", fitting.join(", ")));
    }
    let within = f.unsigned("within", 0, WITHIN_MAX, Some(10), p);
    let options = options(f, p);
    for (index, option) in options.iter().enumerate() {
        if number::parse(option, unit).is_none() {
            p.error_with_hint(
                format!("{}[{index}]", f.at("options")),
                format!("{} is not a number", quote(option)),
                "Write it as a text: \"2.4\"",
            );
        }
    }
    Ask::Number { measure, unit, within, options }
}

fn measure(f: &mut Fields<'_>, p: &mut Problems) -> Measure {
    let whats: Vec<(&str, What)> = WHATS.iter().map(|&(name, what, _)| (name, what)).collect();
    let what = word(f, "measure", &whats, None, p).unwrap_or(What::Switches);
    let of = f.text("of", NAME_CHARS_MAX, Some(""), p);
    let needs_task = matches!(what, What::Wait | What::Gauge);
    if of.is_empty() && needs_task {
        // A question for the best of several names them in `among`.
        if f.get("among").is_none() {
            p.error_with_hint(f.at("of"), "is missing", "Name the task");
        }
    }
    let mut time = |key: &'static str, p: &mut Problems| {
        f.get(key).is_some().then(|| f.unsigned(key, 0, DURATION_NS_MAX, None, p))
    };
    let (from, to) = (time("from", p), time("to", p));
    if let (Some(from), Some(to)) = (from, to)
        && from >= to
    {
        p.error(f.at("to"), format!("{to} does not come after {from}"));
    }
    let label = f.text("label", NAME_CHARS_MAX, Some(""), p);
    if label.is_empty() && what == What::Gauge {
        p.error_with_hint(f.at("label"), "is missing", "Write the gauge's name as the picture has it");
    }
    Measure { what, of, from, to, cpu: cpu(f, p), label, lane: f.unsigned("lane", 0, LANE_MAX, Some(0), p) as u8 }
}

/// What the fields mean together: every step has a scenario, and it can be read in the lesson's own variant.
pub(super) fn relations(lesson: &Lesson, p: &mut Problems) {
    for (index, step) in lesson.steps.iter().enumerate() {
        if index > 0 && step.scenario.is_none() {
            continue;
        }
        match variant::scenario_of(lesson, index, lesson.seed) {
            Err(problems) => problems.into_iter().for_each(|q| p.error_with_hint(q.path, q.message, q.hint)),
            Ok(scenario) => {
                let last = lesson.steps[index + 1..].iter().take_while(|later| later.scenario.is_none()).count();
                for (at, step) in lesson.steps.iter().enumerate().skip(index).take(last + 1) {
                    against(&scenario, step, &format!("steps[{at}]"), p);
                }
            }
        }
    }
}

/// A step against its scenario: moments within the run, CPUs and lanes that exist.
fn against(scenario: &crate::scenario::schema::Scenario, step: &Step, path: &str, p: &mut Problems) {
    let (cpus, end) = (scenario.machine.cores * scenario.machine.threads, scenario.duration_ns);
    let cpu = |cpu: u16, path: String, p: &mut Problems| {
        if cpu >= cpus {
            p.error(path, format!("CPU {cpu} does not exist; the machine has {cpus}"));
        }
    };
    let within = |t: u64, path: String, p: &mut Problems| {
        if t > end {
            p.error(path, format!("{t} lies beyond the end of the run, {end}"));
        }
    };
    cpu(step.view.cpu, format!("{path}.view.cpu"), p);
    within(step.view.moment.t, format!("{path}.view.t"), p);
    for (index, question) in step.questions.iter().enumerate() {
        let path = format!("{path}.questions[{index}]");
        match &question.ask {
            Ask::Next { cpu: on, .. } => cpu(*on, format!("{path}.cpu"), p),
            Ask::Number { measure, .. } | Ask::Best { measure, .. } => {
                cpu(measure.cpu, format!("{path}.cpu"), p);
                within(measure.to.unwrap_or(0), format!("{path}.to"), p);
                if usize::from(measure.lane) >= scenario.lanes.len() {
                    p.error(format!("{path}.lane"), format!("there is no lane {}", measure.lane));
                }
            }
            Ask::Where { .. } | Ask::Choice { .. } => {}
        }
    }
}
