//! Tabs of a narrow page and of a phone, at the thumb.

use crate::store::layout::{Tab, View};
use crate::store::{Layout, LayoutAction, Stage};
use crate::text::{self, top};
use crate::views::controls::{Icon, icon};
use yew::prelude::*;

/// Tabs with their icons.
const TABS: [(Tab, Icon); 5] = [
    (Tab::Timeline, Icon::Lanes),
    (Tab::Structures, Icon::Bars),
    (Tab::Why, Icon::Help),
    (Tab::Graphs, Icon::Graph),
    (Tab::Scenario, Icon::Sliders),
];

/// The tabs. On a phone the timeline has one of its own (`with_timeline`); on wider pages it is always there.
pub fn tabs(stage: &Stage, layout: &Layout, with_timeline: bool) -> Html {
    let shown = shown_tab(layout, with_timeline);
    let tabs = TABS.iter().zip(text::TABS).filter(|((tab, _), _)| with_timeline || *tab != Tab::Timeline);
    let tabs = tabs.map(|((tab, shape), name)| {
        // None is on beside the list of lessons.
        let on = *tab == shown && layout.view.is_of_run() && layout.view != View::Lesson;
        let (dispatcher, tab) = (stage.layout.clone(), *tab);
        let onclick = Callback::from(move |_| dispatcher.dispatch(LayoutAction::Tab(tab)));
        html! {
            <button type="button" role="tab" class={classes!(on.then_some("on"))} aria-selected={on.to_string()} {onclick}
                data-testid={format!("tab-{}", name.0.to_lowercase())}>{ icon(*shape) }<span>{ name }</span></button>
        }
    });
    html! { <nav aria-label={top::VIEWS}><div class="ptabs" role="tablist" aria-label={top::VIEWS}>{ for tabs }</div></nav> }
}

/// The tab that is shown; without a timeline tab the structures stand in.
pub fn shown_tab(layout: &Layout, with_timeline: bool) -> Tab {
    if !with_timeline && layout.tab == Tab::Timeline { Tab::Structures } else { layout.tab }
}
