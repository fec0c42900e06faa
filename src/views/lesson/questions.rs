//! The questions of a step, below the picture.

use super::step::class_of;
use crate::page;
use crate::store::course::{Course, CourseAction, Entered, Outcome};
use crate::store::layout::Overlay;
use crate::store::{LayoutAction, Stage, use_stage, use_store};
use crate::text::lesson as words;
use crate::views::controls::{Icon, Names, icon, use_names};
use sim_core::engine::protocol::{QuestionView, Right};
use sim_core::lesson::number;
use sim_core::lesson::schema::{Ask, Question};
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// See the module.
#[component]
pub fn Questions() -> Html {
    let stage = use_stage();
    let course = use_store::<Course>();
    let names = use_names();
    let asks = course.asks();
    {
        // The keys answer the focused question; a number needs the focus of the browser too.
        let typed = asks && course.view(course.focus).is_some_and(|view| matches!(view.right, Right::Number { .. }));
        let (focus, known) = (course.focus, course.quiz.is_some());
        let answered = course.entered.iter().any(|entered| *entered != Entered::Nothing) || course.wants_answer;
        use_effect_with((course.serial, focus, known), move |_| {
            if typed && answered {
                page::focus(&field_id(focus));
            }
        });
    }
    let Some(step) = course.present().filter(|step| !step.questions.is_empty()) else { return Html::default() };
    let score = {
        let layout = stage.layout.clone();
        Callback::from(move |_: MouseEvent| layout.dispatch(LayoutAction::Toggle(Overlay::Answers)))
    };
    let (right, of) = course.score();
    html! {
        <section class="panel questions" aria-label={words::QUESTIONS} data-testid="questions">
            { for step.questions.iter().enumerate().map(|(index, question)| one(&stage, &course, &names, index, question)) }
            <div class="row questions-foot">
                <span class="warn" role="status">{ if course.wants_answer { words::MISSING.say() } else { "" } }</span><span class="grow" />
                if of > 0 { <span class="t3">{ words::SO_FAR }{ " " }<b data-testid="score">{ words::score(right, of) }</b></span> }
                <button type="button" class="btn quiet" onclick={score} data-testid="answers">{ icon(Icon::Save) }{ words::ANSWERS }</button>
            </div>
        </section>
    }
}

fn field_id(question: usize) -> String {
    format!("lesson-number-{question}")
}

fn one(stage: &Stage, course: &Course, names: &Names, index: usize, question: &Question) -> Html {
    let view = course.view(index);
    let done = course.done.get(&(course.step, index));
    let has_keys = course.focus == index && course.asks();
    let heading = format!("lesson-question-{index}");
    let body = match (view, &question.ask) {
        (Some(view), _) if !view.options.is_empty() => options(stage, course, names, index, view, has_keys),
        (Some(view), Ask::Number { within, .. }) => field(stage, course, index, view, *within),
        (Some(_), _) => Html::default(),
        (None, _) if course.quiz.is_some() => html! { <p class="t3">{ "–" }</p> },
        (None, _) => html! { <p class="t3 computing">{ words::COMPUTING }</p> },
    };
    html! {
        <div class={classes!("question", has_keys.then_some("on"), done.map(|done| class_of(done.outcome)))} data-testid={format!("question-{}", index + 1)}>
            <h3 id={heading}>{ format!("{}. {}", index + 1, question.text) }</h3>
            { body }
        </div>
    }
}

fn options(stage: &Stage, course: &Course, names: &Names, index: usize, view: &QuestionView, has_keys: bool) -> Html {
    let done = course.done.get(&(course.step, index));
    let chosen = match course.entered.get(index) {
        Some(Entered::Option(option)) => Some(*option),
        _ => None,
    };
    let buttons = (0_u16..).zip(&view.options).map(|(place, option)| {
        let dispatcher = stage.course.clone();
        let choose = Callback::from(move |_: MouseEvent| dispatcher.dispatch(CourseAction::Choose(index, place)));
        let dispatcher = stage.course.clone();
        // Enter checks; Space chooses, as on any radio button.
        let on_key = Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Enter" {
                event.prevent_default();
                dispatcher.dispatch(CourseAction::Check);
            }
        });
        let is_right = done.is_some() && view.right == Right::Option(place);
        let is_wrong = done.is_some_and(|done| done.outcome == Outcome::Wrong) && chosen == Some(place);
        let class = classes!("option", (chosen == Some(place)).then_some("on"), is_right.then_some("right"), is_wrong.then_some("wrong"));
        let mark = if is_right {
            html! { <span class="good">{ icon(Icon::Check) }<span class="unseen">{ words::IS_RIGHT }</span></span> }
        } else if is_wrong {
            html! { <span class="warn">{ icon(Icon::Cross) }<span class="unseen">{ words::IS_WRONG }</span></span> }
        } else {
            html! { <kbd class={classes!("q", (!has_keys).then_some("rests"))} aria-hidden="true">{ place + 1 }</kbd> }
        };
        html! {
            <button type="button" role="radio" {class} aria-checked={(chosen == Some(place)).to_string()} aria-disabled={done.is_some().then_some("true")}
                onclick={choose} onkeydown={on_key} data-testid={format!("option-{}-{}", index + 1, place + 1)}>
                if let Some(task) = option.task { <i class={names.swatch(task)} /> }
                <b>{ &option.label }</b><span class="grow" />{ mark }</button>
        }
    });
    html! { <div class="options" role="radiogroup" aria-labelledby={format!("lesson-question-{index}")}>{ for buttons }</div> }
}

fn field(stage: &Stage, course: &Course, index: usize, view: &QuestionView, within: u64) -> Html {
    let Right::Number { unit, .. } = view.right else { return Html::default() };
    let done = course.done.get(&(course.step, index));
    let value = match course.entered.get(index) {
        Some(Entered::Text(text)) => text.clone(),
        _ => String::new(),
    };
    let dispatcher = stage.course.clone();
    let on_input = Callback::from(move |event: InputEvent| {
        if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
            dispatcher.dispatch(CourseAction::Type(index, input.value()));
        }
    });
    let dispatcher = stage.course.clone();
    let on_focus = Callback::from(move |_: FocusEvent| dispatcher.dispatch(CourseAction::Focus(index)));
    let dispatcher = stage.course.clone();
    let on_key = Callback::from(move |event: KeyboardEvent| {
        let action = match event.key().as_str() {
            "Enter" => CourseAction::Check,
            "PageDown" => CourseAction::Turn(1),
            "PageUp" => CourseAction::Turn(-1),
            _ => return,
        };
        event.prevent_default();
        dispatcher.dispatch(action);
    });
    let beside = match done {
        Some(_) => html! { <span>{ words::right_is(&view.shown) }</span> },
        None => html! { <span class="t3">{ words::tolerance(within) }</span> },
    };
    html! {
        <div class="row number">
            <input class={classes!("pick", done.map(|done| class_of(done.outcome)))} id={field_id(index)} type="text" inputmode="decimal" autocomplete="off" maxlength="20"
                {value} readonly={done.is_some()} aria-labelledby={format!("lesson-question-{index}")} oninput={on_input} onfocus={on_focus} onkeydown={on_key}
                data-testid={format!("number-{}", index + 1)} />
            <span class="t2">{ number::sign(unit) }</span>{ beside }
        </div>
    }
}
