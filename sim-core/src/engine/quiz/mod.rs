//! Answer to `Quiz`: what is right about the questions of a lesson's step. Nothing is looked up in an answer key but the
//! choices that a lesson states itself; the rest is read off the finished runs.

mod measure;
mod moment;

#[cfg(test)]
mod tests;

use super::lane::Lane;
use super::protocol::{IDLE, OptionView, Problem, QuestionView, QuizSpec, QuizView, Right};
use super::why::why;
use crate::inspect::{Candidate, Entity};
use crate::lesson::number;
use crate::lesson::schema::{Ask, Measure, Question, Unit, Want, What};
use crate::scenario;
use crate::scenario::schema::Scenario;
use crate::units::{CpuId, Nanos, TaskId};
use measure::{Names, measure};

/// Options of a question that names none: as many as there are keys for.
const OPTIONS: usize = 4;
/// Word for "nobody" among the options.
const NOBODY: &str = "idle";

/// Answers the questions of a step on runs that have ended.
#[inline(never)] // the page loads it later: xtask/src/parts.rs
pub fn quiz(lanes: &mut [Lane], scenario: &Scenario, spec: &QuizSpec) -> QuizView {
    let mut view = QuizView { id: spec.id, t: spec.moment.t, questions: Vec::new(), problems: Vec::new() };
    let mut problem = |path: String, message: String| {
        view.problems.push(Problem { path, message, ..Problem::default() });
    };
    for lane in lanes.iter() {
        if let Some(sentence) = lane.stop_sentence() {
            problem("scenario".into(), sentence);
        }
    }
    let Some(lane) = lanes.first() else { return view };
    match moment::find(lane, &spec.moment) {
        Ok(t) => view.t = t,
        Err(message) => problem("view".into(), message),
    }
    if view.problems.is_empty() {
        let marks = scenario::compile(scenario, 0).map_or(Vec::new(), |compiled| compiled.marks);
        let names = Names { scenario, marks: &marks };
        for (index, question) in (0_u8..).zip(&spec.questions) {
            let mut desk = Desk { lanes, names: &names, t: view.t };
            match desk.answer(question) {
                Ok(answer) => view.questions.push(QuestionView { index, ..answer }),
                Err(message) => {
                    let path = format!("questions[{index}]");
                    view.problems.push(Problem { path, message, ..Problem::default() });
                }
            }
        }
    }
    view
}

/// What a question is answered from.
struct Desk<'a> {
    lanes: &'a mut [Lane],
    names: &'a Names<'a>,
    t: Nanos,
}

impl Desk<'_> {
    fn answer(&mut self, question: &Question) -> Result<QuestionView, String> {
        match &question.ask {
            Ask::Next { cpu, options } => self.next(*cpu, options),
            Ask::Where { task } => self.place(task),
            Ask::Number { measure, unit, within, options } => self.number(measure, *unit, *within, options),
            Ask::Best { measure, want, among } => self.best(measure, *want, among),
            Ask::Choice { options, right } => {
                let options: Vec<OptionView> = options.iter().map(|label| plain(label.clone())).collect();
                Ok(chosen(options, *right))
            }
        }
    }

    fn lane(&mut self, index: u8) -> Result<&mut Lane, String> {
        self.lanes.get_mut(usize::from(index)).ok_or_else(|| format!("there is no lane {index}"))
    }

    /// Who is on `cpu` after everything at the moment.
    fn next(&mut self, cpu: u16, named: &[String]) -> Result<QuestionView, String> {
        let t = self.t;
        let lane = self.lane(0)?;
        let right = running(lane, cpu, t).ok_or("the run ends before the moment")?;
        let mut options: Vec<u32> = if named.is_empty() {
            around(lane, cpu, t, right)
        } else {
            named
                .iter()
                .map(|name| if name == NOBODY { Ok(IDLE) } else { measure::task(lane, name) })
                .collect::<Result<_, _>>()?
        };
        options.dedup();
        let Some(place) = options.iter().position(|&option| option == right) else {
            return Err(format!("{} runs next, which is not among the options", name(lane, right)));
        };
        let options =
            options.iter().map(|&task| OptionView { label: name(lane, task), task: (task != IDLE).then_some(task) });
        let view = chosen(options.collect(), place as u16);
        Ok(explained(view, lane, cpu, t))
    }

    /// On which CPU a task runs next.
    fn place(&mut self, task: &str) -> Result<QuestionView, String> {
        let t = self.t;
        let lane = self.lane(0)?;
        let id = measure::task(lane, task)?;
        let (start, _, cpu) = measure::next_run(lane, id, t).ok_or_else(|| format!("{task} does not run again"))?;
        let options: Vec<OptionView> = (0..lane.kernel().cpus()).map(|cpu| plain(format!("CPU {cpu}"))).collect();
        if options.len() < 2 {
            return Err("the machine has one CPU: there is nothing to choose".into());
        }
        Ok(explained(chosen(options, cpu), lane, cpu, start))
    }

    fn number(&mut self, what: &Measure, unit: Unit, within: u64, options: &[String]) -> Result<QuestionView, String> {
        let (t, names) = (self.t, self.names);
        let lane = self.lane(what.lane)?;
        let value = measure(lane, names, t, what)?;
        let value = value.in_unit(unit)?;
        let right = Right::Number { value, unit, within };
        let mut view = QuestionView { right, shown: number::write(value, unit), ..QuestionView::empty() };
        if !options.is_empty() {
            let fits = |text: &String| number::parse(text, unit).is_some_and(|n| number::is_within(n, value, within));
            let fitting: Vec<usize> = (0..options.len()).filter(|&index| fits(&options[index])).collect();
            let [place] = fitting[..] else {
                return Err(format!("the answer is {}: {} of the options are right", view.shown, fitting.len()));
            };
            let with_unit = |text: &String| plain(format!("{text} {}", number::sign(unit)).trim_end().to_string());
            view.options = options.iter().map(with_unit).collect();
            view.right = Right::Option(place as u16);
        }
        // The rule behind a run or a wait is why that run began.
        let began = match what.what {
            What::Run if what.of.is_empty() => Some((t, what.cpu)),
            What::Run | What::Wait => measure::task(lane, &what.of)
                .ok()
                .and_then(|id| measure::next_run(lane, id, t))
                .map(|run| (run.0, run.2)),
            _ => None,
        };
        Ok(match began {
            Some((at, cpu)) => explained(view, lane, cpu, at),
            None => view,
        })
    }

    /// Which lane, task or workload has the least or most.
    fn best(&mut self, what: &Measure, want: Want, among: &[String]) -> Result<QuestionView, String> {
        let (t, names) = (self.t, self.names);
        let mut values = Vec::new();
        let mut options = Vec::new();
        if among.is_empty() {
            for (lane, written) in self.lanes.iter_mut().zip(&names.scenario.lanes) {
                values.push(measure(lane, names, t, what)?);
                // One policy with other knobs is another option.
                let knobs: String = written.tunables.iter().map(|(key, value)| format!(" {key} {value}")).collect();
                options.push(plain(format!("{}{knobs}", written.policy)));
            }
        } else {
            let lane = self.lane(what.lane)?;
            for of in among {
                values.push(measure(lane, names, t, &Measure { of: of.clone(), ..what.clone() })?);
                options.push(OptionView { label: of.clone(), task: measure::task(lane, of).ok() });
            }
        }
        if options.len() < 2 {
            return Err("one policy is no choice".into());
        }
        let best = match want {
            Want::Least => values.iter().map(|value| value.base).min(),
            Want::Most => values.iter().map(|value| value.base).max(),
        };
        let mut places = (0_u16..).zip(&values).filter(|(_, value)| Some(value.base) == best).map(|(place, _)| place);
        let (Some(place), None) = (places.next(), places.next()) else {
            return Err("two of the options are equal".into());
        };
        let pairs = options.iter().zip(&values).map(|(option, value)| format!("{} {}", option.label, value.text()));
        // The right one first: the numbers alone do not say which end was asked for.
        let best = options.get(usize::from(place)).map_or("", |option| option.label.as_str());
        let shown = format!("{best} ({})", pairs.collect::<Vec<_>>().join(", "));
        Ok(QuestionView { shown, ..chosen(options, place) })
    }
}

