//! Moves that need the engine's answer or the exact present: steps, the selection, links, held keys.

use super::frame::Live;
use super::layout::{Layout, Theme, View};
use super::notice::Notice;
use super::run_loop::{MAIN, SELECT};
use super::selection::CPU_UNKNOWN;
use super::{LayoutAction, Playback, PlaybackAction, Selection, SelectionAction, Stage, ViewWindow, WindowAction};
use crate::address::{self, Parts, State};
use crate::keyboard::Held;
use crate::text::compare as words;
use sim_core::engine::protocol::{Ask, DifferenceView, IDLE, StepUnit, WhyView};
use sim_core::scenario::link;
use std::rc::Rc;

/// Held keys: zoom (natural logarithm) and pan (spans) per second, time until twice as fast, most times as fast.
const HELD_ZOOM: f64 = 1.6;
const HELD_PAN: f64 = 0.9;
const HELD_DOUBLES_MS: f64 = 500.0;
const HELD_FASTEST: f64 = 3.0;

impl Live {
    /// Steps from now: the answer seeks.
    pub fn step(&self, forward: bool, unit: StepUnit, cpu: Option<u16>) {
        let lane = self.0.loop_state.borrow().mirror.selection.lane;
        self.ask(MAIN, Ask::Step { lane, t: self.now(), forward, unit, cpu });
    }

    /// CPU of the structures.
    pub fn chosen_cpu(&self) -> u16 {
        self.0.loop_state.borrow().mirror.selection.cpu
    }

    /// Why, for the selection in the chosen lane.
    pub fn chosen_why(&self) -> Option<Rc<WhyView>> {
        let lane = self.0.loop_state.borrow().mirror.selection.lane;
        self.with_frames(|frames| frames.lane(lane).why)
    }

    /// The selected task.
    pub fn chosen_task(&self) -> Option<u32> {
        self.0.loop_state.borrow().mirror.selection.task
    }

    /// Goes to where the chosen lane (the first one: any other) next differs from the first lane, or first of all.
    pub fn to_difference(&self, first: bool) {
        let (lane, stage) = {
            let state = self.0.loop_state.borrow();
            (state.mirror.selection.lane, state.stage.clone())
        };
        if self.with_frames(|frames| frames.loaded.as_ref().is_none_or(|loaded| loaded.lanes.len() < 2)) {
            // One lane has nothing to differ from; the view says how to get a second one.
            if let Some(stage) = stage {
                stage.layout.dispatch(LayoutAction::View(View::Compare));
            }
            return;
        }
        self.ask(MAIN, Ask::Difference { lane, t: (!first).then(|| self.now()) });
    }

    /// A difference was found: now goes there, and both sides say why.
    pub(super) fn show_difference(&self, found: Option<DifferenceView>) {
        let Some(stage) = self.0.loop_state.borrow().stage.clone() else { return };
        let Some(DifferenceView { at, cpu, .. }) = found else {
            let heading = words::NO_MORE.to_string();
            let notice = Notice { heading, is_news: true, ..Notice::default() };
            stage.layout.dispatch(LayoutAction::Notice(Some(Rc::new(notice))));
            return;
        };
        stage.layout.dispatch(LayoutAction::Notice(None));
        stage.playback.dispatch(PlaybackAction::Pause);
        stage.playback.dispatch(PlaybackAction::Seek(at));
        stage.selection.dispatch(SelectionAction::Slice { cpu, t: at, task: None });
        self.bring_into_view(&stage, at);
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
        let (cpu, t) = selection.slice?;
        // The reason shown may still be the one before: then only the moment is known.
        let is_of_it = |why: &WhyView| {
            let is_there = if cpu == CPU_UNKNOWN { selection.task == Some(why.task) } else { cpu == why.cpu };
            is_there && (why.start..=why.end.max(why.start)).contains(&t)
        };
        let why = self.with_frames(|frames| frames.lane(selection.lane).why).filter(|why| is_of_it(why));
        Some(why.map_or((t, t), |why| (why.start, why.end.max(why.start))))
    }

    /// Colours that the visitor chose.
    pub fn theme(&self) -> Theme {
        self.0.loop_state.borrow().mirror.layout.theme
    }

    /// The chosen policy lane.
    pub fn lane(&self) -> u8 {
        self.0.loop_state.borrow().mirror.selection.lane
    }

    /// Title of the scenario and the chosen policy, for captions.
    pub fn title_and_policy(&self) -> (String, String) {
        let state = self.0.loop_state.borrow();
        let scenario = &state.mirror.document.scenario;
        let lane = scenario.lanes.get(usize::from(state.mirror.selection.lane));
        (scenario.title.clone(), lane.map_or(String::new(), |lane| lane.policy.clone()))
    }

    /// The link to the present state: a whole address.
    pub fn link(&self) -> String {
        self.link_with(Parts::default())
    }

    /// The link to the present state with these parts.
    pub fn link_with(&self, parts: Parts) -> String {
        self.link_as(parts, &|_| {})
    }

    /// The link to the present state in the whole page, wherever this one is shown.
    pub fn full_link(&self) -> String {
        self.link_as(Parts::default(), &|layout| {
            let link = Rc::make_mut(&mut layout.link);
            (link.embed, link.hide) = (false, Vec::new());
        })
    }

    /// What of the link an embedded page keeps when it shows another scenario.
    pub fn embed_view(&self) -> link::View {
        let state = self.0.loop_state.borrow();
        let kept = &state.mirror.layout.link;
        let (embed, hide) = (kept.embed, kept.hide.clone());
        link::View { embed, hide, theme: kept.theme.clone(), lang: kept.lang.clone(), ..link::View::default() }
    }

    /// The selected task and slice (CPU and time).
    pub fn selected(&self) -> (Option<u32>, Option<(u16, u64)>) {
        let state = self.0.loop_state.borrow();
        (state.mirror.selection.task, state.mirror.selection.slice)
    }

    /// The link with these parts, as if the layout were changed.
    pub fn link_as(&self, parts: Parts, change: &dyn Fn(&mut Layout)) -> String {
        let state = self.0.loop_state.borrow();
        let mirror = &state.mirror;
        let playback = Playback { at: self.now(), ..mirror.playback.clone() };
        let (from, to) = self.window();
        let window = ViewWindow { from, to, ..mirror.window.clone() };
        let mut layout = mirror.layout.clone();
        change(&mut layout);
        let state = State {
            document: &mirror.document,
            playback: &playback,
            window: &window,
            selection: &mirror.selection,
            layout: &layout,
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

    pub(super) fn bring_into_view(&self, stage: &Stage, at: u64) {
        let (from, to) = self.window();
        if at < from || at > to {
            stage.window.dispatch(WindowAction::Centre(at));
        }
    }

    /// The answer names what the selection could not know: the task of a slice, the CPU of a task.
    pub(super) fn complete_selection(&self, why: &WhyView) {
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
    pub(super) fn move_held(&self, elapsed_ms: f64) {
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
}
