//! How long the slice of whoever runs is, how much of it is used, and what makes it so long: the period of the queue
//! times the share of the entity's weight, level by level. The product is shown only where it gives the slice.

use super::board::Board;
use super::wide::{owner, running};
use crate::paint::{Align, Fill, Font, Pen, Rect, number};
use crate::text::pictures as words;
use sim_core::engine::protocol::{EntityView, GaugeView, PanelView, ShapeView};

/// Height of the picture, px.
const HEIGHT: f64 = 66.0;
/// The bar is at most so wide, px.
const WIDTH_MAX: f64 = 460.0;
/// The product may miss the slice by so much of it: the kernel divides with rounded inverses.
const TOLERANCE: f64 = 0.005;

/// A level of the product: weight of the entity and load of its queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Level {
    weight: i64,
    load: i64,
}

/// The slice of whoever runs out of a queue.
#[derive(Clone, PartialEq, Debug)]
pub struct Slice {
    /// Who runs.
    pub who: EntityView,
    ran_ns: i64,
    full_ns: i64,
    /// Period of the queue, ns, and the levels from the queue up; empty where they do not explain the slice.
    period_ns: i64,
    levels: Vec<Level>,
}

/// Reads the slice from a queue's panel and the panels of the queues above it.
pub fn of(panel: &PanelView, all: &[&PanelView]) -> Option<Slice> {
    let (who, _) = entity_of(panel)?;
    let slice = panel.shapes.iter().find_map(|shape| match shape {
        ShapeView::EntityGauge(of, gauge) if *of == who && gauge.unit == "ns" && gauge.full > 0 => Some(gauge),
        _ => None,
    })?;
    let (ran_ns, full_ns) = (slice.value, slice.full);
    let period_ns = gauge_of(panel, "ns").map_or(0, |gauge| gauge.value);
    let mut levels = Vec::new();
    let mut at = Some(panel);
    while let Some(panel) = at.filter(|_| levels.len() < all.len()) {
        let Some(level) = level_of(panel) else { break };
        levels.push(level);
        let above = owner(panel);
        at = above
            .and_then(|group| all.iter().copied().find(|panel| entity_of(panel).is_some_and(|(who, _)| who == group)));
    }
    let product = levels.iter().fold(period_ns as f64, |ns, level| ns * level.weight as f64 / level.load.max(1) as f64);
    if (product - full_ns as f64).abs() > full_ns as f64 * TOLERANCE {
        levels.clear();
    }
    Some(Slice { who, ran_ns, full_ns, period_ns, levels })
}

fn nodes_of(panel: &PanelView) -> Option<&[sim_core::engine::protocol::NodeView]> {
    panel.shapes.iter().find_map(|shape| match shape {
        ShapeView::Tree { nodes, .. } => Some(nodes.as_slice()),
        _ => None,
    })
}

fn entity_of(panel: &PanelView) -> Option<(EntityView, i64)> {
    running(panel, nodes_of(panel)?)
}

/// A number of the queue itself.
fn gauge_of<'p>(panel: &'p PanelView, unit: &str) -> Option<&'p GaugeView> {
    panel.shapes.iter().find_map(|shape| match shape {
        ShapeView::Gauge(gauge) if gauge.unit == unit => Some(gauge),
        _ => None,
    })
}

/// Who runs is not in the tree, but its weight is in the load of the queue.
fn level_of(panel: &PanelView) -> Option<Level> {
    let load = gauge_of(panel, "weight")?.value;
    let waiting: i64 = nodes_of(panel)?.iter().map(|node| node.weight).sum();
    Some(Level { weight: load - waiting, load })
}

impl Slice {
    /// "60 ms period × 1 024 / 2 048 = 30 ms"; nothing where the product does not give the slice.
    pub fn formula(&self) -> Option<String> {
        if self.levels.is_empty() {
            return None;
        }
        let mut text = words::period(&number::duration(self.period_ns.unsigned_abs()));
        for level in &self.levels {
            text.push_str(&format!(
                " × {}{}/{}{}",
                number::whole(level.weight),
                number::NB,
                number::NB,
                number::whole(level.load)
            ));
        }
        Some(format!("{text} = {}", number::duration(self.full_ns.unsigned_abs())))
    }
}

