//! The engine for sweeps and posts: a worker of its own, started when it is first needed, so that the run on the page
//! never waits for it.

use super::Stage;
use super::work::{SweepOf, WorkAction};
use crate::address;
use crate::bridge::client::{EngineClient, FromEngine};
use crate::bridge::worker::WorkerClient;
use sim_core::engine::protocol::{Ask, JobAsk, JobReply, Place, Reply, Request};
use sim_core::scenario;
use sim_core::scenario::link;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Asks the engine for jobs. Cheap to clone, equal to itself only.
#[derive(Clone, Default)]
pub struct Jobs(Rc<Inner>);

#[derive(Default)]
struct Inner {
    client: RefCell<Option<Box<dyn EngineClient>>>,
    seq: Cell<u32>,
    job: Cell<u32>,
    /// The engine is gone: the next question starts another.
    lost: Cell<bool>,
}

impl PartialEq for Jobs {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Jobs {
    /// Asks; what comes back goes to the store.
    pub fn ask(&self, stage: &Stage, ask: JobAsk) {
        if self.0.lost.replace(false) || self.0.client.borrow().is_none() {
            self.start(stage);
        }
        self.0.seq.set(self.0.seq.get() + 1);
        if let Some(client) = self.0.client.borrow().as_ref() {
            client.send(&Request { seq: self.0.seq.get(), ask: Ask::Job(ask) });
        }
    }

    fn start(&self, stage: &Stage) {
        let (inner, stage) = (Rc::downgrade(&self.0), stage.clone());
        let work = stage.work.clone();
        let listener = move |news: FromEngine| match news {
            FromEngine::Answer(response) => {
                let mut answer = response.reply;
                crate::text::arrived::translate(&mut answer);
                let Reply::Job(reply) = answer else { return };
                match reply {
                    JobReply::Scenario(text) => open(&stage, &text),
                    reply => stage.work.dispatch(WorkAction::Heard(Box::new(reply))),
                }
            }
            FromEngine::Lost(message) => {
                if let Some(inner) = inner.upgrade() {
                    inner.lost.set(true);
                }
                stage.work.dispatch(WorkAction::Lost(message.into()));
            }
        };
        match WorkerClient::start(Rc::new(listener)) {
            Ok(client) => *self.0.client.borrow_mut() = Some(Box::new(client)),
            Err(message) => work.dispatch(WorkAction::Lost(message.into())),
        }
    }

    fn next_job(&self) -> u32 {
        self.0.job.set(self.0.job.get() + 1);
        self.0.job.get()
    }

    /// Sweeps the scenario instead of the present job.
    pub fn sweep(&self, stage: &Stage, of: SweepOf) {
        let job = self.next_job();
        let (scenario, vary) = (of.scenario.to_string(), of.vary.split(';').map(Into::into).collect());
        stage.work.dispatch(WorkAction::StartSweep(job, of));
        self.ask(stage, JobAsk::Sweep { job, scenario, vary, policies: Vec::new() });
    }

    /// Computes figures of a post, with so many seeds, instead of the present job; all if no places are named.
    pub fn figures(&self, stage: &Stage, post: &str, places: Vec<Place>, seeds: u8) {
        let job = self.next_job();
        stage.work.dispatch(WorkAction::StartFigures(job, post.into(), places.clone(), seeds));
        self.ask(stage, JobAsk::Figures { job, post: post.into(), places, seeds });
    }

    /// Stops the present job.
    pub fn stop(&self, stage: &Stage) {
        stage.work.dispatch(WorkAction::Stop);
        self.ask(stage, JobAsk::Stop);
    }
}

/// Opens a scenario that the engine has made, as a step of the history.
fn open(stage: &Stage, text: &str) {
    if let Ok((scenario, _)) = scenario::parse(text) {
        address::open_scenario(stage, scenario, &link::View::default(), true);
    }
}
