//! Lessons. The texts of the lessons themselves are in their files.

use super::{Word, count};

/// Name of the view.
pub const VIEW: Word = Word("Lessons");
/// Heading of the list.
pub const HEADING: Word = Word("Lessons");
/// Under the heading of the list.
pub const SAY: Word =
    Word("Each step stops before the scheduler decides. Say what it will do, then see whether you were right and why.");
/// The list is on its way.
pub const LOADING: Word = Word("The list is on its way");
/// A lesson is on its way.
pub const LESSON_LOADING: Word = Word("The lesson is on its way");
/// The list did not come.
pub const NO_LIST: Word = Word("The list of lessons did not come. Reload the page, or open a lesson file.");
/// Button.
pub const OPEN_FILE: Word = Word("Open a lesson file");
/// Beside the button.
pub const DROP: Word = Word("or drop it on the page");
/// Foot of the list.
pub const WRITE: Word = Word(
    "A lesson is a JSON file that you can write yourself: docs/lessons.md explains it, schedscope lesson check tries it out.",
);
/// Card.
pub const START: Word = Word("Start");
/// Button.
pub const PREVIOUS: Word = Word("Previous");
/// Button.
pub const NEXT: Word = Word("Next step");
/// Key of that button.
pub const SPACE: Word = Word("Space");
/// Button.
pub const CHECK: Word = Word("Check answer");
/// Button.
pub const SHOW: Word = Word("Show me");
/// Button at the end.
pub const ALL: Word = Word("All lessons");
/// Box.
pub const KEEP: Word = Word("Keep in mind");
/// Progress bar.
pub const STEPS: Word = Word("Steps");
/// Panel of the questions.
pub const QUESTIONS: Word = Word("Questions");
/// Head of the picture.
pub const HIDDEN: Word = Word("future hidden until you answer");
/// Head of the picture.
pub const REVEALED: Word = Word("revealed");
/// In the hatch.
pub const WHAT_NEXT: Word = Word("What comes next?");
/// In the hatch.
pub const ANSWER_BELOW: Word = Word("answer below, then Enter");
/// Instead of the table of differences.
pub const TABLE_LATER: Word = Word("The table of differences opens when you have answered.");
/// An answer is missing.
pub const MISSING: Word = Word("Choose an option or type a number first.");
/// The engine computes what is right.
pub const COMPUTING: Word = Word("simulated next");
/// Verdict.
pub const RIGHT: Word = Word("Right.");
/// Option that is right.
pub const IS_RIGHT: Word = Word("right");
/// Option that was chosen and is not right.
pub const IS_WRONG: Word = Word("your answer, not right");
/// Button.
pub const ANSWERS: Word = Word("Answers");
/// Button.
pub const OTHER: Word = Word("other numbers");
/// Button.
pub const OTHER_HELP: Word = Word("Draw another variant of this lesson; answers start anew");
/// Dialog.
pub const SCORE: Word = Word("Your answers");
/// Field.
pub const NAME: Word = Word("your name, if you like");
/// Under the field.
pub const NOTHING_SENT: Word = Word("The name stays on this page and in the file. Nothing is sent anywhere.");
/// Button.
pub const SAVE_CSV: Word = Word("Save as CSV");
/// Button.
pub const SAVE_JSON: Word = Word("Save as JSON");
/// No answers.
pub const NONE_YET: Word = Word("Nothing is answered yet.");
/// Table.
pub const STEP: Word = Word("step");
/// Table.
pub const QUESTION: Word = Word("question");
/// Table.
pub const YOUR_ANSWER: Word = Word("your answer");
/// Table.
pub const RIGHT_ANSWER: Word = Word("right answer");
/// Table.
pub const OUTCOME: Word = Word("outcome");
/// Outcome.
pub const OUT_RIGHT: Word = Word("right");
/// Outcome.
pub const OUT_WRONG: Word = Word("not right");
/// Outcome.
pub const OUT_SHOWN: Word = Word("shown");
/// A step cannot be asked.
pub const BROKEN: Word = Word("This step cannot ask all it wants to");

/// Card.
pub fn size(steps: usize, questions: usize) -> String {
    let steps = count(steps, Word("1 step"), Word("{0} steps"));
    let questions = count(questions, Word("1 question"), Word("{0} questions"));
    Word("{0}, {1}").fill(&[&steps, &questions])
}

/// Name of a step for the progress bar.
pub fn step_of(step: usize, steps: usize, title: &str) -> String {
    Word("Step {0} of {1}: {2}").fill(&[&step, &steps, &title])
}

/// Which variant is shown.
pub fn variant(seed: u64) -> String {
    Word("variant {0}").fill(&[&seed])
}

/// Score.
pub fn score(right: usize, of: usize) -> String {
    Word("{0} of {1}").fill(&[&right, &of])
}

/// Before the score.
pub const SO_FAR: Word = Word("score so far");

/// Verdict of a wrong answer.
pub fn wrong(given: &str) -> String {
    Word("You said {0}.").fill(&[&given])
}

/// The right answer.
pub fn right_is(right: &str) -> String {
    Word("Right is {0}.").fill(&[&right])
}

/// Beside a field for a number.
pub fn tolerance(percent: u64) -> String {
    if percent == 0 {
        Word("a number, exactly").into()
    } else {
        Word("a number; {0} % either way counts as right").fill(&[&percent])
    }
}

/// A lesson that is not there.
pub fn unknown(key: &str) -> String {
    Word("this page has no lesson \"{0}\"").fill(&[&key])
}

/// Repair for a lesson that is not there.
pub const SEE_LIST: Word = Word("Open the list of lessons and choose one");

/// A policy that does not exist.
pub fn no_policy(key: &str) -> String {
    Word("\"{0}\" is not a policy").fill(&[&key])
}

/// Repair for it.
pub const SEE_POLICIES: Word = Word("The scheduler menu lists all keys");
