//! Set-up, serving, testing: what a person or CI does with this repository, in one place and in the project's language.
//! It brings its own tools into `target/tools` (or `$SCHEDSCOPE_TOOLS`) and changes nothing else of the user's machine,
//! except that `test` installs Chromium with apt when there is none, and says so.

mod browser;
mod compress;
mod new_policy;
mod npm;
mod offline;
mod page;
mod parts;
mod policy_header;
mod proc;
mod report;
mod serve;
mod sources;
mod split;
mod suite;
mod tidy;
mod tools;
mod wasm_equal;

use proc::Outcome;
use std::process::ExitCode;

const HELP: &str = "\
usage: cargo xtask COMMAND

  serve [--port N] [--open]  set up what is missing, build the page, serve it on this computer only
  test                       set up what is missing, run every check; `ci` is the same
  build                      set up what is missing, build the page into dist/
  shots                      pictures of the main views into target/shots/
  numbers                    measured numbers: Lighthouse, transfer size, wasm against native
  tidy                       check the source rules: imports, file length, policy keys
  new-policy NAME            lay out the folder of a new scheduler, with a failing worked example
  help                       this text

Tools are kept in target/tools; SCHEDSCOPE_TOOLS names another folder.
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&args) {
        Ok(code) => code,
        Err(sentence) => {
            eprintln!("xtask: {sentence}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(args: &[String]) -> Outcome<ExitCode> {
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["serve", options @ ..] => serve::command(options).map(|()| ExitCode::SUCCESS),
        ["test" | "ci"] => suite::command(),
        ["build"] => page::command().map(|()| ExitCode::SUCCESS),
        ["shots"] => browser::shots_command().map(|()| ExitCode::SUCCESS),
        ["numbers"] => suite::numbers_command().map(|()| ExitCode::SUCCESS),
        ["tidy"] => tidy::command(),
        ["new-policy", name] => new_policy::command(name).map(|()| ExitCode::SUCCESS),
        [] | ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            Ok(ExitCode::SUCCESS)
        }
        other => Err(format!("`{}` is no command of mine\n\n{HELP}", other.join(" "))),
    }
}
