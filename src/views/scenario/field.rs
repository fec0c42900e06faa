//! Rows of a card that are typed or chosen.

use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// A line of text; told when it is done. `read` returns why a text is refused: the browser says it at the field.
pub fn text_row(
    label: &'static str,
    value: String,
    testid: String,
    read: impl Fn(String) -> Option<String> + 'static,
) -> Html {
    let onchange = Callback::from(move |event: Event| {
        let Some(input) = event.target_dyn_into::<HtmlInputElement>() else { return };
        input.set_custom_validity(&read(input.value()).unwrap_or_default());
        input.report_validity();
    });
    html! {
        <label class="row"><span class="lab">{ label }</span>
            <input class="pick wide-pick" type="text" spellcheck="false" autocomplete="off" {value} {onchange} data-testid={testid} />
        </label>
    }
}

/// One of several, as (value, label).
pub fn choice_row(
    label: &'static str,
    options: Vec<(String, String)>,
    chosen: &str,
    testid: String,
    on_choice: Callback<String>,
) -> Html {
    let onchange = Callback::from(move |event: Event| {
        if let Some(select) = event.target_dyn_into::<HtmlSelectElement>() {
            on_choice.emit(select.value());
        }
    });
    let options = options.into_iter().map(|(value, label)| {
        let selected = value == chosen;
        html! { <option {selected} {value}>{ label }</option> }
    });
    html! {
        <label class="row"><span class="lab">{ label }</span>
            <select class="pick wide-pick" data-testid={testid} {onchange}>{ for options }</select>
        </label>
    }
}
