//! `schedscope sweep`: one scenario at many settings, a row of numbers per point.

mod out;

use super::Outcome;
use crate::input;
use clap::ValueHint;
use out::{Out, Row};
use sim_core::sweep::{PointRun, Sweep};
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Events between two looks at the clock and at Ctrl-C.
const TURN_EVENTS: u64 = 1 << 18;
/// Progress is written this often where stderr is a file.
const REPORT: Duration = Duration::from_secs(10);

/// Run a scenario at many settings and collect the numbers in a table
///
/// Keys are those of links and sliders: hogs (the count of workload hogs), hogs.nice, ring.hop, group.NAME,
/// tunable.KEY, cores, seed. Values: from..to:step, from..to:xFACTOR, or a,b,c; times may end in ns, us, ms, s.
///
/// The file's ending chooses the format: .csv, or .jsonl for JSON lines. Rows that the file holds already are not run
/// again, so a stopped sweep goes on where it was. Only shard 1 writes the line of column names: the shards' files, one
/// after the other, are the file of the whole sweep.
///
/// Example: schedscope sweep lat-ctx --vary hogs=0..50:10 --policies linux-2.5.2-pre9,o1-2.5.2-c1 --out hogs.csv
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Scenario file, link, built-in key, or - for standard input
    scenario: String,
    /// What varies; again for a second axis
    #[arg(long, required = true, value_name = "KEY=VALUES")]
    vary: Vec<String>,
    /// Policy keys, comma separated; the scenario's own if left out
    #[arg(long, value_delimiter = ',')]
    policies: Vec<String>,
    /// Run only part I of N, counted from 1
    #[arg(long, value_name = "I/N")]
    shard: Option<String>,
    /// Table to write or to complete: .csv or .jsonl
    #[arg(long, value_hint = ValueHint::FilePath)]
    out: PathBuf,
    /// Print a summary as JSON on stdout
    #[arg(long)]
    json: bool,
}

/// Part `index` (from 0) of `of`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Shard {
    index: usize,
    of: usize,
}

impl Shard {
    fn read(text: Option<&str>) -> Result<Self, String> {
        let Some(text) = text else { return Ok(Shard { index: 0, of: 1 }) };
        let numbers = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((index, of)) if (1..=of).contains(&index) => Ok(Shard { index: index - 1, of }),
            _ => Err(format!("--shard {text}: write I/N with I from 1 to N, as in 3/8")),
        }
    }

    /// Points of this part: stretches of equal length, so that the parts' files follow each other in order.
    fn points(self, all: usize) -> std::ops::Range<usize> {
        all * self.index / self.of..all * (self.index + 1) / self.of
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Outcome {
    let (sweep, shard) = plan(args)?;
    let mut out = Out::open(&args.out, &sweep, shard.index == 0)?;
    let stop = Arc::new(AtomicBool::new(false));
    let asked = stop.clone();
    ctrlc::set_handler(move || asked.store(true, Ordering::Relaxed))
        .map_err(|error| format!("Ctrl-C cannot be caught: {error}"))?;
    let points = shard.points(sweep.points());
    let todo: Vec<usize> = points.clone().filter(|&index| !out.has(&sweep.point(index))).collect();
    let mut progress = Progress::new(points.len(), points.len() - todo.len());
    for index in todo {
        let point = sweep.point(index);
        let name = sweep.name(&point);
        let sentences = |problems: Vec<_>| format!("{name}: {}", input::sentences(&problems));
        let mut run = PointRun::new(&sweep.compiled(index).map_err(sentences)?);
        while run.work(TURN_EVENTS) {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            progress.tell(&name, run.permille());
        }
        if stop.load(Ordering::Relaxed) {
            progress.clear();
            eprintln!("stopped: {} of {} points are in {}", progress.done, progress.all, args.out.display());
            eprintln!("the same command goes on from there");
            return Ok(ExitCode::from(130));
        }
        let (values, digest) = run.values(sweep.measures()).map_err(|sentence| format!("{name}: {sentence}"))?;
        out.add(&Row { point, digest, values })?;
        progress.done += 1;
        progress.tell(&name, 1000);
    }
    progress.clear();
    if args.json {
        let (all, computed) = (progress.all, progress.done - progress.found);
        return super::print_json(&serde_json::json!({"points": all, "computed": computed,
            "found": progress.found, "out": args.out.display().to_string()}));
    }
    println!("{} points, {} of them were there already: {}", progress.all, progress.found, args.out.display());
    Ok(ExitCode::SUCCESS)
}

/// The sweep and its part; everything that is wrong with the arguments at once.
fn plan(args: &Args) -> Result<(Sweep, Shard), String> {
    let mut faults = Vec::new();
    let mut keep = |fault: String| faults.push(fault);
    let shard = Shard::read(args.shard.as_deref()).map_err(&mut keep).ok();
    let format = out::Format::of(&args.out).map_err(&mut keep).ok();
    let sweep = match input::scenario(&args.scenario) {
        Ok(scenario) => Sweep::plan(&scenario, &args.vary, &args.policies)
            .map_err(|problems| keep(input::sentences(&problems)))
            .ok(),
        Err(fault) => {
            keep(fault);
            None
        }
    };
    match (sweep, shard, format) {
        (Some(sweep), Some(shard), Some(_)) => Ok((sweep, shard)),
        _ => Err(format!("this sweep cannot run:\n  {}", faults.join("\n  "))),
    }
}

/// Says on stderr how far it is: one line that rewrites itself on a terminal, a line now and then in a file.
struct Progress {
    all: usize,
    /// Rows that the file held before.
    found: usize,
    done: usize,
    began: Instant,
    told: Option<Instant>,
    terminal: bool,
}

impl Progress {
    fn new(all: usize, found: usize) -> Self {
        let terminal = std::io::stderr().is_terminal();
        Progress { all, found, done: found, began: Instant::now(), told: None, terminal }
    }

    fn tell(&mut self, name: &str, permille: u16) {
        let pause = if self.terminal { Duration::from_millis(100) } else { REPORT };
        let is_last = self.done == self.all;
        if self.told.is_some_and(|told| told.elapsed() < pause) && !is_last {
            return;
        }
        self.told = Some(Instant::now());
        let (done, all) = (self.done, self.all);
        let left = self.seconds_left().map_or(String::new(), |seconds| format!(", about {seconds} s left"));
        let line = format!("{done} of {all} points{left}; {name}: {} %", permille / 10);
        if self.terminal {
            eprint!("\r\x1b[K{line}");
        } else {
            eprintln!("{line}");
        }
    }

    /// As if the points to come took as long as those of this call.
    fn seconds_left(&self) -> Option<u64> {
        let computed = (self.done - self.found) as u64;
        let rest = (self.all - self.done) as u64;
        (computed > 0).then(|| self.began.elapsed().as_secs() * rest / computed)
    }

    fn clear(&self) {
        if self.terminal {
            eprint!("\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Shard;

    #[test]
    fn shards_cover_every_point_once_in_order() {
        for of in 1..=9 {
            let parts = (1..=of).map(|i| Shard::read(Some(&format!("{i}/{of}"))).unwrap());
            let points: Vec<usize> = parts.flat_map(|shard| shard.points(23)).collect();
            assert_eq!(points, (0..23).collect::<Vec<_>>());
        }
        for bad in ["0/3", "4/3", "1", "a/b", "1/0", ""] {
            assert!(Shard::read(Some(bad)).is_err(), "{bad}");
        }
    }
}
