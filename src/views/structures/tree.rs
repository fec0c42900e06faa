//! A search tree hung over its true key axis: in-order x, depth y, a line from each node to its place on the axis.

use super::board::Board;
use super::key_axis::{self, KeyScale, Mark};
use super::motion::{Key, ROTATE_MS};
use crate::paint::{Align, Fill, Font, Painter, Pen, Rect, Rgba, number};
use crate::text::pictures as words;
use sim_core::engine::protocol::{EntityView, NodeView};

/// Height of the axis with its labels, px.
const AXIS: f64 = 62.0;
/// Room above the root, px.
const TOP: f64 = 40.0;
/// Nodes closer than this have no names, px.
const NAME_MIN: f64 = 44.0;
/// Room of the marks above the axis, px.
const MARKS: f64 = 40.0;

/// A tree as a policy showed it.
pub struct Tree<'a> {
    /// Index of the root.
    pub root: Option<u32>,
    /// Index of the leftmost node.
    pub leftmost: Option<u32>,
    /// min_vruntime or the like.
    pub floor: i64,
    /// The policy's word for it.
    pub floor_name: &'a str,
    /// Nodes.
    pub nodes: &'a [NodeView],
    /// Who runs out of this queue and its key: not in the tree, and to come back there.
    pub curr: Option<(EntityView, i64)>,
    /// Who would be picked now, where the policy says so; else the leftmost.
    pub next: Option<EntityView>,
    /// Lines and bands on the axis.
    pub marks: &'a [Mark<'a>],
}

/// A node in its place.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Spot {
    index: usize,
    depth: u32,
    parent: Option<usize>,
}

/// Nodes in order with their depths. A malformed tree (a cycle) ends the walk, not the page.
fn in_order(tree: &Tree) -> Vec<Spot> {
    let mut out = Vec::with_capacity(tree.nodes.len());
    let mut stack: Vec<Spot> = Vec::new();
    let spot = |index: Option<u32>, depth: u32, parent: Option<usize>| {
        index.map(|i| Spot { index: i as usize, depth, parent }).filter(|s| s.index < tree.nodes.len())
    };
    let mut next = spot(tree.root, 0, None);
    while next.is_some() || !stack.is_empty() {
        while let Some(here) = next {
            if stack.len() > tree.nodes.len() {
                return out;
            }
            stack.push(here);
            next = spot(tree.nodes[here.index].left, here.depth + 1, Some(here.index));
        }
        let Some(here) = stack.pop() else { break };
        if out.len() >= tree.nodes.len() {
            return out;
        }
        out.push(here);
        next = spot(tree.nodes[here.index].right, here.depth + 1, Some(here.index));
    }
    out
}

/// Height of a tree of that many nodes.
pub fn height(nodes: usize) -> f64 {
    if nodes == 0 {
        return 96.0;
    }
    let depth = (usize::BITS - nodes.leading_zeros()) + 1;
    TOP + f64::from(depth.clamp(2, 8)) * level(nodes) + AXIS
}

fn level(nodes: usize) -> f64 {
    if nodes > 64 { 34.0 } else { 62.0 }
}

