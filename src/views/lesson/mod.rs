//! Lessons: the list, and a lesson with its text beside the picture and its questions below.
//!
//! `keeper` moves the run to where the lesson is; `store::course` knows what is answered; the pictures are those of the
//! other views, told by the stores what to show and what to hide.

mod keeper;
pub mod keys;
mod list;
mod questions;
mod score;
mod step;
mod words;

pub use keeper::LessonKeeper;
pub use score::Answers;

use crate::store::course::Course;
use crate::store::layout::Width;
use crate::store::{Layout, use_store};
use crate::text::lesson as texts;
use crate::views::charts::ChartsPanel;
use crate::views::compare::Compare;
use crate::views::structures::StructuresPanel;
use crate::views::timeline::TimelinePanel;
use list::LessonList;
use questions::Questions;
use sim_core::lesson::schema::Picture;
use step::{StepFoot, StepText};
use yew::prelude::*;

/// See the module.
#[component]
pub fn LessonView() -> Html {
    let course = use_store::<Course>();
    let narrow = use_store::<Layout>().width <= Width::Narrow;
    let step = match course.present() {
        Some(step) => step,
        None if course.awaits => {
            return html! { <main class="center lesson-list" id="center" tabindex="-1"><p class="lesson-page t2">{ texts::LESSON_LOADING }</p></main> };
        }
        None => return html! { <LessonList /> },
    };
    let picture = step.view.show.iter().map(|panel| picture(*panel, course.asks()));
    if narrow {
        return html! {
            <main class="center lesson-narrow" id="center" tabindex="-1" data-testid="lesson">
                <div class="lesson-flow scroll"><StepText />{ for picture }<Questions /></div><StepFoot /></main>
        };
    }
    html! {
        <div class="cols lesson" data-testid="lesson">
            <aside class="left lesson-text" aria-label={texts::VIEW}><div class="scroll" tabindex="0"><StepText /></div><StepFoot /></aside>
            <main class="center lesson-picture scroll" id="center" tabindex="-1">{ for picture }<Questions /></main>
        </div>
    }
}

fn picture(panel: Picture, asks: bool) -> Html {
    match panel {
        Picture::Timeline => html! { <TimelinePanel /> },
        Picture::Structures => html! { <StructuresPanel /> },
        Picture::Graphs => html! { <ChartsPanel /> },
        Picture::Compare if asks => {
            html! { <section class="panel empty"><p class="t3">{ texts::TABLE_LATER }</p></section> }
        }
        Picture::Compare => html! { <Compare /> },
    }
}
