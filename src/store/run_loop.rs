//! The one animation-frame loop of the page: advances `now` while playing, asks the engine for what the views show, and
//! calls the painters.
//!
//! Invariants: at most one question per slot is on its way (`bridge::slots`); the loop reads the stores through a mirror
//! that the providers refresh at each render; it never reads Yew state itself.

use super::frame::{Live, PaintState};
use super::selection::CPU_UNKNOWN;
use super::{
    Document, Layout, LayoutAction, Playback, PlaybackAction, Selection, SelectionAction, Stage, ViewWindow,
    WindowAction,
};
use crate::address::{self, Parts, State};
use crate::bridge::client::{EngineClient, FromEngine};
use crate::bridge::slots::Purpose;
use crate::bridge::worker::WorkerClient;
use crate::keyboard::Held;
use sim_core::engine::protocol::{Ask, IDLE, Loaded, Reply, Response, StepUnit, WhyView};
use sim_core::scenario;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

/// While playing, the stores hear of the new time this often, ms: enough for text, cheap for Yew.
const REPORT_MS: f64 = 120.0;
/// Graphs and sentences are asked at most this often while playing, ms.
const CALM_MS: f64 = 120.0;
/// The now-line runs to this share of the window, then the window slides.
const FOLLOW_SHARE: f64 = 0.6;
/// Graphs over time show this much before now, ns.
const GRAPH_SPAN_NS: u64 = 2_000_000_000;
/// Points of a graph over time.
const GRAPH_BUCKETS: u16 = 40;
/// Rows of the minimap, device pixels.
const OVERVIEW_PX: u32 = 1200;
/// Held keys: zoom (natural logarithm) and pan (spans) per second, time until twice as fast, most times as fast.
const HELD_ZOOM: f64 = 1.6;
const HELD_PAN: f64 = 0.9;
const HELD_DOUBLES_MS: f64 = 500.0;
const HELD_FASTEST: f64 = 3.0;
/// A frame longer than this (a hidden tab) does not make the time jump, ms.
const FRAME_MAX_MS: f64 = 100.0;

const MAIN: Purpose = 0;
const OVERVIEW: Purpose = 1;
/// A step that moves the selection instead of now.
const SELECT: Purpose = 2;

/// The stores as of the last render.
#[derive(Clone, Default)]
pub(super) struct Mirror {
    pub document: Document,
    pub playback: Playback,
    pub window: ViewWindow,
    pub selection: Selection,
    pub layout: Layout,
    /// The document as text, once there is one.
    scenario: Option<Rc<str>>,
}

/// What was asked last, so that nothing is asked twice.
#[derive(Clone, Default, PartialEq)]
struct LaneAsked {
    window: Option<WindowKey>,
    overview: Option<(u32, u64)>,
    structures: Option<(u32, u64, u16)>,
    graphs: Option<(u32, u64)>,
    why: Option<WhyKey>,
    summary: Option<(u32, u64)>,
}

#[derive(Clone, PartialEq)]
struct WindowKey {
    run: u32,
    from: u64,
    to: u64,
    px: u32,
    cpus: Vec<u16>,
    tasks: Vec<u32>,
    simulated: u64,
}

#[derive(Clone, PartialEq)]
enum WhyKey {
    Cpu(u32, u64, u16),
    Task(u32, u64, u32),
}

/// State of the loop.
#[derive(Default)]
pub(super) struct LoopState {
    pub mirror: Mirror,
    pub stage: Option<Stage>,
    asked: Vec<LaneAsked>,
    last_ms: f64,
    reported_ms: f64,
    calm_ms: f64,
    carry_ns: f64,
    /// The engine has no scenario yet: questions about views would find no lane and no answer.
    is_new_engine: bool,
    held: Vec<Held>,
    held_ms: f64,
    reduced_motion: bool,
    ready: bool,
}

impl Live {
    /// Starts the engine and the loop; once per page.
    pub fn start(&self, stage: Stage) {
        self.0.loop_state.borrow_mut().stage = Some(stage);
        self.start_engine();
        self.start_frames();
    }

    /// Starts the engine anew and repeats the document: nothing of the visitor's is lost.
    pub fn restart_engine(&self) {
        self.0.frames.borrow_mut().lost = None;
        self.start_engine();
        let scenario = {
            let mut state = self.0.loop_state.borrow_mut();
            state.asked.clear();
            state.is_new_engine = true;
            state.mirror.scenario.clone()
        };
        if let Some(scenario) = scenario {
            self.ask(MAIN, Ask::SetScenario(scenario.to_string()));
        }
        self.mark_dirty();
    }

