//! Small controls that all panels share.

mod icon;
mod segments;
mod slider;
mod task;

pub use icon::{Icon, icon, logo};
pub use segments::{Segments, segments};
pub use slider::Slider;
pub use task::{Names, entity_name, sentence, swatch_class, task_name, use_names};
