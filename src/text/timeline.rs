//! Words on the timeline.

use super::Word;

/// Timeline: heading of the bars beside thin lanes.
pub const WAIT: Word = Word("wait");
/// Timeline: not simulated yet.
pub const SIMULATED_NEXT: Word = Word("simulated next");
/// Legend of the timeline.
pub const LEGEND_NAME: Word = Word("Legend");
/// Its entries.
pub const LEGEND: [Word; 10] = [
    Word("running"),
    Word("waits for CPU"),
    Word("lock or I/O"),
    Word("sleeps"),
    Word("preempted"),
    Word("slice used up"),
    Word("slept"),
    Word("yielded"),
    Word("exited"),
    Word("throttled"),
];
/// Why a slice ended, in the order of the edges.
pub const EDGES: [Word; 7] = [
    Word("still running"),
    Word("preempted"),
    Word("slice used up"),
    Word("slept"),
    Word("waits for a lock or I/O"),
    Word("yielded"),
    Word("exited"),
];
/// Heads of the timeline's table.
pub const TIMELINE_HEADS: [Word; 5] =
    [Word("CPU"), Word("runs now"), Word("since"), Word("until"), Word("waiting, busy")];
/// A CPU that runs nothing.
pub const IDLE: Word = Word("idle");

/// Second line of a CPU's gutter.
pub fn busy_and_waiting(busy_percent: u32, waiting: u16) -> String {
    Word("{0} % · {1} wait").fill(&[&busy_percent, &waiting])
}

/// The same for readers, with what is held back.
pub fn waiting_and_busy(waiting: u16, busy_percent: u32, held: &[String]) -> String {
    let held: String = held.iter().map(|held| format!(", {held}")).collect();
    Word("{0} waiting, {1} % busy{2}").fill(&[&waiting, &busy_percent, &held])
}

/// A NUMA node.
pub fn node(node: u16) -> String {
    Word("Node {0}").fill(&[&node])
}

/// CPUs of a node.
pub fn cpus(first: u16, last: u16) -> String {
    Word("CPUs {0} to {1}").fill(&[&first, &last])
}

/// Name of the timeline's canvas.
pub fn canvas(tasks: bool, from: &str, to: &str, unit: &str, now: &str, chosen: u16) -> String {
    let text = match tasks {
        true => Word("Timeline by task, {0} to {1} {2}, now {3}, CPU {4} chosen"),
        false => Word("Timeline by CPU, {0} to {1} {2}, now {3}, CPU {4} chosen"),
    };
    text.fill(&[&from, &to, &unit, &now, &chosen])
}

/// Panel.
pub const HEADING: Word = Word("Timeline");
/// Minimap.
pub const MINIMAP: Word = Word("Minimap of the whole run: arrow keys move the window, 0 shows all");
/// Gutter of the minimap.
pub const WHOLE: Word = Word("whole run");
/// Caption of the table.
pub const CAPTION: Word = Word("What runs now");
/// Canvas above the structures.
pub const STRIP: Word = Word("Lane of the chosen CPU around now");
/// Group of buttons.
pub const LANES_BY: Word = Word("Lanes by");
/// Button.
pub const BY_CPU: Word = Word("CPUs");
/// Button.
pub const BY_TASK: Word = Word("tasks");
/// Button.
pub const ZOOM_OUT: Word = Word("Zoom out");
/// Button.
pub const ZOOM_IN: Word = Word("Zoom in");
/// Button.
pub const WHOLE_RUN: Word = Word("Whole run");

/// Canvas of one policy.
pub fn of_policy(letter: char, policy: &str) -> String {
    Word("Timeline of {0}, {1}").fill(&[&letter, &policy])
}

/// "200 ms of 10 000".
pub fn part_of(span: &str, all: &str) -> String {
    Word("{0} of {1}").fill(&[&span, &all])
}
