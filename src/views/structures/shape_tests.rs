//! Shapes beyond arrays and trees through the recording painter, and their words.

use super::board::Board;
use super::motion::Motion;
use super::sheet::{Manner, OverTime, draw};
use super::trails::Around;
use super::words;
use crate::paint::palette::dark;
use crate::paint::recording::{Mark, RecordingPainter};
use crate::paint::task_ink::tasks_named;
use crate::paint::{ColourBy, Fill, Rect, TaskInk};
use sim_core::engine::protocol::*;

fn gauge(label: &str, value: i64, full: i64, unit: &str) -> GaugeView {
    GaugeView { label: label.to_owned(), value, full, unit: unit.to_owned() }
}

fn ink() -> TaskInk {
    let groups = ["", "kbuild", "desktop"].map(str::to_owned);
    TaskInk::new(&tasks_named(&["Xorg", "hog/1", "hog/2"]), &groups)
}

fn view(shapes: Vec<ShapeView>) -> StructuresView {
    let panel = PanelView { id: 0, label: "queue".to_owned(), cpu: Some(0), shapes };
    StructuresView { lane: 0, t: 0, cpu: 0, panels: vec![panel], curr: 0 }
}

/// Paints one frame.
fn paint(view: &StructuresView, motion: &mut Motion, ms: f64, over_time: Option<OverTime>) -> RecordingPainter {
    let (mut painter, mut hits) = (RecordingPainter::default(), Vec::new());
    let (palette, ink) = (dark(), ink());
    motion.start(ms, 1, false);
    let mut board = Board {
        p: &mut painter,
        palette: &palette,
        ink: &ink,
        colour_by: ColourBy::Task,
        motion,
        hover: None,
        selected: None,
        curr: view.curr,
        hits: &mut hits,
        flying: Vec::new(),
    };
    let manner = Manner { full: true, all_slots: false, over_time: over_time.is_some() };
    let height = draw(&mut board, view, 1080.0, manner, over_time);
    assert!(height.is_finite() && height > 20.0 && height < 2000.0, "{height}");
    motion.finish();
    painter.assert_balanced();
    painter
}

fn still(view: &StructuresView) -> RecordingPainter {
    paint(view, &mut Motion::default(), 0.0, None)
}

fn has(painter: &RecordingPainter, wanted: &[&str]) {
    let texts = painter.texts();
    for text in wanted {
        assert!(texts.contains(text), "{text} in {texts:?}");
    }
}

fn told(view: &StructuresView, wanted: &str) {
    let rows = words::rows(view, &ink());
    let found = rows.iter().any(|row| row.join(" ").replace('\u{202f}', " ").contains(wanted));
    assert!(found, "{wanted} in {rows:?}");
}

fn score(task: u32, counter: i64, standing: StandingView) -> ShapeView {
    let terms = if counter > 0 {
        vec![
            gauge("counter", counter, 0, "ticks"),
            gauge("20 - nice", 20, 0, "count"),
            gauge("same CPU", 15, 0, "count"),
        ]
    } else {
        Vec::new()
    };
    let total = terms.iter().map(|term| term.value).sum();
    ShapeView::Score(ScoreView { entity: EntityView::Task(task), label: "goodness".to_owned(), total, standing, terms })
}

#[test]
fn a_scan_shows_terms_as_parts_of_the_sum_and_marks_winner_and_tie() {
    let scores = view(vec![
        score(0, 0, StandingView::Loses),
        score(1, 30, StandingView::Wins),
        score(2, 30, StandingView::Ties),
        score(0, 10, StandingView::Barred("runs elsewhere".to_owned())),
    ]);
    let painter = still(&scores);
    has(
        &painter,
        &["scan", "counter", "20 - nice", "65", "wins", "ties, stands behind", "runs elsewhere", "no ticks left"],
    );
    // The first term is solid, the third has a pattern: no colour is needed to tell them apart.
    assert!(painter.rects(Fill::Queue).len() >= 4, "three rows and the legend");
    assert_eq!(painter.rects(Fill::Solid(dark().accent_quiet)).len(), 1, "one row wins");
    told(&scores, "goodness 65 = counter 30 + 20 - nice 20 + same CPU 15, wins");
}

