//! The table of a sweep: CSV or JSON lines, completed row by row.
//!
//! A row is written with one call and ends in a line break, so that a file is valid whenever the program ends. A last
//! line without its break (a full disk, a lost machine) is cut off and computed again.

use serde_json::{Map, Value, json};
use sim_core::sweep::{Measure, Point, Sweep};
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// How rows are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Comma separated values with a line of column names.
    Csv,
    /// A JSON object per line.
    JsonLines,
}

impl Format {
    /// Format by the file's ending.
    pub fn of(path: &Path) -> Result<Self, String> {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("csv") => Ok(Format::Csv),
            Some("jsonl" | "ndjson") => Ok(Format::JsonLines),
            _ => Err(format!("--out {}: the ending must be .csv or .jsonl (JSON lines)", path.display())),
        }
    }
}

/// A computed point.
pub struct Row {
    /// Where.
    pub point: Point,
    /// Digest of the run.
    pub digest: u64,
    /// A number per measure.
    pub values: Vec<Option<u64>>,
}

/// What tells rows apart: values on the axes, then the policy.
type Key = Vec<String>;

fn key(point: &Point) -> Key {
    point.values.iter().map(i64::to_string).chain([point.policy.clone()]).collect()
}

/// The file.
pub struct Out {
    path: PathBuf,
    file: File,
    format: Format,
    id: String,
    axes: Vec<String>,
    measures: Vec<Measure>,
    known: BTreeSet<Key>,
}

impl Out {
    /// Opens or makes the file; `head`: it has the line of column names.
    pub fn open(path: &Path, sweep: &Sweep, head: bool) -> Result<Self, String> {
        let format = Format::of(path)?;
        let fail = |error: std::io::Error| {
            format!("--out {}: {error}; name a file in a folder that is there and may be written to", path.display())
        };
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            Err(error) => return Err(fail(error)),
        };
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(fail)?;
        let mut out = Out {
            path: path.into(),
            file,
            format,
            id: format!("{:016x}", sweep.id()),
            axes: sweep.axes().iter().map(|axis| axis.key.clone()).collect(),
            measures: sweep.measures().to_vec(),
            known: BTreeSet::new(),
        };
        out.read(&text[..whole])?;
        // Only now: a file that is not ours is left as it is.
        out.file.set_len(whole as u64).map_err(fail)?;
        if head && whole == 0 && format == Format::Csv {
            out.write(&out.head())?;
        }
        Ok(out)
    }

    fn head(&self) -> String {
        let axes = self.axes.iter().map(String::as_str);
        let measures = self.measures.iter().map(|measure| measure.key.as_str());
        let names = ["sweep"].into_iter().chain(axes).chain(["policy", "digest"]).chain(measures);
        let mut line = names.map(cell).collect::<Vec<_>>().join(",");
        line.push('\n');
        line
    }

    /// Takes the rows of an earlier call.
    fn read(&mut self, text: &str) -> Result<(), String> {
        let head = self.head();
        for (index, line) in text.lines().enumerate() {
            let is_head = self.format == Format::Csv && line == head.trim_end();
            if is_head || line.is_empty() {
                continue;
            }
            let found = match self.format {
                Format::Csv => self.csv_key(line),
                Format::JsonLines => self.json_key(line),
            };
            let Some((id, key)) = found else {
                return Err(self.other(index, "is no row of such a sweep"));
            };
            if id != self.id {
                return Err(self.other(index, "comes from another scenario or another version of schedscope"));
            }
            self.known.insert(key);
        }
        Ok(())
    }

    fn other(&self, index: usize, what: &str) -> String {
        let path = self.path.display();
        format!("{path}: line {} {what}; name another file with --out, or delete this one", index + 1)
    }

    fn csv_key(&self, line: &str) -> Option<(String, Key)> {
        // The columns that tell rows apart come first and hold neither commas nor quotes.
        let cells: Vec<&str> = line.split(',').collect();
        let wanted = 1 + self.axes.len() + 2 + self.measures.len();
        if cells.len() != wanted {
            return None;
        }
        let key: Key = cells[1..self.axes.len() + 2].iter().map(|&text| text.into()).collect();
        key[..self.axes.len()].iter().all(|text| text.parse::<i64>().is_ok()).then(|| (cells[0].into(), key))
    }

    fn json_key(&self, line: &str) -> Option<(String, Key)> {
        let row: Value = serde_json::from_str(line).ok()?;
        let values = self.axes.iter().map(|axis| Some(row["settings"].get(axis)?.as_i64()?.to_string()));
        let mut key: Key = values.collect::<Option<_>>()?;
        key.push(row["policy"].as_str()?.into());
        Some((row["sweep"].as_str()?.into(), key))
    }

    /// Whether the file holds this point.
    pub fn has(&self, point: &Point) -> bool {
        self.known.contains(&key(point))
    }

    /// Adds a row.
    pub fn add(&mut self, row: &Row) -> Result<(), String> {
        let line = match self.format {
            Format::Csv => self.csv(row),
            Format::JsonLines => self.json(row),
        };
        self.known.insert(key(&row.point));
        self.write(&line)
    }

    fn csv(&self, row: &Row) -> String {
        let value = |(measure, value): (&Measure, &Option<u64>)| match (value, measure.unit.as_str()) {
            (None, _) => String::new(),
            (Some(value), "milli") => format!("{}.{:03}", value / 1000, value % 1000),
            (Some(value), _) => value.to_string(),
        };
        let first = [self.id.clone()].into_iter().chain(key(&row.point)).chain([format!("{:016x}", row.digest)]);
        let cells: Vec<String> = first.chain(self.measures.iter().zip(&row.values).map(value)).collect();
        format!("{}\n", cells.join(","))
    }

    fn json(&self, row: &Row) -> String {
        let settings: Map<String, Value> =
            self.axes.iter().zip(&row.point.values).map(|(axis, value)| (axis.clone(), json!(value))).collect();
        let number = |(measure, value): (&Measure, &Option<u64>)| {
            let value = match (value, measure.unit.as_str()) {
                (Some(value), "milli") => json!(*value as f64 / 1000.0),
                (value, _) => json!(value),
            };
            (measure.key.clone(), value)
        };
        let values: Map<String, Value> = self.measures.iter().zip(&row.values).map(number).collect();
        let line = json!({"sweep": self.id, "settings": settings, "policy": row.point.policy,
            "digest": format!("{:016x}", row.digest), "values": values});
        format!("{line}\n")
    }

    fn write(&mut self, line: &str) -> Result<(), String> {
        self.file.write_all(line.as_bytes()).map_err(|error| format!("{}: {error}", self.path.display()))
    }
}

/// A column's name as a CSV cell; names of marks come from the scenario and may hold anything.
fn cell(text: &str) -> String {
    // Spreadsheets take such a cell for a formula.
    let guard = if text.starts_with(['=', '+', '-', '@']) { "'" } else { "" };
    if guard.is_empty() && !text.contains([',', '"', '\n', '\r']) {
        return text.into();
    }
    format!("\"{guard}{}\"", text.replace('"', "\"\""))
}