/// Draws it; returns the height.
#[inline(never)] // the page loads it later: xtask/src/parts.rs
pub fn draw(b: &mut Board, x: f64, y: f64, w: f64, slice: &Slice) -> f64 {
    let palette = b.palette;
    let name = b.name(slice.who);
    b.heading_within(x, y, w, &words::slice_of(&name), &words::SLICE_HELP);
    let (ran, full) = (slice.ran_ns.max(0) as f64, slice.full_ns as f64);
    let width = w.min(WIDTH_MAX);
    let scale = width / (full.max(ran) * 1.04);
    let bar = Rect::new(x, y + 36.0, width, 12.0);
    b.p.fill_rect(bar, Fill::Solid(palette.sunken));
    b.p.fill_rect(Rect { w: ran * scale, ..bar }, Fill::Solid(b.colour(slice.who)));
    let end = x + full * scale;
    b.p.line(end, bar.y - 4.0, end, bar.bottom() + 4.0, Pen::solid(palette.text, 1.5));
    let ran_text = words::ran(&number::duration(slice.ran_ns.unsigned_abs()));
    b.p.text(x, bar.y - 6.0, &ran_text, Font::Small, palette.text, Align::Left);
    let full_text = words::slice(&number::duration(slice.full_ns.unsigned_abs()));
    // The two must not touch: then the line speaks for itself, and the formula names the number.
    let left = end - 6.0 - b.p.text_width(&full_text, Font::Small);
    if left > x + b.p.text_width(&ran_text, Font::Small) + 12.0 {
        b.p.text(left, bar.y - 6.0, &full_text, Font::Small, palette.text, Align::Left);
    }
    if let Some(formula) = slice.formula() {
        b.p.text_within(x, bar.bottom() + 17.0, w, &formula, Font::Small, palette.text_2);
        return HEIGHT + 10.0;
    }
    HEIGHT - 8.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::engine::protocol::NodeView;

    fn gauge(label: &str, value: i64, full: i64, unit: &str) -> GaugeView {
        GaugeView { label: label.into(), value, full, unit: unit.into() }
    }

    /// A queue: who runs, who waits with which weight, load, period; the group it belongs to.
    fn queue(who: EntityView, waiting: &[i64], load: i64, period_ms: i64, slice_ns: i64, of: Option<u16>) -> PanelView {
        let node = |&weight: &i64| NodeView {
            entity: EntityView::Task(90),
            left: None,
            right: None,
            red: false,
            key: 0,
            key2: None,
            weight,
            eligible: true,
        };
        let nodes = waiting.iter().map(node).collect();
        let mut shapes = vec![
            ShapeView::Tree { label: "by vruntime".into(), root: None, leftmost: None, floor: 0, nodes },
            ShapeView::EntityGauge(who, gauge("vruntime", 1, 0, "virtual")),
            ShapeView::EntityGauge(who, gauge("ran of its slice", 1_000_000, slice_ns, "ns")),
            ShapeView::Gauge(gauge("load", load, 0, "weight")),
            ShapeView::Gauge(gauge("period", period_ms * 1_000_000, 0, "ns")),
        ];
        if let Some(group) = of {
            shapes.push(ShapeView::EntityGauge(EntityView::Group(group), gauge("weight here", 1, 1, "weight")));
        }
        PanelView { id: 0, label: "queue".into(), cpu: Some(0), shapes }
    }

    #[test]
    fn levels_multiply_up_to_the_root() {
        let root = queue(EntityView::Group(3), &[1024], 2048, 60, 30_000_000, None);
        let below = queue(EntityView::Task(1), &[1024, 1024], 3072, 60, 10_000_000, Some(3));
        let slice = of(&below, &[&root, &below]).expect("somebody runs");
        let levels = [Level { weight: 1024, load: 3072 }, Level { weight: 1024, load: 2048 }];
        assert_eq!(slice.levels, levels);
        let formula = slice.formula().expect("the product is the slice").replace(number::NB, " ");
        assert_eq!(formula, "60 ms period × 1 024 / 3 072 × 1 024 / 2 048 = 10 ms");
    }

    #[test]
    fn a_product_that_is_not_the_slice_is_not_shown() {
        let root = queue(EntityView::Task(1), &[1024], 2048, 60, 12_000_000, None);
        assert_eq!(of(&root, &[&root]).and_then(|slice| slice.formula()), None);
        let alone = PanelView { shapes: Vec::new(), ..root };
        assert_eq!(of(&alone, &[&alone]), None);
    }
}