    fn start_engine(&self) {
        self.0.slots.borrow_mut().clear();
        let live = self.clone();
        match WorkerClient::start(Rc::new(move |news| live.hear(news))) {
            Ok(client) => *self.0.client.borrow_mut() = Some(Box::new(client) as Box<dyn EngineClient>),
            Err(message) => self.hear(FromEngine::Lost(message)),
        }
        self.ask(MAIN, Ask::Policies);
        self.ask(MAIN, Ask::Catalogue);
    }

    /// Asks the engine; the answer comes through the frame store.
    pub(super) fn ask(&self, purpose: Purpose, ask: Ask) {
        let request = self.0.slots.borrow_mut().ask(purpose, ask);
        self.send(request);
    }

    /// Steps from now: the answer seeks.
    pub fn step(&self, forward: bool, unit: StepUnit, cpu: Option<u16>) {
        let lane = self.0.loop_state.borrow().mirror.selection.lane;
        self.ask(MAIN, Ask::Step { lane, t: self.now(), forward, unit, cpu });
    }

    /// Selects the next or previous slice of the chosen CPU.
    pub fn step_slice(&self, forward: bool) {
        let ask = {
            let state = self.0.loop_state.borrow();
            let Selection { slice, cpu, lane, .. } = state.mirror.selection.clone();
            let t = slice.map_or(self.now(), |(_, t)| t);
            Ask::Step { lane, t, forward, unit: StepUnit::Slice, cpu: Some(cpu) }
        };
        self.ask(SELECT, ask);
    }

    /// Chooses another CPU.
    pub fn other_cpu(&self, by: i32) {
        let cpus = self.with_frames(|frames| frames.loaded.as_ref().map_or(1, |loaded| loaded.cpus));
        let state = self.0.loop_state.borrow();
        let Some(stage) = state.stage.clone() else { return };
        let cpu = i32::from(state.mirror.selection.cpu).saturating_add(by).clamp(0, i32::from(cpus) - 1);
        drop(state);
        stage.selection.dispatch(SelectionAction::Cpu(u16::try_from(cpu).unwrap_or(0)));
    }

    /// Start and end of the selected slice, ns.
    pub fn selected_span(&self) -> Option<(u64, u64)> {
        let selection = self.0.loop_state.borrow().mirror.selection.clone();
        selection.slice.and(selection.task.or(Some(IDLE)))?;
        self.with_frames(|frames| frames.lane(selection.lane).why.map(|why| (why.start, why.end.max(why.start))))
    }

    /// The link to the present state: a whole address.
    pub fn link(&self) -> String {
        self.link_with(Parts::default())
    }

    /// The link to the present state with these parts.
    pub fn link_with(&self, parts: Parts) -> String {
        let state = self.0.loop_state.borrow();
        let mirror = &state.mirror;
        let playback = Playback { at: self.now(), ..mirror.playback.clone() };
        let (from, to) = self.window();
        let window = ViewWindow { from, to, ..mirror.window.clone() };
        let state = State {
            document: &mirror.document,
            playback: &playback,
            window: &window,
            selection: &mirror.selection,
            layout: &mirror.layout,
        };
        address::address(&address::fragment(state, parts))
    }

    /// A key that moves while held goes down.
    pub fn hold(&self, key: Held) {
        let mut state = self.0.loop_state.borrow_mut();
        if !state.held.contains(&key) {
            state.held.push(key);
            state.held_ms = 0.0;
        }
    }

    /// A held key goes up; `None`: all.
    pub fn release(&self, key: Option<Held>) {
        self.0.loop_state.borrow_mut().held.retain(|held| key.is_some_and(|key| key != *held));
    }

    /// The mouse is over this time of a timeline: zooming keys keep it in place.
    pub fn set_pointer_time(&self, at: Option<u64>) {
        self.0.pointer_time.set(at);
    }

    fn bring_into_view(&self, stage: &Stage, at: u64) {
        let (from, to) = self.window();
        if at < from || at > to {
            stage.window.dispatch(WindowAction::Centre(at));
        }
    }

