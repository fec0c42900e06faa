//! The posts as plain data for the page, ours judged against them, and the scenario behind a figure.

use super::protocol::{Judgement, Place, PostTable, PostView, Problem, StripView};
use crate::machine::profile;
use crate::posts::report::{Compared, Report};
use crate::posts::run::Run;
use crate::posts::{self, Cell, Post, Table};
use crate::scenario::limits::LANES_MAX;
use crate::scenario::{self, schema::Scenario};
use crate::units::TaskId;

/// The post with this key.
pub fn find(key: &str) -> Result<&'static Post, Vec<Problem>> {
    posts::find(key).ok_or_else(|| {
        let known: Vec<&str> = posts::POSTS.iter().map(|post| post.key).collect();
        let message = format!("there is no post \"{}\"", key.chars().take(40).collect::<String>());
        vec![Problem {
            path: "post".into(),
            message,
            hint: format!("Known: {}", known.join(", ")),
            ..Problem::default()
        }]
    })
}

/// A post for the page.
pub fn post(post: &Post) -> PostView {
    let profile = profile::find(post.machine);
    PostView {
        key: post.key.into(),
        title: post.title.into(),
        who: post.who.into(),
        when: post.when.into(),
        claim: post.claim.into(),
        machine: profile.map_or_else(Default::default, |profile| (profile.label.into(), profile.help.into())),
        explains: post.explains.iter().map(|&sentence| sentence.into()).collect(),
        not_reproduced: post.not_reproduced.into(),
        calibrated: post.calibrated.iter().map(|one| (one.what.into(), one.to.into())).collect(),
        sources: post.sources.iter().map(|&sentence| sentence.into()).collect(),
        tables: post.tables.iter().map(table).collect(),
    }
}

fn table(table: &Table) -> PostTable {
    let rows = table.figures.iter();
    PostTable {
        key: table.key.into(),
        title: table.title.into(),
        unit: table.unit.into(),
        row_unit: table.row_unit.into(),
        higher_is_better: table.higher_is_better,
        rows: table.rows.iter().map(|row| (row.label.into(), row.x)).collect(),
        columns: table.columns.iter().map(|column| (column.label.into(), column.policy.into())).collect(),
        runs: rows.clone().map(|row| row.iter().map(|figure| figure.runs.to_vec()).collect()).collect(),
        calibrated: rows.map(|row| row.iter().map(|figure| figure.calibrated).collect()).collect(),
        noise: table.noise_source.into(),
    }
}

/// The strip of time that a run has cut.
pub fn strip(run: &Run) -> StripView {
    let mut tasks: Vec<Option<TaskId>> = vec![None];
    let mut index = |task| match tasks.iter().position(|other| *other == task) {
        Some(at) => at as u16,
        None => {
            tasks.push(task);
            tasks.len() as u16 - 1
        }
    };
    let pieces = run.strip().iter().map(|piece| (piece.len, piece.kind as u8, index(piece.task))).collect();
    let names = tasks.iter().map(|task| task.map(|task| run.task_name(task)).unwrap_or_default()).collect();
    StripView { pieces, names, times: run.times().to_vec() }
}

/// Where a figure stands.
pub fn place(cell: &Cell) -> Place {
    let table = cell.post.tables.iter().position(|table| std::ptr::eq(table, cell.table)).unwrap_or(0);
    (table as u8, cell.row as u8, cell.column as u8)
}

fn cell(post: &'static Post, place: Place) -> Result<Cell, Vec<Problem>> {
    let cells = post.cells();
    cells.into_iter().find(|cell| self::place(cell) == place).ok_or_else(|| {
        let (table, row, column) = place;
        let message = format!("post {} has no figure in table {table}, row {row}, column {column}", post.key);
        vec![Problem { path: "places".into(), message, ..Problem::default() }]
    })
}

/// The scenario of a figure; further figures with the same workloads and machine come as lanes of their own.
pub fn scenario(key: &str, places: &[Place]) -> Result<String, Vec<Problem>> {
    let post = find(key)?;
    let mut together: Option<Scenario> = None;
    for &place in places {
        let cell = cell(post, place)?;
        let one = cell.scenario(1);
        match &mut together {
            None => together = Some(one),
            Some(all) => {
                // Their titles name their kernels.
                let without =
                    |scenario: &Scenario| Scenario { title: String::new(), lanes: Vec::new(), ..scenario.clone() };
                if without(all) == without(&one) && all.lanes.len() < LANES_MAX && !all.lanes.contains(&one.lanes[0]) {
                    all.lanes.extend(one.lanes);
                    all.title = cell.title_of_row();
                }
            }
        }
    }
    let none = || vec![Problem { path: "places".into(), message: "no figure is named".into(), ..Problem::default() }];
    together.map(|scenario| scenario::to_json(&scenario)).ok_or_else(none)
}

/// Errors, orderings and shapes of a post with these figures of ours.
pub fn judge(key: &str, figures: &[(Place, u64)]) -> Result<Judgement, Vec<Problem>> {
    let post = find(key)?;
    let ours = |cell: &Cell| figures.iter().find(|(at, _)| *at == place(cell)).map(|&(_, value)| value);
    let rows = post.cells().into_iter().filter_map(|cell| Compared::new(cell, vec![ours(&cell)?])).collect();
    let report = Report::new(post, rows);
    let summary = report.summary();
    let index = |table: &Table| post.tables.iter().position(|other| std::ptr::eq(other, table)).unwrap_or(0) as u8;
    let orderings = report.orderings.iter().map(|(o, kept)| (index(o.table), o.row as u8, o.a as u8, o.b as u8, *kept));
    Ok(Judgement {
        post: post.key.into(),
        figures: summary.rows,
        within_10: summary.within_10,
        predicted: summary.predicted,
        predicted_within_10: summary.predicted_within_10,
        errors: report.rows.iter().map(|row| (place(&row.cell), row.error_permille)).collect(),
        orderings: orderings.collect(),
        shapes: report.shapes.iter().map(|(table, shape, holds)| (index(table), shape.claim.into(), *holds)).collect(),
    })
}
