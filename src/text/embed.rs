//! The page inside another page.

use super::Word;

/// Link to the whole page.
pub const OPEN_FULL: Word = Word("Open full");
/// Its help.
pub const OPEN_FULL_HELP: Word = Word("Open this very state in Schedscope, in a new tab");
/// Section of the share dialog.
pub const HEADING: Word = Word("Embed");
/// Choice.
pub const SHOWN: Word = Word("What the frame shows");
/// Choices.
pub const CHOICES: [Word; 3] = [Word("timeline"), Word("structures"), Word("all")];
/// Field.
pub const CODE: Word = Word("HTML for your page");
/// Button.
pub const COPY: Word = Word("Copy embed");
/// Title of the frame for readers.
pub fn frame_title(title: &str) -> String {
    Word("Schedscope: {0}").fill(&[&title])
}
