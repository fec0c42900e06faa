//! A canvas on the page with its true size: follows its box by a `ResizeObserver`, sharp on any screen. And one beside
//! the page, for pictures that are kept.

use super::canvas::{CanvasPainter, new_canvas};
use super::palette::Palette;
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{HtmlCanvasElement, ResizeObserver};

/// Largest canvas side, device dots: above it browsers refuse or lose the picture.
const DOTS_MAX: f64 = 8192.0;

/// See the module. Dropping it ends the observation.
pub struct Surface {
    canvas: HtmlCanvasElement,
    painter: CanvasPainter,
    size: Rc<Cell<(f64, f64)>>,
    applied: (u32, u32),
    observer: ResizeObserver,
    _callback: Closure<dyn FnMut(js_sys::Array)>,
}

impl Surface {
    /// Watches a canvas. `resized` is called after each change of its box, to ask for a new picture.
    pub fn new(canvas: HtmlCanvasElement, palette: Rc<Palette>, resized: impl Fn() + 'static) -> Option<Surface> {
        let painter = CanvasPainter::new(&canvas, palette, 1.0)?;
        let size = Rc::new(Cell::new((f64::from(canvas.client_width()), f64::from(canvas.client_height()))));
        let (seen, watched) = (Rc::clone(&size), canvas.clone());
        let callback = Closure::<dyn FnMut(js_sys::Array)>::new(move |_: js_sys::Array| {
            let now = (f64::from(watched.client_width()), f64::from(watched.client_height()));
            if seen.replace(now) != now {
                resized();
            }
        });
        let observer = ResizeObserver::new(callback.as_ref().unchecked_ref()).ok()?;
        observer.observe(&canvas);
        Some(Surface { canvas, painter, size, applied: (0, 0), observer, _callback: callback })
    }

    /// Size of the box, CSS pixels.
    pub fn size(&self) -> (f64, f64) {
        self.size.get()
    }

    /// The canvas.
    pub fn canvas(&self) -> &HtmlCanvasElement {
        &self.canvas
    }

    /// Starts a picture; `None` while the box has no area.
    pub fn start(&mut self, palette: &Rc<Palette>, dpr: f64) -> Option<(&mut CanvasPainter, f64, f64)> {
        let (w, h) = self.fit(dpr)?;
        self.painter.start(palette, dpr, (w, h), palette.panel);
        self.painter.record(&self.canvas, (w, h), palette.panel);
        Some((&mut self.painter, w, h))
    }

    /// Starts a picture in screen dots, for a library that paints on the canvas itself.
    pub fn start_in_dots(&mut self, palette: &Rc<Palette>, dpr: f64) -> Option<&HtmlCanvasElement> {
        let (w, h) = self.fit(dpr)?;
        self.painter.start(palette, 1.0, (w * dpr + 1.0, h * dpr + 1.0), palette.panel);
        Some(&self.canvas)
    }

    /// Gives the canvas as many dots as its box has on the screen.
    fn fit(&mut self, dpr: f64) -> Option<(f64, f64)> {
        let (w, h) = self.size.get();
        if w < 1.0 || h < 1.0 {
            return None;
        }
        let dots = |px: f64| (px * dpr).round().clamp(1.0, DOTS_MAX) as u32;
        let wanted = (dots(w), dots(h));
        if self.applied != wanted {
            self.canvas.set_width(wanted.0);
            self.canvas.set_height(wanted.1);
            self.applied = wanted;
        }
        Some((w, h))
    }
}

impl Drop for Surface {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// A canvas that is not on the page: a picture that is drawn once and copied often.
pub struct Backing {
    canvas: HtmlCanvasElement,
    painter: CanvasPainter,
    applied: (u32, u32),
}

impl Backing {
    /// An empty one; `None` where the browser gives no canvas.
    pub fn new(palette: &Rc<Palette>) -> Option<Backing> {
        let canvas = new_canvas(1, 1)?;
        let painter = CanvasPainter::new(&canvas, Rc::clone(palette), 1.0)?;
        Some(Backing { canvas, painter, applied: (1, 1) })
    }

    /// Starts a picture of `w` × `h` px; `None` if it is larger than a canvas can be.
    pub fn start(&mut self, palette: &Rc<Palette>, dpr: f64, (w, h): (f64, f64)) -> Option<&mut CanvasPainter> {
        let wanted = ((w * dpr).ceil().max(1.0), (h * dpr).ceil().max(1.0));
        if wanted.0 > DOTS_MAX || wanted.1 > DOTS_MAX {
            return None;
        }
        let wanted = (wanted.0 as u32, wanted.1 as u32);
        if self.applied != wanted {
            self.canvas.set_width(wanted.0);
            self.canvas.set_height(wanted.1);
            self.applied = wanted;
        }
        self.painter.start(palette, dpr, (w + 1.0, h + 1.0), palette.panel);
        Some(&mut self.painter)
    }

    /// The canvas.
    pub fn canvas(&self) -> &HtmlCanvasElement {
        &self.canvas
    }
}
