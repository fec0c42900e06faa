//! The legend: states and edges as small pictures. Static, so plain SVG.

use crate::text::Word;
use crate::text::timeline as words;
use yew::prelude::*;

/// One entry per state and edge.
#[component]
pub fn Legend() -> Html {
    html! {
        <div class="legend" aria-label={words::LEGEND_NAME}>
            <svg class="defs" width="0" height="0" aria-hidden="true">{ state_patterns("lg") }<defs>
                <pattern id="lg-held" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                    <rect width="2" height="7" fill="var(--line-strong)" />
                </pattern>
            </defs></svg>
            { entry(words::LEGEND[0], html! { <rect width="22" height="12" fill="var(--st-running)" /> }) }
            { entry(words::LEGEND[1], html! { <rect y="6" width="22" height="6" fill="url(#lg-hatch)" /> }) }
            { entry(words::LEGEND[2], html! { <rect y="6" width="22" height="6" fill="url(#lg-dots)" /> }) }
            { entry(words::LEGEND[9], html! { <>
                <rect y="3" width="22" height="9" fill="url(#lg-held)" /><rect y="3" width="22" height="1" fill="var(--warn)" />
            </> }) }
            { entry(words::LEGEND[3], html! { <path d="M0 11.5H22" stroke="var(--st-sleep)" /> }) }
            { entry(words::LEGEND[4], shape("M0 0H22L17 6L22 12H0z")) }
            { entry(words::LEGEND[5], html! { <>
                { shape("M0 0H22V12H0z") }<rect x="18" width="2" height="12" fill="var(--panel)" />
            </> }) }
            { entry(words::LEGEND[6], shape("M0 0H14L22 9V12H0z")) }
            { entry(words::LEGEND[7], shape("M0 0H22V4L14 12H0z")) }
            { entry(words::LEGEND[8], html! { <path d="M8 2.5l6 6m0-6l-6 6" stroke="var(--st-dead)" stroke-width="1.5" /> }) }
        </div>
    }
}

/// Patterns of the states that do not run, `NAME-hatch` and `NAME-dots`: a drawing brings its own, whatever else is shown.
pub fn state_patterns(name: &str) -> Html {
    html! {
        <defs>
            <pattern id={format!("{name}-hatch")} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                <rect width="5" height="5" fill="var(--st-waiting)" opacity=".28" />
                <rect width="2" height="5" fill="var(--st-waiting)" />
            </pattern>
            <pattern id={format!("{name}-dots")} width="4" height="4" patternUnits="userSpaceOnUse">
                <rect width="4" height="4" fill="var(--st-io)" opacity=".25" />
                <circle cx="1.5" cy="1.5" r="1.1" fill="var(--st-io)" />
            </pattern>
        </defs>
    }
}

fn shape(d: &'static str) -> Html {
    html! { <path d={d} fill="var(--text-3)" /> }
}

fn entry(text: Word, picture: Html) -> Html {
    html! { <span><svg width="22" height="12" aria-hidden="true">{ picture }</svg>{ text }</span> }
}
