//! The key sheet.

/// A key cap (`Cap`) or a word between keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// A key.
    Cap(&'static str),
    /// A word.
    Word(&'static str),
}

use Part::{Cap, Word};

/// A row: keys and what they do.
pub type Row = (&'static [Part], &'static str);

/// A group of rows with its heading.
pub type Group = (&'static str, &'static [Row]);

/// Heading.
pub const HEADING: &str = "Keys";
/// Search field.
pub const FIND: &str = "find a key or an action";
/// Beside the heading.
pub const BY_PLACE: &str = "letters by place on the keyboard, so AZERTY and Dvorak work";
/// Foot.
pub const REST: &str =
    "Keys rest while a field has focus. Every canvas can be reached with Tab; the text beside it says what is drawn.";

/// The groups in three columns.
pub const COLUMNS: [&[Group]; 3] = [
    &[
        (
            "Time",
            &[
                (&[Cap("Space")], "play, pause"),
                (&[Cap("←"), Cap("→")], "one decision back, forward"),
                (&[Cap("Shift"), Word("+"), Cap("←"), Cap("→")], "one event back, forward"),
                (&[Cap("<"), Cap(">")], "slower, faster"),
                (&[Cap("T")], "type a time or a range"),
                (&[Cap("Home"), Cap("End")], "start, end of the run"),
            ],
        ),
        (
            "Views",
            &[
                (&[Cap("1"), Cap("2"), Cap("3")], "run, structures, compare"),
                (&[Cap("Q")], "fold the inspector"),
                (&[Cap("\\")], "fold the scenario"),
                (&[Cap("?")], "this sheet"),
            ],
        ),
    ],
    &[(
        "Window",
        &[
            (&[Cap("W"), Cap("S")], "zoom in, out at the mouse"),
            (&[Cap("A"), Cap("D")], "pan left, right; hold to go faster"),
            (&[Cap("0")], "whole run"),
            (&[Cap("F")], "centre the selection; again: fit it"),
            (&[Cap("Ctrl"), Word("+ wheel")], "zoom at the mouse"),
            (&[Cap("Shift"), Word("+ wheel")], "pan"),
            (&[Word("drag")], "select a time range"),
            (&[Cap("Shift"), Word("+ drag")], "pan"),
            (&[Word("pinch")], "zoom"),
        ],
    )],
    &[
        (
            "Selection",
            &[
                (&[Cap(","), Cap(".")], "previous, next slice of the lane"),
                (&[Cap("["), Cap("]")], "go to the waker, and back to the wakee"),
                (&[Cap("↑"), Cap("↓")], "CPU above, below"),
                (&[Cap("Enter")], "why: open in the inspector"),
                (&[Cap("Esc")], "clear, close"),
            ],
        ),
        (
            "Find and share",
            &[
                (&[Cap("/")], "search tasks"),
                (&[Cap("Y")], "copy the link"),
                (&[Cap("P")], "pin a task's lane, on the timeline"),
            ],
        ),
    ],
];
