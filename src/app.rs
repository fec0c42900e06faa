//! Providers and the layout of the page.

use crate::address_keeper::AddressKeeper;
use crate::embed::EmbedTalk;
use crate::store::layout::{Overlay, Sized, Tab, View, Width};
use crate::store::{
    Course, Document, Jobs, Layout, LayoutAction, Live, Playback, PlaybackAction, Selection, SelectionAction, Stage,
    ViewWindow, WindowAction, Work, use_frames, use_stage, use_store,
};
use crate::text::{Word, inspector, panel, scenario, top};
use crate::views::charts::ChartsPanel;
use crate::views::compare::Compare;
use crate::views::controls::{Icon, icon};
use crate::views::embed::EmbedBar;
use crate::views::errors::{LinkCard, Notices};
use crate::views::history::History;
use crate::views::inspector::{Decisions, Inspector, inspector_panel};
use crate::views::lesson::{Answers, LessonKeeper, LessonView};
use crate::views::overlays::{Export, Files, KeySheet, Note, Search, Share, Source};
use crate::views::scenario::ScenarioPanel;
use crate::views::splitter::{self, Splitter};
use crate::views::structures::StructuresPanel;
use crate::views::sweep::Sweep;
use crate::views::tabs::{shown_tab, tabs};
use crate::views::timeline::TimelinePanel;
use crate::views::topbar::TopBar;
use crate::views::transport::Transport;
use crate::{address, files, keyboard, language, later, page, print};
use gloo_events::EventListener;
use yew::prelude::*;

/// Starts the page.
pub fn start() {
    wasm_bindgen_futures::spawn_local(async {
        // What index.html says is seen first, whatever the rest takes.
        page::painted().await;
        if address::is_link() || page::is_kept() {
            // A link may open any view, and is read by code that comes later. A page that the browser kept has all files of
            // its version, and a call that brings the rest at once would not see them: it passes the service worker by. If
            // this fails, the first call tells it.
            let _ = later::fetched().await;
        }
        language::speak(language::wanted(&address::linked_language())).await;
        yew::Renderer::<App>::new().render();
    });
}

/// The page under its providers.
#[component]
pub fn App() -> Html {
    let document = use_reducer(Document::default);
    let playback = use_reducer(Playback::default);
    let window = use_reducer(ViewWindow::default);
    let selection = use_reducer(Selection::default);
    let work = use_reducer(Work::default);
    let layout = use_reducer(|| Layout { sizes: splitter::kept(), ..Layout::of_width(keyboard::width_class()) });
    let course = use_reducer(Course::default);
    let live = use_memo((), |()| Live::default());
    let jobs = use_memo((), |()| Jobs::default());
    let stage = Stage {
        document: document.dispatcher(),
        playback: playback.dispatcher(),
        window: window.dispatcher(),
        selection: selection.dispatcher(),
        layout: layout.dispatcher(),
        work: work.dispatcher(),
        jobs: (*jobs).clone(),
        course: course.dispatcher(),
        live: (*live).clone(),
    };
    live.sync(&document, &playback, &window, (&selection, &layout));
    {
        let stage = stage.clone();
        use_effect_with((), move |()| {
            stage.live.start(stage.clone());
            page::keep_for_offline();
            let listeners = (keyboard::listen(&stage), page_listeners(&stage), files::listen(&stage));
            move || drop(listeners)
        });
    }
    {
        let stage = stage.clone();
        // The blank document before the first one has no length: it must not pull in the times of a link.
        let length = (!document.scenario.lanes.is_empty()).then_some(document.scenario.duration_ns);
        use_effect_with(length, move |duration| {
            let Some(duration) = duration else { return };
            stage.playback.dispatch(PlaybackAction::Duration(*duration));
            stage.window.dispatch(WindowAction::Duration(*duration));
        });
    }
    // What the first picture does not need comes after it.
    use_effect_with(!document.scenario.lanes.is_empty(), |is_open| {
        if *is_open {
            later::fetch();
        }
    });
    {
        let live = (*live).clone();
        use_effect_with(layout.theme, move |theme| {
            page::apply_theme(*theme);
            live.tokens().forget();
            live.mark_dirty();
        });
    }
    use_effect_with(layout.sizes, |sizes| splitter::apply(*sizes));
    {
        // A lane that was taken away cannot be the chosen one.
        let (selection, lanes, chosen) = (selection.dispatcher(), document.scenario.lanes.len(), selection.lane);
        use_effect_with((lanes, chosen), move |(lanes, chosen)| {
            if *lanes > 0 && usize::from(*chosen) >= *lanes {
                selection.dispatch(SelectionAction::Lane(0));
            }
        });
    }
    let embedded = layout.link.embed;
    html! {
        <ContextProvider<Stage> context={stage}>
        <ContextProvider<UseReducerHandle<Document>> context={document}>
        <ContextProvider<UseReducerHandle<Playback>> context={playback}>
        <ContextProvider<UseReducerHandle<ViewWindow>> context={window}>
        <ContextProvider<UseReducerHandle<Selection>> context={selection}>
        <ContextProvider<UseReducerHandle<Layout>> context={layout}>
        <ContextProvider<UseReducerHandle<Work>> context={work}>
        <ContextProvider<UseReducerHandle<Course>> context={course}>
            <AddressKeeper />
            <LessonKeeper />
            if embedded { <EmbedTalk /> }
            <Page />
        </ContextProvider<UseReducerHandle<Course>>>
        </ContextProvider<UseReducerHandle<Work>>>
        </ContextProvider<UseReducerHandle<Layout>>>
        </ContextProvider<UseReducerHandle<Selection>>>
        </ContextProvider<UseReducerHandle<ViewWindow>>>
        </ContextProvider<UseReducerHandle<Playback>>>
        </ContextProvider<UseReducerHandle<Document>>>
        </ContextProvider<Stage>>
    }
}

