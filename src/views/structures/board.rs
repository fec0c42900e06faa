//! What shapes draw on: painter, colours, motion, and what lies where (for the mouse).

use super::motion::{Key, MOVE_MS, Motion, Place};
use crate::paint::{Align, ColourBy, Fill, Font, Painter, Palette, Pen, Rect, Rgba, TaskInk, number};
use sim_core::engine::protocol::{ChipView, EntityView, GaugeView};

/// Strength of what is not under the mouse while something else is.
const FADE: f64 = 0.38;
/// Height of a chip, px.
pub const CHIP: f64 = 24.0;
/// Gap between chips, px.
pub const GAP: f64 = 4.0;

/// See the module.
pub struct Board<'a> {
    /// Surface.
    pub p: &'a mut dyn Painter,
    /// Theme.
    pub palette: &'a Palette,
    /// Names and colours.
    pub ink: &'a TaskInk,
    /// Meaning of task colours.
    pub colour_by: ColourBy,
    /// Animations.
    pub motion: &'a mut Motion,
    /// Task under the mouse in any view.
    pub hover: Option<u32>,
    /// Selected task.
    pub selected: Option<u32>,
    /// Task that runs.
    pub curr: u32,
    /// Where entities were drawn.
    pub hits: &'a mut Vec<(Rect, EntityView)>,
    /// Chips in flight: drawn last, above all others.
    pub flying: Vec<(Rect, ChipView)>,
}

