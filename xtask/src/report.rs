//! What was checked, how it went, and the line that CI and people look for: `N passed, 0 failed`.

use crate::proc::{self, Outcome};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Outcome of one part of the suite.
#[derive(Default)]
pub struct Tally {
    /// Single checks that held.
    pub passed: u64,
    /// Single checks that did not.
    pub failed: u64,
    /// A few words for the summary.
    pub note: String,
}

impl Tally {
    /// One check that held.
    pub fn one(note: impl Into<String>) -> Self {
        Self { passed: 1, failed: 0, note: note.into() }
    }
}

struct Row {
    name: String,
    tally: Tally,
    time: Duration,
}

/// All parts so far.
#[derive(Default)]
pub struct Report {
    rows: Vec<Row>,
}

impl Report {
    /// Runs one part. An error counts as one failed check; the suite goes on, so that one run shows all problems.
    pub fn check(&mut self, name: &str, work: impl FnOnce() -> Outcome<Tally>) {
        println!("\n\u{2500}\u{2500} {name}");
        let start = Instant::now();
        let tally = work().unwrap_or_else(|sentence| {
            println!("{sentence}");
            let first = sentence.lines().next().unwrap_or_default().to_string();
            Tally { passed: 0, failed: 1, note: first }
        });
        let time = start.elapsed();
        println!("{} in {}", verdict(&tally), proc::seconds(time));
        self.rows.push(Row { name: name.to_string(), tally, time });
    }

    /// Prints the summary and the final line.
    pub fn finish(self) -> ExitCode {
        println!("\n\u{2500}\u{2500} summary");
        for row in &self.rows {
            let verdict = verdict(&row.tally);
            println!("{:<34} {:>24} {:>9}  {}", row.name, verdict, proc::seconds(row.time), row.tally.note);
        }
        let passed: u64 = self.rows.iter().map(|row| row.tally.passed).sum();
        let failed: u64 = self.rows.iter().map(|row| row.tally.failed).sum();
        println!("\n{passed} passed, {failed} failed");
        if failed == 0 && passed > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

fn verdict(tally: &Tally) -> String {
    if tally.failed == 0 {
        format!("{} passed", tally.passed)
    } else {
        format!("{} FAILED, {} passed", tally.failed, tally.passed)
    }
}
