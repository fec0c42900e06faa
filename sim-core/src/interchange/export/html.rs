//! One page with everything a reader needs: picture, tables, link. It holds no script and asks for nothing; texts of
//! the scenario are escaped.

use super::Facts;
use crate::engine::protocol::{HistogramView, SummaryView};
use std::fmt::Write;

/// A text inside HTML or SVG.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            letter if letter.is_control() => out.push(' '),
            letter => out.push(letter),
        }
    }
    out
}

const HEAD: &str = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
<style>body{font:14px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:1280px;padding:0 1rem;color:#111;background:#fff}\
svg{max-width:100%;height:auto}table{border-collapse:collapse;margin:1rem 0;font-variant-numeric:tabular-nums}\
th,td{padding:.2rem .7rem;border-bottom:1px solid #ccc;text-align:right}th:first-child,td:first-child{text-align:left}\
a{overflow-wrap:anywhere}figure{margin:0;overflow-x:auto}</style>";

/// Milliseconds with three decimals.
fn ms(ns: u64) -> String {
    format!("{}.{:03}", ns / 1_000_000, ns / 1_000 % 1_000)
}

fn percent(permille: u32) -> String {
    format!("{}.{} %", permille / 10, permille % 10)
}

/// The page around a picture (SVG).
pub fn page(facts: &Facts, summary: &SummaryView, picture: &str) -> String {
    let title = escaped(if facts.title.is_empty() { "Schedscope" } else { &facts.title });
    let mut out = format!("{HEAD}<title>{title}</title></head><body><h1>{title}</h1>\n");
    // Writing to a String cannot fail, here and below.
    let _ = writeln!(
        out,
        "<p>{} on {} CPUs, {} ms simulated, {} events, digest <code>{:016x}</code>.</p>",
        escaped(&facts.policy),
        facts.cpus,
        ms(summary.to),
        summary.events,
        summary.digest
    );
    if facts.link.starts_with("https://") || facts.link.starts_with("http://") {
        let link = escaped(&facts.link);
        let _ = writeln!(out, "<p><a href=\"{link}\" rel=\"noreferrer\">{link}</a></p>");
    }
    let _ = writeln!(out, "<figure>{picture}</figure>");
    whole_run(facts, summary, &mut out);
    tasks(facts, summary, &mut out);
    out.push_str("</body></html>\n");
    out
}

fn whole_run(facts: &Facts, summary: &SummaryView, out: &mut String) {
    out.push_str("<h2>Whole run</h2><table><tr><th>latency, ms</th><th>p50</th><th>p95</th><th>p99</th><th>max</th><th>samples</th></tr>\n");
    let mut row = |name: &str, view: &HistogramView| {
        let _ = writeln!(
            out,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escaped(name),
            ms(view.p50),
            ms(view.p95),
            ms(view.p99),
            ms(view.max),
            view.count
        );
    };
    row("wakeup", &summary.wakeup_latency);
    row("scheduling", &summary.scheduling_latency);
    let mark = |index: u16| facts.marks.get(usize::from(index)).map_or("", String::as_str);
    for (index, view) in &summary.response {
        row(&format!("response of {}", mark(*index)), view);
    }
    out.push_str("</table><table>\n");
    let mut line = |name: &str, value: String| {
        let _ = writeln!(out, "<tr><td>{}</td><td>{value}</td></tr>", escaped(name));
    };
    for (index, rate) in &summary.throughput_milli {
        line(&format!("{} per second", mark(*index)), format!("{}.{:03}", rate / 1000, rate % 1000));
    }
    line("context switches", summary.switches.to_string());
    line("migrations", summary.migrations.to_string());
    line("decisions", summary.decisions.to_string());
    line("fairness (Jain)", format!("0.{:03}", summary.fairness_permille).replace("0.1000", "1.000"));
    let kinds = ["user", "system", "scheduler", "lock spin", "cache refill", "idle"];
    for (kind, ns) in kinds.iter().zip(summary.times) {
        line(&format!("{kind}, ms of all CPUs"), ms(ns));
    }
    out.push_str("</table>\n");
}

fn tasks(facts: &Facts, summary: &SummaryView, out: &mut String) {
    out.push_str("<h2>Tasks</h2><table><tr><th>task</th><th>CPU time, ms</th><th>share</th><th>fair</th><th>waited, ms</th><th>slept, ms</th><th>switches</th><th>migrations</th><th>wakeup p99, ms</th><th>max, ms</th></tr>\n");
    for row in summary.tasks.iter().filter(|row| row.runtime > 0 || row.wait > 0) {
        let _ = writeln!(
            out,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escaped(facts.name(row.id)),
            ms(row.runtime),
            percent(row.share_permille),
            percent(row.fair_permille),
            ms(row.wait),
            ms(row.slept),
            row.switches,
            row.migrations,
            ms(row.latency.p99),
            ms(row.latency.max)
        );
    }
    out.push_str("</table>\n");
}
