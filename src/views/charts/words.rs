//! The charts in words.

use super::share;
use super::throughput::{self, rate_text};
use crate::paint::number;
use crate::text::Word;
use crate::text::charts as words;
use sim_core::engine::protocol::HistogramView;

/// Heads of the columns.
pub const HEADS: [Word; 3] = words::HEADS;

/// One row per number.
pub fn rows(latency: &HistogramView, rates: &[throughput::Row], shares: &[share::Row]) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let mut put = |chart: &str, row: &str, value: String| rows.push(vec![chart.to_owned(), row.to_owned(), value]);
    for (name, ns) in [("p50", latency.p50), ("p95", latency.p95), ("p99", latency.p99), ("max", latency.max)] {
        put(&words::LATENCY, name, number::duration(ns));
    }
    put(&words::LATENCY, &words::WAKEUPS, number::whole(i64::try_from(latency.count).unwrap_or(i64::MAX)));
    for row in rates {
        put(&words::THROUGHPUT, &row.label, rate_text(row.rates.last().copied().unwrap_or(0.0)));
    }
    for row in shares {
        let fair = row.fair.map(number::permille);
        put(&words::SHARE, &row.label, words::share(&number::permille(row.permille), fair.as_deref()));
    }
    rows
}
