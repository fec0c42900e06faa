//! The points of a sweep in a table: the same as the curves, and the way into each run.

use super::curve;
use crate::address;
use crate::store::use_stage;
use crate::store::work::SweepState;
use crate::text::sweep as words;
use sim_core::scenario::link;
use sim_core::scenario::schema::Scenario;
use sim_core::scenario::settings;
use std::rc::Rc;
use yew::prelude::*;

/// Properties of [`Points`].
#[derive(Properties, PartialEq)]
pub struct PointsProps {
    /// The sweep.
    pub sweep: SweepState,
    /// Index of the shown number.
    pub metric: usize,
    /// The scenario that is swept.
    pub document: Rc<Scenario>,
}

/// A line per setting, a column per policy.
#[component]
pub fn Points(props: &PointsProps) -> Html {
    let plan = &props.sweep.plan;
    let Some(measure) = plan.measures.get(props.metric) else { return Html::default() };
    let policies = plan.policies.len().max(1);
    let heads = plan.policies.iter().map(|policy| html! { <th scope="col" class="num">{ policy }</th> });
    let keys = plan.axes.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>().join(", ");
    let lines = plan.points.chunks(policies).enumerate().map(|(line, points)| {
        let values = points.first().map(|(values, _)| values.clone()).unwrap_or_default();
        let cells = (0..points.len()).map(|column| {
            let index = (line * policies + column) as u32;
            let present = props.sweep.present.filter(|(at, _)| *at == index);
            match (props.sweep.rows.get(&index), present) {
                (Some(Ok(values)), _) => {
                    let value = values.get(props.metric).copied().flatten();
                    html! { <td class="num">{ value.map_or_else(|| "–".into(), |value| curve::value(value, &measure.unit)) }</td> }
                }
                (Some(Err(sentence)), _) => html! { <td class="num bad-text">{ words::FAILED.fill(&[sentence]) }</td> },
                (None, Some((_, permille))) => html! { <td class="num t3">{ format!("{} %", permille / 10) }</td> },
                (None, None) => html! { <td class="num t3">{ "…" }</td> },
            }
        });
        html! { <tr><th scope="row" class="num"><OpenPoint {values} sweep={props.sweep.clone()} document={props.document.clone()} /></th>{ for cells }</tr> }
    });
    let caption = format!("{}: {}", words::TABLE, words::measure(&measure.what, &measure.of));
    html! {
        <div class="psec"><table class="points" id="sweep-points" data-testid="sweep-points"><caption>{ caption }</caption>
            <thead><tr><th scope="col" class="num">{ keys }</th>{ for heads }</tr></thead><tbody>{ for lines }</tbody></table></div>
    }
}

#[derive(Properties, PartialEq)]
struct OpenProps {
    values: Vec<i64>,
    sweep: SweepState,
    document: Rc<Scenario>,
}

/// Opens the run of a point with all its policies side by side.
#[component]
fn OpenPoint(props: &OpenProps) -> Html {
    let stage = use_stage();
    let text = props.values.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
    let name = curve::settings(&props.sweep.plan, &props.values);
    let (document, plan, values) = (props.document.clone(), props.sweep.plan.clone(), props.values.clone());
    let onclick = Callback::from(move |_| {
        let mut scenario = (*document).clone();
        for ((key, _), value) in plan.axes.iter().zip(&values) {
            settings::set(&mut scenario, key, *value);
        }
        address::open_scenario(&stage, scenario, &link::View::default(), true);
    });
    html! { <button type="button" class="link" {onclick} title={words::OPEN.fill(&[&name])} aria-label={words::OPEN.fill(&[&name])}>{ text }</button> }
}
