//! A lesson tried out: every step run and every question answered, in several variants. For teachers and tests.

use super::schema::{Lesson, Step};
use super::words::{Piece, pieces};
use super::{parse, variant};
use crate::engine::Engine;
use crate::engine::protocol::{Ask, Loaded, Problem, QuizSpec, QuizView, Reply, Request, Response};
use crate::scenario;

/// Events of one turn of the engine.
const EVENTS: u64 = 1 << 20;

/// A step that was tried.
#[derive(Clone, Debug)]
pub struct Tried {
    /// As its variant has it.
    pub step: Step,
    /// What is right.
    pub quiz: QuizView,
}

/// A variant that was tried.
#[derive(Clone, Debug)]
pub struct Variant {
    /// Its seed.
    pub seed: u64,
    /// Its steps.
    pub steps: Vec<Tried>,
}

/// What came of it: the lesson, its variants, and warnings.
pub type Outcome = (Lesson, Vec<Variant>, Vec<Problem>);

/// Reads a lesson and tries it: its own variant and those of `seeds`. Gives all problems of the first variant that has
/// some.
pub fn check(text: &str, seeds: &[u64]) -> Result<Outcome, Vec<Problem>> {
    let (lesson, mut warnings) = parse(text)?;
    let mut variants = Vec::new();
    for seed in std::iter::once(lesson.seed).chain(seeds.iter().copied()) {
        if variants.iter().all(|variant: &Variant| variant.seed != seed) {
            variants.push(Variant { seed, steps: one(&lesson, seed, &mut warnings)? });
        }
    }
    Ok((lesson, variants, warnings))
}

fn one(lesson: &Lesson, seed: u64, warnings: &mut Vec<Problem>) -> Result<Vec<Tried>, Vec<Problem>> {
    let mut engine = Engine::new();
    let mut steps = Vec::new();
    let mut problems = Vec::new();
    for (index, step) in (0..lesson.steps.len()).filter_map(|index| Some((index, variant::step(lesson, index, seed)?)))
    {
        let below = |path: &str| format!("steps[{index}].{path}");
        let of_variant = |problem: Problem, path: String| {
            let variant = if seed == lesson.seed { String::new() } else { format!(" (variant {seed})") };
            Problem { path, message: format!("{}{variant}", problem.message), ..problem }
        };
        let ran = variant::scenario_of(lesson, index, seed).and_then(|scenario| {
            run(&mut engine, scenario::to_json(&scenario)).map_err(|found| {
                found.into_iter().map(|p| Problem { path: below(&format!("scenario.{}", p.path)), ..p }).collect()
            })
        });
        match ran {
            Err(found) => problems.extend(found.into_iter().map(|p| {
                let path = p.path.clone();
                of_variant(p, path)
            })),
            Ok(loaded) => {
                names(&step, &loaded, index, warnings);
                let quiz = ask(&mut engine, index as u32, &step);
                let found = quiz.problems.iter().cloned();
                problems.extend(found.map(|p| {
                    let path = below(&p.path);
                    of_variant(p, path)
                }));
                steps.push(Tried { step, quiz });
            }
        }
    }
    if problems.is_empty() { Ok(steps) } else { Err(problems) }
}

fn run(engine: &mut Engine, text: String) -> Result<Loaded, Vec<Problem>> {
    let mut out: Vec<Response> = Vec::new();
    engine.ask(Request { seq: 1, ask: Ask::SetScenario(text) });
    while engine.work(EVENTS, &mut out) {}
    let answer = out.into_iter().find(|response| response.seq == 1);
    match answer.map(|response| response.reply) {
        Some(Reply::Loaded(loaded)) => Ok(*loaded),
        Some(Reply::Problems(problems)) => Err(problems),
        other => unreachable!("a scenario is accepted or refused, not {other:?}"),
    }
}

fn ask(engine: &mut Engine, id: u32, step: &Step) -> QuizView {
    let spec = QuizSpec { id, moment: step.view.moment.clone(), questions: step.questions.clone() };
    let mut out = Vec::new();
    engine.ask(Request { seq: 2, ask: Ask::Quiz(Box::new(spec)) });
    engine.work(EVENTS, &mut out);
    let view = out.into_iter().find_map(|response| match response.reply {
        Reply::Quiz(view) => Some(*view),
        _ => None,
    });
    view.expect("the run has ended, so the quiz is answered")
}

/// Warns of tasks that the step names and the run does not have.
fn names(step: &Step, loaded: &Loaded, index: usize, warnings: &mut Vec<Problem>) {
    let known = |name: &str| loaded.tasks.iter().any(|task| task.name == name);
    let mut warn = |path: String, name: &str| {
        let problem =
            Problem { path, message: format!("there is no task \"{name}\" in this run"), ..Problem::default() };
        if !known(name) && !warnings.contains(&problem) {
            warnings.push(problem);
        }
    };
    for (at, name) in step.view.tasks.iter().enumerate() {
        warn(format!("steps[{index}].view.tasks[{at}]"), name);
    }
    let paragraphs = step.text.iter().chain(&step.after).chain(std::iter::once(&step.note));
    for piece in paragraphs.flat_map(|paragraph| pieces(paragraph)) {
        if let Piece::Task(name) = piece {
            warn(format!("steps[{index}].text"), &name);
        }
    }
}
