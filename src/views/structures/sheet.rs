//! Arranges panels: priority arrays side by side, trees and matrices over the full width, numbers below.

use super::bitmap::{self, Bitmap, Cells};
use super::board::Board;
use super::gauges::{self, Lock, Table};
use super::matrix;
use super::motion::{Key, SWAP_MS};
use super::slots::{self, Slots};
use super::tree::{self, Tree};
use crate::paint::{Align, Fill, Font, Pen, Rect};
use sim_core::engine::protocol::{ChipView, EntityView, GaugeView, NodeView, PanelView, ShapeView, StructuresView};

/// How it is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Manner {
    /// The view of key 2: large, everything.
    pub full: bool,
    /// Show empty slots too.
    pub all_slots: bool,
}

/// Distance of columns, px.
const GUTTER: f64 = 32.0;
/// Padding of the sheet, px.
const PAD: f64 = 12.0;
/// Below this width everything is in one column, px.
const NARROW: f64 = 620.0;

/// Draws a view into a width; returns the height.
pub fn draw(b: &mut Board, view: &StructuresView, w: f64, manner: Manner) -> f64 {
    let mut panels: Vec<&PanelView> = view.panels.iter().collect();
    // Places follow the identity of a panel, labels follow its role: so a swap moves labels, not tasks.
    panels.sort_by_key(|panel| panel.id);
    // Beside a tree an array without tasks (real time, most of the time) needs no room.
    let has_tree = panels.iter().any(|panel| panel.shapes.iter().any(|s| matches!(s, ShapeView::Tree { .. })));
    let needs_room = |panel: &PanelView| is_array(panel) && (!has_tree || count(panel) > 0);
    let arrays: Vec<&PanelView> = panels.iter().copied().filter(|panel| needs_room(panel)).collect();
    let inner = w - 2.0 * PAD;
    let mut y = 10.0;
    if !arrays.is_empty() {
        y = if manner.full {
            draw_arrays_full(b, &arrays, y, inner, manner)
        } else {
            draw_arrays(b, &arrays, y, inner)
        };
    }
    for panel in &panels {
        y = draw_wide(b, panel, y, inner, manner);
    }
    y = draw_numbers(b, &panels, y, inner, manner);
    b.land();
    y + 10.0
}

/// A panel with a priority array or a bitmap goes into a column.
fn is_array(panel: &PanelView) -> bool {
    panel.shapes.iter().any(|shape| matches!(shape, ShapeView::Slots { .. } | ShapeView::Bitmap { .. }))
}

/// Tasks in the arrays of a panel.
fn count(panel: &PanelView) -> usize {
    let of = |shape: &ShapeView| match shape {
        ShapeView::Slots { at, .. } => at.len(),
        ShapeView::List { chips, .. } => chips.len(),
        ShapeView::Tree { nodes, .. } => nodes.len(),
        _ => 0,
    };
    panel.shapes.iter().map(of).sum()
}

