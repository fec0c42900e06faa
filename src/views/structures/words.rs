//! The structures in words, for readers who do not see the canvas.

use super::board::{chip_number, gauge_text};
use super::sheet::share_rows;
use super::trails::{distinct, value_at};
use super::wide::has_tree;
use super::{moves, scan, slice};
use crate::paint::{TaskInk, number};
use crate::text::pictures as texts;
use sim_core::engine::protocol::{
    ChipView, EntityView, PanelView, ScoreView, ShapeView, ShareRowView, SpanView, StructuresView, TrailsView,
};

/// Rows at most: a table of a thousand tasks helps nobody.
const ROWS_MAX: usize = 200;

/// One row per shape, slot or number.
pub fn rows(view: &StructuresView, ink: &TaskInk) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for panel in &view.panels {
        for shape in &panel.shapes {
            tell(panel, shape, ink, &mut rows);
        }
        tell_slice(panel, view, ink, &mut rows);
    }
    tell_moves(view, ink, &mut rows);
    rows.truncate(ROWS_MAX);
    rows
}

/// What makes the slice of whoever runs so long.
fn tell_slice(panel: &PanelView, view: &StructuresView, ink: &TaskInk, rows: &mut Vec<Vec<String>>) {
    if !has_tree(panel) {
        return;
    }
    let all: Vec<&PanelView> = view.panels.iter().collect();
    if let Some(slice) = slice::of(panel, &all)
        && let Some(formula) = slice.formula()
    {
        rows.push(vec![panel.label.clone(), texts::slice_of(&name(slice.who, ink)), formula]);
    }
}

/// Why the shares of groups move.
fn tell_moves(view: &StructuresView, ink: &TaskInk, rows: &mut Vec<Vec<String>>) {
    let panels: Vec<&PanelView> = view.panels.iter().collect();
    let shares = share_rows(&panels);
    if !shares.is_empty() {
        let name = |group| name(EntityView::Group(group), ink);
        let sentences = moves::sentences(&shares, &name, None);
        rows.extend(
            sentences.into_iter().map(|text| vec![texts::GROUPS.to_string(), texts::WHY_SHARES.to_string(), text]),
        );
    }
}

/// Name of the canvas.
pub fn label(view: &StructuresView) -> String {
    texts::canvas(view.cpu, &number::moment(view.t))
}

fn name(entity: EntityView, ink: &TaskInk) -> String {
    match entity {
        EntityView::Task(task) => ink.name(task).to_owned(),
        EntityView::Group(group) => texts::group(ink.group_name(group)),
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
                put(texts::slot(slot), all.join("; "));
                from = end;
            }
        }
        ShapeView::Bitmap { label, words, len, hit } => {
            let set = |bit: u32| words.get((bit / 64) as usize).is_some_and(|word| word >> (bit % 64) & 1 != 0);
            let bits: Vec<String> = (0..*len).filter(|&bit| set(bit)).map(|bit| bit.to_string()).collect();
            put(label.clone(), texts::bits_set(&bits.join(", "), *hit));
        }
        ShapeView::Tree { label, leftmost, floor, nodes, .. } => {
            put(label.clone(), texts::tree(nodes.len(), &number::value(*floor, "virtual")));
            let first = leftmost.map(|i| i as usize);
            for (i, node) in nodes.iter().enumerate() {
                let (key, weight) = (number::value(node.key, "virtual"), number::whole(node.weight));
                put(name(node.entity, ink), texts::node_told(&key, &weight, node.red, first == Some(i)));
            }
        }
        ShapeView::Gauge(gauge) => put(gauge.label.clone(), gauge_text(gauge)),
        ShapeView::EntityGauge(entity, gauge) => {
            put(name(*entity, ink), format!("{} {}", gauge.label, gauge_text(gauge)));
        }
        ShapeView::MatrixRow { entity, nice, place, cells } => {
            let of = |kind: u8| cells.iter().filter(|c| **c == kind).count();
            let now = cells.iter().position(|c| *c == 3);
            let nice = format!("nice {}", number::whole(i64::from(*nice)));
            match entity {
                Some(entity) => {
                    put(name(*entity, ink), format!("{nice}, {place}, {}", texts::steps(now, of(2), of(1) + of(4))));
                }
                None => put(nice, texts::granted(of(1))),
            }
        }
        ShapeView::Lock { label, holder, spinners, utilisation_permille } => {
            put(label.clone(), texts::lock_told(*holder, *spinners, *utilisation_permille));
        }
        ShapeView::KeyMark { label, is_band, from, to } => {
            let ends = if *is_band { &[*from, *to][..] } else { &[*from][..] };
            let ends: Vec<String> = ends.iter().map(|key| number::value(*key, "virtual")).collect();
            put(label.clone(), ends.join(" to "));
        }
        ShapeView::Spans { label, line, at, spans } => {
            put(label.clone(), format!("{line} {}", number::value(*at, "virtual")));
            for span in spans {
                put(name(span.entity, ink), span_words(span, *at));
            }
        }
        ShapeView::Score(score) => put(name(score.entity, ink), score_words(score)),
        ShapeView::Meter(entity, gauge, target) => {
            let target = number::value(*target, &gauge.unit);
            put(name(*entity, ink), format!("{} {}", gauge.label, texts::against(&gauge_text(gauge), &target)));
        }
        ShapeView::Lamp(entity, label, lit) => {
            let lit = if *lit { &texts::LAMP_ON } else { &texts::LAMP_OFF };
            put(name(*entity, ink), format!("{label}: {lit}"));
        }
        ShapeView::ShareRow(row) => put(name(EntityView::Group(row.group), ink), share_words(row)),
    }
}

