//! The structures in words, for readers who do not see the canvas.

use super::board::gauge_text;
use super::sheet::chip_words;
use crate::paint::{TaskInk, number};
use sim_core::engine::protocol::{EntityView, PanelView, ShapeView, StructuresView};

/// Rows at most: a table of a thousand tasks helps nobody.
const ROWS_MAX: usize = 200;
/// Heads of the columns.
pub const HEADS: [&str; 3] = ["structure", "part", "content"];

/// One row per shape, slot or number.
pub fn rows(view: &StructuresView, ink: &TaskInk) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for panel in &view.panels {
        for shape in &panel.shapes {
            tell(panel, shape, ink, &mut rows);
        }
    }
    rows.truncate(ROWS_MAX);
    rows
}

/// Name of the canvas.
pub fn label(view: &StructuresView) -> String {
    format!("Run queue of CPU {} at {}", view.cpu, number::moment(view.t))
}

fn name(entity: EntityView, ink: &TaskInk) -> String {
    match entity {
        EntityView::Task(task) => ink.name(task).to_owned(),
        EntityView::Group(group) => format!("group {}", ink.group_name(group)),
    }
}

fn tell(panel: &PanelView, shape: &ShapeView, ink: &TaskInk, rows: &mut Vec<Vec<String>>) {
    let mut put = |part: String, content: String| rows.push(vec![panel.label.clone(), part, content]);
    match shape {
        ShapeView::List { label, chips } => {
            let all: Vec<String> = chips.iter().map(|c| chip_words(c, &name(c.entity, ink))).collect();
            put(label.clone(), all.join("; "));
        }
        ShapeView::Slots { at, .. } => {
            let mut from = 0;
            while let Some(&(slot, _)) = at.get(from) {
                let end = from + at[from..].iter().take_while(|(s, _)| *s == slot).count();
                let all: Vec<String> = at[from..end].iter().map(|(_, c)| chip_words(c, &name(c.entity, ink))).collect();
                put(format!("slot {slot}"), all.join("; "));
                from = end;
            }
        }
        ShapeView::Bitmap { label, words, len, hit } => {
            let set = |bit: u32| words.get((bit / 64) as usize).is_some_and(|word| word >> (bit % 64) & 1 != 0);
            let bits: Vec<String> = (0..*len).filter(|&bit| set(bit)).map(|bit| bit.to_string()).collect();
            let hit = hit.map_or_else(String::new, |hit| format!("; first set bit {hit}"));
            put(label.clone(), format!("bits set: {}{hit}", bits.join(", ")));
        }
        ShapeView::Tree { label, leftmost, floor, nodes, .. } => {
            put(label.clone(), format!("{} nodes, floor {}", nodes.len(), number::value(*floor, "virtual")));
            let first = leftmost.map(|i| i as usize);
            for (i, node) in nodes.iter().enumerate() {
                let place = if first == Some(i) { ", leftmost" } else { "" };
                let colour = if node.red { "red" } else { "black" };
                let key = number::value(node.key, "virtual");
                put(
                    name(node.entity, ink),
                    format!("key {key}, weight {}, {colour}{place}", number::whole(node.weight)),
                );
            }
        }
        ShapeView::Gauge(gauge) => put(gauge.label.clone(), gauge_text(gauge)),
        ShapeView::EntityGauge(entity, gauge) => {
            put(name(*entity, ink), format!("{} {}", gauge.label, gauge_text(gauge)));
        }
        ShapeView::MatrixRow(entity, cells) => {
            let of = |kind: u8| cells.iter().filter(|c| **c == kind).count();
            let now = cells.iter().position(|c| *c == 3).map_or_else(String::new, |at| format!("at step {at}, "));
            put(name(*entity, ink), format!("{now}{} steps used, {} to come", of(2), of(1)));
        }
        ShapeView::Lock { label, holder, spinners, utilisation_permille } => {
            let holder = holder.map_or_else(|| "free".to_owned(), |cpu| format!("held by CPU {cpu}"));
            let held = number::permille(*utilisation_permille);
            put(label.clone(), format!("{holder}, {spinners} CPUs spin, held {held} of the time"));
        }
    }
}