/// Draws the tree into a box.
#[inline(never)] // the page loads it later: xtask/src/parts.rs
pub fn draw(b: &mut Board, at: Rect, tree: &Tree) {
    let spots = in_order(tree);
    let phone = at.w < 560.0;
    let (left, right) = (at.x + if phone { 24.0 } else { 66.0 }, at.right() - 40.0);
    let gap = (right - left) / (spots.len().max(2) - 1) as f64;
    let axis_y = at.bottom() - AXIS + 8.0;
    let depth_max = spots.iter().map(|s| s.depth).max().unwrap_or(0);
    let drop = ((axis_y - 46.0 - at.y - TOP) / f64::from(depth_max.max(1))).clamp(12.0, level(spots.len()) + 10.0);
    let keys = tree.nodes.iter().map(|node| node.key).chain(tree.curr.map(|(_, key)| key));
    let scale = KeyScale::new(keys, tree.floor, left - 20.0, right + 20.0);
    let x_of = |order: usize| if spots.len() == 1 { (left + right) / 2.0 } else { left + order as f64 * gap };
    let mut places = vec![(0.0, 0.0); tree.nodes.len()];
    let mut done = 1.0_f64;
    for (order, spot) in spots.iter().enumerate() {
        let target = (x_of(order), at.y + TOP + f64::from(spot.depth) * drop);
        let place = b.motion.place(key_of(tree.nodes[spot.index].entity), target, ROTATE_MS);
        places[spot.index] = place.at;
        done = done.min(place.part);
    }
    key_axis::draw_marks(b, tree.marks, &scale, axis_y);
    key_axis::draw(b, &scale, axis_y, at.x);
    draw_hangers(b, tree, &spots, &places, &scale, axis_y);
    draw_edges(b, &spots, &places);
    draw_return(b, tree, &spots, &places, (gap, drop, [at.x + 14.0, at.right() - 24.0, axis_y]));
    draw_nodes(b, tree, &spots, &places, Looks { gap, done });
    draw_marks(b, tree, &places, &scale, axis_y, at);
}

fn key_of(entity: EntityView) -> Key {
    match entity {
        EntityView::Task(task) => Key::TaskNode(task),
        EntityView::Group(group) => Key::GroupNode(group),
    }
}

/// Thin lines from nodes to their true places.
fn draw_hangers(b: &mut Board, tree: &Tree, spots: &[Spot], places: &[(f64, f64)], scale: &KeyScale, axis_y: f64) {
    let quiet = Pen::solid(b.palette.line_strong.with_alpha(128), 1.0);
    b.p.begin();
    for spot in spots.iter().filter(|s| tree.leftmost != Some(s.index as u32)) {
        hanger(b.p, places[spot.index], scale.x(tree.nodes[spot.index].key), axis_y);
    }
    b.p.stroke(quiet);
    if let Some(first) = leftmost(tree) {
        b.p.begin();
        hanger(b.p, places[first], scale.x(tree.nodes[first].key), axis_y);
        b.p.stroke(Pen::solid(b.palette.accent, 1.5));
    }
    for spot in spots {
        let node = &tree.nodes[spot.index];
        let colour = b.colour(node.entity);
        b.p.begin();
        b.p.circle(scale.x(node.key), axis_y, 3.0);
        b.p.fill(Fill::Solid(colour));
    }
}

fn hanger(p: &mut dyn Painter, (x, y): (f64, f64), axis_x: f64, axis_y: f64) {
    p.move_to(x, y);
    p.line_to(x, axis_y - 34.0);
    p.curve_to((x, axis_y - 14.0), (axis_x, axis_y - 26.0), (axis_x, axis_y));
}

fn draw_edges(b: &mut Board, spots: &[Spot], places: &[(f64, f64)]) {
    b.p.begin();
    for spot in spots {
        let Some(parent) = spot.parent else { continue };
        b.p.move_to(places[parent].0, places[parent].1);
        b.p.line_to(places[spot.index].0, places[spot.index].1);
    }
    b.p.stroke(Pen::solid(b.palette.line_strong, 1.5));
}

struct Looks {
    gap: f64,
    done: f64,
}

