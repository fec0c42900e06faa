//! Charts through a plotters backend that writes down what it is told.

use super::plot::Plot;
use super::{curves, latency, ratios, share, throughput, words};
use crate::paint::palette::dark;
use plotters::prelude::*;
use plotters_backend::{BackendColor, BackendStyle, BackendTextStyle, DrawingErrorKind};
use sim_core::engine::protocol::{GraphsView, HistogramView, RowView, SummaryView};
use std::cell::RefCell;
use std::convert::Infallible;
use std::rc::Rc;

type Coord = (i32, i32);
type Fate = Result<(), DrawingErrorKind<Infallible>>;

#[derive(Default)]
struct Log {
    texts: Vec<String>,
    circles: Vec<(Coord, (u8, u8, u8))>,
    rects: Vec<(Coord, Coord)>,
    paths: Vec<Vec<Coord>>,
}

struct Recorder(Rc<RefCell<Log>>);

impl DrawingBackend for Recorder {
    type ErrorType = Infallible;
    fn get_size(&self) -> (u32, u32) {
        (400, 180)
    }
    fn ensure_prepared(&mut self) -> Fate {
        Ok(())
    }
    fn present(&mut self) -> Fate {
        Ok(())
    }
    fn draw_pixel(&mut self, _: Coord, _: BackendColor) -> Fate {
        Ok(())
    }
    fn draw_rect<S: BackendStyle>(&mut self, a: Coord, b: Coord, _: &S, _: bool) -> Fate {
        self.0.borrow_mut().rects.push((a, b));
        Ok(())
    }
    fn draw_path<S: BackendStyle, I: IntoIterator<Item = Coord>>(&mut self, path: I, _: &S) -> Fate {
        self.0.borrow_mut().paths.push(path.into_iter().collect());
        Ok(())
    }
    fn draw_circle<S: BackendStyle>(&mut self, at: Coord, _: u32, style: &S, _: bool) -> Fate {
        self.0.borrow_mut().circles.push((at, style.color().rgb));
        Ok(())
    }
    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, _: &S, _: Coord) -> Fate {
        self.0.borrow_mut().texts.push(text.to_owned());
        Ok(())
    }
}

fn record(draw: impl FnOnce(&Plot<Recorder>)) -> Log {
    let log = Rc::new(RefCell::new(Log::default()));
    let area = Recorder(Rc::clone(&log)).into_drawing_area();
    let palette = dark();
    draw(&Plot { area: &area, palette: &palette, dpr: 1.0 });
    drop(area);
    log.take()
}

fn graphs() -> GraphsView {
    let latency = HistogramView {
        bounds: vec![1_000, 10_000, 100_000, 1_000_000],
        counts: vec![4, 100, 0, 1],
        p50: 5_000,
        p99: 2_100_000,
        max: 22_000_000,
        count: 105,
        ..HistogramView::default()
    };
    GraphsView {
        from: 0,
        to: 2_000_000_000,
        latency,
        latency_points: vec![(100_000_000, 5_000, 0), (1_500_000_000, 22_000_000, 1)],
        throughput: vec![(0, vec![1; 40]), (1, vec![0; 40])],
        share: vec![vec![250; 40], vec![579; 40]],
        switches: vec![10; 40],
        ..GraphsView::default()
    }
}

#[test]
fn latency_has_a_dot_per_wakeup_on_a_log_axis() {
    let log = record(|plot| latency::draw(plot, &graphs(), |task| task == 1).expect("a recorder cannot fail"));
    for wanted in ["1\u{202f}µs", "100\u{202f}µs", "10\u{202f}ms", "1\u{202f}s", "interactive", "500"] {
        assert!(log.texts.iter().any(|t| t == wanted), "{wanted} in {:?}", log.texts);
    }
    let accent = (0x5a, 0xa9, 0xff);
    let dots: Vec<Coord> = log.circles.iter().filter(|(_, rgb)| *rgb == accent).map(|(at, _)| *at).collect();
    assert_eq!(dots.len(), 2, "the legend's and the interactive task's");
    let low = log.circles.iter().find(|(at, rgb)| *rgb != accent && at.1 > 100).expect("the quick wakeup is low");
    let high = dots.iter().find(|at| at.0 > 200).expect("the late wakeup is at the right");
    assert!(low.0.1 > high.1, "5 µs lies below 22 ms");
}

