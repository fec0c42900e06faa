//! A search tree hung over its true key axis: in-order x, depth y, a line from each node to its place on the axis.

use super::board::Board;
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
    /// Lines and bands on the axis.
    pub marks: &'a [Mark<'a>],
}

/// A line or a band on the axis.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mark<'a> {
    /// What it is.
    pub label: &'a str,
    /// A stretch, not a line.
    pub is_band: bool,
    /// Left end.
    pub from: i64,
    /// Right end.
    pub to: i64,
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

/// Keys on x. Keys wrap in the kernel, so everything is relative to the floor.
#[derive(Clone, Copy)]
struct KeyScale {
    floor: i64,
    low: f64,
    high: f64,
    left: f64,
    right: f64,
}

impl KeyScale {
    fn new(tree: &Tree, left: f64, right: f64) -> KeyScale {
        let relative = |key: i64| key.wrapping_sub(tree.floor) as f64;
        let keys = tree.nodes.iter().map(|n| n.key).chain(tree.curr.map(|(_, key)| key));
        let (mut low, mut high) = (0.0_f64, 0.0_f64);
        for key in keys {
            low = low.min(relative(key));
            high = high.max(relative(key));
        }
        let pad = ((high - low) * 0.05).max(1000.0);
        KeyScale { floor: tree.floor, low: low - pad, high: high + pad, left, right }
    }

    fn x(&self, key: i64) -> f64 {
        let relative = key.wrapping_sub(self.floor) as f64;
        self.left + (relative - self.low) / (self.high - self.low) * (self.right - self.left)
    }

    /// Ticks at 1, 2, 5 times a power of ten, as absolute keys.
    fn ticks(&self) -> (i64, Vec<i64>) {
        let least = (self.high - self.low) / ((self.right - self.left) / 90.0).max(1.0);
        let mut step = 1000_i64;
        'found: loop {
            for times in [1, 2, 5] {
                if (step * times) as f64 >= least {
                    step *= times;
                    break 'found;
                }
            }
            step *= 10;
        }
        let from = self.floor.saturating_add(self.low as i64);
        let to = self.floor.saturating_add(self.high as i64);
        let first = from.div_euclid(step).saturating_add(1).saturating_mul(step);
        let count = usize::try_from(to.saturating_sub(first).div_euclid(step)).map_or(0, |n| n + 1);
        (step, (0..count.min(64)).map(|i| first + step * i as i64).collect())
    }
}

/// Height of a tree of that many nodes.
pub fn height(nodes: usize) -> f64 {
    let depth = (usize::BITS - nodes.leading_zeros()) + 1;
    TOP + f64::from(depth.clamp(2, 8)) * level(nodes) + AXIS
}

fn level(nodes: usize) -> f64 {
    if nodes > 64 { 34.0 } else { 62.0 }
}

/// Draws the tree into a box.
pub fn draw(b: &mut Board, at: Rect, tree: &Tree) {
    let spots = in_order(tree);
    let phone = at.w < 560.0;
    let (left, right) = (at.x + if phone { 24.0 } else { 66.0 }, at.right() - 40.0);
    let gap = (right - left) / (spots.len().max(2) - 1) as f64;
    let axis_y = at.bottom() - AXIS + 8.0;
    let depth_max = spots.iter().map(|s| s.depth).max().unwrap_or(0);
    let drop = ((axis_y - 46.0 - at.y - TOP) / f64::from(depth_max.max(1))).clamp(12.0, level(spots.len()) + 10.0);
    let scale = KeyScale::new(tree, left - 20.0, right + 20.0);
    let x_of = |order: usize| if spots.len() == 1 { (left + right) / 2.0 } else { left + order as f64 * gap };
    let mut places = vec![(0.0, 0.0); tree.nodes.len()];
    let mut done = 1.0_f64;
    for (order, spot) in spots.iter().enumerate() {
        let target = (x_of(order), at.y + TOP + f64::from(spot.depth) * drop);
        let place = b.motion.place(key_of(tree.nodes[spot.index].entity), target, ROTATE_MS);
        places[spot.index] = place.at;
        done = done.min(place.part);
    }
    draw_bands(b, tree, &scale, axis_y);
    draw_axis(b, &scale, axis_y, at);
    draw_hangers(b, tree, &spots, &places, &scale, axis_y);
    draw_edges(b, &spots, &places);
    draw_return(b, tree, &spots, &places, (gap, drop, at.right() - 24.0));
    draw_nodes(b, tree, &spots, &places, Looks { gap, done });
    draw_marks(b, tree, &places, &scale, axis_y, at);
    if spots.is_empty() {
        b.p.text(
            at.x + at.w / 2.0,
            at.y + at.h / 2.0,
            &words::TREE_EMPTY,
            Font::Small,
            b.palette.text_3,
            Align::Centre,
        );
    }
}

