//! Search of tasks, notes and schedulers: Enter goes to the next hit, Shift+Enter to the previous one.

use super::dialog::Dialog;
use crate::paint::number;
use crate::store::layout::Overlay;
use crate::store::{
    Document, LayoutAction, PlaybackAction, SelectionAction, Shared, Stage, WindowAction, use_frames, use_stage,
    use_store,
};
use crate::text::search as words;
use crate::views::controls::{Names, task_name, use_names};
use sim_core::engine::protocol::PolicyView;
use sim_core::scenario::schema::NoteAt;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Hits shown.
const HITS: usize = 12;

/// Something found.
#[derive(Clone, PartialEq)]
enum Hit {
    Task(u32),
    Note(NoteAt),
    /// Key and title.
    Policy(String, String),
}

fn find(wanted: &str, names: &Names, notes: &[NoteAt], policies: &[PolicyView]) -> Vec<Hit> {
    if wanted.is_empty() {
        return Vec::new();
    }
    let has = |text: &str| text.to_lowercase().contains(wanted);
    let tasks = names.tasks().iter().filter(|task| task.starts && has(&task.name)).map(|task| Hit::Task(task.id));
    let notes = notes.iter().filter(|note| has(&note.text)).map(|note| Hit::Note(note.clone()));
    let policies = policies.iter().filter(|policy| has(&policy.key) || has(&policy.title));
    let policies = policies.map(|policy| Hit::Policy(policy.key.clone(), policy.title.clone()));
    notes.chain(tasks.take(HITS)).chain(policies.take(HITS)).collect()
}

/// Shows a hit. A scheduler is shown in the menu: finding it does not change the run.
fn go(stage: &Stage, hit: &Hit) {
    match hit {
        Hit::Task(task) => stage.selection.dispatch(SelectionAction::Task { task: *task, slice: None }),
        Hit::Note(note) => {
            stage.playback.dispatch(PlaybackAction::Seek(note.t));
            stage.window.dispatch(WindowAction::Centre(note.t));
        }
        Hit::Policy(..) => stage.layout.dispatch(LayoutAction::Show(Overlay::Policies(0))),
    }
}

fn hit_text(hit: &Hit, names: &Names) -> Html {
    match hit {
        Hit::Task(task) => {
            html! { <>{ task_name(names, *task) }<span class="t3 small">{ " " }{ words::TASK }</span></> }
        }
        Hit::Note(note) => {
            html! { <>{ &note.text }<span class="t3 small">{ " " }{ words::NOTE }{ ", " }{ number::moment(note.t) }</span></> }
        }
        Hit::Policy(key, title) => {
            html! { <><b>{ key }</b>{ " " }{ title }<span class="t3 small">{ " " }{ words::POLICY }</span></> }
        }
    }
}

/// The search box.
#[component]
pub fn Search() -> Html {
    let stage = use_stage();
    let names = use_names();
    let wanted = use_state_eq(String::new);
    let at = use_state_eq(|| None::<usize>);
    let document = use_store::<Document>();
    let policies = use_frames(200, |context| Shared::some(&context.frames.policies));
    let policies = policies.0.unwrap_or_default();
    let node = use_node_ref();
    {
        let node = node.clone();
        use_effect_with((), move |()| {
            if let Some(input) = node.cast::<HtmlInputElement>() {
                let _ = input.focus();
            }
        });
    }
    let hits: Vec<Hit> = find(&wanted, &names, &document.scenario.notes, &policies);
    let on_input = {
        let (wanted, at) = (wanted.clone(), at.clone());
        Callback::from(move |event: InputEvent| {
            if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
                wanted.set(input.value().trim().to_lowercase());
                at.set(None);
            }
        })
    };
    let on_key = {
        let (hits, at, stage) = (hits.clone(), at.clone(), stage.clone());
        Callback::from(move |event: KeyboardEvent| {
            if event.key() != "Enter" || hits.is_empty() {
                return;
            }
            event.prevent_default();
            let count = hits.len();
            let next = match (*at, event.shift_key()) {
                (None, false) => 0,
                (None, true) => count - 1,
                (Some(at), false) => (at + 1) % count,
                (Some(at), true) => (at + count - 1) % count,
            };
            at.set(Some(next));
            go(&stage, &hits[next]);
        })
    };
    let rows = hits.iter().enumerate().map(|(index, hit)| {
        let (stage, at, chosen) = (stage.clone(), at.clone(), hit.clone());
        let on = *at == Some(index);
        let onclick = Callback::from(move |_: MouseEvent| {
            at.set(Some(index));
            go(&stage, &chosen);
        });
        html! {
            <button type="button" class={classes!("link", "hit", on.then_some("on"))} aria-current={on.then_some("true")} {onclick}
                data-testid="hit">{ hit_text(hit, &names) }</button>
        }
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
