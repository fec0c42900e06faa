//! Groups with their shares, or why there are none.

use super::turn;
use crate::paint::number;
use crate::store::{Document, Playback, use_frames, use_stage, use_store};
use crate::text::scenario as words;
use crate::views::controls::Slider;
use sim_core::scenario::schema::{Group, Target};
use yew::prelude::*;

/// Shares of one nice-0 task.
const SHARES_DEFAULT: i64 = 1024;
/// Smallest and largest shares of the slider.
const SHARES: (i64, i64) = (2, 262_144);
/// Range of the slider where shares are percent of the parent.
const PERCENT: (i64, i64) = (0, 100);

/// The section.
#[component]
pub fn GroupsSection() -> Html {
    let document = use_store::<Document>();
    let policy = use_frames(200, |context| {
        let policy = context.frames.policy(0)?;
        let has = |cap: &str| policy.caps.iter().any(|(name, has)| name == cap && *has);
        Some((policy.key.clone(), has("groups"), has("percent_shares")))
    });
    let Some((key, has_groups, percent)) = policy else { return Html::default() };
    let rows = document
        .scenario
        .groups
        .iter()
        .map(|group| html! { <GroupRow key={group.name.clone()} group={group.clone()} {percent} /> });
    let none = document.scenario.groups.is_empty();
    html! {
        <div class="psec">
            <h3>{ words::GROUPS }if !has_groups { <span class="badge plain">{ words::not_in(&key) }</span> }</h3>
            if none {
                <p class="small t3">{ if has_groups { words::GROUPS_NONE } else { words::GROUPS_NEED } }</p>
            }
            { for rows }
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct GroupProps {
    group: Group,
    percent: bool,
}

#[component]
fn GroupRow(props: &GroupProps) -> Html {
    let stage = use_stage();
    let document = use_store::<Document>();
    let now = use_store::<Playback>().at;
    let target = Target::Group(props.group.name.clone());
    let base = i64::try_from(props.group.shares).unwrap_or(i64::MAX);
    let value = document.value_at(&target, base, now);
    let on_value = Callback::from(move |(value, done)| turn(&stage, target.clone(), value, SHARES_DEFAULT, true, done));
    let (range, default, text) = match props.percent {
        true => (PERCENT, None, number::value(value, "percent")),
        false => (SHARES, Some(SHARES_DEFAULT), number::whole(value)),
    };
    html! {
        <Slider label={props.group.name.clone()} {value} min={range.0} max={range.1.max(value)} {default}
            log={!props.percent} {text} {on_value} testid={format!("shares-{}", props.group.name)} />
    }
}