fn plain(label: String) -> OptionView {
    OptionView { label, task: None }
}

/// A question with options, one of which is right.
fn chosen(options: Vec<OptionView>, right: u16) -> QuestionView {
    let shown = options.get(usize::from(right)).map_or(String::new(), |option| option.label.clone());
    QuestionView { options, right: Right::Option(right), shown, ..QuestionView::empty() }
}

/// Adds why the slice of `cpu` at `t` is what it is.
fn explained(view: QuestionView, lane: &mut Lane, cpu: u16, t: Nanos) -> QuestionView {
    let why = why(lane, 0, t, cpu);
    QuestionView { why: why.sentence, function: why.function, ..view }
}

/// Task on `cpu` after everything at `t`; [`IDLE`].
fn running(lane: &Lane, cpu: u16, t: Nanos) -> Option<u32> {
    if cpu >= lane.kernel().cpus() {
        return None;
    }
    let front = lane.front();
    let log = lane.trace().cpu(cpu);
    let mut rows = log.slices(log.after(t).head.slice.saturating_sub(1), front);
    rows.find(|row| row.start <= t && t < row.end).map(|row| row.task)
}

/// Options for who runs next, in the order of the task table: the right one, who runs before, who waits there, others.
fn around(lane: &mut Lane, cpu: u16, t: Nanos, right: u32) -> Vec<u32> {
    let mut options = vec![right];
    let mut add = |task: u32| {
        if options.len() < OPTIONS && !options.contains(&task) {
            options.push(task);
        }
    };
    let before = t.saturating_sub(1);
    if let Some(curr) = running(lane, cpu, before) {
        add(curr);
    }
    let machine = lane.state_at(before);
    let mut queued = Vec::new();
    machine.sim.candidates(CpuId(cpu), &mut |candidate: Candidate| {
        if let Entity::Task(task) = candidate.entity {
            queued.push(task.0);
        }
    });
    queued.into_iter().for_each(&mut add);
    let kernel = lane.kernel();
    let real = |id: &u32| kernel.task(TaskId(*id)).migration_thread.is_none();
    let ran = |id: &u32| lane.trace().task(*id).is_some_and(|log| log.head().runs > 0);
    (0..kernel.tasks().len() as u32).filter(real).filter(ran).for_each(&mut add);
    if options.len() < 2 && right != IDLE {
        options.push(IDLE);
    }
    options.sort_unstable();
    options
}

/// Name of a task among options.
fn name(lane: &Lane, task: u32) -> String {
    if task == IDLE { NOBODY.into() } else { lane.task_name(task) }
}
