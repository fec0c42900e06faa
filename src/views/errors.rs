//! Error cards: a link that cannot be opened, an edit that cannot run, an engine that is gone, a run that stopped.

mod editor;
mod excerpt;

use crate::address;
use crate::paint::number;
use crate::store::notice::Notice;
use crate::store::{Layout, LayoutAction, Shared, Stage, use_frames, use_stage, use_store};
use crate::text::sentence::translated;
use crate::text::{Word, errors as words, files};
use crate::views::controls::{Icon, icon};
use crate::{clipboard, page};
use editor::Editor;
use sim_core::engine::protocol::Problem;
use sim_core::scenario::builtins::BUILTINS;
use sim_core::scenario::text;
use web_sys::HtmlTextAreaElement;
use yew::prelude::*;

/// Problems as plain text, for a report.
fn report(problems: &[Problem]) -> String {
    let lines = problems.iter().map(|problem| format!("{}: {}. {}", problem.path, problem.message, problem.hint));
    lines.collect::<Vec<_>>().join("\n")
}

fn rows(problems: &[Problem], whole: Word) -> Html {
    problem_rows(problems, whole, |_| None)
}

/// Rows, each with what `mend` offers in the place of its hint. `whole`: what a problem without a field is about.
fn problem_rows(problems: &[Problem], whole: Word, mend: impl Fn(&Problem) -> Option<Html>) -> Html {
    let rows = problems.iter().map(|problem| {
        // "line 5" is a word of ours; the name of a field is not.
        let path = if problem.path.is_empty() { whole.to_string() } else { translated(&problem.path) };
        html! {
            <div role="listitem"><code class="bad-text">{ path }</code><span>{ translated(&problem.message) }</span>
                { mend(problem).unwrap_or_else(|| html! { <span class="t2 hint">{ translated(&problem.hint) }</span> }) }</div>
        }
    });
    html! { <div class="probs" role="list">{ for rows }</div> }
}

/// The page when its link cannot be opened.
#[component]
pub fn LinkCard() -> Html {
    let stage = use_stage();
    let layout = use_store::<Layout>();
    let edited = use_state(|| None::<AttrValue>);
    let is_edited = use_state(|| false);
    let document = use_memo(layout.link_problems.clone(), |problems| {
        problems.as_ref().and_then(|_| address::document()).map(|document| text::laid_out(&document))
    });
    {
        let (edited, is_edited) = (edited.clone(), is_edited.clone());
        // Another link has another text.
        use_effect_with(layout.link_problems.clone(), move |problems| {
            let kept = problems.as_ref().and_then(|_| editor::kept());
            is_edited.set(kept.is_some());
            edited.set(kept);
        });
    }
    let Some(problems) = layout.link_problems.clone() else { return Html::default() };
    let shown = edited.as_ref().cloned().or_else(|| document.as_ref().clone().map(AttrValue::from));
    if let Some(text) = shown.clone().filter(|_| *is_edited) {
        let on_change = Callback::from(move |text: String| {
            editor::keep(&text);
            edited.set(Some(text.into()));
        });
        let on_close = Callback::from(move |()| is_edited.set(false));
        return html! {
            <main class="err-wrap">
                <section class="ecard wide" data-testid="error-card">
                    <div><h2 class="big">{ words::EDIT_HEADING }</h2><p class="say t2">{ words::EDIT_SAY }</p></div>
                    <Editor {text} {on_change} {on_close} />
                </section>
            </main>
        };
    }
    let edit = Callback::from(move |_: MouseEvent| is_edited.set(true));
    let newer = problems.iter().any(|problem| problem.path == "v");
    let first = {
        let stage = stage.clone();
        Callback::from(move |_| {
            if let Some(first) = BUILTINS.first() {
                address::open_builtin(&stage, first);
            }
        })
    };
    let last = {
        let stage = stage.clone();
        Callback::from(move |_| address::open_last(&stage))
    };
    let copy = {
        let (stage, problems) = (stage.clone(), problems.clone());
        Callback::from(move |_| clipboard::copy(&stage, report(&problems), || {}))
    };
    let reload = Callback::from(|_| {
        if let Some(window) = page::window() {
            let _ = window.location().reload();
        }
    });
    let open = |fragment: String| Callback::from(move |_: MouseEvent| address::go_to(&fragment));
    // One button per field, and one for all where nothing else is wrong.
    let mend = |problem: &Problem| {
        let value = problem.repair.as_deref()?.trim_matches('"');
        let onclick = open(address::repaired(core::slice::from_ref(problem))?);
        Some(
            html! { <button type="button" class="btn low" {onclick} data-testid="repair">{ words::use_value(value) }</button> },
        )
    };
    let all = problems.iter().all(|problem| problem.repair.is_some()).then(|| address::repaired(&problems)).flatten();
    let (can_mend, mend_all) = (all.is_some(), all.map(open));
    html! {
        <main class="err-wrap">
            <section class="ecard" role="alert" data-testid="error-card">
                <div><h2 class="big">{ if newer { words::NEWER.to_string() } else { words::link_problems(problems.len()) } }</h2>
                    <p class="say t2">{ words::NOTHING_RUN }</p></div>
                { problem_rows(&problems, words::WHOLE, mend) }
                { for document.as_ref().as_ref().map(|document| excerpt(document, &problems)) }
                <div class="row wrap">
                    if let Some(onclick) = mend_all {
                        <button type="button" class="btn primary" {onclick} data-testid="repair-all">{ words::repair(problems.len()) }</button>
                    }
                    if shown.is_some() {
                        <button type="button" class="btn" onclick={edit} data-testid="edit-text">{ words::EDIT }</button>
                    }
                    if newer {
                        <button type="button" class="btn primary" onclick={reload}>{ words::RELOAD }</button>
                        <button type="button" class="btn" onclick={first} data-testid="open-example">{ words::EXAMPLE }</button>
                    } else {
                        <button type="button" class={classes!("btn", (!can_mend).then_some("primary"))} onclick={first} data-testid="open-example">{ words::EXAMPLE }</button>
                    }
                    if address::last().is_some() {
                        <button type="button" class="btn quiet" onclick={last} data-testid="open-last">{ words::BACK }</button>
                    }
                    <span class="grow" />
                    <button type="button" class="btn quiet" onclick={copy}>{ icon(Icon::Copy) }{ words::REPORT }</button>
                </div>
            </section>
        </main>
    }
}

