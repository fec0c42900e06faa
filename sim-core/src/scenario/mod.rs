//! What is simulated: the document that people write, share and open.

pub mod golden;
pub mod schema;
