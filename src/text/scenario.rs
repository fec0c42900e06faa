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
pub const GROUPS_NONE: Word = Word("This scenario has no groups.");
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
