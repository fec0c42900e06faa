//! The list of lessons.

use crate::files;
use crate::lessons::{self, Place};
use crate::store::course::{Course, Listed};
use crate::store::{Stage, use_stage, use_store};
use crate::text::lesson as words;
use crate::views::controls::{Icon, icon};
use yew::prelude::*;

/// See the module.
#[component]
pub fn LessonList() -> Html {
    let stage = use_stage();
    let course = use_store::<Course>();
    {
        let stage = stage.clone();
        use_effect_with(course.list.is_some(), move |known| {
            if !known {
                lessons::fetch_list(&stage);
            }
        });
    }
    let on_file = {
        let stage = stage.clone();
        Callback::from(move |event: Event| files::open_chosen(&stage, &event))
    };
    let rows = match &course.list {
        None => html! { <p class="t2">{ words::LOADING }</p> },
        Some(list) if list.is_empty() => html! { <p class="t2" role="alert">{ words::NO_LIST }</p> },
        Some(list) => html! { <ol class="lessons">{ for list.iter().map(|listed| card(&stage, listed)) }</ol> },
    };
    html! {
        <main class="center lesson-list scroll" id="center" tabindex="-1" data-testid="lesson-list">
            <div class="lesson-page">
                <h2 class="big">{ words::HEADING }</h2>
                <p class="say t2">{ words::SAY }</p>
                <div class="row wrap"><label class="btn file">{ icon(Icon::Open) }{ words::OPEN_FILE }
                    <input type="file" class="unseen" accept=".json,application/json" onchange={on_file} data-testid="lesson-file" /></label>
                    <span class="t3">{ words::DROP }</span></div>
                { rows }
                <p class="t3">{ words::WRITE }</p>
            </div>
        </main>
    }
}

fn card(stage: &Stage, listed: &Listed) -> Html {
    let (stage, key) = (stage.clone(), listed.key.clone());
    let testid = format!("lesson-{key}");
    let open = Callback::from(move |_| lessons::open_own(&stage, &key, Place { push: true, ..Place::default() }));
    html! {
        <li><button type="button" class="lesson-card" onclick={open} data-testid={testid}>
            <b>{ &listed.title }</b><span class="t2">{ &listed.summary }</span>
            <span class="t3 small">{ words::size(listed.steps, listed.questions) }</span></button></li>
    }
}
