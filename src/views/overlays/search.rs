//! Search of tasks: Enter goes to the next hit, Shift+Enter to the previous one.

use super::dialog::Dialog;
use crate::store::{SelectionAction, use_stage};
use crate::text::search as words;
use crate::views::controls::{task_name, use_names};
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Hits shown.
const HITS: usize = 12;

/// The search box.
#[component]
pub fn Search() -> Html {
    let stage = use_stage();
    let names = use_names();
    let wanted = use_state_eq(String::new);
    let at = use_state_eq(|| 0_usize);
    let node = use_node_ref();
    {
        let node = node.clone();
        use_effect_with((), move |()| {
            if let Some(input) = node.cast::<HtmlInputElement>() {
                let _ = input.focus();
            }
        });
    }
    let hits: Vec<u32> = names
        .tasks()
        .iter()
        .filter(|task| task.starts && !wanted.is_empty() && task.name.to_lowercase().contains(&*wanted))
        .map(|task| task.id)
        .take(HITS)
        .collect();
    let on_input = {
        let (wanted, at) = (wanted.clone(), at.clone());
        Callback::from(move |event: InputEvent| {
            if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
                wanted.set(input.value().trim().to_lowercase());
                at.set(0);
            }
        })
    };
    let select = {
        let selection = stage.selection.clone();
        move |task: u32| selection.dispatch(SelectionAction::Task { task, slice: None })
    };
    let on_key = {
        let (hits, at, select) = (hits.clone(), at.clone(), select.clone());
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Enter" && !hits.is_empty() {
                let index = *at % hits.len();
                select(hits[index]);
                at.set(if event.shift_key() {
                    (index + hits.len() - 1) % hits.len()
                } else {
                    (index + 1) % hits.len()
                });
            }
        })
    };
    let rows = hits.iter().map(|task| {
        let (select, task) = (select.clone(), *task);
        html! { <button type="button" class="link hit" onclick={move |_| select(task)}>{ task_name(&names, task) }</button> }
    });
    html! {
        <Dialog heading={words::HEADING} class="search" testid="search">
            <div class="sec"><input class="pick find" type="text" placeholder={words::FIND} aria-label={words::FIND} ref={node}
                oninput={on_input} onkeydown={on_key} /></div>
            <div class="sec hits" aria-live="polite">
                if hits.is_empty() && !wanted.is_empty() { <p class="t3">{ words::NONE }</p> }
                { for rows }
            </div>
        </Dialog>
    }
}
