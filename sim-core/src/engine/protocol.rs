//! Questions and answers between the page and the engine: plain data, encoded with postcard on its way through the
//! worker's mailbox. Times are ns since the start of the run unless said.

use crate::policy::SchedClass;
use serde::{Deserialize, Serialize};

/// "No task": idle.
pub const IDLE: u32 = u32::MAX;

/// A question with its number; the answer carries the same number. Of several waiting questions of one slot only the
/// newest is answered.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Request {
    /// Rises by one per question.
    pub seq: u32,
    /// What is asked.
    pub ask: Ask,
}

/// An answer, or news that nobody asked for (`seq` 0).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Response {
    /// Number of the question; 0 for news.
    pub seq: u32,
    /// Answer.
    pub reply: Reply,
}

/// Unit of a step of the transport.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum StepUnit {
    /// A call of `schedule()` (a switch or a re-pick).
    Decision,
    /// Any record (wakeup, migration, switch ...).
    Event,
    /// A tick.
    Tick,
    /// The next or previous slice of one CPU.
    Slice,
}

/// What can be asked. `lane` is the index of a policy lane (0 = the first policy).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Ask {
    /// All policies that exist.
    Policies,
    /// All workload kinds and machine presets, for the controls.
    Catalogue,
    /// Run this scenario. The engine keeps what it can of the present run (a change later in the command log keeps the
    /// past). Answered by `Loaded` or `Problems`, then `Progress` news until the run has reached its end.
    ///
    /// The text is scenario JSON (`scenario::schema`).
    SetScenario(String),
    /// Rows of the timeline.
    Window {
        /// Lane.
        lane: u8,
        /// From, inclusive.
        from: u64,
        /// To, exclusive.
        to: u64,
        /// Width in device pixels; at most `2 * px` rows per lane come back.
        px: u32,
        /// CPUs wanted; empty = all.
        cpus: Vec<u16>,
        /// Tasks whose own lanes are wanted.
        tasks: Vec<u32>,
    },
    /// Structures of `cpu` as they are after everything at `t`.
    Structures {
        /// Lane.
        lane: u8,
        /// When.
        t: u64,
        /// Whose.
        cpu: u16,
    },
    /// Why the slice (or idle gap) of `cpu` that covers `t` is what it is.
    Why {
        /// Lane.
        lane: u8,
        /// When.
        t: u64,
        /// Where.
        cpu: u16,
    },
    /// Where `task` was at `t` and why (waits behind whom, sleeps until when, who woke it).
    WhyTask {
        /// Lane.
        lane: u8,
        /// When.
        t: u64,
        /// Whom.
        task: u32,
    },
    /// Live graphs for `from..to` (to = now).
    Graphs {
        /// Lane.
        lane: u8,
        /// From.
        from: u64,
        /// To.
        to: u64,
        /// Buckets over time, 1..=512.
        buckets: u16,
    },
    /// Numbers of the run up to `to`.
    Summary {
        /// Lane.
        lane: u8,
        /// Up to when.
        to: u64,
    },
    /// Time of the next (forward) or previous step from `t`.
    Step {
        /// Lane.
        lane: u8,
        /// From.
        t: u64,
        /// Direction.
        forward: bool,
        /// Unit.
        unit: StepUnit,
        /// Only this CPU.
        cpu: Option<u16>,
    },
}

impl Ask {
    /// Questions of the same slot replace each other while they wait.
    pub fn slot(&self) -> (u8, u8) {
        match *self {
            Ask::Policies => (0, 0),
            Ask::Catalogue => (1, 0),
            Ask::SetScenario(_) => (2, 0),
            Ask::Window { lane, .. } => (3, lane),
            Ask::Structures { lane, .. } => (4, lane),
            Ask::Why { lane, .. } | Ask::WhyTask { lane, .. } => (5, lane),
            Ask::Graphs { lane, .. } => (6, lane),
            Ask::Summary { lane, .. } => (7, lane),
            Ask::Step { lane, .. } => (8, lane),
        }
    }
}