impl Board<'_> {
    /// Name of an entity; groups begin with a slash.
    pub fn name(&self, entity: EntityView) -> String {
        match entity {
            EntityView::Task(task) => self.ink.name(task).to_owned(),
            EntityView::Group(group) => {
                let name = self.ink.group_name(group);
                if name.starts_with('/') { name.to_owned() } else { format!("/{name}") }
            }
        }
    }

    /// Colour of an entity; faded while another task is under the mouse.
    pub fn colour(&self, entity: EntityView) -> Rgba {
        let colour = self.palette.task[self.slot(entity)];
        if self.is_faded(entity) { colour.over(self.palette.panel, FADE) } else { colour }
    }

    fn slot(&self, entity: EntityView) -> usize {
        let ink = match entity {
            EntityView::Task(task) => self.ink.ink(task, self.colour_by),
            EntityView::Group(group) => self.ink.group_ink(group),
        };
        usize::from(ink.slot) % self.palette.task.len()
    }

    /// Text on the colour of an entity.
    pub fn ink_colour(&self, entity: EntityView) -> Rgba {
        self.palette.ink[self.slot(entity)]
    }

    /// Another task is under the mouse.
    pub fn is_faded(&self, entity: EntityView) -> bool {
        self.hover.is_some_and(|hover| entity != EntityView::Task(hover))
    }

    /// The text colour of an entity.
    pub fn text_colour(&self, entity: EntityView) -> Rgba {
        if self.is_faded(entity) { self.palette.text.over(self.palette.panel, FADE) } else { self.palette.text }
    }

    /// Heading of a part: strong title, quiet addition.
    pub fn heading(&mut self, x: f64, y: f64, title: &str, addition: &str) {
        let (text, quiet) = (self.palette.text, self.palette.text_2);
        self.p.text(x, y + 12.0, title, Font::BodyStrong, text, Align::Left);
        let at = x + self.p.text_width(title, Font::BodyStrong) + 6.0;
        self.p.text(at, y + 12.0, addition, Font::Small, quiet, Align::Left);
    }

    /// The same within a width: the addition is cut, or left out where there is no room.
    pub fn heading_within(&mut self, x: f64, y: f64, w: f64, title: &str, addition: &str) {
        self.heading(x, y, title, "");
        let used = self.p.text_width(title, Font::BodyStrong) + 6.0;
        if w - used > 60.0 {
            self.p.text_within(x + used, y + 12.0, w - used, addition, Font::Small, self.palette.text_2);
        }
    }

    /// Quiet text in as many lines as it needs; returns the height.
    pub fn paragraph(&mut self, x: f64, y: f64, w: f64, text: &str) -> f64 {
        let mut lines = vec![String::new()];
        for word in text.split(' ') {
            let last = lines.last().cloned().unwrap_or_default();
            let longer = if last.is_empty() { word.to_owned() } else { format!("{last} {word}") };
            if !last.is_empty() && self.p.text_width(&longer, Font::Small) > w {
                lines.push(word.to_owned());
            } else if let Some(line) = lines.last_mut() {
                *line = longer;
            }
        }
        for (index, line) in lines.iter().enumerate() {
            self.p.text(x, y + 12.0 + index as f64 * 15.0, line, Font::Small, self.palette.text_2, Align::Left);
        }
        lines.len() as f64 * 15.0 + 3.0
    }

    /// Width of a chip.
    pub fn chip_width(&mut self, chip: &ChipView) -> f64 {
        let name = self.p.text_width(&self.chip_name(chip), Font::Small);
        let number = self.p.text_width(&chip_number(chip), Font::Small);
        let key = chip.key.as_ref().map_or(0.0, |key| self.p.text_width(&gauge_text(key), Font::SmallStrong) + 6.0);
        (9.0 + name + 6.0 + key + number + 6.0).max(70.0)
    }

    fn chip_name(&self, chip: &ChipView) -> String {
        let name = self.name(chip.entity);
        if chip.running { format!("▸ {name}") } else { name }
    }

    /// Draws a chip at its place, or lets it travel there.
    pub fn chip(&mut self, at: Rect, chip: &ChipView) {
        self.hits.push((at, chip.entity));
        let key = match chip.entity {
            EntityView::Task(task) => Key::Task(task),
            EntityView::Group(group) => Key::Group(group),
        };
        let place = self.motion.place(key, (at.x, at.y), MOVE_MS);
        if place.part < 1.0 {
            self.p.stroke_rect(at.inset(0.5), Pen::dashed(self.palette.line_strong, 1.0, 3, 3));
            self.flying.push((Rect::new(place.at.0, place.at.1, at.w, at.h), chip.clone()));
            return;
        }
        self.draw_chip(at, chip);
        self.mark(at, place);
    }

    /// With reduced motion a thing that jumped is outlined for a moment.
    fn mark(&mut self, at: Rect, place: Place) {
        if place.marked {
            self.p.stroke_rect(at.inset(-1.0), Pen::solid(self.palette.accent, 2.0));
        }
    }

    /// Draws the chips that are on their way.
    pub fn land(&mut self) {
        for (at, chip) in core::mem::take(&mut self.flying) {
            self.draw_chip(at, &chip);
        }
    }

    fn draw_chip(&mut self, at: Rect, chip: &ChipView) {
        let palette = self.palette;
        let (colour, text) = (self.colour(chip.entity), self.text_colour(chip.entity));
        let ground = if chip.running { palette.accent_quiet } else { palette.raised };
        let border = if chip.running { palette.accent } else { palette.line };
        self.p.fill_rect(at, Fill::Solid(ground));
        self.p.stroke_rect(at.inset(0.5), Pen::solid(border, 1.0));
        self.p.fill_rect(Rect::new(at.x, at.y, 4.0, at.h), Fill::Solid(colour));
        if chip.slice_full > 0 {
            let track = Rect::new(at.x + 4.0, at.bottom() - 3.0, at.w - 4.0, 3.0);
            let part = (chip.slice as f64 / chip.slice_full as f64).clamp(0.0, 1.0);
            self.p.fill_rect(track, Fill::Solid(palette.line));
            self.p.fill_rect(Rect::new(track.x, track.y, track.w * part, 3.0), Fill::Solid(colour));
        }
        let base = at.y + (at.h - 3.0) / 2.0 + 4.0;
        let name = self.chip_name(chip);
        let beside = self.chip_width(chip) - self.p.text_width(&name, Font::Small);
        self.p.text_within(at.x + 9.0, base, at.w - beside.min(at.w) + 0.5, &name, Font::Small, text);
        let mut right = at.right() - 6.0;
        let number = chip_number(chip);
        if !number.is_empty() {
            self.p.text(right, base, &number, Font::Small, palette.text_3, Align::Right);
            right -= self.p.text_width(&number, Font::Small) + 6.0;
        }
        if let Some(key) = &chip.key {
            self.p.text(right, base, &gauge_text(key), Font::SmallStrong, text, Align::Right);
        }
        self.outline(at, chip.entity);
    }

    /// Selection and mouse.
    fn outline(&mut self, at: Rect, entity: EntityView) {
        let EntityView::Task(task) = entity else { return };
        if self.selected == Some(task) {
            self.p.stroke_rect(at.inset(-1.0), Pen::solid(self.palette.text, 2.0));
        }
        if self.hover == Some(task) {
            self.p.fill_rect(Rect::new(at.x, at.y - 2.0, at.w, 2.0), Fill::Solid(self.palette.accent));
        }
    }
}

/// The number of a chip: what is left of its slice, without the unit (the legend names it).
pub fn chip_number(chip: &ChipView) -> String {
    match (chip.slice_full, chip.slice_unit.as_str()) {
        (0, _) if chip.slice == 0 => String::new(),
        (_, "ns") => tenths_of_ms(chip.slice),
        _ => number::whole(chip.slice),
    }
}

/// 14.3 for 14 300 000 ns.
fn tenths_of_ms(ns: i64) -> String {
    let sign = if ns < 0 { "−" } else { "" };
    format!("{sign}{}", number::fixed(ns.unsigned_abs(), number::MS, 1))
}

/// Value of a gauge with its unit.
pub fn gauge_text(gauge: &GaugeView) -> String {
    number::value(gauge.value, &gauge.unit)
}
