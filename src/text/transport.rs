//! Transport.

use super::Word;

/// Button.
pub const START: Word = Word("To the start");
/// Button.
pub const BACK: Word = Word("One step back");
/// Button.
pub const PLAY: Word = Word("Play");
/// Button.
pub const PAUSE: Word = Word("Pause");
/// Button.
pub const FORWARD: Word = Word("One step forward");
/// Menu.
pub const STEP_BY: Word = Word("One step is");
/// Unit of a step.
pub const DECISION: Word = Word("decision");
/// Unit of a step.
pub const EVENT: Word = Word("event");
/// Unit of a step.
pub const TICK: Word = Word("tick");
/// Unit of a step.
pub const SLICE: Word = Word("slice");
/// Slider.
pub const SPEED: Word = Word("speed");
/// Box.
pub const TIME: Word = Word("Time: type a moment or a range");
/// Bar.
pub const SEEK: Word = Word("Time of the run");
/// Digest.
pub const DIGEST: Word = Word("digest");
/// Digest, longer.
pub const DIGEST_HELP: Word = Word("Whoever opens the link must see the same digest");
/// Switch.
pub const LOOP: Word = Word("Begin again at the end");
/// Speed as text.
pub fn speed(per_second: &str) -> String {
    Word("1 s = {0}").fill(&[&per_second])
}
/// How far it is simulated.
pub fn simulated(done: &str, all: &str) -> String {
    Word("{0} of {1} simulated").fill(&[&done, &all])
}