    /// The answer names what the selection could not know: the task of a slice, the CPU of a task.
    fn complete_selection(&self, why: &WhyView) {
        let state = self.0.loop_state.borrow();
        let (Some(stage), Some((cpu, t))) = (state.stage.clone(), state.mirror.selection.slice) else { return };
        let task = state.mirror.selection.task;
        drop(state);
        if cpu == CPU_UNKNOWN && task == Some(why.task) {
            stage.selection.dispatch(SelectionAction::Slice { cpu: why.cpu, t, task });
        } else if cpu == why.cpu && task.is_none() && why.task != IDLE && (why.start..=why.end).contains(&t) {
            stage.selection.dispatch(SelectionAction::Slice { cpu, t, task: Some(why.task) });
        }
    }

    /// Zooms and pans while keys are held, faster the longer.
    fn move_held(&self, elapsed_ms: f64) {
        let mut state = self.0.loop_state.borrow_mut();
        let (false, Some(stage)) = (state.held.is_empty(), state.stage.clone()) else { return };
        state.held_ms += elapsed_ms;
        let faster = 1.0 + (state.held_ms / HELD_DOUBLES_MS).min(HELD_FASTEST);
        let held = state.held.clone();
        drop(state);
        let amount = elapsed_ms / 1000.0 * faster;
        let (from, to) = self.window();
        let around = self.0.pointer_time.get().unwrap_or_else(|| self.now().clamp(from, to));
        for key in held {
            stage.window.dispatch(match key {
                Held::Closer => WindowAction::Zoom { around, factor: (-HELD_ZOOM * amount).exp() },
                Held::Wider => WindowAction::Zoom { around, factor: (HELD_ZOOM * amount).exp() },
                Held::Earlier => WindowAction::Pan(-HELD_PAN * amount),
                Held::Later => WindowAction::Pan(HELD_PAN * amount),
            });
        }
    }

    fn send(&self, request: Option<sim_core::engine::protocol::Request>) {
        let Some(request) = request else { return };
        if let Some(client) = self.0.client.borrow().as_ref() {
            client.send(&request);
        }
    }

    fn hear(&self, news: FromEngine) {
        match news {
            FromEngine::Answer(response) => self.take(response),
            FromEngine::Lost(message) => {
                self.0.frames.borrow_mut().lost = Some(message.into());
                // The client calls us from its own handler: it is dropped with the next restart, not here.
                self.0.slots.borrow_mut().clear();
            }
        }
        self.0.frames.borrow_mut().version += 1;
        self.mark_dirty();
    }

    fn take(&self, response: Response) {
        let (purpose, next) = self.0.slots.borrow_mut().answered(response.seq);
        self.send(next);
        let news = response.seq == 0;
        let Some(purpose) = purpose.or(news.then_some(MAIN)) else { return };
        let stage = self.0.loop_state.borrow().stage.clone();
        match response.reply {
            Reply::Loaded(loaded) => self.accept(*loaded),
            Reply::Step(Some(at)) => {
                let Some(stage) = stage else { return };
                if purpose == SELECT {
                    let cpu = self.0.loop_state.borrow().mirror.selection.cpu;
                    stage.selection.dispatch(SelectionAction::Slice { cpu, t: at, task: None });
                    self.bring_into_view(&stage, at);
                } else {
                    stage.playback.dispatch(PlaybackAction::Seek(at));
                    self.bring_into_view(&stage, at);
                }
            }
            Reply::Step(None) => {}
            Reply::Why(why) => {
                self.complete_selection(&why);
                self.keep(purpose, Reply::Why(why));
            }
            reply => self.keep(purpose, reply),
        }
    }

    fn accept(&self, loaded: Loaded) {
        self.0.slots.borrow_mut().forget_views();
        self.0.loop_state.borrow_mut().is_new_engine = false;
        let mut frames = self.0.frames.borrow_mut();
        frames.run += 1;
        frames.tasks = Rc::new(loaded.tasks.clone());
        frames.problems = Rc::default();
        frames.lanes.truncate(loaded.lanes.len());
        frames.loaded = Some(Rc::new(loaded));
    }

