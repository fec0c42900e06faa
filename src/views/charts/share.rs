//! CPU share of each workload: a bar, and a tick where fairness would put it.

use super::plot::{Drawn, Look, Plot, Side, shortened};
use crate::paint::number;
use crate::text::charts as words;
use plotters::prelude::*;
use sim_core::engine::protocol::{GraphsView, SummaryView};

/// Rows at most.
const ROWS_MAX: usize = 8;
/// Width of labels and values, px.
const LABEL: f64 = 92.0;
/// Letters of a name that end before its bar begins.
const LABEL_LETTERS: usize = 12;
const VALUE: f64 = 52.0;

/// A bar.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// Label.
    pub label: String,
    /// Share of all CPUs' time, 1/1000.
    pub permille: u32,
    /// Fair share, 1/1000; `None` = not computed.
    pub fair: Option<u32>,
}

/// Shares in the window, largest first.
pub fn rows(graphs: &GraphsView, summary: Option<&SummaryView>, labels: &[String], cpus: u16) -> Vec<Row> {
    let fair_of = |workload: u32| {
        let row = summary?.workloads.iter().find(|row| row.id == workload)?;
        (row.fair_permille > 0).then(|| row.fair_permille / u32::from(cpus.max(1)))
    };
    let mut rows: Vec<Row> = (0_u32..)
        .zip(&graphs.share)
        .map(|(workload, shares)| {
            let sum: u64 = shares.iter().map(|&s| u64::from(s)).sum();
            let mean = sum / shares.len().max(1) as u64;
            let label = labels.get(workload as usize).cloned().unwrap_or_else(|| words::workload(workload));
            Row { label, permille: u32::try_from(mean).unwrap_or(1000), fair: fair_of(workload) }
        })
        .collect();
    // Stable: equal shares stay in the scenario's order.
    rows.sort_by_key(|row| core::cmp::Reverse(row.permille));
    rows.truncate(ROWS_MAX);
    rows
}

/// Draws the bars.
pub fn draw<DB: DrawingBackend>(plot: &Plot<DB>, rows: &[Row]) -> Drawn<DB> {
    let (w, h) = plot.size();
    if rows.is_empty() {
        return plot.empty(&words::NO_WORKLOAD);
    }
    let row_h = ((h - 8.0) / rows.len() as f64).min(44.0);
    let most = rows.iter().map(|row| row.permille.max(row.fair.unwrap_or(0))).max().unwrap_or(1).max(1);
    let room = (w - LABEL - VALUE - 16.0).max(10.0);
    let x_of = |permille: u32| LABEL + f64::from(permille) / f64::from(most) * room;
    let value = Look { colour: plot.palette.text, strong: false, side: Side::Right };
    for (i, row) in rows.iter().enumerate() {
        let middle = 2.0 + (i as f64 + 0.5) * row_h;
        plot.label(12.0, middle, &shortened(&row.label, LABEL_LETTERS))?;
        if row.permille > 0 {
            plot.rect(LABEL, middle - 4.0, x_of(row.permille) - LABEL, 8.0, plot.palette.text_3)?;
        }
        if let Some(fair) = row.fair {
            plot.rect(x_of(fair) - 1.0, middle - 7.0, 2.0, 14.0, plot.palette.accent)?;
        }
        plot.text(w - 14.0, middle, &number::permille(row.permille), value)?;
    }
    Ok(())
}
