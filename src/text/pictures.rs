//! Words on the pictures: structures, timeline, graphs. Names of shapes come from the policy and are not listed here.

use crate::paint::number;

/// Lists and slots.
pub const EMPTY: &str = "Empty";
/// Tree.
pub const TREE_EMPTY: &str = "The tree is empty: whoever runs has the CPU alone";
/// Mark of the first node.
pub const LEFTMOST: &str = "leftmost";
/// The same, where it may run.
pub const LEFTMOST_NEXT: &str = "leftmost: runs next";
/// Name of a tree's floor where the policy gives it none.
pub const FLOOR: &str = "floor";
/// Heading of the table.
pub const NUMBERS: &str = "Numbers of each task";
/// Head of the column of names.
pub const TASK: &str = "task";
/// The same for groups.
pub const GROUP: &str = "group";
/// A lamp that is lit.
pub const LAMP_ON: &str = "yes";
/// A lamp that is dark.
pub const LAMP_OFF: &str = "no";
/// Lock.
pub const LOCK_FREE: &str = "free";
/// Scan: the winner.
pub const SCAN_WINS: &str = "wins";
/// Scan: as good as the winner.
pub const SCAN_TIES: &str = "ties, stands behind";
/// Scan: no terms are added.
pub const SCAN_NO_TERMS: &str = "no ticks left";
/// Heading of a scan.
pub const SCAN: &str = "scan";
/// How to read it.
pub const SCAN_HELP: &str = "every runnable task is scored; the highest sum runs, of equal ones the first";
/// Axis: may be picked.
pub const ELIGIBLE: &str = "eligible: owed service";
/// Axis: may not.
pub const NOT_ELIGIBLE: &str = "not eligible: ahead of its share";
/// Axis: the pick.
pub const PICK: &str = "pick";
/// Axis: head of the last column.
pub const LAG: &str = "lag";
/// Axis: how to read it.
pub const AXIS_HELP: &str = "dot: vruntime · flag: deadline · of the eligible the earliest flag runs";
/// Heading of the groups.
pub const GROUPS: &str = "Groups and their weight on each CPU";
/// Root of the groups.
pub const LOAD: &str = "load";
/// Groups: how to read them.
pub const SHARES_HELP: &str = "bar: weight on that CPU · dotted: where the rule moves it · hatched: pretended";
/// Matrix heads.
pub const STEP: &str = "step";
/// See [`STEP`].
pub const QUOTA_LEFT: &str = "quota left";
/// Legend of the matrix.
pub const MATRIX_LEGEND: [&str; 4] =
    ["granted and used", "here now, fill: quota left", "still to come", "not a step of this nice level"];
/// Trails: nothing to draw.
pub const TRAIL_EMPTY: &str = "nothing ran here";
/// Timeline: not simulated yet.
pub const SIMULATED_NEXT: &str = "simulated next";
/// Timeline: heading of the bars beside thin lanes.
pub const WAIT: &str = "wait";

/// "141 bits, 5 words".
pub fn bits(bits: u32, words: u32) -> String {
    format!("{bits} bits, {words} words")
}

/// Where real time ends in a bitmap.
pub fn real_time_to(first_normal: u32) -> String {
    format!("0–{}: real time · from {first_normal}: normal", first_normal.saturating_sub(1))
}

/// A stretch of empty real-time slots.
pub fn real_time_empty(from: u32, to: u32) -> String {
    format!("{from} to {to}: real time, empty")
}

/// A word of a bitmap.
pub fn word(index: u32) -> String {
    format!("word {index}")
}

/// How the number of the first set bit comes about.
pub fn first_set_bit(bit: u32, bits_per_word: u32) -> String {
    format!("{bit} = {} × {bits_per_word} + {}, first set bit", bit / bits_per_word, bit % bits_per_word)
}

/// An array by its number.
pub fn array(id: u32) -> String {
    format!("array {id}")
}

/// "3 tasks".
pub fn tasks(count: usize) -> String {
    if count == 1 { "1 task".to_owned() } else { format!("{count} tasks") }
}

/// Members of a group: "6 tasks, 1 group".
pub fn members(count: usize, groups: usize) -> String {
    match groups {
        0 => tasks(count),
        1 => format!("{}, 1 group", tasks(count)),
        _ => format!("{}, {groups} groups", tasks(count)),
    }
}

/// "2 048 shares".
pub fn shares(shares: i64) -> String {
    format!("{} shares", number::whole(shares))
}

