//! Timeline.

use yew::prelude::*;

/// Timeline panel.
#[component]
pub fn TimelinePanel() -> Html {
    html! { <section class="panel timeline" data-testid="timeline"><div class="phead"><h2>{ "Timeline" }</h2></div></section> }
}
