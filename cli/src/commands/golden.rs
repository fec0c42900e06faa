//! `schedscope golden`: replays recorded schedules.

use super::Outcome;
use serde_json::{Value, json};
use sim_core::scenario::golden::{Golden, Replay};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Replay schedules recorded from real kernels and compare switch by switch
///
/// Example: schedscope golden tests/golden/o1
#[derive(clap::Args)]
pub struct Args {
    /// Golden files or folders of them
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Run this policy whatever kernel a file names
    #[arg(long)]
    policy: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

enum Status {
    Ran { policy: &'static str, replay: Replay, smp: bool },
    Unsupported(String),
}

/// Runs the command. Exit status 0 only if every file is exact.
pub fn run(args: &Args) -> Outcome {
    let mut files = Vec::new();
    for path in &args.paths {
        collect(path, &mut files)?;
    }
    if files.is_empty() {
        return Err("no .json file in the given paths".into());
    }
    let mut rows = Vec::new();
    let mut exact = 0;
    for file in &files {
        let status = replay(file, args.policy.as_deref())?;
        exact += usize::from(matches!(&status, Status::Ran { replay, .. } if replay.first_difference.is_none()));
        if args.json {
            rows.push(row(file, &status));
        } else {
            print(file, &status);
        }
    }
    if args.json {
        println!("{}", json!({"files": rows, "exact": exact, "total": files.len()}));
    } else {
        println!("{exact} of {} exact", files.len());
    }
    Ok(if exact == files.len() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    if !path.is_dir() {
        files.push(path.to_path_buf());
        return Ok(());
    }
    let entries = std::fs::read_dir(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut inside: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    inside.sort();
    for entry in inside {
        if entry.is_dir() {
            collect(&entry, files)?;
        } else if entry.extension().is_some_and(|extension| extension == "json") {
            files.push(entry);
        }
    }
    Ok(())
}

fn replay(file: &Path, policy: Option<&str>) -> Result<Status, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(match Golden::parse(&text, policy) {
        Ok(golden) => {
            let smp = golden.cpus() > 1;
            Status::Ran { policy: golden.entry.info.key, replay: golden.replay(), smp }
        }
        Err(error) => Status::Unsupported(error),
    })
}

fn row(file: &Path, status: &Status) -> Value {
    let path = file.display().to_string();
    match status {
        Status::Unsupported(error) => json!({"path": path, "policy": null, "status": "unsupported", "error": error,
            "switches_matched": 0, "switches_total": 0, "first_difference": null, "runtime_error_pct": null}),
        Status::Ran { policy, replay, .. } => {
            let difference = replay.first_difference.as_ref();
            json!({"path": path, "policy": policy, "status": if difference.is_none() { "exact" } else { "differs" },
                "switches_matched": replay.switches_matched, "switches_total": replay.switches_total,
                "first_difference": difference.map(|d| json!({"t_ns": d.t_ns, "cpu": d.cpu, "expected": d.expected,
                    "got": d.got})),
                "runtime_error_pct": replay.runtime_error_permille as f64 / 10.0})
        }
    }
}

fn print(file: &Path, status: &Status) {
    let name = file.display();
    match status {
        Status::Unsupported(error) => println!("{name}: not replayed: {error}"),
        Status::Ran { policy, replay, smp } => match &replay.first_difference {
            None => println!("{name}: exact ({policy}, {} switches)", replay.switches_total),
            Some(d) => {
                let error = if *smp {
                    format!(
                        "; run times off by up to {}.{} %",
                        replay.runtime_error_permille / 10,
                        replay.runtime_error_permille % 10
                    )
                } else {
                    String::new()
                };
                println!(
                    "{name}: differs ({policy}, {} of {} switches) at {} ns on cpu {}: expected {}; got {}{error}",
                    replay.switches_matched, replay.switches_total, d.t_ns, d.cpu, d.expected, d.got
                );
            }
        },
    }
}
