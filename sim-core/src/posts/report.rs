//! Published beside simulated: errors, orderings, shapes, and their sum.

use super::{Cell, Post, Shape, Table, Values, mean, spread};

/// A published figure with ours.
#[derive(Clone, Debug)]
pub struct Compared {
    /// Which.
    pub cell: Cell,
    /// Mean of the published runs, thousandths of the unit.
    pub published: u64,
    /// Mean of ours.
    pub simulated: u64,
    /// Each of ours, by seed.
    pub runs: Vec<u64>,
    /// (simulated − published) / published, 1/1000, rounded to nearest.
    pub error_permille: i64,
}

impl Compared {
    /// The figure of `cell` with the simulated `runs` (at least one).
    pub fn new(cell: Cell, runs: Vec<u64>) -> Option<Self> {
        let (published, simulated) = (cell.figure().mean()?, mean(&runs)?);
        let (p, s) = (i128::from(published), i128::from(simulated));
        let error_permille = if p == 0 { 0 } else { (2000 * (s - p) + p * (s - p).signum()) / (2 * p) };
        Some(Compared { cell, published, simulated, runs, error_permille: error_permille as i64 })
    }

    /// Whether it is within 10 %.
    pub fn is_within_10(&self) -> bool {
        u128::from(self.published.abs_diff(self.simulated)) * 10 <= u128::from(self.published)
    }

    /// `calibrated` or `predicted`.
    pub fn kind(&self) -> &'static str {
        if self.cell.figure().calibrated { "calibrated" } else { "predicted" }
    }
}

/// Two kernels of a row whose published difference is larger than its noise.
#[derive(Clone, Copy, Debug)]
pub struct Ordering {
    /// The table.
    pub table: &'static Table,
    /// Index of the row.
    pub row: usize,
    /// Index of the column with the smaller published figure.
    pub a: usize,
    /// Index of the column with the larger one.
    pub b: usize,
}

impl Ordering {
    /// Whether these values have the published order; `None` if one is missing.
    pub fn is_kept(&self, values: &Values<'_>) -> Option<bool> {
        Some((values.get)(self.row, self.a)? < (values.get)(self.row, self.b)?)
    }
}

/// Every pair of kernels of a row whose published means differ by more than the published run-to-run spread.
pub fn orderings(table: &'static Table) -> Vec<Ordering> {
    let mut orderings = Vec::new();
    for row in 0..table.rows.len() {
        for first in 0..table.columns.len() {
            for second in first + 1..table.columns.len() {
                let Some([x, y]) = means(table, row, first, second) else { continue };
                if x.abs_diff(y) > noise(table, row, first).max(noise(table, row, second)) {
                    let (a, b) = if x < y { (first, second) } else { (second, first) };
                    orderings.push(Ordering { table, row, a, b });
                }
            }
        }
    }
    orderings
}

fn means(table: &Table, row: usize, a: usize, b: usize) -> Option<[u64; 2]> {
    Some([table.figures[row][a].mean()?, table.figures[row][b].mean()?])
}

/// Run-to-run spread of a figure, thousandths: between its own published runs; where there is only one, between all
/// columns of the row that have the same scheduler; and never less than the table's stated noise.
fn noise(table: &Table, row: usize, column: usize) -> u64 {
    let figure = &table.figures[row][column];
    let stated = figure.mean().unwrap_or(0) * table.noise_permille / 1000;
    let own = &table.columns[column];
    let is_same = |other: &usize| {
        let other = &table.columns[*other];
        other.policy == own.policy && other.tunables == own.tunables && other.group == own.group
    };
    let between = match figure.runs {
        [_] => {
            let alike = (0..table.columns.len()).filter(is_same);
            spread(alike.filter_map(|other| table.figures[row][other].mean()))
        }
        runs => spread(runs.iter().copied()),
    };
    between.max(stated)
}

/// Sum over posts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Published figures that were simulated.
    pub rows: u32,
    /// Within 10 %.
    pub within_10: u32,
    /// Of these figures, those that nothing was fitted to ...
    pub predicted: u32,
    /// ... and of those, within 10 %.
    pub predicted_within_10: u32,
    /// Published orderings.
    pub orderings: u32,
    /// Kept.
    pub kept: u32,
    /// Statements about shapes.
    pub shapes: u32,
    /// That hold.
    pub shapes_hold: u32,
}

impl std::ops::AddAssign for Summary {
    fn add_assign(&mut self, other: Summary) {
        self.rows += other.rows;
        self.within_10 += other.within_10;
        self.predicted += other.predicted;
        self.predicted_within_10 += other.predicted_within_10;
        self.orderings += other.orderings;
        self.kept += other.kept;
        self.shapes += other.shapes;
        self.shapes_hold += other.shapes_hold;
    }
}

/// A post's figures beside ours.
#[derive(Debug)]
pub struct Report {
    /// The post.
    pub post: &'static Post,
    /// Figures, in the order of [`Post::cells`].
    pub rows: Vec<Compared>,
    /// Orderings, and whether ours keep them.
    pub orderings: Vec<(Ordering, bool)>,
    /// Shapes by table, and whether ours have them.
    pub shapes: Vec<(&'static Table, &'static Shape, bool)>,
}

impl Report {
    /// Puts figures together; orderings and shapes of which a figure is missing are left out.
    pub fn new(post: &'static Post, rows: Vec<Compared>) -> Self {
        let mut report = Report { post, rows, orderings: Vec::new(), shapes: Vec::new() };
        for table in post.tables {
            let value = |row: usize, column: usize| report.value(table, row, column);
            let values = Values { get: &value, rows: table.rows.len() };
            let mut kept = Vec::new();
            for ordering in orderings(table) {
                kept.extend(ordering.is_kept(&values).map(|is_kept| (ordering, is_kept)));
            }
            let complete = post.cells().iter().filter(|cell| std::ptr::eq(cell.table, table)).count()
                == report.rows.iter().filter(|row| std::ptr::eq(row.cell.table, table)).count();
            let shapes = table.shapes.iter().filter(|_| complete);
            let shapes: Vec<_> = shapes.map(|shape| (table, shape, (shape.holds)(&values))).collect();
            report.orderings.extend(kept);
            report.shapes.extend(shapes);
        }
        report
    }

    fn value(&self, table: &Table, row: usize, column: usize) -> Option<u64> {
        let is_it = |r: &&Compared| std::ptr::eq(r.cell.table, table) && (r.cell.row, r.cell.column) == (row, column);
        self.rows.iter().find(is_it).map(|r| r.simulated)
    }

    /// Its numbers.
    pub fn summary(&self) -> Summary {
        let predicted = |row: &&Compared| !row.cell.figure().calibrated;
        let count = |n: usize| n as u32;
        Summary {
            rows: count(self.rows.len()),
            within_10: count(self.rows.iter().filter(|row| row.is_within_10()).count()),
            predicted: count(self.rows.iter().filter(predicted).count()),
            predicted_within_10: count(self.rows.iter().filter(predicted).filter(|row| row.is_within_10()).count()),
            orderings: count(self.orderings.len()),
            kept: count(self.orderings.iter().filter(|(_, kept)| *kept).count()),
            shapes: count(self.shapes.len()),
            shapes_hold: count(self.shapes.iter().filter(|(_, _, holds)| *holds).count()),
        }
    }
}
