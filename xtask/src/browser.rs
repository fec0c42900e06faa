//! Real Chromium, driven by the Node scripts in tests/e2e: journeys, pictures, Lighthouse.

use crate::proc::{self, Outcome, Profile};
use crate::report::Tally;
use crate::{npm, page, serve, suite, tools, wasm_equal};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// All journeys together; a single one has a shorter limit of its own in the script.
const JOURNEYS_LIMIT: Duration = Duration::from_secs(12 * 60);

/// Programs that will do, best first.
const CHROMIUM: &[&str] = &["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/// Finds Chromium (`$CHROME_PATH` first); installs it and its driver with apt when there is none.
pub fn set_up() -> Outcome<PathBuf> {
    if let Some(chromium) = find() {
        return Ok(chromium);
    }
    tools::apt_install(&["chromium", "chromium-driver"], "the browser tests")?;
    find().ok_or_else(|| "apt-get installed Chromium but no chromium is on the PATH".to_string())
}

fn find() -> Option<PathBuf> {
    let chosen = std::env::var_os("CHROME_PATH").map(PathBuf::from);
    let on_path = || {
        let folders: Vec<PathBuf> = std::env::var_os("PATH").iter().flat_map(std::env::split_paths).collect();
        let files = CHROMIUM.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
        files.into_iter().find(|file| file.is_file())
    };
    chosen.filter(|file| file.is_file()).or_else(on_path)
}

/// Journeys of tests/e2e/journeys against the built page. Those that only measure are left out after `patience`.
pub fn journeys(chromium: &Path, patience: Duration) -> Outcome<Tally> {
    let shim = wasm_equal::build_shim(Profile::Dev)?;
    let served = serve::start(0, &page::dist(), &[("/__test/shim.wasm", &shim)])?;
    let mut node = node("run.mjs", chromium, &served.address);
    node.env("SCHEDSCOPE_PATIENCE_MS", patience.as_millis().to_string());
    node.env("SCHEDSCOPE_CLI", suite::cli()?).env("SCHEDSCOPE_CASES", wasm_equal::native_cases(Profile::Dev)?);
    tally_of("journeys", &mut node, JOURNEYS_LIMIT)
}

/// Pictures of the main views into target/shots.
pub fn shots(chromium: &Path) -> Outcome<Tally> {
    let served = serve::start_at(0)?;
    tally_of("screenshots", &mut node("shots.mjs", chromium, &served.address), Duration::from_secs(5 * 60))
}

/// `cargo xtask shots`.
pub fn shots_command() -> Outcome<()> {
    npm::set_up_tests()?;
    let chromium = set_up()?;
    page::build()?;
    let tally = shots(&chromium)?;
    if tally.failed == 0 { Ok(()) } else { Err(format!("{} pictures could not be taken", tally.failed)) }
}

/// Lighthouse's figures, and the table of all measured numbers. They depend on the machine, so they are told, never
/// judged.
pub fn lighthouse(chromium: &Path) -> Outcome<Tally> {
    let served = serve::start_at(0)?;
    let mut node = node("lighthouse.mjs", chromium, &served.address);
    let first_load = page::first_load_bytes(&page::build()?) as f64 / 1024.0;
    node.env("SCHEDSCOPE_FIRST_LOAD_KIB", format!("{first_load:.1}"));
    let run = proc::stream(&mut node, "Lighthouse", Duration::from_secs(4 * 60), |_| true)?;
    let note = run.lines.last().cloned().unwrap_or_else(|| "Lighthouse gave no figures".to_string());
    Ok(Tally::one(note))
}

fn node(script: &str, chromium: &Path, address: &str) -> Command {
    let mut node = proc::command("node");
    node.arg(npm::e2e_dir().join(script))
        .env("SCHEDSCOPE_URL", address)
        .env("SCHEDSCOPE_TOOLS", tools::dir())
        .env("SCHEDSCOPE_SHOTS", proc::target_dir().join("shots"))
        .env("SCHEDSCOPE_NUMBERS", proc::target_dir().join("xtask/numbers.json"))
        .env("CHROME_PATH", chromium);
    node
}

/// Counts the lines `ok NAME` and `FAIL NAME` that every script prints.
fn tally_of(what: &str, node: &mut Command, limit: Duration) -> Outcome<Tally> {
    let run = proc::stream(node, what, limit, |_| true)?;
    let count = |word: &str| run.lines.iter().filter(|line| line.starts_with(word)).count() as u64;
    let mut tally = Tally { passed: count("ok "), failed: count("FAIL "), note: String::new() };
    if let Some(sentence) = run.stopped {
        tally = Tally { failed: tally.failed + 1, note: sentence, ..tally };
    } else if tally.failed == 0 && (!run.success || tally.passed == 0) {
        return Err(format!("{what}: the script broke off"));
    }
    Ok(tally)
}
