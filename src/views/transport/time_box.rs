//! Time box: shows now, takes a moment or a range.

use crate::page;
use crate::paint::number;
use crate::store::{PainterHandle, PlaybackAction, WindowAction, use_stage};
use crate::text::time::{Typed, parse};
use crate::text::transport as words;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// The box.
#[component]
pub fn TimeBox() -> Html {
    let stage = use_stage();
    let node = use_node_ref();
    let wrong = use_state_eq(|| false);
    let painter = use_mut_ref(|| None::<PainterHandle>);
    {
        let (node, live) = (node.clone(), stage.live.clone());
        use_effect_with((), move |()| {
            // Written each frame, past Yew; not while somebody types.
            let registered = live.register_painter(move |context| {
                let Some(input) = node.cast::<HtmlInputElement>() else { return };
                if !is_focused(&input) {
                    input.set_value(&number::fixed(context.now, number::MS, 3));
                }
            });
            *painter.borrow_mut() = Some(registered);
            move || *painter.borrow_mut() = None
        });
    }
    let on_focus = Callback::from(|event: FocusEvent| {
        if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
            input.select();
        }
    });
    let on_change = {
        let wrong = wrong.clone();
        Callback::from(move |event: Event| {
            let Some(input) = event.target_dyn_into::<HtmlInputElement>() else { return };
            let typed = parse(&input.value());
            wrong.set(typed.is_none());
            match typed {
                Some(Typed::Moment(at)) => {
                    stage.playback.dispatch(PlaybackAction::Seek(at));
                    let (from, to) = stage.live.window();
                    if at < from || at > to {
                        stage.window.dispatch(WindowAction::Centre(at));
                    }
                }
                Some(Typed::Range(from, to)) => stage.window.dispatch(WindowAction::Show(from, to)),
                None => {}
            }
            stage.live.mark_dirty();
        })
    };
    let on_key = Callback::from(|event: KeyboardEvent| {
        if matches!(event.key().as_str(), "Enter" | "Escape")
            && let Some(input) = event.target_dyn_into::<HtmlInputElement>()
        {
            let _ = input.blur();
        }
    });
    html! {
        <label class={classes!("time", wrong.then_some("wrong"))} title={words::TIME}>
            <input id="time-box" type="text" inputmode="text" autocomplete="off" spellcheck="false" aria-label={words::TIME}
                aria-invalid={wrong.to_string()} data-testid="time" ref={node} onfocus={on_focus} onchange={on_change} onkeydown={on_key} />
            <span class="t3">{ "ms" }</span>
        </label>
    }
}

fn is_focused(input: &HtmlInputElement) -> bool {
    page::focused().is_some_and(|active| active.is_same_node(Some(input)))
}
