//! What lies over the page: key sheet, share, scheduler menu, search. Escape or a click beside closes.

mod dialog;
mod export;
mod files;
mod keys;
mod note;
mod policies;
mod qr;
mod search;
mod share;
mod source;

pub use dialog::Dialog;
pub use export::Export;
pub use files::Files;
pub use keys::KeySheet;
pub use note::Note;
pub use policies::PolicyMenu;
pub use search::Search;
pub use share::Share;
pub use source::Source;
