//! What lies under a point of the timeline.

use super::lanes::{LaneOf, PIN};
use super::scene::{Scene, row_at, slice_at};
use sim_core::engine::protocol::LaneState;

/// What was hit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hit {
    /// Lane of a CPU.
    pub cpu: Option<u16>,
    /// Task: whose slice or whose lane.
    pub task: Option<u32>,
    /// Time at the point.
    pub t: u64,
    /// The point lies in the gutter.
    pub gutter: bool,
}

/// Finds it.
pub fn hit(scene: &Scene, x: f64, y: f64) -> Option<Hit> {
    let t = scene.scale.time_from_x(x.clamp(scene.frame.left, scene.frame.right)).min(scene.duration);
    let gutter = x < scene.frame.left;
    if scene.frame.pins.contains(x, y) {
        let task = *scene.pins.get(((y - scene.frame.pins.y) / PIN) as usize)?;
        return Some(on_task(scene, task, t, gutter));
    }
    if !scene.frame.lanes.contains(x, y) {
        return None;
    }
    let lane = scene.lanes.at(y - scene.frame.lanes.y + scene.scroll)?;
    match lane.of {
        LaneOf::Node { .. } => None,
        LaneOf::Task(task) => Some(on_task(scene, task, t, gutter)),
        LaneOf::Cpu(cpu) => {
            let task = scene.cpu(cpu).filter(|_| !gutter).and_then(|rows| slice_near(scene, rows, x, t));
            Some(Hit { cpu: Some(cpu), task, t, gutter })
        }
    }
}

/// The slice at `t`; beside a narrow one, the slice within a pixel.
fn slice_near(scene: &Scene, rows: &sim_core::engine::protocol::CpuLane, x: f64, t: u64) -> Option<u32> {
    let around = [t, scene.scale.time_from_x(x + 1.0), scene.scale.time_from_x(x - 1.0)];
    around.into_iter().find_map(|at| slice_at(rows, at)).map(|(task, ..)| task)
}

fn on_task(scene: &Scene, task: u32, t: u64, gutter: bool) -> Hit {
    let cpu = scene.task(task).and_then(|rows| {
        let row = row_at(&rows.start, &rows.end, t)?;
        (rows.state[row] == LaneState::Running as u8).then(|| rows.cpu[row])
    });
    Hit { cpu, task: Some(task), t, gutter }
}
