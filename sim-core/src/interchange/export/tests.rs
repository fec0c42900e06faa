//! A small run written in every format and read back.

use super::*;
use crate::engine::Engine;
use crate::engine::protocol::{Ask, LogWhat, Reply, Request};
use crate::scenario::builtins::BUILTINS;

/// A finished engine with its scenario.
fn run(scenario: &str) -> (Engine, Loaded, SummaryView) {
    let mut engine = Engine::new();
    let mut out = Vec::new();
    engine.ask(Request { seq: 1, ask: Ask::SetScenario(scenario.into()) });
    while engine.work(1 << 16, &mut out) {}
    engine.ask(Request { seq: 2, ask: Ask::Summary { lane: 0, to: u64::MAX } });
    engine.work(0, &mut out);
    let loaded = out.iter().find_map(|answer| match &answer.reply {
        Reply::Loaded(loaded) => Some((**loaded).clone()),
        _ => None,
    });
    let summary = out.iter().find_map(|answer| match &answer.reply {
        Reply::Summary(summary) => Some((**summary).clone()),
        _ => None,
    });
    (engine, loaded.expect("a good scenario"), summary.expect("the lane exists"))
}

fn log(engine: &mut Engine, from: u64, entries_min: u32) -> LogView {
    let mut out = Vec::new();
    engine.ask(Request { seq: 9, ask: Ask::Log { lane: 0, from, entries_min } });
    engine.work(0, &mut out);
    match out.into_iter().map(|answer| answer.reply).next() {
        Some(Reply::Log(view)) => *view,
        other => panic!("{other:?}"),
    }
}

fn write(format: Format, scenario: &str, part: u32) -> (String, SummaryView) {
    let (bytes, summary) = write_bytes(format, scenario, part);
    (String::from_utf8(bytes).expect("a text"), summary)
}

fn write_bytes(format: Format, scenario: &str, part: u32) -> (Vec<u8>, SummaryView) {
    let (mut engine, loaded, summary) = run(scenario);
    let mut writer = Writer::new(format, Facts::new(&loaded, 0, "https://example.org/#v=1&ex=<x>".into()));
    let mut out = Vec::new();
    let mut from = 0;
    loop {
        let view = log(&mut engine, from, part);
        out.extend(writer.feed(&view));
        if view.next > view.simulated || view.next == from {
            break;
        }
        from = view.next;
    }
    out.extend(writer.end(&summary));
    (out, summary)
}

fn builtin(index: usize) -> String {
    scenario::to_json(&BUILTINS[index].scenario())
}

const SMALL: &str = r#"{"v":1,"title":"<b>&\"small\"","duration_ns":1000000000,"machine":{"cores":2},
    "lanes":[{"policy":"o1-2.6.21"}],"workloads":[
    {"name":"hog","kind":"hog","count":3,"nice":5},
    {"name":"=fifo [(x)]","kind":"program","class":"fifo","rt_priority":10,"program":[["loop",3,[["run",1000000],["signal","c"],["sleep",50000000]]],["exit"]]},
    {"name":"woken","kind":"program","program":[["loop",0,[["wait","c"],["run",2000000]]]]}]}"#;

#[test]
fn parts_of_any_size_give_the_same_file() {
    for format in Format::ALL {
        let (whole, _) = write_bytes(format, SMALL, u32::MAX);
        let (parts, _) = write_bytes(format, SMALL, 1);
        assert!(whole == parts, "{format:?}");
    }
}

#[test]
fn the_log_names_wakers_while_they_run() {
    for index in 0..BUILTINS.len() {
        let (mut engine, loaded, _) = run(&builtin(index));
        let view = log(&mut engine, 0, 200_000);
        let mut curr = vec![IDLE; usize::from(loaded.cpus)];
        let mut last = 0;
        for entry in &view.entries {
            assert!(entry.t >= last, "time goes forward");
            last = entry.t;
            match entry.what {
                LogWhat::Switch { next, .. } => curr[usize::from(entry.cpu)] = next,
                LogWhat::Wake { waker, .. } if waker != IDLE => {
                    assert!(curr.contains(&waker), "{index}: {entry:?}: the waker runs on {curr:?}");
                }
                LogWhat::Wake { .. } | LogWhat::New { .. } | LogWhat::Migrate { .. } => {}
            }
        }
        assert!(!view.entries.is_empty());
    }
}

