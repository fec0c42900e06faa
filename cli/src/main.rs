//! Schedscope on the command line: the same engine as the page, headless.

mod commands;
mod input;
mod output;

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
    Lesson(commands::lesson::Args),
    Run(commands::run::Args),
    Compare(commands::compare::Args),
    Golden(commands::golden::Args),
    Digest(commands::digest::Args),
    Bench(commands::bench::Args),
    Export(commands::export::Args),
    Import(commands::import::Args),
    Link(commands::link::Args),
    Replicate(commands::replicate::Args),
    Sweep(commands::sweep::Args),
}

fn main() -> ExitCode {
    // Who reads our output may stop whenever it has seen enough.
    sigpipe::reset();
    let result = match Cli::parse().command {
        Command::Policies(args) => commands::policies::run(&args),
        Command::Lesson(args) => commands::lesson::run(&args),
        Command::Run(args) => commands::run::run(&args),
        Command::Compare(args) => commands::compare::run(&args),
        Command::Golden(args) => commands::golden::run(&args),
        Command::Digest(args) => commands::digest::run(&args),
        Command::Export(args) => commands::export::run(&args),
        Command::Import(args) => commands::import::run(&args),
        Command::Bench(args) => commands::bench::run(&args),
        Command::Link(args) => commands::link::run(&args),
        Command::Replicate(args) => commands::replicate::run(&args),
        Command::Sweep(args) => commands::sweep::run(&args),
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("schedscope: {error}");
            ExitCode::FAILURE
        }
    }
}
