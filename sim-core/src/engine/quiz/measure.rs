//! Numbers that a question can ask for, read off a finished run.

use crate::engine::lane::Lane;
use crate::engine::protocol::{HistogramView, RowView, ShapeView, SummaryView};
use crate::engine::{structures, summary, text, window};
use crate::lesson::number;
use crate::lesson::schema::{Dimension, Measure, UNITS, Unit, WHATS, What};
use crate::scenario::schema::Scenario;
use crate::trace::task_log::Phase;
use crate::units::Nanos;

/// Names that are not in a lane.
pub(super) struct Names<'a> {
    /// For the workloads.
    pub scenario: &'a Scenario,
    /// Of marks, by index.
    pub marks: &'a [String],
}

/// A measured number.
pub(super) struct Value {
    /// In the base of its kind: ns, or thousandths.
    pub base: i64,
    /// Kind of unit.
    dimension: Dimension,
}

impl Value {
    /// The base value, if it can be given in this unit.
    pub fn in_unit(&self, unit: Unit) -> Result<i64, String> {
        if self.dimension.takes(unit) {
            return Ok(self.base);
        }
        let fitting: Vec<&str> = UNITS.iter().filter(|row| self.dimension.takes(row.1)).map(|row| row.0).collect();
        Err(format!("the number has another unit; use {}", fitting.join(" or ")))
    }

    /// The number with a unit that suits it.
    pub fn text(&self) -> String {
        match self.dimension {
            Dimension::Time => text::time(self.base.unsigned_abs()),
            Dimension::Percent => number::write(self.base, Unit::Percent),
            Dimension::Plain | Dimension::Any => number::write(self.base, Unit::Count),
        }
    }
}

/// Id of a task by its name.
pub(super) fn task(lane: &Lane, name: &str) -> Result<u32, String> {
    let ids = 0..lane.kernel().tasks().len() as u32;
    let mut found = ids.filter(|&id| lane.task_name(id) == name);
    match found.next() {
        Some(id) => Ok(id),
        None => {
            let names: Vec<String> = (0..lane.tasks_at_start().min(12) as u32).map(|id| lane.task_name(id)).collect();
            Err(format!("there is no task {name:?}; known: {}", names.join(", ")))
        }
    }
}

/// Start, end and CPU of the first run of a task that begins at `t` or later.
pub(super) fn next_run(lane: &Lane, task: u32, t: Nanos) -> Option<(Nanos, Option<Nanos>, u16)> {
    let log = lane.trace().task(task)?;
    let finished = log.runs(t).find(|run| run.start >= t).map(|run| (run.start, Some(run.end), run.cpu));
    finished.or(match log.phase() {
        Phase::Running { start, .. } if start >= t => Some((start, None, cpu_of_running(lane, task)?)),
        _ => None,
    })
}

fn cpu_of_running(lane: &Lane, task: u32) -> Option<u16> {
    let kernel = lane.kernel();
    (0..kernel.cpus()).find(|&cpu| kernel.curr(crate::units::CpuId(cpu)).is_some_and(|curr| curr.0 == task))
}

/// The number that `what` names, at the moment `t`.
pub(super) fn measure(lane: &mut Lane, names: &Names<'_>, t: Nanos, what: &Measure) -> Result<Value, String> {
    let dimension = WHATS.iter().find(|row| row.1 == what.what).map_or(Dimension::Any, |row| row.2);
    let before = t.saturating_sub(1);
    let time = |ns: Nanos| i64::try_from(ns).map_err(|_| "the time is too long".to_string());
    let plain =
        |n: u64| i64::try_from(n).ok().and_then(|n| n.checked_mul(1000)).ok_or("the number is too large".to_string());
    let base = match what.what {
        What::Run => time(run_length(lane, t, what)?)?,
        What::Wait => {
            let id = task(lane, &what.of)?;
            let run = next_run(lane, id, t).ok_or_else(|| format!("{} does not run again", what.of))?;
            time(run.0 - t)?
        }
        What::Waiting => plain(waiting(lane, before, what.cpu))?,
        What::Bit => plain(first_bit(lane, before, what)?.into())?,
        What::Gauge => return gauge(lane, before, what),
        What::Switches | What::Migrations | What::Runs | What::Share | What::Runtime | What::Idle | What::Scheduler => {
            stretch(lane, names, what)?
        }
        What::LatencyP50 | What::LatencyP99 | What::LatencyMax => {
            let view = summary(lane, what.lane, what.to.unwrap_or(Nanos::MAX));
            let histogram =
                if what.of.is_empty() { view.wakeup_latency } else { row(lane, names, &view, &what.of)?.latency };
            if histogram.count == 0 {
                return Err("nobody was woken".into());
            }
            time(percentile(&histogram, what.what))?
        }
        What::ResponseP50 | What::ResponseP99 | What::ResponseMax => {
            let view = summary(lane, what.lane, what.to.unwrap_or(Nanos::MAX));
            let mark = mark(names, &what.of)?;
            let found = view.response.iter().find(|(index, _)| *index == mark);
            let (_, histogram) = found.ok_or("no request was answered")?;
            time(percentile(histogram, what.what))?
        }
        What::Throughput => {
            let view = summary(lane, what.lane, what.to.unwrap_or(Nanos::MAX));
            let mark = mark(names, &what.of)?;
            let found = view.throughput_milli.iter().find(|(index, _)| *index == mark);
            time(found.map_or(0, |(_, rate)| *rate))?
        }
        What::Fairness => plain(summary(lane, what.lane, what.to.unwrap_or(Nanos::MAX)).fairness_permille.into())? / 10,
    };
    Ok(Value { base, dimension })
}

