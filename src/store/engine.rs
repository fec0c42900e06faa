//! The engine as the stores see it: starting it, asking it, taking its answers into the frames.

use super::frame::{Awaited, Live};
use super::run_loop::{EXPORT, MAIN, OVERVIEW, SELECT};
use super::{LayoutAction, PlaybackAction, SelectionAction};
use crate::bridge::client::{EngineClient, FromEngine};
use crate::bridge::slots::Purpose;
use crate::bridge::worker::WorkerClient;
use crate::text::errors as words;
use futures_channel::oneshot;
use sim_core::engine::protocol::{Ask, Loaded, Reply, Request, Response};
use std::rc::Rc;

/// An engine that leaves a question without any word for this long is lost, ms of a visible page.
const SILENT_MS: f64 = 10_000.0;

impl Live {
    /// Starts the engine anew and repeats the document: nothing of the visitor's is lost.
    pub fn restart_engine(&self) {
        self.0.frames.borrow_mut().lost = None;
        self.start_engine();
        let scenario = {
            let mut state = self.0.loop_state.borrow_mut();
            state.asked.clear();
            state.is_new_engine = true;
            // The old one's silence is not the new one's.
            state.silent_ms = 0.0;
            state.mirror.scenario.clone()
        };
        if let Some(scenario) = scenario {
            self.ask(MAIN, Ask::SetScenario(scenario.to_string()));
        }
        self.mark_dirty();
    }

    /// Counts how long an answer is awaited; an engine that says nothing for too long is told as lost.
    pub(super) fn watch_engine(&self, elapsed_ms: f64) {
        let awaits = self.0.slots.borrow().awaits();
        let silent_ms = {
            let mut state = self.0.loop_state.borrow_mut();
            state.silent_ms = if awaits { state.silent_ms + elapsed_ms } else { 0.0 };
            state.silent_ms
        };
        if silent_ms > SILENT_MS && self.0.frames.borrow().lost.is_none() {
            self.hear(FromEngine::Lost(words::SILENT.to_string()));
        }
    }

    pub(super) fn start_engine(&self) {
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

    /// Asks something that no view shows, and waits. `None`: another scenario runs, the engine was lost, or another
    /// question came.
    pub async fn fetch(&self, ask: Ask) -> Option<Reply> {
        let (sender, receiver) = oneshot::channel();
        *self.0.waiter.borrow_mut() = Some(sender);
        self.ask(EXPORT, ask);
        receiver.await.ok()
    }

    fn send(&self, request: Option<Request>) {
        let Some(request) = request else { return };
        if let Some(client) = self.0.client.borrow().as_ref() {
            client.send(&request);
        }
    }

    fn hear(&self, news: FromEngine) {
        match news {
            FromEngine::Answer(response) => {
                self.0.loop_state.borrow_mut().silent_ms = 0.0;
                // It was slow, not dead.
                self.0.frames.borrow_mut().lost = None;
                self.take(response);
            }
            FromEngine::Lost(message) => {
                // The first message says why; the trap that follows only says that.
                self.0.frames.borrow_mut().lost.get_or_insert_with(|| message.into());
                // The client calls us from its own handler: it is dropped with the next restart, not here.
                self.0.slots.borrow_mut().clear();
                *self.0.waiter.borrow_mut() = None;
            }
        }
        self.0.frames.borrow_mut().version += 1;
        self.mark_dirty();
    }

    fn take(&self, mut response: Response) {
        crate::text::arrived::translate(&mut response.reply);
        let (purpose, next) = self.0.slots.borrow_mut().answered(response.seq);
        self.send(next);
        let news = response.seq == 0;
        let Some(purpose) = purpose.or(news.then_some(MAIN)) else { return };
        if purpose == EXPORT {
            let waiter = self.0.waiter.borrow_mut().take();
            // Whoever asked may have gone away.
            let _ = waiter.map(|waiter| waiter.send(response.reply));
            return;
        }
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
            Reply::Difference(found) => self.show_difference(found),
            Reply::Why(why) => {
                self.complete_selection(&why);
                self.keep(purpose, Reply::Why(why));
            }
            reply => self.keep(purpose, reply),
        }
    }

    fn accept(&self, loaded: Loaded) {
        *self.0.waiter.borrow_mut() = None;
        self.0.slots.borrow_mut().forget_views();
        let is_last = self.has_all_edits();
        {
            let mut state = self.0.loop_state.borrow_mut();
            state.is_new_engine = false;
            state.meter.accepted(is_last);
        }
        let mut frames = self.0.frames.borrow_mut();
        frames.run += 1;
        frames.awaited = if is_last { Awaited::Progress } else { Awaited::Run };
        frames.tasks = Rc::new(loaded.tasks.clone());
        frames.problems = Rc::default();
        frames.lanes.truncate(loaded.lanes.len());
        frames.loaded = Some(Rc::new(loaded));
    }

    /// The engine has answered to the document as it stands.
    fn has_all_edits(&self) -> bool {
        !self.0.slots.borrow().is_busy(Ask::SetScenario(String::new()).slot(), MAIN)
    }

    fn keep(&self, purpose: Purpose, reply: Reply) {
        let is_last = self.has_all_edits();
        let mut frames = self.0.frames.borrow_mut();
        match reply {
            Reply::Policies(policies) => frames.policies = Rc::new(policies),
            Reply::Catalogue(catalogue) => frames.catalogue = Some(Rc::new(catalogue)),
            Reply::Problems(problems) => {
                let problems = Rc::new(problems);
                frames.problems = problems.clone();
                if is_last {
                    // The run stays, and a card says that it is not the document's.
                    frames.awaited = Awaited::Nothing;
                }
                let stage = self.0.loop_state.borrow().stage.clone();
                if let (None, Some(stage)) = (&frames.loaded, stage) {
                    // Nothing runs that could go on: the card takes the page.
                    frames.problems = Rc::default();
                    stage.layout.dispatch(LayoutAction::LinkProblems(Some(problems)));
                }
            }
            Reply::Progress(progress) => {
                frames.progress = Rc::new(progress);
                if frames.awaited == Awaited::Progress {
                    frames.awaited = Awaited::Nothing;
                }
            }
            Reply::Window(window) => {
                for task in &window.new_tasks {
                    let tasks = Rc::make_mut(&mut frames.tasks);
                    if task.id as usize == tasks.len() {
                        tasks.push(task.clone());
                    }
                }
                if purpose == MAIN {
                    let mut state = self.0.loop_state.borrow_mut();
                    let chosen = window.lane == state.mirror.selection.lane;
                    let duration = state.mirror.playback.duration;
                    state.meter.arrived(chosen, &window, self.window(), duration);
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
            Reply::Decisions(view) => {
                let place = &mut frames.lane_mut(view.lane).decisions;
                *place = Some(Rc::new(view));
            }
            Reply::Story(view) => {
                let place = &mut frames.lane_mut(view.lane).story;
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
            Reply::Quiz(view) => frames.quiz = Some(Rc::new(*view)),
            Reply::Trails(view) => {
                let place = &mut frames.lane_mut(view.lane).trails;
                *place = Some(Rc::new(*view));
            }
            Reply::Range(view) => {
                let place = &mut frames.lane_mut(view.lane).range;
                *place = Some(Rc::new(*view));
            }
            // Jobs have an engine of their own (`jobs`).
            Reply::Difference(_) | Reply::Loaded(_) | Reply::Step(_) | Reply::Job(_) => {}
            // Exports have a listener of their own.
            Reply::Log(_) => {}
        }
    }
}