#[test]
fn intervals_add_up_to_what_the_engine_counted() {
    let (text, summary) = write(Format::Intervals, SMALL, 100);
    for row in &summary.tasks {
        let sum = |state: &str| -> u64 {
            let rows = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
            rows.filter(|cells| cells[0] == row.id.to_string() && cells[2] == state)
                .map(|cells| cells[5].parse::<u64>().unwrap() - cells[4].parse::<u64>().unwrap())
                .sum()
        };
        assert_eq!((sum("running"), sum("runnable")), (row.runtime, row.wait), "task {}", row.id);
    }
    let (metrics, _) = write(Format::Metrics, SMALL, 100);
    assert!(metrics.contains("\"hog-3\"") && !metrics.contains("hog-4"), "a row per task that there was: {metrics}");
    assert!(text.contains("\"'=fifo [(x)]\""), "formulas are guarded");
}

#[test]
fn chrome_json_is_json_with_pairs_of_begin_and_end_in_order() {
    let (text, summary) = write(Format::Chrome, SMALL, 100);
    assert!(
        text.contains("\"name\":\"hog-3\"") && !text.contains("hog-4"),
        "places that a workload keeps for more tasks are no tasks"
    );
    // The first signal comes before anyone waits.
    check_chrome(&text, &summary, Some(2));
    for length in [600_000_000u64, 1_000_000_000, 2_000_000_000] {
        let hogs = format!(
            r#"{{"v":1,"seed":7,"duration_ns":{length},"machine":{{"cores":2}},"lanes":[{{"policy":"o1-2.6.21"}}],
            "workloads":[{{"name":"hogs","kind":"hog","count":3}},{{"name":"editor","kind":"sleeper"}}]}}"#
        );
        let (text, summary) = write(Format::Chrome, &hogs, 1000);
        check_chrome(&text, &summary, None);
    }
}

fn check_chrome(text: &str, summary: &SummaryView, wakeups: Option<u32>) {
    let value: serde_json::Value = serde_json::from_str(text).unwrap();
    let events = value["traceEvents"].as_array().unwrap();
    let mut open = std::collections::BTreeMap::new();
    let (mut last, mut ran, mut arrows) = (0, 0, [0, 0]);
    for event in events {
        let text = event["ts"].to_string();
        let (whole, part) = text.split_once('.').unwrap_or((&text, "000"));
        let ts = whole.parse::<u64>().unwrap() * 1000 + format!("{part:0<3}").parse::<u64>().unwrap();
        let lane = (event["pid"].as_u64(), event["tid"].as_u64());
        match event["ph"].as_str().unwrap() {
            "M" => continue,
            "B" => assert_eq!(open.insert(lane, ts), None, "nothing overlaps on {lane:?}"),
            "E" => {
                let start = open.remove(&lane).expect("an end has a beginning");
                ran += if lane.0 == Some(1) { ts - start } else { 0 };
            }
            "s" => arrows[0] += 1,
            "f" => arrows[1] += 1,
            "C" => {}
            other => panic!("{other}"),
        }
        assert!(ts >= last, "sorted");
        last = ts;
    }
    assert_eq!(ran, summary.tasks.iter().map(|row| row.runtime).sum::<u64>());
    assert!(arrows[0] >= arrows[1], "no arrow ends that did not begin");
    assert!(wakeups.is_none_or(|wakeups| arrows == [wakeups, wakeups]), "each wakeup by a task has an arrow");
    assert!(open.is_empty(), "all is closed: {open:?}");
}

