//! The timeline in words, for readers who do not see the canvas.

use super::scene::{Edge, Scene, busy_percent, row_at, waiting_at};
use crate::paint::number;
use sim_core::engine::protocol::IDLE;

/// Heads of the table's columns.
pub const HEADS: [&str; 5] = ["CPU", "runs now", "since", "until", "waiting, busy"];

/// One row per CPU: what happens at now.
pub fn rows(scene: &Scene) -> Vec<[String; 5]> {
    let known = scene.scale.to.min(scene.simulated).max(scene.scale.from + 1);
    let row_of = |lane: &sim_core::engine::protocol::CpuLane| {
        let waits = waiting_at(lane, scene.now);
        let busy = busy_percent(lane, scene.scale.from, known);
        let tail = format!("{waits} waiting, {busy} % busy");
        let Some(row) = row_at(&lane.start, &lane.end, scene.now).filter(|&row| lane.task[row] != IDLE) else {
            return [format!("CPU {}", lane.cpu), "idle".to_owned(), String::new(), String::new(), tail];
        };
        let until = format!("{}, {}", number::moment(lane.end[row]), Edge::of(lane.ended[row]).word());
        let name = scene.ink.name(lane.task[row]).to_owned();
        [format!("CPU {}", lane.cpu), name, number::moment(lane.start[row]), until, tail]
    };
    scene.data.cpus.iter().map(row_of).collect()
}

/// Name of the canvas.
pub fn label(scene: &Scene, tasks: bool) -> String {
    let step = scene.scale.step(60.0);
    format!(
        "Timeline by {}, {} to {} {}, now {}, CPU {} chosen",
        if tasks { "task" } else { "CPU" },
        step.label(scene.scale.from),
        step.label(scene.scale.to),
        step.unit_name,
        number::moment(scene.now),
        scene.chosen,
    )
}
