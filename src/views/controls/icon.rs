//! Icons, drawn on a 16 px grid.

use yew::prelude::*;

/// Icons of the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Icon {
    /// Play.
    Play,
    /// Pause.
    Pause,
    /// One step back.
    Back,
    /// One step forward.
    Forward,
    /// To the start.
    Start,
    /// Share.
    Share,
    /// Open a file.
    Open,
    /// Save.
    Save,
    /// Light theme.
    Sun,
    /// Dark theme.
    Moon,
    /// Help.
    Help,
    /// Add.
    Plus,
    /// Close, remove.
    Cross,
    /// Copy.
    Copy,
    /// More.
    More,
    /// Checked.
    Check,
    /// Begin again at the end.
    Loop,
    /// A change.
    Flag,
    /// Fold to the left.
    Left,
    /// Unfold to the right.
    Right,
    /// Timeline tab.
    Lanes,
    /// Structures tab.
    Bars,
    /// Graphs tab.
    Graph,
    /// Scenario tab.
    Sliders,
    /// Search.
    Search,
    /// The whole screen.
    Whole,
}

fn shape(icon: Icon) -> Html {
    match icon {
        Icon::Play => html! { <path d="M5 3.5v9l7.5-4.5z" fill="currentColor" /> },
        Icon::Pause => html! { <path d="M5.5 3.5v9M10.5 3.5v9" stroke-width="2.5" /> },
        Icon::Back => {
            html! { <><path d="M11.5 4v8L6 8z" fill="currentColor" /><path d="M4 4v8" stroke-width="2" /></> }
        }
        Icon::Forward => {
            html! { <><path d="M4.5 4v8L10 8z" fill="currentColor" /><path d="M12 4v8" stroke-width="2" /></> }
        }
        Icon::Start => html! {
            <><path d="M13 4v8L8.5 8zM8.5 4v8L4 8z" fill="currentColor" stroke-width="1" /><path d="M3 4v8" stroke-width="2" /></>
        },
        Icon::Share => html! { <path d="M8 10V2.5M5 5l3-3 3 3M3 9v4.5h10V9" /> },
        Icon::Open => html! { <path d="M2 12.5v-9h4l1.5 2H14v2M2 12.5L4 7.5h11l-2 5z" /> },
        Icon::Save => html! { <path d="M8 2.5V10M5 7.5l3 3 3-3M3 13.5h10" /> },
        Icon::Sun => html! { <><circle cx="8" cy="8" r="3" />
        <path d="M8 1.5v1.5M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1" /></> },
        Icon::Moon => html! { <path d="M13 9.5A5.5 5.5 0 1 1 6.5 3 4.5 4.5 0 0 0 13 9.5z" /> },
        Icon::Help => {
            html! { <><path d="M6 6a2 2 0 1 1 2.8 1.9c-.6.3-.8.6-.8 1.4" /><path d="M8 12v.1" stroke-width="2" /></> }
        }
        Icon::Plus => html! { <path d="M8 3.5v9M3.5 8h9" /> },
        Icon::Cross => html! { <path d="M4 4l8 8M12 4l-8 8" /> },
        Icon::Copy => {
            html! { <><rect x="5.5" y="5.5" width="8" height="8" rx="1" /><path d="M3 10.5H2.5v-8h8V3" /></> }
        }
        Icon::More => html! { <path d="M3.5 8h.1M8 8h.1M12.5 8h.1" stroke-width="2.5" /> },
        Icon::Check => html! { <path d="M3.5 8.5l3 3 6-7" /> },
        Icon::Loop => html! { <path d="M3 7a5 5 0 0 1 9-2l1 1M13 3v3h-3M13 9a5 5 0 0 1-9 2l-1-1M3 13v-3h3" /> },
        Icon::Flag => html! { <><path d="M4 2.5v11" /><path d="M4 3h8l-2.5 2.5L12 8H4z" fill="currentColor" /></> },
        Icon::Left => html! { <path d="M10 4L6 8l4 4" /> },
        Icon::Right => html! { <path d="M6 4l4 4-4 4" /> },
        Icon::Lanes => html! { <path d="M2 4h6M10 4h4M2 8h3M7 8h7M2 12h8" /> },
        Icon::Bars => html! { <><rect x="2.5" y="3" width="3" height="10" />
        <rect x="6.5" y="3" width="3" height="10" fill="currentColor" /><rect x="10.5" y="3" width="3" height="10" /></> },
        Icon::Graph => html! { <path d="M2.5 13V3M2.5 13h11M5 10l3-4 2 2 3-4" /> },
        Icon::Search => html! { <><circle cx="7" cy="7" r="4" /><path d="M10 10l3.5 3.5" /></> },
        Icon::Whole => html! { <path d="M6 2.5H2.5V6M10 2.5h3.5V6M6 13.5H2.5V10M10 13.5h3.5V10" /> },
        Icon::Sliders => html! { <><path d="M2.5 5h11M2.5 11h11" /><circle cx="6" cy="5" r="1.8" class="knob" />
        <circle cx="10" cy="11" r="1.8" class="knob" /></> },
    }
}

/// An icon; its button carries the name.
pub fn icon(icon: Icon) -> Html {
    html! {
        <svg class="icon" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5"
            stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">{ shape(icon) }</svg>
    }
}

/// The mark of the product.
pub fn logo() -> Html {
    html! {
        <svg class="logo" viewBox="0 0 18 18" aria-hidden="true">
            <rect x="1" y="2" width="7" height="4" class="l1" /><rect x="9" y="2" width="8" height="4" class="l2" />
            <rect x="1" y="8" width="4" height="4" class="l2" /><rect x="6" y="8" width="11" height="4" class="l1" />
            <path d="M11.5 0v18" class="l3" /><rect x="1" y="14" width="9" height="2" class="l4" />
        </svg>
    }
}
