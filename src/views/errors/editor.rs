//! The scenario of a link that cannot be opened, as text to be mended by hand: what is still wrong is told while typing.

use super::problem_rows;
use crate::address;
use crate::page;
use crate::text::errors as words;
use crate::text::sentence::translated;
use gloo_timers::callback::Timeout;
use sim_core::engine::protocol::Problem;
use sim_core::scenario::{repair, text};
use std::rc::Rc;
use web_sys::HtmlTextAreaElement;
use yew::prelude::*;

/// The text is read after this pause in typing, ms.
const PAUSE_MS: u32 = 200;

/// Where the tab remembers the text that is mended: the link that it belongs to, a line end, the text.
const MENDED: &str = "schedscope.mended";

/// The tab remembers the text for the link in the address: a reload loses nothing that was typed.
pub fn keep(text: &str) {
    page::remember_here(MENDED, &format!("{}\n{text}", address::hash()));
}

/// What was typed for the link in the address before the page was loaded anew.
pub fn kept() -> Option<AttrValue> {
    let kept = page::recall_here(MENDED)?;
    let (link, text) = kept.split_once('\n')?;
    (link == address::hash()).then(|| text.to_string().into())
}

/// Properties of [`Editor`].
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The document.
    pub text: AttrValue,
    /// The visitor has changed it.
    pub on_change: Callback<String>,
    /// Back to the card.
    pub on_close: Callback<()>,
}

/// See the module.
#[component]
pub fn Editor(props: &Props) -> Html {
    let field = use_node_ref();
    let checked = use_state_eq(|| Rc::new(address::problems_with(&props.text)));
    let timer = use_mut_ref(|| None::<Timeout>);
    {
        let checked = checked.clone();
        use_effect_with(props.text.clone(), move |text| {
            let text = text.clone();
            let check = move || checked.set(Rc::new(address::problems_with(&text)));
            *timer.borrow_mut() = Some(Timeout::new(PAUSE_MS, check));
        });
    }
    {
        let field = field.clone();
        use_effect_with((), move |()| {
            if let Some(field) = field.cast::<HtmlTextAreaElement>() {
                let _ = field.focus();
                let _ = field.set_selection_range(0, 0);
            }
        });
    }
    let oninput = {
        let on_change = props.on_change.clone();
        Callback::from(move |event: InputEvent| {
            if let Some(field) = event.target_dyn_into::<HtmlTextAreaElement>() {
                on_change.emit(field.value());
            }
        })
    };
    let open = {
        let (text, checked) = (props.text.clone(), checked.clone());
        Callback::from(move |_| {
            // It may have been typed since the last check.
            let problems = address::problems_with(&text);
            if problems.is_empty() {
                // Back leads to the link as it was.
                page::forget_here(MENDED);
                address::go_to(&address::with_document(&text));
            }
            checked.set(Rc::new(problems));
        })
    };
    let close = {
        let on_close = props.on_close.clone();
        Callback::from(move |_: MouseEvent| on_close.emit(()))
    };
    let act = |problem: &Problem| {
        let place = text::places(&props.text, core::slice::from_ref(problem)).into_iter().next();
        let show = place.map(|place| {
            let (field, text) = (field.clone(), props.text.clone());
            let show = Callback::from(move |_: MouseEvent| select(&field, &text, place.clone()));
            html! { <button type="button" class="btn low quiet" onclick={show} data-testid="show-place">{ words::SHOW }</button> }
        });
        let mended = repair::repaired(&props.text, core::slice::from_ref(problem));
        let mend = problem.repair.as_deref().zip(mended).map(|(value, mended)| {
            let on_change = props.on_change.clone();
            let mend = Callback::from(move |_: MouseEvent| on_change.emit(mended.clone()));
            html! { <button type="button" class="btn low" onclick={mend} data-testid="repair">{ words::use_value(value.trim_matches('"')) }</button> }
        });
        // A repair says what the hint says.
        let hint = mend.is_none().then(|| html! { <span class="t2 hint">{ translated(&problem.hint) }</span> });
        Some(html! { <span class="row acts">{ for hint }{ for show }{ for mend }</span> })
    };
    let is_good = checked.is_empty();
    html! {
        <>
            <textarea class="pick mono doc" rows="16" wrap="off" spellcheck="false" autocomplete="off" ref={field.clone()}
                aria-label={words::TEXT} aria-describedby="text-state" value={props.text.clone()} {oninput} data-testid="scenario-text" />
            <p id="text-state" role="status" class={if is_good { "good-text" } else { "bad-text" }} data-testid="text-state">
                { if is_good { words::NONE_LEFT.to_string() } else { words::problems_left(checked.len()) } }</p>
            if !is_good { { problem_rows(&checked, words::WHOLE_TEXT, act) } }
            <div class="row wrap">
                <button type="button" class="btn primary" onclick={open} disabled={!is_good} data-testid="open-text">{ words::OPEN_TEXT }</button>
                <button type="button" class="btn" onclick={close} data-testid="close-text">{ words::CLOSE_TEXT }</button>
            </div>
        </>
    }
}

/// Shows and marks a place of the text in its field.
fn select(field: &NodeRef, text: &str, place: core::ops::Range<usize>) {
    let Some(field) = field.cast::<HtmlTextAreaElement>() else { return };
    // The browser counts in units of UTF-16.
    let units = |to: usize| text.get(..to).map_or(0, |text| text.encode_utf16().count() as u32);
    let line = text.get(..place.start).map_or(0, |text| text.matches('\n').count());
    let _ = field.focus();
    let _ = field.set_selection_range(units(place.start), units(place.end));
    let lines = text.matches('\n').count() + 1;
    // Two lines of what comes before stay in sight.
    let top =
        field.scroll_height() * i32::try_from(line.saturating_sub(2)).unwrap_or(0) / i32::try_from(lines).unwrap_or(1);
    field.set_scroll_top(top);
}
