//! What the picture beside a table shows.

use super::Chosen;
use super::figure::{mean, runs_of};
use crate::store::work::Figures;
use crate::text::history as words;
use crate::views::charts::canvas::Chart;
use crate::views::charts::{curves, ratios};
use sim_core::engine::protocol::{Judgement, PostTable, PostView};

/// Most curves of a picture: more cannot be told apart.
const CURVES_MAX: usize = 6;

/// The row that is shown first: the last of the table with the most rows over a number, where the post's point shows.
pub fn first_row(post: &PostView) -> Chosen {
    let tables = (0_u8..).zip(&post.tables);
    let best = tables.max_by_key(|(index, table)| (can_curve(table), table.rows.len(), u8::MAX - index));
    best.map_or((0, 0), |(index, table)| (index, table.rows.len().saturating_sub(1) as u8))
}

/// Whether the table's rows stand on an axis.
pub fn can_curve(table: &PostTable) -> bool {
    !table.row_unit.is_empty() && table.columns.len() <= CURVES_MAX && table.rows.len() > 2
}

/// Published figures as rings, ours as lines.
pub fn curves(table: &PostTable, index: u8, figures: &Figures) -> Chart {
    let value = |milli: u64| milli as f64 / 1000.0;
    let curve = |(column, (kernel, _)): (u8, &(String, String))| {
        let mut curve = curves::Curve { label: kernel.clone(), ..curves::Curve::default() };
        for (row, (_, x)) in (0_u8..).zip(&table.rows) {
            let runs = &table.runs[usize::from(row)][usize::from(column)];
            if let (Some(mean), Some(min), Some(max)) = (mean(runs), runs.iter().min(), runs.iter().max()) {
                curve.rings.push(curves::Ring { x: *x as f64, y: value(mean), range: (value(*min), value(*max)) });
            }
            if let Some(ours) = mean(&runs_of(figures, (index, row, column))) {
                curve.points.push((*x as f64, value(ours)));
            }
        }
        curve.points.sort_by(|a, b| a.0.total_cmp(&b.0));
        curve.rings.sort_by(|a, b| a.x.total_cmp(&b.x));
        curve
    };
    let xs = || table.rows.iter().map(|(_, x)| *x as f64);
    let (from, to) = (xs().fold(f64::INFINITY, f64::min), xs().fold(0.0, f64::max));
    Chart::Curves(curves::Chart {
        curves: (0_u8..).zip(&table.columns).map(curve).collect(),
        x_label: table.row_unit.clone(),
        y_unit: table.unit.clone(),
        x_range: (from, to),
        x_log: from >= 1.0 && to / from >= 32.0,
        legend: Some((words::RING.say().into(), words::LINE.say().into())),
        empty: String::new(),
    })
}

/// Ours over published, a line per figure.
pub fn ratios(table: &PostTable, index: u8, judged: &Judgement) -> Chart {
    let mut lines = Vec::new();
    for (row, (label, _)) in (0_u8..).zip(&table.rows) {
        for (column, (kernel, _)) in (0_u8..).zip(&table.columns) {
            let runs = &table.runs[usize::from(row)][usize::from(column)];
            let (Some(mean), Some(&min), Some(&max)) = (mean(runs), runs.iter().min(), runs.iter().max()) else {
                continue;
            };
            let against = |run: u64| (run as i64 - mean as i64) * 1000 / (mean as i64).max(1);
            let error = judged.errors.iter().find(|(place, _)| *place == (index, row, column)).map(|(_, error)| *error);
            lines.push(ratios::Line {
                label: format!("{label}, {kernel}"),
                error,
                spread: (against(min), against(max)),
            });
        }
    }
    Chart::Ratios { lines, empty: words::NOT_YET.say().into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> PostTable {
        PostTable {
            key: "t".into(),
            title: "t".into(),
            unit: "µs".into(),
            row_unit: "hogs".into(),
            higher_is_better: false,
            rows: vec![("0 hogs".into(), 0), ("10 hogs".into(), 10), ("50 hogs".into(), 50)],
            columns: vec![("old".into(), "a".into()), ("new".into(), "b".into())],
            runs: vec![
                vec![vec![1000, 1200], vec![1000]],
                vec![vec![2000], vec![]],
                vec![vec![9000, 9500, 8500], vec![1000]],
            ],
            calibrated: vec![vec![false; 2]; 3],
            noise: String::new(),
        }
    }

    #[test]
    fn rings_are_published_and_lines_are_what_is_computed() {
        let run = |value: u64| Ok(std::collections::BTreeMap::from([(1, value)]));
        let figures = Figures::from([((0, 2, 0), run(8900)), ((0, 0, 0), run(1100)), ((0, 1, 0), Err("no".into()))]);
        let Chart::Curves(chart) = curves(&table(), 0, &figures) else { panic!("curves") };
        assert_eq!(chart.curves[0].points, [(0.0, 1.1), (50.0, 8.9)]);
        assert_eq!(chart.curves[0].rings.len(), 3);
        assert_eq!(chart.curves[0].rings[2].range, (8.5, 9.5));
        assert_eq!((chart.curves[1].rings.len(), chart.curves[1].points.len()), (2, 0));
        assert_eq!((chart.x_range, chart.x_log), ((0.0, 50.0), false));
    }

    #[test]
    fn ratios_have_a_line_per_published_figure() {
        let judged = Judgement { errors: vec![((0, 2, 0), -11)], ..Judgement::default() };
        let Chart::Ratios { lines, .. } = ratios(&table(), 0, &judged) else { panic!("ratios") };
        assert_eq!(lines.len(), 5);
        assert_eq!((lines[3].error, lines[3].spread), (Some(-11), (-55, 55)));
        assert_eq!(lines[0].error, None);
    }
}