/// More than is drawn.
pub fn more(count: usize) -> String {
    format!("and {count} more")
}

/// "hog/0 runs".
pub fn runs(name: &str) -> String {
    format!("{name} runs")
}

/// "CPU 3".
pub fn cpu(cpu: u16) -> String {
    format!("CPU {cpu}")
}

/// State of a lock.
pub fn lock(holder: Option<u16>, spinners: u32, permille: u32) -> String {
    let holder = holder.map_or_else(|| LOCK_FREE.to_owned(), |cpu| format!("held by CPU {cpu}"));
    format!("{} · {holder} · {spinners} spin", number::permille(permille))
}

/// A number beside what it should be: "46.8 %, should be 48.8 %".
pub fn against(value: &str, target: &str) -> String {
    format!("{value}, should be {target}")
}

/// A mark that lies far left of the axis.
pub fn far_left(label: &str, distance: &str) -> String {
    format!("← {label}, {distance} left")
}

/// Heading of a number over time.
pub fn over_time(label: &str) -> String {
    format!("{label} over time")
}

/// What the root's cells are, and those of a group, in words.
pub fn share_cell(cpu: usize, weight: i64, target: i64, pretended: bool) -> String {
    let weight_text = number::whole(weight);
    let moves = if target == weight { String::new() } else { format!(", moves to {}", number::whole(target)) };
    let only = if pretended { ", pretended" } else { "" };
    format!("CPU {cpu} {weight_text}{only}{moves}")
}

/// Bands of priorities: real time, nice below 0, nice 0, nice above 0, batch and idle classes.
pub const BANDS: [&str; 5] = ["real time", "nice below 0", "nice 0", "nice above 0", "batch, idle"];
/// Role of the running task.
pub const ROLE_RUNS: &str = "runs";
/// Role on an axis.
pub const ROLE_ELIGIBLE: &str = "eligible";
/// See [`ROLE_ELIGIBLE`].
pub const ROLE_NOT_ELIGIBLE: &str = "not eligible";
/// Role of tasks that the structures shown do not hold.
pub const ROLE_ELSEWHERE: &str = "elsewhere or asleep";

/// Menu of what colours mean.
pub mod colours {
    /// Label of the menu.
    pub const BY: &str = "colour by";
    /// What suits the number of tasks.
    pub const AUTO: &str = "auto";
    /// Task.
    pub const TASK: &str = "task";
    /// Program.
    pub const PROGRAM: &str = "program";
    /// State.
    pub const STATE: &str = "state";
    /// Band of priorities.
    pub const BAND: &str = "priority band";
    /// Part of the structures.
    pub const STRUCTURE: &str = "structure";
    /// Name of the legend.
    pub const LEGEND: &str = "Colours";
}

/// Legend of the timeline.
pub const LEGEND_NAME: &str = "Legend";
/// Its entries.
pub const LEGEND: [&str; 10] = [
    "running",
    "waits for CPU",
    "lock or I/O",
    "sleeps",
    "preempted",
    "slice used up",
    "slept",
    "yielded",
    "exited",
    "throttled",
];
/// Why a slice ended, in the order of the edges.
pub const EDGES: [&str; 7] =
    ["still running", "preempted", "slice used up", "slept", "waits for a lock or I/O", "yielded", "exited"];
/// Heads of the timeline's table.
pub const TIMELINE_HEADS: [&str; 5] = ["CPU", "runs now", "since", "until", "waiting, busy"];
/// A CPU that runs nothing.
pub const IDLE: &str = "idle";

/// Second line of a CPU's gutter.
pub fn busy_and_waiting(busy_percent: u32, waiting: u16) -> String {
    format!("{busy_percent} % · {waiting} wait")
}

/// The same for readers, with what is held back.
pub fn waiting_and_busy(waiting: u16, busy_percent: u32, held: &[String]) -> String {
    let held: String = held.iter().map(|held| format!(", {held}")).collect();
    format!("{waiting} waiting, {busy_percent} % busy{held}")
}

/// A NUMA node.
pub fn node(node: u16) -> String {
    format!("Node {node}")
}

/// CPUs of a node.
pub fn cpus(first: u16, last: u16) -> String {
    format!("CPUs {first} to {last}")
}

/// Name of the timeline's canvas.
pub fn timeline_label(tasks: bool, from: &str, to: &str, unit: &str, now: &str, chosen: u16) -> String {
    let by = if tasks { "task" } else { "CPU" };
    format!("Timeline by {by}, {from} to {to} {unit}, now {now}, CPU {chosen} chosen")
}
