//! State of the charts between frames: each is drawn again only when its data, size or theme has changed.

use super::plot::Plot;
use super::{latency, share, throughput, words};
use crate::paint::Palette;
use crate::paint::surface::Surface;
use crate::store::{FrameContext, Shared, Stage};
use crate::views::look::Look;
use plotters::prelude::*;
use plotters_canvas::CanvasBackend;
use sim_core::engine::protocol::{GraphsView, SummaryView};
use sim_core::scenario::schema::Scenario;
use std::rc::Rc;

/// The three charts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chart {
    /// Wake-up latency.
    Latency,
    /// Throughput.
    Throughput,
    /// CPU share.
    Share,
}

/// Order on the page.
pub const CHARTS: [Chart; 3] = [Chart::Latency, Chart::Throughput, Chart::Share];

/// See the module.
pub struct View {
    stage: Stage,
    surfaces: Vec<Option<Surface>>,
    drawn: [Option<Drawn>; 3],
    /// Chart that comes first.
    turn: usize,
    look: Look,
    labels: (u32, Vec<String>),
    report: Box<dyn Fn(Vec<Vec<String>>)>,
    reported_ms: f64,
}

#[derive(Clone, PartialEq)]
struct Drawn {
    graphs: Shared<GraphsView>,
    summary: Shared<SummaryView>,
    size: (f64, f64),
    dpr_milli: u32,
    hover: Option<u32>,
}

/// What the charts are made from.
struct Data<'a> {
    graphs: &'a GraphsView,
    summary: Option<&'a SummaryView>,
    marks: &'a [String],
    labels: &'a [String],
    cpus: u16,
    hover: Option<u32>,
}

impl View {
    /// Without canvases.
    pub fn new(stage: Stage, report: impl Fn(Vec<Vec<String>>) + 'static) -> View {
        View {
            stage,
            surfaces: vec![None, None, None],
            drawn: [None, None, None],
            turn: 0,
            look: Look::default(),
            labels: (u32::MAX, Vec::new()),
            report: Box::new(report),
            reported_ms: f64::NEG_INFINITY,
        }
    }

    /// Takes the canvases of the page, in the order of [`CHARTS`].
    pub fn attach(&mut self, canvases: Vec<web_sys::HtmlCanvasElement>) {
        self.surfaces = canvases
            .into_iter()
            .map(|canvas| {
                let live = self.stage.live.clone();
                Surface::new(canvas, Rc::clone(&self.look.palette), move || live.mark_dirty())
            })
            .collect();
        self.drawn = [None, None, None];
    }

    /// Paints what has changed.
    pub fn paint(&mut self, context: &FrameContext) {
        if self.look.refresh(context) {
            self.drawn = [None, None, None];
        }
        let Some(lane) = context.frames.lanes.get(usize::from(context.lane)) else { return };
        let Some(graphs) = lane.graphs.clone() else { return };
        let summary = lane.summary.clone();
        self.name_workloads(context);
        let loaded = context.frames.loaded.clone();
        let data = Data {
            graphs: &graphs,
            summary: summary.as_deref(),
            marks: loaded.as_ref().map_or(&[][..], |loaded| &loaded.marks),
            labels: &self.labels.1,
            cpus: loaded.as_ref().map_or(1, |loaded| loaded.cpus),
            hover: context.hover,
        };
        let mut has_painted = false;
        // The one that was painted last comes last, or it could take every turn.
        let first = self.turn;
        for i in (0..CHARTS.len()).map(|step| (first + step) % CHARTS.len()) {
            let chart = CHARTS[i];
            let Some(Some(surface)) = self.surfaces.get_mut(i) else { continue };
            let now = Drawn {
                graphs: Shared::of(&lane.graphs),
                summary: Shared::of(&lane.summary),
                size: surface.size(),
                dpr_milli: (context.pixel_ratio * 1000.0) as u32,
                hover: context.hover.filter(|_| chart == Chart::Latency),
            };
            if self.drawn[i].as_ref() == Some(&now) {
                continue;
            }
            if has_painted && context.playing {
                // One chart a frame: all three in one would be felt as a jerk.
                context.keep_animating();
                break;
            }
            if paint_one(surface, chart, &data, &self.look.palette, context) {
                self.drawn[i] = Some(now);
                has_painted = true;
                self.turn = i + 1;
            }
        }
        if context.wall_ms - self.reported_ms >= 1000.0 {
            self.reported_ms = context.wall_ms;
            let shares = share::rows(data.graphs, data.summary, data.labels, data.cpus);
            let rates = throughput::rows(data.graphs, data.marks);
            (self.report)(words::rows(&graphs.latency, &rates, &shares));
        }
    }

    /// Names of the workloads, from the scenario as it runs.
    fn name_workloads(&mut self, context: &FrameContext) {
        let frames = context.frames;
        if self.labels.0 == frames.run {
            return;
        }
        let scenario = frames.loaded.as_ref().and_then(|l| serde_json::from_str::<Scenario>(&l.scenario).ok());
        let names = scenario.map(|s| s.workloads.iter().map(|w| workload_name(&w.name, &w.kind)).collect());
        self.labels = (frames.run, names.unwrap_or_default());
    }
}

fn workload_name(name: &str, kind: &str) -> String {
    if name.is_empty() { kind.replace('_', " ") } else { name.to_owned() }
}

/// Draws one chart; tells whether it could.
fn paint_one(surface: &mut Surface, chart: Chart, data: &Data, palette: &Rc<Palette>, context: &FrameContext) -> bool {
    let Some(canvas) = surface.start_in_dots(palette, context.pixel_ratio) else { return false };
    let Some(backend) = CanvasBackend::with_canvas_object(canvas.clone()) else { return false };
    let area = backend.into_drawing_area();
    let plot = Plot { area: &area, palette, dpr: context.pixel_ratio };
    let done = match chart {
        Chart::Latency => latency::draw(&plot, data.graphs, |task| is_interactive(data, task)),
        Chart::Throughput => throughput::draw(&plot, &throughput::rows(data.graphs, data.marks)),
        Chart::Share => share::draw(&plot, &share::rows(data.graphs, data.summary, data.labels, data.cpus)),
    };
    done.and_then(|()| area.present()).is_ok()
}

/// Under the mouse: that task. Otherwise tasks that sleep more than they run.
fn is_interactive(data: &Data, task: u32) -> bool {
    if let Some(hover) = data.hover {
        return hover == task;
    }
    let row = data.summary.and_then(|summary| {
        let guess = summary.tasks.get(task as usize).filter(|row| row.id == task);
        guess.or_else(|| summary.tasks.iter().find(|row| row.id == task))
    });
    row.is_some_and(|row| row.slept > row.runtime)
}
