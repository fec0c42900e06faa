//! A policy's data structures as shapes; see [`crate::inspect`].

use serde::{Deserialize, Serialize};

/// A number with a name.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GaugeView {
    /// Kernel's word.
    pub label: String,
    /// Value.
    pub value: i64,
    /// Full bar; 0 = no bar.
    pub full: i64,
    /// Unit word as in [`TunableView::unit`].
    pub unit: String,
}

/// Task or group.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum EntityView {
    /// A task id.
    Task(u32),
    /// A group index.
    Group(u16),
}

/// See [`crate::inspect::Chip`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ChipView {
    /// Who.
    pub entity: EntityView,
    /// Left of the slice.
    pub slice: i64,
    /// Full slice; 0 = not shown.
    pub slice_full: i64,
    /// Unit word.
    pub slice_unit: String,
    /// Deciding number.
    pub key: Option<GaugeView>,
    /// Runs now.
    pub running: bool,
}

/// See [`crate::inspect::TreeNode`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NodeView {
    /// Who.
    pub entity: EntityView,
    /// Children as indices.
    pub left: Option<u32>,
    /// Right child.
    pub right: Option<u32>,
    /// Red node.
    pub red: bool,
    /// Order key.
    pub key: i64,
    /// Second key.
    pub key2: Option<i64>,
    /// Load weight.
    pub weight: i64,
    /// Eligible.
    pub eligible: bool,
}

/// A shape; see [`crate::inspect::StructureVisitor`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum ShapeView {
    /// Tasks in queue order.
    List {
        /// Label.
        label: String,
        /// Tasks.
        chips: Vec<ChipView>,
    },
    /// A priority array.
    Slots {
        /// Label.
        label: String,
        /// Number of slots.
        len: u32,
        /// First slot of normal tasks.
        first_normal: u32,
        /// (slot, task) in slot and list order.
        at: Vec<(u32, ChipView)>,
    },
    /// A bitmap as stored.
    Bitmap {
        /// Label.
        label: String,
        /// 64-bit words, bit 0 first.
        words: Vec<u64>,
        /// Bits in use.
        len: u32,
        /// The bit that decides.
        hit: Option<u32>,
    },
    /// A search tree.
    Tree {
        /// Label.
        label: String,
        /// Index of the root.
        root: Option<u32>,
        /// Index of the leftmost node.
        leftmost: Option<u32>,
        /// min_vruntime or the like.
        floor: i64,
        /// Nodes.
        nodes: Vec<NodeView>,
    },
    /// A number.
    Gauge(GaugeView),
    /// A number of a task or group.
    EntityGauge(EntityView, GaugeView),
    /// A matrix row.
    MatrixRow {
        /// Whose; `None`: what the nice level grants.
        entity: Option<EntityView>,
        /// Nice level.
        nice: i8,
        /// Where it stands.
        place: String,
        /// 0 = forbidden, 1 = allowed, 2 = used, 3 = current, 4 = entry after the swap.
        cells: Vec<u8>,
    },
    /// A contended lock.
    Lock {
        /// Label.
        label: String,
        /// CPU that holds it.
        holder: Option<u16>,
        /// CPUs that spin.
        spinners: u32,
        /// Share of time held, 1/1000.
        utilisation_permille: u32,
    },
    /// A mark on the key axis of the tree before it; `from == to` for a line.
    KeyMark {
        /// Label.
        label: String,
        /// A stretch, not a line.
        is_band: bool,
        /// Left end.
        from: i64,
        /// Right end.
        to: i64,
    },
    /// Entities on an axis of virtual time.
    Spans {
        /// Label.
        label: String,
        /// Name of the line.
        line: String,
        /// Where the line is.
        at: i64,
        /// Entities in order of their ends.
        spans: Vec<SpanView>,
    },
    /// One row of a scan.
    Score(ScoreView),
    /// A number with the value that it should have.
    Meter(EntityView, GaugeView, i64),
    /// A state of an entity that is on or off.
    Lamp(EntityView, String, bool),
    /// One row of the tree of groups.
    ShareRow(ShareRowView),
}

/// See [`crate::inspect::Span`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SpanView {
    /// Who.
    pub entity: EntityView,
    /// Where it stands.
    pub at: i64,
    /// Where its request ends.
    pub until: i64,
    /// Load weight.
    pub weight: i64,
    /// May be picked.
    pub eligible: bool,
    /// Runs now.
    pub running: bool,
    /// Would be picked now.
    pub picked: bool,
}

/// How a score fares; see [`crate::inspect::Standing`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum StandingView {
    /// Wins.
    Wins,
    /// As high as the winner's, but behind it.
    Ties,
    /// Lower.
    Loses,
    /// Not scored, and why.
    Barred(String),
}

/// See [`crate::inspect::Score`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ScoreView {
    /// Whose.
    pub entity: EntityView,
    /// Name of the score.
    pub label: String,
    /// Sum.
    pub total: i64,
    /// Result.
    pub standing: StandingView,
    /// Terms.
    pub terms: Vec<GaugeView>,
}

/// See [`crate::inspect::ShareRow`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ShareRowView {
    /// Group index.
    pub group: u16,
    /// Parent; `None` for the root.
    pub parent: Option<u16>,
    /// Shares.
    pub shares: i64,
    /// Tasks in it.
    pub tasks: u32,
    /// Per CPU: (weight, target, pretended).
    pub cells: Vec<(i64, i64, bool)>,
}

/// A panel of structures.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PanelView {
    /// Stable across frames (an array keeps its id when active and expired swap).
    pub id: u32,
    /// Present role.
    pub label: String,
    /// CPU; `None` = shared by all.
    pub cpu: Option<u16>,
    /// Shapes in drawing order.
    pub shapes: Vec<ShapeView>,
}

/// Answer to `Structures`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StructuresView {
    /// Lane.
    pub lane: u8,
    /// When.
    pub t: u64,
    /// Whose.
    pub cpu: u16,
    /// Panels.
    pub panels: Vec<PanelView>,
    /// Running task; [`super::IDLE`].
    pub curr: u32,
}
