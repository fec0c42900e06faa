//! Whole sheets through the recording painter.

use super::board::Board;
use super::motion::Motion;
use super::sheet::{Manner, draw};
use super::words;
use crate::paint::palette::dark;
use crate::paint::recording::{Mark, RecordingPainter};
use crate::paint::task_ink::tasks_named;
use crate::paint::{ColourBy, Fill, TaskInk};
use sim_core::engine::protocol::{ChipView, EntityView, GaugeView, NodeView, PanelView, ShapeView, StructuresView};

fn gauge(label: &str, value: i64, full: i64, unit: &str) -> GaugeView {
    GaugeView { label: label.to_owned(), value, full, unit: unit.to_owned() }
}

fn chip(task: u32, slice: i64, running: bool) -> ChipView {
    let slice_unit = "ticks".to_owned();
    ChipView { entity: EntityView::Task(task), slice, slice_full: 100, slice_unit, key: None, running }
}

/// The array of the picture: bits 115, 125, 130 and the delimiter 140.
fn array(id: u32, label: &str, at: Vec<(u32, ChipView)>) -> PanelView {
    let mut words = [0_u64; 3];
    for bit in at.iter().map(|(slot, _)| *slot).chain([140]) {
        words[(bit / 64) as usize] |= 1 << (bit % 64);
    }
    let hit = at.first().map(|(slot, _)| *slot).filter(|_| label == "active");
    let bitmap = ShapeView::Bitmap { label: "bitmap".to_owned(), words: words.to_vec(), len: 141, hit };
    let slots = ShapeView::Slots { label: "queue".to_owned(), len: 140, first_normal: 100, at };
    let facts = ShapeView::Gauge(gauge("nr_active", 3, 0, "count"));
    PanelView { id, label: label.to_owned(), cpu: Some(2), shapes: vec![bitmap, slots, facts] }
}

fn two_arrays(swapped: bool) -> StructuresView {
    let tasks = vec![(115, chip(0, 23, true)), (125, chip(1, 63, false)), (130, chip(2, 75, false))];
    let (a, b) = if swapped { ("expired", "active") } else { ("active", "expired") };
    let panels = if swapped {
        vec![array(1, b, vec![(125, chip(3, 100, false))]), array(0, a, tasks)]
    } else {
        vec![array(0, a, tasks), array(1, b, vec![(125, chip(3, 100, false))])]
    };
    StructuresView { lane: 0, t: 0, cpu: 2, panels, curr: 0 }
}

fn ink() -> TaskInk {
    TaskInk::new(&tasks_named(&["Xorg", "hog/6", "lame", "hog/5"]), &[String::new(), "kbuild".to_owned()])
}

fn paint(view: &StructuresView, manner: Manner, motion: &mut Motion, ms: f64) -> (RecordingPainter, f64) {
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
    let height = draw(&mut board, view, 1080.0, manner, None);
    motion.finish();
    painter.assert_balanced();
    (painter, height)
}

#[test]
fn the_run_view_shows_bits_hex_words_and_occupied_slots() {
    let (painter, height) = paint(&two_arrays(false), Manner::default(), &mut Motion::default(), 0.0);
    let texts = painter.texts();
    for wanted in [
        "active bitmap",
        "141 bits, 5 words",
        "2008 0000",
        "0000 1004",
        "115 = 3 × 32 + 19, first set bit",
        "0–99: real time · from 100: normal",
        "active",
        "3 tasks",
        "expired",
        "1 task",
        "115",
        "▸ Xorg",
        "23",
        "active nr_active",
    ] {
        assert!(texts.contains(&wanted), "{wanted} in {texts:?}");
    }
    assert!(height > 150.0 && height < 320.0, "{height}");
}

#[test]
fn first_set_bit_is_accent_and_the_others_are_text() {
    let (painter, _) = paint(&two_arrays(false), Manner::default(), &mut Motion::default(), 0.0);
    let palette = dark();
    let cells = |colour| painter.rects(Fill::Solid(colour)).into_iter().filter(|r| (r.w, r.h) == (7.0, 14.0)).count();
    assert_eq!((cells(palette.accent), cells(palette.text)), (1, 2));
}

#[test]
fn a_swap_moves_the_labels_and_leaves_chips_where_they_are() {
    let (mut motion, manner) = (Motion::default(), Manner { full: true, all_slots: false, over_time: false });
    paint(&two_arrays(false), manner, &mut motion, 0.0);
    let (before, _) = paint(&two_arrays(false), manner, &mut motion, 16.0);
    let (start, _) = paint(&two_arrays(true), manner, &mut motion, 32.0);
    let (half, _) = paint(&two_arrays(true), manner, &mut motion, 232.0);
    let (end, _) = paint(&two_arrays(true), manner, &mut motion, 500.0);
    let x = |p: &RecordingPainter, wanted: &str| {
        let found = p.marks.iter().find_map(|m| match m {
            Mark::Text(x, _, text, ..) if text == wanted => Some(*x),
            _ => None,
        });
        found.expect("the text is there")
    };
    assert_eq!(x(&before, "active"), x(&start, "active"));
    assert!(x(&half, "active") > x(&start, "active") && x(&half, "expired") < x(&start, "expired"));
    let (shift_active, shift_expired) =
        (x(&end, "active") - x(&before, "active"), x(&before, "expired") - x(&end, "expired"));
    assert_eq!(shift_active, shift_expired);
    for name in ["▸ Xorg", "hog/6", "hog/5"] {
        assert_eq!(x(&before, name), x(&end, name), "{name}");
    }
}

