//! Every limit of a lesson, in one place.

/// Longest lesson text, bytes.
pub const TEXT_BYTES_MAX: usize = 256 << 10;
/// Longest title of a lesson or step, characters.
pub const TITLE_CHARS_MAX: usize = 80;
/// Longest summary, paragraph or rule, characters.
pub const PARAGRAPH_CHARS_MAX: usize = 600;
/// Most paragraphs of a step before its questions, and after them.
pub const PARAGRAPHS_MAX: usize = 6;
/// Most steps.
pub const STEPS_MAX: usize = 20;
/// Most questions of a step.
pub const QUESTIONS_MAX: usize = 5;
/// Longest question, characters.
pub const QUESTION_CHARS_MAX: usize = 200;
/// Most options of a question.
pub const OPTIONS_MAX: usize = 6;
/// Longest option, characters.
pub const OPTION_CHARS_MAX: usize = 100;
/// Most tasks with lanes of their own in the picture.
pub const TASKS_MAX: usize = 8;
/// Most numbers that vary.
pub const VARIES_MAX: usize = 16;
/// Most values of a number that varies.
pub const VALUES_MAX: usize = 32;
/// Widest tolerance of a number, percent.
pub const WITHIN_MAX: u64 = 50;
/// Longest scenario link of a step, characters.
pub const LINK_CHARS_MAX: usize = 2_000;
