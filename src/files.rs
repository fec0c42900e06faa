//! Files and addresses: what a visitor opens by button, drop or `#src=`, and what the page saves. What a file is, its
//! content says, never its name.

use crate::lessons::{self, Place};
use crate::page;
use crate::store::course::Origin;
use crate::store::notice::Notice;
use crate::store::{LayoutAction, Stage};
use crate::text::sentence::translated;
use crate::text::{export, files as words};
use crate::tools::client as tools;
use crate::tools::protocol::{ToolsAsk, ToolsReply};
use crate::{address, fetch};
use gloo_events::{EventListener, EventListenerOptions};
use sim_core::engine::protocol::Problem;
use sim_core::scenario;
use sim_core::scenario::link;
use sim_core::scenario::schema::Scenario;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{DragEvent, Event, File, HtmlInputElement};

/// Longest file that is read, bytes: recorded traces are large, scenarios and lessons have limits of their own.
pub const FILE_BYTES_MAX: u64 = 64 << 20;

/// What a text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A scenario.
    Scenario,
    /// A lesson: it has steps.
    Lesson,
    /// A trace or workload of another program, which the importer reads.
    Foreign,
}

/// What a text is, by its content.
pub fn kind_of(text: &str) -> Kind {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if !text.starts_with('{') {
        return Kind::Foreign;
    }
    match serde_json::from_str::<serde_json::Value>(text) {
        Ok(value) if value.get("steps").is_some() => Kind::Lesson,
        Ok(value) if ["traceEvents", "tasks"].iter().any(|key| value.get(*key).is_some()) => Kind::Foreign,
        Ok(_) => Kind::Scenario,
        // Workload files of rt-app are JSON with comments and repeated keys; a damaged scenario is told its line.
        Err(_) if text.contains("\"tasks\"") || text.contains("\"traceEvents\"") => Kind::Foreign,
        Err(_) => Kind::Scenario,
    }
}

/// Opens a text that came from a file or an address. `name` is for the visitor's eyes; `origin` and `place` tell a
/// lesson where it came from and where it begins.
pub fn open_text(stage: &Stage, name: &str, text: &str, origin: Origin, place: Place) {
    let text = text.trim_start_matches('\u{feff}');
    match kind_of(text) {
        Kind::Scenario => open_scenario(stage, name, text),
        Kind::Lesson => {
            if let Err(problems) = lessons::open_text(stage, text, origin, place) {
                refuse(stage, name, &problems);
            }
        }
        Kind::Foreign => import(stage, name, text.to_string()),
    }
}

fn open_scenario(stage: &Stage, name: &str, text: &str) {
    match scenario::parse(text) {
        Ok((scenario, warnings)) => accept(stage, name, scenario, warnings),
        Err(problems) => refuse(stage, name, &problems),
    }
}

/// Opens a scenario and tells what was passed over.
fn accept(stage: &Stage, name: &str, scenario: Scenario, passed_over: Vec<Problem>) {
    address::open_scenario(stage, scenario, &link::View::default(), true);
    if passed_over.is_empty() {
        return;
    }
    let notice = Notice {
        heading: words::opened(name),
        say: words::WARNED.to_string(),
        problems: passed_over,
        is_news: true,
        ..Notice::default()
    };
    stage.layout.dispatch(LayoutAction::Notice(Some(Rc::new(notice))));
}

/// Lets the tools read a file of another program.
fn import(stage: &Stage, name: &str, text: String) {
    let (stage, name) = (stage.clone(), name.to_string());
    spawn_local(async move {
        let whole = |message: String| vec![Problem { path: String::new(), message, ..Problem::default() }];
        match tools::ask(&ToolsAsk::Import(text)).await {
            Some(ToolsReply::Imported(text, notes)) => match scenario::parse(&text) {
                Ok((mut scenario, _)) => {
                    scenario.title = translated(&scenario.title);
                    accept(&stage, &name, scenario, notes);
                }
                Err(problems) => refuse(&stage, &name, &problems),
            },
            Some(ToolsReply::Refused(problems)) => refuse(&stage, &name, &problems),
            _ => refuse(&stage, &name, &whole(export::NO_TOOLS.to_string())),
        }
    });
}