#[test]
fn all_slots_are_drawn_on_demand() {
    let (few, low) = paint(
        &two_arrays(false),
        Manner { full: true, all_slots: false, over_time: false },
        &mut Motion::default(),
        0.0,
    );
    let (all, high) = paint(
        &two_arrays(false),
        Manner { full: true, all_slots: true, over_time: false },
        &mut Motion::default(),
        0.0,
    );
    assert!(!few.texts().contains(&"101") && all.texts().contains(&"101") && all.texts().contains(&"139"));
    assert!(all.texts().contains(&"0 to 99: real time, empty"));
    assert!(high > low + 300.0);
}

fn tree_view() -> StructuresView {
    let node = |task: u32, key: i64, left, right| NodeView {
        entity: if task == 9 { EntityView::Group(1) } else { EntityView::Task(task) },
        left,
        right,
        red: task == 2,
        key: key * 1_000_000,
        key2: None,
        weight: 1024,
        eligible: true,
    };
    let tree = ShapeView::Tree {
        label: "tasks_timeline".to_owned(),
        root: Some(0),
        leftmost: Some(1),
        floor: 2_309_800_000,
        nodes: vec![node(1, 2312, Some(1), Some(2)), node(9, 2310, None, None), node(2, 2315, None, None)],
    };
    let vruntime = ShapeView::EntityGauge(EntityView::Task(0), gauge("vruntime", 2_312_600_000, 0, "virtual"));
    let panel = PanelView { id: 0, label: "cfs_rq".to_owned(), cpu: Some(1), shapes: vec![tree, vruntime] };
    StructuresView { lane: 0, t: 0, cpu: 1, panels: vec![panel], curr: 0 }
}

#[test]
fn a_tree_hangs_over_its_keys() {
    let manner = Manner { full: true, all_slots: false, over_time: false };
    let (painter, _) = paint(&tree_view(), manner, &mut Motion::default(), 0.0);
    let texts = painter.texts();
    let floor = "floor 2\u{202f}309.8";
    for wanted in ["leftmost: runs next", floor, "Xorg runs", "/kbuild", "hog/6", "2\u{202f}311"] {
        assert!(texts.contains(&wanted), "{wanted} in {texts:?}");
    }
}

#[test]
fn lists_matrices_locks_and_tables_have_their_pictures() {
    let mut keyed = chip(1, 6, false);
    keyed.key = Some(gauge("goodness", 27, 0, "count"));
    let shapes = vec![
        ShapeView::List { label: "head first".to_owned(), chips: vec![keyed, chip(2, 3, false)] },
        ShapeView::MatrixRow {
            entity: Some(EntityView::Task(1)),
            nice: -3,
            place: "active".to_owned(),
            cells: (0..40).map(|s| [1, 0, 2, 3][usize::min(s, 3)]).collect(),
        },
        ShapeView::EntityGauge(EntityView::Task(1), gauge("time_slice", 14_300_000, 15_000_000, "ns")),
        ShapeView::Lock { label: "runqueue_lock".to_owned(), holder: Some(3), spinners: 5, utilisation_permille: 875 },
    ];
    let panel = PanelView { id: 0, label: "runqueue".to_owned(), cpu: None, shapes };
    let view = StructuresView { lane: 0, t: 0, cpu: 0, panels: vec![panel], curr: 1 };
    let (painter, _) =
        paint(&view, Manner { full: true, all_slots: false, over_time: false }, &mut Motion::default(), 0.0);
    let texts = painter.texts();
    for wanted in
        ["runqueue", "head first", "27", "step", "39", "/ 15\u{202f}ms", "87.5\u{202f}% · held by CPU 3 · 5 spin"]
    {
        assert!(texts.contains(&wanted), "{wanted} in {texts:?}");
    }
    let words = words::rows(&view, &ink());
    assert!(words.iter().any(|row| row[2].contains("goodness 27")), "{words:?}");
    assert!(words.iter().any(|row| row[2].contains("5 CPUs spin")));
}

#[test]
fn a_thousand_chips_are_counted_not_drawn() {
    let chips: Vec<ChipView> = (0..1000).map(|i| chip(i, 5, false)).collect();
    let shapes = vec![ShapeView::List { label: "head first".to_owned(), chips }];
    let panel = PanelView { id: 0, label: "runqueue".to_owned(), cpu: None, shapes };
    let view = StructuresView { lane: 0, t: 0, cpu: 0, panels: vec![panel], curr: 1 };
    let (painter, height) = paint(&view, Manner::default(), &mut Motion::default(), 0.0);
    assert!(painter.texts().contains(&"and 760 more"));
    assert!(height < 1200.0);
}
