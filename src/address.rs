//! The address bar: the link is the document. Reading opens it; writing follows every change, `replaceState` while
//! something moves, `pushState` when a change is finished, so that Back works.

use crate::lessons;
use crate::page;
use crate::store::layout::{Overlay, Theme, View};
use crate::store::selection::CPU_UNKNOWN;
use crate::store::{
    Document, DocumentAction, Layout, LayoutAction, Playback, PlaybackAction, Selection, SelectionAction, Stage,
    ViewWindow, WindowAction,
};
use sim_core::engine::protocol::Problem;
use sim_core::scenario::builtins::{BUILTINS, Builtin};
use sim_core::scenario::link::{self, Link};
use sim_core::scenario::schema::Scenario;
use std::rc::Rc;
use wasm_bindgen::JsValue;

/// Where the last good link is remembered.
pub const LAST: &str = "schedscope.last";
/// Window of a scenario whose link names none, ns.
const SPAN_NS: u64 = 200_000_000;

/// Where a first visit begins, ns: sleepers have earned their bonus, queues are mixed.
const FIRST_MOMENT_NS: u64 = 2_000_000_000;

/// What of the state goes into a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parts {
    /// Now.
    pub moment: bool,
    /// Window.
    pub window: bool,
    /// Selection.
    pub selection: bool,
    /// View.
    pub view: bool,
    /// Theme.
    pub theme: bool,
}

impl Default for Parts {
    fn default() -> Self {
        Self { moment: true, window: true, selection: true, view: true, theme: false }
    }
}

/// The state a link is made of.
#[derive(Clone, Copy)]
pub struct State<'a> {
    /// Scenario.
    pub document: &'a Document,
    /// Now.
    pub playback: &'a Playback,
    /// Window.
    pub window: &'a ViewWindow,
    /// Selection.
    pub selection: &'a Selection,
    /// View, theme, and what the opened link said that the page has no place for.
    pub layout: &'a Layout,
}

/// The link of a state, without the `#`.
pub fn fragment(state: State, parts: Parts) -> String {
    let mut view = link::View { play: false, ..(*state.layout.link).clone() };
    if state.layout.view == View::Lesson && (!view.lesson.is_empty() || !view.source.is_empty() && view.step.is_some())
    {
        // A lesson's scenario, moment and window are those of its step.
        let moment = (None, None, None, None);
        (view.t, view.from, view.to, view.selection) = moment;
        view.view = String::new();
        return link::encode_view(None, &view);
    }
    (view.lesson, view.step, view.seed) = (String::new(), None, None);
    view.t = parts.moment.then_some(state.playback.at);
    view.from = parts.window.then_some(state.window.from);
    view.to = parts.window.then_some(state.window.to);
    let at = state.selection.slice.map_or(state.playback.at, |(_, at)| at);
    view.selection = state.selection.task.filter(|_| parts.selection).map(|task| (task, at));
    view.view = if parts.view { view_key(state.layout.view).into() } else { String::new() };
    view.theme = if parts.theme || !state.layout.link.theme.is_empty() {
        theme_key(state.layout.theme).into()
    } else {
        String::new()
    };
    link::encode(&state.document.scenario, &view)
}

/// The whole address with this fragment.
pub fn address(fragment: &str) -> String {
    let location = page::window().map(|window| window.location());
    let base = location.and_then(|location| location.href().ok()).unwrap_or_default();
    let base = base.split('#').next().unwrap_or_default();
    format!("{base}#{fragment}")
}

fn view_key(view: View) -> &'static str {
    match view {
        View::Run => "",
        View::Structures => "structures",
        View::Compare => "compare",
        View::History => "history",
        View::Sweep => "sweep",
        View::Lesson => "lessons",
    }
}

fn view_of(key: &str) -> View {
    match key {
        "structures" => View::Structures,
        "compare" => View::Compare,
        "history" => View::History,
        "sweep" => View::Sweep,
        "lessons" => View::Lesson,
        _ => View::Run,
    }
}

fn theme_key(theme: Theme) -> &'static str {
    match theme {
        Theme::System => "",
        Theme::Dark => "dark",
        Theme::Light => "light",
    }
}

/// What the address says, without the `#`.
pub fn hash() -> String {
    let hash = page::window().and_then(|window| window.location().hash().ok()).unwrap_or_default();
    hash.trim_start_matches('#').to_string()
}

/// The address says what to open.
pub fn is_link() -> bool {
    !hash().is_empty()
}

/// Language that the link asks for, or nothing.
pub fn linked_language() -> String {
    hash().split('&').find_map(|pair| pair.strip_prefix("lang=")).unwrap_or_default().to_string()
}

/// Takes the wish for a language out of the address.
pub fn forget_language() {
    let hash = hash();
    let rest: Vec<_> = hash.split('&').filter(|pair| !pair.starts_with("lang=")).collect();
    write(&rest.join("&"), false);
}

