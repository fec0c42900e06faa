//! State of the timeline between frames: canvases, lanes, scroll, gesture. Paints when the frame loop calls, and turns
//! wishes of the visitor into actions.

use super::cpu_lane::Scratch;
use super::gesture::{Gesture, Wish};
use super::hit::{Hit, hit};
use super::lanes::{CpuLanes, Frame, Lanes, PIN, PINS_MAX, RULER};
use super::minimap;
use super::scene::{Scene, Wake, lane_of_task};
use super::text;
use crate::paint::surface::Surface;
use crate::paint::{ColourBy, Strips, TimeScale};
use crate::store::frame::TimelineWants;
use crate::store::{FrameContext, PlaybackAction, Selection, SelectionAction, Shared, Stage, WindowAction};
use crate::views::look::Look;
use sim_core::engine::protocol::{IDLE, LaneState, TaskView, WhyView, WindowView};
use std::rc::Rc;

mod kept;
mod map;

use kept::Kept;
use map::MapKey;

/// Free px at the right edge where thin lanes show how many wait.
const BARS: f64 = 46.0;
/// A page narrower than this has thumb-sized lanes, px.
const PHONE: f64 = 560.0;

/// What the component decides.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Settings {
    /// One lane per task.
    pub tasks: bool,
    /// CPUs per NUMA node.
    pub per_node: Option<u16>,
    /// Only the lane of the chosen CPU, without pinned tasks.
    pub only_chosen: bool,
    /// This policy, not the selected one; lanes are lower then, because others share the page.
    pub lane: Option<u8>,
    /// Names of tasks that have lanes of their own.
    pub tasks_shown: Rc<Vec<String>>,
}

/// What a paint saw: enough to find what lies under the mouse until the next paint.
#[derive(Clone, Default, PartialEq)]
struct Seen {
    data: Shared<WindowView>,
    window: (u64, u64),
    now: u64,
    duration: u64,
    simulated: u64,
    selection: Selection,
    hover: Option<u32>,
    dpr: f64,
    wake: Option<Wake>,
    notes: Rc<Vec<String>>,
    divergence: Option<(u64, u16)>,
    colour_by: Option<ColourBy>,
    horizon: Option<u64>,
}

/// What the lanes were drawn from: an equal frame is not drawn again.
#[derive(PartialEq)]
struct Drawn {
    seen: Seen,
    pins: Vec<u32>,
    scroll: f64,
    size: (f64, f64),
    look: u32,
}

/// See the module.
pub struct View {
    stage: Stage,
    settings: Settings,
    lanes_canvas: Option<Surface>,
    map_canvas: Option<Surface>,
    look: Look,
    lanes: Lanes,
    pins: Vec<u32>,
    kept_pins: Vec<u32>,
    scroll: f64,
    open: Option<u16>,
    scratch: Scratch,
    map_strips: Strips,
    kept: Kept,
    /// Rises with lanes, theme, names and colours of tasks.
    look_serial: u32,
    seen: Seen,
    drawn: Option<Drawn>,
    heights: (f64, f64),
    map_key: Option<MapKey>,
    /// Follows the pointer.
    pub gesture: Gesture,
    report: Box<dyn Fn(String, Vec<[String; 5]>)>,
    reported_ms: f64,
}

impl View {
    /// An empty view; `report` gets the text equivalent now and then.
    pub fn new(stage: Stage, report: impl Fn(String, Vec<[String; 5]>) + 'static) -> View {
        View {
            stage,
            settings: Settings::default(),
            lanes_canvas: None,
            map_canvas: None,
            look: Look::default(),
            lanes: Lanes::default(),
            pins: Vec::new(),
            kept_pins: Vec::new(),
            scroll: 0.0,
            open: None,
            scratch: Scratch::default(),
            map_strips: Strips::default(),
            kept: Kept::default(),
            look_serial: 0,
            seen: Seen::default(),
            drawn: None,
            heights: (0.0, 0.0),
            map_key: None,
            gesture: Gesture::default(),
            report: Box::new(report),
            reported_ms: f64::NEG_INFINITY,
        }
    }

    /// Takes the canvases of the page.
    pub fn attach(&mut self, lanes: web_sys::HtmlCanvasElement, map: Option<web_sys::HtmlCanvasElement>) {
        let surface = |canvas| {
            let live = self.stage.live.clone();
            Surface::new(canvas, Rc::clone(&self.look.palette), move || live.mark_dirty())
        };
        (self.lanes_canvas, self.map_canvas) = (surface(lanes), map.and_then(surface));
        self.look_anew();
        self.heights = (0.0, 0.0);
    }

    /// Everything must be drawn again.
    fn look_anew(&mut self) {
        self.look_serial = self.look_serial.wrapping_add(1);
        self.map_key = None;
    }

