//! Sweep: one setting varied.

use super::Word;
use sim_core::sweep::measure::{Rank, What};

/// Heading.
pub const HEADING: Word = Word("Sweep");
/// Choice.
pub const VARY: Word = Word("vary");
/// Field.
pub const FROM: Word = Word("from");
/// Field.
pub const TO: Word = Word("to");
/// Field.
pub const STEP: Word = Word("step");
/// Choice.
pub const METRIC: Word = Word("show");
/// Button.
pub const RUN: Word = Word("Run sweep");
/// Button.
pub const STOP: Word = Word("Stop");
/// Button.
pub const EXAMPLE: Word = Word("lat_ctx against hogs");
/// Before the first sweep.
pub const EMPTY: Word = Word(
    "Choose what varies and press Run sweep: a curve per scheduler grows point by point. Or watch how one context switch costs more with every hog, and then no longer does:",
);
/// Progress.
pub const PROGRESS: Word = Word("{0} of {1} points");
/// The sweep waits for its worker.
pub const STARTS: Word = Word("starts");
/// The point under way.
pub const AT: Word = Word("at {0}: {1} %");
/// The table.
pub const TABLE: Word = Word("Points of the sweep");
/// A point that failed.
pub const FAILED: Word = Word("failed: {0}");
/// Button in the table.
pub const OPEN: Word = Word("Open {0} in the simulator");
/// Why there is only one curve.
pub const MORE: Word = Word("Add a scheduler above (+ Compare) for a second curve.");
/// Heading of the problems.
pub const PROBLEMS: Word = Word("This sweep cannot run");
/// Command line with the same result.
pub const COMMAND: Word = Word("The same table: schedscope sweep");
/// The curve says nothing.
pub const NO_VALUES: Word = Word("No such number in these runs; choose another one to show.");

/// Name of a number; `of`: the mark or workload that it is about.
pub fn measure(what: &What, of: &str) -> String {
    let rank = |rank: &Rank| match rank {
        Rank::P50 => "p50",
        Rank::P95 => "p95",
        Rank::P99 => "p99",
        Rank::Max => "max",
    };
    match what {
        What::Wakeup(which) => Word("wake-up latency {0}").fill(&[&rank(which)]),
        What::Scheduling(which) => Word("scheduling latency {0}").fill(&[&rank(which)]),
        What::Response(_, which) => Word("{0}, time {1}").fill(&[&of, &rank(which)]),
        What::Rate(_) => Word("{0} per second").fill(&[&of]),
        What::Share(_) => Word("CPU share of {0}").fill(&[&of]),
        What::Switches => Word("switches").say().into(),
        What::Migrations => Word("migrations").say().into(),
        What::Fairness => Word("fairness (Jain)").say().into(),
        What::Time(kind) => {
            const KINDS: [Word; 6] = [
                Word("user time"),
                Word("system time"),
                Word("time in the scheduler"),
                Word("time spinning for locks"),
                Word("time refilling caches"),
                Word("idle time"),
            ];
            KINDS.get(usize::from(*kind)).map_or("", |word| word.say()).into()
        }
        What::Events => Word("events simulated").say().into(),
    }
}
