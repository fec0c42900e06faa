//! Folded panels, states.

use super::Word;

/// Unfold a panel.
pub const UNFOLD: Word = Word("Unfold");
/// Fold a panel.
pub const FOLD: Word = Word("Fold");
/// Close an overlay.
pub const CLOSE: Word = Word("Close");
/// Bar beside the scenario.
pub const WIDTH_LEFT: Word = Word("Width of the scenario panel");
/// Bar beside the inspector.
pub const WIDTH_RIGHT: Word = Word("Width of the inspector");
/// Bar below the timeline.
pub const HEIGHT_LANES: Word = Word("Height of the lanes");
/// Bar below the structures.
pub const HEIGHT_STRUCTURES: Word = Word("Height of the structures");
/// Bar.
pub const RESIZE: Word = Word("Drag or press the arrow keys; double-click puts it back");