    fn keep(&self, purpose: Purpose, reply: Reply) {
        let mut frames = self.0.frames.borrow_mut();
        match reply {
            Reply::Policies(policies) => frames.policies = Rc::new(policies),
            Reply::Catalogue(catalogue) => frames.catalogue = Some(Rc::new(catalogue)),
            Reply::Problems(problems) => {
                let problems = Rc::new(problems);
                frames.problems = problems.clone();
                let stage = self.0.loop_state.borrow().stage.clone();
                if let (None, Some(stage)) = (&frames.loaded, stage) {
                    // Nothing runs that could go on: the card takes the page.
                    frames.problems = Rc::default();
                    stage.layout.dispatch(LayoutAction::LinkProblems(Some(problems)));
                }
            }
            Reply::Progress(progress) => frames.progress = Rc::new(progress),
            Reply::Window(window) => {
                for task in &window.new_tasks {
                    let tasks = Rc::make_mut(&mut frames.tasks);
                    if task.id as usize == tasks.len() {
                        tasks.push(task.clone());
                    }
                }
                let lane = frames.lane_mut(window.lane);
                let place = if purpose == OVERVIEW { &mut lane.overview } else { &mut lane.window };
                *place = Some(Rc::new(*window));
            }
            Reply::Structures(view) => {
                let place = &mut frames.lane_mut(view.lane).structures;
                *place = Some(Rc::new(view));
            }
            Reply::Why(view) => {
                let place = &mut frames.lane_mut(view.lane).why;
                *place = Some(Rc::new(*view));
            }
            Reply::Graphs(view) => {
                let place = &mut frames.lane_mut(view.lane).graphs;
                *place = Some(Rc::new(*view));
            }
            Reply::Summary(view) => {
                let place = &mut frames.lane_mut(view.lane).summary;
                *place = Some(Rc::new(*view));
            }
            Reply::Loaded(_) | Reply::Step(_) => {}
        }
    }

    /// Takes over the stores; called by the providers at each render.
    pub(crate) fn sync(
        &self,
        document: &Document,
        playback: &Playback,
        window: &ViewWindow,
        rest: (&Selection, &Layout),
    ) {
        let mut state = self.0.loop_state.borrow_mut();
        let old = std::mem::take(&mut state.mirror);
        if old.playback.jump != playback.jump {
            self.0.now.set(playback.at);
            state.carry_ns = 0.0;
        }
        if old.window.jump != window.jump {
            self.0.window.set((window.from, window.to));
        }
        let is_new = old.document.revision != document.revision && !document.scenario.lanes.is_empty();
        let text = if is_new { Some(Rc::from(scenario::to_json(&document.scenario))) } else { None };
        state.mirror = Mirror {
            document: document.clone(),
            playback: playback.clone(),
            window: window.clone(),
            selection: rest.0.clone(),
            layout: rest.1.clone(),
            scenario: text.clone().or(old.scenario),
        };
        drop(state);
        if let Some(text) = text {
            self.ask(MAIN, Ask::SetScenario(text.to_string()));
        }
        self.mark_dirty();
    }

    fn start_frames(&self) {
        let callback: Rc<RefCell<Option<FrameCallback>>> = Rc::default();
        let again = callback.clone();
        let live = self.clone();
        *callback.borrow_mut() = Some(Closure::new(move |wall_ms: f64| {
            live.frame(wall_ms);
            request_frame(&again);
        }));
        request_frame(&callback);
    }

    fn frame(&self, wall_ms: f64) {
        self.advance(wall_ms);
        self.ask_for_views(wall_ms);
        let state = self.0.loop_state.borrow();
        let again = self.0.again.replace(false);
        if !(self.0.dirty.replace(false) || again || state.mirror.playback.playing) {
            return;
        }
        let mirror = state.mirror.clone();
        let reduced_motion = state.reduced_motion;
        drop(state);
        self.paint(&PaintState {
            duration: mirror.playback.duration,
            playing: mirror.playback.playing,
            selection: &mirror.selection,
            pixel_ratio: web_sys::window().map_or(1.0, |window| window.device_pixel_ratio()),
            wall_ms,
            reduced_motion,
        });
        self.mark_ready();
    }

    /// Tells browser tests that the first run is drawn.
    fn mark_ready(&self) {
        let mut state = self.0.loop_state.borrow_mut();
        let drawn = {
            let frames = self.0.frames.borrow();
            frames.lanes.first().is_some_and(|lane| lane.window.is_some() && lane.structures.is_some())
        };
        if state.ready || !drawn {
            return;
        }
        state.ready = true;
        let body = web_sys::window().and_then(|window| window.document()).and_then(|document| document.body());
        if let Some(body) = body {
            // A page that refuses an attribute on its body has no tests to tell.
            let _ = body.dataset().set("ready", "1");
        }
    }

