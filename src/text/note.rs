//! Notes at moments of the run.

use super::Word;

/// Heading of the dialog.
pub const HEADING: Word = Word("Note");
/// Field.
pub const FIELD: Word = Word("a few words about this moment");
/// Button.
pub const WRITE: Word = Word("Write");
/// Button.
pub const REMOVE: Word = Word("Take away");
/// Section of the scenario panel.
pub const NOTES: Word = Word("Notes");
/// Button.
pub const ADD: Word = Word("Add");
/// Empty list.
pub const NONE: Word = Word("Press M to write a few words at this moment. Notes travel in the link.");

/// Beside the heading.
pub fn at(moment: &str) -> String {
    Word("at {0}").fill(&[&moment])
}
