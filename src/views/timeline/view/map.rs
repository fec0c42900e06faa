//! The minimap of the timeline: painted only when it changes, pressed and dragged to choose the window.

use super::{PHONE, View};
use crate::paint::{ColourBy, TimeScale};
use crate::store::{FrameContext, Shared, WindowAction};
use crate::views::timeline::minimap::{self, Minimap};
use sim_core::engine::protocol::WindowView;

/// What the minimap was drawn from: drawn again only when this changes.
#[derive(PartialEq, Clone)]
pub(super) struct MapKey {
    data: Shared<WindowView>,
    window: (u64, u64),
    simulated: u64,
    horizon: Option<u64>,
    size: (f64, f64),
    colour_by: ColourBy,
    dpr_milli: u32,
}

impl View {
    /// Draws the minimap when what it shows has changed.
    pub(super) fn paint_map(&mut self, context: &FrameContext) {
        let colour_by = self.colour_by();
        let Some(surface) = self.map_canvas.as_mut() else { return };
        let overview = context.frames.lanes.get(usize::from(context.lane)).and_then(|lane| lane.overview.clone());
        let key = MapKey {
            data: Shared::of(&overview),
            window: context.window,
            simulated: self.seen.simulated,
            horizon: context.horizon,
            size: surface.size(),
            colour_by,
            dpr_milli: (context.pixel_ratio * 1000.0) as u32,
        };
        if self.map_key.as_ref() == Some(&key) {
            return;
        }
        let Some((painter, w, h)) = surface.start(&self.look.palette, context.pixel_ratio) else { return };
        let left = if w < PHONE { 0.0 } else { 92.0 };
        let map = Minimap {
            data: overview.as_deref(),
            ink: &self.look.ink,
            palette: &self.look.palette,
            scale: TimeScale::new(0, context.duration, left, w - 1.0),
            window: context.window,
            simulated: self.seen.simulated,
            horizon: context.horizon,
            size: (w, h),
            colour_by,
            dpr: context.pixel_ratio,
            label: left > 0.0,
        };
        minimap::draw(painter, &map, &mut self.map_strips);
        self.map_key = Some(key);
    }

    /// The minimap was pressed or dragged at x: the window centres there.
    pub fn map_to(&self, x: f64) {
        let Some(surface) = self.map_canvas.as_ref() else { return };
        let (w, _) = surface.size();
        let left = if w < PHONE { 0.0 } else { 92.0 };
        let t = TimeScale::new(0, self.seen.duration, left, w - 1.0).time_from_x(x);
        self.stage.window.dispatch(WindowAction::Centre(t.min(self.seen.duration)));
    }

    /// The minimap was dragged from `a` to `b`: the window becomes that stretch.
    pub fn map_range(&self, a: f64, b: f64) {
        let Some(surface) = self.map_canvas.as_ref() else { return };
        let (w, _) = surface.size();
        let left = if w < PHONE { 0.0 } else { 92.0 };
        let scale = TimeScale::new(0, self.seen.duration, left, w - 1.0);
        let (from, to) = (scale.time_from_x(a.min(b).max(left)), scale.time_from_x(a.max(b)));
        if to > from {
            self.stage.window.dispatch(WindowAction::Show(from, to.min(self.seen.duration)));
        }
    }

    /// x of the window's frame on the minimap.
    pub fn map_frame(&self) -> (f64, f64) {
        let w = self.map_canvas.as_ref().map_or(0.0, |surface| surface.size().0);
        let left = if w < PHONE { 0.0 } else { 92.0 };
        let scale = TimeScale::new(0, self.seen.duration, left, w - 1.0);
        let (from, to) = self.stage.live.window();
        (scale.x_within(from), scale.x_within(to))
    }
}
