//! How far the outcome is from another one: the candidates on the axis of the number that decides.

use crate::paint::number;
use crate::text::inspector as words;
use crate::views::charts::plot::shortened;
use crate::views::controls::Names;
use sim_core::engine::protocol::{CandidateView, EntityView, WhyView};
use yew::prelude::*;

/// Where the axis begins and ends, in percent of the width: a dot at an end stays whole.
const EDGES: (f64, f64) = (2.0, 98.0);
/// Dots.
const DOTS: usize = 8;
/// What is further away than so many times the distance of the two that matter stands at the edge.
const OUTLIER: f64 = 8.0;
/// The normal levels of a priority: their axis is always the same one.
const LEVELS: (i64, i64) = (100, 139);

/// The two that matter: the one that is asked about and the nearest one on the other side of the outcome.
struct Rivals<'a> {
    own: &'a CandidateView,
    next: &'a CandidateView,
    /// The one of the two that stands better.
    is_ahead: bool,
}

/// Longest name beside its number, letters.
const NAME_LETTERS: usize = 22;

/// The drawing; nothing where the number does not part the two.
pub fn drawing(names: &Names, why: &WhyView) -> Html {
    let Some(rivals) = rivals(&why.candidates, why.task) else { return Html::default() };
    let (own, next) = (&rivals.own.key, &rivals.next.key);
    let is_peer = |one: &&CandidateView| one.queue == rivals.own.queue && one.barred.is_none();
    let shown = why.candidates.iter().filter(is_peer).filter(|one| one.key.label == own.label).take(DOTS);
    let others: Vec<&CandidateView> = shown.filter(|one| !same(one, rivals.own) && !same(one, rivals.next)).collect();
    let axis = Axis::new(own.value, next.value, others.iter().map(|one| one.key.value), &own.unit);
    let lower_wins = (own.value < next.value) == rivals.is_ahead;
    let dot = |value: i64, class: &'static str| {
        html! { <circle class={class} cx={axis.percent(value)} cy="24" r={if class == "own" { "5" } else { "4" }} /> }
    };
    // On this side of the rival the outcome stays what it is.
    let border = axis.at(if rivals.is_ahead { next.value } else { own.value });
    let (from, to) = if lower_wins { (EDGES.0, border) } else { (border, EDGES.1) };
    let name = |one: &CandidateView| shortened(&entity_word(names, one.entity), NAME_LETTERS);
    let distance = number::value(next.value.abs_diff(own.value).try_into().unwrap_or(i64::MAX), &own.unit);
    html! {
        <figure class="distance" data-testid="distance">
            <figcaption><b>{ &own.label }</b>{ " " }<span class="t3">{ words::better(lower_wins) }</span><span class="t2">{ words::distance(rivals.is_ahead, &distance) }</span></figcaption>
            <svg width="100%" height="46" aria-hidden="true">
                <rect class="wins" x={percent(from)} y="20" width={percent(to - from)} height="8" />
                <line x1={percent(EDGES.0)} x2={percent(EDGES.1)} y1="28" y2="28" />
                { for axis.ticks().map(|x| html! { <line x1={percent(x)} x2={percent(x)} y1="28" y2="31" /> }) }
                { for others.iter().map(|one| dot(one.key.value, "other")) }
                { dot(next.value, "next") }{ dot(own.value, "own") }
                { label(&axis, own.value, "12", &format!("{} {}", name(rivals.own), number::value(own.value, &own.unit)), "own") }
                { label(&axis, next.value, "42", &format!("{} {}", name(rivals.next), number::value(next.value, &next.unit)), "next") }
            </svg>
        </figure>
    }
}

fn same(one: &CandidateView, other: &CandidateView) -> bool {
    one.entity == other.entity
}

fn entity_word(names: &Names, entity: EntityView) -> String {
    match entity {
        EntityView::Task(task) => names.task(task).to_owned(),
        EntityView::Group(group) => names.group(group).to_owned(),
    }
}

