//! The whole picture of the timeline, in painting order.

use super::cpu_lane::{self, Scratch};
use super::lanes::{Detail, Lane, LaneOf};
use super::scene::Scene;
use super::{overlay, ruler, task_lane};
use crate::paint::{Painter, Rect};

/// Draws a scene.
pub fn draw(p: &mut dyn Painter, scene: &Scene, scratch: &mut Scratch) {
    begin(p, scene);
    ground(p, scene, scratch);
    finish(p, scene, scratch);
}

/// What lies beside the pictures of the lanes. The box of their time stays clipped until [`finish`].
pub fn begin(p: &mut dyn Painter, scene: &Scene) {
    p.clip(scene.frame.lanes);
    draw_gutters(p, scene);
    p.clip(time_box(scene, scene.frame.lanes));
}

/// The pictures of the lanes, most of the work: they depend on now in nothing, so they can be kept while only time moves.
pub fn ground(p: &mut dyn Painter, scene: &Scene, scratch: &mut Scratch) {
    scratch.reset(scene);
    overlay::draw_agreement(p, scene);
    let seen = scene.lanes.seen(scene.scroll, scene.frame.lanes.h);
    for lane in seen {
        draw_rule(p, scene, lane, (scene.frame.left, scene.frame.right));
        match lane.of {
            LaneOf::Node { .. } => {}
            LaneOf::Task(task) => task_lane::draw(p, scene, lane, task),
            LaneOf::Cpu(cpu) => {
                if let Some(rows) = scene.cpu(cpu) {
                    cpu_lane::draw(p, scene, lane, rows, scratch);
                }
            }
        }
    }
    scratch.flush(p, scene);
    for lane in seen {
        if let LaneOf::Cpu(cpu) = lane.of {
            overlay::draw_notes(p, scene, lane, cpu);
        }
    }
}

/// What lies over the lanes and around them.
pub fn finish(p: &mut dyn Painter, scene: &Scene, scratch: &mut Scratch) {
    draw_over_lanes(p, scene, scratch);
    p.unclip();
    p.unclip();
    task_lane::draw_pins(p, scene);
    let bottom = scene.frame.pins.bottom();
    overlay::draw_future(p, scene, scene.frame.lanes.y, bottom);
    draw_headings(p, scene);
    ruler::draw(p, scene);
    overlay::draw_range(p, scene, bottom);
    p.clip(scene.frame.lanes);
    overlay::draw_wake(p, scene);
    overlay::draw_selection(p, scene);
    p.unclip();
    overlay::draw_divergence(p, scene, bottom);
    overlay::draw_hidden(p, scene, bottom);
    ruler::draw_now(p, scene, bottom);
}

/// The part of a box in which time runs.
fn time_box(scene: &Scene, of: Rect) -> Rect {
    Rect::new(scene.frame.left, of.y, scene.frame.all.w - scene.frame.left, of.h)
}

fn draw_gutters(p: &mut dyn Painter, scene: &Scene) {
    for lane in scene.lanes.seen(scene.scroll, scene.frame.lanes.h) {
        match lane.of {
            LaneOf::Node { .. } => {}
            LaneOf::Cpu(cpu) => cpu_lane::draw_gutter(p, scene, lane, cpu),
            LaneOf::Task(task) => {
                let at = Rect::new(0.0, scene.y_of(lane.y), scene.frame.left, lane.h);
                task_lane::draw_gutter(p, scene, task, at, None);
            }
        }
        draw_rule(p, scene, lane, (0.0, scene.frame.left));
        draw_rule(p, scene, lane, (scene.frame.right, scene.frame.all.w));
    }
}

/// Headings of nodes: over the veil, which is for lanes.
fn draw_headings(p: &mut dyn Painter, scene: &Scene) {
    p.clip(scene.frame.lanes);
    for lane in scene.lanes.seen(scene.scroll, scene.frame.lanes.h) {
        if let LaneOf::Node { node, first, last } = lane.of {
            cpu_lane::draw_node(p, scene, lane, node, (first, last));
        }
    }
    p.unclip();
}

/// Hair line below a lane, from x to x.
fn draw_rule(p: &mut dyn Painter, scene: &Scene, lane: &Lane, (from, to): (f64, f64)) {
    if lane.h >= 20.0 && to > from {
        cpu_lane::draw_rule(p, scene, lane, from, to);
    }
}

/// Names (they stay in view while their slice slides out), the task under the mouse, who waits now.
fn draw_over_lanes(p: &mut dyn Painter, scene: &Scene, scratch: &mut Scratch) {
    let bars = scene.frame.has_bars();
    for lane in scene.lanes.seen(scene.scroll, scene.frame.lanes.h) {
        let LaneOf::Cpu(cpu) = lane.of else { continue };
        let Some(rows) = scene.cpu(cpu) else { continue };
        if lane.detail != Detail::Thin {
            cpu_lane::draw_names(p, scene, lane, rows, scratch);
        }
        if let Some(task) = scene.hover {
            cpu_lane::draw_hover(p, scene, lane, rows, task);
        }
        if bars {
            cpu_lane::draw_waiting_bars(p, scene, lane, rows);
        }
    }
}
