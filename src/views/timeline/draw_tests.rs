//! Whole pictures through the recording painter.

use super::cpu_lane::Scratch;
use super::draw::draw;
use super::hit::hit;
use super::lanes::{CpuLanes, Frame, Lanes};
use super::scene::tests::lane;
use super::scene::{Scene, Wake};
use super::{overlay, text};
use crate::paint::palette::dark;
use crate::paint::recording::{Mark, RecordingPainter};
use crate::paint::task_ink::tasks_named;
use crate::paint::{ColourBy, Fill, TaskInk, TimeScale};
use sim_core::engine::protocol::{IDLE, LaneState, NoteView, TaskLane, WindowView};

const MS: u64 = 1_000_000;
const NAMES: [&str; 4] = ["hog/0", "hog/1", "xterm", "Xorg"];

fn data() -> WindowView {
    let mut cpu0 = lane(0, &[(0, 40, 0, 1), (40, 46, 2, 3), (46, 100, 0, 255)]);
    cpu0.queue_t = vec![0, 40 * MS, 46 * MS];
    cpu0.queue_n = vec![0, 2, 1];
    let cpu1 = lane(1, &[(0, 46, 1, 1), (46, 60, 3, 4), (60, 70, IDLE, 0), (70, 100, 1, 2)]);
    let task = TaskLane {
        held: Vec::new(),
        task: 3,
        start: vec![0, 45 * MS, 46 * MS, 60 * MS],
        end: vec![45 * MS, 46 * MS, 60 * MS, 100 * MS],
        state: [LaneState::Sleeping, LaneState::Runnable, LaneState::Running, LaneState::Blocked]
            .map(|s| s as u8)
            .to_vec(),
        cpu: vec![1; 4],
        ended: vec![255, 255, 4, 255],
        merged: vec![1; 4],
    };
    let note = NoteView { t: 30 * MS, cpu: 1, note: 0, args: [0, 0] };
    WindowView {
        to: 100 * MS,
        simulated: 90 * MS,
        cpus: vec![cpu0, cpu1],
        tasks: vec![task],
        notes: vec![note],
        ..WindowView::default()
    }
}

/// Draws the example after `change` and gives scene and marks to `check`.
fn with_picture(change: impl FnOnce(&mut Scene), check: impl FnOnce(&Scene, &RecordingPainter)) {
    let data = data();
    let ink = TaskInk::new(&tasks_named(&NAMES), &[]);
    let palette = dark();
    let cpus = [0, 1];
    let lanes = Lanes::of_cpus(&CpuLanes {
        cpus: &cpus,
        per_node: None,
        space: 400.0,
        phone: false,
        open: None,
        compact: false,
    });
    let frame = Frame::new(1093.0, 200.0, &lanes, 1, 0.0);
    let mut scene = Scene {
        data: &data,
        ink: &ink,
        palette: &palette,
        scale: TimeScale::new(0, 100 * MS, frame.left, frame.right),
        frame,
        lanes: &lanes,
        scroll: 0.0,
        pins: &[3],
        now: 50 * MS,
        simulated: 90 * MS,
        duration: 100 * MS,
        colour_by: ColourBy::Task,
        chosen: 1,
        selected: Some((1, 50 * MS)),
        selected_task: Some(3),
        wake: Some(Wake { at: 46 * MS, waker: 2, start: 46 * MS, cpu: 1, task: 3 }),
        hover: None,
        range: None,
        notes: &["array_switch".to_owned()],
        dpr: 1.0,
        phone: false,
        divergence: None,
        horizon: None,
    };
    change(&mut scene);
    let (mut painter, mut scratch) = (RecordingPainter::default(), Scratch::default());
    draw(&mut painter, &scene, &mut scratch);
    painter.assert_balanced();
    check(&scene, &painter);
}

#[test]
fn names_busy_share_and_waiting_tasks_stand_in_the_gutter() {
    with_picture(
        |_| {},
        |_, painter| {
            let texts = painter.texts();
            for wanted in ["CPU 0", "100 % · 1", "CPU 1", "89 % · 0 wait", "hog/0", "hog/1", "Xorg"] {
                assert!(texts.contains(&wanted), "{wanted} in {texts:?}");
            }
        },
    );
}

#[test]
fn the_queue_is_as_thick_as_tasks_wait() {
    with_picture(
        |_| {},
        |_, painter| {
            let queue = painter.paths(Fill::Queue);
            let heights: Vec<f64> = queue[0].chunks(2).map(|corner| corner[1].1 - corner[0].1).collect();
            assert_eq!(heights, [8.0, 4.0]);
        },
    );
}

#[test]
fn what_is_held_back_is_hatched_and_named_on_its_cpu_and_its_task() {
    let mut rows = data();
    rows.cpus[1].held = vec![(10 * MS, 40 * MS, 0, 1), (75 * MS, 75 * MS + 1000, 0, 1)];
    rows.tasks[0].held = vec![(45 * MS, 46 * MS)];
    let rows: &'static WindowView = Box::leak(Box::new(rows));
    let notes: &'static [String] = Box::leak(Box::new(["throttled".to_owned()]));
    let ink: &'static TaskInk =
        Box::leak(Box::new(TaskInk::new(&tasks_named(&NAMES), &[String::new(), "batch".to_owned()])));
    with_picture(
        |scene| (scene.data, scene.notes, scene.ink, scene.now) = (rows, notes, ink, 20 * MS),
        |scene, painter| {
            let hatched = painter.rects(Fill::Unknown);
            let wide = scene.scale.px_per_ns() * 30e6;
            assert!(hatched.iter().any(|rect| (rect.w - wide).abs() < 0.01 && rect.h == 12.0), "the CPU: {hatched:?}");
            assert!(hatched.iter().any(|rect| rect.h < 12.0), "the task's lane: {hatched:?}");
            let named = painter.texts().iter().filter(|text| **text == "/batch throttled").count();
            assert_eq!(named, 1, "named where there is room");
            assert!(text::rows(scene)[1][4].ends_with(", /batch throttled"));
        },
    );
}

