//! Keeps the address bar and the stores together; draws nothing.

use crate::address::{self, Parts, State};
use crate::store::layout::View;
use crate::store::{Document, Layout, Playback, Selection, ViewWindow, use_stage, use_store};
use crate::{page, recent};
use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use sim_core::scenario::link;
use yew::prelude::*;

/// The address follows after this pause, ms: browsers allow few writes per second.
const PAUSE_MS: u32 = 300;

/// The link names a built-in and changes nothing of it.
fn is_example(link: &str) -> bool {
    link.contains("&ex=") && link.matches('&').count() == 1
}

/// See the module.
#[component]
pub fn AddressKeeper() -> Html {
    let stage = use_stage();
    let document = use_store::<Document>();
    let playback = use_store::<Playback>();
    let window = use_store::<ViewWindow>();
    let selection = use_store::<Selection>();
    let layout = use_store::<Layout>();
    let committed = use_mut_ref(|| (0_u32, View::Run));
    let timer = use_mut_ref(|| None::<Timeout>);
    use_effect_with((), move |()| {
        address::open_address(&stage);
        let listener = page::window()
            .map(|window| EventListener::new(&window, "popstate", move |_| address::open_address(&stage)));
        move || drop(listener)
    });
    let is_embedded = layout.link.embed;
    let noted = use_mut_ref(|| None::<u32>);
    {
        let document = (*document).clone();
        use_effect_with((document.opened, document.committed), move |(opened, _)| {
            if document.scenario.lanes.is_empty() || is_embedded {
                return;
            }
            let link = link::encode(&document.scenario, &link::View::default());
            let is_new = *noted.borrow() != Some(*opened);
            // An example as it comes is in the menu of examples already.
            if !(is_new && is_example(&link)) {
                recent::note(&document.scenario.title, &link, is_new);
                *noted.borrow_mut() = Some(*opened);
            }
        });
    }
    let opened = !document.scenario.lanes.is_empty() && layout.link_problems.is_none();
    let step = (document.committed, layout.view);
    // While it plays nobody reads the address, and packing a scenario takes longer than a frame has.
    let due = !playback.playing || *committed.borrow() != step;
    let text = (opened && due).then(|| {
        let state =
            State { document: &document, playback: &playback, window: &window, selection: &selection, layout: &layout };
        address::fragment(state, Parts::default())
    });
    use_effect_with((text, step, playback.playing), move |(text, step, playing)| {
        let Some(text) = text.clone() else {
            // What waits to be written is from before it played.
            *timer.borrow_mut() = None;
            return;
        };
        let push = *committed.borrow() != *step;
        if address::is_there(&text) {
            *committed.borrow_mut() = *step;
            *timer.borrow_mut() = None;
            return;
        }
        if push {
            *committed.borrow_mut() = *step;
            *timer.borrow_mut() = None;
            address::write(&text, step.0 > 0);
        } else if !playing {
            // A link that is pasted meanwhile is what the visitor wants; what it opens writes itself.
            let old = address::hash();
            let write = move || {
                if address::is_there(&old) {
                    address::write(&text, false);
                }
            };
            *timer.borrow_mut() = Some(Timeout::new(PAUSE_MS, write));
        }
    });
    Html::default()
}
