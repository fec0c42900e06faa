//! Drawing: what a view may say ([`Painter`]), the colours it may use ([`Palette`]), time on the x axis
//! ([`TimeScale`]). Views draw through the trait; the page gives them a canvas, tests a recorder.
//!
//! Nothing here knows a scheduler, the store or the worker.

pub mod canvas;
pub mod colour_by;
pub mod number;
pub mod painter;
pub mod palette;
pub mod record;
#[cfg(test)]
pub mod recording;
pub mod scale;
pub mod surface;
pub mod svg;
pub mod task_ink;

pub use canvas::CanvasPainter;
pub use colour_by::{ColourBy, Roles};
pub use painter::{Align, Dash, Fill, Font, Painter, Pen, Rect, Strips};
pub use palette::{Palette, Rgba};
pub use scale::TimeScale;
pub use task_ink::TaskInk;
