//! Error cards.

use super::Word;

/// Title of the page meanwhile.
pub const NOT_OPENED: Word = Word("Link not opened");
/// Under the heading.
pub const NOTHING_RUN: Word = Word("Nothing was run. Your own scenario is still here.");
/// Under the heading of an edit.
pub const RUN_STAYS: Word = Word("The last good run goes on; change the field or go back.");
/// Button.
pub const EXAMPLE: Word = Word("Open the first example");
/// Button.
pub const BACK: Word = Word("My last scenario");
/// Button.
pub const REPORT: Word = Word("Copy report");
/// Button.
pub const RELOAD: Word = Word("Reload");
/// Button.
pub const RESTART: Word = Word("Restart");
/// Button.
pub const COPY_LINK: Word = Word("Copy link");
/// Button.
pub const DISMISS: Word = Word("Close");
/// Whole document.
pub const WHOLE: Word = Word("link");
/// Whole file.
pub const WHOLE_FILE: Word = Word("file");
/// Whole scenario.
pub const WHOLE_TEXT: Word = Word("scenario");
/// Card.
pub const STOPPED: Word = Word("Run stopped");
/// Card.
pub const LOST: Word = Word("Lost touch with the engine");
/// Button: the scenario of the link in an editor.
pub const EDIT: Word = Word("Edit as text");
/// Heading of the editor.
pub const EDIT_HEADING: Word = Word("Mend the scenario");
/// Under it.
pub const EDIT_SAY: Word = Word(
    "What is still wrong is told while you type. The link stays as it is; the mended scenario opens as a new one.",
);
/// Name of its field.
pub const TEXT: Word = Word("Scenario as text");
/// Under the field.
pub const NONE_LEFT: Word = Word("Nothing is wrong any more.");
/// Button.
pub const OPEN_TEXT: Word = Word("Open the scenario");
/// Button.
pub const CLOSE_TEXT: Word = Word("Back to the link");
/// Button: marks the fault in the text.
pub const SHOW: Word = Word("Show");
/// Name of the lines with faults.
pub const EXCERPT: Word = Word("Where in the scenario");
/// Newer version.
pub const NEWER: Word = Word("Made by a newer version");

/// Heading of the card.
pub fn link_problems(count: usize) -> String {
    super::count(count, Word("This link has 1 problem"), Word("This link has {0} problems"))
}
/// Button that mends all fields.
pub fn repair(count: usize) -> String {
    super::count(count, Word("Open with the repair"), Word("Open with all {0} repairs"))
}
/// Button that mends one field.
pub fn use_value(value: &str) -> String {
    Word("Use {0}").fill(&[&value])
}
/// What is left to mend in the editor.
pub fn problems_left(count: usize) -> String {
    super::count(count, Word("1 problem is left"), Word("{0} problems are left"))
}
/// Heading of the card for an edit.
pub fn scenario_problems(count: usize) -> String {
    super::count(count, Word("This scenario has 1 problem"), Word("This scenario has {0} problems"))
}
/// The engine is gone.
pub fn stopped_at(event: &str) -> String {
    Word("The engine stopped at event {0}. The picture is the last good one; the link to this state is kept.")
        .fill(&[&event])
}

/// Where a run stopped.
pub fn at_event(events: &str) -> String {
    Word("event {0}").fill(&[&events])
}

/// The worker did not come up.
pub const NOT_LOADED: Word =
    Word("The engine has not loaded. The network may be slow, or its file could not be fetched.");
/// The worker says nothing any more.
pub const SILENT: Word = Word("The engine has not answered for 10 seconds.");