    /// Moves `now` and the window while playing.
    fn advance(&self, wall_ms: f64) {
        let mut state = self.0.loop_state.borrow_mut();
        let elapsed_ms = (wall_ms - state.last_ms).clamp(0.0, FRAME_MAX_MS);
        state.last_ms = wall_ms;
        drop(state);
        self.move_held(elapsed_ms);
        let mut state = self.0.loop_state.borrow_mut();
        if !state.mirror.playback.playing {
            return;
        }
        let (duration, lane) = (state.mirror.playback.duration, state.mirror.selection.lane);
        let front = self.0.frames.borrow().simulated(lane).min(duration);
        let exact = elapsed_ms * state.mirror.playback.speed_ns as f64 / 1000.0 + state.carry_ns;
        state.carry_ns = exact.fract();
        let now = self.now();
        let mut next = now.saturating_add(exact as u64).min(front.max(now));
        let ended = next >= duration;
        if ended && state.mirror.playback.looping {
            next = 0;
        }
        self.0.now.set(next);
        self.follow(next, duration);
        if wall_ms - state.reported_ms < REPORT_MS && !ended {
            return;
        }
        state.reported_ms = wall_ms;
        let Some(stage) = state.stage.clone() else { return };
        drop(state);
        let (from, to) = self.window();
        stage.playback.dispatch(PlaybackAction::Reached(next));
        stage.window.dispatch(WindowAction::Slid(from, to));
    }

    /// The now-line runs to its share of the window, then the window slides under it.
    fn follow(&self, now: u64, duration: u64) {
        let (from, to) = self.window();
        let span = to - from;
        let line = from + (span as f64 * FOLLOW_SHARE) as u64;
        if now >= from && now <= line {
            return;
        }
        let from = if now > line && now < to { now - (line - from) } else { now.saturating_sub(span / 10) };
        let from = from.min(duration.saturating_sub(span));
        self.0.window.set((from, from + span));
    }

    fn ask_for_views(&self, wall_ms: f64) {
        let mut asks: Vec<(Purpose, Ask)> = Vec::new();
        {
            let mut state = self.0.loop_state.borrow_mut();
            let frames = self.0.frames.borrow();
            let (Some(loaded), None) = (&frames.loaded, &frames.lost) else { return };
            if state.is_new_engine {
                return;
            }
            let lanes = loaded.lanes.len().min(4);
            state.asked.resize(lanes, LaneAsked::default());
            let calm = state.mirror.playback.playing && wall_ms - state.calm_ms < CALM_MS;
            if !calm {
                state.calm_ms = wall_ms;
            }
            let mirror = state.mirror.clone();
            for (lane, asked) in (0_u8..).zip(state.asked.iter_mut()) {
                let questions =
                    Questions { live: self, mirror: &mirror, run: frames.run, simulated: frames.simulated(lane), lane };
                questions.window(asked, &mut asks);
                questions.structures(asked, &mut asks);
                if !calm {
                    questions.calm(asked, &mut asks);
                }
            }
        }
        for (purpose, ask) in asks {
            self.ask(purpose, ask);
        }
    }

    /// Motion preference of the system.
    pub(crate) fn set_reduced_motion(&self, reduced: bool) {
        self.0.loop_state.borrow_mut().reduced_motion = reduced;
        self.mark_dirty();
    }
}

/// Decides what to ask for one lane.
struct Questions<'a> {
    live: &'a Live,
    mirror: &'a Mirror,
    run: u32,
    simulated: u64,
    lane: u8,
}

