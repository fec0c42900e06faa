//! Notes of the run: go there, take away.

use crate::paint::number;
use crate::store::layout::Overlay;
use crate::store::{Document, DocumentAction, LayoutAction, PlaybackAction, WindowAction, use_stage, use_store};
use crate::text::note as words;
use crate::views::controls::{Icon, icon};
use sim_core::scenario::schema::NoteAt;
use yew::prelude::*;

/// The section.
#[hook]
pub fn use_notes_section() -> Html {
    let stage = use_stage();
    let document = use_store::<Document>();
    let add = {
        let layout = stage.layout.clone();
        Callback::from(move |_: MouseEvent| layout.dispatch(LayoutAction::Show(Overlay::Note)))
    };
    let notes = &document.scenario.notes;
    let rows = notes.iter().map(|note| {
        let (t, go) = (note.t, stage.clone());
        let go = Callback::from(move |_| {
            go.playback.dispatch(PlaybackAction::Seek(t));
            go.window.dispatch(WindowAction::Centre(t));
        });
        let document = stage.document.clone();
        let remove = Callback::from(move |_| document.dispatch(DocumentAction::Note(NoteAt { t, text: String::new() })));
        html! {
            <div class="row note-row" data-testid="note">
                <button type="button" class="link grow left-text" onclick={go}>{ number::moment(t) }{ ", " }{ &note.text }</button>
                <button type="button" class="btn quiet icon tiny" aria-label={words::REMOVE} title={words::REMOVE} onclick={remove}>
                    { icon(Icon::Cross) }</button>
            </div>
        }
    });
    html! {
        <div class="psec" data-testid="notes">
            <h3>{ words::NOTES }<span class="grow" />
                <button type="button" class="btn quiet tiny" onclick={add} aria-haspopup="dialog" data-testid="add-note">{ icon(Icon::Plus) }{ words::ADD }<kbd class="q">{ "M" }</kbd></button></h3>
            if notes.is_empty() { <p class="small t3">{ words::NONE }</p> }
            { for rows }
        </div>
    }
}