/// Answers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Reply {
    /// To `Policies`.
    Policies(Vec<PolicyView>),
    /// To `Catalogue`.
    Catalogue(Catalogue),
    /// To `SetScenario`: it runs.
    Loaded(Box<Loaded>),
    /// To `SetScenario`: it cannot run; the previous run goes on.
    Problems(Vec<Problem>),
    /// News: how far each lane is simulated.
    Progress(Vec<LaneProgress>),
    /// To `Window`.
    Window(Box<WindowView>),
    /// To `Structures`.
    Structures(StructuresView),
    /// To `Why` and `WhyTask`.
    Why(Box<WhyView>),
    /// To `Graphs`.
    Graphs(Box<GraphsView>),
    /// To `Summary`.
    Summary(Box<SummaryView>),
    /// To `Step`: the new time; `None` at the end or start.
    Step(Option<u64>),
}

/// A fault of a scenario, link or file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Problem {
    /// Field (`workloads[2].nice`); empty for the whole.
    pub path: String,
    /// What is wrong and what is allowed.
    pub message: String,
    /// How to mend it, if there is one clear way.
    pub hint: String,
}

/// How far a lane is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LaneProgress {
    /// Simulated up to here.
    pub simulated: u64,
    /// End of the run.
    pub duration: u64,
    /// Events so far.
    pub events: u64,
    /// Digest so far.
    pub digest: u64,
    /// Why it stopped early, as a sentence.
    pub fault: Option<String>,
}

/// A policy for menus and sentences.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PolicyView {
    /// Stable key.
    pub key: String,
    /// Title.
    pub title: String,
    /// Family.
    pub family: String,
    /// Kernel and year.
    pub kernel: String,
    /// Summary.
    pub summary: String,
    /// Knobs.
    pub tunables: Vec<TunableView>,
    /// (key, template, function) of each reason.
    pub reasons: Vec<(String, String, String)>,
    /// Names of notes.
    pub notes: Vec<String>,
    /// (ability, has it): batch, idle, iso, groups, nested_groups, bandwidth, slice_request, rt.
    pub caps: Vec<(String, bool)>,
    /// Golden schedules matched, recorded.
    pub golden: (u32, u32),
}

/// A knob.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TunableView {
    /// Key.
    pub key: String,
    /// Help.
    pub help: String,
    /// Unit word: count, ns, ticks, prio, weight, percent, virtual.
    pub unit: String,
    /// Smallest.
    pub min: i64,
    /// Largest.
    pub max: i64,
    /// Default on the scenario's machine.
    pub default: i64,
}

/// A slider of a workload kind.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ParamView {
    /// Key in the scenario.
    pub key: String,
    /// Label.
    pub label: String,
    /// Unit word: ns, count, percent, kib.
    pub unit: String,
    /// Smallest.
    pub min: u64,
    /// Largest.
    pub max: u64,
    /// Default.
    pub default: u64,
    /// Can change while the machine runs (else the run starts anew).
    pub live: bool,
    /// Slider moves logarithmically.
    pub log: bool,
}

/// A kind of workload.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct KindView {
    /// Key in the scenario.
    pub key: String,
    /// Label.
    pub label: String,
    /// One line.
    pub help: String,
    /// Sliders beside count, nice, class.
    pub params: Vec<ParamView>,
    /// Largest count.
    pub count_max: u32,
    /// Default count.
    pub count_default: u32,
}

/// What can be put into a scenario.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Catalogue {
    /// Workload kinds.
    pub kinds: Vec<KindView>,
    /// Machine profiles: key, label, help.
    pub profiles: Vec<(String, String, String)>,
    /// Built-in scenarios: key, title, one line.
    pub builtins: Vec<(String, String, String)>,
}

/// A task for names and colours.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TaskView {
    /// Id (index in the task table).
    pub id: u32,
    /// Name.
    pub name: String,
    /// Index of its workload; `u16::MAX` for kernel threads.
    pub workload: u16,
    /// Nice level at the start.
    pub nice: i8,
    /// Class at the start.
    pub class: SchedClass,
    /// Group index.
    pub group: u16,
    /// It runs in this scenario. Others are kept ready for a slider, a later change or a fork.
    pub starts: bool,
}

