//! Schedscope on the command line: the same engine as the page, headless.

mod commands;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Linux schedulers on a virtual machine
#[derive(Parser)]
#[command(name = "schedscope", version, about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Policies(commands::policies::Args),
    Golden(commands::golden::Args),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Policies(args) => commands::policies::run(&args),
        Command::Golden(args) => commands::golden::run(&args),
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("schedscope: {error}");
            ExitCode::FAILURE
        }
    }
}
