//! Arranges panels: priority arrays side by side, trees and matrices over the full width, numbers below.

use super::arrays;
use super::board::Board;
use super::gauges::{self, Cell, Table};
use super::moves;
use super::shares;
use super::trails::{self, Around};
use super::wide;
use crate::paint::{Align, Fill, Font, Rect};
use crate::text::pictures as words;
use sim_core::engine::protocol::{GaugeView, PanelView, ShapeView, ShareRowView, StructuresView, TrailsView};

/// How it is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Manner {
    /// The view of key 2: large, everything.
    pub full: bool,
    /// Show empty slots too.
    pub all_slots: bool,
    /// Show numbers over time.
    pub over_time: bool,
}

/// Distance of columns, px.
pub const GUTTER: f64 = 32.0;
/// Padding of the sheet, px.
pub const PAD: f64 = 12.0;
/// Below this width everything is in one column, px.
pub const NARROW: f64 = 620.0;

/// From this width on groups stand beside the queues, px.
const BESIDE: f64 = 980.0;

/// Numbers over time with what surrounds them.
#[derive(Clone, Copy)]
pub struct OverTime<'a> {
    /// The numbers.
    pub trails: &'a TrailsView,
    /// Window, now, notes.
    pub around: Around<'a>,
}

/// Draws a view into a width; returns the height.
pub fn draw(b: &mut Board, view: &StructuresView, w: f64, manner: Manner, over_time: Option<OverTime>) -> f64 {
    let mut panels: Vec<&PanelView> = view.panels.iter().collect();
    // Places follow the identity of a panel, labels follow its role: so a swap moves labels, not tasks.
    panels.sort_by_key(|panel| panel.id);
    // Beside a tree an array without tasks (real time, most of the time) needs no room.
    let has_tree = panels.iter().any(|panel| wide::has_tree(panel));
    let needs_room = |panel: &PanelView| is_array(panel) && (!has_tree || count(panel) > 0);
    let arrays: Vec<&PanelView> = panels.iter().copied().filter(|panel| needs_room(panel)).collect();
    let inner = w - 2.0 * PAD;
    let mut y = 10.0;
    if !arrays.is_empty() {
        y = if manner.full {
            arrays::draw_full(b, &arrays, y, inner, manner)
        } else {
            arrays::draw(b, &arrays, y, inner)
        };
    }
    let rows = share_rows(&panels);
    // Why shares move is told where there is room for sentences.
    let why = over_time.filter(|_| manner.full).map(|over_time| over_time.around);
    let is_beside = manner.full && !rows.is_empty() && inner >= BESIDE;
    let left = if is_beside { (inner * 0.66).floor() } else { inner };
    let top = y;
    let mut groups_bottom = y;
    if is_beside {
        groups_bottom =
            draw_groups(b, &rows, Rect::new(PAD + left + GUTTER, y, inner - left - GUTTER, 0.0), view.cpu, why);
    }
    // The run view has room for the queue that a pick begins with; the others stand in the full view.
    let (mut queues, mut has_drawn_groups) = (0, false);
    for panel in panels.iter().filter(|panel| !has_groups(panel)) {
        queues += usize::from(wide::has_tree(panel));
        if manner.full || queues <= 1 || !wide::has_tree(panel) {
            y = wide::draw(b, panel, &panels, y, left, manner);
        }
        // Where there is no room beside the queues, groups follow the one in which they compete.
        if !is_beside && queues == 1 && !has_drawn_groups && !rows.is_empty() {
            has_drawn_groups = true;
            y = draw_groups(b, &rows, Rect::new(PAD, y, inner, 0.0), view.cpu, why);
        }
    }
    if !manner.full && queues > 1 {
        let text = words::more_queues(queues - 1);
        b.p.text(PAD, y + 12.0, &text, Font::Small, b.palette.text_2, Align::Left);
        y += 20.0;
    }
    if is_beside {
        y = y.max(groups_bottom);
        b.p.fill_rect(Rect::new(PAD + left + GUTTER / 2.0, top, 1.0, y - top), Fill::Solid(b.palette.line));
    } else if !rows.is_empty() && !has_drawn_groups {
        y = draw_groups(b, &rows, Rect::new(PAD, y, inner, 0.0), view.cpu, why);
    }
    if let Some(OverTime { trails, around }) = over_time {
        for trail in &trails.trails {
            b.p.fill_rect(Rect::new(0.0, y + 2.0, w, 1.0), Fill::Solid(b.palette.line));
            y += 8.0;
            y += trails::draw(b, PAD, y, inner, trail, around);
        }
    }
    y = draw_numbers(b, &panels, y, inner, manner);
    b.land();
    y + 10.0
}

