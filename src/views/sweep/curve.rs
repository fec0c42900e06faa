//! The rows of a sweep as curves.

use crate::paint::number;
use crate::store::work::SweepState;
use crate::text::sweep as words;
use crate::views::charts::canvas::Chart;
use crate::views::charts::curves;
use sim_core::engine::protocol::SweepPlan;
use sim_core::sweep::measure::{Rank, What};
use std::collections::BTreeMap;

/// Index of the number with this key; else what says most of such runs: time of a mark, or wake-up latency.
pub fn chosen(plan: &SweepPlan, key: &str) -> usize {
    let find = |wanted: &dyn Fn(&What) -> bool| plan.measures.iter().position(|measure| wanted(&measure.what));
    let named = plan.measures.iter().position(|measure| measure.key == key);
    let mark = || find(&|what| matches!(what, What::Response(_, Rank::P50)));
    let wakeup = || find(&|what| matches!(what, What::Wakeup(Rank::P99)));
    named.or_else(mark).or_else(wakeup).unwrap_or(0)
}

/// `hogs=10, seed=2`.
pub fn settings(plan: &SweepPlan, values: &[i64]) -> String {
    plan.axes.iter().zip(values).map(|((key, _), value)| format!("{key}={value}")).collect::<Vec<_>>().join(", ")
}

/// Thousandths and nanoseconds as numbers of an axis: factor and unit.
fn scale(unit: &str, most: u64) -> (f64, &'static str) {
    match (unit, most) {
        ("ns", 0..10_000) => (1.0, "ns"),
        ("ns", 10_000..10_000_000) => (1e-3, "µs"),
        ("ns", 10_000_000..10_000_000_000) => (1e-6, "ms"),
        ("ns", _) => (1e-9, "s"),
        ("milli", _) => (1e-3, ""),
        ("permille", _) => (0.1, "%"),
        _ => (1.0, ""),
    }
}

/// A value in words.
pub fn value(value: u64, unit: &str) -> String {
    match unit {
        "ns" if value < 10_000_000 => format!("{}\u{202f}µs", number::fixed(value, number::US, 2)),
        "ns" => number::duration(value),
        "milli" => number::fixed(value, 1000, 1),
        "permille" => number::permille(u32::try_from(value).unwrap_or(u32::MAX)),
        _ => number::whole(i64::try_from(value).unwrap_or(i64::MAX)),
    }
}

/// One curve per policy (and per combination of further axes), as far as points are computed.
pub fn chart(sweep: &SweepState, metric: usize) -> Chart {
    let plan = &sweep.plan;
    let measure = plan.measures.get(metric);
    let unit = measure.map_or("", |measure| measure.unit.as_str());
    let known = |index: u32| sweep.rows.get(&index)?.as_ref().ok()?.get(metric).copied().flatten();
    let most = (0..plan.points.len() as u32).filter_map(known).max().unwrap_or(0);
    let (factor, unit) = scale(unit, most);
    // By scheduler and the settings beside the first one.
    let mut groups = BTreeMap::<_, Vec<(f64, f64)>>::new();
    for (index, (values, policy)) in (0_u32..).zip(&plan.points) {
        let (Some(&x), rest) = (values.first(), values.get(1..).unwrap_or_default()) else { continue };
        let group = groups.entry((*policy, rest.to_vec())).or_default();
        group.extend(known(index).map(|value| (x as f64, value as f64 * factor)));
    }
    let curves = groups.into_iter().map(|((policy, rest), mut points)| {
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let policy = plan.policies.get(usize::from(policy)).map_or("", String::as_str);
        let rest = plan.axes.iter().skip(1).zip(rest).map(|((key, _), value)| format!("{key}={value}"));
        let label = std::iter::once(policy.to_string()).chain(rest).collect::<Vec<_>>().join(" ");
        curves::Curve { label, points, rings: Vec::new() }
    });
    let curves: Vec<curves::Curve> = curves.collect();
    let xs = plan.axes.first().map(|(_, values)| values.as_slice()).unwrap_or_default();
    let (from, to) = (xs.iter().min().copied().unwrap_or(0), xs.iter().max().copied().unwrap_or(1));
    let is_done = sweep.rows.len() == plan.points.len() && !plan.points.is_empty();
    Chart::Curves(curves::Chart {
        curves,
        x_label: plan.axes.first().map(|(key, _)| key.clone()).unwrap_or_default(),
        y_unit: unit.into(),
        x_range: (from as f64, to as f64),
        x_log: from >= 1 && to / from >= 32,
        legend: None,
        empty: if is_done { words::NO_VALUES } else { words::STARTS }.say().into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::sweep::measure::Measure;
    use std::rc::Rc;

    fn sweep() -> SweepState {
        let measures = sim_core::sweep::measures(&["ring lap".into()], &["hogs".into()]);
        let wide = |ns| Ok((0..measures.len()).map(|_| Some(ns)).collect());
        let plan = SweepPlan {
            axes: vec![("hogs".into(), vec![0, 50])],
            policies: vec!["old".into(), "new".into()],
            points: vec![(vec![0], 0), (vec![0], 1), (vec![50], 0), (vec![50], 1)],
            measures: measures.clone(),
        };
        let rows = BTreeMap::from([(0, wide(12_000)), (2, wide(27_000)), (1, Err("stopped".into()))]);
        SweepState { plan: Rc::new(plan), rows, ..SweepState::default() }
    }

    #[test]
    fn a_curve_per_policy_grows_as_points_come_in() {
        let sweep = sweep();
        let metric = chosen(&sweep.plan, "");
        let Measure { key, .. } = &sweep.plan.measures[metric];
        assert_eq!(key, "mark.ring lap.p50_ns");
        let Chart::Curves(chart) = chart(&sweep, metric) else { panic!("curves") };
        assert_eq!(chart.curves.iter().map(|curve| curve.label.as_str()).collect::<Vec<_>>(), ["old", "new"]);
        assert_eq!(chart.curves[0].points, [(0.0, 12.0), (50.0, 27.0)]);
        assert!(chart.curves[1].points.is_empty());
        assert_eq!((chart.y_unit.as_str(), chart.x_range), ("µs", (0.0, 50.0)));
    }

    #[test]
    fn a_number_is_chosen_by_its_key() {
        let sweep = sweep();
        assert_eq!(sweep.plan.measures[chosen(&sweep.plan, "switches")].key, "switches");
    }
}
