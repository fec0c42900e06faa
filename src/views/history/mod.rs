//! History: one screen per post, its published tables beside ours, which are computed row by row while one watches.

mod figure;
mod picture;
mod side;
mod strip;
mod table;

use crate::store::work::{Figures, Present};
use crate::store::{Layout, LayoutAction, Stage, Work, use_stage, use_store};
use crate::text::{Word, history as words};
use crate::views::controls::{Icon, icon};
use figure::{mean, runs_of};
use side::Side;
use sim_core::engine::protocol::{JobAsk, Judgement, Place, PostView};
use sim_core::scenario::link;
use std::rc::Rc;
use table::FigureTable;
use web_sys::Element;
use yew::prelude::*;

/// Runs of every figure for a spread.
const SEEDS: u8 = 5;

/// Table and row that the visitor looks at.
pub type Chosen = (u8, u8);

/// The view.
#[component]
pub fn History() -> Html {
    let stage = use_stage();
    let layout = use_store::<Layout>();
    let work = use_store::<Work>();
    let is_asked = work.posts.is_some();
    {
        let stage = stage.clone();
        use_effect_with(is_asked, move |is_asked| {
            if !is_asked {
                stage.jobs.ask(&stage, JobAsk::Posts);
            }
        });
    }
    let index =
        work.posts.as_ref().map_or(0, |posts| posts.iter().position(|post| post.key == layout.link.post).unwrap_or(0));
    let list_ref = use_node_ref();
    {
        let list_ref = list_ref.clone();
        // On a phone the posts stand side by side: the chosen one is in sight.
        use_effect_with((index, work.posts.is_some()), move |_| {
            let chosen = list_ref.cast::<Element>().and_then(|list| list.query_selector(".on").ok().flatten());
            if let (Some(list), Some(chosen)) = (list_ref.cast::<Element>(), chosen) {
                let (seen, place) = (list.get_bounding_client_rect(), chosen.get_bounding_client_rect());
                list.set_scroll_left(list.scroll_left() + (place.left() - seen.left()) as i32);
            }
        });
    }
    let Some(posts) = work.posts.clone() else {
        let text = work.lost.as_ref().map_or_else(|| words::COMING.say().into(), |lost| words::LOST.fill(&[lost]));
        return html! {
            <main class="center full" id="center" tabindex="-1" data-testid="history">
                <section class="panel empty" role="status"><p class="say">{ text }</p></section></main>
        };
    };
    let list = posts.iter().enumerate().map(|(at, post)| entry(&stage, &layout, post, at == index));
    let heading = if posts.len() == 5 { words::HEADING } else { words::POSTS };
    html! {
        <div class="cols history">
            <aside class="left scroll" aria-label={heading}>
                <div class="phead"><h2>{ heading }</h2></div>
                <nav class="posts" ref={list_ref} aria-label={heading}>{ for list }</nav>
                <p class="psec small t3 about">{ words::ABOUT }</p>
            </aside>
            if let Some(post) = posts.get(index) {
                <PostScreen key={post.key.clone()} post={Rc::new(post.clone())} />
            }
        </div>
    }
}

/// A post in the list.
fn entry(stage: &Stage, layout: &Layout, post: &PostView, on: bool) -> Html {
    let view = Rc::new(link::View { post: post.key.clone(), ..(*layout.link).clone() });
    let dispatcher = stage.layout.clone();
    let onclick = Callback::from(move |_| dispatcher.dispatch(LayoutAction::Link(view.clone())));
    html! {
        <button type="button" class={classes!(on.then_some("on"))} aria-current={on.then_some("page")} {onclick}
            data-testid={format!("post-{}", post.key)}>
            <b>{ &post.title }</b><span class="t2">{ words::BY.fill(&[&post.who, &post.when]) }</span>
            <span class="t3 small">{ &post.machine.0 }</span></button>
    }
}

#[derive(Properties, PartialEq)]
struct PostProps {
    post: Rc<PostView>,
}

