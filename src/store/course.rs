//! The lesson on the page: which step, what was answered, how far the future is hidden.

use sim_core::engine::protocol::{QuestionView, QuizView, Right};
use sim_core::lesson::schema::{Lesson, Step};
use sim_core::lesson::{Given, grade, number, variant};
use std::collections::BTreeMap;
use std::rc::Rc;
use yew::Reducible;

/// A row of the list of lessons.
#[derive(Clone, PartialEq, Eq, Debug, serde::Deserialize)]
pub struct Listed {
    /// Key in links and name of the file.
    pub key: String,
    /// Title.
    pub title: String,
    /// One or two sentences.
    pub summary: String,
    /// Number of steps.
    pub steps: usize,
    /// Number of questions.
    pub questions: usize,
}

/// Where a lesson came from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// One of the page's own, by its key.
    Own(String),
    /// An address that the visitor agreed to.
    Address(String),
    /// A file of the visitor: it has no link.
    File,
}

/// A lesson that is open.
#[derive(Clone, PartialEq, Debug)]
pub struct Opened {
    /// The lesson.
    pub lesson: Lesson,
    /// Where it came from.
    pub origin: Origin,
}

/// What became of a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Right at the first answer.
    Right,
    /// Not right.
    Wrong,
    /// Shown without an answer.
    Shown,
}

/// A question that is done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Done {
    /// What was answered, in words; empty if nothing was.
    pub given: String,
    /// What is right, in words.
    pub right: String,
    /// What became of it.
    pub outcome: Outcome,
}

/// See the module.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Course {
    /// The page's own lessons, once they are known.
    pub list: Option<Rc<Vec<Listed>>>,
    /// The open lesson.
    pub opened: Option<Rc<Opened>>,
    /// Step, from 0.
    pub step: usize,
    /// Variant.
    pub seed: u64,
    /// Rises with each step, variant and lesson shown.
    pub serial: u32,
    /// The present step is a step of the browser's history.
    pub push: bool,
    /// What is right about the present step.
    pub quiz: Option<Rc<QuizView>>,
    /// What is entered in the present step, by question: index of an option, or a typed text.
    pub entered: Vec<Entered>,
    /// Question that the keys 1 to 9 answer.
    pub focus: usize,
    /// Questions that are done, by step and question.
    pub done: BTreeMap<(usize, usize), Done>,
    /// A lesson is on its way.
    pub awaits: bool,
    /// Check was pressed while an answer is missing or is no number.
    pub wants_answer: bool,
}

/// What is entered for a question.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Entered {
    /// Nothing.
    #[default]
    Nothing,
    /// An option.
    Option(u16),
    /// A typed text.
    Text(String),
}

/// What can happen to it.
#[derive(Clone, PartialEq, Debug)]
pub enum CourseAction {
    /// The page's own lessons are known.
    List(Rc<Vec<Listed>>),
    /// A lesson is on its way.
    Await,
    /// Open a lesson.
    Open {
        /// The lesson.
        opened: Rc<Opened>,
        /// Step, from 0.
        step: usize,
        /// Variant; `None`: the lesson's own.
        seed: Option<u64>,
        /// As a step of the browser's history.
        push: bool,
    },
    /// Go to a step of the open lesson; one too far goes to the last.
    Step {
        /// Step, from 0.
        step: usize,
        /// As a step of the browser's history.
        push: bool,
    },
    /// One step on or back; stays at the ends.
    Turn(i32),
    /// Another variant; begins anew.
    Seed(u64),
    /// What is right about the present step.
    Quiz(Rc<QuizView>),
    /// The keys answer this question.
    Focus(usize),
    /// Choose an option of a question.
    Choose(usize, u16),
    /// Choose an option of the question that has the keys.
    ChooseFocused(u16),
    /// Type an answer.
    Type(usize, String),
    /// Check what is entered.
    Check,
    /// Show what is right without an answer.
    Show,
    /// Leave the lesson.
    Close,
}

impl Course {
    /// The open lesson.
    pub fn lesson(&self) -> Option<&Lesson> {
        self.opened.as_deref().map(|opened| &opened.lesson)
    }

    /// The present step with the variant's numbers.
    pub fn present(&self) -> Option<Step> {
        variant::step(self.lesson()?, self.step, self.seed)
    }

    /// Number of questions of a step.
    pub fn questions(&self, step: usize) -> usize {
        self.lesson().and_then(|lesson| lesson.steps.get(step)).map_or(0, |step| step.questions.len())
    }

