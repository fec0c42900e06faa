//! The five mailing-list posts that this program began with, as data: what was claimed, on which machine, every
//! published figure, and for each figure the scenario that reproduces it.
//!
//! Nothing here knows an answer: a cell's scenario is built from the machine profile, the benchmark's steps and the
//! kernel's scheduler, and its value is measured from the run ([`run`]). Published figures are used to compare
//! ([`report`]) and, where a figure is marked as calibrated, to set one number of a machine or of a benchmark.
//! Figures are integers in thousandths of the table's unit. Source: `spec/seed-machines.md`, which quotes the posts.

mod builds;
mod lmbench;
mod post_000;
mod post_001;
mod post_002;
mod post_003;
mod post_004;
pub mod report;
pub mod run;
pub mod strip;
#[cfg(test)]
mod tests;

use crate::machine::profile;
use crate::scenario::builtins;
use crate::scenario::schema::{Lane, Machine, Scenario, Workload};
use crate::units::Nanos;
use run::Finished;

/// All posts, oldest number first; one line per post.
pub static POSTS: &[&Post] = &[&post_000::POST, &post_001::POST, &post_002::POST, &post_003::POST, &post_004::POST];

/// The post with this key.
pub fn find(key: &str) -> Option<&'static Post> {
    POSTS.iter().copied().find(|post| post.key == key)
}

/// A post.
#[derive(Debug)]
pub struct Post {
    /// "000" to "004"; goes into links and file names: never rename.
    pub key: &'static str,
    /// Title.
    pub title: &'static str,
    /// Author.
    pub who: &'static str,
    /// Date, as precisely as it is known.
    pub when: &'static str,
    /// What was claimed, one sentence.
    pub claim: &'static str,
    /// Profile of the machine ([`profile::find`]).
    pub machine: &'static str,
    /// What explains the numbers, three sentences.
    pub explains: [&'static str; 3],
    /// What is not reproduced, and why.
    pub not_reproduced: &'static str,
    /// Numbers of the machine, or of the benchmark on it, that were set so that a published figure comes out: two at most.
    pub calibrated: &'static [Calibrated],
    /// The other numbers of machine and benchmark with their sources, a sentence each: hardware, the benchmark's own
    /// source, or what we chose where nothing is known.
    pub sources: &'static [&'static str],
    /// Published tables.
    pub tables: &'static [Table],
}

/// A number that was fitted.
#[derive(Debug)]
pub struct Calibrated {
    /// What it is, with its value.
    pub what: &'static str,
    /// The published figure that it was fitted to.
    pub to: &'static str,
}

/// A published table: rows are loads, columns are kernels.
#[derive(Debug)]
pub struct Table {
    /// Key within the post: never rename.
    pub key: &'static str,
    /// Title.
    pub title: &'static str,
    /// Unit of all figures.
    pub unit: &'static str,
    /// What the rows' numbers are (for an axis): "hogs", "clients"; empty = rows are names.
    pub row_unit: &'static str,
    /// More is better.
    pub higher_is_better: bool,
    /// Rows.
    pub rows: &'static [Row],
    /// Columns.
    pub columns: &'static [Column],
    /// Figures by row, then column.
    pub figures: &'static [&'static [Figure]],
    /// Differences up to this part of a figure, 1/1000, are noise even where a single run was published.
    pub noise_permille: u64,
    /// Where [`Table::noise_permille`] comes from.
    pub noise_source: &'static str,
    /// How a figure is simulated.
    pub method: Method,
    /// What the table looks like; holds for the published figures and should hold for ours.
    pub shapes: &'static [Shape],
}

/// A row.
#[derive(Debug)]
pub struct Row {
    /// Key within the table: never rename.
    pub key: &'static str,
    /// Label.
    pub label: &'static str,
    /// The row's number: hogs, clients, percent.
    pub x: u64,
}

/// A column: a kernel and what stands for it here.
#[derive(Debug)]
pub struct Column {
    /// Key within the table: never rename.
    pub key: &'static str,
    /// The kernel's name as published.
    pub label: &'static str,
    /// Key of the policy that is that kernel's scheduler.
    pub policy: &'static str,
    /// Tunables that differ from their default.
    pub tunables: &'static [(&'static str, i64)],
    /// Task group that the benchmark was run in; empty = the root.
    pub group: &'static str,
}

/// A published figure.
#[derive(Clone, Copy, Debug)]
pub struct Figure {
    /// Every published run, thousandths of the unit; empty = this cell was not published.
    pub runs: &'static [u64],
    /// A number of the machine or of the benchmark was set so that this figure comes out.
    pub calibrated: bool,
}

/// A figure that is predicted.
const fn p(runs: &'static [u64]) -> Figure {
    Figure { runs, calibrated: false }
}

/// A figure to which something was fitted.
const fn c(runs: &'static [u64]) -> Figure {
    Figure { runs, calibrated: true }
}

impl Figure {
    /// Mean of the runs, rounded; `None` if nothing was published.
    pub fn mean(&self) -> Option<u64> {
        mean(self.runs)
    }
}