    /// Takes what the component decides.
    pub fn set(&mut self, settings: Settings) {
        if self.settings != settings {
            self.settings = settings;
            self.scroll = 0.0;
            self.look_anew();
            self.stage.live.mark_dirty();
        }
    }

    fn colour_by(&self) -> ColourBy {
        self.look.colour_by(self.seen.colour_by)
    }

    /// Paints a frame.
    pub fn paint(&mut self, context: &FrameContext) {
        if self.look.refresh(context) {
            self.look_anew();
        }
        self.see(context);
        self.arrange(context);
        let drawn = Drawn {
            seen: self.seen.clone(),
            pins: self.pins.clone(),
            scroll: self.scroll,
            size: self.size(),
            look: self.look_serial,
        };
        if self.drawn.as_ref() != Some(&drawn) {
            self.paint_lanes();
            self.drawn = Some(drawn);
        }
        self.paint_map(context);
        self.tell(context.wall_ms);
    }

    fn see(&mut self, context: &FrameContext) {
        let frames = context.frames;
        let number = self.settings.lane.unwrap_or(context.lane);
        if self.seen.colour_by != context.colour_by {
            self.seen.colour_by = context.colour_by;
            self.map_key = None;
        }
        let Some(lane) = frames.lanes.get(usize::from(number)) else { return };
        let notes = frames.policy(number).map(|policy| &policy.notes);
        if notes.is_some_and(|names| *names != *self.seen.notes) {
            self.seen.notes = Rc::new(notes.cloned().unwrap_or_default());
            self.look_serial = self.look_serial.wrapping_add(1);
        }
        let seen = &mut self.seen;
        seen.data = Shared::of(&lane.window);
        seen.window = context.window;
        seen.now = context.now;
        seen.horizon = context.horizon;
        seen.duration = context.duration;
        seen.simulated = frames.simulated(number);
        seen.selection = context.selection.clone();
        seen.hover = context.hover;
        seen.dpr = context.pixel_ratio;
        seen.wake = lane.why.as_deref().and_then(|why| wake_of(why, context.selection));
        seen.divergence = self.settings.lane.and_then(|number| divergence(context, number));
    }

    /// Lanes, pins and heights; tells the store what rows are needed.
    fn arrange(&mut self, context: &FrameContext) {
        let (w, h) = self.lanes_canvas.as_ref().map_or((0.0, 0.0), Surface::size);
        let phone = w > 0.0 && w < PHONE;
        self.pins = self.wanted_pins(&context.frames.tasks);
        let all = context.frames.loaded.as_ref().map_or(0, |loaded| loaded.cpus);
        let only = self.settings.only_chosen;
        let cpus: Vec<u16> = (0..all).filter(|&cpu| !only || cpu == self.seen.selection.cpu).collect();
        let lanes = if self.settings.tasks {
            let known = context.frames.tasks.iter().filter(|task| self.is_there(task));
            let mut tasks: Vec<(u32, u16)> = known.map(|task| (task.id, task.workload)).collect();
            tasks.sort_by_key(|&(id, workload)| (workload, id));
            Lanes::of_tasks(&tasks, phone)
        } else {
            let (per_node, compact) = (self.settings.per_node, self.settings.lane.is_some());
            Lanes::of_cpus(&CpuLanes { cpus: &cpus, per_node, space: LANES_SPACE, phone, open: self.open, compact })
        };
        if self.lanes != lanes {
            self.lanes = lanes;
            self.look_serial = self.look_serial.wrapping_add(1);
        }
        let frame = self.frame(w, h);
        self.scroll = self.scroll.clamp(0.0, frame.scroll_max(&self.lanes));
        // The opened lane must not move the panels below: the others scroll under it.
        let opened = self.lanes.height - self.lanes.height_closed;
        let lanes_h = self.lanes.height - opened;
        let wanted = (RULER + lanes_h + self.pins.len() as f64 * PIN, minimap::height(cpus.len()));
        if wanted != self.heights {
            self.heights = wanted;
            set_height(self.lanes_canvas.as_ref(), wanted.0);
            set_height(self.map_canvas.as_ref(), wanted.1);
        }
        self.stage.live.set_timeline_wants(TimelineWants {
            px: ((frame.right - frame.left) * context.pixel_ratio).max(64.0) as u32,
            cpus: Vec::new(),
            tasks: self.pins.clone(),
            all_tasks: self.settings.tasks,
        });
    }

    /// The task runs in this scenario, or has come into being in the rows at hand (a slider, a fork).
    fn is_there(&self, task: &TaskView) -> bool {
        let gone = LaneState::Gone as u8;
        // Kernel threads have a lane once they do something.
        let starts = task.starts && task.workload != u16::MAX;
        let rows = || self.seen.data.as_deref().and_then(|data| lane_of_task(data, task.id));
        starts || rows().is_some_and(|lane| lane.state.iter().any(|&state| state != gone))
    }

