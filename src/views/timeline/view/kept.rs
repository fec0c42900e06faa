//! The pictures of the lanes, kept while only time moves: playing and panning copy them to their place instead of drawing
//! every slice again.

use super::View;
use crate::paint::surface::Backing;
use crate::paint::{ColourBy, Palette, Rect, TimeScale};
use crate::store::Shared;
use crate::views::timeline::cpu_lane::Scratch;
use crate::views::timeline::draw;
use crate::views::timeline::lanes::Frame;
use crate::views::timeline::scene::Scene;
use sim_core::engine::protocol::WindowView;
use std::rc::Rc;

/// What the pictures depend on, apart from when the window begins.
#[derive(Clone, PartialEq)]
pub(super) struct Key {
    data: Shared<WindowView>,
    span: u64,
    edges: (f64, f64),
    lanes: Rect,
    scroll: f64,
    simulated: u64,
    hover: Option<u32>,
    colour_by: ColourBy,
    divergence: Option<(u64, u16)>,
    dpr: f64,
    /// Rises with lanes, theme, names and colours of tasks.
    look: u32,
}

/// See the module.
#[derive(Default)]
pub(super) struct Kept {
    backing: Option<Backing>,
    /// What it shows, from when to when.
    shows: Option<(Key, u64, u64)>,
    /// What the last frame showed: only what stays is worth keeping.
    last: Option<Key>,
}

impl Kept {
    /// Where the window begins in the kept picture, dots; `None`: draw.
    fn place(&mut self, key: Key, scene: &Scene, palette: &Rc<Palette>, scratch: &mut Scratch) -> Option<f64> {
        let (from, to) = (scene.scale.from, scene.scale.to);
        let stays = self.last.as_ref() == Some(&key);
        self.last = Some(key.clone());
        let covers = |shows: &(Key, u64, u64)| shows.0 == key && shows.1 <= from && to <= shows.2;
        if !self.shows.as_ref().is_some_and(covers) {
            self.shows = None;
            if !stays {
                return None;
            }
            let (first, last) = stretch(from, to, (scene.data.from, scene.data.to))?;
            self.draw(first, last, scene, palette, scratch)?;
            self.shows = Some((key, first, last));
        }
        let first = self.shows.as_ref().map(|shows| shows.1)?;
        Some(((from - first) as f64 * scene.scale.px_per_ns() * scene.dpr).round())
    }

    fn draw(&mut self, from: u64, to: u64, scene: &Scene, palette: &Rc<Palette>, scratch: &mut Scratch) -> Option<()> {
        let width = (to - from) as f64 * scene.scale.px_per_ns();
        let all = Rect::new(0.0, 0.0, width, scene.frame.lanes.h);
        if self.backing.is_none() {
            self.backing = Backing::new(palette);
        }
        let painter = self.backing.as_mut()?.start(palette, scene.dpr, (width, all.h))?;
        let frame = Frame { all, lanes: all, pins: Rect::default(), left: 0.0, right: width };
        let wide = Scene { scale: TimeScale::new(from, to, 0.0, width), frame, ..*scene };
        draw::ground(painter, &wide, scratch);
        Some(())
    }
}

/// The stretch of time worth keeping around a window, more ahead than behind, as far as its rows are known.
fn stretch(from: u64, to: u64, (known_from, known_to): (u64, u64)) -> Option<(u64, u64)> {
    let span = to - from;
    let first = from.saturating_sub(span / 4).max(known_from);
    let last = to.saturating_add(span / 4 * 3).min(known_to);
    (first <= from && to <= last).then_some((first, last))
}

impl View {
    /// Draws the lanes when what they show has changed.
    pub(super) fn paint_lanes(&mut self) {
        let Some(mut surface) = self.lanes_canvas.take() else { return };
        let data = self.seen.data.0.clone().unwrap_or_default();
        let palette = Rc::clone(&self.look.palette);
        if let Some((painter, w, h)) = surface.start(&palette, self.seen.dpr) {
            let (mut scratch, mut kept) = (core::mem::take(&mut self.scratch), core::mem::take(&mut self.kept));
            let scene = self.scene(&data, w, h);
            draw::begin(painter, &scene);
            // Task lanes are few on the screen, and a file wants every slice.
            let keeps = !self.settings.tasks && !painter.is_recorded();
            let at = keeps.then(|| kept.place(self.key(&scene), &scene, &palette, &mut scratch)).flatten();
            match at.zip(kept.backing.as_ref()) {
                Some((x, backing)) => {
                    let (left, right, lanes) = (scene.frame.left, scene.frame.right, scene.frame.lanes);
                    painter.copy(backing.canvas(), x, Rect::new(left, lanes.y, right - left, lanes.h));
                }
                None => draw::ground(painter, &scene, &mut scratch),
            }
            draw::finish(painter, &scene, &mut scratch);
            (self.scratch, self.kept) = (scratch, kept);
        }
        self.lanes_canvas = Some(surface);
    }

    fn key(&self, scene: &Scene) -> Key {
        Key {
            data: Shared::of(&self.seen.data),
            span: scene.scale.span(),
            edges: (scene.frame.left, scene.frame.right),
            lanes: scene.frame.lanes,
            scroll: scene.scroll,
            simulated: scene.simulated,
            hover: scene.hover,
            colour_by: scene.colour_by,
            divergence: scene.divergence,
            dpr: scene.dpr,
            look: self.look_serial,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::stretch;

    #[test]
    fn a_kept_stretch_holds_the_window_and_stays_within_what_is_known() {
        assert_eq!(stretch(400, 800, (0, 1200)), Some((300, 1100)));
        assert_eq!(stretch(0, 400, (0, 500)), Some((0, 500)));
        assert_eq!(stretch(400, 800, (0, 700)), None, "rows of the end are not there yet");
    }
}