#[test]
fn ftrace_lines_form_a_chain_on_each_cpu() {
    let (text, summary) = write(Format::Ftrace, SMALL, 100);
    let mut curr = [0u64; 2];
    let mut switches = 0;
    for line in text.lines().filter(|line| line.contains("sched_switch: ")) {
        let number = |key: &str| line.split(key).nth(1).unwrap().split(' ').next().unwrap().parse::<u64>().unwrap();
        let cpu: usize = line.split('[').nth(1).unwrap().split(']').next().unwrap().parse().unwrap();
        assert_eq!(number("prev_pid="), curr[cpu], "{line}");
        curr[cpu] = number("next_pid=");
        switches += 1;
    }
    assert_eq!(switches, summary.switches);
    assert!(text.contains("prev_prio=89") && text.contains("prev_prio=125"), "kernel priorities");
    assert!(text.contains("sched_process_exit: comm=_fifo___x__ ") && text.contains("prev_state=X"));
    let woken = text.lines().filter(|line| line.contains("sched_waking: comm=woken"));
    assert!(
        woken.clone().count() == 2 && woken.clone().all(|line| line.trim_start().starts_with("_fifo___x__-")),
        "{text}"
    );
}

#[test]
fn a_page_holds_no_text_as_markup_and_asks_for_nothing() {
    let (text, summary) = write(Format::Html, SMALL, 1000);
    assert!(text.contains("&lt;b&gt;&amp;&quot;small&quot;") && !text.contains("<b>") && !text.contains("<script"));
    assert!(
        text.contains(&format!("{:016x}", summary.digest)) && text.contains("<svg") && text.contains("#v=1&amp;ex=")
    );
    let sources = text.matches("src=").count() + text.matches("url(").count() + text.matches("<link").count();
    assert_eq!(sources, 0, "nothing to load");
}

#[test]
fn an_exported_trace_comes_back_with_the_same_cpu_time() {
    let (text, summary) = write(Format::Ftrace, SMALL, 100);
    let (scenario, notes) = crate::interchange::import::scenario(&text).expect("our own file");
    for row in summary.tasks.iter().filter(|row| row.runtime > 0) {
        let end = format!("-{}", row.id + 1);
        let workload = scenario.workloads.iter().find(|workload| workload.name.ends_with(&end));
        let ran: u64 = workload
            .expect("each task is there")
            .program
            .iter()
            .filter(|step| step[0] == "run")
            .filter_map(|step| step[1].as_u64())
            .sum();
        assert_eq!(ran, row.runtime, "{end}: {notes:?}");
    }
    assert_eq!(scenario.duration_ns, summary.to, "the last line marks the end");
}

/// The rules of Perfetto's and Trace Compass's readers; see the module `ftrace`.
#[test]
fn ftrace_lines_are_what_other_readers_take() {
    let (text, _) = write(Format::Ftrace, SMALL, 100);
    assert!(text.starts_with("# tracer: "));
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (_, rest) = line.split_once("] ").expect("a line names its CPU");
        let mut words = rest.split_whitespace();
        assert_eq!(words.next().map(str::len), Some(4), "flags of four characters: {line}");
        let (seconds, ns) =
            words.next().and_then(|time| time.strip_suffix(':')?.split_once('.')).expect("a time with nanoseconds");
        assert!(seconds.parse::<u64>().is_ok() && ns.len() == 9, "{line}");
        let event =
            words.next().and_then(|event| event.strip_suffix(':')).unwrap_or_else(|| panic!("no event: {line}"));
        if event == "tracing_mark_write" {
            assert!(line.ends_with(": I|0|end of the run"), "{line}");
            continue;
        }
        assert!(event.starts_with("sched_"), "{line}");
        assert!(!rest.contains(['(', ')', ',']), "{line}");
        for word in words.filter(|word| *word != "==>") {
            let (key, value) = word.split_once('=').unwrap_or_else(|| panic!("no argument `{word}`: {line}"));
            assert!(!key.is_empty() && !value.is_empty() && !value.contains(['=', '[', ']']), "`{word}`: {line}");
        }
    }
}