/// The lines of the link's scenario that hold the faults.
fn excerpt(document: &str, problems: &[Problem]) -> Html {
    let lines = excerpt::lines(document, &text::places(document, problems));
    if lines.is_empty() {
        return Html::default();
    }
    let part = |(text, is_marked): &(String, bool)| {
        if *is_marked {
            html! { <mark>{ text }</mark> }
        } else {
            html! { <>{ text }</> }
        }
    };
    let rows = lines.iter().map(|line| {
        html! { <><span class="t3" aria-hidden="true">{ line.number }</span><code>{ for line.parts.iter().map(part) }</code></> }
    });
    html! { <div class="excerpt" role="group" aria-label={words::EXCERPT} data-testid="excerpt">{ for rows }</div> }
}

/// Cards over a page that goes on: a scenario that cannot run, a lost engine, a run that stopped early.
#[component]
pub fn Notices() -> Html {
    let stage = use_stage();
    let layout = use_store::<Layout>();
    let problems = use_frames(200, |context| Shared::some(&context.frames.problems));
    let lost = use_frames(200, |context| context.frames.lost.clone());
    let fault = use_frames(200, |context| {
        context.frames.progress.iter().find_map(|progress| progress.fault.clone().map(|fault| (fault, progress.events)))
    });
    html! {
        <div class="notices" role="status">
            if let Some(card) = layout.notice.clone() { { notice(&stage, &card) } }
            if let Some(message) = lost { { engine_lost(&stage, &message) } }
            if let Some(problems) = problems.0.filter(|problems| !problems.is_empty()) { { refused(&stage, &problems) } }
            if let Some((fault, events)) = fault { { stopped(&fault, events) } }
        </div>
    }
}

fn engine_lost(stage: &Stage, message: &str) -> Html {
    let events = stage.live.with_frames(|frames| frames.progress.first().map_or(0, |progress| progress.events));
    let copy = {
        let stage = stage.clone();
        Callback::from(move |_| clipboard::copy(&stage, stage.live.link(), || {}))
    };
    let live = stage.live.clone();
    let restart = Callback::from(move |_| live.restart_engine());
    html! {
        <section class="note" role="alert" data-testid="engine-lost">
            <h2>{ words::LOST }</h2>
            <p>{ words::stopped_at(&number::whole(i64::try_from(events).unwrap_or(i64::MAX))) }</p>
            if !message.is_empty() { <code class="t3">{ message }</code> }
            <div class="row"><button type="button" class="btn primary" onclick={restart} data-testid="restart">{ words::RESTART }</button>
                <button type="button" class="btn" onclick={copy}>{ icon(Icon::Copy) }{ words::COPY_LINK }</button></div>
        </section>
    }
}

fn notice(stage: &Stage, notice: &Notice) -> Html {
    let layout = stage.layout.clone();
    let close = Callback::from(move |_| layout.dispatch(LayoutAction::Notice(None)));
    let select = Callback::from(|event: FocusEvent| {
        if let Some(field) = event.target_dyn_into::<HtmlTextAreaElement>() {
            field.select();
        }
    });
    html! {
        <section class={classes!("note", notice.is_news.then_some("news"))} role="alert" data-testid="notice">
            <div class="row"><h2>{ &notice.heading }</h2><span class="grow" />
                <button type="button" class="btn quiet icon tiny" aria-label={words::DISMISS} onclick={close} data-testid="dismiss">{ icon(Icon::Cross) }</button></div>
            if !notice.say.is_empty() { <p class="t2">{ &notice.say }</p> }
            if !notice.problems.is_empty() { { rows(&notice.problems, words::WHOLE_FILE) } }
            if let Some(text) = notice.text.clone() {
                <textarea class="pick mono" readonly={true} rows="3" aria-label={files::TEXT} data-testid="by-hand" value={text} onfocus={select} />
            }
        </section>
    }
}

fn refused(stage: &Stage, problems: &[Problem]) -> Html {
    let live = stage.live.clone();
    let close = Callback::from(move |_| live.forget_problems());
    html! {
        <section class="note" role="alert" data-testid="scenario-problems">
            <div class="row"><h2>{ words::scenario_problems(problems.len()) }</h2><span class="grow" />
                <button type="button" class="btn quiet icon tiny" aria-label={words::DISMISS} onclick={close}>{ icon(Icon::Cross) }</button></div>
            <p class="t2">{ words::RUN_STAYS }</p>
            { rows(problems, words::WHOLE_TEXT) }
        </section>
    }
}

fn stopped(fault: &str, events: u64) -> Html {
    let events = number::whole(i64::try_from(events).unwrap_or(i64::MAX));
    html! {
        <section class="note" role="alert" data-testid="run-stopped">
            <h2>{ words::STOPPED }</h2><p>{ translated(fault) }</p><p class="t3 small">{ words::at_event(&events) }</p>
        </section>
    }
}
