//! Policy menu.

use super::Word;

/// Heading of the matches.
pub fn matches(matched: u32, recorded: u32) -> String {
    Word("{0} of {1} recorded schedules").fill(&[&matched, &recorded])
}
/// Nothing recorded.
pub const NONE: Word = Word("nothing recorded to compare with");
