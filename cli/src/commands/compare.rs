//! `schedscope compare`: the same workload under several policies.

use super::{Outcome, print_json};
use crate::{input, output};
use serde_json::json;
use sim_core::engine::{self, compare::first_divergence};
use std::process::ExitCode;

/// Run one workload under several policies and compare the numbers
///
/// Example: schedscope compare interactive --policies o1-2.6.21,cfs-2.6.24,eevdf-6.12
#[derive(clap::Args)]
pub struct Args {
    /// Scenario file, link, built-in key, or - for standard input
    scenario: String,
    /// Two to four policy keys, comma separated
    #[arg(long, value_delimiter = ',', required = true)]
    policies: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Outcome {
    if !(2..=4).contains(&args.policies.len()) {
        return Err(format!("--policies takes two to four keys, not {}", args.policies.len()));
    }
    let scenario = input::with_policies(input::scenario(&args.scenario)?, &args.policies);
    let mut lanes = Vec::new();
    for lane in 0..args.policies.len() {
        lanes.push(input::finish(&scenario, lane)?);
    }
    let to = scenario.duration_ns;
    let summaries: Vec<_> = lanes.iter_mut().map(|(lane, _)| engine::summary(lane, 0, to)).collect();
    let divergences: Vec<_> = lanes[1..].iter().map(|(lane, _)| first_divergence(&lanes[0].0, lane)).collect();
    if args.json {
        let rows: Vec<_> = summaries
            .iter()
            .zip(&lanes)
            .map(|(summary, (_, compiled))| output::summary_json(compiled.entry.info.key, summary, compiled))
            .collect();
        let first: Vec<_> =
            divergences.iter().map(|found| found.map(|found| json!({"t_ns": found.at, "cpu": found.cpu}))).collect();
        return print_json(&json!({"lanes": rows, "first_divergence": first}));
    }
    let keys: Vec<&str> = lanes.iter().map(|(_, compiled)| compiled.entry.info.key).collect();
    output::print_comparison(&keys, &summaries, &lanes[0].1);
    for (found, key) in divergences.iter().zip(&args.policies[1..]) {
        match found {
            Some(found) => println!(
                "{key} first differs from {} at {} on cpu {}",
                args.policies[0],
                output::time(found.at),
                found.cpu
            ),
            None => println!("{key} gives the same schedule as {}", args.policies[0]),
        }
    }
    Ok(ExitCode::SUCCESS)
}
