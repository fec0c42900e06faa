//! What changes while it runs, each with a way to take it back.

use crate::paint::number;
use crate::store::{Document, DocumentAction, PlaybackAction, Shared, use_frames, use_stage, use_store};
use crate::text::scenario as words;
use crate::views::compare::lanes::letter;
use crate::views::controls::{Icon, icon};
use sim_core::engine::protocol::{Catalogue, TunableView};
use sim_core::scenario::schema::{ChangeAt, Target};
use yew::prelude::*;

/// The section.
#[hook]
pub fn use_changes_section(catalogue: &Shared<Catalogue>) -> Html {
    let stage = use_stage();
    let document = use_store::<Document>();
    let tunables =
        use_frames(200, |context| context.frames.policy(0).map(|policy| policy.tunables.clone()).unwrap_or_default());
    let of_lanes =
        document.scenario.lanes.iter().enumerate().flat_map(|(lane, of)| {
            of.changes.iter().enumerate().map(move |(index, change)| (Some(lane), index, change))
        });
    let changes: Vec<(Option<usize>, usize, &ChangeAt)> = document
        .scenario
        .changes
        .iter()
        .enumerate()
        .map(|(index, change)| (None, index, change))
        .chain(of_lanes)
        .collect();
    let rows = changes.iter().map(|&(lane, index, change)| {
        let what = describe(&document, lane.unwrap_or(0), change, catalogue.as_deref(), &tunables);
        let remove = {
            let dispatcher = stage.document.clone();
            Callback::from(move |_| dispatcher.dispatch(DocumentAction::RemoveChange(lane, index)))
        };
        let go = {
            let (dispatcher, at) = (stage.playback.clone(), change.t);
            Callback::from(move |_| dispatcher.dispatch(PlaybackAction::Seek(at)))
        };
        html! {
            <div class="row" data-testid="change">
                <span class="warn">{ icon(Icon::Flag) }</span>
                if let Some(lane) = lane { <b class="t2">{ letter(lane) }</b> }
                <button type="button" class="link grow left-text" onclick={go}>{ number::duration(change.t) }{ ", " }{ what }</button>
                <button type="button" class="btn quiet icon tiny" aria-label={words::TAKE_BACK} title={words::TAKE_BACK} onclick={remove}>
                    { icon(Icon::Cross) }</button>
            </div>
        }
    });
    html! {
        <div class="psec">
            <h3>{ words::CHANGES }</h3>
            if changes.is_empty() { <p class="small t3">{ words::NO_CHANGES }</p> }
            { for rows }
        </div>
    }
}

/// `kbuild jobs 3 → 6`.
fn describe(
    document: &Document,
    lane: usize,
    change: &ChangeAt,
    catalogue: Option<&Catalogue>,
    tunables: &[TunableView],
) -> String {
    let earlier = |base| document.value_at(lane, &change.target, base, change.t.saturating_sub(1));
    match &change.target {
        Target::Workload(name, field) => {
            let workload = document.scenario.workloads.iter().find(|workload| workload.name == *name);
            let kind = workload.and_then(|w| catalogue?.kinds.iter().find(|kind| kind.key == w.kind));
            let param = kind.and_then(|kind| kind.params.iter().find(|param| param.key == *field));
            let default = param.map_or(0, |param| i64::try_from(param.default).unwrap_or(i64::MAX));
            let base = workload.map_or(0, |workload| Document::workload_base(workload, field, default));
            let label = param.map_or(field.as_str(), |param| param.label.as_str());
            let show = |value: i64| match field.as_str() {
                "class" => words::CLASSES[usize::try_from(value).unwrap_or(0).min(5)].to_string(),
                _ => number::value(value, param.map_or("count", |param| param.unit.as_str())),
            };
            format!("{name} {label} {} → {}", show(earlier(base)), show(change.value))
        }
        Target::Task(name, field) => format!("{name} {field} {}", number::whole(change.value)),
        Target::Group(name) => {
            let group = document.scenario.groups.iter().find(|group| group.name == *name);
            let base = group.map_or(0, |group| i64::try_from(group.shares).unwrap_or(i64::MAX));
            format!("{name} {} → {}", number::whole(earlier(base)), number::whole(change.value))
        }
        Target::Tunable(key) => {
            let tunable = tunables.iter().find(|tunable| tunable.key == *key);
            let unit = tunable.map_or("count", |tunable| tunable.unit.as_str());
            let set = document.scenario.lanes.get(lane).and_then(|lane| lane.tunables.get(key).copied());
            let base = set.or(tunable.map(|tunable| tunable.default)).unwrap_or(change.value);
            format!("{key} {} → {}", number::value(earlier(base), unit), number::value(change.value, unit))
        }
    }
}
