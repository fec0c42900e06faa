//! Something the visitor must know and that has no place of its own: a file that could not be opened, a refusal of the
//! browser and the other way there is.

use sim_core::engine::protocol::Problem;

/// A card over the page. The run below goes on.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Notice {
    /// What happened.
    pub heading: String,
    /// What it means and what can be done.
    pub say: String,
    /// One row each.
    pub problems: Vec<Problem>,
    /// A text to copy by hand.
    pub text: Option<String>,
    /// Nothing is wrong: it only tells.
    pub is_news: bool,
}
