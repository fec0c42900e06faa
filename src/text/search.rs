//! Search.

use super::Word;

/// Heading.
pub const HEADING: Word = Word("Find a task");
/// Field.
pub const FIND: Word = Word("part of a name; Enter: next hit");
/// No hit.
pub const NONE: Word = Word("No task has this in its name.");