fn run_length(lane: &Lane, t: Nanos, what: &Measure) -> Result<Nanos, String> {
    let unfinished = || "the run of the machine ends before it does".to_string();
    if !what.of.is_empty() {
        let id = task(lane, &what.of)?;
        let (start, end, _) = next_run(lane, id, t).ok_or_else(|| format!("{} does not run again", what.of))?;
        return end.map(|end| end - start).ok_or_else(unfinished);
    }
    if what.cpu >= lane.trace().cpus() {
        return Err(format!("there is no CPU {}", what.cpu));
    }
    let log = lane.trace().cpu(what.cpu);
    let mut rows = log.slices(log.after(t).head.slice.saturating_sub(1), lane.front());
    let row = rows.find(|row| row.start <= t && t < row.end).ok_or_else(unfinished)?;
    if row.ended == crate::trace::mip::OPEN { Err(unfinished()) } else { Ok(row.end - t) }
}

fn waiting(lane: &Lane, t: Nanos, cpu: u16) -> u64 {
    let wanted = window::Wanted { cpus: &[cpu], tasks: &[] };
    let view = window::window(lane, 0, (t, t + 1), 1, &wanted);
    view.cpus.first().and_then(|cpu| cpu.queue_n.last().copied()).map_or(0, u64::from)
}

fn first_bit(lane: &mut Lane, t: Nanos, what: &Measure) -> Result<u32, String> {
    let view = structures::structures(lane, what.lane, t, what.cpu);
    let shapes = view.panels.iter().flat_map(|panel| &panel.shapes);
    let mut hits = shapes.filter_map(|shape| match shape {
        ShapeView::Bitmap { label, hit: Some(hit), .. } if what.label.is_empty() || *label == what.label => Some(*hit),
        _ => None,
    });
    hits.next().ok_or_else(|| "this scheduler has no bitmap with a set bit there".into())
}

fn gauge(lane: &mut Lane, t: Nanos, what: &Measure) -> Result<Value, String> {
    let id = task(lane, &what.of)?;
    let facts = structures::facts(lane.state_at(t), id);
    let Some(gauge) = facts.iter().find(|gauge| gauge.label == what.label) else {
        let labels: Vec<&str> = facts.iter().map(|gauge| gauge.label.as_str()).collect();
        return Err(format!("{} has no gauge {:?}; known: {}", what.of, what.label, labels.join(", ")));
    };
    let (dimension, factor) = match gauge.unit.as_str() {
        "ns" | "virtual" => (Dimension::Time, 1),
        "percent" => (Dimension::Percent, 1000),
        _ => (Dimension::Plain, 1000),
    };
    let base = gauge.value.checked_mul(factor).ok_or("the number is too large")?;
    Ok(Value { base, dimension })
}

/// A number of `from..to`: what had come together at the end less what had at the start.
fn stretch(lane: &mut Lane, names: &Names<'_>, what: &Measure) -> Result<i64, String> {
    let end = what.to.unwrap_or_else(|| lane.duration());
    let start = what.from.unwrap_or(0);
    let length = end.saturating_sub(start).max(1);
    let mut at = |t: Nanos| -> Result<u64, String> {
        if t == 0 {
            return Ok(0);
        }
        let view = summary(lane, what.lane, t);
        let of =
            |view: &SummaryView| if what.of.is_empty() { Ok(None) } else { row(lane, names, view, &what.of).map(Some) };
        let [_, _, scheduler, spin, _, idle] = view.times;
        Ok(match what.what {
            What::Migrations => of(&view)?.map_or(view.migrations, |row| row.migrations),
            What::Runs => of(&view)?.map_or(view.switches, |row| row.switches),
            What::Share | What::Runtime => match of(&view)? {
                Some(row) => row.runtime,
                None => view.tasks.iter().map(|row| row.runtime).sum(),
            },
            What::Idle => idle,
            What::Scheduler => scheduler + spin,
            _ => view.switches,
        })
    };
    let counted = at(end)?.saturating_sub(at(start)?);
    let cpus = u128::from(lane.kernel().cpus());
    let percent = |of: u128| (u128::from(counted) * 100_000 / of.max(1)) as i64;
    Ok(match what.what {
        What::Share => percent(length.into()),
        What::Idle | What::Scheduler => percent(u128::from(length) * cpus),
        What::Runtime => i64::try_from(counted).unwrap_or(i64::MAX),
        _ => i64::try_from(counted).unwrap_or(i64::MAX).saturating_mul(1000),
    })
}

/// Numbers of a workload, or of a task.
fn row(lane: &Lane, names: &Names<'_>, view: &SummaryView, of: &str) -> Result<RowView, String> {
    if let Some(index) = names.scenario.workloads.iter().position(|workload| workload.name == of) {
        let row = view.workloads.iter().find(|row| row.id as usize == index).cloned();
        return row.ok_or_else(|| format!("{of} has no tasks"));
    }
    let id = task(lane, of)?;
    view.tasks.get(id as usize).cloned().ok_or_else(|| format!("{of} has no numbers"))
}

fn mark(names: &Names<'_>, of: &str) -> Result<u16, String> {
    let found = (0_u16..).zip(names.marks).find(|(_, name)| *name == of || of.is_empty());
    found.map(|(index, _)| index).ok_or_else(|| format!("there is no mark {of:?}; known: {}", names.marks.join(", ")))
}

fn percentile(histogram: &HistogramView, what: What) -> Nanos {
    match what {
        What::LatencyP99 | What::ResponseP99 => histogram.p99,
        What::LatencyMax | What::ResponseMax => histogram.max,
        _ => histogram.p50,
    }
}
