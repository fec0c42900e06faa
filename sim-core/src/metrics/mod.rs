//! Numbers of a run, in integers only: latencies, throughput, shares, fairness.

pub mod fairness;
pub mod histogram;
pub mod series;
pub mod totals;