/// Opens what the address says; a bare address opens the first example, which plays.
pub fn open_address(stage: &Stage) {
    let hash = hash();
    if hash.is_empty() {
        let Some(first) = BUILTINS.first() else { return };
        let view = link::View { play: true, t: Some(FIRST_MOMENT_NS), ..link::View::default() };
        open_scenario(stage, first.scenario(), &view, false);
        return;
    }
    match link::decode(&hash) {
        Ok(Link { scenario: None, view, .. }) if !view.lesson.is_empty() => open_lesson(stage, &view, false),
        Ok(Link { view, .. }) if lessons::reopen(stage, &view) => {}
        Ok(Link { scenario, view, .. }) => {
            let scenario = scenario.or_else(|| BUILTINS.first().map(Builtin::scenario));
            if let Some(scenario) = scenario {
                open_scenario(stage, scenario, &view, false);
            }
            if !view.source.is_empty() {
                stage.layout.dispatch(LayoutAction::Show(Overlay::Source));
            }
        }
        Err(problems) => stage.layout.dispatch(LayoutAction::LinkProblems(Some(Rc::new(problems)))),
    }
}

/// The visitor has decided about the address of the opened link.
pub fn forget_source(stage: &Stage) {
    stage.layout.dispatch(LayoutAction::ForgetSource);
}

/// Opens a link that this page made.
pub fn open_link(stage: &Stage, fragment: &str) {
    match link::decode(fragment) {
        Ok(Link { scenario: Some(scenario), view, .. }) => open_scenario(stage, scenario, &view, true),
        Ok(Link { scenario: None, view, .. }) if !view.lesson.is_empty() => open_lesson(stage, &view, true),
        Ok(_) => {}
        Err(problems) => stage.layout.dispatch(LayoutAction::LinkProblems(Some(Rc::new(problems)))),
    }
}

/// The address with the repairs of `problems`, if its scenario can be mended by them.
pub fn repaired(problems: &[Problem]) -> Option<String> {
    link::repaired(&hash(), problems)
}

/// The scenario of the address as text, however faulty.
pub fn document() -> Option<String> {
    link::document(&hash())
}

/// The address with this text as its scenario.
pub fn with_document(text: &str) -> String {
    link::with_document(&hash(), text)
}

/// What keeps the address from being opened with this text as its scenario.
pub fn problems_with(text: &str) -> Vec<Problem> {
    link::decode(&with_document(text)).err().unwrap_or_default()
}

/// Goes to a mended address, as if it had been typed: Back leads to the broken one.
pub fn go_to(fragment: &str) {
    if let Some(window) = page::window() {
        let _ = window.location().set_hash(fragment);
    }
}

/// Opens the lesson that a link names.
fn open_lesson(stage: &Stage, view: &link::View, push: bool) {
    stage.layout.dispatch(LayoutAction::Link(Rc::new(view.clone())));
    lessons::open_own(stage, &view.lesson, lessons::Place { push, ..lessons::Place::of(view) });
}

/// Opens a built-in scenario.
pub fn open_builtin(stage: &Stage, builtin: &Builtin) {
    open_scenario(stage, builtin.scenario(), &link::View { play: true, ..link::View::default() }, true);
}

/// Opens the scenario of the last good link, if one is remembered.
pub fn open_last(stage: &Stage) {
    if let Some(last) = last() {
        open_link(stage, &last);
    }
}

/// The last good link.
pub fn last() -> Option<String> {
    page::recall(LAST)
}

/// Opens a scenario with a view; `push`: as a step of the history.
pub fn open_scenario(stage: &Stage, scenario: Scenario, view: &link::View, push: bool) {
    let duration = scenario.duration_ns.max(1);
    let window = match (view.from, view.to) {
        (Some(from), Some(to)) if from < to => (from, to),
        _ => {
            let around = view.t.unwrap_or(0);
            let from = around.saturating_sub(SPAN_NS / 2).min(duration.saturating_sub(SPAN_NS));
            (from, from + SPAN_NS.min(duration))
        }
    };
    stage.layout.dispatch(LayoutAction::LinkProblems(None));
    stage.layout.dispatch(LayoutAction::Link(Rc::new(view.clone())));
    stage.layout.dispatch(LayoutAction::View(view_of(&view.view)));
    match view.theme.as_str() {
        "dark" => stage.layout.dispatch(LayoutAction::Theme(Theme::Dark)),
        "light" => stage.layout.dispatch(LayoutAction::Theme(Theme::Light)),
        _ => {}
    }
    stage.playback.dispatch(PlaybackAction::Duration(duration));
    stage.window.dispatch(WindowAction::Duration(duration));
    stage.playback.dispatch(PlaybackAction::Seek(view.t.unwrap_or(0)));
    stage.window.dispatch(WindowAction::Show(window.0, window.1));
    stage.selection.dispatch(match view.selection {
        Some((task, at)) => SelectionAction::Task { task, slice: Some((CPU_UNKNOWN, at)) },
        None => SelectionAction::Clear,
    });
    stage.document.dispatch(DocumentAction::Open { scenario: Box::new(scenario), push });
    let play = view.play && !page::prefers_calm();
    stage.playback.dispatch(if play { PlaybackAction::Play } else { PlaybackAction::Pause });
}

/// Whether the address already says this.
pub fn is_there(fragment: &str) -> bool {
    hash() == fragment
}

/// Writes the address; `push`: as a step of the history.
pub fn write(fragment: &str, push: bool) {
    let Some(history) = page::window().and_then(|window| window.history().ok()) else { return };
    let text = format!("#{fragment}");
    // Browsers limit how often this may be called; the next change writes again.
    let _ = if push {
        history.push_state_with_url(&JsValue::NULL, "", Some(&text))
    } else {
        history.replace_state_with_url(&JsValue::NULL, "", Some(&text))
    };
    // A page inside another one is not what the visitor came to see.
    if !fragment.contains("&embed=1") {
        page::remember(LAST, fragment);
    }
}