/// A candidate that is not alone, and whose number tells it from the next one.
fn rivals(candidates: &[CandidateView], task: u32) -> Option<Rivals<'_>> {
    let is_run = candidates.iter().any(|one| one.picked);
    let is_own = |one: &&CandidateView| if is_run { one.picked } else { one.entity == EntityView::Task(task) };
    // The outermost run queue with a rival: only there, not between queues, numbers are weighed against each other.
    candidates.iter().filter(is_own).find_map(|own| {
        let peers: Vec<&CandidateView> =
            candidates.iter().filter(|one| one.queue == own.queue && one.barred.is_none()).collect();
        let at = peers.iter().position(|one| same(one, own))?;
        let next = match at {
            0 => peers.get(1),
            // What ran although another stood before it was not decided by this number.
            _ if is_run => None,
            _ => peers.first(),
        }?;
        let parts = next.key.label == own.key.label && next.key.value != own.key.value;
        parts.then_some(Rivals { own, next, is_ahead: at == 0 })
    })
}

/// A scale in percent of the drawing's width.
struct Axis {
    low: f64,
    high: f64,
    step: Option<i64>,
}

impl Axis {
    fn new(own: i64, next: i64, others: impl Iterator<Item = i64> + Clone, unit: &str) -> Self {
        let all = [own, next].into_iter().chain(others.clone());
        if unit == "prio" && all.clone().all(|value| (LEVELS.0..=LEVELS.1).contains(&value)) {
            return Axis { low: LEVELS.0 as f64, high: LEVELS.1 as f64, step: Some(5) };
        }
        let apart = own.abs_diff(next) as f64;
        let (low, high) = (own.min(next) as f64, own.max(next) as f64);
        let near = others.map(|value| value as f64).filter(|value| (low - value).max(value - high) <= apart * OUTLIER);
        let (low, high) = near.fold((low, high), |(low, high), value| (low.min(value), high.max(value)));
        let room = (high - low) * 0.1;
        Axis { low: low - room, high: high + room, step: None }
    }

    /// Where a value stands; what is further away stands at the edge.
    fn at(&self, value: i64) -> f64 {
        let share = (value as f64 - self.low) / (self.high - self.low);
        (EDGES.0 + share * (EDGES.1 - EDGES.0)).clamp(EDGES.0, EDGES.1)
    }

    fn percent(&self, value: i64) -> String {
        percent(self.at(value))
    }

    fn ticks(&self) -> impl Iterator<Item = f64> + '_ {
        let (low, high) = (self.low as i64, self.high as i64);
        let steps = self.step.map(|step| (low..=high).filter(move |value| value % step == 0));
        steps.into_iter().flatten().map(|value| self.at(value))
    }
}

fn percent(value: f64) -> String {
    format!("{value:.2}%")
}

/// A label that stays inside of the drawing.
fn label(axis: &Axis, value: i64, y: &'static str, text: &str, class: &'static str) -> Html {
    let anchor = match axis.at(value) {
        x if x < 30.0 => "start",
        x if x > 70.0 => "end",
        _ => "middle",
    };
    html! { <text class={class} x={axis.percent(value)} y={y} text-anchor={anchor}>{ text.to_owned() }</text> }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::engine::protocol::GaugeView;

    fn candidate(task: u32, value: i64, picked: bool) -> CandidateView {
        let key = GaugeView { label: "prio".into(), value, full: 0, unit: "prio".into() };
        CandidateView { entity: EntityView::Task(task), key, terms: Vec::new(), barred: None, picked, queue: 0 }
    }

    #[test]
    fn priorities_share_one_axis_and_other_numbers_have_their_own() {
        let axis = Axis::new(115, 125, [130].into_iter(), "prio");
        assert_eq!((axis.low, axis.high, axis.ticks().count()), (100.0, 139.0, 8));
        let axis = Axis::new(1_000, 3_000, [2_000, 500_000].into_iter(), "virtual");
        assert!(axis.at(500_000) == EDGES.1 && axis.at(3_000) < EDGES.1 && axis.at(1_000) > EDGES.0);
    }

    #[test]
    fn equals_and_single_candidates_have_no_distance() {
        assert!(rivals(&[candidate(0, 115, true)], 0).is_none());
        assert!(rivals(&[candidate(0, 115, true), candidate(1, 115, false)], 0).is_none());
        let apart = [candidate(0, 115, true), candidate(1, 125, false)];
        assert!(rivals(&apart, 0).is_some_and(|rivals| rivals.is_ahead));
        // A group's number is no measure for a task in it.
        let mut inside = apart;
        inside[1].queue = 1;
        assert!(rivals(&inside, 0).is_none());
        // The one that was asked about waits behind the first.
        let behind = [candidate(7, 115, false), candidate(0, 125, false)];
        assert!(rivals(&behind, 0).is_some_and(|rivals| !rivals.is_ahead && rivals.own.key.value == 125));
    }
}
