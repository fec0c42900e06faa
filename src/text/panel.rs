//! Folded panels, states.

use super::Word;

/// Unfold a panel.
pub const UNFOLD: Word = Word("Unfold");
/// Fold a panel.
pub const FOLD: Word = Word("Fold");
/// Close an overlay.
pub const CLOSE: Word = Word("Close");
