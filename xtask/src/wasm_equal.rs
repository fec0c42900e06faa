//! The core compiled to WebAssembly must do, event for event, what it does natively. Cases: every built-in scenario
//! under every policy, a busy machine under every policy (it also tells the speeds), and the files in tests/digests.

use crate::proc::{self, Outcome, Profile};
use crate::report::Tally;
use crate::{npm, suite};
use serde_json::Value;
use std::fs::{self, File};
use std::path::PathBuf;

/// Builds the shim that gives the core to JavaScript; returns the module.
pub fn build_shim(profile: Profile) -> Outcome<PathBuf> {
    const TARGET: &str = "wasm32-unknown-unknown";
    let mut cargo = profile.build(&["-p", "wasm-shim", "--lib", "--target", TARGET]);
    proc::run(&mut cargo, "building the core for WebAssembly")?;
    Ok(profile.dir(TARGET).join("wasm_shim.wasm"))
}

/// Runs the cases natively and writes them, with scenarios and results, to a file for Node and Chromium.
pub fn native_cases(profile: Profile) -> Outcome<PathBuf> {
    let mut cargo = profile.build(&["-p", "wasm-shim", "--bin", "digest-cases"]);
    proc::run(&mut cargo, "building the core natively")?;
    let program = profile.program("digest-cases");
    let cases = proc::capture(proc::command(program).args(scenario_files()?), "the native run of the digest cases")?;
    let file = proc::target_dir().join("xtask/digest-cases.json");
    let folder = proc::target_dir().join("xtask");
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(&file, cases))
        .map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(file)
}

/// Scenario files of tests/digests, in order of their names.
fn scenario_files() -> Outcome<Vec<PathBuf>> {
    let folder = proc::root().join("tests/digests");
    let files = if folder.is_dir() { crate::compress::files_below(&folder)? } else { Vec::new() };
    Ok(files.into_iter().filter(|file| file.extension().is_some_and(|kind| kind == "json")).collect())
}

/// One case as both sides ran it.
struct Pair {
    name: String,
    scenario: String,
    native: String,
    wasm: String,
    /// `ended` where the run reached its end; every case of ours must.
    outcome: String,
    native_ms: f64,
    wasm_ms: f64,
}

/// Compares native and Node, and the command line's `digest` with both.
pub fn check() -> Outcome<Tally> {
    let pairs = pairs(Profile::Dev)?;
    let mut tally = Tally::default();
    for pair in &pairs {
        if pair.native == pair.wasm && pair.outcome == "ended" {
            tally.passed += 1;
        } else {
            tally.failed += 1;
            println!("{}: native {}, WebAssembly {}", pair.name, pair.native, pair.wasm);
        }
    }
    match pairs.first().map(command_line_agrees) {
        Some(Ok(())) => tally.passed += 1,
        Some(Err(sentence)) => {
            println!("{sentence}");
            tally.failed += 1;
        }
        None => return Err("there is no case to compare".to_string()),
    }
    Ok(tally)
}

/// `schedscope digest` on the same scenario must name the same digest.
fn command_line_agrees(pair: &Pair) -> Outcome<()> {
    let file = proc::target_dir().join("xtask/digest-case.json");
    fs::write(&file, &pair.scenario).map_err(|error| format!("{}: {error}", file.display()))?;
    let line = proc::capture(proc::command(suite::cli()?).arg("digest").arg(&file), "schedscope digest")?;
    let digest = pair.native.split_whitespace().last().unwrap_or_default();
    if line.contains(digest) { Ok(()) } else { Err(format!("schedscope digest says {}, not {digest}", line.trim())) }
}

fn pairs(profile: Profile) -> Outcome<Vec<Pair>> {
    let cases_file = native_cases(profile)?;
    let input = File::open(&cases_file).map_err(|error| format!("{}: {error}", cases_file.display()))?;
    let mut node = proc::command("node");
    node.arg(npm::e2e_dir().join("digests.mjs")).arg(build_shim(profile)?).stdin(input);
    let answer = proc::capture(&mut node, "Node")?;
    let read = |text: &str| serde_json::from_str::<Vec<Value>>(text).map_err(|error| format!("digest cases: {error}"));
    let native = read(&fs::read_to_string(&cases_file).map_err(|error| format!("{}: {error}", cases_file.display()))?)?;
    let wasm = read(&answer)?;
    if native.len() != wasm.len() {
        return Err(format!("{} native cases but {} in WebAssembly", native.len(), wasm.len()));
    }
    Ok(native.iter().zip(&wasm).map(|(native, wasm)| pair(native, wasm)).collect())
}

fn pair(native: &Value, wasm: &Value) -> Pair {
    let text = |value: &Value, field: &str| value[field].as_str().unwrap_or_default().to_string();
    Pair {
        name: text(native, "name"),
        scenario: text(native, "scenario"),
        native: text(native, "line"),
        wasm: text(wasm, "line"),
        outcome: text(native, "outcome"),
        native_ms: native["ms"].as_f64().unwrap_or(0.0),
        wasm_ms: wasm["ms"].as_f64().unwrap_or(0.0),
    }
}

/// Name of the cases that are long enough to time.
const BUSY: &str = "busy ";

/// Table of the speeds per policy. An event is an entry taken from the event queue.
pub fn print_speed() -> Outcome<()> {
    println!("  {:<28} {:>16} {:>16} {:>8}", "busy machine, events/s", "native", "WebAssembly", "ratio");
    for pair in pairs(Profile::Release)?.iter().filter(|pair| pair.name.starts_with(BUSY)) {
        let events: f64 = pair.native.split_whitespace().nth(1).and_then(|count| count.parse().ok()).unwrap_or(0.0);
        let millions = |ms: f64| format!("{:.2} M", events / ms / 1e3);
        let ratio = format!("{:.0} %", 100.0 * pair.native_ms / pair.wasm_ms);
        let key = pair.name.trim_start_matches(BUSY);
        println!("  {key:<28} {:>16} {:>16} {ratio:>8}", millions(pair.native_ms), millions(pair.wasm_ms));
    }
    Ok(())
}
