//! The one animation-frame loop of the page: advances `now` while playing, asks the engine for what the views show, and
//! calls the painters.
//!
//! Invariants: at most one question per slot is on its way (`bridge::slots`); the loop reads the stores through a mirror
//! that the providers refresh at each render; it never reads Yew state itself.

use super::frame::{Awaited, Live, PaintState};
use super::meter::Meter;
use super::questions::LaneAsked;
use super::{Document, Layout, Playback, PlaybackAction, Selection, Stage, ViewWindow, WindowAction};
use crate::bridge::slots::Purpose;
use crate::keyboard::Held;
use crate::page;
use gloo_timers::callback::Timeout;
use sim_core::engine::protocol::{Ask, QuizSpec};
use sim_core::scenario;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

/// While playing, the stores hear of the new time this often, ms: enough for text, cheap for Yew.
const REPORT_MS: f64 = 120.0;
/// The now-line runs to this share of the window, then the window slides.
const FOLLOW_SHARE: f64 = 0.6;
/// A frame longer than this (a hidden tab) does not make the time jump, ms.
const FRAME_MAX_MS: f64 = 100.0;

pub(super) const MAIN: Purpose = 0;
pub(super) const OVERVIEW: Purpose = 1;
/// A step that moves the selection instead of now.
pub(super) const SELECT: Purpose = 2;
/// A file is written from the answer.
pub(super) const EXPORT: Purpose = 40;

/// The stores as of the last render.
#[derive(Clone, Default)]
pub(super) struct Mirror {
    pub document: Document,
    pub playback: Playback,
    pub window: ViewWindow,
    pub selection: Selection,
    pub layout: Layout,
    /// The document as text, once there is one.
    pub scenario: Option<Rc<str>>,
}

/// State of the loop.
#[derive(Default)]
pub(super) struct LoopState {
    pub mirror: Mirror,
    pub stage: Option<Stage>,
    pub(super) asked: Vec<LaneAsked>,
    last_ms: f64,
    reported_ms: f64,
    pub(super) calm_ms: f64,
    carry_ns: f64,
    /// The lesson's scenario as text and its questions, and the run that they were asked about.
    pub(super) lesson: Option<(String, QuizSpec)>,
    pub(super) quiz_asked: Option<(u32, u32)>,
    /// The engine has no scenario yet: questions about views would find no lane and no answer.
    pub(super) is_new_engine: bool,
    pub(super) held: Vec<Held>,
    pub(super) held_ms: f64,
    reduced_motion: bool,
    ready: bool,
    settled: bool,
    /// How long an answer is awaited, ms.
    pub(super) silent_ms: f64,
    pub(super) meter: Meter,
}

impl Live {
    /// Starts the engine and the loop; once per page.
    pub fn start(&self, stage: Stage) {
        self.0.loop_state.borrow_mut().stage = Some(stage);
        self.start_engine();
        self.start_frames();
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
        if is_new {
            state.meter.changed(page::now_ms());
        }
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
            self.0.frames.borrow_mut().awaited = Awaited::Run;
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

    /// Paints at once instead of in the next frame.
    pub(crate) fn paint_now(&self) {
        self.mark_dirty();
        let wall_ms = self.0.loop_state.borrow().last_ms;
        self.frame(wall_ms);
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
            horizon: mirror.playback.horizon,
            playing: mirror.playback.playing,
            selection: &mirror.selection,
            pixel_ratio: web_sys::window().map_or(1.0, |window| window.device_pixel_ratio()),
            wall_ms,
            reduced_motion,
            colour_by: mirror.layout.colour_by,
        });
        self.mark_ready();
        self.0.loop_state.borrow_mut().meter.drawn();
    }

    /// Tells styles and browser tests that the first run is drawn (`data-ready`), and that its reasons and numbers have
    /// come too (`data-settled`): panels are shown when they stand.
    fn mark_ready(&self) {
        let (drawn, answered) = {
            let frames = self.0.frames.borrow();
            let first = frames.lanes.first();
            let drawn = first.is_some_and(|lane| lane.window.is_some() && lane.structures.is_some());
            (drawn, drawn && first.is_some_and(|lane| lane.why.is_some() && lane.summary.is_some()))
        };
        let mut state = self.0.loop_state.borrow_mut();
        if drawn && !state.ready {
            state.ready = true;
            tell("ready");
        }
        if answered && !state.settled {
            state.settled = true;
            Timeout::new(TAKEN_UP_MS, || tell("settled")).forget();
        }
    }

    /// Moves `now` and the window while playing.
    fn advance(&self, wall_ms: f64) {
        let mut state = self.0.loop_state.borrow_mut();
        let elapsed_ms = (wall_ms - state.last_ms).clamp(0.0, FRAME_MAX_MS);
        state.last_ms = wall_ms;
        drop(state);
        self.watch_engine(elapsed_ms);
        self.move_held(elapsed_ms);
        let mut state = self.0.loop_state.borrow_mut();
        if !state.mirror.playback.playing {
            return;
        }
        let (duration, lane) = (state.mirror.playback.duration, state.mirror.selection.lane);
        let front = self.0.frames.borrow().simulated(lane).min(state.mirror.playback.last());
        let exact = elapsed_ms * state.mirror.playback.speed_ns as f64 / 1000.0 + state.carry_ns;
        state.carry_ns = exact.fract();
        let now = self.now();
        let mut next = now.saturating_add(exact as u64).min(front.max(now));
        let ended = next >= state.mirror.playback.last();
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

    /// Motion preference of the system.
    pub(crate) fn set_reduced_motion(&self, reduced: bool) {
        self.0.loop_state.borrow_mut().reduced_motion = reduced;
        self.mark_dirty();
    }
}

/// Views take up an answer within their reading time, ms.
const TAKEN_UP_MS: u32 = 240;

/// What the browser calls before it paints.
type FrameCallback = Closure<dyn FnMut(f64)>;

fn request_frame(callback: &Rc<RefCell<Option<FrameCallback>>>) {
    let callback = callback.borrow();
    if let (Some(window), Some(callback)) = (web_sys::window(), callback.as_ref()) {
        // Fails only while the page is being torn down.
        let _ = window.request_animation_frame(callback.as_ref().unchecked_ref());
    }
}

/// Sets `data-NAME` on the body.
fn tell(name: &str) {
    let body = web_sys::window().and_then(|window| window.document()).and_then(|document| document.body());
    if let Some(body) = body {
        // A page that refuses an attribute on its body has nobody to tell.
        let _ = body.dataset().set(name, "1");
    }
}
