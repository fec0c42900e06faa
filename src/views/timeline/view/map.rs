//! The minimap of the timeline: painted only when it changes, pressed and dragged to choose the window.

use super::{PHONE, View};
use crate::paint::{ColourBy, TimeScale};
use crate::store::{FrameContext, Shared, WindowAction};
use crate::views::timeline::minimap::{self, Minimap};
use sim_core::engine::protocol::WindowView;

/// What the minimap was drawn from: drawn again only when this changes.
#[derive(PartialEq, Clone)]
pub(super) struct MapKey {
    rows: RowsKey,
    /// Edges of the window, dots: less than a dot is no change.
    window: (i64, i64),
    simulated: u64,
    horizon: Option<u64>,
}

/// What its rows were made from: most of the work, and the same while only the window moves.
#[derive(PartialEq, Clone)]
struct RowsKey {
    data: Shared<WindowView>,
    size: (f64, f64),
    duration: u64,
    colour_by: ColourBy,
    dpr_milli: u32,
}

impl View {
    /// Draws the minimap when what it shows has changed.
    pub(super) fn paint_map(&mut self, context: &FrameContext) {
        let colour_by = self.colour_by();
        let Some(surface) = self.map_canvas.as_mut() else { return };
        let overview = context.frames.lanes.get(usize::from(context.lane)).and_then(|lane| lane.overview.clone());
        let rows = RowsKey {
            data: Shared::of(&overview),
            size: surface.size(),
            duration: context.duration,
            colour_by,
            dpr_milli: (context.pixel_ratio * 1000.0) as u32,
        };
        let (window, simulated, horizon) = (context.window, self.seen.simulated, context.horizon);
        let dot = |t: u64| {
            let share = t as f64 / context.duration.max(1) as f64;
            (share * surface.size().0 * context.pixel_ratio).round() as i64
        };
        let key = MapKey { rows, window: (dot(window.0), dot(window.1)), simulated, horizon };
        if self.map_key.as_ref() == Some(&key) {
            return;
        }
        let has_rows = self.map_key.as_ref().is_some_and(|old| old.rows == key.rows);
        let Some((painter, w, h)) = surface.start(&self.look.palette, context.pixel_ratio) else { return };
        let left = if w < PHONE { 0.0 } else { 92.0 };
        let map = Minimap {
            data: overview.as_deref(),
            ink: &self.look.ink,
            palette: &self.look.palette,
            scale: TimeScale::new(0, context.duration, left, w - 1.0),
            window,
            simulated,
            horizon,
            size: (w, h),
            colour_by,
            dpr: context.pixel_ratio,
            label: left > 0.0,
        };
        if !has_rows {
            minimap::gather(&map, &mut self.map_strips);
        }
        minimap::draw(painter, &map, &self.map_strips);
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