/// Width, colours and motion of the system.
fn page_listeners(stage: &Stage) -> Vec<EventListener> {
    let mut listeners = Vec::new();
    stage.live.set_reduced_motion(page::prefers_calm());
    if let Some(window) = page::window() {
        let stage = stage.clone();
        listeners.push(EventListener::new(&window, "resize", move |_| {
            stage.layout.dispatch(LayoutAction::Width(keyboard::width_class()));
            stage.live.mark_dirty();
        }));
    }
    if let Some(query) = page::media("(prefers-color-scheme: light)") {
        let live = stage.live.clone();
        listeners.push(EventListener::new(&query, "change", move |_| {
            live.tokens().forget();
            live.mark_dirty();
        }));
    }
    listeners.extend(print::listen(stage));
    if let Some(query) = page::media("(prefers-reduced-motion: reduce)") {
        let live = stage.live.clone();
        listeners.push(EventListener::new(&query, "change", move |_| live.set_reduced_motion(page::prefers_calm())));
    }
    listeners
}

#[component]
fn Page() -> Html {
    let stage = use_stage();
    let layout = use_store::<Layout>();
    let body = if layout.link_problems.is_some() {
        html! { <LinkCard /> }
    } else if layout.view == View::Lesson {
        html! { <LessonView /> }
    } else {
        match layout.width {
            _ if layout.link.embed => embed_body(&layout),
            _ if layout.view == View::History => html! { <History /> },
            Width::Phone | Width::Narrow if layout.view == View::Sweep => {
                html! { <main class="center full" id="center" tabindex="-1"><Sweep /></main> }
            }
            Width::Phone => phone_body(&layout),
            Width::Narrow => narrow_body(&layout),
            Width::Medium | Width::Wide => wide_body(&stage, &layout),
        }
    };
    let narrow = layout.width <= Width::Narrow;
    let failed = layout.link_problems.is_some();
    // No run stands behind the list of lessons: nothing there could be played.
    let course = use_store::<Course>();
    let is_list = layout.view == View::Lesson && course.lesson().is_none() && !course.awaits;
    let of_run = layout.view.is_of_run() && !failed && !is_list;
    let embedded = layout.link.embed && !failed;
    let plain = (!layout.view.is_of_run() || is_list).then_some("plain");
    let overlay = match layout.overlay {
        Some(Overlay::Keys) => html! { <KeySheet /> },
        Some(Overlay::Share) => html! { <Share /> },
        Some(Overlay::Search) => html! { <Search /> },
        Some(Overlay::Note) => html! { <Note /> },
        Some(Overlay::Answers) => html! { <Answers /> },
        Some(Overlay::Export) => html! { <Export /> },
        Some(Overlay::Files) => html! { <Files /> },
        Some(Overlay::Source) => html! { <Source /> },
        Some(Overlay::Policies(_)) | None => Html::default(),
    };
    html! {
        <>
            <div class={classes!("app", narrow.then_some("narrow"), failed.then_some("failed"), embedded.then_some("embedded"), plain)}>
                <a class="skip" href="#center" onclick={skip_to_timeline()}>{ top::SKIP }</a>
                <p class="print-caption" id="print-caption" />
                if embedded { <EmbedBar /> } else { <TopBar /> }
                { body }
                if of_run && !(embedded && hides(&layout, "transport")) { <Transport /> }
                if narrow && !failed && !embedded && (layout.view != View::Lesson || is_list) { { tabs(&stage, &layout, layout.width == Width::Phone) } }
            </div>
            <Notices />
            { overlay }
            <Announcer />
        </>
    }
}

fn skip_to_timeline() -> Callback<MouseEvent> {
    Callback::from(|event: MouseEvent| {
        event.prevent_default();
        page::focus("center");
    })
}

fn wide_body(stage: &Stage, layout: &Layout) -> Html {
    let left = if layout.scenario_folded {
        rail(stage, &SCENARIO_RAIL)
    } else {
        html! { <ScenarioPanel /> }
    };
    if layout.view == View::Sweep {
        let class = classes!("cols", "sweeping", layout.scenario_folded.then_some("left-folded"));
        return html! { <div {class}>{ left }{ center(layout) }</div> };
    }
    let right = if layout.inspector_folded { rail(stage, &INSPECTOR_RAIL) } else { inspector_panel(stage) };
    let class = classes!(
        "cols",
        layout.scenario_folded.then_some("left-folded"),
        layout.inspector_folded.then_some("right-folded")
    );
    html! {
        <div {class}>{ left }if !layout.scenario_folded { <Splitter panel={Sized::Scenario} /> }
            { center(layout) }
            if !layout.inspector_folded { <Splitter panel={Sized::Inspector} /> }{ right }</div>
    }
}

