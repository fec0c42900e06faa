//! The engine as the page uses it: questions in, answers out.

use super::protocol::*;
use super::*;

/// A scenario with sleepers, hogs and a change of nice level at 150 ms.
fn scenario(policies: &[&str], change: Option<u64>) -> String {
    let lanes: Vec<String> = policies.iter().map(|key| format!(r#"{{"policy":"{key}"}}"#)).collect();
    let changes =
        change.map_or(String::new(), |t| format!(r#","changes":[{{"t":{t},"workload":["hogs","nice"],"value":10}}]"#));
    format!(
        r#"{{"v":1,"seed":7,"duration_ns":400000000,"machine":{{"cores":2,"hz":1000}},"lanes":[{}],
        "workloads":[{{"name":"hogs","kind":"hog","count":3}},{{"name":"ring","kind":"lat-ctx","count":1}},
        {{"name":"nap","kind":"sleeper","count":4}}]{changes}}}"#,
        lanes.join(",")
    )
}

fn ask(engine: &mut Engine, ask: Ask) -> Option<Reply> {
    let mut out = Vec::new();
    engine.ask(Request { seq: 1, ask });
    engine.work(0, &mut out);
    out.into_iter().find(|response| response.seq == 1).map(|response| response.reply)
}

fn loaded(engine: &mut Engine, text: String) -> Loaded {
    match ask(engine, Ask::SetScenario(text)) {
        Some(Reply::Loaded(loaded)) => *loaded,
        other => panic!("{other:?}"),
    }
}

fn finish(engine: &mut Engine) {
    let mut out = Vec::new();
    while engine.work(10_000, &mut out) {}
}

fn any_policy() -> &'static str {
    policies::all().next().expect("a policy is registered").info.key
}

fn window_of(engine: &mut Engine, from: u64, to: u64, px: u32, tasks: Vec<u32>) -> WindowView {
    match ask(engine, Ask::Window { lane: 0, from, to, px, cpus: Vec::new(), tasks }) {
        Some(Reply::Window(view)) => *view,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_run_tells_its_progress_and_reaches_its_end() {
    let mut engine = Engine::new();
    let loaded = loaded(&mut engine, scenario(&[any_policy()], None));
    assert_eq!(loaded.cpus, 2);
    let mut out = Vec::new();
    while engine.work(5_000, &mut out) {}
    let Some(Response { seq: 0, reply: Reply::Progress(progress) }) = out.last() else { panic!("{out:?}") };
    assert_eq!(progress[0].simulated, 400_000_000);
    assert_eq!(progress[0].fault, None);
    assert!(out.len() > 1, "progress came in steps");
}

#[test]
fn a_faulty_scenario_leaves_the_present_run_alone() {
    let mut engine = Engine::new();
    loaded(&mut engine, scenario(&[any_policy()], None));
    finish(&mut engine);
    let digest = engine.lanes()[0].kernel().digest();
    let reply = ask(&mut engine, Ask::SetScenario(scenario(&["no-such-policy"], None)));
    assert!(matches!(reply, Some(Reply::Problems(_))), "{reply:?}");
    assert_eq!(engine.lanes()[0].kernel().digest(), digest);
}

#[test]
fn only_the_newest_question_of_a_slot_is_answered() {
    let mut engine = Engine::new();
    engine.ask(Request { seq: 1, ask: Ask::Policies });
    engine.ask(Request { seq: 2, ask: Ask::Policies });
    let mut out = Vec::new();
    engine.work(0, &mut out);
    assert_eq!(out.iter().map(|response| response.seq).collect::<Vec<_>>(), [2]);
}

#[test]
fn rows_are_few_and_without_gaps_at_every_zoom() {
    let mut engine = Engine::new();
    loaded(&mut engine, scenario(&[any_policy()], None));
    finish(&mut engine);
    for (from, to) in [(0, 400_000_000), (100_000_000, 300_000_000), (123_456_789, 123_956_789), (0, 1)] {
        for px in [8, 50, 100_000] {
            let view = window_of(&mut engine, from, to, px, (0..8).collect());
            for lane in &view.cpus {
                assert!(lane.start.len() <= 2 * px as usize, "{} rows for {px} px", lane.start.len());
                assert!(lane.queue_t.len() <= 2 * px as usize, "{} steps for {px} px", lane.queue_t.len());
                assert!(lane.start[0] <= from && *lane.end.last().expect("rows") >= to.min(view.simulated));
                let joined = lane.end.iter().zip(&lane.start[1..]).all(|(end, start)| end == start);
                assert!(joined, "rows of cpu{} have gaps in {from}..{to}", lane.cpu);
            }
            for lane in &view.tasks {
                assert!(lane.start.len() <= 2 * px as usize, "{} states for {px} px", lane.start.len());
                assert!(lane.end.iter().zip(&lane.start[1..]).all(|(end, start)| end == start));
            }
        }
    }
}

#[test]
fn going_back_gives_the_state_that_was() {
    let mut engine = Engine::new();
    loaded(&mut engine, scenario(&[any_policy()], Some(150_000_000)));
    finish(&mut engine);
    let spec = |text: &str| {
        let (scenario, _) = scenario::parse(text).expect("is valid");
        LaneSpec::from(&scenario::compile(&scenario, 0).expect("compiles"))
    };
    for t in [0, 1, 77_000_123, 149_999_999, 150_000_000, 333_333_333] {
        let mut fresh = spec(&scenario(&[any_policy()], Some(150_000_000)));
        fresh.duration = t;
        let mut fresh = Lane::new(fresh);
        fresh.finish();
        let lane = engine.lane(0).expect("lane 0");
        let replayed = lane.state_at(t).sim.kernel();
        assert_eq!((replayed.digest(), replayed.events()), (fresh.kernel().digest(), fresh.kernel().events()), "{t}");
    }
}

#[test]
fn a_later_change_keeps_the_past() {
    let mut engine = Engine::new();
    loaded(&mut engine, scenario(&[any_policy()], None));
    finish(&mut engine);
    let before = window_of(&mut engine, 0, 149_000_000, 100_000, (0..8).collect());
    let view = loaded(&mut engine, scenario(&[any_policy()], Some(150_000_000)));
    assert_eq!(view.kept_until, 150_000_000);
    assert!(engine.lanes()[0].front() <= 150_000_000);
    finish(&mut engine);
    let mut after = window_of(&mut engine, 0, 149_000_000, 100_000, (0..8).collect());
    for (a, b) in before.cpus.iter().zip(&mut after.cpus) {
        // A row that reaches beyond the change may end elsewhere.
        if let (Some(end), Some(&was)) = (b.end.last_mut(), a.end.last()) {
            *end = was;
        }
        assert_eq!((&a.start, &a.end, &a.task), (&b.start, &b.end, &b.task));
    }
    let digest = engine.lanes()[0].kernel().digest();
    let mut fresh = Engine::new();
    loaded(&mut fresh, scenario(&[any_policy()], Some(150_000_000)));
    finish(&mut fresh);
    assert_eq!(digest, fresh.lanes()[0].kernel().digest());
    assert_eq!(engine.lanes()[0].trace().switches(), fresh.lanes()[0].trace().switches());
}

#[test]
fn decisions_say_what_each_slice_is_told() {
    let mut engine = Engine::new();
    loaded(&mut engine, scenario(&[any_policy()], None));
    finish(&mut engine);
    for t in [0, 7_000_000, 40_000_000, 399_000_000] {
        let Some(Reply::Decisions(view)) = ask(&mut engine, Ask::Decisions { lane: 0, t, cpu: 1 }) else { panic!() };
        assert!((1..=6).contains(&view.rows.len()), "{} decisions before {t}", view.rows.len());
        for row in view.rows {
            let Some(Reply::Why(why)) = ask(&mut engine, Ask::Why { lane: 0, t: row.t, cpu: 1 }) else { panic!() };
            assert_eq!((why.start, why.task, why.sentence), (row.t, row.task, row.sentence));
        }
    }
}

#[test]
fn every_slice_has_its_reason_and_times_add_up() {
    let mut engine = Engine::new();
    loaded(&mut engine, scenario(&[any_policy()], None));
    finish(&mut engine);
    let view = window_of(&mut engine, 0, 40_000_000, 100_000, Vec::new());
    for (row, &start) in view.cpus[1].start.iter().enumerate().take(40) {
        let Some(Reply::Why(why)) = ask(&mut engine, Ask::Why { lane: 0, t: start, cpu: 1 }) else { panic!() };
        assert_eq!((why.start, why.end, why.task), (start, view.cpus[1].end[row], view.cpus[1].task[row]));
        assert!(!why.sentence.is_empty() && !why.sentence.contains('{'), "{}", why.sentence);
        if why.task != IDLE {
            assert!(why.candidates.iter().filter(|candidate| candidate.picked).count() <= 1);
            let behind: u64 = why.behind.iter().map(|(_, ns)| ns).sum();
            assert!(behind <= why.waited, "waited {} but {behind} behind others", why.waited);
            let task = Ask::WhyTask { lane: 0, t: start, task: why.task };
            assert_eq!(ask(&mut engine, task), Some(Reply::Why(why)));
        }
    }
    let Some(Reply::Summary(summary)) = ask(&mut engine, Ask::Summary { lane: 0, to: 400_000_000 }) else { panic!() };
    assert_eq!(summary.times.iter().sum::<u64>(), 2 * 400_000_000);
    assert_eq!(summary.tasks.iter().map(|row| row.runtime).sum::<u64>(), summary.times[..5].iter().sum::<u64>());
    assert!(summary.wakeup_latency.count > 0);
}

/// Numbers of a group and of a task in it, or in another group, are no measure for each other.
#[test]
fn only_candidates_of_one_run_queue_are_weighed_against_each_other() {
    let groups = r#""groups":[{"name":"a","shares":2048},{"name":"b","parent":"a"}],"workloads":[
        {"name":"in-a","kind":"hog","count":2,"group":"a"},{"name":"in-b","kind":"hog","count":2,"group":"b"},
        {"name":"top","kind":"hog","count":2},{"name":"nap","kind":"sleeper","count":2}]}"#;
    let flat = groups.replace(r#","parent":"a""#, "");
    for (policy, groups) in [("cfs-2.6.24", flat.as_str()), ("cfs-2.6.32", groups), ("eevdf-6.12", groups)] {
        let mut engine = Engine::new();
        loaded(
            &mut engine,
            format!(
                r#"{{"v":1,"seed":3,"duration_ns":400000000,"machine":{{"cores":1,"hz":1000}},
                "lanes":[{{"policy":"{policy}"}}],{groups}"#
            ),
        );
        finish(&mut engine);
        let mut weighed = 0;
        for t in (0..400_000_000).step_by(1_700_001) {
            let Some(Reply::Why(why)) = ask(&mut engine, Ask::Why { lane: 0, t, cpu: 0 }) else { panic!() };
            let own: Vec<u16> = why.candidates.iter().filter(|one| one.picked).map(|one| one.queue).collect();
            assert!(
                (1..own.len()).all(|at| !own[..at].contains(&own[at])),
                "{policy}: one is taken per queue: {why:?}"
            );
            let Some((next, _)) = why.otherwise.split_once(" comes next with ") else { continue };
            let lane = &engine.lanes()[0];
            let queue_of = |one: &&CandidateView| match one.entity {
                EntityView::Task(task) => lane.task_name(task) == next,
                EntityView::Group(group) => {
                    next == format!("group {}", lane.kernel().groups()[usize::from(group)].name)
                }
            };
            let next = why.candidates.iter().find(queue_of).unwrap_or_else(|| panic!("no {next}: {why:?}"));
            assert!(!next.picked && own.contains(&next.queue), "{policy}: {why:?}");
            weighed += 1;
        }
        assert!(weighed > 20, "{policy}: {weighed}");
    }
}

#[test]
fn waiting_and_sleeping_tasks_say_what_for() {
    let mut engine = Engine::new();
    let tasks = loaded(&mut engine, scenario(&[any_policy()], None)).tasks;
    finish(&mut engine);
    let mut seen = [false; 5];
    for task in tasks.iter().map(|task| task.id) {
        for t in (0..400_000_000).step_by(43_000_001) {
            let Some(Reply::Why(why)) = ask(&mut engine, Ask::WhyTask { lane: 0, t, task }) else { panic!() };
            assert!(!why.sentence.is_empty());
            assert!(why.start <= t && t <= why.end, "{t} is outside {}..{} of {why:?}", why.start, why.end);
            seen[why.state as usize] = true;
        }
    }
    assert_eq!(seen[..3], [true; 3], "running, runnable and sleeping tasks were met");
}

#[test]
fn wide_and_narrow_graphs_count_the_same() {
    let mut engine = Engine::new();
    loaded(&mut engine, scenario(&[any_policy()], None));
    finish(&mut engine);
    let mut graphs = |buckets| match ask(&mut engine, Ask::Graphs { lane: 0, from: 0, to: 400_000_000, buckets }) {
        Some(Reply::Graphs(view)) => *view,
        other => panic!("{other:?}"),
    };
    // 400 buckets are longer than a cell; the trace itself is read for a window of less than 512 cells.
    let wide = graphs(400);
    assert_eq!(wide.switches.len(), 400);
    let busy: u32 = wide.share.iter().map(|row| u32::from(row[200])).sum();
    assert!((990..=1000).contains(&busy), "three hogs fill two CPUs: {busy}");
    let total: u32 = wide.switches.iter().sum();
    let mut sum = 0;
    for part in 0..8u64 {
        let (from, to) = (part * 50_000_000, (part + 1) * 50_000_000);
        match ask(&mut engine, Ask::Graphs { lane: 0, from, to, buckets: 512 }) {
            Some(Reply::Graphs(view)) => sum += view.switches.iter().sum::<u32>(),
            other => panic!("{other:?}"),
        }
    }
    assert!(total - sum <= 2, "only switches at the very end may be missing: {total} {sum}");
}

#[test]
fn steps_go_forward_and_back_to_the_same_moments_under_every_policy() {
    let quiet = policies::all().filter(|entry| steps_forward_and_back(entry.info.key) > 0).count();
    assert!(quiet <= 2, "{quiet} schedulers decide nothing after the start");
}

/// How many kinds of steps there were none of.
fn steps_forward_and_back(key: &str) -> u32 {
    let mut engine = Engine::new();
    loaded(&mut engine, scenario(&[key], None));
    finish(&mut engine);
    let mut quiet = 0;
    for unit in [StepUnit::Decision, StepUnit::Event, StepUnit::Tick, StepUnit::Slice] {
        for cpu in [None, Some(1)] {
            let mut step = |t, forward| match ask(&mut engine, Ask::Step { lane: 0, t, forward, unit, cpu }) {
                Some(Reply::Step(at)) => at,
                other => panic!("{other:?}"),
            };
            // Where nobody is interrupted, nothing is decided on a CPU any more once it has a hog.
            let Some(begin) = [200_000_000, 0].into_iter().find(|&t| step(t, true).is_some()) else {
                quiet += 1;
                continue;
            };
            let mut times = vec![begin];
            // Some take few decisions on one CPU.
            while let Some(next) = step(*times.last().expect("not empty"), true).filter(|_| times.len() < 13) {
                times.push(next);
            }
            assert!(times.is_sorted_by(|a, b| a < b), "{key} {unit:?} {times:?}");
            for pair in times[1..].windows(2).rev() {
                assert_eq!(step(pair[1], false), Some(pair[0]), "{key} {unit:?}");
            }
            assert_eq!(step(400_000_000, true), None);
            assert_eq!(step(0, false), None);
        }
    }
    quiet
}

#[test]
fn two_lanes_of_one_policy_never_diverge() {
    let mut engine = Engine::new();
    let key = any_policy();
    loaded(&mut engine, scenario(&[key, key], None));
    finish(&mut engine);
    assert_eq!(engine.diverged(1), None);
    assert_eq!(engine.lanes()[0].kernel().digest(), engine.lanes()[1].kernel().digest());
}

#[test]
fn another_lane_leaves_the_first_as_it_is() {
    let mut engine = Engine::new();
    let key = any_policy();
    assert_eq!(loaded(&mut engine, scenario(&[key], None)).kept_until, 0);
    finish(&mut engine);
    assert_eq!(loaded(&mut engine, scenario(&[key, key], None)).kept_until, 400_000_000);
    assert_eq!(engine.lanes()[0].front(), 400_000_000);
    let fork = &engine.lanes()[1];
    assert_eq!((fork.front(), fork.kernel().digest()), (400_000_000, engine.lanes()[0].kernel().digest()));
    let other = policies::all().map(|entry| entry.info.key).find(|other| *other != key).expect("another policy");
    loaded(&mut engine, scenario(&[key, other], None));
    assert_eq!((engine.lanes()[0].front(), engine.lanes()[1].front()), (400_000_000, 0));
}

#[test]
fn fair_shares_of_classes_are_what_they_are_promised() {
    let mut text = r#"{"v":1,"duration_ns":100000000,"machine":{"cores":1},"lanes":[{"policy":"KEY"}],
        "groups":[{"name":"a","shares":60},{"name":"b","parent":"a","shares":50}],
        "workloads":[{"name":"in-a","kind":"hog","group":"a","count":2},{"name":"in-b","kind":"hog","group":"b"},
                     {"name":"outside","kind":"hog","count":4}]}"#
        .to_string();
    let Some(entry) = policies::all().find(|entry| entry.info.caps.percent_shares) else { return };
    text = text.replace("KEY", entry.info.key);
    let mut engine = Engine::new();
    loaded(&mut engine, text);
    finish(&mut engine);
    let Some(Reply::Summary(summary)) = ask(&mut engine, Ask::Summary { lane: 0, to: 100_000_000 }) else { panic!() };
    // Rows that a slider may need later have none.
    let fair: Vec<u32> = summary.tasks.iter().map(|row| row.fair_permille).filter(|&share| share > 0).collect();
    let promised = [150, 150, 300, 100, 100, 100, 100];
    assert!(fair.len() == 7 && fair.iter().zip(promised).all(|(got, want)| got.abs_diff(want) <= 1), "{fair:?}");
}

/// One lane with nothing of its own, one whose first hog is reniced at 100 ms.
fn what_if() -> String {
    let mut document: serde_json::Value =
        serde_json::from_str(&scenario(&["o1-2.6.21", "o1-2.6.21"], None)).expect("is JSON");
    document["lanes"][1]["changes"] = serde_json::json!([{"t": 100_000_000, "task": ["hogs-1", "nice"], "value": 19}]);
    document.to_string()
}

#[test]
fn a_change_of_one_lane_leaves_the_others_and_its_own_past_alone() {
    let mut engine = Engine::new();
    loaded(&mut engine, scenario(&["o1-2.6.21"], None));
    finish(&mut engine);
    let plain = engine.lanes()[0].kernel().digest();
    loaded(&mut engine, what_if());
    finish(&mut engine);
    assert_eq!(engine.lanes()[0].kernel().digest(), plain);
    assert_ne!(engine.lanes()[1].kernel().digest(), plain);
    // The same from the start, without a past to take over.
    let mut fresh = Engine::new();
    loaded(&mut fresh, what_if());
    finish(&mut fresh);
    assert_eq!(fresh.lanes()[1].kernel().digest(), engine.lanes()[1].kernel().digest());
    let (at, _) = engine.diverged(1).expect("they part");
    assert!(at >= 100_000_000, "the past is the same, but they part at {at}");
    let Some(Reply::Summary(summary)) = ask(&mut engine, Ask::Summary { lane: 1, to: u64::MAX }) else { panic!() };
    let own = compare::decisions_before(&engine.lanes()[0], at);
    assert!(summary.alike == own && own > 0, "{own} and {} decisions before {at}", summary.alike);
}

#[test]
fn notes_change_nothing_that_runs() {
    let mut engine = Engine::new();
    loaded(&mut engine, scenario(&["o1-2.6.21"], None));
    finish(&mut engine);
    let mut document: serde_json::Value = serde_json::from_str(&scenario(&["o1-2.6.21"], None)).expect("is JSON");
    document["notes"] = serde_json::json!([{"t": 5, "text": "<b>look here</b>"}]);
    let loaded = loaded(&mut engine, document.to_string());
    assert_eq!(loaded.kept_until, 400_000_000);
    assert!(engine.lanes()[0].is_done());
    assert!(loaded.scenario.contains("<b>look here</b>"));
}

#[test]
fn differences_come_one_after_the_other_and_are_real() {
    let mut engine = Engine::new();
    loaded(&mut engine, what_if());
    finish(&mut engine);
    let first = match ask(&mut engine, Ask::Difference { lane: 0, t: None }) {
        Some(Reply::Difference(Some(found))) => found,
        other => panic!("{other:?}"),
    };
    assert_eq!((first.lane, Some((first.at, first.cpu))), (1, engine.diverged(1)));
    let mut after = 0;
    for _ in 0..20 {
        let Some(Reply::Difference(found)) = ask(&mut engine, Ask::Difference { lane: 1, t: Some(after) }) else {
            panic!("no answer")
        };
        let Some(found) = found else { break };
        assert!(found.at > after && found.at >= first.at, "{found:?} after {after}");
        let runs = |lane: usize| {
            let lane = &engine.lanes()[lane];
            lane.trace().cpu(found.cpu).slice_at(found.at, lane.front()).expect("a slice").task
        };
        assert_eq!((runs(0), runs(1)), (found.first, found.second));
        assert_ne!(found.first, found.second);
        after = found.at;
    }
    assert!(after > first.at, "more than one difference");
}

#[test]
fn antagonists_of_a_range_fill_the_waits() {
    let mut engine = Engine::new();
    loaded(&mut engine, scenario(&["o1-2.6.21"], None));
    finish(&mut engine);
    let (from, to) = (50_000_000, 350_000_000);
    let Some(Reply::Range(view)) = ask(&mut engine, Ask::Range { lane: 0, task: 0, from, to }) else {
        panic!("no answer")
    };
    assert_eq!(view.ran + view.waited + view.slept, to - from, "{view:?}");
    let behind: u64 = view.antagonists.iter().map(|one| one.ns).sum();
    // On an ideal machine somebody runs on the CPU as long as one waits there.
    assert_eq!(behind, view.waited, "{view:?}");
    assert!(view.antagonists.iter().all(|one| one.task != 0 && one.waits <= view.waits));
    assert!(view.longest.1 - view.longest.0 <= view.waited && view.waited > 0);
}

#[test]
fn who_was_woken_names_its_waker() {
    let mut engine = Engine::new();
    loaded(&mut engine, scenario(&["o1-2.6.21"], None));
    finish(&mut engine);
    let mut seen = 0;
    for t in (1..40).map(|step| step * 10_000_000) {
        for cpu in 0..2 {
            let Some(Reply::Why(slice)) = ask(&mut engine, Ask::Why { lane: 0, t, cpu }) else { panic!("no answer") };
            for &(at, woken) in &slice.wakes {
                assert!((slice.start..=slice.end).contains(&at), "{slice:?}");
                assert_eq!(engine.lanes()[0].trace().woken_by(woken, at), Some(slice.task));
                seen += 1;
            }
        }
    }
    assert!(seen > 0, "the ring wakes its members");
}
