//! A note at a moment: at the selection, or now.

use super::dialog::Dialog;
use crate::paint::number;
use crate::store::{Document, DocumentAction, LayoutAction, Selection, use_stage, use_store};
use crate::text::note as words;
use sim_core::scenario::limits::NOTE_CHARS_MAX;
use sim_core::scenario::schema::NoteAt;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// The dialog.
#[component]
pub fn Note() -> Html {
    let stage = use_stage();
    let document = use_store::<Document>();
    let selection = use_store::<Selection>();
    let at = *use_memo((), |()| selection.slice.map_or_else(|| stage.live.now(), |(_, at)| at));
    let present = document.scenario.notes.iter().find(|note| note.t == at).map(|note| note.text.clone());
    let node = use_node_ref();
    {
        let node = node.clone();
        use_effect_with((), move |()| {
            if let Some(input) = node.cast::<HtmlInputElement>() {
                let _ = input.focus();
            }
        });
    }
    let write = {
        let stage = stage.clone();
        move |text: String| {
            stage.document.dispatch(DocumentAction::Note(NoteAt { t: at, text }));
            stage.layout.dispatch(LayoutAction::CloseOverlay);
        }
    };
    let save = {
        let (node, write) = (node.clone(), write.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            let text = node.cast::<HtmlInputElement>().map(|input| input.value()).unwrap_or_default();
            write(text.trim().to_string());
        })
    };
    let remove = Callback::from(move |_: MouseEvent| write(String::new()));
    let aside = html! { <span class="t3">{ words::at(&number::moment(at)) }</span> };
    html! {
        <Dialog heading={words::HEADING} class="search" {aside} testid="note-dialog">
            <form class="sec row" onsubmit={save}>
                <input class="pick find grow" type="text" maxlength={NOTE_CHARS_MAX.to_string()} placeholder={words::FIELD} aria-label={words::FIELD}
                    autocomplete="off" value={present.clone().unwrap_or_default()} ref={node} data-testid="note-text" />
                <button type="submit" class="btn primary" data-testid="note-write">{ words::WRITE }</button>
                if present.is_some() { <button type="button" class="btn" onclick={remove}>{ words::REMOVE }</button> }
            </form>
        </Dialog>
    }
}
