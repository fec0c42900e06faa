//! Priority arrays side by side: the bitmap that decides, occupied slots, roles that change places.

use super::bitmap::{self, Bitmap, Cells};
use super::board::Board;
use super::motion::{Key, SWAP_MS};
use super::sheet::{GUTTER, Manner, NARROW, PAD, count};
use super::slots::{self, Slots};
use crate::paint::{Align, Fill, Font, Pen, Rect};
use crate::text::pictures as words;
use sim_core::engine::protocol::{PanelView, ShapeView};

/// The bitmaps of a panel with what its array says about their bits.
fn bitmaps(panel: &PanelView) -> Vec<(&str, Bitmap<'_>)> {
    let array = panel.shapes.iter().find_map(|shape| match shape {
        ShapeView::Slots { first_normal, at, .. } => Some((*first_normal, at)),
        _ => None,
    });
    let mut found = Vec::new();
    for (number, shape) in (0_u32..).zip(&panel.shapes) {
        let ShapeView::Bitmap { label, words, len, hit } = shape else { continue };
        let last = len.saturating_sub(1);
        let is_set = words.get((last / 64) as usize).is_some_and(|word| word >> (last % 64) & 1 != 0);
        // Set without a task behind it: the bit that ends every search.
        let delimiter = is_set && array.is_some_and(|(_, at)| !at.iter().any(|(slot, _)| *slot == last));
        found.push((
            label.as_str(),
            Bitmap {
                id: (panel.id, number),
                words,
                len: *len,
                hit: hit.filter(|&hit| !(delimiter && hit == last)),
                first_normal: array.map(|(first, _)| first),
                delimiter: delimiter.then_some(last),
            },
        ));
    }
    found
}

/// The run view: the bitmap that decides at the left, the occupied slots of each array beside it.
pub fn draw(b: &mut Board, arrays: &[&PanelView], y: f64, w: f64) -> f64 {
    let narrow = w < NARROW;
    let cells = if narrow { Cells::PHONE } else { Cells::SMALL };
    let all: Vec<(&PanelView, &str, Bitmap)> = arrays
        .iter()
        .flat_map(|panel| bitmaps(panel).into_iter().map(move |(label, map)| (*panel, label, map)))
        .collect();
    let decisive = all.iter().find(|(_, _, map)| map.hit.is_some()).or_else(|| all.first());
    let mut bottom = y;
    let mut left = PAD;
    if let Some((panel, label, map)) = decisive {
        b.heading(PAD, y, &format!("{} {label}", panel.label), &words::bits(map.len, map.rows()));
        bitmap::draw(b, PAD, y + 24.0, map, cells);
        bitmap::draw_hit(b, PAD, y + 24.0, map, cells);
        bottom = y + 26.0 + map.height(cells);
        if let Some(first) = map.first_normal.filter(|&first| first > 0 && first < map.len) {
            let text = words::real_time_to(first);
            b.p.text(PAD, bottom + 10.0, &text, Font::Small, b.palette.text_3, Align::Left);
            bottom += 18.0;
        }
        left = PAD + cells.width() + 16.0;
    }
    if narrow {
        for panel in arrays {
            let height = draw_column(b, panel, Rect::new(PAD, bottom + 8.0, w, 0.0), decisive.and_then(|d| d.2.hit));
            bottom += height + 8.0;
        }
        return bottom;
    }
    let columns = arrays.len().max(1) as f64;
    let width = (w + PAD - left - 16.0 * (columns - 1.0)) / columns;
    let hit = decisive.and_then(|(panel, _, map)| map.hit.map(|hit| (panel.id, hit)));
    for (i, panel) in arrays.iter().enumerate() {
        let at = Rect::new(left + i as f64 * (width + 16.0), y, width, 0.0);
        let hit = hit.filter(|(id, _)| *id == panel.id).map(|(_, hit)| hit);
        let height = draw_column(b, panel, at, hit);
        bottom = bottom.max(y + height);
    }
    bottom + 4.0
}

/// Role and occupied slots of an array; the role travels when arrays change places.
fn draw_column(b: &mut Board, panel: &PanelView, at: Rect, hit: Option<u32>) -> f64 {
    let place = b.motion.place(role_key(&panel.label), (at.x, at.y), SWAP_MS);
    b.heading(place.at.0, place.at.1, &panel.label, &words::tasks(count(panel)));
    let mut y = at.y + 20.0;
    for shape in &panel.shapes {
        if let ShapeView::Slots { len, first_normal, at: chips, .. } = shape {
            let slots = Slots { len: *len, first_normal: *first_normal, at: chips, hit, all: false, row: 30.0 };
            y += slots::draw(b, at.x, y, at.w, &slots);
        }
    }
    y - at.y
}

