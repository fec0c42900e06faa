//! Transport: start, step back, play, step, speed, time box, seek bar, end, digest.

mod seek;
mod speed;
mod time_box;

use crate::paint::number;
use crate::store::{Layout, Playback, PlaybackAction, Stage, use_frames, use_stage, use_store};
use crate::text::transport as words;
use crate::views::controls::{Icon, icon};
use sim_core::engine::protocol::StepUnit;
use yew::prelude::*;

pub use seek::SeekBar;
pub use speed::SpeedSlider;
pub use time_box::TimeBox;

/// One decision back or forward; pauses first.
pub fn step(stage: &Stage, forward: bool, unit: StepUnit) {
    stage.playback.dispatch(PlaybackAction::Pause);
    stage.live.step(forward, unit, None);
}

/// The bar below the page.
#[component]
pub fn Transport() -> Html {
    let narrow = use_store::<Layout>().width <= crate::store::layout::Width::Narrow;
    html! {
        <footer class={classes!("transport", narrow.then_some("narrow"))} data-testid="transport">
            if narrow {
                <SeekBar />
                <div class="r1"><Buttons /><TimeBox /><SpeedSlider /><PlayButton /></div>
            } else {
                <Buttons /><span class="sep" /><SpeedSlider /><span class="sep" /><TimeBox /><SeekBar /><End /><LoopButton /><span class="sep" /><Digest />
            }
        </footer>
    }
}

#[component]
fn Buttons() -> Html {
    let stage = use_stage();
    let narrow = use_store::<Layout>().width <= crate::store::layout::Width::Narrow;
    let to_start = {
        let playback = stage.playback.clone();
        Callback::from(move |_| playback.dispatch(PlaybackAction::Seek(0)))
    };
    let back = {
        let stage = stage.clone();
        Callback::from(move |_| step(&stage, false, StepUnit::Decision))
    };
    let forward = Callback::from(move |_| step(&stage, true, StepUnit::Decision));
    html! {
        <>
            if !narrow {
                <button type="button" class="btn icon quiet" title={words::START} aria-label={words::START} data-testid="to-start"
                    onclick={to_start}>{ icon(Icon::Start) }</button>
            }
            <button type="button" class="btn icon" title={words::BACK} aria-label={words::BACK} data-testid="step-back"
                onclick={back}>{ icon(Icon::Back) }</button>
            if !narrow { <PlayButton /> }
            <button type="button" class="btn icon" title={words::FORWARD} aria-label={words::FORWARD} data-testid="step"
                onclick={forward}>{ icon(Icon::Forward) }</button>
        </>
    }
}

/// Play is the one filled button while paused; playing, it is an outlined Pause.
#[component]
fn PlayButton() -> Html {
    let stage = use_stage();
    let playback = use_store::<Playback>();
    let toggle = Callback::from(move |_| stage.playback.dispatch(PlaybackAction::Toggle));
    let (shape, word) = if playback.playing { (Icon::Pause, words::PAUSE) } else { (Icon::Play, words::PLAY) };
    html! {
        <button type="button" class={classes!("btn", "play", (!playback.playing).then_some("primary"))} data-testid="play"
            aria-label={word} aria-keyshortcuts="Space" onclick={toggle}>{ icon(shape) }<span class="word">{ word }</span></button>
    }
}

/// Begin again at the end.
#[component]
fn LoopButton() -> Html {
    let stage = use_stage();
    let looping = use_store::<Playback>().looping;
    let onclick = Callback::from(move |_| stage.playback.dispatch(PlaybackAction::Loop(!looping)));
    html! {
        <button type="button" class={classes!("btn", "icon", if looping { "on" } else { "quiet" })} aria-pressed={looping.to_string()}
            title={words::LOOP} aria-label={words::LOOP} data-testid="loop" {onclick}>{ icon(Icon::Loop) }</button>
    }
}

#[component]
fn End() -> Html {
    let playback = use_store::<Playback>();
    let simulated = use_frames(200, |context| context.frames.simulated(context.lane));
    let end = number::duration(playback.duration);
    let title = words::simulated(&number::duration(simulated), &end);
    html! { <span class="t2 num end" {title}>{ end }</span> }
}

#[component]
fn Digest() -> Html {
    let digest = use_frames(200, |context| {
        let progress = context.frames.progress.get(usize::from(context.lane))?;
        Some((progress.digest, progress.simulated >= progress.duration || progress.fault.is_some()))
    });
    let text = match digest {
        Some((digest, true)) => grouped(digest),
        Some((_, false)) | None => "…".to_string(),
    };
    html! {
        <span class="small t3 digest" title={words::DIGEST_HELP}>{ words::DIGEST }{ " " }<span class="mono t2" data-testid="digest">{ text }</span></span>
    }
}

/// `6f1c 09ab e2d4 71c8`.
pub fn grouped(digest: u64) -> String {
    let hex = format!("{digest:016x}");
    format!("{} {} {} {}", &hex[..4], &hex[4..8], &hex[8..12], &hex[12..])
}
