//! Process tables of course exercises: one process per row, with or without a heading. One unit is 1 ms.

use super::{BATCH_RULES, Notes, around, lanes, program, refused, unique};
use crate::engine::protocol::Problem;
use crate::scenario::limits;
use crate::scenario::schema::Scenario;
use serde_json::json;
use std::collections::BTreeSet;

/// One unit, ns.
const UNIT_NS: u64 = 1_000_000;

/// A column that is understood.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Column {
    Id,
    Arrival,
    Burst,
    Priority,
    Other,
}

/// Heading words, without case, blanks, `_` and `-`.
const WORDS: [(Column, &[&str]); 4] = [
    (Column::Id, &["pid", "process", "processid", "id", "name", "job"]),
    (Column::Arrival, &["arrival", "arrive", "arrivaltime", "at", "start"]),
    (Column::Burst, &["burst", "bursttime", "bt", "processingtime", "cpu", "service", "servicetime", "runtime"]),
    (Column::Priority, &["priority", "prio", "pr", "nice"]),
];

fn column(word: &str) -> Column {
    let plain: String = word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    WORDS.iter().find(|(_, words)| words.contains(&plain.as_str())).map_or(Column::Other, |(column, _)| *column)
}

fn cells(line: &str) -> Vec<&str> {
    if let Some(separator) = [',', ';', '\t'].into_iter().find(|separator| line.contains(*separator)) {
        return line.split(separator).map(|cell| cell.trim().trim_matches('"')).collect();
    }
    line.split_whitespace().collect()
}

/// Reads a table.
pub fn scenario(text: &str, notes: &mut Notes) -> Result<Scenario, Vec<Problem>> {
    let lines =
        (1..).zip(text.lines()).map(|(number, line)| (number, line.split('#').next().unwrap_or_default().trim()));
    let rows: Vec<(usize, Vec<&str>)> =
        lines.filter(|(_, line)| !line.is_empty()).map(|(number, line)| (number, cells(line))).collect();
    let formats = "Known: scenario, lesson, ftrace, trace-cmd, perf script, systrace, SchedViz rows, rt-app, process table, job list";
    let Some((_, first)) = rows.first() else { return Err(refused("is empty", formats)) };
    let (columns, body) = if first.iter().any(|cell| column(cell) != Column::Other) {
        let columns: Vec<Column> = first.iter().map(|cell| column(cell)).collect();
        if columns.contains(&Column::Other) {
            notes.say("columns with results were passed over");
        }
        (columns, &rows[1..])
    } else {
        (guess(&rows).map_err(|message| refused(message, formats))?, &rows[..])
    };
    if !columns.contains(&Column::Burst) {
        return Err(refused("has no column of bursts", "Head one with: burst"));
    }
    let mut jobs: Vec<(String, u64, u64)> = Vec::new();
    for (number, row) in body {
        let find =
            |wanted: Column| columns.iter().position(|column| *column == wanted).and_then(|index| row.get(index));
        let whole = |cell: Option<&&str>, fallback: u64| match cell {
            None => Some(fallback),
            Some(cell) => cell.parse::<u64>().ok().filter(|value| *value < 1 << 40),
        };
        let id = find(Column::Id).map_or(format!("P{}", jobs.len() + 1), |id| (*id).to_string());
        match (whole(find(Column::Arrival), 0), whole(find(Column::Burst), u64::MAX)) {
            (Some(arrival), Some(burst)) if burst != u64::MAX => jobs.push((id, arrival, burst)),
            _ => notes.skip(*number, "arrival and burst should be whole numbers"),
        }
    }
    if jobs.is_empty() {
        return Err(refused("has no row that could be read", formats));
    }
    if columns.contains(&Column::Priority) {
        notes.say("priorities are not taken over: it is not standard whether a small number goes first");
    }
    if jobs.len() > limits::WORKLOADS_MAX {
        notes.say(format!("{} rows: the first {} by arrival were taken", jobs.len(), limits::WORKLOADS_MAX));
        jobs.sort_by_key(|(_, arrival, _)| *arrival);
        jobs.truncate(limits::WORKLOADS_MAX);
    }
    notes.say("one unit is 1 ms; there is one CPU; round robin has turns of 2 units");
    let end = jobs.iter().map(|job| job.1).max().unwrap_or(0) + jobs.iter().map(|job| job.2).sum::<u64>();
    let mut taken = BTreeSet::new();
    let workloads = jobs.into_iter().map(|(id, arrival, burst)| {
        let steps = vec![json!(["run", burst.saturating_mul(UNIT_NS)]), json!(["exit"])];
        program(unique(&id, &mut taken), arrival.saturating_mul(UNIT_NS), steps)
    });
    let workloads = workloads.collect();
    let lanes = lanes(&BATCH_RULES, &[("quantum", 2 * UNIT_NS)]);
    Ok(Scenario { lanes, ..around("Process table", end.saturating_add(1).saturating_mul(UNIT_NS), 1, workloads) })
}

/// Columns of a table without a heading.
fn guess(rows: &[(usize, Vec<&str>)]) -> Result<Vec<Column>, String> {
    let width = rows.iter().map(|(_, row)| row.len()).max().unwrap_or(0);
    let numbers = rows.iter().filter(|(_, row)| row.iter().skip(1).all(|cell| cell.parse::<u64>().is_ok())).count();
    if numbers * 2 < rows.len() || width < 2 {
        return Err("is none of the formats that are known".into());
    }
    let ids: BTreeSet<&str> = rows.iter().filter_map(|(_, row)| row.first().copied()).collect();
    match width {
        2 => Ok(vec![Column::Arrival, Column::Burst]),
        3 if ids.len() == rows.len() => Ok(vec![Column::Id, Column::Arrival, Column::Burst]),
        3 => {
            Err("has three columns without a heading, and the first is no number of processes: which is which?".into())
        }
        4 => Ok(vec![Column::Id, Column::Arrival, Column::Burst, Column::Priority]),
        _ => Err(format!("has {width} columns without a heading")),
    }
}
