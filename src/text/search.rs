//! Search.

use super::Word;

/// Heading.
pub const HEADING: Word = Word("Find");
/// Field.
pub const FIND: Word = Word("task, note or scheduler; Enter: next hit, Shift+Enter: previous");
/// No hit.
pub const NONE: Word = Word("No task, note or scheduler has this in its name.");
/// Kind of a hit.
pub const TASK: Word = Word("task");
/// Kind of a hit.
pub const NOTE: Word = Word("note");
/// Kind of a hit.
pub const POLICY: Word = Word("scheduler");