/// One post.
#[component]
fn PostScreen(props: &PostProps) -> Html {
    let stage = use_stage();
    let work = use_store::<Work>();
    let post = props.post.clone();
    let figures = work.figures_of(&post.key);
    let chosen = use_state(|| picture::first_row(&post));
    {
        let (stage, post) = (stage.clone(), post.clone());
        use_effect_with(figures.clone(), move |figures| judge(&stage, &post, figures));
    }
    // The table with the post's point comes first, and what explains it right after; figures come in in that order.
    let main = picture::first_row(&post).0;
    let order = std::iter::once(main).chain((0..post.tables.len() as u8).filter(|index| *index != main));
    let places: Rc<Vec<Place>> = Rc::new(order.flat_map(|index| table::places(&post, index)).collect());
    {
        // The first visit sees figures come in, not an empty table.
        let (stage, places, is_new) = (stage.clone(), places.clone(), figures.is_empty() && !work.is_at(&post.key));
        use_effect_with(post.key.clone(), move |key| {
            if is_new {
                stage.jobs.figures(&stage, key, places.to_vec(), 1);
            }
        });
    }
    let judged = work.judged.get(post.key.as_str()).cloned().unwrap_or_default();
    let is_at_work = work.is_at(&post.key);
    let run_all = {
        let (stage, key, places) = (stage.clone(), post.key.clone(), places.clone());
        Callback::from(move |_| match is_at_work {
            true => stage.jobs.stop(&stage),
            false => stage.jobs.figures(&stage, &key, places.to_vec(), 1),
        })
    };
    let run_seeds = {
        let (stage, key, places) = (stage.clone(), post.key.clone(), places.clone());
        Callback::from(move |_| stage.jobs.figures(&stage, &key, places.to_vec(), SEEDS))
    };
    let seeds = match &work.present {
        Some((_, Present::Figures { post: at, seeds, .. })) if **at == *post.key && seeds.1 > 1 => Some(*seeds),
        _ => None,
    };
    let choose = {
        let chosen = chosen.setter();
        Callback::from(move |row: Chosen| chosen.set(row))
    };
    let run = {
        let (stage, key, places, figures) = (stage.clone(), post.key.clone(), places.clone(), figures.clone());
        Callback::from(move |mut wanted: Vec<Place>| {
            // A row comes before what is still to be computed, and does not put an end to it.
            if is_at_work {
                wanted.extend(places.iter().filter(|place| !figures.contains_key(place)));
            }
            stage.jobs.figures(&stage, &key, wanted, 1);
        })
    };
    let table = |index: u8| {
        html! {
            <FigureTable post={post.clone()} table={index} figures={figures.clone()} judged={judged.clone()}
                present={work.present.clone()} chosen={*chosen} on_choose={choose.clone()} on_run={run.clone()} />
        }
    };
    let others = (0_u8..).zip(&post.tables).filter(|(index, _)| *index != main).map(|(index, _)| table(index));
    let (label, help) = &post.machine;
    html! {
        <>
            <main class="post scroll" id="center" tabindex="-1" data-testid="history">
                <div class="intro"><h2 class="big">{ &post.title }</h2>
                    <p class="say">{ &post.claim }</p>
                    <p class="t2 machine"><b>{ label }</b>{ ": " }{ help }</p></div>
                <div class="sums">
                    { sums(&post, &figures, &judged) }
                    <span class="grow" />
                    if let Some((seed, of)) = seeds {
                        <span class="t2" role="status" data-testid="seed">{ words::SEED.fill(&[&seed, &of]) }</span>
                    } else if !is_at_work {
                        <button type="button" class="btn" onclick={run_seeds} title={words::SEEDS_HELP.fill(&[&SEEDS])}
                            data-testid="run-seeds">{ words::SEEDS.fill(&[&SEEDS]) }</button>
                    }
                    <button type="button" class={"btn"} onclick={run_all} data-testid="run-all">
                        if is_at_work { { icon(Icon::Cross) }{ words::STOP } } else { { icon(Icon::Play) }{ words::RUN_ALL } }</button>
                </div>
                if let Some(lost) = &work.lost { <p class="warn" role="alert">{ words::LOST.fill(&[lost]) }</p> }
                { table(main) }
                <section><h3>{ words::EXPLAINS }</h3><p class="say">{ post.explains.join(" ") }</p></section>
                { for others }
                <p class="small t3"><sup>{ "c" }</sup>{ " " }{ words::MARKS }</p>
                <section data-testid="not-reproduced"><h3>{ words::NOT_REPRODUCED }</h3><p class="say">{ &post.not_reproduced }</p></section>
                if !post.calibrated.is_empty() {
                    <section><h3>{ words::FITTED }</h3><ul class="fitted">{ for post.calibrated.iter().map(|(what, to)| html! { <li>{ words::FITTED_TO.fill(&[what, to]) }</li> }) }</ul></section>
                }
                <section><h3>{ words::SOURCES }</h3><ul class="fitted" data-testid="sources">{ for post.sources.iter().map(|sentence| html! { <li>{ sentence }</li> }) }</ul></section>
            </main>
            <Side post={post.clone()} strips={work.strips_of(&post.key)} figures={figures.clone()} judged={judged} chosen={*chosen} />
        </>
    }
}

/// Asks how the figures that are there compare.
fn judge(stage: &Stage, post: &PostView, figures: &Figures) {
    let known: Vec<_> = figures.keys().filter_map(|&place| Some((place, mean(&runs_of(figures, place))?))).collect();
    if !known.is_empty() {
        stage.jobs.ask(stage, JobAsk::Judge { post: post.key.clone(), figures: known });
    }
}

/// The numbers under the title.
fn sums(post: &PostView, figures: &Figures, judged: &Judgement) -> Html {
    let published: usize =
        post.tables.iter().flat_map(|table| &table.runs).flatten().filter(|runs| !runs.is_empty()).count();
    let kept = judged.orderings.iter().filter(|(.., kept)| *kept).count();
    let shapes = judged.shapes.iter().filter(|(.., holds)| *holds).count();
    let one = |value: String, word: Word, testid: &'static str| html! { <div data-testid={testid}><b>{ value }</b><span class="t2">{ word }</span></div> };
    let of = |some: usize, all: usize| words::OF.fill(&[&some, &all]);
    html! {
        <>
            { one(of(figures.len(), published), words::COMPUTED, "computed") }
            if judged.figures > 0 {
                { one(of(judged.within_10 as usize, judged.figures as usize), words::WITHIN, "within") }
                if !judged.orderings.is_empty() { { one(of(kept, judged.orderings.len()), words::KEPT, "kept") } }
            }
            if !judged.shapes.is_empty() { { one(of(shapes, judged.shapes.len()), words::SHAPES, "shapes") } }
        </>
    }
}
