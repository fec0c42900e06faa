//! From the frame store into Yew, for text: a value is picked each frame and renders only when it has changed, at most
//! every few hundred ms.

use super::frame::{FrameContext, Frames, PainterHandle};
use super::{Document, use_stage, use_store};
use std::cell::{Cell, RefCell};
use std::ops::Deref;
use std::rc::Rc;
use yew::prelude::*;

/// An answer shared with the frame store; equal only to itself, so comparing is free.
pub struct Shared<T>(pub Option<Rc<T>>);

impl<T> Shared<T> {
    /// Shares an answer.
    pub fn of(answer: &Option<Rc<T>>) -> Self {
        Self(answer.clone())
    }

    /// Shares something that is always there.
    pub fn some(answer: &Rc<T>) -> Self {
        Self(Some(answer.clone()))
    }
}

impl<T> Default for Shared<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(mine), Some(theirs)) => Rc::ptr_eq(mine, theirs),
            (None, None) => true,
            _ => false,
        }
    }
}

impl<T> Deref for Shared<T> {
    type Target = Option<Rc<T>>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

/// The value that `pick` takes from the frames; renders again when it changes, at most every `calm_ms`. `pick` runs in
/// each painted frame once it is due, so it should be cheap.
#[hook]
pub fn use_frames<T>(calm_ms: u32, pick: fn(&FrameContext) -> T) -> T
where
    T: Clone + Default + PartialEq + 'static,
{
    let stage = use_stage();
    let value = use_state(T::default);
    let handle = use_mut_ref(|| None::<PainterHandle>);
    {
        let value = value.setter();
        use_effect_with(stage, move |stage| {
            let last = RefCell::new(T::default());
            let due_ms = Cell::new(0.0);
            let painter = stage.live.register_painter(move |context| {
                if context.wall_ms < due_ms.get() {
                    context.keep_animating();
                    return;
                }
                let next = pick(context);
                if next == *last.borrow() {
                    return;
                }
                due_ms.set(context.wall_ms + f64::from(calm_ms));
                *last.borrow_mut() = next.clone();
                value.set(next);
            });
            *handle.borrow_mut() = Some(painter);
            move || *handle.borrow_mut() = None
        });
    }
    (*value).clone()
}

/// Digests of the document's runs by lane, `None` while a run is not whole. Read as they stand at this render, and a
/// changed document renders at once: no digest of the run before stands beside the new title, not for one frame.
#[hook]
pub fn use_digests() -> Vec<Option<u64>> {
    let stage = use_stage();
    let _renders_with_the_title = use_store::<Document>();
    let _renders_when_they_come = use_frames(0, |context| digests(context.frames));
    stage.live.with_frames(digests)
}

fn digests(frames: &Frames) -> Vec<Option<u64>> {
    (0..frames.progress.len().max(1) as u8).map(|lane| frames.digest(lane)).collect()
}
