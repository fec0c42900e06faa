//! The part of a link that says what is looked at: readable keys, none of which can spoil the scenario. What cannot be
//! read is left out with a warning.

use super::codec::escaped;
use crate::engine::protocol::Problem;
use crate::scenario::limits::{CPUS_MAX, DURATION_NS_MAX};
use crate::scenario::problems::quote;
use std::fmt::Write;

/// Longest word-like value.
const WORD_CHARS_MAX: usize = 40;
/// Longest value that names settings of the scenario, characters.
const TEXT_CHARS_MAX: usize = 200;
/// Longest address.
const SOURCE_CHARS_MAX: usize = 2_000;

/// What is looked at, and how.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct View {
    /// Now, ns (`t=`).
    pub t: Option<u64>,
    /// Start of the shown window, ns (`from=`).
    pub from: Option<u64>,
    /// End of the shown window, ns (`to=`).
    pub to: Option<u64>,
    /// CPUs shown (`cpus=0-3,7`); empty = all.
    pub cpus: Vec<u16>,
    /// Selected task and time (`sel=task@ns`).
    pub selection: Option<(u32, u64)>,
    /// Main view (`view=`); empty = the usual one.
    pub view: String,
    /// What a sweep varies (`vary=hogs=0..50:10`).
    pub vary: String,
    /// Which number of a sweep is drawn (`metric=`).
    pub metric: String,
    /// Post of the history view (`post=`).
    pub post: String,
    /// Lesson (`lesson=`).
    pub lesson: String,
    /// Step of the lesson, from 1 (`step=`).
    pub step: Option<u32>,
    /// Variant of the lesson (`seed=`).
    pub seed: Option<u64>,
    /// Address of a scenario file (`src=https://…`), fetched only after the visitor agrees.
    pub source: String,
    /// Shown inside another page (`embed=1`).
    pub embed: bool,
    /// Panels left out (`hide=a,b`).
    pub hide: Vec<String>,
    /// Plays at once (`play=1`).
    pub play: bool,
    /// `dark`, `light`, or empty = as the system has it (`theme=`).
    pub theme: String,
    /// Language (`lang=`).
    pub lang: String,
    /// Keys that nobody knows, in the order of the link; they are kept.
    pub unknown: Vec<(String, String)>,
}

/// Keys that mean something by themselves; workloads with these names cannot be addressed in a short link.
pub(super) const KEYS: [&str; 22] = [
    "v", "s", "p", "ex", "t", "from", "to", "cpus", "sel", "view", "vary", "metric", "post", "lesson", "step", "seed",
    "src", "embed", "hide", "play", "theme", "lang",
];

impl View {
    /// Reads one pair. False if the key is not one of the view's.
    pub(super) fn read(&mut self, key: &str, value: &str, warnings: &mut Vec<Problem>) -> bool {
        let mut bad = |wanted: &str| {
            let message = format!("{} is not {wanted}; ignored", quote(value));
            warnings.push(Problem { path: key.into(), message, ..Problem::default() });
        };
        let time = value.parse::<u64>().ok().filter(|&ns| ns <= DURATION_NS_MAX);
        let is_word = |text: &str| {
            text.len() <= WORD_CHARS_MAX && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
        };
        let flag = match value {
            "" | "1" | "true" => Some(true),
            "0" | "false" => Some(false),
            _ => None,
        };
        match key {
            "t" | "from" | "to" => match time {
                None => bad("a time in ns"),
                time if key == "t" => self.t = time,
                time if key == "from" => self.from = time,
                time => self.to = time,
            },
            "cpus" => match cpus(value) {
                Some(cpus) => self.cpus = cpus,
                None => bad("a list of CPUs like 0-3,7"),
            },
            "sel" => match selection(value) {
                Some(selection) => self.selection = Some(selection),
                None => bad("a task and a time like 3@12000000"),
            },
            "step" => match value.parse() {
                Ok(step) => self.step = Some(step),
                Err(_) => bad("the number of a step"),
            },
            "seed" => match value.parse() {
                Ok(seed) => self.seed = Some(seed),
                Err(_) => bad("the number of a variant"),
            },
            "src" if value.starts_with("https://") && value.len() <= SOURCE_CHARS_MAX => self.source = value.into(),
            "src" => bad("an address that begins with https://"),
            "embed" | "play" => match flag {
                None => bad("0 or 1"),
                Some(flag) if key == "embed" => self.embed = flag,
                Some(flag) => self.play = flag,
            },
            "vary" | "metric" if value.chars().count() > TEXT_CHARS_MAX || value.chars().any(char::is_control) => {
                bad("a text of at most 200 characters");
            }
            "vary" => self.vary = value.into(),
            "metric" => self.metric = value.into(),
            "hide" => {
                let words = value.split(',').filter(|word| !word.is_empty());
                self.hide = words.filter(|word| is_word(word)).take(20).map(String::from).collect();
            }
            "view" | "post" | "lesson" | "theme" | "lang" => match (key, is_word(value)) {
                (_, false) => bad("a word of letters, digits and -"),
                ("view", true) => self.view = value.into(),
                ("post", true) => self.post = value.into(),
                ("lesson", true) => self.lesson = value.into(),
                ("theme", true) => self.theme = value.into(),
                (_, true) => self.lang = value.into(),
            },
            _ => return false,
        }
        true
    }