fn key_of(entity: EntityView) -> Key {
    match entity {
        EntityView::Task(task) => Key::TaskNode(task),
        EntityView::Group(group) => Key::GroupNode(group),
    }
}

fn draw_axis(b: &mut Board, scale: &KeyScale, y: f64, at: Rect) {
    let palette = b.palette;
    b.p.fill_rect(Rect::new(scale.left, y, scale.right - scale.left, 1.0), Fill::Solid(palette.line_strong));
    let (step, ticks) = scale.ticks();
    let decimals = match step {
        s if s >= 1_000_000 => 0,
        s if s >= 100_000 => 1,
        s if s >= 10_000 => 2,
        _ => 3,
    };
    for key in ticks {
        let x = scale.x(key);
        b.p.fill_rect(Rect::new(x - 0.5, y, 1.0, 4.0), Fill::Solid(palette.line_strong));
        let sign = if key < 0 { "−" } else { "" };
        let label = format!("{sign}{}", number::fixed(key.unsigned_abs(), number::MS, decimals));
        b.p.text(x, y + 16.0, &label, Font::Small, palette.text_3, Align::Centre);
    }
    b.p.text(at.x, y + 16.0, "ms", Font::Small, palette.text_3, Align::Left);
}

/// Bands and lines of the rules that go with the order. What lies far left is named at the edge.
fn draw_bands(b: &mut Board, tree: &Tree, scale: &KeyScale, axis_y: f64) {
    let palette = b.palette;
    let mut label_y = axis_y - 10.0;
    for mark in tree.marks {
        let (x0, x1) = (scale.x(mark.from).max(scale.left), scale.x(mark.to).min(scale.right));
        if x1 <= scale.left {
            let distance = number::value(tree.floor.wrapping_sub(mark.to), "virtual");
            let text = words::far_left(mark.label, &distance);
            b.p.text(scale.left, label_y, &text, Font::Small, palette.text_3, Align::Left);
            label_y -= 14.0;
            continue;
        }
        if mark.is_band {
            let band = Rect::new(x0, axis_y - 5.0, (x1 - x0).max(1.0), 5.0);
            b.p.fill_rect(band, Fill::Solid(palette.accent.with_alpha(110)));
            b.p.fill_rect(Rect::new(x0, axis_y - 9.0, 1.0, 9.0), Fill::Solid(palette.accent));
        } else {
            b.p.line(x0, axis_y - 16.0, x0, axis_y + 6.0, Pen::dashed(palette.text_2, 1.0, 2, 2));
        }
        let width = number::value(mark.to.wrapping_sub(mark.from), "virtual");
        let text = if mark.is_band { format!("{} {width}", mark.label) } else { mark.label.to_owned() };
        let at = x0.min(scale.right - b.p.text_width(&text, Font::Small) - 6.0).max(scale.left) + 5.0;
        let ground = Rect::new(at - 2.0, label_y - 10.0, b.p.text_width(&text, Font::Small) + 4.0, 13.0);
        b.p.fill_rect(ground, Fill::Solid(palette.panel.with_alpha(217)));
        let colour = if mark.is_band { palette.accent } else { palette.text_2 };
        b.p.text(at, label_y, &text, Font::Small, colour, Align::Left);
        label_y -= 14.0;
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
    draw_second_keys(b, tree, spots, scale, axis_y);
}

fn hanger(p: &mut dyn Painter, (x, y): (f64, f64), axis_x: f64, axis_y: f64) {
    p.move_to(x, y);
    p.line_to(x, axis_y - 34.0);
    p.curve_to((x, axis_y - 14.0), (axis_x, axis_y - 26.0), (axis_x, axis_y));
}

/// Where a node has two keys, a small triangle marks the second and a bar leads to it.
fn draw_second_keys(b: &mut Board, tree: &Tree, spots: &[Spot], scale: &KeyScale, axis_y: f64) {
    let shown = spots.len() <= 24;
    for spot in spots.iter().filter(|_| shown) {
        let node = &tree.nodes[spot.index];
        let Some(second) = node.key2 else { continue };
        let (x0, x1) = (scale.x(node.key), scale.x(second).min(scale.right));
        let colour = b.colour(node.entity);
        b.p.fill_rect(Rect::new(x0.min(x1), axis_y - 1.0, (x1 - x0).abs(), 3.0), Fill::Solid(colour.with_alpha(110)));
        b.p.begin();
        b.p.move_to(x1, axis_y + 1.0);
        b.p.line_to(x1 - 3.0, axis_y - 5.0);
        b.p.line_to(x1 + 3.0, axis_y - 5.0);
        b.p.close();
        b.p.fill(Fill::Solid(colour));
    }
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
fn draw_return(b: &mut Board, tree: &Tree, spots: &[Spot], places: &[(f64, f64)], room: (f64, f64, f64)) {
    let (gap, drop, right) = room;
    let Some((curr, key)) = tree.curr else { return };
    let after = spots.iter().filter(|s| tree.nodes[s.index].key.wrapping_sub(key) <= 0).count();
    let neighbours = [after.checked_sub(1), Some(after)];
    let deepest = neighbours.into_iter().flatten().filter_map(|i| spots.get(i)).max_by_key(|s| s.depth);
    let Some(parent) = deepest else { return };
    let from = places[parent.index];
    let side = if tree.nodes[parent.index].key.wrapping_sub(key) <= 0 { 0.5 } else { -0.5 };
    let to = ((from.0 + side * gap.max(24.0)).min(right), from.1 + drop);
    let (colour, palette) = (b.colour(curr), b.palette);
    b.p.line(from.0, from.1, to.0, to.1, Pen::dashed(palette.text_3, 1.5, 4, 3));
    b.p.begin();
    b.p.circle(to.0, to.1, 10.0);
    b.p.fill(Fill::Solid(palette.panel));
    b.p.stroke(Pen::dashed(colour, 2.0, 4, 3));
    name(b, curr, to.0, to.1 + 8.0, NAME_MIN * 2.0);
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
    let text = if tree.nodes[first].eligible { &words::LEFTMOST_NEXT } else { &words::LEFTMOST };
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
            marks: &[],
        };
        assert!(in_order(&tree).len() <= 2);
    }

    #[test]
    fn keys_that_wrap_stay_beside_the_floor() {
        let nodes = [node(0, i64::MIN + 5_000_000, None, None)];
        let tree = Tree {
            root: Some(0),
            leftmost: Some(0),
            floor: i64::MAX - 1_000_000,
            nodes: &nodes,
            curr: None,
            floor_name: "floor",
            marks: &[],
        };
        let scale = KeyScale::new(&tree, 0.0, 1000.0);
        let x = scale.x(nodes[0].key);
        assert!(x > scale.x(tree.floor) && x <= 1000.0);
        assert!(scale.ticks().1.len() < 64);
    }
}
