//! The tree of groups with what each has on every CPU: bars of weight, the value that the rule moves them to, and the
//! amount that travels when a weight changes.

use super::board::Board;
use super::motion::Flowing;
use crate::paint::{Align, Fill, Font, Pen, Rect, number};
use crate::text::pictures as words;
use sim_core::engine::protocol::{EntityView, ShareRowView};

/// Height of a group's row with its bars, px.
const ROW: f64 = 76.0;
/// Height of the heads and of the root's row, px.
const HEAD: f64 = 24.0;
const ROOT: f64 = 26.0;
/// Height of the largest bar, px.
const BAR: f64 = 38.0;
/// Step to the right per level of groups, px.
const INDENT: f64 = 14.0;
/// Cells at least so wide have their numbers, px.
const NUMBER_MIN: f64 = 40.0;
/// Width of a cell, px.
const CELL: (f64, f64) = (9.0, 76.0);
/// Names have at most so much room, px.
const NAMES_MAX: f64 = 260.0;

/// Draws the rows, `chosen` is the CPU whose queues are shown; returns the height.
#[inline(never)] // the page loads it later: xtask/src/parts.rs
pub fn draw(b: &mut Board, at: Rect, rows: &[&ShareRowView], chosen: u16) -> f64 {
    let name_w = if at.w < 380.0 { 104.0 } else { 130.0 };
    let cpus = rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
    let fitting = ((at.w - name_w) / CELL.0).max(1.0) as usize;
    let shown = cpus.min(fitting);
    let cell = ((at.w - name_w) / shown.max(1) as f64).clamp(CELL.0, CELL.1);
    // On a wide sheet the cells stand beside their names, not at the far end.
    let left = (at.right() - cell * shown as f64).min(at.x + NAMES_MAX.max(name_w));
    draw_heads(b, at.y, left, cell, shown, chosen);
    let most = rows.iter().skip(1).flat_map(|row| &row.cells).map(|&(weight, target, _)| weight.max(target)).max();
    let scale = BAR / most.unwrap_or(1).max(1) as f64;
    let mut y = at.y + HEAD;
    let mut tops = Vec::new();
    for row in rows {
        let height = if row.parent.is_some() { ROW } else { ROOT };
        tops.push((row.group, y + 13.0));
        let depth = depth(rows, row);
        if let Some(parent) = row.parent {
            draw_elbow(b, at.x, depth, &tops, parent, y + 13.0);
        }
        b.hits.push((Rect::new(at.x, y, at.w, height), EntityView::Group(row.group)));
        draw_name(b, at.x + depth as f64 * INDENT, y, left - at.x - depth as f64 * INDENT - 6.0, row, rows);
        let cells = Cells { left, width: cell, shown, scale };
        if row.parent.is_some() {
            draw_cells(b, y, row, &cells)
        } else {
            draw_loads(b, y, row, &cells)
        }
        y += height;
        b.p.fill_rect(Rect::new(at.x, y - 1.0, at.w, 1.0), Fill::Solid(b.palette.line));
    }
    if shown < cpus {
        b.p.text(left, y + 13.0, &words::more(cpus - shown), Font::Small, b.palette.text_2, Align::Left);
        y += 18.0;
    }
    if at.w >= 380.0 {
        b.p.text(at.x, y + 14.0, &words::SHARES_HELP, Font::Small, b.palette.text_3, Align::Left);
        y += 20.0;
    }
    y - at.y + 6.0
}

/// Levels above a group; a malformed tree ends the walk.
fn depth(rows: &[&ShareRowView], row: &ShareRowView) -> usize {
    let mut depth = 0;
    let mut at = row.parent;
    while let Some(parent) = at {
        depth += 1;
        if depth > rows.len() {
            return 0;
        }
        at = rows.iter().find(|other| other.group == parent).and_then(|other| other.parent);
    }
    depth
}

struct Cells {
    left: f64,
    width: f64,
    shown: usize,
    scale: f64,
}

impl Cells {
    fn centre(&self, cpu: usize) -> f64 {
        self.left + (cpu as f64 + 0.5) * self.width
    }
}

fn draw_heads(b: &mut Board, y: f64, left: f64, cell: f64, shown: usize, chosen: u16) {
    let palette = b.palette;
    for cpu in 0..shown {
        let x = left + (cpu as f64 + 0.5) * cell;
        let is_chosen = cpu == usize::from(chosen);
        let (font, colour) = if is_chosen { (Font::SmallStrong, palette.text) } else { (Font::Small, palette.text_2) };
        if cell >= NUMBER_MIN {
            b.p.text(x, y + 14.0, &words::cpu(cpu as u16), font, colour, Align::Centre);
        } else if cpu % 4 == 0 || is_chosen {
            b.p.text(x, y + 14.0, &cpu.to_string(), font, colour, Align::Centre);
        }
        if is_chosen {
            b.p.fill_rect(Rect::new(x - cell / 2.0 + 2.0, y + 19.0, cell - 4.0, 2.0), Fill::Solid(palette.accent));
        }
    }
}

/// From the parent's square down and to the right.
fn draw_elbow(b: &mut Board, x: f64, depth: usize, tops: &[(u16, f64)], parent: u16, y: f64) {
    let Some(&(_, top)) = tops.iter().find(|(group, _)| *group == parent) else { return };
    let from = x + (depth as f64 - 1.0) * INDENT + 4.0;
    b.p.begin();
    b.p.move_to(from, top + 6.0);
    b.p.line_to(from, y);
    b.p.line_to(from + INDENT - 5.0, y);
    b.p.stroke(Pen::solid(b.palette.line_strong, 1.0));
}