/// A run that was accepted.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Loaded {
    /// The scenario as it runs (defaults filled in), as JSON.
    pub scenario: String,
    /// Warnings that do not stop it (unknown fields, things the policy cannot do).
    pub warnings: Vec<Problem>,
    /// Number of CPUs.
    pub cpus: u16,
    /// Tasks known at the start.
    pub tasks: Vec<TaskView>,
    /// Group names by index; 0 is the root.
    pub groups: Vec<String>,
    /// Names of marks.
    pub marks: Vec<String>,
    /// Policy key per lane.
    pub lanes: Vec<String>,
    /// Times that the first changed moment leaves untouched: everything before is as it was.
    pub kept_until: u64,
}

/// Rows of one CPU. Columns have one entry per row; rows are in time order and do not overlap.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct CpuLane {
    /// Which CPU.
    pub cpu: u16,
    /// Start of the row (not cut to the window).
    pub start: Vec<u64>,
    /// End.
    pub end: Vec<u64>,
    /// Task, or the dominant one of a merged row; [`IDLE`].
    pub task: Vec<u32>,
    /// [`crate::kernel::record::SliceEnd`] as a number: why the slice ended; 255 = still running at the front.
    pub ended: Vec<u8>,
    /// Number of slices merged into the row; 1 = a real slice.
    pub merged: Vec<u32>,
    /// Busy share of a merged row, 0..=255.
    pub busy: Vec<u8>,
    /// Queue length steps: time ...
    pub queue_t: Vec<u64>,
    /// ... and tasks waiting (not running) from then on; in a merged step the largest.
    pub queue_n: Vec<u16>,
    /// Share of the window in which it was busy, 1/1000.
    pub busy_permille: u16,
}

/// State of a task in its own lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum LaneState {
    /// On a CPU.
    Running,
    /// Waits for a CPU.
    Runnable,
    /// Sleeps for time or an event.
    Sleeping,
    /// Waits for a lock or I/O.
    Blocked,
    /// Does not exist (not started, or exited).
    Gone,
}

/// Rows of one task.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct TaskLane {
    /// Which task.
    pub task: u32,
    /// Start of the row.
    pub start: Vec<u64>,
    /// End.
    pub end: Vec<u64>,
    /// [`LaneState`] as a number; in a merged row the most important one (the order of the enum).
    pub state: Vec<u8>,
    /// CPU.
    pub cpu: Vec<u16>,
    /// [`crate::kernel::record::SliceEnd`] of a running row as a number; 255 otherwise.
    pub ended: Vec<u8>,
    /// Number of states merged into the row.
    pub merged: Vec<u32>,
}

/// A mark on the timeline.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NoteView {
    /// When.
    pub t: u64,
    /// CPU; `u16::MAX` = all.
    pub cpu: u16,
    /// Row of [`PolicyView::notes`].
    pub note: u16,
    /// Details.
    pub args: [i64; 2],
}

/// Answer to `Window`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct WindowView {
    /// Lane.
    pub lane: u8,
    /// Asked window.
    pub from: u64,
    /// Asked window.
    pub to: u64,
    /// Simulated up to here when it was answered; what lies behind is not known yet.
    pub simulated: u64,
    /// CPU rows.
    pub cpus: Vec<CpuLane>,
    /// Task rows.
    pub tasks: Vec<TaskLane>,
    /// Notes in the window, at most 2000, thinned evenly beyond.
    pub notes: Vec<NoteView>,
    /// Tasks that came into being after `Loaded`.
    pub new_tasks: Vec<TaskView>,
}

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
    /// A matrix row: cells 0 = forbidden, 1 = allowed, 2 = used, 3 = current.
    MatrixRow(EntityView, Vec<u8>),
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
    /// Running task; [`IDLE`].
    pub curr: u32,
}

/// Someone who could have run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CandidateView {
    /// Who.
    pub entity: EntityView,
    /// Deciding number.
    pub key: GaugeView,
    /// Terms of it.
    pub terms: Vec<GaugeView>,
    /// Why it could not win.
    pub barred: Option<String>,
    /// It won.
    pub picked: bool,
}

