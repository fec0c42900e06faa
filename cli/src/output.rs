//! Printing: tables, JSON, CSV and schedules.

use serde_json::{Value, json};
use sim_core::engine::protocol::{HistogramView, SummaryView};
use sim_core::scenario::Compiled;

/// A time with a unit that suits it.
pub fn time(ns: u64) -> String {
    match ns {
        0..1_000 => format!("{ns} ns"),
        1_000..1_000_000 => format!("{}.{} µs", ns / 1_000, ns / 100 % 10),
        1_000_000..10_000_000_000 => format!("{}.{:02} ms", ns / 1_000_000, ns / 10_000 % 100),
        _ => format!("{}.{:02} s", ns / 1_000_000_000, ns / 10_000_000 % 100),
    }
}

fn permille(value: u64) -> String {
    format!("{}.{} %", value / 10, value % 10)
}

fn histogram_json(view: &HistogramView) -> Value {
    json!({"count": view.count, "mean_ns": view.mean, "p50_ns": view.p50, "p95_ns": view.p95, "p99_ns": view.p99,
           "max_ns": view.max})
}

/// All numbers of a run.
pub fn summary_json(policy: &str, summary: &SummaryView, compiled: &Compiled) -> Value {
    let mark = |index: u16| compiled.marks.get(usize::from(index)).cloned().unwrap_or_default();
    let name = |id: u32| compiled.tasks.iter().find(|task| task.id == id).map(|task| task.name.clone());
    let tasks: Vec<Value> = summary
        .tasks
        .iter()
        .map(|row| {
            json!({"id": row.id, "name": name(row.id), "runtime_ns": row.runtime, "wait_ns": row.wait,
                "sleep_ns": row.slept, "share_permille": row.share_permille, "fair_permille": row.fair_permille,
                "switches": row.switches, "migrations": row.migrations, "latency": histogram_json(&row.latency)})
        })
        .collect();
    let response: Vec<Value> = summary
        .response
        .iter()
        .map(|(index, view)| json!({"mark": mark(*index), "time": histogram_json(view)}))
        .collect();
    let throughput: Vec<Value> = summary
        .throughput_milli
        .iter()
        .map(|(index, rate)| json!({"mark": mark(*index), "per_second": *rate as f64 / 1000.0}))
        .collect();
    let [user, system, scheduler, spin, refill, idle] = summary.times;
    json!({"policy": policy, "simulated_ns": summary.to, "events": summary.events, "switches": summary.switches,
        "migrations": summary.migrations, "decisions": summary.decisions, "digest": format!("{:016x}", summary.digest),
        "wakeup_latency": histogram_json(&summary.wakeup_latency),
        "scheduling_latency": histogram_json(&summary.scheduling_latency), "response": response,
        "throughput": throughput, "fairness_permille": summary.fairness_permille,
        "time_ns": {"user": user, "system": system, "scheduler": scheduler, "spin": spin, "refill": refill, "idle": idle},
        "tasks": tasks})
}

/// The numbers for people.
pub fn print_summary(policy: &str, summary: &SummaryView, compiled: &Compiled) {
    println!("{policy}: {} simulated, {} events, digest {:016x}", time(summary.to), summary.events, summary.digest);
    let view = &summary.wakeup_latency;
    println!(
        "wakeup latency  p50 {}  p95 {}  p99 {}  max {}  ({} wakeups)",
        time(view.p50),
        time(view.p95),
        time(view.p99),
        time(view.max),
        view.count
    );
    for (mark, rate) in &summary.throughput_milli {
        let name = compiled.marks.get(usize::from(*mark)).map_or("", String::as_str);
        println!("throughput      {}.{:03} {name}/s", rate / 1000, rate % 1000);
    }
    println!(
        "{} switches, {} migrations, fairness {}",
        summary.switches,
        summary.migrations,
        permille(u64::from(summary.fairness_permille))
    );
    println!("\n{:<20} {:>9} {:>9} {:>12} {:>12} {:>12}", "task", "CPU", "fair", "waited", "latency p99", "max");
    for row in summary.tasks.iter().filter(|row| row.runtime > 0 || row.wait > 0) {
        let name = compiled.tasks.iter().find(|task| task.id == row.id).map_or("", |task| task.name.as_str());
        println!(
            "{name:<20} {:>9} {:>9} {:>12} {:>12} {:>12}",
            permille(u64::from(row.share_permille)),
            permille(u64::from(row.fair_permille)),
            time(row.wait),
            time(row.latency.p99),
            time(row.latency.max)
        );
    }
}

/// Several runs side by side; ratios are to the first.
pub fn print_comparison(keys: &[&str], summaries: &[SummaryView], compiled: &Compiled) {
    let row = |label: &str, values: Vec<u64>, show: &dyn Fn(u64) -> String| {
        print!("{label:<22}");
        for (index, value) in values.iter().enumerate() {
            print!(" {:>14}", show(*value));
            if index > 0 {
                match values[0] {
                    0 => print!(" {:>7}", "-"),
                    first => print!(" {:>6.2}x", *value as f64 / first as f64),
                }
            }
        }
        println!();
    };
    print!("{:<22}", "");
    for (index, key) in keys.iter().enumerate() {
        let width = if index == 0 { 14 } else { 22 };
        print!(" {key:>width$}");
    }
    println!();
    let of = |get: &dyn Fn(&SummaryView) -> u64| summaries.iter().map(get).collect::<Vec<u64>>();
    row("wakeup latency p50", of(&|s| s.wakeup_latency.p50), &time);
    row("wakeup latency p95", of(&|s| s.wakeup_latency.p95), &time);
    row("wakeup latency p99", of(&|s| s.wakeup_latency.p99), &time);
    row("wakeup latency max", of(&|s| s.wakeup_latency.max), &time);
    for (index, name) in compiled.marks.iter().enumerate() {
        let rate = |s: &SummaryView| {
            s.throughput_milli.iter().find(|(mark, _)| usize::from(*mark) == index).map_or(0, |(_, rate)| *rate)
        };
        row(&format!("{name} per second"), of(&rate), &|rate| format!("{}.{:03}", rate / 1000, rate % 1000));
        let response = |s: &SummaryView| {
            s.response.iter().find(|(mark, _)| usize::from(*mark) == index).map_or(0, |(_, view)| view.p95)
        };
        row(&format!("{name} response p95"), of(&response), &time);
    }
    row("switches", of(&|s| s.switches), &|n| n.to_string());
    row("migrations", of(&|s| s.migrations), &|n| n.to_string());
    row("fairness", of(&|s| u64::from(s.fairness_permille)), &permille);
}
