//! What the page needs now and then, in a worker of its own that is loaded when it is first wanted: files for other
//! programs, files of other programs, QR codes. It answers questions one after the other.

pub mod client;
pub mod export;
pub mod protocol;
pub mod serve;
