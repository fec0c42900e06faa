//! What lies over the page: key sheet, share, scheduler menu, search. Escape or a click beside closes.

mod dialog;
mod keys;
mod policies;
mod search;
mod share;

pub use keys::KeySheet;
pub use policies::PolicyMenu;
pub use search::Search;
pub use share::Share;
