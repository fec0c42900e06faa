//! A choice of a few, side by side.

use crate::text::Word;
use yew::prelude::*;

/// What a choice looks like.
pub struct Segments {
    /// Name for screen readers.
    pub label: Word,
    /// Stable id for tests.
    pub testid: &'static str,
    /// Options as shown.
    pub options: Vec<AttrValue>,
    /// Index of the chosen one.
    pub chosen: Option<usize>,
}

/// A choice of a few; calls with the index.
pub fn segments(choice: &Segments, on_pick: &Callback<usize>) -> Html {
    let options = choice.options.iter().enumerate().map(|(index, option)| {
        let chosen = choice.chosen == Some(index);
        let on_pick = on_pick.clone();
        html! {
            <button type="button" class={classes!(chosen.then_some("on"))} aria-pressed={chosen.to_string()}
                onclick={move |_| on_pick.emit(index)}>{ option }</button>
        }
    });
    html! { <span class="seg" role="group" aria-label={choice.label} data-testid={choice.testid}>{ for options }</span> }
}
