//! A strip of time from the runs of the chosen row: who has the CPU, and what else takes its time. A kernel per line, all
//! of the same length.

use crate::paint::number;
use crate::store::work::Strips;
use crate::text::history as words;
use sim_core::engine::protocol::{Place, StripView};
use std::collections::BTreeMap;
use yew::prelude::*;

/// Most lines.
const LINES_MAX: usize = 6;
/// Colours of tasks; further tasks begin anew.
const COLOURS: u16 = 6;
/// Most tasks in the legend.
const NAMED_MAX: usize = 4;
/// Width of the drawing in its own units.
const WIDTH: u64 = 1000;
/// Top of each kind of time: own work is full, what the kernel does is lower, idle is nothing.
const TOPS: [u64; 6] = [0, 4, 8, 8, 11, 18];
/// Height of a line in its own units.
const HEIGHT: u64 = 18;
/// Index of the program's own work among the kinds, and of idling.
const OWN: u8 = 0;
const IDLE: u8 = 5;

/// Strips of these figures that are there.
pub fn strips(strips: &Strips, places: &[(Place, &str)]) -> Html {
    let found: Vec<(&str, &StripView)> =
        places.iter().filter_map(|(place, kernel)| Some((*kernel, &**strips.get(place)?))).take(LINES_MAX).collect();
    let Some(length) = found.iter().map(|(_, strip)| length(strip)).max().filter(|length| *length > 0) else {
        return Html::default();
    };
    let lines = found.iter().map(|(kernel, strip)| {
        let told = told(strip);
        html! {
            <><dt>{ *kernel }</dt><dd>{ drawing(strip, length, words::STRIP_TOLD.fill(&[kernel, &told])) }<span class="t3">{ told }</span>
                <span class="t2" data-testid="kinds">{ words::ALL_MEASURED.fill(&[&words::kinds(&strip.times)]) }</span></dd></>
        }
    });
    html! {
        <div class="strips" data-testid="strips">
            <h4 class="t2">{ words::STRIP.fill(&[&number::duration(length)]) }</h4>
            <dl>{ for lines }</dl>{ legend(&found) }</div>
    }
}

fn length(strip: &StripView) -> u64 {
    strip.pieces.iter().map(|piece| piece.0).sum()
}

/// Time by kind: "schedule and switch 44 µs, own work 12 µs".
fn told(strip: &StripView) -> String {
    let mut sums = BTreeMap::<u8, u64>::new();
    for (len, kind, _) in &strip.pieces {
        *sums.entry(*kind).or_default() += len;
    }
    let mut sums: Vec<(u64, u8)> = sums.into_iter().map(|(kind, sum)| (sum, kind)).collect();
    sums.sort_unstable_by(|a, b| b.cmp(a));
    let part = |(sum, kind): &(u64, u8)| {
        words::PART.fill(&[&words::KINDS[usize::from(*kind).min(5)].say(), &number::duration(*sum)])
    };
    sums.iter().map(part).collect::<Vec<_>>().join(", ")
}

/// Class of a piece: tasks by colour, what is not theirs by kind.
fn class(kind: u8, task: u16) -> String {
    if kind == OWN || kind == 1 { format!("task-{}", task.saturating_sub(1) % COLOURS) } else { format!("kind-{kind}") }
}

fn drawing(strip: &StripView, length: u64, label: String) -> Html {
    let mut at = 0;
    let pieces = strip.pieces.iter().filter_map(|&(len, kind, task)| {
        let (from, to) = (at * WIDTH * 10 / length, (at + len) * WIDTH * 10 / length);
        at += len;
        let top = TOPS[usize::from(kind).min(5)];
        let tenths = |value: u64| format!("{}.{}", value / 10, value % 10);
        (kind != IDLE).then(|| html! {
            <rect class={class(kind, task)} x={tenths(from)} y={top.to_string()} width={tenths((to - from).max(1))} height={(HEIGHT - top).to_string()} />
        })
    });
    html! {
        <svg class="strip" role="img" aria-label={label} viewBox={format!("0 0 {WIDTH} {HEIGHT}")} preserveAspectRatio="none">{ for pieces }</svg>
    }
}

/// Names of the first tasks, and the kinds of time that are not theirs.
fn legend(found: &[(&str, &StripView)]) -> Html {
    let Some((_, first)) = found.first() else { return Html::default() };
    let tasks = first.names.iter().enumerate().skip(1).take(NAMED_MAX);
    let tasks = tasks.map(|(index, name)| key(&class(OWN, index as u16), name));
    let kinds =
        (2..IDLE).filter(|kind| found.iter().any(|(_, strip)| strip.pieces.iter().any(|piece| piece.1 == *kind)));
    let kinds = kinds.map(|kind| key(&class(kind, 0), words::KINDS[usize::from(kind)].say()));
    html! { <p class="legend small t2">{ for tasks }{ for kinds }</p> }
}

fn key(class: &str, label: &str) -> Html {
    html! { <span><svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true"><rect class={class.to_owned()} width="10" height="10" /></svg>{ label.to_owned() }</span> }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strip_is_told_by_its_longest_part_first() {
        let strip = StripView { pieces: vec![(1_000, 0, 1), (7_000, 2, 1), (500, 0, 2)], ..StripView::default() };
        assert_eq!(length(&strip), 8_500);
        let told = told(&strip);
        assert!(told.starts_with("schedule and switch 7"), "{told}");
        assert!(told.contains("own work"), "{told}");
    }

    #[test]
    fn tasks_have_colours_and_the_kernel_s_work_has_its_own() {
        assert_eq!(class(0, 1), "task-0");
        assert_eq!(class(1, 8), "task-1");
        assert_eq!(class(2, 1), "kind-2");
    }
}
