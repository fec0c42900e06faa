//! Pictures that are also written as SVG while they are painted, when someone wants them as files.

use super::svg::SvgPainter;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use web_sys::HtmlCanvasElement;

/// A canvas and what was painted on it.
pub type Taken = (HtmlCanvasElement, Rc<RefCell<SvgPainter>>);

thread_local! {
    /// Painters also write what they paint.
    static WANTED: Cell<bool> = const { Cell::new(false) };
    static TAKEN: RefCell<Vec<Taken>> = const { RefCell::new(Vec::new()) };
}

/// From now on pictures are written.
pub fn begin() {
    WANTED.with(|wanted| wanted.set(true));
}

/// The newest picture of each canvas since [`begin`]; no further ones are written.
pub fn end() -> Vec<Taken> {
    WANTED.with(|wanted| wanted.set(false));
    TAKEN.with(|taken| std::mem::take(&mut *taken.borrow_mut()))
}

/// A place to write the next picture of a canvas, if someone wants it.
pub(super) fn wanted(
    canvas: &HtmlCanvasElement,
    fresh: impl FnOnce() -> SvgPainter,
) -> Option<Rc<RefCell<SvgPainter>>> {
    if !WANTED.with(Cell::get) {
        return None;
    }
    let svg = Rc::new(RefCell::new(fresh()));
    TAKEN.with(|taken| {
        let mut taken = taken.borrow_mut();
        taken.retain(|(other, _)| other != canvas);
        taken.push((canvas.clone(), svg.clone()));
    });
    Some(svg)
}
