//! `schedscope policies`: what can be run.

use super::{Outcome, print_json};
use serde_json::json;
use sim_core::policies;
use sim_core::policy::Shape;
use std::process::ExitCode;

/// List the schedulers, their kernels and tunables
///
/// Example: schedscope policies --json
#[derive(clap::Args)]
pub struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Show the tunables of one policy
    policy: Option<String>,
}

/// Runs the command.
pub fn run(args: &Args) -> Outcome {
    if let Some(key) = &args.policy
        && policies::find(key).is_none()
    {
        return Err(format!("there is no policy \"{key}\"; `schedscope policies` lists them"));
    }
    let shape = Shape { cpus: 1, hz: 1000 };
    let chosen = || policies::all().filter(|entry| args.policy.as_deref().is_none_or(|key| key == entry.info.key));
    if args.json {
        let list: Vec<_> = chosen()
            .map(|entry| {
                let info = &entry.info;
                let tunables: Vec<_> = info
                    .tunables
                    .iter()
                    .map(|t| {
                        json!({"key": t.key, "help": t.help, "min": t.min, "max": t.max, "default": (t.default)(shape)})
                    })
                    .collect();
                json!({"key": info.key, "title": info.title, "family": info.family, "kernel": info.kernel,
                       "summary": info.summary, "tunables": tunables, "golden": info.golden})
            })
            .collect();
        return print_json(&json!({ "policies": list }));
    }
    for entry in chosen() {
        println!("{:<18} {:<28} {}", entry.info.key, entry.info.kernel, entry.info.title);
        if args.policy.is_some() {
            println!("\n{}\n", entry.info.summary);
            for t in entry.info.tunables {
                println!("  {:<28} {} ({}..={})  {}", t.key, (t.default)(shape), t.min, t.max, t.help);
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}
