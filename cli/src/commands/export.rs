//! `schedscope export`: a run as a file for other programs.

use super::{Outcome, print_json};
use crate::input;
use serde_json::json;
use sim_core::engine::{self, lane::Lane};
use sim_core::interchange::export::{Facts, Format, Writer};
use sim_core::scenario::schema::Scenario;
use sim_core::scenario::{self, Compiled, link};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Events per part of a file.
const PART: usize = 1 << 16;

/// Write a run for other programs
///
/// Example: schedscope export lat-ctx --to chrome --out trace.json
#[derive(clap::Args)]
pub struct Args {
    /// Scenario file, link, built-in key, or - for standard input
    scenario: String,
    /// chrome (Perfetto), ftrace (text: Perfetto, Trace Compass), trace-dat (KernelShark, trace-cmd), intervals, metrics (CSV), svg, html, scenario (JSON)
    #[arg(long)]
    to: String,
    /// Run this policy instead of the scenario's first
    #[arg(long)]
    policy: Option<String>,
    /// Simulate only this long (250ms, 2s ...)
    #[arg(long)]
    until: Option<String>,
    /// Address of a Schedscope page: files then say where to open the run
    #[arg(long)]
    page: Option<String>,
    /// Write here instead of to standard output
    #[arg(long)]
    out: Option<PathBuf>,
    /// Print file and length as JSON; needs --out
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Outcome {
    let scenario = input::with_policies(input::scenario(&args.scenario)?, args.policy.as_slice());
    let scenario = input::until(scenario, args.until.as_deref())?;
    if args.json && args.out.is_none() {
        return Err("--json tells about a file: give its name with --out FILE".into());
    }
    let name = args.out.as_deref().map_or("standard output".to_string(), |path| path.display().to_string());
    let failed = |error: std::io::Error| format!("{name}: {error}");
    let mut out = Counted { to: sink(args.out.as_deref()).map_err(failed)?, bytes: 0 };
    if args.to == "scenario" {
        writeln!(out, "{}", scenario::to_json(&scenario)).map_err(failed)?;
    } else {
        let Some(format) = Format::of_key(&args.to) else {
            let keys: Vec<&str> = Format::ALL.iter().map(|format| format.key()).collect();
            return Err(format!("{} is not a format: use one of {}, scenario", args.to, keys.join(", ")));
        };
        let (mut lane, compiled) = input::finish(&scenario, 0)?;
        let page = args.page.as_deref().unwrap_or_default();
        write_run(&mut lane, &compiled, &scenario, format, page, &mut out).map_err(failed)?;
    }
    out.flush().map_err(failed)?;
    if args.json {
        return print_json(&json!({"file": name, "format": args.to, "bytes": out.bytes}));
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes a finished run to a file whose ending names the format: `.json`, `.txt` or `.dat`.
pub fn write_trace(lane: &mut Lane, compiled: &Compiled, scenario: &Scenario, path: &Path) -> Result<(), String> {
    let format = match path.extension().and_then(|extension| extension.to_str()) {
        Some("json") => Format::Chrome,
        Some("txt") => Format::Ftrace,
        Some("dat") => Format::TraceDat,
        _ => {
            return Err(format!(
                "{}: the ending must be .json (Chrome trace), .txt (ftrace text) or .dat (trace-cmd)",
                path.display()
            ));
        }
    };
    let mut write = || {
        let mut out = BufWriter::new(File::create(path)?);
        write_run(lane, compiled, scenario, format, "", &mut out)?;
        out.flush()
    };
    write().map_err(|error| format!("{}: {error}", path.display()))
}

fn write_run(
    lane: &mut Lane,
    compiled: &Compiled,
    scenario: &Scenario,
    format: Format,
    page: &str,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let mut link = format!("#{}", link::encode(scenario, &link::View::default()));
    if !page.is_empty() {
        link.insert_str(0, page.split('#').next().unwrap_or_default());
    }
    let tasks = engine::task_views(lane);
    let policy = compiled.entry.info.key;
    let facts = Facts::of_run(Some(scenario), policy, lane.kernel().cpus(), &tasks, &compiled.marks, link);
    let mut writer = Writer::new(format, facts);
    let mut from = 0;
    while format.needs_log() && from <= lane.front() {
        let log = engine::log(lane, 0, from, PART);
        out.write_all(&writer.feed(&log))?;
        from = log.next;
    }
    let to = lane.duration();
    let summary = engine::summary(lane, 0, to);
    out.write_all(&writer.end(&summary))
}

fn sink(path: Option<&Path>) -> std::io::Result<Box<dyn Write>> {
    Ok(match path {
        Some(path) => Box::new(BufWriter::new(File::create(path)?)),
        None => Box::new(BufWriter::new(std::io::stdout().lock())),
    })
}

/// Counts what goes through.
struct Counted {
    to: Box<dyn Write>,
    bytes: u64,
}

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let count = self.to.write(bytes)?;
        self.bytes += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.to.flush()
    }
}
