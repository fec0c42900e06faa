//! Stories of real runs, checked against runs of their own.

use super::super::lane::{Lane, LaneSpec};
use super::super::protocol::{IDLE, LaneState, PathBegin, StoryView};
use super::story;
use crate::kernel::Change;
use crate::policies;
use crate::scenario::{compile, parse_for_run};
use crate::units::{CpuId, Nanos, TaskId};

fn lane(policy: &str, cores: u16, ms: u32, workloads: &str) -> Lane {
    let text = format!(
        r#"{{"v":1,"seed":7,"duration_ns":{ms}000000,"machine":{{"cores":{cores},"hz":1000}},
        "lanes":[{{"policy":"{policy}"}}],"workloads":[{workloads}]}}"#
    );
    let (scenario, _) = parse_for_run(&text).expect("a good scenario");
    let mut lane = Lane::new(LaneSpec::from(&compile(&scenario, 0).expect("a good scenario")));
    lane.finish();
    lane
}

const DESK: &str = r#"{"name":"hog","kind":"hog","count":1},{"name":"nap","kind":"sleeper","count":1}"#;
const CROWD: &str = r#"{"name":"hogs","kind":"hog","count":3},{"name":"ring","kind":"lat-ctx","count":1},
    {"name":"naps","kind":"sleeper","count":4}"#;

/// Task by name.
fn task(lane: &Lane, name: &str) -> u32 {
    let tasks = lane.tasks_at_start() as u32;
    (0..tasks).find(|&task| lane.task_name(task) == name).unwrap_or_else(|| panic!("no {name}"))
}

/// Start of the first run of `task` after `t`.
fn run_after(lane: &Lane, task: u32, t: Nanos) -> Nanos {
    lane.trace().task(task).expect("a task").runs(t).find(|run| run.start >= t).expect("it runs").start
}

/// A run, as far as `moment`, in which `task` has `nice` from the story's `since` on.
fn changed(lane: &Lane, story: &StoryView, (task, nice): (u32, i8), moment: Nanos) -> Lane {
    let mut other = lane.fork();
    other.set_changes(vec![(story.since, Change::TaskNice { task: TaskId(task), nice })]);
    while other.front() <= moment && other.work(1000) {}
    other
}

/// Who has the CPU at `moment` there.
fn outcome(lane: &Lane, story: &StoryView, level: (u32, i8), moment: Nanos) -> u32 {
    let curr = changed(lane, story, level, moment).state_at(moment).sim.kernel().curr(CpuId(story.cpu));
    curr.map_or(IDLE, |task| task.0)
}

/// Ten levels part a sleeper with the full bonus from a hog without: 115 against 125, and an equal never preempts.
#[test]
fn an_interactive_sleeper_of_o1_loses_the_cpu_at_ten_levels_more() {
    let mut lane = lane("o1-2.6.21", 1, 2000, DESK);
    let (hog, nap) = (task(&lane, "hog"), task(&lane, "nap"));
    let t = run_after(&lane, nap, 1_500_000_000);
    let story = story(&mut lane, 0, t, 0, None);
    assert_eq!((story.task, story.start), (nap, t));
    let found: Vec<_> = story.turns.iter().map(|turn| (turn.task, turn.nice, turn.level, turn.then)).collect();
    assert_eq!(found, [(nap, 0, Some(10), hog), (hog, 0, Some(-10), hog)]);
    let path = story.path.expect("it was woken");
    assert_eq!((path.begins, path.own, path.from), (PathBegin::Timer, 0, t));
    assert_eq!(path.rows.iter().map(|row| row.task).collect::<Vec<_>>(), [nap, hog]);
    assert_eq!(path.rows[1].stretches[0].state, LaneState::Runnable, "the hog waits meanwhile");
    assert_eq!(path.wakeups, [(t, IDLE, nap)]);
    let first = super::story(&mut lane, 0, 0, 0, None).path.expect("it was started");
    assert_eq!((first.begins, first.from), (PathBegin::Start, 0));
}

