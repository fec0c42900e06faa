//! A dialog: takes the focus, keeps it inside, gives it back.

use crate::page;
use crate::store::{LayoutAction, use_stage};
use crate::text::panel as words;
use crate::views::controls::{Icon, icon};
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::prelude::*;

/// Properties of [`Dialog`].
#[derive(Properties, PartialEq)]
pub struct DialogProps {
    /// Heading.
    pub heading: AttrValue,
    /// Class of the box.
    pub class: Classes,
    /// Between heading and the close button.
    #[prop_or_default]
    pub aside: Html,
    /// Body.
    pub children: Html,
    /// Stable id for tests.
    pub testid: AttrValue,
}

/// The dialog.
#[component]
pub fn Dialog(props: &DialogProps) -> Html {
    let stage = use_stage();
    let node = use_node_ref();
    {
        let node = node.clone();
        use_effect_with((), move |()| {
            let before = page::focused();
            if let Some(element) = node.cast::<HtmlElement>() {
                let _ = element.focus();
            }
            move || {
                if let Some(before) = before.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
                    let _ = before.focus();
                }
            }
        });
    }
    let close = {
        let layout = stage.layout.clone();
        Callback::from(move |_: MouseEvent| layout.dispatch(LayoutAction::CloseOverlay))
    };
    let on_key = {
        let (layout, node) = (stage.layout.clone(), node.clone());
        Callback::from(move |event: KeyboardEvent| match event.key().as_str() {
            "Escape" => {
                event.stop_propagation();
                layout.dispatch(LayoutAction::CloseOverlay);
            }
            "Tab" => keep_focus(&event, &node),
            _ => {}
        })
    };
    html! {
        <>
            <div class="scrim" onclick={close.clone()} />
            <div class={classes!("pop", "dialog", props.class.clone())} role="dialog" aria-modal="true" aria-label={&props.heading}
                tabindex="-1" ref={node} onkeydown={on_key} data-testid={&props.testid}>
                <div class="phead dialog-head"><h2>{ &props.heading }</h2>{ props.aside.clone() }<span class="grow" />
                    <button type="button" class="btn quiet icon" aria-label={words::CLOSE} title={words::CLOSE} onclick={close}
                        data-testid="close">{ icon(Icon::Cross) }</button></div>
                { props.children.clone() }
            </div>
        </>
    }
}

/// Tab goes round inside the dialog.
fn keep_focus(event: &KeyboardEvent, node: &NodeRef) {
    const REACHABLE: &str = "button:not([disabled]),input:not([disabled]),select,textarea,a[href]";
    let Some(root) = node.cast::<web_sys::Element>() else { return };
    let Ok(list) = root.query_selector_all(REACHABLE) else { return };
    let at = |index: u32| list.item(index).and_then(|node| node.dyn_into::<HtmlElement>().ok());
    let (Some(first), Some(last)) = (at(0), at(list.length().saturating_sub(1))) else { return };
    let active = page::focused();
    let is = |element: &HtmlElement| active.as_ref().is_some_and(|active| active.is_same_node(Some(element)));
    let goal = match event.shift_key() {
        true if is(&first) => last,
        false if is(&last) => first,
        _ => return,
    };
    event.prevent_default();
    let _ = goal.focus();
}
