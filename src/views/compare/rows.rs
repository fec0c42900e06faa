//! Rows of the table of differences: what is measured, in which order, and which value is the better one.

use crate::paint::number;
use crate::text::compare as words;
use sim_core::engine::protocol::{HistogramView, Loaded, SummaryView};
use sim_core::interchange::export::cell;
use sim_core::scenario::schema::Scenario;

/// Which value of a row is the better one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Better {
    /// The smaller one.
    Lower,
    /// The larger one.
    Higher,
    /// Neither: it depends.
    Neither,
}

/// A section with its rows.
pub struct Section {
    /// Heading.
    pub heading: String,
    /// Rows.
    pub rows: Vec<Row>,
}

/// A measure in all lanes.
pub struct Row {
    /// What.
    pub name: String,
    /// By lane; `None` while it is not known.
    pub values: Vec<Option<u64>>,
    /// How a value is written.
    pub show: Shown,
    /// Which is better.
    pub better: Better,
}

impl Row {
    /// Index of the best lane, if one is better than another.
    pub fn best(&self) -> Option<u64> {
        let known = || self.values.iter().flatten().copied();
        let (low, high) = (known().min()?, known().max()?);
        match self.better {
            _ if low == high => None,
            Better::Lower => Some(low),
            Better::Higher => Some(high),
            Better::Neither => None,
        }
    }

    /// Value of a lane against the first one: `1.20×`.
    pub fn ratio(&self, lane: usize) -> Option<String> {
        let (first, other) = ((*self.values.first()?)?, (*self.values.get(lane)?)?);
        ratio(first, other)
    }
}

/// What a value is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// Nanoseconds.
    Duration,
    /// A count.
    Count,
    /// A number between 0 and 1, in thousandths.
    Fraction,
    /// Per second, in thousandths.
    Rate,
    /// A part of the whole, in thousandths.
    Share,
}

impl Shown {
    /// For people.
    pub fn text(self, value: u64) -> String {
        match self {
            Shown::Duration => number::duration(value),
            Shown::Count => number::whole(i64::try_from(value).unwrap_or(i64::MAX)),
            Shown::Fraction => number::decimal(value / 1000, format_args!("{:03}", value % 1000)),
            Shown::Rate if value < 10_000 => number::decimal(value / 1000, format_args!("{:02}", value % 1000 / 10)),
            Shown::Rate => Shown::Count.text(value / 1000),
            Shown::Share => number::permille(u32::try_from(value).unwrap_or(u32::MAX)),
        }
    }

    /// For programs, with its unit.
    fn plain(self, value: u64) -> (String, &'static str) {
        let thousandths = || format!("{}.{:03}", value / 1000, value % 1000);
        match self {
            Shown::Duration => (value.to_string(), "ns"),
            Shown::Count => (value.to_string(), ""),
            Shown::Fraction => (thousandths(), ""),
            Shown::Rate => (thousandths(), "1/s"),
            Shown::Share => (format!("{}.{}", value / 10, value % 10), "%"),
        }
    }
}

/// The table for other programs: a row per measure, a column per lane.
pub fn csv(sections: &[Section], lanes: &[String]) -> String {
    let heads: Vec<String> = lanes.iter().map(|lane| cell(lane)).collect();
    let mut out = format!("section,measure,unit,{}\n", heads.join(","));
    for (section, row) in sections.iter().flat_map(|section| section.rows.iter().map(move |row| (section, row))) {
        let plain = |value: &Option<u64>| value.map_or(String::new(), |value| row.show.plain(value).0);
        let values: Vec<String> = row.values.iter().map(plain).collect();
        let unit = row.show.plain(0).1;
        out.push_str(&format!("{},{},{unit},{}\n", cell(&section.heading), cell(&row.name), values.join(",")));
    }
    out
}

/// `1.20×`, `18×`, `2 603×`; `None` where the first is nothing.
fn ratio(first: u64, other: u64) -> Option<String> {
    if first == 0 {
        return None;
    }
    let ratio = other as f64 / first as f64;
    let digits = if ratio < 10.0 { number::real(ratio, 2) } else { number::whole(ratio.round() as i64) };
    Some(format!("{digits}×"))
}

/// Values of all lanes.
type Summaries<'a> = &'a [Option<&'a SummaryView>];

fn row(
    name: impl Into<String>,
    summaries: Summaries,
    value: impl Fn(&SummaryView) -> Option<u64>,
    show: Shown,
    better: Better,
) -> Row {
    let values = summaries.iter().map(|summary| summary.and_then(&value)).collect();
    Row { name: name.into(), values, show, better }
}

/// Name of a row and what it reads of a histogram.
type Reading<'a> = (&'a str, fn(&HistogramView) -> u64);

/// p50, p95, p99 and the longest.
fn percentiles(summaries: Summaries, of: impl Fn(&SummaryView) -> Option<&HistogramView>) -> Vec<Row> {
    let cells: [Reading; 4] =
        [("p50", |h| h.p50), ("p95", |h| h.p95), ("p99", |h| h.p99), (words::LONGEST.say(), |h| h.max)];
    let one =
        |(name, pick): Reading| row(name, summaries, |summary| of(summary).map(pick), Shown::Duration, Better::Lower);
    cells.into_iter().map(one).collect()
}

