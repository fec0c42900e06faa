//! Adding a workload: a menu of the kinds.

use crate::store::scenario::free_name;
use crate::store::{Document, DocumentAction, Shared, use_stage, use_store};
use crate::text::scenario as words;
use crate::views::controls::{Icon, icon};
use sim_core::engine::protocol::Catalogue;
use sim_core::policy::SchedClass;
use sim_core::scenario::schema::Workload;
use yew::prelude::*;

/// Button and menu.
#[hook]
pub fn use_add_workload(catalogue: &Shared<Catalogue>) -> Html {
    let stage = use_stage();
    let document = use_store::<Document>();
    let open = use_state_eq(|| false);
    let toggle = {
        let open = open.clone();
        Callback::from(move |_| open.set(!*open))
    };
    let close_on_escape = {
        let open = open.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" && *open {
                event.stop_propagation();
                open.set(false);
            }
        })
    };
    let kinds = catalogue.as_ref().map(|catalogue| catalogue.kinds.clone()).unwrap_or_default();
    let items = kinds.into_iter().map(|kind| {
        let (stage, scenario, open) = (stage.clone(), document.scenario.clone(), open.clone());
        let (key, count) = (kind.key.clone(), kind.count_default);
        let onclick = Callback::from(move |_| {
            let workload = Workload {
                name: free_name(&scenario, &key),
                kind: key.clone(),
                count,
                nice: 0,
                class: SchedClass::Normal,
                rt_priority: 0,
                group: String::new(),
                session: String::new(),
                cpus: Vec::new(),
                start_ns: 0,
                params: Default::default(),
                program: Vec::new(),
            };
            stage.document.dispatch(DocumentAction::AddWorkload(Box::new(workload)));
            open.set(false);
        });
        html! {
            <button type="button" role="menuitem" data-testid={format!("add-{}", kind.key)} {onclick}>
                <b>{ kind.label }</b><span class="t3 small">{ kind.help }</span></button>
        }
    });
    html! {
        <span class="anchor" onkeydown={close_on_escape}>
            <button type="button" class="btn quiet tiny" aria-haspopup="menu" aria-expanded={open.to_string()} onclick={toggle}
                data-testid="add-workload">{ icon(Icon::Plus) }{ words::ADD }</button>
            if *open { <div class="pop menu" role="menu">{ for items }</div> }
        </span>
    }
}
