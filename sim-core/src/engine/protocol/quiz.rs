//! Questions of a lesson, and what is right about them.

use super::Problem;
use crate::lesson::schema::{Moment, Question, Unit};
use serde::{Deserialize, Serialize};

/// Questions of a lesson's step.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct QuizSpec {
    /// Comes back with the answer.
    pub id: u32,
    /// The moment that they are about.
    pub moment: Moment,
    /// The questions.
    pub questions: Vec<Question>,
}

/// Answer to `Quiz`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct QuizView {
    /// See [`QuizSpec::id`].
    pub id: u32,
    /// The moment, ns: the future that is hidden begins here.
    pub t: u64,
    /// The questions that can be answered.
    pub questions: Vec<QuestionView>,
    /// What is wrong with the others; paths begin at the step.
    pub problems: Vec<Problem>,
}

/// What is right about one question.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct QuestionView {
    /// Index in [`QuizSpec::questions`].
    pub index: u8,
    /// What there is to choose from; empty: a number is typed.
    pub options: Vec<OptionView>,
    /// What is right.
    pub right: Right,
    /// What is right, in words.
    pub shown: String,
    /// The rule that decided, with its numbers; empty if no decision is behind it.
    pub why: String,
    /// Kernel function modelled.
    pub function: String,
}

impl QuestionView {
    /// A question of which nothing is known yet.
    pub fn empty() -> Self {
        QuestionView {
            index: 0,
            options: Vec::new(),
            right: Right::Option(0),
            shown: String::new(),
            why: String::new(),
            function: String::new(),
        }
    }
}

/// Something to choose.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OptionView {
    /// Text.
    pub label: String,
    /// The task that it names.
    pub task: Option<u32>,
}

/// The right answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Right {
    /// Index of an option.
    Option(u16),
    /// A number in the base of its unit, see [`crate::lesson::number`].
    Number {
        /// Value.
        value: i64,
        /// Unit that it is asked in.
        unit: Unit,
        /// Tolerance, percent.
        within: u64,
    },
}