/// Everything that is compared.
pub fn sections(summaries: Summaries, loaded: Option<&Loaded>, scenario: &Scenario) -> Vec<Section> {
    let mut sections = vec![
        Section { heading: words::WAKEUP.to_string(), rows: percentiles(summaries, |s| Some(&s.wakeup_latency)) },
        Section {
            heading: words::SCHEDULING.to_string(),
            rows: percentiles(summaries, |s| Some(&s.scheduling_latency)),
        },
    ];
    let marks = loaded.map_or(&[][..], |loaded| &loaded.marks);
    for (mark, name) in (0_u16..).zip(marks) {
        let of =
            |summary: &SummaryView| summary.response.iter().any(|(of, histogram)| *of == mark && histogram.count > 0);
        if summaries.iter().flatten().any(|summary| of(summary)) {
            let rows = percentiles(summaries, |s| s.response.iter().find(|(of, _)| *of == mark).map(|(_, h)| h));
            sections.push(Section { heading: words::response(name), rows });
        }
    }
    let per_mark = (0_u16..).zip(marks).map(|(mark, name)| {
        let value = move |s: &SummaryView| s.throughput_milli.iter().find(|(of, _)| *of == mark).map(|(_, rate)| *rate);
        row(name, summaries, value, Shown::Rate, Better::Higher)
    });
    let throughput: Vec<Row> = per_mark.filter(|row| row.values.iter().flatten().any(|rate| *rate > 0)).collect();
    if !throughput.is_empty() {
        sections.push(Section { heading: words::THROUGHPUT.to_string(), rows: throughput });
    }
    sections.push(Section { heading: words::COST.to_string(), rows: cost(summaries) });
    sections.push(Section { heading: words::SHARE.to_string(), rows: shares(summaries, loaded, scenario) });
    sections
}

fn cost(summaries: Summaries) -> Vec<Row> {
    vec![
        row(words::SWITCHES, summaries, |s| Some(s.switches), Shown::Count, Better::Lower),
        row(words::MIGRATIONS, summaries, |s| Some(s.migrations), Shown::Count, Better::Lower),
        row(words::SCHEDULER_TIME, summaries, |s| Some(s.times[2] + s.times[3]), Shown::Duration, Better::Lower),
        row(words::IDLE_TIME, summaries, |s| Some(s.times[5]), Shown::Duration, Better::Neither),
        row(words::FAIRNESS, summaries, |s| Some(u64::from(s.fairness_permille)), Shown::Fraction, Better::Higher),
    ]
}

/// Share of all CPUs' time: of groups where there are any, then of workloads.
fn shares(summaries: Summaries, loaded: Option<&Loaded>, scenario: &Scenario) -> Vec<Row> {
    let cpus = u64::from(loaded.map_or(1, |loaded| loaded.cpus).max(1));
    let groups = loaded.map_or(&[][..], |loaded| &loaded.groups);
    let tasks = loaded.map_or(&[][..], |loaded| &loaded.tasks);
    let part = move |ns: u64, s: &SummaryView| (u128::from(ns) * 1000 / u128::from(s.to.max(1) * cpus)) as u64;
    let mut rows = Vec::new();
    for (index, name) in groups.iter().enumerate().skip(1) {
        let of_group = |id: u32| tasks.get(id as usize).is_some_and(|task| usize::from(task.group) == index);
        let ns = |s: &SummaryView| s.tasks.iter().filter(|row| of_group(row.id)).map(|row| row.runtime).sum::<u64>();
        rows.push(row(words::group(name), summaries, |s| Some(part(ns(s), s)), Shown::Share, Better::Neither));
    }
    for (index, workload) in scenario.workloads.iter().enumerate() {
        let of =
            |s: &SummaryView| s.workloads.iter().find(|row| row.id as usize == index).map(|row| part(row.runtime, s));
        rows.push(row(&workload.name, summaries, of, Shown::Share, Better::Neither));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[u64], better: Better) -> Row {
        Row {
            name: String::new(),
            values: values.iter().map(|value| Some(*value)).collect(),
            show: Shown::Count,
            better,
        }
    }

    #[test]
    fn ratios_are_against_the_first_lane() {
        let row = of(&[5, 6, 13_000, 0], Better::Lower);
        let ratios: Vec<Option<String>> = (1..4).map(|lane| row.ratio(lane)).collect();
        assert_eq!(ratios[0].as_deref(), Some("1.20×"));
        assert_eq!(ratios[1], Some(format!("{}×", number::whole(2600))));
        assert_eq!(ratios[2].as_deref(), Some("0.00×"));
        assert_eq!(of(&[0, 6], Better::Lower).ratio(1), None);
    }

    #[test]
    fn the_table_for_programs_has_plain_numbers_and_no_formulas() {
        let rows = vec![
            Row { name: "=p50".into(), values: vec![Some(1_500), None], show: Shown::Duration, better: Better::Lower },
            Row { name: "x".into(), values: vec![Some(987), Some(1000)], show: Shown::Share, better: Better::Neither },
        ];
        let text = csv(&[Section { heading: "a, b".into(), rows }], &["A o1".into(), "B sd".into()]);
        assert_eq!(
            text,
            "section,measure,unit,\"A o1\",\"B sd\"\n\"a, b\",\"'=p50\",ns,1500,\n\"a, b\",\"x\",%,98.7,100.0\n"
        );
    }

    #[test]
    fn equal_values_have_no_best_one() {
        assert_eq!(of(&[5, 5], Better::Lower).best(), None);
        assert_eq!(of(&[5, 4], Better::Lower).best(), Some(4));
        assert_eq!(of(&[5, 4], Better::Higher).best(), Some(5));
        assert_eq!(of(&[5, 4], Better::Neither).best(), None);
    }
}
