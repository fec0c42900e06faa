//! Charts.

use yew::prelude::*;

/// Charts panel.
#[component]
pub fn ChartsPanel() -> Html {
    html! { <section class="panel charts" data-testid="charts"><div class="phead"><h2>{ "Charts" }</h2></div></section> }
}
