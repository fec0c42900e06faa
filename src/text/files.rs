//! Opening and saving: files, addresses, recent scenarios, refusals of the browser.

use super::Word;

/// Heading of the dialog, and the button that opens it.
pub const HEADING: Word = Word("Open");
/// Button's help.
pub const OPEN: Word = Word("Open a file or a recent scenario");
/// Section.
pub const FILE: Word = Word("File");
/// Field.
pub const CHOOSE: Word = Word("Choose a file");
/// Under the field.
pub const DROP: Word = Word("or drop one anywhere on the page. It stays in this browser; nothing is uploaded.");
/// What can be opened.
pub const KINDS: Word =
    Word("Scenario or lesson (JSON), ftrace or perf text, rt-app workload, process table, job list");
/// Button.
pub const SAVE: Word = Word("Save this scenario");
/// Section.
pub const RECENT: Word = Word("Recent scenarios");
/// Nothing there.
pub const NO_RECENT: Word = Word("What you open or change is kept here, in this browser only.");
/// The browser keeps nothing.
pub const NO_STORAGE: Word =
    Word("This browser does not let the page keep anything. Save the scenario as a file or copy its link instead.");
/// Button.
pub const FORGET_ALL: Word = Word("Forget all");
/// Scenario without a title.
pub const UNTITLED: Word = Word("untitled");
/// Button at a recent scenario.
pub fn forget(title: &str) -> String {
    Word("Forget {0}").fill(&[&title])
}

/// Heading of the question before a request.
pub const ASK: Word = Word("Load from another site?");
/// The question.
pub const ASK_SAY: Word = Word(
    "This link wants to load a scenario or lesson from the address below. Nothing has been requested yet. If you agree, that site sees your network address; it gets no cookies and nothing about you.",
);
/// Agree.
pub const AGREE: Word = Word("Load it");
/// Do not.
pub const DECLINE: Word = Word("Stay here");

/// A file is open, with warnings.
pub fn opened(name: &str) -> String {
    Word("{0} is open").fill(&[&short(name)])
}
/// Under it.
pub const WARNED: Word = Word("Some of it was passed over.");
/// A file is refused.
pub fn refused(name: &str, count: usize) -> String {
    let problems = super::count(count, Word("1 problem"), Word("{0} problems"));
    Word("{0} was not opened: {1}").fill(&[&short(name), &problems])
}
/// Under it.
pub const STAYS: Word = Word("Your own scenario goes on.");
/// Cannot be read.
pub const UNREADABLE: Word = Word("the browser could not read the file; it may have been moved or is not a text");
/// Too long.
pub fn too_long(bytes: u64, bytes_max: u64) -> String {
    Word("{0} MiB are more than the {1} MiB that are read").fill(&[&bytes.div_ceil(1 << 20), &(bytes_max >> 20)])
}

/// Other way.
pub const BY_FILE: Word = Word("Download the file yourself and drop it on this page");
/// Another scheme.
pub const ONLY_HTTPS: Word = Word("only addresses that begin with https:// are loaded");
/// Blocked, offline, refused by the other site, redirected.
pub const NO_ANSWER: Word =
    Word("there was no answer: you may be offline, or the site does not let other pages read it, or it redirects");
/// Not text.
pub const NOT_TEXT: Word = Word("the answer is not UTF-8 text");
/// Broken off.
pub const CUT: Word = Word("the answer broke off");
/// Refused by the site.
pub fn status(status: u16) -> String {
    Word("the site answered with status {0}").fill(&[&status])
}
/// Too long.
pub fn too_long_answer(bytes_max: usize) -> String {
    Word("the answer is longer than {0} KiB").fill(&[&(bytes_max >> 10)])
}

/// Clipboard refused.
pub const NO_CLIPBOARD: Word = Word("The browser did not allow copying");
/// Other way.
pub const BY_HAND: Word = Word("Select the text below and copy it with Ctrl+C, or hold it with a finger.");
/// Field with the text.
pub const TEXT: Word = Word("Text to copy");
/// Button.
pub const DISMISS: Word = Word("Close");

/// A name that fits a heading.
fn short(name: &str) -> String {
    let mut short: String = name.chars().take(60).collect();
    if name.chars().nth(60).is_some() {
        short.push('…');
    }
    short
}
/// Heading when the browser refuses the whole screen.
pub const NO_FULLSCREEN: Word = Word("The browser did not give the whole screen");
/// What else there is.
pub const OTHER_FULLSCREEN: Word = Word(
    "A page inside another one, and some phones, may not take it. Press the browser's own key (F11), or open this page in a tab of its own.",
);
