//! The timeline: one lane per CPU or per task, a minimap of the whole run, a legend.
//!
//! `lanes`, `scene`, `slices`, `cpu_lane`, `task_lane`, `ruler`, `overlay`, `minimap` and `draw` make a picture from
//! plain data; `hit` and `gesture` read it; `view` keeps what lives between frames; this file is the part in Yew.

mod colours;
pub mod cpu_lane;
pub mod draw;
#[cfg(test)]
mod draw_tests;
pub mod gesture;
pub mod hit;
pub mod lanes;
mod legend;
mod listeners;
pub mod minimap;
pub mod overlay;
pub mod ruler;
pub mod scene;
pub mod slices;
pub mod task_lane;
pub mod text;
mod view;

use crate::paint::number;
use crate::store::layout::View as PageView;
use crate::store::{Course, Document, Layout, LayoutAction, Playback, ViewWindow, WindowAction, use_stage, use_store};
use crate::text::{lesson, timeline as words};
use crate::views::compare::lanes::{lane_head, letter};
use colours::ColourMenu;
use legend::Legend;
pub use legend::state_patterns;
use std::cell::RefCell;
use std::rc::Rc;
use view::{Settings, View};
use web_sys::HtmlCanvasElement;
use yew::prelude::*;

/// The timeline in words: name of the canvas, a row per CPU.
type Words = (AttrValue, Rc<Vec<[String; 5]>>);

/// Timeline panel.
#[component]
pub fn TimelinePanel() -> Html {
    let stage = use_stage();
    let layout = use_store::<Layout>();
    let document = use_store::<Document>();
    let told = use_state(|| (AttrValue::from(words::HEADING), Rc::new(Vec::new())));
    let (lanes_ref, map_ref) = (use_node_ref(), use_node_ref());
    let view = {
        let (stage, told) = (stage.clone(), told.setter());
        use_memo((), move |()| {
            RefCell::new(View::new(stage, move |label, rows| told.set((AttrValue::from(label), Rc::new(rows)))))
        })
    };
    let machine = &document.scenario.machine;
    // Side by side: this canvas becomes the first policy's, the others follow below it.
    let policies = &document.scenario.lanes;
    let course = use_store::<Course>();
    let in_lesson = layout.view == PageView::Lesson;
    let compares = (layout.view == PageView::Compare || in_lesson) && policies.len() > 1;
    let tasks_shown = use_memo((in_lesson, course.serial), |(in_lesson, _)| {
        course.present().filter(|_| *in_lesson).map(|step| step.view.tasks).unwrap_or_default()
    });
    let lane = compares.then_some(0);
    let per_node = machine.numa.then(|| machine.cores * machine.threads / machine.packages.max(1));
    view.borrow_mut().set(Settings { tasks: layout.task_lanes, per_node, only_chosen: false, lane, tasks_shown });
    {
        let (view, live) = (Rc::clone(&view), stage.live.clone());
        let (lanes_ref, map_ref) = (lanes_ref.clone(), map_ref.clone());
        use_effect_with((), move |()| {
            let canvases = lanes_ref.cast::<HtmlCanvasElement>().zip(map_ref.cast::<HtmlCanvasElement>());
            let kept = canvases.map(|(lanes, map)| {
                view.borrow_mut().attach(lanes.clone(), Some(map.clone()));
                let painter = Rc::clone(&view);
                let handle = live.register_painter(move |context| painter.borrow_mut().paint(context));
                (handle, listeners::lanes(&lanes, &view), listeners::map(&map, &view))
            });
            move || drop(kept)
        });
    }
    let (label, rows): Words = (*told).clone();
    html! {
        <section class="panel timeline" data-testid="timeline">
            <Head />
            if compares {
                <div class="lanehead">{ lane_head(0, &policies[0]) }</div>
            }
            <canvas ref={lanes_ref} class="lanes" tabindex="0" role="img" aria-label={label}
                aria-describedby="timeline-words" />
            if compares {
                { for (1_u8..).zip(policies.iter().skip(1)).map(|(lane, policy)| html! {
                    <PolicyLanes key={lane} {lane} policy={policy.clone()} />
                }) }
            }
            <canvas ref={map_ref} class="minimap" tabindex="0" role="img"
                aria-label={words::MINIMAP} />
            <Legend />
            <WordsTable id="timeline-words" caption={words::CAPTION} heads={text::HEADS.map(AttrValue::from).to_vec()}
                rows={Rc::new(rows.iter().map(|row| row.to_vec()).collect::<Vec<_>>())} />
        </section>
    }
}

/// The lane of the chosen CPU alone, above its structures.
#[component]
pub fn CpuStrip() -> Html {
    html! { <div class="timeline strip"><LaneCanvas lane={None} label={words::STRIP} /></div> }
}

/// The lanes of one policy under its name; all share window and now.
#[derive(Properties, PartialEq)]
struct PolicyLanesProps {
    lane: u8,
    policy: sim_core::scenario::schema::Lane,
}

