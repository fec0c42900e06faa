//! `schedscope link`: scenarios to links and back.

use super::{Outcome, print_json};
use crate::input;
use serde_json::{Value, json};
use sim_core::scenario::{self, link};
use std::process::ExitCode;

/// Turn a scenario into a link, or a link into a scenario
///
/// Example: schedscope link encode my.json
/// Example: schedscope link decode 'ex=lat-ctx&hogs=50'
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Print the part of the address after `#`
    Encode {
        /// Scenario file, built-in key, or - for standard input
        scenario: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the scenario as JSON
    Decode {
        /// A whole address, or the part after `#`
        link: String,
        /// Print JSON with the view and warnings beside the scenario
        #[arg(long)]
        json: bool,
    },
}

/// Runs the command.
pub fn run(args: &Args) -> Outcome {
    match &args.action {
        Action::Encode { scenario, json } => {
            let scenario = input::scenario(scenario)?;
            let link = link::encode(&scenario, &link::View::default());
            if *json {
                return print_json(&json!({"link": link, "length": link.len()}));
            }
            println!("#{link}");
            Ok(ExitCode::SUCCESS)
        }
        Action::Decode { link, json } => {
            let decoded =
                link::decode(link).map_err(|problems| format!("the link: {}", input::sentences(&problems)))?;
            let text = decoded.scenario.as_ref().map(scenario::to_json);
            let value = text.as_deref().map(serde_json::from_str::<Value>).transpose();
            let value = value.map_err(|error| error.to_string())?.unwrap_or(Value::Null);
            if *json {
                let warnings: Vec<String> =
                    decoded.warnings.iter().map(|warning| input::sentences(std::slice::from_ref(warning))).collect();
                return print_json(&json!({"scenario": value, "example": decoded.example, "t_ns": decoded.view.t,
                    "from_ns": decoded.view.from, "to_ns": decoded.view.to, "warnings": warnings}));
            }
            println!("{}", serde_json::to_string_pretty(&value).map_err(|error| error.to_string())?);
            Ok(ExitCode::SUCCESS)
        }
    }
}
