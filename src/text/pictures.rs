//! Words on the pictures: structures, timeline, graphs. Names of shapes come from the policy and are not listed here.

use super::{Word, count};
use crate::paint::number;

/// Lists and slots.
pub const EMPTY: Word = Word("Empty");
/// Tree.
pub const TREE_EMPTY: Word = Word("The tree is empty: whoever runs has the CPU alone");
/// Mark of the first node.
pub const LEFTMOST: Word = Word("leftmost");
/// The same, where it may run.
pub const LEFTMOST_NEXT: Word = Word("leftmost: runs next");
/// Name of a tree's floor where the policy gives it none.
pub const FLOOR: Word = Word("floor");
/// Heading of the table.
pub const NUMBERS: Word = Word("Numbers of each task");
/// Head of the column of names.
pub const TASK: Word = Word("task");
/// The same for groups.
pub const GROUP: Word = Word("group");
/// A lamp that is lit.
pub const LAMP_ON: Word = Word("yes");
/// A lamp that is dark.
pub const LAMP_OFF: Word = Word("no");
/// Lock.
pub const LOCK_FREE: Word = Word("free");
/// Scan: the winner.
pub const SCAN_WINS: Word = Word("wins");
/// Scan: as good as the winner.
pub const SCAN_TIES: Word = Word("ties, stands behind");
/// Scan: no terms are added.
pub const SCAN_NO_TERMS: Word = Word("no ticks left");
/// Heading of a scan.
pub const SCAN: Word = Word("scan");
/// How to read it.
pub const SCAN_HELP: Word = Word("every runnable task is scored; the highest sum runs, of equal ones the first");
/// Axis: may be picked.
pub const ELIGIBLE: Word = Word("eligible: owed service");
/// Axis: may not.
pub const NOT_ELIGIBLE: Word = Word("not eligible: ahead of its share");
/// Axis: the pick.
pub const PICK: Word = Word("pick");
/// Axis: head of the last column.
pub const LAG: Word = Word("lag");
/// Axis: how to read it.
pub const AXIS_HELP: Word = Word("dot: vruntime · flag: deadline · of the eligible the earliest flag runs");
/// Heading of the groups.
pub const GROUPS: Word = Word("Groups and their weight on each CPU");
/// Where the tasks of no group are a group of their own.
pub const ROOT_GROUP: Word = Word("root group");
/// Root of the groups.
pub const LOAD: Word = Word("load");
/// Groups: how to read them.
pub const SHARES_HELP: Word = Word("bar: weight on that CPU · dotted: where the rule moves it · hatched: pretended");
/// Beside the heading of a slice.
pub const SLICE_HELP: Word = Word("used, and the line at its end");
/// Heading under the groups.
pub const WHY_SHARES: Word = Word("Why do shares move?");
/// The rule.
pub const SHARES_RULE: Word = Word(
    "A group's shares follow its tasks: on each CPU it weighs its shares times the weight of its tasks there, divided by the weight of all its tasks.",
);
/// Nothing is due.
pub const SHARES_STAND: Word = Word("Every group weighs what the rule gives it now.");
/// Matrix heads.
pub const STEP: Word = Word("step");
/// See [`STEP`].
pub const QUOTA_LEFT: Word = Word("quota left");
/// Head of the array that a task stands on.
pub const ARRAY: Word = Word("array");
/// Legend of the matrix.
pub const MATRIX_LEGEND: [Word; 6] = [
    Word("granted and used"),
    Word("here now, fill: quota left"),
    Word("still to come"),
    Word("not a step of this nice level"),
    Word("level reached"),
    Word("entry after the swap"),
];
/// Heading over the rows of all nice levels, and how to read them.
pub const LEVELS: Word = Word("all 40 nice levels");
/// See [`LEVELS`].
pub const LEVELS_HELP: Word = Word("which steps of a rotation each level may use");
/// Trails: nothing to draw.
pub const TRAIL_EMPTY: Word = Word("nothing ran here");

/// "141 bits, 5 words".
pub fn bits(bits: u32, words: u32) -> String {
    Word("{0} bits, {1} words").fill(&[&bits, &words])
}

/// Where real time ends in a bitmap.
pub fn real_time_to(first_normal: u32) -> String {
    Word("0–{0}: real time · from {1}: normal").fill(&[&first_normal.saturating_sub(1), &first_normal])
}

/// A stretch of empty real-time slots.
pub fn real_time_empty(from: u32, to: u32) -> String {
    Word("{0} to {1}: real time, empty").fill(&[&from, &to])
}

/// A word of a bitmap.
pub fn word(index: u32) -> String {
    Word("word {0}").fill(&[&index])
}