#[component]
fn PolicyLanes(props: &PolicyLanesProps) -> Html {
    let letter = letter(usize::from(props.lane));
    html! {
        <div class="policy-lanes">
            <div class="lanehead">{ lane_head(usize::from(props.lane), &props.policy) }</div>
            <LaneCanvas lane={Some(props.lane)} label={words::of_policy(letter, &props.policy.policy)} />
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct LaneCanvasProps {
    /// Policy; `None` = the selected one, only its chosen CPU.
    lane: Option<u8>,
    label: AttrValue,
}

/// A canvas of lanes without heading and minimap.
#[component]
fn LaneCanvas(props: &LaneCanvasProps) -> Html {
    let stage = use_stage();
    let canvas_ref = use_node_ref();
    let told = use_state(|| Rc::new(Vec::new()));
    let view = {
        let (stage, told) = (stage.clone(), told.setter());
        use_memo((), move |()| RefCell::new(View::new(stage, move |_, rows| told.set(Rc::new(rows)))))
    };
    view.borrow_mut().set(Settings { only_chosen: props.lane.is_none(), lane: props.lane, ..Settings::default() });
    {
        let (view, live, canvas_ref) = (Rc::clone(&view), stage.live.clone(), canvas_ref.clone());
        use_effect_with((), move |()| {
            let kept = canvas_ref.cast::<HtmlCanvasElement>().map(|canvas| {
                view.borrow_mut().attach(canvas.clone(), None);
                let painter = Rc::clone(&view);
                let handle = live.register_painter(move |context| painter.borrow_mut().paint(context));
                (handle, listeners::lanes(&canvas, &view))
            });
            move || drop(kept)
        });
    }
    let id = AttrValue::from(format!("lane-words-{}", props.lane.map_or(0, |lane| lane + 1)));
    html! {
        <>
            <canvas ref={canvas_ref} class="lanes" tabindex="0" role="img" aria-label={props.label.clone()}
                aria-describedby={id.clone()} />
            <WordsTable {id} caption={props.label.clone()} heads={text::HEADS.map(AttrValue::from).to_vec()}
                rows={Rc::new(told.iter().map(|row| row.to_vec()).collect::<Vec<_>>())} />
        </>
    }
}

/// Heading: lanes by CPU or task, colours, zoom.
#[component]
fn Head() -> Html {
    let stage = use_stage();
    let layout = use_store::<Layout>();
    let lanes = |tasks: bool| {
        let layout = stage.layout.clone();
        Callback::from(move |_: MouseEvent| layout.dispatch(LayoutAction::TaskLanes(tasks)))
    };
    let zoom = |factor: f64| {
        let stage = stage.clone();
        Callback::from(move |_: MouseEvent| {
            let (now, (from, to)) = (stage.live.now(), stage.live.window());
            let around = if (from..to).contains(&now) { now } else { from + (to - from) / 2 };
            stage.window.dispatch(WindowAction::Zoom { around, factor });
        })
    };
    let whole = {
        let window = stage.window.clone();
        Callback::from(move |_: MouseEvent| window.dispatch(WindowAction::Whole))
    };
    html! {
        <div class="phead">
            <h2>{ words::HEADING }</h2>
            <span class="seg" role="group" aria-label={words::LANES_BY}>
                <button class={classes!((!layout.task_lanes).then_some("on"))} aria-pressed={(!layout.task_lanes).to_string()}
                    onclick={lanes(false)}>{ words::BY_CPU }</button>
                <button class={classes!(layout.task_lanes.then_some("on"))} aria-pressed={layout.task_lanes.to_string()}
                    onclick={lanes(true)}>{ words::BY_TASK }</button>
            </span>
            <ColourMenu />
            <span class="grow" />
            if layout.view == PageView::Lesson { <HiddenText /> }
            <WindowText />
            <button class="btn quiet icon low" aria-label={words::ZOOM_OUT} onclick={zoom(1.6)}>{ "−" }</button>
            <button class="btn quiet icon low" aria-label={words::ZOOM_IN} onclick={zoom(1.0 / 1.6)}>{ "+" }</button>
            <button class="btn low" onclick={whole}>{ words::WHOLE_RUN }<kbd class="q">{ "0" }</kbd></button>
        </div>
    }
}

/// Whether a lesson hides the future.
#[component]
fn HiddenText() -> Html {
    let hidden = use_store::<Playback>().horizon.is_some();
    html! { <span class="t3 small">{ if hidden { lesson::HIDDEN } else { lesson::REVEALED } }</span> }
}

/// "200 ms of 10 000".
#[component]
fn WindowText() -> Html {
    let window = use_store::<ViewWindow>();
    let (span, duration) = (window.span(), window.duration);
    html! {
        <span class="t3 small window-text">
            { words::part_of(&number::duration(span), &number::duration(duration)) }
        </span>
    }
}

/// Props of [`WordsTable`].
#[derive(Properties, PartialEq)]
pub struct WordsProps {
    /// Id, for `aria-describedby`.
    pub id: AttrValue,
    /// What the table tells.
    pub caption: AttrValue,
    /// Heads of the columns.
    pub heads: Vec<AttrValue>,
    /// Cells.
    pub rows: Rc<Vec<Vec<String>>>,
}

/// A picture as a table for screen readers; not seen.
#[component]
pub fn WordsTable(props: &WordsProps) -> Html {
    html! {
        <div class="unseen" id={props.id.clone()}>
            <table>
                <caption>{ &props.caption }</caption>
                <thead><tr>{ for props.heads.iter().map(|head| html! { <th scope="col">{ head }</th> }) }</tr></thead>
                <tbody>
                    { for props.rows.iter().map(|row| html! {
                        <tr>{ for row.iter().map(|cell| html! { <td>{ cell }</td> }) }</tr>
                    }) }
                </tbody>
            </table>
        </div>
    }
}