/// The tree of groups, wherever a policy named it.
pub fn share_rows<'a>(panels: &[&'a PanelView]) -> Vec<&'a ShareRowView> {
    let mut rows = Vec::new();
    for shape in panels.iter().flat_map(|panel| &panel.shapes) {
        if let ShapeView::ShareRow(row) = shape {
            rows.push(row);
        }
    }
    rows
}

fn has_groups(panel: &PanelView) -> bool {
    panel.shapes.iter().any(|shape| matches!(shape, ShapeView::ShareRow(_)))
}

fn draw_groups(b: &mut Board, rows: &[&ShareRowView], at: Rect, cpu: u16, why: Option<Around>) -> f64 {
    b.heading(at.x, at.y, &words::GROUPS, "");
    let y = at.y + 22.0 + shares::draw(b, Rect { y: at.y + 22.0, ..at }, rows, cpu);
    if why.is_some() { y + moves::draw(b, (at.x, y, at.w), rows, why) } else { y }
}

/// A panel with a priority array or a bitmap goes into a column.
pub fn is_array(panel: &PanelView) -> bool {
    panel.shapes.iter().any(|shape| matches!(shape, ShapeView::Slots { .. } | ShapeView::Bitmap { .. }))
}

/// Tasks in the arrays of a panel.
pub fn count(panel: &PanelView) -> usize {
    let of = |shape: &ShapeView| match shape {
        ShapeView::Slots { at, .. } => at.len(),
        ShapeView::List { chips, .. } => chips.len(),
        ShapeView::Tree { nodes, .. } => nodes.len(),
        ShapeView::Bitmap { .. }
        | ShapeView::Gauge(_)
        | ShapeView::EntityGauge(..)
        | ShapeView::MatrixRow { .. }
        | ShapeView::Lock { .. }
        | ShapeView::KeyMark { .. }
        | ShapeView::Spans { .. }
        | ShapeView::Score(_)
        | ShapeView::Meter(..)
        | ShapeView::Lamp(..)
        | ShapeView::ShareRow(_) => 0,
    };
    panel.shapes.iter().map(of).sum()
}

/// Facts of all panels in a line, numbers of tasks in a table (full view). Panels that are nothing but a table have
/// been drawn in their own place.
fn draw_numbers(b: &mut Board, panels: &[&PanelView], y: f64, w: f64, manner: Manner) -> f64 {
    let mut table = Table::default();
    for panel in panels.iter().filter(|panel| !wide::is_table(panel)) {
        fill(&mut table, panel);
    }
    let mut y = y + 4.0;
    let rest: Vec<&PanelView> =
        panels.iter().copied().filter(|panel| !(manner.full && wide::has_tree(panel))).collect();
    y += gauges::draw_facts(b, PAD, y, w, &facts(&rest));
    if (manner.full || w < NARROW) && !table.rows.is_empty() {
        b.p.fill_rect(Rect::new(0.0, y + 4.0, w + 2.0 * PAD, 1.0), Fill::Solid(b.palette.line));
        b.heading(PAD, y + 10.0, &words::NUMBERS, "");
        y += 28.0;
        y += gauges::draw_table(b, PAD, y, w, &table);
    }
    y
}

/// Puts the numbers of a panel's entities into a table.
pub fn fill<'a>(table: &mut Table<'a>, panel: &'a PanelView) {
    for shape in &panel.shapes {
        match shape {
            ShapeView::EntityGauge(entity, gauge) => table.put(*entity, &gauge.label, Cell::Number(gauge)),
            ShapeView::Meter(entity, gauge, target) => table.put(*entity, &gauge.label, Cell::Meter(gauge, *target)),
            ShapeView::Lamp(entity, label, lit) => table.put(*entity, label, Cell::Lamp(*lit)),
            ShapeView::List { .. }
            | ShapeView::Slots { .. }
            | ShapeView::Bitmap { .. }
            | ShapeView::Tree { .. }
            | ShapeView::Gauge(_)
            | ShapeView::MatrixRow { .. }
            | ShapeView::Lock { .. }
            | ShapeView::KeyMark { .. }
            | ShapeView::Spans { .. }
            | ShapeView::Score(_)
            | ShapeView::ShareRow(_) => {}
        }
    }
}

/// Numbers of all panels. A label that several panels use is preceded by the panel's role.
pub fn facts(panels: &[&PanelView]) -> Vec<(String, GaugeView)> {
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