    /// Drops what contradicts itself.
    pub(super) fn settle(&mut self, warnings: &mut Vec<Problem>) {
        if let (Some(from), Some(to)) = (self.from, self.to)
            && from >= to
        {
            let message = format!("{from}..{to} is not a window; ignored");
            warnings.push(Problem { path: "from".into(), message, ..Problem::default() });
            (self.from, self.to) = (None, None);
        }
    }

    /// Appends the view's pairs.
    pub(super) fn write(&self, link: &mut String) {
        let mut pair = |key: &str, value: &str| {
            if !value.is_empty() {
                // Writing to a String cannot fail.
                let _ = write!(link, "&{}={}", escaped(key), escaped(value));
            }
        };
        let number = |value: Option<u64>| value.map_or(String::new(), |value| value.to_string());
        pair("t", &number(self.t));
        pair("from", &number(self.from));
        pair("to", &number(self.to));
        pair("cpus", &cpus_text(&self.cpus));
        pair("sel", &self.selection.map_or(String::new(), |(task, at)| format!("{task}@{at}")));
        pair("view", &self.view);
        pair("vary", &self.vary);
        pair("metric", &self.metric);
        pair("post", &self.post);
        pair("lesson", &self.lesson);
        pair("step", &number(self.step.map(u64::from)));
        pair("seed", &number(self.seed));
        pair("src", &self.source);
        pair("embed", if self.embed { "1" } else { "" });
        pair("hide", &self.hide.join(","));
        pair("play", if self.play { "1" } else { "" });
        pair("theme", &self.theme);
        pair("lang", &self.lang);
        for (key, value) in &self.unknown {
            let _ = write!(link, "&{}={}", escaped(key), escaped(value));
        }
    }
}

/// `task@ns`.
fn selection(text: &str) -> Option<(u32, u64)> {
    let (task, at) = text.split_once('@')?;
    Some((task.parse().ok()?, at.parse().ok().filter(|&at| at <= DURATION_NS_MAX)?))
}

/// `0-3,7` as a sorted list.
fn cpus(text: &str) -> Option<Vec<u16>> {
    let mut chosen = vec![false; CPUS_MAX as usize];
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
        chosen.get_mut(first..last.checked_add(1)?)?.fill(true);
    }
    Some((0..).zip(chosen).filter(|(_, chosen)| *chosen).map(|(cpu, _)| cpu).collect())
}

/// A list of CPUs with runs as `first-last`.
fn cpus_text(cpus: &[u16]) -> String {
    let mut sorted = cpus.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let mut parts: Vec<String> = Vec::new();
    let mut index = 0;
    while index < sorted.len() {
        let first = sorted[index];
        let mut last = first;
        while sorted.get(index + 1).is_some_and(|&next| next == last + 1) {
            index += 1;
            last = sorted[index];
        }
        parts.push(if first == last { format!("{first}") } else { format!("{first}-{last}") });
        index += 1;
    }
    parts.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpu_lists_are_read_and_written() {
        assert_eq!(cpus("0-3,7"), Some(vec![0, 1, 2, 3, 7]));
        assert_eq!(cpus_text(&[7, 3, 2, 1, 0]), "0-3,7");
        for bad in ["", "x", "3-1", "256", "0-99999999999999999999", "-1", "1,,2"] {
            assert_eq!(cpus(bad), None, "{bad}");
        }
    }
}