fn draw_name(b: &mut Board, x: f64, y: f64, room: f64, row: &ShareRowView, rows: &[&ShareRowView]) {
    let entity = EntityView::Group(row.group);
    let (palette, colour) = (b.palette, b.colour(entity));
    b.p.fill_rect(Rect::new(x, y + 9.0, 8.0, 8.0), Fill::Solid(colour));
    let own = b.name(entity).trim_start_matches('/').to_owned();
    let name = match row.parent {
        None => "/".to_owned(),
        // Where the root group's tasks are a group like the others.
        Some(_) if own.is_empty() => words::ROOT_GROUP.to_string(),
        Some(_) => own,
    };
    b.p.text_within(x + 13.0, y + 17.0, room - 13.0, &name, Font::BodyStrong, palette.text);
    if row.parent.is_none() {
        return b.p.text(x + 30.0, y + 17.0, &words::LOAD, Font::Small, palette.text_3, Align::Left);
    }
    let groups = rows.iter().filter(|other| other.parent == Some(row.group) && other.group != row.group).count();
    b.p.text_within(x + 13.0, y + 33.0, room - 13.0, &words::shares(row.shares), Font::Small, palette.text_2);
    let members = words::members(row.tasks as usize, groups);
    b.p.text_within(x + 13.0, y + 48.0, room - 13.0, &members, Font::Small, palette.text_3);
}

/// Loads of the CPUs: numbers only.
fn draw_loads(b: &mut Board, y: f64, row: &ShareRowView, cells: &Cells) {
    if cells.width < NUMBER_MIN {
        return;
    }
    for (cpu, (load, ..)) in row.cells.iter().take(cells.shown).enumerate() {
        let text = number::whole(*load);
        b.p.text(cells.centre(cpu), y + 17.0, &text, Font::SmallStrong, b.palette.text, Align::Centre);
    }
}

fn draw_cells(b: &mut Board, y: f64, row: &ShareRowView, cells: &Cells) {
    let palette = b.palette;
    let weights: Vec<i64> = row.cells.iter().map(|cell| cell.0).collect();
    let flow = b.motion.flow(row.group, &weights);
    let (colour, base) = (b.colour(EntityView::Group(row.group)), y + 18.0 + BAR);
    let width = (cells.width - 8.0).clamp(5.0, 30.0);
    for (cpu, &(weight, target, pretended)) in row.cells.iter().take(cells.shown).enumerate() {
        let x = cells.centre(cpu);
        b.p.fill_rect(
            Rect::new(x - cells.width / 2.0 + 2.0, base, cells.width - 4.0, 1.0),
            Fill::Solid(palette.line_strong),
        );
        let before = flow.before.get(cpu).copied().unwrap_or(weight) as f64;
        let height = (before + (weight as f64 - before) * flow.part) * cells.scale;
        let bar = Rect::new(x - width / 2.0, base - height, width, height);
        if pretended {
            b.p.fill_rect(bar, Fill::Unknown);
            b.p.stroke_rect(bar.inset(0.5), Pen::dashed(palette.text_3, 1.0, 3, 2));
        } else {
            b.p.fill_rect(bar, Fill::Solid(colour));
        }
        if target != weight {
            let high = target as f64 * cells.scale;
            let outline = Rect::new(x - width / 2.0 - 1.5, base - high, width + 3.0, high);
            b.p.stroke_rect(outline, Pen::dashed(palette.text, 1.5, 1, 2));
        }
        if cells.width >= NUMBER_MIN {
            let text = if pretended { format!("({})", number::whole(weight)) } else { number::whole(weight) };
            let ink = if pretended { palette.text_3 } else { palette.text };
            b.p.text(x, base + 14.0, &text, Font::Small, ink, Align::Centre);
        }
    }
    draw_flow(b, base - BAR - 6.0, &weights, &flow, cells);
}

/// The amount on its way from the CPU that lost most to the one that gained most.
fn draw_flow(b: &mut Board, y: f64, weights: &[i64], flow: &Flowing, cells: &Cells) {
    if flow.part >= 1.0 && !flow.marked {
        return;
    }
    let change = |cpu: &usize| weights[*cpu] - flow.before.get(*cpu).copied().unwrap_or(weights[*cpu]);
    let all = 0..weights.len().min(cells.shown);
    let (Some(from), Some(to)) = (all.clone().min_by_key(change), all.max_by_key(change)) else { return };
    let amount = change(&to).min(-change(&from));
    if amount <= 0 {
        return;
    }
    let palette = b.palette;
    let (x0, x1) = (cells.centre(from), cells.centre(to));
    if flow.marked {
        let minus = format!("−{}", number::whole(amount));
        b.p.text(x0, y + 4.0, &minus, Font::SmallStrong, palette.accent, Align::Centre);
        return b.p.text(
            x1,
            y + 4.0,
            &format!("+{}", number::whole(amount)),
            Font::SmallStrong,
            palette.accent,
            Align::Centre,
        );
    }
    b.p.begin();
    b.p.move_to(x0, y + 8.0);
    b.p.curve_to((x0, y - 6.0), (x1, y - 6.0), (x1, y + 8.0));
    b.p.stroke(Pen::dashed(palette.accent, 1.5, 4, 3));
    let text = number::whole(amount);
    let width = b.p.text_width(&text, Font::SmallStrong) + 16.0;
    let x = x0 + (x1 - x0) * flow.part;
    b.p.begin();
    b.p.round_rect(Rect::new(x - width / 2.0, y - 10.0, width, 17.0), 8.0);
    b.p.fill(Fill::Solid(palette.accent));
    b.p.text(x, y + 2.5, &text, Font::SmallStrong, palette.accent_ink, Align::Centre);
}