    /// The future is hidden: the present step asks something that is not answered yet.
    pub fn asks(&self) -> bool {
        let open = |question| !self.done.contains_key(&(self.step, question));
        // A question that the engine could not answer holds nobody up.
        let answerable = |question: usize| {
            self.quiz.as_ref().is_none_or(|quiz| quiz.questions.iter().any(|view| usize::from(view.index) == question))
        };
        (0..self.questions(self.step)).any(|question| open(question) && answerable(question))
    }

    /// What is right about a question of the present step.
    pub fn view(&self, question: usize) -> Option<&QuestionView> {
        self.quiz.as_ref()?.questions.iter().find(|view| usize::from(view.index) == question)
    }

    /// Questions answered right, and questions done.
    pub fn score(&self) -> (usize, usize) {
        (self.done.values().filter(|done| done.outcome == Outcome::Right).count(), self.done.len())
    }

    /// The answer entered for a question, if it is one.
    fn given(&self, view: &QuestionView) -> Option<(Given, String)> {
        match (self.entered.get(usize::from(view.index))?, &view.right) {
            (Entered::Option(option), _) => {
                let label = view.options.get(usize::from(*option))?.label.clone();
                Some((Given::Option(*option), label))
            }
            (Entered::Text(text), Right::Number { unit, .. }) => {
                let value = number::parse(text, *unit)?;
                Some((Given::Number(value), number::write(value, *unit)))
            }
            (Entered::Text(_) | Entered::Nothing, _) => None,
        }
    }

    /// First question without a usable answer.
    fn missing(&self) -> Option<usize> {
        let views = self.quiz.iter().flat_map(|quiz| &quiz.questions);
        views.filter(|view| self.given(view).is_none()).map(|view| usize::from(view.index)).next()
    }

    fn finish(&mut self) {
        let Some(quiz) = self.quiz.clone() else { return };
        for view in &quiz.questions {
            let (given, outcome) = match self.given(view) {
                Some((given, text)) if grade(given, &view.right) => (text, Outcome::Right),
                Some((_, text)) => (text, Outcome::Wrong),
                None => (String::new(), Outcome::Shown),
            };
            let key = (self.step, usize::from(view.index));
            self.done.entry(key).or_insert(Done { given, right: view.shown.clone(), outcome });
        }
    }

    fn enter(&mut self, question: usize, entered: Entered) {
        if self.done.contains_key(&(self.step, question)) {
            return;
        }
        if let Some(place) = self.entered.get_mut(question) {
            *place = entered;
            self.wants_answer = false;
        }
    }

    /// Shows a step from its beginning.
    fn show(&mut self, step: usize, push: bool) {
        let steps = self.lesson().map_or(0, |lesson| lesson.steps.len());
        self.step = step.min(steps.saturating_sub(1));
        self.push = push;
        self.serial = self.serial.wrapping_add(1);
        self.quiz = None;
        self.entered = vec![Entered::Nothing; self.questions(self.step)];
        self.focus = 0;
        self.wants_answer = false;
    }
}

impl Reducible for Course {
    type Action = CourseAction;

    fn reduce(self: Rc<Self>, action: CourseAction) -> Rc<Self> {
        let mut next = (*self).clone();
        match action {
            CourseAction::List(list) => next.list = Some(list),
            CourseAction::Await => {
                let list = next.list.take();
                next = Course { list, awaits: true, serial: self.serial.wrapping_add(1), ..Course::default() };
            }
            CourseAction::Open { opened, step, seed, push } => {
                let seed = seed.unwrap_or(opened.lesson.seed);
                // Back and forward within a lesson keep what was answered.
                if next.opened.as_ref() != Some(&opened) || next.seed != seed {
                    next.done.clear();
                }
                (next.opened, next.seed, next.awaits) = (Some(opened), seed, false);
                next.show(step, push);
            }
            CourseAction::Step { step, push } => next.show(step, push),
            CourseAction::Turn(by) => {
                let steps = self.lesson().map_or(0, |lesson| lesson.steps.len());
                let wanted = (self.step as i64 + i64::from(by)).clamp(0, steps.max(1) as i64 - 1) as usize;
                if wanted != self.step {
                    next.show(wanted, true);
                }
            }
            CourseAction::Seed(seed) => {
                next.seed = seed;
                next.done.clear();
                next.show(self.step, true);
            }
            CourseAction::Quiz(quiz) if quiz.id == self.serial => next.quiz = Some(quiz),
            CourseAction::Quiz(_) => {}
            CourseAction::Focus(question) => next.focus = question,
            CourseAction::Choose(question, option) => {
                next.enter(question, Entered::Option(option));
                next.focus = question;
            }
            CourseAction::ChooseFocused(option) => {
                let has = self.view(self.focus).is_some_and(|view| usize::from(option) < view.options.len());
                if has {
                    next.enter(self.focus, Entered::Option(option));
                    next.focus = (self.focus + 1).min(self.questions(self.step).saturating_sub(1));
                }
            }
            CourseAction::Type(question, text) => next.enter(question, Entered::Text(text)),
            CourseAction::Check if !self.asks() => {}
            CourseAction::Check => match next.missing() {
                Some(question) => {
                    next.focus = question;
                    next.wants_answer = true;
                }
                None => next.finish(),
            },
            CourseAction::Show => next.finish(),
            CourseAction::Close => {
                let list = next.list.take();
                next = Course { list, serial: self.serial.wrapping_add(1), ..Course::default() };
            }
        }
        if next == *self { self } else { Rc::new(next) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::engine::protocol::OptionView;
    use sim_core::lesson::schema::Unit;

    fn opened() -> Rc<Course> {
        let text = r#"{"v":1,"title":"t","summary":"s","vary":{"hogs":[2,3,4,5]},"steps":[
            {"title":"{hogs}","text":["x"],"scenario":"ex=lat-ctx","questions":[
                {"ask":"choice","text":"?","options":["a","b"],"right":2},
                {"ask":"number","text":"?","measure":"run","of":"hogs-1"}]},
            {"title":"b","text":["y"]}]}"#;
        let (lesson, _) = sim_core::lesson::parse(text).expect("a lesson");
        let opened = Rc::new(Opened { lesson, origin: Origin::Own("x".into()) });
        Rc::new(Course::default()).reduce(CourseAction::Open { opened, step: 0, seed: None, push: false })
    }

