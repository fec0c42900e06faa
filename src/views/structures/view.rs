//! State of the structures between frames.

use super::board::Board;
use super::motion::Motion;
use super::sheet::{self, Manner, OverTime};
use super::trails::Around;
use super::words;
use crate::page;
use crate::paint::surface::Surface;
use crate::paint::{ColourBy, Rect};
use crate::store::frame::LaneFrames;
use crate::store::{FrameContext, SelectionAction, Shared, Stage};
use crate::views::look::Look;
use sim_core::engine::protocol::{EntityView, StructuresView, TrailsView, WindowView};
use std::rc::Rc;

/// See the module.
pub struct View {
    stage: Stage,
    manner: Manner,
    surface: Option<Surface>,
    look: Look,
    motion: Motion,
    hits: Vec<(Rect, EntityView)>,
    height: f64,
    report: Box<dyn Fn(String, Vec<Vec<String>>)>,
    reported_ms: f64,
    drawn: Option<Drawn>,
    /// Not drawn before this while it plays, ms.
    rests_until_ms: f64,
}

/// While it plays a picture rests this many times as long as it took: with hundreds of tasks in one queue it comes less
/// often, and the lanes do not stutter for it.
const RESTS: f64 = 8.0;

/// Only where numbers over time are drawn: numbers, slices, window, now.
type Trailed = (Shared<TrailsView>, Shared<WindowView>, (u64, u64), u64);

/// What was drawn last: an equal frame is not drawn again.
#[derive(Clone, PartialEq)]
struct Drawn {
    view: Shared<StructuresView>,
    hover: Option<u32>,
    selected: Option<u32>,
    size: (f64, f64),
    dpr_milli: u32,
    manner: Manner,
    colour_by: ColourBy,
    over_time: Option<Trailed>,
}

impl View {
    /// An empty view; `report` gets the text equivalent now and then.
    pub fn new(stage: Stage, report: impl Fn(String, Vec<Vec<String>>) + 'static) -> View {
        View {
            stage,
            manner: Manner::default(),
            surface: None,
            look: Look::default(),
            motion: Motion::default(),
            hits: Vec::new(),
            height: 0.0,
            report: Box::new(report),
            reported_ms: f64::NEG_INFINITY,
            drawn: None,
            rests_until_ms: f64::NEG_INFINITY,
        }
    }

    /// Takes the canvas of the page.
    pub fn attach(&mut self, canvas: web_sys::HtmlCanvasElement) {
        let live = self.stage.live.clone();
        self.surface = Surface::new(canvas, Rc::clone(&self.look.palette), move || live.mark_dirty());
        self.drawn = None;
    }

    /// Takes what the component decides.
    pub fn set(&mut self, manner: Manner) {
        if self.manner != manner {
            self.manner = manner;
            self.stage.live.mark_dirty();
        }
    }

    /// Paints a frame.
    pub fn paint(&mut self, context: &FrameContext) {
        if self.look.refresh(context) {
            self.drawn = None;
        }
        let lane = context.frames.lanes.get(usize::from(context.lane));
        let Some(lane) = lane.cloned() else { return };
        let Some(structures) = lane.structures.clone() else { return };
        if context.playing && context.wall_ms < self.rests_until_ms {
            return;
        }
        let Some(mut surface) = self.surface.take() else { return };
        let began_ms = page::now_ms();
        self.paint_on(&mut surface, &structures, &lane, context);
        self.rests_until_ms = context.wall_ms + RESTS * (page::now_ms() - began_ms);
        self.surface = Some(surface);
        self.tell(&structures, lane.trails.as_deref().filter(|_| self.manner.over_time), context);
    }

