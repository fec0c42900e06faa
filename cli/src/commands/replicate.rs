//! `schedscope replicate`: the published figures of the five posts beside ours.

use super::{Outcome, print_json};
use serde_json::{Value, json};
use sim_core::posts::report::{Compared, Report, Summary};
use sim_core::posts::run::{Job, Run, jobs};
use sim_core::posts::{self, Cell, POSTS, Post, Table};
use std::io::IsTerminal;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Instant;

/// Events between two looks at whether all is well.
const TURN_EVENTS: u64 = 1 << 20;

/// Simulate the tables of the five mailing-list posts and compare
///
/// Exit status 0 means that every figure could be simulated; how near they come is in the table.
///
/// Example: schedscope replicate 000
#[derive(clap::Args)]
pub struct Args {
    /// Post: 000, 001, 002, 003 or 004; all if left out
    post: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Runs of every figure, each with another seed; their mean is compared and their spread shown
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=100))]
    seeds: u64,
}

/// Runs the command.
pub fn run(args: &Args) -> Outcome {
    let chosen = chosen(args.post.as_deref())?;
    let figures = simulate(chosen.iter().flat_map(|post| jobs(post, args.seeds)).collect());
    let reports: Vec<Report> = chosen.iter().map(|post| Report::new(post, compared(post, &figures.found))).collect();
    let mut summary = Summary::default();
    for report in &reports {
        summary += report.summary();
    }
    if args.json {
        print_json(&json(&reports, summary))?;
    } else {
        reports.iter().for_each(print);
        print_sum(summary);
    }
    for failure in &figures.failed {
        eprintln!("schedscope: {failure}");
    }
    Ok(if figures.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn chosen(key: Option<&str>) -> Result<Vec<&'static Post>, String> {
    let Some(key) = key else { return Ok(POSTS.to_vec()) };
    let keys = || POSTS.iter().map(|post| post.key).collect::<Vec<_>>().join(", ");
    posts::find(key).map(|post| vec![post]).ok_or_else(|| format!("{key} is no post; there are {}", keys()))
}

/// What the runs gave.
#[derive(Default)]
struct Figures {
    /// A figure per cell and seed.
    found: Vec<(Cell, u64, u64)>,
    /// Sentences about runs that gave none.
    failed: Vec<String>,
}

/// Runs all jobs, one per CPU at a time, with progress on stderr.
fn simulate(jobs: Vec<Job>) -> Figures {
    let (next, started) = (AtomicUsize::new(0), Instant::now());
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(jobs.len());
    let (send, receive) = mpsc::channel();
    let mut figures = Figures::default();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (send, next, jobs) = (send.clone(), &next, &jobs);
            scope.spawn(move || {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if send.send((job, figures_of(job))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        for (done, (job, found)) in receive.iter().enumerate() {
            for (&cell, figure) in job.cells.iter().zip(found) {
                match figure {
                    Ok(figure) => figures.found.push((cell, job.seed, figure)),
                    Err(sentence) => figures.failed.push(sentence),
                }
            }
            progress(done + 1, jobs.len(), &job.cells[0], started);
        }
    });
    figures
}

fn figures_of(job: &Job) -> Vec<Result<u64, String>> {
    match Run::new(job.clone()) {
        Ok(mut run) => {
            while run.work(TURN_EVENTS) {}
            run.figures()
        }
        Err(sentence) => job.cells.iter().map(|_| Err(sentence.clone())).collect(),
    }
}

fn progress(done: usize, of: usize, cell: &Cell, started: Instant) {
    let seconds = started.elapsed().as_secs();
    if std::io::stderr().is_terminal() {
        eprint!("\r\x1b[K{done} of {of} runs, {seconds} s  {}", cell.title());
        if done == of {
            eprint!("\r\x1b[K");
        }
    } else if done == of || done * 10 / of != (done - 1) * 10 / of {
        eprintln!("{done} of {of} runs, {seconds} s");
    }
}

fn compared(post: &'static Post, found: &[(Cell, u64, u64)]) -> Vec<Compared> {
    let one = |cell: Cell| {
        let mut runs: Vec<(u64, u64)> = found
            .iter()
            .filter(|(other, ..)| {
                std::ptr::eq(other.table, cell.table) && (other.row, other.column) == (cell.row, cell.column)
            })
            .map(|&(_, seed, figure)| (seed, figure))
            .collect();
        runs.sort_unstable();
        Compared::new(cell, runs.into_iter().map(|(_, figure)| figure).collect())
    };
    post.cells().into_iter().filter_map(one).collect()
}

/// A figure in thousandths with the digits that it was published with, more or less.
fn number(milli: u64) -> String {
    match milli {
        0..100_000 => format!("{}.{:02}", (milli + 5) / 1000, (milli + 5) % 1000 / 10),
        _ => format!("{}.{}", (milli + 50) / 1000, (milli + 50) % 1000 / 100),
    }
}

fn percent(permille: i64) -> String {
    let sign = if permille < 0 { '-' } else { '+' };
    format!("{sign}{}.{} %", permille.abs() / 10, permille.abs() % 10)
}

fn runs_text(runs: &[u64]) -> String {
    match (runs.iter().min(), runs.iter().max()) {
        (Some(min), Some(max)) if runs.len() > 1 => format!("{}..{}", number(*min), number(*max)),
        _ => String::new(),
    }
}

fn print(report: &Report) {
    let post = report.post;
    println!("Post {}: {} ({}, {})\n{}", post.key, post.title, post.who, post.when, post.claim);
    for table in post.tables {
        println!("\n{}, {}", table.title, table.unit);
        println!(
            "{:<18} {:<28} {:>10} {:>10} {:>9}  {:<10} {:<16} ours",
            "row", "column", "published", "simulated", "error", "kind", "published runs"
        );
        for row in report.rows.iter().filter(|row| std::ptr::eq(row.cell.table, table)) {
            let mark = if row.is_within_10() { ' ' } else { '!' };
            let line = format!(
                "{:<18} {:<28} {:>10} {:>10} {:>8}{mark}  {:<10} {:<16} {}",
                row.cell.row().label,
                row.cell.column().label,
                number(row.published),
                number(row.simulated),
                percent(row.error_permille),
                row.kind(),
                runs_text(row.cell.figure().runs),
                runs_text(&row.runs)
            );
            println!("{}", line.trim_end());
        }
        print_orderings(report, table);
        for (_, shape, holds) in report.shapes.iter().filter(|(of, ..)| std::ptr::eq(*of, table)) {
            println!("{}: {}", if *holds { "shape holds" } else { "shape LOST" }, shape.claim);
        }
    }
    println!();
    for fitted in post.calibrated {
        println!("Fitted: {}, to {}", fitted.what, fitted.to);
    }
    for sentence in post.sources {
        println!("Source: {sentence}");
    }
    println!("Not reproduced: {}\n", post.not_reproduced);
}

/// How many orderings of each row are kept, and which are not.
fn print_orderings(report: &Report, table: &'static Table) {
    for (index, row) in table.rows.iter().enumerate() {
        let of_row = report.orderings.iter().filter(|(of, _)| std::ptr::eq(of.table, table) && of.row == index);
        let (kept, broken): (Vec<_>, Vec<_>) = of_row.partition(|(_, kept)| *kept);
        let all = kept.len() + broken.len();
        if all > 0 {
            println!("{}: {} of {all} orderings kept", row.label, kept.len());
        }
        for (ordering, _) in broken {
            let (a, b) = (table.columns[ordering.a].label, table.columns[ordering.b].label);
            println!("  broken: {a} below {b}");
        }
    }
}

fn print_sum(summary: Summary) {
    println!(
        "of the {} figures to which nothing was fitted, {} are within 10 %; shapes that hold: {} of {}",
        summary.predicted, summary.predicted_within_10, summary.shapes_hold, summary.shapes
    );
    println!(
        "rows within 10 %: {} of {}; orderings kept: {} of {}",
        summary.within_10, summary.rows, summary.kept, summary.orderings
    );
}

fn milli(value: u64) -> f64 {
    value as f64 / 1000.0
}

fn json(reports: &[Report], summary: Summary) -> Value {
    let row = |row: &Compared| {
        let (cell, all) = (row.cell, |runs: &[u64]| runs.iter().map(|&run| milli(run)).collect::<Vec<f64>>());
        json!({"post": cell.post.key, "table": cell.table.key, "row": cell.row().key, "column": cell.column().key,
            "unit": cell.table.unit, "published": milli(row.published), "simulated": milli(row.simulated),
            "error_pct": row.error_permille as f64 / 10.0, "kind": row.kind(),
            "published_runs": all(cell.figure().runs), "simulated_runs": all(&row.runs)})
    };
    let rows: Vec<Value> = reports.iter().flat_map(|report| report.rows.iter().map(row)).collect();
    let mut orderings = Vec::new();
    let mut shapes = Vec::new();
    for report in reports {
        for (ordering, kept) in &report.orderings {
            let table = ordering.table;
            orderings.push(json!({"post": report.post.key, "table": table.key, "row": table.rows[ordering.row].key,
                "a": table.columns[ordering.a].key, "b": table.columns[ordering.b].key, "kept": kept}));
        }
        for (table, shape, holds) in &report.shapes {
            shapes.push(json!({"post": report.post.key, "table": table.key, "claim": shape.claim, "holds": holds}));
        }
    }
    json!({"rows": rows, "orderings": orderings, "shapes": shapes,
        "summary": {"rows": summary.rows, "within_10": summary.within_10, "orderings": summary.orderings,
            "kept": summary.kept, "predicted": summary.predicted, "predicted_within_10": summary.predicted_within_10,
            "shapes": summary.shapes, "shapes_hold": summary.shapes_hold}})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_has_the_fields_that_scripts_rely_on() {
        let post = POSTS[0];
        let rows = post.cells().into_iter().filter_map(|cell| Compared::new(cell, vec![cell.figure().mean()?]));
        let report = Report::new(post, rows.collect());
        let summary = report.summary();
        let value = json(&[report], summary);
        let has = |value: &Value, keys: &[&str]| keys.iter().all(|key| value.get(key).is_some());
        let row = &value["rows"][0];
        assert!(has(row, &["post", "table", "row", "column", "unit", "published", "simulated", "error_pct", "kind"]));
        assert!(row["published"].is_f64() && row["error_pct"] == 0.0);
        assert!(has(&value["orderings"][0], &["post", "table", "row", "a", "b", "kept"]));
        assert_eq!(value["rows"].as_array().map(Vec::len), value["summary"]["rows"].as_u64().map(|n| n as usize));
        assert!(has(&value["summary"], &["rows", "within_10", "orderings", "kept"]));
    }

    #[test]
    fn numbers_keep_the_digits_that_matter() {
        assert_eq!(number(1_655), "1.66");
        assert_eq!(number(105_890), "105.9");
        assert_eq!(percent(-137), "-13.7 %");
        assert!(chosen(Some("9")).is_err_and(|error| error.contains("000")));
    }
}
