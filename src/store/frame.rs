//! The latest pictures and who paints them. Never in Yew state: canvases read it once per animation frame.
//!
//! A canvas view registers a painter with [`Live::register_painter`] and keeps the handle; the loop of the page
//! (`run_loop`) calls it when something it could draw has changed, or each frame while something moves.

use super::selection::Selection;
use crate::bridge::slots::Slots;
use crate::paint::ColourBy;
use futures_channel::oneshot;
use sim_core::engine::protocol::{
    Catalogue, GraphsView, LaneProgress, Loaded, PolicyView, Problem, QuizView, RangeView, StoryView, StructuresView,
    SummaryView, TaskView, TrailsView, WhyView, WindowView,
};
use sim_core::engine::protocol::{DecisionsView, Reply};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Latest answers of one policy lane. Old ones stay until new ones are there.
#[derive(Clone, Default)]
pub struct LaneFrames {
    /// Rows around the visible window (asked one span wider on both sides).
    pub window: Option<Rc<WindowView>>,
    /// Rows of the whole run, for the minimap.
    pub overview: Option<Rc<WindowView>>,
    /// Structures of the chosen CPU at `now`.
    pub structures: Option<Rc<StructuresView>>,
    /// Graphs from 0 to `now`.
    pub graphs: Option<Rc<GraphsView>>,
    /// Why, for the selection or the chosen CPU at `now`.
    pub why: Option<Rc<WhyView>>,
    /// The last decisions of the chosen CPU before `now`; only while the structures are shown.
    pub decisions: Option<Rc<DecisionsView>>,
    /// What led to the selected slice or wait, and what would have led elsewhere.
    pub story: Option<Rc<StoryView>>,
    /// Numbers of the run.
    pub summary: Option<Rc<SummaryView>>,
    /// Numbers over time of the chosen CPU in the visible window; only while they are shown.
    pub trails: Option<Rc<TrailsView>>,
    /// The selected task over the marked range.
    pub range: Option<Rc<RangeView>>,
}

/// What the numbers of the run lack to be about the document as it stands: the old ones are shown until the new are there,
/// but nothing that names the run may be said of another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Awaited {
    /// Nothing.
    #[default]
    Nothing,
    /// The engine has not taken the document yet.
    Run,
    /// It has, and has not told how far it is.
    Progress,
}

/// Everything the engine has told, newest only.
#[derive(Clone, Default)]
pub struct Frames {
    /// Rises with each answer.
    pub version: u32,
    /// Rises with each accepted scenario: colours and tables by task may be computed anew.
    pub run: u32,
    /// The accepted scenario.
    pub loaded: Option<Rc<Loaded>>,
    /// All tasks known, by id (those of `loaded`, then those that came into being).
    pub tasks: Rc<Vec<TaskView>>,
    /// All policies.
    pub policies: Rc<Vec<PolicyView>>,
    /// Workload kinds and machines.
    pub catalogue: Option<Rc<Catalogue>>,
    /// How far each lane is simulated.
    pub progress: Rc<Vec<LaneProgress>>,
    /// What `progress` lacks to be about the document.
    pub awaited: Awaited,
    /// Why the last scenario was not accepted.
    pub problems: Rc<Vec<Problem>>,
    /// The engine is gone: what it said last.
    pub lost: Option<Rc<str>>,
    /// What is right about the questions of a lesson's step.
    pub quiz: Option<Rc<QuizView>>,
    /// By policy lane.
    pub lanes: Vec<LaneFrames>,
}

impl Frames {
    /// A lane; an empty one if the engine has not told of it.
    pub fn lane(&self, lane: u8) -> LaneFrames {
        self.lanes.get(usize::from(lane)).cloned().unwrap_or_default()
    }

    /// A lane to fill.
    pub fn lane_mut(&mut self, lane: u8) -> &mut LaneFrames {
        let index = usize::from(lane).min(3);
        if self.lanes.len() <= index {
            self.lanes.resize_with(index + 1, LaneFrames::default);
        }
        &mut self.lanes[index]
    }

    /// Name of a task; empty if unknown.
    pub fn task_name(&self, task: u32) -> &str {
        self.tasks.get(task as usize).map_or("", |view| view.name.as_str())
    }

    /// The policy of a lane.
    pub fn policy(&self, lane: u8) -> Option<&PolicyView> {
        let key = self.loaded.as_ref()?.lanes.get(usize::from(lane))?;
        self.policies.iter().find(|policy| policy.key == *key)
    }

