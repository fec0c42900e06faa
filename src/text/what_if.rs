//! What if, and the marked range.

use super::Word;

/// Section.
pub const HEADING: Word = Word("What if");
/// Menu.
pub const WHAT: Word = Word("what is different");
/// Field.
pub const VALUE: Word = Word("its value");
/// Menu entry.
pub const SCHEDULER: Word = Word("the scheduler");
/// Button.
pub const SHOW: Word = Word("What if…");
/// What happens.
pub const HELP: Word =
    Word("A second lane shows the same workload with this one thing different. The link holds it too.");
/// A scheduler is for the whole run.
pub const WHOLE: Word =
    Word("A scheduler cannot be swapped while the machine runs: the second lane has it from the start.");
/// Section.
pub const RANGE: Word = Word("In the marked range");
/// Row.
pub const RAN: Word = Word("ran");
/// Row.
pub const WAITED: Word = Word("waited");
/// Row.
pub const SLEPT: Word = Word("slept");
/// Row.
pub const LONGEST: Word = Word("longest wait");
/// Table heading.
pub const ANTAGONIST: Word = Word("ran meanwhile");
/// Table heading.
pub const TIME: Word = Word("for");
/// Table heading.
pub const WAITS: Word = Word("waits");
/// No task is selected.
pub const CHOOSE: Word = Word("Select a task to see who kept it waiting in this range.");
/// Nobody was in the way.
pub const NOBODY: Word = Word("It never waited for a CPU here.");

/// Menu entry.
pub fn nice_of(task: &str) -> String {
    Word("nice of {0}").fill(&[&task])
}
/// Menu entry.
pub fn nice_of_all(workload: &str) -> String {
    Word("nice of all {0}").fill(&[&workload])
}
/// Menu entry.
pub fn shares_of(group: &str) -> String {
    Word("shares of {0}").fill(&[&group])
}
/// Menu entry.
pub fn tunable(key: &str) -> String {
    Word("tunable {0}").fill(&[&key])
}
/// From when on.
pub fn from(moment: &str) -> String {
    Word("from {0} on").fill(&[&moment])
}
/// Waits in all.
pub fn waits(time: &str, count: u32) -> String {
    let waits = super::count(count as usize, Word("1 wait"), Word("{0} waits"));
    Word("{0} in {1}").fill(&[&time, &waits])
}
/// Waits that were not looked into.
pub fn left_out(count: u32) -> String {
    Word("{0} more waits were not looked into").fill(&[&count])
}
