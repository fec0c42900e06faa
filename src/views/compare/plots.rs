//! Graphs with all lanes over each other: latency by percentile, longest wait by task.

use super::lanes::letter;
use crate::paint::number;
use crate::text::compare as words;
use crate::views::controls::Names;
use sim_core::engine::protocol::{HistogramView, SummaryView};
use yew::prelude::*;

/// Size of a graph in its own units; the page scales it.
const SIZE: (f64, f64) = (380.0, 220.0);
/// Room for the axes: left, top, right, bottom.
const ROOM: (f64, f64, f64, f64) = (64.0, 10.0, 24.0, 24.0);
/// Tasks in the graph of waits.
const TASKS: usize = 8;
/// Nines of the right end of the percentile axis: 99.9 %.
const NINES: f64 = 3.0;
/// Shortest time on the log axes: 1 µs.
const SHORTEST: f64 = 1_000.0;

/// A value of the log axis as a share of its length.
fn log_share(ns: u64, longest: u64) -> f64 {
    let top = (longest.max(1_000_000) as f64 / SHORTEST).log10();
    ((ns.max(1) as f64 / SHORTEST).log10() / top).clamp(0.0, 1.0)
}

fn decades(longest: u64) -> Vec<u64> {
    let mut marks = vec![1_000];
    while let Some(next) = marks.last().map(|last| last * 10).filter(|next| *next <= longest.max(1_000_000)) {
        marks.push(next);
    }
    let every = marks.len().div_ceil(6);
    marks.into_iter().step_by(every).collect()
}

fn x_of(share: f64) -> f64 {
    ROOM.0 + share * (SIZE.0 - ROOM.0 - ROOM.2)
}

fn y_of(share: f64) -> f64 {
    SIZE.1 - ROOM.3 - share * (SIZE.1 - ROOM.1 - ROOM.3)
}

/// Place of a quantile: as many nines, as many equal steps.
fn nines(quantile: f64) -> f64 {
    (-(1.0 - quantile).max(1e-9).log10() / NINES).clamp(0.0, 1.0)
}

/// Steps of the curve: (share of x, ns).
fn curve(histogram: &HistogramView) -> Vec<(f64, u64)> {
    let mut points = Vec::new();
    let mut below = 0;
    for (bound, count) in histogram.bounds.iter().zip(&histogram.counts).filter(|(_, count)| **count > 0) {
        points.push((nines(below as f64 / histogram.count.max(1) as f64), (*bound).min(histogram.max)));
        below += count;
        points.push((nines(below as f64 / histogram.count.max(1) as f64), (*bound).min(histogram.max)));
    }
    points
}

/// Wake-up latency by percentile.
pub fn by_percentile(summaries: &[Option<&SummaryView>]) -> Html {
    let longest = summaries.iter().flatten().map(|summary| summary.wakeup_latency.max).max().unwrap_or(0);
    let rows = decades(longest).into_iter().map(|ns| {
        let y = y_of(log_share(ns, longest)).to_string();
        html! { <><line x1={ROOM.0.to_string()} x2={(SIZE.0 - ROOM.2).to_string()} y1={y.clone()} y2={y.clone()} class="grid" />
            <text x={(ROOM.0 - 6.0).to_string()} {y} dy="4" class="end">{ number::duration(ns) }</text></> }
    });
    let marks = [(0.0, "0"), (0.5, "50 %"), (0.9, "90 %"), (0.99, "99 %"), (0.999, "99.9 %")].into_iter().map(|(quantile, name)| {
        let x = x_of(nines(quantile)).to_string();
        html! { <><line x1={x.clone()} x2={x.clone()} y1={ROOM.1.to_string()} y2={(SIZE.1 - ROOM.3).to_string()} class="grid" />
            <text {x} y={(SIZE.1 - 8.0).to_string()} class="mid">{ name }</text></> }
    });
    let lines = summaries.iter().enumerate().filter_map(|(lane, summary)| {
        let points = curve(&(*summary)?.wakeup_latency);
        let (last_x, last_y) = points.last().copied()?;
        let path: Vec<String> =
            points.iter().map(|(x, ns)| format!("{:.1},{:.1}", x_of(*x), y_of(log_share(*ns, longest)))).collect();
        let (x, y) = (x_of(last_x) + 4.0, y_of(log_share(last_y, longest)));
        Some(html! { <g class={format!("line-{lane}")}><polyline points={path.join(" ")} />
        <text x={x.to_string()} y={y.to_string()} dy="4">{ letter(lane).to_string() }</text></g> })
    });
    graph(words::BY_PERCENTILE.say(), html! { <>{ for rows }{ for marks }{ for lines }</> })
}