/// The pictures of the chosen view.
fn center(layout: &Layout) -> Html {
    let (class, panels) = match layout.view {
        View::Run => (
            "run",
            html! { <>
                <TimelinePanel /><Splitter panel={Sized::Lanes} /><StructuresPanel />
                if !layout.structures_folded && !layout.graphs_folded { <Splitter panel={Sized::Structures} /> }
                <ChartsPanel />
            </> },
        ),
        View::Structures => ("full", html! { <StructuresPanel /> }),
        View::Lesson => ("lesson", Html::default()),
        View::Compare => ("compare", html! { <><TimelinePanel /><Compare /></> }),
        View::Sweep => ("full", html! { <Sweep /> }),
        // It has side panels of its own.
        View::History => ("full", html! { <History /> }),
    };
    html! { <main class={classes!("center", class)} id="center" tabindex="-1">{ panels }</main> }
}

/// The link leaves a panel out.
fn hides(layout: &Layout, panel: &str) -> bool {
    layout.link.hide.iter().any(|hidden| hidden == panel)
}

/// The pictures alone, inside another page.
fn embed_body(layout: &Layout) -> Html {
    let (structures, graphs) = (!hides(layout, "structures"), !hides(layout, "graphs"));
    let panels = match layout.view {
        View::Run => html! {
            <><TimelinePanel />if structures { <StructuresPanel /> }if graphs { <ChartsPanel /> }</>
        },
        _ => return center(layout),
    };
    let few = (!structures && !graphs).then_some("alone");
    html! { <main class={classes!("center", "run", few)} id="center" tabindex="-1">{ panels }</main> }
}

fn narrow_body(layout: &Layout) -> Html {
    html! {
        <main class="center stacked" id="center" tabindex="-1"><TimelinePanel /><div class="tab-body">{ tab_body(shown_tab(layout, false), layout.view) }</div></main>
    }
}

fn phone_body(layout: &Layout) -> Html {
    let tab = shown_tab(layout, true);
    let body = if tab == Tab::Timeline {
        html! { <><TimelinePanel /><div class="sheet-why scroll"><div class="grab" /><Inspector /></div></> }
    } else {
        tab_body(tab, layout.view)
    };
    html! { <main class={classes!("center", "phone-body", (tab == Tab::Timeline).then_some("with-sheet"))} id="center" tabindex="-1">{ body }</main> }
}

fn tab_body(tab: Tab, view: View) -> Html {
    match tab {
        Tab::Timeline => html! { <TimelinePanel /> },
        Tab::Structures => html! { <><StructuresPanel /><Decisions /></> },
        Tab::Why => html! { <div class="scroll"><h2 class="unseen">{ inspector::HEADING }</h2><Inspector /></div> },
        Tab::Graphs if view == View::Compare => html! { <Compare /> },
        Tab::Graphs => html! { <ChartsPanel /> },
        Tab::Scenario => html! { <ScenarioPanel /> },
    }
}

/// What a folded side panel says.
struct Rail {
    name: Word,
    label: Word,
    cap: &'static str,
    shape: Icon,
    unfold: LayoutAction,
}

const SCENARIO_RAIL: Rail = Rail {
    name: scenario::HEADING,
    label: scenario::UNFOLD,
    cap: "\\",
    shape: Icon::Right,
    unfold: LayoutAction::ToggleScenario,
};
const INSPECTOR_RAIL: Rail = Rail {
    name: inspector::HEADING,
    label: inspector::UNFOLD,
    cap: "Q",
    shape: Icon::Left,
    unfold: LayoutAction::ToggleInspector,
};

/// A folded side panel.
fn rail(stage: &Stage, rail: &Rail) -> Html {
    let (layout, unfold) = (stage.layout.clone(), rail.unfold.clone());
    let onclick = Callback::from(move |_| layout.dispatch(unfold.clone()));
    html! {
        <aside class="rail" aria-label={rail.name}>
            <button type="button" class="btn quiet icon" aria-label={rail.label} title={panel::UNFOLD} {onclick}>{ icon(rail.shape) }</button>
            <span class="vert">{ rail.name }</span><kbd class="q">{ rail.cap }</kbd>
        </aside>
    }
}

/// Tells a screen reader where the run is and why, once it rests.
#[component]
fn Announcer() -> Html {
    let text = use_frames(700, |context| {
        if context.playing {
            return String::new();
        }
        let why = context.frames.lane(context.lane).why;
        let sentence = why.map(|why| why.sentence.clone()).unwrap_or_default();
        format!("{}. {sentence}", crate::paint::number::moment(context.now))
    });
    html! { <div class="unseen" role="status" aria-live="polite" data-testid="announcer">{ text }</div> }
}
