//! The key sheet.

use super::Word;

/// A key (`Cap`, `Key`) or a word between keys (`Say`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// A key with a sign.
    Cap(&'static str),
    /// A key with a name, which differs from country to country.
    Key(Word),
    /// A word.
    Say(Word),
}

use Part::{Cap, Key, Say};

/// A row: keys and what they do.
pub type Row = (&'static [Part], Word);

/// A group of rows with its heading.
pub type Group = (Word, &'static [Row]);

/// Heading.
pub const HEADING: Word = Word("Keys");
/// Search field.
pub const FIND: Word = Word("find a key or an action");
/// Beside the heading.
pub const BY_PLACE: Word = Word("letters by place on the keyboard, so AZERTY and Dvorak work");
/// Choice of the language.
pub const LANGUAGE: Word = Word("Language");
/// Foot.
pub const REST: Word = Word(
    "Keys rest while a field has focus. Every canvas can be reached with Tab; the text beside it says what is drawn.",
);

/// The groups in three columns.
pub const COLUMNS: [&[Group]; 3] = [
    &[
        (
            Word("Time"),
            &[
                (&[Key(Word("Space"))], Word("play, pause")),
                (&[Cap("←"), Cap("→")], Word("one decision back, forward")),
                (&[Key(Word("Shift")), Say(Word("+")), Cap("←"), Cap("→")], Word("one event back, forward")),
                (&[Cap("<"), Cap(">")], Word("slower, faster")),
                (&[Cap("T")], Word("type a time or a range")),
                (&[Key(Word("Home")), Key(Word("End"))], Word("start, end of the run")),
            ],
        ),
        (
            Word("Views"),
            &[
                (&[Cap("1"), Cap("2"), Cap("3")], Word("run, structures, compare")),
                (&[Cap("4"), Cap("5"), Cap("6")], Word("history, sweep, lessons")),
                (&[Key(Word("PageUp")), Key(Word("PageDown"))], Word("in a lesson: previous, next step")),
                (&[Cap("1"), Say(Word("…")), Cap("9"), Key(Word("Enter"))], Word("in a lesson: answer, check")),
                (&[Cap("Q")], Word("fold the inspector")),
                (&[Cap("\\")], Word("fold the scenario")),
                (&[Key(Word("Shift")), Say(Word("+")), Cap("F")], Word("the whole screen, and back")),
                (&[Cap("?")], Word("this sheet")),
            ],
        ),
    ],
    &[
        (
            Word("Window"),
            &[
                (&[Cap("W"), Cap("S")], Word("zoom in, out at the mouse")),
                (&[Cap("A"), Cap("D")], Word("pan left, right; hold to go faster")),
                (&[Cap("0")], Word("whole run")),
                (&[Cap("F")], Word("centre the selection; again: fit it")),
                (&[Key(Word("Ctrl")), Say(Word("+ wheel"))], Word("zoom at the mouse")),
                (&[Key(Word("Shift")), Say(Word("+ wheel"))], Word("pan")),
                (&[Say(Word("drag"))], Word("select a time range")),
                (&[Key(Word("Shift")), Say(Word("+ drag"))], Word("pan")),
                (&[Say(Word("pinch"))], Word("zoom")),
                (&[Say(Word("tap; double tap"))], Word("select; whole run")),
                (&[Say(Word("double-click"))], Word("the marked range; else the whole run")),
            ],
        ),
        (
            Word("Compare"),
            &[
                (&[Cap("N")], Word("next difference")),
                (&[Key(Word("Shift")), Say(Word("+")), Cap("N")], Word("first divergence")),
            ],
        ),
    ],
    &[
        (
            Word("Selection"),
            &[
                (&[Cap(","), Cap(".")], Word("previous, next slice of the lane")),
                (&[Cap("["), Cap("]")], Word("go to the waker, to the wakee")),
                (&[Cap("↑"), Cap("↓")], Word("CPU above, below")),
                (&[Key(Word("Enter"))], Word("why: open in the inspector; on a marked range: show it")),
                (&[Cap("I")], Word("what if")),
                (&[Cap("M")], Word("note at the selection, or now")),
                (&[Cap("P")], Word("pin a task's lane, on the timeline")),
                (&[Key(Word("Esc"))], Word("clear, close")),
            ],
        ),
        (
            Word("Find and share"),
            &[
                (&[Cap("/")], Word("search tasks, notes, schedulers")),
                (&[Key(Word("Enter"))], Word("next hit; with Shift: previous")),
                (&[Cap("O")], Word("open a file or a recent scenario")),
                (&[Cap("E")], Word("export")),
                (&[Cap("Y")], Word("copy the link")),
            ],
        ),
    ],
];
