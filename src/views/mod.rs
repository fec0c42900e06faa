//! What the visitor sees: controls and text in Yew, pictures on canvas.

pub mod charts;
pub mod compare;
pub mod controls;
pub mod embed;
pub mod errors;
pub mod history;
pub mod inspector;
pub mod lesson;
pub mod look;
pub mod overlays;
pub mod scenario;
pub mod splitter;
pub mod structures;
pub mod sweep;
pub mod tabs;
pub mod timeline;
pub mod topbar;
pub mod transport;
