//! `schedscope import`: a file of another program as a scenario.

use super::{Outcome, print_json};
use crate::input;
use serde_json::{Value, json};
use sim_core::interchange::import;
use sim_core::scenario;
use std::process::ExitCode;

/// Turn a recorded trace or a workload of another program into a scenario
///
/// Reads ftrace and trace-cmd text, perf script, systrace pages, SchedViz rows, rt-app workloads, process tables and
/// OSTEP job lists; what it is, the content says.
///
/// Example: schedscope import trace.txt > scenario.json
#[derive(clap::Args)]
pub struct Args {
    /// The file, or - for standard input
    file: String,
    /// Print JSON with the notes beside the scenario
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Outcome {
    let bytes = if args.file == "-" {
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut std::io::stdin().lock(), &mut bytes).map(|_| bytes)
    } else {
        std::fs::read(&args.file)
    };
    let bytes = bytes.map_err(|error| format!("{}: {error}", args.file))?;
    // Names of tasks may be any bytes.
    let text = String::from_utf8_lossy(&bytes);
    let (scenario, notes) =
        import::scenario(&text).map_err(|problems| format!("{}:\n  {}", args.file, input::sentences(&problems)))?;
    let value: Value = serde_json::from_str(&scenario::to_json(&scenario)).map_err(|error| error.to_string())?;
    if args.json {
        let notes: Vec<String> = notes.iter().map(|note| input::sentences(std::slice::from_ref(note))).collect();
        return print_json(&json!({"scenario": value, "notes": notes}));
    }
    for note in &notes {
        eprintln!("note: {}", input::sentences(std::slice::from_ref(note)));
    }
    println!("{}", serde_json::to_string_pretty(&value).map_err(|error| error.to_string())?);
    Ok(ExitCode::SUCCESS)
}
