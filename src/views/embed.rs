//! The bar of the page inside another page: what it is, and the way out to the whole of it.

use crate::store::{Document, use_stage, use_store};
use crate::text::sentence;
use crate::text::{self, embed as words};
use crate::views::controls::logo;
use web_sys::HtmlAnchorElement;
use yew::prelude::*;

/// The bar.
#[component]
pub fn EmbedBar() -> Html {
    let stage = use_stage();
    let document = use_store::<Document>();
    let policies: Vec<&str> = document.scenario.lanes.iter().map(|lane| lane.policy.as_str()).collect();
    // The address is taken when it is needed: while it plays, each moment has another one.
    let refresh = move |target: Option<HtmlAnchorElement>| {
        if let Some(link) = target {
            link.set_href(&stage.live.full_link());
        }
    };
    let (on_click, on_focus, on_over) = (refresh.clone(), refresh.clone(), refresh.clone());
    html! {
        <header class="top embed-bar">
            <h1 class="brand">{ logo() }<span class="unseen">{ text::PRODUCT }</span></h1>
            <span class="title embed-title">{ sentence::title(&document.scenario.title) }</span>
            <span class="t3 small">{ policies.join(", ") }</span>
            <span class="grow" />
            <a class="btn" href="#" target="_blank" rel="noopener" title={words::OPEN_FULL_HELP} data-testid="open-full"
                onfocus={move |event: FocusEvent| on_focus(event.target_dyn_into())}
                onpointerover={move |event: PointerEvent| on_over(event.target_dyn_into())}
                onclick={move |event: MouseEvent| on_click(event.target_dyn_into())}>{ words::OPEN_FULL }</a>
        </header>
    }
}
