//! Top bar: mark, title, facts, views, scheduler, share, theme, help.

use super::overlays::PolicyMenu;
use crate::store::layout::{Overlay, Theme, View, Width};
use crate::store::{Document, DocumentAction, Layout, LayoutAction, Stage, use_frames, use_stage, use_store};
use crate::text::sentence;
use crate::text::{self, Word, export, top as words};
use crate::views::controls::{Icon, icon, logo};
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// Views in the order of their keys.
pub const VIEWS: [View; 6] = [View::Run, View::Structures, View::Compare, View::History, View::Sweep, View::Lesson];

/// The bar.
#[component]
pub fn TopBar() -> Html {
    let stage = use_stage();
    let document = use_store::<Document>();
    let layout = use_store::<Layout>();
    let known = use_frames(500, |context| {
        let tasks = context.frames.tasks.iter().filter(|task| task.starts).count();
        context.frames.loaded.as_ref().map(|loaded| (tasks, loaded.cpus))
    });
    // The title of an example is said in the language of the page; the document keeps its own.
    let title = sentence::title(&document.scenario.title);
    use_effect_with(title.clone(), |title| crate::page::set_title(title));
    let phone = layout.width == Width::Phone;
    let failed = layout.link_problems.is_some();
    let machine = &document.scenario.machine;
    let facts = known.filter(|_| !phone && !failed && layout.view != View::History).map(|(tasks, cpus)| {
        let line = text::facts(tasks, cpus, machine.hz, document.scenario.seed);
        html! { <span class="facts-line t3 small" data-testid="facts-line"><span>{ line }</span></span> }
    });
    let policies = (!failed).then(|| html! { <PolicyMenu /> });
    let policies = policies.filter(|_| layout.view != View::History);
    // A phone's title has the width of the bar; scheduler and view stand in a line below it.
    let (beside, at_end) = if phone {
        (Some(html! { <span class="under">{ views_pick(&stage, layout.view) }{ policies }</span> }), None)
    } else {
        (facts, policies)
    };
    html! {
        <header class={classes!("top", phone.then_some("phone"))}>
            <h1 class="brand">{ logo() }<span class={if phone { "unseen" } else { "brand-name" }}>{ text::PRODUCT }</span></h1>
            if !phone { <span class="sep brand-sep" /> }
            <span class="title-box">{ if failed { not_opened() } else { title_field(&stage, &title) } }{ beside }</span>
            <span class="grow" />
            if !phone { { views(&stage, layout.view) } }
            { at_end }
            if !phone { <span class="sep" /> }
            // Wide pages have the key and the room for a long title.
            if layout.width == Width::Narrow { { overlay_button(&stage, &layout, &SEARCH, false) } }
            { overlay_button(&stage, &layout, &SHARE, layout.width > Width::Narrow) }
            if !phone { { overlay_button(&stage, &layout, &EXPORT, layout.width == Width::Wide) } }
            if !phone { { theme_button(&stage, layout.theme) } }
            if layout.width > Width::Narrow { { fullscreen_button(&stage) } }
            { overlay_button(&stage, &layout, if phone { &MORE } else { &HELP }, false) }
        </header>
    }
}

fn not_opened() -> Html {
    html! { <span class="title">{ text::errors::NOT_OPENED }</span> }
}

fn title_field(stage: &Stage, title: &str) -> Html {
    let dispatcher = stage.document.clone();
    let on_change = Callback::from(move |event: Event| {
        if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
            dispatcher.dispatch(DocumentAction::Title(input.value().trim().to_string()));
        }
    });
    let size = title.chars().count().clamp(8, 40).to_string();
    html! {
        <input class="title" type="text" {size} maxlength="120" value={title.to_string()} title={title.to_string()} aria-label={words::TITLE}
            spellcheck="false" autocomplete="off" data-testid="title" onchange={on_change} />
    }
}