impl Questions<'_> {
    fn is_busy(&self, ask: &Ask, purpose: Purpose) -> bool {
        self.live.0.slots.borrow().is_busy(ask.slot(), purpose)
    }

    /// Rows around the window: one span wider on both sides, so that a pan has them already.
    fn window(&self, asked: &mut LaneAsked, asks: &mut Vec<(Purpose, Ask)>) {
        let (from, to) = self.live.window();
        let span = to - from;
        let wants = self.live.0.wants.borrow();
        let mut tasks = wants.tasks.clone();
        tasks.extend(self.mirror.selection.task);
        if wants.all_tasks {
            let known = self.live.0.frames.borrow().tasks.len() as u32;
            tasks = (0..known).collect();
        }
        tasks.sort_unstable();
        tasks.dedup();
        if let Some(old) = &asked.window {
            let same = old.run == self.run && old.px == wants.px && old.cpus == wants.cpus && old.tasks == tasks;
            let covers = old.from <= from && to <= old.to;
            let old_span = (old.to - old.from).max(1);
            let sharp = old_span <= span.saturating_mul(4)
                && (old_span >= span.saturating_mul(2) || old_span >= self.mirror.playback.duration);
            let complete = old.to <= old.simulated || old.simulated == self.simulated;
            if same && covers && sharp && complete {
                return;
            }
        }
        let key = WindowKey {
            run: self.run,
            from: from.saturating_sub(span),
            to: to.saturating_add(span).min(self.mirror.playback.duration.max(to)),
            px: wants.px,
            cpus: wants.cpus.clone(),
            tasks,
            simulated: self.simulated,
        };
        let scale = ((key.to - key.from) as f64 / span.max(1) as f64).ceil() as u32;
        let ask = Ask::Window {
            lane: self.lane,
            from: key.from,
            to: key.to,
            px: key.px.saturating_mul(scale.max(1)),
            cpus: key.cpus.clone(),
            tasks: key.tasks.clone(),
        };
        asks.push((MAIN, ask));
        asked.window = Some(key);
    }

    fn structures(&self, asked: &mut LaneAsked, asks: &mut Vec<(Purpose, Ask)>) {
        let (now, cpu) = (self.live.now(), self.mirror.selection.cpu);
        if asked.structures != Some((self.run, now, cpu)) {
            asked.structures = Some((self.run, now, cpu));
            asks.push((MAIN, Ask::Structures { lane: self.lane, t: now, cpu }));
        }
    }

    /// What a reader cannot follow at 60 frames per second: sentences, graphs, sums.
    fn calm(&self, asked: &mut LaneAsked, asks: &mut Vec<(Purpose, Ask)>) {
        let (lane, now) = (self.lane, self.live.now());
        let selection = &self.mirror.selection;
        let (why, ask) = match (selection.slice, selection.task) {
            (Some((CPU_UNKNOWN, t)), Some(task)) => (WhyKey::Task(self.run, t, task), Ask::WhyTask { lane, t, task }),
            (Some((cpu, t)), _) => (WhyKey::Cpu(self.run, t, cpu), Ask::Why { lane, t, cpu }),
            (None, Some(task)) => (WhyKey::Task(self.run, now, task), Ask::WhyTask { lane, t: now, task }),
            (None, None) => {
                let cpu = selection.cpu;
                (WhyKey::Cpu(self.run, now, cpu), Ask::Why { lane, t: now, cpu })
            }
        };
        if asked.why.as_ref() != Some(&why) {
            asked.why = Some(why);
            asks.push((MAIN, ask));
        }
        if asked.graphs != Some((self.run, now)) {
            asked.graphs = Some((self.run, now));
            let from = now.saturating_sub(GRAPH_SPAN_NS);
            asks.push((MAIN, Ask::Graphs { lane, from, to: now.max(1), buckets: GRAPH_BUCKETS }));
        }
        let front = (self.run, self.simulated);
        let summary = Ask::Summary { lane, to: self.mirror.playback.duration };
        if asked.summary != Some(front) && !self.is_busy(&summary, MAIN) {
            asked.summary = Some(front);
            asks.push((MAIN, summary));
        }
        let overview = Ask::Window {
            lane,
            from: 0,
            to: self.mirror.playback.duration,
            px: OVERVIEW_PX,
            cpus: Vec::new(),
            tasks: Vec::new(),
        };
        if asked.overview != Some(front) && !self.is_busy(&overview, OVERVIEW) {
            asked.overview = Some(front);
            asks.push((OVERVIEW, overview));
        }
    }
}

/// What the browser calls before it paints.
type FrameCallback = Closure<dyn FnMut(f64)>;

fn request_frame(callback: &Rc<RefCell<Option<FrameCallback>>>) {
    let callback = callback.borrow();
    if let (Some(window), Some(callback)) = (web_sys::window(), callback.as_ref()) {
        // Fails only while the page is being torn down.
        let _ = window.request_animation_frame(callback.as_ref().unchecked_ref());
    }
}
