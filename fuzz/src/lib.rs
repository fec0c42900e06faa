//! What must hold for any input from outside: no panic, no endless work, and what was accepted can be written and read
//! again unchanged. The same functions serve `cargo test` (bounded, in `tests/`) and cargo-fuzz (`fuzz_targets/`).

use sim_core::engine::Engine;
use sim_core::engine::protocol::{Ask, QuizSpec, Request, StepUnit};
use sim_core::lesson::{self, variant};
use sim_core::scenario::{self, builtins, link};

/// Simulated per accepted scenario: enough to fork, block and balance, little enough for thousands of inputs.
const EVENTS: u64 = 4_096;
/// Calls of the engine before a run must have stopped by itself: each call simulates a bounded number of events.
const CALLS: u32 = 4;

/// Any text as a scenario file.
pub fn scenario(text: &str) {
    let Ok((document, _)) = scenario::parse(text) else { return };
    let written = scenario::to_json(&document);
    let again = scenario::parse(&written).map(|(again, _)| again);
    assert_eq!(again.as_ref(), Ok(&document), "a written scenario reads as itself");
    let mut engine = Engine::new();
    engine.ask(Request { seq: 1, ask: Ask::SetScenario(written) });
    let mut answers = Vec::new();
    for _ in 0..CALLS {
        if !engine.work(EVENTS, &mut answers) {
            break;
        }
    }
    assert!(answers.iter().any(|answer| answer.seq == 1), "the question is answered");
}

/// Any text as a lesson file: what is accepted has a scenario and a text for every step in every variant, and its
/// questions leave the engine standing.
pub fn lesson(text: &str) {
    let Ok((document, _)) = lesson::parse(text) else { return };
    for seed in [document.seed, 2, u64::MAX] {
        for index in 0..document.steps.len() {
            let step = variant::step(&document, index, seed).expect("every step has a text");
            let Ok(scenario) = variant::scenario_of(&document, index, seed) else { continue };
            let mut engine = Engine::new();
            engine.ask(Request { seq: 1, ask: Ask::SetScenario(scenario::to_json(&scenario)) });
            let spec = QuizSpec { id: 1, moment: step.view.moment, questions: step.questions };
            engine.ask(Request { seq: 2, ask: Ask::Quiz(Box::new(spec)) });
            let mut answers = Vec::new();
            for _ in 0..CALLS {
                if !engine.work(EVENTS, &mut answers) {
                    break;
                }
            }
        }
    }
}

/// Any text as a file of another program.
pub fn import(text: &str) {
    let Ok((document, _)) = sim_core::interchange::import::scenario(text) else { return };
    scenario(&scenario::to_json(&document));
}

/// Any text as a link.
pub fn link(text: &str) {
    let Ok(decoded) = link::decode(text) else { return };
    let Some(document) = &decoded.scenario else { return };
    // The page shares only what it can run: a policy that does not exist has no short name to be written with.
    if (0..document.lanes.len()).any(|lane| scenario::compile(document, lane).is_err()) {
        return;
    }
    let written = link::encode(document, &decoded.view);
    let again = link::decode(&written).map(|again| again.scenario);
    assert_eq!(again.as_ref().map(Option::as_ref), Ok(Some(document)), "a written link reads as itself: {written}");
}

/// Any bytes as a series of questions to an engine that runs a built-in scenario.
pub fn questions(bytes: &[u8]) {
    let mut source = Source { bytes };
    let builtin = &builtins::BUILTINS[usize::from(source.byte()) % builtins::BUILTINS.len()];
    let mut engine = Engine::new();
    engine.ask(Request { seq: 1, ask: Ask::SetScenario(scenario::to_json(&builtin.scenario())) });
    let mut answers = Vec::new();
    let mut seq = 1;
    while !source.bytes.is_empty() && seq < 64 {
        seq += 1;
        let ask = source.ask();
        engine.ask(Request { seq, ask });
        engine.work(u64::from(source.byte()) * 16, &mut answers);
        answers.clear();
    }
}

/// Numbers and questions out of bytes; zeros when they are used up.
struct Source<'b> {
    bytes: &'b [u8],
}

impl Source<'_> {
    fn byte(&mut self) -> u8 {
        let (first, rest) = self.bytes.split_first().map_or((0, self.bytes), |(first, rest)| (*first, rest));
        self.bytes = rest;
        first
    }

    /// A moment: mostly within the first second, sometimes at an edge.
    fn time(&mut self) -> u64 {
        let scale = self.byte();
        let number = u64::from_le_bytes(std::array::from_fn(|_| self.byte()));
        match scale % 8 {
            0 => 0,
            1 => u64::MAX,
            2 => number,
            _ => number % 1_000_000_000,
        }
    }

    fn small(&mut self) -> u16 {
        match self.byte() {
            255 => u16::MAX,
            254 => 1 << 10,
            number => u16::from(number % 8),
        }
    }

    /// Mostly a lane that exists.
    fn lane(&mut self) -> u8 {
        match self.byte() {
            number if number < 224 => 0,
            number => number,
        }
    }

    fn ask(&mut self) -> Ask {
        let lane = self.lane();
        match self.byte() % 14 {
            0 => Ask::Window {
                lane,
                from: self.time(),
                to: self.time(),
                px: u32::from(self.small()) * 16,
                cpus: (0..self.byte() % 4).map(|_| self.small()).collect(),
                tasks: (0..self.byte() % 4).map(|_| u32::from(self.small())).collect(),
            },
            1 => Ask::Structures { lane, t: self.time(), cpu: self.small() },
            2 => Ask::Why { lane, t: self.time(), cpu: self.small() },
            3 => Ask::WhyTask { lane, t: self.time(), task: u32::from(self.small()) },
            4 => Ask::Graphs { lane, from: self.time(), to: self.time(), buckets: self.small() },
            5 => Ask::Summary { lane, to: self.time() },
            6 => Ask::Step {
                lane,
                t: self.time(),
                forward: self.byte().is_multiple_of(2),
                unit: self.unit(),
                cpu: self.cpu(),
            },
            7 => Ask::Decisions { lane, t: self.time(), cpu: self.small() },
            8 => {
                let task = self.byte().is_multiple_of(2).then(|| u32::from(self.small()));
                Ask::Story { lane, t: self.time(), cpu: self.small(), task }
            }
            9 => Ask::Trails { lane, from: self.time(), to: self.time(), cpu: self.small(), samples: self.small() },
            10 => Ask::Range { lane, task: u32::from(self.small()), from: self.time(), to: self.time() },
            11 => Ask::Difference { lane, t: self.byte().is_multiple_of(2).then(|| self.time()) },
            12 => Ask::Log { lane, from: self.time(), entries_min: self.small().into() },
            _ => Ask::Catalogue,
        }
    }

    fn unit(&mut self) -> StepUnit {
        match self.byte() % 4 {
            0 => StepUnit::Decision,
            1 => StepUnit::Event,
            2 => StepUnit::Tick,
            _ => StepUnit::Slice,
        }
    }

    fn cpu(&mut self) -> Option<u16> {
        (self.byte().is_multiple_of(2)).then(|| self.small())
    }
}
