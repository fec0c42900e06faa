//! Opening lessons: the page's own by their key (static files beside the page, fetched when wanted), others by their text.

use crate::language;
use crate::page;
use crate::store::course::{CourseAction, Listed, Opened, Origin};
use crate::store::layout;
use crate::store::{LayoutAction, Stage};
use crate::text::lesson as words;
use crate::text::word;
use sim_core::engine::protocol::Problem;
use sim_core::lesson;
use sim_core::scenario::link::View;
use sim_core::scenario::schema::Scenario;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::Response;

thread_local! {
    /// Lessons that were opened before, by key or address: Back needs neither a second request nor a second question.
    static OPENED: RefCell<BTreeMap<String, Rc<Opened>>> = const { RefCell::new(BTreeMap::new()) };
}

/// Which step of which variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// Step, from 0.
    pub step: usize,
    /// Variant; `None`: the lesson's own.
    pub seed: Option<u64>,
    /// As a step of the browser's history.
    pub push: bool,
}

impl Place {
    /// The place that a link names.
    pub fn of(view: &View) -> Self {
        Self { step: view.step.unwrap_or(1).saturating_sub(1) as usize, seed: view.seed, push: false }
    }
}

/// Opens a lesson from an address that the visitor has agreed to before; false if there is none.
pub fn reopen(stage: &Stage, view: &View) -> bool {
    let known = OPENED.with_borrow(|known| known.get(&view.source).cloned());
    if let Some(opened) = known.clone() {
        open(stage, opened, Place::of(view));
    }
    known.is_some()
}

/// Fetches the list of lessons; an empty one if it does not come.
pub fn fetch_list(stage: &Stage) {
    let stage = stage.clone();
    spawn_local(async move {
        let list = own_file("index").await.and_then(|text| serde_json::from_str::<Vec<Listed>>(&text).ok());
        let mut list = list.unwrap_or_default();
        for listed in &mut list {
            [&mut listed.title, &mut listed.summary].into_iter().for_each(|text| say(text, &BTreeMap::new()));
        }
        stage.course.dispatch(CourseAction::List(Rc::new(list)));
    });
}

/// Opens a lesson of the page.
pub fn open_own(stage: &Stage, key: &str, place: Place) {
    stage.layout.dispatch(LayoutAction::View(layout::View::Lesson));
    if let Some(opened) = OPENED.with_borrow(|known| known.get(key).cloned()) {
        return open(stage, opened, place);
    }
    stage.course.dispatch(CourseAction::Await);
    let (stage, key) = (stage.clone(), key.to_string());
    spawn_local(async move {
        let problem = |message: String| Problem {
            path: "lesson".into(),
            message,
            hint: words::SEE_LIST.to_string(),
            ..Problem::default()
        };
        let own_language = language::lesson_texts(&key);
        let read = match own_file(&key).await {
            Some(text) => match lesson::parse(&text) {
                Ok((mut lesson, _)) => {
                    let texts = own_language.await;
                    lesson.texts_mut().into_iter().for_each(|text| say(text, &texts));
                    Ok(lesson)
                }
                Err(problems) => Err(problems),
            },
            None => Err(vec![problem(words::unknown(&key))]),
        };
        match read {
            Ok(lesson) => {
                let opened = Rc::new(Opened { lesson, origin: Origin::Own(key.clone()) });
                OPENED.with_borrow_mut(|known| known.insert(key, opened.clone()));
                open(&stage, opened, place);
            }
            Err(problems) => {
                stage.course.dispatch(CourseAction::Close);
                stage.layout.dispatch(LayoutAction::LinkProblems(Some(Rc::new(problems))));
            }
        }
    });
}

/// Opens the text of a lesson from elsewhere, or gives everything that is wrong with it; then the page stays as it is.
pub fn open_text(stage: &Stage, text: &str, origin: Origin, place: Place) -> Result<(), Vec<Problem>> {
    let (lesson, _) = lesson::parse(text)?;
    policies_exist(stage, &lesson)?;
    let opened = Rc::new(Opened { lesson, origin });
    if let Origin::Address(address) = &opened.origin {
        OPENED.with_borrow_mut(|known| known.insert(address.clone(), opened.clone()));
    }
    open(stage, opened, place);
    Ok(())
}

fn open(stage: &Stage, opened: Rc<Opened>, place: Place) {
    let Place { step, seed, push } = place;
    stage.layout.dispatch(LayoutAction::LinkProblems(None));
    stage.course.dispatch(CourseAction::Open { opened, step, seed, push });
    stage.layout.dispatch(LayoutAction::View(layout::View::Lesson));
}

/// The page knows the policies by what the engine told; before that the engine itself refuses them.
fn policies_exist(stage: &Stage, lesson: &lesson::schema::Lesson) -> Result<(), Vec<Problem>> {
    let known: Vec<String> = stage.live.with_frames(|frames| frames.policies.iter().map(|p| p.key.clone()).collect());
    if known.is_empty() {
        return Ok(());
    }
    let scenario = |index| lesson::variant::scenario_of(lesson, index, lesson.seed).ok();
    let own = (0..lesson.steps.len()).filter(|&index| lesson.steps[index].scenario.is_some());
    let scenarios: Vec<(usize, Scenario)> = own.filter_map(|index| Some((index, scenario(index)?))).collect();
    let mut problems = Vec::new();
    for (step, scenario) in &scenarios {
        for (lane, policy) in scenario.lanes.iter().enumerate().map(|(index, lane)| (index, &lane.policy)) {
            if !known.contains(policy) {
                problems.push(Problem {
                    path: format!("steps[{step}].scenario.lanes[{lane}].policy"),
                    message: words::no_policy(policy),
                    hint: words::SEE_POLICIES.to_string(),
                    ..Problem::default()
                });
            }
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// A text of a lesson in the spoken language: from the lesson's catalogue, or, as its title is also that of its card,
/// from the page's.
fn say(text: &mut String, texts: &BTreeMap<String, String>) {
    if let Some(translated) = texts.get(text.as_str()).map(String::as_str).or_else(|| word::translated(text)) {
        *text = translated.to_string();
    }
}

/// A file of the page's own folder of lessons. `key` comes from a link but holds only letters, digits, - and _.
async fn own_file(key: &str) -> Option<String> {
    let answer = JsFuture::from(page::window()?.fetch_with_str(&format!("lessons/{key}.json"))).await.ok()?;
    let response: Response = answer.dyn_into().ok()?;
    if !response.ok() {
        return None;
    }
    JsFuture::from(response.text().ok()?).await.ok()?.as_string()
}
