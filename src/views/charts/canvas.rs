//! A chart as an element: painted again when its data, its size or the theme has changed.

use super::curves;
use super::plot::Plot;
use super::ratios;
use crate::paint::surface::Surface;
use crate::store::{FrameContext, Stage, use_stage};
use crate::views::look::Look;
use plotters::prelude::*;
use plotters_canvas::CanvasBackend;
use std::cell::RefCell;
use std::rc::Rc;
use web_sys::HtmlCanvasElement;
use yew::prelude::*;

/// What is drawn.
#[derive(Clone, PartialEq, Debug)]
pub enum Chart {
    /// Curves over a number.
    Curves(curves::Chart),
    /// Ours over published.
    Ratios {
        /// A line per figure.
        lines: Vec<ratios::Line>,
        /// While there is none.
        empty: String,
    },
}

/// Properties of [`ChartCanvas`].
#[derive(Properties, PartialEq)]
pub struct ChartProps {
    /// What is drawn.
    pub chart: Chart,
    /// Name for screen readers.
    pub label: AttrValue,
    /// Id of the element that says the same in words.
    pub words: AttrValue,
    /// Class of the canvas.
    #[prop_or_default]
    pub class: Classes,
}

struct State {
    stage: Stage,
    chart: Chart,
    surface: Option<Surface>,
    look: Look,
    is_drawn: Option<((f64, f64), u32)>,
}

impl State {
    fn paint(&mut self, context: &FrameContext) {
        if self.look.refresh(context) {
            self.is_drawn = None;
        }
        let Some(surface) = &mut self.surface else { return };
        let now = (surface.size(), (context.pixel_ratio * 1000.0) as u32);
        if self.is_drawn == Some(now) {
            return;
        }
        let palette = &self.look.palette;
        let Some(canvas) = surface.start_in_dots(palette, context.pixel_ratio) else { return };
        let Some(backend) = CanvasBackend::with_canvas_object(canvas.clone()) else { return };
        let area = backend.into_drawing_area();
        let plot = Plot { area: &area, palette, dpr: context.pixel_ratio };
        let done = match &self.chart {
            Chart::Curves(chart) => curves::draw(&plot, chart),
            Chart::Ratios { lines, empty } => ratios::draw(&plot, lines, empty),
        };
        if done.and_then(|()| area.present()).is_ok() {
            self.is_drawn = Some(now);
        }
    }

    fn attach(&mut self, canvas: HtmlCanvasElement) {
        let live = self.stage.live.clone();
        self.surface = Surface::new(canvas, Rc::clone(&self.look.palette), move || live.mark_dirty());
        self.is_drawn = None;
    }
}

/// The element.
#[component]
pub fn ChartCanvas(props: &ChartProps) -> Html {
    let stage = use_stage();
    let node = use_node_ref();
    let state = {
        let (stage, chart) = (stage.clone(), props.chart.clone());
        use_memo((), move |()| {
            RefCell::new(State { stage, chart, surface: None, look: Look::default(), is_drawn: None })
        })
    };
    {
        let (state, node, live) = (Rc::clone(&state), node.clone(), stage.live.clone());
        use_effect_with((), move |()| {
            if let Some(canvas) = node.cast::<HtmlCanvasElement>() {
                state.borrow_mut().attach(canvas);
            }
            let painter = Rc::clone(&state);
            let handle = live.register_painter(move |context| painter.borrow_mut().paint(context));
            move || {
                drop(handle);
                state.borrow_mut().surface = None;
            }
        });
    }
    {
        let (state, live) = (Rc::clone(&state), stage.live.clone());
        use_effect_with(props.chart.clone(), move |chart| {
            let mut state = state.borrow_mut();
            state.chart = chart.clone();
            state.is_drawn = None;
            live.mark_dirty();
        });
    }
    html! {
        <canvas ref={node} class={props.class.clone()} tabindex="0" role="img" aria-label={&props.label} aria-describedby={&props.words} />
    }
}
