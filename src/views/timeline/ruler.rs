//! The ruler and the now-line.

use super::lanes::RULER;
use super::scene::Scene;
use crate::paint::{Align, Fill, Font, Painter, Pen, Rect, number};

/// Least distance of labels, px.
const LABEL_EVERY: f64 = 58.0;

/// Draws ticks and labels; labels yield to the flag of the now-line.
pub fn draw(p: &mut dyn Painter, scene: &Scene) {
    let palette = scene.palette;
    let step = label_step(p, scene);
    let flag = flag_box(p, scene);
    for t in scene.scale.ticks(step) {
        let x = scene.scale.x_from_time(t);
        p.fill_rect(Rect::new(x - 0.5, RULER - 6.0, 1.0, 5.0), Fill::Solid(palette.line_strong));
        let label = step.label(t);
        let half = p.text_width(&label, Font::Small) / 2.0;
        let free = flag.is_none_or(|flag| x + half + 4.0 < flag.x || x - half - 4.0 > flag.right());
        if free && x - half > scene.frame.left - 2.0 && x + half < scene.frame.all.w - 2.0 {
            p.text(x, 12.0, &label, Font::Small, palette.text_3, Align::Centre);
        }
    }
    let unit_x = if scene.phone { scene.frame.left - 6.0 } else { scene.frame.left - 8.0 };
    p.text(unit_x, 12.0, step.unit_name, Font::Small, palette.text_3, Align::Right);
}

/// Labels of a deep zoom are long: they need more room.
fn label_step(p: &mut dyn Painter, scene: &Scene) -> crate::paint::scale::Step {
    let step = scene.scale.step(LABEL_EVERY);
    let widest = p.text_width(&step.label(scene.scale.to), Font::Small) + 14.0;
    if widest > LABEL_EVERY { scene.scale.step(widest) } else { step }
}

fn flag_text(scene: &Scene) -> String {
    let text = number::moment(scene.now);
    if scene.phone { number::fixed(scene.now, number::MS, 1) } else { text }
}

/// Box of the now-flag; `None` while now is outside of the window.
pub fn flag_box(p: &mut dyn Painter, scene: &Scene) -> Option<Rect> {
    if scene.now < scene.scale.from || scene.now > scene.scale.to {
        return None;
    }
    let width = p.text_width(&flag_text(scene), Font::SmallStrong) + 14.0;
    let x = scene.scale.x_from_time(scene.now) - width / 2.0;
    let x = x.min(scene.frame.all.w - width).max(scene.frame.left);
    Some(Rect::new(x, 1.0, width, 17.0))
}

/// The line of now with its flag, down to `bottom`.
pub fn draw_now(p: &mut dyn Painter, scene: &Scene, bottom: f64) {
    let Some(flag) = flag_box(p, scene) else { return };
    let (x, palette) = (scene.scale.x_from_time(scene.now), scene.palette);
    p.line(x, 18.0, x, bottom, Pen::solid(palette.accent, 1.5));
    p.begin();
    p.round_rect(flag, 2.0);
    p.fill(Fill::Solid(palette.accent));
    let (centre, _) = flag.centre();
    p.text(centre, 13.5, &flag_text(scene), Font::SmallStrong, palette.accent_ink, Align::Centre);
}
