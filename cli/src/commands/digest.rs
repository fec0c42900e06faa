//! `schedscope digest`: one line by which two machines can check that they saw the same schedule.

use super::{Outcome, print_json};
use crate::input;
use serde_json::json;
use std::process::ExitCode;

/// Print policy, events, simulated time and digest of a run
///
/// Example: schedscope digest lat-ctx
#[derive(clap::Args)]
pub struct Args {
    /// Scenario file, link, built-in key, or - for standard input
    scenario: String,
    /// Run this policy instead of the scenario's lanes
    #[arg(long)]
    policy: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Outcome {
    let scenario = input::with_policies(input::scenario(&args.scenario)?, args.policy.as_slice());
    let mut rows = Vec::new();
    for index in 0..scenario.lanes.len() {
        let (lane, compiled) = input::finish(&scenario, index)?;
        let (key, events, digest) = (compiled.entry.info.key, lane.events(), lane.kernel().digest());
        if args.json {
            let digest = format!("{digest:016x}");
            rows.push(json!({"policy": key, "events": events, "simulated_ns": lane.front(), "digest": digest}));
        } else {
            println!("{key} {events} {} {digest:016x}", lane.front());
        }
    }
    if args.json { print_json(&json!({ "digests": rows })) } else { Ok(ExitCode::SUCCESS) }
}
