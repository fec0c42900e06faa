//! Inspector.

use super::Word;
use sim_core::engine::protocol::LaneState;

/// Heading.
pub const HEADING: Word = Word("Inspector");
/// Fold button.
pub const FOLD: Word = Word("fold");
/// Unfold button.
pub const UNFOLD: Word = Word("Unfold the inspector");
/// Table heading.
pub const CANDIDATE: Word = Word("candidate");
/// Section.
pub const SELECTED: Word = Word("Selected slice");
/// Section without a selection.
pub const PRESENT: Word = Word("At this moment");
/// Section.
pub const WHOLE_RUN: Word = Word("Whole run");
/// Table heading.
pub const LATENCY: Word = Word("wake-up latency");
/// Row.
pub const ALL_TASKS: Word = Word("all tasks");
/// Row.
pub const SWITCHES: Word = Word("switches");
/// Row.
pub const MIGRATIONS: Word = Word("migrations");
/// Row.
pub const DECISIONS: Word = Word("decisions");
/// Row.
pub const FAIRNESS: Word = Word("fairness");
/// Row.
pub const BUSY: Word = Word("CPUs busy");
/// Row.
pub const TIME: Word = Word("CPU time");
/// Row.
pub const LEFT: Word = Word("left the CPU");
/// Row.
pub const RAN: Word = Word("ran");
/// Row.
pub const WAITED: Word = Word("waited");
/// Row.
pub const BEHIND: Word = Word("behind");
/// Row.
pub const WOKEN: Word = Word("woken by");
/// Row.
pub const BEFORE: Word = Word("before it");
/// Row.
pub const AFTER: Word = Word("after it");
/// A timer woke it.
pub const TIMER: Word = Word("a timer");
/// Row: how long it slept.
pub const SLEPT: Word = Word("slept");
/// Row: how long it waited for I/O or a lock.
pub const BLOCKED: Word = Word("blocked");
/// Row: how long it was not there.
pub const AWAY: Word = Word("away");
/// Nothing is known yet.
pub const NOTHING: Word = Word("Click a slice, a gap or a task to see why.");
/// Table heading for screen readers.
pub const OUTCOME: Word = Word("outcome");
/// Candidate status.
pub const RUNS: Word = Word("runs");
/// Candidate status.
pub const WAITS: Word = Word("waits");
/// Nobody runs.
pub const IDLE: Word = Word("idle");

/// Heading of the reason, by state.
pub fn question(state: LaneState, idle: bool) -> Word {
    match state {
        _ if idle => Word("Why is it idle?"),
        LaneState::Running => Word("Why does it run?"),
        LaneState::Runnable => Word("Why does it wait?"),
        LaneState::Sleeping => Word("Why does it sleep?"),
        LaneState::Blocked => Word("What does it wait for?"),
        LaneState::Gone => Word("Where is it?"),
    }
}

/// After the name of the running task, before the rule.
pub fn runs_on(cpu: u16) -> String {
    Word(" runs on CPU {0}: ").fill(&[&cpu])
}

/// Heading of the list.
pub fn decisions_of(cpu: u16) -> String {
    Word("Last decisions of CPU {0}").fill(&[&cpu])
}
/// Before the reason of an idle CPU.
pub fn cpu_is_idle(cpu: u16) -> String {
    Word("CPU {0} is idle: ").fill(&[&cpu])
}

/// After the name of the waker.
pub const WOKE_IT: Word = Word(" woke it.");

/// Why a slice ended, by the number of `SliceEnd`.
pub fn ended(number: u8) -> Word {
    match number {
        0 => Word("idle ended"),
        1 => Word("preempted"),
        2 => Word("slice used up"),
        3 => Word("slept"),
        4 => Word("waits for a lock or I/O"),
        5 => Word("yielded"),
        6 => Word("exited"),
        _ => Word("goes on"),
    }
}

/// Section.
pub const TURNS: Word = Word("What would have to be different?");
/// How the section came about, and what a click on a line does.
pub fn turns_help(since: &str, has_lines: bool) -> String {
    if has_lines {
        Word("Tried out by replay from {0} on. A click shows it as a second lane.").fill(&[&since])
    } else {
        Word("Tried out by replay from {0} on.").fill(&[&since])
    }
}
/// What a click on a line does.
pub const SHOW_TURN: Word = Word("Show as a second lane");
/// After a name: has the CPU then.
pub const RUNS_THEN: Word = Word("runs");
/// Nobody has the CPU then.
pub const LEAVES_IDLE: Word = Word("nobody runs");
/// A wait would have been shorter.
pub const RUNS_EARLIER: Word = Word("runs earlier");
/// After a name: the level that is enough.
pub fn at_level(level: i8, is_worse: bool) -> String {
    if is_worse {
        Word("at nice {0} or more").fill(&[&signed(level)])
    } else {
        Word("at nice {0} or less").fill(&[&signed(level)])
    }
}
/// After a name: no level is enough.
pub const NO_LEVEL: Word = Word("no nice level changes it");
fn signed(level: i8) -> String {
    match level {
        0 => "0".into(),
        1.. => format!("+{level}"),
        _ => format!("−{}", level.unsigned_abs()),
    }
}

/// Which way the deciding number counts.
pub fn better(lower: bool) -> Word {
    if lower { Word("lower is better") } else { Word("higher is better") }
}
/// How far two candidates are apart.
pub fn distance(is_ahead: bool, distance: &str) -> String {
    if is_ahead { Word("{0} ahead").fill(&[&distance]) } else { Word("{0} behind").fill(&[&distance]) }
}

/// Section.
pub const PATH: Word = Word("Request path");
/// What the path begins with.
pub fn since_timer(length: &str, task: &str) -> String {
    Word("{0} from the timer that woke {1}").fill(&[&length, &task])
}
/// What the path begins with.
pub fn since_start(length: &str, task: &str) -> String {
    Word("{0} from the start of {1}").fill(&[&length, &task])
}
/// What the path begins with.
pub fn since_run(length: &str, task: &str) -> String {
    Word("{0} from the run of {1}").fill(&[&length, &task])
}
/// What the path begins with.
pub fn since_queued(length: &str) -> String {
    Word("{0} from when it came to wait").fill(&[&length])
}
/// What a task did on the path.
pub fn ran_on(time: &str, cpu: u16) -> String {
    Word("runs {0} on CPU {1}").fill(&[&time, &cpu])
}
/// What a task did on the path.
pub fn ran_in_all(time: &str) -> String {
    Word("runs {0}").fill(&[&time])
}
/// What a task did on the path.
pub const WAITED_FOR: Word = Word("waits {0}");
/// What a task did on the path.
pub const BLOCKED_FOR: Word = Word("blocked {0}");
/// What a task did on the path.
pub const SLEPT_FOR: Word = Word("sleeps {0}");

/// Row.
pub const WAKES: Word = Word("woke");

/// Others that are not named.
pub fn and_more(count: usize) -> String {
    Word("and {0} more").fill(&[&count])
}

/// How the scheduler compares with the real kernel.
pub fn golden(kernel: &str) -> String {
    Word("matches {0} in ").fill(&[&kernel])
}
/// See [`golden`].
pub const RECORDED: Word = Word(" recorded schedules");
/// A value and how much it can be.
pub const OF: Word = Word("{0} of {1}");
