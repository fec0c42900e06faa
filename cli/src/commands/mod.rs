//! One module per sub-command. Each returns the exit status, or a sentence for stderr.

pub mod bench;
pub mod compare;
pub mod digest;
pub mod export;
pub mod golden;
pub mod import;
pub mod lesson;
pub mod link;
pub mod policies;
pub mod replicate;
pub mod run;
pub mod sweep;

/// What a command returns.
pub type Outcome = Result<std::process::ExitCode, String>;

/// Prints a value as one line of JSON.
pub fn print_json(value: &serde_json::Value) -> Outcome {
    println!("{value}");
    Ok(std::process::ExitCode::SUCCESS)
}
