//! Compare.

use super::Word;

/// Heading.
pub const HEADING: Word = Word("Differences over the whole run");
/// One lane only.
pub const EMPTY: Word = Word("One scheduler runs this workload. Put a second one beside it to see where they part.");
/// Button.
pub const CHOOSE: Word = Word("all schedulers…");
/// Name of the buttons for well-known schedulers.
pub const BESIDE: Word = Word("Scheduler to put beside it");
/// Head of the first column.
pub const WHAT: Word = Word("measure");
/// Section.
pub const WAKEUP: Word = Word("Wake-up latency");
/// Section.
pub const SCHEDULING: Word = Word("Scheduling latency, preemptions included");
/// Row.
pub const LONGEST: Word = Word("longest");
/// Section.
pub const THROUGHPUT: Word = Word("Throughput per second");
/// Section.
pub const COST: Word = Word("Cost and fairness");
/// Row.
pub const SWITCHES: Word = Word("context switches");
/// Row.
pub const MIGRATIONS: Word = Word("migrations");
/// Row.
pub const SCHEDULER_TIME: Word = Word("time in the scheduler and its locks");
/// Row.
pub const IDLE_TIME: Word = Word("idle time of all CPUs");
/// Row.
pub const FAIRNESS: Word = Word("fairness (Jain)");
/// Section.
pub const SHARE: Word = Word("Share of all CPUs");
/// What a group has.
pub const SHARES: Word = Word("shares");
/// Card.
pub const DIVERGENCE: Word = Word("First divergence");
/// No divergence.
pub const EQUAL: Word = Word("none: the schedules are equal as far as they are simulated");
/// Button.
pub const FIRST: Word = Word("First divergence");
/// Button.
pub const NEXT: Word = Word("Next difference");
/// Button on a lane's name.
pub const SHOW: Word = Word("Show this lane in the timeline");
/// Graph.
pub const BY_PERCENTILE: Word = Word("Wake-up latency by percentile");
/// Graph.
pub const BY_TASK: Word = Word("Longest wake-up latency by task");
/// Axis.
pub const LOG: Word = Word("log scales");
/// Nothing differs any more.
pub const NO_MORE: Word = Word("No further difference as far as both are simulated");

/// Section of response times.
pub fn response(mark: &str) -> String {
    Word("Response time of {0}").fill(&[&mark])
}

/// Row of a group.
pub fn group(name: &str) -> String {
    Word("group {0}").fill(&[&name])
}

/// Place of the divergence.
pub fn at_on(at: &str, cpu: u16) -> String {
    Word("{0}, CPU {1}").fill(&[&at, &cpu])
}

/// How many decisions came before it.
pub fn alike(count: u64) -> String {
    super::count(count as usize, Word("1 identical decision before it"), Word("{0} identical decisions before it"))
}

/// What the sentences are about.
pub fn here(at: &str, cpu: u16) -> String {
    Word("At {0} on CPU {1}:").fill(&[&at, &cpu])
}

/// Button: the table as a file.
pub const CSV: Word = Word("Differences as CSV");

/// Before the rule of one side.
pub fn runs_on(task: &str, cpu: u16) -> String {
    Word("{0} runs on CPU {1}: ").fill(&[&task, &cpu])
}

/// Before the rule of a side that idles.
pub fn idle_on(cpu: u16) -> String {
    Word("CPU {0} is idle: ").fill(&[&cpu])
}

/// What a lane alone meets.
pub fn from_then(what: &str, value: &str, at: &str) -> String {
    Word("{0} {1} from {2}").fill(&[&what, &value, &at])
}

/// Foot.
pub fn same_draws(seed: u64) -> String {
    Word("● better · every lane meets the same random draws, seed {0}").fill(&[&seed])
}