    /// The selected task, its waker, then those the visitor pinned.
    fn wanted_pins(&self, known: &[TaskView]) -> Vec<u32> {
        if self.settings.tasks || self.settings.only_chosen {
            return Vec::new();
        }
        let mut pins: Vec<u32> = self.seen.selection.task.into_iter().collect();
        pins.extend(self.seen.wake.map(|wake| wake.waker));
        let named = |name: &String| known.iter().find(|task| task.name == *name).map(|task| task.id);
        for task in self.settings.tasks_shown.iter().filter_map(named).chain(self.kept_pins.iter().copied()) {
            if !pins.contains(&task) {
                pins.push(task);
            }
        }
        pins.dedup();
        pins.truncate(PINS_MAX);
        pins
    }

    fn frame(&self, w: f64, h: f64) -> Frame {
        let thin = !self.settings.tasks && self.lanes.list.iter().any(|lane| lane.h < 12.0);
        Frame::new(w, h, &self.lanes, self.pins.len(), if thin && w >= PHONE { BARS } else { 0.0 })
    }

    /// The scene of the last paint, for drawing and for finding what is under the mouse.
    fn scene<'a>(&'a self, data: &'a WindowView, w: f64, h: f64) -> Scene<'a> {
        let seen = &self.seen;
        let frame = self.frame(w, h);
        Scene {
            data,
            ink: &self.look.ink,
            palette: &self.look.palette,
            scale: TimeScale::new(seen.window.0, seen.window.1, frame.left, frame.right),
            frame,
            lanes: &self.lanes,
            scroll: self.scroll,
            pins: &self.pins,
            now: seen.now,
            simulated: seen.simulated,
            duration: seen.duration,
            colour_by: self.colour_by(),
            chosen: seen.selection.cpu,
            selected: seen.selection.slice,
            selected_task: seen.selection.task,
            wake: seen.wake,
            hover: seen.hover,
            range: seen.selection.range,
            notes: &seen.notes,
            dpr: seen.dpr,
            phone: w < PHONE,
            divergence: seen.divergence,
            horizon: seen.horizon,
        }
    }

    /// Once a second at most: readers of the text equivalent do not follow 60 frames.
    fn tell(&mut self, wall_ms: f64) {
        if wall_ms - self.reported_ms < 1000.0 {
            // The last picture before a rest must be told too: ask for another frame until it is time.
            self.stage.live.mark_dirty();
            return;
        }
        self.reported_ms = wall_ms;
        if let Some(data) = self.seen.data.0.clone() {
            let scene = self.scene(&data, 800.0, 400.0);
            (self.report)(text::label(&scene, self.settings.tasks), text::rows(&scene));
        }
    }

    fn size(&self) -> (f64, f64) {
        self.lanes_canvas.as_ref().map_or((0.0, 0.0), Surface::size)
    }

    fn scale(&self) -> TimeScale {
        let (w, h) = self.size();
        let frame = self.frame(w, h);
        let (from, to) = self.stage.live.window();
        TimeScale::new(from, to, frame.left, frame.right)
    }

    /// What lies under a point.
    pub fn hit(&self, x: f64, y: f64) -> Option<Hit> {
        let (w, h) = self.size();
        let data = self.seen.data.0.clone().unwrap_or_default();
        let scene = self.scene(&data, w, h);
        // What is hidden cannot be pointed at.
        hit(&scene, x, y).filter(|hit| hit.gutter || self.seen.horizon.is_none_or(|horizon| hit.t < horizon))
    }

    /// Whether a height lies in the ruler.
    pub fn is_ruler(y: f64) -> bool {
        y < RULER
    }

    /// Does what the visitor wants.
    pub fn grant(&mut self, wish: Wish) {
        match wish {
            Wish::SeekX(x) => {
                let t = self.scale().time_from_x(x).min(self.seen.duration);
                self.stage.playback.dispatch(PlaybackAction::Seek(t));
            }
            Wish::Select(x, y) => self.select(x, y),
            Wish::Range(a, b) => self.mark(a, b),
            Wish::Whole => self.stage.window.dispatch(WindowAction::Whole),
            Wish::Pan(dx, dy) => self.pan(dx, dy),
            Wish::Zoom(x, factor) => {
                let (from, to) = self.scale().zoomed(x, factor, self.seen.duration);
                self.stage.window.dispatch(WindowAction::Show(from, to));
            }
            Wish::Scroll(dy) => self.scroll_by(dy),
            Wish::Hover(x, y) => self.point_at(x, y),
            Wish::Leave => {
                self.stage.live.set_hover(None);
                if self.open.take().is_some() {
                    self.stage.live.mark_dirty();
                }
            }
        }
    }

