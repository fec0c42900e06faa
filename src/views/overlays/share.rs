//! Share: the link, its length, its QR code, what is in it, the HTML that embeds it, the scenario as a file.

use super::dialog::Dialog;
use super::qr::{Code, code_svg};
use crate::address::Parts;
use crate::store::layout::{Layout, View};
use crate::store::{Document, use_digests, use_stage, use_store};
use crate::text::{embed, share as words, transport};
use crate::tools::client;
use crate::tools::protocol::{ToolsAsk, ToolsReply};
use crate::views::controls::{Icon, icon};
use crate::views::transport::grouped;
use crate::{clipboard, page};
use sim_core::scenario;
use sim_core::scenario::limits::LINK_CHARS_SHARED_MAX;
use std::rc::Rc;
use wasm_bindgen_futures::spawn_local;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Longest link that everything takes, characters.
const TYPICAL: usize = 1500;

/// The popover.
#[component]
pub fn Share() -> Html {
    let stage = use_stage();
    let document = use_store::<Document>();
    let parts = use_state_eq(Parts::default);
    let copied = use_state_eq(|| None::<&'static str>);
    let shown = use_state_eq(|| 0_usize);
    let digest = use_digests().first().copied().flatten();
    let link = stage.live.link_with(*parts);
    let length = link.chars().count();
    let fits = length <= LINK_CHARS_SHARED_MAX;
    let code = use_code(fits.then(|| link.clone()));
    let copy = |what: &'static str, text: String| {
        let (stage, copied) = (stage.clone(), copied.clone());
        Callback::from(move |_: MouseEvent| {
            let copied = copied.clone();
            clipboard::copy(&stage, text.clone(), move || copied.set(Some(what)));
        })
    };
    let word = |what: &str, word: crate::text::Word| if *copied == Some(what) { words::COPIED } else { word };
    let save = {
        let scenario = document.scenario.clone();
        Callback::from(move |_: MouseEvent| {
            let name = page::file_name(&scenario.title, "json");
            page::save(&name, &scenario::to_json(&scenario), "application/json");
        })
    };
    let save_code = (*code).clone().flatten().map(|code| {
        let title = document.scenario.title.clone();
        let onclick = Callback::from(move |_| {
            page::save(&page::file_name(&format!("{title} qr"), "svg"), &code_svg(&code), "image/svg+xml");
        });
        html! { <button type="button" class="btn" data-testid="save-qr" {onclick}>{ words::SAVE_QR }</button> }
    });
    let verdict = match length {
        length if length <= TYPICAL => words::FITS,
        _ if fits => words::LONG,
        _ => words::TOO_LONG,
    };
    let on_parts = {
        let parts = parts.clone();
        Callback::from(move |next| parts.set(next))
    };
    let html = frame(&stage.live.link_as(*parts, &embedded(*shown)), &document.scenario.title);
    html! {
        <Dialog heading={words::HEADING} class="share" testid="share-dialog">
            <div class="sec">
                <div class="row">
                    <input class="pick mono link-field" readonly={true} value={link.clone()} aria-label={words::LINK} data-testid="link" onfocus={select()} />
                    <button type="button" class={classes!("btn", fits.then_some("primary"))} data-testid="copy-link" onclick={copy("link", link)}>
                        { icon(Icon::Copy) }{ word("link", words::COPY) }</button>
                </div>
                <div class="row" role="status"><span><b data-testid="link-length">{ length }</b>{ words::CHARACTERS }</span><span class="grow" />
                    <span class={if fits { "t3 small" } else { "bad-text small" }} data-testid="link-verdict">{ verdict }</span></div>
                { meter(length) }
            </div>
            <div class="sec qr-row">
                <div class="qr" data-testid="qr">{ picture(&code, fits) }</div>
                <div class="qr-parts"><b>{ words::IN_THE_LINK }</b>{ part_list(*parts, &on_parts) }</div>
            </div>
            <div class="sec">
                <div class="row"><b>{ embed::HEADING }</b><span class="grow" />{ choices(*shown, &shown) }</div>
                <textarea class="pick mono embed-code" readonly={true} rows="4" aria-label={embed::CODE} data-testid="embed-code" value={html.clone()} />
                <div class="row wrap">
                    <button type="button" class="btn" data-testid="copy-embed" onclick={copy("embed", html)}>{ icon(Icon::Copy) }{ word("embed", embed::COPY) }</button>
                    { save_code }
                    <button type="button" class={classes!("btn", (!fits).then_some("primary"))} data-testid="share-file" onclick={save}>{ words::FILE }</button>
                </div>
            </div>
            <div class="sec"><p class="t3 small">{ transport::DIGEST }{ " " }<span class="mono t2">{ grouped(digest) }</span>{ words::SAME }</p></div>
        </Dialog>
    }
}

fn select() -> Callback<FocusEvent> {
    Callback::from(|event: FocusEvent| {
        if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
            input.select();
        }
    })
}

/// The QR code of a text, once the tools have made it. Outer `None`: not yet; inner: there is none.
#[hook]
fn use_code(text: Option<String>) -> UseStateHandle<Option<Option<Rc<Code>>>> {
    let code = use_state_eq(|| None);
    {
        let code = code.clone();
        use_effect_with(text, move |text| {
            let text = text.clone();
            spawn_local(async move {
                let Some(text) = text else { return code.set(Some(None)) };
                let made = match client::ask(&ToolsAsk::Qr(text)).await {
                    Some(ToolsReply::Qr(Some((size, dark)))) => Some(Rc::new(Code { size, dark })),
                    _ => None,
                };
                code.set(Some(made));
            });
        });
    }
    code
}

fn picture(code: &Option<Option<Rc<Code>>>, fits: bool) -> Html {
    match code {
        Some(Some(code)) => super::qr::code(code, words::QR.say()),
        None => html! { <p class="t3 small">{ words::QR_SOON }</p> },
        Some(None) if fits => html! { <p class="t3 small">{ words::QR_NONE }</p> },
        Some(None) => html! { <p class="t3 small">{ words::QR_LONG }</p> },
    }
}

/// What the frame shows, as a change of the layout that the link is made of.
fn embedded(shown: usize) -> impl Fn(&mut Layout) {
    move |layout: &mut Layout| {
        let link = Rc::make_mut(&mut layout.link);
        link.embed = true;
        link.hide = if shown == 0 { vec!["structures".into(), "graphs".into()] } else { Vec::new() };
        match shown {
            0 => layout.view = View::Run,
            1 => layout.view = View::Structures,
            _ => {}
        }
    }
}

fn frame(link: &str, title: &str) -> String {
    let quoted = |text: &str| text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
    format!(
        "<iframe src=\"{}\" width=\"800\" height=\"420\" title=\"{}\" allow=\"clipboard-write; fullscreen\"></iframe>",
        quoted(link),
        quoted(&embed::frame_title(title))
    )
}

fn choices(shown: usize, set: &UseStateHandle<usize>) -> Html {
    let buttons = embed::CHOICES.iter().enumerate().map(|(index, word)| {
        let set = set.clone();
        let on = shown == index;
        html! { <button type="button" class={classes!(on.then_some("on"))} aria-pressed={on.to_string()} onclick={move |_| set.set(index)}>{ *word }</button> }
    });
    html! { <span class="seg" role="group" aria-label={embed::SHOWN}>{ for buttons }</span> }
}

/// How long the link is, against what is usual.
fn meter(length: usize) -> Html {
    let width = format!("{:.1}%", 100.0 * (length as f64 / LINK_CHARS_SHARED_MAX as f64).min(1.0));
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
