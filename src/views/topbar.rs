//! Top bar: mark, title, facts, views, scheduler, share, theme, help.

use super::overlays::PolicyMenu;
use crate::store::layout::{Overlay, Theme, View, Width};
use crate::store::{Document, DocumentAction, Layout, LayoutAction, use_frames, use_stage, use_store};
use crate::text::{self, top as words};
use crate::views::controls::{Icon, icon, logo};
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Views in the order of their keys.
pub const VIEWS: [View; 3] = [View::Run, View::Structures, View::Compare];

/// The bar.
#[component]
pub fn TopBar() -> Html {
    let layout = use_store::<Layout>();
    let phone = layout.width == Width::Phone;
    let failed = layout.link_problems.is_some();
    html! {
        <header class={classes!("top", phone.then_some("phone"))}>
            <h1 class="brand">{ logo() }<span class={if phone { "unseen" } else { "brand-name" }}>{ text::PRODUCT }</span></h1>
            if !phone { <span class="sep brand-sep" /> }
            <span class="title-box"><Title />if phone && !failed { <PolicyMenu /> } else if !failed { <Facts /> }</span>
            <span class="grow" />
            if !phone { <Views /> }
            if !phone && !failed { <PolicyMenu /> }
            if !phone { <span class="sep" /> }
            <OverlayButton overlay={Overlay::Share} shape={Icon::Share} word={words::SHARE} with_word={!phone} />
            <ThemeButton />
            <OverlayButton overlay={Overlay::Keys} shape={Icon::Help} word={words::HELP} with_word={false} />
        </header>
    }
}

#[component]
fn Title() -> Html {
    let stage = use_stage();
    let document = use_store::<Document>();
    let title = &document.scenario.title;
    let failed = use_store::<Layout>().link_problems.is_some();
    use_effect_with(title.clone(), |title| crate::page::set_title(title));
    let on_change = Callback::from(move |event: Event| {
        if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
            stage.document.dispatch(DocumentAction::Title(input.value().trim().to_string()));
        }
    });
    if failed {
        return html! { <span class="title">{ text::errors::NOT_OPENED }</span> };
    }
    let size = title.chars().count().clamp(8, 40).to_string();
    html! {
        <input class="title" type="text" {size} maxlength="120" value={title.clone()} aria-label={words::TITLE} spellcheck="false"
            autocomplete="off" data-testid="title" onchange={on_change} />
    }
}

#[component]
fn Facts() -> Html {
    let document = use_store::<Document>();
    let counts = use_frames(500, |context| {
        (context.frames.tasks.iter().filter(|task| task.starts).count(), context.frames.loaded.as_ref().map(|l| l.cpus))
    });
    let (tasks, Some(cpus)) = counts else { return Html::default() };
    html! {
        <span class="facts-line t3 small" data-testid="facts-line">
            { text::facts(tasks, cpus, document.scenario.machine.hz, document.scenario.seed) }</span>
    }
}

#[component]
fn Views() -> Html {
    let stage = use_stage();
    let layout = use_store::<Layout>();
    let views = VIEWS.iter().zip(text::VIEWS).enumerate().map(|(index, (view, name))| {
        let on = layout.view == *view;
        let (dispatcher, view) = (stage.layout.clone(), *view);
        let onclick = Callback::from(move |_| dispatcher.dispatch(LayoutAction::View(view)));
        html! {
            <button type="button" class={classes!(on.then_some("on"))} aria-current={on.then_some("page")} {onclick}
                data-testid={format!("view-{}", index + 1)}>{ name }<kbd class="q" aria-hidden="true">{ index + 1 }</kbd></button>
        }
    });
    html! { <nav class="tabs" aria-label={words::VIEWS}>{ for views }</nav> }
}

#[derive(Properties, PartialEq)]
struct OverlayButtonProps {
    overlay: Overlay,
    shape: Icon,
    word: AttrValue,
    with_word: bool,
}

#[component]
fn OverlayButton(props: &OverlayButtonProps) -> Html {
    let stage = use_stage();
    let open = use_store::<Layout>().overlay == Some(props.overlay);
    let overlay = props.overlay;
    let onclick = Callback::from(move |_| stage.layout.dispatch(LayoutAction::Toggle(overlay)));
    let class = if props.with_word { classes!("btn") } else { classes!("btn", "quiet", "icon") };
    let testid = match overlay {
        Overlay::Keys => "help",
        Overlay::Share => "share",
        Overlay::Policies => "policy",
        Overlay::Search => "search",
    };
    html! {
        <button type="button" {class} aria-label={&props.word} title={&props.word} aria-haspopup="dialog"
            aria-expanded={open.to_string()} data-testid={testid} {onclick}>{ icon(props.shape) }if props.with_word { { &props.word } }</button>
    }
}

#[component]
fn ThemeButton() -> Html {
    let stage = use_stage();
    let layout = use_store::<Layout>();
    let dark = layout.theme == Theme::Dark || (layout.theme == Theme::System && !crate::page::prefers_light());
    let onclick = {
        let next = if dark { Theme::Light } else { Theme::Dark };
        Callback::from(move |_| stage.layout.dispatch(LayoutAction::Theme(next)))
    };
    html! {
        <button type="button" class="btn quiet icon theme" aria-label={words::THEME} title={words::THEME} data-testid="theme" {onclick}>
            { icon(if dark { Icon::Moon } else { Icon::Sun }) }</button>
    }
}
