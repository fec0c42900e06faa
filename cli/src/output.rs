//! Printing: tables, JSON, CSV and schedules.

use serde_json::{Value, json};
use sim_core::engine::lane::Lane;
use sim_core::engine::protocol::{HistogramView, IDLE, SummaryView};
use sim_core::scenario::Compiled;
use std::fmt::Write as _;
use std::path::Path;

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

/// One line per task.
pub fn summary_csv(summary: &SummaryView, compiled: &Compiled) -> String {
    let mut out =
        String::from("task,runtime_ns,wait_ns,sleep_ns,share_permille,switches,migrations,p50_ns,p99_ns,max_ns\n");
    for row in &summary.tasks {
        let name = compiled.tasks.iter().find(|task| task.id == row.id).map_or("", |task| task.name.as_str());
        // Spreadsheets take such a cell for a formula.
        let guard = if name.starts_with(['=', '+', '-', '@']) { "'" } else { "" };
        let name = format!("{guard}{}", name.replace('"', "\"\""));
        let _ = writeln!(
            out,
            "\"{name}\",{},{},{},{},{},{},{},{},{}",
            row.runtime,
            row.wait,
            row.slept,
            row.share_permille,
            row.switches,
            row.migrations,
            row.latency.p50,
            row.latency.p99,
            row.latency.max
        );
    }
    out
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

/// Writes the schedule in the format that the file's ending names.
pub fn write_trace(lane: &Lane, path: &Path) -> Result<(), String> {
    let text = match path.extension().and_then(|extension| extension.to_str()) {
        Some("json") => chrome_trace(lane),
        Some("txt") => ftrace(lane),
        _ => return Err(format!("{}: the ending must be .json (Chrome trace) or .txt (ftrace)", path.display())),
    };
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Microseconds with three decimals, made from whole nanoseconds.
fn micros(ns: u64) -> String {
    format!("{}.{:03}", ns / 1000, ns % 1000)
}

/// Chrome Trace Event JSON: process 1 has one thread per CPU.
fn chrome_trace(lane: &Lane) -> String {
    let mut out = String::from("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
    out.push_str("{\"ph\":\"M\",\"ts\":0,\"pid\":1,\"tid\":0,\"name\":\"process_name\",\"args\":{\"name\":\"CPUs\"}}");
    for cpu in 0..lane.trace().cpus() {
        let _ = write!(
            out,
            ",\n{{\"ph\":\"M\",\"ts\":0,\"pid\":1,\"tid\":{cpu},\"name\":\"thread_name\",\"args\":{{\"name\":\"cpu {cpu}\"}}}}"
        );
    }
    let mut slices = slices(lane);
    slices.sort_by_key(|&(start, end, cpu, _)| (start, std::cmp::Reverse(end), cpu));
    for (start, end, cpu, task) in slices {
        let name = json!(lane.task_name(task));
        let _ = write!(
            out,
            ",\n{{\"ph\":\"X\",\"ts\":{},\"dur\":{},\"pid\":1,\"tid\":{cpu},\"name\":{name}}}",
            micros(start),
            micros(end - start)
        );
    }
    out.push_str("\n]}\n");
    out
}

/// (start, end, cpu, task) of every slice that has a length.
fn slices(lane: &Lane) -> Vec<(u64, u64, u16, u32)> {
    let mut slices = Vec::new();
    for cpu in 0..lane.trace().cpus() {
        for row in lane.trace().cpu(cpu).slices(0, lane.front()) {
            if row.task != IDLE && row.end > row.start {
                slices.push((row.start, row.end, cpu, row.task));
            }
        }
    }
    slices
}

/// ftrace text with one `sched_switch` per switch; thread ids are our task numbers plus one.
fn ftrace(lane: &Lane) -> String {
    let mut rows: Vec<(u64, u16, String)> = Vec::new();
    let who = |task: u32| if task == IDLE { ("swapper".to_string(), 0) } else { (lane.task_name(task), task + 1) };
    for cpu in 0..lane.trace().cpus() {
        let mut prev = IDLE;
        let mut prev_state = 'R';
        for row in lane.trace().cpu(cpu).slices(0, lane.front()) {
            if row.end == row.start {
                continue;
            }
            if row.task != prev {
                let ((from, from_id), (to, to_id)) = (who(prev), who(row.task));
                let text = format!(
                    "{from:>16}-{from_id:<5} [{cpu:03}] d..2 {:>5}.{:09}: sched_switch: prev_comm={from} prev_pid={from_id} prev_prio=120 prev_state={prev_state} ==> next_comm={to} next_pid={to_id} next_prio=120",
                    row.start / 1_000_000_000,
                    row.start % 1_000_000_000
                );
                rows.push((row.start, cpu, text));
            }
            prev = row.task;
            prev_state = state_letter(row.ended);
        }
    }
    rows.sort_by_key(|(at, cpu, _)| (*at, *cpu));
    let mut out = format!(
        "# tracer: nop\n#\n# entries-in-buffer/entries-written: {0}/{0}   #P:{1}\n#\n",
        rows.len(),
        lane.trace().cpus()
    );
    for (_, _, text) in rows {
        out.push_str(&text);
        out.push('\n');
    }
    out
}

/// ftrace's letter for why a task left the CPU ([`sim_core::kernel::record::SliceEnd`] as a number).
fn state_letter(ended: u8) -> char {
    use sim_core::kernel::record::SliceEnd;
    if ended == SliceEnd::Slept as u8 {
        'S'
    } else if ended == SliceEnd::Blocked as u8 {
        'D'
    } else if ended == SliceEnd::Exited as u8 {
        'X'
    } else {
        'R'
    }
}
