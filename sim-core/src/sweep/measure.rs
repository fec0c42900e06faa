//! What is told about each point of a sweep.

use crate::engine::protocol::SummaryView;
use serde::{Deserialize, Serialize};

/// Which time of a distribution.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Rank {
    /// Half of all values are not above it.
    P50,
    /// 95 %.
    P95,
    /// 99 %.
    P99,
    /// Largest.
    Max,
}

impl Rank {
    const ALL: [Rank; 4] = [Rank::P50, Rank::P95, Rank::P99, Rank::Max];

    fn word(self) -> &'static str {
        match self {
            Rank::P50 => "p50",
            Rank::P95 => "p95",
            Rank::P99 => "p99",
            Rank::Max => "max",
        }
    }

    /// The value itself, not a bucket of a histogram; 0 of none.
    fn of(self, sorted: &[u64]) -> u64 {
        let permille = match self {
            Rank::P50 => 500,
            Rank::P95 => 950,
            Rank::P99 => 990,
            Rank::Max => 1000,
        };
        let rank = (sorted.len() * permille).div_ceil(1000).max(1);
        sorted.get(rank - 1).copied().unwrap_or(0)
    }
}

/// A number of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum What {
    /// Wakeup to running, ns.
    Wakeup(Rank),
    /// Runnable to running, ns.
    Scheduling(Rank),
    /// Response time or duration of a mark, ns.
    Response(u16, Rank),
    /// Marks per second, times 1000.
    Rate(u16),
    /// CPU time of a workload over that of the machine, 1/1000.
    Share(u16),
    /// Context switches.
    Switches,
    /// Migrations.
    Migrations,
    /// Jain's index, 1/1000.
    Fairness,
    /// Time of all CPUs of one kind (index of [`SummaryView::times`]), ns.
    Time(u8),
    /// Events simulated.
    Events,
}

/// Names of the kinds of time, in the order of [`SummaryView::times`].
const TIMES: [&str; 6] = ["user", "system", "scheduler", "spin", "refill", "idle"];

/// A column of a sweep's table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Measure {
    /// Stable name: of the CSV column, the JSON field and the link.
    pub key: String,
    /// Number.
    pub what: What,
    /// Mark or workload that it is about; empty: the whole run.
    pub of: String,
    /// Unit word: `ns`, `count`, `milli` (thousandths), `permille`.
    pub unit: String,
}

/// All columns for a scenario with these marks and workloads.
pub fn measures(marks: &[String], workloads: &[String]) -> Vec<Measure> {
    let mut out = Vec::new();
    let mut put = |key: String, what: What, of: &str, unit: &str| {
        out.push(Measure { key, what, of: of.into(), unit: unit.into() });
    };
    for rank in Rank::ALL {
        put(format!("wakeup.{}_ns", rank.word()), What::Wakeup(rank), "", "ns");
    }
    for rank in Rank::ALL {
        put(format!("scheduling.{}_ns", rank.word()), What::Scheduling(rank), "", "ns");
    }
    for (index, mark) in (0_u16..).zip(marks) {
        for rank in [Rank::P50, Rank::P99] {
            put(format!("mark.{mark}.{}_ns", rank.word()), What::Response(index, rank), mark, "ns");
        }
        put(format!("mark.{mark}.per_second"), What::Rate(index), mark, "milli");
    }
    for (index, workload) in (0_u16..).zip(workloads) {
        put(format!("workload.{workload}.cpu_permille"), What::Share(index), workload, "permille");
    }
    put("switches".into(), What::Switches, "", "count");
    put("migrations".into(), What::Migrations, "", "count");
    put("fairness_permille".into(), What::Fairness, "", "permille");
    for (index, time) in (0_u8..).zip(TIMES) {
        put(format!("{time}_ns"), What::Time(index), "", "ns");
    }
    put("events".into(), What::Events, "", "count");
    out
}

/// All that measures are taken from; times sorted.
pub(super) struct Taken {
    pub summary: SummaryView,
    pub cpus: u64,
    pub wakeup: Vec<u64>,
    pub scheduling: Vec<u64>,
    pub responses: Vec<Vec<u64>>,
}

impl Measure {
    /// The number; `None` if the run has no such thing (no wakeup, no mark).
    pub(super) fn take(&self, from: &Taken) -> Option<u64> {
        let ranked = |rank: Rank, sorted: &[u64]| (!sorted.is_empty()).then(|| rank.of(sorted));
        let summary = &from.summary;
        match self.what {
            What::Wakeup(rank) => ranked(rank, &from.wakeup),
            What::Scheduling(rank) => ranked(rank, &from.scheduling),
            What::Response(mark, rank) => ranked(rank, from.responses.get(usize::from(mark))?),
            What::Rate(mark) => {
                Some(summary.throughput_milli.iter().find(|(index, _)| *index == mark).map_or(0, |(_, rate)| *rate))
            }
            What::Share(workload) => {
                let row = summary.workloads.iter().find(|row| row.id == u32::from(workload));
                let runtime = u128::from(row.map_or(0, |row| row.runtime));
                Some((runtime * 1000 / (u128::from(summary.to) * u128::from(from.cpus)).max(1)) as u64)
            }
            What::Switches => Some(summary.switches),
            What::Migrations => Some(summary.migrations),
            What::Fairness => Some(summary.fairness_permille.into()),
            What::Time(kind) => summary.times.get(usize::from(kind)).copied(),
            What::Events => Some(summary.events),
        }
    }
}
