//! The whole run in a few pixels per CPU, with a frame around the window.

use crate::paint::{Align, ColourBy, Fill, Font, Painter, Palette, Pen, Rect, Strips, TaskInk, TimeScale};
use sim_core::engine::protocol::{IDLE, WindowView};

/// Least width of the window's frame, px: it must stay easy to grab.
const FRAME_MIN: f64 = 4.0;

/// What it is made from.
pub struct Minimap<'a> {
    /// Rows of the whole run.
    pub data: Option<&'a WindowView>,
    /// Colours of tasks.
    pub ink: &'a TaskInk,
    /// Theme.
    pub palette: &'a Palette,
    /// The whole run on x.
    pub scale: TimeScale,
    /// Window, ns.
    pub window: (u64, u64),
    /// Simulated up to here, ns.
    pub simulated: u64,
    /// Nothing from here on is shown, ns.
    pub horizon: Option<u64>,
    /// Size, px.
    pub size: (f64, f64),
    /// Meaning of colours.
    pub colour_by: ColourBy,
    /// Device dots per px.
    pub dpr: f64,
    /// Write "whole run" into the gutter.
    pub label: bool,
}

/// Height of the map for a number of CPUs.
pub fn height(cpus: usize) -> f64 {
    let (row, gap) = row_height(cpus);
    (cpus as f64 * (row + gap) + 5.0).max(16.0)
}

fn row_height(cpus: usize) -> (f64, f64) {
    match cpus {
        0..=8 => (5.0, 1.0),
        9..=16 => (2.0, 1.0),
        17..=32 => (1.5, 0.0),
        _ => (48.0 / cpus as f64, 0.0),
    }
}

/// Draws the map; its rows are `strips`, from [`gather`].
pub fn draw(p: &mut dyn Painter, map: &Minimap, strips: &Strips) {
    let (w, h) = map.size;
    if map.data.is_some() {
        p.strips(strips);
    }
    let known = map.scale.x_within(map.simulated);
    if map.simulated < map.scale.to && map.scale.right > known {
        p.fill_rect(Rect::new(known, 1.0, map.scale.right - known, h - 2.0), Fill::Unknown);
    }
    if let Some(horizon) = map.horizon {
        let x = map.scale.x_within(horizon);
        let hidden = Rect::new(x, 1.0, map.scale.right - x, h - 2.0);
        p.fill_rect(hidden, Fill::Solid(map.palette.panel));
        p.fill_rect(hidden, Fill::Unknown);
    }
    let (a, b) = (map.scale.x_within(map.window.0), map.scale.x_within(map.window.1));
    let veil = Fill::Solid(map.palette.veil);
    p.fill_rect(Rect::new(map.scale.left, 0.0, (a - map.scale.left).max(0.0), h), veil);
    p.fill_rect(Rect::new(b, 0.0, (w - b).max(0.0), h), veil);
    let width = (b - a).max(FRAME_MIN);
    let x = ((a + b) / 2.0 - width / 2.0).max(map.scale.left);
    p.stroke_rect(Rect::new(x, 0.75, width, h - 1.5), Pen::solid(map.palette.accent, 1.5));
    if map.label {
        p.text(
            12.0,
            (h / 2.0 + 4.0).min(17.0),
            &crate::text::timeline::WHOLE,
            Font::Small,
            map.palette.text_3,
            Align::Left,
        );
    }
}

/// Makes the rows of the map. They stay the same while only the window moves.
pub fn gather(map: &Minimap, strips: &mut Strips) {
    let Some(data) = map.data else { return };
    strips.reset(map.scale.left, map.scale.right - map.scale.left, map.dpr);
    let (row_h, gap) = row_height(data.cpus.len());
    for (i, lane) in data.cpus.iter().enumerate() {
        let row = strips.row(3.0 + i as f64 * (row_h + gap), row_h);
        for k in 0..lane.start.len() {
            if lane.task[k] == IDLE {
                continue;
            }
            let slot = usize::from(map.ink.ink(lane.task[k], map.colour_by).slot) % map.palette.task.len();
            let colour = map.palette.task[slot].with_alpha(if lane.merged[k] > 1 { lane.busy[k] } else { 255 });
            strips.cover(row, map.scale.x_within(lane.start[k]), map.scale.x_within(lane.end[k]), colour);
        }
    }
}