/// "deadline 4.0 ms, lag 1.2 ms, eligible, picked".
fn span_words(span: &SpanView, line: i64) -> String {
    let lag = number::value(line.wrapping_sub(span.at), "virtual");
    let until = number::value(span.until, "virtual");
    let may = if span.eligible { texts::ROLE_ELIGIBLE } else { texts::ROLE_NOT_ELIGIBLE };
    let marks = [(true, may), (span.running, texts::ROLE_RUNS), (span.picked, texts::PICKED)];
    let marks: Vec<&str> = marks.into_iter().filter(|(on, _)| *on).map(|(_, word)| word.say()).collect();
    texts::span(&lag, &until, &number::whole(span.weight), &marks.join(", "))
}

/// "goodness 46 = counter 6 + 20 - nice 20, wins".
fn score_words(score: &ScoreView) -> String {
    let terms: Vec<String> =
        score.terms.iter().map(|term| format!("{} {}", term.label, number::whole(term.value))).collect();
    let sum = if terms.is_empty() { String::new() } else { format!(" = {}", terms.join(" + ")) };
    let standing = scan::standing(&score.standing);
    let standing = if standing.is_empty() { String::new() } else { format!(", {standing}") };
    format!("{} {}{sum}{standing}", score.label, number::whole(score.total))
}

fn share_words(row: &ShareRowView) -> String {
    let cell = |(cpu, &(weight, target, pretended)): (usize, &(i64, i64, bool))| {
        texts::share_cell(cpu, weight, target, pretended)
    };
    let cells: Vec<String> = row.cells.iter().enumerate().map(cell).collect();
    match row.parent {
        None => format!("{}: {}", &texts::LOAD, cells.join("; ")),
        Some(_) => format!("{}, {}: {}", texts::shares(row.shares), texts::tasks(row.tasks as usize), cells.join("; ")),
    }
}

/// Numbers over time in words: the value at `now` and the range of each entity.
pub fn trail_rows(view: &TrailsView, now: u64, ink: &TaskInk) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for trail in &view.trails {
        for entity in distinct(&trail.lines) {
            let values = || trail.lines.iter().filter(|line| line.entity == entity).flat_map(|line| &line.value);
            let value = |value: Option<i64>| value.map_or_else(String::new, |v| number::value(v, &trail.unit));
            let (now, low, high) =
                (value_at(&trail.lines, entity, now), values().min().copied(), values().max().copied());
            let content = texts::range(&value(now), &value(low), &value(high));
            rows.push(vec![texts::over_time(&trail.label), name(entity, ink), content]);
        }
    }
    rows.truncate(ROWS_MAX);
    rows
}

/// A chip in words.
fn chip_words(chip: &ChipView, name: &str) -> String {
    let left = chip_number(chip);
    let key = chip.key.as_ref().map_or_else(String::new, |k| format!(", {} {}", k.label, gauge_text(k)));
    let runs = if chip.running { format!(", {}", texts::ROLE_RUNS) } else { String::new() };
    let name = if left.is_empty() { name.to_owned() } else { texts::left(name, &left) };
    format!("{name}{key}{runs}")
}