    fn pan(&mut self, dx: f64, dy: f64) {
        if dx != 0.0 {
            let (from, to) = self.scale().panned(dx, self.seen.duration);
            self.stage.window.dispatch(WindowAction::Show(from, to));
        }
        if dy != 0.0 {
            self.scroll_by(dy);
        }
    }

    /// Scrolls the lanes.
    pub fn scroll_by(&mut self, dy: f64) {
        self.scroll = (self.scroll + dy).max(0.0);
        self.stage.live.mark_dirty();
    }

    /// Whether the lanes are higher than their box.
    pub fn can_scroll(&self) -> bool {
        let (w, h) = self.size();
        self.frame(w, h).scroll_max(&self.lanes) > 0.5
    }

    fn mark(&mut self, a: f64, b: f64) {
        let scale = self.scale();
        let time = |x: f64| scale.time_from_x(x.clamp(scale.left, scale.right)).min(self.seen.duration);
        let (a, b) = (time(a), time(b));
        self.set_range((a != b).then(|| (a.min(b), a.max(b))));
    }

    fn set_range(&self, range: Option<(u64, u64)>) {
        self.stage.selection.dispatch(SelectionAction::Range(range));
    }

    fn select(&mut self, x: f64, y: f64) {
        self.clear_range();
        let Some(hit) = self.hit(x, y) else { return };
        if let Some(lane) = self.settings.lane {
            self.stage.selection.dispatch(SelectionAction::Lane(lane));
        }
        let action = match (hit.cpu, hit.task) {
            (Some(cpu), _) if hit.gutter => SelectionAction::Cpu(cpu),
            (Some(cpu), task) => SelectionAction::Slice { cpu, t: hit.t, task },
            (None, Some(task)) => SelectionAction::Task { task, slice: None },
            (None, None) => SelectionAction::Clear,
        };
        self.stage.selection.dispatch(action);
    }

    fn point_at(&mut self, x: f64, y: f64) {
        let hit = self.hit(x, y);
        self.stage.live.set_hover(hit.and_then(|hit| hit.task));
        let open = hit.and_then(|hit| hit.cpu);
        if self.open != open {
            self.open = open;
            self.stage.live.mark_dirty();
        }
    }

    /// Shows the marked range; tells whether there was one.
    pub fn show_range(&mut self) -> bool {
        let Some((from, to)) = self.seen.selection.range else { return false };
        self.set_range(None);
        self.stage.window.dispatch(WindowAction::Show(from, to));
        true
    }

    /// Takes the marked range away; tells whether there was one.
    pub fn clear_range(&mut self) -> bool {
        let had = self.seen.selection.range.is_some();
        if had {
            self.set_range(None);
        }
        had
    }

    /// Pins the lane of the task under the mouse or of the selection, or takes it away.
    pub fn toggle_pin(&mut self) {
        let Some(task) = self.seen.hover.or(self.seen.selection.task) else { return };
        match self.kept_pins.iter().position(|&pin| pin == task) {
            Some(index) => {
                self.kept_pins.remove(index);
            }
            None => self.kept_pins.push(task),
        }
        self.stage.live.mark_dirty();
    }

    /// Chooses the CPU `step` lanes further down.
    pub fn step_cpu(&self, step: i32) {
        let count = self.seen.data.as_ref().map_or(0, |data| data.cpus.len() as i32);
        let next = i32::from(self.seen.selection.cpu) + step;
        if (0..count).contains(&next) {
            self.stage.selection.dispatch(SelectionAction::Cpu(next as u16));
        }
    }
}

/// When and where a lane first ran another task than lane 0; for lane 0 itself the first difference of any other.
fn divergence(context: &FrameContext, lane: u8) -> Option<(u64, u16)> {
    let of = |frames: &crate::store::frame::LaneFrames| frames.summary.as_deref().and_then(|summary| summary.diverged);
    let lanes = &context.frames.lanes;
    if lane > 0 { of(lanes.get(usize::from(lane))?) } else { lanes.iter().filter_map(of).min() }
}

/// Height that lanes may take before they become lower, px.
const LANES_SPACE: f64 = 420.0;

/// Who woke the selected slice; timers have no arrow.
fn wake_of(why: &WhyView, selection: &Selection) -> Option<Wake> {
    let (cpu, t) = selection.slice?;
    let (at, waker) = why.woken?;
    let covers = why.cpu == cpu && why.start <= t && t < why.end.max(why.start + 1);
    let is_task = waker != IDLE && why.task != IDLE && waker != why.task;
    (covers && is_task).then_some(Wake { at, waker, start: why.start, cpu, task: why.task })
}

fn set_height(surface: Option<&Surface>, height: f64) {
    let Some(surface) = surface else { return };
    // A canvas refuses a style only when it is detached.
    let _ = surface.canvas().style().set_property("height", &format!("{height}px"));
}
