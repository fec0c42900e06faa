//! Top bar.

use super::Word;

/// Title field.
pub const TITLE: Word = Word("Title of the scenario");
/// Button.
pub const SHARE: Word = Word("Share");
/// Button.
pub const THEME: Word = Word("Dark or light");
/// Button.
pub const HELP: Word = Word("Keys and help");
/// Button.
pub const MORE: Word = Word("More");
/// Button.
pub const POLICY: Word = Word("Scheduler");
/// Navigation.
pub const VIEWS: Word = Word("Views");
/// Button that adds a lane.
pub const COMPARE: Word = Word("Compare");
/// Takes a lane away.
pub const REMOVE_LANE: Word = Word("Take this lane away");
/// Skip link.
pub const SKIP: Word = Word("Skip to the timeline");
/// Button.
pub const FULLSCREEN: Word = Word("The whole screen");
/// Button.
pub const SEARCH: Word = Word("Search");
