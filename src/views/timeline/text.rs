//! The timeline in words, for readers who do not see the canvas.

use super::cpu_lane::held_words;
use super::scene::{Edge, Scene, busy_percent, row_at, waiting_at};
use crate::paint::number;
use crate::text::Word;
use crate::text::timeline as words;
use sim_core::engine::protocol::IDLE;

/// Heads of the table's columns.
pub const HEADS: [Word; 5] = words::TIMELINE_HEADS;

/// One row per CPU: what happens at now.
pub fn rows(scene: &Scene) -> Vec<[String; 5]> {
    let known = scene.scale.to.min(scene.simulated).max(scene.scale.from + 1);
    let row_of = |lane: &sim_core::engine::protocol::CpuLane| {
        let waits = waiting_at(lane, scene.now);
        let busy = busy_percent(lane, scene.scale.from, known);
        let held = lane.held.iter().filter(|held| held.0 <= scene.now && scene.now < held.1);
        let held: Vec<String> = held.map(|&(.., note, group)| held_words(scene, note, group)).collect();
        let tail = words::waiting_and_busy(waits, busy, &held);
        let Some(row) = row_at(&lane.start, &lane.end, scene.now).filter(|&row| lane.task[row] != IDLE) else {
            return [crate::text::pictures::cpu(lane.cpu), words::IDLE.into(), String::new(), String::new(), tail];
        };
        let until = format!("{}, {}", number::moment(lane.end[row]), Edge::of(lane.ended[row]).word());
        let name = scene.ink.name(lane.task[row]).to_owned();
        [crate::text::pictures::cpu(lane.cpu), name, number::moment(lane.start[row]), until, tail]
    };
    scene.data.cpus.iter().map(row_of).collect()
}

/// Name of the canvas.
pub fn label(scene: &Scene, tasks: bool) -> String {
    let step = scene.scale.step(60.0);
    let (from, to) = (step.label(scene.scale.from), step.label(scene.scale.to));
    words::canvas(tasks, &from, &to, step.unit_name, &number::moment(scene.now), scene.chosen)
}