/// Answer to `Why` and `WhyTask`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WhyView {
    /// Lane.
    pub lane: u8,
    /// Task it is about; [`IDLE`].
    pub task: u32,
    /// CPU.
    pub cpu: u16,
    /// State there and then.
    pub state: LaneState,
    /// Start of the slice, wait or sleep.
    pub start: u64,
    /// Its end (the simulated front if open).
    pub end: u64,
    /// [`crate::kernel::record::SliceEnd`] as a number; 255 = open or not a slice.
    pub ended: u8,
    /// The rule as a sentence.
    pub sentence: String,
    /// What would have had to be different, as a sentence; may be empty.
    pub otherwise: String,
    /// Kernel function modelled.
    pub function: String,
    /// Candidates, best first.
    pub candidates: Vec<CandidateView>,
    /// Facts of the task.
    pub facts: Vec<GaugeView>,
    /// When the task last became runnable before `start` and who woke it ([`IDLE`] = a timer).
    pub woken: Option<(u64, u32)>,
    /// Time it waited for a CPU before the slice, ns, and behind whom: (task, ns) largest first.
    pub waited: u64,
    /// See `waited`.
    pub behind: Vec<(u32, u64)>,
    /// Previous task of the CPU and why it left.
    pub prev: u32,
    /// See `prev`.
    pub prev_ended: u8,
    /// Next task of the CPU after this slice.
    pub next: u32,
}

/// A latency histogram: bucket `i` counts latencies in `bounds[i] .. bounds[i + 1]` ns.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct HistogramView {
    /// Lower bounds, ns; the last bucket is open.
    pub bounds: Vec<u64>,
    /// Counts.
    pub counts: Vec<u64>,
    /// p50, p95, p99, max; ns; 0 if empty.
    pub p50: u64,
    /// 95 %.
    pub p95: u64,
    /// 99 %.
    pub p99: u64,
    /// Largest.
    pub max: u64,
    /// Number of samples.
    pub count: u64,
    /// Mean, ns.
    pub mean: u64,
}

/// Answer to `Graphs`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct GraphsView {
    /// Lane.
    pub lane: u8,
    /// From.
    pub from: u64,
    /// To.
    pub to: u64,
    /// Wakeup latencies in the window.
    pub latency: HistogramView,
    /// (time, latency ns, task), at most 1000, thinned so that the largest of each stretch stay.
    pub latency_points: Vec<(u64, u64, u32)>,
    /// Per mark: (mark, count per bucket).
    pub throughput: Vec<(u16, Vec<u32>)>,
    /// Per workload: share of all CPUs' time per bucket, 1/1000.
    pub share: Vec<Vec<u16>>,
    /// Context switches per bucket.
    pub switches: Vec<u32>,
}

/// Numbers of a task or workload.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RowView {
    /// Task id or workload index.
    pub id: u32,
    /// CPU time, ns.
    pub runtime: u64,
    /// Time waiting for a CPU, ns.
    pub wait: u64,
    /// Sleep, ns.
    pub slept: u64,
    /// Share of one CPU, 1/1000.
    pub share_permille: u32,
    /// Fair share by nice or shares, of one CPU, 1/1000; 0 = not computed.
    pub fair_permille: u32,
    /// Times it was put on a CPU.
    pub switches: u64,
    /// Migrations.
    pub migrations: u64,
    /// Wakeup latency.
    pub latency: HistogramView,
}

/// Answer to `Summary`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct SummaryView {
    /// Lane.
    pub lane: u8,
    /// Up to when.
    pub to: u64,
    /// Events so far.
    pub events: u64,
    /// Context switches.
    pub switches: u64,
    /// Migrations.
    pub migrations: u64,
    /// Decisions.
    pub decisions: u64,
    /// Digest at the simulated front.
    pub digest: u64,
    /// When and on which CPU this lane first ran another task than lane 0; `None` for lane 0 and for equal schedules.
    pub diverged: Option<(u64, u16)>,
    /// Wakeup latency of all tasks: wakeup to running.
    pub wakeup_latency: HistogramView,
    /// Scheduling latency of all tasks: runnable to running, preemptions included.
    pub scheduling_latency: HistogramView,
    /// Response times: (mark, histogram).
    pub response: Vec<(u16, HistogramView)>,
    /// Marks per second of simulated time, times 1000.
    pub throughput_milli: Vec<(u16, u64)>,
    /// Jain's fairness index of the always-runnable tasks' CPU time over weight, 1/1000.
    pub fairness_permille: u32,
    /// Time of all CPUs by kind (user, system, scheduler, spin, refill, idle), ns.
    pub times: [u64; 6],
    /// Per task.
    pub tasks: Vec<RowView>,
    /// Per workload.
    pub workloads: Vec<RowView>,
}
