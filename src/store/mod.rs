//! What the visitor chose (small reducers, one context each) and the latest pictures (`frame`, never in Yew state).
//!
//! A view that only dispatches takes [`Stage`], which never changes and so never re-renders it; a view that shows a
//! value takes that value's handle context (`UseReducerHandle<Playback>` and so on).

mod beside;
pub mod course;
mod engine;
pub mod frame;
pub mod groups;
pub mod jobs;
pub mod layout;
mod meter;
mod navigate;
pub mod notice;
pub mod playback;
mod questions;
pub mod run_loop;
pub mod scenario;
pub mod selection;
pub mod use_frames;
pub mod window;
pub mod work;

pub use course::{Course, CourseAction};
pub use frame::{FrameContext, Frames, Live, PainterHandle};
pub use jobs::Jobs;
pub use layout::{Layout, LayoutAction};
pub use playback::{Playback, PlaybackAction};
pub use scenario::{Document, DocumentAction};
pub use selection::{Selection, SelectionAction};
pub use use_frames::{Shared, use_digests, use_frames};
pub use window::{ViewWindow, WindowAction};
pub use work::{Work, WorkAction};

use yew::prelude::*;

/// All dispatchers and the live frame store: stable for the life of the page.
#[derive(Clone, PartialEq)]
pub struct Stage {
    /// Scenario document.
    pub document: UseReducerDispatcher<Document>,
    /// Now, speed, playing.
    pub playback: UseReducerDispatcher<Playback>,
    /// Visible time.
    pub window: UseReducerDispatcher<ViewWindow>,
    /// Task, slice, CPU.
    pub selection: UseReducerDispatcher<Selection>,
    /// Panels, view, theme.
    pub layout: UseReducerDispatcher<Layout>,
    /// Sweeps and figures of posts.
    pub work: UseReducerDispatcher<Work>,
    /// The engine for them.
    pub jobs: Jobs,
    /// The lesson.
    pub course: UseReducerDispatcher<Course>,
    /// Latest answers, painters, the animation-frame loop.
    pub live: Live,
}

/// The [`Stage`] of the page.
#[hook]
pub fn use_stage() -> Stage {
    use_context::<Stage>().expect("views live under the providers of `app`")
}

/// A handle of one of the reducers, by its type.
#[hook]
pub fn use_store<T: Reducible + 'static + PartialEq>() -> UseReducerHandle<T> {
    use_context::<UseReducerHandle<T>>().expect("views live under the providers of `app`")
}
