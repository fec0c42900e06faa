//! Decides what to ask for the views, lane by lane, so that nothing is asked twice. What was answered before the run had
//! come so far is asked again when it has.

use super::frame::Live;
use super::run_loop::{MAIN, Mirror, OVERVIEW};
use super::selection::CPU_UNKNOWN;
use crate::bridge::slots::Purpose;
use sim_core::engine::protocol::{Ask, QuizSpec};

/// Graphs and sentences are asked at most this often while playing, ms.
const CALM_MS: f64 = 120.0;
/// Structures are asked at most this often while playing, ms: smooth to the eye, half of the frames' work.
const STRUCTURES_MS: f64 = 32.0;
/// Graphs over time show this much before now, ns.
const GRAPH_SPAN_NS: u64 = 2_000_000_000;
/// Points of a graph over time.
const GRAPH_BUCKETS: u16 = 40;
/// Samples of numbers over time.
const TRAIL_SAMPLES: u16 = 400;
/// Rows of the minimap, device pixels.
const OVERVIEW_PX: u32 = 1200;

/// What was asked last, so that nothing is asked twice.
#[derive(Clone, Default, PartialEq)]
pub(super) struct LaneAsked {
    window: Option<WindowKey>,
    overview: Option<(u32, u64)>,
    structures: Option<(u32, u64, u16, u64)>,
    structures_ms: f64,
    graphs: Option<(u32, u64, u64)>,
    why: Option<(u64, WhyKey)>,
    summary: Option<(u32, u64)>,
    trails: Option<(u32, (u64, u64), u16, u64)>,
    range: Option<(u32, u32, (u64, u64), u64)>,
    decisions: Option<(u32, u64, u16, u64)>,
    story: Option<(u64, WhyKey)>,
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

impl Live {
    /// Asks for what the views show and have not been asked for.
    pub(super) fn ask_for_views(&self, wall_ms: f64) {
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
            // While a run is under way its rows come first: sums and sentences over it are asked now and then.
            let under_way = frames.progress.iter().any(|lane| lane.simulated < lane.duration && lane.fault.is_none());
            let calm = (state.mirror.playback.playing || under_way) && wall_ms - state.calm_ms < CALM_MS;
            if !calm {
                state.calm_ms = wall_ms;
            }
            let mirror = state.mirror.clone();
            for (lane, asked) in (0_u8..).zip(state.asked.iter_mut()) {
                let questions =
                    Questions { live: self, mirror: &mirror, run: frames.run, simulated: frames.simulated(lane), lane };
                questions.window(asked, &mut asks);
                questions.structures(asked, wall_ms, &mut asks);
                if mirror.layout.shows_over_time() && lane == mirror.selection.lane && !calm {
                    questions.trails(asked, &mut asks);
                    questions.decisions(asked, &mut asks);
                }
                if !calm {
                    questions.calm(asked, &mut asks);
                }
            }
        }
        for (purpose, ask) in asks {
            self.ask(purpose, ask);
        }
        self.ask_for_quiz();
    }

    /// Asks what is right about the lesson's questions, once its scenario runs.
    fn ask_for_quiz(&self) {
        let spec = {
            let mut state = self.0.loop_state.borrow_mut();
            let run = self.0.frames.borrow().run;
            let Some((scenario, spec)) = state.lesson.clone() else { return };
            let is_there = state.mirror.scenario.as_deref() == Some(scenario.as_str())
                && !self.0.slots.borrow().is_busy(Ask::SetScenario(String::new()).slot(), MAIN);
            if !is_there || state.quiz_asked == Some((run, spec.id)) {
                return;
            }
            state.quiz_asked = Some((run, spec.id));
            spec
        };
        self.ask(MAIN, Ask::Quiz(Box::new(spec)));
    }

    /// The lesson shows this scenario and asks this, or there is none.
    pub fn set_lesson(&self, lesson: Option<(String, QuizSpec)>) {
        self.0.loop_state.borrow_mut().lesson = lesson;
        self.mark_dirty();
    }

    /// Whether the open lesson waits for answers; `None` without one.
    pub fn lesson_asks(&self) -> Option<bool> {
        let state = self.0.loop_state.borrow();
        state.lesson.as_ref().map(|_| state.mirror.playback.horizon.is_some())
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
            // The margins beside the visible part are asked once the run stands.
            let stands = self.simulated >= self.mirror.playback.duration;
            let complete =
                old.to <= old.simulated || old.simulated == self.simulated || (to <= old.simulated && !stands);
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

    fn structures(&self, asked: &mut LaneAsked, wall_ms: f64, asks: &mut Vec<(Purpose, Ask)>) {
        let (now, cpu) = (self.live.now(), self.mirror.selection.cpu);
        let moves = self.mirror.playback.playing || self.simulated < now;
        if moves && wall_ms - asked.structures_ms < STRUCTURES_MS {
            return;
        }
        let key = (self.run, now, cpu, self.simulated.min(now));
        if asked.structures != Some(key) {
            asked.structures = Some(key);
            asked.structures_ms = wall_ms;
            asks.push((MAIN, Ask::Structures { lane: self.lane, t: now, cpu }));
        }
    }

    /// Numbers over time: the machine runs through the window once more for them, so only while they are shown.
    fn trails(&self, asked: &mut LaneAsked, asks: &mut Vec<(Purpose, Ask)>) {
        let (lane, cpu, (from, to)) = (self.lane, self.mirror.selection.cpu, self.live.window());
        let key = (self.run, (from, to), cpu, self.simulated.min(to));
        if asked.trails != Some(key) {
            asked.trails = Some(key);
            asks.push((MAIN, Ask::Trails { lane, from, to, cpu, samples: TRAIL_SAMPLES }));
        }
    }

    /// They are replayed, so only while they are shown.
    fn decisions(&self, asked: &mut LaneAsked, asks: &mut Vec<(Purpose, Ask)>) {
        let (lane, cpu, t) = (self.lane, self.mirror.selection.cpu, self.live.now());
        let key = (self.run, t, cpu, self.simulated.min(t));
        let ask = Ask::Decisions { lane, t, cpu };
        if asked.decisions != Some(key) && !self.is_busy(&ask, MAIN) {
            asked.decisions = Some(key);
            asks.push((MAIN, ask));
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
        // A slice may end, and a wait be explained, only by what is simulated later.
        let why = (self.simulated, why);
        if asked.why.as_ref() != Some(&why) {
            asked.why = Some(why.clone());
            asks.push((MAIN, ask));
        }
        // Other levels are tried out by replays: for a slice that was chosen, for a task once time stands.
        let is_fixed = selection.slice.is_some() || (selection.task.is_some() && !self.mirror.playback.playing);
        if lane == selection.lane && is_fixed && asked.story.as_ref() != Some(&why) {
            let ask = match why.1 {
                WhyKey::Cpu(_, t, cpu) => Ask::Story { lane, t, cpu, task: None },
                WhyKey::Task(_, t, task) => Ask::Story { lane, t, cpu: 0, task: Some(task) },
            };
            if !self.is_busy(&ask, MAIN) {
                asked.story = Some(why);
                asks.push((MAIN, ask));
            }
        }
        if let (Some(task), Some((from, to))) = (selection.task, selection.range) {
            let key = (self.run, task, (from, to), self.simulated.min(to));
            if asked.range != Some(key) {
                asked.range = Some(key);
                asks.push((MAIN, Ask::Range { lane, task, from, to }));
            }
        }
        let key = (self.run, now, self.simulated.min(now));
        if asked.graphs != Some(key) {
            asked.graphs = Some(key);
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