#[test]
fn the_future_is_veiled_and_the_unknown_hatched() {
    with_picture(
        |_| {},
        |scene, painter| {
            let veil = painter.rects(Fill::Solid(scene.palette.veil));
            assert_eq!((veil[0].x.round(), veil[0].right()), (592.0, 1093.0));
            let unknown = painter.rects(Fill::Unknown);
            assert_eq!(unknown[0].x.round(), 992.0);
            assert!(painter.texts().contains(&"50.000\u{202f}ms"));
        },
    );
}

#[test]
fn nothing_shows_through_the_hatch_of_a_lesson() {
    with_picture(
        |scene| (scene.now, scene.horizon) = (60 * MS - 1, Some(60 * MS)),
        |scene, painter| {
            let hatch = painter.marks.iter().rposition(|mark| matches!(mark, Mark::Rect(_, Fill::Unknown)));
            let hatch = hatch.expect("the future is hatched");
            let Mark::Rect(at, _) = &painter.marks[hatch] else { unreachable!() };
            assert_eq!((at.x.round(), at.right()), (692.0, 1093.0));
            let ground = Mark::Rect(*at, Fill::Solid(scene.palette.panel));
            assert_eq!(painter.marks[hatch - 1], ground, "a closed ground lies below the hatch");
            assert!(painter.texts().contains(&"What comes next?"));
        },
    );
}

#[test]
fn ruler_labels_yield_to_the_flag() {
    with_picture(
        |_| {},
        |_, painter| {
            let texts = painter.texts();
            assert!(texts.contains(&"40") && texts.contains(&"60") && !texts.contains(&"50"), "{texts:?}");
        },
    );
}

#[test]
fn the_selected_slice_has_an_outline_and_its_waker_an_arrow() {
    with_picture(
        |_| {},
        |scene, painter| {
            let at = overlay::selection_box(scene).expect("the slice is seen");
            assert_eq!((at.x.round(), at.y), (551.0, 22.0 + 52.0 + 4.0 - 1.5));
            let arrows = |m: &&Mark| matches!(m, Mark::Stroke(_, pen) if pen.width == 2.0);
            assert_eq!(painter.marks.iter().filter(arrows).count(), 1);
        },
    );
}

#[test]
fn the_task_under_the_mouse_keeps_its_strength() {
    with_picture(
        |scene| scene.hover = Some(0),
        |scene, painter| {
            let (full, faded) = (scene.colour(0).0, scene.colour(1).0);
            assert_eq!(full, scene.palette.task[usize::from(scene.ink.ink(0, ColourBy::Task).slot)]);
            assert_ne!(faded, scene.palette.task[usize::from(scene.ink.ink(1, ColourBy::Task).slot)]);
            assert_eq!(painter.paths(Fill::Solid(scene.palette.accent))[0].len(), 4);
        },
    );
}

#[test]
fn a_point_finds_lane_task_and_time() {
    with_picture(
        |_| {},
        |scene, _| {
            let on_slice = hit(scene, 600.0, 22.0 + 60.0).expect("a lane");
            assert_eq!((on_slice.cpu, on_slice.task), (Some(1), Some(3)));
            let idle = hit(scene, 750.0, 22.0 + 60.0).expect("a lane");
            assert_eq!((idle.cpu, idle.task), (Some(1), None));
            let pin = hit(scene, 600.0, 22.0 + 104.0 + 5.0).expect("a pinned lane");
            assert_eq!((pin.cpu, pin.task), (Some(1), Some(3)));
            assert!(hit(scene, 600.0, 190.0).is_none());
        },
    );
}

#[test]
fn the_picture_can_be_read_as_a_table() {
    with_picture(
        |_| {},
        |scene, _| {
            let rows = text::rows(scene);
            assert_eq!(rows[1][..2], ["CPU 1".to_owned(), "Xorg".to_owned()]);
            assert!(rows[1][3].ends_with("waits for a lock or I/O"));
            assert!(text::label(scene, false).starts_with("Timeline by CPU, 0 to 100 ms"));
        },
    );
}

#[test]
fn ten_thousand_slices_cost_a_strip_not_ten_thousand_shapes() {
    let data = {
        let slices: Vec<(u64, u64, u32, u8)> = (0..10_000).map(|i| (i, i + 1, (i % 2) as u32, 1)).collect();
        WindowView { cpus: vec![lane(0, &slices)], to: 10_000 * MS, ..data() }
    };
    with_picture(
        |_| {},
        |scene, _| {
            let wide = Scene { data: &data, scale: TimeScale::new(0, 10_000 * MS, 92.0, 1092.0), ..scene_of(scene) };
            let (mut painter, mut scratch) = (RecordingPainter::default(), Scratch::default());
            draw(&mut painter, &wide, &mut scratch);
            assert_eq!(scratch.batch.shapes().count(), 0);
            assert!(painter.marks.len() < 80, "{}", painter.marks.len());
        },
    );
}

#[test]
fn the_first_difference_has_a_line_and_a_frame() {
    with_picture(
        |scene| scene.divergence = Some((46 * MS, 1)),
        |scene, painter| {
            let red = |m: &&Mark| matches!(m, Mark::Stroke(_, pen) if pen.colour == scene.palette.bad);
            assert_eq!(painter.marks.iter().filter(red).count(), 2);
        },
    );
}

fn scene_of<'a>(s: &Scene<'a>) -> Scene<'a> {
    Scene { ..*s }
}