fn tasks_text(count: usize) -> String {
    if count == 1 { "1 task".to_owned() } else { format!("{count} tasks") }
}

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
fn draw_arrays(b: &mut Board, arrays: &[&PanelView], y: f64, w: f64) -> f64 {
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
        let words = format!("{} bits, {} words", map.len, map.rows());
        b.heading(PAD, y, &format!("{} {label}", panel.label), &words);
        bitmap::draw(b, PAD, y + 24.0, map, cells);
        bitmap::draw_hit(b, PAD, y + 24.0, map, cells);
        bottom = y + 26.0 + map.height(cells);
        if let Some(first) = map.first_normal.filter(|&first| first > 0 && first < map.len) {
            let text = format!("0–{}: real time · from {first}: normal", first - 1);
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
    b.heading(place.at.0, place.at.1, &panel.label, &tasks_text(count(panel)));
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
fn draw_arrays_full(b: &mut Board, arrays: &[&PanelView], y: f64, w: f64, manner: Manner) -> f64 {
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
        let title = if has_rails { format!("array {}", panel.id) } else { panel.label.clone() };
        b.heading(at.x, at.y, &title, &tasks_text(count(panel)));
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

/// Lists, trees, matrices and locks of a panel over the full width; returns the new y.
fn draw_wide(b: &mut Board, panel: &PanelView, y: f64, w: f64, manner: Manner) -> f64 {
    let mut y = y;
    let mut titled = is_array(panel);
    let quotas = rows_of(panel);
    let mut has_matrix = false;
    for shape in &panel.shapes {
        let is_wide = matches!(
            shape,
            ShapeView::List { .. } | ShapeView::Tree { .. } | ShapeView::MatrixRow(..) | ShapeView::Lock { .. }
        );
        if is_wide && !titled {
            titled = true;
            let addition = if count(panel) > 0 { tasks_text(count(panel)) } else { String::new() };
            let owner = owner(panel).map_or_else(String::new, |group| format!(" {}", b.name(group)));
            b.heading(PAD, y, &format!("{}{owner}", panel.label), &addition);
            y += 22.0;
        }
        match shape {
            ShapeView::List { label, chips } => {
                b.p.text(PAD, y + 12.0, label, Font::Small, b.palette.text_3, Align::Left);
                y += 18.0 + slots::draw_list(b, PAD, y + 18.0, w, chips) + 8.0;
            }
            ShapeView::Tree { label, root, leftmost, floor, nodes } => {
                b.p.text(PAD + w, y - 10.0, label, Font::Small, b.palette.text_3, Align::Right);
                let curr = running(panel, nodes);
                let tree = Tree { root: *root, leftmost: *leftmost, floor: *floor, nodes, curr };
                let natural = tree::height(nodes.len());
                // A tree of one or two nodes needs no great height.
                let least = if nodes.len() > 2 { 300.0 } else { 180.0 };
                let h = if manner.full { natural.max(least) } else { natural.clamp(150.0, 210.0) };
                tree::draw(b, Rect::new(PAD, y - 4.0, w, h), &tree);
                y += h;
            }
            ShapeView::MatrixRow(..) if !has_matrix => {
                has_matrix = true;
                y += matrix::draw(b, PAD, y, w, &quotas) + 6.0;
            }
            ShapeView::Lock { label, holder, spinners, utilisation_permille } => {
                let lock = Lock { label, holder: *holder, spinners: *spinners, permille: *utilisation_permille };
                y += gauges::draw_lock(b, PAD, y, w, &lock);
            }
            ShapeView::MatrixRow(..)
            | ShapeView::Slots { .. }
            | ShapeView::Bitmap { .. }
            | ShapeView::Gauge(_)
            | ShapeView::EntityGauge(..) => {}
        }
    }
    y
}

/// Rows of the matrix, each with the first bar of its owner: what is left in the current cell.
fn rows_of(panel: &PanelView) -> Vec<matrix::Row<'_>> {
    let quota = |entity: EntityView| {
        panel.shapes.iter().find_map(|shape| match shape {
            ShapeView::EntityGauge(who, gauge) if *who == entity && gauge.full > 0 && gauge.unit != "count" => {
                Some(gauge)
            }
            _ => None,
        })
    };
    let row = |shape| match shape {
        &ShapeView::MatrixRow(entity, ref cells) => Some(matrix::Row { entity, cells, quota: quota(entity) }),
        _ => None,
    };
    panel.shapes.iter().filter_map(row).collect()
}

/// The group whose queue a panel shows: the one whose numbers stand in it and that is no node of its own tree.
fn owner(panel: &PanelView) -> Option<EntityView> {
    let is_node = |entity: &EntityView| {
        let of = |shape: &ShapeView| matches!(shape, ShapeView::Tree { nodes, .. } if nodes.iter().any(|n| n.entity == *entity));
        panel.shapes.iter().any(of)
    };
    panel.shapes.iter().find_map(|shape| match shape {
        ShapeView::EntityGauge(entity @ EntityView::Group(_), gauge) if gauge.unit == "weight" && !is_node(entity) => {
            Some(*entity)
        }
        _ => None,
    })
}

/// Who runs out of a tree's queue: the entity that has a virtual time in the panel and is not in the tree.
fn running(panel: &PanelView, nodes: &[NodeView]) -> Option<(EntityView, i64)> {
    panel.shapes.iter().find_map(|shape| match shape {
        ShapeView::EntityGauge(who, gauge)
            if gauge.unit == "virtual" && !nodes.iter().any(|node| node.entity == *who) =>
        {
            Some((*who, gauge.value))
        }
        _ => None,
    })
}

/// Facts of all panels in a line, numbers of tasks in a table (full view).
fn draw_numbers(b: &mut Board, panels: &[&PanelView], y: f64, w: f64, manner: Manner) -> f64 {
    let mut table = Table::default();
    for shape in panels.iter().flat_map(|panel| &panel.shapes) {
        if let ShapeView::EntityGauge(entity, gauge) = shape {
            table.put(*entity, gauge)
        }
    }
    let mut y = y + 4.0;
    y += gauges::draw_facts(b, PAD, y, w, &facts(panels));
    if (manner.full || w < NARROW) && !table.rows.is_empty() {
        b.p.fill_rect(Rect::new(0.0, y + 4.0, w + 2.0 * PAD, 1.0), Fill::Solid(b.palette.line));
        b.heading(PAD, y + 10.0, "Numbers of each task", "");
        y += 28.0;
        y += gauges::draw_table(b, PAD, y, w, &table);
    }
    y
}

/// Numbers of all panels. A label that several panels use is preceded by the panel's role.
fn facts(panels: &[&PanelView]) -> Vec<(String, GaugeView)> {
    let mut all: Vec<(&str, &GaugeView)> = Vec::new();
    for panel in panels {
        for shape in &panel.shapes {
            if let ShapeView::Gauge(gauge) = shape {
                all.push((&panel.label, gauge));
            }
        }
    }
    let repeats = |label: &str| all.iter().filter(|(_, other)| other.label == label).count() > 1;
    let name = |(panel, gauge): &(&str, &GaugeView)| {
        if repeats(&gauge.label) { format!("{panel} {}", gauge.label) } else { gauge.label.clone() }
    };
    all.iter().map(|fact| (name(fact), fact.1.clone())).collect()
}

/// Whether a chip shows something; used by the text equivalent.
pub fn chip_words(chip: &ChipView, name: &str) -> String {
    let left = super::board::chip_number(chip);
    let key = chip.key.as_ref().map_or_else(String::new, |k| format!(", {} {}", k.label, super::board::gauge_text(k)));
    let runs = if chip.running { ", runs" } else { "" };
    if left.is_empty() { format!("{name}{key}{runs}") } else { format!("{name}, {left} left{key}{runs}") }
}
