//! Small files of our own in every format, and damage.

use super::*;
use crate::engine::Engine;
use crate::engine::protocol::{Ask, Reply, Request};
use crate::scenario::compile;

fn read_good(text: &str) -> (Scenario, Vec<Problem>) {
    let (scenario, notes) = scenario(text).unwrap_or_else(|problems| panic!("{problems:?}\n{text}"));
    let mut engine = Engine::new();
    let mut out = Vec::new();
    engine.ask(Request { seq: 1, ask: Ask::SetScenario(scenario::to_json(&scenario)) });
    engine.work(10_000, &mut out);
    assert!(out.iter().any(|answer| matches!(answer.reply, Reply::Loaded(_))), "it runs: {out:?}");
    (scenario, notes)
}

fn steps(scenario: &Scenario, name: &str) -> String {
    let workload = scenario.workloads.iter().find(|workload| workload.name == name);
    let workload = workload.unwrap_or_else(|| panic!("{name} is not in {:?}", scenario.workloads));
    serde_json::to_string(&workload.program).unwrap()
}

/// The example of the specification: A wakes B, sleeps, is woken by a timer.
const FTRACE: &str = "\
# tracer: nop
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
          <idle>-0       [000] d..2.   100.000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a-1 [x] next_pid=11 next_prio=120
           a-1 [x]-11    [000] d..4.   100.000300: sched_waking: comm=b pid=12 prio=115 target_cpu=001
           a-1 [x]-11    [000] d..4.   100.000300: sched_wakeup: comm=b pid=12 prio=115 target_cpu=001
          <idle>-0       [001] d..2.   100.000310: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=b next_pid=12 next_prio=115
           a-1 [x]-11    [000] d..2.   100.000500: sched_switch: prev_comm=a-1 [x] prev_pid=11 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
               b-12      [001] d..2.   100.000600: sched_switch: prev_comm=b prev_pid=12 prev_prio=115 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
          <idle>-0       [000] d.h4.   100.001500: sched_waking: comm=a-1 [x] pid=11 prio=120 target_cpu=000
          <idle>-0       [000] d..2.   100.001500: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a-1 [x] next_pid=11 next_prio=120
           a-1 [x]-11    [000] d..4.   100.001700: sched_waking: comm=b pid=12 prio=115 target_cpu=001
           a-1 [x]-11    [000] d..2.   100.001700: sched_switch: prev_comm=a-1 [x] prev_pid=11 prev_prio=120 prev_state=X ==> next_comm=swapper/0 next_pid=0 next_prio=120
          <idle>-0       [001] d..2.   100.001700: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=b next_pid=12 next_prio=115
               b-12      [001] d..2.   100.002000: sched_switch: prev_comm=b prev_pid=12 prev_prio=115 prev_state=S ==> next_comm=swap
";

#[test]
fn a_trace_becomes_who_ran_slept_and_woke_whom() {
    let (scenario, notes) = read_good(FTRACE);
    assert_eq!(
        steps(&scenario, "a-1 [x]-11"),
        r#"[["run",500000],["sleep",1000000],["run",200000],["signal","wake b-12"],["exit"]]"#
    );
    assert_eq!(steps(&scenario, "b-12"), r#"[["run",290000],["wait","wake b-12"],["exit"]]"#);
    assert_eq!((scenario.machine.cores, scenario.workloads[1].nice, scenario.workloads[1].start_ns), (2, -5, 300_000));
    assert!(notes.iter().any(|note| note.path == "line 14"), "the cut line is named: {notes:?}");
}

#[test]
fn the_short_form_the_latency_format_and_perf_say_the_same() {
    let trace_cmd = FTRACE
        .replace("sched_waking: comm=b pid=12 prio=115 target_cpu=001", "sched_waking: b:12 [115] CPU:001")
        .replace("prev_comm=b prev_pid=12 prev_prio=115 prev_state=S ==> ", "b:12 [115] S ==> ")
        .replace("b:12 [115] S ==> next_comm=swapper/1 next_pid=0 next_prio=120", "b:12 [115] S ==> swapper/1:0 [120]");
    let latency =
        FTRACE.replace("[000] d", "0d").replace("[001] d", "1d").replace("-11 ", "-11").replace("-12 ", "-12");
    let perf: String = FTRACE
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let (head, rest) = line.split_at(line.find(" [00").unwrap());
            let rest = &rest[2..];
            let (name, tid) = head.trim().rsplit_once('-').unwrap();
            let (cpu, rest) = rest.split_once(']').unwrap();
            let (_, rest) = rest.trim_start().split_once(' ').unwrap();
            let (time, rest) = rest.trim_start().split_once(": ").unwrap();
            format!("{name:>16} {} [{cpu}] {time}: 1 sched:{rest}\n", tid.trim())
        })
        .collect();
    let (wanted, _) = read_good(FTRACE);
    for (name, text) in [("trace-cmd", trace_cmd), ("latency", latency), ("perf", perf)] {
        let (scenario, _) = read_good(&text);
        // perf does not say what was printed in an interrupt; the idle task wakes nobody all the same.
        assert_eq!(scenario.workloads, wanted.workloads, "{name}:\n{text}");
    }
}

#[test]
fn systrace_pages_hold_the_same_lines() {
    let old: String = FTRACE.lines().map(|line| format!("{line}\\n\\\n")).collect();
    let old = format!("<!DOCTYPE html>\n<script>\n  var linuxPerfData = \"\\\n{old}\";\n</script>");
    let new = format!("<!doctype HTML><script class=\"trace-data\" type=\"application/text\">\n{FTRACE}</script>");
    let (wanted, _) = read_good(FTRACE);
    assert_eq!(read_good(&old).0.workloads, wanted.workloads);
    assert_eq!(read_good(&new).0.workloads, wanted.workloads);
}