fn span(task: u32, at: i64, until: i64, eligible: bool, picked: bool) -> SpanView {
    let entity = EntityView::Task(task);
    SpanView { entity, at, until, weight: 1024, eligible, running: task == 0, picked }
}

#[test]
fn an_axis_parts_the_eligible_from_the_others_at_its_line() {
    let spans = vec![
        span(0, 9_000_000, 12_000_000, true, true),
        span(1, 8_000_000, 14_000_000, true, false),
        span(2, 13_000_000, 16_000_000, false, false),
    ];
    let (label, line) = ("lag and deadlines".to_owned(), "V: eligible up to here".to_owned());
    let axis = view(vec![ShapeView::Spans { label, line, at: 10_000_000, spans }]);
    let painter = still(&axis);
    has(
        &painter,
        &["lag and deadlines", "V: eligible up to here", "▸ Xorg", "pick", "V", "1.0\u{202f}ms", "−3.0\u{202f}ms"],
    );
    // Not eligible: hatched, and right of the line.
    let hatched = painter.rects(Fill::Unknown);
    assert_eq!(hatched.len(), 1);
    let lines: Vec<Rect> = painter.rects(Fill::Solid(dark().warn));
    assert!(lines.iter().any(|line| line.w == 1.5 && line.x < hatched[0].x), "{lines:?} {hatched:?}");
    told(&axis, "lag 1.0 ms, deadline 12.0 ms, weight 1 024, eligible, runs, picked");
    told(&axis, "not eligible");
}

fn shares(weights: [i64; 2]) -> StructuresView {
    let row = |group, parent, cells| ShapeView::ShareRow(ShareRowView { group, parent, shares: 1024, tasks: 2, cells });
    view(vec![
        row(0, None, vec![(2048, 2048, false), (1024, 1024, false)]),
        row(1, Some(0), vec![(weights[0], 512, false), (weights[1], weights[1], true)]),
        row(2, Some(1), vec![(300, 300, false), (724, 724, false)]),
    ])
}

#[test]
fn shares_travel_from_the_cpu_that_loses_to_the_one_that_gains() {
    let mut motion = Motion::default();
    paint(&shares([1024, 102]), &mut motion, 0.0, None);
    let before = paint(&shares([1024, 102]), &mut motion, 16.0, None);
    has(&before, &["/", "kbuild", "1\u{202f}024 shares", "2 tasks, 1 group", "1\u{202f}024", "(102)", "CPU 1"]);
    assert!(!before.texts().contains(&"409"));
    let start = paint(&shares([615, 511]), &mut motion, 32.0, None);
    let half = paint(&shares([615, 511]), &mut motion, 132.0, None);
    let x = |painter: &RecordingPainter| {
        painter.marks.iter().find_map(|mark| match mark {
            Mark::Text(x, _, text, ..) if text == "409" => Some(*x),
            _ => None,
        })
    };
    let (from, on_its_way) = (x(&start).expect("it leaves"), x(&half).expect("it travels"));
    assert!(on_its_way > from + 20.0, "{from} {on_its_way}");
    assert_eq!(x(&paint(&shares([615, 511]), &mut motion, 400.0, None)), None, "it has arrived");
    // Pretended weight is hatched.
    assert!(!half.rects(Fill::Unknown).is_empty());
    told(&shares([1024, 102]), "CPU 0 1 024, moves to 512; CPU 1 102, pretended");
}

#[test]
fn meters_have_their_target_and_lamps_a_word() {
    let group = EntityView::Group(1);
    let classes = view(vec![
        ShapeView::Meter(group, gauge("true share", 30, 100, "percent"), 50),
        ShapeView::Lamp(group, "hungry".to_owned(), true),
        ShapeView::Lamp(group, "starving".to_owned(), false),
    ]);
    let painter = still(&classes);
    has(&painter, &["group", "/kbuild", "true share", "30\u{202f}%", "hungry", "yes", "no"]);
    let target = painter.rects(Fill::Solid(dark().accent));
    assert!(target.iter().any(|rect| rect.w == 2.0 && rect.h == 18.0), "the target crosses the bar: {target:?}");
    told(&classes, "true share 30 %, should be 50 %");
    told(&classes, "hungry: yes");
}

