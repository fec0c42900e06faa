//! Groups: their tree, shares and limits, or why there are none.

use super::field::{choice_row, text_row};
use super::knob::{KnobRow, signed};
use crate::paint::number;
use crate::store::groups::{PERCENT, SHARES_DEFAULT, free_percent, guarantee_permille, is_within, tree};
use crate::store::{Document, DocumentAction, use_frames, use_stage, use_store};
use crate::text::scenario as words;
use crate::views::controls::{Icon, Slider, icon};
use sim_core::scenario::limits::{NAME_CHARS_MAX, PERIOD_NS_MAX, PERIOD_NS_MIN, SHARES_MAX};
use sim_core::scenario::schema::{Group, Scenario, Target};
use yew::prelude::*;

/// Deepest level that is set off from the one above.
const STEPS: usize = 3;

/// What the scheduler can do with groups.
#[derive(Clone, Copy, PartialEq, Default)]
struct Abilities {
    groups: bool,
    nested: bool,
    percent: bool,
    bandwidth: bool,
}

/// The section.
#[hook]
pub fn use_groups_section() -> Html {
    let stage = use_stage();
    let document = use_store::<Document>();
    let policy = use_frames(200, |context| {
        let policy = context.frames.policy(0)?;
        let abilities = Abilities {
            groups: policy.can("groups"),
            nested: policy.can("nested_groups"),
            percent: policy.can("percent_shares"),
            bandwidth: policy.can("bandwidth"),
        };
        Some((policy.key.clone(), abilities))
    });
    let Some((key, can)) = policy else { return Html::default() };
    let rows = tree(&document.scenario).into_iter().map(|(index, depth)| {
        html! { <GroupCard key={document.scenario.groups[index].name.clone()} {index} {depth} {can} /> }
    });
    let none = document.scenario.groups.is_empty();
    let add = Callback::from(move |_| stage.document.dispatch(DocumentAction::AddGroup(can.percent)));
    html! {
        <div class="psec">
            <h3>{ words::GROUPS }<span class="grow" />
                if can.groups {
                    <button type="button" class="btn quiet tiny" onclick={add} data-testid="add-group"
                        aria-label={words::ADD_GROUP}>{ icon(Icon::Plus) }{ words::ADD }</button>
                } else {
                    <span class="badge plain">{ words::not_in(&key) }</span>
                }
            </h3>
            if none {
                <p class="small t3">{ if can.groups { words::GROUPS_NONE } else { words::GROUPS_NEED } }</p>
            }
            { for rows }
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct CardProps {
    index: usize,
    depth: usize,
    can: Abilities,
}

/// One group: name and shares; open, what else it has.
#[component]
fn GroupCard(props: &CardProps) -> Html {
    let stage = use_stage();
    let document = use_store::<Document>();
    let open = use_state_eq(|| false);
    let scenario = &document.scenario;
    let Some(group) = scenario.groups.get(props.index).cloned() else { return Html::default() };
    let (index, can) = (props.index, props.can);
    let put = {
        let (dispatcher, group) = (stage.document.clone(), group.clone());
        move |edit: &dyn Fn(&mut Group)| {
            let mut next = group.clone();
            edit(&mut next);
            dispatcher.dispatch(DocumentAction::Group(index, Box::new(next)));
        }
    };
    let id = |what: &str| format!("{what}-{}", group.name);
    let toggle = {
        let open = open.clone();
        Callback::from(move |_| open.set(!*open))
    };
    let on_name = {
        let (put, scenario) = (put.clone(), scenario.clone());
        let own = group.name.clone();
        move |text: String| {
            let name: String = text.trim().chars().take(NAME_CHARS_MAX).collect();
            let taken = name != own && scenario.groups.iter().any(|group| group.name == name);
            if name.is_empty() || taken {
                return Some(if taken { words::name_taken(&name) } else { words::NAME_EMPTY.into() });
            }
            put(&|group| group.name.clone_from(&name));
            None
        }
    };
    let others = scenario.groups.iter().filter(|other| !is_within(scenario, &other.name, &group.name));
    let parents: Vec<_> = std::iter::once((String::new(), words::ROOT.into()))
        .chain(others.map(|other| (other.name.clone(), other.name.clone())))
        .collect();
    let on_parent = {
        let (put, scenario, own) = (put.clone(), scenario.clone(), group.name.clone());
        Callback::from(move |parent: String| {
            let room = free_percent(&scenario, &parent, &own);
            put(&|group| {
                group.parent.clone_from(&parent);
                if can.percent {
                    group.shares = group.shares.min(room);
                }
            });
        })
    };
    let remove = {
        let dispatcher = stage.document.clone();
        Callback::from(move |_| dispatcher.dispatch(DocumentAction::RemoveGroup(index)))
    };
    let sum = if can.percent {
        words::guaranteed(&number::permille(guarantee_permille(scenario, &group)))
    } else {
        limit_text(&group)
    };
    html! {
        <div role="group" aria-label={group.name.clone()} data-testid={id("card")}
            class={classes!("card", "group", open.then_some("open"), format!("in-{}", props.depth.min(STEPS)))}>
            <button type="button" class="head" aria-expanded={open.to_string()} onclick={toggle}>
                <span class="name">{ &group.name }</span><span class="sum">{ sum }</span>
            </button>
            <div class="body">
                { shares_row(scenario, &group, can.percent) }
                if *open {
                    { text_row(words::NAME.say(), group.name.clone(), id("name"), on_name) }
                    if can.nested && (parents.len() > 1 || !group.parent.is_empty()) {
                        { choice_row(words::PARENT.say(), parents, &group.parent, id("parent"), on_parent) }
                    }
                    if can.bandwidth || group.quota_ns > 0 { { limits(&group, scenario.machine.cores, &put) } }
                    <div class="row end"><button type="button" class="btn quiet tiny" onclick={remove} data-testid={id("remove")}
                        aria-label={format!("{} {}", words::REMOVE, group.name)}>{ icon(Icon::Cross) }{ words::REMOVE }</button></div>
                }
            </div>
        </div>
    }
}

/// The slider that turns while the machine runs. Where shares are percent it ends at what the siblings leave.
fn shares_row(scenario: &Scenario, group: &Group, percent: bool) -> Html {
    let target = Target::Group(group.name.clone());
    let base = signed(group.shares);
    let (min, max, default, unit) = match percent {
        true => (0, free_percent(scenario, &group.parent, &group.name), None, "percent"),
        false => (2, SHARES_MAX, Some(signed(SHARES_DEFAULT)), "weight"),
    };
    html! {
        <KnobRow {target} {base} label={words::SHARES} {unit} {min} max={signed(max)} {default}
            live={true} log={!percent} testid={format!("shares-{}", group.name)} />
    }
}

/// "50 % of a CPU", or that there is no limit.
fn limit_text(group: &Group) -> String {
    match group.quota_ns {
        0 => String::new(),
        quota => words::limited(&number::whole(signed(quota * PERCENT / group.period_ns.max(1)))),
    }
}

/// `cpu.max`: quota as percent of one CPU, its period, its burst.
fn limits(group: &Group, cores: u16, put: &(impl Fn(&dyn Fn(&mut Group)) + Clone + 'static)) -> Html {
    let period = group.period_ns.max(1);
    let percent = signed(group.quota_ns * PERCENT / period);
    let on_quota = {
        let put = put.clone();
        Callback::from(move |(value, done): (i64, bool)| {
            let quota = u64::try_from(value).unwrap_or(0) * period / PERCENT;
            if done {
                put(&|group| {
                    group.quota_ns = if quota == 0 { 0 } else { quota.max(PERIOD_NS_MIN) };
                    group.burst_ns = group.burst_ns.min(group.quota_ns);
                });
            }
        })
    };
    let on_period = {
        let put = put.clone();
        Callback::from(move |(value, done): (i64, bool)| {
            let next = u64::try_from(value).unwrap_or(PERIOD_NS_MIN);
            if done {
                put(&|group| {
                    group.quota_ns = (u128::from(group.quota_ns) * u128::from(next) / u128::from(period)) as u64;
                    group.quota_ns = if group.quota_ns == 0 { 0 } else { group.quota_ns.max(PERIOD_NS_MIN) };
                    group.burst_ns = group.burst_ns.min(group.quota_ns);
                    group.period_ns = next;
                });
            }
        })
    };
    let on_burst = {
        let put = put.clone();
        Callback::from(move |(value, done): (i64, bool)| {
            if done {
                put(&|group| group.burst_ns = u64::try_from(value).unwrap_or(0));
            }
        })
    };
    let id = |what: &str| format!("{what}-{}", group.name);
    let (min, max) = (signed(PERIOD_NS_MIN), signed(PERIOD_NS_MAX));
    let text = if group.quota_ns == 0 { words::NO_LIMIT.into() } else { number::value(percent, "percent") };
    html! {
        <>
            <Slider label={words::LIMIT} help={words::LIMIT_HELP} value={percent} min={0} max={100 * i64::from(cores)} default={Some(0)}
                {text} on_value={on_quota} testid={id("quota")} />
            if group.quota_ns > 0 {
                <Slider label={words::PERIOD} value={signed(group.period_ns)} {min} {max} default={Some(100_000_000)} log={true}
                    text={number::duration(group.period_ns)} on_value={on_period} testid={id("period")} />
                <Slider label={words::BURST} value={signed(group.burst_ns)} min={0} max={signed(group.quota_ns)}
                    default={Some(0)} text={number::duration(group.burst_ns)} on_value={on_burst} testid={id("burst")} />
            }
        </>
    }
}