/// How the number of the first set bit comes about.
pub fn first_set_bit(bit: u32, bits_per_word: u32) -> String {
    Word("{0} = {1} × {2} + {3}, first set bit").fill(&[
        &bit,
        &(bit / bits_per_word),
        &bits_per_word,
        &(bit % bits_per_word),
    ])
}

/// An array by its number.
pub fn array(id: u32) -> String {
    Word("array {0}").fill(&[&id])
}

/// "3 tasks".
pub fn tasks(tasks: usize) -> String {
    count(tasks, Word("1 task"), Word("{0} tasks"))
}

/// Members of a group: "6 tasks, 1 group".
pub fn members(members: usize, groups: usize) -> String {
    let members = tasks(members);
    match groups {
        0 => members,
        _ => Word("{0}, {1}").fill(&[&members, &count(groups, Word("1 group"), Word("{0} groups"))]),
    }
}

/// "2 048 shares".
pub fn shares(shares: i64) -> String {
    Word("{0} shares").fill(&[&number::whole(shares)])
}

/// More than is drawn.
pub fn more(more: usize) -> String {
    Word("and {0} more").fill(&[&more])
}

/// Queues that the run view leaves to the full one.
pub fn more_queues(more: usize) -> String {
    count(more, Word("and 1 more queue below it: open in full"), Word("and {0} more queues below it: open in full"))
}

/// "hog/0 runs".
pub fn runs(name: &str) -> String {
    Word("{0} runs").fill(&[&name])
}

/// Heading: "Slice of hog/0".
pub fn slice_of(name: &str) -> String {
    Word("Slice of {0}").fill(&[&name])
}

/// "60 ms period".
pub fn period(time: &str) -> String {
    Word("{0} period").fill(&[&time])
}

/// "ran 3.0 ms".
pub fn ran(time: &str) -> String {
    Word("ran {0}").fill(&[&time])
}

/// "slice 5.1 ms".
pub fn slice(time: &str) -> String {
    Word("slice {0}").fill(&[&time])
}

/// A change of a group's weight that is due.
pub fn shares_move(group: &str, cpu: usize, from: &str, to: &str) -> String {
    Word("{0} is due to go from {2} to {3} on CPU {1}, when the kernel next looks.").fill(&[&group, &cpu, &from, &to])
}

/// What the policy noted last.
pub fn last_step(name: &str, cpu: Option<u16>, at: &str) -> String {
    match cpu {
        Some(cpu) => Word("Last note of any kind before now: {0}, CPU {1}, {2}.").fill(&[&name, &cpu, &at]),
        None => Word("Last note of any kind before now: {0}, {1}.").fill(&[&name, &at]),
    }
}

/// "CPU 3".
pub fn cpu(cpu: u16) -> String {
    Word("CPU {0}").fill(&[&cpu])
}

/// Who holds a lock.
pub fn holder(holder: Option<u16>) -> String {
    holder.map_or_else(|| LOCK_FREE.into(), |cpu| Word("held by CPU {0}").fill(&[&cpu]))
}

/// State of a lock.
pub fn lock(lock: Option<u16>, spinners: u32, permille: u32) -> String {
    Word("{0} · {1} · {2} spin").fill(&[&number::permille(permille), &holder(lock), &spinners])
}

/// The same in the table.
pub fn lock_told(lock: Option<u16>, spinners: u32, permille: u32) -> String {
    Word("{0}, {1} CPUs spin, held {2} of the time").fill(&[&holder(lock), &spinners, &number::permille(permille)])
}

/// A number beside what it should be: "46.8 %, should be 48.8 %".
pub fn against(value: &str, target: &str) -> String {
    Word("{0}, should be {1}").fill(&[&value, &target])
}

/// A mark that lies far left of the axis.
pub fn far_left(label: &str, distance: &str) -> String {
    Word("← {0}, {1} left").fill(&[&label, &distance])
}

/// Heading of a number over time.
pub fn over_time(label: &str) -> String {
    Word("{0} over time").fill(&[&label])
}

/// What a group has on a CPU.
pub fn share_cell(cpu: usize, weight: i64, target: i64, pretended: bool) -> String {
    let text = Word("CPU {0} {1}").fill(&[&cpu, &number::whole(weight)]);
    let text = if pretended { Word("{0}, pretended").fill(&[&text]) } else { text };
    if target == weight { text } else { Word("{0}, moves to {1}").fill(&[&text, &number::whole(target)]) }
}