    /// Digest of the document's run in a lane, once it is whole.
    pub fn digest(&self, lane: u8) -> Option<u64> {
        let progress = self.progress.get(usize::from(lane)).filter(|_| self.awaited == Awaited::Nothing)?;
        (progress.simulated >= progress.duration || progress.fault.is_some()).then_some(progress.digest)
    }

    /// Simulated up to here, ns.
    pub fn simulated(&self, lane: u8) -> u64 {
        self.progress.get(usize::from(lane)).map_or(0, |progress| progress.simulated)
    }
}

/// Style tokens as they are now, read once per theme.
#[derive(Default)]
pub struct Tokens {
    values: RefCell<BTreeMap<&'static str, Rc<str>>>,
    version: Cell<u32>,
}

impl Tokens {
    /// Value of a custom property such as `--accent`.
    pub fn get(&self, name: &'static str) -> Rc<str> {
        if let Some(value) = self.values.borrow().get(name) {
            return value.clone();
        }
        let value: Rc<str> = read_token(name).into();
        self.values.borrow_mut().insert(name, value.clone());
        value
    }

    /// Rises when the theme changes: caches of colours are stale.
    pub fn version(&self) -> u32 {
        self.version.get()
    }

    /// The theme has changed.
    pub fn forget(&self) {
        self.values.borrow_mut().clear();
        self.version.set(self.version.get().wrapping_add(1));
    }
}

fn read_token(name: &str) -> String {
    let style = web_sys::window().and_then(|window| {
        let root = window.document()?.document_element()?;
        window.get_computed_style(&root).ok().flatten()
    });
    style.and_then(|style| style.get_property_value(name).ok()).unwrap_or_default().trim().to_string()
}

/// What a painter may look at.
pub struct FrameContext<'a> {
    /// Latest answers.
    pub frames: &'a Frames,
    /// Policy lane shown.
    pub lane: u8,
    /// Now, ns.
    pub now: u64,
    /// Visible window, ns.
    pub window: (u64, u64),
    /// End of the run, ns.
    pub duration: u64,
    /// Nothing from here on is shown, ns.
    pub horizon: Option<u64>,
    /// Plays.
    pub playing: bool,
    /// Selection.
    pub selection: &'a Selection,
    /// Task under the mouse in any view.
    pub hover: Option<u32>,
    /// Colours and sizes.
    pub tokens: &'a Tokens,
    /// Device pixels per CSS pixel.
    pub pixel_ratio: f64,
    /// The visitor's time, ms: for interface animations.
    pub wall_ms: f64,
    /// Interface animations must not move.
    pub reduced_motion: bool,
    /// What task colours mean, if the visitor chose.
    pub colour_by: Option<ColourBy>,
    again: &'a Cell<bool>,
}

impl FrameContext<'_> {
    /// Asks for one more frame: an interface animation is on its way.
    pub fn keep_animating(&self) {
        self.again.set(true);
    }
}

/// What the timeline needs from the engine; set by the timeline view when its size or mode changes.
#[derive(Clone, PartialEq, Debug)]
pub struct TimelineWants {
    /// Width of the lanes, device pixels.
    pub px: u32,
    /// CPUs; empty = all.
    pub cpus: Vec<u16>,
    /// Tasks with lanes of their own, besides the selected one.
    pub tasks: Vec<u32>,
    /// All tasks have lanes.
    pub all_tasks: bool,
}

impl Default for TimelineWants {
    fn default() -> Self {
        Self { px: 1024, cpus: Vec::new(), tasks: Vec::new(), all_tasks: false }
    }
}

type Painter = Rc<dyn Fn(&FrameContext)>;

pub(super) struct Inner {
    pub frames: RefCell<Frames>,
    pub slots: RefCell<Slots>,
    pub client: RefCell<Option<Box<dyn crate::bridge::client::EngineClient>>>,
    pub tokens: Tokens,
    pub now: Cell<u64>,
    pub window: Cell<(u64, u64)>,
    pub hover: Cell<Option<u32>>,
    pub pointer_time: Cell<Option<u64>>,
    pub wants: RefCell<TimelineWants>,
    /// Who waits for the answer to [`Live::fetch`].
    pub waiter: RefCell<Option<oneshot::Sender<Reply>>>,
    pub dirty: Cell<bool>,
    pub again: Cell<bool>,
    pub loop_state: RefCell<super::run_loop::LoopState>,
    painters: RefCell<BTreeMap<u32, Painter>>,
    next_painter: Cell<u32>,
}