/// In every scheduler: the level does what is said, its neighbour does not, and the end of the scale does nothing where
/// nothing is said to.
#[test]
fn levels_do_what_is_said_of_them() {
    let mut told = 0;
    for entry in policies::all() {
        let mut lane = lane(entry.info.key, 2, 400, CROWD);
        for k in 1..4 {
            let t = 110_000_000 * k + 1_234_567;
            let story = story(&mut lane, 0, t, (k % 2) as u16, None);
            let moment = story.start;
            for turn in &story.turns {
                let own = turn.task == story.task;
                let turns = |curr: u32| if own { curr != story.task } else { curr == turn.task };
                let at = |nice| outcome(&lane, &story, (turn.task, nice), moment);
                assert!(!turns(at(turn.nice)), "{}: {story:?}", entry.info.key);
                match turn.level {
                    Some(level) => {
                        let before = level - (level - turn.nice).signum();
                        assert_eq!(at(level), turn.then, "{}: {turn:?} at {moment}", entry.info.key);
                        assert!(turns(turn.then) && !turns(at(before)), "{}: {turn:?} at {moment}", entry.info.key);
                        told += 1;
                    }
                    None => assert!(!turns(at(if own { 19 } else { -20 })), "{}: {turn:?}", entry.info.key),
                }
            }
        }
    }
    assert!(told > 20, "only {told} levels were found at all");
}

/// With the level found a wait is over earlier. A task of O(1) that used
/// its slice up waits for the swap of the arrays, whatever its level.
#[test]
fn a_wait_tells_the_level_that_would_have_ended_it() {
    let hogs = r#"{"name":"a","kind":"hog","count":1},{"name":"b","kind":"hog","count":1}"#;
    for (policy, is_enough) in [("cfs-2.6.24", true), ("o1-2.6.21", false)] {
        let mut lane = lane(policy, 1, 1000, hogs);
        let (a, b) = (task(&lane, "a"), task(&lane, "b"));
        let waits = if lane.state_at(700_000_000).sim.kernel().curr(CpuId(0)) == Some(TaskId(a)) { b } else { a };
        // Some ticks after the wait has begun: a level is looked at when a tick comes.
        let t = story(&mut lane, 0, 700_000_000, 0, Some(waits)).start + 6_500_000;
        let story = story(&mut lane, 0, t, 0, Some(waits));
        let path = story.path.as_ref().expect("it waits");
        assert_eq!((path.begins, path.rows[0].task, path.rows.len()), (PathBegin::Queued, waits, 2));
        let [turn] = story.turns[..] else { panic!("{story:?}") };
        assert_eq!(turn.level.is_some(), is_enough, "{policy}: {turn:?}");
        let Some(level) = turn.level else { continue };
        assert!(level < 0, "{turn:?}");
        let runs_by_then = |nice| {
            let other = changed(&lane, &story, (waits, nice), t + 50_000_000);
            run_after(&other, waits, story.since) <= t
        };
        assert!(runs_by_then(level) && !runs_by_then(level + 1), "{turn:?}");
    }
}

/// A wakeup by a task leads back to its own beginning, in order of time.
#[test]
fn a_path_leads_from_the_waker_to_the_woken() {
    let mut lane = lane("cfs-2.6.24", 1, 1200, CROWD);
    let ring: Vec<u32> = (0..lane.tasks_at_start() as u32).filter(|&t| lane.task_name(t).starts_with("ring")).collect();
    let t = run_after(&lane, ring[1], 1_000_000_000);
    let path = story(&mut lane, 0, t, 0, None).path.expect("it was woken");
    assert_eq!(path.rows[usize::from(path.own)].task, ring[1]);
    assert!(path.own > 0 && path.rows.len() <= 4, "{path:?}");
    assert!(path.wakeups.is_sorted_by_key(|wakeup| wakeup.0) && path.from <= path.wakeups[0].0);
    for row in &path.rows {
        assert!(row.stretches.iter().all(|s| path.from <= s.start && s.start < s.end && s.end <= path.to), "{row:?}");
        assert!(row.stretches.windows(2).all(|pair| pair[0].end <= pair[1].start), "{row:?}");
    }
}
