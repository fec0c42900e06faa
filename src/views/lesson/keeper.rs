//! Keeps the run, the moment and the hidden future in step with the lesson; draws nothing.

use crate::store::course::{Course, CourseAction, Origin};
use crate::store::layout::View;
use crate::store::{
    DocumentAction, Layout, LayoutAction, PlaybackAction, SelectionAction, Shared, Stage, WindowAction, use_frames,
    use_stage, use_store,
};
use sim_core::engine::protocol::QuizSpec;
use sim_core::lesson::schema::Step;
use sim_core::lesson::variant;
use sim_core::scenario::{self, link};
use std::rc::Rc;
use yew::prelude::*;

/// Part of the window that lies before the moment, of 100.
const BEFORE: u64 = 72;

/// See the module.
#[component]
pub fn LessonKeeper() -> Html {
    let stage = use_stage();
    let course = use_store::<Course>();
    let layout = use_store::<Layout>();
    let shown = layout.view == View::Lesson && course.opened.is_some();
    let answer = use_frames(30, |context| Shared::of(&context.frames.quiz));
    {
        let course = stage.course.clone();
        use_effect_with(answer, move |answer| {
            if let Some(quiz) = answer.0.clone() {
                course.dispatch(CourseAction::Quiz(quiz));
            }
        });
    }
    {
        let (stage, course, link) = (stage.clone(), course.clone(), Rc::clone(&layout.link));
        use_effect_with((shown, course.serial), move |(shown, _)| {
            if *shown {
                show(&stage, &course, &link);
            } else if !course.awaits {
                if course.opened.is_none() && !link.lesson.is_empty() {
                    // The lesson was closed: the address forgets it.
                    let none = link::View { lesson: String::new(), step: None, seed: None, ..(*link).clone() };
                    stage.layout.dispatch(LayoutAction::Link(Rc::new(none)));
                }
                stage.live.set_lesson(None);
                stage.playback.dispatch(PlaybackAction::Horizon(None));
            }
        });
    }
    let moment = course.quiz.as_ref().map(|quiz| (quiz.id, quiz.t, course.asks()));
    use_effect_with((shown, moment), move |(shown, moment)| {
        let (true, Some((_, t, asks)), Some(step)) = (*shown, *moment, course.present()) else { return };
        arrive(&stage, &step, t, asks);
    });
    Html::default()
}

/// Runs the scenario of the present step and asks what is right.
fn show(stage: &Stage, course: &Course, link: &link::View) {
    let (Some(opened), Some(step)) = (course.opened.as_deref(), course.present()) else { return };
    let scenario = match variant::scenario_of(&opened.lesson, course.step, course.seed) {
        Ok(scenario) => scenario,
        // Only a variant that a hand-written link drew can come here: the lesson's own was read when it was opened.
        Err(problems) => {
            stage.layout.dispatch(LayoutAction::LinkProblems(Some(Rc::new(problems))));
            return;
        }
    };
    stage.layout.dispatch(LayoutAction::Link(Rc::new(place(course, &opened.origin, link))));
    stage.layout.dispatch(LayoutAction::TaskLanes(false));
    let text = scenario::to_json(&scenario);
    let spec = QuizSpec { id: course.serial, moment: step.view.moment.clone(), questions: step.questions.clone() };
    stage.playback.dispatch(PlaybackAction::Horizon(None));
    stage.playback.dispatch(PlaybackAction::Pause);
    stage.playback.dispatch(PlaybackAction::Duration(scenario.duration_ns));
    stage.window.dispatch(WindowAction::Duration(scenario.duration_ns));
    stage.document.dispatch(DocumentAction::Open { scenario: Box::new(scenario), push: course.push });
    stage.selection.dispatch(SelectionAction::Clear);
    stage.selection.dispatch(SelectionAction::Lane(0));
    stage.selection.dispatch(SelectionAction::Cpu(step.view.cpu));
    arrive(stage, &step, step.view.moment.t, course.asks());
    stage.live.set_lesson(Some((text, spec)));
}

/// Puts the page to the moment: just before it while something is asked, else at it.
fn arrive(stage: &Stage, step: &Step, t: u64, asks: bool) {
    let before = step.view.span / 100 * BEFORE;
    let from = t.saturating_sub(before);
    stage.window.dispatch(WindowAction::Show(from, from + step.view.span));
    stage.playback.dispatch(PlaybackAction::Pause);
    stage.playback.dispatch(PlaybackAction::Horizon(asks.then_some(t.max(1))));
    stage.playback.dispatch(PlaybackAction::Seek(if asks { t.saturating_sub(1) } else { t }));
}

/// What the address says of a lesson.
fn place(course: &Course, origin: &Origin, link: &link::View) -> link::View {
    let lesson = match origin {
        Origin::Own(key) => key.clone(),
        Origin::Address(_) | Origin::File => String::new(),
    };
    let source = match origin {
        Origin::Address(address) => address.clone(),
        Origin::Own(_) | Origin::File => String::new(),
    };
    let own = course.lesson().map(|lesson| lesson.seed);
    link::View {
        lesson,
        source,
        step: u32::try_from(course.step + 1).ok(),
        seed: (own != Some(course.seed)).then_some(course.seed),
        ..link.clone()
    }
}
