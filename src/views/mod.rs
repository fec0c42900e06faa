//! What the visitor sees: controls and text in Yew, pictures on canvas.

pub mod charts;
pub mod look;
pub mod structures;
pub mod timeline;