/// Rounded mean; `None` of nothing.
pub fn mean(runs: &[u64]) -> Option<u64> {
    let n = runs.len() as u64;
    (n > 0).then(|| (runs.iter().sum::<u64>() + n / 2) / n)
}

/// Largest difference between two of the runs.
pub fn spread(runs: impl Iterator<Item = u64> + Clone) -> u64 {
    runs.clone().max().unwrap_or(0) - runs.min().unwrap_or(0)
}

/// How a figure of a table is simulated.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    /// The scenario of a cell, without title and with any seed: [`Cell::scenario`] sets both. Cells of a post that have
    /// equal scenarios share one run.
    pub scenario: fn(Cell) -> Scenario,
    /// What happens before this time is not measured, ns.
    pub warm_up_ns: Nanos,
    /// Length of the strip of time that is shown of a run, ns; it begins after the warm-up ([`strip`]).
    pub strip_ns: Nanos,
    /// The figure, in thousandths of the unit, from the finished run; `None` if the run was too short to tell.
    pub measure: fn(Cell, &Finished<'_>) -> Option<u64>,
}

/// A statement about the form of a table.
#[derive(Debug)]
pub struct Shape {
    /// The statement: "2.5.2-pre9 grows with every ten hogs".
    pub claim: &'static str,
    /// Whether these values have that form.
    pub holds: fn(&Values<'_>) -> bool,
}

/// Values of a table for [`Shape::holds`]: published means, or ours.
pub struct Values<'v> {
    /// Value of (row, column), thousandths.
    pub get: &'v dyn Fn(usize, usize) -> Option<u64>,
    /// Number of rows.
    pub rows: usize,
}

impl Values<'_> {
    /// Column `column` from top to bottom, without holes.
    pub fn column(&self, column: usize) -> Vec<u64> {
        (0..self.rows).filter_map(|row| (self.get)(row, column)).collect()
    }

    /// Largest value of a column is at most `permille` of the smallest.
    pub fn is_flat(&self, column: usize, permille: u64) -> bool {
        let values = self.column(column);
        match (values.iter().min(), values.iter().max()) {
            (Some(min), Some(max)) => max * 1000 <= min * permille,
            _ => false,
        }
    }

    /// Each value of a column is larger than the one above.
    pub fn grows(&self, column: usize) -> bool {
        let values = self.column(column);
        values.len() > 1 && values.is_sorted_by(|a, b| a < b)
    }
}

/// A place in a table.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    /// The post.
    pub post: &'static Post,
    /// The table.
    pub table: &'static Table,
    /// Index of the row.
    pub row: usize,
    /// Index of the column.
    pub column: usize,
}

impl Cell {
    /// The row.
    pub fn row(&self) -> &'static Row {
        &self.table.rows[self.row]
    }

    /// The column.
    pub fn column(&self) -> &'static Column {
        &self.table.columns[self.column]
    }

    /// The published figure.
    pub fn figure(&self) -> &'static Figure {
        &self.table.figures[self.row][self.column]
    }

    /// "Post 000, lat_ctx, 10 hogs, 2.5.2-pre9".
    pub fn title(&self) -> String {
        let (row, column) = (self.row().label, self.column().label);
        format!("Post {}, {}: {row}, {column}", self.post.key, self.table.title)
    }

    /// "Post 000, lat_ctx: 10 hogs": with several kernels side by side.
    pub fn title_of_row(&self) -> String {
        let row = self.row().label;
        format!("Post {}, {}: {row}", self.post.key, self.table.title)
    }

    /// The very scenario that is run for this figure; the page opens it.
    pub fn scenario(&self, seed: u64) -> Scenario {
        Scenario { title: self.title(), seed, ..(self.table.method.scenario)(*self) }
    }

    /// A scenario on the post's machine with this column's kernel, for [`Method::scenario`].
    fn on_machine(&self, duration_ns: Nanos, workloads: Vec<Workload>) -> Scenario {
        let column = self.column();
        let profile = profile::find(self.post.machine).expect("a test looks every post's machine up");
        let tunables = column.tunables.iter().map(|&(key, value)| (key.into(), value)).collect();
        let groups = if column.group.is_empty() { vec![] } else { vec![builtins::group(column.group, 1024)] };
        Scenario {
            groups,
            machine: Machine::of(profile),
            lanes: vec![Lane { tunables, ..Lane::of(column.policy) }],
            ..builtins::scenario(1, 1000, column.policy, duration_ns, workloads)
        }
    }
}

impl Post {
    /// Cells with a published figure, table by table, row by row.
    pub fn cells(&'static self) -> Vec<Cell> {
        let mut cells = Vec::new();
        for table in self.tables {
            for row in 0..table.rows.len() {
                for column in 0..table.columns.len() {
                    let cell = Cell { post: self, table, row, column };
                    if !cell.figure().runs.is_empty() {
                        cells.push(cell);
                    }
                }
            }
        }
        cells
    }

    /// The table with this key.
    pub fn table(&self, key: &str) -> Option<&'static Table> {
        self.tables.iter().find(|table| table.key == key)
    }
}
