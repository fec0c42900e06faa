//! `schedscope run`: one policy, to the end, with its numbers.

use super::{Outcome, export, print_json};
use crate::{input, output};
use clap::ValueEnum;
use sim_core::engine;
use sim_core::interchange::export::metrics as metrics_csv;
use std::path::PathBuf;
use std::process::ExitCode;

/// How metrics are printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Metrics {
    /// For people.
    Table,
    /// For scripts.
    Json,
    /// For spreadsheets.
    Csv,
}

/// Run a scenario and print its numbers
///
/// Example: schedscope run interactive --policy eevdf-6.12 --until 2s
#[derive(clap::Args)]
pub struct Args {
    /// Scenario file, link, built-in key, or - for standard input
    scenario: String,
    /// Run this policy instead of the scenario's first
    #[arg(long)]
    policy: Option<String>,
    /// Simulate only this long (250ms, 2s ...)
    #[arg(long)]
    until: Option<String>,
    /// How to print the numbers
    #[arg(long, value_enum, default_value = "table")]
    metrics: Metrics,
    /// Same as --metrics json
    #[arg(long)]
    json: bool,
    /// Write the schedule: .json = Chrome trace, .txt = ftrace text, .dat = trace-cmd's trace.dat
    #[arg(long)]
    trace: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args) -> Outcome {
    let scenario = input::until(input::scenario(&args.scenario)?, args.until.as_deref())?;
    let scenario = input::with_policies(scenario, args.policy.as_slice());
    let (mut lane, compiled) = input::finish(&scenario, 0)?;
    if let Some(path) = &args.trace {
        export::write_trace(&mut lane, &compiled, &scenario, path)?;
    }
    let to = lane.duration();
    let summary = engine::summary(&mut lane, 0, to);
    let metrics = if args.json { Metrics::Json } else { args.metrics };
    match metrics {
        Metrics::Json => print_json(&output::summary_json(compiled.entry.info.key, &summary, &compiled)),
        Metrics::Csv => {
            print!("{}", metrics_csv(&summary, &|id| lane.task_name(id)));
            Ok(ExitCode::SUCCESS)
        }
        Metrics::Table => {
            output::print_summary(compiled.entry.info.key, &summary, &compiled);
            Ok(ExitCode::SUCCESS)
        }
    }
}
