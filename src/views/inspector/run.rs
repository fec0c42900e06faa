//! Numbers of the whole run, and how the scheduler compares with the real kernel.

use crate::paint::number;
use crate::text::{Word, history, inspector as words};
use crate::views::controls::{Icon, Names, icon};
use sim_core::engine::protocol::{HistogramView, SummaryView};
use sim_core::scenario::schema::Scenario;
use yew::prelude::*;

/// Workloads in the table.
const ROWS: usize = 6;

/// Numbers of the run.
pub fn section(names: &Names, scenario: &Scenario, summary: &SummaryView) -> Html {
    let mut rows: Vec<Html> = Vec::new();
    for row in summary.workloads.iter().filter(|row| row.latency.count > 0).take(ROWS) {
        let name = scenario.workloads.get(row.id as usize).map_or("", |workload| workload.name.as_str());
        let first = names.of_workload(row.id as usize).next().map(|task| task.id);
        let swatch = first.map(|task| names.program_swatch(task)).unwrap_or_default();
        let head = html! { <span class="tk"><i class={swatch} />{ name }</span> };
        rows.push(latency_row(head, &row.latency));
    }
    rows.push(latency_row(html! { { words::ALL_TASKS } }, &summary.wakeup_latency));
    html! {
        <div class="psec" data-testid="whole-run">
            <h3>{ words::WHOLE_RUN }<span class="grow" /><span class="t3 normal">{ number::duration(summary.to) }</span></h3>
            <table><thead><tr><th scope="col">{ words::LATENCY }</th><th class="num" scope="col">{ "p50" }</th>
                <th class="num" scope="col">{ "p95" }</th><th class="num" scope="col">{ "p99" }</th>
                <th class="num" scope="col">{ "max" }</th></tr></thead>
                <tbody>{ for rows }</tbody></table>
            <dl class="kv spaced">{ for sums(summary) }</dl>
        </div>
    }
}

fn latency_row(head: Html, latency: &HistogramView) -> Html {
    let cells = [latency.p50, latency.p95, latency.p99, latency.max];
    let cells = cells.into_iter().map(|ns| html! { <td class="num">{ number::duration(ns) }</td> });
    html! { <tr><th scope="row">{ head }</th>{ for cells }</tr> }
}

fn sums(summary: &SummaryView) -> Vec<Html> {
    let count = |value: u64| number::whole(i64::try_from(value).unwrap_or(i64::MAX));
    let per_second = u128::from(summary.switches) * 1_000_000_000 / u128::from(summary.to.max(1));
    let total: u64 = summary.times.iter().sum();
    let idle = summary.times[5];
    let busy = (u128::from(total - idle) * 1000 / u128::from(total.max(1))) as u32;
    let jain = summary.fairness_permille;
    let pair = |name: Word, value: String, more: String| {
        html! { <><dt>{ name }</dt><dd>{ value }if !more.is_empty() { <span class="t3">{ " " }{ more }</span> }</dd></> }
    };
    let mut rows = vec![
        pair(words::SWITCHES, count(summary.switches), format!("{}/s", number::whole(per_second as i64))),
        pair(words::MIGRATIONS, count(summary.migrations), String::new()),
        pair(words::DECISIONS, count(summary.decisions), String::new()),
        pair(words::BUSY, number::permille(busy), String::new()),
        // All of it: there is no time that belongs to none of these.
        pair(words::TIME, history::kinds(&summary.times), String::new()),
    ];
    if jain > 0 {
        rows.push(pair(
            words::FAIRNESS,
            number::decimal(jain / 1000, format_args!("{:03}", jain % 1000)),
            "Jain".into(),
        ));
    }
    rows
}

/// How the scheduler compares with recorded schedules of the real kernel.
pub fn golden(kernel: &str, (matched, recorded): (u32, u32)) -> Html {
    if recorded == 0 {
        return Html::default();
    }
    let all = matched == recorded;
    html! {
        <div class="psec" data-testid="golden">
            <div class="row golden"><span class={if all { "good" } else { "warn" }}>{ icon(if all { Icon::Check } else { Icon::Flag }) }</span>
                <span>{ words::golden(kernel) }<b>{ words::OF.fill(&[&matched, &recorded]) }</b>{ words::RECORDED }</span></div>
        </div>
    }
}
