//! Share: the link, its length, what is in it, the scenario as a file.

use super::dialog::Dialog;
use crate::address::Parts;
use crate::store::{Document, use_frames, use_stage, use_store};
use crate::text::share as words;
use crate::views::controls::{Icon, icon};
use crate::views::transport::grouped;
use crate::{clipboard, page};
use sim_core::scenario;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Longest link that everything takes, and the longest we offer, characters.
const LENGTHS: (usize, usize) = (1500, 2000);

/// The popover.
#[component]
pub fn Share() -> Html {
    let stage = use_stage();
    let document = use_store::<Document>();
    let parts = use_state_eq(Parts::default);
    let copied = use_state_eq(|| false);
    let digest = use_frames(200, |context| context.frames.progress.first().map(|progress| progress.digest));
    let link = stage.live.link_with(*parts);
    let length = link.chars().count();
    let copy = {
        let (stage, link, copied) = (stage.clone(), link.clone(), copied.clone());
        Callback::from(move |_| {
            let copied = copied.clone();
            clipboard::copy(&stage, link.clone(), move || copied.set(true));
        })
    };
    let save = Callback::from(move |_| {
        let name = page::file_name(&document.scenario.title, "json");
        page::save(&name, &scenario::to_json(&document.scenario), "application/json");
    });
    let select = Callback::from(|event: FocusEvent| {
        if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
            input.select();
        }
    });
    let verdict = match length {
        length if length <= LENGTHS.0 => words::FITS,
        length if length <= LENGTHS.1 => words::LONG,
        _ => words::TOO_LONG,
    };
    let word = if *copied { words::COPIED } else { words::COPY };
    let on_parts = {
        let parts = parts.clone();
        Callback::from(move |next| parts.set(next))
    };
    html! {
        <Dialog heading={words::HEADING} class="share" testid="share-dialog">
            <div class="sec">
                <div class="row">
                    <input class="pick mono link-field" readonly={true} value={link} aria-label={words::LINK} data-testid="link" onfocus={select} />
                    <button type="button" class="btn primary" data-testid="copy-link" onclick={copy}>{ icon(Icon::Copy) }{ word }</button>
                </div>
                <div class="row" role="status"><span><b data-testid="link-length">{ length }</b>{ words::CHARACTERS }</span><span class="grow" />
                    <span class="t3 small">{ verdict }</span></div>
                { meter(length) }
            </div>
            <div class="sec"><b>{ words::IN_THE_LINK }</b>{ part_list(*parts, &on_parts) }</div>
            <div class="sec"><button type="button" class="btn" onclick={save}>{ icon(Icon::Save) }{ words::FILE }</button></div>
            <div class="sec"><p class="t3 small">{ "digest " }<span class="mono t2">{ digest.map(grouped) }</span>{ words::SAME }</p></div>
        </Dialog>
    }
}

/// How long the link is, against what is usual.
fn meter(length: usize) -> Html {
    let width = format!("{:.1}%", 100.0 * (length as f64 / LENGTHS.1 as f64).min(1.0));
    let marks = words::MARKS.iter().map(|mark| html! { <span>{ *mark }</span> });
    html! {
        <>
            <div class="meter" aria-hidden="true"><svg width="100%" height="8"><rect {width} height="8" rx="4" class="full" /></svg>
                <u class="lesson" /><u class="typical" /></div>
            <div class="meter-marks small t3" aria-hidden="true">{ for marks }</div>
        </>
    }
}

fn part_list(parts: Parts, on_parts: &Callback<Parts>) -> Html {
    let rows = [
        (words::MOMENT, parts.moment, Parts { moment: !parts.moment, ..parts }),
        (words::WINDOW, parts.window, Parts { window: !parts.window, ..parts }),
        (words::SELECTION, parts.selection, Parts { selection: !parts.selection, ..parts }),
        (words::VIEW, parts.view, Parts { view: !parts.view, ..parts }),
        (words::THEME, parts.theme, Parts { theme: !parts.theme, ..parts }),
    ];
    let rows = rows.into_iter().map(|(word, on, next)| {
        let on_parts = on_parts.clone();
        html! { <label class="row check"><input type="checkbox" checked={on} onchange={move |_| on_parts.emit(next)} />{ word }</label> }
    });
    html! {
        <>
            <label class="row check"><input type="checkbox" checked={true} disabled={true} />{ words::SCENARIO }<span class="t3 small">{ words::ALWAYS }</span></label>
            { for rows }
        </>
    }
}
