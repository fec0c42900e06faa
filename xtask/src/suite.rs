//! `cargo xtask test`: everything that must hold before a change lands, in the order of how fast it tells.

use crate::proc::{self, Outcome, Profile};
use crate::report::{Report, Tally};
use crate::{browser, npm, page, serve, tidy, tools, wasm_equal};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// A test run that takes longer than this hangs.
const TESTS_LIMIT: Duration = Duration::from_secs(25 * 60);

/// After this, pictures and figures that judge nothing are left out.
const PATIENCE: Duration = Duration::from_secs(9 * 60);

/// Package of the page.
const PAGE_PACKAGE: &str = "schedscope";

/// `cargo xtask test`.
pub fn command() -> Outcome<ExitCode> {
    println!("\u{2500}\u{2500} set-up (tools in {})", tools::dir().display());
    tools::set_up_build()?;
    npm::set_up_tests()?;
    let chromium = browser::set_up()?;

    let start = Instant::now();
    let mut report = Report::default();
    report.check("format", || lint(&["fmt", "--all", "--", "--check"], "rustfmt"));
    report.check("clippy, native", || {
        lint(&["clippy", "-q", "--workspace", "--all-targets", "--", "-D", "warnings"], "clippy")
    });
    report.check("clippy, wasm", clippy_wasm);
    report.check("source rules", check_sources);
    report.check("unit and property tests", cargo_tests);
    report.check("recorded kernel schedules", golden);
    report.check("tables of the five posts", posts);
    report.check("native = wasm in Node", wasm_equal::check);
    report.check("page build", build_page);
    report.check("journeys in Chromium", || browser::journeys(&chromium, PATIENCE.saturating_sub(start.elapsed())));
    // What judges nothing gives way on a slow machine: `cargo xtask shots` and `numbers` do the same at any time.
    for (name, look) in
        [("screenshots", browser::shots as fn(&Path) -> Outcome<Tally>), ("measured numbers", browser::lighthouse)]
    {
        if start.elapsed() < PATIENCE {
            report.check(name, || look(&chromium));
        } else {
            println!("\n\u{2500}\u{2500} {name}: left out, the run has taken {}", proc::seconds(start.elapsed()));
        }
    }
    Ok(report.finish())
}

/// `cargo xtask numbers`: the figures that README and notes quote; none of them can fail.
pub fn numbers_command() -> Outcome<()> {
    npm::set_up_tests()?;
    let chromium = browser::set_up()?;
    page::print_sizes(&page::build()?);
    wasm_equal::print_speed()?;
    browser::lighthouse(&chromium).map(|_| ())
}

fn lint(arguments: &[&str], what: &str) -> Outcome<Tally> {
    proc::run(proc::cargo().args(arguments), what).map(|()| Tally::one("clean"))
}

fn clippy_wasm() -> Outcome<Tally> {
    let target = ["--target", "wasm32-unknown-unknown", "--lib", "--bins", "--", "-D", "warnings"];
    lint(&[&["clippy", "-q", "-p", PAGE_PACKAGE], &target[..]].concat(), "clippy")
}

fn check_sources() -> Outcome<Tally> {
    let findings = tidy::check()?;
    if findings.is_empty() { Ok(Tally::one("clean")) } else { Err(findings.join("\n")) }
}

/// All Rust tests of the workspace, the bounded fuzz runs among them. Single passed tests are not shown.
fn cargo_tests() -> Outcome<Tally> {
    let mut cargo = proc::cargo();
    cargo.args(["test", "--workspace", "--no-fail-fast", "--color", "never"]);
    let shown = |line: &str| !line.ends_with("... ok") && !line.trim().is_empty() && !line.starts_with("running 0");
    let run = proc::stream(&mut cargo, "cargo test", TESTS_LIMIT, shown)?;
    let mut tally = Tally::default();
    for line in run.lines.iter().filter_map(|line| line.trim().strip_prefix("test result:")) {
        tally.passed += number_before(line, " passed");
        tally.failed += number_before(line, " failed");
    }
    if !run.success && tally.failed == 0 {
        return Err(run.stopped.unwrap_or_else(|| "the tests could not be built or broke off".to_string()));
    }
    Ok(tally)
}

