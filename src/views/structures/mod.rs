//! Structures.

use yew::prelude::*;

/// Structures panel.
#[component]
pub fn StructuresPanel() -> Html {
    html! { <section class="panel structures" data-testid="structures"><div class="phead"><h2>{ "Structures" }</h2></div></section> }
}
