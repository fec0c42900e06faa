//! What a policy's data structures look like: a closed vocabulary of shapes.
//!
//! A policy walks its own queues and names shapes; the page draws shapes and knows no policy. Adding a shape is a
//! change of this contract, adding a policy is not. Labels are `&'static str`: they are part of the program text.

use crate::units::{CpuId, GroupId, TaskId};

/// Unit of a shown number; decides how the page formats it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Plain count.
    Count,
    /// Nanoseconds.
    Nanos,
    /// Scheduler ticks (jiffies).
    Ticks,
    /// Priority number, lower is better.
    Prio,
    /// Load weight (1024 = nice 0 in CFS, 128 in O(1)).
    Weight,
    /// Percent.
    Percent,
    /// Virtual nanoseconds (vruntime, lag, virtual deadline).
    Virtual,
}

/// One named number, with an optional full scale for a bar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gauge {
    /// What it is, in the kernel's word.
    pub label: &'static str,
    /// The value.
    pub value: i64,
    /// The value that fills the bar; 0 = show the number only.
    pub full: i64,
    /// How to print it.
    pub unit: Unit,
}

/// What a chip or node stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entity {
    /// A task.
    Task(TaskId),
    /// A task group's entity.
    Group(GroupId),
}

/// A task in a slot or list, with its slice and the bars that the policy wants under it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chip {
    /// Who.
    pub entity: Entity,
    /// Left of the slice, and a full slice (unit of `slice_unit`); 0/0 = not shown.
    pub slice: i64,
    /// A full slice.
    pub slice_full: i64,
    /// Unit of the two.
    pub slice_unit: Unit,
    /// A second number that decides here (goodness, bonus, deadline ...).
    pub key: Option<Gauge>,
    /// It runs now.
    pub running: bool,
}

/// A node of a tree ordered by `key`. Nodes come in order of `index`; children are indices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TreeNode {
    /// Who.
    pub entity: Entity,
    /// Left child, as an index into the sequence of nodes.
    pub left: Option<u32>,
    /// Right child.
    pub right: Option<u32>,
    /// Red node of a red-black tree.
    pub red: bool,
    /// Order key (vruntime, deadline), absolute.
    pub key: i64,
    /// A second key (EEVDF: deadline where `key` is vruntime, or the reverse).
    pub key2: Option<i64>,
    /// Load weight.
    pub weight: i64,
    /// Eligible to run (EEVDF); true elsewhere.
    pub eligible: bool,
}

/// A cell of a matrix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cell {
    /// Slot may not be used.
    Forbidden,
    /// Slot may be used.
    Allowed,
    /// Slot was used in this rotation.
    Used,
    /// Slot the task sits in now.
    Current,
    /// Slot in which it comes in after the swap.
    Entry,
}

/// Whose row of a matrix it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MatrixRow {
    /// Who; `None` for the rule itself: what the nice level grants.
    pub entity: Option<Entity>,
    /// Nice level: what grants the slots.
    pub nice: i8,
    /// Where it stands, in the kernel's word ("active", "expired", "sleeps").
    pub place: &'static str,
}

/// What a mark on a key axis says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MarkKind {
    /// A place that means something (where a sleeper is put).
    Line,
    /// A stretch in which everything is treated alike (wake-up granularity).
    Band,
}

/// A mark on the key axis of the tree that was named last: the rule that goes with the order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeyMark {
    /// What it is.
    pub label: &'static str,
    /// Line or band.
    pub kind: MarkKind,
    /// Key at its left end.
    pub from: i64,
    /// Key at its right end; equal to `from` for a line.
    pub to: i64,
}

/// An entity on an axis of virtual time: where it stands and until when it asks for service. A tree shows one order;
/// EEVDF decides by two numbers at once, and this shape shows both on one axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// Who.
    pub entity: Entity,
    /// Where it stands (vruntime).
    pub at: i64,
    /// Where its request ends (virtual deadline).
    pub until: i64,
    /// Load weight.
    pub weight: i64,
    /// It may be picked.
    pub eligible: bool,
    /// It runs now.
    pub running: bool,
    /// The rule would pick it now.
    pub picked: bool,
}

/// How a score fares in a scan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// The best so far to the end: it wins.
    Wins,
    /// As high as the best, but it stands behind it.
    Ties,
    /// Lower.
    Loses,
    /// Not scored, with the word for it.
    Barred(&'static str),
}

/// A score that a scan gives, made of terms. A list shows an order; a scan has none, its sums are what decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Score {
    /// Whose.
    pub entity: Entity,
    /// Name of the score.
    pub label: &'static str,
    /// Sum of the terms, or what a special rule puts in its place.
    pub total: i64,
    /// Result.
    pub standing: Standing,
}