/// Handle of the frame store and the painters. Cheap to clone, equal to itself only.
#[derive(Clone)]
pub struct Live(pub(super) Rc<Inner>);

impl PartialEq for Live {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Default for Live {
    fn default() -> Self {
        Self(Rc::new(Inner {
            frames: RefCell::default(),
            slots: RefCell::default(),
            client: RefCell::default(),
            tokens: Tokens::default(),
            now: Cell::new(0),
            window: Cell::new((0, 200_000_000)),
            hover: Cell::new(None),
            pointer_time: Cell::new(None),
            wants: RefCell::default(),
            waiter: RefCell::default(),
            dirty: Cell::new(true),
            again: Cell::new(false),
            loop_state: RefCell::default(),
            painters: RefCell::default(),
            next_painter: Cell::new(0),
        }))
    }
}

/// Keeps a painter registered; drop it to stop painting.
pub struct PainterHandle {
    live: Live,
    id: u32,
}

impl Drop for PainterHandle {
    fn drop(&mut self) {
        self.live.0.painters.borrow_mut().remove(&self.id);
    }
}

impl Live {
    /// Registers a painter; it is called in the next frame.
    pub fn register_painter(&self, painter: impl Fn(&FrameContext) + 'static) -> PainterHandle {
        let id = self.0.next_painter.get();
        self.0.next_painter.set(id + 1);
        self.0.painters.borrow_mut().insert(id, Rc::new(painter));
        self.mark_dirty();
        PainterHandle { live: self.clone(), id }
    }

    /// Something a painter shows has changed (a resize, say): paint in the next frame.
    pub fn mark_dirty(&self) {
        self.0.dirty.set(true);
    }

    /// Now, ns: exact even while playing.
    pub fn now(&self) -> u64 {
        self.0.now.get()
    }

    /// Visible window, ns: exact even while playing.
    pub fn window(&self) -> (u64, u64) {
        self.0.window.get()
    }

    /// Task under the mouse.
    pub fn hover(&self) -> Option<u32> {
        self.0.hover.get()
    }

    /// The mouse points at this task, in any view.
    pub fn set_hover(&self, task: Option<u32>) {
        if self.0.hover.replace(task) != task {
            self.mark_dirty();
        }
    }

    /// What the timeline needs to be asked for.
    pub fn set_timeline_wants(&self, wants: TimelineWants) {
        if *self.0.wants.borrow() != wants {
            *self.0.wants.borrow_mut() = wants;
            self.mark_dirty();
        }
    }

    /// Looks at the latest answers.
    pub fn with_frames<R>(&self, look: impl FnOnce(&Frames) -> R) -> R {
        look(&self.0.frames.borrow())
    }

    /// The visitor has read why the last scenario was refused.
    pub fn forget_problems(&self) {
        self.0.frames.borrow_mut().problems = Rc::default();
        self.mark_dirty();
    }

    /// Paints everything anew, also what has not changed.
    pub fn repaint(&self) {
        self.tokens().forget();
        self.mark_dirty();
    }

    /// Colours and sizes.
    pub fn tokens(&self) -> &Tokens {
        &self.0.tokens
    }

    /// Calls all painters.
    pub(super) fn paint(&self, context: &PaintState) {
        let painters: Vec<Painter> = self.0.painters.borrow().values().cloned().collect();
        let frames = self.0.frames.borrow();
        let context = FrameContext {
            frames: &frames,
            lane: context.selection.lane,
            now: self.now(),
            window: self.window(),
            duration: context.duration,
            horizon: context.horizon,
            playing: context.playing,
            selection: context.selection,
            hover: self.hover(),
            tokens: &self.0.tokens,
            pixel_ratio: context.pixel_ratio,
            wall_ms: context.wall_ms,
            reduced_motion: context.reduced_motion,
            colour_by: context.colour_by,
            again: &self.0.again,
        };
        for painter in painters {
            painter(&context);
        }
    }
}

/// What the loop knows besides the frames.
pub(super) struct PaintState<'a> {
    pub duration: u64,
    pub horizon: Option<u64>,
    pub playing: bool,
    pub selection: &'a Selection,
    pub pixel_ratio: f64,
    pub wall_ms: f64,
    pub reduced_motion: bool,
    pub colour_by: Option<ColourBy>,
}
