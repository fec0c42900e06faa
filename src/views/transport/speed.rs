//! Speed: how much simulated time passes in one second of the visitor's.

use crate::paint::number;
use crate::store::playback::{SPEED_MAX_NS, SPEED_MIN_NS};
use crate::store::{PlaybackAction, Stage};
use crate::text::transport as words;
use crate::views::controls::Slider;
use yew::prelude::*;

/// The slider.
pub fn speed_slider(stage: &Stage, speed: u64) -> Html {
    let playback = stage.playback.clone();
    let on_value = Callback::from(move |(value, _): (i64, bool)| {
        playback.dispatch(PlaybackAction::Speed(u64::try_from(value).unwrap_or(SPEED_MIN_NS)));
    });
    let signed = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
    html! {
        <span class="speed">
            <Slider label={words::SPEED} value={signed(speed)} min={signed(SPEED_MIN_NS)} max={signed(SPEED_MAX_NS)} log={true}
                text={words::speed(&number::duration(speed))} {on_value} testid="speed" />
        </span>
    }
}
