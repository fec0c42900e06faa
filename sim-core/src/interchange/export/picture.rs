//! The lanes of the CPUs over the whole run as SVG. A column that many slices share shows the task that had most of it,
//! as high as the CPU was busy.

use super::Facts;
use super::html::escaped;
use super::tracker::{Change, Tracker};
use crate::engine::protocol::{IDLE, LogEntry};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Width of the lanes, columns of one px.
const COLUMNS: u64 = 1200;
/// Left of the lanes, px.
const GUTTER: u64 = 60;
/// Height of a lane with its gap, px, and of its bar.
const LANE: (u64, u64) = (34, 24);
/// Above the lanes, px.
const RULER: u64 = 26;
/// About the width of a letter, px.
const LETTER: u64 = 7;

/// One column of a lane.
#[derive(Clone, Default)]
struct Column {
    /// Busy ns.
    busy: u64,
    /// Who had most, and how much.
    most: Option<(u32, u64)>,
}

/// State of the writer.
pub struct Picture {
    tracker: Tracker,
    duration: u64,
    lanes: Vec<Vec<Column>>,
}

impl Picture {
    pub fn new(cpus: u16, duration: u64) -> Picture {
        let lane = vec![Column::default(); COLUMNS as usize];
        Picture { tracker: Tracker::new(cpus), duration: duration.max(1), lanes: vec![lane; usize::from(cpus)] }
    }

    pub fn feed(&mut self, entries: &[LogEntry]) {
        let Picture { tracker, lanes, duration } = self;
        for entry in entries {
            tracker.take(entry, &mut |at, change| cover(lanes, *duration, at, change));
        }
    }

    /// The picture, with a caption.
    pub fn end(self, facts: &Facts, at: u64) -> String {
        let Picture { tracker, mut lanes, duration } = self;
        tracker.end(at, &mut |at, change| cover(&mut lanes, duration, at, change));
        draw(&lanes, duration, facts)
    }
}

/// Column of a moment.
fn column(t: u64, duration: u64) -> u64 {
    (u128::from(t) * u128::from(COLUMNS) / u128::from(duration)) as u64
}

fn start_of(column: u64, duration: u64) -> u64 {
    (u128::from(column) * u128::from(duration)).div_ceil(u128::from(COLUMNS)) as u64
}

fn cover(lanes: &mut [Vec<Column>], duration: u64, at: u64, change: Change) {
    let Change::Cpu { cpu, before, start, .. } = change else { return };
    let Some(lane) = lanes.get_mut(usize::from(cpu)).filter(|_| before != IDLE) else { return };
    let last = column(at.saturating_sub(1), duration).min(COLUMNS - 1);
    for index in column(start, duration)..=last {
        let part = at.min(start_of(index + 1, duration)).saturating_sub(start.max(start_of(index, duration)));
        let column = &mut lane[index as usize];
        column.busy += part;
        if column.most.is_none_or(|(_, most)| part > most) {
            column.most = Some((before, part));
        }
    }
}

fn draw(lanes: &[Vec<Column>], duration: u64, facts: &Facts) -> String {
    let height = RULER + LANE.0 * lanes.len() as u64 + 30;
    let width = GUTTER + COLUMNS + 10;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\" role=\"img\"><title>{}</title><rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>",
        escaped(&format!("{}, {}: which task ran on which CPU", facts.title, facts.policy))
    );
    for tenth in 0..=10 {
        let (x, t) = (GUTTER + COLUMNS * tenth / 10, duration * tenth / 10);
        let anchor = if tenth == 10 { "end" } else { "start" };
        // Writing to a String cannot fail, here and below.
        let _ = write!(
            out,
            "<path d=\"M{x} {RULER}V{}\" stroke=\"#ddd\"/><text x=\"{x}\" y=\"16\" text-anchor=\"{anchor}\" fill=\"#444\">{} ms</text>",
            height - 30,
            t / 1_000_000
        );
    }
    let mut hues: BTreeMap<u32, u64> = BTreeMap::new();
    for (cpu, lane) in lanes.iter().enumerate() {
        let y = RULER + LANE.0 * cpu as u64 + 4;
        let _ = write!(out, "<text x=\"4\" y=\"{}\" fill=\"#222\">CPU {cpu}</text>", y + 16);
        draw_lane(lane, y, duration, facts, &mut hues, &mut out);
    }
    let caption = format!("{} · {} · {}", facts.title, facts.policy, facts.link);
    let short: String = caption.chars().take(180).collect();
    let _ = write!(
        out,
        "<text x=\"4\" y=\"{}\" fill=\"#444\" font-size=\"11\">{}</text></svg>",
        height - 10,
        escaped(&short)
    );
    out
}

fn draw_lane(lane: &[Column], y: u64, duration: u64, facts: &Facts, hues: &mut BTreeMap<u32, u64>, out: &mut String) {
    let full = |index: usize| {
        let index = index as u64;
        start_of(index + 1, duration).saturating_sub(start_of(index, duration)).max(1)
    };
    let look = |index: usize| {
        let column: &Column = lane.get(index)?;
        let (task, _) = column.most?;
        // Eighths of the bar: enough to see, few enough to join columns.
        Some((task, (column.busy * 8 / full(index)).clamp(1, 8)))
    };
    let mut from = 0;
    while from < lane.len() {
        let seen = look(from);
        let to = (from + 1..lane.len()).find(|&index| look(index) != seen).unwrap_or(lane.len());
        if let Some((task, eighths)) = seen {
            let hue = *hues.entry(task).or_insert_with(|| hue_of(facts.name(task)));
            let (x, w, h) = (GUTTER + from as u64, (to - from) as u64, LANE.1 * eighths / 8);
            let top = y + LANE.1 - h;
            let _ = write!(
                out,
                "<rect x=\"{x}\" y=\"{top}\" width=\"{w}\" height=\"{h}\" fill=\"hsl({hue} 45% 72%)\" stroke=\"#333\" stroke-width=\".4\"/>"
            );
            let name = facts.name(task);
            if eighths == 8 && w > name.chars().count() as u64 * LETTER + 6 {
                let _ = write!(out, "<text x=\"{}\" y=\"{}\" fill=\"#111\">{}</text>", x + 4, y + 16, escaped(name));
            }
        }
        from = to;
    }
}

/// A colour angle that stays with a name (FNV-1a).
fn hue_of(name: &str) -> u64 {
    let hash = name
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    (hash >> 20) % 360
}
