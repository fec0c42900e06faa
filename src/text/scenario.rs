//! Scenario panel.

use super::Word;

/// Heading.
pub const HEADING: Word = Word("Scenario");
/// Menu of built-ins.
pub const BUILTINS: Word = Word("Examples");
/// Section.
pub const MACHINE: Word = Word("Machine");
/// Row.
pub const PRESET: Word = Word("preset");
/// Row.
pub const CPUS: Word = Word("CPUs");
/// Row.
pub const HZ: Word = Word("timer, Hz");
/// Row.
pub const COSTS: Word = Word("costs");
/// Costs are free.
pub const IDEAL: Word = Word("ideal");
/// Costs as measured.
pub const CALIBRATED: Word = Word("calibrated");
/// Row.
pub const LENGTH: Word = Word("length");
/// Row.
pub const SEED: Word = Word("seed");
/// Section.
pub const WORKLOAD: Word = Word("Workload");
/// Button.
pub const ADD: Word = Word("Add");
/// Slider.
pub const COUNT: Word = Word("count");
/// Slider.
pub const NICE: Word = Word("nice");
/// Choice.
pub const CLASS: Word = Word("class");
/// Button.
pub const REMOVE: Word = Word("Remove");
/// Section.
pub const GROUPS: Word = Word("Groups");
/// Section.
pub const TUNABLES: Word = Word("Tunables");
/// Section.
pub const CHANGES: Word = Word("Changes during the run");
/// Empty workload list.
pub const EMPTY: Word = Word("No task yet. Add CPU hogs and watch the queue.");
/// Empty list of changes.
pub const NO_CHANGES: Word = Word("Move a slider while the run is under way: the past stays, the future changes.");
/// Scheduler without knobs.
pub const NO_TUNABLES: Word = Word("This scheduler has no knobs.");
/// Groups are not in this scheduler.
pub const GROUPS_NEED: Word = Word("Groups and shares need a scheduler that has them.");
/// No groups in this scenario.
pub const GROUPS_NONE: Word = Word("This scenario has no groups. Add one, then choose it at a workload.");
/// Button, for those who do not see the heading beside it.
pub const ADD_GROUP: Word = Word("Add a group");
/// The group above all others.
pub const ROOT: Word = Word("/ (root)");
/// Row.
pub const NAME: Word = Word("name");
/// A group needs a name.
pub const NAME_EMPTY: Word = Word("A group needs a name.");
/// A name that another group has.
pub fn name_taken(name: &str) -> String {
    Word("There is a group {0} already.").fill(&[&name])
}
/// Row: group above.
pub const PARENT: Word = Word("below");
/// Slider.
pub const SHARES: Word = Word("shares");
/// Slider: quota.
pub const LIMIT: Word = Word("limit");
/// What the limit is.
pub const LIMIT_HELP: Word = Word("cpu.max: CPU time per period, as percent of one CPU");
/// No quota.
pub const NO_LIMIT: Word = Word("none");
/// Slider: period of the quota.
pub const PERIOD: Word = Word("period");
/// Slider: burst.
pub const BURST: Word = Word("burst");
/// Summary of a group with a quota, percent of one CPU.
pub fn limited(percent: &str) -> String {
    Word("at most {0} % of a CPU").fill(&[&percent])
}
/// Summary of a class with percent shares: what it is promised of the whole machine.
pub fn guaranteed(part: &str) -> String {
    Word("{0} guaranteed").fill(&[&part])
}
/// Folded rows of a workload.
pub const PLACE: Word = Word("where and when");
/// Row.
pub const GROUP: Word = Word("group");
/// Row: session of autogroup.
pub const SESSION: Word = Word("session");
/// Row: allowed CPUs.
pub const ON_CPUS: Word = Word("on CPUs");
/// Row: when the tasks begin.
pub const START: Word = Word("start");
/// A list of CPUs that is none.
pub fn cpus_wrong(last: u16) -> String {
    Word("CPUs are numbers and ranges from 0 to {0}, like 0-1,3; empty for all.").fill(&[&last])
}
/// Takes a change back.
pub const TAKE_BACK: Word = Word("Take this change back");
/// Folded panel.
pub const UNFOLD: Word = Word("Unfold the scenario");
/// Fold button.
pub const FOLD: Word = Word("Fold the scenario");
/// Names of the classes by their number.
pub const CLASSES: [Word; 6] = [Word("normal"), Word("batch"), Word("idle"), Word("iso"), Word("FIFO"), Word("RR")];
/// Shows fewer knobs.
pub const FEWER: Word = Word("fewer");
/// Shows all knobs.
pub fn all_tunables(count: usize) -> String {
    Word("all {0} tunables").fill(&[&count])
}
/// Badge: the scheduler cannot do it.
pub fn not_in(policy: &str) -> String {
    Word("not in {0}").fill(&[&policy])
}
/// Heading of the tunables.
pub fn of_policy(policy: &str) -> String {
    Word("of {0}").fill(&[&policy])
}