/// The number that stands right before `word`.
fn number_before(line: &str, word: &str) -> u64 {
    let before = line.find(word).map_or("", |at| &line[..at]);
    before.rsplit(|letter: char| !letter.is_ascii_digit()).next().and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

/// The command line program, built when needed.
pub fn cli() -> Outcome<PathBuf> {
    proc::run(&mut Profile::Dev.build(&["-p", "schedscope-cli"]), "building the command line")?;
    Ok(Profile::Dev.program("schedscope"))
}

/// The JSON that a command of the command line prints.
fn answer(command: &mut Command, what: &str) -> Outcome<Value> {
    let output = command.output().map_err(|error| format!("{what}: {error}"))?;
    serde_json::from_slice(&output.stdout)
        .map_err(|_| format!("{what} gave no JSON: {}", String::from_utf8_lossy(&output.stderr).trim()))
}

/// Part of the posts' figures that must lie within 10 %, percent.
const FIGURES_PERCENT_MIN: u64 = 95;

/// Part of the published orderings that must be kept, percent. The aim is 95; what mechanism does not explain is named by
/// each post, and this guards what it does.
const ORDERINGS_PERCENT_MIN: u64 = 85;

/// The tables of the posts.
fn posts() -> Outcome<Tally> {
    let answer = answer(Command::new(cli()?).arg("replicate").arg("--json"), "replicate")?;
    let number = |key: &str| answer["summary"][key].as_u64().unwrap_or(0);
    let (rows, within_10, orderings, kept) = (number("rows"), number("within_10"), number("orderings"), number("kept"));
    let holds = [
        rows > 0 && within_10 * 100 >= rows * FIGURES_PERCENT_MIN,
        orderings > 0 && kept * 100 >= orderings * ORDERINGS_PERCENT_MIN,
    ];
    let passed = holds.iter().filter(|holds| **holds).count() as u64;
    let note = format!("{within_10} of {rows} figures within 10 %, {kept} of {orderings} orderings kept");
    Ok(Tally { passed, failed: holds.len() as u64 - passed, note })
}

/// Every recorded schedule below tests/golden must be reproduced exactly.
fn golden() -> Outcome<Tally> {
    let folder = proc::root().join("tests/golden");
    // Exit status 1 means "not all exact"; the JSON is there all the same.
    let answer = answer(Command::new(cli()?).arg("golden").arg(&folder).arg("--json"), "golden")?;
    let files = answer["files"].as_array().ok_or("golden's JSON has no `files`")?;
    for file in files.iter().filter(|file| file["status"] != "exact") {
        println!("{}: {} {}", file["path"], file["status"], file["first_difference"]);
    }
    let (exact, total) = (answer["exact"].as_u64().unwrap_or(0), answer["total"].as_u64().unwrap_or(0));
    let mut tally =
        Tally { passed: exact, failed: total - exact.min(total), note: format!("{exact} of {total} exact") };
    if total == 0 {
        tally = Tally { failed: 1, note: "no recorded schedule found".to_string(), ..tally };
    }
    Ok(tally)
}

fn build_page() -> Outcome<Tally> {
    let sizes = page::build()?;
    let total = page::first_load_bytes(&sizes);
    // The set of files is complete when a server can start on it.
    serve::start_at(0)?;
    Ok(Tally::one(format!("first load {:.1} KiB with brotli", total as f64 / 1024.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_from_cargo_s_lines() {
        let line = " ok. 12 passed; 3 failed; 0 ignored";
        assert_eq!((number_before(line, " passed"), number_before(line, " failed")), (12, 3));
        assert_eq!(number_before("nothing", " passed"), 0);
    }
}
