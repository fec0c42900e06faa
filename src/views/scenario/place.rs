//! Where the tasks of a workload live: group, session, CPUs, and when they begin.

use super::field::{choice_row, text_row};
use super::knob::signed;
use crate::paint::number;
use crate::store::{Document, DocumentAction, groups, use_frames, use_stage, use_store};
use crate::text::scenario as words;
use crate::views::controls::Slider;
use sim_core::scenario::limits::NAME_CHARS_MAX;
use sim_core::scenario::schema::Workload;
use yew::prelude::*;

/// Properties of [`Place`].
#[derive(Properties, PartialEq)]
pub struct PlaceProps {
    /// Position in the document.
    pub index: usize,
}

/// The rows, folded.
#[component]
pub fn Place(props: &PlaceProps) -> Html {
    let stage = use_stage();
    let document = use_store::<Document>();
    let (can_group, has_sessions) = use_frames(200, |context| {
        let can = |ability: &str| context.frames.policy(0).is_some_and(|policy| policy.can(ability));
        (can("groups"), can("autogroup"))
    });
    let Some(workload) = document.scenario.workloads.get(props.index).cloned() else { return Html::default() };
    let put = {
        let (index, workload) = (props.index, workload.clone());
        move |edit: &dyn Fn(&mut Workload)| {
            let mut next = workload.clone();
            edit(&mut next);
            stage.document.dispatch(DocumentAction::Workload(index, Box::new(next)));
        }
    };
    let id = |what: &str| format!("{what}-{}", workload.name);
    let names = document.scenario.groups.iter().map(|group| (group.name.clone(), group.name.clone()));
    let options: Vec<_> = std::iter::once((String::new(), words::ROOT.into())).chain(names).collect();
    let on_group = {
        let put = put.clone();
        Callback::from(move |group: String| put(&|workload| workload.group.clone_from(&group)))
    };
    let on_session = {
        let put = put.clone();
        move |session: String| {
            let session: String = session.trim().chars().take(NAME_CHARS_MAX).collect();
            put(&|workload| workload.session.clone_from(&session));
            None
        }
    };
    let cpus = document.scenario.machine.cores.saturating_mul(document.scenario.machine.threads);
    let on_cpus = {
        let put = put.clone();
        move |text: String| match groups::parse_cpu_list(&text, cpus) {
            Some(list) => {
                put(&|workload| workload.cpus.clone_from(&list));
                None
            }
            None => Some(words::cpus_wrong(cpus.saturating_sub(1))),
        }
    };
    let on_start = Callback::from(move |(value, done): (i64, bool)| {
        if done {
            put(&|workload| workload.start_ns = u64::try_from(value).unwrap_or(0));
        }
    });
    let (start, end) = (signed(workload.start_ns), signed(document.scenario.duration_ns));
    html! {
        <details class="more" open={!workload.group.is_empty() || !workload.session.is_empty()}>
            <summary class="small t2">{ words::PLACE }</summary>
            if options.len() > 1 && (can_group || !workload.group.is_empty()) {
                { choice_row(words::GROUP.say(), options, &workload.group, id("group"), on_group) }
            }
            if has_sessions || !workload.session.is_empty() {
                { text_row(words::SESSION.say(), workload.session.clone(), id("session"), on_session) }
            }
            { text_row(words::ON_CPUS.say(), groups::cpu_list(&workload), id("cpus"), on_cpus) }
            <Slider label={words::START} value={start} min={0} max={end} default={Some(0)} text={number::duration(workload.start_ns)}
                on_value={on_start} testid={id("start")} />
        </details>
    }
}