#[test]
fn throughput_is_a_mean_per_second() {
    let rows = throughput::rows(&graphs(), &["audio frames".to_owned(), "paints".to_owned()]);
    assert_eq!(rows.iter().map(|r| r.label.as_str()).collect::<Vec<_>>(), ["audio frames", "switches"]);
    assert_eq!(rows[0].rates.last().map(|r| r.round()), Some(20.0));
    let log = record(|plot| throughput::draw(plot, &rows).expect("a recorder cannot fail"));
    assert!(log.texts.iter().any(|t| t == "200") && log.paths.len() == 2);
}

#[test]
fn the_first_marks_are_not_a_million_per_second() {
    let start = GraphsView { to: 40, throughput: vec![(0, vec![1; 40])], ..graphs() };
    let rows = throughput::rows(&start, &[]);
    assert!(rows[0].rates.iter().all(|&rate| rate <= 400.0), "{:?}", rows[0].rates);
}

#[test]
fn shares_are_sorted_and_have_their_fair_tick() {
    let workloads = vec![RowView { id: 1, fair_permille: 2400, ..RowView::default() }];
    let summary = SummaryView { workloads, ..SummaryView::default() };
    let rows = share::rows(&graphs(), Some(&summary), &["kbuild".to_owned(), "hogs".to_owned()], 4);
    assert_eq!((rows[0].label.as_str(), rows[0].permille, rows[0].fair), ("hogs", 579, Some(600)));
    assert_eq!((rows[1].label.as_str(), rows[1].fair), ("kbuild", None));
    let log = record(|plot| share::draw(plot, &rows).expect("a recorder cannot fail"));
    assert!(log.texts.iter().any(|t| t == "57.9\u{202f}%"));
    assert_eq!(log.rects.len(), 3, "two bars and one tick");
    let table = words::rows(&graphs().latency, &throughput::rows(&graphs(), &[]), &rows);
    assert!(table.iter().any(|row| row[2] == "57.9\u{202f}%, fair 60.0\u{202f}%"));
}

#[test]
fn nothing_yet_is_one_sentence() {
    let empty = GraphsView::default();
    let log = record(|plot| latency::draw(plot, &empty, |_| false).expect("a recorder cannot fail"));
    assert_eq!(log.texts, ["No wakeup yet: press Play"]);
}

#[test]
fn published_values_are_rings_and_ours_a_line_each_curve_with_its_name() {
    let curve = |label: &str, high: f64| curves::Curve {
        label: label.into(),
        points: vec![(0.0, 1.0), (50.0, high)],
        rings: vec![curves::Ring { x: 50.0, y: high, range: (high - 1.0, high + 1.0) }],
    };
    let chart = curves::Chart {
        curves: vec![curve("pre9", 9.0), curve("C1", 1.6)],
        x_label: "hogs".into(),
        y_unit: "µs".into(),
        x_range: (0.0, 50.0),
        legend: Some(("published".into(), "ours".into())),
        ..curves::Chart::default()
    };
    let log = record(|plot| curves::draw(plot, &chart).expect("a recorder cannot fail"));
    for wanted in ["pre9", "C1", "hogs", "published", "ours", "0", "50", "10 µs"] {
        assert!(log.texts.iter().any(|t| t == wanted), "{wanted} in {:?}", log.texts);
    }
    let solid = log.paths.iter().filter(|path| path.first().is_some_and(|at| at.0 == 56) && path.len() == 2).count();
    assert!(solid >= 1 && log.paths.len() > 12, "the second curve is dashed: {} strokes", log.paths.len());
    // Two discs per ring: two published values and one in the legend; and two dots of the first curve.
    assert_eq!(log.circles.len(), 3 * 2 + 2);
    let empty = curves::Chart { empty: "starts".into(), ..curves::Chart::default() };
    let log = record(|plot| curves::draw(plot, &empty).expect("a recorder cannot fail"));
    assert_eq!(log.texts, ["starts"]);
}

#[test]
fn an_error_above_ten_percent_is_strong_and_coloured() {
    let line = |label: &str, error| ratios::Line { label: label.into(), error, spread: (-20, 30) };
    let lines = [line("0 hogs", Some(-130)), line("10 hogs", Some(4)), line("20 hogs", None)];
    let log = record(|plot| ratios::draw(plot, &lines, "none").expect("a recorder cannot fail"));
    for wanted in ["0 hogs", "−13.0\u{202f}%", "+0.4\u{202f}%", "20 hogs", "−10", "0", "+10"] {
        assert!(log.texts.iter().any(|t| t == wanted), "{wanted} in {:?}", log.texts);
    }
    assert_eq!(
        log.texts.iter().filter(|text| text.contains('\u{202f}')).count(),
        2,
        "nothing for what is not computed"
    );
}