#[test]
fn states_one_step_too_far_are_shifted_back() {
    let shifted = FTRACE
        .replace("prev_prio=120 prev_state=R", "prev_prio=120 prev_state=S")
        .replace("prev_state=S ==> next_comm=swapper", "prev_state=D ==> next_comm=swapper");
    let (scenario, notes) = read_good(&shifted);
    assert!(steps(&scenario, "a-1 [x]-11").contains("[\"sleep\",1000000]"));
    assert!(notes.iter().any(|note| note.message.contains("one step too far")));
}

#[test]
fn schedviz_rows_are_hexadecimal() {
    let rows = "Attaching 9 probes...\nST:0:ff\nP:0:b:78:a:b\nS:10:0:0:0:b\nS:1000:0:b:1:0\nW:2000:0:0:b\nS:2000:0:0:0:b\nS:2800:0:b:0:0\nQ:1\n";
    let (scenario, notes) = read_good(rows);
    assert_eq!(steps(&scenario, "a:b-11"), r#"[["run",4080],["sleep",4096],["run",2048],["exit"]]"#);
    assert!(notes.iter().any(|note| note.path == "line 9"));
}

#[test]
fn rt_app_keeps_repeated_keys_and_the_loop_of_the_only_phase() {
    let text = r#"{ /* own */ "global": {"duration": 2},
      "tasks": { "producer": {"priority": -5, "phases": {"p0": {"loop": 10, "run": 2000, "resume": "consumer", "run": 500,
                   "timer": {"ref": "unique0", "period": 10000},}}},
                 "consumer": {"loop": 3, "suspend": "x", "run": 1500, "barrier": "b"}, } }"#;
    let (scenario, notes) = read_good(text);
    assert_eq!(
        steps(&scenario, "producer"),
        r#"[["loop",0,[["loop",10,[["run",2000000],["signal","resume consumer"],["run",500000],["period",10000000]]]]]]"#
    );
    assert_eq!(
        steps(&scenario, "consumer"),
        r#"[["loop",3,[["wait","resume consumer"],["run",1500000],["barrier","b",1]]]]"#
    );
    assert_eq!((scenario.duration_ns, scenario.workloads[0].nice), (2_000_000_000, -5));
    assert!(notes.iter().any(|note| note.message.contains("rt-app loses it")));
    let old = scenario_error(r#"{"tasks": {"a": {"exec": 5, "period": 10}}}"#);
    assert!(old.contains("older grammar") && old.contains("exec"), "{old}");
    let wrong = scenario_error(r#"{"tasks": {"a": {"run": "5"}, "b": {"policy": "SCHED_X", "run": 1}, "c": {}}}"#);
    for path in ["tasks.a.run", "tasks.b.policy", "tasks.c"] {
        assert!(wrong.contains(path), "all faults at once: {wrong}");
    }
}

fn scenario_error(text: &str) -> String {
    let problems = scenario(text).expect_err("it is bad");
    problems.iter().map(|problem| format!("{}: {} {}\n", problem.path, problem.message, problem.hint)).collect()
}

#[test]
fn process_tables_and_job_lists_become_programs() {
    let (scenario, notes) = read_good("PID;Arrival_Time;Burst-Time;waiting\nP1;0;3;9\nP1;2;x;9\nP3;4;5;9\n");
    assert_eq!(scenario.workloads.len(), 2);
    assert_eq!(
        (scenario.workloads[1].start_ns, steps(&scenario, "P3").as_str()),
        (4_000_000, r#"[["run",5000000],["exit"]]"#)
    );
    assert!(notes.iter().any(|note| note.path == "line 3"));
    assert_eq!(read_good("1,0,5,2\n2,3,4,1\n").0.workloads.len(), 2);
    assert!(scenario_error("0 5 1\n0 6 2\n3 7 3\n").contains("which is which"));
    let (list, _) = read_good("5,10.5,15\n");
    assert_eq!(steps(&list, "job 1"), r#"[["run",10500000],["exit"]]"#);
    let (queues, _) = read_good("0,180,0:100,20,5");
    assert_eq!(steps(&queues, "job 1"), r#"[["loop",3,[["run",5000000],["io",5000000]]],["run",5000000],["exit"]]"#);
    assert_eq!(queues.lanes[0].tunables["quantum"], 10_000_000);
    let (tickets, _) = read_good("10:100,20:50");
    assert_eq!((tickets.groups[1].shares, tickets.workloads[1].group.as_str()), (50, tickets.groups[1].name.as_str()));
    for scenario in [&scenario, &list, &queues, &tickets] {
        let keys: Vec<&str> = scenario.lanes.iter().map(|lane| lane.policy.as_str()).collect();
        compile(scenario, keys.len() - 1).unwrap_or_else(|problems| panic!("{keys:?}: {problems:?}"));
    }
    assert_eq!(queues.workloads[1].start_ns, 100_000_000);
}

#[test]
fn what_is_nothing_known_is_refused_with_what_was_tried() {
    for (text, words) in [
        ("", "Known:"),
        ("hello\nworld\n", "Known:"),
        ("{\"a\": 1}", "the keys a"),
        ("{\"traceEvents\": []}", "Chrome trace"),
        ("{\n\"tasks\": {,", "line 2"),
        ("Task | Runtime ms | Switches\n", "perf sched script"),
        ("a-1 [000] 1.000000: sched_stat_runtime: comm=a pid=1 runtime=5 [ns]\n", "no sched_switch"),
        ("<!DOCTYPE html><p>x", "web page"),
        ("\n\u{10}\u{fffd}\u{1}\n\u{8}", "protobuf"),
    ] {
        let said = scenario_error(text);
        assert!(said.contains(words), "{text:?}: {said}");
    }
}
