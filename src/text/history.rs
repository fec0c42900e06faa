//! History: the posts' tables beside ours.

use super::Word;
use crate::paint::number;

/// Heading of the list.
pub const HEADING: Word = Word("Five posts, re-run");
/// Heading of the list without its number.
pub const POSTS: Word = Word("Posts");
/// Under the list.
pub const ABOUT: Word = Word(
    "The published figures are quoted from the posts. Ours are computed in your browser, now; the same runs are schedscope replicate.",
);
/// While the posts are on their way.
pub const COMING: Word = Word("The posts are on their way.");
/// Author and date.
pub const BY: Word = Word("{0}, {1}");
/// Number under the title.
pub const WITHIN: Word = Word("figures within 10 %");
/// Number under the title.
pub const KEPT: Word = Word("orderings kept");
/// Number under the title.
pub const SHAPES: Word = Word("shapes hold");
/// Number under the title.
pub const COMPUTED: Word = Word("figures computed");
/// `{0} of {1}`.
pub const OF: Word = Word("{0} of {1}");
/// Button.
pub const RUN_ALL: Word = Word("Run all");
/// Button.
pub const STOP: Word = Word("Stop");
/// Button.
pub const RUN: Word = Word("Re-run");
/// Name of a row's button.
pub const RUN_ROW: Word = Word("Re-run {0}");
/// Head of a column.
pub const RUNS: Word = Word("spread");
/// Head of a column.
pub const OUR_RUNS: Word = Word("our runs");
/// Button.
pub const SEEDS: Word = Word("Run with {0} seeds");
/// What the button does.
pub const SEEDS_HELP: Word =
    Word("Runs every figure {0} times, each with other random draws: our spread beside the published one.");
/// Which run is under way.
pub const SEED: Word = Word("seed {0} of {1}");
/// A strip of time: length and what it shows.
pub const STRIP: Word = Word("The first {0} measured, CPU 0");
/// A strip of time in words: kernel, then its parts.
pub const STRIP_TOLD: Word = Word("{0}: {1}");
/// Part of a strip.
pub const PART: Word = Word("{0} {1}");
/// Time of all CPUs by kind over all that was measured.
pub const ALL_MEASURED: Word = Word("All that was measured: {0}; together 100 %");
/// Kinds of time.
pub const KINDS: [Word; 6] = [
    Word("own work"),
    Word("system calls"),
    Word("schedule and switch"),
    Word("spinning"),
    Word("cache refill"),
    Word("idle"),
];
/// Head of a column.
pub const KERNEL: Word = Word("kernel");
/// Head of a column.
pub const PUBLISHED: Word = Word("published");
/// Head of a column.
pub const OURS: Word = Word("ours");
/// Head of a column.
pub const ERROR: Word = Word("error");
/// A figure under way.
pub const PROGRESS: Word = Word("{0} % simulated");
/// A figure that waits for its run.
pub const WAITS: Word = Word("waits");
/// A figure whose run failed.
pub const FAILED: Word = Word("failed");
/// Mark of a calibrated figure, spoken.
pub const CALIBRATED: Word = Word("calibrated");
/// Under the tables.
pub const MARKS: Word =
    Word("calibrated on this figure; all others are predicted. Strong and coloured: error above 10 %.");
/// Under a table: what its noise is known from.
pub const NOISE: Word = Word("Noise: {0}.");
/// Heading.
pub const EXPLAINS: Word = Word("What explains it");
/// Heading.
pub const NOT_REPRODUCED: Word = Word("What we do not reproduce");
/// Heading.
pub const FITTED: Word = Word("Calibrated");
/// Heading.
pub const SOURCES: Word = Word("Where the other numbers come from");
/// A calibrated number.
pub const FITTED_TO: Word = Word("{0}, to: {1}");
/// Heading of the picture.
pub const PICTURE: Word = Word("Published and ours");
/// Choice: ours over published.
pub const RELATIVE: Word = Word("relative");
/// Legend.
pub const RING: Word = Word("published, bar: its runs");
/// Legend.
pub const LINE: Word = Word("ours");
/// Choice of a table.
pub const TABLE: Word = Word("Table");
/// Heading of the chosen row.
pub const CHOSEN: Word = Word("{0}: {1}");
/// Button.
pub const OPEN: Word = Word("Open this run");
/// Button.
pub const OPEN_KERNEL: Word = Word("Open {0}");
/// Button.
pub const BOTH: Word = Word("Side by side");
/// What the button does.
pub const OPENS: Word = Word("Opens the scenario of this row in the simulator.");
/// Heading.
pub const ORDERINGS: Word = Word("Orderings of the post");
/// Before any figure is there.
pub const NOT_YET: Word = Word("Run a row to see whether ours keep its order.");
/// An ordering.
pub const BELOW: Word = Word("{0}: {1} below {2}");
/// An ordering or shape.
pub const IS_KEPT: Word = Word("kept");
/// An ordering or shape.
pub const IS_BROKEN: Word = Word("broken");
/// Summary of the orderings of two kernels.
pub const PAIR: Word = Word("{0} below {1}");
/// The worker is gone.
pub const LOST: Word = Word("The engine stopped: {0}. Run again to start another.");

/// Time by kind as parts of all of it: "own work 91.7 %, idle 8.3 %". What is less than half of the last digit is left out.
pub fn kinds(times: &[u64]) -> String {
    let shown = number::parts(times).into_iter().zip(KINDS).filter(|(part, _)| *part > 0);
    shown.map(|(part, kind)| PART.fill(&[&kind.say(), &number::permille(part)])).collect::<Vec<_>>().join(", ")
}