fn draw_nodes(b: &mut Board, tree: &Tree, spots: &[Spot], places: &[(f64, f64)], looks: Looks) {
    let heaviest = tree.nodes.iter().map(|n| n.weight).max().unwrap_or(1).max(1);
    let room = (looks.gap / 2.0 - 1.0).clamp(2.0, 14.0);
    for spot in spots {
        let (node, (x, y)) = (&tree.nodes[spot.index], places[spot.index]);
        let r = (8.0 + 6.0 * (node.weight as f64 / heaviest as f64).sqrt()).min(room);
        b.hits.push((Rect::new(x - r, y - r, 2.0 * r, 2.0 * r), node.entity));
        let colour = b.colour(node.entity);
        // The colour flips at half time of a rotation.
        let red = node.red && looks.done >= 0.5;
        let ring = Pen::solid(if red { b.palette.bad } else { b.palette.text_2 }, if r < 5.0 { 1.0 } else { 2.0 });
        body(b, node, (x, y), r);
        b.p.fill(Fill::Solid(if node.eligible { colour } else { b.palette.panel }));
        let ring = if node.eligible { ring } else { Pen::dashed(colour, 2.0, 3, 2) };
        b.p.stroke(ring);
        if tree.leftmost == Some(spot.index as u32) {
            b.p.begin();
            b.p.circle(x, y, r + 5.0);
            b.p.stroke(Pen::dashed(b.palette.accent, 1.5, 3, 2));
        }
        outline(b, node.entity, x, y, r);
        if looks.gap >= NAME_MIN || spots.len() <= 8 {
            name(b, node.entity, x, y + r, looks.gap.max(NAME_MIN));
        }
    }
}

fn body(b: &mut Board, node: &NodeView, (x, y): (f64, f64), r: f64) {
    b.p.begin();
    match node.entity {
        EntityView::Task(_) => b.p.circle(x, y, r),
        EntityView::Group(_) => b.p.round_rect(Rect::new(x - r, y - r, 2.0 * r, 2.0 * r), 2.0),
    }
}

fn outline(b: &mut Board, entity: EntityView, x: f64, y: f64, r: f64) {
    let EntityView::Task(task) = entity else { return };
    let mut ring = |colour: Rgba, d: f64| {
        b.p.begin();
        b.p.circle(x, y, r + d);
        b.p.stroke(Pen::solid(colour, 2.0));
    };
    if b.selected == Some(task) {
        ring(b.palette.text, 3.0);
    }
    if b.hover == Some(task) {
        ring(b.palette.accent, 4.0);
    }
}

fn name(b: &mut Board, entity: EntityView, x: f64, y: f64, room: f64) {
    let (text, colour) = (b.name(entity), b.text_colour(entity));
    let width = b.p.text_width(&text, Font::Small).min(room);
    let ground = b.palette.panel.with_alpha(217);
    b.p.fill_rect(Rect::new(x - width / 2.0 - 3.0, y + 5.0, width + 6.0, 13.0), Fill::Solid(ground));
    b.p.text_within(x - width / 2.0, y + 15.0, room, &text, Font::Small, colour);
}

fn leftmost(tree: &Tree) -> Option<usize> {
    tree.leftmost.map(|i| i as usize).filter(|&i| i < tree.nodes.len())
}

/// Where the running task goes when it comes back: a dashed circle under the node it would hang on.
fn draw_return(b: &mut Board, tree: &Tree, spots: &[Spot], places: &[(f64, f64)], room: (f64, f64, [f64; 3])) {
    let (gap, drop, [left, right, axis_y]) = room;
    let Some((curr, key)) = tree.curr else { return };
    let after = spots.iter().filter(|s| tree.nodes[s.index].key.wrapping_sub(key) <= 0).count();
    let neighbours = [after.checked_sub(1), Some(after)];
    let deepest = neighbours.into_iter().flatten().filter_map(|i| spots.get(i)).max_by_key(|s| s.depth);
    let Some(parent) = deepest else { return };
    let from = places[parent.index];
    let side = if tree.nodes[parent.index].key.wrapping_sub(key) <= 0 { 0.5 } else { -0.5 };
    let to = ((from.0 + side * gap.max(24.0)).min(right).max(left), from.1 + drop);
    let (colour, palette) = (b.colour(curr), b.palette);
    b.p.line(from.0, from.1, to.0, to.1, Pen::dashed(palette.text_3, 1.5, 4, 3));
    b.p.begin();
    b.p.circle(to.0, to.1, 10.0);
    b.p.fill(Fill::Solid(palette.panel));
    b.p.stroke(Pen::dashed(colour, 2.0, 4, 3));
    // Marks stand above the axis; what runs is named below it, too.
    if tree.marks.is_empty() || to.1 + 26.0 < axis_y - MARKS {
        name(b, curr, to.0, to.1 + 8.0, NAME_MIN * 2.0);
    }
}

