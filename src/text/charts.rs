//! Words on the graphs.

use super::Word;

/// Folded panel.
pub const HEADING: Word = Word("Graphs");
/// Button.
pub const FOLD: Word = Word("Fold graphs");
/// Button.
pub const UNFOLD: Word = Word("Unfold graphs");
/// Titles.
pub const TITLES: [Word; 3] = [Word("Wake-up latency"), Word("Throughput"), Word("CPU share")];
/// What stands beside them.
pub const ADDITIONS: [Word; 3] =
    [Word("a dot per wake-up; log scale"), Word("per second"), Word("tick: fair by nice and shares")];
/// Caption of the table.
pub const CAPTION: Word = Word("Graphs up to now");
/// Heads of the table.
pub const HEADS: [Word; 3] = [Word("chart"), Word("row"), Word("value")];
/// Rows of the table.
pub const LATENCY: Word = Word("wake-up latency");
/// See [`LATENCY`].
pub const WAKEUPS: Word = Word("wakeups");
/// See [`LATENCY`].
pub const THROUGHPUT: Word = Word("throughput per second");
/// See [`LATENCY`].
pub const SHARE: Word = Word("CPU share");
/// No latency yet.
pub const NO_WAKEUP: Word = Word("No wakeup yet: press Play");
/// No throughput yet.
pub const NO_MARKS: Word = Word("No marks yet: press Play");
/// Nothing to share.
pub const NO_WORKLOAD: Word = Word("No workload: add one at the left");
/// Head of the histogram.
pub const COUNT: Word = Word("count, √");
/// Dots of tasks that sleep more than they run.
pub const INTERACTIVE: Word = Word("interactive");
/// The other dots.
pub const OTHER: Word = Word("other");
/// Row where nothing marks throughput.
pub const SWITCHES: Word = Word("switches");

/// A workload without a name.
pub fn workload(number: u32) -> String {
    Word("workload {0}").fill(&[&number])
}

/// A share beside the fair one.
pub fn share(share: &str, fair: Option<&str>) -> String {
    match fair {
        None => share.to_owned(),
        Some(fair) => Word("{0}, fair {1}").fill(&[&share, &fair]),
    }
}
