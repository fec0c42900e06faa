//! Groups with their shares, or why there are none.

use super::knob::KnobRow;
use crate::store::{Document, use_frames, use_store};
use crate::text::scenario as words;
use sim_core::scenario::schema::{Group, Target};
use yew::prelude::*;

/// Shares of one nice-0 task.
const SHARES_DEFAULT: i64 = 1024;
/// Smallest and largest shares of the slider.
const SHARES: (i64, i64) = (2, 262_144);
/// Range of the slider where shares are percent of the parent.
const PERCENT: (i64, i64) = (0, 100);

/// The section.
#[hook]
pub fn use_groups_section() -> Html {
    let document = use_store::<Document>();
    let policy = use_frames(200, |context| {
        let policy = context.frames.policy(0)?;
        let has = |cap: &str| policy.caps.iter().any(|(name, has)| name == cap && *has);
        Some((policy.key.clone(), has("groups"), has("percent_shares")))
    });
    let Some((key, has_groups, percent)) = policy else { return Html::default() };
    let rows = document.scenario.groups.iter().map(|group| group_row(group, percent));
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

fn group_row(group: &Group, percent: bool) -> Html {
    let target = Target::Group(group.name.clone());
    let base = i64::try_from(group.shares).unwrap_or(i64::MAX);
    let (range, default, unit) =
        if percent { (PERCENT, None, "percent") } else { (SHARES, Some(SHARES_DEFAULT), "weight") };
    html! {
        <KnobRow key={group.name.clone()} {target} {base} label={group.name.clone()} {unit} min={range.0} max={range.1} {default}
            live={true} log={!percent} testid={format!("shares-{}", group.name)} />
    }
}