/// Heads of the structures' table.
pub const HEADS: [Word; 3] = [Word("structure"), Word("part"), Word("content")];
/// Panel.
pub const RUN_QUEUE: Word = Word("Run queue");
/// Button.
pub const FOLD: Word = Word("Fold run queue");
/// Button.
pub const UNFOLD: Word = Word("Unfold run queue");
/// Group of buttons.
pub const SLOTS_SHOWN: Word = Word("Slots shown");
/// Button.
pub const ALL_LEVELS: Word = Word("all levels");
/// Button.
pub const OCCUPIED: Word = Word("occupied");
/// Button.
pub const OPEN_FULL: Word = Word("open in full");
/// Group of buttons.
pub const CPU: Word = Word("CPU");
/// Caption of the table.
pub const CAPTION: Word = Word("Structures of the chosen CPU");
/// Row of a tree's root and of a pick.
pub const PICKED: Word = Word("picked");

/// "at 2 326.2 ms".
pub fn at(time: &str) -> String {
    Word("at {0}").fill(&[&time])
}

/// Name of the canvas.
pub fn canvas(cpu: u16, moment: &str) -> String {
    Word("Run queue of CPU {0} at {1}").fill(&[&cpu, &moment])
}

/// A group by its name.
pub fn group(name: &str) -> String {
    Word("group {0}").fill(&[&name])
}

/// A slot of an array.
pub fn slot(slot: u32) -> String {
    Word("slot {0}").fill(&[&slot])
}

/// Bits of a bitmap, and the one that decides.
pub fn bits_set(bits: &str, hit: Option<u32>) -> String {
    match hit {
        None => Word("bits set: {0}").fill(&[&bits]),
        Some(hit) => Word("bits set: {0}; first set bit {1}").fill(&[&bits, &hit]),
    }
}

/// A tree as a whole.
pub fn tree(nodes: usize, floor: &str) -> String {
    Word("{0} nodes, floor {1}").fill(&[&nodes, &floor])
}

/// A node of a tree.
pub fn node_told(key: &str, weight: &str, red: bool, leftmost: bool) -> String {
    let colour = if red { Word("red") } else { Word("black") };
    let text = Word("key {0}, weight {1}, {2}").fill(&[&key, &weight, &colour]);
    if leftmost { Word("{0}, leftmost").fill(&[&text]) } else { text }
}

/// A row of a matrix: where the task is, steps used and to come.
pub fn steps(now: Option<usize>, used: usize, to_come: usize) -> String {
    match now {
        None => Word("{0} steps used, {1} to come").fill(&[&used, &to_come]),
        Some(now) => Word("at step {0}, {1} steps used, {2} to come").fill(&[&now, &used, &to_come]),
    }
}

/// What a nice level is granted.
pub fn granted(steps: usize) -> String {
    Word("{0} steps of a rotation").fill(&[&steps])
}

/// An entity on an axis.
pub fn span(lag: &str, deadline: &str, weight: &str, marks: &str) -> String {
    Word("lag {0}, deadline {1}, weight {2}, {3}").fill(&[&lag, &deadline, &weight, &marks])
}

/// A number over time: now and its range.
pub fn range(now: &str, low: &str, high: &str) -> String {
    Word("{0} now, {1} to {2} in the window").fill(&[&now, &low, &high])
}

/// What is left of a chip's slice.
pub fn left(name: &str, left: &str) -> String {
    Word("{0}, {1} left").fill(&[&name, &left])
}

/// Bands of priorities: real time, nice below 0, nice 0, nice above 0, batch and idle classes.
pub const BANDS: [Word; 5] =
    [Word("real time"), Word("nice below 0"), Word("nice 0"), Word("nice above 0"), Word("batch, idle")];
/// Role of the running task.
pub const ROLE_RUNS: Word = Word("runs");
/// Role on an axis.
pub const ROLE_ELIGIBLE: Word = Word("eligible");
/// See [`ROLE_ELIGIBLE`].
pub const ROLE_NOT_ELIGIBLE: Word = Word("not eligible");
/// Role of tasks that the structures shown do not hold.
pub const ROLE_ELSEWHERE: Word = Word("elsewhere or asleep");

/// Menu of what colours mean.
pub mod colours {
    use crate::text::Word;

    /// Label of the menu.
    pub const BY: Word = Word("colour by");
    /// What suits the number of tasks.
    pub const AUTO: Word = Word("auto");
    /// Task.
    pub const TASK: Word = Word("task");
    /// Program.
    pub const PROGRAM: Word = Word("program");
    /// State.
    pub const STATE: Word = Word("state");
    /// Band of priorities.
    pub const BAND: Word = Word("priority band");
    /// Part of the structures.
    pub const STRUCTURE: Word = Word("structure");
    /// Name of the legend.
    pub const LEGEND: Word = Word("Colours");
}
