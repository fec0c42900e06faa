//! The one door that the command line and the page's worker use.

pub mod protocol;