fn views(stage: &Stage, present: View) -> Html {
    let views = VIEWS.iter().zip(text::VIEWS).enumerate().map(|(index, (view, name))| {
        let on = present == *view;
        let (dispatcher, view) = (stage.layout.clone(), *view);
        let onclick = Callback::from(move |_| dispatcher.dispatch(LayoutAction::View(view)));
        html! {
            <button type="button" class={classes!(on.then_some("on"))} aria-current={on.then_some("page")} {onclick}
                data-testid={format!("view-{}", index + 1)}>{ name }<kbd class="q" aria-hidden="true">{ index + 1 }</kbd></button>
        }
    });
    html! { <nav class="tabs" aria-label={words::VIEWS}>{ for views }</nav> }
}

/// The views where there is no room for tabs.
fn views_pick(stage: &Stage, present: View) -> Html {
    let dispatcher = stage.layout.clone();
    let onchange = Callback::from(move |event: Event| {
        let picked = event.target_dyn_into::<HtmlSelectElement>().map(|select| select.selected_index());
        let view = picked.and_then(|index| VIEWS.get(usize::try_from(index).ok()?));
        if let Some(view) = view {
            dispatcher.dispatch(LayoutAction::View(*view));
        }
    });
    let options = VIEWS.iter().zip(text::VIEWS).map(|(view, name)| {
        html! { <option selected={*view == present}>{ name }</option> }
    });
    html! { <select class="pick views-pick" aria-label={words::VIEWS} {onchange} data-testid="views-pick">{ for options }</select> }
}

/// A button that lays something over the page.
struct Opener {
    overlay: Overlay,
    shape: Icon,
    word: Word,
    testid: &'static str,
}

const SEARCH: Opener =
    Opener { overlay: Overlay::Search, shape: Icon::Search, word: words::SEARCH, testid: "search-open" };
const SHARE: Opener = Opener { overlay: Overlay::Share, shape: Icon::Share, word: words::SHARE, testid: "share" };
const EXPORT: Opener = Opener { overlay: Overlay::Export, shape: Icon::Save, word: export::HEADING, testid: "export" };
const HELP: Opener = Opener { overlay: Overlay::Keys, shape: Icon::Help, word: words::HELP, testid: "help" };

/// The sheet of a phone holds more than keys.
const MORE: Opener = Opener { overlay: Overlay::Keys, shape: Icon::More, word: words::MORE, testid: "help" };

/// What a phone's bar has no room for.
pub fn more(stage: &Stage, layout: &Layout) -> Html {
    html! {
        <div class="row wrap more-row">{ overlay_button(stage, layout, &SEARCH, true) }{ overlay_button(stage, layout, &EXPORT, true) }
            { theme_button(stage, layout.theme) }</div>
    }
}

fn overlay_button(stage: &Stage, layout: &Layout, opener: &Opener, with_word: bool) -> Html {
    let open = layout.overlay == Some(opener.overlay);
    let (dispatcher, overlay) = (stage.layout.clone(), opener.overlay);
    let onclick = Callback::from(move |_| dispatcher.dispatch(LayoutAction::Toggle(overlay)));
    let class = if with_word { classes!("btn") } else { classes!("btn", "quiet", "icon") };
    html! {
        <button type="button" {class} aria-label={opener.word} title={opener.word} aria-haspopup="dialog"
            aria-expanded={open.to_string()} data-testid={opener.testid} {onclick}>
            { icon(opener.shape) }if with_word { { opener.word } }</button>
    }
}

/// Switches the theme.
fn theme_button(stage: &Stage, theme: Theme) -> Html {
    let dark = theme == Theme::Dark || (theme == Theme::System && !crate::page::prefers_light());
    let (dispatcher, next) = (stage.layout.clone(), if dark { Theme::Light } else { Theme::Dark });
    let onclick = Callback::from(move |_| dispatcher.dispatch(LayoutAction::Theme(next)));
    html! {
        <button type="button" class="btn quiet icon theme" aria-label={words::THEME} title={words::THEME} data-testid="theme" {onclick}>
            { icon(if dark { Icon::Moon } else { Icon::Sun }) }</button>
    }
}

fn fullscreen_button(stage: &Stage) -> Html {
    let stage = stage.clone();
    let onclick = Callback::from(move |_| crate::fullscreen::toggle(&stage));
    html! {
        <button type="button" class="btn quiet icon" aria-label={words::FULLSCREEN} title={words::FULLSCREEN} data-testid="fullscreen" {onclick}>
            { icon(Icon::Whole) }</button>
    }
}
