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
    /// One row of a matrix (staircase): the row's owner, its cells in slot order.
    fn matrix_row(&mut self, entity: Entity, cells: &mut dyn Iterator<Item = Cell>);
    /// A contended lock: who holds it, how many CPUs spin, share of time it was held (1/1000).
    fn lock(&mut self, label: &'static str, holder: Option<CpuId>, spinners: u32, utilisation_permille: u32);
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
