//! Questions to the tools and their answers.

use serde::{Deserialize, Serialize};
use sim_core::engine::protocol::{Loaded, LogView, Problem, SummaryView};

/// A question.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum ToolsAsk {
    /// A text as a QR code.
    Qr(String),
    /// A file of another program as a scenario.
    Import(String),
    /// Begin a file.
    Begin {
        /// Word of the format.
        format: String,
        /// The run.
        loaded: Box<Loaded>,
        /// Lane.
        lane: u8,
        /// Address that opens it.
        link: String,
    },
    /// The next events for the file.
    Part(Box<LogView>),
    /// Finish the file.
    End(Box<SummaryView>),
}

/// An answer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum ToolsReply {
    /// A QR code: modules per side, and which are dark, row by row. `None`: the text is too long for one.
    Qr(Option<(u8, Vec<bool>)>),
    /// A scenario as JSON and notes about what it could not take over.
    Imported(String, Vec<Problem>),
    /// Why the file cannot be imported.
    Refused(Vec<Problem>),
    /// A part of a file.
    Bytes(Vec<u8>),
}
