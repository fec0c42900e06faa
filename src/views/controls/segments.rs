//! A choice of a few, side by side.

use yew::prelude::*;

/// Properties of [`Segments`].
#[derive(Properties, PartialEq)]
pub struct SegmentsProps {
    /// Name for screen readers.
    pub label: AttrValue,
    /// Options as shown.
    pub options: Vec<AttrValue>,
    /// Index of the chosen one.
    pub chosen: Option<usize>,
    /// Called with the index.
    pub on_pick: Callback<usize>,
    /// Stable id for tests.
    pub testid: AttrValue,
}

/// A choice of a few.
#[component]
pub fn Segments(props: &SegmentsProps) -> Html {
    let options = props.options.iter().enumerate().map(|(index, option)| {
        let chosen = props.chosen == Some(index);
        let on_pick = props.on_pick.clone();
        html! {
            <button type="button" class={classes!(chosen.then_some("on"))} aria-pressed={chosen.to_string()}
                onclick={move |_| on_pick.emit(index)}>{ option }</button>
        }
    });
    html! { <span class="seg" role="group" aria-label={&props.label} data-testid={&props.testid}>{ for options }</span> }
}
