//! Providers and the layout of the page.

use crate::store::{Document, Layout, Live, Playback, Selection, Stage, ViewWindow};
use crate::text;
use crate::views::charts::ChartsPanel;
use crate::views::structures::StructuresPanel;
use crate::views::timeline::TimelinePanel;
use yew::prelude::*;

/// Starts the page.
pub fn start() {
    yew::Renderer::<App>::new().render();
}

/// The page under its providers.
#[component]
pub fn App() -> Html {
    let document = use_reducer(Document::default);
    let playback = use_reducer(Playback::default);
    let window = use_reducer(ViewWindow::default);
    let selection = use_reducer(Selection::default);
    let layout = use_reducer(Layout::default);
    let live = use_memo((), |()| Live::default());
    let stage = Stage {
        document: document.dispatcher(),
        playback: playback.dispatcher(),
        window: window.dispatcher(),
        selection: selection.dispatcher(),
        layout: layout.dispatcher(),
        live: (*live).clone(),
    };
    live.sync(&document, &playback, &window, &selection, &layout);
    {
        let stage = stage.clone();
        use_effect_with((), move |()| stage.live.start(stage.clone()));
    }
    html! {
        <ContextProvider<Stage> context={stage}>
        <ContextProvider<UseReducerHandle<Document>> context={document}>
        <ContextProvider<UseReducerHandle<Playback>> context={playback}>
        <ContextProvider<UseReducerHandle<ViewWindow>> context={window}>
        <ContextProvider<UseReducerHandle<Selection>> context={selection}>
        <ContextProvider<UseReducerHandle<Layout>> context={layout}>
            <Page />
        </ContextProvider<UseReducerHandle<Layout>>>
        </ContextProvider<UseReducerHandle<Selection>>>
        </ContextProvider<UseReducerHandle<ViewWindow>>>
        </ContextProvider<UseReducerHandle<Playback>>>
        </ContextProvider<UseReducerHandle<Document>>>
        </ContextProvider<Stage>>
    }
}

#[component]
fn Page() -> Html {
    html! {
        <div class="app">
            <header class="top"><span class="brand">{ text::PRODUCT }</span></header>
            <div class="cols">
                <aside class="left" />
                <main class="center">
                    <TimelinePanel />
                    <StructuresPanel />
                    <ChartsPanel />
                </main>
                <aside class="right" />
            </div>
            <footer class="transport" />
        </div>
    }
}
