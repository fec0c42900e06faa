//! Transport: start, step back, play, step, speed, time box, seek bar, end, digest.

mod seek;
mod speed;
mod time_box;
mod unit;

use crate::paint::number;
use crate::store::layout::Width;
use crate::store::{Layout, Playback, PlaybackAction, Stage, use_digests, use_frames, use_stage, use_store};
use crate::text::transport as words;
use crate::views::compare::lanes::letter;
use crate::views::controls::{Icon, icon};
use sim_core::engine::protocol::{LaneProgress, StepUnit};
use yew::prelude::*;

use seek::SeekBar;
use speed::speed_slider;
use time_box::TimeBox;
use unit::step_unit;

/// One decision back or forward; pauses first.
pub fn step(stage: &Stage, forward: bool, unit: StepUnit) {
    stage.playback.dispatch(PlaybackAction::Pause);
    let cpu = (unit == StepUnit::Slice).then(|| stage.live.chosen_cpu());
    stage.live.step(forward, unit, cpu);
}

/// The bar below the page.
#[component]
pub fn Transport() -> Html {
    let stage = use_stage();
    let layout = use_store::<Layout>();
    let narrow = layout.width <= Width::Narrow;
    let (back, forward) = (back_button(&stage, layout.step_by), forward_button(&stage, layout.step_by));
    let playback = use_store::<Playback>();
    let progress = use_frames(200, |context| context.frames.progress.get(usize::from(context.lane)).cloned());
    let all = use_digests();
    let play = play_button(&stage, &playback);
    let speed = speed_slider(&stage, playback.speed_ns);
    if narrow {
        return html! {
            <footer class="transport narrow" data-testid="transport">
                <SeekBar />
                <div class="r1">{ back }{ forward }<TimeBox />{ speed }{ play }</div>
            </footer>
        };
    }
    html! {
        <footer class="transport" data-testid="transport">
            { start_button(&stage) }{ back }{ play }{ forward }{ step_unit(&stage, &layout) }
            <span class="sep" />{ speed }<span class="sep" /><TimeBox /><SeekBar />
            { end(playback.duration, progress.as_ref()) }{ loop_button(&stage, playback.looping) }<span class="sep" />
            { digests(&all) }
        </footer>
    }
}

fn start_button(stage: &Stage) -> Html {
    let playback = stage.playback.clone();
    let onclick = Callback::from(move |_| playback.dispatch(PlaybackAction::Seek(0)));
    html! {
        <button type="button" class="btn icon quiet" title={words::START} aria-label={words::START} data-testid="to-start" {onclick}>
            { icon(Icon::Start) }</button>
    }
}

fn back_button(stage: &Stage, unit: StepUnit) -> Html {
    let stage = stage.clone();
    let onclick = Callback::from(move |_| step(&stage, false, unit));
    html! {
        <button type="button" class="btn icon" title={words::BACK} aria-label={words::BACK} data-testid="step-back" {onclick}>
            { icon(Icon::Back) }</button>
    }
}

fn forward_button(stage: &Stage, unit: StepUnit) -> Html {
    let stage = stage.clone();
    let onclick = Callback::from(move |_| step(&stage, true, unit));
    html! {
        <button type="button" class="btn icon" title={words::FORWARD} aria-label={words::FORWARD} data-testid="step" {onclick}>
            { icon(Icon::Forward) }</button>
    }
}

/// Play is the one filled button while paused; playing, it is an outlined Pause.
fn play_button(stage: &Stage, state: &Playback) -> Html {
    let (playback, playing) = (stage.playback.clone(), state.playing);
    // In a lesson it waits for the answer, and the one filled button is Check.
    let filled = !playing && state.horizon.is_none();
    let onclick = Callback::from(move |_| playback.dispatch(PlaybackAction::Toggle));
    let (shape, word) = if playing { (Icon::Pause, words::PAUSE) } else { (Icon::Play, words::PLAY) };
    html! {
        <button type="button" class={classes!("btn", "play", filled.then_some("primary"))} data-testid="play"
            aria-label={word} aria-keyshortcuts="Space" {onclick}>{ icon(shape) }<span class="word">{ word }</span></button>
    }
}

/// Begin again at the end.
fn loop_button(stage: &Stage, looping: bool) -> Html {
    let playback = stage.playback.clone();
    let onclick = Callback::from(move |_| playback.dispatch(PlaybackAction::Loop(!looping)));
    html! {
        <button type="button" class={classes!("btn", "icon", if looping { "on" } else { "quiet" })} aria-pressed={looping.to_string()}
            title={words::LOOP} aria-label={words::LOOP} data-testid="loop" {onclick}>{ icon(Icon::Loop) }</button>
    }
}

fn end(duration: u64, progress: Option<&LaneProgress>) -> Html {
    let end = number::duration(duration);
    let title = words::simulated(&number::duration(progress.map_or(0, |progress| progress.simulated)), &end);
    html! { <span class="t2 num end" {title}>{ end }</span> }
}

/// Digests of the runs, once they are whole. Of several only the first half is seen; all of it is there to be copied.
fn digests(lanes: &[Option<u64>]) -> Html {
    let one = |(index, digest): (usize, &Option<u64>)| {
        let text = grouped(*digest);
        let (seen, rest) = if lanes.len() > 1 { text.split_at(text.len().min(9)) } else { (text.as_str(), "") };
        let testid = if index == 0 { "digest".to_string() } else { format!("digest-{index}") };
        html! {
            <>{ " " }if lanes.len() > 1 { <i class={classes!("sw", format!("side-{index}"))} /><b>{ letter(index) }</b>{ " " } }
                <span class="mono t2" data-testid={testid}>{ seen }<span class="unseen">{ rest }</span></span></>
        }
    };
    html! {
        <span class="small t3 digest" title={words::DIGEST_HELP}>{ words::DIGEST }{ for lanes.iter().enumerate().map(one) }</span>
    }
}

/// `6f1c 09ab e2d4 71c8`, or three dots as long as it is not known.
pub fn grouped(digest: Option<u64>) -> String {
    let Some(digest) = digest else { return "…".into() };
    let hex = format!("{digest:016x}");
    format!("{} {} {} {}", &hex[..4], &hex[4..8], &hex[8..12], &hex[12..])
}
