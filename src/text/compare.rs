//! Compare.

use super::Word;

/// Heading.
pub const HEADING: Word = Word("Differences over the whole run");
/// One lane only.
pub const EMPTY: Word = Word("One scheduler runs this workload. Put a second one beside it to see where they part.");
/// Button.
pub const CHOOSE: Word = Word("Choose a scheduler");
/// Head of the first column.
pub const WHAT: Word = Word("measure");
/// Row.
pub const WAKEUP_P50: Word = Word("wake-up latency p50");
/// Row.
pub const WAKEUP_P99: Word = Word("wake-up latency p99");
/// Row.
pub const WAKEUP_MAX: Word = Word("wake-up latency max");
/// Row.
pub const SCHED_P99: Word = Word("scheduling latency p99");
/// Row.
pub const SCHED_MAX: Word = Word("scheduling latency max");
/// Row.
pub const THROUGHPUT: Word = Word("marks per second");
/// Row.
pub const SWITCHES: Word = Word("switches");
/// Row.
pub const MIGRATIONS: Word = Word("migrations");
/// Row.
pub const SCHEDULER_TIME: Word = Word("time in the scheduler and its locks");
/// Row.
pub const FAIRNESS: Word = Word("fairness (Jain)");
/// Row: where a lane first differs from the first one.
pub const DIVERGENCE: Word = Word("first difference from the first lane");
/// Button on a lane's name.
pub const SHOW: Word = Word("Show this lane in the timeline");
