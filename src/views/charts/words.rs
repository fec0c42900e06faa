//! The charts in words.

use super::share;
use super::throughput::{self, rate_text};
use crate::paint::number;
use sim_core::engine::protocol::HistogramView;

/// Heads of the columns.
pub const HEADS: [&str; 3] = ["chart", "row", "value"];

/// One row per number.
pub fn rows(latency: &HistogramView, rates: &[throughput::Row], shares: &[share::Row]) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let mut put = |chart: &str, row: &str, value: String| rows.push(vec![chart.to_owned(), row.to_owned(), value]);
    for (name, ns) in [("p50", latency.p50), ("p95", latency.p95), ("p99", latency.p99), ("max", latency.max)] {
        put("wake-up latency", name, number::duration(ns));
    }
    put("wake-up latency", "wakeups", number::whole(i64::try_from(latency.count).unwrap_or(i64::MAX)));
    for row in rates {
        put("throughput per second", &row.label, rate_text(row.rates.last().copied().unwrap_or(0.0)));
    }
    for row in shares {
        let fair = row.fair.map_or_else(String::new, |fair| format!(", fair {}", number::permille(fair)));
        put("CPU share", &row.label, format!("{}{fair}", number::permille(row.permille)));
    }
    rows
}
