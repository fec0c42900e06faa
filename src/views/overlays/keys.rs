//! Key sheet.

use super::dialog::Dialog;
use crate::language::{self, LANGUAGES};
use crate::store::layout::Width;
use crate::store::{Layout, use_stage, use_store};
use crate::text::keys::{self as words, Part, Row};
use crate::text::top;
use crate::views::topbar::more;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

fn keys(parts: &[Part]) -> Html {
    let parts = parts.iter().map(|part| match part {
        Part::Cap(cap) => html! { <kbd>{ *cap }</kbd> },
        Part::Key(name) => html! { <kbd>{ *name }</kbd> },
        Part::Say(word) => html! { <span class="t2">{ *word }</span> },
    });
    html! { <span class="caps">{ for parts }</span> }
}

fn found(row: &Row, wanted: &str) -> bool {
    let in_parts = |part: &Part| match part {
        Part::Cap(cap) => cap.to_lowercase() == wanted,
        Part::Key(word) | Part::Say(word) => word.to_lowercase() == wanted,
    };
    row.1.to_lowercase().contains(wanted) || row.0.iter().any(in_parts)
}

/// Choice of the language.
fn languages() -> Html {
    let spoken = crate::page::language();
    let on_change = Callback::from(|event: Event| {
        if let Some(select) = event.target_dyn_into::<HtmlSelectElement>() {
            language::choose(&select.value());
        }
    });
    let options = LANGUAGES.iter().map(|(key, name)| {
        html! { <option value={*key} lang={*key} selected={spoken == *key}>{ *name }</option> }
    });
    html! {
        <select class="pick" aria-label={words::LANGUAGE} data-testid="language" onchange={on_change}>{ for options }</select>
    }
}

/// The sheet.
#[component]
pub fn KeySheet() -> Html {
    let (stage, layout) = (use_stage(), use_store::<Layout>());
    let wanted = use_state_eq(String::new);
    let on_input = {
        let wanted = wanted.clone();
        Callback::from(move |event: InputEvent| {
            if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
                wanted.set(input.value().trim().to_lowercase());
            }
        })
    };
    let columns = words::COLUMNS.iter().map(|groups| {
        let groups = groups.iter().map(|(heading, rows)| {
            let rows = rows.iter().map(|row| {
                let hit = !wanted.is_empty() && found(row, &wanted);
                html! { <div class={classes!("kr", hit.then_some("hit"))}>{ keys(row.0) }<span>{ row.1 }</span></div> }
            });
            html! { <div class="kg"><h3>{ *heading }</h3>{ for rows }</div> }
        });
        html! { <div>{ for groups }</div> }
    });
    // On a phone the button says so, and the keys are the smaller part of it.
    let heading = if layout.width == Width::Phone { top::MORE } else { words::HEADING };
    let aside = html! {
        <><input class="pick find" type="text" placeholder={words::FIND} aria-label={words::FIND} oninput={on_input} />
            <span class="t3 by-place">{ words::BY_PLACE }</span></>
    };
    html! {
        <Dialog {heading} class="sheet" {aside} testid="keys-sheet">
            if layout.width == Width::Phone { { more(&stage, &layout) } }
            <div class="kcols">{ for columns }</div>
            <p class="foot t3"><span>{ words::REST }</span>
                { languages() }</p>
        </Dialog>
    }
}
