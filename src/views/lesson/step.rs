//! The text of a step: progress, paragraphs, verdicts, the way on.

use super::words::paragraph;
use crate::page;
use crate::store::course::{Course, CourseAction, Done, Entered, Outcome};
use crate::store::layout::Overlay;
use crate::store::{LayoutAction, Stage, use_stage, use_store};
use crate::text::lesson as words;
use crate::text::sentence::translated;
use crate::views::controls::{Icon, Names, icon, sentence, use_names};
use sim_core::lesson::schema::{Lesson, Step};
use yew::prelude::*;

/// Text of the present step.
#[component]
pub fn StepText() -> Html {
    let stage = use_stage();
    let course = use_store::<Course>();
    let names = use_names();
    let (Some(lesson), Some(step)) = (course.lesson(), course.present()) else { return Html::default() };
    let moment = course.quiz.as_ref().map(|quiz| quiz.t);
    let text = |text: &String| html! { <p>{ paragraph(&names, text, moment) }</p> };
    let revealed = !course.asks();
    html! {
        <div class="lesson-body">
            { progress(&stage, &course, lesson) }
            <p class="t3 small lesson-name">{ &lesson.title }{ variant(&stage, &course, lesson) }</p>
            <h2 data-testid="step-title">{ &step.title }</h2>
            { for step.text.iter().map(text) }
            if !step.note.is_empty() {
                <div class="lesson-note"><b>{ words::KEEP }</b><p>{ paragraph(&names, &step.note, moment) }</p></div>
            }
            { troubles(&course) }
            <div role="status" aria-live="polite">
                { verdicts(&course, &step, &names) }
                if revealed { { for step.after.iter().map(text) } }
            </div>
        </div>
    }
}

/// One bar per step; each is a button.
fn progress(stage: &Stage, course: &Course, lesson: &Lesson) -> Html {
    let steps = lesson.steps.len();
    let bars = lesson.steps.iter().enumerate().map(|(index, step)| {
        let course_dispatcher = stage.course.clone();
        let onclick = Callback::from(move |_| course_dispatcher.dispatch(CourseAction::Step { step: index, push: true }));
        let class = classes!((index < course.step).then_some("past"), (index == course.step).then_some("on"));
        let current = (index == course.step).then_some("step");
        let title = sim_core::lesson::variant::step(lesson, index, course.seed).map_or(step.title.clone(), |step| step.title);
        html! { <li><button type="button" {class} aria-current={current} aria-label={words::step_of(index + 1, steps, &title)} title={title} {onclick} /></li> }
    });
    html! { <ol class="lesson-progress" aria-label={words::STEPS}>{ for bars }</ol> }
}

/// Number of the variant and a way to another one, where variants differ.
fn variant(stage: &Stage, course: &Course, lesson: &Lesson) -> Html {
    if lesson.vary.is_empty() {
        return Html::default();
    }
    let (dispatcher, next) = (stage.course.clone(), course.seed.wrapping_add(1) % 10_000);
    let other = Callback::from(move |_| dispatcher.dispatch(CourseAction::Seed(next)));
    html! {
        <>{ " · " }{ words::variant(course.seed) }{ " " }
            <button type="button" class="link" title={words::OTHER_HELP} onclick={other} data-testid="other-numbers">{ words::OTHER }</button></>
    }
}

fn troubles(course: &Course) -> Html {
    let Some(quiz) = course.quiz.as_ref().filter(|quiz| !quiz.problems.is_empty()) else { return Html::default() };
    let rows = quiz
        .problems
        .iter()
        .map(|problem| html! { <p><code>{ &problem.path }</code>{ " " }{ translated(&problem.message) }</p> });
    html! { <div class="lesson-note bad" role="alert"><b>{ words::BROKEN }</b>{ for rows }</div> }
}

fn verdicts(course: &Course, step: &Step, names: &Names) -> Html {
    let moment = course.quiz.as_ref().map(|quiz| quiz.t);
    let cards = step.questions.iter().enumerate().filter_map(|(index, question)| {
        let done = course.done.get(&(course.step, index))?;
        let view = course.view(index)?;
        let rule = question.rule.replace("{answer}", &view.shown);
        Some(html! {
            <div class={classes!("verdict", class_of(done.outcome))} data-testid={format!("verdict-{}", index + 1)}>
                <p><b class={class_of(done.outcome)}>{ format!("{}. {}", index + 1, heading(done)) }</b></p>
                if !view.why.is_empty() {
                    <p>{ sentence(names, &view.why) }if !view.function.is_empty() { { " " }<code class="t3">{ &view.function }</code> }</p>
                }
                if !rule.is_empty() { <p>{ paragraph(names, &rule, moment) }</p> }
            </div>
        })
    });
    html! { <>{ for cards }</> }
}

fn heading(done: &Done) -> String {
    match done.outcome {
        Outcome::Right => format!("{} {}", words::RIGHT, done.right),
        Outcome::Wrong => format!("{} {}", words::wrong(&done.given), words::right_is(&done.right)),
        Outcome::Shown => words::right_is(&done.right),
    }
}

/// Class of an outcome: green, amber, plain.
pub fn class_of(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Right => "good",
        Outcome::Wrong => "warn",
        Outcome::Shown => "t2",
    }
}

/// The way back and on.
#[component]
pub fn StepFoot() -> Html {
    let stage = use_stage();
    let course = use_store::<Course>();
    let steps = course.lesson().map_or(0, |lesson| lesson.steps.len());
    let act = |action: CourseAction| {
        let dispatcher = stage.course.clone();
        Callback::from(move |_: MouseEvent| dispatcher.dispatch(action.clone()))
    };
    let score = {
        let layout = stage.layout.clone();
        Callback::from(move |_: MouseEvent| layout.dispatch(LayoutAction::Toggle(Overlay::Answers)))
    };
    let (asks, last) = (course.asks(), course.step + 1 >= steps);
    {
        // What was just checked leads on: Space and Enter press the button.
        let answered = course.entered.iter().any(|entered| *entered != Entered::Nothing);
        use_effect_with((course.serial, asks), move |_| {
            if answered && !asks {
                page::focus("lesson-next");
            }
        });
    }
    html! {
        <div class="lesson-foot">
            if course.step == 0 {
                <button type="button" class="btn quiet" onclick={act(CourseAction::Close)} data-testid="all-lessons">{ words::ALL }</button>
            } else {
                <button type="button" class="btn quiet" onclick={act(CourseAction::Turn(-1))} data-testid="previous-step">{ words::PREVIOUS }</button>
            }
            <span class="grow" />
            if asks {
                <button type="button" class="btn" onclick={act(CourseAction::Show)} disabled={course.quiz.is_none()} data-testid="show-me">{ words::SHOW }</button>
                <button type="button" class="btn primary" onclick={act(CourseAction::Check)} disabled={course.quiz.is_none()} data-testid="check">
                    { words::CHECK }<kbd class="q">{ "Enter" }</kbd></button>
            } else if last {
                <button type="button" class="btn" onclick={score} data-testid="answers-end">{ icon(Icon::Save) }{ words::ANSWERS }</button>
                <button type="button" class="btn primary" id="lesson-next" onclick={act(CourseAction::Close)} data-testid="all-lessons-end">{ words::ALL }</button>
            } else {
                <button type="button" class="btn primary" id="lesson-next" onclick={act(CourseAction::Turn(1))} data-testid="next-step">
                    { words::NEXT }<kbd class="q">{ words::SPACE }</kbd></button>
            }
        </div>
    }
}