/// A task group in the tree of groups.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShareRow {
    /// Which.
    pub group: GroupId,
    /// Its parent; `None` for the root, whose cells are the loads of the CPUs.
    pub parent: Option<GroupId>,
    /// Shares of the group in its parent.
    pub shares: i64,
    /// Tasks in it, runnable or not, without those of groups below.
    pub tasks: u32,
}

/// What a group has on one CPU.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShareCell {
    /// Weight of its entity there.
    pub weight: i64,
    /// Weight that the rule would give it now.
    pub target: i64,
    /// Nobody of the group is runnable there: the weight is only pretended.
    pub pretended: bool,
}

/// How a number of tasks is drawn over time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Course {
    /// A line for each entity.
    Lines,
    /// A block for each stretch of whoever runs, at the height of its number; larger numbers lie lower.
    Blocks,
}

/// A number that is worth seeing over time (a counter's saw-tooth, the slots of a rotation).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trail {
    /// What it is, in the kernel's word.
    pub label: &'static str,
    /// One line that says how to read it.
    pub help: &'static str,
    /// How to print it.
    pub unit: Unit,
    /// Lines or blocks.
    pub course: Course,
}

/// Receives the structures of one CPU (or the global ones). Called in drawing order.
pub trait StructureVisitor {
    /// Starts a panel. `cpu` is `None` for a structure that all CPUs share. `id` names it across frames (`"active"`
    /// may point at array 0 or 1: `id` is the array, `label` its present role), so that a swap can be drawn as a swap.
    fn panel(&mut self, id: u32, label: &'static str, cpu: Option<CpuId>);
    /// Tasks in queue order.
    fn list(&mut self, label: &'static str, chips: &mut dyn Iterator<Item = Chip>);
    /// A priority array: `len` slots, tasks in list order within a slot. `first_normal` separates real time from normal.
    fn slots(&mut self, label: &'static str, len: u32, first_normal: u32, at: &mut dyn Iterator<Item = (u32, Chip)>);
    /// A bitmap of `len` bits as stored; `hit` is the first set bit, the one that decides.
    fn bitmap(&mut self, label: &'static str, words: &[u64], len: u32, hit: Option<u32>);
    /// A search tree; `root` and `leftmost` are indices into the nodes, `floor` is min_vruntime or the like.
    fn tree(
        &mut self,
        label: &'static str,
        root: Option<u32>,
        leftmost: Option<u32>,
        floor: i64,
        nodes: &mut dyn Iterator<Item = TreeNode>,
    );
    /// A number, optionally as a bar.
    fn gauge(&mut self, gauge: Gauge);
    /// A number that belongs to a task or group, optionally as a bar.
    fn entity_gauge(&mut self, entity: Entity, gauge: Gauge);
    /// One row of a matrix (staircase), its cells in slot order.
    fn matrix_row(&mut self, row: MatrixRow, cells: &mut dyn Iterator<Item = Cell>);
    /// A contended lock: who holds it, how many CPUs spin, share of time it was held (1/1000).
    fn lock(&mut self, label: &'static str, holder: Option<CpuId>, spinners: u32, utilisation_permille: u32);
    /// A mark on the key axis of the tree named last.
    fn key_mark(&mut self, mark: KeyMark);
    /// Entities on an axis of virtual time with the line (`line` at `at`) that decides who may be picked.
    fn spans(&mut self, label: &'static str, line: &'static str, at: i64, spans: &mut dyn Iterator<Item = Span>);
    /// One row of a scan: a score and its terms, in scanning order.
    fn score(&mut self, score: Score, terms: &mut dyn Iterator<Item = Gauge>);
    /// A number of an entity as a bar, with the value that it should have as a line across it.
    fn meter(&mut self, entity: Entity, gauge: Gauge, target: i64);
    /// A lamp of an entity: a state that is on or off.
    fn lamp(&mut self, entity: Entity, label: &'static str, lit: bool);
    /// One row of the tree of groups, parents first: its cells in the order of the CPUs.
    fn share_row(&mut self, row: ShareRow, cells: &mut dyn Iterator<Item = ShareCell>);
}

/// A candidate of a decision, with the number that decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// Who could have run.
    pub entity: Entity,
    /// The deciding number (prio, goodness, vruntime, deadline).
    pub key: Gauge,
    /// Further numbers behind it (bonus, slice, penalty ...).
    pub terms: [Option<Gauge>; 3],
    /// Not allowed to win here (affinity, expired, not eligible, throttled), with the word for it.
    pub barred: Option<&'static str>,
}