/// Tells why a file is not opened. The page stays as it is.
pub fn refuse(stage: &Stage, name: &str, problems: &[Problem]) {
    let notice = Notice {
        heading: words::refused(name, problems.len()),
        say: words::STAYS.to_string(),
        problems: problems.to_vec(),
        ..Notice::default()
    };
    stage.layout.dispatch(LayoutAction::Notice(Some(Rc::new(notice))));
}

/// Opens what lies at an address. Only after the visitor has agreed to the request.
pub fn open_address(stage: &Stage, source: String, place: Place) {
    let stage = stage.clone();
    spawn_local(async move {
        match fetch::text(&source, scenario::limits::TEXT_BYTES_MAX).await {
            Ok(text) => open_text(&stage, &source, &text, Origin::Address(source.clone()), place),
            Err(message) => {
                let hint = words::BY_FILE.to_string();
                refuse(&stage, &source, &[Problem { path: String::new(), message, hint, ..Problem::default() }]);
            }
        }
    });
}

/// Reads and opens a file of the visitor.
pub fn open_file(stage: &Stage, file: File) {
    let stage = stage.clone();
    spawn_local(async move {
        let name = file.name();
        match read(&file).await {
            Ok(text) => open_text(&stage, &name, &text, Origin::File, Place { push: true, ..Place::default() }),
            Err(message) => refuse(&stage, &name, &[Problem { path: String::new(), message, ..Problem::default() }]),
        }
    });
}

async fn read(file: &File) -> Result<String, String> {
    // A file's size is a whole number below 2^53.
    let bytes = file.size() as u64;
    if bytes > FILE_BYTES_MAX {
        return Err(words::too_long(bytes, FILE_BYTES_MAX));
    }
    let text = JsFuture::from(file.text()).await.map_err(|_| words::UNREADABLE.to_string())?;
    text.as_string().ok_or_else(|| words::UNREADABLE.to_string())
}

/// Opens the file that a file field holds, and empties the field so that the same file can be chosen again.
pub fn open_chosen(stage: &Stage, event: &Event) {
    let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
    let Some(input) = input else { return };
    if let Some(file) = input.files().and_then(|files| files.get(0)) {
        open_file(stage, file);
    }
    input.set_value("");
}

/// A file dropped anywhere on the page is opened.
pub fn listen(stage: &Stage) -> Vec<EventListener> {
    let Some(window) = page::window() else { return Vec::new() };
    let options = EventListenerOptions::enable_prevent_default();
    let over = EventListener::new_with_options(&window, "dragover", options, |event| {
        // Without this the browser leaves the page and shows the file itself.
        if file_of(event).is_some() {
            event.prevent_default();
        }
    });
    let stage = stage.clone();
    let dropped = EventListener::new_with_options(&window, "drop", options, move |event| {
        let Some(transfer) = file_of(event) else { return };
        event.prevent_default();
        if let Some(file) = transfer.files().and_then(|files| files.get(0)) {
            open_file(&stage, file);
        }
    });
    vec![over, dropped]
}

/// What is dragged, if it holds files.
fn file_of(event: &Event) -> Option<web_sys::DataTransfer> {
    let transfer = event.dyn_ref::<DragEvent>()?.data_transfer()?;
    transfer.types().includes(&"Files".into(), 0).then_some(transfer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_tells_what_a_file_is() {
        for (text, kind) in [
            ("{\"v\":1,\"workloads\":[]}", Kind::Scenario),
            ("\u{feff}  {\"v\":1}", Kind::Scenario),
            ("{\"title\":\"x\",\"steps\":[]}", Kind::Lesson),
            ("{\"traceEvents\":[]}", Kind::Foreign),
            ("{\"tasks\":{\"a\":{\"run\":1}}}", Kind::Foreign),
            ("{ /* note */ \"tasks\": {\"a\": {\"run\": 1, \"run\": 2,}}}", Kind::Foreign),
            ("{\"v\":1,", Kind::Scenario),
            ("# tracer: nop\n", Kind::Foreign),
            ("", Kind::Foreign),
        ] {
            assert_eq!(kind_of(text), kind, "{text}");
        }
    }
}
