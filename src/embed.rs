//! Talk with the page around an embedded one; `docs/embed.md` is the published description.
//!
//! Who may speak: only the window that frames this page, and only when the link says `embed=1`. What it can set passes
//! the same checks as a link. What is told: `ready`, which says nothing but a version, goes to anyone; everything else
//! goes to the origin that has spoken first, and to no other.

use crate::store::{Document, PlaybackAction, Selection, Stage, use_frames, use_stage, use_store};
use crate::{address, files, page};
use gloo_events::EventListener;
use serde_json::{Value, json};
use sim_core::engine::protocol::Problem;
use sim_core::scenario::limits::TEXT_BYTES_MAX;
use sim_core::scenario::{self, link};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{MessageEvent, Window};
use yew::prelude::*;

/// Version of the messages.
const VERSION: u32 = 1;

/// The origin that has spoken.
type Origin = Rc<RefCell<Option<String>>>;

/// The window around this page, if there is one.
fn parent() -> Option<Window> {
    let window = page::window()?;
    let parent = window.parent().ok().flatten()?;
    (!js_sys::Object::is(parent.as_ref(), window.as_ref())).then_some(parent)
}

fn post(message: &Value, origin: &str) {
    let Some(parent) = parent() else { return };
    // A frame without an origin of its own (a file, a sandbox) cannot be named; it has spoken all the same.
    let target = if origin == "null" { "*" } else { origin };
    if let Ok(message) = js_sys::JSON::parse(&message.to_string()) {
        // Fails only for an origin that is none, and this one came from the browser.
        let _ = parent.post_message(&message, target);
    }
}

fn message(kind: &str, mut fields: Value) -> Value {
    fields["schedscope"] = json!(VERSION);
    fields["type"] = json!(kind);
    fields
}

/// Draws nothing; lives while the page is embedded.
#[component]
pub fn EmbedTalk() -> Html {
    let stage = use_stage();
    let document = use_store::<Document>();
    let selection = use_store::<Selection>();
    let origin = use_memo((), |()| Origin::default());
    let digest = use_frames(200, |context| context.frames.digest(0).map(|digest| (context.frames.run, digest)));
    {
        let (stage, origin) = (stage.clone(), (*origin).clone());
        use_effect_with((), move |()| {
            let listener = page::window().map(|window| {
                EventListener::new(&window, "message", move |event| {
                    if let Some(event) = event.dyn_ref::<MessageEvent>() {
                        hear(&stage, &origin, event);
                    }
                })
            });
            post(&message("ready", json!({"version": env!("CARGO_PKG_VERSION")})), "*");
            move || drop(listener)
        });
    }
    {
        let (stage, origin) = (stage.clone(), (*origin).clone());
        use_effect_with((selection.task, selection.slice), move |_| tell(&origin, &selected(&stage)));
    }
    {
        let (origin, title) = ((*origin).clone(), document.scenario.title.clone());
        // Not when the document changes: what is known then is of the run before.
        use_effect_with(digest, move |digest| {
            if let Some((_, digest)) = digest {
                tell(&origin, &message("simulated", json!({"title": title, "digest": format!("{digest:016x}")})));
            }
        });
    }
    Html::default()
}

fn tell(origin: &Origin, message: &Value) {
    if let Some(origin) = origin.borrow().as_deref() {
        post(message, origin);
    }
}

fn hear(stage: &Stage, origin: &Origin, event: &MessageEvent) {
    let is_parent = parent().is_some_and(|parent| {
        event.source().is_some_and(|source| js_sys::Object::is(source.as_ref(), parent.as_ref()))
    });
    if !is_parent {
        return;
    }
    let text = js_sys::JSON::stringify(&event.data()).ok().and_then(|text| text.as_string());
    let Some(text) = text.filter(|text| text.len() <= 2 * TEXT_BYTES_MAX) else { return };
    let Ok(value) = serde_json::from_str::<Value>(&text) else { return };
    if value["schedscope"] != VERSION {
        return;
    }
    let mine = origin.borrow_mut().get_or_insert_with(|| event.origin()).clone();
    if mine != event.origin() {
        return;
    }
    if let Err(problems) = obey(stage, &value) {
        let rows: Vec<Value> = problems
            .iter()
            .map(|problem| json!({"path": problem.path, "message": problem.message, "hint": problem.hint}))
            .collect();
        tell(origin, &message("problems", json!({ "problems": rows })));
    }
    if value["type"] == "get-state" {
        tell(origin, &state(stage));
    }
}

/// Does what a message says.
fn obey(stage: &Stage, value: &Value) -> Result<(), Vec<Problem>> {
    let whole = |message: &str| vec![Problem { path: "type".into(), message: message.into(), ..Problem::default() }];
    match value["type"].as_str().unwrap_or_default() {
        "get-state" => {}
        "set-scenario" => {
            let given = &value["scenario"];
            let text = given.as_str().map_or_else(|| given.to_string(), str::to_string);
            let (scenario, _) =
                scenario::parse(&text).inspect_err(|problems| files::refuse(stage, "scenario", problems))?;
            let view = stage.live.embed_view();
            address::open_scenario(stage, scenario, &view, false);
        }
        "set-link" => {
            let decoded = link::decode(value["link"].as_str().unwrap_or_default())
                .inspect_err(|problems| files::refuse(stage, "link", problems))?;
            let scenario = decoded.scenario.ok_or_else(|| whole("the link holds no scenario"))?;
            let kept = stage.live.embed_view();
            let view = link::View { embed: true, hide: kept.hide, source: String::new(), ..decoded.view };
            address::open_scenario(stage, scenario, &view, false);
        }
        "seek" => {
            let at = value["t_ns"].as_u64().ok_or_else(|| whole("seek wants t_ns, a whole number of ns"))?;
            stage.playback.dispatch(PlaybackAction::Seek(at));
        }
        "play" => stage.playback.dispatch(PlaybackAction::Play),
        "pause" => stage.playback.dispatch(PlaybackAction::Pause),
        _ => return Err(whole("known: get-state, set-scenario, set-link, seek, play, pause")),
    }
    Ok(())
}

/// What is selected.
fn selected(stage: &Stage) -> Value {
    let (task, slice) = stage.live.selected();
    let name = task.map(|task| stage.live.with_frames(|frames| frames.task_name(task).to_string()));
    let slice = slice.map(|(cpu, at)| json!({"cpu": cpu, "t_ns": at}));
    message("selection", json!({"task": task, "name": name, "slice": slice}))
}

fn state(stage: &Stage) -> Value {
    let (title, policy) = stage.live.title_and_policy();
    let (digest, simulated) = stage
        .live
        .with_frames(|frames| frames.progress.first().map_or((0, 0), |progress| (progress.digest, progress.simulated)));
    message(
        "state",
        json!({"title": title, "policy": policy, "t_ns": stage.live.now(), "simulated_ns": simulated,
            "digest": format!("{digest:016x}"), "link": stage.live.full_link()}),
    )
}