    fn quiz(id: u32) -> CourseAction {
        let option = |label: &str| OptionView { label: label.into(), task: None };
        let choice = QuestionView {
            options: vec![option("a"), option("b")],
            right: Right::Option(1),
            shown: "b".into(),
            ..QuestionView::empty()
        };
        let right = Right::Number { value: 2_000_000, unit: Unit::Ms, within: 10 };
        let number = QuestionView { index: 1, right, shown: "2 ms".into(), ..QuestionView::empty() };
        CourseAction::Quiz(Rc::new(QuizView { id, t: 5, questions: vec![choice, number], problems: Vec::new() }))
    }

    fn then(course: Rc<Course>, actions: Vec<CourseAction>) -> Rc<Course> {
        actions.into_iter().fold(course, |course, action| course.reduce(action))
    }

    #[test]
    fn a_step_asks_until_all_is_answered_and_counts_the_first_answers() {
        let course = opened();
        assert!(course.asks());
        let course =
            then(course.clone(), vec![quiz(course.serial), CourseAction::ChooseFocused(0), CourseAction::Check]);
        assert!(course.asks() && course.wants_answer && course.focus == 1, "the number is missing");
        let course = then(course, vec![CourseAction::Type(1, "2,1".into()), CourseAction::Check]);
        assert!(!course.asks());
        assert_eq!(course.score(), (1, 2));
        assert_eq!(course.done[&(0, 0)], Done { given: "a".into(), right: "b".into(), outcome: Outcome::Wrong });
        let course = then(course, vec![CourseAction::Choose(0, 1), CourseAction::Check, CourseAction::Show]);
        assert_eq!(course.score(), (1, 2), "an answer that was checked stays");
    }

    #[test]
    fn an_answer_for_another_step_is_stale() {
        let course = opened();
        assert!(course.clone().reduce(quiz(course.serial + 1)).quiz.is_none());
    }

    #[test]
    fn turning_stays_within_the_lesson_and_another_variant_begins_anew() {
        let course = then(opened(), vec![CourseAction::Turn(-1)]);
        assert_eq!((course.step, course.serial), (0, 1));
        let course = then(course, vec![CourseAction::Turn(1), CourseAction::Turn(1)]);
        assert_eq!((course.step, course.serial), (1, 2));
        assert!(!course.asks());
        let course = then(course, vec![CourseAction::Step { step: 99, push: false }]);
        assert_eq!(course.step, 1);
        let course = then(
            course,
            vec![
                CourseAction::Step { step: 0, push: false },
                quiz(3),
                CourseAction::Show,
                quiz(4),
                CourseAction::Seed(9),
            ],
        );
        assert!(course.done.is_empty() || course.asks());
        assert_eq!((course.seed, course.score()), (9, (0, 0)));
    }

    #[test]
    fn showing_without_an_answer_counts_as_not_right() {
        let course = opened();
        let course = then(course.clone(), vec![quiz(course.serial), CourseAction::Show]);
        assert_eq!(course.score(), (0, 2));
        assert!(course.done.values().all(|done| done.outcome == Outcome::Shown));
    }
}