/// Role names move as things of their own: their number is a hash of the name.
fn role_key(label: &str) -> Key {
    Key::Role(label.bytes().fold(0x811c_9dc5, |h: u32, byte| (h ^ u32::from(byte)).wrapping_mul(0x0100_0193)))
}

/// The full view: a column per array, its role as a pill on a rail above.
pub fn draw_full(b: &mut Board, arrays: &[&PanelView], y: f64, w: f64, manner: Manner) -> f64 {
    let fitting = ((w + GUTTER) / (Cells::SMALL.width() + GUTTER)) as usize;
    let columns = arrays.len().min(3).min(fitting.max(1));
    let narrow = columns < arrays.len().min(3);
    let width = (w - GUTTER * (columns as f64 - 1.0)) / columns as f64;
    let cells = match width {
        width if width >= Cells::LARGE.width() => Cells::LARGE,
        width if width >= Cells::SMALL.width() => Cells::SMALL,
        _ => Cells::PHONE,
    };
    let has_rails = arrays.len() > 1 && !narrow;
    let (mut tops, rail) = (vec![y + if has_rails { 66.0 } else { 0.0 }; columns], y);
    if has_rails {
        let homes: Vec<f64> = (0..arrays.len()).map(|i| PAD + (i % columns) as f64 * (width + GUTTER) + 56.0).collect();
        draw_rails(b, arrays, &homes, rail);
    }
    for (i, panel) in arrays.iter().enumerate() {
        let column = i % columns;
        let at = Rect::new(PAD + column as f64 * (width + GUTTER), tops[column], width, 0.0);
        let title = if has_rails { words::array(panel.id) } else { panel.label.clone() };
        b.heading(at.x, at.y, &title, &words::tasks(count(panel)));
        let bottom = draw_array(b, panel, Rect::new(at.x, at.y + 24.0, width, 0.0), cells, manner);
        tops[column] = bottom + 12.0;
    }
    tops.into_iter().fold(y, f64::max)
}

fn draw_array(b: &mut Board, panel: &PanelView, at: Rect, cells: Cells, manner: Manner) -> f64 {
    let maps = bitmaps(panel);
    let hit = maps.iter().find_map(|(_, map)| map.hit);
    let mut y = at.y;
    for (_, map) in &maps {
        bitmap::draw(b, at.x, y, map, cells);
        y += map.height(cells) + 4.0;
    }
    for shape in &panel.shapes {
        if let ShapeView::Slots { len, first_normal, at: chips, .. } = shape {
            let slots =
                Slots { len: *len, first_normal: *first_normal, at: chips, hit, all: manner.all_slots, row: 34.0 };
            y += slots::draw(b, at.x, y, at.w, &slots);
        }
    }
    y
}

/// Pills with the roles over the arrays. While they change places each runs on its own rail; its old place is dashed.
fn draw_rails(b: &mut Board, arrays: &[&PanelView], homes: &[f64], y: f64) {
    let palette = b.palette;
    for (i, panel) in arrays.iter().enumerate() {
        let strong = bitmaps(panel).iter().any(|(_, map)| map.hit.is_some());
        let place = b.motion.place(role_key(&panel.label), (homes[i], 0.0), SWAP_MS);
        let moving = place.part < 1.0;
        let rail = y + if moving { i as f64 * 28.0 } else { 14.0 };
        let pill = Rect::new(place.at.0, rail, 78.0, 22.0);
        let (fill, border, text) = if strong {
            (palette.accent, palette.accent, palette.accent_ink)
        } else {
            (palette.hover, palette.line_strong, palette.text)
        };
        if moving {
            let (from, to) = (place.from.0 + 39.0, homes[i] + 39.0);
            let line = if strong { palette.accent } else { palette.text_3 };
            b.p.line(from, rail + 11.0, pill.centre().0, rail + 11.0, Pen::dashed(line, 1.5, 3, 3));
            b.p.line(pill.centre().0, rail + 11.0, to, rail + 11.0, Pen::solid(line.with_alpha(140), 1.0));
            b.p.begin();
            b.p.round_rect(Rect::new(place.from.0, rail, 78.0, 22.0), 11.0);
            b.p.stroke(Pen::dashed(border, 1.0, 3, 3));
        } else {
            let x = pill.centre().0;
            b.p.begin();
            b.p.move_to(x, rail + 24.0);
            b.p.line_to(x, rail + 36.0);
            b.p.move_to(x - 4.0, rail + 31.0);
            b.p.line_to(x, rail + 36.0);
            b.p.line_to(x + 4.0, rail + 31.0);
            b.p.stroke(Pen::solid(palette.text_3, 1.0));
        }
        b.p.begin();
        b.p.round_rect(pill, 11.0);
        b.p.fill(Fill::Solid(fill));
        b.p.stroke(Pen::solid(border, 1.0));
        b.p.text(pill.centre().0, rail + 15.0, &panel.label, Font::BodyStrong, text, Align::Centre);
    }
}