/// Longest wait of each task, a point per lane on one line.
pub fn by_task(summaries: &[Option<&SummaryView>], names: &Names) -> Html {
    let longest_of = |summary: &SummaryView, id: u32| {
        summary.tasks.get(id as usize).filter(|row| row.id == id && row.latency.count > 0).map(|row| row.latency.max)
    };
    let all = |id: u32| summaries.iter().flatten().filter_map(move |summary| longest_of(summary, id)).max();
    let mut tasks: Vec<(u64, u32)> = names.tasks().iter().filter_map(|task| Some((all(task.id)?, task.id))).collect();
    tasks.sort_by_key(|(ns, task)| (std::cmp::Reverse(*ns), *task));
    tasks.truncate(TASKS);
    let longest = tasks.first().map_or(0, |(ns, _)| *ns);
    let left = 100.0;
    let x = |ns: u64| left + log_share(ns, longest) * (SIZE.0 - left - ROOM.2);
    let marks = decades(longest).into_iter().map(|ns| {
        let at = x(ns).to_string();
        html! { <><line x1={at.clone()} x2={at.clone()} y1={ROOM.1.to_string()} y2={(SIZE.1 - ROOM.3).to_string()} class="grid" />
            <text x={at} y={(SIZE.1 - 8.0).to_string()} class="mid">{ number::duration(ns) }</text></> }
    });
    let step = (SIZE.1 - ROOM.1 - ROOM.3) / TASKS as f64;
    let rows = tasks.iter().enumerate().map(|(row, (_, task))| {
        let y = ROOM.1 + (row as f64 + 0.5) * step;
        let points: Vec<(usize, f64)> = summaries
            .iter()
            .enumerate()
            .filter_map(|(lane, summary)| Some((lane, x(longest_of((*summary)?, *task)?))))
            .collect();
        let low = points.iter().map(|(_, x)| *x).fold(f64::MAX, f64::min);
        let high = points.iter().map(|(_, x)| *x).fold(f64::MIN, f64::max);
        let dots = points.iter().map(|(lane, x)| match lane {
            0 => html! { <circle cx={x.to_string()} cy={y.to_string()} r="4.5" class={format!("dot-{lane}")} /> },
            _ => html! { <rect x={(x - 4.0).to_string()} y={(y - 4.0).to_string()} width="8" height="8" class={format!("dot-{lane}")} /> },
        });
        html! { <><text x={(left - 8.0).to_string()} y={y.to_string()} dy="4" class="end name">{ names.task(*task) }</text>
            <line x1={low.to_string()} x2={high.to_string()} y1={y.to_string()} y2={y.to_string()} class="span" />{ for dots }</> }
    });
    graph(words::BY_TASK.say(), html! { <>{ for marks }{ for rows }</> })
}

fn graph(name: &'static str, picture: Html) -> Html {
    html! {
        <figure class="overlaid"><figcaption><b>{ name }</b><span class="t3">{ words::LOG }</span></figcaption>
            <svg viewBox={format!("0 0 {} {}", SIZE.0, SIZE.1)} role="img" aria-label={name}>{ picture }</svg></figure>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_are_visible_on_the_axis() {
        assert_eq!(nines(0.0), 0.0);
        assert!((nines(0.9) - 1.0 / 3.0).abs() < 1e-9 && (nines(0.999) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_curve_rises_to_the_longest() {
        let histogram = HistogramView {
            bounds: vec![1_000, 2_000, 4_000],
            counts: vec![90, 0, 10],
            max: 5_000,
            count: 100,
            ..HistogramView::default()
        };
        let curve = curve(&histogram);
        assert_eq!(curve.iter().map(|(_, ns)| *ns).collect::<Vec<_>>(), [1_000, 1_000, 4_000, 4_000]);
        assert!(curve.windows(2).all(|pair| pair[0].0 <= pair[1].0));
    }
}
