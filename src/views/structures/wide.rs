//! Lists, trees, matrices, scans, axes, locks and tables of a panel, over the full width.

use super::axis::{self, Axis};
use super::board::Board;
use super::gauges::{self, Lock, Table};
use super::key_axis::Mark;
use super::matrix;
use super::scan;
use super::sheet::{Manner, PAD, count, facts, fill, is_array};
use super::slice;
use super::slots;
use super::tree::{self, Tree};
use crate::paint::{Align, Font, Rect};
use crate::text::pictures as words;
use sim_core::engine::protocol::{EntityView, NodeView, PanelView, ScoreView, ShapeView};

/// Draws a panel; returns the new y.
pub fn draw(b: &mut Board, panel: &PanelView, all: &[&PanelView], y: f64, w: f64, manner: Manner) -> f64 {
    let mut y = y;
    let mut titled = is_array(panel);
    let (quotas, scores) = (rows_of(panel), scores(panel));
    let (mut has_matrix, mut has_scan) = (false, false);
    for shape in &panel.shapes {
        if is_wide(shape) && !titled {
            titled = true;
            y = draw_title(b, panel, y, w);
        }
        match shape {
            ShapeView::List { label, chips } => {
                b.p.text(PAD, y + 12.0, label, Font::Small, b.palette.text_3, Align::Left);
                y += 18.0 + slots::draw_list(b, PAD, y + 18.0, w, chips) + 8.0;
            }
            ShapeView::Tree { label, root, leftmost, floor, nodes } => {
                b.p.text(PAD + w, y - 10.0, label, Font::Small, b.palette.text_3, Align::Right);
                let (curr, marks, floor_name) = (running(panel, nodes), marks(panel), floor_name(panel, *floor));
                let (root, leftmost, floor) = (*root, *leftmost, *floor);
                let next = picked(panel);
                let tree = Tree { root, leftmost, floor, floor_name, nodes, curr, next, marks: &marks };
                let natural = tree::height(nodes.len());
                // A tree of one or two nodes needs no great height.
                let least = [96.0, 180.0, 180.0, 300.0][nodes.len().min(3)];
                let h = if manner.full { natural.max(least) } else { natural.clamp(least.min(150.0), 210.0) };
                tree::draw(b, Rect::new(PAD, y - 4.0, w, h), &tree);
                y += h;
            }
            ShapeView::MatrixRow { .. } if !has_matrix => {
                has_matrix = true;
                y += matrix::draw(b, PAD, y, w, &quotas) + 6.0;
                if manner.all_slots {
                    y += matrix::draw_levels(b, PAD, y, w, &levels_of(panel), &quotas) + 6.0;
                }
            }
            ShapeView::Lock { label, holder, spinners, utilisation_permille } => {
                let lock = Lock { label, holder: *holder, spinners: *spinners, permille: *utilisation_permille };
                y += gauges::draw_lock(b, PAD, y, w, &lock);
            }
            ShapeView::Spans { label, line, at, spans } => {
                b.heading(PAD, y, label, "");
                y += 20.0 + axis::draw(b, PAD, y + 20.0, w, &Axis { line, at: *at, spans }, manner.full);
            }
            ShapeView::Score(_) if !has_scan => {
                has_scan = true;
                y += scan::draw(b, PAD, y, w, &scores, manner.full);
            }
            ShapeView::MatrixRow { .. }
            | ShapeView::Score(_)
            | ShapeView::Slots { .. }
            | ShapeView::Bitmap { .. }
            | ShapeView::Gauge(_)
            | ShapeView::EntityGauge(..)
            | ShapeView::KeyMark { .. }
            | ShapeView::Meter(..)
            | ShapeView::Lamp(..)
            | ShapeView::ShareRow(_) => {}
        }
    }
    if has_tree(panel) && manner.full {
        y += gauges::draw_facts(b, PAD, y, w, &facts(&[panel])) + 6.0;
        if let Some(slice) = slice::of(panel, all) {
            y += slice::draw(b, PAD, y, w, &slice);
        }
    }
    if is_table(panel) {
        y = draw_title(b, panel, y, w);
        let mut table = Table::default();
        fill(&mut table, panel);
        y += gauges::draw_table(b, PAD, y, w, &table) + 8.0;
    }
    y
}

fn draw_title(b: &mut Board, panel: &PanelView, y: f64, w: f64) -> f64 {
    let addition = match count(panel) {
        0 if has_tree(panel) => words::TREE_EMPTY.to_string(),
        0 => String::new(),
        tasks => words::tasks(tasks),
    };
    let owner = owner(panel).map_or_else(String::new, |group| format!(" {}", b.name(group)));
    // The order of a tree stands at the right.
    b.heading_within(PAD, y, w - 86.0, &format!("{}{owner}", panel.label), &addition);
    y + 22.0
}