#[test]
fn rules_are_marked_on_the_axis_of_their_tree() {
    let node = |task, key, left, right| NodeView {
        entity: EntityView::Task(task),
        left,
        right,
        red: false,
        key,
        key2: None,
        weight: 1024,
        eligible: true,
    };
    let mark = |label: &str, is_band, from, to| ShapeView::KeyMark { label: label.to_owned(), is_band, from, to };
    let tree = view(vec![
        ShapeView::Tree {
            label: "by vruntime".to_owned(),
            root: Some(0),
            leftmost: Some(0),
            floor: 100_000_000,
            nodes: vec![node(1, 101_000_000, None, Some(1)), node(2, 104_000_000, None, None)],
        },
        mark("wake-up granularity", true, 101_500_000, 103_000_000),
        mark("sleepers come back here", false, 80_000_000, 80_000_000),
        ShapeView::EntityGauge(EntityView::Task(0), gauge("vruntime", 103_000_000, 0, "virtual")),
        ShapeView::Gauge(gauge("min_vruntime", 100_000_000, 0, "virtual")),
    ]);
    let painter = still(&tree);
    has(
        &painter,
        &[
            "wake-up granularity 1.5\u{202f}ms",
            "← sleepers come back here, 20.0\u{202f}ms left",
            "min_vruntime 100.0",
            "Xorg runs",
        ],
    );
    told(&tree, "wake-up granularity 101.5 ms to 103.0 ms");
}

fn trail(blocks: bool, lines: Vec<TrailLine>) -> TrailsView {
    let label = if blocks { "slot" } else { "counter" };
    let unit = if blocks { "count" } else { "ticks" };
    let help = String::new();
    let trail = TrailView { label: label.to_owned(), help, unit: unit.to_owned(), blocks, lines, left_out: 0 };
    TrailsView { lane: 0, from: 0, to: 100_000_000, cpu: 0, trails: vec![trail] }
}

fn line(task: u32, points: &[(u64, i64)]) -> TrailLine {
    let (t, value) = points.iter().map(|&(ms, value)| (ms * 1_000_000, value)).unzip();
    TrailLine { entity: EntityView::Task(task), t, value }
}

fn over_time(trails: &TrailsView) -> RecordingPainter {
    let notes = [NoteView { t: 50_000_000, cpu: 0, note: 0, args: [0, 0] }];
    let names = ["recalculation".to_owned()];
    let around = Around { window: (0, 100_000_000), now: 60_000_000, notes: &notes, names: &names, cpu: Some(0) };
    paint(&view(Vec::new()), &mut Motion::default(), 0.0, Some(OverTime { trails, around }))
}

#[test]
fn a_saw_tooth_rises_at_its_dashed_epoch() {
    let trails = trail(false, vec![line(1, &[(0, 6), (50, 0), (51, 11), (100, 3)])]);
    let painter = over_time(&trails);
    has(&painter, &["counter over time", "recalculation", "hog/1"]);
    let points = painter.marks.iter().find_map(|mark| match mark {
        Mark::Stroke(points, _) if points.len() == 4 => Some(points.clone()),
        _ => None,
    });
    let points = points.expect("the line is drawn");
    assert!(points[1].1 > points[0].1 && points[2].1 < points[1].1, "down, then up: {points:?}");
    let rows = words::trail_rows(&trails, 60_000_000, &ink());
    assert_eq!(rows[0][1..], ["hog/1".to_owned(), "11 now, 0 to 11 in the window".to_owned()]);
}

#[test]
fn a_rotation_is_a_staircase_downwards() {
    let blocks = vec![line(0, &[(0, 3), (10, 3)]), line(1, &[(10, 4), (20, 4)]), line(2, &[(20, 6), (40, 6)])];
    let painter = over_time(&trail(true, blocks));
    let (palette, ink) = (dark(), ink());
    let block = |task: u32| {
        let colour = palette.task[usize::from(ink.ink(task, ColourBy::Task).slot)];
        painter.rects(Fill::Solid(colour)).first().copied().expect("a block")
    };
    let [first, second, third] = [0, 1, 2].map(block);
    assert!(first.y < second.y && second.y < third.y, "{first:?} {second:?} {third:?}");
    assert!(first.right() <= second.x + 1.0 && third.w > second.w * 1.8);
}
