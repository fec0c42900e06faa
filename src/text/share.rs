//! Share popover.

use super::Word;

/// Heading.
pub const HEADING: Word = Word("Share");
/// Field.
pub const LINK: Word = Word("Link to this state");
/// Button.
pub const COPY: Word = Word("Copy link");
/// After copying.
pub const COPIED: Word = Word("Copied");
/// Word after the number.
pub const CHARACTERS: Word = Word(" characters");
/// Short link.
pub const FITS: Word = Word("fits every chat, mail and QR code");
/// Long link.
pub const LONG: Word = Word("some chats cut links of this length");
/// Too long.
pub const TOO_LONG: Word = Word("too long for a link: save the scenario as a file");
/// List.
pub const IN_THE_LINK: Word = Word("In the link");
/// Always there.
pub const SCENARIO: Word = Word("scenario and seed");
/// Always there.
pub const ALWAYS: Word = Word("always");
/// Part.
pub const MOMENT: Word = Word("this moment");
/// Part.
pub const WINDOW: Word = Word("window and zoom");
/// Part.
pub const SELECTION: Word = Word("selection");
/// Part.
pub const VIEW: Word = Word("chosen CPU and view");
/// Part.
pub const THEME: Word = Word("theme");
/// Button.
pub const FILE: Word = Word("Scenario as file");
/// Foot.
pub const SAME: Word = Word(": whoever opens the link must see the same");
/// Marks of the meter.
pub const MARKS: [Word; 3] = [Word("lesson 500"), Word("typical 1\u{202f}500"), Word("limit 2\u{202f}000")];
/// The code, for readers.
pub const QR: Word = Word("QR code of the link");
/// It is on its way.
pub const QR_SOON: Word = Word("The QR code is on its way.");
/// It could not be made.
pub const QR_NONE: Word = Word("The QR code could not be made; the link works all the same.");
/// Too long for one.
pub const QR_LONG: Word = Word("The link is too long for a QR code. Share the scenario as a file.");
/// Button.
pub const SAVE_QR: Word = Word("Save QR, SVG");