/// A queue with a tree: its facts stand below it in the full view.
pub fn has_tree(panel: &PanelView) -> bool {
    panel.shapes.iter().any(|shape| matches!(shape, ShapeView::Tree { .. }))
}

/// Stands over the full width under its panel's title.
fn is_wide(shape: &ShapeView) -> bool {
    match shape {
        ShapeView::List { .. }
        | ShapeView::Tree { .. }
        | ShapeView::MatrixRow { .. }
        | ShapeView::Lock { .. }
        | ShapeView::Spans { .. }
        | ShapeView::Score(_) => true,
        ShapeView::Slots { .. }
        | ShapeView::Bitmap { .. }
        | ShapeView::Gauge(_)
        | ShapeView::EntityGauge(..)
        | ShapeView::KeyMark { .. }
        | ShapeView::Meter(..)
        | ShapeView::Lamp(..)
        | ShapeView::ShareRow(_) => false,
    }
}

/// Nothing but numbers of entities, lamps among them: drawn as a table of its own in every view.
pub fn is_table(panel: &PanelView) -> bool {
    let has_lamp = panel.shapes.iter().any(|shape| matches!(shape, ShapeView::Lamp(..) | ShapeView::Meter(..)));
    has_lamp && !is_array(panel) && !panel.shapes.iter().any(is_wide)
}

fn scores(panel: &PanelView) -> Vec<&ScoreView> {
    let mut scores = Vec::new();
    for shape in &panel.shapes {
        if let ShapeView::Score(score) = shape {
            scores.push(score);
        }
    }
    scores
}

/// Who the rule would pick now, where an axis says so.
fn picked(panel: &PanelView) -> Option<EntityView> {
    panel.shapes.iter().find_map(|shape| match shape {
        ShapeView::Spans { spans, .. } => spans.iter().find(|span| span.picked).map(|span| span.entity),
        _ => None,
    })
}

/// Marks on the key axis of a panel's tree.
fn marks(panel: &PanelView) -> Vec<Mark<'_>> {
    let mark = |shape| match shape {
        &ShapeView::KeyMark { ref label, is_band, from, to } => Some(Mark { label, is_band, from, to }),
        _ => None,
    };
    panel.shapes.iter().filter_map(mark).collect()
}

/// A number of the panel that is the floor gives it its name.
fn floor_name<'a>(panel: &'a PanelView, floor: i64) -> &'a str {
    let is_floor = |shape: &'a ShapeView| match shape {
        ShapeView::Gauge(gauge) if gauge.unit == "virtual" && gauge.value == floor => Some(gauge.label.as_str()),
        _ => None,
    };
    panel.shapes.iter().find_map(is_floor).unwrap_or(&words::FLOOR)
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
    // A count whose full scale is the last step says how far the task's level has come.
    let level = |entity: EntityView, steps: usize| {
        panel.shapes.iter().find_map(|shape| match shape {
            ShapeView::EntityGauge(who, gauge)
                if *who == entity && gauge.unit == "count" && gauge.full + 1 == steps as i64 =>
            {
                Some(gauge.value)
            }
            _ => None,
        })
    };
    let row = |shape| match shape {
        &ShapeView::MatrixRow { entity: Some(entity), nice, ref place, ref cells } => {
            let level = level(entity, cells.len());
            Some(matrix::Row { entity, nice, place, cells, quota: quota(entity), level })
        }
        _ => None,
    };
    panel.shapes.iter().filter_map(row).collect()
}

/// Rows of the nice levels: what each is granted.
fn levels_of(panel: &PanelView) -> Vec<matrix::Level<'_>> {
    let mut levels = Vec::new();
    for shape in &panel.shapes {
        if let ShapeView::MatrixRow { entity: None, nice, cells, .. } = shape {
            levels.push(matrix::Level { nice: *nice, cells });
        }
    }
    levels
}

/// The group whose queue a panel shows: the one whose numbers stand in it and that is no node of its own tree.
pub fn owner(panel: &PanelView) -> Option<EntityView> {
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
pub fn running(panel: &PanelView, nodes: &[NodeView]) -> Option<(EntityView, i64)> {
    panel.shapes.iter().find_map(|shape| match shape {
        ShapeView::EntityGauge(who, gauge)
            if gauge.unit == "virtual" && !nodes.iter().any(|node| node.entity == *who) =>
        {
            Some((*who, gauge.value))
        }
        _ => None,
    })
}