/// The pages of `trace.dat` read back as `trace-cmd report` does: (time, CPU, kind, thread that tells it, further words).
fn events_of(dat: &[u8]) -> Vec<(u64, usize, u16, u32, Vec<u8>)> {
    let word = |at: usize| u32::from_le_bytes(dat[at..at + 4].try_into().unwrap());
    let long = |at: usize| u64::from_le_bytes(dat[at..at + 8].try_into().unwrap()) as usize;
    assert!(dat.starts_with(b"\x17\x08\x44tracing6\0\0\x08\0\x10\0\0header_page\0"));
    let table = dat.windows(10).position(|bytes| bytes == b"flyrecord\0").expect("a table of sections") + 10;
    let cpus = word(dat.windows(10).position(|bytes| bytes == b"options  \0").expect("options") - 4) as usize;
    let mut events = Vec::new();
    for cpu in 0..cpus {
        let (from, size) = (long(table + 16 * cpu), long(table + 16 * cpu + 8));
        assert!(from % 4096 == 0 && size % 4096 == 0, "whole pages");
        for page in (from..from + size).step_by(4096) {
            let (mut t, mut at) = (long(page) as u64, page + 16);
            let end = at + long(page + 8);
            assert!(end <= page + 4096);
            while at < end {
                let (kind, delta) = (word(at) & 31, u64::from(word(at) >> 5));
                at += 4;
                t += delta;
                if kind == 30 {
                    t += u64::from(word(at)) << 27;
                    at += 4;
                    continue;
                }
                let bytes = &dat[at..at + kind as usize * 4];
                events.push((t, cpu, u16::from_le_bytes([bytes[0], bytes[1]]), word(at + 4), bytes[8..].to_vec()));
                at += kind as usize * 4;
            }
        }
    }
    events
}

#[test]
fn trace_dat_tells_what_the_text_tells_across_long_gaps_and_pages() {
    const GAPS: &str = r#"{"v":1,"duration_ns":3000000000,"machine":{"cores":2},"lanes":[{"policy":"o1-2.6.21"}],"workloads":[
        {"name":"a name longer than the fiéld","kind":"program","program":[["loop",0,[["run",1000000],["sleep",900000000]]]]},
        {"name":"nap","kind":"sleeper","count":2}]}"#;
    for scenario in [SMALL, GAPS] {
        let (dat, _) = write_bytes(Format::TraceDat, scenario, 100);
        let (text, _) = write(Format::Ftrace, scenario, 100);
        let mut told = events_of(&dat);
        let ends = told.iter().filter(|event| event.2 == 5).count();
        assert_eq!(ends, 2, "a mark of the end on each CPU");
        told.retain(|event| event.2 != 5);
        // KernelShark takes time 0 for none.
        assert!(told.iter().all(|event| event.0 > 0));
        let kinds = ["switch", "waking", "wakeup", "wakeup_new", "migrate_task", "process_fork", "process_exit"];
        let mut lines: Vec<_> = text
            .lines()
            .filter(|line| line.contains(": sched_"))
            .map(|line| {
                let (head, rest) = line.split_once("] ").unwrap();
                let (who, cpu) = head.rsplit_once(" [").unwrap();
                let who: u32 = who.trim_end().rsplit_once('-').unwrap().1.parse().unwrap();
                let mut words = rest.split_whitespace().skip(1);
                let t: u64 = words.next().unwrap().replace(['.', ':'], "").parse().unwrap();
                let kind = words.next().unwrap().strip_prefix("sched_").unwrap().trim_end_matches(':');
                let id = 100 + kinds.iter().position(|one| *one == kind).unwrap() as u16;
                (t.max(1), cpu.parse::<usize>().unwrap(), id, who)
            })
            .collect();
        let mut heads: Vec<_> = told.iter().map(|event| (event.0, event.1, event.2, event.3)).collect();
        lines.sort_unstable();
        heads.sort_unstable();
        assert!(lines == heads, "{} lines, {} events", lines.len(), heads.len());
        let switches = told.iter().filter(|event| event.2 == 100);
        assert!(switches.clone().all(|event| event.4.len() == 56 && event.4[16..20] == event.3.to_le_bytes()));
        assert!(told.windows(2).all(|pair| pair[0].1 != pair[1].1 || pair[0].0 <= pair[1].0), "in order on each CPU");
    }
    let (dat, _) = write_bytes(Format::TraceDat, GAPS, 100);
    let (long_gap, comm) = (
        events_of(&dat).windows(2).any(|pair| pair[0].1 == pair[1].1 && pair[1].0 - pair[0].0 > 1 << 27),
        b"a name longer t\0",
    );
    assert!(long_gap && dat.windows(16).any(|bytes| bytes == comm), "a time extension, a cut name");
}
