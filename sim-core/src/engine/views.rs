//! The core's descriptions as plain data for the page.

use super::protocol::{
    CandidateView, ChipView, EntityView, GaugeView, HistogramView, NodeView, PolicyView, ScoreView, SpanView,
    StandingView, TunableView,
};
use super::text::unit_word;
use crate::inspect::{Candidate, Chip, Entity, Gauge, Score, Span, Standing, TreeNode};
use crate::metrics::histogram::Histogram;
use crate::policy::{PolicyInfo, Shape, TunableSpec};

/// A policy for menus; defaults are those of `shape`.
pub fn policy(info: &PolicyInfo, shape: Shape) -> PolicyView {
    let caps = info.caps;
    let caps = [
        ("batch", caps.batch),
        ("idle", caps.idle),
        ("iso", caps.iso),
        ("groups", caps.groups),
        ("nested_groups", caps.nested_groups),
        ("percent_shares", caps.percent_shares),
        ("autogroup", caps.autogroup),
        ("bandwidth", caps.bandwidth),
        ("slice_request", caps.slice_request),
        ("rt", caps.rt),
    ];
    PolicyView {
        key: info.key.into(),
        title: info.title.into(),
        family: info.family.into(),
        kernel: info.kernel.into(),
        summary: info.summary.into(),
        tunables: tunables(info, shape),
        reasons: info.reasons.iter().map(|r| (r.key.into(), r.template.into(), r.function.into())).collect(),
        notes: info.notes.iter().map(|&note| note.into()).collect(),
        caps: caps.into_iter().map(|(name, has)| (name.into(), has)).collect(),
        golden: info.golden_matched,
    }
}

/// The knobs of a policy on such a machine.
pub fn tunables(info: &PolicyInfo, shape: Shape) -> Vec<TunableView> {
    let view = |spec: &TunableSpec| TunableView {
        key: spec.key.into(),
        help: spec.help.into(),
        unit: unit_word(spec.unit).into(),
        min: spec.min,
        max: spec.max,
        default: (spec.default)(shape),
    };
    info.tunables.iter().map(view).collect()
}

/// A number with its name.
pub fn gauge(gauge: Gauge) -> GaugeView {
    let Gauge { label, value, full, unit } = gauge;
    GaugeView { label: label.into(), value, full, unit: unit_word(unit).into() }
}

/// A task or group.
pub fn entity(entity: Entity) -> EntityView {
    match entity {
        Entity::Task(task) => EntityView::Task(task.0),
        Entity::Group(group) => EntityView::Group(group.0),
    }
}

/// A task in a slot or list.
pub fn chip(chip: Chip) -> ChipView {
    ChipView {
        entity: entity(chip.entity),
        slice: chip.slice,
        slice_full: chip.slice_full,
        slice_unit: unit_word(chip.slice_unit).into(),
        key: chip.key.map(gauge),
        running: chip.running,
    }
}

/// A node of a tree.
pub fn node(node: TreeNode) -> NodeView {
    let TreeNode { entity: who, left, right, red, key, key2, weight, eligible } = node;
    NodeView { entity: entity(who), left, right, red, key, key2, weight, eligible }
}

/// An entity on an axis.
pub fn span(span: Span) -> SpanView {
    let Span { entity: who, at, until, weight, eligible, running, picked } = span;
    SpanView { entity: entity(who), at, until, weight, eligible, running, picked }
}

/// A row of a scan.
pub fn score(score: Score, terms: &mut dyn Iterator<Item = Gauge>) -> ScoreView {
    let standing = match score.standing {
        Standing::Wins => StandingView::Wins,
        Standing::Ties => StandingView::Ties,
        Standing::Loses => StandingView::Loses,
        Standing::Barred(why) => StandingView::Barred(why.into()),
    };
    let Score { entity: who, label, total, .. } = score;
    ScoreView { entity: entity(who), label: label.into(), total, standing, terms: terms.map(gauge).collect() }
}

/// Someone who could have run, and the queue it stands in.
pub fn candidate(candidate: &Candidate, picked: bool, queue: u16) -> CandidateView {
    CandidateView {
        entity: entity(candidate.entity),
        key: gauge(candidate.key),
        terms: candidate.terms.iter().flatten().copied().map(gauge).collect(),
        barred: candidate.barred.map(Into::into),
        picked,
        queue,
    }
}

/// Fine buckets in one shown bucket: four are shown per power of two.
const SHOWN: usize = 4;

/// A histogram with its buckets.
pub fn histogram(histogram: &Histogram) -> HistogramView {
    let mut view = percentiles(histogram);
    let mut buckets = histogram.buckets().peekable();
    while let Some((low, high, count)) = buckets.next() {
        let index = crate::metrics::histogram::bucket_of(low);
        let (mut sum, mut end) = (u64::from(count), high);
        while let Some((_, high, count)) =
            buckets.next_if(|&(low, _, _)| crate::metrics::histogram::bucket_of(low) / SHOWN == index / SHOWN)
        {
            sum += u64::from(count);
            end = high;
        }
        view.bounds.push(low);
        view.counts.push(sum);
        if buckets.peek().is_none() {
            // An upper bound for the last bucket that holds something.
            view.bounds.push(end);
            view.counts.push(0);
        }
    }
    view
}

/// The percentiles of a histogram without its buckets.
pub fn percentiles(histogram: &Histogram) -> HistogramView {
    HistogramView {
        bounds: Vec::new(),
        counts: Vec::new(),
        p50: histogram.quantile(500),
        p95: histogram.quantile(950),
        p99: histogram.quantile(990),
        max: histogram.max(),
        count: histogram.count(),
        mean: histogram.mean(),
    }
}
