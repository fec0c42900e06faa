//! Open: a file, a recent scenario; save the present one.

use super::dialog::Dialog;
use crate::store::{Document, LayoutAction, use_stage, use_store};
use crate::text::files as words;
use crate::views::controls::{Icon, icon};
use crate::{address, files, page, recent};
use sim_core::scenario;
use yew::prelude::*;

/// The dialog.
#[component]
pub fn Files() -> Html {
    let stage = use_stage();
    let document = use_store::<Document>();
    let kept = use_state_eq(recent::all);
    let on_file = {
        let stage = stage.clone();
        Callback::from(move |event: Event| {
            files::open_chosen(&stage, &event);
            stage.layout.dispatch(LayoutAction::CloseOverlay);
        })
    };
    let save = Callback::from(move |_| {
        let text = scenario::to_json(&document.scenario);
        page::save(&page::file_name(&document.scenario.title, "json"), &text, "application/json");
    });
    let forget_all = {
        let kept = kept.clone();
        Callback::from(move |_| {
            recent::forget_all();
            kept.set(Vec::new());
        })
    };
    let rows = kept.iter().map(|recent| {
        let title = if recent.title.is_empty() { words::UNTITLED.say() } else { recent.title.as_str() };
        let open = {
            let (stage, link) = (stage.clone(), recent.link.clone());
            Callback::from(move |_| {
                address::open_link(&stage, &link);
                stage.layout.dispatch(LayoutAction::CloseOverlay);
            })
        };
        let forget = {
            let (kept, link) = (kept.clone(), recent.link.clone());
            Callback::from(move |_| {
                recent::forget(&link);
                kept.set(recent::all());
            })
        };
        html! {
            <li class="row"><button type="button" class="link hit" onclick={open}>{ title }</button><span class="grow" />
                <button type="button" class="btn quiet icon tiny" aria-label={words::forget(title)} title={words::forget(title)} onclick={forget}>
                    { icon(Icon::Cross) }</button></li>
        }
    });
    let nothing = if page::has_storage() { words::NO_RECENT } else { words::NO_STORAGE };
    html! {
        <Dialog heading={words::HEADING} class="files" testid="files-dialog">
            <div class="sec">
                <label class="file-field"><b>{ words::CHOOSE }</b>
                    <input type="file" data-testid="file-input" onchange={on_file} /></label>
                <p class="t3 small">{ words::DROP }</p>
                <p class="t3 small">{ words::KINDS }</p>
            </div>
            <div class="sec">
                <div class="row"><h3>{ words::RECENT }</h3><span class="grow" />
                    if !kept.is_empty() { <button type="button" class="link small" data-testid="forget-all" onclick={forget_all}>{ words::FORGET_ALL }</button> }
                </div>
                if kept.is_empty() { <p class="t3">{ nothing }</p> } else { <ul class="recent" data-testid="recent">{ for rows }</ul> }
            </div>
            <div class="sec"><button type="button" class="btn" data-testid="save-scenario" onclick={save}>{ icon(Icon::Save) }{ words::SAVE }</button></div>
        </Dialog>
    }
}