/// Floor, running task, leftmost.
fn draw_marks(b: &mut Board, tree: &Tree, places: &[(f64, f64)], scale: &KeyScale, axis_y: f64, at: Rect) {
    let palette = b.palette;
    let x = scale.x(tree.floor);
    b.p.fill_rect(Rect::new(x - 0.75, axis_y - 22.0, 1.5, 46.0), Fill::Solid(palette.warn));
    let sign = if tree.floor < 0 { "−" } else { "" };
    let text = format!("{} {sign}{}", tree.floor_name, number::fixed(tree.floor.unsigned_abs(), number::MS, 1));
    let width = b.p.text_width(&text, Font::Small);
    let floor_x = (x - width / 2.0).max(at.x);
    b.p.text(floor_x, axis_y + 36.0, &text, Font::Small, palette.warn, Align::Left);
    if let Some((curr, key)) = tree.curr {
        let (cx, colour) = (scale.x(key), b.colour(curr));
        b.p.begin();
        b.p.move_to(cx - 5.0, axis_y + 8.0);
        b.p.line_to(cx, axis_y + 1.0);
        b.p.line_to(cx + 5.0, axis_y + 8.0);
        b.p.close();
        b.p.fill(Fill::Solid(colour));
        b.p.stroke(Pen::solid(palette.text, 1.0));
        let text = words::runs(&b.name(curr));
        let half = b.p.text_width(&text, Font::SmallStrong) / 2.0;
        // Beside the floor's label, on the side where the task is.
        let beside =
            if cx < x { (cx - half).min(floor_x - 8.0 - 2.0 * half) } else { (cx - half).max(floor_x + width + 8.0) };
        let beside = beside.min(at.right() - 2.0 * half).max(at.x);
        b.p.text(beside, axis_y + 36.0, &text, Font::SmallStrong, palette.text, Align::Left);
    }
    let Some(first) = leftmost(tree) else { return };
    let (lx, ly) = places[first];
    let runs_next = match tree.next {
        Some(next) => next == tree.nodes[first].entity,
        None => tree.nodes[first].eligible,
    };
    let text = if runs_next { &words::LEFTMOST_NEXT } else { &words::LEFTMOST };
    let half = b.p.text_width(text, Font::Small) / 2.0;
    let text_x = lx.max(at.x + half).min(at.right() - half);
    b.p.text(text_x, at.y + 14.0, text, Font::Small, palette.accent, Align::Centre);
    if ly - 20.0 > at.y + 19.0 {
        b.p.line(lx, at.y + 19.0, lx, ly - 20.0, Pen::dashed(palette.accent, 1.0, 2, 3));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(task: u32, key: i64, left: Option<u32>, right: Option<u32>) -> NodeView {
        let entity = EntityView::Task(task);
        NodeView { entity, left, right, red: false, key, key2: None, weight: 1024, eligible: true }
    }

    #[test]
    fn nodes_come_in_the_order_of_their_keys() {
        let nodes = [node(0, 20, Some(1), Some(2)), node(1, 10, None, None), node(2, 30, None, None)];
        let tree = Tree {
            root: Some(0),
            leftmost: Some(1),
            floor: 10,
            nodes: &nodes,
            curr: None,
            floor_name: "floor",
            next: None,
            marks: &[],
        };
        let spots = in_order(&tree);
        assert_eq!(spots.iter().map(|s| s.index).collect::<Vec<_>>(), [1, 0, 2]);
        assert_eq!(spots.iter().map(|s| s.depth).collect::<Vec<_>>(), [1, 0, 1]);
    }

    #[test]
    fn a_cycle_does_not_hang_the_page() {
        let nodes = [node(0, 20, Some(1), None), node(1, 10, Some(0), None)];
        let tree = Tree {
            root: Some(0),
            leftmost: None,
            floor: 0,
            nodes: &nodes,
            curr: None,
            floor_name: "floor",
            next: None,
            marks: &[],
        };
        assert!(in_order(&tree).len() <= 2);
    }
}