    fn paint_on(
        &mut self,
        surface: &mut Surface,
        structures: &Rc<StructuresView>,
        lane: &LaneFrames,
        context: &FrameContext,
    ) {
        // Numbers of another CPU are on their way to be replaced.
        let trails = lane.trails.clone().filter(|trails| self.manner.over_time && trails.cpu == structures.cpu);
        let colour_by = self.look.colour_by(context.colour_by);
        let shared = || (Shared::of(&lane.trails), Shared::of(&lane.window), context.window, context.now);
        let drawn = Drawn {
            colour_by,
            over_time: trails.as_ref().map(|_| shared()),
            view: Shared::of(&Some(Rc::clone(structures))),
            hover: context.hover,
            selected: context.selection.task,
            size: surface.size(),
            dpr_milli: (context.pixel_ratio * 1000.0) as u32,
            manner: self.manner,
        };
        if self.drawn.as_ref() == Some(&drawn) && !self.motion.is_moving() {
            return;
        }
        let palette = Rc::clone(&self.look.palette);
        let Some((painter, w, _)) = surface.start(&palette, context.pixel_ratio) else { return };
        let layout = layout_key(structures, w, self.manner);
        self.motion.start(context.wall_ms, layout, context.reduced_motion);
        self.hits.clear();
        let mut board = Board {
            p: painter,
            palette: &palette,
            ink: &self.look.ink,
            colour_by,
            motion: &mut self.motion,
            hover: context.hover,
            selected: context.selection.task,
            curr: structures.curr,
            hits: &mut self.hits,
            flying: Vec::new(),
        };
        let names = context.frames.policy(context.lane).map_or(&[][..], |policy| &policy.notes);
        let notes = lane.window.as_ref().map_or(&[][..], |window| &window.notes);
        let cpu = structures.panels.first().and_then(|panel| panel.cpu);
        let around = Around { window: context.window, now: context.now, notes, names, cpu };
        let over_time = trails.as_deref().map(|trails| OverTime { trails, around });
        let height = sheet::draw(&mut board, structures, w, self.manner, over_time).ceil();
        if self.motion.finish() {
            context.keep_animating();
        }
        self.drawn = Some(drawn);
        self.fit(surface, height);
    }

    /// The canvas is as high as its content and never lower than its box; it grows at once and shrinks in steps, so
    /// that a chip more or less does not move the page.
    fn fit(&mut self, surface: &Surface, height: f64) {
        let wanted = (height / 16.0).ceil() * 16.0;
        if wanted > self.height || wanted < self.height - 64.0 {
            self.height = wanted;
            // A canvas refuses a style only when it is detached.
            let _ = surface.canvas().style().set_property("height", &format!("{wanted}px"));
        }
    }

    fn tell(&mut self, structures: &StructuresView, trails: Option<&TrailsView>, context: &FrameContext) {
        if context.wall_ms - self.reported_ms >= 1000.0 {
            self.reported_ms = context.wall_ms;
            let mut rows = words::rows(structures, &self.look.ink);
            rows.extend(trails.into_iter().flat_map(|trails| words::trail_rows(trails, context.now, &self.look.ink)));
            (self.report)(words::label(structures), rows);
        }
    }

    /// Entity under a point.
    pub fn hit(&self, x: f64, y: f64) -> Option<EntityView> {
        self.hits.iter().rev().find(|(at, _)| at.contains(x, y)).map(|(_, entity)| *entity)
    }

    /// The mouse points at a place.
    pub fn point_at(&self, x: f64, y: f64) {
        let task = match self.hit(x, y) {
            Some(EntityView::Task(task)) => Some(task),
            Some(EntityView::Group(_)) | None => None,
        };
        self.stage.live.set_hover(task);
    }

    /// The mouse leaves.
    pub fn leave(&self) {
        self.stage.live.set_hover(None);
    }

    /// A click selects the task.
    pub fn select(&self, x: f64, y: f64) {
        if let Some(EntityView::Task(task)) = self.hit(x, y) {
            self.stage.selection.dispatch(SelectionAction::Task { task, slice: None });
        }
    }
}

/// A change of this moves everything at once, without motion.
fn layout_key(view: &StructuresView, w: f64, manner: Manner) -> u64 {
    // A sum: panels come in the order of their roles, and a swap of roles is the very thing that must be seen to move.
    let ids = view
        .panels
        .iter()
        .fold(0_u64, |sum, panel| sum.wrapping_add((u64::from(panel.id) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)));
    let mode = u64::from(manner.full) | u64::from(manner.all_slots) << 1;
    ids ^ (u64::from(view.cpu) << 40) ^ (u64::from(view.lane) << 56) ^ ((w as u64) << 8) ^ (mode << 30)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::engine::protocol::PanelView;

    #[test]
    fn a_swap_of_roles_is_no_new_layout() {
        let panel = |id| PanelView { id, label: String::new(), cpu: None, shapes: Vec::new() };
        let view = |ids: [u32; 2]| {
            let panels = ids.map(panel).to_vec();
            StructuresView { lane: 0, t: 0, cpu: 0, panels, curr: 0 }
        };
        let key = |ids| layout_key(&view(ids), 800.0, Manner::default());
        assert_eq!(key([0, 1]), key([1, 0]));
        assert_ne!(key([0, 1]), key([0, 2]));
    }
}
